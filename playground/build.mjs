// Builds the page: `node playground/build.mjs [--docs FOLDER]`, after the package of bindings/js. The result, `playground/dist`, is static files for any host.
// With a folder of documentation as HTML, that is copied to `docs` beside the page, which then leads to it.

import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const bindings = join(root, '../bindings/js');
const dist = join(root, 'dist');
const engine = join(bindings, 'dist/web/index.js');
if (!existsSync(engine)) throw new Error('build the package first: cargo xtask js');
const require = createRequire(join(bindings, 'package.json'));
const { build } = require('esbuild');
const toml = require('smol-toml');
const { version } = JSON.parse(readFileSync(join(bindings, 'package.json'), 'utf8'));

/** The first cases of each rule; those with options, or whose verdict is a wish, are not for the page. */
const SHOWN = 8;
const rules = join(root, '../rules/src');
const cases = Object.fromEntries(
  readdirSync(rules, { recursive: true }).filter((file) => file.endsWith('.toml')).map((file) => [basename(file, '.toml'), file]).sort().map(([rule, file]) => {
    const plain = toml.parse(readFileSync(join(rules, file), 'utf8')).case.filter((one) => !one.options && !one['known-gap'] && one.input.length <= 400 && (one.output ?? one.refused) !== undefined);
    return [rule, plain.slice(0, SHOWN).map(({ name, input, output, refused, root, defaults, with: others = [] }) => ({ name, input, output, refused, root, defaults, rules: [rule, ...others] }))];
  }),
);
const catalogue = {
  name: 'cases',
  setup(esbuild) {
    esbuild.onResolve({ filter: /^cases$/ }, () => ({ path: 'cases', namespace: 'cases' }));
    esbuild.onLoad({ filter: /.*/, namespace: 'cases' }, () => ({ contents: JSON.stringify(cases), loader: 'json' }));
  },
};

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const common = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  minify: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  loader: { '.txt': 'text' },
  nodePaths: [join(bindings, 'node_modules')],
  alias: { jsonseam: engine },
  plugins: [catalogue],
  define: { VERSION: JSON.stringify(version) },
};
await build({ ...common, entryPoints: ['src/main.ts'], format: 'esm' });
await build({ ...common, entryPoints: ['src/worker.ts', 'src/theme.ts'], format: 'iife' });
cpSync(join(root, 'style.css'), join(dist, 'style.css'));
const page = readFileSync(join(root, 'index.html'), 'utf8');
const docs = process.argv[process.argv.indexOf('--docs') + 1];
const hasDocs = process.argv.includes('--docs');
if (hasDocs) cpSync(docs, join(dist, 'docs'), { recursive: true });
writeFileSync(join(dist, 'index.html'), hasDocs ? page : page.replace(/ *<a [^>]*id="guides".*\n/, ''));
// For hosts that read it: the policy of the page as a header too, which then also holds for the worker. The documentation has scripts of its own.
const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)[1];
const headers = `  Content-Security-Policy: ${policy}; frame-ancestors 'none'\n  Referrer-Policy: no-referrer\n  X-Content-Type-Options: nosniff\n`;
const paths = ['', 'index.html', 'main.js', 'style.css', 'theme.js', 'worker.js'];
writeFileSync(join(dist, '_headers'), paths.map((path) => `/${path}\n${headers}`).join(''));
