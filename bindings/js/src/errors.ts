// The errors. None holds text of the completion: codes, offsets, counts and names only.

import type * as types from '../types/core.d.ts';
import { offsetTable } from './offsets.ts';

/** A refusal as the engine writes it. */
export interface RawAnswer {
  record: types.Report;
  refusal?: { message: string; meaning: string; advice: string; retryable: boolean; candidates: { start: number; end: number }[] };
}

/** The rules that are off and would have helped, as the engine writes them. */
export interface RawHelp {
  mended_by: string[];
  repaired_with: string[];
  unanswered: { offset: number; line: number; column: number; expected: string; why?: string } | null;
  help: string[];
}

export const NO_HELP: RawHelp = { mended_by: [], repaired_with: [], unanswered: null, help: [] };

/** Its members are said once, with the types; this is what they are where a refusal says nothing of them. */
const UNSAID = {
  code: 'output_decode_failed',
  advice: undefined,
  position: undefined,
  byteOffset: undefined,
  line: undefined,
  column: undefined,
  expected: undefined,
  isTruncated: false,
  isRetryable: false,
  readings: [],
  doubt: undefined,
  candidates: [],
} satisfies Omit<types.RepairError, keyof Error | keyof Help | 'reason' | 'meaning'>;

type Help = Pick<types.RepairError, 'mendedBy' | 'repairedWith' | 'unanswered' | 'help'>;

export interface RepairError extends Omit<types.RepairError, 'name' | keyof Help> {}

export class RepairError extends Error {
  override readonly name = 'RepairError';

  /** What asks the engine, until someone does. */
  #explain: (() => RawHelp) | undefined;
  #help = NO_HELP;
  /** An offset in bytes as one in UTF-16 units. */
  #unit: (byte: number) => number = (byte) => byte;

  constructor(message: string, details: Partial<Omit<types.RepairError, keyof Error | keyof Help>> & { reason: types.Reason }, explain?: () => RawHelp) {
    super(message);
    Object.assign(this, UNSAID, { meaning: message }, details);
    this.#explain = explain;
  }

  get mendedBy(): readonly string[] {
    return this.#explained().mended_by;
  }

  get repairedWith(): readonly string[] {
    return this.#explained().repaired_with;
  }

  get unanswered(): types.Unanswered | undefined {
    const { unanswered } = this.#explained();
    if (!unanswered) return undefined;
    const { offset, why, ...rest } = unanswered;
    return { position: this.#unit(offset), byteOffset: offset, why, ...rest };
  }

  get help(): readonly string[] {
    const { help } = this.#explained();
    return help.length === 0 && this.advice !== undefined ? [this.advice] : help;
  }

  #explained(): RawHelp {
    if (this.#explain) {
      this.#help = this.#explain();
      this.#explain = undefined;
    }
    return this.#help;
  }

  /** The error of a refusal, with offsets that fit `text`. */
  static of(answer: RawAnswer, text: string, explain?: () => RawHelp): RepairError {
    const error = answer.record.error ?? { code: 'output_decode_failed', reason: 'syntax' };
    const { candidates = [], message = error.reason, meaning = message, advice, retryable = false } = answer.refusal ?? {};
    const readings = error.readings ?? [];
    const bytes = [
      ...(error.offset === undefined ? [] : [error.offset]),
      ...candidates.flatMap((span) => [span.start, span.end]),
      ...readings.flatMap((reading) => reading.edits.flatMap((edit) => [edit.start, edit.end])),
    ];
    const unit = offsetTable(text, bytes);
    const span = <S extends { start: number; end: number }>(of: S) => ({
      ...of,
      start: unit(of.start),
      end: unit(of.end),
      byteStart: of.start,
      byteEnd: of.end,
    });
    // Not by its name: the build would rename a class that names itself, and people would read `_RepairError`.
    const made = new this(message, {
      code: error.code,
      reason: error.reason,
      meaning,
      advice,
      position: error.offset === undefined ? undefined : unit(error.offset),
      byteOffset: error.offset,
      line: error.line,
      column: error.column,
      expected: error.expected,
      isTruncated: answer.record.truncated,
      isRetryable: retryable,
      readings: readings.map((reading) => ({ cost: reading.cost, edits: reading.edits.map(span) })),
      doubt: error.doubt,
      candidates: candidates.map(span),
    }, explain);
    made.#unit = (byte) => offsetTable(text, [byte])(byte);
    return made;
  }
}

export class ConfigError extends Error implements types.ConfigError {
  override readonly name = 'ConfigError';
  readonly code: string;
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(message: string, code = 'config', line?: number, column?: number) {
    super(message);
    this.code = code;
    this.line = line;
    this.column = column;
  }
}

export class EngineError extends Error implements types.EngineError {
  override readonly name = 'EngineError';
  readonly code: types.EngineError['code'];

  constructor(message: string, options: ErrorOptions, code: types.EngineError['code'] = 'engine_stopped') {
    super(message, options);
    this.code = code;
  }
}
