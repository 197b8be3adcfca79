// The page: settings on top, the completion and its JSON side by side, and below them what was done, or why nothing was.

import { placeholder } from '@codemirror/view';
import type { Catalogue, Edit } from 'jsonseam';
import type { Answer, Refusal, Result, Tried, Verdict } from './answer.ts';
import { type Mark, Pane, editable, readOnly, visible } from './editor.ts';
import { EXAMPLES, stateOf } from './examples.ts';
import { RUNS } from './runs.ts';
import { FRESH, type State, fromFragment, toFragment } from './state.ts';

declare const VERSION: string;

const find = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const make = <K extends keyof HTMLElementTagNameMap>(tag: K, className = '', ...children: (Node | string)[]): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
};
const button = (text: string, onClick: () => void, className = 'button') => {
  const made = make('button', className, text);
  made.type = 'button';
  made.addEventListener('click', onClick);
  return made;
};

const left = new Pane(find('left'), 'Completion', [...editable(() => schedule(), step), placeholder('Paste what a model wrote …')]);
const right = new Pane(find('right'), 'JSON', [...readOnly, placeholder('No JSON')]);

let state: State = { ...FRESH };
let catalogue: Catalogue = { rules: [], presets: [] };
let casesOf: Record<string, number> = {};
let shown: Result | undefined;
let active = -1;

// ---- The engine: one text at a time, the newest only, and a new engine if it takes too long. ----

let worker: Worker;
let isReady = false;
let running: { id: number; timer: number } | undefined;
let waiting = false;
let count = 0;

function start(): void {
  isReady = false;
  worker = new Worker('worker.js');
  worker.onmessage = ({ data }: MessageEvent<{ ready?: Catalogue; cases?: Record<string, number>; id?: number; answer?: Answer; rule?: string; tried?: Tried[] }>) => {
    if (data.rule !== undefined && data.tried) showCases(data.rule, data.tried);
    else if (data.ready) {
      catalogue = data.ready;
      casesOf = data.cases ?? {};
      isReady = true;
      showRules();
      run();
    } else if (running && data.id === running.id && data.answer) {
      clearTimeout(running.timer);
      running = undefined;
      if (waiting) run();
      else show(data.answer);
    }
  };
  worker.onerror = () => status('The engine could not be loaded. Serve this folder over HTTP; a page opened as a file may start no worker.', 'refused');
}

let timer = 0;
function schedule(): void {
  clearTimeout(timer);
  // Large texts are not read at every key.
  timer = window.setTimeout(run, left.view.state.doc.length > 200_000 ? 400 : 60);
}

function run(): void {
  if (!isReady) return;
  if (running) {
    waiting = true;
    return;
  }
  waiting = false;
  state = { ...state, text: left.text };
  const example = find<HTMLSelectElement>('example');
  if (EXAMPLES[Number(example.value)]?.text !== state.text) example.value = '';
  count += 1;
  running = { id: count, timer: window.setTimeout(tooLong, 2000 + state.text.length / 500) };
  worker.postMessage({ id: count, state });
  showRun();
}

function tooLong(): void {
  worker.terminate();
  running = undefined;
  clear();
  status('This took too long, so the engine was stopped and is being started anew.', 'refused');
  start();
}

// ---- What is shown ----

function status(text: string, kind: string): void {
  const line = find('status');
  line.textContent = text;
  line.className = `status ${kind}`;
}

function clear(): void {
  shown = undefined;
  active = -1;
  left.mark([]);
  right.mark([]);
  right.text = '';
  find('right').classList.add('empty');
  find('outcome').replaceChildren();
}

function show(answer: Answer): void {
  clear();
  const took = answer.took === undefined ? '' : ` · ${answer.took < 10 ? answer.took.toFixed(1) : Math.round(answer.took)} ms`;
  if (state.text === '') status('Paste a completion, or choose an example.', '');
  else if (answer.problem !== undefined) status(answer.problem, 'refused');
  else if (answer.refusal) showRefusal(answer.refusal, took);
  else if (answer.result) showResult(answer.result, took, answer.verdict);
}

const plural = (number: number, word: string) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;

