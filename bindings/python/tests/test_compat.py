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

from jsonseam import ConfigError, RepairError
from jsonseam.compat import json_repair as ours
from jsonseam.compat.json_repair import Counts

BROKEN = "{name: 'Ada', \"tags\": [1, 2,],}"
HOPELESS = "I cannot answer that"


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


def test_values_that_follow_one_another_are_refused():
    for text in ('{"a": 1}\n{"a": 2}', '{"a": 1}{b: 2}'):
        assert ours.loads(text) == "", text
        with pytest.raises(RepairError) as caught:
            ours.bound(on_refusal="raise").loads(text)
        assert caught.value.reason == "ambiguous_payload"
    assert ours.loads('As in [1]: {a: 1} (see [2])') == {"a": 1}


def test_a_text_that_is_cut_off_is_closed_and_refused_where_its_strings_are_a_guess():
    for text in ('{"a": [1, {"b": "x', '{"a": 1, "b": "', '{"a": 1, "b'):
        assert ours.loads(text)["a"]
    guess = '{"a": "first, b: 1}'
    assert ours.loads(guess) == ""
    assert ours.loads(guess, stream_stable=True) == {"a": "first, b: 1"}


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
