// What users of LangChain.js and openai-node write, against a scripted server that speaks the chat completions.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { after, before } from 'node:test';
import { StringOutputParser } from '@langchain/core/output_parsers';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { RunnableLambda } from '@langchain/core/runnables';
import { ChatOpenAI } from '@langchain/openai';
import { ContractError, RepairError, createContract, parse } from 'jsonseam';
import OpenAI from 'openai';

const BROKEN = 'Sure: {city: \'Oslo\', "population": 717710,}';
const answers = [];
let server;
let baseURL;

before(async () => {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      const { content = null, calls, reason = 'stop' } = answers.shift() ?? {};
      const tool_calls = calls?.map((text, index) => ({ id: `call_${index}`, type: 'function', function: { name: 'weather', arguments: text } }));
      const body = { id: '1', object: 'chat.completion', created: 1, model: 'scripted', choices: [{ index: 0, message: { role: 'assistant', content, ...(tool_calls && { tool_calls }) }, finish_reason: reason }], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
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
