"""Measures every engine that is here, by the time of processors: a plain UDF with `json.loads`, one with json_repair, texts, and typed columns.

    python tools/throughput.py --results FILE [--page PAGE] [--rows N]

A run adds its figures to FILE, so engines that cannot be installed together are measured in turn. With `--page` the tables of the page are written.
The plain UDFs take one member out of each text; the typed run gives all of them. Every run has a process of its own and starts with a
short run, so that the start of an engine is not measured; what is measured reads Parquet and adds up a column.
A contract decodes, checks and types all members, which the other runs do not do.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

#: The engines, and the package of each.
ENGINES = {
    "pyarrow": "pyarrow",
    "Polars": "polars",
    "DuckDB": "duckdb",
    "DataFusion": "datafusion",
    "Daft": "daft",
    "Ray Data": "ray",
    "PySpark": "pyspark",
}
#: What is run, and the part of the rows that it gets: a slow run needs fewer.
WAYS = {"json.loads": 1.0, "json_repair": 0.2, "text": 2.0, "typed": 1.0}
#: Engines that need seconds for each task get more rows.
LARGE = {"PySpark": 4, "Ray Data": 4}
MARKS = "<!-- {} of tools/throughput.py -->"


def loads_city(text: str | None) -> str | None:
    """One member by the standard library, which reads only what is not broken."""
    try:
        city: str | None = json.loads(text or "")["city"]
    except ValueError:
        return None
    return city


def repair_city(text: str | None) -> str | None:
    """One member by json_repair."""
    import json_repair

    value: Any = json_repair.loads(text or "")
    return value.get("city") if isinstance(value, dict) else None


def pyarrow(way: str, path: str) -> Any:
    import pyarrow.parquet as pq

    from jsonseam.arrow import repair_array

    column = pq.read_table(path)["completion"]
    if way in OURS:
        return repair_array(column, **OURS[way]()).field("status").null_count
    return [plain(way)(text) for text in column.to_pylist()].count(None)


def Polars(way: str, path: str) -> Any:
    import polars as pl

    from jsonseam.arrow import polars_expr

    frame = pl.scan_parquet(path)
    if way in OURS:
        return frame.select(polars_expr("completion", **OURS[way]()).struct.field("edits").sum()).collect().item()
    return frame.select(pl.col("completion").map_elements(plain(way), return_dtype=pl.String).null_count()).collect().item()


def DuckDB(way: str, path: str) -> Any:
    import duckdb

    from jsonseam.arrow import duckdb_register

    con = duckdb.connect(config={"threads": 1})
    if way in OURS:
        duckdb_register(con, **OURS[way]())
        return con.execute(f"SELECT sum(jsonseam(completion).edits) FROM '{path}'").fetchall()
    con.create_function("city", plain(way), ["VARCHAR"], "VARCHAR", null_handling="special")
    return con.execute(f"SELECT count(*) - count(city(completion)) FROM '{path}'").fetchall()


def DataFusion(way: str, path: str) -> Any:
    import pyarrow as pa
    from datafusion import SessionConfig, SessionContext, udf

    from jsonseam.arrow import datafusion_udf

    ctx = SessionContext(SessionConfig().with_target_partitions(1))
    ctx.register_parquet("answers", path)
    if way in OURS:
        ctx.register_udf(datafusion_udf(**OURS[way]()))
        return ctx.sql("SELECT sum(jsonseam(completion)['edits']) FROM answers").to_pylist()
    by_row = plain(way)
    city = udf(lambda column: pa.array([by_row(text) for text in column.to_pylist()], pa.string()), [pa.string()], pa.string(), "immutable", "city")
    ctx.register_udf(city)
    return ctx.sql("SELECT count(*) - count(city(completion)) FROM answers").to_pylist()


def Daft(way: str, path: str) -> Any:
    import daft

    from jsonseam.arrow import daft_udf

    answers = daft.read_parquet(path)
    if way in OURS:
        frame = answers.select(daft_udf(**OURS[way]())(daft.col("completion"))["edits"].alias("id"))
    else:
        frame = answers.select(daft.func(plain(way), return_dtype=daft.DataType.string())(daft.col("completion")).alias("id"))
    return frame.count("id").to_pydict()


def Ray_Data(way: str, path: str) -> Any:
    import ray

    from jsonseam.arrow import RayRepair

    if not ray.is_initialized():
        ray.init(num_cpus=1, object_store_memory=400 << 20, include_dashboard=False, log_to_driver=False, runtime_env={"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}})
        ray.data.DataContext.get_current().enable_progress_bars = False
    answers = ray.data.read_parquet(path)
    if way in OURS:
        repaired = answers.map_batches(RayRepair("completion", **OURS[way]()), batch_format="pyarrow")
        return repaired.map_batches(lambda table: table.select(["request"]).slice(0, 1), batch_format="pyarrow").count()
    by_row = plain(way)
    return answers.map(lambda row: {"city": by_row(row["completion"])}).map_batches(lambda table: table.slice(0, 1), batch_format="pyarrow").count()


def PySpark(way: str, path: str) -> Any:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from pyspark.sql.functions import col, udf

    from jsonseam.arrow import spark_map

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1").getOrCreate()
    spark.sparkContext.addPyFile(__file__)
    answers = spark.read.parquet(path)
    if way in OURS:
        return spark_map(answers, "completion", into="j", **OURS[way]()).selectExpr("sum(j.edits)").collect()
    return answers.select(udf(plain(way), "string")(col("completion")).alias("city")).selectExpr("count(*) - count(city)").collect()


def contract() -> Any:
    sys.path.insert(0, str(Path(__file__).parent))
    from orders import CONTRACT

    return CONTRACT


#: Our runs, and their settings.
OURS: dict[str, Callable[[], dict[str, Any]]] = {"text": dict, "typed": lambda: {"contract": contract()}}


def plain(way: str) -> Callable[[str | None], str | None]:
    return loads_city if way == "json.loads" else repair_city


def measured(engine: str, way: str, path: str) -> float:
    """Seconds of processors for the rows of a file, the better of two runs after one that warms up."""
    run = globals()[engine.replace(" ", "_")]
    run(way, path.replace(".parquet", "-warm.parquet"))
    best = float("inf")
    clock = Clock()
    for _ in range(2):
        start = clock.spent()
        run(way, path)
        best = min(best, clock.spent() - start)
    return best


class Clock:
    """What this process and all below it have computed: a machine that does other work too does not change that much.

    Processes come and go, so they are looked at ten times in a second, and what was seen of each last counts.
    """

    def __init__(self) -> None:
        self.ticks: dict[int, int] = {}
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            self._look()
            time.sleep(0.1)

    def _look(self) -> None:
        parents: dict[int, list[int]] = {}
        ticks: dict[int, int] = {}
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
            ticks[int(entry.name)] = int(fields[11]) + int(fields[12])
        waiting = [os.getpid()]
        while waiting:
            one = waiting.pop()
            self.ticks[one] = ticks.get(one, 0)
            waiting += parents.get(one, [])

    def spent(self) -> float:
        """Seconds of processors until now."""
        self._look()
        return sum(list(self.ticks.values())) / os.sysconf("SC_CLK_TCK")


def all_measured(rows: int, only: list[str] | None) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every engine that is here, or only these, with its version and its rows in a second."""
    import pyarrow.parquet as pq
    from orders import table

    environment = {**os.environ, "POLARS_MAX_THREADS": "1", "OMP_NUM_THREADS": "1", "DAFT_PROGRESS_BAR": "0"}
    with tempfile.TemporaryDirectory() as folder:
        warm = table(500)
        for engine, package in ENGINES.items():
            if only and engine not in only:
                continue
            try:
                version = importlib.metadata.version(package)
            except importlib.metadata.PackageNotFoundError:
                print(f"NOT RUN: {package} is not in this environment")
                continue
            figures: dict[str, Any] = {"version": version}
            for way, part in WAYS.items():
                path = f"{folder}/{engine.replace(' ', '-')}-{way}.parquet"
                count = int(rows * part * LARGE.get(engine, 1))
                orders = table(count)
                pq.write_table(orders, path)
                pq.write_table(warm, path.replace(".parquet", "-warm.parquet"))
                command = [sys.executable, __file__, "--measure", engine, way, path]
                output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment).stdout
                seconds = float(output.splitlines()[-1])
                figures[way] = count / seconds
                figures["bytes"] = orders["completion"].nbytes / count
                print(f"{engine}, {way}: {count / seconds:,.0f} rows in a second")
            yield engine, figures


