"""Daft, in an environment of its own: it needs an older pyarrow."""

import daft
import pytest
from rows import all_expected, all_typed_expected, contract, key, texts, typed_key, typed_texts

from jsonseam.arrow import daft_udf


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_daft_gives_what_the_library_gives(partitions):
    frame = daft.from_pydict({"completion": texts()}).into_partitions(partitions)
    rows = frame.select(daft_udf()(daft.col("completion")).alias("j")).to_pydict()["j"]
    rows = [None if row is None or row["status"] is None else row for row in rows]
    assert sorted(map(key, rows)) == all_expected()


@pytest.mark.parametrize("partitions", [1, 3])
def test_daft_gives_typed_outputs_beside_other_columns(partitions):
    frame = daft.from_pydict({"id": list(range(len(typed_texts()))), "completion": typed_texts()}).into_partitions(partitions)
    found = frame.with_column("j", daft_udf(contract=contract())(daft.col("completion"))).to_pydict()
    assert sorted(map(typed_key, found["j"])) == all_typed_expected()
    assert sorted(found["id"]) == list(range(len(typed_texts())))
