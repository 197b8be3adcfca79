/** `jsonseam/slim`: the same as `jsonseam` without the engine, which the caller brings. */

export * from './index.js';

/** A compiled module, or its bytes. */
export type WasmSource = WebAssembly.Module | ArrayBuffer | ArrayBufferView;

/**
 * Gives the engine: `jsonseam/full.wasm`, or `jsonseam/stream.wasm` without contracts, or `jsonseam/core.wasm` without contracts and streams. Call it before anything else.
 *
 * Compiling from bytes is synchronous; on the main thread of a page compile with `WebAssembly.compileStreaming` and give the module.
 */
export declare function initSync(source: WasmSource): void;
