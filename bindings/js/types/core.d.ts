/**
 * `jsonseam/core`: repairs JSON written by language models without guessing, and lists every edit.
 *
 * The same as `jsonseam` without contracts, without configurations as TOML and without `catalogue`, at a third of the size.
 */

/** How much an edit may be trusted, from the least doubt to the most. */
export type Risk = 'certain' | 'likely' | 'guess' | 'lossy';

/** Why a completion was refused. Later versions may add reasons. */
export type Reason =
  | 'no_json_object_found'
  | 'top_level_array_not_allowed'
  | 'top_level_object_not_allowed'
  | 'top_level_scalar_not_allowed'
  | 'syntax'
  | 'truncated'
  | 'ambiguous_payload'
  | 'ambiguous_repair'
  | 'not_representable'
  | 'invalid_utf8'
  | 'invalid_utf16'
  | 'limit_exceeded'
  /** Of `jsonseam/jsonrepair` and `jsonseam/stream`: nothing of the text is left. */
  | 'empty_answer'
  | (string & {});

/** A span of the completion: `start` and `end` in UTF-16 units, as `slice` takes them, and in bytes of UTF-8. */
export interface Span {
  start: number;
  end: number;
  byteStart: number;
  byteEnd: number;
}

/** One edit: the text of the span was replaced. */
export interface Edit extends Span {
  /** The name of the rule that made it. */
  rule: string;
  risk: Risk;
  replacement: string;
  /** JSON Pointer of the value or member that was touched. */
  path: string;
}

/** One way to read a text that can be read in two. */
export interface Reading {
  /** In hundredths. */
  cost: number;
  edits: readonly (Span & { rule: string })[];
}

/** A set of rules by its name. */
export type Preset = 'strict' | 'standard' | 'lenient';

/** What a pipeline is made of. Unknown names are refused with a `TypeError`. */
export interface PipelineOptions {
  /** Which rules are on. Default `standard`: everything that chooses nothing and loses nothing. */
  preset?: Preset;
  /** What the payload must be. Default `any`. */
  root?: 'object' | 'array' | 'any';
  /** Rules of a higher risk stay off. */
  maxRisk?: Risk;
  /** Which of several payloads is taken. Default `first`. */
  candidates?: 'first' | 'only' | 'last' | 'best';
  /** So many candidates are considered. Default 64. */
  maxCandidates?: number;
  /** Rules that are on besides those of the preset. */
  enable?: readonly string[];
  /** Rules of the preset that are off. */
  disable?: readonly string[];
  /** Exactly these rules, in place of a preset. */
  order?: readonly string[];
  /** Longest completion, in bytes of UTF-8. Default 64 MiB. */
  maxInputBytes?: number;
  /** Deepest nesting. Default and maximum 127. */
  maxDepth?: number;
  /** Most edits in one repair. Default: the greater of 10,000 and a quarter of the payload's bytes. */
  maxEdits?: number;
  /** The text of a `jsonseam.toml`; the options beside it go before it. Not in `jsonseam/core`. */
  config?: string;
}

/** What is known about one completion. */
export interface CallOptions {
  /** Why the model stopped, as its interface reports it: `length` and its like mark the result as truncated. */
  finishReason?: string;
}

export interface RepairOptions extends PipelineOptions, CallOptions {}

export interface ParseOptions {
  /** As `JSON.parse` takes it. */
  reviver?: (this: any, key: string, value: any) => any;
  /** Gives the value of an answer that was cut off; without it that is refused as `truncated`. */
  allowTruncated?: boolean;
}

/** The result of a repair. Loggers and `JSON.stringify` see counts, never text; `report()` gives everything. */
export interface Repaired<T = unknown> {
  /** The JSON text. */
  readonly text: string;
  /** What `JSON.parse` makes of it, when first asked for. */
  readonly value: T;
  /** Whether edits were needed. */
  readonly status: 'valid' | 'repaired';
  /** The highest risk of the edits; null without edits. */
  readonly risk: Risk | null;
  /** Whether the completion was cut off. */
  readonly isTruncated: boolean;
  /** JSON Pointers of what is incomplete. */
  readonly incomplete: readonly string[];
  /** Where the JSON is in the completion. The edits, applied there, give `text`. */
  readonly payload: Span;
  readonly edits: readonly Edit[];
  /** By how much the next best reading was dearer, in hundredths; null if there was no other. */
  readonly gap: number | null;
  /** Other payloads of the completion, which were not taken. */
  readonly further: readonly Span[];
  /** The payload as it was, every edit taken back. */
  revert(): string;
  /** The whole result as the one record of all of jsonseam's programs; offsets in bytes. */
  report(): Report;
  /** Counts and names, no text. */
  toJSON(): object;
}

