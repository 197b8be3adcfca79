// The hooks in the real AI SDK, versions 6 and 7, with its own mock models.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { RepairError } from 'jsonseam';
import { createHooks, jsonTransform, repairText, repairToolCall, repairedOutput, toolCallMiddleware } from 'jsonseam/ai';
import * as z from 'zod';

const major = Number(process.versions.node.split('.')[0]);
const SDKS = { 'ai 6': 'ai6', ...(major >= 22 ? { 'ai 7': 'ai' } : {}) };
const BROKEN = 'Sure!\n```json\n{city: \'Oslo\', "population": 717710,}\n```';
const CUT = '{"city": "Oslo", "population": 7177';
const schema = z.object({ city: z.string(), population: z.number() });

if (major < 22) test('AI SDK 7', { skip: 'NOT RUN: it needs Node 22 or newer' }, () => {});

for (const [name, specifier] of Object.entries(SDKS)) {
  const sdk = await import(specifier);
  const { MockLanguageModelV3, simulateReadableStream } = await import(`${specifier}/test`);
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const model = (content, reason = 'stop') =>
    new MockLanguageModelV3({
      doGenerate: { content, finishReason: { unified: reason, raw: reason }, usage, warnings: [] },
      doStream: {
        stream: simulateReadableStream({
          chunks: [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            ...content.flatMap(({ text = '' }) => [...text].map((delta) => ({ type: 'text-delta', id: '1', delta }))),
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: { unified: reason, raw: reason }, usage },
          ],
        }),
      },
    });
  const answer = (text, reason) => model([{ type: 'text', text }], reason);
  const { generateText, generateObject, streamText, wrapLanguageModel, extractJsonMiddleware, tool, Output, NoObjectGeneratedError } = sdk;

  test(`${name}: generateObject fails without repairText, and does not with it`, async () => {
    const settings = { model: answer(BROKEN), schema, prompt: 'Where?', maxRetries: 0 };
    await assert.rejects(generateObject(settings), NoObjectGeneratedError);
    const { object } = await generateObject({ ...settings, experimental_repairText: repairText, ...(specifier === 'ai' ? { repairText } : {}) });
    assert.deepEqual(object, { city: 'Oslo', population: 717710 });
  });

  test(`${name}: repairText never closes a cut answer`, async () => {
    const hooks = { experimental_repairText: repairText, ...(specifier === 'ai' ? { repairText } : {}) };
    for (const reason of ['length', 'stop']) {
      await assert.rejects(generateObject({ model: answer(CUT, reason), schema, prompt: 'Where?', maxRetries: 0, ...hooks }), NoObjectGeneratedError);
    }
  });

  test(`${name}: repairedOutput repairs the whole text of generateText and of streamText`, async () => {
    const output = repairedOutput(Output.object({ schema }));
    const { output: generated } = await generateText({ model: answer(BROKEN), output, prompt: 'Where?' });
    assert.deepEqual(generated, { city: 'Oslo', population: 717710 });
    await assert.rejects(async () => (await generateText({ model: answer(BROKEN), output: Output.object({ schema }), prompt: 'Where?' })).output, NoObjectGeneratedError);
    const stream = streamText({ model: answer(BROKEN), output, prompt: 'Where?' });
    assert.deepEqual(await stream.output, { city: 'Oslo', population: 717710 });
  });

  test(`${name}: repairedOutput never passes a cut answer off as whole`, async () => {
    const refusals = [];
    const hooks = createHooks({ onRefusal: (error, subject) => refusals.push([error.reason, subject]) });
    const output = hooks.repairedOutput(Output.object({ schema }));
    const run = async (text) => (await generateText({ model: answer(text, 'length'), output, prompt: 'Where?' })).output;
    await assert.rejects(run(CUT), NoObjectGeneratedError);
    await assert.rejects(run('{"city": "Oslo", "population": 7}'), (error) => error instanceof RepairError && error.reason === 'truncated');
    assert.deepEqual(refusals, [['truncated', 'output'], ['truncated', 'output']]);
    // Only asked for by name: a cut number is given as it is there.
    const lax = createHooks({ allowTruncated: true }).repairedOutput(Output.object({ schema }));
    assert.deepEqual((await generateText({ model: answer(CUT, 'length'), output: lax, prompt: 'Where?' })).output, { city: 'Oslo', population: 7177 });
  });

  /** A streamed answer in pieces, with the output of a user. */
  const streaming = (text, output, size = 3, reason = 'stop') => {
    const deltas = text.match(new RegExp(`[^]{1,${size}}`, 'g')).map((delta) => ({ type: 'text-delta', id: '1', delta }));
    const ends = [{ type: 'text-end', id: '1' }, { type: 'finish', finishReason: { unified: reason, raw: reason }, usage }];
    const chunks = [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: '1' }, ...deltas, ...ends];
    return streamText({ model: new MockLanguageModelV3({ doStream: { stream: simulateReadableStream({ chunks }) } }), output, prompt: 'Where?', onError: () => {} });
  };
  const all = async (stream) => {
    const given = [];
    for await (const one of stream) given.push(one);
    return given;
  };

  test(`${name}: T2: the partial values of a broken answer only grow, and hold nothing that is not settled`, async () => {
    const broken = 'Sure!\n```json\n{city: "Oslo", \'rivers\': [{name: "Akerselva", "km": 10,}, {name: "Å",}], "population": 717710,}\n```';
    const value = { city: 'Oslo', rivers: [{ name: 'Akerselva', km: 10 }, { name: 'Å' }], population: 717710 };
    const loose = z.object({ city: z.string(), rivers: z.array(z.any()), population: z.number() });
    for (const size of [1, 3, 64]) {
      const stream = streaming(broken, repairedOutput(Output.object({ schema: loose })), size);
      const partial = await all(stream.partialOutputStream);
      assert.deepEqual(await stream.output, value);
      const grows = (before, after) => {
        if (typeof before === 'string') return after.startsWith(before);
        if (typeof before !== 'object') return before === after;
        return Object.keys(before).every((key, index) => Object.keys(after)[index] === key && grows(before[key], after[key]));
      };
      partial.forEach((after, index) => assert.ok(grows(partial[index - 1] ?? {}, after) && grows(after, value)));
      assert.ok(partial.length >= (size === 64 ? 1 : 6), `${partial.length}`);
    }
    const without = await all(streaming(broken, Output.object({ schema: loose })).partialOutputStream).catch(() => []);
    assert.deepEqual(without.at(-1), undefined, 'the SDK alone shows nothing');
  });

  test(`${name}: T2: elements are published once they are final, each once, and the last one too`, async () => {
    const element = z.object({ name: z.string(), km: z.number().optional() });
    const broken = '{elements: [{name: "Akerselva", "km": 10,}, {name: 7}, {name: "Å",}, {"name": "Alna"}]}';
    const wanted = [{ name: 'Akerselva', km: 10 }, { name: 'Å' }, { name: 'Alna' }];
    for (const preset of ['standard', 'lenient']) {
      for (const size of [1, 3, 100]) {
        const output = createHooks({ preset }).repairedOutput(Output.array({ element }));
        assert.deepEqual(await all(streaming(broken, output, size).elementStream), wanted);
      }
    }
    const cut = '{"elements": [{"name": "Akerselva", "km": 1}, {"name": "Å", "km": 1';
    const fenced = `\`\`\`json\n${JSON.stringify({ elements: wanted })}\n\`\`\``;
    assert.deepEqual(await all(streaming(cut, repairedOutput(Output.array({ element })), 3, 'length').elementStream), [{ name: 'Akerselva', km: 1 }]);
    assert.deepEqual(await all(streaming(fenced, repairedOutput(Output.array({ element })), 3).elementStream), wanted);
  });

  test(`${name}: a choice is shown when it is told, and answers that come at the same time do not mix`, async () => {
    const choice = repairedOutput(Output.choice({ options: ['sun', 'sunny', 'rain'] }));
    const partial = await all(streaming("{result: \"sunny\",}", choice, 1).partialOutputStream);
    assert.deepEqual([...new Set(partial)], ['sunny']);
    const output = repairedOutput(Output.object({ schema: z.object({ n: z.string() }) }));
    const answers = Array.from({ length: 12 }, (_, index) => `{n: "answer ${index}",}`);
    const outputs = await Promise.all(answers.map(async (text) => (await all(streaming(text, output, 2).partialOutputStream)).at(-1)));
    assert.deepEqual(outputs, answers.map((_, index) => ({ n: `answer ${index}` })));
  });

  test(`${name}: T4: partial values of a long answer cost what is new`, async () => {
    const { parsePartialOutput } = repairedOutput({ parseCompleteOutput: async () => {}, parsePartialOutput: async ({ text }) => ({ partial: text.length }) });
    const microseconds = async (items) => {
      const text = JSON.stringify(Array.from({ length: items }, (_, n) => ({ name: `${items} `.repeat(5), n })));
      const before = process.cpuUsage();
      let last;
      for (let end = 4; end < text.length; end += 4) last = await parsePartialOutput({ text: text.slice(0, end) });
      assert.ok(last.partial > text.length * 0.98);
      return process.cpuUsage(before).user;
    };
    const best = async (items) => Math.min(await microseconds(items), await microseconds(items + 1));
    await microseconds(300);
    assert.ok((await best(4000)) < 8 * 4 * (await best(500)));
  });

  test(`${name}: jsonTransform makes Output.object repairable by a middleware`, async () => {
    const wrapped = (text) => wrapLanguageModel({ model: answer(text), middleware: extractJsonMiddleware({ transform: jsonTransform }) });
    const { output } = await generateText({ model: wrapped(BROKEN), output: Output.object({ schema }), prompt: 'Where?' });
    assert.deepEqual(output, { city: 'Oslo', population: 717710 });
    const stream = streamText({ model: wrapped(BROKEN), output: Output.object({ schema }), prompt: 'Where?' });
    assert.deepEqual(await stream.output, { city: 'Oslo', population: 717710 });
    await assert.rejects(async () => (await generateText({ model: wrapped(CUT), output: Output.object({ schema }), prompt: 'Where?' })).output, NoObjectGeneratedError);
  });

  test(`${name}: repairToolCall mends arguments, and no half of a command is run`, async () => {
    const ran = [];
    const run = (input, toolName = 'remove') =>
      generateText({
        model: model([{ type: 'tool-call', toolCallId: '1', toolName, input }], 'tool-calls'),
        tools: { remove: tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => void ran.push(path) }) },
        prompt: 'Clean up',
        experimental_repairToolCall: repairToolCall,
        ...(specifier === 'ai' ? { repairToolCall } : {}),
      });
    await run("{path: '/tmp/a',}");
    assert.deepEqual(ran, ['/tmp/a']);
    await run('{"path": "/');
    await run('{"path": "/tmp/b"');
    await run('{path: "/tmp/c"}', 'delete');
    assert.deepEqual(ran, ['/tmp/a']);
  });
}

