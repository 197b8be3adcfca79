// What users of Mastra write: an agent with a model of the AI SDK in the middleware of this package.

import assert from 'node:assert/strict';
import test from 'node:test';
import { toolCallMiddleware } from 'jsonseam/ai';
import * as z from 'zod';

/** Mastra asks for Node 22.13; an older one may do. */
const mastra = await import('@mastra/core/agent').catch(() => undefined);
const skip = mastra ? false : 'NOT RUN: @mastra/core is not installed, or does not start with this Node';

test('Mastra: an agent runs a tool with repaired arguments, and none with half of them', { skip }, async () => {
  const { createTool } = await import('@mastra/core/tools');
  const { wrapLanguageModel } = await import('ai6');
  const { MockLanguageModelV3, simulateReadableStream } = await import('ai6/test');
  const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  const finish = (reason) => ({ type: 'finish', finishReason: { unified: reason, raw: reason }, usage });
  const ran = [];
  const run = async (input) => {
    const answers = [
      [{ type: 'stream-start', warnings: [] }, { type: 'tool-call', toolCallId: '1', toolName: 'remove', input }, finish('tool-calls')],
      [{ type: 'stream-start', warnings: [] }, { type: 'text-start', id: '1' }, { type: 'text-delta', id: '1', delta: 'done' }, { type: 'text-end', id: '1' }, finish('stop')],
    ];
    const model = new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks: answers.shift() ?? [finish('stop')] }) }) });
    const remove = createTool({ id: 'remove', description: 'Removes.', inputSchema: z.object({ path: z.string() }), execute: async (given) => void ran.push(given.path ?? given.context?.path) });
    const agent = new mastra.Agent({ id: 'a', name: 'a', instructions: '', model: wrapLanguageModel({ model, middleware: toolCallMiddleware }), tools: { remove } });
    await (await agent.stream('Clean up', { maxSteps: 2 })).consumeStream();
  };
  await run("{path: '/tmp/a',}");
  await run('{"path": "/');
  assert.deepEqual(ran, ['/tmp/a']);
});
