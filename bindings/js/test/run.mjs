// `node test/run.mjs`: every test, on this Node and on those that JSONSEAM_NODES names (programs, parted by colons).
// What could not be run is named in the last lines.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const here = fileURLToPath(new URL('.', import.meta.url));
const all = readdirSync(here).filter((name) => name.endsWith('.test.mjs')).sort();
// What another Node can make different; the others read files or start programs.
const some = all.filter((name) => /^(api|contract|offsets|trap|environments|jsonrepair|stream|flow|ai|frameworks)\./.test(name));

const nodes = [process.execPath, ...(process.env.JSONSEAM_NODES ?? '').split(':').filter(Boolean)];
const notRun = [];
const sums = [];
let failed = false;
nodes.forEach((node, index) => {
  const { stdout: version } = spawnSync(node, ['--version'], { encoding: 'utf8' });
  const files = (index === 0 ? all : some).map((name) => `test/${name}`);
  const { stdout, status } = spawnSync(node, ['--test', '--test-reporter=tap', ...files], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) {
    failed = true;
    process.stdout.write(stdout);
  }
  for (const [, reason] of stdout.matchAll(/# SKIP (.*)/g)) notRun.push(`${version.trim()}: ${reason}`);
  const count = (word) => Number(new RegExp(`^# ${word} (\\d+)`, 'm').exec(stdout)?.[1] ?? 0);
  sums.push(`node ${version.trim()}: ${count('pass')} passed, ${count('fail')} failed, ${count('skipped')} not run`);
});
for (const line of new Set(notRun)) console.log(line.includes('NOT RUN') ? line : `NOT RUN ${line}`);
for (const major of [20, 22, 24]) {
  if (!sums.some((line) => line.startsWith(`node v${major}.`))) console.log(`NOT RUN: Node ${major} (name a program in JSONSEAM_NODES)`);
}
for (const line of sums) console.log(line);
process.exitCode = failed ? 1 : 0;
