// The transform of Node. The build for browsers takes `web-stream.ts` in its place.

import { Transform } from 'node:stream';

export interface Collected {
  take(chunk: unknown): void;
  repaired(): string;
}

export function makeTransform(collector: Collected, chunkSize = 65536): Transform {
  return new Transform({
    decodeStrings: false,
    transform(chunk: unknown, _encoding, done) {
      try {
        collector.take(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
    flush(done) {
      try {
        const text = collector.repaired();
        for (let start = 0; start < text.length; ) {
          const end = pairEnd(text, start + chunkSize);
          this.push(text.slice(start, end));
          start = end;
        }
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** An end that does not part a surrogate pair, which each half for itself would not survive. */
function pairEnd(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end + 1 : end;
}
