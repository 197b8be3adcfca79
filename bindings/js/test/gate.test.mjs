// Every face that gives a bare value or text refuses half of an answer (SPEC B3); the drop-in faces have one gate more.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import * as jsonseam from 'jsonseam';
import * as core from 'jsonseam/core';
import * as ai from 'jsonseam/ai';
import { JSONRepairError, jsonrepair } from 'jsonseam/jsonrepair';
import * as slim from 'jsonseam/slim';
import { eventTransform, jsonrepairTransform, repairTransformStream, settledTransform } from 'jsonseam/stream';

const root = fileURLToPath(new URL('..', import.meta.url));
slim.initSync(readFileSync(join(root, 'dist/full.wasm')));

const refusal = async (work) => {
  try {
    await work();
  } catch (error) {
    const cause = error instanceof JSONRepairError ? error.cause : error;
    assert.ok(cause instanceof jsonseam.RepairError || cause instanceof slim.RepairError, `${error}`);
    return cause;
  }
  return assert.fail('it was not refused');
};

/** The faces that give a value: each refuses a text that is cut off, unless `allowTruncated` is set. */
const VALUES = {
  jsonseam: { parse: (text, options) => jsonseam.parse(text, options), 'createPipeline().parse': (text, options) => jsonseam.createPipeline().parse(text, options) },
  'jsonseam/core': { parse: (text, options) => core.parse(text, options), 'createPipeline().parse': (text, options) => core.createPipeline().parse(text, options) },
  'jsonseam/slim': { parse: (text, options) => slim.parse(text, options), 'createPipeline().parse': (text, options) => slim.createPipeline().parse(text, options) },
  'jsonseam/stream': {
    eventTransform: async (text, options) => (await last(eventTransform(options), text)).repaired.value,
    settledTransform: async (text, options) => JSON.parse(await streamed(settledTransform(options), text)),
  },
};

async function last(transform, text) {
  let event;
  for await (event of Readable.toWeb(Readable.from(text)).pipeThrough(transform));
  return event;
}

/** The drop-in faces: each gives a text, and has the gate below. */
async function streamed(transform, text) {
  let output = '';
  const source = Readable.from([text]);
  for await (const chunk of transform instanceof TransformStream ? Readable.toWeb(source).pipeThrough(transform) : source.pipe(transform)) output += chunk;
  return output;
}
const DROP_INS = {
  'jsonseam/jsonrepair': { jsonrepair: async (text, options) => jsonrepair(text, options) },
  'jsonseam/stream': {
    // An error of the source does not reach the transform, and its own is thrown by the loop.
    jsonrepairTransform: (text, options) => streamed(jsonrepairTransform(options), text),
    repairTransformStream: (text, options) => streamed(repairTransformStream(options), text),
  },
};

/** What marks its result, is a contract, or gives no value; the hooks of `jsonseam/ai` are tested in ai.test.mjs. */
const OTHERS = {
  // Half of a call is refused, which calls.test.mjs tests; a history is what was sent before.
  jsonseam: ['CallsError', 'ConfigError', 'ContractError', 'EngineError', 'RepairError', 'calls', 'catalogue', 'check', 'createContract', 'createExtractor', 'createPipeline', 'createStream', 'healHistory', 'repair'],
  'jsonseam/core': ['ConfigError', 'EngineError', 'RepairError', 'check', 'createPipeline', 'repair'],
  'jsonseam/slim': ['CallsError', 'ConfigError', 'ContractError', 'EngineError', 'RepairError', 'calls', 'catalogue', 'check', 'createContract', 'createExtractor', 'createPipeline', 'createStream', 'healHistory', 'initSync', 'repair'],
  'jsonseam/jsonrepair': ['JSONRepairError'],
  // `finish` marks its result.
  'jsonseam/stream': ['createStream'],
  'jsonseam/ai': ['createHooks', 'jsonTransform', 'repairText', 'repairToolCall', 'repairedOutput', 'toolCallMiddleware'],
};

