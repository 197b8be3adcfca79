"""Parquet files: a job that is stopped goes on where it was, a killed worker loses nothing, and reports count what is there."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rows import contract, texts, typed_texts

from jsonseam import Pipeline
from jsonseam.arrow import LostError, repair_array, repair_files, report_of, sample
from jsonseam.arrow.__main__ import main
from jsonseam.arrow._report import REMARKABLE, as_text


def write(folder, files=6, rows=300, given=typed_texts):
    """Files of completions, some in a folder below, with a column beside."""
    for at in range(files):
        part = (given() * (rows // len(given()) + 1))[at : at + rows]
        path = folder / ("a" if at % 2 else ".") / f"part-{at}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"id": range(at * rows, at * rows + len(part)), "completion": part}), path, row_group_size=64)
    return folder


def results(folder, column="jsonseam"):
    rows = [row for path in sorted(folder.rglob("*.parquet")) for row in pq.read_table(path).to_pylist()]
    return {row["id"]: row[column] for row in rows}


def by_the_library(folder, **options):
    rows = [row for path in sorted(folder.rglob("*.parquet")) for row in pq.read_table(path).to_pylist()]
    found = repair_array(pa.array([row["completion"] for row in rows]), **options).to_pylist()
    return {row["id"]: one for row, one in zip(rows, found)}


def test_files_are_repaired_once_and_again_only_when_something_changed(tmp_path):
    source, target = write(tmp_path / "in"), tmp_path / "out"
    assert repair_files(source, target, "completion", contract=contract(), workers=2, batch_rows=50) == 6
    assert results(target) == by_the_library(source, contract=contract())
    assert repair_files(source, target, "completion", contract=contract(), workers=2) == 0
    os.utime(source / "part-0.parquet")
    assert repair_files(source, target, "completion", contract=contract(), workers=2) == 1
    assert repair_files(source, target, "completion", preset="strict", workers=2) == 6
    assert results(target) == by_the_library(source, pipeline=Pipeline("strict"))
    assert not list(target.rglob("*.part"))


JOB = """
import sys
from jsonseam.arrow import repair_files
if __name__ == "__main__":
    sys.path.insert(0, {tests!r})
    from rows import contract
    print(repair_files({source!r}, {target!r}, "completion", contract=contract(), workers=2, batch_rows=64), flush=True)