export interface Pipeline {
  /** The rules, in the order in which they are asked. */
  readonly rules: readonly string[];
  repair<T = unknown>(text: string, options?: CallOptions): Repaired<T>;
  parse<T = unknown>(text: string, options?: CallOptions & ParseOptions): T;
  check(text: string): void;
}

/** The record, as written by `jsonseam repair --report`. Offsets are bytes. */
export interface Report {
  version: number;
  status: 'valid' | 'repaired' | 'refused';
  payload: { start: number; end: number } | null;
  text: string | null;
  value: unknown;
  edits: { rule: string; risk: Risk; start: number; end: number; replacement: string; path: string }[];
  risk: Risk | null;
  truncated: boolean;
  incomplete: string[];
  gap?: number | null;
  further?: { start: number; end: number }[];
  error: ReportError | null;
}

/** The member `error` of a record. */
export interface ReportError {
  code: string;
  reason: Reason;
  offset?: number;
  line?: number;
  column?: number;
  expected?: string;
  mended_by?: string[];
  unanswered?: { offset: number; line: number; column: number; expected: string; why?: string };
  readings?: { cost: number; edits: { rule: string; start: number; end: number }[] }[];
  doubt?: string;
  doubted_by?: { offset: number; line: number; column: number };
  missing?: string[];
  extra?: string[];
  duplicates?: string[];
  field?: string;
  errors?: { path: string; schema_path: string; keyword: string; expected: unknown; found: string; message: string }[];
}

/** The first fault that no known rule answers, with all of them on. */
export interface Unanswered {
  /** Where, in UTF-16 units. */
  readonly position: number;
  /** The same in bytes. */
  readonly byteOffset: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** What the grammar expected there. */
  readonly expected: string;
  /** Why a rule that looks like the right one does not answer it, if one says so. */
  readonly why: string | undefined;
}

/** A refusal. It holds no text of the completion. */
export declare class RepairError extends Error {
  private constructor();
  readonly name: 'RepairError';
  /** Always `output_decode_failed`. */
  readonly code: string;
  readonly reason: Reason;
  /** What the reason means, for a person: a clause in lower case. */
  readonly meaning: string;
  /** What a person can do about any text that is refused for this reason. */
  readonly advice: string | undefined;
  /** Where, in UTF-16 units; `undefined` if no single place is to blame. */
  readonly position: number | undefined;
  /** The same in bytes. */
  readonly byteOffset: number | undefined;
  /** From 1. */
  readonly line: number | undefined;
  /** From 1, in characters. */
  readonly column: number | undefined;
  /** What the grammar expected there. */
  readonly expected: string | undefined;
  /** Rules that are off and would have repaired it. Found when first asked for, which takes about as long as a repair; until then the error refers to the text. */
  readonly mendedBy: readonly string[];
  /** Rules that are off and together would have repaired the whole text; empty if none would, or if it cannot be told without trying. Found when first asked for. */
  readonly repairedWith: readonly string[];
  /** Where all known rules together find no way on, and why; `undefined` if they repair the fault. Found when first asked for. */
  readonly unanswered: Unanswered | undefined;
  /** What to do, a clause each, as the command shows it. Found when first asked for. */
  readonly help: readonly string[];
  readonly isTruncated: boolean;
  /** Whether asking the model again can help. */
  readonly isRetryable: boolean;
  /** Both readings, the cheaper first, where the reason is `ambiguous_repair`; else empty. */
  readonly readings: readonly Reading[];
  /** What decided that a text is ambiguous, in the words of the rule. */
  readonly doubt: string | undefined;
  /** The payloads, where the reason is `ambiguous_payload`; else empty. The option `candidates` chooses one. */
  readonly candidates: readonly Span[];
}

