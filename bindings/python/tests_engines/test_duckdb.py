"""DuckDB: the function in SQL."""

import duckdb
import pyarrow as pa
import pytest
from rows import all_expected, all_typed_expected, contract, key, texts, typed_key, typed_texts

from jsonseam import Contract
from jsonseam.arrow import Job, duckdb_register


@pytest.mark.parametrize("threads", [1, 2])
def test_duckdb_gives_what_the_library_gives(threads):
    con = duckdb.connect(config={"threads": threads})
    duckdb_register(con)
    table = pa.table({"completion": texts()})
    con.register("answers", table)
    rows = [row for (row,) in con.sql("SELECT jsonseam(completion) FROM answers").fetchall()]
    assert sorted(map(key, rows)) == all_expected()


def test_many_rows_are_repaired_in_all_batches():
    con = duckdb.connect()
    duckdb_register(con, "mend", preset="strict")
    query = "SELECT mend(c).status AS status, count(*) FROM (SELECT '[' || range || ',]' AS c FROM range(20000)) GROUP BY 1"
    assert con.sql(query).fetchall() == [("repaired", 20000)]


def test_a_contract_adds_its_outputs():
    con = duckdb.connect()
    duckdb_register(con, contract=Contract(["a"]), report=True, typed=False)
    assert con.sql("SELECT jsonseam('{a: 1}').outputs").fetchall() == [('{"a":1}',)]


@pytest.mark.parametrize("threads", [1, 2])
def test_duckdb_gives_typed_outputs_beside_other_columns(threads):
    con = duckdb.connect(config={"threads": threads})
    duckdb_register(con, contract=contract())
    con.register("answers", pa.table({"id": range(len(typed_texts())), "completion": typed_texts()}))
    rows = con.sql("SELECT id, jsonseam(completion) FROM answers").fetchall()
    assert sorted(typed_key(row) for _, row in rows) == all_typed_expected()
    total = con.sql("SELECT sum(jsonseam(completion).outputs.price) FROM answers").fetchall()[0][0]
    assert str(total) == "750.00"


def test_a_row_is_repaired_once_however_many_members_are_asked_for(monkeypatch):
    rows, run = [], Job.run
    monkeypatch.setattr(Job, "run", lambda job, column, *args, **kwargs: rows.append(len(column)) or run(job, column, *args, **kwargs))
    con = duckdb.connect(config={"threads": 1})
    duckdb_register(con, contract=contract())
    con.register("answers", pa.table({"completion": typed_texts()}))
    con.sql("SELECT unnest(j.outputs), j.status, j.reason FROM (SELECT jsonseam(completion) AS j FROM answers)").fetchall()
    assert sum(rows) == len(typed_texts())
