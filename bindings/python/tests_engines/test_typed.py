"""Typed columns: the outputs of a contract in types of their own, equal to decoding their JSON text, however the rows are split."""

import json
import os
import pickle
import subprocess
import sys
import tempfile
from decimal import Decimal
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rows import all_typed_expected, contract, typed_key, typed_texts

import jsonseam
from jsonseam import Contract
from jsonseam.arrow import Job, calls_array, json_texts, repair_array, schema_of


def outputs_of(text, contract, **options):
    row = repair_array(pa.array([text]), contract=contract, **options).to_pylist()[0]
    return row["outputs"], row["reason"]


def test_typed_rows_are_the_decoded_outputs():
    result = repair_array(pa.array(typed_texts()), contract=contract())
    result.validate(full=True)
    assert sorted(map(typed_key, result.to_pylist(maps_as_pydicts="strict"))) == all_typed_expected()


def test_the_schema_is_known_before_the_job_runs():
    schema = schema_of(contract())
    assert {part.name: part.type for part in schema.field("outputs").type} == {
        "is_open": pa.bool_(),
        "items": pa.list_(pa.struct([("sku", pa.string()), ("quantity", pa.int64())])),
        "scores": pa.map_(pa.string(), pa.float64()),
        "note": pa.string(),
        "city": pa.string(),
        "count": pa.int64(),
        "share": pa.float64(),
        "price": pa.decimal128(7, 2),
    }
    assert schema.field("status").type == pa.dictionary(pa.int8(), pa.string())
    assert repair_array(pa.array(typed_texts()), contract=contract()).type == pa.struct(list(schema))
    assert json_texts(schema) == {"outputs.note": "there is no schema"}


KINDS = [
    ({"type": "string"}, pa.string()),
    ({"type": "integer"}, pa.int64()),
    ({"type": "integer", "maximum": 2**63}, pa.decimal128(19, 0)),
    ({"type": "integer", "minimum": -(10**37), "maximum": 5}, pa.decimal128(38, 0)),
    ({"type": "integer", "maximum": 10**39}, "its integers may have more than 38 digits"),
    ({"type": "integer", "format": "uint64", "minimum": 0}, pa.decimal128(20, 0)),
    ({"type": "number"}, pa.float64()),
    ({"type": "number", "multipleOf": 0.001}, pa.decimal128(38, 3)),
    ({"type": "number", "multipleOf": 0.5, "minimum": 0, "maximum": 100}, pa.decimal128(4, 1)),
    ({"type": "number", "multipleOf": 1}, pa.int64()),
    ({"type": "boolean"}, pa.bool_()),
    ({"type": ["string", "null"]}, pa.string()),
    ({"type": ["integer", "number"]}, pa.float64()),
    ({"type": ["string", "integer"]}, "it may be of several types"),
    ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, pa.int64()),
    ({"anyOf": [{"type": "integer"}, {"type": "number"}]}, pa.float64()),
    ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, "it may be of several types"),
    ({"allOf": [{"type": "integer"}, {"minimum": 3}]}, pa.int64()),
    ({"enum": ["a", "b", None]}, pa.string()),
    ({"enum": [1, 2.5]}, pa.float64()),
    ({"enum": ["a", 1]}, "it may be of several types"),
    ({"const": True}, pa.bool_()),
    ({"type": "array", "items": {"type": "integer"}}, pa.list_(pa.int64())),
    ({"type": "array", "prefixItems": [{"type": "integer"}]}, "its items have schemas of their own"),
    ({"type": "object", "additionalProperties": {"type": "boolean"}}, pa.map_(pa.string(), pa.bool_())),
    ({"type": "object"}, "its schema names no properties"),
    ({"properties": {"a": {"type": "string"}}}, "its schema states no type"),
    ({"$ref": "#/$defs/n", "$defs": {"n": {"type": "integer"}}}, pa.int64()),
    ({"type": "object", "properties": {"next": {"$ref": "#"}}}, "it may contain itself"),
    ({}, "its schema states no type"),
    (True, "there is no schema"),
]


@pytest.mark.parametrize(("schema", "kind"), KINDS, ids=lambda value: json.dumps(value) if isinstance(value, dict) else None)
def test_a_schema_gives_the_type_of_its_values_or_a_reason(schema, kind):
    field = schema_of(Contract(schemas={"x": schema})).field("outputs").type.field("x")
    texts = json_texts(pa.struct([field]))
    if isinstance(kind, str):
        assert list(texts.values()) == [kind]
    else:
        assert (field.type, texts) == (kind, {})


