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
}

export class Repaired<T = unknown> implements types.Repaired<T> {
  readonly #source: string;
  readonly #summary: Summary;
  readonly #ask: () => types.Report;
  #record: types.Report | undefined;
  #value: { is: T } | undefined;
  #edits: readonly types.Edit[] | undefined;
  #units: ((byte: number) => number) | undefined;

  constructor(source: string, summary: Summary, ask: () => types.Report, value?: { is: T }) {
    this.#source = source;
    this.#summary = summary;
    this.#ask = ask;
    this.#value = value;
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
    return this.#summary.truncated ? this.#full().incomplete : [];
  }

  get gap(): number | null {
    return this.#full().gap ?? null;
  }

  get payload(): types.Span {
    return this.#span(this.#summary.payload);
  }

  get further(): readonly types.Span[] {
    const { further = [] } = this.#full();
    const unit = offsetTable(this.#source, further.flatMap(({ start, end }) => [start, end]));
    return further.map(({ start, end }) => ({ start: unit(start), end: unit(end), byteStart: start, byteEnd: end }));
  }

  get edits(): readonly types.Edit[] {
    this.#edits ??= this.status === 'valid' ? [] : this.#full().edits.map((edit) => ({ ...edit, ...this.#span(edit) }));
    return this.#edits;
  }

  revert(): string {
    const { start, end } = this.payload;
    return this.#source.slice(start, end);
  }

  report(): types.Report {
    return structuredClone(this.#full());
  }

  toJSON(): object {
    return { status: this.status, risk: this.risk, edits: this.edits.length, truncated: this.isTruncated };
  }

  [INSPECT](): string {
    return `Repaired { status: '${this.status}', edits: ${this.edits.length}, risk: ${this.risk}, isTruncated: ${this.isTruncated} }`;
  }

  #full(): types.Report {
    this.#record ??= this.#ask();
    return this.#record;
  }

  #span({ start, end }: { start: number; end: number }): types.Span {
    this.#units ??= offsetTable(this.#source, this.#bytes());
    return { start: this.#units(start), end: this.#units(end), byteStart: start, byteEnd: end };
  }

  *#bytes(): Iterable<number> {
    const edits = this.status === 'valid' ? [] : this.#full().edits;
    for (const span of [this.#summary.payload, ...edits]) {
      yield span.start;
      yield span.end;
    }
  }
}
