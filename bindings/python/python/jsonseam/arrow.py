"""Repairs columns: one function from an Arrow array to an Arrow struct array, and one line for each data engine.

>>> import pyarrow as pa
>>> from jsonseam.arrow import repair_array
>>> repair_array(pa.array(["{a: 1}", None, "no JSON here"])).field("status").to_pylist()
['repaired', None, 'refused']

A row never fails the column: what cannot be repaired is a row with the status ``"refused"`` and its reason.
The results are those of ``jsonseam batch``, however the rows are split. Needs ``pyarrow``.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from ._contract import Contract
from ._native import __version__
from ._repair import Pipeline, _threads

if TYPE_CHECKING:
    import daft
    import duckdb
    import polars

__all__ = [
    "DUCKDB_TYPE",
    "POLARS_DTYPE",
    "SPARK_DDL",
    "RayRepair",
    "arrow_type",
    "daft_udf",
    "datafusion_udf",
    "duckdb_register",
    "map_in_arrow",
    "polars_expr",
    "repair_array",
    "spark_udf",
]

#: The type of a result in the words of each engine; `arrow_type` gives it for Arrow, with more columns on request.
SPARK_DDL = "struct<value:string,status:string,reason:string,risk:string,truncated:boolean,edits:int,position:bigint>"
DUCKDB_TYPE = (
    "STRUCT(value VARCHAR, status VARCHAR, reason VARCHAR, risk VARCHAR, truncated BOOLEAN, edits INTEGER, position BIGINT)"
)

_FIELDS = [
    ("value", pa.string()),
    ("status", pa.string()),
    ("reason", pa.string()),
    ("risk", pa.string()),
    ("truncated", pa.bool_()),
    ("edits", pa.int32()),
    ("position", pa.int64()),
]


def __getattr__(name: str) -> Any:
    # The data type of another package, made when it is asked for.
    if name == "POLARS_DTYPE":
        return _polars_type(False, False)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def arrow_type(*, report: bool = False, contract: bool = False) -> pa.StructType:
    """The type of what `repair_array` gives: with the column ``report``, and with ``outputs``, if they are wanted."""
    more = [("report", pa.string())] * report + [("outputs", pa.string())] * contract
    return pa.struct([*_FIELDS, *more])


def repair_array(
    column: Any,
    pipeline: Pipeline | None = None,
    contract: Contract | None = None,
    *,
    report: bool = False,
    threads: int | None = 1,
) -> pa.StructArray:
    """Repairs every row of a column of strings or bytes. A null row gives a null; no row raises.

    Args:
        column: an Arrow array or chunked array, or any object that exports one (a Polars series, for example).
        pipeline: the settings; without one those of `jsonseam.repair`.
        contract: the outputs that every row must give, in place of a pipeline.
        report: whether each row gets its whole record, as JSON.
        threads: how many threads work, ``None`` for one for each processor. Engines bring their own parallelism.

    The columns of the result:
        value: the repaired JSON text; null where it was refused.
        status: ``"valid"``, ``"repaired"`` or ``"refused"``.
        reason: why it was refused, or what the contract found; else null.
        risk: the highest risk among the edits; null without edits.
        truncated: whether the text was cut off.
        edits: how many edits there are.
        position: where it was refused, in bytes of the row as UTF-8; null where no single place is to blame.
        report: the record, as ``jsonseam batch`` writes it.
        outputs: the outputs of the contract, as one JSON text; null where it is not met.
    """
    if pipeline is not None and contract is not None:
        raise TypeError("a contract has its own pipeline: give one of the two")
    if pipeline is not None and not isinstance(pipeline, Pipeline):
        raise TypeError(f"pipeline must be a jsonseam.Pipeline, not {type(pipeline).__name__}")
    array = _strings_of(column)
    engine = contract._judge if contract is not None else (pipeline or _default())._engine
    parts = engine.repair_buffers(_buffers(array), report, _threads(threads))
    return _struct(parts, len(array), arrow_type(report=report, contract=contract is not None))


@functools.lru_cache(maxsize=1)
def _default() -> Pipeline:
    return Pipeline()


def _strings_of(column: Any) -> pa.Array:
    """The column as one array of strings or bytes with offsets."""
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        if hasattr(column, "__arrow_c_array__"):
            column = pa.array(column)
        elif hasattr(column, "__arrow_c_stream__"):
            column = pa.chunked_array(column)
        else:
            raise TypeError(f"the column must be an Arrow array or export one, not {type(column).__name__}")
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_null(kind):
        column = column.cast(pa.string())
    elif pa.types.is_string_view(kind):
        column = column.cast(pa.large_string())
    elif pa.types.is_binary_view(kind):
        column = column.cast(pa.large_binary())
    elif not (
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)
    ):
        raise TypeError(f"the column must hold strings or bytes, not {kind}")
    if isinstance(column, pa.ChunkedArray):
        # One chunk is taken as it is.
        column = column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks or [pa.array([], column.type)])
    return column


def _buffers(array: pa.Array) -> dict[str, Any]:
    is_wide = pa.types.is_large_string(array.type) or pa.types.is_large_binary(array.type)
    width = 8 if is_wide else 4
    _, offsets, data = array.buffers()
    raw = b"" if offsets is None else offsets.slice(array.offset * width, (len(array) + 1) * width).to_pybytes()
    text = b""
    if len(array) and data is not None:
        first, last = (int.from_bytes(raw[at : at + width], "little") for at in (0, len(raw) - width))
        text = data.slice(first, last - first).to_pybytes()
    validity = None
    if array.null_count:
        # Its bits begin at the first row, whatever the offset of the array.
        validity = pc.is_valid(array).buffers()[1].to_pybytes()
    return {"data": text, "offsets": raw, "validity": validity, "length": len(array), "wide": is_wide}


def _struct(parts: dict[str, Any], length: int, kind: pa.StructType) -> pa.StructArray:
    validity = pa.py_buffer(parts["validity"])

    def strings(name: str) -> pa.Array:
        offsets, data, is_valid = map(pa.py_buffer, parts[name])
        return pa.Array.from_buffers(pa.string(), length, [is_valid, offsets, data])

    def named(name: str, names: str) -> pa.Array:
        codes = pa.Array.from_buffers(pa.int8(), length, [None, pa.py_buffer(parts[name])])
        indices = pc.if_else(pc.less(codes, 0), pa.scalar(None, pa.int8()), codes)
        return pc.take(pa.array(parts[names], pa.string()), indices)

    position, has_position = map(pa.py_buffer, parts["position"])
    children = {
        "status": named("status", "statuses"),
        "reason": named("reason", "reasons"),
        "risk": named("risk", "risks"),
        "truncated": pa.Array.from_buffers(pa.bool_(), length, [validity, pa.py_buffer(parts["truncated"])]),
        "edits": pa.Array.from_buffers(pa.int32(), length, [validity, pa.py_buffer(parts["edits"])]),
        "position": pa.Array.from_buffers(pa.int64(), length, [has_position, position]),
    }
    columns = [children[field.name] if field.name in children else strings(field.name) for field in kind]
    return pa.Array.from_buffers(kind, length, [validity], children=columns)


class _Worker:
    """`repair_array` with settings, as it travels to other processes: as a configuration, built once in each."""

    def __init__(self, pipeline: Pipeline | None, contract: Contract | None, report: bool, options: dict[str, Any]) -> None:
        if options and (pipeline is not None or contract is not None):
            raise TypeError("settings belong to the pipeline or contract that was given")
        self.pipeline = None if contract is not None else pipeline or Pipeline(**options)
        self.contract = contract
        self.report = report
        self.version = __version__

    def __call__(self, column: Any) -> pa.StructArray:
        return repair_array(column, self.pipeline, self.contract, report=self.report)

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["version"] != __version__:
            raise RuntimeError(f"jsonseam is {state['version']} where the job was made and {__version__} here: install the same")
        self.__dict__.update(state)

    @property
    def type(self) -> pa.StructType:
        return arrow_type(report=self.report, contract=self.contract is not None)

    def ddl(self) -> str:
        more = ",report:string" * self.report + ",outputs:string" * (self.contract is not None)
        return SPARK_DDL[:-1] + more + ">"


def _worker(options: dict[str, Any]) -> _Worker:
    return _Worker(options.pop("pipeline", None), options.pop("contract", None), options.pop("report", False), options)


def spark_udf(**options: Any) -> Any:
    """A function for PySpark 4.1 and newer: ``df.withColumn("j", spark_udf()("completion"))``.

    Here and below, options are those of `jsonseam.Pipeline`, or ``pipeline=`` or ``contract=``, and ``report=``.
    """
    from pyspark.sql.functions import arrow_udf

    worker = _worker(options)

    def jsonseam(column: pa.Array) -> pa.Array:
        return worker(column)

    return arrow_udf(jsonseam, worker.ddl())


def map_in_arrow(column: str, *, into: str = "jsonseam", **options: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """For PySpark of any version with ``mapInArrow``: adds the column ``into`` to every batch.

    ``df.mapInArrow(map_in_arrow("completion"), f"completion string, jsonseam {SPARK_DDL}")``
    """
    worker = _worker(options)

    def repair_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            repaired = worker(batch.column(batch.schema.get_field_index(column)))
            yield pa.RecordBatch.from_arrays([*batch.columns, repaired], [*batch.schema.names, into])

    return repair_batches


class RayRepair:
    """For Ray Data: ``ds.map_batches(RayRepair("completion"), batch_format="pyarrow")`` adds the column ``into``.

    As a class, with ``fn_constructor_args=("completion",)`` and ``concurrency=``, it is made once for each actor.
    """

    def __init__(self, column: str, *, into: str = "jsonseam", **options: Any) -> None:
        self.column = column
        self.into = into
        self.worker = _worker(options)

    def __call__(self, batch: pa.Table) -> pa.Table:
        return batch.append_column(self.into, self.worker(batch.column(self.column)))


def daft_udf(**options: Any) -> Callable[..., Any]:
    """For Daft: ``df.with_column("j", daft_udf()(df["completion"]))``."""
    import daft

    worker = _worker(options)

    def jsonseam(column: daft.Series) -> Any:
        return worker(column.to_arrow())

    return daft.func.batch(return_dtype=daft.DataType.from_arrow_type(worker.type))(jsonseam)


def duckdb_register(con: duckdb.DuckDBPyConnection, name: str = "jsonseam", **options: Any) -> None:
    """For DuckDB: after it, ``SELECT jsonseam(completion).status FROM …``."""
    worker = _worker(options)
    kind = DUCKDB_TYPE[:-1] + ", report VARCHAR" * worker.report + ", outputs VARCHAR" * (worker.contract is not None) + ")"
    con.create_function(name, worker, ["VARCHAR"], kind, type="arrow", null_handling="special")


def datafusion_udf(name: str = "jsonseam", **options: Any) -> Any:
    """For DataFusion: ``ctx.register_udf(datafusion_udf())``, or in an expression ``datafusion_udf()(col("completion"))``."""
    from datafusion import udf

    worker = _worker(options)

    def jsonseam(column: pa.Array) -> pa.Array:
        return worker(column)

    return udf(jsonseam, [pa.string()], worker.type, "immutable", name)


def polars_expr(column: str | polars.Expr, **options: Any) -> polars.Expr:
    """For Polars: ``df.with_columns(j=polars_expr("completion"))``."""
    import polars

    worker = _worker(options)

    def repair(series: polars.Series) -> polars.Series:
        return polars.Series(series.name, worker(series))

    expression = polars.col(column) if isinstance(column, str) else column
    kind = _polars_type(worker.report, worker.contract is not None)
    return expression.map_batches(repair, return_dtype=kind, is_elementwise=True)


def _polars_type(report: bool, contract: bool) -> polars.Struct:
    import polars

    kinds = {pa.string(): polars.String, pa.bool_(): polars.Boolean, pa.int32(): polars.Int32, pa.int64(): polars.Int64}
    return polars.Struct({field.name: kinds[field.type] for field in arrow_type(report=report, contract=contract)})
