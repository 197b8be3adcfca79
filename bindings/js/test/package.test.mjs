// The tarball: exactly these files, and every entry resolves for every kind of reader.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import test from 'node:test';

const root = fileURLToPath(new URL('..', import.meta.url));
const tool = (name) => join(root, 'node_modules/.bin', name);
const entries = ['ai', 'common', 'core', 'flow', 'index', 'jsonrepair', 'stream'];
const both = (folder, names) => names.flatMap((name) => [`dist/${folder}/${name}.cjs`, `dist/${folder}/${name}.js`]);

test('the tarball holds exactly the listed files', () => {
  const packed = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  const [{ files }] = Array.isArray(packed) ? packed : Object.values(packed);
  const wanted = [
    'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json', 'dist/bin.js', 'dist/catalogue.cjs', 'dist/catalogue.js', 'dist/core.wasm', 'dist/full.wasm', 'dist/stream.wasm',
    ...both('node', entries), ...both('web', [...entries, 'core.base64', 'full.base64', 'stream.base64']), ...both('slim', ['common', 'slim']),
    ...entries.flatMap((name) => [`dist/bundle/${name}.js`, `dist/workerd/${name}.js`]),
    ...['ai', 'core', 'index', 'jsonrepair', 'slim', 'stream'].flatMap((name) => [`dist/types/${name}.d.cts`, `dist/types/${name}.d.ts`]),
  ];
  assert.deepEqual(files.map(({ path }) => path).sort(), wanted.sort());
});

test('the engines are no larger than docs/javascript.md says', () => {
  const size = (name) => statSync(join(root, 'dist', name)).size;
  // One commit gives sizes that differ by some hundred bytes from folder to folder, because names of crates are hashed with their place and sorted by it.
  // Each limit is therefore what was measured and 1 % more.
  // 600 KB are wanted, and missed since cut Python and more notations are read.
  assert.ok(size('core.wasm') <= 641_300, `core.wasm has ${size('core.wasm')} bytes`);
  // 1.6 MB is wanted without tool calls, which are 500 KB more, and without streams, which are 64 KB: what contracts weigh by types and do with items is 70 KB, whole responses and more notations are 40 KB.
  assert.ok(size('full.wasm') <= 2_480_400, `full.wasm has ${size('full.wasm')} bytes`);
  assert.ok(size('stream.wasm') <= 710_800, `stream.wasm has ${size('stream.wasm')} bytes`);
  const packed = gzipSync(readFileSync(join(root, 'dist/core.wasm')), { level: 9 }).length;
  // 230 KB are wanted, and missed since values beside the payload are listed. Prose and program text told from data, where all rules together stop, and more notations took the rest.
  assert.ok(packed <= 282_700, `core.wasm has ${packed} bytes with gzip`);
});

test('the sizes in docs/javascript.md are those of this build, to within 1 %', async () => {
  const page = readFileSync(join(root, '../../docs/javascript.md'), 'utf8');
  const { build } = await import('esbuild');
  const script = async (name, contents = `import { repair } from '${name}';\nconsole.log(repair('{a: 1,}').text);`) => {
    const { outputFiles } = await build({ stdin: { contents, resolveDir: root }, bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' });
    return outputFiles[0].contents;
  };
  const measured = {
    '`full.wasm`': readFileSync(join(root, 'dist/full.wasm')),
    '`core.wasm`': readFileSync(join(root, 'dist/core.wasm')),
    '`stream.wasm`': readFileSync(join(root, 'dist/stream.wasm')),
    "a page's script with `jsonseam`, minified by esbuild": await script('jsonseam'),
    "a page's script with `jsonseam/core`": await script('jsonseam/core'),
    "a page's script with `createStream` of `jsonseam/stream`": await script('jsonseam/stream', "import { createStream } from 'jsonseam/stream';\nconsole.log(createStream().push('{a: 1,}'));"),
  };
  for (const [name, content] of Object.entries(measured)) {
    const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`));
    assert.ok(row, `docs/javascript.md has no row of ${name}`);
    const said = row.split('|').slice(2, 4).map((cell) => Number(cell.replaceAll(',', '')));
    const found = [content.length, gzipSync(content, { level: 9 }).length];
    said.forEach((figure, index) => assert.ok(Math.abs(figure - found[index]) <= found[index] / 100, `${name}: the page says ${said.join(' and ')}, this build has ${found.join(' and ')}`));
  }
});

test('an import and a first repair compile one engine, once', () => {
  const code = `
    const compiled = [];
    WebAssembly.Module = class extends WebAssembly.Module {
      constructor(bytes) { super(bytes); compiled.push(bytes.byteLength); }
    };
    const { repair } = await import('jsonseam');
    const imported = [...compiled];
    repair('{a: 1,}');
    repair('{b: 2,}');
    console.log(JSON.stringify([imported, compiled]));`;
  const [imported, compiled] = JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' }));
  assert.deepEqual(imported, []);
  assert.deepEqual(compiled, [statSync(join(root, 'dist/core.wasm')).size]);
});

test('publint has nothing to say', () => {
  const { stdout, stderr, status } = spawnSync(tool('publint'), ['--strict', '--pack', 'npm'], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});

test('the types resolve for every kind of reader', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jsonseam-'));
  execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: root, stdio: 'ignore' });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const { stdout, stderr, status } = spawnSync(tool('attw'), [join(folder, `jsonseam-${version}.tgz`), '--profile', 'node16', '--exclude-entrypoints', './full.wasm', './core.wasm', './stream.wasm', '--no-color'], { encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});

test('the declarations hold for a reader who checks libraries too', () => {
  const flags = '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --target es2022 --module nodenext --lib es2024,dom,dom.iterable --types node --skipLibCheck false';
  const files = readdirSync(join(root, 'dist/types')).filter((name) => name.endsWith('.d.ts')).map((name) => `dist/types/${name}`);
  const { stdout, status } = spawnSync(tool('tsc'), [...flags.split(' '), ...files], { cwd: root, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});

test('the types hold for a strict reader, and the sources hold to them', () => {
  for (const project of ['.', 'test']) {
    const { stdout, status } = spawnSync(tool('tsc'), ['-p', project], { cwd: root, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  }
});
