// The engine, away from the thread that paints.

import { ConfigError, ContractError, RepairError, type Repaired, catalogue, createContract, createPipeline } from 'jsonseam';
import { type State, keysOf } from './state.ts';
import type { Answer, Case, Refusal, Result, Tried, Verdict } from './answer.ts';
import CASES from 'cases';

const scope = self as unknown as { onmessage: unknown; postMessage(message: unknown): void };
// The first repair starts the engine, which is not the time that a text takes.
createPipeline().repair('{a: 1,}');
scope.postMessage({ ready: catalogue(), cases: Object.fromEntries(Object.entries(CASES).map(([rule, cases]) => [rule, cases.length])) });

scope.onmessage = ({ data }: { data: { id: number; state: State } | { rule: string } }) => {
  if ('rule' in data) {
    scope.postMessage({ rule: data.rule, tried: (CASES[data.rule] ?? []).map((known) => tried(data.rule, known)) });
    return;
  }
  const { id, state } = data;
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
    if (error instanceof RepairError) return { refusal: { ...refusal(error), readings: error.readings.map((_, which) => readingOf(state, error, which)), presets: presetsThatRepair(state, error) } };
    return { problem: error instanceof ConfigError || error instanceof TypeError ? error.message : 'The engine stopped. Please report this text, if you may.' };
  }
  const { keys, optional } = keysOf(state.keys);
  if (keys.length + optional.length === 0) return answer;
  return { ...answer, verdict: judged(() => createContract({ keys, optional, ...settings, root: 'object' }).parse(text, call).values) };
}

/** The smallest richer preset that would repair this text, if there is one: found by what its rules are, or else by trying. A poorer one may know one of two readings alone. */
function presetsThatRepair({ text, preset, root, enable }: State, { reason, repairedWith: wanted }: RepairError): string[] {
  const { presets } = catalogue();
  const others = reason === 'ambiguous_repair' ? presets.filter(({ name }) => name !== preset) : presets.slice(presets.findIndex(({ name }) => name === preset) + 1);
  const found = others.find(({ name, rules }) => {
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

/** The cheapest reading, however little it leads and whatever it costs. */
const ANY_LEAD = '[search]\nmargin = 0\nveto = 100000\n';

/** A reading with its JSON, where it can be had by itself: without the rules that only the other one needs. */
function readingOf({ text, preset, root, enable, disable }: State, { readings }: RepairError, which: number): Refusal['readings'][number] {
  const own = readings[which]!;
  const others = readings[1 - which]?.edits.map(({ rule }) => rule) ?? [];
  const off = [...new Set(others.filter((rule) => !own.edits.some((edit) => edit.rule === rule)))];
  try {
    const { text: json, edits } = createPipeline({ config: ANY_LEAD, preset, root, enable: enable.filter((rule) => !off.includes(rule)), disable: [...new Set([...disable, ...off])] }).repair(text);
    // The edits after the place where the readings part are those of both.
    const isOwn = own.edits.every(({ rule, start, end }) => edits.some((edit) => edit.rule === rule && edit.start === start && edit.end === end));
    return isOwn ? { ...own, json: json.slice(0, SHOWN) } : own;
  } catch {
    return own;
  }
}

/** A case shows what a rule does, whatever that costs; without a preset the thresholds would be those of cheap rules. */
const ANY_COST = '[search]\nveto = 100000\n';

/** What the engine of this page makes of a case: the rule alone, with those that the case names. */
function tried(rule: string, { name, input, output, refused, root, rules, defaults }: Case): Tried {
  const given = { name, input, root, rules, ...(defaults && { defaults }) };
  const settings = { config: ANY_COST, order: rules, root: root ?? 'any' };
  try {
    const { text } = defaults ? createContract({ ...settings, whole: schemaOf(defaults) }).parse(input).repaired : createPipeline(settings).repair(input);
    return { ...given, outcome: text, isAsSaid: text === output };
  } catch (error) {
    const reason = error instanceof RepairError || error instanceof ContractError ? error.reason : `${rule} cannot be tried here`;
    return { ...given, outcome: undefined, reason, isAsSaid: refused?.split('|').some((one) => one.trim() === reason) ?? false };
  }
}

/** A schema with these defaults and nothing else. */
function schemaOf(defaults: Record<string, string>): object {
  const schema: { properties: Record<string, unknown> } = { properties: {} };
  for (const [path, json] of Object.entries(defaults)) {
    const names = path.split('.');
    const last = names.pop()!;
    const at = names.reduce((within, name) => (within.properties[name] ??= { properties: {} }) as typeof schema, schema);
    at.properties[last] = { default: JSON.parse(json) };
  }
  return schema;
}

/** So many edits are shown, and so many characters of a reading. */
const SHOWN = 5_000;

function result({ text, status, risk, isTruncated, incomplete, payload, edits, further }: Repaired): Result {
  return { text, status, risk, isTruncated, incomplete, payload, edits: edits.slice(0, SHOWN), total: edits.length, further };
}

function refusal({ reason, meaning, advice, position, line, column, expected, mendedBy, message, doubt, candidates, isTruncated, unanswered }: RepairError): Omit<Refusal, 'presets' | 'readings'> {
  return { reason, meaning, advice, position, line, column, expected, mendedBy, message, doubt, candidates, isTruncated, unanswered: unanswered && { ...unanswered } };
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