const part = (input, id = '1') => ({ type: 'tool-call', toolCallId: id, toolName: 'remove', input });

test('toolCallMiddleware repairs calls of answers, and half of a command stays as it is', async () => {
  const generate = async (inputs, unified = 'tool-calls') => {
    const doGenerate = async () => ({ content: [{ type: 'text', text: '{' }, ...inputs.map((input) => part(input))], finishReason: { unified, raw: unified } });
    return (await toolCallMiddleware.wrapGenerate({ doGenerate })).content.slice(1).map(({ input }) => input);
  };
  assert.deepEqual(await generate(["{path: '/tmp/a',}", '{"path": "/tmp/b"}', '', '{"path": "/']), ['{"path": "/tmp/a"}', '{"path": "/tmp/b"}', '', '{"path": "/']);
  assert.deepEqual(await generate(['{path: 1}', '{path: 2}'], 'length'), ['{"path": 1}', '{path: 2}']);
  const streamed = async (unified) => {
    const chunks = [part('{path: 1}'), { type: 'text-delta', delta: 'x' }, part('{path: 2}'), { type: 'finish', finishReason: { unified, raw: unified } }];
    const { stream } = await toolCallMiddleware.wrapStream({ doStream: async () => ({ stream: new Blob([]).stream().pipeThrough(new TransformStream({ start: (to) => chunks.forEach((chunk) => to.enqueue(chunk)) })) }) });
    const seen = [];
    for await (const chunk of stream) seen.push(chunk);
    assert.deepEqual(seen.map(({ type }) => type), chunks.map(({ type }) => type));
    return seen.flatMap(({ input }) => input ?? []);
  };
  assert.deepEqual(await streamed('tool-calls'), ['{"path": 1}', '{"path": 2}']);
  assert.deepEqual(await streamed('length'), ['{"path": 1}', '{path: 2}']);
});

