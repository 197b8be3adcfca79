// `jsonseam/slim`: the engine comes from the caller, as `jsonseam/full.wasm`, `jsonseam/stream.wasm` or `jsonseam/core.wasm`.

import type * as types from '../../types/index.d.ts';
import type { WasmSource } from '../../types/slim.d.ts';
import { EngineError, Host, createApi, createCalls, createContracts, createStreams } from '../common.ts';
import { text } from '#catalogue';
import { createGlue } from '#glue';

const host = new Host(createGlue, () => {
  throw new EngineError('call `initSync(module)` first, with the bytes or the compiled module of `jsonseam/full.wasm`, `jsonseam/stream.wasm` or `jsonseam/core.wasm`', {}, 'engine_missing');
});

export const initSync = (source: WasmSource): void => host.initSync(source);
export const { repair, parse, check, createPipeline } = /* @__PURE__ */ createApi(host);
export const { createStream } = /* @__PURE__ */ createStreams(host);
export const createContract = /* @__PURE__ */ createContracts(host);
export const { calls, createExtractor, healHistory } = /* @__PURE__ */ createCalls(host);
export const catalogue = (): types.Catalogue => JSON.parse(text) as types.Catalogue;
export { CallsError, ConfigError, ContractError, EngineError, RepairError } from '../common.ts';
