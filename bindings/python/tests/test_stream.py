"""`jsonseam.Stream`, `stream` and `astream`: any pieces give what the whole text gives, and nothing is taken back (SPEC T1 to T5)."""

import asyncio
import json
import pickle
import random
import threading
import time

import pytest

import jsonseam
from jsonseam import DoneEvent, EndEvent, RepairError, Stream, TextEvent, astream, repair, stream
from jsonseam._shown import Growing

TEXTS = [
    '{"a": [1, 2, {"b": "x"}], "c": null}',
    "{'city': 'Os\\u006co', 'tags': ['a', 'b',], n: 12,}",
    'Sure! Here it is:\n```json\n{"a": "é😀", "ü": [tru, 1.5e3,]}\n```\nDone.',
    'Sure! Here it is:\n```json\n{"a": "é😀", "ü": [True, 1.5e3,]}\n```\nDone.',
    "<think>{not it}</think> {a: 'x', \"~/\": {'b': ''}}",
    '{"a": "cut off here',
    '{"a": 1, "b": 12',
    '{"a": 1, "a": "x", "a": "y"}',
    '[{"k": "😀' + "w" * 50 + '"}, -0.0, "\\ud83d\\ude00", "\\ud83d"]',
    "Sure: {city: 'Oslo', \"rivers\": [\"Alna\", \"Akerselva\",], n: 7}",
    'Sure: {"city": \'Oslo\', "rivers": ["Alna",]} and more',
    "no JSON at all",
    '{"a" 1 2}',
    '"just text"',
    "",
]
SIZES = [1, 7, 64, None]


def pieces_of(text, size, seed=29):
    """The text in pieces of a size, or of random ones, empty ones among them."""
    draw = random.Random(seed)
    at = 0
    while at < len(text):
        step = draw.randrange(12) if size is None else size
        yield text[at : at + step]
        at += step


def whole_of(text, **options):
    try:
        return repair(text, **options)
    except RepairError as error:
        return error


def streamed(pieces, **options):
    """What a stream gives: the events, what was settled after each piece, and the result or the refusal."""
    one, events, settled = Stream(**options), [], []
    try:
        for piece in pieces:
            events += one.push(piece)
            settled.append(one.settled)
        result = one.finish()
        events += one.rest
        settled.append(one.settled)
        return events, settled, result
    except RepairError as error:
        return events, settled, error


def same(one, other):
    if isinstance(one, RepairError) or isinstance(other, RepairError):
        return (one.reason, one.pos, one.byte_pos, str(one)) == (other.reason, other.pos, other.byte_pos, str(other))
    return one == other and one.edits == other.edits and one.payload == other.payload


@pytest.mark.parametrize("preset", ["strict", "standard", "lenient"])
@pytest.mark.parametrize("size", SIZES)
def test_t1_any_pieces_give_what_the_whole_text_gives(size, preset):
    for text in TEXTS:
        for pieces in (pieces_of(text, size), pieces_of(text.encode(), size)):
            events, settled, result = streamed(pieces, preset=preset)
            expected = whole_of(text, preset=preset)
            assert same(result, expected), text
            for before, after in zip(settled, settled[1:]):
                assert after.startswith(before), text
            if isinstance(result, RepairError):
                continue
            assert settled[-1] == result.text.strip()
            seams = [(seam.rule, seam.risk, seam.start, seam.end, seam.byte_start, seam.byte_end, seam.replacement) for seam in events if seam.kind == "seam"]
            assert seams == [(edit.rule, edit.risk, edit.start, edit.end, edit.byte_start, edit.byte_end, edit.replacement) for edit in result.edits]


@pytest.mark.parametrize("size", SIZES)
def test_t2_events_are_true_of_the_result(size):
    for text in TEXTS:
        events, _, result = streamed(pieces_of(text, size))
        if isinstance(result, RepairError):
            continue
        growing, told = Growing(), {}
        for event in events:
            growing.take(event)
            if event.kind == "done":
                told.setdefault(event.path, []).append(event)
        assert growing.value == result.value, text
        [root] = told[""]
        assert root.value == result.value and root.json == result.text.strip()
        assert text[root.start : root.end] == text.encode()[root.byte_start : root.byte_end].decode()
        assert result.payload.start <= root.start and root.end <= result.payload.stop


