/**
 * `jsonseam/stream`: transforms from a broken text to a repaired one.
 *
 * They collect the whole text and repair it once, at its end: what comes later can decide how an earlier fault is read.
 * The signature stays when the engine learns to give parts earlier.
 */

import type { Transform } from 'node:stream';
import type { PipelineOptions } from './core.js';
import type { DropInOptions } from './jsonrepair.js';

export interface StreamOptions extends Omit<PipelineOptions, 'maxInputBytes'>, DropInOptions {
  /** Longest text, in bytes. Default 64 MiB. */
  maxBytes?: number;
  /** Length of the chunks that are given, in UTF-16 units. Default 65536. */
  chunkSize?: number;
  /** Taken for the sake of the package `jsonrepair`; nothing depends on it. */
  bufferSize?: number;
}

/** A transform of Node. Default preset `lenient`. A refusal is the stream's error; what is refused is as in `jsonseam/jsonrepair`. */
export declare function jsonrepairTransform(options?: StreamOptions): Transform;

/** A transform of the web's streams, which Node has too. */
export declare function repairTransformStream(options?: StreamOptions): TransformStream<string | Uint8Array, string>;
