// `jsonseam`: everything.

import type * as types from '../../types/index.d.ts';
import { Host, createApi, createCalls, createContracts, createStreams } from '../common.ts';
import { text } from '#catalogue';
import { createGlue } from '#glue';
import { load } from '#load-full';
import { load as loadLight } from '#load-light';
import { load as loadStream } from '#load-light-stream';

const host = new Host(createGlue, load);
/** Where both engines are files beside each other, the small one does what it can: it starts in half the time. */
const light = loadLight ? new Host(createGlue, loadLight) : host;

export const { repair, parse, check, createPipeline } = /* @__PURE__ */ createApi(light, host);
export const { createStream } = /* @__PURE__ */ createStreams(loadStream ? new Host(createGlue, loadStream) : host, host);
export const createContract = /* @__PURE__ */ createContracts(host);
export const { calls, createExtractor, healHistory } = /* @__PURE__ */ createCalls(host);
export const catalogue = (): types.Catalogue => JSON.parse(text) as types.Catalogue;
export { CallsError, ConfigError, ContractError, EngineError, RepairError } from '../common.ts';