def test_t2_values_that_were_given_do_not_change():
    for text in TEXTS:
        growing, given = Growing(), []
        for event in streamed(pieces_of(text, 1))[0]:
            if growing.take(event):
                value = growing.value
                given.append((value, json.dumps(value)))
        assert all(json.dumps(value) == text for value, text in given)


def test_the_pieces_of_a_string_join_to_its_value():
    told = [event.text for event in stream(pieces_of('{"a": "x\\n\\ud83d\\ude00é"}', 1)) if isinstance(event, TextEvent)]
    assert "".join(told) == "x\n😀é" and len(told) > 2
    # Half a pair is a part of the value, and no sign stands for it.
    for text in ('{"a": "x\\ud83d!\\udE00 \\ufffd"}', '"\\ud83d"', '["\\ud83d\\ud83d\\ude00"]'):
        for size in SIZES:
            told = [event for event in stream(pieces_of(text, size)) if event.kind in ("text", "done")]
            value = next(event.value for event in told if event.kind == "done" and event.path == told[0].path)
            assert "".join(event.text for event in told if event.kind == "text") == value


@pytest.mark.parametrize("preset", ["strict", "standard"])
@pytest.mark.parametrize("text", ['{"a": [1, "x"], "b": "y" "c": ?, "d"', "{'a': 'it is so', b: 1 2, \"c\": [", '[1, "two", @@ ', '{"a": 1, "b": '])
def test_t1_what_settled_before_a_refusal_is_told_in_pieces_of_any_size(preset, text):
    def told(size):
        kept, strings = [], {}
        with pytest.raises(RepairError):
            for event in stream(pieces_of(text, size), preset=preset):
                if event.kind == "text":
                    strings[event.path] = strings.get(event.path, "") + event.text
                elif event.kind != "seam":
                    kept.append(event)
        return kept, strings

    whole = told(len(text))
    assert whole[0] and all(told(size) == whole for size in (1, 7, 64, None))


def test_t3_and_t5_snapshots_are_json_and_say_what_is_open():
    one = Stream()
    assert one.snapshot() is None and one.state == "looking"
    one.push('Sure: {"a": "x", "b": ["y')
    snapshot = one.snapshot()
    assert (snapshot.value, snapshot.open) == ({"a": "x", "b": ["y"]}, ("", "/b", "/b/0"))
    assert one.settled == '{"a": "x", "b": ["y' and one.tail == "" and one.state in ("reading", "waiting")
    one.push("\\")
    assert one.snapshot().value == {"a": "x", "b": ["y"]}, "an escape that is cut is not shown"
    one.push('n"]} and more')
    assert one.snapshot().value == {"a": "x", "b": ["y\n"]} and one.tail.endswith(" and more")
    assert one.finish().value == {"a": "x", "b": ["y\n"]}
    assert (one.state, one.settled, one.tail) == ("finished", '{"a": "x", "b": ["y\\n"]}', "")
    for late in (lambda: one.push("x"), one.finish, one.snapshot):
        with pytest.raises(ValueError, match="has ended"):
            late()


def test_bytes_may_be_cut_inside_a_character():
    one = Stream()
    for piece in (b'{"a": "\xf0\x9f', bytearray(b"\x98"), memoryview(b'\x80"}')):
        one.push(piece)
    assert one.finish().value == {"a": "😀"}
    one = Stream()
    one.push(b'{"a": "\xf0\x9f')
    with pytest.raises(RepairError) as caught:
        one.finish()
    assert (caught.value.reason, caught.value.pos) == ("invalid_utf8", 7)


@pytest.mark.parametrize("piece", [b"\xff", "x\ud83d", b"\xe9 "])
def test_a_piece_that_is_no_text_ends_the_stream(piece):
    one = Stream()
    one.push('{"é": 1}')
    for attempt in (lambda: one.push(piece), one.finish):
        with pytest.raises(RepairError) as caught:
            attempt()
        assert (caught.value.reason, caught.value.pos) == ("invalid_utf8", 8 + (piece == "x\ud83d"))
    with pytest.raises(TypeError):
        Stream().push(1)


