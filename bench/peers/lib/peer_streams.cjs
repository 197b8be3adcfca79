// What peers in JavaScript share that read a text in pieces: a line with an object in, a line with an object out, as `peer_streams.py` says.

const { readFileSync } = require('node:fs')
const { createInterface } = require('node:readline')
const { join } = require('node:path')
const { pathToFileURL } = require('node:url')

/** Processor time below this, in nanoseconds, is told by ticks that are too long: then the clock counts. */
const LONG = 1e8

/** Seconds of processor time after which a text counts as one that the library does not come back from, or as too long to be timed. */
const patience = (shows) => (shows ? 60 : 20)

const [modules] = process.env.NODE_PATH.split(':')

/** What a package says of itself. */
const described = (name) => JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8'))

/** Loads a package, also one that only `import` can load. */
exports.load = (name) => import(pathToFileURL(join(modules, name, described(name).main)).href)

/** A library that parses all that is there after every piece. */
exports.again = (parse) => () => {
  let text = ''
  return { push: (piece) => parse((text += piece)), finish: () => parse(text) }
}

/** What the library shows, `undefined` where it gives an error. */
async function attempt(action) {
  try {
    return (await action()) ?? undefined
  } catch {
    return undefined
  }
}

/** Nanoseconds of processor time so far. */
const busy = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

async function answer(start, { pieces, shows }) {
  const begin = process.hrtime.bigint()
  const busySince = busy()
  const views = []
  const reader = start()
  for (const piece of pieces) {
    const value = await attempt(() => reader.push(piece))
    if (shows && value !== undefined) {
      const view = JSON.stringify(value)
      if (views.at(-1) !== view) views.push(view)
    }
    if (busy() - busySince > patience(shows) * 1e9) return { crashed: true }
  }
  const value = await attempt(() => reader.finish())
  const end = value === undefined ? undefined : shows ? JSON.stringify(value) : 'null'
  const taken = busy() - busySince
  return { views, end, nanoseconds: taken > LONG ? taken : Number(process.hrtime.bigint() - begin) }
}

/** Answers each line with what the reader that `start` gives shows of its pieces. */
exports.run = async (name, start) => {
  if (process.env.PEER_VERSION) return console.log(described(name).version)
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(JSON.stringify(await answer(start, JSON.parse(line))) + '\n')
  }
}
