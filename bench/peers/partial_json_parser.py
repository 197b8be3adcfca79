"""partial-json-parser of PyPI: for texts that were cut off, and no other damage."""

import partial_json_parser
import peer_lines

peer_lines.run("partial-json-parser", partial_json_parser.loads)
