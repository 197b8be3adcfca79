/**
 * `jsonseam/stream`: a text that is still being written, repaired.
 *
 * `createStream`, `eventTransform` and `settledTransform` tell at once what is settled, and never take it back.
 * `jsonrepairTransform` and `repairTransformStream` collect the whole text and repair it once, at its end.
 */

import type { Transform } from 'node:stream';
import type { JsonStream, PipelineOptions, StreamEvent, StreamingOptions } from './core.js';
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

/** A completion that comes in pieces, repaired as it comes. Default preset `standard`. A configuration as TOML needs `createStream` of `jsonseam`. */
export declare function createStream(options?: PipelineOptions): JsonStream;

/** From the pieces of a text to its events, the last of which is an `EndEvent`. A refusal is the error of the stream. Default preset `standard`. */
export declare function eventTransform(options?: StreamingOptions): TransformStream<string | Uint8Array, StreamEvent>;

/** From the pieces of a text to those of its repaired text, which join to what `repair` gives. A refusal is the error of the stream. Default preset `standard`. */
export declare function settledTransform(options?: StreamingOptions): TransformStream<string | Uint8Array, string>;
