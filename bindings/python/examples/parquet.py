"""Repairs a Parquet file of completions and plots what was done.

    python parquet.py FOLDER

Needs the extra `arrow` and matplotlib. The completions are the cases of this repository, `corpus/*.toml`.
"""

# %% The completions, as a Parquet file
import json
import re
import sys
from collections import Counter
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import pyarrow as pa
import pyarrow.parquet as pq

from jsonseam.arrow import repair_array

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "out")
ROOT = Path(__file__).resolve().parents[3]


def completions() -> list[str]:
    """The inputs of the shipped cases: the single-line ones, which are strings of TOML and of JSON alike."""
    found = [(ROOT / "examples" / "completion.txt").read_text(encoding="utf-8")]
    for file in sorted([*ROOT.glob("corpus/**/*.toml"), *ROOT.glob("rules/src/**/*.toml")]):
        for line in re.findall(r'^input = (".*")$', file.read_text(encoding="utf-8"), re.MULTILINE):
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        found += re.findall(r"^input = '([^']*)'$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return found


FOLDER.mkdir(parents=True, exist_ok=True)
pq.write_table(pa.table({"completion": completions()}), FOLDER / "completions.parquet")

# %% Repair it, batch by batch
counts, rules = Counter(), Counter()
reader = pq.ParquetFile(FOLDER / "completions.parquet")
writer = None
for batch in reader.iter_batches(batch_size=256):
    repaired = repair_array(batch.column("completion"), report=True)
    counts.update(repaired.field("status").to_pylist())
    for report in repaired.field("report").to_pylist():
        rules.update(edit["rule"] for edit in json.loads(report)["edits"])
    table = pa.table({"completion": batch.column("completion"), "jsonseam": repaired})
    writer = writer or pq.ParquetWriter(FOLDER / "repaired.parquet", table.schema)
    writer.write_table(table)
if writer is not None:
    writer.close()

# %% What was done
figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5), width_ratios=[1, 2], layout="constrained")
left.bar(list(counts), list(counts.values()))
left.set_title(f"{sum(counts.values())} completions by status")
names, numbers = zip(*reversed(rules.most_common(15)))
right.barh(names, numbers)
right.set_title("edits by rule")
figure.savefig(FOLDER / "repaired.png")
print(dict(counts), "->", FOLDER / "repaired.parquet", FOLDER / "repaired.png")
