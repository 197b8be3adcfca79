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

const ROUNDS = 25;

/** What one call of each takes, in microseconds: the best of many runs in turns, so that a busy moment of the machine does not decide. */
function micros(candidates) {
  const best = Object.fromEntries(Object.keys(candidates).map((name) => [name, Infinity]));
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(candidates)) {
      const start = performance.now();
      let count = 0;
      do {
        for (let index = 0; index < 10; index += 1) work();
        count += 10;
      } while (performance.now() - start < 15);
      const time = ((performance.now() - start) / count) * 1000;
      // The first rounds are for the compilers.
      if (round >= 0) best[name] = Math.min(best[name], time);
    }
  }
  return best;
}

const table = [];
for (const [name, rows, make] of [['1 KiB, few edits', 9, (rows) => `${valid(rows).slice(0, -1)},}`], ['1 KiB', 9, broken], ['100 KiB', 950, broken]]) {
  const [good, bad] = [valid(rows), make(rows)];
  if (theirs(bad) !== jsonrepair(bad) && JSON.stringify(JSON.parse(theirs(bad))) !== JSON.stringify(parse(bad))) throw new Error('the two do not agree on the text');
  const ofValid = micros({ 'JSON.parse': () => JSON.parse(good), parse: () => parse(good), repair: () => repair(good).text, 'jsonrepair of jsonrepair': () => theirs(good) });
  for (const [what, time] of Object.entries(ofValid)) {
    table.push({ text: `${name}, valid (${good.length} bytes): ${what}`, 'µs': time.toFixed(1), against: `${(time / ofValid['JSON.parse']).toFixed(2)}× the time of JSON.parse` });
  }
  const ofBroken = micros({ 'jsonrepair of jsonrepair': () => theirs(bad), jsonrepair: () => jsonrepair(bad), 'repair(…).text': () => core.repair(bad).text, 'repair(…).edits': () => core.repair(bad).edits });
  for (const [what, time] of Object.entries(ofBroken)) {
    table.push({ text: `${name}, broken (${bad.length} bytes, ${core.repair(bad).edits.length} edits): ${what}`, 'µs': time.toFixed(1), against: `${(ofBroken['jsonrepair of jsonrepair'] / time).toFixed(2)}× the speed of jsonrepair` });
  }
}
console.table(table);

const first = (name) => {
  const code = `const start = performance.now(); const { repair } = await import('${name}'); const imported = performance.now(); repair('{a: 1,}'); console.log(JSON.stringify([imported - start, performance.now() - imported]));`;
  const runs = Array.from({ length: 21 }, () => JSON.parse(spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8', cwd: fileURLToPath(new URL('..', import.meta.url)) }).stdout));
  const sorted = (index) => runs.map((run) => run[index]).sort((one, other) => one - other);
  const shown = (index) => `${sorted(index)[0].toFixed(1)} ms, median ${sorted(index)[10].toFixed(1)} ms`;
  return { import: shown(0), 'first repair': shown(1) };
};
console.table({ jsonseam: first('jsonseam'), 'jsonseam/core': first('jsonseam/core') });
