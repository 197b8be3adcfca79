"""`Contract.stream` and `astream`: an output when it is whole and fits, and at the end what `parse` gives (SPEC T1, T2)."""

import asyncio
import random

import pytest

import jsonseam
from jsonseam import Contract, ContractError, OutputsEvent

CONTRACT = Contract(["city"], optional=["note"], schemas={"days": {"type": "array", "items": {"type": "integer"}}, "n": {"type": "integer"}})
TEXTS = [
    '{"city": "Oslo 😀", "days": [1, 2, 30], "n": 71}',
    "Sure!\n```json\n{\"city\": 'Oslo', days: [1, 2,], \"n\": 7, \"note\": \"é\\n\",}\n```",
    '{"city": "Oslo", "days": [1, "two"], "n": 7}',
    '{"city": "Oslo", "days": [1], "n": 7, "extra": 1}',
    '{"city": "Oslo", "city": "Bergen", "days": [1], "n": 7}',
    '{"city": "Oslo", "days": [1]}',
    '{"city": "Oslo", "days": [1], "n": 7',
    '{"city" "Oslo" 1',
    "no JSON at all",
    "",
]


def pieces_of(text, size):
    draw, at = random.Random(29), 0
    while at < len(text):
        step = draw.randrange(12) if size is None else size
        yield text[at : at + step]
        at += step


def told(contract, pieces, **options):
    """The events before the last one, and the outputs or the refusal."""
    events = []
    try:
        for event in contract.stream(pieces, **options):
            events.append(event)
    except ContractError as error:
        return events, error
    end = events.pop()
    assert isinstance(end, OutputsEvent)
    return events, end.outputs


@pytest.mark.parametrize("size", [1, 7, 64, None])
def test_t1_any_pieces_give_what_parse_gives_and_fields_are_true(size):
    for text in TEXTS:
        for pieces in (pieces_of(text, size), pieces_of(text.encode(), size)):
            events, result = told(CONTRACT, pieces)
            try:
                outputs = CONTRACT.parse(text)
            except ContractError as error:
                assert (result.code, result.reason) == (error.code, error.reason), text
                assert text not in str(result) + repr(result) or not text
                continue
            assert dict(result) == dict(outputs)
            assert {event.name: event.value for event in events if event.kind == "field"} == dict(outputs)
            for name in ("city", "note"):
                assert "".join(event.text for event in events if event.kind == "piece" and event.name == name) == outputs.get(name, "")
            assert [event.value for event in events if event.kind == "element"] == outputs["days"]
            assert [event.name for event in events if event.kind == "started"] == list(dict.fromkeys(event.name for event in events))


def test_a_hopeless_answer_is_refused_while_it_is_written():
    taken = []

    def pieces():
        for piece in ('{"city": "Oslo", "days": [1, "two"], ', '"n": 1', "}"):
            taken.append(piece)
            yield piece

    events, error = told(CONTRACT, pieces())
    assert (error.code, len(taken)) == ("output_validation_failed", 1)
    assert [event.name for event in events if event.kind == "field"] == ["city"]
    assert error.violations[0]["path"] == "/days/1"


def test_half_a_surrogate_pair_is_in_the_pieces_as_it_is_in_the_value():
    text = '{"city": "O\\ud83d!\\ufffd", "days": [1], "n": 7}'
    events, outputs = told(CONTRACT, pieces_of(text, 1))
    assert "".join(event.text for event in events if event.kind == "piece") == outputs["city"] == "O\ud83d!\ufffd"


def test_t2_nothing_is_told_of_what_is_cut_off():
    events, error = told(CONTRACT, ['{"city": "Oslo", "days": [1, 2, 3'])
    assert error.reason == "truncated"
    assert [event.name for event in events if event.kind == "field"] == ["city"]
    assert [event.value for event in events if event.kind == "element"] == [1]
    whole = '{"city": "Oslo", "days": [1], "n": 7}'
    assert told(CONTRACT, [whole], finish_reason=lambda: "length")[1].reason == "truncated"
    assert dict(told(CONTRACT, [whole], finish_reason="stop")[1])["n"] == 7


def test_with_another_policy_nothing_is_told_before_the_end():
    contract = Contract(["b"], candidates="best")
    events, outputs = told(contract, pieces_of('{"a": 1} {"b": 2}', 3))
    assert (dict(outputs), [event for event in events if event.kind != "field"]) == ({"b": 2}, [])


def test_pieces_may_come_asynchronously_and_cut_characters():
    async def pieces():
        for piece in pieces_of(TEXTS[0].encode(), 1):
            yield piece

    async def all_of():
        return [event async for event in CONTRACT.astream(pieces())]

    assert dict(asyncio.run(all_of())[-1].outputs) == dict(CONTRACT.parse(TEXTS[0]))
    for spoiled in ([b'{"city": "\xff'], [b'{"city": "\xc3', "x"], [b'{"city": "\xc3'], ["\ud83d"]):
        assert told(CONTRACT, spoiled)[1].reason == "invalid_utf8"


def test_no_repr_shows_text():
    for event in Contract(["a"]).stream(['{"a": ["canary", "canary"]}']):
        assert "canary" not in repr(event)
    assert jsonseam.ContractEvent
