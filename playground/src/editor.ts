// The two panes. Each editor lives in a shadow root: there CodeMirror adopts its style sheets, and the page's policy can forbid inline styles.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType, drawSelection, highlightSpecialChars, hoverTooltip, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** A marked span of a pane. */
export interface Mark {
  from: number;
  to: number;
  /** The style: a risk, `outside`, `fault`, `reading-a` or `reading-b`. */
  kind: string;
  /** Shown after the span, as what has taken its place. */
  inserted?: string;
  /** Whether the span is gone from the output. */
  isRemoved?: boolean;
  /** Lines of the tooltip. */
  tip?: [label: string, text: string][];
}

const setMarks = StateEffect.define<Mark[]>();
const setActive = StateEffect.define<number | null>();

/** Text that could hide itself is shown by its code points. */
const HIDDEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/gu;
const NAMES: Record<string, string> = { '\n': '↵', '\r': '␍', '\t': '⇥', ' ': '␣' };
export const visible = (text: string, most = 60): string => {
  const short = text.length > most ? `${text.slice(0, most)}…` : text;
  return short.replace(HIDDEN, (character) => NAMES[character] ?? `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`);
};

class Inserted extends WidgetType {
  constructor(
    readonly text: string,
    readonly kind: string,
  ) {
    super();
  }

  override eq(other: Inserted) {
    return other.text === this.text && other.kind === this.kind;
  }

  toDOM() {
    const chip = document.createElement('span');
    chip.className = `inserted ${this.kind}`;
    chip.textContent = visible(this.text, 24);
    chip.setAttribute('aria-hidden', 'true');
    return chip;
  }

  override ignoreEvent() {
    return false;
  }
}

const marks = StateField.define<{ list: Mark[]; painted: DecorationSet; active: number | null }>({
  create: () => ({ list: [], painted: Decoration.none, active: null }),
  update(value, transaction) {
    let { list, painted, active } = value;
    if (transaction.docChanged) painted = painted.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        list = effect.value;
        active = null;
        painted = paint(list, active, transaction.state.doc.length);
      } else if (effect.is(setActive)) {
        active = effect.value;
        painted = paint(list, active, transaction.state.doc.length);
      }
    }
    return { list, painted, active };
  },
  provide: (field) => EditorView.decorations.from(field, ({ painted }) => painted),
});

function paint(list: Mark[], active: number | null, length: number): DecorationSet {
  const ranges = list.flatMap(({ from, to, kind, inserted, isRemoved }, index) => {
    if (to > length) return [];
    const at = index === active ? ' active' : '';
    // A line through one or two characters reads as a dash: there the ground alone says it.
    const removed = isRemoved ? (to - from > 2 ? ' removed struck' : ' removed') : '';
    const covered = from < to ? [Decoration.mark({ class: `edit ${kind}${removed}${at}` }).range(from, to)] : [];
    const chip = inserted ? [Decoration.widget({ widget: new Inserted(inserted, `${kind}${at}`), side: 1 }).range(to)] : [];
    const point = from === to && !inserted ? [Decoration.widget({ widget: new Inserted('▲', `${kind}${at}`), side: 1 }).range(to)] : [];
    return [...covered, ...chip, ...point];
  });
  return Decoration.set(ranges, true);
}

const tooltips = hoverTooltip((view, at) => {
  const { list } = view.state.field(marks);
  const hit = list.find(({ from, to, tip }) => tip && from <= at && at <= Math.max(to, from));
  if (!hit?.tip) return null;
  const tip = hit.tip;
  return {
    pos: hit.from,
    end: hit.to,
    above: true,
    create: () => {
      const dom = document.createElement('dl');
      dom.className = `tip ${hit.kind}`;
      for (const [label, text] of tip) {
        dom.append(Object.assign(document.createElement('dt'), { textContent: label }), Object.assign(document.createElement('dd'), { textContent: text }));
      }
      return { dom };
    },
  };
}, { hoverTime: 120 });

