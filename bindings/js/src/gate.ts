// The gate in front of every function that gives a bare value or text.
//
// Such a result has no place for a mark: it cannot say that it is half of an answer, nor that there was another one beside it.
// What only a mark would tell is therefore a refusal here, a `RepairError` with its reason, unless the caller allows it.
// `Repaired` carries the mark itself, and a contract has its own `allowTruncated`.

import type * as types from '../types/core.d.ts';
import type { DropInOptions } from '../types/jsonrepair.d.ts';
import { RepairError } from './errors.ts';
import type { Repaired } from './repaired.ts';

/** What a drop-in function takes beside the settings of a pipeline. */
export const DROP_IN = { allowTruncated: 'boolean', allowEmpty: 'boolean' } as const;

/** The result, unless the answer was cut off: that is refused as `truncated` (SPEC B3). */
export function whole<R extends types.Repaired>(repaired: R, text: string, allowTruncated = false): R {
  if (repaired.isTruncated && !allowTruncated) throw truncated(text);
  return repaired;
}

/** The refusal of an answer that is cut off. */
export function truncated(text: string): RepairError {
  const message = 'the completion ends before its JSON does; `allowTruncated: true` takes what is there';
  return new RepairError(message, { reason: 'truncated', position: text.length, isTruncated: true });
}

/**
 * The result of a function with the signature of another library, whose callers look at nothing but the text.
 *
 * A text that is cut off is taken where brackets and one quote close it, and refused where an edit is a guess or loses something,
 * or nothing is left; several values are refused, and so is an answer that became empty. `again` repairs a further payload by itself.
 */
export function droppedIn(
  given: types.Repaired,
  text: string,
  options: DropInOptions & { candidates?: string | undefined },
  again: (part: string) => types.Repaired,
): types.Repaired {
  const repaired = given as Repaired;
  const isDoubtful = repaired.risk === 'guess' || repaired.risk === 'lossy';
  const isEmpty = repaired.status === 'repaired' && /^\s*(?:\{\s*\}|\[\s*\]|"")\s*$/.test(repaired.text);
  if (repaired.isTruncated) {
    if (isDoubtful || isEmpty || options.allowTruncated === false) whole(repaired, text, options.allowTruncated);
  } else if (isEmpty && isDoubtful && !options.allowEmpty && CONTENT.test(repaired.revert())) {
    const message = 'nothing of the answer is left; `allowEmpty: true` takes the empty value';
    throw new RepairError(message, { reason: 'empty_answer', position: repaired.payload.end, isRetryable: true });
  }
  if (options.candidates === undefined || options.candidates === 'only') refuseOthers(repaired, text, again);
  return repaired;
}

/** What is no bracket, quote, comma, colon or white space. */
const CONTENT = /[^\s{}[\],:"']/;

/** Refuses a text with several values. Values that are equal are one (SPEC B4). */
function refuseOthers(repaired: Repaired, text: string, again: (part: string) => types.Repaired): void {
  const { further } = repaired;
  // What follows at once and is beyond repair, or no payload for another reason, is a value that was meant all the same.
  const isSeveral =
    further.length > 0
      ? further.some(({ start, end }) => spelled(again, text.slice(start, end)) !== canonical(JSON.parse(repaired.text)))
      : repaired.isFollowed;
  if (!isSeveral) return;
  const { payload } = repaired;
  const message = 'the completion holds several values; `candidates: \'first\'` takes the first';
  const candidates = [payload, ...further].sort((one, other) => one.start - other.start);
  throw new RepairError(message, { reason: 'ambiguous_payload', position: payload.end, isRetryable: true, candidates });
}

function spelled(again: (part: string) => types.Repaired, part: string): string | undefined {
  try {
    return canonical(JSON.parse(again(part).text));
  } catch {
    return undefined;
  }
}

/** A value as text, whatever the order of its members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );
}
