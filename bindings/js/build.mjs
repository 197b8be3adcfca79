// Builds the package: `node build.mjs [--wasm]`. With `--wasm` (or if there is none yet) the engine is compiled first.
//
//   crate ──cargo──▶ *.wasm ──jsonseam-bindgen──▶ glue ──wasm-opt──▶ dist/{full,core,stream}.wasm
//   rules ──jsonseam-catalogue──▶ dist/catalogue.{js,cjs}: the texts about the rules, for those who show them
//   src ──esbuild──▶ dist/{node,workerd,web,bundle,slim}: one file for each entry; what they share is imported, so classes are the same everywhere

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = dirname(fileURLToPath(import.meta.url));
const work = join(root, 'build');
const dist = join(root, 'dist');
const SMALL = ['-Cllvm-args=-inline-threshold=40', '-Cllvm-args=-inlinehint-threshold=40', '-Cllvm-args=-unroll-threshold=20', '-Cno-vectorize-loops', '-Cno-vectorize-slp'];
/**
 * The profile and the features of each engine, and how much is inlined in it. The profiles are in Cargo.toml.
 * Inlining decides between small and fast: these values were measured, and lower ones save little. With one edit in 1 KiB, both engines have three times the speed of `jsonrepair`.
 */
const FLAVOURS = {
  full: { profile: 'wasm-full', features: [], inlining: ['-Cllvm-args=-inlinehint-threshold=60', '-Cno-vectorize-loops', '-Cno-vectorize-slp'] },
  core: { profile: 'wasm', features: ['--no-default-features'], inlining: SMALL },
  stream: { profile: 'wasm', features: ['--no-default-features', '--features=stream'], inlining: SMALL },
};

/** Messages of panics name source files: by their place in a package, not in the folders of the machine that builds. */
function remapped() {
  const sources = join(process.env.CARGO_HOME ?? join(homedir(), '.cargo'), 'registry/src');
  const registries = existsSync(sources) ? readdirSync(sources).map((name) => join(sources, name)) : [];
  return [...registries, join(root, '../..')].map((folder) => `--remap-path-prefix=${folder}/=`);
}

const run = (program, args, env = {}) => execFileSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } });
const cargo = process.env.JSONSEAM_CARGO ?? 'cargo';

/** Compiles the flavours of the engine, and writes the glue. */
function compile() {
  mkdirSync(work, { recursive: true });
  const target = process.env.CARGO_TARGET_DIR ?? join(root, 'target');
  run(cargo, ['build', '--quiet', '-p', 'jsonseam-bindgen']);
  writeFileSync(join(work, 'catalogue.json'), execFileSync(join(target, 'debug/jsonseam-catalogue'), { maxBuffer: 1 << 24 }));
  for (const [flavour, { profile, features, inlining }] of Object.entries(FLAVOURS)) {
    // All engines of JavaScript have had SIMD since 2023.
    const flags = ['-Ctarget-feature=+simd128', ...inlining, ...remapped()];
    run(cargo, ['build', '--quiet', '-p', 'jsonseam-wasm', '--target', 'wasm32-unknown-unknown', '--profile', profile, ...features], { CARGO_ENCODED_RUSTFLAGS: flags.join('\x1f') });
    const folder = join(work, flavour);
    run(join(target, 'debug/jsonseam-bindgen'), [join(target, 'wasm32-unknown-unknown', profile, 'jsonseam_wasm.wasm'), folder]);
    const options = ['-Oz', '--low-memory-unused', '--converge', '--enable-bulk-memory', '--enable-nontrapping-float-to-int', '--enable-reference-types', '--enable-multivalue', '--enable-sign-ext', '--enable-mutable-globals', '--enable-simd'];
    run(process.execPath, [join(root, 'node_modules/binaryen/bin/wasm-opt'), ...options, '-o', join(work, `${flavour}.wasm`), join(folder, 'glue_bg.wasm')]);
  }
}

