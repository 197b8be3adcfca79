// What users of LangChain.js and openai-node write, against a scripted server that speaks the chat completions.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { after, before } from 'node:test';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { RunnableLambda } from '@langchain/core/runnables';
import { ChatOpenAI } from '@langchain/openai';
import { ContractError, RepairError, calls, createContract, createStream, healHistory, parse, repair } from 'jsonseam';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';

const BROKEN = 'Sure: {city: \'Oslo\', "population": 717710,}';
const answers = [];
const requests = [];
let server;
let baseURL;

before(async () => {
  server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
      requests.push(JSON.parse(Buffer.concat(chunks)));
      const { content = null, calls, reason = 'stop', deltas, events } = answers.shift() ?? {};
      if (events) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const body = Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
        // In writes of three bytes: a cut may be inside a character.
        for (let at = 0; at < body.length; at += 3) response.write(body.subarray(at, at + 3));
        response.end();
        return;
      }
      if (deltas) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const [index, piece, finish_reason = null] of deltas) {
          const choices = [{ index, delta: piece === undefined ? {} : { content: piece }, finish_reason }];
          response.write(`data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices })}\n\n`);
        }
        response.end(reason === 'none' ? '' : 'data: [DONE]\n\n');
        return;
      }
      const tool_calls = calls?.map((text, index) => ({ id: `call_${index}`, type: 'function', function: { name: 'weather', arguments: text } }));
      const own = { id: 'm', type: 'message', role: 'assistant', model: 'scripted', content, stop_reason: 'end_turn', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
      const body = Array.isArray(content) ? own : { id: '1', object: 'chat.completion', created: 1, model: 'scripted', choices: [{ index: 0, message: { role: 'assistant', content, ...(tool_calls && { tool_calls }) }, finish_reason: reason }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${server.address().port}/v1`;
});
after(() => server.close());

test('openai-node: parse the content with its finish reason', async () => {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const ask = async () => {
    const { choices: [{ message, finish_reason: finishReason }] } = await client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: 'Where?' }] });
    return parse(message.content, { finishReason });
  };
  answers.push({ content: BROKEN }, { content: '{"city": "Oslo"}', reason: 'length' }, { content: '{"city": "Os', reason: 'length' });
  assert.deepEqual(await ask(), { city: 'Oslo', population: 717710 });
  await assert.rejects(ask, (error) => error instanceof RepairError && error.reason === 'truncated');
  await assert.rejects(ask, (error) => error instanceof RepairError && error.isTruncated);
});

test('openai-node: arguments of a tool, held to a contract', async () => {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const contract = createContract({ keys: ['city'] });
  const ask = async () => {
    const { choices: [{ message, finish_reason: finishReason }] } = await client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: 'Where?' }] });
    return contract.parse(message.tool_calls[0].function.arguments, { finishReason }).values;
  };
  answers.push({ calls: ["{'city': 'Oslo',}"], reason: 'tool_calls' }, { calls: ['{"town": "Oslo"}'], reason: 'tool_calls' });
  assert.deepEqual(await ask(), { city: 'Oslo' });
  await assert.rejects(ask, (error) => error instanceof ContractError && error.missing[0] === 'city');
});

test('LangChain.js: a step after the model in place of JsonOutputParser', async () => {
  const json = new StringOutputParser().pipe((text) => parse(text));
  assert.deepEqual(await new FakeListChatModel({ responses: [BROKEN] }).pipe(json).invoke('Where?'), { city: 'Oslo', population: 717710 });
  await assert.rejects(new FakeListChatModel({ responses: ['I cannot say.'] }).pipe(json).invoke('Where?'), RepairError);
});

test('LangChain.js: with the finish reason of the message', async () => {
  const json = RunnableLambda.from(({ content, response_metadata: { finish_reason: finishReason } }) => parse(content, { finishReason }));
  const chain = new ChatOpenAI({ model: 'scripted', apiKey: 'none', maxRetries: 0, configuration: { baseURL } }).pipe(json);
  answers.push({ content: BROKEN }, { content: '{"city": "Oslo"}', reason: 'length' });
  assert.deepEqual(await chain.invoke('Where?'), { city: 'Oslo', population: 717710 });
  await assert.rejects(chain.invoke('Where?'), (error) => error instanceof RepairError && error.reason === 'truncated');
});

const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } } }];

test('openai-node: the history is healed before it is sent again, and calls in the content become calls', async () => {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const user = { role: 'user', content: 'Where?' };
  const ask = async (messages) => (await client.chat.completions.create({ model: 'scripted', messages, tools: TOOLS })).choices[0].message;
  answers.push({ calls: ["{'city': 'Oslo',}"], reason: 'tool_calls' }, { content: 'On it. <tool_call>{"name": "weather", "arguments": {city: \'Oslo\'}}</tool_call>' }, {});
  const message = await ask([user]);
  const healed = healHistory([user, message, { role: 'tool', tool_call_id: message.tool_calls[0].id, content: '7' }], TOOLS);
  assert.deepEqual([healed.status, healed.unpaired], ['repaired', []]);
  const { content } = await ask(healed.messages);
  assert.equal(requests.at(-1).messages[1].tool_calls[0].function.arguments, '{"city": "Oslo"}');
  const read = calls(content, { tools: TOOLS, output: 'openai' });
  await ask([user, read, { role: 'tool', tool_call_id: read.tool_calls[0].id, content: '7' }]);
  assert.equal(requests.at(-1).messages[1].tool_calls[0].function.arguments, '{"city":"Oslo"}');
});

test("Anthropic's client: the history is healed before it is sent again, and calls in the text become parts", async () => {
  const client = new Anthropic({ baseURL: baseURL.replace('/v1', ''), apiKey: 'none', maxRetries: 0 });
  const user = { role: 'user', content: 'Where?' };
  const ask = async (messages) => (await client.messages.create({ model: 'scripted', max_tokens: 9, messages })).content;
  const result = (id) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: '7' }] });
  const text = 'On it. <invoke name="weather"><parameter name="city">Oslo</parameter></invoke>';
  answers.push({ content: [{ type: 'text', text }] }, { content: [] });
  const broken = { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'weather', input: "{city: 'Oslo',}" }] };
  const [answer] = await ask(healHistory([user, broken, result('t')]).messages);
  assert.deepEqual(requests.at(-1).messages[1].content[0].input, { city: 'Oslo' });
  const { role, content } = calls(answer.text, { tools: TOOLS, output: 'anthropic' });
  await ask([user, { role, content }, result(content.at(-1).id)]);
  assert.deepEqual(requests.at(-1).messages[1].content.at(-1).input, { city: 'Oslo' });
});

const SPELLED = '```json\n{city: "Oslo 😀 \\ud83d\\ude00 é", "rivers": [\'Alna\',],}\n```';

/** The events of a streamed answer: one block in these pieces; without a reason the stream just stops. */
function spoken(pieces, kind, reason) {
  const isText = kind === 'text_delta';
  const block = isText ? { type: 'text', text: '' } : { type: 'tool_use', id: 't', name: 'weather', input: {} };
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'scripted', content: [], stop_reason: null, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
  const end = [{ type: 'content_block_stop', index: 0 }, { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 1 } }, { type: 'message_stop' }];
  return [
    { type: 'message_start', message },
    { type: 'ping' },
    { type: 'content_block_start', index: 0, content_block: block },
    ...pieces.map((piece) => ({ type: 'content_block_delta', index: 0, delta: { type: kind, [isText ? 'text' : 'partial_json']: piece } })),
    ...(reason ? end : []),
  ];
}

test("Anthropic's client: T1, B3: a streamed text or input is pushed piece by piece, whatever the pieces are", async () => {
  const client = new Anthropic({ baseURL: baseURL.replace('/v1', ''), apiKey: 'none', maxRetries: 0 });
  const ask = async (kind) => {
    const [stream, done] = [createStream(), []];
    let finishReason;
    for await (const event of await client.messages.create({ model: 'scripted', max_tokens: 9, messages: [{ role: 'user', content: 'Where?' }], stream: true })) {
      if (event.type === 'content_block_delta' && event.delta.type === kind) {
        done.push(...stream.push(event.delta.text ?? event.delta.partial_json).flatMap(({ kind, path }) => (kind === 'done' ? path : [])));
      } else if (event.type === 'message_delta') finishReason = event.delta.stop_reason;
    }
    return { done, repaired: stream.finish(finishReason && { finishReason }) };
  };
  for (const [kind, text] of [['text_delta', SPELLED], ['input_json_delta', SPELLED.split('\n')[1]]]) {
    for (const size of [1, 2, 7]) {
      // A cut may be inside a pair, an escape or a fence; empty pieces are between.
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')).flatMap((piece) => ['', piece]);
      answers.push({ events: spoken(pieces, kind, 'end_turn') });
      const { done, repaired } = await ask(kind);
      assert.deepEqual(repaired.report(), repair(text, { finishReason: 'end_turn' }).report());
      assert.ok(done.includes('/city'), 'it is told while the answer comes');
    }
    for (const [last, reason] of [['12'], ['12', 'max_tokens'], ['12}', 'max_tokens']]) {
      answers.push({ events: spoken(['{"paid": true, "amo', `unt": ${last}`], kind, reason) });
      const { done, repaired } = await ask(kind);
      assert.ok(repaired.isTruncated && done[0] === '/paid');
    }
  }
});

test('openai-node: T1, B3: a streamed answer is pushed piece by piece, whatever the pieces are', async () => {
  const client = new OpenAI({ baseURL, apiKey: 'none', maxRetries: 0 });
  const ask = async (wanted = 0) => {
    const [stream, done] = [createStream(), []];
    let finishReason;
    for await (const { choices } of await client.chat.completions.create({ model: 'scripted', messages: [{ role: 'user', content: 'Where?' }], stream: true })) {
      for (const { index, delta, finish_reason } of choices) {
        if (index !== wanted) continue;
        done.push(...stream.push(delta.content ?? '').flatMap(({ kind, path }) => (kind === 'done' ? path : [])));
        finishReason = finish_reason ?? finishReason;
      }
    }
    return { done, repaired: stream.finish(finishReason && { finishReason }) };
  };
  for (const size of [1, 2, 7]) {
    // Pieces of UTF-16 units: a cut may be inside a pair, an escape or a fence.
    const pieces = SPELLED.match(new RegExp(`[^]{1,${size}}`, 'g'));
    const deltas = [[0, ''], ...pieces.flatMap((piece, at) => [[0, piece], ...(at < 2 ? [[1, ['{"b": ', '2}'][at]]] : [])]), [0, undefined, 'stop']];
    answers.push({ deltas }, { deltas });
    const { done, repaired } = await ask();
    assert.deepEqual(repaired.report(), repair(SPELLED, { finishReason: 'stop' }).report());
    assert.ok(done.includes('/city'), 'it is told while the answer comes');
    assert.deepEqual((await ask(1)).repaired.value, { b: 2 });
  }
  for (const [last, reason] of [['12', 'none'], ['12}', 'stop']]) {
    answers.push({ deltas: [[0, '{"paid": true, "amo'], [0, `unt": ${last}`, ...(reason === 'stop' ? ['length'] : [])]], reason });
    const { done, repaired } = await ask();
    assert.ok(repaired.isTruncated && done[0] === '/paid');
  }
});
