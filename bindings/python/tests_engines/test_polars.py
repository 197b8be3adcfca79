"""Polars: the expression, eager and lazy."""

import polars as pl
import pytest
from rows import all_expected, key, texts

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
    expression = polars_expr("completion", contract=Contract(["a"]))
    result = frame.select(outputs=expression.struct.field("outputs"))
    assert result["outputs"].to_list() == ['{"a":1}', None]