test('toolCallMiddleware gives the calls of a history objects for arguments', async () => {
  const prompt = [{ role: 'user', content: [] }, { role: 'assistant', content: [part("{path: '/tmp/a'}"), part({ path: 1 }), part('{"path": "/'), part('[1]')] }];
  const params = await toolCallMiddleware.transformParams({ params: { prompt, seed: 1 } });
  assert.deepEqual(params.prompt[1].content.map(({ input }) => input), [{ path: '/tmp/a' }, { path: 1 }, '{"path": "/', '[1]']);
  assert.deepEqual([params.seed, params.prompt[0]], [1, prompt[0]]);
});

for (const [name, specifier] of Object.entries(SDKS)) {
  test(`${name}: a model with toolCallMiddleware runs its tools, also for frameworks that take models of the SDK`, async () => {
    const { generateText, streamText, wrapLanguageModel, tool } = await import(specifier);
    const { MockLanguageModelV3, simulateReadableStream } = await import(`${specifier}/test`);
    const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
    const finishReason = { unified: 'tool-calls', raw: 'tool-calls' };
    const ran = [];
    const settings = (input) => {
      const chunks = [{ type: 'stream-start', warnings: [] }, part(input), { type: 'finish', finishReason, usage }];
      const model = new MockLanguageModelV3({ doGenerate: { content: [part(input)], finishReason, usage, warnings: [] }, doStream: { stream: simulateReadableStream({ chunks }) } });
      const tools = { remove: tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => void ran.push(path) }) };
      return { model: wrapLanguageModel({ model, middleware: toolCallMiddleware }), tools, prompt: 'Clean up' };
    };
    await generateText(settings("{path: '/tmp/a',}"));
    await streamText(settings("{path: '/tmp/b',}")).consumeStream();
    await generateText(settings('{"path": "/'));
    assert.deepEqual(ran, ['/tmp/a', '/tmp/b']);
  });
}

