"""`repair`, `loads`, `load` and `check`: what they give, and what they refuse."""

import io
import json
import math
import pathlib
import pickle
import sys

import pytest

import jsonseam
from jsonseam import ConfigError, Pipeline, RepairError

COMPLETION = "Sure! {\"café\": 'Zürich', \"tags\": [\"a\", \"b\",]} Enjoy."


def test_a_completion_gives_its_payload_with_every_edit():
    repaired = jsonseam.repair(COMPLETION)
    assert repaired.text == '{"café": "Zürich", "tags": ["a", "b"]}'
    assert repaired.value == {"café": "Zürich", "tags": ["a", "b"]}
    assert (repaired.status, repaired.risk, repaired.is_truncated, repaired.incomplete) == ("repaired", "certain", False, [])
    assert COMPLETION[repaired.payload] == repaired.revert()
    assert COMPLETION.encode()[repaired.byte_payload].decode() == repaired.revert()
    assert [edit.rule for edit in repaired.edits] == ["single-quoted-string", "single-quoted-string", "trailing-comma"]
    comma = repaired.edits[-1]
    assert (COMPLETION[comma.start : comma.end], comma.replacement, comma.path) == (",", "", "/tags/1")
    assert COMPLETION.encode()[comma.byte_start : comma.byte_end] == b","
    assert comma.byte_start == comma.start + 2, "é and ü take two bytes each"


def test_the_report_is_the_record_of_the_command():
    report = jsonseam.repair(COMPLETION).report()
    assert (report["version"], report["status"], report["error"]) == (1, "repaired", None)
    assert report["text"] == '{"café": "Zürich", "tags": ["a", "b"]}'
    assert report["edits"][-1]["rule"] == "trailing-comma"


def test_valid_text_comes_back_as_it_is():
    text = ' {"a" : 1.0, "a": [ ] }\n'
    repaired = jsonseam.repair(text)
    assert (repaired.text, repaired.status, repaired.edits, repaired.risk) == (text, "valid", [], None)


def test_bytes_are_read_as_utf_8():
    data = COMPLETION.encode()
    assert jsonseam.loads(data) == jsonseam.loads(bytearray(data)) == jsonseam.loads(memoryview(data)) == jsonseam.loads(COMPLETION)
    assert jsonseam.loads(memoryview(data), object_hook=dict) == jsonseam.loads(COMPLETION)
    assert jsonseam.repair(memoryview(data)).edits == jsonseam.repair(data).edits
    assert jsonseam.Contract().parse(memoryview(data)).value == jsonseam.Contract().parse(data).value


@pytest.mark.parametrize(
    "text",
    ["[" * 500 + "]" * 500, '"\ud800"', "-0.0", "1e400", "[1, 2.5, -3e-7]", '{"a": 1, "a": 2}', '"\\ud800"', "null", "9" * 400, '"\u2028"', '{"": {}}'],
)
def test_valid_json_is_what_the_standard_library_makes_of_it(text):
    expected, value = json.loads(text), jsonseam.loads(text)
    assert (value, type(value), str(value)) == (expected, type(expected), str(expected))


@pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a": -Infinity}'])
def test_nan_and_infinity_are_no_json(text):
    with pytest.raises(RepairError):
        jsonseam.check(text)
    try:
        value = jsonseam.loads(text)
    except RepairError as error:
        assert error.reason in ("syntax", "no_json_object_found")
    else:
        assert not any(isinstance(item, float) and not math.isfinite(item) for item in _leaves(value))


def _leaves(value):
    if isinstance(value, dict):
        value = list(value.values())
    return [leaf for item in value for leaf in _leaves(item)] if isinstance(value, list) else [value]


def test_options_of_the_standard_library_are_passed_on():
    from decimal import Decimal

    for text in ('{"a": 1.10}', "{a: 1.10}"):
        assert jsonseam.loads(text, parse_float=Decimal) == {"a": Decimal("1.10")}
        assert jsonseam.loads(text, object_pairs_hook=list) == [("a", 1.1)]
    assert math.isnan(jsonseam.loads("NaN", parse_constant=float))