function showResult(result: Result, took: string, verdict: Verdict | undefined): void {
  shown = result;
  const { edits, total, payload, text, risk, isTruncated, incomplete, further } = result;
  right.text = text;
  find('right').classList.remove('empty');
  const tip = (edit: Edit): [string, string][] => [
    ['rule', edit.rule],
    ['risk', edit.risk],
    ['change', change(edit)],
    ['path', edit.path || '(the whole)'],
  ];
  left.mark([...edits.map((edit): Mark => ({ from: edit.start, to: edit.end, kind: edit.risk, isRemoved: true, ...(edit.replacement ? { inserted: edit.replacement } : {}), tip: tip(edit) })), ...outside(payload.start, payload.end)]);
  right.mark(placesInOutput(result).map(({ from, to }, index) => ({ from, to, kind: (edits[index] as Edit).risk, tip: tip(edits[index] as Edit) })).filter(({ from, to }) => from < to));
  const located = payload.start > 0 || payload.end < state.text.length ? ', located in the text' : '';
  const cut = isTruncated ? ' · cut off' : '';
  const isUnmet = verdict !== undefined && verdict.outputs === undefined;
  const unmet = isUnmet ? ' · the contract is not met' : '';
  const done = edits.length === 0 ? `Valid${located}, left as it is` : `Repaired with ${plural(total, 'edit')}, risk at most ${risk}${located}`;
  status(`${done}${cut}${unmet}${took}`, isUnmet ? 'refused' : isTruncated ? 'cut' : edits.length === 0 ? 'valid' : `repaired ${risk}`);

  const outcome = find('outcome');
  if (verdict) outcome.append(contractCard(verdict));
  if (isTruncated) {
    outcome.append(card('cut', 'The answer was cut off', incomplete.length > 0 ? `Incomplete: ${incomplete.map((path) => visible(path || '(the whole)')).join(', ')}. A contract refuses it, and so does parse().` : 'The finish reason says so. A contract refuses it, and so does parse().'));
  }
  if (further.length > 0) outcome.append(card('cut', `${plural(further.length, 'further payload')} in this text`, further.map(({ start, end }) => `${start}–${end}`).join(', ')));
  if (edits.length > 0) outcome.append(editTable(edits, total));
}

function outside(start: number, end: number): Mark[] {
  const length = state.text.length;
  return [...(start > 0 ? [{ from: 0, to: start, kind: 'outside' }] : []), ...(end < length ? [{ from: end, to: length, kind: 'outside' }] : [])];
}

/** Where each replacement is in the output. */
function placesInOutput({ edits, payload }: Result): { from: number; to: number }[] {
  let source = payload.start;
  let output = 0;
  return edits.map(({ start, end, replacement }) => {
    const from = output + (start - source);
    source = end;
    output = from + replacement.length;
    return { from, to: output };
  });
}

function change({ start, end, replacement }: Edit): string {
  const removed = visible(state.text.slice(start, end), 40);
  if (start === end) return `insert ${visible(replacement, 40)}`;
  return replacement === '' ? `remove ${removed}` : `${removed} → ${visible(replacement, 40)}`;
}

const LISTED = 200;

function editTable(edits: readonly Edit[], total: number): HTMLElement {
  const list = make('ol', 'edits');
  list.setAttribute('aria-label', 'Edits');
  const lines = lineStarts();
  const add = (from: number) => {
    edits.slice(from, from + LISTED).forEach((edit, offset) => {
      const index = from + offset;
      const [line, column] = placeOf(lines, edit.start);
      const entry = button('', () => activate(index), 'edit-row');
      entry.append(make('span', `risk ${edit.risk}`, edit.risk), make('span', 'rule', edit.rule), make('code', 'change', change(edit)), make('span', 'path', edit.path || '(the whole)'), make('span', 'place', `${line}:${column}`));
      entry.dataset['index'] = `${index}`;
      list.append(make('li', '', entry));
    });
  };
  add(0);
  const title = total > edits.length ? `${plural(total, 'edit')}, the first ${edits.length.toLocaleString('en')} shown` : plural(total, 'edit');
  const section = make('div', '', make('h2', '', title), list);
  if (edits.length > LISTED) {
    const more = button(`Show ${LISTED} more`, () => {
      add(list.children.length);
      if (list.children.length >= edits.length) more.remove();
    });
    section.append(more);
  }
  return section;
}

function lineStarts(): number[] {
  const starts = [0];
  for (let at = state.text.indexOf('\n'); at >= 0; at = state.text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Line and column, from 1, in characters: as everywhere in jsonseam. */
function placeOf(starts: number[], at: number): [number, number] {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] as number) <= at) low = middle;
    else high = middle;
  }
  return [low + 1, [...state.text.slice(starts[low], at)].length + 1];
}