test('AI SDK 6: the page for agents shows these lines', async () => {
  const { MockLanguageModelV3 } = await import('ai6/test');
  const sdk = await import('ai6');
  const page = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
  const [, snippet] = page.match(/```js\n(import \{ generateText[^`]*)```/);
  const body = snippet.replace(/^import .*\n/gm, '');
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const model = new MockLanguageModelV3({ doGenerate: { content: [part("{path: '/tmp/a',}")], finishReason: { unified: 'tool-calls', raw: 'tool-calls' }, usage, warnings: [] } });
  const tools = { remove: sdk.tool({ inputSchema: z.object({ path: z.string() }), execute: async ({ path }) => path }) };
  const names = { ...sdk, repairToolCall, toolCallMiddleware, model, tools };
  const run = new Function(...Object.keys(names), `return (async () => { ${body}; return toolResults; })()`);
  assert.deepEqual((await run(...Object.values(names))).map(({ output }) => output), ['/tmp/a']);
});

test('what was changed is told to who asks', async () => {
  const seen = [];
  const { jsonTransform: transform } = createHooks({ preset: 'lenient', onRepair: (repaired, subject) => seen.push([repaired.edits.length, subject]) });
  assert.equal(transform('{a: 1,}'), '{"a": 1}');
  assert.equal(transform('{"a": 1}'), '{"a": 1}');
  assert.equal(transform('no JSON'), 'no JSON');
  assert.deepEqual(seen, [[3, 'text']]);
  assert.throws(() => createHooks({ onRepairs: () => {} }), /unknown option/);
});
