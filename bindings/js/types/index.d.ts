/** `jsonseam`: repairs JSON written by language models without guessing, lists every edit, and checks declared outputs. */

import type { CallOptions, PipelineOptions, RepairError, Repaired, Risk } from './core.js';

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
  /** What is done with repeated keys. Default `refuse`. */
  duplicates?: 'refuse' | 'last';
  /** Fills absent properties with the `default` of their schema. */
  defaults?: boolean;
  /** Takes `"42"` where a number is wanted, and its like, where that loses nothing. */
  coerce?: boolean;
}

/** What a contract gives. */
export interface Outputs<T = Record<string, unknown>> {
  values: T;
  repaired: Repaired;
  /** JSON Pointers of what `defaults` and `coerce` changed. */
  casts: readonly string[];
}

export interface Contract {
  /** The outputs, or a `ContractError`. */
  parse<T extends Record<string, unknown> = Record<string, unknown>>(text: string, options?: CallOptions): Outputs<T>;
  /** The same, for schemas that validate asynchronously. */
  parseAsync<T extends Record<string, unknown> = Record<string, unknown>>(text: string, options?: CallOptions): Promise<Outputs<T>>;
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
  /** The outputs that fit for themselves. */
  get partial(): Record<string, unknown> | undefined;
  /** What a model can act on. It names keys of its answer. */
  messageForModel(): string;
}

/** Declares which outputs are wanted. Throws a `ConfigError` if a schema is refused or the contract contradicts itself. */
export declare function createContract(options: ContractOptions): Contract;

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
  presets: { name: string; rules: string[] }[];
}

/** Every built-in rule and every preset. */
export declare function catalogue(): Catalogue;
