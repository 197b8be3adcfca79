"""Daft, in an environment of its own: it needs an older pyarrow."""

import daft
import pytest
from rows import all_expected, key, texts

from jsonseam.arrow import daft_udf


@pytest.mark.parametrize("partitions", [1, 2, 7])
def test_daft_gives_what_the_library_gives(partitions):
    frame = daft.from_pydict({"completion": texts()}).into_partitions(partitions)
    rows = frame.select(daft_udf()(daft.col("completion")).alias("j")).to_pydict()["j"]
    rows = [None if row is None or row["status"] is None else row for row in rows]
    assert sorted(map(key, rows)) == all_expected()