/** A mistake in options, a configuration or a contract. */
export declare class ConfigError extends Error {
  private constructor();
  readonly name: 'ConfigError';
  readonly code: string;
  /** Of the configuration. */
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/**
 * `engine_stopped`: the engine stopped in the middle of a call, by a defect or for want of memory. It is started anew for the next call.
 * `engine_missing`: its file was not found, as in a bundle that left it out.
 */
export declare class EngineError extends Error {
  private constructor();
  readonly name: 'EngineError';
  readonly code: 'engine_stopped' | 'engine_missing';
}

/**
 * Finds the JSON in a completion and repairs it if it has to.
 *
 * Throws a `RepairError` where that would be guessing, a `ConfigError` or `TypeError` for mistakes in the options.
 */
export declare function repair<T = unknown>(text: string, options?: RepairOptions): Repaired<T>;

/** The value of the JSON in a completion: of valid text what `JSON.parse` gives. Half of an answer is refused, unless `allowTruncated` is set. */
export declare function parse<T = unknown>(text: string, options?: RepairOptions & ParseOptions): T;

/** Throws a `RepairError` unless the text, as it is, is valid JSON. */
export declare function check(text: string): void;

/** Rules and settings made ready, for many completions. */
export declare function createPipeline(options?: PipelineOptions): Pipeline;

/** The JSON starts here. */
export interface PayloadEvent {
  readonly kind: 'payload';
  /** Where the JSON starts, in UTF-16 units and in bytes. */
  readonly start: number;
  readonly byteStart: number;
  /** What says so. */
  readonly sign: 'bracket' | 'fence' | 'prose' | (string & {});
}

/** An object or an array begins. */
export interface BeginEvent {
  readonly kind: 'begin';
  /** JSON Pointer. */
  readonly path: string;
  readonly type: 'object' | 'array';
}

/** The next piece of a string value, decoded. The pieces of a string join to its value. */
export interface TextEvent {
  readonly kind: 'text';
  /** JSON Pointer of the string. */
  readonly path: string;
  /** The pieces of a string join to its value, half a surrogate pair included. */
  readonly text: string;
}

/** A value is whole and final. */
export interface DoneEvent extends Readonly<Span> {
  readonly kind: 'done';
  /** JSON Pointer. */
  readonly path: string;
  /** The value as JSON, its numbers with every digit. */
  readonly json: string;
  /** What `JSON.parse` makes of it. */
  readonly value: unknown;
  /** The highest risk of the edits in it; null without edits. */
  readonly risk: Risk | null;
}

/** An edit was made. */
export interface SeamEvent extends Readonly<Span> {
  readonly kind: 'seam';
  readonly rule: string;
  readonly risk: Risk;
  readonly replacement: string;
}

/** The text has ended: the last event of `eventTransform`. */
export interface EndEvent {
  readonly kind: 'end';
  /** What `repair` gives of the whole text. */
  readonly repaired: Repaired;
}

/** What a stream tells, each once and for good. `kind` says which it is. */
export type StreamEvent = PayloadEvent | BeginEvent | TextEvent | DoneEvent | SeamEvent | EndEvent;

/** How far a stream has come: `waiting` is for text on which the next decision depends, `ended` is the JSON, `finished` the stream. */
export type StreamState = 'looking' | 'reading' | 'waiting' | 'ended' | 'refused' | 'finished';

/** The value so far, for showing: numbers, literals and keys are in it once they are whole, a string as far as it came. */
export interface Snapshot {
  /** Valid JSON. */
  readonly text: string;
  readonly value: unknown;
  /** JSON Pointers to what is not whole, the outermost first: containers, and the string that is being written. */
  readonly open: readonly string[];
}

/** A completion that comes in pieces, repaired as it comes. Made by `createStream` of `jsonseam` and `jsonseam/stream`. */
export interface JsonStream {
  /**
   * Takes the next piece, and gives what it settled. Bytes may be cut inside a character, strings inside a surrogate pair.
   *
   * Throws a `RepairError` where no repair is possible, whatever follows; it comes once, and `finish` repeats it. Where a piece is refused after it
   * settled something, that is given, and the next push throws; `state` is `refused` at once.
   */
  push(piece: string | Uint8Array): StreamEvent[];
  /**
   * Ends the text, and gives what `repair` gives of the whole of it. The events that were left are in `rest`.
   *
   * Throws what `repair` throws, and a `RepairError` with the reason `ambiguous_payload` if the whole text has another payload than the one that was told of.
   */
  finish<T = unknown>(options?: CallOptions): Repaired<T>;
  /** The events that the end of the text settled; of a text that is cut off, they tell of what was closed there. */
  readonly rest: StreamEvent[];
  /** What came so far. */
  readonly text: string;
  /** The repaired text so far. It only grows. Each look at it copies it. */
  readonly settled: string;
  /** What came and is not settled, as it came. */
  readonly tail: string;
  readonly state: StreamState;
  /** The value so far; undefined before one has begun. Each look at it copies it: events cost less. */
  snapshot(): Snapshot | undefined;
}

/** How a transform reads a completion that is being written. */
export interface StreamingOptions extends PipelineOptions {
  /** Takes a text that is cut off. Without it that is refused at its end, before anything is told that only its end closed. */
  allowTruncated?: boolean;
  /** Why the model stopped, or what says so once the text has ended. */
  finishReason?: string | (() => string | undefined);
}
