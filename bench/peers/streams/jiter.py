"""jiter of PyPI, which keeps the last string that is open."""

import jiter
from peer_streams import Again, run


def parse(text):
    return jiter.from_json(text.encode("utf-8", "surrogatepass"), partial_mode="trailing-strings")


run("jiter", lambda: Again(parse))
