// partial-json of npm: for texts that were cut off, and no other damage.

const { parse } = require('partial-json')

require('peer_lines.cjs').run('partial-json', (text) => JSON.stringify(parse(text)))
