"""`jsonseam.compat.json_repair`: the signatures, shapes and flags of json_repair; the answers of jsonseam."""

import inspect
import io
import json
import pickle
import subprocess
import sys

import json_repair as theirs
import pytest
from json_repair import json_repair as their_module

from jsonseam import ConfigError, ContractError, RepairError
from jsonseam.compat import json_repair as ours
from jsonseam.compat.json_repair import Counts

BROKEN = "{name: 'Ada', \"tags\": [1, 2,],}"
HOPELESS = "I cannot answer that"
#: Refused here, and answered there.
TWICE = '{"a": 1}{"a": 2}'


@pytest.fixture(autouse=True)
def _defaults():
    ours.configure()
    yield
    ours.configure()


@pytest.mark.parametrize("name", ["repair_json", "loads", "load", "from_file", "cli"])
def test_signatures_are_those_of_json_repair(name):
    def shape(function):
        parameters = inspect.signature(function).parameters.values()
        return [(parameter.name, parameter.kind, parameter.default) for parameter in parameters]

    assert shape(getattr(ours, name)) == shape(getattr(their_module, name))
    assert name == "cli" or name in theirs.__all__


def test_every_public_name_is_there():
    for name in theirs.__all__:
        assert hasattr(ours, name)
    assert ours.JSONReturnType == theirs.JSONReturnType


def test_shapes_are_those_of_json_repair():
    for module in (ours, theirs):
        assert module.repair_json(BROKEN) == '{"name": "Ada", "tags": [1, 2]}'
        assert module.repair_json(BROKEN, indent=1, ensure_ascii=False) == json.dumps(json.loads(module.repair_json(BROKEN)), indent=1)
        assert module.repair_json(BROKEN, return_objects=True) == module.loads(BROKEN) == {"name": "Ada", "tags": [1, 2]}
        assert module.repair_json('""') == '""'
        assert module.repair_json("") == ""
        assert module.loads('{"a": 1}', logging=True) == ({"a": 1}, [])
        value, log = module.repair_json(BROKEN, logging=True)
        assert value == {"name": "Ada", "tags": [1, 2]}
        assert log and all(set(entry) == {"text", "context"} for entry in log)
        assert module.load(io.StringIO(BROKEN)) == {"name": "Ada", "tags": [1, 2]}


def test_a_file_is_read_by_its_name(tmp_path):
    file = tmp_path / "broken.json"
    file.write_text(BROKEN)
    assert ours.from_file(str(file)) == ours.from_file(file) == theirs.from_file(str(file))
    with pytest.raises(FileNotFoundError):
        ours.from_file(tmp_path / "missing.json")


def test_what_the_standard_library_reads_is_left_to_it():
    assert str(ours.loads("[NaN]")) == str(theirs.loads("[NaN]")) == "[nan]"
    assert ours.loads('{"a": 1, "a": 2}') == {"a": 2}


def test_a_log_says_which_rule_and_shows_a_little_of_the_text():
    _, log = ours.loads("{'a': 1}", logging=True)
    assert log[0]["text"] == "single-quoted-string (certain)"
    assert len(log[0]["context"]) <= 20


def test_a_refusal_is_empty_or_an_exception():
    assert ours.repair_json(HOPELESS) == ours.loads(HOPELESS) == ""
    assert ours.loads(HOPELESS, logging=True) == ("", [])
    ours.configure(on_refusal="raise")
    with pytest.raises(RepairError):
        ours.loads(HOPELESS)
    with pytest.raises(ConfigError):
        ours.configure(on_refusal="none")
    with pytest.raises(ConfigError):
        ours.configure(preset="lenientt")


def test_a_missing_value_is_the_empty_string_as_in_json_repair():
    for text in ('{"a": , "b": 1}', '{"a": [{"b/c": }], "b": null, d: 1}', '{"a": }'):
        assert ours.loads(text) == theirs.loads(text), text
    assert ours.repair_json('{"a": }') == '{"a": ""}'