/** The loop of the glue over the characters of a string, at the price of a tenth of a repair: the encoder of the host does the same at once. */
const SLOW_COPY = /let offset = 0;\s*for \(; offset < len; offset\+\+\) \{[^}]*\}\s*if \(offset !== len\) \{\s*if \(offset !== 0\) \{\s*arg = arg\.slice\(offset\);\s*\}/;
const COPY = `const { read, written } = cachedTextEncoder.encodeInto(arg, mem.subarray(ptr, ptr + len));
    let offset = written;
    if (read !== arg.length) {
        arg = arg.slice(read);`;

/** Makes a factory of the glue: each call gives one with a state of its own, so that a trapped instance can be replaced. */
function factory() {
  const exported = [];
  const glue = readFileSync(join(work, 'full/glue_bg.js'), 'utf8');
  if (!SLOW_COPY.test(glue)) throw new Error('the glue copies strings in a way that this build does not know');
  const body = glue.replace(SLOW_COPY, COPY).replace(/^export (class|function|const) (\w+)/gm, (_, kind, name) => {
    exported.push(name);
    return `${kind} ${name}`;
  });
  if (/^(import|export) /m.test(body)) throw new Error('the glue has imports or exports of a kind that this build does not know');
  const imports = exported.filter((name) => name.startsWith('__wb') && name !== '__wbg_set_wasm');
  const { Engine, version, ContractEngine, CallEngine, Flow, __wbg_set_wasm: setWasm, ...others } = Object.fromEntries(exported.map((name) => [name, name]));
  for (const name of Object.keys(others)) if (!imports.includes(name)) throw new Error(`the glue exports ${name}, which is not known here`);
  const members = [`imports: { ${imports.join(', ')} }`, `setWasm: ${setWasm}`, Engine, ContractEngine, CallEngine, version];
  writeFileSync(join(work, 'glue.js'), `export function createGlue() {\n${body}\nreturn { ${members.join(', ')} };\n}\n`);

  // One glue serves all flavours: the small engines ask for nothing that the large one's glue does not have, and export what that glue calls for them.
  for (const flavour of Object.keys(FLAVOURS).filter((name) => name !== 'full')) {
    const module = new WebAssembly.Module(readFileSync(join(work, `${flavour}.wasm`)));
    const called = new Set(readFileSync(join(work, flavour, 'glue_bg.js'), 'utf8').match(/(?<=\bwasm\.)\w+/g));
    const missing = [
      ...WebAssembly.Module.imports(module).map(({ name }) => name).filter((name) => !imports.includes(name)),
      ...[...called].filter((name) => !new RegExp(`\\bwasm\\.${name}\\b`).test(body)),
    ];
    if (missing.length > 0) throw new Error(`${flavour}.wasm needs ${missing.join(', ')}, which the glue of full.wasm does not have`);
  }
}

/** How each environment gets the engine. */
const LOADERS = {
  'node.js': (flavour) => `import { readFileSync } from 'node:fs';\nexport const load = () => readFileSync(new URL('../${flavour}.wasm', import.meta.url));`,
  'node.cjs': (flavour) => `const { readFileSync } = require('node:fs');\nconst { join } = require('node:path');\nexport const load = () => readFileSync(join(__dirname, '../${flavour}.wasm'));`,
  'workerd.js': (flavour) => `import module from '../${flavour}.wasm';\nexport const load = () => module;`,
  'web.js': (flavour, extension) =>
    `import { base64 } from './${flavour}.base64.${extension}';\nexport const load = () => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));`,
};
LOADERS['web.cjs'] = LOADERS['web.js'];
// A bundler for Node moves the code away from files beside it.
LOADERS['bundle.js'] = (flavour) => LOADERS['web.js'](flavour, 'js').replace('./', '../web/');

/** The loader of an engine; `light` and `light-stream` are the small ones where that adds nothing to what is shipped. */
function loader(environment, extension, flavour) {
  if (!flavour.startsWith('light')) return LOADERS[`${environment}.${extension}`](flavour, extension);
  return environment === 'node' ? loader(environment, extension, flavour === 'light' ? 'core' : 'stream') : 'export const load = undefined;';
}

const ENTRIES = ['common', 'index', 'core', 'flow', 'jsonrepair', 'stream', 'ai'];
const ENVIRONMENTS = {
  node: { formats: ['js', 'cjs'], entries: ENTRIES },
  workerd: { formats: ['js'], entries: ENTRIES },
  web: { formats: ['js', 'cjs'], entries: ENTRIES },
  bundle: { formats: ['js'], entries: ENTRIES },
  slim: { formats: ['js', 'cjs'], entries: ['common', 'slim'] },
};

function plugin(environment, extension) {
  return {
    name: 'jsonseam',
    setup(esbuild) {
      esbuild.onResolve({ filter: /^#glue$/ }, () => ({ path: join(work, 'glue.js') }));
      esbuild.onResolve({ filter: /^#load-/ }, ({ path }) => ({ path: path.slice(6), namespace: 'loader' }));
      esbuild.onLoad({ filter: /.*/, namespace: 'loader' }, ({ path }) => ({ contents: loader(environment, extension, path), resolveDir: root }));
      esbuild.onResolve({ filter: /^#transform$/ }, () => ({ path: join(root, `src/${environment === 'web' ? 'web' : 'node'}-stream.ts`) }));
      // What entries share stays a file of its own.
      esbuild.onResolve({ filter: /^#catalogue$/ }, () => ({ path: `../catalogue.${extension}`, external: true }));
      esbuild.onResolve({ filter: /\/common\.ts$/ }, ({ kind }) => (kind === 'entry-point' ? undefined : { path: `./common.${extension}`, external: true }));
      esbuild.onResolve({ filter: /^\.\/(core|flow)\.ts$/ }, ({ path }) => ({ path: path.replace('ts', extension), external: true }));
      esbuild.onResolve({ filter: /\.(wasm|base64\.c?js)$/ }, ({ path }) => ({ path, external: true }));
    },
  };
}

async function bundle() {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const catalogue = JSON.stringify(readFileSync(join(work, 'catalogue.json'), 'utf8'));
  writeFileSync(join(dist, 'catalogue.js'), `export const text = ${catalogue};\n`);
  writeFileSync(join(dist, 'catalogue.cjs'), `exports.text = ${catalogue};\n`);
  for (const flavour of Object.keys(FLAVOURS)) {
    cpSync(join(work, `${flavour}.wasm`), join(dist, `${flavour}.wasm`));
    const base64 = readFileSync(join(dist, `${flavour}.wasm`)).toString('base64');
    mkdirSync(join(dist, 'web'), { recursive: true });
    writeFileSync(join(dist, `web/${flavour}.base64.js`), `export const base64 = '${base64}';\n`);
    writeFileSync(join(dist, `web/${flavour}.base64.cjs`), `exports.base64 = '${base64}';\n`);
  }
  for (const [environment, { formats, entries }] of Object.entries(ENVIRONMENTS)) {
    for (const extension of formats) {
      await build({
        absWorkingDir: root,
        entryPoints: Object.fromEntries(entries.map((entry) => [entry, entry === 'common' ? 'src/common.ts' : `src/entries/${entry}.ts`])),
        outdir: join(dist, environment),
        outExtension: { '.js': `.${extension}` },
        bundle: true,
        format: extension === 'cjs' ? 'cjs' : 'esm',
        platform: environment === 'web' || environment === 'slim' ? 'neutral' : 'node',
        target: 'es2022',
        charset: 'utf8',
        legalComments: 'none',
        logLevel: 'warning',
        plugins: [plugin(environment, extension)],
      });
    }
  }
  await build({ absWorkingDir: root, entryPoints: ['src/bin.ts'], outfile: join(dist, 'bin.js'), bundle: true, format: 'esm', platform: 'node', target: 'es2022', logLevel: 'warning', plugins: [{ name: 'bin', setup: (esbuild) => esbuild.onResolve({ filter: /^#node-/ }, ({ path }) => ({ path: `./node/${path.slice(6)}.js`, external: true })) }] });
  declarations();
  for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) cpSync(join(root, '../..', name), join(root, name));
}

/** The types, once for `import` and once for `require`. */
function declarations() {
  mkdirSync(join(dist, 'types'));
  for (const file of readdirSync(join(root, 'types'))) {
    const text = readFileSync(join(root, 'types', file), 'utf8');
    writeFileSync(join(dist, 'types', file), text);
    writeFileSync(join(dist, 'types', file.replace('.d.ts', '.d.cts')), text.replaceAll(/'\.\/(\w+)\.js'/g, "'./$1.cjs'"));
  }
}

function sizes() {
  for (const flavour of Object.keys(FLAVOURS)) {
    const path = join(dist, `${flavour}.wasm`);
    console.log(`${flavour}.wasm: ${statSync(path).size} bytes, ${gzipSync(readFileSync(path), { level: 9 }).length} with gzip`);
  }
}

if (process.argv.includes('--wasm') || ['full.wasm', 'core.wasm', 'stream.wasm', 'catalogue.json'].some((name) => !existsSync(join(work, name)))) compile();
factory();
await bundle();
sizes();
