"""DataFusion: the function in expressions and in SQL."""

import pyarrow as pa
import pytest
from datafusion import SessionConfig, SessionContext, col
from rows import all_expected, all_typed_expected, contract, key, texts, typed_key, typed_texts

from jsonseam.arrow import Job, datafusion_udf


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_datafusion_gives_what_the_library_gives(partitions):
    context = SessionContext(SessionConfig().with_target_partitions(partitions).with_batch_size(64))
    table = pa.table({"completion": texts()})
    frame = context.create_dataframe([table.to_batches(max_chunksize=50)])
    result = frame.select(datafusion_udf()(col("completion")).alias("j")).to_arrow_table()
    assert sorted(map(key, result["j"].to_pylist())) == all_expected()


def test_it_is_a_function_of_sql():
    context = SessionContext()
    context.register_udf(datafusion_udf("mend", preset="strict"))
    rows = context.sql("SELECT mend('[1,]')['value'] AS v").to_pylist()
    assert rows == [{"v": "[1]"}]


@pytest.mark.parametrize("partitions", [1, 7])
def test_datafusion_gives_typed_outputs_beside_other_columns(partitions):
    context = SessionContext(SessionConfig().with_target_partitions(partitions).with_batch_size(64))
    table = pa.table({"id": range(len(typed_texts())), "completion": typed_texts()})
    frame = context.create_dataframe([table.to_batches(max_chunksize=50)])
    found = frame.with_column("j", datafusion_udf(contract=contract())(col("completion"))).to_arrow_table()
    assert sorted(map(typed_key, found["j"].to_pylist(maps_as_pydicts="strict"))) == all_typed_expected()
    assert sorted(found["id"].to_pylist()) == list(range(len(typed_texts())))


def test_a_row_is_repaired_once_however_many_members_are_asked_for(monkeypatch):
    rows, run = [], Job.run
    monkeypatch.setattr(Job, "run", lambda job, column, *args, **kwargs: rows.append(len(column)) or run(job, column, *args, **kwargs))
    context = SessionContext()
    context.register_record_batches("answers", [pa.table({"completion": typed_texts()}).to_batches(max_chunksize=50)])
    context.register_udf(datafusion_udf(contract=contract()))
    query = "SELECT j['outputs']['city'], j['outputs']['count'], j['status'], j['reason'] FROM (SELECT jsonseam(completion) AS j FROM answers)"
    assert context.sql(query).to_arrow_table().num_rows == sum(rows) == len(typed_texts())
