// The engine's instance: made on first use, and made anew after a trap.

import { ConfigError, EngineError } from './errors.ts';

/** A pipeline on the engine's side. */
export interface RawEngine {
  repair(text: string, finishReason?: string): string;
  details(text: string, finishReason?: string): string | undefined;
  record(text: string, finishReason?: string): string;
  check(text: string): string | undefined;
  explain(text: string): string;
  rules(): string;
  /** Not in every engine; see {@link Host.exports}. */
  stream(): RawFlow;
  free(): void;
}

/** A stream on the engine's side. */
export interface RawFlow {
  push(piece: string): string;
  finish(finishReason?: string): string;
  settled(): string;
  settled_since(): string;
  tail(): string;
  state(): string;
  snapshot(): string | undefined;
  open(): string;
  free(): void;
}

/** A contract on the engine's side. */
export interface RawContract {
  parse(text: string, finishReason?: string): string;
  explain(text: string): string;
  free(): void;
}

/** What reads tool calls on the engine's side. */
export interface RawCalls {
  read(text: string, tools: string | undefined, finishReason: string | undefined, output: string): string;
  heal(history: string): string;
  free(): void;
}

/** What the glue of wasm-bindgen exports. Each call of the factory gives one with a state of its own. */
export interface Glue {
  imports: WebAssembly.ModuleImports;
  setWasm(exports: WebAssembly.Exports): void;
  Engine: new (settings: string) => RawEngine;
  ContractEngine?: new (declared: string, settings: string) => RawContract;
  CallEngine?: new (declared: string, settings: string) => RawCalls;
  version(): string;
}

export type Source = WebAssembly.Module | ArrayBuffer | ArrayBufferView;

const IMPORTS = './glue_bg.js';

export class Host {
  readonly #factory: () => Glue;
  readonly #load: () => Source;
  #module: WebAssembly.Module | undefined;
  #glue: Glue | undefined;
  /** Counts instances: what was made by an earlier one is gone. */
  generation = 0;

  constructor(factory: () => Glue, load: () => Source) {
    this.#factory = factory;
    this.#load = load;
  }

  /** Takes a compiled module or its bytes, in place of what `load` gives. */
  initSync(source: Source): void {
    this.#module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source as BufferSource);
    this.#drop();
  }

  /** Whether the engine has a function; one glue serves engines of which not all have every function. */
  exports(name: string): boolean {
    this.run(() => undefined);
    return WebAssembly.Module.exports(this.#module as WebAssembly.Module).some((one) => one.name === name);
  }

  get isReady(): boolean {
    return this.#module !== undefined;
  }

  /** Runs `work` in the engine. Problems come as `ConfigError`; after anything else the instance is not used again. */
  run<T>(work: (glue: Glue) => T): T {
    const glue = this.#glue ?? this.#start();
    try {
      return work(glue);
    } catch (error) {
      if (typeof error === 'string') throw problem(error);
      this.#drop();
      throw new EngineError('the engine stopped in the middle of this call, and is started anew for the next one; please report this', { cause: error });
    }
  }

  #start(): Glue {
    this.#module ??= this.#compiled();
    const glue = this.#factory();
    const instance = new WebAssembly.Instance(this.#module, { [IMPORTS]: glue.imports });
    glue.setWasm(instance.exports);
    (instance.exports['__wbindgen_start'] as (() => void) | undefined)?.();
    this.#glue = glue;
    return glue;
  }

  #compiled(): WebAssembly.Module {
    const source = this.#loaded();
    return source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source as BufferSource);
  }

  #loaded(): Source {
    try {
      return this.#load();
    } catch (error) {
      if (error instanceof EngineError) throw error;
      throw new EngineError(
        'the file of the engine is not beside this program, as happens where a bundler for Node knows no condition `module`: add that condition (esbuild: --conditions=module), or keep `jsonseam` out of the bundle (esbuild: --external:jsonseam)',
        { cause: error },
        'engine_missing',
      );
    }
  }

  #drop(): void {
    this.#glue = undefined;
    this.generation += 1;
  }
}

/** Something that lives in the engine, and is made anew when the engine is. */
export class Handle<T extends { free(): void }> {
  readonly #host: Host;
  readonly #make: (glue: Glue) => T;
  #made: T;
  #generation: number;

  constructor(host: Host, make: (glue: Glue) => T) {
    this.#host = host;
    this.#make = make;
    this.#made = host.run(make);
    this.#generation = host.generation;
  }

  run<R>(work: (made: T) => R): R {
    return this.#host.run((glue) => {
      if (this.#generation !== this.#host.generation) {
        this.#made = this.#make(glue);
        this.#generation = this.#host.generation;
      }
      return work(this.#made);
    });
  }
}

function problem(text: string): ConfigError {
  const { message, code, line, column } = JSON.parse(text) as { message: string; code: string; line?: number; column?: number };
  return new ConfigError(message, code, line ?? undefined, column ?? undefined);
}
