"""What the JsonOutputParser of langchain-core runs after every piece: `parse_partial_json`, on what is in the fence if there is one."""

from langchain_core.utils.json import parse_json_markdown
from peer_streams import Again, run

run("langchain-core", lambda: Again(parse_json_markdown))