test('every public face is known to give a value through the gate, a mark or no value', async () => {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((name) => !/\.(wasm|json)$/.test(name)).map((name) => `jsonseam${name.slice(1)}`);
  assert.deepEqual(entries.sort(), Object.keys(OTHERS).sort(), 'a new entry: put its faces through the gate, and into a table');
  for (const entry of entries) {
    const faces = [...OTHERS[entry], ...Object.keys(VALUES[entry] ?? {}), ...Object.keys(DROP_INS[entry] ?? {})].filter((name) => !name.includes('('));
    assert.deepEqual(Object.keys(await import(entry)).sort(), faces.sort(), `${entry}: a new face`);
  }
  for (const { createPipeline } of [jsonseam, core, slim]) {
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(createPipeline()));
    assert.deepEqual(methods.sort(), ['check', 'constructor', 'help', 'parse', 'parseChecked', 'repair', 'repairChecked', 'repaired', 'rules', 'stream']);
  }
  assert.deepEqual(Object.keys(ai.createHooks()).sort(), ['jsonTransform', 'repairText', 'repairToolCall', 'repairedOutput', 'toolCallMiddleware']);
});

const HALVES = ['{"amount": 31', '{"n": 3, "city": "Os', '[1, 2', '[{"a": 1}', '["', '{', '{"a": {"b": []', "Sure: {'a': 'b'"];
const WHOLE = ['{"amount": 31}', '{amount: 31,}', 'Sure: [1, 2] there', '```json\n[1, 2\n]\n```', "{a: 'b'} and so on"];

for (const [entry, faces] of Object.entries(VALUES)) {
  for (const [name, ask] of Object.entries(faces)) {
    test(`B3: ${entry}: ${name} refuses half of an answer unless it is allowed`, async () => {
      for (const text of HALVES) {
        const error = await refusal(() => ask(text));
        assert.deepEqual([error.reason, error.isTruncated, error.isRetryable, error.position], ['truncated', true, false, text.length], text);
        assert.deepEqual(await ask(text, { allowTruncated: true }), jsonseam.repair(text).value);
      }
      for (const text of WHOLE) {
        assert.deepEqual(await ask(text), jsonseam.repair(text).value);
        for (const finishReason of ['length', 'max_tokens']) {
          assert.equal((await refusal(() => ask(text, { finishReason }))).reason, 'truncated');
          assert.deepEqual(await ask(text, { finishReason, allowTruncated: true }), await ask(text, { finishReason: 'stop' }));
        }
      }
    });
  }
}

test('B3: the hooks refuse half of an answer unless it is allowed', async () => {
  const strict = ai.createHooks();
  const lax = ai.createHooks({ allowTruncated: true });
  for (const text of HALVES) {
    assert.equal(await strict.repairText({ text }), null);
    assert.equal(strict.jsonTransform(text), text);
    assert.equal(await strict.repairToolCall({ toolCall: { input: text } }), null);
    assert.equal(lax.jsonTransform(text), jsonseam.repair(text).text);
  }
});

/** Cut off, and closed without a doubt. */
const CLOSED = { '{"a": [1, {"b": "x': '{"a": [1, {"b": "x"}]}', '{"a": 1, "b": "': '{"a": 1, "b": ""}', '{"a": 31': '{"a": 31}' };
const GUESSED = ['{"a": "say "hi" now", "b": "x'];
const LOST = ['{"a": 1, "b', '{"a": 1, "b":', '{"a": 1, "b": tru', '{"a": 1, "b": 2.', '{"a": [1, fals', '{"a": {"b": tru'];
const EMPTIED = ['{"a": tru', '{"a":2.', '{invalid_json', '{"a": ', '[n', '{', '[', '{a', '{ "'];
const SEVERAL = [
  '{"a":1} {"a":2}',
  '{"a": 1}\n{"a": 2}',
  '{"a": 1}{b: 2}',
  '{"b": 1} then {"b": 2}',
  "{'a': 1,}\n{'a': 2}",
  '{"a": 1}\n[1, 2, 3]',
  'One 😀:\n```json\n{"a": 1}\n```\nand:\n```json\n[1, 2]\n```',
  '{"a": 1}\n\n{"a": true}',
];
const ONE = {
  'As in [1]: {a: 1} (see [2])': '{"a": 1}',
  '{a: 1} and no more': '{"a": 1}',
  '{"a": 1} or, again, {"a":1}': '{"a": 1}',
  '```json\n{"a": 1, "b": 2}\n```\nthat is {b: 2, a: 1}': '{"a": 1, "b": 2}',
};

