"""Measures `loads` and the functions of `compat` beside other repairers of Python, on the texts of a file.

    python beside.py FILE

FILE has a JSON object a line, with `set`, `text` and `truth`. Printed is an object with the sets: bytes, texts, and for each library the
nanoseconds for all texts of the set, the least of many rounds in turns, and how many texts became what they should.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import fast_json_repair
import json_repair

from jsonseam import Pipeline
from jsonseam.compat import json_repair as compat

#: Seconds in which everyone takes turns with one set, and the least rounds.
SECONDS, ROUNDS = 1.5, 5

_lenient = Pipeline("lenient")
READERS: dict[str, Callable[[str], Any]] = {
    "jsonseam": lambda text: _lenient.loads(text, allow_truncated=True),
    "jsonseam.compat": compat.loads,
    "json_repair": json_repair.loads,
    "fast_json_repair": fast_json_repair.loads,
}


def read(reader: Callable[[str], Any], text: str) -> Any:
    """The value, or nothing where the library gives up."""
    try:
        return reader(text)
    except (ValueError, RecursionError):
        return None


def race(texts: list[str]) -> dict[str, float]:
    """The least seconds of each reader for all texts."""
    least = dict.fromkeys(READERS, float("inf"))
    rounds, start = 0, time.perf_counter()
    while rounds < ROUNDS or time.perf_counter() - start < SECONDS:
        for name, reader in READERS.items():
            begin = time.perf_counter()
            for text in texts:
                read(reader, text)
            least[name] = min(least[name], time.perf_counter() - begin)
        rounds += 1
    return least


def main() -> None:
    sets: dict[str, list[dict[str, Any]]] = {}
    for line in Path(sys.argv[1]).read_text("utf-8").splitlines():
        record = json.loads(line)
        sets.setdefault(record["set"], []).append(record)
    rows = []
    for name, records in sets.items():
        texts = [record["text"] for record in records]
        least = race(texts)
        right = {
            who: sum(read(reader, record["text"]) == record["truth"] for record in records)
            for who, reader in READERS.items()
        }
        peers = [{"who": who, "nanoseconds": seconds * 1e9, "right": right[who]} for who, seconds in least.items()]
        size = sum(len(text.encode()) for text in texts)
        rows.append({"name": name, "bytes": size, "texts": len(texts), "peers": peers})
    print(json.dumps({"broken": rows}))


if __name__ == "__main__":
    main()
