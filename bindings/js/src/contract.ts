// Contracts: which keys, which schemas. JSON Schemas are checked by the engine, Standard Schemas by themselves.

import type * as core from '../types/core.d.ts';
import type * as types from '../types/index.d.ts';
import { NO_HELP, type RawAnswer, type RawHelp, RepairError } from './errors.ts';
import { Handle, type Host, type RawContract } from './host.ts';
import { PER_CALL, SETTINGS, checkOptions, settingsText } from './options.ts';
import { admit } from './pipeline.ts';
import { Repaired, type Summary } from './repaired.ts';

const DECLARED = {
  keys: 'names',
  optional: 'names',
  schemas: 'object',
  whole: 'schema',
  allowTruncated: 'boolean',
  incomplete: 'string',
  items: 'string',
  duplicates: 'string',
  defaults: 'boolean',
  coerce: 'casts',
} as const;

/** A completion of any length is refused by the engine; this only keeps what it cannot hold from being copied. */
const MAX_INPUT_BYTES = 512 * 1024 * 1024;

interface Accepted {
  outputs: Record<string, unknown>;
  answer: RawAnswer;
  casts: string[];
  dropped: RawDropped[];
}

interface RawDropped extends Omit<types.DroppedItem, 'violations' | 'byteStart' | 'byteEnd'> {
  start?: number;
  end?: number;
  errors?: core.ReportError['errors'];
}

interface Rejected {
  error: core.ReportError;
  message: string;
  retryable: boolean;
  forModel: string;
  answer: RawAnswer | null;
  partial: Record<string, unknown> | null;
}

export class ContractError extends Error implements types.ContractError {
  override readonly name = 'ContractError';
  readonly code: string;
  readonly reason: string;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  readonly duplicates: readonly string[];
  readonly field: string | undefined;
  readonly violations: readonly types.Violation[];
  readonly isRetryable: boolean;
  readonly refusal: RepairError | undefined;
  readonly repaired: core.Repaired | undefined;
  readonly #partial: Record<string, unknown> | undefined;
  readonly #forModel: string;
  /** What asks the engine, until someone does. */
  #explain: (() => RawHelp) | undefined;
  #help = NO_HELP;

  constructor(message: string, rejected: Omit<Rejected, 'message'>, text: string, explain?: () => RawHelp) {
    const { error, retryable, forModel, answer, partial } = rejected;
    const isRefused = answer?.record.status === 'refused';
    const refusal = answer && isRefused ? RepairError.of(answer, text, explain) : undefined;
    super(message, refusal ? { cause: refusal } : undefined);
    this.#explain = explain;
    this.code = error.code;
    this.reason = error.reason;
    this.missing = error.missing ?? [];
    this.extra = error.extra ?? [];
    this.duplicates = error.duplicates ?? [];
    this.field = error.field;
    this.violations = (error.errors ?? []).map(violationOf);
    this.isRetryable = retryable;
    this.refusal = refusal;
    this.repaired = answer && !isRefused ? repairedOf(text, answer.record) : undefined;
    this.#partial = partial ?? undefined;
    this.#forModel = forModel;
  }

  get partial(): Record<string, unknown> | undefined {
    return this.#partial;
  }

  get help(): readonly string[] {
    if (this.refusal) return this.refusal.help;
    if (this.#explain) {
      this.#help = this.#explain();
      this.#explain = undefined;
    }
    return this.#help.help;
  }

  messageForModel(): string {
    return this.#forModel;
  }
}

export function createContracts(host: Host): typeof types.createContract {
  return ((options: types.ContractOptions) => {
    checkOptions(options, { ...SETTINGS, ...DECLARED }, 'the contract');
    return new Contract(host, options);
  }) as typeof types.createContract;
}

interface Standard {
  /** The output, or `undefined` for the whole. */
  name: string | undefined;
  schema: types.StandardSchema;
}

class Contract implements types.Contract {
  readonly #handle: Handle<RawContract>;
  readonly #standard: Standard[] = [];

  constructor(host: Host, options: types.ContractOptions) {
    const { keys = [], optional = [], schemas = {}, whole, allowTruncated, incomplete, items, duplicates, defaults, coerce = false } = options;
    if (allowTruncated !== undefined && incomplete !== undefined) throw new TypeError('`allowTruncated` and `incomplete` say the same: give one of them');
    const texts = Object.entries(schemas).map(([name, schema]) => [name, this.#text(name, schema)] as const);
    const withoutText = texts.filter(([, text]) => text === undefined).map(([name]) => name);
    const declared = {
      keys: [...keys, ...withoutText.filter((name) => !keys.includes(name) && !optional.includes(name))],
      optional,
      schemas: texts.filter(([, text]) => text !== undefined),
      whole: whole === undefined ? undefined : this.#text(undefined, whole),
      incomplete: incomplete ?? (allowTruncated ? 'keep' : undefined),
      items,
      duplicates,
      defaults,
      coerce: typeof coerce === 'boolean' ? (coerce ? ['exact'] : []) : coerce,
    };
    const settings = settingsText(options as Record<string, unknown>);
    const text = JSON.stringify(declared);
    this.#handle = new Handle(host, (glue) => {
      if (glue.ContractEngine === undefined) throw new TypeError('this engine has no contracts: import from `jsonseam`');
      return new glue.ContractEngine(text, settings);
    });
  }

