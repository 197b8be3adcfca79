"""Polars: the expression, eager and lazy."""

import polars as pl
import pytest
from rows import all_expected, all_typed_expected, contract, key, texts, typed_key, typed_texts

from jsonseam import Contract
from jsonseam.arrow import POLARS_DTYPE, polars_expr


@pytest.mark.parametrize("lazy", [False, True])
def test_polars_gives_what_the_library_gives(lazy):
    frame = pl.DataFrame({"completion": texts()})
    asked = frame.lazy() if lazy else frame
    result = asked.with_columns(j=polars_expr("completion"))
    result = result.collect() if lazy else result
    assert result.schema["j"] == POLARS_DTYPE
    rows = [None if row is None or row["status"] is None else row for row in result["j"].to_list()]
    assert sorted(map(key, rows)) == all_expected()


def test_the_streaming_engine_gives_the_same():
    frame = pl.LazyFrame({"completion": texts()}).with_columns(j=polars_expr(pl.col("completion")))
    rows = frame.collect(engine="streaming")["j"].to_list()
    rows = [None if row is None or row["status"] is None else row for row in rows]
    assert sorted(map(key, rows)) == all_expected()


def test_fields_and_contracts_are_expressions_too():
    frame = pl.DataFrame({"completion": ["{a: 1}", "prose"]})
    expression = polars_expr("completion", contract=Contract(["a"]), typed=False)
    result = frame.select(outputs=expression.struct.field("outputs"))
    assert result["outputs"].to_list() == ['{"a":1}', None]


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(sorted({text for text in texts() if text is not None}))])
def test_strings_and_categories_are_taken(kind):
    frame = pl.DataFrame({"completion": texts()}).with_columns(pl.col("completion").cast(kind))
    rows = frame.with_columns(j=polars_expr("completion"))["j"].to_list()
    rows = [None if row is None or row["status"] is None else row for row in rows]
    assert sorted(map(key, rows)) == all_expected()


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_polars_gives_typed_outputs_beside_other_columns(engine):
    frame = pl.LazyFrame({"id": range(len(typed_texts())), "completion": typed_texts()})
    asked = frame.with_columns(j=polars_expr("completion", contract=contract()))
    found = asked.collect(engine=engine)
    assert found.schema == asked.collect_schema()
    assert sorted(map(typed_key, found["j"].to_list())) == all_typed_expected()
    assert found["j"].struct.field("status").dtype == pl.Categorical
