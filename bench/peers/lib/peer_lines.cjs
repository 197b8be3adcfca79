// What peers in JavaScript share: a line with a JSON string in, a line with an object out.
// The object holds the repaired text and the nanoseconds it took, or no text where the library gave up.

const { readFileSync } = require('node:fs')
const { createInterface } = require('node:readline')
const { dirname, join } = require('node:path')

/** The version in the package's own description, which its exports may hide. */
function version(name) {
  let folder = dirname(require.resolve(name, { paths: process.env.NODE_PATH.split(':') }))
  for (;;) {
    try {
      const found = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      if (found.name === name) return found.version
    } catch {}
    if (folder === dirname(folder)) return 'unknown'
    folder = dirname(folder)
  }
}

function answer(repair, text) {
  const start = process.hrtime.bigint()
  const taken = () => Number(process.hrtime.bigint() - start)
  try {
    const repaired = repair(text)
    return { nanoseconds: taken(), text: repaired }
  } catch {
    return { nanoseconds: taken() }
  }
}

/** Answers each line with what `repair` makes of its text. */
exports.run = (name, repair) => {
  if (process.env.PEER_VERSION) return console.log(version(name))
  createInterface({ input: process.stdin }).on('line', (line) => {
    process.stdout.write(JSON.stringify(answer(repair, JSON.parse(line))) + '\n')
  })
}
