// What the hooks of the AI SDK show while an answer comes. The SDK gives the whole text each time; only what is new is read.

import type * as types from '../types/ai.d.ts';
import { RepairError } from './errors.ts';
import type { Stream } from './stream.ts';

/** So many answers may come at the same time without being read again. */
const KEPT = 8;

const ELEMENT = /^\/elements\/\d+$/;

/** An answer as far as it came. */
class Answer {
  seen = '';
  readonly #stream: Stream;
  readonly #inner: types.OutputLike;
  readonly #isArray: boolean;
  #isRefused = false;
  /** The settled text, and what the inner output made of it. */
  #settled = '';
  #shown: unknown;
  /** The elements of an array that are whole and fit their schema; undefined before the array has begun. */
  #elements: unknown[] | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(stream: Stream, inner: types.OutputLike, isArray: boolean) {
    this.#stream = stream;
    this.#inner = inner;
    this.#isArray = isArray;
  }

  /** What there is to show of a text that begins with the one before. Calls at the same time take turns. */
  shown(text: string): Promise<unknown> {
    const piece = text.slice(this.seen.length);
    this.seen = text;
    this.#last = this.#last.catch(() => undefined).then(() => this.#take(piece));
    return this.#last;
  }

  async #take(piece: string): Promise<unknown> {
    if (this.#isRefused) return this.#shown;
    try {
      const events = this.#stream.push(piece);
      if (this.#isArray) {
        for (const event of events) {
          if (event.kind === 'begin' && event.path === '/elements' && event.type === 'array') this.#elements ??= [];
          if (event.kind === 'done' && ELEMENT.test(event.path)) await this.#fit(event.json);
        }
        return (this.#shown = this.#elements && { partial: [...this.#elements] });
      }
    } catch (error) {
      if (!(error instanceof RepairError)) throw error;
      // The end of the answer tells of it; what was settled stays.
      this.#isRefused = true;
      return this.#shown;
    }
    const settled = this.#stream.settledSince();
    if (settled === '') return this.#shown;
    this.#settled += settled;
    // It is the start of valid JSON: the SDK closes it, and knows that it is not whole.
    return (this.#shown = await this.#inner.parsePartialOutput?.({ text: this.#settled }));
  }

  async #fit(json: string): Promise<void> {
    const fitting = (await this.#inner.parsePartialOutput?.({ text: `{"elements":[${json}]}` })) as { partial?: unknown[] } | undefined;
    this.#elements?.push(...(fitting?.partial ?? []));
  }
}

/** `parsePartialOutput` of an output, with a stream for each answer that comes. */
export function createPartial(inner: types.OutputLike, isArray: boolean, createStream: () => Stream): (options: { text: string }) => Promise<any> {
  let answers: Answer[] = [];
  return ({ text }) => {
    // Equality compares many characters at once, `startsWith` one after the other.
    let answer = answers.find(({ seen }) => seen !== '' && text.slice(0, seen.length) === seen);
    answer ??= new Answer(createStream(), inner, isArray);
    answers = [answer, ...answers.filter((other) => other !== answer)].slice(0, KEPT);
    return answer.shown(text);
  };
}

/**
 * `createElementStreamTransform` of an array output: at the end, the elements that only the end of the answer settled follow.
 * `whole` gives the repaired text of an answer that was not cut off.
 */
export function createElements(inner: types.OutputLike, whole: (text: string, finishReason: unknown) => string | undefined): TransformStream | undefined {
  const elements: TransformStream | undefined = inner.createElementStreamTransform?.();
  if (!elements) return undefined;
  let text = '';
  let first: unknown;
  let finishReason: unknown;
  const own = new TransformStream({
    transform(chunk: { part?: types.PartLike & { id?: unknown; text?: unknown } }, controller) {
      const { type, id, text: piece, finishReason: reason } = chunk.part ?? { type: '' };
      if (type === 'start-step') [text, first] = ['', undefined];
      if (type === 'text-delta' && (first ??= id) === id) text += String(piece);
      if (type === 'finish-step') finishReason = reason;
      controller.enqueue(chunk);
    },
    async flush(controller) {
      const repaired = whole(text, finishReason);
      const last = repaired === undefined ? undefined : await inner.parsePartialOutput?.({ text: repaired });
      if (last) controller.enqueue({ part: { type: 'text-end' }, partialOutput: last.partial });
    },
  });
  void own.readable.pipeTo(elements.writable).catch(() => undefined);
  return { writable: own.writable, readable: elements.readable } as TransformStream;
}