  parse<T = Record<string, unknown>>(text: string, options?: core.CallOptions): types.Outputs<T> {
    const { values, ...rest } = this.#judged(text, options);
    const checked = this.#judges(values).map(({ name, schema }) => {
      const result = schema['~standard'].validate(name === undefined ? values : values[name]);
      if (result instanceof Promise) {
        throw new TypeError('a schema of this contract validates asynchronously: call `parseAsync` in place of `parse`');
      }
      return { name, result };
    });
    return { values: this.#applied(values, checked, text, rest.repaired) as T, ...rest };
  }

  async parseAsync<T = Record<string, unknown>>(
    text: string,
    options?: core.CallOptions,
  ): Promise<types.Outputs<T>> {
    const { values, ...rest } = this.#judged(text, options);
    const checked = await Promise.all(
      this.#judges(values).map(async ({ name, schema }) => ({
        name,
        result: await schema['~standard'].validate(name === undefined ? values : values[name]),
      })),
    );
    return { values: this.#applied(values, checked, text, rest.repaired) as T, ...rest };
  }

  /** The schemas that have something to judge: an optional output may be absent. */
  #judges(values: Record<string, unknown>): Standard[] {
    return this.#standard.filter(({ name }) => name === undefined || Object.hasOwn(values, name));
  }

  #judged(text: string, options: core.CallOptions = {}) {
    const { finishReason } = options;
    checkOptions(options, PER_CALL);
    admit(text, MAX_INPUT_BYTES);
    const answer = JSON.parse(this.#handle.run((contract) => contract.parse(text, finishReason))) as Accepted | Rejected;
    if ('error' in answer) throw new ContractError(answer.message, answer, text, () => JSON.parse(this.#handle.run((contract) => contract.explain(text))) as RawHelp);
    const repaired = repairedOf(text, answer.answer.record);
    return { values: answer.outputs, repaired, casts: answer.casts, dropped: answer.dropped.map(droppedOf) };
  }

  #applied(
    values: Record<string, unknown>,
    checked: { name: string | undefined; result: types.StandardResult }[],
    text: string,
    repaired: core.Repaired,
  ): unknown {
    const violations = checked.flatMap(({ name, result }) => (result.issues ? result.issues.map((issue) => violation(name, issue)) : []));
    if (violations.length > 0) {
      const blamed = checked.find(({ result }) => result.issues);
      throw new ContractError(
        `${violations.length} value${violations.length === 1 ? ' does' : 's do'} not fit`,
        {
          error: { code: 'output_validation_failed', reason: 'schema', errors: violations, ...(blamed?.name === undefined ? {} : { field: blamed.name }) },
          retryable: true,
          forModel: violations.map(({ path, message }) => `Field "${path.slice(1).replaceAll('/', '.')}": ${message}`).join('\n'),
          answer: { record: repaired.report() },
          partial: null,
        },
        text,
      );
    }
    let whole: unknown = values;
    const outputs = { ...values };
    for (const { name, result } of checked) {
      if (result.issues) continue;
      if (name === undefined) whole = result.value;
      else outputs[name] = result.value;
    }
    return checked.some(({ name }) => name === undefined) ? whole : outputs;
  }

  /** A schema as JSON text; `undefined` if it can only be asked. */
  #text(name: string | undefined, schema: types.SchemaLike): string | undefined {
    const standard = isStandard(schema) ? schema : undefined;
    if (standard) {
      this.#standard.push({ name, schema: standard });
      try {
        const json = standard['~standard'].jsonSchema?.input({ target: 'draft-2020-12' });
        return json === undefined ? undefined : JSON.stringify(json);
      } catch {
        // Not every type can be said in JSON Schema; then the schema itself is the only judge.
        return undefined;
      }
    }
    const text = JSON.stringify(typeof schema === 'function' ? (schema as () => unknown)() : schema);
    if (text === undefined) throw new TypeError(`the schema${name === undefined ? '' : ' of an output'} is no JSON Schema`);
    return text;
  }
}

function droppedOf({ start, end, errors = [], ...item }: RawDropped): types.DroppedItem {
  const span = start === undefined || end === undefined ? {} : { byteStart: start, byteEnd: end };
  return { ...item, ...span, violations: errors.map(violationOf) };
}

function violationOf({ schema_path: schemaPath, ...violation }: NonNullable<core.ReportError['errors']>[number]): types.Violation {
  return { ...violation, schemaPath };
}

function repairedOf(text: string, record: core.Report): core.Repaired {
  return new Repaired(text, record as Summary, () => record, () => record);
}

function isStandard(schema: unknown): schema is types.StandardSchema {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
}

function violation(name: string | undefined, issue: types.StandardIssue) {
  const steps = (issue.path ?? []).map((step) => String(typeof step === 'object' ? step.key : step));
  const path = [...(name === undefined ? [] : [name]), ...steps].map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  return { path, schema_path: '', keyword: 'standard-schema', expected: '', found: '', message: issue.message };
}
