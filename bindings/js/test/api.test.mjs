// What the package promises, through its own name as a user imports it.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import test from 'node:test';
import * as jsonseam from 'jsonseam';
import * as core from 'jsonseam/core';

const { RepairError, ConfigError } = jsonseam;
const refusal = (work) => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof RepairError, `${error}`);
    return error;
  }
  return assert.fail('it was not refused');
};

for (const [name, { repair, parse, check, createPipeline }] of Object.entries({ jsonseam, core })) {
  test(`${name}: a completion is repaired and every edit is listed`, () => {
    const repaired = repair('Sure: {name: \'Ada\', "tags": ["a",]} Bye');
    assert.equal(repaired.text, '{"name": "Ada", "tags": ["a"]}');
    assert.deepEqual(repaired.value, { name: 'Ada', tags: ['a'] });
    assert.equal(repaired.status, 'repaired');
    assert.equal(repaired.risk, 'certain');
    assert.equal(repaired.isTruncated, false);
    assert.deepEqual(repaired.edits.at(-1), { rule: 'trailing-comma', risk: 'certain', start: 32, end: 33, byteStart: 32, byteEnd: 33, replacement: '', path: '/tags/0' });
    assert.equal(repaired.revert(), '{name: \'Ada\', "tags": ["a",]}');
  });

  test(`${name}: offsets are UTF-16 units, with bytes beside them`, () => {
    const text = '😀é {"a": "😀", "b": None}';
    const [edit] = repair(text).edits;
    assert.equal(text.slice(edit.start, edit.end), 'None');
    assert.equal(Buffer.from(text).subarray(edit.byteStart, edit.byteEnd).toString(), 'None');
    assert.equal(edit.byteStart - edit.start, 2 + 1 + 2);
    const error = refusal(() => check('{"é😀": nope}'));
    assert.equal(error.position, 8);
    assert.equal(error.byteOffset, 11);
    assert.equal(error.column, 8);
  });

  test(`${name}: what is valid comes back as it is`, () => {
    for (const text of ['{}', ' [1, 2]\n', '"x"', '12', 'null', '{"a":1e400,"a":2}', '[-0]', '{"a":"\\ud800"}']) {
      assert.equal(repair(text).text, text);
      assert.equal(repair(text).status, 'valid');
      assert.deepEqual(parse(text), JSON.parse(text));
      check(text);
    }
    assert.ok(Object.is(parse('[-0]')[0], -0));
    const own = parse('{"__proto__": {"a": 1}, "b": 1, "b": 2}');
    assert.deepEqual([Object.keys(own), Object.getPrototypeOf(own), own.b], [['__proto__', 'b'], Object.prototype, 2]);
    assert.deepEqual(parse('{"a": [1, 2]}', { reviver: (key, value) => (key === '0' ? undefined : value) }), JSON.parse('{"a": [1, 2]}', (key, value) => (key === '0' ? undefined : value)));
  });

  test(`${name}: a valid text is not copied back, and has the report that the engine gives`, () => {
    for (const text of ['{"é": [1, {"😀": "\\""}]}', ' [] ', '{"a": {"b": 1}}', ' 12\n', '"\u2028"']) {
      const report = repair(text).report();
      assert.equal(report.status, 'valid');
      assert.equal(report.text, text);
      assert.deepEqual(report.payload, { start: 0, end: Buffer.byteLength(text) });
      assert.deepEqual(repair(text).payload, { start: 0, end: text.length, byteStart: 0, byteEnd: Buffer.byteLength(text) });
    }
    const deep = '['.repeat(128) + ']'.repeat(128);
    assert.equal(refusal(() => repair(deep)).reason, 'limit_exceeded');
    assert.equal(refusal(() => parse(deep)).reason, 'limit_exceeded');
    assert.equal(refusal(() => parse('"éé"', { maxInputBytes: 5 })).reason, 'limit_exceeded');
    assert.equal(parse('"éé"', { maxInputBytes: 6 }), 'éé');
    assert.equal(refusal(() => parse('{"a": 1}', { finishReason: 'length' })).reason, 'truncated');
    const quoted = JSON.stringify(['['.repeat(300), '\\'.repeat(9), '"{'.repeat(99)]);
    assert.equal(repair(quoted).text, quoted);
  });

  test(`${name}: half of an answer is marked by repair and refused by parse`, () => {
    const cut = repair('{"a": [1, 2');
    assert.equal(cut.text, '{"a": [1, 2]}');
    assert.equal(cut.isTruncated, true);
    assert.equal(refusal(() => parse('{"a": [1, 2')).reason, 'truncated');
    assert.deepEqual(parse('{"a": [1, 2', { allowTruncated: true }), { a: [1, 2] });
    assert.equal(refusal(() => parse('{"a": 1}', { finishReason: 'length' })).reason, 'truncated');
    assert.deepEqual(parse('{"a": 1}', { finishReason: 'stop' }), { a: 1 });
  });

  test(`${name}: a refusal says why, where and which rules would have helped`, () => {
    const error = refusal(() => repair('{"a": [1, 2', { preset: 'strict' }));
    assert.deepEqual([error.name, error.constructor.name], ['RepairError', 'RepairError']);
    assert.equal(error.reason, 'truncated');
    assert.equal(error.code, 'output_decode_failed');
    assert.deepEqual([error.position, error.line, error.column], [11, 1, 12]);
    assert.deepEqual([error.mendedBy, error.repairedWith], [['unclosed-container'], ['unclosed-container']]);
    assert.equal(error.mendedBy, error.mendedBy, 'they are found once');
    assert.equal(Object.hasOwn(error, 'mendedBy'), false, 'whoever looks at an error does not ask');
    assert.doesNotMatch(error.message, /unclosed-container/);
    assert.deepEqual(refusal(() => repair('{"a": @}', { preset: 'strict' })).mendedBy, []);
    for (const preset of ['strict', 'standard', 'lenient']) {
      const { unanswered } = refusal(() => repair('é {key: value}', { preset }));
      assert.deepEqual({ ...unanswered, why: undefined }, { position: 8, byteOffset: 9, line: 1, column: 9, expected: 'a value', why: undefined });
      assert.match(unanswered.why, /never filled in/);
      assert.match(refusal(() => repair('é {key: value}', { preset })).help[0], /^all rules together stop at line 1 column 9: this word without quotes is code/);
    }
    assert.deepEqual(error.help, ['rules that are off and repair the text together: unclosed-container']);
    const twice = refusal(() => repair('{"a": "x "y", "b": "z", "c": 1}', { preset: 'lenient' }));
    assert.match(twice.message, /or by what no rule writes: the text may hold what looks like the next member$/);
    assert.match(twice.help[0], /^if the first reading is the one that is meant, make its edits by hand/);
    assert.equal(error.unanswered, undefined, 'rules that are off repair it');
    assert.equal(error.isTruncated, true);
    assert.equal(error.isRetryable, false);
    assert.equal(refusal(() => repair('I cannot do that.')).reason, 'no_json_object_found');
    assert.equal(refusal(() => repair('')).reason, 'no_json_object_found');
  });

  test(`${name}: options choose preset, root, risk and rules`, () => {
    assert.equal(refusal(() => repair('[1]', { root: 'object' })).reason, 'top_level_array_not_allowed');
    assert.equal(refusal(() => repair('{"a": 1,}', { disable: ['trailing-comma'] })).reason, 'syntax');
    assert.equal(repair('{"a": 1,}', { order: ['trailing-comma'] }).text, '{"a": 1}');
    assert.equal(repair('{"a": None}', { preset: 'strict', enable: ['python-literal'] }).text, '{"a": null}');
    assert.equal(refusal(() => repair('{"a": 1', { maxRisk: 'certain' })).reason, 'truncated');
    const pipeline = createPipeline({ preset: 'strict', root: 'object' });
    assert.ok(pipeline.rules.includes('trailing-comma'));
    assert.equal(pipeline.repair('{"a": 1,}').text, '{"a": 1}');
    assert.deepEqual(pipeline.parse('{"a": 1,}', { reviver: (_, value) => (value === 1 ? 2 : value) }), { a: 2 });
  });

  test(`${name}: what is no string, and names that are unknown, are TypeErrors`, () => {
    for (const text of [undefined, null, 1, {}, [], Buffer.from('{}'), new String('{}')]) {
      for (const work of [repair, parse, check]) assert.throws(() => work(text), TypeError);
    }
    assert.throws(() => repair('{}', { presset: 'strict' }), /unknown option `presset`; did you mean `preset`\?/);
    assert.throws(() => repair('{}', { max_risk: 'likely' }), /did you mean `maxRisk`\?/);
    assert.throws(() => repair('{}', { preset: 1 }), TypeError);
    assert.throws(() => repair('{}', { enable: 'trailing-comma' }), TypeError);
    assert.throws(() => repair('{}', null), TypeError);
    assert.throws(() => repair('{}', []), TypeError);
    assert.throws(() => createPipeline({ finishReason: 'stop' }), TypeError);
    assert.throws(() => repair('{}', { __proto__: null, toString: 1 }), TypeError);
  });

  test(`${name}: values that mean nothing are ConfigErrors with the near name`, () => {
    const configError = (options) => {
      try {
        repair('{"a":1,}', options);
      } catch (error) {
        assert.ok(error instanceof ConfigError, `${error}`);
        return error.message;
      }
      return assert.fail('it was taken');
    };
    assert.match(configError({ preset: 'standart' }), /standard/);
    assert.match(configError({ enable: ['trailing-coma'] }), /trailing-comma/);
    assert.match(configError({ root: 'Object' }), /object, array, any/);
    assert.match(configError({ maxDepth: 999 }), /./);
  });

  test(`${name}: lone surrogates are refused, never replaced`, () => {
    for (const [text, position] of [['{"a": "\ud800"}', 7], ['\udc00{}', 0], ['{"😀": "\ud83d', 8]]) {
      for (const work of [repair, parse, check]) {
        const error = refusal(() => work(text));
        assert.equal(error.reason, 'invalid_utf16');
        assert.equal(error.position, position);
      }
    }
  });

  test(`${name}: what is too large is refused before it is copied`, () => {
    assert.equal(refusal(() => repair('{"a": 1,}', { maxInputBytes: 5 })).reason, 'limit_exceeded');
    assert.equal(refusal(() => repair('{"é": 1 }', { maxInputBytes: 9 })).reason, 'limit_exceeded');
    assert.equal(refusal(() => repair(`{"a": "${'x'.repeat(65 * 1024 * 1024)}"}`)).reason, 'limit_exceeded');
  });

  test(`${name}: neither errors nor what loggers see hold text of the completion`, () => {
    const canary = 'CANARY-7f3a';
    const repaired = repair(`{key: '${canary}',}`);
    for (const shown of [inspect(repaired), JSON.stringify(repaired), `${inspect(repaired, { showHidden: true, depth: 9 })}`]) {
      assert.ok(!shown.includes(canary), shown);
    }
    assert.ok(JSON.stringify(repaired.report()).includes(canary), 'the report is the explicit call');
    const error = refusal(() => repair(`{"${canary}": "${canary}" "${canary}`, { preset: 'strict' }));
    for (const shown of [error.message, error.stack, inspect(error, { showHidden: true, depth: 9 }), JSON.stringify(error)]) {
      assert.ok(!shown.includes(canary), shown);
    }
  });
}

