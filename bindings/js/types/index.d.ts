/** `jsonseam`: repairs JSON written by language models without guessing, lists every edit, and checks declared outputs. */

import type { CallOptions, JsonStream, PipelineOptions, Preset, RepairError, Repaired, Risk } from './core.js';

export * from './core.js';

/** What is used of Standard Schema (zod, valibot, arktype and others), and of its extension Standard JSON Schema. */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown, ...rest: any[]) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema?: { readonly input: (options: { readonly target: any }) => Record<string, unknown> } | undefined;
  };
}

export type StandardResult<Output = unknown> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A JSON Schema (drafts 7, 2019-09, 2020-12), a function that gives one, or a Standard Schema. */
export type SchemaLike = object | boolean | (() => object | boolean) | StandardSchema;

/** The casts by name; `exact` means the first four. */
export type CastName =
  | 'exact'
  | 'string-to-number'
  | 'string-to-boolean'
  | 'string-to-json'
  | 'integral-float'
  | 'enum-case'
  | 'to-list'
  | 'from-list'
  | 'trim'
  | 'number-format'
  | 'currency'
  | 'percent'
  | 'yes-no'
  | 'null-spelling'
  | 'to-string'
  | 'key-case'
  | 'envelope';

/** What outputs are wanted. */
export interface ContractOptions extends PipelineOptions {
  /** Outputs that must be there. */
  keys?: readonly string[];
  /** Outputs that may be there. All other keys are refused. */
  optional?: readonly string[];
  /** Schemas of single outputs. One that is not declared elsewhere is a required output. */
  schemas?: Readonly<Record<string, SchemaLike>>;
  /** The schema of the whole value. */
  whole?: SchemaLike;
  /** Takes answers that were cut off. Never for outputs that cause something to be done. */
  allowTruncated?: boolean;
  /**
   * What is done with answers that were cut off. `keep` is `allowTruncated`; `drop` takes them without the element of the innermost array at the cut,
   * `drop-outer` without that of the outermost one. Default `refuse`.
   */
  incomplete?: 'refuse' | 'keep' | 'drop' | 'drop-outer';
  /** What is done with items of an array that do not fit: `fitting` takes those that do, and reports the others. Default `all`, which refuses the answer. */
  items?: 'all' | 'fitting';
  /** What is done with repeated keys. Default `refuse`. */
  duplicates?: 'refuse' | 'last';
  /** Fills absent properties with the `default` of their schema. */
  defaults?: boolean;
  /** Takes `"42"` where a number is wanted, and its like, where that loses nothing; or exactly the casts of these names. */
  coerce?: boolean | readonly CastName[];
}

/** The value that a schema says: the output of a Standard Schema, and of a JSON Schema as literal what its keywords tell, at every depth. */
export type InferSchema<S> = S extends StandardSchema<infer Output>
  ? Output
  : S extends { readonly nullable: true }
    ? InferStated<S> | null
    : InferStated<S>;

type InferStated<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: infer Type }
      ? InferType<Type extends readonly (infer One)[] ? One : Type, S>
      : S extends { readonly anyOf: readonly (infer One)[] }
        ? InferSchema<One>
        : S extends { readonly oneOf: readonly (infer One)[] }
          ? InferSchema<One>
          : unknown;

type InferType<Type, S> = Type extends 'string'
  ? string
  : Type extends 'integer' | 'number'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? (S extends { readonly items: infer Items } ? InferSchema<Items> : unknown)[]
          : Type extends 'object'
            ? InferObject<S>
            : unknown;

type RequiredOf<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;
type InferObject<S> = S extends { readonly properties: infer Properties }
  ? string extends keyof Properties
    ? Record<string, unknown>
    : { [Name in keyof Properties as Name extends RequiredOf<S> ? Name : never]: InferSchema<Properties[Name]> } & {
        [Name in keyof Properties as Name extends RequiredOf<S> ? never : Name]?: InferSchema<Properties[Name]>;
      }
  : S extends { readonly additionalProperties: infer Each extends object }
    ? Record<string, InferSchema<Each>>
    : Record<string, unknown>;

type Names<List> = List extends readonly (infer Name extends string)[] ? Name : never;
type SchemasOf<C> = C extends { readonly schemas: infer Schemas } ? Schemas : {};
type KeysOf<C> = C extends { readonly keys: infer Keys } ? Names<Keys> : never;
type OptionalOf<C> = C extends { readonly optional: infer Keys } ? Names<Keys> : never;
type Declared<C> = KeysOf<C> | OptionalOf<C> | (keyof SchemasOf<C> & string);
type OutputOf<C, Name> = Name extends keyof SchemasOf<C> ? InferSchema<SchemasOf<C>[Name]> : unknown;

