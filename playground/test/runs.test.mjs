// What the page calls "the same run" is run: the command and the JavaScript give what the page's engine gives.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

const root = fileURLToPath(new URL('..', import.meta.url));
const bindings = join(root, '../bindings/js');
const { buildSync } = createRequire(join(bindings, 'package.json'))('esbuild');
const command = process.env.JSONSEAM_COMMAND ?? join(root, '../target/debug/jsonseam');

const folder = mkdtempSync(join(tmpdir(), 'jsonseam-'));
buildSync({ entryPoints: [join(root, 'src/runs.ts'), join(root, 'src/state.ts')], bundle: true, format: 'esm', outdir: folder, outExtension: { '.js': '.mjs' } });
const { RUNS } = await import(join(folder, 'runs.mjs'));
const { FRESH, fromFragment, toFragment } = await import(join(folder, 'state.mjs'));

/** Public functions of the crates, and what the code calls of the standard library. It is not compiled here: that would take a minute. */
const RUST_NAMES = new Set(['default', 'new']);
for (const name of ['jsonseam', 'jsonseam-core', 'jsonseam-adapter']) {
  for (const file of readdirSync(join(root, '../crates', name, 'src'), { recursive: true })) {
    if (!file.endsWith('.rs')) continue;
    for (const [, found] of readFileSync(join(root, '../crates', name, 'src', file), 'utf8').matchAll(/pub fn (\w+)/g)) RUST_NAMES.add(found);
  }
}

const completion = 'Sure: {"answer": "yes", "a b": None,}';
writeFileSync(join(folder, 'completion.txt'), completion);
const STATES = [
  {},
  { preset: 'lenient', root: 'object', finish: 'stop' },
  { preset: 'strict', enable: ['python-literal'], disable: ['single-quoted-string'] },
  { keys: 'answer, a b', finish: 'stop' },
  { keys: "answer, a b, it's?" },
];

for (const said of STATES) {
  const state = { ...FRESH, text: completion, ...said };
  const wanted = { answer: 'yes', 'a b': null };

  test(`the command runs: ${JSON.stringify(said)}`, { skip: existsSync(command) ? false : 'NOT RUN: build the command first (cargo build -p jsonseam-cli)' }, () => {
    const typed = RUNS.Command(state).replace(/^jsonseam/, `"${command}"`).replace(' --explain', '');
    const { status, stdout, stderr } = spawnSync('sh', ['-c', typed], { cwd: folder, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    const answer = JSON.parse(stdout);
    assert.deepEqual(answer.outputs ?? answer, wanted);
    writeFileSync(join(folder, 'jsonseam.toml'), RUNS.TOML(state));
    if (state.keys) {
      const [, contract] = RUNS.TOML(state).split('contract.toml\n');
      writeFileSync(join(folder, 'contract.toml'), contract.replace(/^# /gm, ''));
      const parsed = spawnSync(command, ['parse', '--contract', 'contract.toml', 'completion.txt'], { cwd: folder, encoding: 'utf8' });
      assert.deepEqual(JSON.parse(parsed.stdout).outputs, wanted, parsed.stderr);
    }
    const check = spawnSync(command, ['config', 'check', 'jsonseam.toml'], { cwd: folder, encoding: 'utf8' });
    assert.equal(check.status, 0, check.stderr);
  });

  test(`the Rust names what there is: ${JSON.stringify(said)}`, () => {
    const code = RUNS.Rust(state);
    const names = [...code.matchAll(/(?<=\.|::)[a-z_]+(?=\()/g)].map(([name]) => name);
    assert.ok(names.length >= 4, code);
    for (const name of names) assert.ok(RUST_NAMES.has(name), `${name} in\n${code}`);
  });

  test(`the JavaScript runs: ${JSON.stringify(said)}`, () => {
    const result = state.keys ? 'values' : 'JSON.parse(text)';
    const script = join(bindings, `test/.run-${process.pid}.mjs`);
    writeFileSync(script, `const completion = ${JSON.stringify(completion)};\n${RUNS.JavaScript(state).replace(/^for .*$/m, '')}\nprocess.stdout.write(JSON.stringify(${result}));\n`);
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    spawnSync('rm', [script]);
    assert.deepEqual(JSON.parse(stdout || 'null'), wanted, stderr);
  });
}

test('a link gives back what went into it, and nothing that is not allowed', async () => {
  const state = { ...FRESH, text: 'a\r\nb😀', preset: 'lenient', keys: 'a,b?', enable: ['python-literal'] };
  assert.deepEqual(await fromFragment(await toFragment(state)), state);
  assert.deepEqual(await fromFragment(await toFragment({ ...FRESH, preset: 'evil', enable: ['../x', 7], text: 5 })), FRESH);
  assert.equal(await fromFragment('1.AAAA'), undefined);
  const bomb = await toFragment({ ...FRESH, text: 'a'.repeat(8 * 1024 * 1024) });
  assert.equal(bomb === undefined ? undefined : await fromFragment(bomb), undefined, 'a link may not unfold to more than 4 MB');
});