test('a payload that is valid inside of prose has its offsets, and its further payloads theirs', () => {
  const repaired = jsonseam.repair('é 😀 {"a": 1} or {"b": 2}');
  assert.deepEqual(repaired.payload, { start: 5, end: 13, byteStart: 8, byteEnd: 16 });
  assert.deepEqual([repaired.status, repaired.edits, repaired.value], ['valid', [], { a: 1 }]);
  for (const { start, end, byteStart } of repaired.further) assert.deepEqual([start, end, byteStart], [17, 25, 20]);
});

test('10,000 repairs do not grow the memory', () => {
  const broken = `{name: 'Ada', "tags": [${'"a", '.repeat(100)}],}`;
  const pipeline = jsonseam.createPipeline({ preset: 'lenient' });
  const rest = () => {
    for (let index = 0; index < 5_000; index += 1) pipeline.repair(broken);
    return process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  };
  const before = rest();
  const after = rest();
  assert.ok(after - before < 4 * 1024 * 1024, `${before} → ${after}`);
});

test('patterns have captures, Unicode classes and word boundaries, and are refused by name', () => {
  const config = (find, replace) => `preset = "strict"\nroot = "any"\n[[pattern]]\nname = "p"\nat = "value"\nrisk = "guess"\nfind = '${find}'\nreplace = '${replace}'\n`;
  const repaired = (text, ...pattern) => jsonseam.repair(text, { config: config(...pattern), maxRisk: 'lossy' }).text;
  assert.equal(repaired('[env(HOME), 1]', 'env\\((?<name>\\w+)\\)', '"$name"'), '["HOME", 1]');
  assert.equal(repaired('[été, 1]', '(\\p{Ll}+)\\b', '"$1"'), '["été", 1]');
  assert.equal(refusal(() => repaired('[Été, 1]', '(\\p{Ll}+)\\b', '"$1"')).reason, 'syntax');
  assert.equal(repaired('[ÉTÉ, 1]', '(?i)été', '"x"'), '["x", 1]');
  assert.throws(() => repaired('[x]', 'x', '$2'), /names the group `2`/);
  assert.throws(() => repaired('[x]', '(x', ''), /a group is not closed/);
  assert.throws(() => repaired('[x]', '((a{100}){100}){100}', ''), /too large/);
});

