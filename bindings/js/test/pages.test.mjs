// What the pages show of the package is what it gives: each program of JavaScript runs, and gives what its comments say.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'node:test';

const root = fileURLToPath(new URL('..', import.meta.url));
const page = (name) => readFileSync(join(root, '../..', name), 'utf8');

/** What the programs have at hand, unless they declare it themselves. */
const NAMES = {
  completion: `'Sure: {answer: "yes", score: 7, items: [{sku: "a-1"}],}'`,
  finishReason: "'stop'",
  text: "'{a: 1,}'",
};

/** A call whose comment is the value that it gives. */
const CALL = /^(\w+\(.*\));\s*\/\/ ([{["'\d].*)$/;
const CHECK = `
import equal from 'node:assert/strict';
let checked = 0;
const check = (given, said) => { equal.deepEqual(given, typeof given === 'string' ? said : eval('(' + said + ')')); checked += 1; };
`;

for (const [name, claims] of [['README.md', 1], ['docs/javascript.md', 1], ['docs/streaming.md', 0], ['docs/from-jsonrepair.md', 1], ['bindings/js/README.md', 1]]) {
  test(`the programs of ${name} run, and give what they say`, () => {
    const blocks = [...page(name).matchAll(/```(?:js|ts)\n([^]*?)```/g)].map(([, block]) => block);
    assert.ok(blocks.length > 0);
    const program = blocks.join('\n').split('\n').map((line) => line.replace(CALL, (_, call, said) => `check(${call}, ${JSON.stringify(said)});`)).join('\n');
    const isDeclared = (given) => new RegExp(`\\b(?:const|let) [^;=]*\\b${given}\\b[^;=]*=|\\bas ${given}\\b`).test(program);
    const names = Object.entries(NAMES).filter(([given]) => !isDeclared(given)).map(([given, value]) => `const ${given} = ${value};`);
    const file = join(root, `test/.page-${process.pid}.mjs`);
    writeFileSync(file, `${CHECK}${names.join('\n')}\n${program}\nconsole.log('\\nchecked', checked);\n`);
    const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8', cwd: root });
    rmSync(file);
    assert.equal(status, 0, `${program}\n${stderr}`);
    assert.ok(Number(/checked (\d+)\n$/.exec(stdout)[1]) >= claims, stdout);
  });
}

const PROGRAM = `
import { calls, createContract, createStream, parse } from 'jsonseam';

const contract = createContract({ keys: ['answer'], schemas: { order: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } } });
const { values } = contract.parse("Sure: {answer: 'yes', order: {sku: 'A-1',}}");
const sku: string = values.order.sku;
const stream = createStream({ preset: 'standard' });
const told = stream.push("{city: 'Oslo',}").flatMap((event) => (event.kind === 'text' ? [event.text] : []));
const names: (string | undefined)[] = [calls('<tool_call>{name: "f", arguments: {}}</tool_call>').calls[0]?.name];
console.log(JSON.stringify([sku, told, names, parse<{ a: number }>('{a: 1,}').a]));
`;

test('the lines of docs/javascript.md install the package in a new project, which compiles strictly and runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jsonseam-'));
  const [, lines] = /```sh\n(npm pack [^]*?)```/.exec(page('docs/javascript.md'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('sh', ['-ec', lines.replace('../jsonseam/bindings/js', `"${root}"`)], { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'app.ts'), PROGRAM);
  const flags = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck', 'false'];
  const { stdout, status } = spawnSync(join(root, 'node_modules/.bin/tsc'), [...flags, 'app.ts'], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
  assert.equal(execFileSync(process.execPath, ['app.js'], { cwd: folder, encoding: 'utf8' }), '["A-1",["Oslo"],["f"],1]\n');
  rmSync(folder, { recursive: true });
});
