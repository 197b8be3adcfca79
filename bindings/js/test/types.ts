// Compiled by `tsc --strict`, never run: the hand-written types as a user meets them, and the sources against them.

import { ContractError, RepairError, type Contract, type JsonStream, type Outputs, type StreamEvent, catalogue, check, createContract, createPipeline, parse, repair } from 'jsonseam';
import * as core from 'jsonseam/core';
import * as slim from 'jsonseam/slim';
import { createHooks, repairText, repairToolCall, repairedOutput } from 'jsonseam/ai';
import { JSONRepairError, jsonrepair } from 'jsonseam/jsonrepair';
import { createStream, eventTransform, jsonrepairTransform, repairTransformStream, settledTransform } from 'jsonseam/stream';
import { Output, generateObject, generateText, type LanguageModel } from 'ai';
import * as z from 'zod';

const repaired = repair<{ a: number }>('{a: 1}', { preset: 'lenient', finishReason: 'stop' });
const a: number = repaired.value.a;
const rule: string | undefined = repaired.edits[0]?.rule;
const unknown: unknown = parse('{}');
const typed = parse<{ a: number }>('{}', { allowTruncated: true, reviver: (_key, value) => value }).a;
const nothing: void = check('{}');
const names: readonly string[] = createPipeline({ enable: ['trailing-comma'] as const }).rules;
const contract: Contract = createContract({ schemas: { n: z.number(), m: { type: 'integer' } }, whole: () => ({ type: 'object' }) });
const outputs: Outputs<{ n: number }> = contract.parse<{ n: number }>('{}');
const declared = createContract({ keys: ['id'], optional: ['note'], schemas: { items: z.array(z.string()), n: { type: 'integer' }, level: { enum: ['low', 'high'] }, tags: { type: 'array', items: { type: 'string' } } } }).parse('{}').values;
const inferred: { id: unknown; items: string[]; n: number; level: 'low' | 'high'; tags: string[]; note?: unknown } = declared;
const whole: { city: string } = createContract({ whole: z.object({ city: z.string() }) }).parse('{}').values;
const loose: Record<string, unknown> = createContract({ keys: [] as string[] }).parse('{}').values;
const deep = createContract({
  schemas: {
    order: {
      type: 'object',
      properties: { sku: { type: 'string' }, counts: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } }, kind: { enum: ['a', 'b'] }, note: { type: ['string', 'null'] }, due: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      required: ['sku', 'counts', 'note'],
    },
    labels: { type: 'object', additionalProperties: { type: 'number' } },
    old: { type: 'string', nullable: true },
  },
}).parse('{}').values;
const nested: { order: { sku: string; counts: { n: number }[]; kind?: 'a' | 'b'; note: string | null; due?: string | number }; labels: Record<string, number>; old: string | null } = deep;
// @ts-expect-error a property that may be absent
const perhaps: 'a' | 'b' = deep.order.kind;
// @ts-expect-error a property that is not declared
deep.order.price;
// @ts-expect-error an output of another type
const mistyped: number[] = declared.items;
// @ts-expect-error an output that may be absent
const absent: {} = declared.note;
// @ts-expect-error an output that is not declared
declared.other;
const risk = catalogue().rules[0]?.risk satisfies 'certain' | 'likely' | 'guess' | 'lossy' | null | undefined;
const text: string = jsonrepair('{}', { fallback: (broken) => broken });
const piped = new ReadableStream<string>().pipeThrough(repairTransformStream({ maxBytes: 9 }));
const streamed: JsonStream = createStream({ preset: 'standard' });
const told = (event: StreamEvent): unknown => (event.kind === 'done' ? [event.value, event.start satisfies number] : event.kind === 'text' ? event.text.length : event.kind === 'end' ? event.repaired.text : event.kind);
const events = new ReadableStream<string>().pipeThrough(eventTransform({ finishReason: () => undefined })).pipeThrough(new TransformStream<StreamEvent, unknown>({ transform: (event, to) => to.enqueue(told(event)) }));
const settled: ReadableStream<string> = new ReadableStream<Uint8Array>().pipeThrough(settledTransform({ allowTruncated: true }));
// @ts-expect-error an option of a transform
createStream({ allowTruncated: true });
jsonrepairTransform({ bufferSize: 1 }).on('error', (error) => error instanceof JSONRepairError && error.position);
slim.initSync(new Uint8Array());
const same: typeof repair = core.repair;
const other: typeof core.RepairError = RepairError;
const failed = (error: unknown) => (error instanceof ContractError ? error.violations[0]?.path : error instanceof RepairError ? error.mendedBy : undefined);

// @ts-expect-error an option that does not exist
repair('{}', { presett: 'strict' });
// @ts-expect-error a preset that does not exist
repair('{}', { preset: 'lenien' });
// @ts-expect-error no text
repair(1);
// @ts-expect-error a pipeline knows no finish reason
createPipeline({ finishReason: 'stop' });
// @ts-expect-error errors come from the engine only
new RepairError('no');

declare const model: LanguageModel;
const schema = z.object({ city: z.string() });
const made = generateText({ model, prompt: '', output: repairedOutput(Output.object({ schema })), repairToolCall }).then(({ output }) => output.city);
const object = generateObject({ model, prompt: '', schema, experimental_repairText: repairText });
const hooks = createHooks({ onRepair: ({ edits }, subject) => void [edits.length, subject] });

export { a, absent, failed, inferred, loose, mistyped, nested, perhaps, whole, hooks, made, events, names, nothing, object, other, outputs, piped, settled, streamed, risk, rule, same, text, typed, unknown };

// The sources export what the types declare.
import type * as indexTypes from '../types/index.d.ts';
import type * as indexSource from '../src/entries/index.ts';
import type * as coreSource from '../src/entries/core.ts';
import type * as aiSource from '../src/entries/ai.ts';
import type * as aiTypes from '../types/ai.d.ts';
import type * as coreTypes from '../types/core.d.ts';
type Functions<T> = { [K in keyof T as T[K] extends (...args: never) => unknown ? K : never]: T[K] };
type Covers<Source, Types> = Functions<Source> extends Functions<Types> ? true : never;
export const covered: [Covers<typeof indexSource, typeof indexTypes>, Covers<typeof coreSource, typeof coreTypes>, Covers<typeof aiSource, typeof aiTypes>] = [true, true, true];
