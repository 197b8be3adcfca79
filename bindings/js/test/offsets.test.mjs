// The law of the seams, on random texts of all of Unicode: the edits, applied to the JavaScript string, give the output.

import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { RepairError, repair } from 'jsonseam/core';
import { RepairError as FullError, createPipeline } from 'jsonseam';

const string = fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => text.isWellFormed());
const value = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.boolean(), fc.constant(null), string, fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(string, tie('value'), { maxKeys: 4 })),
})).value;
const container = fc.oneof(fc.array(value), fc.dictionary(string, value));

/** Ways in which models break JSON. */
const damage = fc.constantFrom(
  (json) => json,
  (json) => json.replaceAll('}', ',}'),
  (json) => json.replaceAll('true', 'True').replaceAll('null', 'None'),
  (json) => `Sure, 😀 here:\n\`\`\`json\n${json}\n\`\`\`\r\nnaïve`,
  (json) => json.replace(/"(\w+)":/g, '$1:'),
  (json) => json.replaceAll(',', '\r\n'),
  (json) => `${json.slice(0, -1)}`,
  (json) => json.replaceAll('"', '”'),
);

function applied(text, { payload, edits }) {
  let output = '';
  let at = payload.start;
  for (const edit of edits) {
    assert.ok(edit.start >= at && edit.end >= edit.start && edit.end <= payload.end);
    output += text.slice(at, edit.start) + edit.replacement;
    at = edit.end;
  }
  return output + text.slice(at, payload.end);
}

test('the edits, applied to the string, give the text; offsets in bytes say the same', () => {
  let broken = 0;
  fc.assert(
    fc.property(container, fc.array(damage, { minLength: 1, maxLength: 2 }), fc.constantFrom('strict', 'standard', 'lenient'), (made, damages, preset) => {
      const text = damages.reduce((json, apply) => apply(json), JSON.stringify(made));
      let repaired;
      try {
        repaired = repair(text, { preset });
      } catch (error) {
        assert.ok(error instanceof RepairError);
        if (error.position !== undefined) assert.equal(Buffer.byteLength(text.slice(0, error.position)), error.byteOffset);
        return;
      }
      assert.equal(applied(text, repaired), repaired.text);
      JSON.parse(repaired.text);
      const bytes = Buffer.from(text);
      for (const span of [repaired.payload, ...repaired.edits]) {
        assert.equal(bytes.subarray(span.byteStart, span.byteEnd).toString(), text.slice(span.start, span.end));
      }
      assert.equal(repair(repaired.text, { preset }).text, repaired.text);
      broken += repaired.status === 'repaired' ? 1 : 0;
    }),
    { numRuns: 1500 },
  );
  assert.ok(broken > 200, `only ${broken} of the texts were repaired`);
});

test('both engines say the same', () => {
  const full = createPipeline({ preset: 'lenient' });
  fc.assert(
    fc.property(container, damage, (made, apply) => {
      const text = apply(JSON.stringify(made));
      const [one, other] = [
        () => repair(text, { preset: 'lenient' }).report(),
        () => full.repair(text).report(),
      ].map((work) => {
        try {
          return work();
        } catch (error) {
          assert.ok(error instanceof RepairError && error instanceof FullError);
          return [error.reason, error.position, error.mendedBy];
        }
      });
      assert.deepEqual(one, other);
    }),
    { numRuns: 300 },
  );
});
