"""The types of results: those of a contract's outputs from its JSON Schemas, and all of them in the words of each engine."""

from __future__ import annotations

import json
import re
import weakref
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pyarrow as pa

from .._calls import Extractor
from .._contract import Contract

if TYPE_CHECKING:
    import polars

#: In the metadata of a field whose strings are JSON texts: why they are.
JSON_TEXT = b"jsonseam.json"

_NAMES = pa.dictionary(pa.int8(), pa.string())
_FIELDS = [
    ("status", _NAMES),
    ("reason", pa.string()),
    ("risk", _NAMES),
    ("truncated", pa.bool_()),
    ("edits", pa.int32()),
    ("position", pa.int64()),
    ("rules", pa.list_(pa.string())),
]

#: What a decimal holds at most.
_DIGITS = 38


def result_type(first: Iterable[pa.Field], last: Iterable[pa.Field] = (), *, report: bool = False) -> pa.StructType:
    """The type of a result with these columns around those that every result has."""
    records = [pa.field("report", pa.string())] * report
    return pa.struct([*first, *(pa.field(name, kind) for name, kind in _FIELDS), *records, *last])


def untyped(*, report: bool) -> pa.StructType:
    """The type of a result with texts."""
    return result_type([pa.field("value", pa.string())], report=report)


def typed(field: pa.Field, *, report: bool) -> pa.StructType:
    """The type of a result with outputs or calls of this type."""
    return result_type([field], [pa.field("left_out", pa.int32())], report=report)


# Contracts do not change, and batches may be small.
_KNOWN: weakref.WeakKeyDictionary[Contract, pa.Field] = weakref.WeakKeyDictionary()


def outputs_field(contract: Contract, types: Mapping[str, pa.DataType] | None = None) -> pa.Field:
    """The outputs of a contract as a field, with the types that were asked for in place of those of the schemas."""
    field = _KNOWN.get(contract)
    if field is None:
        _KNOWN[contract] = field = _outputs(*contract._judge.schemas())
    if not types:
        return field
    if not pa.types.is_struct(field.type):
        raise TypeError("`types` names outputs, and this contract declares none")
    own = {part.name: part for part in field.type}
    for name, kind in types.items():
        if name not in own:
            raise TypeError(f"`types` names an output that is not declared; the outputs are {', '.join(own)}")
        if not isinstance(kind, pa.DataType):
            raise TypeError(f"`types` holds types of Arrow, not {type(kind).__name__}")
        if pa.types.is_string(kind) and own[name].type != kind:
            own[name] = text_field(name, "it was asked for")
        elif not pa.types.is_string(kind):
            own[name] = pa.field(name, kind)
    return pa.field("outputs", pa.struct(list(own.values())))


def _outputs(declared: list[tuple[str, str | None]], whole: str | None) -> pa.Field:
    schema = None if whole is None else _decoded(whole)
    if not declared:
        return _field("outputs", schema, schema)
    of_whole = schema.get("properties", {}) if isinstance(schema, dict) else {}
    fields = []
    for name, own in declared:
        root = schema if own is None else _decoded(own)
        fields.append(_field(name, of_whole.get(name) if own is None else root, root))
    return pa.field("outputs", pa.struct(fields))


def calls_field(extractor: Extractor) -> pa.Field:
    """The calls of a row as a field: each with its arguments, under the name of its tool where there are tools."""
    tools = []
    for name, text in extractor._reader.schemas():
        schema = None if text is None else _decoded(text)
        tools.append(_field(name, schema, schema))
    arguments = pa.field("arguments", pa.struct(tools)) if tools else text_field("arguments", "no tools are known")
    errors = text_field("errors", "it is a list of records")
    call = pa.struct([pa.field("id", pa.string()), pa.field("name", pa.string()), arguments, errors])
    return pa.field("calls", pa.list_(pa.field("item", call)))


def _decoded(text: str) -> Any:
    """A schema whose numbers keep their digits."""
    return json.loads(text, parse_float=Decimal)


def text_field(name: str, why: str) -> pa.Field:
    return pa.field(name, pa.string(), metadata={JSON_TEXT: why.encode()})


def _field(name: str, schema: Any, root: Any, seen: tuple[str, ...] = ()) -> pa.Field:
    """A value of this schema as a field: of a type of its own, or as JSON text with the reason."""
    kind = _kind(schema, root, seen)
    return text_field(name, kind) if isinstance(kind, str) else pa.field(name, kind)


