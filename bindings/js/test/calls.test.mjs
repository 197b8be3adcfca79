// Tool calls and histories: what the command prints, as values of JavaScript.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import * as jsonseam from 'jsonseam';
import { CallsError, ConfigError, calls, createExtractor, healHistory } from 'jsonseam';

const TEXT = 'é. <think>hm</think>On it. <tool_call>{"name": "weather", "arguments": {city: \'Oslo\', "days": "3"}}</tool_call>';
const SCHEMA = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] };
const TOOLS = [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }];
const call = (args) => `<tool_call>{"name": "weather", "arguments": ${args}}</tool_call>`;
const OUTPUTS = ['native', 'openai', 'anthropic', 'gemini', 'mcp'];

function thrown(work, type = CallsError) {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof type, `${error}`);
    return error;
  }
  assert.fail('nothing is thrown');
}

test('calls are what the command prints, in every shape', { skip: process.env.JSONSEAM_COMMAND ? false : 'NOT RUN: JSONSEAM_COMMAND names no command' }, () => {
  for (const text of [TEXT, TEXT + call('{"city": "Bergen"}'), 'Nothing.', '<function=f><parameter=a>1</parameter></function>', 'Never {"name": "rm", "arguments": {}}']) {
    for (const output of OUTPUTS) {
      const { stdout } = spawnSync(process.env.JSONSEAM_COMMAND, ['calls', '--output', output], { input: text, encoding: 'utf8' });
      assert.deepEqual(calls(text, { output }), JSON.parse(stdout), `${output}: ${text}`);
    }
  }
});

test('calls have every edit, thoughts and content', () => {
  const read = calls(TEXT);
  assert.deepEqual(read.calls, [{ id: null, name: 'weather', arguments: { city: 'Oslo', days: '3' } }]);
  assert.deepEqual([read.thoughts, read.format, read.risk], ['hm', 'hermes', 'certain']);
  assert.deepEqual(new Set(read.edits.map(({ rule }) => rule)), new Set(['unquoted-key', 'single-quoted-string']));
  assert.ok(Buffer.from(TEXT).subarray(read.edits[0].start).toString().startsWith('city'));
});

test('arguments are checked where there are tools, unless that is off', () => {
  const [checked] = calls(TEXT, { tools: TOOLS }).calls;
  assert.deepEqual([checked.arguments, checked.errors, checked.casts.map(({ path }) => path)], [{ city: 'Oslo', days: 3 }, [], ['/days']]);
  assert.equal(calls(TEXT, { tools: TOOLS, check: false }).calls[0].arguments.days, '3');
  const kinds = calls(call('{"days": "x", "unit": 1}'), { tools: TOOLS }).calls[0].errors.map(({ kind }) => kind);
  assert.deepEqual(kinds.sort(), ['missing', 'mistyped', 'unknown']);
});

test('every shape has identifiers, and the calls in the order of the text', () => {
  const two = TEXT + call('{"city": "Bergen"}');
  const message = calls(two, { output: 'openai' });
  const ids = message.tool_calls.map(({ id }) => id);
  assert.deepEqual(message.tool_calls.map((one) => JSON.parse(one.function.arguments).city), ['Oslo', 'Bergen']);
  assert.deepEqual([message.reasoning_content, new Set(ids).size], ['hm', 2]);
  assert.deepEqual(calls(two, { output: 'anthropic' }).content.filter(({ type }) => type === 'tool_use').map(({ id }) => id), ids);
  const { parts } = calls(two, { output: 'gemini' });
  assert.deepEqual(parts[0], { text: 'hm', thought: true });
  assert.deepEqual(parts.flatMap(({ functionCall }) => functionCall?.id ?? []), ids);
  assert.deepEqual(calls(two, { output: 'mcp' }).map(({ id }) => id), ids);
});

test('a shape without a place for errors throws them', () => {
  const error = thrown(() => calls(call('{"days": 1}'), { tools: TOOLS, output: 'openai' }));
  assert.deepEqual([error.code, error.reason, error.calls[0].errors[0].kind, error.position], ['output_validation_failed', 'schema', 'missing', undefined]);
  assert.equal(calls(call('{"days": 1}'), { tools: TOOLS, output: 'openai', check: false }).tool_calls.length, 1);
});

test('B3: half of a call is no call, and a refusal holds no text', () => {
  for (const [text, options, reason] of [
    [call('{}').replace('weather', 'canary'), { tools: TOOLS }, 'not_offered'],
    [call('{}'), { tools: [] }, 'not_offered'],
    [TEXT.slice(0, -30), {}, 'truncated'],
    [TEXT.slice(0, -13), {}, 'truncated'],
    [call('{}'), { finishReason: 'length' }, 'truncated'],
    [call('{a: 1}'), { preset: 'strict' }, 'malformed'],
    [call('{"a": {}}}'), { maxRisk: 'certain' }, 'risk_too_high'],
    [call('{}'), { maxInputBytes: 10 }, 'limit_exceeded'],
  ]) {
    const error = thrown(() => calls(text, options));
    assert.deepEqual([error.name, error.reason, error.isTruncated, error.edits.length > 0], ['CallsError', reason, reason === 'truncated', reason === 'risk_too_high']);
    assert.ok(!/canary|weather/.test(String(error)));
  }
  const error = thrown(() => calls('é <tool_call>{'));
  assert.deepEqual([error.position, error.byteOffset, error.line, error.column], [14, 15, 1, 15]);
});

