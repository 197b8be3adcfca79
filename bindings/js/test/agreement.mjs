// `node test/agreement.mjs [--write]`: how far this engine agrees with the package `jsonrepair` on the texts of its own test-suite.
//
// The texts are read from JSONSEAM_DATA/peers/jsonrepair.jsonl. Only hashes of them are kept here, each with a verdict,
// so that every change of an answer is seen, and, for a difference under the default preset, with the class that a reviewer gave it.
// The page with the table is docs/jsonrepair-agreement.md.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERDICTS = fileURLToPath(new URL('jsonrepair.verdicts', import.meta.url));
const CLASSES = fileURLToPath(new URL('jsonrepair.classes.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../../../docs/jsonrepair-agreement.md', import.meta.url));

export const KINDS = {
  'same-text': 'the same text',
  'same-value': 'the same value, other white space or spelling',
  'both-refuse': 'both refuse',
  'refused': 'refused here, answered there',
  'other-value': 'another value',
  'answered': 'answered here, refused there',
};

const hash = (text) => createHash('sha256').update(text).digest('hex').slice(0, 16);
const value = (text) => JSON.stringify(JSON.parse(text));

/** The distinct texts of their suite, with what they give. */
export function texts(data) {
  const lines = readFileSync(join(data, 'peers/jsonrepair.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  const distinct = new Map(lines.filter(({ input }) => typeof input === 'string').map((line) => [line.input, line]));
  return [...distinct.values()];
}

export function verdict(jsonrepair, { input, expected: actual }, preset) {
  let text;
  try {
    text = jsonrepair(input, { preset });
  } catch (error) {
    if (error.name !== 'JSONRepairError') throw error;
    return actual === null ? 'both-refuse' : 'refused';
  }
  if (actual === null || actual === undefined) return 'answered';
  if (text === actual) return 'same-text';
  return value(text) === value(actual) ? 'same-value' : 'other-value';
}

const PRESETS = ['strict', 'standard', 'lenient'];

/** One line for each text: its hash, and a verdict for each preset. */
export function table(jsonrepair, data) {
  return texts(data)
    .map((text) => [hash(text.input), ...PRESETS.map((preset) => verdict(jsonrepair, text, preset))].join(' '))
    .sort();
}

export function counts(lines) {
  return Object.fromEntries(
    PRESETS.map((preset, index) => {
      const verdicts = lines.map((line) => line.split(' ')[index + 1]);
      return [preset, Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, verdicts.filter((verdict) => verdict === kind).length]))];
    }),
  );
}

/** What is not the same under the default preset, and so needs a class with an argument. */
const DIFFERENT = ['refused', 'other-value', 'answered'];
const DEFAULT = PRESETS.indexOf('lenient') + 1;

/** The classes with their arguments, and the class of each text that is answered in another way. */
export const reviewed = () => JSON.parse(readFileSync(CLASSES, 'utf8'));

/** The texts that are answered in another way and have no class, and the classes that no text needs. */
export function unclassed(lines) {
  const { classes, texts: classed } = reviewed();
  const different = lines.map((line) => line.split(' ')).filter((row) => DIFFERENT.includes(row[DEFAULT]));
  const used = new Set(different.map(([key]) => classed[key]));
  return [...different.filter(([key]) => classes[classed[key]] === undefined).map(([key]) => key), ...Object.keys(classes).filter((name) => !used.has(name))];
}

/** For each class how many texts are refused, have another value, or are answered here alone; the largest first. */
function byClass(lines) {
  const { classes, texts: classed } = reviewed();
  const sums = Object.keys(classes).map((name) => {
    const of = lines.map((line) => line.split(' ')).filter(([key]) => classed[key] === name);
    return [name, ...DIFFERENT.map((kind) => of.filter((row) => row[DEFAULT] === kind).length)];
  });
  const size = ([, ...numbers]) => numbers.reduce((sum, number) => sum + number, 0);
  return sums.filter((row) => size(row) > 0).sort((one, other) => size(other) - size(one)).map((row) => `| ${row.join(' | ')} | ${classes[row[0]]} |`);
}

export const kept = () => readFileSync(VERDICTS, 'utf8').trim().split('\n');

function page(lines) {
  const sums = counts(lines);
  const rows = Object.entries(KINDS).map(([kind, words]) => `| ${words} | ${PRESETS.map((preset) => sums[preset][kind]).join(' | ')} |`);
  return `# How far \`jsonseam/jsonrepair\` agrees with \`jsonrepair\`

<!-- Written by \`node bindings/js/test/agreement.mjs --write\`; a test compares it. -->

The signature is that of the npm package \`jsonrepair\`; the answers are those of jsonseam.
This page says how often they are the same on the ${lines.length} distinct texts of that package's own test-suite, run over its version 3.15.0, with any root.

| answer | ${PRESETS.map((preset) => `\`${preset}\``).join(' | ')} |
|---|---|---|---|
${rows.join('\n')}

- \`lenient\` is the default of \`jsonseam/jsonrepair\`.
- *Refused here* is an exception. \`jsonrepair\` answers nearly everything, prose too; to refuse where there is more than one answer is what this library is for.
- \`jsonrepair(text, { fallback: jsonrepairOfTheOtherPackage })\` asks the other package where jsonseam refuses, and nowhere else.

## Each difference by its class

With the preset \`lenient\`.
A test fails if a text is answered in another way and has no class, and if a class has no text.

| class | refused here | another value | answered here alone | why |
|---|---|---|---|---|
${byClass(lines).join('\n')}

The verdict for each text is kept in \`bindings/js/test/jsonrepair.verdicts\`, and its class in \`jsonrepair.classes.json\` beside it, both by hash; a test compares every one of them.
`;
}

export const keptPage = () => readFileSync(PAGE, 'utf8');
export { page };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const data = process.env.JSONSEAM_DATA;
  if (data === undefined) {
    console.log('NOT RUN: JSONSEAM_DATA is not set');
    process.exit(process.argv.includes('--write') ? 1 : 0);
  }
  const { jsonrepair } = await import('jsonseam/jsonrepair');
  const lines = table(jsonrepair, data);
  if (process.argv.includes('--write')) {
    writeFileSync(VERDICTS, `${lines.join('\n')}\n`);
    writeFileSync(PAGE, page(lines));
  }
  console.table(counts(lines));
  const without = unclassed(lines);
  if (without.length > 0) {
    console.log(`without a class, or a class without a text: ${without.join(', ')}`);
    process.exit(1);
  }
}
