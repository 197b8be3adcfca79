// `createStream` and its transforms: any pieces give what the whole text gives, and nothing is taken back (SPEC T1 to T5).

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { ConfigError, RepairError, createStream, repair } from 'jsonseam';
import * as slim from 'jsonseam/slim';
import * as small from 'jsonseam/stream';

const TEXTS = [
  '{"a": [1, 2, {"b": "x"}], "c": null}',
  "{'city': 'Os\\u006co', 'tags': ['a', 'b',], n: 12,}",
  'Sure! Here it is:\n```json\n{"a": "é😀", "ü": [True, 1.5e3,]}\n```\nDone.',
  "<think>{not it}</think> {a: 'x', \"~/\": {'b': ''}}",
  '{"a": "cut off here',
  '{"a": 1, "b": 12',
  '{"a": 1, "a": "x", "a": "y"}',
  `[{"k": "😀${'w'.repeat(50)}"}, -0.0, "\\ud83d\\ude00"]`,
  'Sure: {city: \'Oslo\', "rivers": ["Alna", "Akerselva",], n: 7}',
  'Sure: {"city": \'Oslo\', "rivers": ["Alna",]} and more',
  'no JSON at all',
  '{"a" 1 2}',
  '"just text"',
  '',
];
const SIZES = [1, 7, 64, undefined];

/** A text or bytes in pieces of a size, or of different ones, empty ones among them. */
function* piecesOf(text, size) {
  for (let at = 0, turn = 0; at < text.length; turn += 1) {
    const step = size ?? [0, 3, 1, 11, 2][turn % 5];
    yield text.slice(at, at + step);
    at += step;
  }
}

const attempt = (work) => {
  try {
    return work();
  } catch (error) {
    assert.ok(error instanceof RepairError, `${error}`);
    return error;
  }
};
const plain = (result) =>
  result instanceof RepairError
    ? { reason: result.reason, position: result.position, byteOffset: result.byteOffset, message: result.message, line: result.line, column: result.column }
    : { text: result.text, edits: result.edits, payload: result.payload, cut: result.isTruncated, incomplete: result.incomplete, further: result.further, report: result.report() };

function streamed(pieces, options, create = createStream) {
  const stream = create(options);
  const [events, settled] = [[], []];
  const result = attempt(() => {
    for (const piece of pieces) {
      events.push(...stream.push(piece));
      settled.push(stream.settled);
    }
    const repaired = stream.finish();
    events.push(...stream.rest);
    settled.push(stream.settled);
    return repaired;
  });
  return { events, settled, result };
}

for (const preset of ['strict', 'standard', 'lenient']) {
  test(`T1: any pieces give what the whole text gives, ${preset}`, () => {
    for (const text of TEXTS) {
      const wanted = plain(attempt(() => repair(text, { preset })));
      for (const size of SIZES) {
        for (const whole of [text, Buffer.from(text)]) {
          for (const create of [createStream, small.createStream]) {
            const { events, settled, result } = streamed(piecesOf(whole, size), { preset }, create);
            assert.deepEqual(plain(result), wanted, text);
            settled.forEach((after, index) => assert.ok(after.startsWith(settled[index - 1] ?? ''), text));
            if (result instanceof RepairError) continue;
            assert.equal(settled.at(-1), result.text.trim());
            const seams = events.filter(({ kind }) => kind === 'seam').map(({ kind, ...edit }) => edit);
            assert.deepEqual(seams, result.edits.map(({ path, ...edit }) => edit));
          }
        }
      }
    }
  });
}

test('T2: events are true of the result', () => {
  for (const text of TEXTS) {
    for (const size of SIZES) {
      const { events, result } = streamed(piecesOf(text, size));
      if (result instanceof RepairError) continue;
      const joined = new Map();
      for (const event of events) {
        if (event.kind === 'text') joined.set(event.path, (joined.get(event.path) ?? '') + event.text);
        if (event.kind !== 'done') continue;
        if (joined.has(event.path)) assert.equal(joined.get(event.path), event.value);
        joined.delete(event.path);
        const { start, end, byteStart, byteEnd } = event;
        assert.equal(text.slice(start, end), Buffer.from(text).subarray(byteStart, byteEnd).toString());
      }
      const roots = events.filter(({ kind, path }) => kind === 'done' && path === '');
      assert.deepEqual(roots.map(({ value }) => value), [result.value]);
    }
  }
});

