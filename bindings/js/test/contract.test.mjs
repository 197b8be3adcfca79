// Contracts: JSON Schemas, Standard Schemas, and what is reported.

import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import test from 'node:test';
import { ConfigError, ContractError, RepairError, createContract } from 'jsonseam';
import * as z from 'zod';

const rejection = (work) => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof ContractError, `${error}`);
    return error;
  }
  return assert.fail('it was taken');
};

test('declared outputs are given, and nothing else', () => {
  const contract = createContract({ keys: ['answer'], optional: ['note'], schemas: { score: { type: 'integer', minimum: 0 } } });
  const { values, repaired } = contract.parse('Sure: {answer: \'yes\', "score": 7,}');
  assert.deepEqual(values, { answer: 'yes', score: 7 });
  assert.equal(repaired.edits.length, 5);
});

test('wrong keys are one error with all lists', () => {
  const error = rejection(() => createContract({ keys: ['items', 'total'] }).parse('{"items": [], "Total": 1, "Total": 2}'));
  assert.deepEqual([error.code, error.reason], ['invalid_outputs', 'missing_output_keys']);
  assert.deepEqual([error.missing, error.extra, error.duplicates], [['total'], ['Total'], ['Total']]);
  assert.equal(error.isRetryable, true);
  assert.deepEqual(error.partial, { items: [] });
  assert.match(error.messageForModel(), /total/);
});

test('patterns of schemas are those of ECMA, in linear time', () => {
  const fits = (schema, value) => {
    try {
      createContract({ schemas: { value: { type: 'string', ...schema } } }).parse(JSON.stringify({ value }));
      return true;
    } catch (error) {
      assert.ok(error instanceof ContractError, `${error}`);
      return false;
    }
  };
  for (const [pattern, right, wrong] of [
    ['^\\d+$', '42', '\u0664'], ['\\bcat\\b', 'a cat', 'concat'], ['\\bé', 'x é', 'xé'], ['^\\p{Letter}+$', 'Ünï', 'a1'], ['^\\p{Script=Greek}+$', 'αβγ', 'abc'],
    ['^(?=.*[A-Z])(?=.*\\d).{4,}$', 'abC1', 'abc1'], ['^(?!foo|bar)\\w+', 'fob', 'foo'], ['^$', '', 'a'], ['a{2,3}b', 'xaab', 'xab'], ['^\\s$', '\ufeff', 'a'], ['^\\u{1F600}$', '😀', '😁'],
  ]) assert.deepEqual([fits({ pattern }, right), fits({ pattern }, wrong)], [true, false], pattern);
  for (const pattern of ['(a)\\1', 'a(?=b)', '((a{100}){100}){100}', '(']) assert.throws(() => createContract({ schemas: { value: { pattern } } }), ConfigError, pattern);
});

test('values that do not fit are named by their path', () => {
  const error = rejection(() => createContract({ schemas: { score: { type: 'integer' } } }).parse('{"score": "CANARY"}'));
  assert.deepEqual([error.code, error.reason, error.field], ['output_validation_failed', 'schema', 'score']);
  const [{ path, keyword, found, schemaPath }] = error.violations;
  assert.deepEqual([path, keyword, found], ['/score', 'type', 'string']);
  assert.ok(schemaPath.endsWith('/type'));
  for (const shown of [error.message, inspect(error, { depth: 9 }), JSON.stringify(error.violations)]) assert.ok(!shown.includes('CANARY'), shown);
});

test('values that do not fit say which cast makes them fit', () => {
  const of = (options) => createContract({ schemas: { score: { type: 'integer' } }, ...options });
  assert.deepEqual(rejection(() => of().parse('{"score": "12"}')).help, ["it fits when it is cast: coerce: ['string-to-number']"]);
  assert.deepEqual(of({ coerce: ['string-to-number'] }).parse('{"score": "12"}').values, { score: 12 });
  assert.deepEqual(rejection(() => of().parse('{"score": {}}')).help, ['no cast makes it fit: change the schema if the answer is right, or ask the model again']);
  assert.match(rejection(() => of().parse('{"score": value}')).help[0], /^all rules together stop at line 1 column 11: /);
});

test('what does not decode carries the refusal', () => {
  const error = rejection(() => createContract({ keys: ['a'] }).parse('no JSON'));
  assert.deepEqual([error.code, error.reason], ['output_decode_failed', 'no_json_object_found']);
  assert.ok(error.refusal instanceof RepairError);
  assert.equal(error.cause, error.refusal);
});

test('a cut answer is refused unless that is allowed', () => {
  const cut = '{"a": [1, 2';
  assert.equal(rejection(() => createContract({ keys: ['a'] }).parse(cut)).reason, 'truncated');
  assert.equal(rejection(() => createContract({ keys: ['a'] }).parse('{"a": 1}', { finishReason: 'length' })).reason, 'truncated');
  assert.deepEqual(createContract({ keys: ['a'], allowTruncated: true }).parse(cut).values, { a: [1, 2] });
});