def reason_of(text, functions=None, **arguments):
    """Why the face refuses a text; nothing if it does not."""
    try:
        (functions or ours.bound(on_refusal="raise")).loads(text, **arguments)
    except (RepairError, ContractError) as error:
        return error.reason
    return ""


#: Whatever is asked, the gate is one: a call with a schema that everything fits, and one with a schema for the members.
ANY = True
MEMBERS = {"properties": {"a": {"type": ["string", "integer", "array", "object"]}, "b": {"type": ["string", "integer"]}}}
CALLS = [{}, {"schema": ANY}, {"schema": MEMBERS}, {"skip_json_loads": True}]


@pytest.mark.parametrize("arguments", CALLS)
def test_b3_a_text_that_is_cut_off_is_closed_and_refused_where_that_is_a_guess_or_loses_something(arguments):
    for text in ('{"a": [1, {"b": "x', '{"a": 1, "b": "', '{"a": 31', '{"a": {"b": 1}, "b": 2'):
        assert ours.loads(text, **arguments)["a"], text
        assert reason_of(text, ours.bound(on_refusal="raise", allow_truncated=False), **arguments) == "truncated", text
    guesses = ['{"a": "say "hi" now", "b": "x']
    losses = ['{"a": 1, "b', '{"a": 1, "b":', '{"a": 1, "b": tru', '{"a": 1, "b": 2.', '{"a": [1, fals', '{"a": {"b": tru']
    empty = ['{"a": tru', "{invalid_json", '{"a": ', "[n", "{", "[", "{a", '{ "']
    for text in guesses + losses + empty:
        assert ours.loads(text, **arguments) == "", text
        assert reason_of(text, **arguments) == "truncated", text
        if text not in empty:
            for value in (ours.loads(text, stream_stable=True, **arguments), ours.bound(allow_truncated=True).loads(text, **arguments)):
                assert "a" in value, text
    assert reason_of('{"key:value}', ours.bound(on_refusal="raise", allow_truncated=True), **arguments) == "ambiguous_repair", "cut, or a quote lost"
    for text in ("{", '{"a": tru'):
        assert ours.loads(text, stream_stable=True) == ours.bound(allow_truncated=True).loads(text) == {}, "so far"


@pytest.mark.parametrize("arguments", CALLS)
def test_an_answer_that_became_empty_is_refused(arguments):
    assert ours.loads("{...,}", **arguments) == ""
    assert reason_of("{...,}", **arguments) == "empty_answer"
    assert ours.bound(allow_empty=True).loads("{...,}", **arguments) == {}
    # What was empty did not become so.
    for text in ("{}", "[ ]", "Sure: {}", "{ // nothing\n}", "[/* nothing */]", "{]", "[}", "```json\n{}\n```"):
        assert ours.loads(text, **arguments) in ({}, []), text
    assert ours.loads("[1, 2, ...]", **arguments) == [1, 2]


@pytest.mark.parametrize("arguments", CALLS)
def test_b4_a_further_payload_is_refused_and_named(arguments):
    several = [
        '{"a": 1}\n{"a": 2}',
        '{"a": 1}{b: 2}',
        '{"b": 1} then {"b": 2}',
        "{'a': 1,}\n{'a': 2}",
        '{"a": 1}\n[1, 2, 3]',
        'One:\n```json\n{"a": 1}\n```\nand:\n```json\n[1, 2]\n```',
        '```json\n{"a": 1}\n```\nor\n```json\n{"a": "x"}\n```',
        '{"a": 1}\n\n{"a": true}',
    ]
    for text in several:
        assert ours.loads(text, **arguments) == "", text
        with pytest.raises(RepairError, match="candidates") as caught:
            ours.bound(on_refusal="raise").loads(text, **arguments)
        error = caught.value
        assert (error.reason, error.is_retryable) == ("ambiguous_payload", True), text
        spans = error.details["candidates"]
        assert spans == sorted(spans, key=lambda span: span["start"]) and all(span["end"] > span["start"] for span in spans)
        assert ours.bound(candidates="first").loads(text, **arguments) != "", text
    last = ours.bound(candidates="last")
    assert last.loads('{"b": 1} then {"b": 2}', **arguments) == {"b": 2}
    assert ours.bound(candidates="only").loads('{"b": 1} then {"b": 2}', **arguments) == ""
    near = {
        "As in [1]: {a: 1} (see [2])": {"a": 1},
        "{a: 1} and no more": {"a": 1},
        '{"a": 1} or, again, {"a": 1}': {"a": 1},
        '```json\n{"a": 1, "b": 2}\n```\nthat is {b: 2, a: 1}': {"a": 1, "b": 2},
    }
    for text, value in near.items():
        assert ours.loads(text, **arguments) == value, text