test('T3 and T5: snapshots are JSON and say what is open', () => {
  const stream = createStream();
  assert.deepEqual([stream.snapshot(), stream.state], [undefined, 'looking']);
  stream.push('Sure: {"a": "x", "b": ["y');
  const { value, open, text } = stream.snapshot();
  assert.deepEqual([value, open, JSON.parse(text)], [{ a: 'x', b: ['y'] }, ['', '/b', '/b/0'], value]);
  stream.push('\\');
  assert.deepEqual(stream.snapshot().value, { a: 'x', b: ['y'] });
  stream.push('n"]}');
  assert.deepEqual(stream.finish().value, { a: 'x', b: ['y\n'] });
  assert.deepEqual([stream.state, stream.settled, stream.tail, stream.text.length], ['finished', '{"a": "x", "b": ["y\\n"]}', '', 30]);
  for (const late of [() => stream.push('x'), () => stream.finish(), () => stream.snapshot()]) assert.throws(late, /has ended/);
});

test('pieces may cut characters, and what is no text ends the stream', () => {
  const stream = createStream();
  for (const piece of ['{"a": "\ud83d', '', '\ude00', Buffer.from([0xc3]), new Uint8Array([0xa9]), '"}']) stream.push(piece);
  assert.deepEqual(stream.finish().value, { a: '😀é' });
  const spoiled = [
    [['{"é": 1}', 'x\ud83d', 'y'], 'invalid_utf16', 9],
    [['{"é": 1}', '\ud83d'], 'invalid_utf16', 8],
    [['{"é": 1}', Buffer.from([0xff])], 'invalid_utf8'],
    [['{"é": 1}', Buffer.from([0xc3]), 'x'], 'invalid_utf8'],
    [['{"é": 1}', Buffer.from([0xc3])], 'invalid_utf8'],
    [['{"é": 1}', ' '.repeat(20)], 'limit_exceeded'],
  ];
  for (const [pieces, reason, position] of spoiled) {
    const broken = createStream({ maxInputBytes: 20 });
    const errors = pieces.map((piece) => attempt(() => broken.push(piece))).filter((error) => error instanceof RepairError);
    const last = attempt(() => broken.finish());
    assert.deepEqual([...errors, last].map((error) => [error.reason, error.position]), Array(errors.length + 1).fill([reason, position]));
    assert.ok(errors.length <= 1);
  }
  assert.throws(() => createStream().push(1), TypeError);
});

test('a refusal comes once, without text, and finish repeats it', () => {
  const stream = createStream();
  // What settled before it is told first.
  assert.deepEqual(stream.push('{"canary" 1 2, "b": ').map(({ kind }) => kind), ['payload', 'begin']);
  assert.equal(stream.state, 'refused');
  const error = attempt(() => stream.push(' '));
  assert.deepEqual(stream.push('anything'), []);
  assert.doesNotMatch(inspect(error, { depth: 9 }) + inspect(stream, { depth: 9 }) + JSON.stringify(stream), /canary/);
  assert.deepEqual(error.mendedBy, attempt(() => repair('{"canary" 1 2, "b": ')).mendedBy);
  assert.deepEqual(plain(attempt(() => stream.finish())), plain(error));
});

test('options are those of a pipeline', () => {
  for (const create of [createStream, small.createStream, small.eventTransform, small.settledTransform]) {
    assert.throws(() => create({ presett: 'strict' }), /did you mean `preset`/);
    assert.throws(() => create({ preset: 'standart' }), ConfigError);
  }
  const late = createStream({ candidates: 'last' });
  assert.deepEqual([late.push('{"a": 1} {"b": 2}'), late.state], [[], 'looking']);
  assert.deepEqual([late.finish().text, late.rest.at(-1).value], ['{"b": 2}', { b: 2 }]);
  assert.deepEqual(createStream({ config: 'preset = "strict"' }).push('{"a": 1, "b": {').slice(0, 3).map(({ kind }) => kind), ['payload', 'begin', 'done']);
  assert.throws(() => small.createStream({ config: 'preset = "strict"' }), /import from `jsonseam`/);
});

async function through(pieces, transform) {
  const given = [];
  const source = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  try {
    for await (const one of source.pipeThrough(transform)) given.push(one);
  } catch (error) {
    return [given, error];
  }
  return [given];
}

