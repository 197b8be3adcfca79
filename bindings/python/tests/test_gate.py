"""Every face of the package that gives a bare value, text or model refuses half of an answer (SPEC B3)."""

import ast
import asyncio
import inspect
import io
import pathlib
import pickle

import pytest

import jsonseam
from jsonseam import Contract, Pipeline, RepairError
from jsonseam.compat import json_repair

HALF = '{"city": "Oslo", "rivers": ["Aker'
VALUE = {"city": "Oslo", "rivers": ["Aker"]}
WHOLE = '{"city": "Oslo"}'

#: Texts that are cut off and can be closed; what follows in each is no cut.
CUT = ['{"amount": 31', '{"n": 3, "city": "Os', "[1, 2", '[{"a": 1}', '["', "{", '{"a": {"b": []', "Sure: {'a': 'b'"]
NOT_CUT = ['{"amount": 31}', "{amount: 31,}", "Sure: [1, 2] there", "```json\n[1, 2\n]\n```", "{a: 'b'} and so on"]

#: The faces that give a bare value: through the gate, with `allow_truncated`. Each takes a text and these arguments.
BARE = {
    "loads": lambda text, **given: jsonseam.loads(text, **given),
    "load": lambda text, **given: jsonseam.load(io.StringIO(text), **given),
    "Pipeline.loads": lambda text, **given: Pipeline().loads(text, **given),
    "Pipeline.load": lambda text, **given: Pipeline().load(io.BytesIO(text.encode()), **given),
    "stream": lambda text, **given: list(jsonseam.stream(text, **given))[-1].repaired.value,
    "astream": lambda text, **given: asyncio.run(last_of(jsonseam.astream(one_by_one(text), **given))).repaired.value,
}


async def one_by_one(text):
    for character in text:
        yield character


async def last_of(events):
    return [event async for event in events][-1]


#: The faces that mark what they give, or are a contract, whose own setting is `allow_truncated`; and those that give no value.
MARKED = {
    "repair",
    "repair_many",
    "Pipeline.repair",
    "Pipeline.repair_many",
    "Repaired",
    "Repaired.text",
    "Repaired.value",
    "Repaired.revert",
    "Contract",
    "Contract.parse",
    # Those of a contract refuse what was cut off at their end, as `parse` does.
    "Contract.stream",
    "Contract.astream",
    "ContractEvent",
    "PieceEvent",
    "ElementEvent",
    "ElementEvent.value",
    "FieldEvent",
    "FieldEvent.value",
    "OutputsEvent",
    "Outputs",
    "Outputs.text",
    "Outputs.to_json",
    "Outputs.value",
    "Outputs.model",
    "Outputs.repair",
    # `finish` marks what is cut off; before that, a snapshot says what is open, and an event tells only what is whole.
    "Stream",
    "Stream.finish",
    "Stream.push",
    "Stream.rest",
    "Stream.settled",
    "Stream.snapshot",
    "Snapshot",
    "Snapshot.value",
    "DoneEvent",
    "DoneEvent.value",
    "TextEvent",
    "EndEvent",
    "Event",
}
NO_VALUE = {
    "__version__",
    "check",
    "explain",
    "Pipeline",
    "Pipeline.explain",
    "Pipeline.check",
    "Pipeline.rules",
    "Contract.keys",
    "Edit",
    "ConfigError",
    "ContractError",
    "RepairError",
    *(f"Repaired.{name}" for name in ("status", "risk", "is_truncated", "incomplete", "edits", "payload", "byte_payload", "report")),
    *(f"Outputs.{name}" for name in ("is_partial", "casts", "report", "keys", "values", "items", "get", "dropped")),
    "DroppedItem",
    "DroppedItem.errors",
    "CallsError",
    "HistoryError",
    # The shapes of what `calls` gives: a call that was cut off is refused, by `CallsError`.
    *(f"{name}{member}" for name in ("Call", "Calls") for member in ("", *(f".{part}" for part in dir(dict) if not part.startswith("_")))),
    "calls",
    "Extractor",
    "Extractor.calls",
    # A history is what was sent before, with its refusals beside it.
    "heal_history",
    "Healed",
    "Stream.state",
    "Stream.tail",
    "PayloadEvent",
    "BeginEvent",
    "SeamEvent",
    *(f"{name}Event.kind" for name in ("Payload", "Begin", "Text", "Done", "Seam", "End", "Started", "Piece", "Element", "Field", "Outputs")),
    "StartedEvent",
    *(f"Edit.{name}" for name in ("rule", "risk", "start", "end", "byte_start", "byte_end", "replacement", "path")),
}

#: The drop-in face: what gives a value goes through `Bound.repair_json`, whose gate test_compat.py tests.
DROP_IN = {"repair_json", "loads", "load", "from_file", "cli"}
DROP_IN_NO_VALUE = {"Bound", "Counts", "JSONReturnType", "bound", "configure", "counts", "install", "uninstall"}

#: The public names of each module of `integrations`, and by what they judge: tests_frameworks has a test with half an answer for each.
INTEGRATIONS = {
    "dspy": ({"JsonseamAdapter"}, {"_contract"}),
    "langchain": ({"JsonseamOutputParser", "heal_messages", "repair_tool_calls"}, {"_calls", "_contract", "_repair", "_shown", "_stream"}),
    "litellm": ({"JsonseamLogger"}, {"_gate"}),
    "pydantic": ({"Repaired", "RepairedModel", "repairing"}, {"_gate"}),
    "pydantic_ai": ({"Repair", "heal_messages"}, {"_calls", "_gate", "_shown"}),
}