test('zod and other Standard Schemas judge, transform and help to choose', () => {
  const contract = createContract({ schemas: { when: z.string().transform((text) => text.length), items: z.array(z.object({ sku: z.string() })) } });
  assert.deepEqual(contract.parse('{"when": "now", "items": [{sku: \'A\'}]}').values, { when: 3, items: [{ sku: 'A' }] });
  const error = rejection(() => contract.parse('{"when": "now", "items": [{"sku": 1}]}'));
  assert.equal(error.code, 'output_validation_failed');
  assert.equal(error.violations[0].path, '/items/0/sku');
});

test('a Standard Schema without JSON Schema is asked itself, and may be asynchronous', async () => {
  const even = { '~standard': { version: 1, vendor: 'test', validate: (value) => (value % 2 ? { issues: [{ message: 'must be even', path: [] }] } : { value: value / 2 }) } };
  assert.deepEqual(createContract({ schemas: { n: even } }).parse('{"n": 8}').values, { n: 4 });
  const error = rejection(() => createContract({ schemas: { n: even } }).parse('{"n": 7}'));
  assert.deepEqual([error.violations[0].path, error.violations[0].message], ['/n', 'must be even']);
  const later = { '~standard': { ...even['~standard'], validate: async (value) => even['~standard'].validate(value) } };
  const contract = createContract({ schemas: { n: later } });
  assert.throws(() => contract.parse('{"n": 8}'), /parseAsync/);
  assert.deepEqual((await contract.parseAsync('{"n": 8}')).values, { n: 4 });
  await assert.rejects(contract.parseAsync('{"n": 7}'), ContractError);
});

test('an optional output that is absent is not judged', () => {
  assert.deepEqual(createContract({ keys: ['a'], optional: ['b'], schemas: { b: z.string() } }).parse('{"a": 1}').values, { a: 1 });
});

test('the whole may have a schema, given as an object or by a function', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false };
  for (const whole of [schema, () => schema, z.strictObject({ a: z.int() })]) {
    assert.deepEqual(createContract({ whole }).parse('{a: 1}').values, { a: 1 });
    assert.equal(rejection(() => createContract({ whole }).parse('{a: "1"}')).code, 'output_validation_failed');
  }
});

test('defaults and coercion are recorded', () => {
  const contract = createContract({ coerce: true, defaults: true, schemas: { a: { type: 'integer' }, b: { type: 'object', properties: { c: { default: 3 } } } } });
  const { values, casts } = contract.parse('{"a": "42", "b": {}}');
  assert.deepEqual(values, { a: 42, b: { c: 3 } });
  assert.equal(casts.length, 2);
});

test('mistakes in a contract are found when it is made', () => {
  assert.throws(() => createContract({ schemas: { a: { type: 'integr' } } }), ConfigError);
  assert.throws(() => createContract({ key: ['a'] }), /did you mean `keys`\?/);
  assert.throws(() => createContract({ duplicates: 'first' }), ConfigError);
  assert.throws(() => createContract({ keys: ['a'], root: 'array' }), ConfigError);
  assert.throws(() => createContract(), TypeError);
});

test('items at the cut and items that do not fit are left out on record', () => {
  const schemas = { rows: { type: 'array', items: { type: 'integer' } } };
  const contract = createContract({ schemas, incomplete: 'drop', items: 'fitting', coerce: ['envelope'] });
  const { values, dropped, casts, repaired } = contract.parse('{"data": {"rows": [1, "two", 3, 4');
  assert.deepEqual([values, casts, repaired.isTruncated], [{ rows: [1, 3] }, ['/data'], true]);
  const cut = { path: '/rows/3', index: 3, reason: 'incomplete', risk: 'lossy', message: 'the answer was cut off within the item', byteStart: 32, byteEnd: 33, violations: [] };
  assert.deepEqual(dropped[0], cut);
  assert.deepEqual([dropped[1].path, dropped[1].reason, dropped[1].violations[0].keyword], ['/rows/1', 'schema', 'type']);
  assert.equal(dropped[1].message, 'Field "rows.1": Expected integer, got string');
  assert.deepEqual(createContract({ schemas }).parse('{"rows": []}').dropped, []);
  assert.equal(rejection(() => createContract({ schemas, incomplete: 'drop' }).parse('{"rows": [1, 2]')).reason, 'truncated');
  for (const options of [{ incomplete: 'dorp' }, { items: 'some' }, { coerce: ['trimm'] }, { coerce: 'yes' }, { incomplete: 'drop', allowTruncated: true }]) {
    assert.throws(() => createContract({ keys: ['a'], ...options }).parse('{"a": 1}'));
  }
});