test('eventTransform ends with what repair gives', async () => {
  for (const size of SIZES) {
    const [events, error] = await through(piecesOf(TEXTS[2], size), small.eventTransform());
    assert.equal(error, undefined);
    const { kind, repaired } = events.pop();
    assert.deepEqual([kind, plain(repaired)], ['end', plain(repair(TEXTS[2]))]);
    assert.deepEqual(events.map(({ kind }) => kind).filter((kind) => kind !== 'text'), ['payload', 'begin', 'done', 'begin', 'seam', 'done', 'done', 'seam', 'done', 'done']);
  }
});

test('settledTransform gives the repaired text in pieces', async () => {
  for (const text of TEXTS) {
    const wanted = attempt(() => repair(text));
    for (const size of SIZES) {
      const [given, error] = await through(piecesOf(text, size), small.settledTransform({ allowTruncated: true }));
      if (wanted instanceof RepairError) assert.deepEqual(plain(error), plain(wanted));
      else assert.equal(given.join(''), wanted.text.trim());
    }
  }
  const [given] = await through(piecesOf(TEXTS[0], 1), small.settledTransform());
  assert.ok(given.length > 10);
});

test('B3: what is cut off is refused before anything is closed', async () => {
  const cut = ['{"paid": true, "amount": 12'];
  const [events, error] = await through(cut, small.eventTransform());
  assert.deepEqual([error.reason, error.isTruncated], ['truncated', true]);
  const done = events.filter(({ kind }) => kind === 'done').map(({ path }) => path);
  assert.deepEqual(done, ['/paid']);
  assert.equal((await through(cut, small.settledTransform()))[1].reason, 'truncated');
  assert.equal((await through(cut, small.eventTransform({ allowTruncated: true })))[0].at(-1).repaired.isTruncated, true);
  assert.equal((await through(['{"a": 1}'], small.eventTransform({ finishReason: () => 'length' })))[1].reason, 'truncated');
  const stream = createStream();
  stream.push('{"a": 1');
  assert.deepEqual(stream.finish({ finishReason: 'length' }).incomplete, ['/a']);
});

test('T4: small pieces of a long text cost what the text costs', () => {
  const microseconds = (items) => {
    const text = JSON.stringify(Array.from({ length: items }, (_, n) => ({ name: 'x'.repeat(20), n })));
    const stream = createStream();
    const before = process.cpuUsage();
    for (const piece of piecesOf(text, 4)) stream.push(piece);
    stream.finish();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const best = (items) => Math.min(...[1, 2, 3].map(() => microseconds(items)));
  microseconds(500);
  assert.ok(best(8000) < 8 * 3 * best(1000));
});

test('an engine without streams says which has them', () => {
  const bring = (name) => slim.initSync(readFileSync(fileURLToPath(import.meta.resolve(`jsonseam/${name}.wasm`))));
  bring('core');
  assert.throws(() => slim.createStream(), (error) => error instanceof slim.EngineError && error.code === 'engine_missing' && /full\.wasm.*stream\.wasm/.test(error.message));
  for (const name of ['full', 'stream']) {
    bring(name);
    const stream = slim.createStream();
    stream.push('{a: 1');
    assert.equal(stream.finish().text, '{"a": 1}');
  }
  const lost = slim.createStream();
  bring('full');
  assert.throws(() => lost.push('{'), /begin another one/);
});

test('half a surrogate pair is in the pieces of a string as it is in its value', () => {
  for (const size of [1, 7, 64]) {
    const text = '{"a": "x\\ud83d!\\udE00 \\ufffd", "b": "\\ud83d\\ude00"}';
    const stream = createStream();
    const told = [];
    for (let at = 0; at < text.length; at += size) told.push(...stream.push(text.slice(at, at + size)));
    const value = stream.finish().value;
    const all = [...told, ...stream.rest];
    const said = (path) => all.filter((event) => event.kind === 'text' && event.path === path).map((event) => event.text);
    assert.equal(said('/a').join(''), value.a);
    assert.equal(said('/b').join(''), '😀');
  }
});

test('what settled before a refusal is given, and the next piece throws', () => {
  const stream = createStream({ preset: 'strict' });
  const told = stream.push('{"a": 1, "b": ?');
  assert.deepEqual(told.map((event) => event.kind), ['payload', 'begin', 'done']);
  assert.equal(stream.state, 'refused');
  assert.throws(() => stream.push(', "c"'), RepairError);
  assert.deepEqual(stream.push('}'), []);
  assert.throws(() => stream.finish(), RepairError);
});
