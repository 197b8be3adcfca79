// Answers for jsonrepair: a line with a JSON string in, a line with an object out.
// The object holds the repaired text, or nothing where the library gave up.

const { createInterface } = require('node:readline')
const { jsonrepair } = require('jsonrepair')

function answer(text) {
  try {
    return { text: jsonrepair(text) }
  } catch {
    return {}
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(JSON.stringify(answer(JSON.parse(line))) + '\n')
})
