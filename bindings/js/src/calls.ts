// Tool calls: read out of completions, checked, and healed in the history of a conversation.

import type * as types from '../types/index.d.ts';
import { Handle, type Host, type RawCalls } from './host.ts';
import { offsetTable } from './offsets.ts';
import { PER_CALL, checkOptions, settingsText } from './options.ts';
import { admit } from './pipeline.ts';

const SETTINGS = { config: 'string', preset: 'string', maxRisk: 'string', maxInputBytes: 'count' } as const;
const DECLARED = { ...SETTINGS, tools: 'json', format: 'string', bare: 'string', withinThoughts: 'boolean', check: 'boolean' } as const;
const READING = { ...PER_CALL, tools: 'json', output: 'string' } as const;

/** A completion of any length is refused by the engine; this only keeps what it cannot hold from being copied. */
const MAX_INPUT_BYTES = 512 * 1024 * 1024;

/** So many extractors are kept for calls that come with the same options again. */
const KEPT = 32;

type Answer =
  | { answer: unknown }
  | { unfit: types.Calls }
  | { error: { code: string; reason: string; offset: number; line: number; column: number; format?: string }; edits: types.CallEdit[]; message: string; retryable: boolean };

export class CallsError extends Error implements types.CallsError {
  override readonly name = 'CallsError';
  readonly code: string = 'output_validation_failed';
  readonly reason: string = 'schema';
  readonly position: number | undefined;
  readonly byteOffset: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly format: string | undefined;
  readonly edits: readonly types.CallEdit[] = [];
  readonly calls: readonly types.Call[] = [];
  readonly isTruncated: boolean = false;
  readonly isRetryable: boolean = true;

  constructor(answer: Exclude<Answer, { answer: unknown }>, text: string) {
    super('error' in answer ? answer.message : 'the arguments of a call do not fit the schema of its tool');
    if (!('error' in answer)) {
      this.calls = answer.unfit.calls;
      return;
    }
    const { code, reason, offset, line, column, format } = answer.error;
    const position = offsetTable(text, [offset])(offset);
    const isTruncated = reason === 'truncated';
    Object.assign(this, { code, reason, position, byteOffset: offset, line, column, format, edits: answer.edits, isTruncated, isRetryable: answer.retryable });
  }
}

class Extractor implements types.Extractor {
  readonly #handle: Handle<RawCalls>;

  constructor(host: Host, declared: string, settings: string) {
    this.#handle = new Handle(host, (glue) => {
      if (glue.CallEngine === undefined) throw new TypeError('this engine reads no tool calls: import from `jsonseam`');
      return new glue.CallEngine(declared, settings);
    });
  }

  calls(text: string, options: types.ReadOptions = {}): never {
    const { tools, finishReason, output = 'native' } = options;
    checkOptions(options, READING);
    admit(text, MAX_INPUT_BYTES);
    const raw = this.#handle.run((engine) => engine.read(text, tools === undefined ? undefined : JSON.stringify(tools), finishReason, output));
    const answer = JSON.parse(raw) as Answer;
    if (!('answer' in answer)) throw new CallsError(answer, text);
    return answer.answer as never;
  }

  heal(history: string): { text: string; record: types.HistoryRecord } {
    return JSON.parse(this.#handle.run((engine) => engine.heal(history))) as { text: string; record: types.HistoryRecord };
  }
}

export interface CallsApi {
  calls: typeof types.calls;
  createExtractor: typeof types.createExtractor;
  healHistory: typeof types.healHistory;
}

export function createCalls(host: Host): CallsApi {
  const kept = new Map<string, Extractor>();
  const parts = (options: types.ExtractorOptions): [string, string] => {
    const { tools, format, bare, withinThoughts, check } = options;
    return [JSON.stringify({ tools, format, bare, withinThoughts, check }), settingsText(options as Record<string, unknown>)];
  };
  const extractorFor = (options: types.ExtractorOptions): Extractor => {
    const [declared, settings] = parts(options);
    const key = `${declared}\0${settings}`;
    const found = kept.get(key);
    if (found) return found;
    const made = new Extractor(host, declared, settings);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(key, made);
    return made;
  };

  return {
    calls: ((text: string, options: types.ExtractorOptions & types.ReadOptions = {}) => {
      checkOptions(options, { ...DECLARED, ...READING });
      const { finishReason, output, ...declared } = options;
      return extractorFor(declared).calls(text, { finishReason, output } as types.ReadOptions);
    }) as CallsApi['calls'],
    createExtractor: (options = {}) => {
      checkOptions(options, DECLARED);
      const made = new Extractor(host, ...parts(options));
      return { calls: made.calls.bind(made) } as types.Extractor;
    },
    healHistory: ((messages: unknown, tools?: types.ToolList, options: types.HealOptions = {}) => {
      checkOptions(options, SETTINGS);
      // No schema is compiled here: a tool that cannot be checked is one whose calls can still be healed.
      const declared = { ...options, check: false, ...(tools === undefined ? {} : { tools }) };
      const { text, record } = extractorFor(declared).heal(typeof messages === 'string' ? messages : (JSON.stringify(messages) ?? ''));
      const { status, edits, refused, unpaired, risk } = record;
      return { messages: edits.length === 0 ? messages : like(messages, text, record), status, edits, refused, unpaired, risk };
    }) as CallsApi['healHistory'],
  };
}

/** The healed history in the kind that was given; messages without edits are the objects that were given. */
function like(given: unknown, healed: string, record: types.HistoryRecord): unknown {
  if (typeof given === 'string') return healed;
  const changed = new Set(record.edits.map(({ message }) => message));
  const merged = (old: unknown[], next: unknown[]) => old.map((message, index) => (changed.has(index) ? next[index] : message));
  const value = JSON.parse(healed) as unknown;
  if (Array.isArray(given)) return merged(given, value as unknown[]);
  const request = given as Record<string, unknown[]>;
  const key = request['messages'] === undefined ? 'input' : 'messages';
  return { ...request, [key]: merged(request[key] as unknown[], (value as Record<string, unknown[]>)[key] as unknown[]) };
}
