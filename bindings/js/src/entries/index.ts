// `jsonseam`: everything.

import type * as types from '../../types/index.d.ts';
import { Host, createApi, createContracts } from '../common.ts';
import { createGlue } from '#glue';
import { load } from '#load-full';

const host = new Host(createGlue, load);

export const { repair, parse, check, createPipeline } = /* @__PURE__ */ createApi(host);
export const createContract = /* @__PURE__ */ createContracts(host);
export const catalogue = (): types.Catalogue => JSON.parse(host.run((glue) => glue.catalogue())) as types.Catalogue;
export { ConfigError, ContractError, EngineError, RepairError } from '../common.ts';