"""


def start(tmp_path, source, target):
    script = tmp_path / "job.py"
    script.write_text(JOB.format(tests=str(Path(__file__).parent), source=str(source), target=str(target)))
    return subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)


def large(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    given = typed_texts() * 60
    for at in range(4):
        pq.write_table(pa.table({"id": range(at * 10**6, at * 10**6 + len(given)), "completion": given}), source / f"part-{at}.parquet")
    return source


def test_a_worker_that_is_killed_loses_nothing(tmp_path):
    source, target = large(tmp_path), tmp_path / "out"
    job = start(tmp_path, source, target)
    killed = 0
    while job.poll() is None and not killed:
        for part in target.rglob("*.part"):
            # The process that has the unfinished file open is the worker at it.
            for pid in (int(path.name) for path in Path("/proc").glob("[0-9]*")):
                try:
                    is_open = any(os.readlink(link) == str(part) for link in Path(f"/proc/{pid}/fd").iterdir())
                except OSError:
                    continue
                if is_open and not killed:
                    os.kill(pid, signal.SIGKILL)
                    killed = pid
    assert (job.wait(120), killed > 0) == (0, True)
    assert job.stdout.read() == "4\n"
    assert results(target) == by_the_library(source, contract=contract())


def test_a_job_that_is_killed_goes_on_where_it_was(tmp_path):
    source, target = large(tmp_path), tmp_path / "out"
    job = start(tmp_path, source, target)
    while job.poll() is None and not list(target.rglob("*.parquet")):
        time.sleep(0.002)
    job.kill()
    job.wait()
    done = len(list(target.rglob("*.parquet")))
    again = start(tmp_path, source, target)
    assert again.wait(120) == 0
    assert 0 < done
    assert int(again.stdout.read()) <= 4 - done
    assert results(target) == by_the_library(source, contract=contract())


def test_a_file_that_kills_its_worker_is_named_and_the_others_are_done(tmp_path, monkeypatch):
    source, target = write(tmp_path / "in", files=3), tmp_path / "out"
    monkeypatch.setattr("jsonseam.arrow._files._answer", dying)
    with pytest.raises(LostError, match="part-1") as caught:
        repair_files(source, target, "completion", workers=2)
    assert [Path(file).name for file in caught.value.files] == ["part-1.parquet"]
    assert len(list(target.rglob("*.parquet"))) == 2


def dying(sender, question, file, *rest):
    """A worker that one file kills."""
    if file.endswith("part-1.parquet"):
        os.kill(os.getpid(), signal.SIGKILL)
    from jsonseam.arrow._files import _repair_file

    _repair_file(question, file, *rest)
    sender.send(None)


def test_what_is_wrong_is_said_and_not_tried_again(tmp_path):
    source = write(tmp_path / "in", files=2)
    with pytest.raises(ValueError, match="no column completions; it has id, completion"):
        repair_files(source, tmp_path / "out", "completions")
    with pytest.raises(ValueError, match="the column id of .* must hold strings or bytes, not int64"):
        repair_files(source, tmp_path / "out", "id")
    with pytest.raises(FileNotFoundError):
        repair_files(tmp_path / "nothing", tmp_path / "out", "completion")
    with pytest.raises(ValueError, match="no column of results"):
        report_of(source)


def test_a_report_counts_every_row_and_a_sample_has_the_risk(tmp_path):
    source, target = write(tmp_path / "in", given=texts), tmp_path / "out"
    repair_files(source, target, "completion", preset="lenient", workers=1)
    report, rows = report_of(target), [row for row in results(target).values()]
    known = [row for row in rows if row is not None]
    assert (report.rows, report.nulls) == (len(known), len(rows) - len(known))
    assert report.truncated == sum(row["truncated"] for row in known)
    assert report.results == sum(row["value"] is not None for row in known) > 0
    assert f"{report.results:,} with a result" in as_text(report)
    for part in ("status", "reason", "risk"):
        for name, count in report.counts[part].items():
            assert count == sum(row[part] == name for row in known)
    assert report.counts["rules"]["unquoted-key"] == sum("unquoted-key" in row["rules"] for row in known) > 0
    risks = [row["risk"] for row in known]
    for risk in set(risks) - {None}:
        drawn = sample(target, risk, 5, seed=1)
        assert (len(drawn), set(row["jsonseam"]["risk"] for row in drawn.to_pylist())) == (min(5, risks.count(risk)), {risk})
        assert drawn == sample(target, risk, 5, seed=1)
        assert len(sample(target, risk, 10**6)) == risks.count(risk)


def test_drift_is_remarkable_where_a_run_differs_and_not_where_it_does_not(tmp_path):
    def run(broken):
        return report_of(pa.table({"j": repair_array(pa.array(["{a: 1}" if at % 100 < broken else '{"a": 1}' for at in range(20_000)]))}))

    before, same, other = run(5), run(5), run(8)
    assert all(deviations == 0 for *_, deviations in same.drift(before))
    first = other.drift(before)[0]
    assert first[2:4] in ((0.05, 0.08), (0.95, 0.92)) and abs(first[4]) > REMARKABLE
    assert "**" in as_text(other, before) and "**" not in as_text(same, before)


def test_the_command_repairs_reports_plots_and_samples(tmp_path, capsys):
    source = write(tmp_path / "in", files=2)
    wanted = tmp_path / "contract.json"
    wanted.write_text(json.dumps({"schemas": {"city": {"type": "string"}}, "optional": ["count", "share", "price", "is_open", "items", "scores", "note"]}))
    assert main(["repair", str(source), str(tmp_path / "one"), "--column", "completion", "--contract", str(wanted), "--workers", "1"]) == 0
    assert main(["repair", str(source), str(tmp_path / "two"), "--column", "completion", "--preset", "strict", "--workers", "1"]) == 0
    assert capsys.readouterr().out == "2 files made\n2 files made\n"
    assert main(["report", str(tmp_path / "two"), "--before", str(tmp_path / "one"), "--plot", str(tmp_path / "drift.png")]) == 0
    assert "| status | repaired |" in capsys.readouterr().out
    assert (tmp_path / "drift.png").read_bytes().startswith(b"\x89PNG")
    assert main(["sample", str(tmp_path / "one"), "--risk", "certain", "--count", "3"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["jsonseam"]["risk"] for row in rows] == ["certain"] * 3
    assert main(["sample", str(tmp_path / "one"), "--risk", "guess"]) == 0
    assert "no row has the highest risk guess; risks of the rows: certain " in capsys.readouterr().err
    assert main(["report", str(tmp_path / "three")]) == 2
    assert "there is no Parquet file at or below" in capsys.readouterr().err