def _kind(schema: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    """The type of the values of a schema, or why there is none. Null fits every type and is passed over."""
    if not isinstance(schema, dict):
        return "there is no schema"
    kinds = schema.get("type")
    named = [kinds] if isinstance(kinds, str) else [kind for kind in kinds or () if kind != "null"]
    if len(named) == 1 and named[0] in _KINDS:
        return _KINDS[named[0]](schema, root, seen)
    if sorted(named) == ["integer", "number"]:
        return pa.float64()
    if named:
        return "it may be of several types"
    if "$ref" in schema:
        return _referred(schema["$ref"], root, seen)
    for keyword in ("anyOf", "oneOf", "allOf"):
        if keyword in schema:
            return _united(schema[keyword], root, seen, is_sum=keyword != "allOf")
    values = schema["enum"] if "enum" in schema else [schema["const"]] if "const" in schema else []
    return _common({_KIND_OF.get(type(value), type(None)) for value in values if value is not None})


#: The types of the values that a schema lists.
_KIND_OF = {str: pa.string(), bool: pa.bool_(), int: pa.int64(), Decimal: pa.float64()}


def _common(kinds: set[Any]) -> pa.DataType | str:
    if not kinds:
        return "its schema states no type"
    if kinds == {pa.int64(), pa.float64()}:
        return pa.float64()
    kind = kinds.pop()
    return "it may be of several types" if kinds or not isinstance(kind, pa.DataType) else kind


def _united(parts: Any, root: Any, seen: tuple[str, ...], *, is_sum: bool) -> pa.DataType | str:
    """The one type of several schemas. Of those that all hold, one that states no type says nothing."""
    if not isinstance(parts, list):
        return "its schema states no type"
    found = [_kind(part, root, seen) for part in parts if not _is_null(part)]
    if len(found) == 1:
        return found[0]
    stated = [kind for kind in found if is_sum or kind != "its schema states no type"]
    texts = [kind for kind in stated if isinstance(kind, str)]
    if texts:
        return texts[0] if not is_sum else "it may be of several types"
    if not is_sum and len(stated) > 1:
        return "its schema is one of several that all hold" if any(map(pa.types.is_nested, stated)) else _common(set(stated))
    return _common(set(stated))


def _is_null(schema: Any) -> bool:
    return isinstance(schema, dict) and (schema.get("type") in ("null", ["null"]) or schema.get("enum") == [None] or ("const" in schema and schema["const"] is None))


def _referred(reference: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    if not isinstance(reference, str) or not reference.startswith("#"):
        return "its schema is elsewhere"
    if reference in seen:
        return "it may contain itself"
    schema = root
    for name in unquote(reference[1:]).split("/")[1:]:
        name = name.replace("~1", "/").replace("~0", "~")
        if isinstance(schema, list) and name.isdecimal() and int(name) < len(schema):
            schema = schema[int(name)]
        elif isinstance(schema, dict) and name in schema:
            schema = schema[name]
        else:
            return "its schema is elsewhere"
    if reference != "#" and not reference.startswith("#/"):
        return "its schema is elsewhere"
    return _kind(schema, root, (*seen, reference))


def _string(schema: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    return pa.string()


def _boolean(schema: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    return pa.bool_()


def _bounds(schema: Any) -> list[Any]:
    names = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum")
    return [schema[name] for name in names if type(schema.get(name)) in (int, Decimal)]


def _integer(schema: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    """64 bits, unless the schema says that there are larger ones."""
    largest = max((abs(int(bound)) for bound in _bounds(schema)), default=0)
    if schema.get("format") == "uint64":
        largest = max(largest, 2**64 - 1)
    if largest < 2**63:
        return pa.int64()
    digits = len(str(largest))
    return pa.decimal128(digits, 0) if digits <= _DIGITS else f"its integers may have more than {_DIGITS} digits"


def _number(schema: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    """A double, or a decimal where the schema says how many digits follow the point."""
    step = schema.get("multipleOf")
    if type(step) not in (int, Decimal) or step <= 0:
        return pa.float64()
    if step == int(step):
        return _integer(schema, root, seen)
    scale = -int(Decimal(step).normalize().as_tuple().exponent)
    if scale >= _DIGITS:
        return f"its numbers may have more than {_DIGITS} digits"
    bounds = _bounds(schema)
    digits = scale + len(str(max((abs(int(bound)) for bound in bounds), default=0)))
    return pa.decimal128(digits if len(bounds) >= 2 and digits <= _DIGITS else _DIGITS, scale)


def _array(schema: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    items = schema.get("items")
    if "prefixItems" in schema or isinstance(items, list):
        return "its items have schemas of their own"
    return pa.list_(_field("item", items, root, seen))


def _object(schema: Any, root: Any, seen: tuple[str, ...]) -> pa.DataType | str:
    properties = schema.get("properties")
    others = schema.get("additionalProperties")
    if isinstance(properties, dict) and properties:
        return pa.struct([_field(name, part, root, seen) for name, part in properties.items()])
    if isinstance(others, dict) and "patternProperties" not in schema:
        return pa.map_(pa.string(), _field("value", others, root, seen))
    return "its schema names no properties"


_KINDS: dict[str, Callable[[Any, Any, tuple[str, ...]], pa.DataType | str]] = {
    "string": _string,
    "boolean": _boolean,
    "integer": _integer,
    "number": _number,
    "array": _array,
    "object": _object,
}


def shape_of(field: pa.Field) -> Any:
    """The type as the native half reads it."""
    kind = field.type
    if field.metadata and JSON_TEXT in field.metadata:
        return "json"
    for is_of, name in ((pa.types.is_string, "string"), (pa.types.is_int64, "integer"), (pa.types.is_float64, "double"), (pa.types.is_boolean, "boolean")):
        if is_of(kind):
            return name
    if pa.types.is_decimal128(kind) and kind.scale >= 0:
        return {"decimal": {"precision": kind.precision, "scale": kind.scale}}
    if pa.types.is_list(kind):
        return {"list": shape_of(kind.value_field)}
    if pa.types.is_map(kind) and pa.types.is_string(kind.key_type):
        return {"map": shape_of(kind.item_field)}
    if pa.types.is_struct(kind):
        return {"struct": [[part.name, shape_of(part)] for part in kind]}
    raise TypeError(f"no column of outputs is of the type {kind}: take string, int64, double, bool, decimal128, list, map or struct")


def children_of(kind: pa.DataType) -> list[pa.DataType]:
    """The types within a type."""
    if pa.types.is_struct(kind):
        return [part.type for part in kind]
    if pa.types.is_map(kind):
        return [pa.struct([pa.field("key", pa.string(), nullable=False), kind.item_field])]
    return [kind.value_type] if pa.types.is_list(kind) else []


def plain(kind: pa.DataType) -> pa.DataType:
    """The type of a result for engines that take no dictionaries."""
    fields = [part.with_type(part.type.value_type) if pa.types.is_dictionary(part.type) else part for part in kind]
    return pa.struct(fields)


def _quoted(name: str, mark: str) -> str:
    return mark + name.replace(mark, 2 * mark) + mark


def ddl(kind: pa.DataType) -> str:
    """The type in the words of Spark."""
    if pa.types.is_struct(kind):
        names = [part.name if re.fullmatch("[a-z][a-z0-9_]*", part.name) else _quoted(part.name, "`") for part in kind]
        return "struct<" + ",".join(f"{name}:{ddl(part.type)}" for name, part in zip(names, kind)) + ">"
    if pa.types.is_list(kind):
        return f"array<{ddl(kind.value_type)}>"
    if pa.types.is_map(kind):
        return f"map<string,{ddl(kind.item_type)}>"
    if pa.types.is_decimal(kind):
        return f"decimal({kind.precision},{kind.scale})"
    return {"int32": "int", "int64": "bigint", "bool": "boolean"}.get(str(kind), str(kind))


def duckdb_type(kind: pa.DataType) -> str:
    """The type in the words of DuckDB."""
    if pa.types.is_struct(kind):
        return "STRUCT(" + ", ".join(f"{_quoted(part.name, chr(34))} {duckdb_type(part.type)}" for part in kind) + ")"
    if pa.types.is_list(kind):
        return f"{duckdb_type(kind.value_type)}[]"
    if pa.types.is_map(kind):
        return f"MAP(VARCHAR, {duckdb_type(kind.item_type)})"
    if pa.types.is_decimal(kind):
        return f"DECIMAL({kind.precision}, {kind.scale})"
    return {"string": "VARCHAR", "int32": "INTEGER", "int64": "BIGINT", "bool": "BOOLEAN"}.get(str(kind), "DOUBLE")


def polars_type(kind: pa.DataType) -> polars.DataType:
    """The type in the words of Polars, whose older versions have lists of pairs for maps."""
    import polars

    if pa.types.is_struct(kind):
        return polars.Struct({part.name: polars_type(part.type) for part in kind})
    if pa.types.is_list(kind):
        return polars.List(polars_type(kind.value_type))
    if pa.types.is_map(kind):
        value = polars_type(kind.item_type)
        if hasattr(polars, "Map"):
            return polars.Map(polars.String(), value)
        return polars.List(polars.Struct({"key": polars.String(), "value": value}))
    if pa.types.is_decimal(kind):
        return polars.Decimal(kind.precision, kind.scale)
    names = {"string": polars.String, "int32": polars.Int32, "int64": polars.Int64, "bool": polars.Boolean, "double": polars.Float64}
    return names[str(kind)]() if str(kind) in names else polars.Categorical()


def texts_within(fields: Iterable[pa.Field], path: str) -> Iterable[tuple[str, str]]:
    """The fields that hold JSON texts, and why."""
    for field in fields:
        place, kind = f"{path}{field.name}", field.type
        if field.metadata and JSON_TEXT in field.metadata:
            yield place, field.metadata[JSON_TEXT].decode()
        elif pa.types.is_struct(kind):
            yield from texts_within(kind, f"{place}.")
        elif pa.types.is_list(kind):
            yield from texts_within([kind.value_field.with_name("[]")], place)
        elif pa.types.is_map(kind):
            yield from texts_within([kind.item_field.with_name("{}")], place)
