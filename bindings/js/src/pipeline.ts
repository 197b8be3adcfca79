// `repair`, `parse`, `check` and `createPipeline`, over a given engine.

import type * as types from '../types/core.d.ts';
import { type RawAnswer, type RawHelp, RepairError } from './errors.ts';
import { whole } from './gate.ts';
import { Handle, type Host, type RawEngine, type RawFlow } from './host.ts';
import { PER_CALL, SETTINGS, checkOptions, settingsText, shown } from './options.ts';
import { type Details, Repaired, type Summary } from './repaired.ts';

const PARSING = { ...PER_CALL, reviver: 'function', allowTruncated: 'boolean' } as const;

/** So many pipelines are kept for calls that come with the same options again. */
const KEPT = 32;

/** The engine's own default, for texts that are too large to be copied into it just to be refused. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

/** No options: the usual case, which is spared the look at them. */
const NONE: Record<string, unknown> = Object.freeze({});

export interface Api {
  repair: typeof types.repair;
  parse: typeof types.parse;
  check: typeof types.check;
  createPipeline: typeof types.createPipeline;
}

/** The pipelines for calls that come with the same options again. `whole` is the engine that reads configurations as TOML, if that is another one. */
export function createPipelines(light: Host, whole: Host): (options: Record<string, unknown>) => Pipeline {
  const kept = new Map<string, Pipeline>();
  let usual: Pipeline | undefined;
  return (options) => {
    if (options === NONE) return (usual ??= new Pipeline(light, '{}', NONE));
    const settings = settingsText(options);
    const found = kept.get(settings);
    if (found) return found;
    const made = new Pipeline(options['config'] === undefined ? light : whole, settings, options);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value as string);
    kept.set(settings, made);
    return made;
  };
}

/** `whole` is the engine that reads configurations as TOML, if that is another one. */
export function createApi(light: Host, whole: Host = light): Api {
  const pipelineFor = createPipelines(light, whole);

  const given = (options: unknown, known: Record<string, never>) => {
    if (options === undefined) return NONE;
    checkOptions(options, known);
    return options;
  };

  return {
    repair: ((text: string, options?: unknown) => {
      const checked = given(options, { ...SETTINGS, ...PER_CALL } as never);
      return pipelineFor(checked).repairChecked(text, checked);
    }) as Api['repair'],
    parse: ((text: string, options?: unknown) => {
      const checked = given(options, { ...SETTINGS, ...PARSING } as never);
      return pipelineFor(checked).parseChecked(text, checked);
    }) as Api['parse'],
    check: (text) => pipelineFor(NONE).check(text),
    createPipeline: (options = {}) => {
      checkOptions(options, SETTINGS);
      return new Pipeline(options['config'] === undefined ? light : whole, settingsText(options), options);
    },
  };
}

export class Pipeline implements types.Pipeline {
  readonly #handle: Handle<RawEngine>;
  /** Not among the types, as what follows `check`: it is for streams. */
  readonly maxInputBytes: number;

  constructor(host: Host, settings: string, options: Record<string, unknown>) {
    this.#handle = new Handle(host, (glue) => new glue.Engine(settings));
    this.maxInputBytes = (options['maxInputBytes'] as number | undefined) ?? (options['config'] === undefined ? MAX_INPUT_BYTES : 2 ** 32);
  }

  repair<T = unknown>(text: string, options?: types.CallOptions): types.Repaired<T> {
    if (options !== undefined) checkOptions(options, PER_CALL);
    return this.repairChecked(text, (options ?? {}) as Record<string, unknown>);
  }

  parse<T = unknown>(text: string, options?: types.CallOptions & types.ParseOptions): T {
    if (options !== undefined) checkOptions(options, PARSING);
    return this.parseChecked(text, (options ?? {}) as Record<string, unknown>) as T;
  }

  check(text: string): void {
    this.#admit(text);
    const refusal = this.#handle.run((engine) => engine.check(text));
    if (refusal !== undefined) throw RepairError.of(JSON.parse(refusal) as RawAnswer, text);
  }