function activate(index: number): void {
  if (!shown || !shown.edits[index]) return;
  active = index;
  left.activate(index);
  const { from, to } = placesInOutput(shown)[index] as { from: number; to: number };
  const at = right.marks.findIndex((mark) => mark.from === from && mark.to === to);
  if (at >= 0) right.activate(at);
  for (const entry of document.querySelectorAll<HTMLElement>('.edit-row')) {
    if (entry.dataset['index'] === `${index}`) entry.setAttribute('aria-current', 'true');
    else entry.removeAttribute('aria-current');
  }
}

function step(by: 1 | -1): boolean {
  if (!shown || shown.edits.length === 0) return false;
  activate((active + by + shown.edits.length) % shown.edits.length);
  const { rule, risk } = shown.edits[active] as Edit;
  find('announce').textContent = `Edit ${active + 1} of ${shown.edits.length}: ${rule}, ${risk}, ${change(shown.edits[active] as Edit)}`;
  return true;
}

/** A clause as a sentence. */
const sentence = (clause: string): string => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`;

function showRefusal(refusal: Refusal, took: string): void {
  const { reason, meaning, advice, position, line, column, expected, mendedBy, unanswered, presets, readings, doubt, candidates } = refusal;
  status(`Refused: ${reason}${line === undefined ? '' : ` at line ${line}, column ${column}`}${took}`, 'refused');
  const marks: Mark[] = [];
  if (position !== undefined && readings.length === 0) marks.push({ from: position, to: Math.min(position + 1, state.text.length), kind: 'fault', tip: [['refused', reason], ...(expected ? [['expected', expected] as [string, string]] : [])] });
  candidates.forEach(({ start, end }) => marks.push({ from: start, to: end, kind: 'likely', tip: [['payload', `${start}–${end}`]] }));
  readings.forEach(({ edits }, which) => edits.forEach(({ start, end, rule }) => marks.push({ from: start, to: end, kind: which === 0 ? 'reading-a' : 'reading-b', tip: [[`reading ${'AB'[which]}`, rule]] })));
  left.mark(marks.sort((one, other) => one.from - other.from));

  const why = make('div', 'card refused', make('h2', '', sentence(meaning)));
  if (doubt && readings.every(({ edits }) => edits.length > 0)) why.append(make('p', '', doubt));
  if (expected) why.append(make('p', '', `Expected here: ${expected}.`));
  if (position !== undefined) why.append(button('Show the place', () => { left.view.focus(); left.activate(left.marks.findIndex(({ kind }) => kind === 'fault')); }));
  if (presets[0]) {
    const preset = presets[0] as State['preset'];
    const help = make('p', 'help', readings.length > 0 ? 'A preset that knows one of the readings alone, and takes it: ' : 'The smallest preset that repairs it: ');
    help.append(button(`use ${preset}`, () => { set({ preset, enable: [], disable: [] }); }, 'button main'));
    why.append(help);
  }
  if (mendedBy.length > 0) {
    const help = make('p', 'help', 'Rules that are off and would repair it: ');
    for (const rule of mendedBy) help.append(button(`enable ${rule}`, () => toggle(rule, true), `button rule ${riskOf(rule) ?? ''}`));
    why.append(help);
  }
  if (unanswered?.why) why.append(make('p', '', `All rules together stop at line ${unanswered.line}, column ${unanswered.column}: ${unanswered.why}.`));
  if (presets.length === 0 && mendedBy.length === 0 && !unanswered?.why) {
    const next = unanswered ? 'no known rule repairs this: ask the model again, or edit the text by hand' : advice;
    if (next) why.append(make('p', '', sentence(next)));
  }
  find('outcome').append(why);
  if (readings.length > 0) {
    const both = make('div', 'readings');
    readings.forEach((reading, which) => both.append(readingCard(reading, which, doubt)));
    find('outcome').append(both);
  }
  if (candidates.length > 0) {
    const list = candidates.map(({ start, end }) => make('li', '', make('code', '', visible(state.text.slice(start, end), 80))));
    find('outcome').append(make('div', 'card', make('h2', '', plural(candidates.length, 'payload')), make('ol', '', ...list)));
  }
}

/** Characters of the text that are shown around the edits of a reading. */
const AROUND = 60;

/** One reading: the text with the places that it changes, and the JSON that it gives. One that no rule writes is what the doubt says. */
function readingCard({ edits, cost, json }: Refusal['readings'][number], which: number, doubt: string | undefined): HTMLElement {
  if (edits.length === 0) return card(`reading-${which === 0 ? 'a' : 'b'}`, `Reading ${'AB'[which]}`, `What no rule writes${doubt ? `: ${doubt}` : ''}, cost ${cost}`);
  const rules = [...new Set(edits.map(({ rule }) => rule))].join(', ');
  const box = make('div', `card reading-${which === 0 ? 'a' : 'b'}`, make('h2', '', `Reading ${'AB'[which]}`), make('p', '', `${rules}, cost ${cost}`));
  const first = Math.max((edits[0]?.start ?? 0) - AROUND, 0);
  const last = Math.min((edits[edits.length - 1]?.end ?? 0) + AROUND, state.text.length);
  const source = make('pre', '', first > 0 ? '…' : '');
  let at = first;
  for (const { start, end } of edits) {
    source.append(shownText(at, start), make('mark', '', start === end ? '▲' : visible(state.text.slice(start, end), 200)));
    at = end;
  }
  source.append(shownText(at, last), last < state.text.length ? '…' : '');
  box.append(make('h3', '', 'It changes the text here'), source);
  if (json !== undefined) box.append(make('h3', '', 'It gives'), make('pre', '', json));
  return box;
}

/** A part of the text with its line breaks; of a long one its ends. */
function shownText(from: number, to: number): string {
  const part = state.text.slice(from, to);
  const short = part.length > 4 * AROUND ? `${part.slice(0, 2 * AROUND)} … ${part.slice(-2 * AROUND)}` : part;
  return short.split('\n').map((line) => visible(line, Infinity)).join('\n');
}

function card(kind: string, title: string, text: string): HTMLElement {
  return make('div', `card ${kind}`, make('h2', '', title), make('p', '', text));
}

function contractCard(verdict: Verdict): HTMLElement {
  if (verdict.outputs) return card('valid', 'The contract is met', `Outputs: ${verdict.outputs.map((name) => visible(name)).join(', ') || 'none'}`);
  const { code, reason, missing = [], extra = [], duplicates = [], message = '' } = verdict;
  const box = make('div', 'card refused', make('h2', '', 'The contract is not met'), make('p', '', code ? `${code}, ${reason}` : message));
  for (const [words, names] of [['missing', missing], ['not declared', extra], ['more than once', duplicates]] as const) {
    if (names.length > 0) box.append(make('p', '', `${words}: `, ...names.flatMap((name) => [make('code', '', visible(name)), ' '])));
  }
  return box;
}

// ---- Rules ----

const riskOf = (name: string) => catalogue.rules.find((rule) => rule.name === name)?.risk;
const presetRules = () => new Set(catalogue.presets.find(({ name }) => name === state.preset)?.rules ?? []);
const isOn = (name: string, base = presetRules()) => (base.has(name) && !state.disable.includes(name)) || state.enable.includes(name);

function toggle(name: string, on: boolean): void {
  const inPreset = presetRules().has(name);
  const without = (names: string[]) => names.filter((other) => other !== name);
  set({ enable: on && !inPreset ? [...without(state.enable), name] : without(state.enable), disable: !on && inPreset ? [...without(state.disable), name] : without(state.disable) });
}

function showRules(): void {
  const base = presetRules();
  const wanted = find<HTMLInputElement>('rules-filter').value.trim().toLowerCase();
  const rules = catalogue.rules.filter(({ name, summary }) => `${name} ${summary}`.toLowerCase().includes(wanted));
  find('rules-count').textContent = `${catalogue.rules.filter(({ name }) => isOn(name, base)).length}/${catalogue.rules.length}`;
  find('rules-list').replaceChildren(
    ...rules.map(({ name, risk, summary, doc }) => {
      const box = make('input');
      box.type = 'checkbox';
      box.checked = isOn(name, base);
      box.addEventListener('change', () => toggle(name, box.checked));
      const label = make('label', '', box, make('strong', '', name), make('span', `risk ${risk ?? 'none'}`, risk ?? 'locates'));
      const more = make('details', '', make('summary', '', plain(summary)));
      more.addEventListener('toggle', () => { if (more.open && more.children.length === 1) openRule(name, more, doc); });
      const changed = state.enable.includes(name) || state.disable.includes(name);
      return make('li', changed ? 'changed' : '', label, more);
    }),
  );
}

/** The page of a rule, and its cases as the engine answers them now. */
function openRule(rule: string, at: HTMLElement, doc: string): void {
  at.append(...markdown(doc));
  if (!casesOf[rule]) return;
  const list = make('ul', 'cases');
  list.dataset['rule'] = rule;
  at.append(make('h3', '', 'Cases, run now with this rule alone'), list);
  worker.postMessage({ rule });
}

function showCases(rule: string, tried: Tried[]): void {
  const list = document.querySelector<HTMLElement>(`.cases[data-rule="${CSS.escape(rule)}"]`);
  list?.replaceChildren(
    ...tried.map(({ name, input, root, rules, defaults, outcome, reason, isAsSaid }) => {
      const verdict = make('span', isAsSaid ? 'said' : 'otherwise', isAsSaid ? 'as the case says' : 'not as the case says');
      const contract = Object.entries(defaults ?? {}).map(([path, json]) => `${path}: ${json}`);
      const open = button('Open', () => openCase(rule, input, root ?? 'any', rules), 'button small');
      open.setAttribute('aria-label', `Open the case: ${name}`);
      return make(
        'li',
        '',
        make('p', '', make('b', '', name)),
        ...(defaults ? [make('p', '', `under a contract with the defaults ${contract.join(', ')}`)] : []),
        make('pre', '', shownCase(input)),
        make('p', '', outcome === undefined ? `is refused: ${reason}` : 'becomes'),
        ...(outcome === undefined ? [] : [make('pre', '', shownCase(outcome))]),
        // The contract of the settings has no schemas, so such a case cannot be opened there.
        make('p', '', verdict, ...(defaults ? [] : [' ', open])),
      );
    }),
  );
}

const shownCase = (text: string) => text.split('\n').map((line) => visible(line, 400)).join('\n');

/** Takes a case into the editor, under the smallest preset that has its rules. */
function openCase(rule: string, text: string, root: State['root'], rules: string[]): void {
  const preset = catalogue.presets.find((known) => rules.every((wanted) => known.rules.includes(wanted)))?.name ?? 'lenient';
  apply({ ...FRESH, text, root, preset: preset as State['preset'] });
  find('announce').textContent = `A case of ${rule} is open`;
  find('status').scrollIntoView({ block: 'nearest' });
}

const plain = (text: string) => text.replaceAll('`', '');

