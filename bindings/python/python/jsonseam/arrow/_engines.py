"""One line for each data engine. Every one takes what `jsonseam.arrow.Job` takes, and carries it to its workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ._columns import Job
from ._types import ddl, duckdb_type, polars_type

if TYPE_CHECKING:
    import daft
    import duckdb
    import polars
    import pyspark.sql


def spark_udf(**options: Any) -> Any:
    """A function for PySpark 4.1 and newer: ``df.withColumn("j", spark_udf()("completion"))``.

    Here and below, options are those of `jsonseam.Pipeline`, or ``pipeline=``, or ``contract=`` with ``types=`` and ``typed=``,
    or ``tools=`` with the options of `jsonseam.Extractor` (``calls=True`` reads calls without tools); and ``report=``.
    """
    from pyspark.sql.functions import arrow_udf

    job = Job(**options)

    def jsonseam(column: pa.Array) -> pa.Array:
        return job.run(column, is_plain=True)

    return arrow_udf(jsonseam, ddl(job.plain))


def spark_map(df: pyspark.sql.DataFrame, column: str, *, into: str = "jsonseam", **options: Any) -> pyspark.sql.DataFrame:
    """A frame with the column ``into`` beside its own, for PySpark of any version with ``mapInArrow``: ``spark_map(df, "completion")``."""
    from pyspark.sql.types import StructType

    # Spark itself reads the type, since its own reader of types is not in every version's Python.
    added = df.sparkSession.createDataFrame([], f"{_backquoted(into)} {ddl(Job(**options).plain)}").schema
    kept = [field for field in df.schema.fields if field.name != into]
    if column not in df.columns:
        raise ValueError(f"the frame has no column of that name; it has {', '.join(df.columns)}")
    return df.mapInArrow(map_in_arrow(column, into=into, **options), StructType([*kept, *added.fields]))


def _backquoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def map_in_arrow(column: str, *, into: str = "jsonseam", **options: Any) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """What `spark_map` gives to ``mapInArrow``: adds the column ``into`` to every batch, in place of one of that name."""
    job = Job(**options)

    def repair_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            repaired = job.run(batch.column(batch.schema.get_field_index(column)), is_plain=True)
            kept = [name for name in batch.schema.names if name != into]
            columns = [batch.column(batch.schema.get_field_index(name)) for name in kept]
            yield pa.RecordBatch.from_arrays([*columns, repaired], [*kept, into])

    return repair_batches


class RayRepair:
    """For Ray Data: ``ds.map_batches(RayRepair("completion"), batch_format="pyarrow")`` adds the column ``into``.

    As a class, with ``fn_constructor_args=("completion",)`` and ``concurrency=``, it is made once for each actor.
    """

    def __init__(self, column: str, *, into: str = "jsonseam", **options: Any) -> None:
        self.column = column
        self.into = into
        self.job = Job(**options)

    def __call__(self, batch: pa.Table) -> pa.Table:
        return batch.append_column(self.into, self.job.run(batch.column(self.column)))


def daft_udf(**options: Any) -> Callable[..., Any]:
    """For Daft: ``df.with_column("j", daft_udf()(df["completion"]))``."""
    import daft

    job = Job(**options)

    def jsonseam(column: daft.Series) -> Any:
        return job.run(column.to_arrow(), is_plain=True)

    return daft.func.batch(return_dtype=daft.DataType.from_arrow_type(job.plain))(jsonseam)


def _remembering(job: Job, *, is_plain: bool) -> Callable[[Any], pa.StructArray]:
    """The job for engines that ask again about the same batch for every member of a result: the last batch of each thread is kept, and compared."""
    last = threading.local()

    def jsonseam(column: Any) -> pa.StructArray:
        known = getattr(last, "known", None)
        if known is None or not known[0].equals(column):
            last.known = known = (column, job.run(column, is_plain=is_plain))
        result: pa.StructArray = known[1]
        return result

    return jsonseam


def duckdb_register(con: duckdb.DuckDBPyConnection, name: str = "jsonseam", **options: Any) -> None:
    """For DuckDB: after it, ``SELECT jsonseam(completion).status FROM …``."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise ImportError("DuckDB needs numpy for functions in Python: pip install 'jsonseam[duckdb]'") from None
    job = Job(**options)
    con.create_function(name, _remembering(job, is_plain=True), ["VARCHAR"], duckdb_type(job.plain), type="arrow", null_handling="special")


def datafusion_udf(name: str = "jsonseam", **options: Any) -> Any:
    """For DataFusion: ``ctx.register_udf(datafusion_udf())``, or in an expression ``datafusion_udf()(col("completion"))``."""
    from datafusion import udf

    job = Job(**options)
    return udf(_remembering(job, is_plain=False), [pa.string()], job.kind, "immutable", name)


def polars_expr(column: str | polars.Expr, **options: Any) -> polars.Expr:
    """For Polars: ``df.with_columns(j=polars_expr("completion"))``. Columns of strings and categories are taken."""
    import polars

    job = Job(**options)
    kind = polars_type(job.kind)

    def repair(series: polars.Series) -> polars.Series:
        return polars.Series(series.name, job.run(series))

    expression = polars.col(column) if isinstance(column, str) else column
    return expression.map_batches(repair, return_dtype=kind, is_elementwise=True)