#: The functions of `jsonseam.arrow` give columns with `truncated` beside the value, or the outputs of a contract, which refuses what was cut off.
ARROW = {
    "DUCKDB_TYPE",
    "Job",
    "LostError",
    "RayRepair",
    "Report",
    "SPARK_DDL",
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
}

ROOT = pathlib.Path(jsonseam.__file__).parent


def names_of(path):
    """The public names of a module, read and not imported, since its framework may not be there; and what it imports from ours."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    public = next(
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
    )
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level == 2}
    return set(public), imported


def members(name):
    thing = getattr(jsonseam, name)
    if not inspect.isclass(thing) or issubclass(thing, Exception):
        return set()
    return {f"{name}.{member}" for member in dir(thing) if not member.startswith("_")}


def test_every_public_face_is_known_to_give_a_value_through_the_gate_a_mark_or_no_value():
    faces = {face for name in jsonseam.__all__ for face in {name, *members(name)}}
    # The fields of a frozen class are no attributes of it.
    fields = {name for name in NO_VALUE if name.startswith("Edit.")}
    assert faces | fields == BARE.keys() | MARKED | NO_VALUE, "a new face: put it through the gate, and into a table"
    assert set(json_repair.__all__) == DROP_IN | DROP_IN_NO_VALUE
    methods = {name for name in vars(json_repair.Bound) if not name.startswith("_")}
    assert methods == (DROP_IN - {"cli"}) | {"configure", "counts"}
    modules = {path.stem: path for path in (ROOT / "integrations").glob("*.py") if path.stem != "__init__"}
    assert modules.keys() == INTEGRATIONS.keys()
    for name, (public, judges) in INTEGRATIONS.items():
        found, imported = names_of(modules[name])
        assert (found, judges - imported) == (public, set()), name
        assert ".repair(" not in modules[name].read_text(), f"{name} gives what a repair gives, past the gate"
    assert names_of(ROOT / "arrow" / "__init__.py")[0] == ARROW
    files = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py")}
    public = {path for path in files if not pathlib.PurePath(path).name.startswith("_")}
    assert public == {"compat/json_repair.py", *(f"integrations/{name}.py" for name in INTEGRATIONS)}


def test_every_drop_in_face_uses_the_same_gate(tmp_path):
    refused = ['{"a": "say "hi" now", "b": "x', '{"a": tru', '{"a": 1}{"a": 2}', "{...,}"]
    for text in refused:
        file = tmp_path / "text.json"
        file.write_text(text)
        for arguments in ({}, {"schema": True}, {"logging": True}, {"skip_json_loads": True}):
            answers = [
                json_repair.loads(text, **arguments),
                json_repair.repair_json(text, **arguments),
                json_repair.repair_json(text, return_objects=True, **arguments),
                json_repair.load(io.StringIO(text), **arguments),
                json_repair.repair_json(json_fd=io.StringIO(text), **arguments),
                json_repair.from_file(str(file), **arguments),
            ]
            assert answers == [("", [])] * 6 if arguments.get("logging") else answers == [""] * 6, text
        assert json_repair.cli([str(file), "-o", str(tmp_path / "out.json")]) == 1
        assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("name", BARE)
def test_b3_half_an_answer_is_refused_unless_it_is_allowed(name):
    ask = BARE[name]
    json_options = {} if name in ("stream", "astream") else {"parse_float": float}
    for text in [HALF, *CUT]:
        with pytest.raises(RepairError, match="allow_truncated=True") as caught:
            ask(text)
        error = caught.value
        assert (error.reason, error.is_truncated, error.is_retryable, error.doc) == ("truncated", True, False, "")
        assert (error.pos, error.byte_pos) == (len(text), len(text.encode())), text
        assert error.__context__ is None
        assert ask(text, allow_truncated=True) == jsonseam.repair(text).value
        with pytest.raises(RepairError):
            ask(text, **json_options)
        assert ask(text, allow_truncated=True, **json_options) == jsonseam.repair(text).value
    assert ask(HALF, allow_truncated=True) == VALUE
    for text in NOT_CUT:
        assert ask(text) == ask(text, allow_truncated=True) == jsonseam.repair(text).value


@pytest.mark.parametrize("name", BARE)
def test_b3_the_finish_reason_counts_for_valid_json_too(name):
    ask = BARE[name]
    for reason in ("length", "max_tokens", "MAX_TOKENS", "content_filter"):
        for text in (WHOLE, "{city: 'Oslo',}", "[1]"):
            with pytest.raises(RepairError) as caught:
                ask(text, finish_reason=reason)
            assert caught.value.reason == "truncated"
            assert ask(text, finish_reason=reason, allow_truncated=True) == ask(text)
    for reason in (None, "stop", "tool_calls", "end_turn"):
        assert ask(WHOLE, finish_reason=reason) == {"city": "Oslo"}
    with pytest.raises(RepairError) as caught:
        ask(HALF, finish_reason="stop")
    assert "length" not in str(caught.value)


def test_the_place_is_the_end_of_the_payload():
    for text in ("Voilà 🙂:\n{'é': 'ü', \"b\": [1", "Voilà 🙂:\n{'é': 'ü', \"b\": [1".encode()):
        with pytest.raises(RepairError) as caught:
            jsonseam.loads(text)
        error = caught.value
        assert (error.pos, error.byte_pos, error.lineno, error.colno) == (27, 33, 2, 19)
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_mark_is_no_refusal():
    assert jsonseam.repair(HALF).is_truncated
    marked, = jsonseam.repair_many([HALF])
    assert (marked.is_truncated, marked.value) == (True, VALUE)
    assert pickle.loads(pickle.dumps(marked)) == marked
    with pytest.raises(jsonseam.ContractError):
        Contract(["city"]).parse(HALF)