/** As much of Markdown as the texts about rules use: headings, paragraphs, fences, code. */
function markdown(doc: string): HTMLElement[] {
  const blocks: HTMLElement[] = [];
  const parts = doc.replace(/^.*\n/, '').split(/^```.*$/m);
  parts.forEach((part, index) => {
    if (index % 2 === 1) blocks.push(make('pre', '', make('code', '', part.trim())));
    else {
      for (const block of part.split(/\n\s*\n|(?<=^\s*# .*)\n/m)) {
        const text = block.replace(/^ /gm, '').trim();
        if (text.startsWith('# ')) blocks.push(make('h3', '', text.slice(2)));
        else if (text) blocks.push(make('p', '', ...text.split(/(`[^`]*`)/).map((piece) => (piece.startsWith('`') && piece.length > 1 ? make('code', '', piece.slice(1, -1)) : piece))));
      }
    }
  });
  return blocks;
}

// ---- The same run elsewhere ----

let tab = 'TOML';
function showRun(): void {
  find('code').textContent = RUNS[tab]!(state);
}

function buildTabs(): void {
  const names = Object.keys(RUNS);
  const choose = (name: string, focus = false) => {
    tab = name;
    for (const made of find('tabs').querySelectorAll<HTMLButtonElement>('button')) {
      const isChosen = made.textContent === name;
      made.setAttribute('aria-selected', `${isChosen}`);
      made.tabIndex = isChosen ? 0 : -1;
      if (isChosen) {
        find('code-panel').setAttribute('aria-labelledby', made.id);
        if (focus) made.focus();
      }
    }
    showRun();
  };
  names.forEach((name, index) => {
    const made = button(name, () => choose(name), '');
    made.id = `tab-${index}`;
    made.setAttribute('role', 'tab');
    made.setAttribute('aria-controls', 'code-panel');
    made.addEventListener('keydown', ({ key }) => {
      const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
      if (by !== 0) choose(names[(index + by + names.length) % names.length] as string, true);
    });
    find('tabs').append(made);
  });
  choose(tab);
}

