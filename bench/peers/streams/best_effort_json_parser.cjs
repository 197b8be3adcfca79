// best-effort-json-parser of npm.

const { disableErrorLogging, parse } = require('best-effort-json-parser')
const { again, run } = require('peer_streams.cjs')

disableErrorLogging()
parse.onExtraToken = undefined

run('best-effort-json-parser', again(parse))