test('an extractor takes tools for each text', () => {
  const extractor = createExtractor({ format: 'hermes' });
  assert.equal(extractor.calls(TEXT).calls[0].errors, undefined);
  assert.deepEqual(extractor.calls(TEXT, { tools: TOOLS }).calls[0].errors, []);
  thrown(() => extractor.calls(TEXT, { tools: [{ name: 'other' }] }));
  assert.deepEqual(createExtractor({ format: 'kimi-k2' }).calls(TEXT).calls, []);
  assert.deepEqual(createExtractor({ withinThoughts: true }).calls(call('{}')).calls, []);
  const bare = 'So:\n{"name": "weather", "arguments": {"city": "Oslo"}}';
  assert.deepEqual([calls(bare, { tools: TOOLS }).calls.length, calls(bare, { tools: TOOLS, bare: 'last' }).calls.length], [0, 1]);
});

test('a mistake in the options is one', () => {
  for (const options of [{ format: 'nothing' }, { tools: [{ type: 'function' }] }, { bare: 'always' }, { output: 'xml' }, { preset: 'none' },
    { tools: [{ name: 'f', input_schema: { type: 'object', properties: { a: { pattern: '(' } } } }] }]) {
    thrown(() => calls(TEXT, options), ConfigError);
  }
  for (const options of [{ tool: [] }, { tools: 'x' }, { check: 1 }, { root: 'object' }]) thrown(() => calls(TEXT, options), TypeError);
  thrown(() => calls(7), TypeError);
});

const history = (args) => [
  { role: 'user', content: 'Go é' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: args } }] },
  { role: 'tool', tool_call_id: 'c1', content: 'done' },
];
const argumentsOf = (messages) => messages[1].tool_calls[0].function.arguments;

test('a history is healed, and its other messages are the same objects', () => {
  for (const [given, wanted, rule] of [['', '{}', 'empty-arguments'], ["{'a': 1,}", '{"a": 1}', 'single-quoted-string'], ['{"a": 1}}', '{"a": 1}', 'unbalanced-call']]) {
    const messages = history(given);
    const healed = healHistory(messages);
    assert.deepEqual([healed.status, argumentsOf(healed.messages), argumentsOf(messages)], ['repaired', wanted, given]);
    assert.ok(healed.messages[0] === messages[0] && healed.messages[2] === messages[2]);
    assert.ok(healed.edits.some((edit) => edit.rule === rule && edit.message === 1 && edit.call === 0));
    const again = healHistory(healed.messages);
    assert.deepEqual([again.status, again.edits, again.messages === healed.messages], ['valid', [], true]);
  }
});

test('what stays broken and what has no partner is reported', () => {
  const healed = healHistory(history("{'a': 'half").slice(0, 2));
  assert.deepEqual([healed.status, healed.refused.map(({ reason }) => reason), argumentsOf(healed.messages)], ['refused', ['truncated'], "{'a': 'half"]);
  assert.deepEqual(healed.unpaired, [{ message: 1, call: 0, reason: 'no_result', id: 'c1' }]);
});

test('requests, text and tools are taken, and what is no history is refused', () => {
  const request = healHistory({ model: 'm', messages: history('') }).messages;
  assert.deepEqual([request.model, argumentsOf(request.messages)], ['m', '{}']);
  const text = JSON.stringify(history('{}'), null, 1);
  assert.equal(healHistory(text).messages, text);
  const nested = { type: 'object', properties: { a: { type: 'object', properties: { b: {} } }, c: {} } };
  const broken = history('{"a": {"b": 1, "c": 2}');
  assert.equal(healHistory(broken).refused[0].reason, 'ambiguous_repair');
  assert.equal(argumentsOf(healHistory(broken, [{ name: 'f', input_schema: nested }]).messages), '{"a": {"b": 1}, "c": 2}');
  for (const given of [{}, '42', '[', { messages: 1 }]) assert.equal(thrown(() => healHistory(given), ConfigError).code, 'bad_record');
});

test('the small engine has no calls and says so', async () => {
  assert.ok(!('calls' in (await import('jsonseam/core'))));
  assert.equal(typeof jsonseam.calls, 'function');
});

test('the example of the page for agents runs', async () => {
  const page = readFileSync(new URL('../../../docs/agents.md', import.meta.url), 'utf8');
  const [, snippet] = page.match(/```js\n([^`]*createExtractor[^`]*)```/);
  const path = fileURLToPath(new URL('.agents.snippet.mjs', import.meta.url));
  writeFileSync(path, snippet);
  try {
    await import(path);
  } finally {
    rmSync(path);
  }
});
