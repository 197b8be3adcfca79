// `parsePartialJson` of Vercel's AI SDK, major version 6.

const { again, load, run } = require('peer_streams.cjs')

const library = load('ai6')

async function parse(text) {
  const { parsePartialJson } = await library
  const { value, state } = await parsePartialJson(text)
  if (state === 'failed-parse') throw new Error(state)
  return value
}

run('ai6', again(parse))
