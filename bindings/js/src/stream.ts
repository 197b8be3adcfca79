// `createStream`, over a given engine: a completion that is still being written.

import type * as types from '../types/core.d.ts';
import { type RawAnswer, EngineError, RepairError } from './errors.ts';
import { whole } from './gate.ts';
import type { Host, RawFlow } from './host.ts';
import { PER_CALL, SETTINGS, checkOptions, shown } from './options.ts';
import { type Pipeline, admit, createPipelines } from './pipeline.ts';
import type { Repaired } from './repaired.ts';

export interface Streams {
  createStream(options?: types.PipelineOptions): Stream;
  eventTransform(options?: types.StreamingOptions): TransformStream<string | Uint8Array, types.StreamEvent>;
  settledTransform(options?: types.StreamingOptions): TransformStream<string | Uint8Array, string>;
}

/** `whole` is the engine that reads configurations as TOML, if that is another one. */
export function createStreams(light: Host, whole: Host = light): Streams {
  const pipelineFor = createPipelines(light, whole);
  const createStream = (options: object = {}): Stream => {
    checkOptions(options, SETTINGS);
    return new Stream(options['config'] === undefined ? light : whole, pipelineFor(options));
  };
  const transform = <Out>({ allowTruncated, finishReason, ...settings }: types.StreamingOptions, told: Told<Out>) => {
    checkOptions({ allowTruncated }, { allowTruncated: 'boolean' });
    const stream = createStream(settings);
    return new TransformStream<string | Uint8Array, Out>({
      transform: (piece, controller) => told.piece(stream, stream.push(piece), (out) => controller.enqueue(out)),
      flush(controller) {
        const reason = typeof finishReason === 'function' ? finishReason() : finishReason;
        const repaired = ended(stream, reason, allowTruncated);
        told.end(stream, repaired, (out) => controller.enqueue(out));
      },
    });
  };
  return {
    createStream,
    eventTransform: (options = {}) =>
      transform<types.StreamEvent>(options, {
        piece: (_, events, tell) => events.forEach(tell),
        end: (stream, repaired, tell) => [...stream.rest, { kind: 'end', repaired } as const].forEach(tell),
      }),
    settledTransform: (options = {}) => {
      let given = 0;
      return transform<string>(options, {
        piece: (stream, _, tell) => {
          const text = stream.settledSince();
          given += text.length;
          if (text !== '') tell(text);
        },
        end: (_, repaired, tell) => {
          const rest = repaired.text.trimStart().slice(given);
          if (rest !== '') tell(rest);
        },
      });
    },
  };
}

/** What a transform gives of each piece, and of the end. */
interface Told<Out> {
  piece(stream: Stream, events: types.StreamEvent[], tell: (out: Out) => void): void;
  end(stream: Stream, repaired: types.Repaired, tell: (out: Out) => void): void;
}

/** The result; what was cut off is refused before anything is told that only its end closed (SPEC B3). */
function ended(stream: Stream, finishReason?: string, allowTruncated?: boolean): types.Repaired {
  const repaired = stream.finish(finishReason === undefined ? {} : { finishReason });
  return whole(repaired, stream.text, allowTruncated);
}

class Done implements types.DoneEvent {
  declare readonly kind: 'done';
  declare readonly path: string;
  declare readonly json: string;
  declare readonly risk: types.Risk | null;
  declare readonly start: number;
  declare readonly end: number;
  declare readonly byteStart: number;
  declare readonly byteEnd: number;

  constructor(raw: object) {
    Object.assign(this, raw);
  }

  get value(): unknown {
    return JSON.parse(this.json);
  }
}

function events(answer: string): types.StreamEvent[] {
  if (answer === '') return [];
  return (JSON.parse(answer) as types.StreamEvent[]).map((event) => (event.kind === 'done' ? new Done(event) : event));
}

class Snapshot implements types.Snapshot {
  readonly text: string;
  readonly open: readonly string[];

  constructor(text: string, open: readonly string[]) {
    this.text = text;
    this.open = open;
  }

  get value(): unknown {
    return JSON.parse(this.text);
  }
}

const INSPECT = Symbol.for('nodejs.util.inspect.custom');
const REFUSED = 'refused\n';

export class Stream implements types.JsonStream {
  readonly #host: Host;
  readonly #pipeline: Pipeline;
  readonly #flow: RawFlow;
  /** The instance that the stream is in; in another one it is lost. */
  readonly #generation: number;
  #text = '';
  /** The first half of a surrogate pair, until the other one comes. */
  #half = '';
  #decoder: TextDecoder | undefined;
  /** The refusal of a piece that the engine did not get. */
  #failed: RepairError | undefined;
  #repaired: Repaired | undefined;
  #rest: types.StreamEvent[] = [];
  #isOver = false;

  constructor(host: Host, pipeline: Pipeline) {
    if (!host.exports('engine_stream')) {
      throw new EngineError('this engine has no streams: give `initSync` the bytes of `jsonseam/full.wasm` or `jsonseam/stream.wasm`', {}, 'engine_missing');
    }
    this.#host = host;
    this.#pipeline = pipeline;
    this.#flow = pipeline.stream();
    this.#generation = host.generation;
  }