/** The outputs that options declare: of `whole` its type, else one member for each name. Names that are not known to the compiler may be any. */
export type InferOutputs<C> = C extends { readonly whole: infer Whole }
  ? unknown extends InferSchema<Whole>
    ? Record<string, unknown>
    : InferSchema<Whole>
  : [Declared<C>] extends [never]
    ? Record<string, unknown>
    : string extends Declared<C>
      ? Record<string, unknown>
      : { [Name in Exclude<Declared<C>, OptionalOf<C>>]: OutputOf<C, Name> } & { [Name in OptionalOf<C>]?: OutputOf<C, Name> };

/** What a contract gives. */
export interface Outputs<T = Record<string, unknown>> {
  values: T;
  repaired: Repaired;
  /** JSON Pointers of what `defaults` and `coerce` changed. */
  casts: readonly string[];
  /** The items of arrays that are not in the values, by `incomplete` and `items`. */
  dropped: readonly DroppedItem[];
}

/** An item of an array that is not in the outputs. */
export interface DroppedItem {
  /** JSON Pointer from the root of the outputs, where the answer had it. */
  path: string;
  /** Which item of its array it was, from 0. */
  index: number;
  /** `incomplete`: the answer was cut off within it; `schema`: it does not fit. */
  reason: 'incomplete' | 'schema';
  risk: Risk;
  /** What is wrong with it, without text of the answer. */
  message: string;
  /** All that does not fit; empty for an incomplete item. */
  violations: readonly Violation[];
  /** Of an incomplete item, where it is in bytes of UTF-8. */
  byteStart?: number;
  byteEnd?: number;
}

export interface Contract<Values = Record<string, unknown>> {
  /** The outputs, or a `ContractError`. */
  parse<T = Values>(text: string, options?: CallOptions): Outputs<T>;
  /** The same, for schemas that validate asynchronously. */
  parseAsync<T = Values>(text: string, options?: CallOptions): Promise<Outputs<T>>;
}

/** What does not fit a schema. */
export interface Violation {
  /** JSON Pointer from the root. */
  path: string;
  schemaPath: string;
  keyword: string;
  expected: unknown;
  /** The kind of value that was found, never the value. */
  found: string;
  message: string;
}

/** Why there are no outputs. Its message holds no text of the completion; `extra`, `duplicates` and `partial` do. */
export declare class ContractError extends Error {
  private constructor();
  readonly name: 'ContractError';
  /** `output_decode_failed`, `invalid_outputs` or `output_validation_failed`. */
  readonly code: string;
  readonly reason: string;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  readonly duplicates: readonly string[];
  /** The first output that does not fit. */
  readonly field: string | undefined;
  readonly violations: readonly Violation[];
  readonly isRetryable: boolean;
  /** Why the completion did not decode, if that is the failure. */
  readonly refusal: RepairError | undefined;
  /** The repair, if the completion did decode. */
  readonly repaired: Repaired | undefined;
  /** What to do, a clause each, such as the casts that make the outputs fit. Found when first asked for, which takes as long as `parse`. */
  get help(): readonly string[];
  /** The outputs that fit for themselves. */
  get partial(): Record<string, unknown> | undefined;
  /** What a model can act on. It names keys of its answer. */
  messageForModel(): string;
}

/**
 * Declares which outputs are wanted; their types follow from the options. Throws a `ConfigError` if a schema is refused or the contract
 * contradicts itself.
 */
export declare function createContract<const Options extends ContractOptions>(options: Options): Contract<InferOutputs<Options>>;

/** What there is to know about the rules. */
export interface Catalogue {
  rules: {
    name: string;
    /** Null for a locator that makes no edit. */
    risk: Risk | null;
    locator: boolean;
    summary: string;
    /** Markdown. */
    doc: string;
  }[];
  presets: { name: Preset; rules: string[] }[];
}

/** Every built-in rule and every preset. */
export declare function catalogue(): Catalogue;

/** The offered tools: a list as requests to models have it (OpenAI, Anthropic, Gemini, Bedrock, MCP), or an object that holds one. */
export type ToolList = readonly object[] | object;

/** How tool calls are read. */
export interface ExtractorOptions extends Pick<PipelineOptions, 'config' | 'preset' | 'maxInputBytes'> {
  /** Calls of other tools are refused. An empty list offers nothing. */
  tools?: ToolList;
  /** Reads this format alone. */
  format?: string;
  /** Puts arguments to the schemas of the tools. Done if there are tools, unless false. */
  check?: boolean;
  /** Refuses calls with an edit above it. Default `likely`. */
  maxRisk?: Risk;
  /** Where a call without a mark counts. Default `alone`. */
  bare?: 'alone' | 'last' | 'never';
  /** Whether the prompt ends within reasoning. */
  withinThoughts?: boolean;
}