def test_a_schema_changes_neither_the_gate_nor_the_spelling():
    schema = {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer"}}}
    for text in ('{"a":"x\n","b":1,}', '{"a": }', '{"a": , "b": 1}', '{"a": "x "}', '{"a": "y\n\n",}'):
        assert ours.loads(text, schema=schema) == ours.loads(text) != "", text
    assert ours.loads('{"a":"x\n","b":1,}', schema=schema, stream_stable=True) == {"a": "x\n", "b": 1}
    assert ours.bound(strips=False).loads('{"a":"x\n","b":1,}', schema=schema) == {"a": "x\n", "b": 1}
    with pytest.raises(ContractError):
        ours.loads('{"a": "x\n",}', schema={"properties": {"a": {"minLength": 2}}})
    assert ours.loads('{"a": "x\n",}', schema={"properties": {"a": {"enum": ["x"]}}}) == {"a": "x"}
    assert ours.loads("{'a': 'x',}", schema=schema, logging=True)[1]


def test_white_space_at_the_end_of_a_string_is_stripped_as_json_repair_does_unless_it_is_to_stay():
    text = '{"a": "x \n", "b": ["y\n\n"], "c": "z ",}'
    assert ours.loads(text) == theirs.loads(text) == {"a": "x", "b": ["y"], "c": "z "}
    keeping = ours.bound(strips=False)
    assert keeping.loads(text) == {"a": "x \n", "b": ["y\n\n"], "c": "z "}
    assert ours.loads(text, stream_stable=True) == keeping.loads(text)
    assert ours.loads('{"a": "x\\n"}') == {"a": "x\n"}, "what is valid is left alone"
    assert pickle.loads(pickle.dumps(keeping.loads))(text) == keeping.loads(text)


def test_strict_raises_a_value_error():
    with pytest.raises(ValueError) as caught:
        ours.loads("{a: 1}", strict=True)
    assert isinstance(caught.value, RepairError)
    assert ours.loads("[1,]", strict=True) == [1]


def test_the_fallback_is_asked_only_where_jsonseam_refuses_and_is_counted():
    asked = []

    def fallback(text):
        asked.append(text)
        return {"from": "the fallback"}

    ours.configure(fallback=fallback)
    assert ours.loads("[1]") == [1]
    assert ours.loads(BROKEN)["name"] == "Ada"
    assert ours.loads(HOPELESS) == {"from": "the fallback"}
    assert asked == [HOPELESS]
    assert ours.counts() == Counts(valid=1, repaired=1, refused=0, fell_back=1)
    ours.configure()
    assert ours.counts() == Counts()


def test_the_fallback_may_be_json_repair_itself():
    ours.configure(preset="strict", fallback="json_repair")
    assert ours.loads("{a: 1}") == {"a": 1}
    assert ours.loads(HOPELESS) == theirs.loads(HOPELESS) == ""
    assert ours.counts() == Counts(refused=1, fell_back=1)
    with pytest.raises(ConfigError):
        ours.configure(fallback="another")


def test_the_fallback_is_asked_once_and_its_answer_fits_the_schema():
    ours.configure(fallback=lambda text: ours.loads(text))
    assert ours.loads(HOPELESS) == "", "a fallback that comes back here is not asked again"
    ours.configure(fallback=lambda text: {"n": "7"})
    assert ours.loads(HOPELESS, schema=SCHEMA) == {"n": 7, "unit": "kg"}
    with pytest.raises(ContractError):
        ours.bound(fallback=lambda text: {"n": "many"}).loads(HOPELESS, schema=SCHEMA)
    ours.configure(fallback="json_repair")
    assert ours.loads(TWICE) == theirs.loads(TWICE)


def test_a_value_that_the_interpreter_cannot_hold_is_refused():
    text = "{a: " + "9" * 5000 + "}"
    if hasattr(sys, "set_int_max_str_digits"):
        assert ours.loads(text) == ""
        assert reason_of(text) == "not_representable"


def in_a_process(*lines):
    """What a program of these lines prints; each line is printed as a value or runs."""
    result = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.split("\n")[:-1]


#: Takes the folder with json_repair out of the path; jsonseam may be in it, so it is imported before.
WITHOUT_THEIRS = (
    "import os, sys, jsonseam.compat.json_repair",
    "sys.path[:] = [folder for folder in sys.path if not os.path.isdir(os.path.join(folder, 'json_repair'))]",
)


def test_an_alias_of_the_face_is_not_its_own_fallback():
    for name in ("json_repair", "json_repair.json_repair"):
        lines = [
            "import sys",
            "from jsonseam.compat import json_repair as face",
            f"sys.modules[{name!r}] = face",
            "face.configure(fallback='json_repair')",
            f"print(repr(face.loads('no json')), face.loads({TWICE!r}), face.counts().fell_back)",
        ]
        assert in_a_process(*lines) == [f"'' {theirs.loads(TWICE)} 1"]


def test_install_puts_a_package_in_place_and_keeps_the_real_one_as_fallback():
    lines = [
        "import importlib, importlib.util, sys",
        "from jsonseam.compat import json_repair as face",
        "face.install(); face.install()",
        "import json_repair, json_repair.json_repair, json_repair.json_parser",
        "from json_repair import loads, repair_json, JSONReturnType",
        "from json_repair.json_repair import repair_json as same, cli",
        "from json_repair.utils.constants import JSONReturnType",
        "print(loads == face.loads, repair_json == same == face.repair_json, cli == face.cli)",
        "print(json_repair.__name__, json_repair.__package__, json_repair.__spec__.name, bool(json_repair.__path__))",
        "print(importlib.util.find_spec('json_repair').name, importlib.reload(json_repair).loads == face.loads)",
        "print(json_repair.json_parser.JSONParser.__name__, json_repair.schema_repair.__name__, hasattr(json_repair, 'nothing'))",
        "del sys.modules['json_repair']; import json_repair",
        "print(json_repair.loads == face.loads)",
        f"print(json_repair.loads('{{a: 1}}'), json_repair.loads({TWICE!r}), face.counts())",
        "face.uninstall()",
        "import json_repair; print(json_repair.loads.__module__)",
    ]
    answers = in_a_process(*lines)
    assert answers[:3] == ["True True True", "json_repair json_repair json_repair True", "json_repair True"]
    assert answers[3:5] == ["JSONParser json_repair.schema_repair False", "True"]
    assert answers[5] == f"{{'a': 1}} {theirs.loads(TWICE)} Counts(valid=0, repaired=1, refused=0, fell_back=1)"
    assert answers[6] == "json_repair.json_repair"


def test_install_replaces_what_was_imported_and_uninstall_puts_it_back():
    lines = [
        "import json_repair as before, sys",
        "from jsonseam.compat import json_repair as face",
        "face.install(fallback=None, on_refusal='raise')",
        "import json_repair",
        "print(json_repair.loads == face.loads, before.loads == face.loads)",
        "try: json_repair.loads('no json')",
        "except ValueError as error: print(error.reason)",
        "face.uninstall(); import json_repair",
        "print(json_repair is before, sys.modules['json_repair.json_repair'].loads is before.loads)",
    ]
    assert in_a_process(*lines) == ["True False", "no_json_object_found", "True True"]


def test_install_works_where_json_repair_is_not():
    lines = [
        *WITHOUT_THEIRS,
        "from jsonseam.compat import json_repair as face",
        "try: face.configure(fallback='json_repair')",
        "except face.ConfigError: print('not there')",
        "face.install()",
        "import json_repair; from json_repair.json_repair import loads",
        "print(loads('{a: 1}'), repr(loads('no json')), json_repair.__path__)",
        "try: import json_repair.json_parser",
        "except ModuleNotFoundError as error: print(error.name)",
    ]
    assert in_a_process(*lines) == ["not there", "{'a': 1} '' []", "json_repair.json_parser"]


def test_bound_functions_have_settings_of_their_own():
    strict = ours.bound(preset="strict", on_refusal="raise")
    with pytest.raises(RepairError):
        strict.repair_json("{a: 1}")
    assert ours.repair_json("{a: 1}") == '{"a": 1}'
    assert (strict.counts().refused, ours.counts().refused) == (1, 0)


def test_functions_travel_to_other_processes():
    assert pickle.loads(pickle.dumps(ours.loads)) == ours.loads
    raising = pickle.loads(pickle.dumps(ours.bound(preset="strict", on_refusal="raise", fallback="json_repair").loads))
    assert raising(HOPELESS) == theirs.loads(HOPELESS)
    with pytest.raises(RepairError):
        pickle.loads(pickle.dumps(ours.bound(on_refusal="raise").loads))(HOPELESS)


SCHEMA = {
    "type": "object",
    "properties": {"n": {"type": "integer"}, "unit": {"type": "string", "default": "kg"}},
    "required": ["n"],
}


def test_a_schema_fills_casts_and_refuses():
    assert ours.loads("{'n': '42'}", schema=SCHEMA)["n"] == 42
    assert ours.loads("{'n': 42}", schema=SCHEMA) == {"n": 42, "unit": "kg"}
    with pytest.raises(ValueError):
        ours.loads("{'n': 'many'}", schema=SCHEMA)
    for arguments in ({"schema": SCHEMA, "strict": True}, {"schema_repair_mode": "salvage"}, {"schema_repair_mode": "x"}):
        with pytest.raises(ValueError):
            ours.loads("{}", **arguments)
    with pytest.raises(NotImplementedError, match="salvage"):
        ours.loads("{}", schema=SCHEMA, schema_repair_mode="salvage")


def flags(parser_help):
    return {word.strip(",") for word in parser_help.split() if word.startswith("-") and len(word) > 1}


def command(module, *arguments, text=""):
    return subprocess.run([sys.executable, "-m", module, *arguments], input=text, capture_output=True, text=True)


def test_the_command_has_their_flags():
    ours_help, their_help = (command(name, "--help").stdout for name in ("jsonseam.compat.json_repair", "json_repair"))
    assert {flag.strip("[]") for flag in flags(ours_help)} >= {"--inline", "--schema-model"}
    options = [action for action in ours._arguments()._actions]
    for action in options:
        for name in action.option_strings:
            assert name in their_help


def test_the_command_repairs_files_and_the_standard_input(tmp_path):
    file = tmp_path / "broken.json"
    file.write_text("{name: 'Zoë'}")
    expected = '{\n  "name": "Zoë"\n}'
    for name in ("jsonseam.compat.json_repair", "json_repair"):
        assert command(name, str(file)).stdout == expected + "\n"
        assert command(name, "--indent", "0", "--ensure_ascii", text="{a: 'ë'}").stdout == '{\n"a": "\\u00eb"\n}\n'
    target = tmp_path / "out.json"
    assert ours.cli([str(file), "-o", str(target)]) == 0
    assert target.read_text() == expected
    assert ours.cli(["-i", str(file)]) == 0
    assert (file.read_text(), sorted(path.name for path in tmp_path.iterdir())) == (expected, ["broken.json", "out.json"])


def test_a_refusal_of_the_command_leaves_the_file_as_it_is(tmp_path, capsys):
    file = tmp_path / "prose.txt"
    file.write_text(HOPELESS)
    assert ours.cli(["-i", str(file)]) == 1
    assert file.read_text() == HOPELESS
    assert HOPELESS not in capsys.readouterr().err
    with pytest.raises(SystemExit) as caught:
        ours.cli(["--strict", "--schema", "x.json"])
    assert caught.value.code == 1