  push(piece: string | Uint8Array): types.StreamEvent[] {
    if (this.#isOver) throw new TypeError('the stream has ended: `finish` was called');
    if (this.#failed) return [];
    const text = this.#taken(piece);
    if (text === '') return [];
    this.#text += text;
    const answer = this.#run((flow) => flow.push(text));
    if (answer.startsWith(REFUSED)) throw this.#refusal(answer);
    return events(answer);
  }

  finish<T = unknown>(options: types.CallOptions = {}): types.Repaired<T> {
    if (this.#isOver) throw new TypeError('the stream has ended: `finish` was called');
    checkOptions(options, PER_CALL);
    this.#isOver = true;
    const { finishReason } = options as types.CallOptions;
    try {
      if (this.#failed) throw this.#failed;
      if (this.#half !== '') this.#fail(this.#half);
      this.#decode(new Uint8Array(), false);
      const answer = this.#run((flow) => flow.finish(finishReason));
      if (answer.startsWith(REFUSED)) throw this.#refusal(answer);
      const [summary, told] = [answer.indexOf('\n'), answer.indexOf('\n', answer.indexOf('\n') + 1)];
      const line = answer.slice(0, summary);
      this.#repaired = this.#pipeline.repaired(this.#text, line, answer.slice(told + 1), finishReason);
      this.#rest = events(answer.slice(summary + 1, told));
      return this.#repaired as types.Repaired<T>;
    } finally {
      if (this.#host.generation === this.#generation) this.#flow.free();
    }
  }

  get rest(): types.StreamEvent[] {
    return [...this.#rest];
  }

  get text(): string {
    return this.#text;
  }

  get settled(): string {
    if (this.#isOver) return this.#repaired?.text.trimStart() ?? '';
    return this.#run((flow) => flow.settled());
  }

  get tail(): string {
    return this.#isOver ? '' : this.#run((flow) => flow.tail());
  }

  get state(): types.StreamState {
    if (this.#isOver) return 'finished';
    return this.#failed ? 'refused' : (this.#run((flow) => flow.state()) as types.StreamState);
  }

  snapshot(): types.Snapshot | undefined {
    if (this.#isOver) throw new TypeError('the stream has ended: `finish` was called');
    const text = this.#run((flow) => flow.snapshot());
    return text === undefined ? undefined : new Snapshot(text, JSON.parse(this.#run((flow) => flow.open())) as string[]);
  }

  /** What settled since this was asked last. Not among the types: it is for transforms and hooks. */
  settledSince(): string {
    return this.#run((flow) => flow.settled_since());
  }

  toJSON(): object {
    return { state: this.state };
  }

  [INSPECT](): string {
    return `Stream { state: '${this.state}' }`;
  }

  #run<T>(work: (flow: RawFlow) => T): T {
    if (this.#host.generation !== this.#generation) {
      throw new EngineError('the engine was started anew since this stream began, and the stream is lost: begin another one', {});
    }
    return this.#host.run(() => work(this.#flow));
  }

  #refusal(answer: string): RepairError {
    const text = this.#text;
    return RepairError.of(JSON.parse(answer.slice(REFUSED.length)) as RawAnswer, text, () => this.#pipeline.help(text));
  }

  /** The text of a piece, with the half of a pair that the last one ended with and without the one that it ends with itself. */
  #taken(piece: unknown): string {
    if (typeof piece !== 'string' && !(piece instanceof Uint8Array)) throw new TypeError(`a piece must be a string or a Uint8Array, not ${shown(piece)}`);
    const text = this.#half + (typeof piece === 'string' ? this.#decode(new Uint8Array(), piece === '') + piece : this.#decode(piece, true));
    const last = text.charCodeAt(text.length - 1);
    const end = last >= 0xd800 && last < 0xdc00 ? text.length - 1 : text.length;
    this.#half = text.slice(end);
    const whole = text.slice(0, end);
    if (!whole.isWellFormed() || this.#text.length + whole.length > this.#pipeline.maxInputBytes) this.#fail(whole);
    return whole;
  }

  /** Refuses the text with this piece, for good. */
  #fail(piece: string): void {
    try {
      admit(this.#text + piece, this.#pipeline.maxInputBytes);
    } catch (error) {
      if (error instanceof RepairError) this.#failed = error;
      throw error;
    }
  }

  /** The text of bytes. Without more of them to come, a character that is cut is refused. */
  #decode(bytes: Uint8Array, more: boolean): string {
    if (bytes.length === 0 && (more || !this.#decoder)) return '';
    try {
      const decoder = (this.#decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }));
      return decoder.decode(bytes, { stream: more });
    } catch {
      this.#failed = new RepairError('the text is not UTF-8', { reason: 'invalid_utf8' });
      throw this.#failed;
    }
  }
}
