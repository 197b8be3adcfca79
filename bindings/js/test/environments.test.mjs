// The same package from ESM, CommonJS, threads, the files for the web, and by programs of their own.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import test from 'node:test';

const require = createRequire(import.meta.url);
const root = fileURLToPath(new URL('..', import.meta.url));

test('CommonJS gets the same', () => {
  for (const name of ['jsonseam', 'jsonseam/core']) {
    const { repair, RepairError } = require(name);
    assert.equal(repair('{a: 1,}').text, '{"a": 1}');
    assert.throws(() => repair(''), RepairError);
  }
  const { jsonrepair } = require('jsonseam/jsonrepair');
  assert.equal(jsonrepair('{a: 1,}'), '{"a": 1}');
  assert.equal(typeof require('jsonseam/ai').repairedOutput, 'function');
  assert.equal(typeof require('jsonseam/stream').jsonrepairTransform, 'function');
  for (const name of ['jsonseam', 'jsonseam/stream']) {
    const stream = require(name).createStream();
    stream.push('{a: 1,}');
    assert.equal(stream.finish().text, '{"a": 1}');
  }
});

test('threads have engines of their own', async () => {
  const file = join(root, 'test/thread.mjs');
  const workers = [1, 2].map(() => new Worker(file));
  const answers = await Promise.all(workers.map((worker) => new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))));
  assert.deepEqual(answers, ['{"a": 1}', '{"a": 1}']);
});

test('the files for the web need nothing of Node', async () => {
  for (const name of ['index', 'core']) {
    const file = join(root, `dist/web/${name}.js`);
    assert.doesNotMatch(readFileSync(file, 'utf8'), /node:|require\(|process\.|Buffer\b/);
    const { repair } = await import(file);
    assert.equal(repair('{a: 1,}').text, '{"a": 1}');
    assert.equal(require(`${root}dist/web/${name}.cjs`).repair('{a: 1,}').text, '{"a": 1}');
  }
  const { repairTransformStream, jsonrepairTransform } = await import(join(root, 'dist/web/stream.js'));
  assert.throws(() => jsonrepairTransform(), /repairTransformStream/);
  assert.ok(repairTransformStream() instanceof TransformStream);
  for (const file of [join(root, 'dist/web/stream.js'), join(root, 'dist/web/index.js')]) assert.equal((await import(file)).createStream().push('{a: 1, b')[0].kind, 'payload');
});

test('the files for Workers import the module, and compile nothing', () => {
  for (const name of ['index', 'core']) {
    const text = readFileSync(join(root, `dist/workerd/${name}.js`), 'utf8');
    assert.match(text, /import module from ".*\.wasm"/);
    assert.doesNotMatch(text, /readFileSync|atob/);
  }
});

test('a bundle for Node holds the engine, wherever it is moved', async () => {
  const { build } = await import('esbuild');
  const source = (name) => `import { repair } from '${name}';\nconsole.log(repair('{a: 1,}').text);`;
  const programs = {
    index: source('jsonseam'),
    core: source('jsonseam/core'),
    jsonrepair: "import { jsonrepair } from 'jsonseam/jsonrepair';\nconsole.log(jsonrepair('{a: 1,}'));",
    stream: "import { jsonrepairTransform } from 'jsonseam/stream';\njsonrepairTransform().on('data', (text) => console.log(String(text))).end('{a: 1,}');",
    required: "const { repair } = require('jsonseam');\nconsole.log(repair('{a: 1,}').text);",
  };
  for (const [name, contents] of Object.entries(programs)) {
    for (const [format, extension] of [['esm', 'mjs'], ['cjs', 'cjs']]) {
      const outfile = join(mkdtempSync(join(tmpdir(), 'jsonseam-')), `moved/${name}.${extension}`);
      await build({ stdin: { contents, resolveDir: root }, outfile, bundle: true, platform: 'node', format, logLevel: 'error' });
      const ran = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
      assert.deepEqual([ran.stdout.trim(), ran.stderr, ran.status], ['{"a": 1}', '', 0], `${name} as ${format}`);
    }
  }
});

test('a bundle that left the engine out says what to do', async () => {
  const { build } = await import('esbuild');
  for (const [format, extension] of [['esm', 'mjs'], ['cjs', 'cjs']]) {
    const outfile = join(mkdtempSync(join(tmpdir(), 'jsonseam-')), `lost.${extension}`);
    const contents = "import { EngineError, repair } from 'jsonseam';\ntry { repair('{a: 1,}'); } catch (error) { console.log(error instanceof EngineError, error.code, error.message); }";
    await build({ stdin: { contents, resolveDir: root }, outfile, bundle: true, platform: 'node', format, conditions: ['none'], logLevel: 'silent' });
    const { stdout } = spawnSync(process.execPath, [outfile], { encoding: 'utf8' });
    assert.match(stdout, /^true engine_missing .*--conditions=module.*--external:jsonseam/);
  }
});

test('the program takes the flags of jsonrepair', () => {
  const bin = join(root, 'dist/bin.js');
  const folder = mkdtempSync(join(tmpdir(), 'jsonseam-'));
  const file = join(folder, 'in.json');
  const run = (args, input) => spawnSync(process.execPath, [bin, ...args], { input, encoding: 'utf8' });
  assert.equal(run([], '{a: 1,}').stdout, '{"a": 1}');
  writeFileSync(file, "{'é': None}");
  assert.equal(run([file, '--buffer', '64K']).stdout, '{"é": null}');
  assert.equal(run([file, '-o', join(folder, 'out.json')]).status, 0);
  assert.equal(readFileSync(join(folder, 'out.json'), 'utf8'), '{"é": null}');
  assert.match(run([file, '--explain']).stderr, /python-literal \(certain\)/);
  assert.equal(run([file, '--overwrite']).status, 0);
  assert.equal(readFileSync(file, 'utf8'), '{"é": null}');
  const refused = run(['-o', file], 'no JSON');
  assert.deepEqual([refused.status, readFileSync(file, 'utf8')], [1, '{"é": null}']);
  assert.equal(run(['--nonsense']).status, 2);
  assert.equal(run(['--overwrite'], '{}').status, 2);
  assert.equal(run(['--preset', 'standart'], '{a: 1}').status, 2);
  assert.match(run(['-h']).stdout, /--overwrite/);
  assert.equal(run(['-v']).stdout.trim(), JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  const bad = spawnSync(process.execPath, [bin], { input: Buffer.from([0x7b, 0xff, 0x7d]), encoding: 'utf8' });
  assert.deepEqual([bad.status, /UTF-8/.test(bad.stderr)], [1, true]);
});
