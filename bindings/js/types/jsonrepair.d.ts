/** `jsonseam/jsonrepair`: the signature of the package `jsonrepair`, with the answers of jsonseam. */

import type { PipelineOptions } from './core.js';

/** Thrown where repairing would be guessing. It holds no text. */
export declare class JSONRepairError extends Error {
  constructor(message: string, position: number, options?: { cause: unknown });
  readonly name: 'JSONRepairError';
  /** In UTF-16 units; 0 if no single place is to blame. */
  readonly position: number;
}

export interface JsonRepairOptions extends PipelineOptions {
  /** Asked for the text where jsonseam refuses, for instance the function of the package `jsonrepair`. */
  fallback?: (text: string) => string;
}

/** The repaired text. Default preset `lenient`, any root. */
export declare function jsonrepair(text: string, options?: JsonRepairOptions): string;
