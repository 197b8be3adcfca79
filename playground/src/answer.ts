// What the worker says about a text.

import type { Edit, Reading, Risk, Span, Unanswered } from 'jsonseam';

export interface Result {
  text: string;
  status: 'valid' | 'repaired';
  risk: Risk | null;
  isTruncated: boolean;
  incomplete: readonly string[];
  payload: Span;
  /** The first of them: no one could look at more. */
  edits: readonly Edit[];
  /** How many there are. */
  total: number;
  further: readonly Span[];
}

export interface Refusal {
  reason: string;
  meaning: string;
  advice: string | undefined;
  message: string;
  position: number | undefined;
  line: number | undefined;
  column: number | undefined;
  expected: string | undefined;
  mendedBy: readonly string[];
  /** Where all rules together find no way on. */
  unanswered: Unanswered | undefined;
  /** Each with its JSON, where the reading can be had by itself. */
  readings: readonly (Reading & { json?: string })[];
  doubt: string | undefined;
  candidates: readonly Span[];
  isTruncated: boolean;
  presets: string[];
}

export interface Verdict {
  outputs?: string[];
  code?: string;
  reason?: string;
  missing?: readonly string[];
  extra?: readonly string[];
  duplicates?: readonly string[];
  message?: string;
}

export interface Answer {
  result?: Result;
  refusal?: Refusal;
  problem?: string;
  verdict?: Verdict;
  took?: number;
}

/** A case of a rule, from the file beside the rule. */
export interface Case {
  name: string;
  input: string;
  output?: string;
  refused?: string;
  root?: 'object' | 'array' | 'any';
  /** The rules that are on. */
  rules: string[];
  /** What the schema of a contract has as `default`, as JSON, by the path of the member: `a.b`. */
  defaults?: Record<string, string>;
}

/** A case and what the engine made of it. */
export interface Tried extends Pick<Case, 'name' | 'input' | 'rules' | 'defaults'> {
  root: Case['root'];
  /** The text; undefined if it was refused. */
  outcome: string | undefined;
  reason?: string;
  /** Whether that is what the case says. */
  isAsSaid: boolean;
}
