"""PySpark on `local[2]`: two Python workers, any partitioning, a worker that is killed."""

import datetime
import decimal
import os
import signal

import pytest
from pyspark.sql import Row, SparkSession
from rows import all_expected, all_typed_expected, contract, key, texts, typed_key, typed_texts

from jsonseam import Contract
from jsonseam.arrow import SPARK_DDL, map_in_arrow, spark_map, spark_udf


@pytest.fixture(scope="module")
def spark():
    session = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "37")
        .config("spark.driver.memory", "1g")
        .getOrCreate()
    )
    yield session
    session.stop()


def frame(spark, partitions):
    rows = [(text,) for text in texts()]
    return spark.createDataFrame(rows, "completion string").repartition(partitions)


def found(rows):
    return sorted(key(None if row.j is None else row.j.asDict()) for row in rows)


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_spark_gives_what_the_library_gives(spark, partitions):
    rows = frame(spark, partitions).select(spark_udf()("completion").alias("j")).collect()
    assert found(rows) == all_expected()


@pytest.mark.parametrize("partitions", [1, 7])
def test_map_in_arrow_gives_the_same(spark, partitions):
    asked = frame(spark, partitions).mapInArrow(map_in_arrow("completion", into="j"), f"completion string, j {SPARK_DDL}")
    assert found(asked.collect()) == all_expected()


def test_a_contract_adds_its_outputs(spark):
    udf = spark_udf(contract=Contract(["a"]), report=True, typed=False)
    row = spark.createDataFrame([("{a: 1}",)], "completion string").select(udf("completion").alias("j")).collect()[0]
    assert row.j.outputs == '{"a":1}'


OTHERS = "id bigint, `a b` array<string>, day date, amount decimal(9,2), place struct<x:int,y:string>, tags map<string,int>"


@pytest.mark.parametrize("partitions", [1, 5])
def test_spark_gives_typed_outputs_beside_columns_of_any_type(spark, partitions):
    day, amount = datetime.date(2026, 1, 1), decimal.Decimal("1.25")
    given = [(at, ["x"], day, amount, (at, "y"), {"k": at}, text) for at, text in enumerate(typed_texts())]
    answers = spark.createDataFrame(given, f"{OTHERS}, completion string").repartition(partitions)
    by_map = spark_map(answers, "completion", into="j", contract=contract())
    by_udf = answers.withColumn("j", spark_udf(contract=contract())("completion"))
    assert by_map.schema["j"].dataType == by_udf.schema["j"].dataType
    for found in (by_map, by_udf):
        rows = found.collect()
        assert sorted(typed_key(row.j and row.j.asDict(recursive=True)) for row in rows) == all_typed_expected()
        kept = sorted((tuple(row)[:6] for row in rows), key=lambda row: row[0])
        assert kept == [(at, ["x"], day, amount, Row(x=at, y="y"), {"k": at}) for at in range(len(given))]
    with pytest.raises(ValueError, match="no column"):
        spark_map(answers, "completions")


def test_a_killed_worker_loses_nothing(spark, tmp_path):
    marker = str(tmp_path / "killed")
    repair = map_in_arrow("completion", into="j")

    def dying(batches):
        for batch in repair(batches):
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
            yield batch

    asked = frame(spark, 4).mapInArrow(dying, f"completion string, j {SPARK_DDL}")
    assert found(asked.collect()) == all_expected()
    assert os.path.exists(marker), "a worker was killed"
