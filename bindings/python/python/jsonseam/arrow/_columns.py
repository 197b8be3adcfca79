"""The repair of a column: its buffers go to the native half in slices, and what comes back is made into one struct array."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from .._calls import Extractor, Tools, _cached, _options
from .._contract import Contract
from .._native import __version__
from .._repair import Pipeline, _threads
from ._growing import joined
from ._types import calls_field, children_of, outputs_field, plain, shape_of, text_field, typed, untyped

#: Bytes of text that are copied to the native half at a time, for each thread.
SLICE = 1 << 20
#: Rows of views that are put in a row at a time, since they have no offsets.
VIEWS = 1 << 14


class Job:
    """What is asked about a column. It travels to other processes as settings, which are made ready once in each."""

    def __init__(
        self,
        pipeline: Pipeline | None = None,
        contract: Contract | None = None,
        *,
        tools: Tools | None = None,
        calls: bool = False,
        types: Mapping[str, pa.DataType] | None = None,
        typed: bool = True,
        report: bool = False,
        **options: Any,
    ) -> None:
        given = [name for name, one in (("a pipeline", pipeline), ("a contract", contract), ("tools", tools)) if one is not None]
        if len(given) > 1:
            raise TypeError(f"{' and '.join(given)} answer different questions: give one of them")
        if options and (pipeline is not None or contract is not None):
            raise TypeError("settings belong to the pipeline or contract that was given")
        for what, one, kind in (("pipeline", pipeline, Pipeline), ("contract", contract, Contract)):
            if one is not None and not isinstance(one, kind):
                raise TypeError(f"{what} must be a jsonseam.{kind.__name__}, not {type(one).__name__}")
        if (types or not typed) and contract is None:
            raise TypeError("`types` and `typed` say how the outputs of a contract are given, and there is no contract")
        self.version = __version__
        self.report = report
        self.types = dict(types or {})
        self.typed = typed
        self.asked: Pipeline | Contract | Extractor
        if calls or tools is not None:
            wanted, parts = _options(tools, **options)
            self.asked = _cached(json.dumps(wanted), tuple(parts))
        else:
            self.asked = contract if contract is not None else pipeline or (Pipeline(**options) if options else _default())
        self._prepare()

    def _prepare(self) -> None:
        field = None
        if isinstance(self.asked, Extractor):
            field = calls_field(self.asked)
        elif isinstance(self.asked, Contract):
            field = outputs_field(self.asked, self.types) if self.typed else text_field("outputs", "it was asked for")
        self.shape = "" if field is None else json.dumps(shape_of(field))
        self.kind = untyped(report=self.report) if field is None else typed(field, report=self.report)
        self.plain = plain(self.kind)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("version", "report", "types", "typed", "asked")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        if state["version"] != __version__:
            raise RuntimeError(f"jsonseam is {state['version']} where the job was made and {__version__} here: install the same")
        self.__dict__.update(state)
        self._prepare()

    def _parts(self, buffers: dict[str, Any], threads: int) -> dict[str, Any]:
        asked = self.asked
        if isinstance(asked, Extractor):
            return asked._reader.read_buffers(buffers, self.report, threads, self.shape)
        if isinstance(asked, Contract):
            return asked._judge.repair_buffers(buffers, self.report, threads, self.shape)
        return asked._engine.repair_buffers(buffers, self.report, threads)

    def run(self, column: Any, threads: int | None = 1, *, is_plain: bool = False) -> pa.StructArray:
        """The results for a column; plain ones hold no dictionaries."""
        kind = self.plain if is_plain else self.kind
        count = _threads(threads)
        chunks = _chunks(column)
        parts = (part for chunk in chunks for part in self._repaired(chunk, count, kind))
        return joined(parts, kind, sum(map(_size, chunks)))

    def _repaired(self, array: pa.Array, threads: int, kind: pa.StructType) -> Iterator[tuple[pa.StructArray, int]]:
        """The results part by part, each with the size of what it answers."""
        if pa.types.is_dictionary(array.type):
            values = _readable(array.dictionary)
            if len(values) > len(array):
                array = values.take(array.indices)
            else:
                # Each value is repaired once, however many rows have it.
                yield joined(self._repaired(values, threads, kind), kind, _size(values)).take(array.indices), _size(array)
                return
        if not _is_readable(array.type):
            for start in range(0, len(array), VIEWS):
                for part, _ in self._repaired(_readable(array.slice(start, VIEWS)), threads, kind):
                    yield part, len(part)
            return
        rows = max(1, SLICE * threads * len(array) // max(1, array.nbytes))
        for start in range(0, len(array), rows):
            part = array.slice(start, rows)
            yield _struct(self._parts(_buffers(part), threads), len(part), kind), _size(part)


@functools.lru_cache(maxsize=1)
def _default() -> Pipeline:
    return Pipeline()


def repair_array(
    column: Any,
    pipeline: Pipeline | None = None,
    contract: Contract | None = None,
    *,
    types: Mapping[str, pa.DataType] | None = None,
    typed: bool = True,
    report: bool = False,
    threads: int | None = 1,
) -> pa.StructArray:
    """Repairs every row of a column of strings or bytes. A null row gives a null; no row raises.

    Args:
        column: an Arrow array or chunked array, or any object that exports one (a Polars series, for example).
        pipeline: the settings; without one those of `jsonseam.repair`.
        contract: the outputs that every row must give, in place of a pipeline.
        types: types for some outputs, in place of those of `schema_of`: ``{"price": pa.decimal128(12, 2)}``. ``pa.string()`` keeps JSON text.
        typed: whether outputs have types of their own; otherwise ``outputs`` is JSON text.
        report: whether each row gets its whole record, as JSON.
        threads: how many threads work, ``None`` for one for each processor. Engines bring their own parallelism.

    The columns of the result:
        value: the repaired JSON text, where there is no contract; null where it was refused.
        outputs: with a contract, in place of ``value``, a struct of its outputs; null where it is not met.
        status: ``"valid"``, ``"repaired"`` or ``"refused"``, dictionary-encoded.
        reason: why it was refused, or what the contract found; else null.
        risk: the highest risk among the edits, dictionary-encoded; null without edits.
        truncated: whether the text was cut off.
        edits: how many edits there are.
        position: where it was refused, in bytes of the row as UTF-8; null where no single place is to blame.
        rules: the rules that edited, each once.
        report: the record, as ``jsonseam batch`` writes it.
        left_out: with a contract, how many members no column holds, because its schemas allow members that they do not name.

    A row with a number that its column cannot hold digit for digit has nulls, and the reason ``"not_representable"``.
    """
    return Job(pipeline, contract, types=types, typed=typed, report=report).run(column, threads)


def calls_array(column: Any, tools: Tools | None = None, *, report: bool = False, threads: int | None = 1, **options: Any) -> pa.StructArray:
    """Reads the tool calls of every row. A null row gives a null; no row raises.

    Args:
        column: as for `repair_array`.
        tools: the offered tools, as for `jsonseam.Extractor`, whose other arguments are the options.
        report: whether each row gets its whole record, as JSON.
        threads: how many threads work, ``None`` for one for each processor.

    The columns are those of a contract with ``calls`` in place of ``outputs``: a list of structs with ``id``, ``name``, ``arguments`` and ``errors``.
    ``arguments`` is a struct with one member for each tool, of which that of the called tool is filled; without tools it is JSON text.
    ``errors`` is what does not fit the schema of the tool, as JSON text; then the arguments are null.

    >>> import pyarrow as pa
    >>> tools = [{"name": "weather", "input_schema": {"type": "object", "properties": {"days": {"type": "integer"}}}}]
    >>> calls = calls_array(pa.array(["<tool_call>{'name': 'weather', 'arguments': {days: 3}}</tool_call>"]), tools)
    >>> calls.field("calls").to_pylist()
    [[{'id': None, 'name': 'weather', 'arguments': {'weather': {'days': 3}}, 'errors': None}]]
    """
    return Job(tools=tools, calls=True, report=report, **options).run(column, threads)


def _chunks(column: Any) -> list[pa.Array]:
    """The column as arrays of strings or bytes, or of dictionaries."""
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        if hasattr(column, "__arrow_c_array__"):
            column = pa.array(column)
        elif hasattr(column, "__arrow_c_stream__"):
            column = pa.chunked_array(column)
        else:
            raise TypeError(f"the column must be an Arrow array or export one, not {type(column).__name__}")
    if not holds_texts(column.type):
        raise TypeError(f"the column must hold strings or bytes, not {column.type}")
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    return [chunk for chunk in chunks if len(chunk)]


def holds_texts(kind: pa.DataType) -> bool:
    """Whether a column of this type, or of dictionaries of it, can be repaired."""
    if pa.types.is_dictionary(kind):
        return holds_texts(kind.value_type)
    tests = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)
    views = (pa.types.is_string_view, pa.types.is_binary_view, pa.types.is_null)
    return any(test(kind) for test in (*tests, *views))


def _is_readable(kind: pa.DataType) -> bool:
    return not (pa.types.is_null(kind) or pa.types.is_string_view(kind) or pa.types.is_binary_view(kind))


def _size(array: pa.Array) -> int:
    """In bytes; of views, whose buffers may hold texts of other arrays too, in rows."""
    return array.nbytes if _is_readable(array.type) else len(array)


def _readable(array: pa.Array) -> pa.Array:
    """An array with offsets, of what may have none."""
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if pa.types.is_string_view(array.type):
        return array.cast(pa.large_string())
    return array.cast(pa.large_binary()) if pa.types.is_binary_view(array.type) else array


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

    def array(kind: pa.DataType, *buffers: Any) -> pa.Array:
        return pa.Array.from_buffers(kind, length, [pa.py_buffer(buffer) for buffer in buffers])

    def strings(name: str) -> pa.Array:
        offsets, data, is_valid = parts[name]
        return array(pa.string(), is_valid, offsets, data)

    def codes(kind: pa.DataType, data: bytes) -> pa.Array:
        found = pa.Array.from_buffers(kind, len(data) * 8 // kind.bit_width, [None, pa.py_buffer(data)])
        return pc.if_else(pc.less(found, pa.scalar(0, kind)), pa.scalar(None, kind), found)

    def named(field: pa.Field, indices: pa.Array, names: list[str]) -> pa.Array:
        known = pa.array(names, pa.string())
        if pa.types.is_dictionary(field.type):
            return pa.DictionaryArray.from_arrays(indices, known)
        return pc.take(known, indices)

    def child(field: pa.Field) -> pa.Array:
        name = field.name
        if name in ("outputs", "calls"):
            return _built(parts["typed"], field.type)
        if name in ("status", "risk"):
            return named(field, codes(pa.int8(), parts[name]), parts["statuses" if name == "status" else "risks"])
        if name == "reason":
            return named(field, codes(pa.int16(), parts[name]), parts["reasons"])
        if name == "rules":
            offsets, rules, names = parts["rule"]
            items = named(field.type.value_field, codes(pa.int16(), rules), names)
            return pa.Array.from_buffers(field.type, length, [validity, pa.py_buffer(offsets)], children=[items])
        if name == "position":
            position, has_position = parts["position"]
            return array(field.type, has_position, position)
        if name in ("truncated", "edits", "left_out"):
            return array(field.type, parts["validity"], parts[name])
        return strings(name)

    return pa.Array.from_buffers(kind, length, [validity], children=[child(field) for field in kind])


def _built(tree: tuple[int, list[bytes | None], list[Any]], kind: pa.DataType) -> pa.Array:
    """An array from what the native half built."""
    length, buffers, children = tree
    within = [_built(child, part) for child, part in zip(children, children_of(kind))]
    held = [None if buffer is None else pa.py_buffer(buffer) for buffer in buffers]
    return pa.Array.from_buffers(kind, length, held, children=within or None)


def unnest(table: pa.Table, column: str = "jsonseam") -> pa.Table:
    """The table with the columns of a result in the place of the column that holds it: first the outputs or the calls, then the others.

    Raises `ValueError` if the table has a column of one of these names already.
    """
    place = table.schema.get_field_index(column)
    if place < 0:
        raise ValueError(f"the table has no column {column}; it has {', '.join(table.column_names)}")
    members = _flat(table.column(column))
    is_nested = [field.name == "outputs" and pa.types.is_struct(field.type) for field, _ in members]
    members = [part for nested, member in zip(is_nested, members) for part in (_flat(member[1]) if nested else [member])]
    table = table.remove_column(place)
    for field, values in reversed(members):
        if field.name in table.column_names:
            raise ValueError(f"the table has a column {field.name} already: rename it, or take the members of {column} by name")
        table = table.add_column(place, field, values)
    return table


def _flat(values: pa.ChunkedArray) -> list[tuple[pa.Field, pa.ChunkedArray]]:
    """The members of a column of structs, null where it is null."""
    chunks = [chunk.flatten() for chunk in values.chunks]
    return [(field, pa.chunked_array([chunk[at] for chunk in chunks], field.type)) for at, field in enumerate(values.type)]
