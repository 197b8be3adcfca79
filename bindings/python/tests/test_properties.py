"""What holds for every text: edits and their offsets, refusals, and that nothing quotes the payload."""

import io
import json
import logging
import traceback

from hypothesis import example, given, settings
from hypothesis import strategies as st

import jsonseam
from jsonseam import Contract, ContractError, Pipeline, RepairError
from jsonseam.compat import json_repair

#: All of Unicode, lone surrogates too.
ANY_TEXT = st.text(st.characters(), max_size=200)

STRINGS = st.text(st.one_of(st.characters(codec="utf-8"), st.sampled_from("\"'{}[]:,/\\`#\n\t")), max_size=12)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), STRINGS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(STRINGS, inner, max_size=4)),
    max_leaves=12,
)

PIPELINES = [Pipeline(preset) for preset in ("strict", "standard", "lenient")]


@st.composite
def damaged(draw):
    """A document with prose around it and a few small defects."""
    text = json.dumps(draw(VALUES), ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 2])))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        removed = draw(st.integers(0, 2))
        text = text[:at] + draw(st.sampled_from(["", ",", "'", '"', "]", "}", " // é\n", "\u201c", "None", "\n"])) + text[at + removed :]
    return draw(st.sampled_from(["", "Voilà ✓: ", "```json\n"])) + text + draw(st.sampled_from(["", "\n```", " Enjoy 🙂"]))


def is_valid(text: str) -> bool:
    """Whether the standard library reads it."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def applied(completion: str, repaired: jsonseam.Repaired) -> str:
    parts, pos = [], repaired.payload.start
    for edit in repaired.edits:
        parts += [completion[pos : edit.start], edit.replacement]
        pos = edit.end
    return "".join([*parts, completion[pos : repaired.payload.stop]])


@given(st.one_of(damaged(), ANY_TEXT), st.sampled_from(PIPELINES))
@settings(max_examples=600, deadline=None)
@example("Voilà 🙂 {a: 'é', }", PIPELINES[1])
@example("\ufeff{a: 1}", PIPELINES[1])
def test_the_edits_applied_to_the_text_give_the_result_and_revert_gives_it_back(text, pipeline):
    try:
        repaired = pipeline.repair(text)
    except RepairError as error:
        assert error.doc == ""
        assert 0 <= error.pos <= len(text)
        return
    assert applied(text, repaired) == repaired.text
    assert repaired.revert() == text[repaired.payload]
    data = text.encode()
    assert data[repaired.byte_payload].decode() == repaired.revert()
    for edit in repaired.edits:
        assert data[edit.byte_start : edit.byte_end].decode() == text[edit.start : edit.end]
    json.loads(repaired.text, parse_constant=lambda _: 1 / 0)


@given(ANY_TEXT)
@settings(max_examples=400, deadline=None)
@example('{"a": "\ud800"')
@example("\udc80")
def test_any_text_gives_a_value_or_a_repair_error(text):
    for ask in (jsonseam.loads, jsonseam.repair, jsonseam.check):
        try:
            ask(text)
        except RepairError:
            pass


@given(VALUES)
@settings(max_examples=300, deadline=None)
def test_valid_json_is_what_the_standard_library_makes_of_it(value):
    text = json.dumps(value)
    assert jsonseam.loads(text) == value
    assert jsonseam.repair(text).text == text


@given(damaged(), st.sampled_from(PIPELINES))
@settings(max_examples=600, deadline=None)
@example("{a: '\\ud83d\\ude42', b: 1e400, c: -0, d: -0.0, e: 123456789012345678901234567890}", PIPELINES[1])
@example("[999999999999999999, -999999999999999999, 9223372036854775807, -9223372036854775808, 9223372036854775808, -0,]", PIPELINES[1])
@example('[{"acb": "1234567", "adb": "12345678"}, {"acb": "123456\\\\"}, {"a\\u0062": "1234567\\n8", "": "\\ud83d\\ude42é12345"},]', PIPELINES[1])
@example("{a: '\\ud83d', b: [], c: {}, d: [1.5, true, null], a: 2,}", PIPELINES[1])
def test_a_repaired_value_is_what_the_standard_library_makes_of_the_text(text, pipeline):
    try:
        value = pipeline.loads(text, allow_truncated=True)
    except RepairError:
        return
    assert repr(value) == repr(json.loads(pipeline.repair(text).text))


@given(st.one_of(damaged(), VALUES.map(json.dumps)))
@settings(max_examples=600, deadline=None)
@example("{a: '\\ud83d\\ude42', b: 1e400, c: -0, d: -0.0, e: 123456789012345678901234567890}")
@example("[0.1, 1.50, 1e16, 123456789012345678.0, 0.00001, 1E-7, 5e-324, -0.0, 1.7976931348623157e308, 100.0,]")
@example('{"a": 1, "b": 2, "a": 3, "c": "\x7f\u2028\\u00e9/\\/", "d\\n": "x \\n",}')
@example('{"a": 1, "a\\n": 2, "a": 3,}')
@example('Sure: ""')
@example("[NaN, 1,]")
def test_the_text_of_the_drop_in_is_what_the_standard_library_writes_of_its_value(text):
    for arguments in ({}, {"skip_json_loads": True}):
        value = json_repair.loads(text, **arguments)
        # An empty string stands for nothing, unless the standard library reads one.
        is_nothing = value == "" and (bool(arguments) or not is_valid(text))
        expected = "" if is_nothing else json.dumps(value)
        assert json_repair.repair_json(text, **arguments) == expected
        assert json_repair.repair_json(text, ensure_ascii=True, **arguments) == expected, "the same by way of the value"


CANARY = "canaryINaCAGE"


@given(damaged(), st.sampled_from(["key", "value", "prose"]))
@settings(max_examples=200, deadline=None)
def test_nothing_but_the_result_quotes_the_payload(text, where):
    completion = {
        "key": f"{{{CANARY}: 1, 'x': {text}",
        "value": f"{{'x': ['{CANARY}', {text}",
        "prose": f"{CANARY} {text} {CANARY}",
    }[where]
    log = io.StringIO()
    handler = logging.StreamHandler(log)
    root = logging.getLogger()
    root.addHandler(handler)
    level, _ = root.level, root.setLevel(logging.DEBUG)
    shown = []
    try:
        contract = Contract(["x"], schemas={"y": {"type": "integer"}})
        for ask in (*(pipeline.repair for pipeline in PIPELINES), jsonseam.loads, contract.parse):
            try:
                result = ask(completion)
            except (RepairError, ContractError) as error:
                shown += [repr(error), str(error), *traceback.format_exception(type(error), error, error.__traceback__)]
                assert error.__context__ is None or CANARY not in repr(vars(error.__context__))
                if isinstance(error, ContractError) and error.partial is not None:
                    shown.append(repr(error.partial))
            else:
                if isinstance(result, jsonseam.Repaired):
                    shown += [repr(result), *map(repr, result.edits)]
                elif ask == contract.parse:
                    shown.append(repr(result))
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
    assert CANARY not in "\n".join([*shown, log.getvalue()])
