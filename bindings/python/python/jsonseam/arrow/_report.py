"""What a run did, from its results: statuses, reasons, risks and rules, beside those of an earlier run."""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

#: What is counted: the column, and what its rows are a part of.
PARTS = ("status", "reason", "risk", "rules")

#: A difference between two runs is remarkable from so many standard deviations on: less than one in ten thousand is chance.
REMARKABLE = 4.0


@dataclass
class Report:
    """The rows of a run, counted.

    Attributes:
        rows: how many there are, without nulls.
        nulls: how many are null.
        truncated: how many were cut off.
        counts: for ``status``, ``reason``, ``risk`` and ``rules``, the rows of each value; a row counts once for each of its rules.
    """

    rows: int = 0
    nulls: int = 0
    truncated: int = 0
    counts: dict[str, Counter[str]] = field(default_factory=lambda: {part: Counter() for part in PARTS})

    @property
    def results(self) -> int:
        """How many rows have a value, or what the contract or the tools ask for: those without a reason."""
        return self.rows - self.counts["reason"].total()

    def share(self, part: str, name: str) -> float:
        """The part of the rows that have this value."""
        return self.counts[part][name] / max(1, self.rows)

    def drift(self, other: Report) -> list[tuple[str, str, float, float, float]]:
        """What differs from an earlier run: part, value, its share then and now, and the difference in standard deviations.

        The largest differences come first. A value is compared as a proportion of the rows, by the two-proportion z-test.
        """
        found = []
        for part in PARTS:
            for name in sorted(self.counts[part] | other.counts[part]):
                before, now = other.share(part, name), self.share(part, name)
                pooled = (self.counts[part][name] + other.counts[part][name]) / max(1, self.rows + other.rows)
                error = math.sqrt(pooled * (1 - pooled) * (1 / max(1, self.rows) + 1 / max(1, other.rows)))
                found.append((part, name, before, now, (now - before) / error if error else 0.0))
        return sorted(found, key=lambda one: -abs(one[4]))


def report_of(source: Any, column: str | None = None) -> Report:
    """Counts the results below a folder of Parquet files, in one file, or in a table; they are read batch by batch.

    Args:
        source: a path, or an Arrow table.
        column: the column of results; without a name the first struct that has a status and rules.
    """
    report = Report()
    for schema, batches in _tables(source, column, (*PARTS, "truncated")):
        name = _column_of(schema, column)
        for batch in batches:
            results = batch.column(name)
            status = pc.struct_field(results, "status")
            report.nulls += status.null_count
            report.rows += len(status) - status.null_count
            report.truncated += pc.sum(pc.struct_field(results, "truncated")).as_py() or 0
            for part in PARTS:
                values = pc.struct_field(results, part)
                values = pc.list_flatten(values) if part == "rules" else values
                counted = pc.value_counts(values.cast(pa.string()))
                report.counts[part].update({one["values"]: one["counts"] for one in counted.to_pylist() if one["values"] is not None})
    return report


def _tables(source: Any, column: str | None, members: tuple[str, ...] = ()) -> Iterator[tuple[pa.Schema, Iterator[pa.RecordBatch]]]:
    """The tables of a source, batch by batch: of its files only these members of the results, or all that there is."""
    if isinstance(source, pa.Table):
        yield source.schema, iter(source.to_batches())
        return
    path = Path(source)
    files = sorted(path.rglob("*.parquet")) if path.is_dir() else [path]
    if not files or not files[0].exists():
        raise FileNotFoundError(f"there is no Parquet file at or below {path}")
    for file in files:
        reader = pq.ParquetFile(file)
        name = _column_of(reader.schema_arrow, column)
        columns = [f"{name}.{part}" for part in members] or None
        # One row group at a time: a dictionary within a struct cannot be read across them.
        yield reader.schema_arrow, (batch for group in range(reader.num_row_groups) for batch in reader.read_row_group(group, columns).to_batches())


def _is_result(kind: pa.DataType) -> bool:
    return pa.types.is_struct(kind) and {"status", "reason", "risk", "rules", "truncated"} <= {part.name for part in kind}


