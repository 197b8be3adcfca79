// The same run elsewhere: as a file, a command and in three languages.

import { type State, keysOf } from './state.ts';

const quoted = (text: string) => JSON.stringify(text);
const list = (names: readonly string[]) => `[${names.map(quoted).join(', ')}]`;
const shell = (text: string) => (/^[\w,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export const RUNS: Record<string, (state: State) => string> = {
  TOML: ({ preset, root, enable, disable, keys: typed }) => {
    const { keys, optional } = keysOf(typed);
    const contract = [...keys.map((name) => `# [outputs.${quoted(name)}]`), ...optional.flatMap((name) => [`# [outputs.${quoted(name)}]`, '# optional = true'])];
    return [
      '# jsonseam.toml',
      `preset = ${quoted(preset)}`,
      `root = ${quoted(contract.length > 0 ? 'object' : root)}`,
      ...(enable.length + disable.length > 0 ? ['', '[rules]'] : []),
      ...(enable.length > 0 ? [`enable = ${list(enable)}`] : []),
      ...(disable.length > 0 ? [`disable = ${list(disable)}`] : []),
      ...(contract.length > 0 ? ['', '# contract.toml, for jsonseam parse --contract contract.toml', ...contract] : []),
    ].join('\n');
  },

  Command: ({ preset, root, finish, enable, disable, keys: typed }) => {
    const { keys, optional } = keysOf(typed);
    const hasKeys = keys.length + optional.length > 0;
    return [
      `jsonseam ${hasKeys ? 'parse' : 'repair --explain'} --preset ${preset} --root ${hasKeys ? 'object' : root}`,
      ...enable.map((rule) => `--enable ${rule}`),
      ...disable.map((rule) => `--disable ${rule}`),
      ...(finish ? [`--finish-reason ${finish}`] : []),
      ...(keys.length > 0 ? [`--keys ${shell(keys.join(','))}`] : []),
      ...(optional.length > 0 ? [`--optional ${shell(optional.join(','))}`] : []),
      'completion.txt',
    ].join(' \\\n    ');
  },

  Python: ({ preset, root, finish, enable, disable, keys: typed }) => {
    const { keys, optional } = keysOf(typed);
    const hasKeys = keys.length + optional.length > 0;
    const rules = [...(enable.length > 0 ? [`"enable": ${list(enable)}`] : []), ...(disable.length > 0 ? [`"disable": ${list(disable)}`] : [])];
    const config = rules.length > 0 ? `, config={"rules": {${rules.join(', ')}}}` : '';
    const call = finish ? `, finish_reason=${quoted(finish)}` : '';
    if (hasKeys) {
      const wanted = [...(keys.length > 0 ? [list(keys)] : []), ...(optional.length > 0 ? [`optional=${list(optional)}`] : [])].join(', ');
      return `import jsonseam\n\ncontract = jsonseam.Contract(${wanted}, preset=${quoted(preset)}${config})\noutputs = contract.parse(completion${call})`;
    }
    return `import jsonseam\n\nrepaired = jsonseam.repair(completion, preset=${quoted(preset)}, root=${quoted(root)}${config}${call})\nfor edit in repaired.edits:\n    print(edit.start, edit.end, edit.rule, edit.risk)`;
  },

  JavaScript: ({ preset, root, finish, enable, disable, keys: typed }) => {
    const { keys, optional } = keysOf(typed);
    const hasKeys = keys.length + optional.length > 0;
    const settings = [`preset: '${preset}'`, ...(hasKeys ? [] : [`root: '${root}'`]), ...(enable.length > 0 ? [`enable: ${list(enable)}`] : []), ...(disable.length > 0 ? [`disable: ${list(disable)}`] : [])];
    const call = finish ? `finishReason: '${finish}'` : '';
    if (hasKeys) {
      const wanted = [...(keys.length > 0 ? [`keys: ${list(keys)}`] : []), ...(optional.length > 0 ? [`optional: ${list(optional)}`] : [])];
      return `import { createContract } from 'jsonseam';\n\nconst contract = createContract({ ${[...wanted, ...settings].join(', ')} });\nconst { values } = contract.parse(completion${call && `, { ${call} }`});`;
    }
    return `import { repair } from 'jsonseam';\n\nconst { text, edits } = repair(completion, { ${[...settings, ...(call ? [call] : [])].join(', ')} });\nfor (const { start, end, rule, risk } of edits) console.log(start, end, rule, risk);`;
  },

  Rust: ({ preset, root, finish, enable, disable, keys: typed }) => {
    const { keys, optional } = keysOf(typed);
    const hasKeys = keys.length + optional.length > 0;
    const rules = [...enable.map((rule) => `.with_enabled(${quoted(rule)})`), ...disable.map((rule) => `.with_disabled(${quoted(rule)})`)];
    const calls = [`.with_preset(${quoted(preset)})`, ...(hasKeys || root === 'object' ? [] : [`.with_root(Root::${root === 'any' ? 'Any' : 'Array'})`]), ...rules];
    const setting = calls.length > 2 ? ['let config = Config::default()', ...calls.map((call, index) => `    ${call}${index === calls.length - 1 ? ';' : ''}`)] : [`let config = Config::default()${calls.join('')};`];
    const uses = ['Config', ...(!hasKeys && root !== 'object' ? ['Root'] : []), ...(hasKeys ? (finish ? ['ParseOptions'] : []) : finish ? ['RepairOptions', 'pipeline'] : ['pipeline'])];
    const options = (type: string) => `let options = ${type}::new().with_finish_reason(Some(${quoted(finish)}));`;
    if (hasKeys) {
      const declared = [...(keys.length > 0 ? [`    .outputs(${list(keys)})`] : []), ...optional.map((name) => `    .optional(${quoted(name)})`)];
      const parse = finish ? [options('ParseOptions'), 'let outputs = adapter.parse_with(completion, &options)?;'] : ['let outputs = adapter.parse(completion)?;'];
      return [`use jsonseam::${uses.length > 1 ? `{${uses.join(', ')}}` : uses[0]};`, '', ...setting, 'let adapter = jsonseam::adapter()', '    .config(&config)', ...declared, '    .build()?;', ...parse].join('\n');
    }
    const repair = finish ? [options('RepairOptions'), 'let repaired = pipeline(&config)?.repair_with(completion, &options)?;'] : ['let repaired = pipeline(&config)?.repair(completion)?;'];
    return [`use jsonseam::{${uses.join(', ')}};`, '', ...setting, ...repair, 'for seam in repaired.edits() {', '    println!("{:?} {} {}", seam.span, seam.rule, seam.risk);', '}'].join('\n');
  },
};