// ---- Settings ----

/** On a narrow screen the settings that few need are folded away; what is set is always shown. */
function showMore(isShown: boolean): void {
  find('more-open').setAttribute('aria-expanded', `${isShown}`);
}

/** Changes settings, and nothing else: the text is what is in the editor now, which may be newer than what was repaired last. */
function set(settings: Partial<State>): void {
  apply({ ...state, text: left.text, ...settings });
}

function apply(next: State): void {
  state = next;
  left.text = next.text;
  for (const radio of document.querySelectorAll<HTMLInputElement>('input[name=preset]')) radio.checked = radio.value === next.preset;
  find<HTMLSelectElement>('root').value = next.root;
  find<HTMLSelectElement>('finish').value = next.finish;
  if (find<HTMLInputElement>('keys').value !== next.keys) find<HTMLInputElement>('keys').value = next.keys;
  if (next.root !== 'any' || next.finish !== '' || next.keys !== '') showMore(true);
  showRules();
  run();
}

function flash(at: HTMLElement, text: string): void {
  const before = at.dataset['text'] ?? at.textContent ?? '';
  at.dataset['text'] = before;
  at.textContent = text;
  find('announce').textContent = text;
  window.setTimeout(() => { at.textContent = before; }, 1600);
}

async function copy(text: string, at: HTMLElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    flash(at, 'Copied');
  } catch {
    flash(at, 'Not allowed');
  }
}