def test_names_come_in_declared_order_at_every_depth():
    contract = Contract(["b", "a"], whole={"type": "object", "properties": {"a": {"type": "object", "properties": {"z": {"type": "integer"}, "y": {}}}}})
    kind = schema_of(contract).field("outputs").type
    assert ([part.name for part in kind], [part.name for part in kind.field("a").type]) == (["b", "a"], ["z", "y"])


def test_a_schema_of_the_whole_gives_its_properties_or_its_value():
    pydantic_like = {"$defs": {"Item": {"type": "object", "properties": {"n": {"type": "integer"}}}}, "type": "object", "properties": {"items": {"type": "array", "items": {"$ref": "#/$defs/Item"}}}}
    assert outputs_of("{items: [{n: 1}, {n: null}]}", Contract(whole={**pydantic_like, "$defs": {"Item": {"type": "object", "properties": {"n": {"type": ["integer", "null"]}}}}}))[0] == {"items": [{"n": 1}, {"n": None}]}
    whole = Contract(whole={"type": "array", "items": {"type": "integer"}})
    assert schema_of(whole).field("outputs").type == pa.list_(pa.int64())
    assert outputs_of("Sure: [1, 2,]", whole) == ([1, 2], None)
    assert outputs_of("{a: [1,], b: 'x'}", Contract()) == ('{"a":[1],"b":"x"}', None)