const theme = EditorView.theme({
  '&': { backgroundColor: 'var(--paper)', color: 'var(--ink)', fontSize: '13.5px' },
  '&.cm-focused': { outline: '2px solid var(--focus)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.75', overflow: 'auto' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)', borderLeftWidth: '2px' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': { background: 'var(--selection) !important' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: 'none', paddingRight: '2px' },
  '.cm-placeholder': { color: 'var(--faint)' },
  '.cm-specialChar': { color: 'var(--faint)', fontSize: '0.85em', border: '1px solid var(--line)', borderRadius: '3px', padding: '0 2px', margin: '0 1px' },
  '.outside': { color: 'var(--faint)' },
  '.edit.certain, .edit.likely, .edit.guess, .edit.lossy, .edit.fault, .edit.reading-a, .edit.reading-b': { borderRadius: '3px', padding: '1px 0', boxDecorationBreak: 'clone' },
  '.edit.certain': { background: 'var(--certain-back)', boxShadow: 'inset 0 -2px 0 var(--certain)' },
  '.edit.likely': { background: 'var(--likely-back)', boxShadow: 'inset 0 -2px 0 var(--likely)' },
  '.edit.guess': { background: 'var(--guess-back)', boxShadow: 'inset 0 -2px 0 var(--guess)' },
  '.edit.lossy': { background: 'var(--lossy-back)', boxShadow: 'inset 0 -2px 0 var(--lossy)' },
  '.edit.fault': { background: 'var(--lossy-back)', boxShadow: 'inset 0 -2px 0 var(--lossy)' },
  '.edit.reading-a': { background: 'var(--likely-back)', boxShadow: 'inset 0 -2px 0 var(--likely)' },
  '.edit.reading-b': { background: 'var(--guess-back)', boxShadow: 'inset 0 -2px 0 var(--guess)' },
  '.edit.removed': { padding: '1px 2px' },
  '.edit.struck': { textDecoration: 'line-through', textDecorationThickness: '1.5px' },
  '.edit.active': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.inserted': { fontFamily: 'var(--mono)', fontSize: '0.86em', fontWeight: '700', borderRadius: '4px', padding: '1px 4px', margin: '0 2px', color: 'var(--on-risk)' },
  '.inserted.certain': { background: 'var(--certain)' },
  '.inserted.likely': { background: 'var(--likely)' },
  '.inserted.guess': { background: 'var(--guess)' },
  '.inserted.lossy, .inserted.fault': { background: 'var(--lossy)' },
  '.inserted.reading-a': { background: 'var(--likely)' },
  '.inserted.reading-b': { background: 'var(--guess)' },
  '.inserted.active': { outline: '2px solid var(--focus)', outlineOffset: '1px' },
  '.cm-tooltip': { background: 'var(--card)', color: 'var(--ink)', border: '1px solid var(--line)', borderRadius: '8px', boxShadow: '0 6px 24px rgb(0 0 0 / 0.18)', overflow: 'hidden' },
  '.tip': { display: 'grid', gridTemplateColumns: 'auto 1fr', gap: '2px 12px', margin: '0', padding: '8px 12px', font: '13px/1.5 var(--sans)', maxWidth: '24rem', borderLeft: '4px solid var(--line)' },
  '.tip.certain': { borderLeftColor: 'var(--certain)' },
  '.tip.likely': { borderLeftColor: 'var(--likely)' },
  '.tip.guess': { borderLeftColor: 'var(--guess)' },
  '.tip.lossy, .tip.fault': { borderLeftColor: 'var(--lossy)' },
  '.tip dt': { color: 'var(--soft)' },
  '.tip dd': { margin: '0', fontFamily: 'var(--mono)', overflowWrap: 'anywhere' },
});

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--key)' },
  { tag: tags.string, color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: 'var(--soft)' },
]);

/** Only line feeds end a line here, so that a position in the editor is a position in the text; what is otherwise invisible is shown. */
const common: Extension[] = [
  EditorState.lineSeparator.of('\n'),
  highlightSpecialChars({
    addSpecialChars: /[\u200c\u200d\u2060\u202a-\u202e\u2066-\u2069]/g,
    render: (code, _description, placeholder) => {
      const shown = document.createElement('span');
      shown.className = 'cm-specialChar';
      const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      shown.textContent = code === 13 ? '␍' : code < 32 ? placeholder : name;
      shown.title = name;
      shown.setAttribute('aria-label', name);
      return shown;
    },
  }),
  lineNumbers(),
  marks,
  tooltips,
  theme,
  EditorView.lineWrapping,
];

export class Pane {
  readonly view: EditorView;

  constructor(parent: HTMLElement, label: string, own: Extension[]) {
    const root = parent.attachShadow({ mode: 'open' });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':host { display: flex } .cm-editor { flex: 1; min-width: 0 }');
    root.adoptedStyleSheets = [sheet];
    this.view = new EditorView({ parent: root, root, state: EditorState.create({ extensions: [...own, ...common, EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', spellcheck: 'false', autocapitalize: 'off' })] }) });
  }

  get text(): string {
    return this.view.state.sliceDoc();
  }

  set text(text: string) {
    if (text === this.text) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, selection: { anchor: 0 } });
    // Not `scrollIntoView`, which scrolls the page too.
    this.view.scrollDOM.scrollTop = 0;
  }

  mark(list: Mark[]): void {
    this.view.dispatch({ effects: setMarks.of(list) });
  }

  get marks(): readonly Mark[] {
    return this.view.state.field(marks).list;
  }

  /** Brings a mark into sight. */
  activate(index: number | null): void {
    const mark = index === null ? undefined : this.marks[index];
    if (mark && mark.to <= this.view.state.doc.length) {
      this.view.dispatch({ effects: [setActive.of(index), EditorView.scrollIntoView(mark.from, { y: 'center' })], selection: { anchor: mark.from, head: mark.to } });
    } else this.view.dispatch({ effects: setActive.of(null) });
  }
}

/** Chromium types over a selection in the style of what it replaces, as an inline style, which the policy of the page forbids. */
const plainTyping = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.inputType !== 'insertText' || event.data === null || event.isComposing || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true });
    return true;
  },
});

export function editable(onChange: () => void, onStep: (by: 1 | -1) => boolean): Extension[] {
  return [
    history(),
    plainTyping,
    drawSelection(),
    keymap.of([
      { key: 'Alt-ArrowDown', run: () => onStep(1) },
      { key: 'Alt-ArrowUp', run: () => onStep(-1) },
      ...defaultKeymap,
      ...historyKeymap,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange();
    }),
  ];
}

export const readOnly: Extension[] = [EditorState.readOnly.of(true), json(), syntaxHighlighting(colours), keymap.of(defaultKeymap)];