async function share(): Promise<void> {
  const at = find('share');
  const fragment = await toFragment({ ...state, text: left.text });
  if (fragment === undefined) {
    flash(at, 'Too long');
    status('This text is too long for a link: more than 16 KB when compressed.', 'refused');
    return;
  }
  history.replaceState(null, '', `#${fragment}`);
  await copy(location.href, at);
}

async function openLink(): Promise<boolean> {
  const linked = await fromFragment(location.hash.slice(1));
  if (linked) apply(linked);
  return linked !== undefined;
}

function wire(): void {
  const announce = make('p', 'visually-hidden');
  announce.id = 'announce';
  announce.setAttribute('aria-live', 'polite');
  document.body.append(announce);
  find('version').textContent = `jsonseam ${VERSION}`;

  const examples = find<HTMLSelectElement>('example');
  examples.append(new Option('choose …', ''), ...EXAMPLES.map(({ title }, index) => new Option(title, `${index}`)));
  examples.addEventListener('change', () => {
    const example = EXAMPLES[Number(examples.value)];
    if (examples.value !== '' && example) apply(stateOf(example));
  });
  for (const radio of document.querySelectorAll<HTMLInputElement>('input[name=preset]')) {
    radio.addEventListener('change', () => set({ preset: radio.value as State['preset'], enable: [], disable: [] }));
  }
  find('root').addEventListener('change', () => set({ root: find<HTMLSelectElement>('root').value as State['root'] }));
  find('finish').addEventListener('change', () => set({ finish: find<HTMLSelectElement>('finish').value as State['finish'] }));
  find('keys').addEventListener('input', () => { state = { ...state, keys: find<HTMLInputElement>('keys').value }; schedule(); });
  find('settings').addEventListener('submit', (event) => event.preventDefault());

  find('more-open').addEventListener('click', () => showMore(find('more-open').getAttribute('aria-expanded') === 'false'));
  find('rules-open').addEventListener('click', () => {
    const panel = find('rules');
    panel.hidden = !panel.hidden;
    find('rules-open').setAttribute('aria-expanded', `${!panel.hidden}`);
  });
  find('rules-filter').addEventListener('input', showRules);
  find('rules-reset').addEventListener('click', () => set({ enable: [], disable: [] }));

  find('share').addEventListener('click', () => void share());
  find('copy').addEventListener('click', () => void copy(right.text, find('copy')));
  find('code-copy').addEventListener('click', () => void copy(RUNS[tab]!(state), find('code-copy')));
  find('theme').addEventListener('click', () => {
    const theme = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = theme;
    try {
      localStorage.setItem('jsonseam-theme', theme);
    } catch {
      // Kept for this visit only.
    }
  });
  addEventListener('hashchange', () => void openLink());
}

wire();
buildTabs();
start();
if (!(await openLink())) {
  find<HTMLSelectElement>('example').value = '0';
  apply(stateOf(EXAMPLES[0]!));
}
