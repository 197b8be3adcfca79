// An engine that stops is replaced. The memory of this one is bounded, so that it stops in earnest.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import * as slim from 'jsonseam/slim';

/** The module with an upper bound on its memory, in pages of 64 KiB. */
function bounded(bytes, pages) {
  const number = (at) => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 127) << shift;
      if (byte < 128) return [value, at];
    }
  };
  const encoded = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...encoded(value >>> 7)]);
  for (let at = 8; at < bytes.length; ) {
    const [id, start] = [bytes[at], at];
    const [size, content] = number(at + 1);
    at = content + size;
    if (id !== 5) continue;
    assert.deepEqual([...bytes.subarray(content, content + 2)], [1, 0], 'one memory without an upper bound');
    const limits = [1, 1, ...bytes.subarray(content + 2, at), ...encoded(pages)];
    return Buffer.concat([bytes.subarray(0, start), Buffer.from([5, ...encoded(limits.length), ...limits]), bytes.subarray(at)]);
  }
  return assert.fail('there is no memory');
}

test('without an engine, a call says what to do', () => {
  assert.throws(() => slim.repair('{}'), /initSync/);
});

test('an engine that runs out of memory is replaced, and pipelines go on', () => {
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('jsonseam/full.wasm')));
  slim.initSync(bounded(wasm, 160));
  const pipeline = slim.createPipeline({ preset: 'lenient' });
  const contract = slim.createContract({ keys: ['a'] });
  const canary = 'CANARY-9c1d';
  for (let round = 0; round < 3; round += 1) {
    assert.equal(pipeline.repair('{a: 1,}').text, '{"a": 1}');
    assert.deepEqual(contract.parse('{a: 1,}').values, { a: 1 });
    const work = round === 1 ? contract.parse.bind(contract) : pipeline.repair.bind(pipeline);
    assert.throws(
      () => work(`{a: '${canary.repeat(1_500_000)}',}`),
      (error) => {
        assert.ok(error instanceof slim.EngineError, `${error}`);
        assert.equal(error.code, 'engine_stopped');
        assert.ok(!inspect(error, { depth: 9 }).includes(canary));
        return true;
      },
    );
  }
  assert.equal(slim.repair('{a: 1,}').text, '{"a": 1}');
});

test('the small engine can be brought too', () => {
  slim.initSync(new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve('jsonseam/core.wasm')))));
  assert.equal(slim.repair('{a: 1,}').text, '{"a": 1}');
});
