// `jsonseam/core`: without contracts and without configurations as TOML, a third of the size.

import { Host, createApi } from '../common.ts';
import { createGlue } from '#glue';
import { load } from '#load-core';

const host = new Host(createGlue, load);

export const { repair, parse, check, createPipeline } = /* @__PURE__ */ createApi(host);
export { ConfigError, EngineError, RepairError } from '../common.ts';
