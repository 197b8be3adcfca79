// `jsonseam/stream`: streams that tell what is settled, and transforms that collect the whole text and repair it once, at its end.

import type { PipelineOptions } from '../../types/core.d.ts';
import type { DropInOptions } from '../../types/jsonrepair.d.ts';
import type * as types from '../../types/stream.d.ts';
import { RepairError, droppedIn } from '../common.ts';
import { makeTransform } from '#transform';
import { repair } from './core.ts';

export { createStream, eventTransform, settledTransform } from './flow.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** The chunks of one text, up to a limit. */
class Collector {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #settings: PipelineOptions;
  readonly #allowed: DropInOptions;
  readonly #maxBytes: number;
  readonly #parts: string[] = [];
  #bytes = 0;

  constructor(options: types.StreamOptions) {
    const { maxBytes = MAX_BYTES, chunkSize, bufferSize, allowTruncated, allowEmpty, ...settings } = options;
    for (const [name, value] of Object.entries({ maxBytes, chunkSize, bufferSize })) {
      if (value !== undefined && !(Number.isSafeInteger(value) && value > 0)) throw new TypeError(`the option \`${name}\` must be a whole number above 0`);
    }
    for (const [name, value] of Object.entries({ allowTruncated, allowEmpty })) {
      if (value !== undefined && typeof value !== 'boolean') throw new TypeError(`the option \`${name}\` must be true or false`);
    }
    this.#allowed = { allowTruncated, allowEmpty };
    this.#maxBytes = maxBytes;
    this.#settings = { preset: 'lenient', maxInputBytes: maxBytes, ...settings };
    // Mistakes in the settings are the caller's: they come now, not with the end of the text.
    repair('{}', this.#settings);
    repair('{"a":1,}', this.#settings);
  }

  take(chunk: unknown): void {
    const isText = typeof chunk === 'string';
    if (!isText && !(chunk instanceof Uint8Array)) throw new TypeError('a chunk must be a string or a Uint8Array');
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      throw new RepairError(`a limit is exceeded: the text is longer than ${this.#maxBytes} bytes`, { reason: 'limit_exceeded' });
    }
    this.#parts.push(isText ? chunk : this.#decoded(chunk, true));
  }

  repaired(): string {
    this.#parts.push(this.#decoded(new Uint8Array(), false));
    const text = this.#parts.join('');
    const again = (part: string) => repair(part, this.#settings);
    return droppedIn(again(text), text, { ...this.#allowed, candidates: this.#settings.candidates }, again).text;
  }

  #decoded(chunk: Uint8Array, stream: boolean): string {
    try {
      return this.#decoder.decode(chunk, { stream });
    } catch {
      throw new RepairError('the text is not UTF-8', { reason: 'invalid_utf8' });
    }
  }
}

export const jsonrepairTransform: typeof types.jsonrepairTransform = (options = {}) => makeTransform(new Collector(options), options.chunkSize) as never;

export function repairTransformStream(options: types.StreamOptions = {}): TransformStream<string | Uint8Array, string> {
  const collector = new Collector(options);
  return new TransformStream({
    transform(chunk) {
      collector.take(chunk);
    },
    flush(controller) {
      controller.enqueue(collector.repaired());
    },
  });
}