for (const [name, ask] of Object.values(DROP_INS).flatMap(Object.entries)) {
  test(`B3: ${name} closes a text that is cut off, and refuses it where that is a guess or loses something`, async () => {
    for (const [text, closed] of Object.entries(CLOSED)) {
      assert.equal(await ask(text), closed);
      assert.equal((await refusal(() => ask(text, { allowTruncated: false }))).reason, 'truncated');
    }
    for (const text of [...GUESSED, ...LOST, ...EMPTIED]) {
      const error = await refusal(() => ask(text));
      assert.deepEqual([error.reason, error.isTruncated], ['truncated', true], text);
      assert.equal(await ask(text, { allowTruncated: true }), jsonseam.repair(text, { preset: 'lenient' }).text);
    }
    // It may be cut, or have lost a quote.
    assert.equal((await refusal(() => ask('{"key:value}', { allowTruncated: true }))).reason, 'ambiguous_repair');
  });

  test(`${name} refuses an answer that became empty`, async () => {
    assert.equal((await refusal(() => ask('{...,}'))).reason, 'empty_answer');
    assert.equal(await ask('{...,}', { allowEmpty: true }), '{}');
    for (const text of ['{}', '[ ]', '""', 'Sure: {}', '{ // nothing\n}', '[/* nothing */]', '{]', '[}', '```json\n{}\n```']) JSON.parse(await ask(text));
    assert.equal(JSON.parse(await ask('[1, 2, ...]')).length, 2);
  });

  test(`B4: ${name} refuses a further payload and names it`, async () => {
    for (const text of SEVERAL) {
      const error = await refusal(() => ask(text));
      assert.deepEqual([error.reason, error.isRetryable], ['ambiguous_payload', true], text);
      assert.match(error.message, /`candidates: 'first'`/);
      const starts = error.candidates.map(({ start }) => start);
      assert.ok(starts.length > 0 && '{['.includes(text[starts[0]]), text);
      assert.deepEqual(starts, [...starts].sort((one, other) => one - other));
      assert.equal(await ask(text, { candidates: 'first' }), jsonseam.repair(text, { preset: 'lenient' }).text);
    }
    assert.equal(await ask('{"b": 1} then {"b": 2}', { candidates: 'last' }), '{"b": 2}');
    assert.equal((await refusal(() => ask('{"b": 1} then {"b": 2}', { candidates: 'only' }))).reason, 'ambiguous_payload');
    for (const [text, answer] of Object.entries(ONE)) assert.equal(await ask(text), answer);
  });

  test(`${name} takes true or false for what it allows`, async () => {
    for (const option of ['allowTruncated', 'allowEmpty']) await assert.rejects(async () => ask('{}', { [option]: 'yes' }), TypeError);
  });
}

test('a refusal of the gate goes to the fallback, and says in words what it is', () => {
  for (const text of ['{"a": tru', '{...,}', '{"a":1} {"a":2}']) {
    assert.equal(jsonrepair(text, { fallback: () => 'theirs' }), 'theirs');
    assert.throws(() => jsonrepair(text), (error) => error instanceof JSONRepairError && !/not repaired without guessing/.test(error.message));
  }
  assert.throws(() => jsonrepair('{}', { allowTruncatd: true }), /did you mean `allowTruncated`\?/);
});

test('B3, B4: the program has the same gate, and leaves the file as it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jsonseam-'));
  const file = join(folder, 'in.json');
  const run = (...args) => spawnSync(process.execPath, [join(root, 'dist/bin.js'), file, '--overwrite', ...args], { encoding: 'utf8' });
  const cases = [
    ['{"a": 1, "b', ['--allow-truncated'], '{"a": 1}'],
    ['{...,}', ['--allow-empty'], '{}'],
    ['{"a":1} {"a":2}', ['--candidates', 'last'], '{"a":2}'],
  ];
  for (const [text, allowed, answer] of cases) {
    writeFileSync(file, text);
    assert.equal(run().status, 1);
    assert.equal(readFileSync(file, 'utf8'), text);
    assert.equal(run(...allowed).status, 0);
    assert.equal(readFileSync(file, 'utf8'), answer);
  }
  assert.equal(run('--candidates', 'frist').status, 2);
});
