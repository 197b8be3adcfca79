// The result of a repair.

import type * as types from '../types/core.d.ts';
import { offsetTable } from './offsets.ts';

/** Shown by `console.log`, loggers and `JSON.stringify`: counts and names, no text. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** What every repair gives at once; offsets in bytes. */
export interface Summary {
  readonly status: 'valid' | 'repaired';
  readonly payload: { start: number; end: number };
  readonly text: string;
  readonly risk: types.Risk | null;
  readonly truncated: boolean;
  /** False if it is known that there is no other payload. */
  readonly hasFurther?: boolean;
  /** Whether a bracket opens directly after the payload. */
  readonly isFollowed?: boolean;
}

/** What is made for those who ask; offsets in bytes. */
export type Details = Pick<types.Report, 'edits' | 'incomplete' | 'further' | 'gap'>;

export class Repaired<T = unknown> implements types.Repaired<T> {
  readonly #source: string;
  readonly #summary: Summary;
  readonly #ask: () => types.Report;
  readonly #askDetails: () => Details;
  #kept: Details | undefined;
  #value: { is: T } | undefined;
  #edits: readonly types.Edit[] | undefined;
  #units: ((byte: number) => number) | undefined;

  constructor(source: string, summary: Summary, ask: () => types.Report, askDetails: () => Details) {
    this.#source = source;
    this.#summary = summary;
    this.#ask = ask;
    this.#askDetails = askDetails;
  }

  get text(): string {
    return this.#summary.text;
  }

  get value(): T {
    this.#value ??= { is: JSON.parse(this.text) as T };
    return this.#value.is;
  }

  get status(): 'valid' | 'repaired' {
    return this.#summary.status;
  }

  get risk(): types.Risk | null {
    return this.#summary.risk;
  }

  get isTruncated(): boolean {
    return this.#summary.truncated;
  }

  get incomplete(): readonly string[] {
    return this.#summary.truncated ? this.#details().incomplete : [];
  }

  get gap(): number | null {
    return this.#details().gap ?? null;
  }

  /** Whether a value stands directly after the payload, though it may be beyond repair. Not among the types: it is for the gate. */
  get isFollowed(): boolean {
    return this.#summary.isFollowed === true;
  }

  get payload(): types.Span {
    return this.#span(this.#summary.payload);
  }

  get further(): readonly types.Span[] {
    if (this.#summary.hasFurther === false) return [];
    const { further = [] } = this.#details();
    const unit = offsetTable(this.#source, further.flatMap(({ start, end }) => [start, end]));
    return further.map(({ start, end }) => ({ start: unit(start), end: unit(end), byteStart: start, byteEnd: end }));
  }

  get edits(): readonly types.Edit[] {
    this.#edits ??= this.status === 'valid' ? [] : this.#inUnits(this.#details().edits);
    return this.#edits;
  }

  revert(): string {
    const { start, end } = this.payload;
    return this.#source.slice(start, end);
  }

  report(): types.Report {
    return structuredClone(this.#ask());
  }

  toJSON(): object {
    return { status: this.status, risk: this.risk, edits: this.edits.length, truncated: this.isTruncated };
  }

  [INSPECT](): string {
    return `Repaired { status: '${this.status}', edits: ${this.edits.length}, risk: ${this.risk}, isTruncated: ${this.isTruncated} }`;
  }

  #details(): Details {
    this.#kept ??= this.#askDetails();
    return this.#kept;
  }

  #span({ start, end }: { start: number; end: number }): types.Span {
    const unit = (this.#units ??= offsetTable(this.#source, this.#bytes()));
    return { start: unit(start), end: unit(end), byteStart: start, byteEnd: end };
  }

  #inUnits(edits: Details['edits']): types.Edit[] {
    const unit = (this.#units ??= offsetTable(this.#source, this.#bytes()));
    return edits.map(({ rule, risk, start, end, replacement, path }) => ({
      rule,
      risk,
      start: unit(start),
      end: unit(end),
      byteStart: start,
      byteEnd: end,
      replacement,
      path,
    }));
  }

  *#bytes(): Iterable<number> {
    const edits = this.status === 'valid' ? [] : this.#details().edits;
    for (const span of [this.#summary.payload, ...edits]) {
      yield span.start;
      yield span.end;
    }
  }
}
