#!/usr/bin/env node
// `jsonseam-jsonrepair`: the command line of the package `jsonrepair`, with the answers of this engine.

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, basename } from 'node:path';
import { parseArgs } from 'node:util';
import { droppedIn } from '#node-common';
import { ConfigError, repair } from '#node-core';

const HELP = `Usage: jsonseam-jsonrepair [FILE] [OPTIONS]

Repairs JSON without guessing. Reads FILE or the standard input, writes the standard output.

  -o, --output FILE    write FILE; it stays as it is if the text is refused
  --overwrite          replace the input file
  --buffer SIZE        taken for the sake of jsonrepair; nothing depends on it
  --preset NAME        strict, standard or lenient (default)
  --allow-truncated    take a text that is cut off, whatever of it is lost or a guess
  --allow-empty        take an answer of which nothing is left
  --candidates NAME    of several values take one: first, last or best
  --explain            list the edits on the standard error output
  -v, --version        show the version
  -h, --help           show this help

The exit code is 0 for repaired or valid, 1 for refused or unreadable, 2 for wrong usage.
`;

function main(): number {
  let given;
  try {
    given = parseArgs({
      allowPositionals: true,
      options: {
        output: { type: 'string', short: 'o' },
        overwrite: { type: 'boolean' },
        buffer: { type: 'string' },
        preset: { type: 'string', default: 'lenient' },
        'allow-truncated': { type: 'boolean' },
        'allow-empty': { type: 'boolean' },
        candidates: { type: 'string' },
        explain: { type: 'boolean' },
        version: { type: 'boolean', short: 'v' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    return fail((error as Error).message, 2);
  }
  const { values, positionals } = given;
  if (values.help) return say(HELP);
  if (values.version) return say(`${JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version}\n`);
  const [file, ...others] = positionals;
  if (others.length > 0) return fail('one file at a time', 2);
  if (values.overwrite && file === undefined) return fail('--overwrite needs a file', 2);

  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(file ?? 0));
  } catch (error) {
    return fail(error instanceof TypeError ? 'the text is not UTF-8' : `cannot read ${file ?? 'the standard input'}: ${(error as Error).message}`, 1);
  }
  try {
    const { preset, candidates } = values;
    const settings = { preset, ...(candidates === undefined ? {} : { candidates: candidates as 'first' }) };
    const again = (part: string) => repair(part, settings);
    const allowed = { allowTruncated: values['allow-truncated'], allowEmpty: values['allow-empty'] };
    const repaired = droppedIn(again(text), text, { ...allowed, candidates }, again);
    if (values.explain) {
      for (const edit of repaired.edits) process.stderr.write(`${edit.start}..${edit.end} ${edit.rule} (${edit.risk}) ${edit.path}\n`);
    }
    const target = values.overwrite ? file : values.output;
    if (target === undefined) process.stdout.write(repaired.text);
    else replace(target, repaired.text);
    return 0;
  } catch (error) {
    return fail((error as Error).message, error instanceof ConfigError ? 2 : 1);
  }
}

/** In one step: a file beside it takes its name. */
function replace(file: string, text: string): void {
  const beside = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    writeFileSync(beside, text, { flag: 'wx' });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function say(text: string): number {
  process.stdout.write(text);
  return 0;
}

function fail(message: string, code: number): number {
  process.stderr.write(`jsonseam-jsonrepair: ${message}\n`);
  return code;
}

process.exitCode = main();
