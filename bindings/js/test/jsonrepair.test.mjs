// The signature of the package `jsonrepair`.

import assert from 'node:assert/strict';
import test from 'node:test';
import { jsonrepair as theirs } from 'jsonrepair';
import { JSONRepairError, jsonrepair } from 'jsonseam/jsonrepair';

test('text in, text out', () => {
  assert.equal(jsonrepair("{name: 'Ada', tags: [1, 2,]}"), '{"name": "Ada", "tags": [1, 2]}');
  assert.equal(jsonrepair(' [1] \n'), ' [1] \n');
  assert.equal(jsonrepair('"text"'), '"text"');
  assert.equal(jsonrepair('{"a": [1, 2'), '{"a": [1, 2]}');
});

test('a refusal is an error with the place in UTF-16 units', () => {
  assert.throws(
    () => jsonrepair('{"😀": "CANARY" "x" "y" : }]'),
    (error) => {
      assert.ok(error instanceof JSONRepairError && error instanceof Error);
      assert.equal(error.name, 'JSONRepairError');
      assert.match(error.message, new RegExp(` at position ${error.position}$`));
      assert.ok(error.position > 6 && error.position < 28);
      assert.ok(!error.message.includes('CANARY'));
      return true;
    },
  );
  assert.throws(() => jsonrepair(''), (error) => error instanceof JSONRepairError && error.position === 0);
  assert.throws(() => jsonrepair('{"a": "\ud800"}'), (error) => error instanceof JSONRepairError && error.position === 7);
  assert.throws(() => jsonrepair(1), TypeError);
});

test('a second argument chooses the rules, and who is asked where this engine refuses', () => {
  assert.throws(() => jsonrepair('{"a": [1, 2', { preset: 'strict' }), JSONRepairError);
  assert.equal(jsonrepair('callback_without_json', { fallback: theirs }), theirs('callback_without_json'));
  assert.equal(jsonrepair('{a: 1}', { fallback: () => assert.fail('it was asked') }), '{"a": 1}');
  assert.throws(() => jsonrepair('{', { fallbck: theirs }), TypeError);
  assert.throws(() => jsonrepair('{', { fallback: 1 }), TypeError);
});
