/** `jsonseam/jsonrepair`: the signature of the package `jsonrepair`, with the answers of jsonseam. */

import type { PipelineOptions } from './core.js';

/** Thrown where repairing would be guessing. It holds no text. */
export declare class JSONRepairError extends Error {
  constructor(message: string, position: number, options?: { cause: unknown });
  readonly name: 'JSONRepairError';
  /** In UTF-16 units; 0 if no single place is to blame. */
  readonly position: number;
}

/** What a function that gives a text alone takes, beside the settings of a pipeline; `candidates` takes one of several values. */
export interface DropInOptions {
  /**
   * Without it, a text that is cut off is taken where brackets and one quote close it, and refused as `truncated` where an edit is a guess
   * or loses something, or where nothing is left. `true` takes that too, `false` refuses every text that is cut off.
   */
  allowTruncated?: boolean | undefined;
  /** Takes `{}` and `[]` where an edit dropped all that there was; without it that is refused as `empty_answer`. */
  allowEmpty?: boolean | undefined;
}

export interface JsonRepairOptions extends PipelineOptions, DropInOptions {
  /** Asked for the text where jsonseam refuses, for instance the function of the package `jsonrepair`. */
  fallback?: (text: string) => string;
}

/** The repaired text. Default preset `lenient`, any root. A text with several values is refused unless `candidates` chooses one. */
export declare function jsonrepair(text: string, options?: JsonRepairOptions): string;
