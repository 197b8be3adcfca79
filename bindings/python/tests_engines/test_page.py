"""Every block of docs/data-engines.md runs as it is printed there, on a table with columns of many types, and every engine gives the same table."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

PAGE = Path(__file__).resolve().parents[3] / "docs" / "data-engines.md"
#: The package that the blocks below a heading need.
NEEDS = {"Polars": "polars", "DuckDB": "duckdb", "DataFusion": "datafusion", "PySpark": "pyspark", "Ray Data": "ray", "Daft": "daft"}
#: What the plan of an engine shows of the function, and how it would call a step that moves rows.
PLANS = {
    "Polars": ("python_udf", "join|sort|aggregate"),
    "DuckDB": ("PARQUET_SCAN", "join|order_by|hash_group"),
    "DataFusion": ("jsonseam", "HashPartition|Partitioning=Hash|SortExec|Aggregate"),
    "PySpark": ("MapInArrow", "Exchange|Shuffle"),
    "Ray Data": (r"MapBatches\(RayRepair\)", "Shuffle|AllToAll|Repartition|Sort"),
    "Daft": ("UDF jsonseam", "shuffle|repartition|exchange"),
}


def blocks():
    """Every block of the page: the heading above it, its language, its text."""
    found = re.finditer(r"^#+ ([^\n]*)$|^```(\w+)\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    heading = ""
    for part in found:
        if part[1]:
            heading = part[1]
        else:
            yield heading, part[2], part[3]


BLOCKS = [(heading, text) for heading, language, text in blocks() if language == "python"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the files that the page names: a block that begins with the name of a file is that file."""
    folder = tmp_path_factory.mktemp("page")
    for _, text in BLOCKS:
        if name := re.match(r"# (\w+\.py)\n", text):
            (folder / name[1]).write_text(text, encoding="utf-8")
    run(folder, (folder / "answers.py").read_text(encoding="utf-8"))
    return folder


#: The end of a program that used Daft, as the page says: threads of Daft may crash the interpreter while it ends.
LAST = "\nimport os, sys; sys.stdout.flush(); os._exit(0)\n"


def run(folder, text, last=""):
    """What a block prints, in a process of its own."""
    command = Path(os.environ["JSONSEAM_COMMAND"]).parent
    environment = {**os.environ, "PATH": f"{command}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(folder), "RAY_DEDUP_LOGS": "0"}
    done = subprocess.run([sys.executable, "-c", text + last], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr[-4000:]}"
    return done.stdout, done.stderr


def need(heading):
    package = NEEDS.get(heading)
    if package is not None and importlib.util.find_spec(package) is None:
        pytest.skip(f"NOT RUN: {package} is not in this environment")


@pytest.mark.parametrize(("heading", "text"), BLOCKS, ids=[f"{at}-{heading}" for at, (heading, _) in enumerate(BLOCKS)])
def test_a_block_runs_and_gives_the_orders_that_the_library_gives(folder, heading, text):
    need(heading)
    printed, said = run(folder, text, LAST if heading == "Daft" else "")
    shown = [answer for _, language, answer in blocks() if language == "text"]
    if text.startswith("# columns.py"):
        assert printed == shown[0]
    for name in re.findall(r"orders-\w+", text):
        assert orders(folder, name) == expected(folder), name
    if heading in PLANS and "orders-" in text:
        shown, moves = PLANS[heading]
        assert re.search(shown, printed + said), "the plan is printed"
        assert not re.search(moves, printed + said, re.IGNORECASE), "no row moves between workers"


def test_the_lines_for_the_terminal_run_on_files(folder):
    """Those of `python -m jsonseam.arrow`, as they are printed."""
    from jsonseam.arrow import repair_files

    (folder / "answers").mkdir(exist_ok=True)
    (folder / "answers" / "one.parquet").write_bytes((folder / "answers.parquet").read_bytes())
    wanted = next(text for _, language, text in blocks() if language == "json")
    (folder / "order.json").write_text(wanted, encoding="utf-8")
    repair_files(folder / "answers", folder / "last-week", "completion", preset="strict", workers=1)
    lines = [line for _, language, text in blocks() if language == "sh" for line in text.splitlines() if "jsonseam.arrow" in line]
    assert len(lines) == 4
    for line in lines:
        words = [sys.executable, *line.split()[1:]]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{line}\n{done.stderr}"
    assert (folder / "report.png").exists() and (folder / "drift.png").exists()


def orders(folder, name):
    """The table that a block wrote, row by row."""
    path = folder / name if (folder / name).exists() else folder / f"{name}.parquet"
    table = pq.read_table(path).to_pylist()
    names = ("request", "model", "day", "id", "city", "total", "items", "note", "status", "reason", "risk")
    return sorted(({name: row[name] for name in names} for row in table), key=lambda row: row["request"])


def expected(folder):
    """The same by the library, a text at a time."""
    import jsonseam

    sys.path.insert(0, str(folder))
    from order import contract

    rows = []
    for row in pq.read_table(folder / "answers.parquet").to_pylist():
        wanted = {**dict.fromkeys(("id", "city", "total", "items", "note", "status", "reason", "risk")), **{name: row[name] for name in ("request", "model", "day")}}
        text = row["completion"]
        if text is not None:
            try:
                outputs = contract.parse(text)
                repair = outputs.repair
                wanted |= {name: outputs[name] for name in ("id", "city", "total", "items") if name in outputs}
                wanted["note"] = outputs.text("note")
                wanted["total"] = round(pa.scalar(str(wanted["total"])).cast(pa.decimal128(38, 2)).as_py(), 2)
                wanted |= {"status": repair.status, "risk": repair.risk}
            except jsonseam.ContractError as error:
                wanted["reason"] = error.reason
                repair = None if error.partial is None else error.partial.repair
                wanted |= {"status": "refused", "risk": None} if repair is None else {"status": repair.status, "risk": repair.risk}
        rows.append(wanted)
    return rows


def test_the_extras_of_the_page_are_those_of_the_package():
    import tomllib

    project = tomllib.loads((PAGE.parents[1] / "bindings/python/pyproject.toml").read_text(encoding="utf-8"))["project"]
    sentence = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("Each engine has an extra"))
    assert set(re.findall(r"`(\w+)`", sentence)) == set(project["optional-dependencies"]) - {"pydantic"}


def test_every_engine_has_a_block():
    assert set(NEEDS) <= {heading for heading, _ in BLOCKS}