/** The shape of an answer: that of the command, of a framework or of a provider. */
export type CallOutput = 'native' | 'openai' | 'anthropic' | 'gemini' | 'mcp';

export interface ReadOptions extends CallOptions {
  /** The tools of this completion, in place of those of the extractor. */
  tools?: ToolList;
  /** Shapes other than `native` have no place for errors of arguments: then a `CallsError` is thrown. */
  output?: CallOutput;
}

/** An edit in a call. Offsets are bytes of the completion as UTF-8. */
export interface CallEdit {
  rule: string;
  risk: Risk;
  start: number;
  end: number;
  replacement: string;
  /** JSON Pointer of what was changed. */
  path: string;
  /** Where it is in the text of the string at `start`, in bytes, if it is in one. */
  inner?: { start: number; end: number };
}

/** What of the arguments does not fit. */
export interface ArgumentError {
  kind: 'missing' | 'unknown' | 'mistyped' | 'invalid' | (string & {});
  path?: string;
  schema_path?: string;
  keyword?: string;
  expected?: unknown;
  found?: string;
  message: string;
}

/** A call. Numbers that JavaScript cannot hold lose digits in `arguments`; with the output `openai` they are text and lose none. */
export interface Call {
  id: string | null;
  name: string;
  arguments: Record<string, unknown>;
  /** If the arguments were checked. */
  casts?: { path: string; kind: string }[];
  /** If the arguments were checked; empty if they fit. */
  errors?: ArgumentError[];
}

/** What `jsonseam calls` prints. */
export interface Calls {
  calls: Call[];
  content: string | null;
  thoughts: string | null;
  format: string | null;
  edits: CallEdit[];
  risk: Risk | null;
  passed_over: { reason: string; start: number; end: number }[];
}

export interface Extractor {
  /** The calls of a completion. Throws a `CallsError` if they cannot be read. */
  calls(text: string, options?: ReadOptions & { output?: 'native' }): Calls;
  calls(text: string, options: ReadOptions): any;
}

/** Reads tool calls out of completions, whatever format the model writes them in. Throws a `ConfigError` for tools that cannot be read. */
export declare function createExtractor(options?: ExtractorOptions): Extractor;

/** The tool calls of one completion. */
export declare function calls(text: string, options?: ExtractorOptions & ReadOptions & { output?: 'native' }): Calls;
export declare function calls(text: string, options: ExtractorOptions & ReadOptions): any;

/** Why tool calls cannot be read, or must not be run. Its message holds no text of the completion; `edits` and `calls` do. */
export declare class CallsError extends Error {
  private constructor();
  readonly name: 'CallsError';
  /** `tool_calls_refused`, or `output_validation_failed` if arguments do not fit. */
  readonly code: string;
  /** Such as `not_offered` or `truncated`; `schema` if arguments do not fit. */
  readonly reason: string;
  /** Where, in UTF-16 units. */
  readonly position: number | undefined;
  /** Where, in bytes. */
  readonly byteOffset: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** The format whose mark is there. */
  readonly format: string | undefined;
  /** The edits whose risk is too high. */
  readonly edits: readonly CallEdit[];
  /** The calls with their errors, if arguments do not fit. */
  readonly calls: readonly Call[];
  readonly isTruncated: boolean;
  readonly isRetryable: boolean;
}

export type HealOptions = Pick<PipelineOptions, 'config' | 'preset' | 'maxInputBytes'> & { maxRisk?: Risk };

/** What was done with a history, and what is left to do. Indexes count from 0. */
export interface HistoryRecord {
  /** `refused` if a call stays broken. */
  status: 'valid' | 'repaired' | 'refused';
  edits: (CallEdit & { message: number; call: number })[];
  /** The calls that stay broken, and are left as they were. */
  refused: { message: number; call: number; reason: string; start: number; end: number; path: string; edits?: CallEdit[] }[];
  /** Calls without results, and results without calls. */
  unpaired: { message: number; call?: number; result?: number; reason: string; id: string }[];
  risk: Risk | null;
}

/** A history that was healed, in the kind that was given. Messages without edits are the objects that were given. */
export type Healed<Messages> = HistoryRecord & { messages: Messages };

/**
 * Repairs the arguments of the tool calls in a conversation before it is sent again. Nothing that was given is changed.
 *
 * Takes a list of messages in the shape of OpenAI or Anthropic, or of items of OpenAI's responses; a request that has one in `messages` or `input`;
 * or JSON text. Throws a `ConfigError` with the code `bad_record` for anything else.
 */
export declare function healHistory<Messages extends readonly unknown[] | object | string>(
  messages: Messages,
  tools?: ToolList,
  options?: HealOptions,
): Healed<Messages>;

/** A completion that comes in pieces, repaired as it comes. */
export declare function createStream(options?: PipelineOptions): JsonStream;
