"""Measures typed columns beside texts: what they cost, and the memory that a run needs beside the column.

    python tools/typed.py [ROWS]

Each run has a process of its own, since a process never gives back its peak.
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
import time

import pyarrow as pa
import pyarrow.ipc

from orders import CONTRACT, table

from jsonseam.arrow import repair_array

RUNS = {
    "texts, without a contract": lambda column: repair_array(column),
    "the same of views": lambda column: repair_array(column),
    "texts, with a contract": lambda column: repair_array(column, contract=CONTRACT, typed=False),
    "typed columns": lambda column: repair_array(column, contract=CONTRACT),
}


def measured(name: str, path: str) -> tuple[float, float, float]:
    """Seconds of the processor, the best of three; mebibytes of the column; mebibytes of memory beside it at the peak."""
    with pa.OSFile(path) as file:
        column = pa.ipc.open_file(file).read_all().column(0)
    if name == "the same of views":
        column = column.cast(pa.string_view())
    RUNS[name](column.slice(0, 1000))
    pathlib.Path("/proc/self/clear_refs").write_text("5")
    start = peak_memory()
    best, extra = float("inf"), 0
    for _ in range(3):
        begun = time.process_time()
        result = RUNS[name](column)
        best = min(best, time.process_time() - begun)
        # Of the first run: later ones find memory that the allocator kept.
        extra = extra or peak_memory() - start
        assert len(result) == len(column)
        del result
    return best, column.nbytes / 2**20, extra / 2**10


def peak_memory() -> int:
    """The most memory that this process had since its peak was reset, in kibibytes."""
    return next(int(line.split()[1]) for line in pathlib.Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))


def write(path: str, rows: int, broken: float) -> None:
    """A file with a column of so many texts, of which this part is broken."""
    orders = table(rows, broken).select(["completion"]).combine_chunks()
    with pa.OSFile(path, "wb") as file, pa.ipc.new_file(file, orders.schema) as writer:
        writer.write_table(orders)


def in_a_process(name: str, path: str) -> tuple[float, float, float]:
    """What is measured of one run, in a process of its own."""
    output = subprocess.run([sys.executable, __file__, name, path], check=True, capture_output=True, text=True).stdout
    seconds, size, extra = json.loads(output)
    return seconds, size, extra


def extra_memory(name: str, path: str, rows: int, broken: float) -> float:
    """The memory beside the column that a run needs, as a multiple of it."""
    write(path, rows, broken)
    _, size, extra = in_a_process(name, path)
    return extra / size


def main() -> int:
    if len(sys.argv) > 2:
        print(json.dumps(measured(*sys.argv[1:])))
        return 0
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    print(f"| {rows:,} rows | broken | seconds | as a multiple of texts with a contract | memory beside the column, as a multiple of it |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for broken in (0.05, 0.5):
            path = f"{folder}/{broken}.arrow"
            write(path, rows, broken)
            found = {name: in_a_process(name, path) for name in RUNS}
            for name, (seconds, size, extra) in found.items():
                print(f"| {name} | {broken:.0%} | {seconds:.2f} | {seconds / found['texts, with a contract'][0]:.2f} | {extra / size:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