def test_members_that_no_column_holds_are_counted():
    whole = Contract(whole={"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {"type": "integer"}}}}})
    row = repair_array(pa.array(['{"a": {"b": 1, "c": {"d": [2]}}, "e": 3}']), contract=whole).to_pylist()[0]
    assert (row["outputs"], row["left_out"]) == ({"a": {"b": 1}}, 2)


def test_digits_are_never_lost_in_silence():
    number = Contract(schemas={"x": {"type": "number"}})
    assert outputs_of('{"x": 9007199254740993}', number) == (None, "not_representable")
    assert outputs_of('{"x": 9007199254740992}', number) == ({"x": 2.0**53}, None)
    decimal = {"x": pa.decimal128(18, 16)}
    assert outputs_of('{"x": 0.1234567890123456}', number, types=decimal)[0] == {"x": Decimal("0.1234567890123456")}
    assert outputs_of('{"x": 0.12345678901234567}', number, types=decimal) == (None, "not_representable")
    assert outputs_of('{"x": 0.12345678901234567890123}', number, types={"x": pa.string()})[0] == {"x": "0.12345678901234567890123"}
    integer = Contract(schemas={"x": {"type": "integer"}})
    for text, value in [("9223372036854775807", 2**63 - 1), ("-9223372036854775808", -(2**63)), ("1e2", 100), ("-0", 0), ("10.0", 10)]:
        assert outputs_of(f'{{"x": {text}}}', integer) == ({"x": value}, None)
    for text in ("9223372036854775808", "-9223372036854775809", "1e19"):
        assert outputs_of(f'{{"x": {text}}}', integer) == (None, "not_representable")
    assert outputs_of('{"x": "\\ud800"}', Contract(schemas={"x": {"type": "string"}})) == (None, "not_representable")


def test_types_that_cannot_be_are_refused_before_the_job_runs():
    number = Contract(schemas={"x": {"type": "number"}})
    for types in ({"y": pa.int64()}, {"x": pa.date32()}, {"x": "int64"}):
        with pytest.raises(TypeError):
            Job(contract=number, types=types)
    for options in ({"types": {"x": pa.int64()}}, {"typed": False}, {"contract": number, "tools": []}, {"contract": number, "preset": "strict"}):
        with pytest.raises(TypeError):
            Job(**options)


def test_a_row_that_is_not_held_is_taken_back_whole():
    whole = Contract(schemas={"a": {"type": "array", "items": {"type": "object", "properties": {"b": {"type": "string"}, "n": {"type": "integer"}}}}})
    rows = ['{"a": [{"b": "x", "n": 1}]}', '{"a": [{"b": "yy", "n": 2}, {"b": "z", "n": 1e30}]}', '{"a": [{"n": 3}]}']
    result = repair_array(pa.array(rows), contract=whole)
    result.validate(full=True)
    assert [row["outputs"] for row in result.to_pylist()] == [{"a": [{"b": "x", "n": 1}]}, None, {"a": [{"b": None, "n": 3}]}]


# What a schema allows, with values of it: the values go through the command and through columns.
LEAVES = [
    ({"type": "string"}, st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=12)),
    ({"type": "integer"}, st.integers(-(2**63), 2**63 - 1)),
    ({"type": "number"}, st.floats(allow_nan=False, allow_infinity=False)),
    ({"type": "boolean"}, st.booleans()),
    ({"type": ["string", "null"]}, st.none() | st.text(alphabet="ab\"\\{[,:", max_size=4)),
]


def nested(inner):
    objects = st.lists(inner, min_size=1, max_size=3).map(
        lambda parts: (
            {"type": "object", "properties": {f"k{at}": schema for at, (schema, _) in enumerate(parts)}},
            st.fixed_dictionaries({}, optional={f"k{at}": values for at, (_, values) in enumerate(parts)}),
        )
    )
    lists = inner.map(lambda part: ({"type": "array", "items": part[0]}, st.lists(part[1], max_size=3)))
    maps = inner.map(lambda part: ({"type": "object", "additionalProperties": part[0]}, st.dictionaries(st.text(alphabet="abé\"", max_size=3), part[1], max_size=3)))
    return objects | lists | maps


SCHEMAS = st.recursive(st.sampled_from(LEAVES), nested, max_leaves=6)


def filled(value, schema):
    """A decoded value as a column shows it: with a null for every property that is absent."""
    if isinstance(value, dict) and "properties" in schema:
        return {name: filled(value.get(name), part) for name, part in schema["properties"].items()}
    if isinstance(value, dict):
        return {name: filled(part, schema["additionalProperties"]) for name, part in value.items()}
    return [filled(part, schema["items"]) for part in value] if isinstance(value, list) else value


def broken(text, how):
    """A text with defects that lose nothing."""
    return ["Sure!\n```json\n" + text + "\n```", text[:-1] + ",}", text, None, "prose", text[:-1]][how]


@settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_typed_values_equal_the_decoded_outputs_of_the_command_for_any_partitioning(data):
    """Any schema, any values, any split: what columns hold is what `jsonseam batch` says, decoded (SPEC V1)."""
    schema, values = data.draw(SCHEMAS)
    rows = data.draw(st.lists(st.tuples(values, st.integers(0, 5)), min_size=1, max_size=12))
    texts = [broken(json.dumps({"x": value, "y": 1}), how) for value, how in rows]
    contract = Contract(["x", "y"], schemas={"x": schema})
    records = iter(batch([text for text in texts if text is not None], {"x": schema}))
    size, threads = data.draw(st.integers(1, 12)), data.draw(st.sampled_from([1, 2]))
    column = pa.array(texts, pa.string())
    parts = [repair_array(column.slice(at, size), contract=contract, threads=threads) for at in range(0, len(texts), size)]
    found = [row for part in parts for row in part.to_pylist(maps_as_pydicts="strict")]
    assert repair_array(column, contract=contract).to_pylist(maps_as_pydicts="strict") == found
    for text, row in zip(texts, found):
        if text is None:
            assert row is None
            continue
        record = next(records)
        error = record["error"]
        assert (row["status"], row["reason"], row["edits"]) == (record["status"], error and error["reason"], len(record["edits"]))
        if error is None:
            assert row["outputs"] == {"x": filled(record["outputs"]["x"], schema), "y": json.dumps(record["outputs"]["y"])}
        else:
            assert row["outputs"] is None


def batch(texts, schemas):
    """The records that the command writes. The binary named by JSONSEAM_COMMAND is the one of this workspace."""
    config = "[outputs]\ny = {}\n" + "".join(f"[outputs.{name}]\nschema = '''{json.dumps(schema)}'''\n" for name, schema in schemas.items())
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "contract.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(config)
        lines = "".join(json.dumps({"completion": text}) + "\n" for text in texts)
        command = [os.environ["JSONSEAM_COMMAND"], "batch", "--quiet", "--preset", "standard", "--contract", path, "-"]
        output = subprocess.run(command, input=lines, capture_output=True, text=True)
    assert len(output.stdout.splitlines()) == len(texts), output.stderr
    return [json.loads(line)["jsonseam"] for line in output.stdout.splitlines()]


TOOLS = [
    {"type": "function", "function": {"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}}},
    {"type": "function", "function": {"name": "now"}},
]
CALLS = [
    "On it. <tool_call>{'name': 'weather', 'arguments': {city: 'Oslo', days: '3'}}</tool_call>",
    '<tool_call>{"name": "weather", "arguments": {"city": "Bern"}}</tool_call><tool_call>{"name": "now", "arguments": {}}</tool_call>',
    None,
    "Nothing to do.",
    '<tool_call>{"name": "weather", "arguments": {"days": 1}}</tool_call>',
    '<tool_call>{"name": "other", "arguments": {}}</tool_call>',
    '<tool_call>{"name": "weather", "arguments": {"city": "Os',
]


@pytest.mark.parametrize("size", [1, 3, 100])
def test_calls_are_those_of_the_extractor(size):
    extractor = jsonseam.Extractor(TOOLS)
    column = pa.array(CALLS * 5)
    parts = [calls_array(column.slice(at, size), TOOLS, report=True) for at in range(0, len(column), size)]
    for part in parts:
        part.validate(full=True)
    for text, row in zip(CALLS * 5, [row for part in parts for row in part.to_pylist()]):
        if text is None:
            assert row is None
            continue
        try:
            found = extractor.calls(text)
        except jsonseam.CallsError as error:
            assert (row["calls"], row["status"], row["reason"]) == (None, "refused", error.reason)
            continue
        assert (row["edits"], row["risk"], json.loads(row["report"])) == (len(found["edits"]), found["risk"], found)
        for call, ours in zip(found["calls"], row["calls"], strict=True):
            assert (ours["id"], ours["name"], json.loads(ours["errors"] or "[]")) == (call["id"], call["name"], call["errors"])
            if call["errors"]:
                assert ours["arguments"] is None
            elif call["name"] == "now":
                assert ours["arguments"] == {"now": "{}", "weather": None}
            else:
                assert ours["arguments"] == {"now": None, "weather": {"city": None, "days": None, **call["arguments"]}}


def test_calls_without_tools_keep_their_arguments_as_text():
    row = calls_array(pa.array(CALLS[:1])).to_pylist()[0]
    assert json.loads(row["calls"][0]["arguments"]) == {"city": "Oslo", "days": "3"}
    assert json_texts(schema_of(calls=True)) == {"calls[].arguments": "no tools are known", "calls[].errors": "it is a list of records"}


@pytest.mark.parametrize("slice_size", [1, 300, 5000])
@pytest.mark.parametrize("kind", [pa.string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())])
@pytest.mark.parametrize("asked", [{}, {"contract": contract()}, {"contract": contract(), "typed": False}, {"tools": TOOLS}], ids=str)
def test_a_column_that_is_put_together_from_parts_is_that_of_one_part(monkeypatch, slice_size, kind, asked):
    job = Job(report=True, **asked)
    column = pa.array([*typed_texts()[:27], *CALLS, None])
    whole = job.run(column)
    monkeypatch.setattr("jsonseam.arrow._columns.SLICE", slice_size)
    monkeypatch.setattr("jsonseam.arrow._columns.VIEWS", 7)
    for given in (column, column.slice(5), pa.chunked_array([column.slice(0, 3), column.slice(3)])):
        given = given.dictionary_encode() if pa.types.is_dictionary(kind) else given.cast(kind)
        for is_plain in (False, True):
            found = job.run(given, is_plain=is_plain)
            found.validate(full=True)
            assert found.type == (job.plain if is_plain else job.kind)
            assert found.to_pylist() == whole.to_pylist()[-len(given) :]


def test_outputs_that_are_texts_are_those_of_the_library_and_have_no_text_of_the_row_beside_them():
    wanted = contract()
    schema = schema_of(wanted, typed=False)
    assert ("value" in schema.names, json_texts(schema)) == (False, {"outputs": "it was asked for"})
    for text, row in zip(typed_texts()[:9], repair_array(pa.array(typed_texts()[:9]), contract=wanted, typed=False).to_pylist()):
        try:
            assert (row and row["outputs"]) == (text and wanted.parse(text).to_json())
        except jsonseam.ContractError as error:
            assert (row["outputs"], row["reason"]) == (None, error.reason)


def test_typed_jobs_travel():
    for job in (Job(contract=contract(), types={"share": pa.decimal128(10, 4)}), Job(tools=TOOLS)):
        again = pickle.loads(pickle.dumps(job))
        column = pa.array([*typed_texts()[:9], *CALLS])
        assert (again.kind, again.run(column).to_pylist()) == (job.kind, job.run(column).to_pylist())


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="NOT RUN: the peak of memory is read from /proc")
@pytest.mark.parametrize("what", ["texts, without a contract", "the same of views", "texts, with a contract", "typed columns"])
def test_a_run_needs_at_most_twice_the_memory_of_its_column(tmp_path, what):
    tools = Path(__file__).parents[1] / "tools"
    script = f"import sys; sys.path.insert(0, {str(tools)!r}); import typed; print(typed.extra_memory({what!r}, {str(tmp_path / 'orders.arrow')!r}, 200_000, 0.05))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert float(ran.stdout) <= 2, ran.stdout