def test_the_root_is_held_for_valid_text_too():
    assert jsonseam.loads("[1]", root="array") == [1]
    with pytest.raises(RepairError) as caught:
        jsonseam.loads("[1]", root="object")
    assert caught.value.reason == "top_level_array_not_allowed"
    assert jsonseam.loads("[1]", config='root = "array"') == [1]
    with pytest.raises(RepairError):
        jsonseam.loads("{}", config={"root": "array"})


def test_a_file_is_read_and_repaired():
    assert jsonseam.load(io.StringIO("{a: 1}")) == {"a": 1}
    assert jsonseam.load(io.BytesIO(b"{a: 1}")) == {"a": 1}


def test_a_refusal_says_where_and_what_would_have_helped():
    text = '{"ä": 12'
    with pytest.raises(RepairError) as caught:
        jsonseam.loads(text, preset="strict")
    error = caught.value
    assert (error.reason, error.is_truncated, error.is_retryable) == ("truncated", True, False)
    assert (error.pos, error.byte_pos, error.lineno, error.colno) == (8, 9, 1, 9)
    assert (error.mended_by, error.unanswered, error.doc) == (("unclosed-container",), None, "")
    assert str(error).endswith(": line 1 column 9 (char 8)")
    assert isinstance(error, json.JSONDecodeError)


def test_p6_looking_at_a_refusal_asks_nothing_and_the_first_access_asks_once():
    def refused(text):
        with pytest.raises(RepairError) as caught:
            jsonseam.loads(text, preset="strict")
        return caught.value

    asked = []
    error = refused('{"a": None}')
    explain = error._explain
    error._explain = lambda: asked.append(1) or explain()
    assert ("python-literal" in str(error) + repr(error), asked) == (False, [])
    assert (error.mended_by, error.mended_by, asked) == (("python-literal",), ("python-literal",), [1])
    assert error._explain is None, "the text is let go"
    assert pickle.loads(pickle.dumps(refused('{"a": None}'))).mended_by == ("python-literal",)
    assert refused(b'{"a": None}').mended_by == ("python-literal",)
    assert refused('{"a": @}').mended_by == ()
    several = jsonseam.repair_many(['{"a": None}', '{"a": @}'], preset="strict")
    assert [result.mended_by for result in several] == [("python-literal",), ()]
    with pytest.raises(jsonseam.ContractError) as caught:
        jsonseam.Contract(["a"], preset="strict").parse('{"a": None}')
    assert caught.value.mended_by == ("python-literal",)


@pytest.mark.parametrize("preset", ["strict", "standard", "lenient"])
def test_p6_a_refusal_says_where_all_rules_together_stop_and_why(preset, capsys):
    text = "é {key: value}"
    with pytest.raises(RepairError) as caught:
        jsonseam.loads(text, preset=preset)
    error = caught.value
    assert "why" not in str(error)
    assert {**error.unanswered, "why": ""} == {"offset": 9, "line": 1, "column": 9, "expected": "a value", "why": ""}
    assert "never filled in" in error.unanswered["why"]
    assert pickle.loads(pickle.dumps(error)).unanswered == error.unanswered
    with pytest.raises(jsonseam.ContractError) as caught:
        jsonseam.Contract(["key"], preset=preset).parse(text)
    assert caught.value.unanswered == error.unanswered
    assert error.help[0].startswith("all rules together stop at line 1 column 9: this word without quotes is code")
    assert pickle.loads(pickle.dumps(error)).help == caught.value.help == error.help
    jsonseam.explain(text, preset=preset)
    assert "  help: all rules together stop at line 1 column 9: this word without quotes is code" in capsys.readouterr().out


def test_a_finish_reason_marks_the_result_as_truncated():
    assert not jsonseam.repair('{"a": 1}').is_truncated
    assert jsonseam.repair('{"a": 1}', finish_reason="length").is_truncated
    cut = jsonseam.repair('{"a": ["b"')
    assert (cut.is_truncated, cut.incomplete) == (True, ["/a"])


