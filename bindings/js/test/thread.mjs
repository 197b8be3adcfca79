// What a thread of environments.test.mjs runs.

import { parentPort } from 'node:worker_threads';
import { repair } from 'jsonseam';

parentPort.postMessage(repair('{a: 1,}').text);
