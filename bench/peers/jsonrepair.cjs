// jsonrepair of npm.

const { jsonrepair } = require('jsonrepair')

require('peer_lines.cjs').run('jsonrepair', jsonrepair)
