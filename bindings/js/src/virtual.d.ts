// What the build puts in: the glue of wasm-bindgen, the texts about the rules, and how each environment gets the engine.

declare module '#glue' {
  export function createGlue(): import('./host.ts').Glue;
}

declare module '#catalogue' {
  /** A `Catalogue` as JSON. */
  export const text: string;
}

declare module '#load-full' {
  export function load(): import('./host.ts').Source;
}

declare module '#load-core' {
  export function load(): import('./host.ts').Source;
}

declare module '#load-stream' {
  export function load(): import('./host.ts').Source;
}

declare module '#load-light' {
  export const load: (() => import('./host.ts').Source) | undefined;
}

declare module '#load-light-stream' {
  export const load: (() => import('./host.ts').Source) | undefined;
}

declare module '#transform' {
  export { makeTransform } from './node-stream.ts';
}

declare module '#node-common' {
  export { droppedIn } from './common.ts';
}

declare module '#node-core' {
  export { ConfigError, repair } from '../types/core.d.ts';
}
