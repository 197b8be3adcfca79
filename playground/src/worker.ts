// The engine, away from the thread that paints.

import { ConfigError, ContractError, RepairError, type Repaired, catalogue, createContract, createPipeline } from 'jsonseam';
import { type State, keysOf } from './state.ts';
import type { Answer, Refusal, Result, Verdict } from './answer.ts';

const scope = self as unknown as { onmessage: unknown; postMessage(message: unknown): void };
scope.postMessage({ ready: catalogue() });

scope.onmessage = ({ data: { id, state } }: { data: { id: number; state: State } }) => {
  const start = performance.now();
  const answer = run(state);
  scope.postMessage({ id, answer: { ...answer, took: performance.now() - start } });
};

function run(state: State): Answer {
  const { text, preset, root, finish, enable, disable } = state;
  const call = finish === '' ? {} : { finishReason: finish };
  const settings = { preset, root, enable, disable };
  let answer: Answer;
  try {
    answer = { result: result(createPipeline(settings).repair(text, call)) };
  } catch (error) {
    if (error instanceof RepairError) return { refusal: { ...refusal(error), presets: presetsThatRepair(state, error.repairedWith) } };
    return { problem: error instanceof ConfigError || error instanceof TypeError ? error.message : 'The engine stopped. Please report this text, if you may.' };
  }
  const { keys, optional } = keysOf(state.keys);
  if (keys.length + optional.length === 0) return answer;
  return { ...answer, verdict: judged(() => createContract({ keys, optional, ...settings, root: 'object' }).parse(text, call).values) };
}

/** The smallest richer preset that would repair this text, if there is one: found by what its rules are, or else by trying. */
function presetsThatRepair({ text, preset, root, enable }: State, wanted: readonly string[]): string[] {
  const { presets } = catalogue();
  const richer = presets.slice(presets.findIndex(({ name }) => name === preset) + 1);
  const found = richer.find(({ name, rules }) => {
    // A rule that was enabled by itself is in no preset.
    if (wanted.length > 0 && enable.length === 0) return wanted.every((rule) => rules.includes(rule));
    try {
      return createPipeline({ preset: name, root }).repair(text).text !== '';
    } catch {
      return false;
    }
  });
  return found ? [found.name] : [];
}

/** So many edits are shown. */
const SHOWN = 5_000;

function result({ text, status, risk, isTruncated, incomplete, payload, edits, further }: Repaired): Result {
  return { text, status, risk, isTruncated, incomplete, payload, edits: edits.slice(0, SHOWN), total: edits.length, further };
}

function refusal({ reason, meaning, advice, position, line, column, expected, mendedBy, message, readings, doubt, candidates, isTruncated }: RepairError): Omit<Refusal, 'presets'> {
  return { reason, meaning, advice, position, line, column, expected, mendedBy, message, readings, doubt, candidates, isTruncated };
}

function judged(parse: () => Record<string, unknown>): Verdict {
  try {
    return { outputs: Object.keys(parse()) };
  } catch (error) {
    if (!(error instanceof ContractError)) return { message: error instanceof Error ? error.message : 'the contract was refused' };
    const { code, reason, missing, extra, duplicates, message } = error;
    return { code, reason, missing, extra, duplicates, message };
  }
}
