// Every case of the corpus and beside the rules: the record of this package is the record of the command.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { RepairError, createPipeline } from 'jsonseam';
import { parse } from 'smol-toml';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const command = process.env.JSONSEAM_COMMAND ?? join(root, 'target/debug/jsonseam');

/** The texts of all cases. */
export function inputs() {
  const files = ['corpus', 'rules/src'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).filter((name) => name.endsWith('.toml')).map((name) => join(root, folder, name)));
  const texts = files.flatMap((file) => (parse(readFileSync(file, 'utf8')).case ?? []).map(({ input }) => input));
  return [...new Set(texts.filter((text) => typeof text === 'string'))];
}

for (const preset of ['strict', 'standard', 'lenient']) {
  for (const candidates of ['first', 'only']) {
    test(`${preset}, ${candidates}: each record equals that of the command`, { skip: existsSync(command) ? false : 'NOT RUN: build the command first (cargo build -p jsonseam-cli), or name it in JSONSEAM_COMMAND' }, () => {
      const texts = inputs();
      assert.ok(texts.length > 1000, `${texts.length} texts`);
      const file = join(mkdtempSync(join(tmpdir(), 'jsonseam-')), 'in.jsonl');
      writeFileSync(file, texts.map((completion) => `${JSON.stringify({ completion })}\n`).join(''));
      const { stdout, status, stderr } = spawnSync(command, ['batch', file, '--preset', preset, '--root', 'any', '--candidates', candidates], { encoding: 'utf8', maxBuffer: 1 << 28, cwd: tmpdir() });
      assert.equal(status, 0, stderr);
      const records = stdout.trim().split('\n').map((line) => JSON.parse(line).jsonseam);
      const pipeline = createPipeline({ preset, root: 'any', candidates });
      let edited = 0;
      texts.forEach((text, index) => {
        const { mended_by: _, ...wanted } = records[index].error ?? {};
        let ours;
        try {
          ours = pipeline.repair(text).report();
        } catch (error) {
          assert.ok(error instanceof RepairError);
          assert.deepEqual([error.code, error.reason, error.byteOffset, error.line, error.column, error.expected], [wanted.code, wanted.reason, wanted.offset, wanted.line, wanted.column, wanted.expected], text);
          return;
        }
        assert.deepEqual(ours, records[index], text);
        edited += ours.edits.length;
      });
      assert.ok(edited > 300, `${edited} edits`);
    });
  }
}