def test_check_asks_no_rule():
    assert jsonseam.check("[1]") is None
    with pytest.raises(RepairError) as caught:
        jsonseam.check("[1,]")
    assert caught.value.pos == 3


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_json_object_found"),
        ("no JSON here", "no_json_object_found"),
        (b'{"a": "\xff"}', "invalid_utf8"),
        ('{a: "\ud800"}', "invalid_utf8"),
        ("[" * 100_000, "limit_exceeded"),
        ("{a:" * 1_000_000, "limit_exceeded"),
    ],
)
def test_bad_text_is_refused_with_its_reason(text, reason):
    for ask in (jsonseam.loads, jsonseam.repair):
        with pytest.raises(RepairError) as caught:
            ask(text)
        assert caught.value.reason == reason


def test_a_text_beyond_a_limit_is_refused():
    with pytest.raises(RepairError) as caught:
        jsonseam.repair("{a: 1}" + " " * 100, config={"limits": {"max-input-bytes": 64}})
    assert caught.value.reason == "limit_exceeded"


def test_a_number_that_the_interpreter_cannot_hold_is_refused():
    if not hasattr(sys, "set_int_max_str_digits"):
        assert jsonseam.loads("9" * 5000) == int("9" * 5000)
        return
    for text in ("9" * 5000, "{a: " + "9" * 5000 + "}"):
        with pytest.raises(RepairError) as caught:
            jsonseam.loads(text)
        assert caught.value.reason == "not_representable"


@pytest.mark.parametrize("text", [None, 1, ["{}"], {"a": 1}, object()])
@pytest.mark.parametrize("ask", [jsonseam.repair, jsonseam.loads, jsonseam.check])
def test_what_is_no_text_is_a_type_error(ask, text):
    with pytest.raises(TypeError, match="str, bytes, bytearray or memoryview"):
        ask(text)


@pytest.mark.parametrize(
    ("settings", "hint"),
    [
        ({"preset": "standrad"}, "standard"),
        ({"root": "objekt"}, "object"),
        ({"max_risk": "lossless"}, "lossy"),
        ({"candidates": "frist"}, "first"),
        ({"presett": "standard"}, "did you mean `preset`"),
        ({"finishreason": "stop"}, "did you mean `finish_reason`"),
        ({"config": "presett = 'strict'"}, "did you mean `preset`"),
        ({"config": {"limits": {"max-dept": 3}}}, "did you mean `max-depth`"),
        ({"config": {"root": None}}, "leave out what is None"),
        ({"config": "jsonseam.toml"}, "pathlib.Path"),
    ],
)
def test_a_setting_that_does_not_exist_names_the_one_that_was_meant(settings, hint):
    for ask in (jsonseam.repair, jsonseam.loads):
        # For valid text, too: it is a mistake in the program, whatever the model answers.
        for text in ("{a: 1}", "{}"):
            with pytest.raises(ConfigError, match=hint.replace("(", r"\(")):
                ask(text, **settings)


def test_settings_go_before_the_configuration(tmp_path: pathlib.Path):
    file = tmp_path / "jsonseam.toml"
    file.write_text('preset = "strict"\n')
    with pytest.raises(RepairError):
        jsonseam.loads("{a: 1}", config=file)
    assert jsonseam.loads("{a: 1}", config=file, preset="standard") == {"a": 1}
    assert jsonseam.loads("{a: 1}", config={"limits": {"max-depth": 5}}) == {"a": 1}, "the default stays `standard`"


def test_a_pattern_of_a_configuration_is_a_rule():
    config = """
    [[pattern]]
    name = "fat-arrow"
    at = "colon"
    find = '=>'
    replace = ":"
    risk = "likely"

    [[pattern.case]]
    input = '{"a" => 1}'
    output = '{"a" : 1}'
    """
    pipeline = Pipeline("strict", config=config)
    assert pipeline.loads('{"a" => 1}') == {"a": 1}
    assert ("fat-arrow", "likely") in pipeline.rules


def test_a_panic_inside_is_an_exception_without_its_text(capfd):
    from jsonseam import _native

    with pytest.raises(RuntimeError) as caught:
        _native.panics("a canary of the payload")
    assert "canary" not in repr(caught.value)
    assert capfd.readouterr() == ("", "")
    assert jsonseam.loads("{a: 1}") == {"a": 1}, "the library works on"
