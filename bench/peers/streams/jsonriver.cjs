// jsonriver of npm, an incremental parser of valid JSON.

const { load, run } = require('peer_streams.cjs')

const library = load('jsonriver')

/** A reader: the parser asks for a piece when it has read the one before, and the value grows in place. */
function start() {
  let deliver, value, error
  let isOver = false
  let onIdle = () => {}
  const pieces = {
    [Symbol.asyncIterator]: () => pieces,
    next: () => new Promise((resolve) => ((deliver = resolve), onIdle())),
  }
  const idle = () => new Promise((resolve) => (deliver || isOver ? resolve() : (onIdle = resolve)))
  const end = (reason) => ((error = reason), (isOver = true), onIdle())
  library.then(async ({ parse }) => {
    for await (value of parse(pieces));
  }).then(() => end(), end)
  const hand = async (result) => {
    await idle()
    if (!isOver) deliver(result, (deliver = undefined))
    await idle()
    if (error) throw error
    return value
  }
  return {
    push: (piece) => hand({ value: piece, done: false }),
    finish: () => hand({ value: undefined, done: true }),
  }
}

run('jsonriver', start)
