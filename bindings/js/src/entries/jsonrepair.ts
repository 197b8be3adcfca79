// `jsonseam/jsonrepair`: the signature of the package `jsonrepair`, with the answers of this engine.

import type * as types from '../../types/jsonrepair.d.ts';
import { DROP_IN, PER_CALL, RepairError, SETTINGS, checkOptions, droppedIn } from '../common.ts';
import { createPipeline, repair } from './core.ts';

export class JSONRepairError extends Error implements types.JSONRepairError {
  override readonly name = 'JSONRepairError';
  readonly position: number;

  constructor(message: string, position: number, options?: { cause: unknown }) {
    super(`${message} at position ${position}`, options);
    this.position = position;
  }
}

const KNOWN = { ...SETTINGS, ...PER_CALL, ...DROP_IN, fallback: 'function' } as const;

/** Without options, which is the usual call. */
let usual: ReturnType<typeof createPipeline> | undefined;

export function jsonrepair(text: string, options?: types.JsonRepairOptions): string {
  if (options !== undefined) checkOptions(options ?? {}, KNOWN);
  const { fallback, allowTruncated, allowEmpty, ...settings } = options ?? {};
  const again = (part: string) =>
    options === undefined ? (usual ??= createPipeline({ preset: 'lenient' })).repair(part) : repair(part, { preset: 'lenient', ...settings });
  try {
    return droppedIn(again(text), text, { allowTruncated, allowEmpty, candidates: settings.candidates }, again).text;
  } catch (error) {
    if (!(error instanceof RepairError)) throw error;
    if (fallback) return fallback(text);
    throw new JSONRepairError(sentence(error), error.position ?? 0, { cause: error });
  }
}

/** What is wrong, in the few words that this error has: its place follows. */
function sentence(error: RepairError): string {
  const expected = error.expected === undefined ? '' : `, expected ${error.expected}`;
  return `${error.meaning.charAt(0).toUpperCase()}${error.meaning.slice(1)}${expected}`;
}
