"""Measures the package beside the standard library, json_repair, fast_json_repair and the plain Rust loop.

    python speed.py ROWS

ROWS is the program of `bindings/python/rows`, built with the profile of the wheel. Each figure is the best of several runs, taken in
turns, so that a busy moment of the machine does not decide; run it on a machine that does nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from typing import Any

import fast_json_repair
import json_repair
import pyarrow as pa

import jsonseam
from jsonseam.arrow import repair_array

ROWS = 1_000_000


def document(size: int) -> str:
    """A valid object of about `size` characters, as models write it."""
    items: list[dict[str, Any]] = []
    while len(json.dumps({"items": items})) < size:
        number = len(items)
        items.append({"sku": f"A-{number}", "quantity": number, "price": 1.5 * number, "note": "left with the neighbour"})
    return json.dumps({"items": items})


def broken(text: str) -> str:
    """The same with defects that all libraries repair: single quotes, a literal of Python, trailing commas."""
    return "Sure! " + text.replace('"note"', "'note'").replace("}", ",}").replace('"price": 1.5,', '"price": None,')


def best(candidates: dict[str, Callable[[], Any]], seconds: float = 0.01, rounds: int = 200) -> dict[str, float]:
    """Seconds for one call of each candidate: the best of `rounds`, in turns. Short ones: a busy machine has quiet moments, and no quiet seconds."""
    found = dict.fromkeys(candidates, float("inf"))
    for _ in range(rounds):
        for name, call in candidates.items():
            count, spent = 0, 0.0
            start = time.perf_counter()
            while spent < seconds:
                call()
                count += 1
                spent = time.perf_counter() - start
            found[name] = min(found[name], spent / count)
    return found


def threads_factor(work: Callable[[], Any]) -> float:
    """How often two threads do `work` in the time in which one does it once: the best of several tries."""

    def run(count: int) -> float:
        threads = [threading.Thread(target=lambda: [work() for _ in range(24 // count)]) for _ in range(count)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - start

    return max(min(run(1) for _ in range(3)) / run(2) for _ in range(12))


def repairs() -> Callable[[], Any]:
    """A repair of 200 KB."""
    text, pipeline = broken(document(200_000)), jsonseam.Pipeline()
    return lambda: pipeline.repair(text)


def hashes() -> Callable[[], Any]:
    """As much work of the standard library that needs no lock of the interpreter: what the machine itself gives to a second thread."""
    content = os.urandom(4_000_000)
    return lambda: hashlib.sha256(content)


def columns(program: str) -> tuple[float, float]:
    """Seconds for the Rust loop and for `repair_array`, over the same million rows."""
    chance = random.Random(7)
    texts = [document(chance.randrange(60, 400)) for _ in range(500)]
    texts = [broken(text) if chance.random() < 0.5 else text for text in texts]
    rows = [texts[chance.randrange(len(texts))] for _ in range(ROWS)]
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write("\n".join(rows))
    column = pa.array(rows)
    loop = ours = float("inf")
    try:
        for _ in range(3):
            output = subprocess.run([program, file.name], check=True, capture_output=True, text=True).stdout
            loop = min(loop, float(output.split()[0]))
            start = time.perf_counter()
            repair_array(column)
            ours = min(ours, time.perf_counter() - start)
    finally:
        os.unlink(file.name)
    return loop, ours


def main() -> int:
    valid, damaged = document(1000), broken(document(1000))
    assert jsonseam.loads(damaged) == json_repair.loads(damaged)
    times = best({"json": lambda: json.loads(valid), "jsonseam": lambda: jsonseam.loads(valid)})
    mended = best(
        {
            "jsonseam": lambda: jsonseam.loads(damaged),
            "json_repair": lambda: json_repair.loads(damaged),
            "fast_json_repair": lambda: fast_json_repair.loads(damaged),
        }
    )
    loop, ours = columns(sys.argv[1])
    lines = [
        ("valid 1 KiB: time of jsonseam.loads / json.loads", times["jsonseam"] / times["json"], "at most 1.3"),
        ("broken 1 KiB: time of json_repair / jsonseam", mended["json_repair"] / mended["jsonseam"], "at least 20"),
        ("broken 1 KiB: time of fast_json_repair / jsonseam", mended["fast_json_repair"] / mended["jsonseam"], "at least 1.5"),
        ("two threads / one", threads_factor(repairs()), "at least 1.7"),
        ("two threads / one, hashing, which only the machine limits", threads_factor(hashes()), ""),
        (f"Arrow, {ROWS:,} rows: time of the Rust loop / repair_array", loop / ours, "at least 0.8"),
    ]
    print("| figure | measured | wanted |\n|---|---|---|")
    for name, value, wanted in lines:
        print(f"| {name} | {value:.2f} | {wanted} |")
    spelled = ", ".join(f"{name} {1e6 * seconds:.1f} µs" for name, seconds in mended.items())
    print(f"\nvalid: json {1e6 * times['json']:.1f} µs, jsonseam {1e6 * times['jsonseam']:.1f} µs; broken: {spelled}; rows: {loop:.2f} s and {ours:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
