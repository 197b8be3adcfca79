// partial-json of npm, which shows everything that is partial by default.

const { parse } = require('partial-json')
const { again, run } = require('peer_streams.cjs')

run('partial-json', again(parse))