def tables(found: dict[str, Any]) -> str:
    """The tables of the page: rows in a second, and what a terabyte costs."""
    lines = ["| engine | UDF with `json.loads` | UDF with json_repair | `jsonseam`, texts | `jsonseam`, typed by a contract | texts, as a multiple of `json.loads` | of json_repair | typed, of json_repair | core hours for 1 TB, texts | typed |"]
    lines.append("|" + "---|" * 10)
    for engine, figures in found.items():
        loads, theirs, text, typed = (figures[way] for way in WAYS)
        hours = [1e12 / (figures["bytes"] * ours) / 3600 for ours in (text, typed)]
        parts = [f"{engine} {figures['version']}", *(f"{rows:,.0f}" for rows in (loads, theirs, text, typed))]
        parts += [f"{text / loads:.1f}", f"{text / theirs:.0f}", f"{typed / theirs:.1f}", *(f"{one:.1f}" for one in hours)]
        lines.append(f"| {' | '.join(parts)} |")
    size = next(iter(found.values()))["bytes"]
    absent = [engine for engine in ENGINES if engine not in found]
    if absent:
        lines.append(f"\nNot measured: {', '.join(absent)}.")
    lines.append(f"\nA row has {size:.0f} bytes on average. The figures are rows in a second of a processor, over all processes of the engine.")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--results", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--only", nargs="*", help="these engines alone; the page keeps what FILE has of the others")
    parser.add_argument("--measure", nargs=3)
    options = parser.parse_args()
    if options.measure:
        print(measured(*options.measure))
        return 0
    known = json.loads(options.results.read_text()) if options.results.exists() else {}
    for engine, figures in all_measured(options.rows, options.only):
        known[engine] = figures
        options.results.write_text(json.dumps(known))
    if options.page:
        start, end = MARKS.format("begin"), MARKS.format("end")
        text = options.page.read_text(encoding="utf-8")
        ordered = {engine: known[engine] for engine in ENGINES if engine in known}
        text = re.sub(f"{re.escape(start)}.*{re.escape(end)}", lambda _: f"{start}\n{tables(ordered)}\n{end}", text, flags=re.DOTALL)
        options.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