def _column_of(schema: pa.Schema, wanted: str | None) -> str:
    """The column of results: the one that was named, or the first."""
    for part in schema:
        if part.name == (wanted or part.name) and _is_result(part.type):
            return str(part.name)
    raise ValueError(f"there is no column of results{f' named {wanted}' if wanted else ''}; the columns are {', '.join(schema.names)}")


def sample(source: Any, risk: str = "guess", count: int = 20, *, seed: int = 0, column: str | None = None) -> pa.Table:
    """So many rows whose highest risk is this one, every one as likely as any other, with all their columns: what people should look at.

    Args:
        source: a path, or an Arrow table.
        risk: ``"certain"``, ``"likely"``, ``"guess"`` or ``"lossy"``.
        count: how many rows; fewer if there are fewer.
        seed: another one draws other rows; the same one the same.
        column: as for `report_of`.
    """
    chance, kept, seen = random.Random(seed), [], 0
    for schema, batches in _tables(source, column):
        name = _column_of(schema, column)
        for batch in batches:
            risks = pc.equal(pc.struct_field(batch.column(name), "risk").cast(pa.string()), risk)
            for at in pc.indices_nonzero(pc.fill_null(risks, False)).to_pylist():
                # Vitter's algorithm R: a row replaces another with the chance that it belongs to the sample.
                seen += 1
                place = len(kept) if len(kept) < count else chance.randrange(seen)
                if place < count:
                    # As a copy: a slice would keep its whole batch.
                    kept[place : place + 1] = [pa.Table.from_batches([batch.take(pa.array([at]))])]
    return pa.concat_tables(kept) if kept else schema.empty_table()


def as_text(report: Report, before: Report | None = None) -> str:
    """The report as Markdown."""
    lines = [_in_short(report), ""]
    if before is None:
        lines += ["| | | rows | share |", "|---|---|---|---|"]
        lines += [f"| {part} | {name} | {count:,} | {report.share(part, name):.3%} |" for part in PARTS for name, count in report.counts[part].most_common()]
        return "\n".join(lines) + "\n"
    lines += [f"before: {_in_short(before)}", ""]
    lines += ["| | | before | now | standard deviations |", "|---|---|---|---|---|"]
    for part, name, then, now, deviations in report.drift(before):
        mark = " **" if abs(deviations) >= REMARKABLE else ""
        lines.append(f"| {part} | {name} | {then:.3%} | {now:.3%} | {deviations:+.1f}{mark} |")
    return "\n".join(lines) + "\n"


def _in_short(report: Report) -> str:
    share = report.results / max(1, report.rows)
    return f"{report.rows:,} rows, {report.results:,} with a result ({share:.3%}); {report.truncated:,} cut off; {report.nulls:,} nulls besides"


def plot(report: Report, path: str | os.PathLike[str], before: Report | None = None) -> None:
    """The report as a picture: the share of rows by status, reason, risk and rule, beside those of an earlier run. Needs matplotlib."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    colors = {"status": "#2a6f4e", "reason": "#a23b3b", "risk": "#b07d2b", "rules": "#3f6fa0"}
    figure, axes = plt.subplots(2, 2, figsize=(13, 8), layout="constrained")
    for axis, part in zip(axes.flat, PARTS):
        known = report.counts[part] | (before.counts[part] if before else Counter())
        names = [name for name, _ in known.most_common(12)][::-1]
        if before is None:
            axis.barh(names, [100 * report.share(part, name) for name in names], color=colors[part])
        else:
            places = range(len(names))
            axis.barh([at + 0.2 for at in places], [100 * report.share(part, name) for name in names], 0.4, color=colors[part], label="now")
            axis.barh([at - 0.2 for at in places], [100 * before.share(part, name) for name in names], 0.4, color="#bbbbbb", label="before")
            axis.set_yticks(list(places), names)
            axis.legend(loc="lower left", bbox_to_anchor=(0.8, 1.0), ncols=2, frameon=False, fontsize="small")
        axis.set_title({"status": "status", "reason": "why not", "risk": "highest risk", "rules": "rules"}[part])
        axis.set_xlabel("% of the rows")
        axis.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{report.rows:,} completions, {report.truncated:,} of them cut off")
    figure.savefig(path, dpi=110)
    plt.close(figure)