  get rules(): readonly string[] {
    return JSON.parse(this.#handle.run((engine) => engine.rules())) as string[];
  }

  repairChecked<T>(text: string, options: Record<string, unknown>): Repaired<T> {
    const finishReason = options['finishReason'] as string | undefined;
    return this.#told(text, this.#answer(text, finishReason), finishReason);
  }

  /** What the engine says of a text: one line, and after it the text or the error; of a text that is valid as it is, the line alone. */
  #answer(text: string, finishReason: string | undefined): string {
    this.#admit(text);
    return this.#handle.run((engine) => engine.repair(text, finishReason));
  }

  #told<T>(text: string, answer: string, finishReason: string | undefined): Repaired<T> {
    const line = answer.indexOf('\n');
    if (line < 0) return this.repaired(text, answer, text, finishReason);
    const [summary, rest] = [answer.slice(0, line), answer.slice(line + 1)];
    if (summary === 'refused') throw RepairError.of(JSON.parse(rest) as RawAnswer, text, () => this.help(text));
    return this.repaired(text, summary, rest, finishReason);
  }

  /** The result that the engine tells of in a line, with its text. */
  repaired<T>(text: string, line: string, repaired: string, finishReason?: string): Repaired<T> {
    const [status, start, end, risk, cut, further, followed] = line.split(' ') as [string, string, string, string, string, string, string];
    const marks = { truncated: cut === '1', hasFurther: further !== '0', isFollowed: followed === '1' };
    const summary = { status, payload: { start: +start, end: +end }, text: repaired, risk: risk === '-' ? null : risk, ...marks };
    return new Repaired(text, summary as Summary, () => this.#record(text, finishReason), () => this.#details(text, finishReason));
  }

  parseChecked(text: string, options: Record<string, unknown>): unknown {
    const reviver = options['reviver'] as ((key: string, value: unknown) => unknown) | undefined;
    const finishReason = options['finishReason'] as string | undefined;
    const answer = this.#answer(text, finishReason);
    // Most texts are valid, and no reason says that they were cut.
    if (finishReason === undefined && !answer.includes('\n')) return JSON.parse(text, reviver);
    const repaired = whole(this.#told(text, answer, finishReason), text, options['allowTruncated'] as boolean | undefined);
    return reviver ? JSON.parse(repaired.text, reviver) : repaired.value;
  }

  /** The same text gives the same result, so what few ask for is only made for them. */
  #record(text: string, finishReason?: string): types.Report {
    return (JSON.parse(this.#handle.run((engine) => engine.record(text, finishReason))) as RawAnswer).record;
  }

  #details(text: string, finishReason?: string): Details {
    return JSON.parse(this.#handle.run((engine) => engine.details(text, finishReason)) as string) as Details;
  }

  /** A stream on the engine's side. */
  stream(): RawFlow {
    return this.#handle.run((engine) => engine.stream());
  }

  help(text: string): RawHelp {
    return JSON.parse(this.#handle.run((engine) => engine.explain(text))) as RawHelp;
  }

  /** Refuses what must not be copied into the engine. */
  #admit(text: unknown): asserts text is string {
    admit(text, this.maxInputBytes);
  }
}

export function admit(text: unknown, maxInputBytes: number): asserts text is string {
  if (typeof text !== 'string') throw new TypeError(`the completion must be a string, not ${shown(text)}`);
  if (text.length > maxInputBytes) {
    throw new RepairError(`a limit is exceeded: the completion is longer than ${maxInputBytes} bytes`, { reason: 'limit_exceeded' });
  }
  if (!text.isWellFormed()) {
    const position = loneSurrogate(text);
    const before = text.slice(0, position);
    throw new RepairError(`the completion holds half of a surrogate pair, which is no text, at position ${position}`, {
      reason: 'invalid_utf16',
      meaning: 'the text holds half of a surrogate pair, which is no text',
      position,
      line: before.split('\n').length,
      column: [...before.slice(before.lastIndexOf('\n') + 1)].length + 1,
    });
  }
}

function loneSurrogate(text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(index + 1);
    if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) index += 1;
    else return index;
  }
  return text.length;
}
