// `node test/beside.mjs FILE`: the face of `jsonrepair` and `parse` beside the package `jsonrepair`, on the texts of a file.
//
// FILE has a JSON object a line, with `set`, `text` and `truth`. Printed is an object with the sets: bytes, texts, and for each library the
// nanoseconds for all texts of the set, the least of many rounds in turns, and how many texts became what they should.

import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { jsonrepair as theirs } from 'jsonrepair';
import { parse } from 'jsonseam';
import { jsonrepair } from 'jsonseam/jsonrepair';

/** How long everyone takes turns with one set, in milliseconds, and the least rounds. */
const TURNS = 1500;
const ROUNDS = 5;

const readers = {
  jsonseam: (text) => parse(text, { preset: 'lenient', allowTruncated: true }),
  'jsonseam/jsonrepair': (text) => JSON.parse(jsonrepair(text)),
  jsonrepair: (text) => JSON.parse(theirs(text)),
};

/** The value, or nothing where the library gives up. */
function read(reader, text) {
  try {
    return reader(text);
  } catch {
    return undefined;
  }
}

/** The least milliseconds of each reader for all texts. */
function race(texts) {
  const least = Object.fromEntries(Object.keys(readers).map((name) => [name, Infinity]));
  const start = performance.now();
  for (let round = 0; round < ROUNDS || performance.now() - start < TURNS; round += 1) {
    for (const [name, reader] of Object.entries(readers)) {
      const begin = performance.now();
      for (const text of texts) read(reader, text);
      least[name] = Math.min(least[name], performance.now() - begin);
    }
  }
  return least;
}

const sets = new Map();
for (const line of readFileSync(process.argv[2], 'utf8').split('\n').filter(Boolean)) {
  const record = JSON.parse(line);
  if (!sets.has(record.set)) sets.set(record.set, []);
  sets.get(record.set).push(record);
}
const broken = [...sets].map(([name, records]) => {
  const texts = records.map((record) => record.text);
  const least = race(texts);
  const right = (reader) => records.filter((record) => isDeepStrictEqual(read(reader, record.text), record.truth)).length;
  const peers = Object.entries(readers).map(([who, reader]) => ({ who, nanoseconds: least[who] * 1e6, right: right(reader) }));
  return { name, bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0), texts: texts.length, peers };
});
console.log(JSON.stringify({ broken }));