def test_a_refusal_comes_at_once_and_holds_no_text():
    one = Stream()
    # What settled before it is told first.
    assert [event.kind for event in one.push('{"canary" 1 2, "b": ')] == ["payload", "begin"]
    assert one.state == "refused"
    with pytest.raises(RepairError) as caught:
        one.push("")
    assert one.push("anything") == []
    assert "canary" not in str(caught.value) + repr(caught.value) + repr(one)
    assert caught.value.mended_by == whole_of('{"canary" 1 2, "b": ').mended_by
    with pytest.raises(RepairError) as again:
        one.finish()
    assert same(caught.value, again.value)


def test_no_repr_shows_text():
    for event in stream(["{'canary': 'canary', \"b\": [{}, 1]}"]):
        assert "canary" not in repr(event)
    one = Stream()
    one.push('{"canary": "canary')
    assert "canary" not in repr(one) + repr(one.snapshot())


def test_the_iterator_ends_with_what_repair_gives():
    *events, end = stream(iter(["{'a': ", "1}"]))
    assert isinstance(end, EndEvent) and end.repaired == repair("{'a': 1}")
    assert [event.kind for event in events] == ["payload", "begin", "seam", "seam", "done", "done"]
    last = events[-1]
    assert isinstance(last, DoneEvent) and (last.path, last.value, last.start, last.end, last.risk) == ("", {"a": 1}, 0, 8, "certain")


def test_b3_what_is_cut_off_is_refused_before_anything_is_closed():
    pieces = ['{"paid": true, "amount": 12']
    told = []
    with pytest.raises(RepairError, match="allow_truncated") as caught:
        told.extend(stream(pieces))
    assert caught.value.reason == "truncated"
    told = []
    with pytest.raises(RepairError):
        for event in stream(pieces):
            told.append((event.kind, getattr(event, "path", None)))
    assert ("done", "/paid") in told and ("done", "/amount") not in told
    assert list(stream(pieces, allow_truncated=True))[-1].repaired.is_truncated
    with pytest.raises(RepairError) as caught:
        list(stream(['{"a": 1}'], finish_reason=lambda: "length"))
    assert caught.value.reason == "truncated"
    assert list(stream(['{"a": 1}'], finish_reason=lambda: None))[-1].kind == "end"
    one = Stream()
    one.push('{"a": 1')
    assert one.finish("length").incomplete == ["/a"] and [event.path for event in one.rest if event.kind == "done"] == ["/a", ""]


def test_pieces_may_come_asynchronously():
    async def pieces():
        for piece in pieces_of(TEXTS[1], 3):
            await asyncio.sleep(0)
            yield piece

    async def all_of():
        return [event async for event in astream(pieces())]

    told = asyncio.run(all_of())
    assert told[:-1] == list(stream(pieces_of(TEXTS[1], 3)))[:-1] and told[-1].repaired == repair(TEXTS[1])


def test_options_are_those_of_the_rest_and_mistakes_come_at_once():
    for made in (lambda **given: Stream(**given), lambda **given: stream([], **given), lambda **given: astream(None, **given)):
        with pytest.raises(jsonseam.ConfigError, match="did you mean"):
            made(presett="strict")
        with pytest.raises(jsonseam.ConfigError):
            made(preset="standart")
    with pytest.raises(RepairError):
        list(stream(["{a: 1}"], preset="strict"))
    one = Stream(candidates="last")
    assert one.push('{"a": 1} {"b": 2}') == [] and one.state == "looking"
    assert one.finish().text == '{"b": 2}' and one.rest[-1].value == {"b": 2}


def test_a_stream_goes_from_thread_to_thread_and_waits_for_its_turn():
    one, told = Stream(), []
    one.push("[")
    threads = [threading.Thread(target=lambda: [told.extend(one.push('"x", ')) for _ in range(200)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one.push('"x"]')
    assert one.finish().value == ["x"] * 801
    assert len([event for event in told if event.kind == "done"]) in (799, 800)
    with pytest.raises(TypeError):
        pickle.dumps(one)


def test_t4_small_pieces_of_a_long_text_cost_what_the_text_costs():
    def seconds(items):
        text = json.dumps([{"name": "x" * 20, "n": n} for n in range(items)])
        start = time.process_time()
        for _ in stream(pieces_of(text, 4)):
            pass
        return time.process_time() - start

    seconds(100)
    small = min(seconds(1000) for _ in range(3))
    assert min(seconds(8000) for _ in range(3)) < 8 * 3 * small