test('a configuration as TOML is taken, with its patterns', () => {
  const config = `preset = "strict"\nroot = "any"\n[[pattern]]\nname = "fat-arrow"\nat = "colon"\nfind = '=>'\nreplace = ":"\nrisk = "likely"\n`;
  assert.equal(jsonseam.repair('{"a" => 1}', { config }).text, '{"a" : 1}');
  assert.equal(refusal(() => jsonseam.repair('{"a" => None}', { config })).reason, 'syntax');
  assert.throws(() => core.repair('{"a" => 1}', { config }), /import from `jsonseam`/);
  assert.deepEqual(jsonseam.createPipeline({ config: '[rules]\norder = ["trailing-comma"]\n' }).rules, ['trailing-comma']);
  assert.deepEqual(jsonseam.createPipeline({ config: 'root = "any"\n' }).rules, jsonseam.createPipeline().rules);
  try {
    jsonseam.createPipeline({ config: 'preset = "strict"\nrooot = "any"\n' });
    assert.fail('it was taken');
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.deepEqual([error.line, error.column], [2, 1]);
  }
});

test('the catalogue has every rule with its risk and its text', () => {
  const { rules, presets } = jsonseam.catalogue();
  assert.ok(rules.length > 70);
  assert.deepEqual(presets.map(({ name }) => name).sort(), ['lenient', 'standard', 'strict']);
  const comma = rules.find(({ name }) => name === 'trailing-comma');
  assert.equal(comma.risk, 'certain');
  assert.match(comma.doc, /# Example/);
  // It is a file beside the engine: the two must be of one build.
  for (const { name, rules: names } of presets) assert.deepEqual(jsonseam.createPipeline({ preset: name }).rules, names, name);
  const every = jsonseam.createPipeline({ order: rules.map(({ name }) => name), maxRisk: 'lossy' });
  assert.equal(every.rules.length, rules.length);
});

test('errors are of the same classes everywhere', () => {
  assert.equal(jsonseam.RepairError, core.RepairError);
  assert.equal(jsonseam.ConfigError, core.ConfigError);
});

test('both readings of an ambiguous text are given, with offsets in UTF-16 units', async () => {
  const { RepairError: Raw } = await import('../dist/node/common.js');
  const text = '😀 {"a": "b" c"}';
  const at = Buffer.byteLength(text.slice(0, 12));
  const record = {
    version: 1, status: 'refused', payload: null, text: null, value: null, edits: [], risk: null, truncated: false, incomplete: [],
    error: { code: 'output_decode_failed', reason: 'ambiguous_repair', offset: at, line: 1, column: 12, doubt: 'words', readings: [{ cost: 100, edits: [{ rule: 'x', start: at, end: at + 1 }] }, { cost: 130, edits: [] }] },
  };
  const error = Raw.of({ record, refusal: { message: 'm', retryable: true, candidates: [] } }, text);
  assert.ok(error instanceof RepairError);
  assert.deepEqual(error.readings, [{ cost: 100, edits: [{ rule: 'x', start: 12, end: 13, byteStart: at, byteEnd: at + 1 }] }, { cost: 130, edits: [] }]);
  assert.deepEqual([error.reason, error.position, error.doubt, error.mendedBy], ['ambiguous_repair', 12, 'words', []]);
});
