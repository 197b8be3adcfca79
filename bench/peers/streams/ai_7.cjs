// `parsePartialJson` of Vercel's AI SDK, major version 7.

const { again, load, run } = require('peer_streams.cjs')

const library = load('ai7')

async function parse(text) {
  const { parsePartialJson } = await library
  const { value, state } = await parsePartialJson(text)
  if (state === 'failed-parse') throw new Error(state)
  return value
}

run('ai7', again(parse))
