// The agreement with the package `jsonrepair`: every verdict, and the page made of them.

import assert from 'node:assert/strict';
import test from 'node:test';
import { jsonrepair } from 'jsonseam/jsonrepair';
import { counts, kept, keptPage, page, table, unclassed } from './agreement.mjs';

test('the page says what the verdicts say', () => {
  assert.equal(keptPage(), page(kept()));
  const { lenient } = counts(kept());
  assert.ok(lenient['same-text'] + lenient['same-value'] + lenient['both-refuse'] > kept().length / 2);
});

test('each difference has a class with an argument, and each class has a text', () => {
  assert.deepEqual(unclassed(kept()), []);
});

const data = process.env.JSONSEAM_DATA;
test('each text of their suite has the verdict that was reviewed', { skip: data ? false : 'NOT RUN: JSONSEAM_DATA is not set' }, () => {
  assert.deepEqual(table(jsonrepair, data), kept(), 'after a look at each change: node test/agreement.mjs --write');
});
