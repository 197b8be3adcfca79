// Transforms: any chunks of a text give what the whole text gives.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import test from 'node:test';
import { RepairError, repair } from 'jsonseam';
import { jsonrepairTransform, repairTransformStream } from 'jsonseam/stream';

const text = "Sure: {name: 'Adé 😀', \"tags\": [1, 2,]}";
const wanted = repair(text, { preset: 'lenient' }).text;

async function through(chunks, options) {
  let output = '';
  await pipeline(Readable.from(chunks), jsonrepairTransform(options), async (source) => {
    for await (const chunk of source) output += chunk;
  });
  return output;
}

const slices = (bytes, size) => Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));

test('a transform of Node takes bytes and strings, however they are cut', async () => {
  for (let size = 1; size < 12; size += 1) assert.equal(await through(slices(Buffer.from(text), size)), wanted);
  assert.equal(await through([text.slice(0, 9), text.slice(9)]), wanted);
  assert.equal(await through([text], { chunkSize: 1, bufferSize: 7 }), wanted);
});

test('a transform of the web takes the same', async () => {
  for (const size of [1, 3, 100]) {
    const source = new ReadableStream({
      start(controller) {
        for (const chunk of slices(Buffer.from(text), size)) controller.enqueue(chunk);
        controller.close();
      },
    });
    let output = '';
    for await (const chunk of source.pipeThrough(repairTransformStream())) output += chunk;
    assert.equal(output, wanted);
  }
});

test('what is refused is the error of the stream', async () => {
  await assert.rejects(through(['no JSON here']), (error) => error instanceof RepairError && error.reason === 'no_json_object_found');
  await assert.rejects(through(['{"a": 1', ' '.repeat(50)], { maxBytes: 20 }), (error) => error.reason === 'limit_exceeded');
  await assert.rejects(through([Buffer.from([0x7b, 0xff])]), (error) => error.reason === 'invalid_utf8');
  await assert.rejects(through([Buffer.from([0x7b, 0xf0, 0x9f])]), (error) => error.reason === 'invalid_utf8');
});

test('mistakes in options come at once', () => {
  assert.throws(() => jsonrepairTransform({ chunkSize: 0 }), TypeError);
  assert.throws(() => jsonrepairTransform({ presett: 'strict' }), /did you mean `preset`/);
  assert.throws(() => repairTransformStream({ preset: 'standart' }), /standard/);
});
