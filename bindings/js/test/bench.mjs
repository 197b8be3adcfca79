// `node test/bench.mjs`: what one call takes, beside `JSON.parse` and the package `jsonrepair`. Prints a table; nothing is asserted.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jsonrepair as theirs } from 'jsonrepair';
import { parse, repair } from 'jsonseam';
import * as core from 'jsonseam/core';
import { jsonrepair } from 'jsonseam/jsonrepair';

const row = (index) => ({ sku: `CBL-${index}`, quantity: index, price: 7.5, note: 'left with the neighbour', verified: true, tags: ['a', 'b'] });
const valid = (rows) => JSON.stringify({ order: 'A-17', rows: Array.from({ length: rows }, (_, index) => row(index)) });
const broken = (rows) => `${valid(rows).replace(/"(sku|note)":/g, '$1:').replaceAll('true', 'True').replaceAll('"}', '",}').slice(0, -1)},}`;

/** The median of runs of at least 20 ms each, in microseconds. */
function micros(work) {
  const until = performance.now() + 300;
  while (performance.now() < until) work();
  const runs = Array.from({ length: 15 }, () => {
    const start = performance.now();
    let count = 0;
    do {
      for (let index = 0; index < 10; index += 1) work();
      count += 10;
    } while (performance.now() - start < 20);
    return ((performance.now() - start) / count) * 1000;
  });
  return runs.sort((one, other) => one - other)[7];
}

const table = [];
for (const [name, rows, make] of [['1 KiB, few edits,', 9, (rows) => `${valid(rows).slice(0, -1)},}`], ['1 KiB', 9, broken], ['100 KiB', 950, broken]]) {
  const [good, bad] = [valid(rows), make(rows)];
  if (theirs(bad) !== jsonrepair(bad) && JSON.stringify(JSON.parse(theirs(bad))) !== JSON.stringify(parse(bad))) throw new Error('the two do not agree on the text');
  const [base, peer] = [micros(() => JSON.parse(good)), micros(() => theirs(bad))];
  const add = (what, work, against, word) => {
    const time = micros(work);
    table.push({ text: `${name} ${what}`, 'µs': time.toFixed(1), against: `${word === 'slower' ? (time / against).toFixed(2) : (against / time).toFixed(2)}× ${word === 'slower' ? 'the time of JSON.parse' : 'the speed of jsonrepair'}` });
  };
  table.push({ text: `${name} valid (${good.length} bytes): JSON.parse`, 'µs': base.toFixed(1), against: '' });
  add('valid: parse', () => parse(good), base, 'slower');
  add('valid: repair', () => repair(good).text, base, 'slower');
  add('valid: jsonrepair of jsonrepair', () => theirs(good), base, 'slower');
  table.push({ text: `${name} broken (${bad.length} bytes): jsonrepair of jsonrepair`, 'µs': peer.toFixed(1), against: '' });
  add('broken: jsonrepair', () => jsonrepair(bad), peer, 'faster');
  add('broken: repair(…).text', () => core.repair(bad).text, peer, 'faster');
  add('broken: repair(…).edits', () => core.repair(bad).edits, peer, 'faster');
}
console.table(table);

const first = (name) => {
  const code = `const start = performance.now(); const { repair } = await import('${name}'); const imported = performance.now(); repair('{a: 1,}'); console.log(JSON.stringify([imported - start, performance.now() - imported]));`;
  const runs = Array.from({ length: 9 }, () => JSON.parse(spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: fileURLToPath(new URL('..', import.meta.url)) }).stdout));
  const median = (index) => runs.map((run) => run[index]).sort((one, other) => one - other)[4].toFixed(1);
  return { import: `${median(0)} ms`, 'first repair': `${median(1)} ms` };
};
console.table({ jsonseam: first('jsonseam'), 'jsonseam/core': first('jsonseam/core') });
