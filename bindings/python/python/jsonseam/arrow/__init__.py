"""Repairs columns: one function from an Arrow array to an Arrow struct array, and one line for each data engine.

>>> import pyarrow as pa
>>> from jsonseam.arrow import repair_array
>>> repair_array(pa.array(["{a: 1}", None, "no JSON here"])).field("status").to_pylist()
['repaired', None, 'refused']

With a contract the outputs have types of their own, which are known before a job runs:

>>> from jsonseam import Contract
>>> from jsonseam.arrow import schema_of
>>> contract = Contract(schemas={"city": {"type": "string"}, "population": {"type": "integer"}})
>>> schema_of(contract).field("outputs").type
StructType(struct<city: string, population: int64>)
>>> repair_array(pa.array(["{city: 'Oslo', population: 717710,}"]), contract=contract).field("outputs").to_pylist()
[{'city': 'Oslo', 'population': 717710}]

A row never fails the column: what cannot be repaired is a row with the status ``"refused"`` and its reason.
The results are those of ``jsonseam batch``, however the rows are split. Needs ``pyarrow``.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from ._columns import Job, calls_array, repair_array, unnest
from ._engines import RayRepair, daft_udf, datafusion_udf, duckdb_register, map_in_arrow, polars_expr, spark_map, spark_udf
from ._files import LostError, repair_files
from ._report import Report, report_of, sample
from ._types import ddl, duckdb_type, plain, polars_type, untyped

__all__ = [
    "DUCKDB_TYPE",
    "SPARK_DDL",
    "Job",
    "LostError",
    "RayRepair",
    "Report",
    "calls_array",
    "daft_udf",
    "datafusion_udf",
    "duckdb_register",
    "json_texts",
    "map_in_arrow",
    "polars_expr",
    "repair_array",
    "repair_files",
    "report_of",
    "sample",
    "schema_of",
    "spark_map",
    "spark_udf",
    "unnest",
]

_UNTYPED = plain(untyped(report=False))
#: The type of a result without a contract in the words of each engine.
SPARK_DDL = ddl(_UNTYPED)
DUCKDB_TYPE = duckdb_type(_UNTYPED)


def __getattr__(name: str) -> Any:
    # The data type of another package, made when it is asked for.
    if name == "POLARS_DTYPE":
        return polars_type(untyped(report=False))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def schema_of(contract: Any = None, **options: Any) -> pa.Schema:
    """The columns of a result, before anything runs. Options are those of the engines: ``types=``, ``tools=``, ``report=``.

    Every column may hold nulls: a row that is refused has them. What stays JSON text is in `json_texts`.
    """
    return pa.schema(list(Job(contract=contract, **options).kind))


def json_texts(schema: pa.Schema | pa.DataType) -> dict[str, str]:
    """The columns that hold JSON texts, since no type of Arrow holds their values: where they are, and why.

    >>> from jsonseam import Contract
    >>> json_texts(schema_of(Contract(["note"], schemas={"tags": {"type": "array", "items": {"type": "string"}}})))
    {'outputs.note': 'there is no schema'}
    """
    from ._types import texts_within

    return dict(texts_within(list(schema), ""))
