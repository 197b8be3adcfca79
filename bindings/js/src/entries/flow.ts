// What `jsonseam/stream` and `jsonseam/ai` share: the small engine with streams. It is no entry of the package.

import { Host, createApi, createStreams } from '../common.ts';
import { createGlue } from '#glue';
import { load } from '#load-stream';

const host = new Host(createGlue, load);

export const { createPipeline } = /* @__PURE__ */ createApi(host);
export const { createStream, eventTransform, settledTransform } = /* @__PURE__ */ createStreams(host);
