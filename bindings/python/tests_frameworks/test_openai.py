"""openai-python calls `model_validate_json`: a model that repairs needs no further change."""

import openai
import pytest
from pydantic import BaseModel, ValidationError

import jsonseam
from jsonseam.integrations.pydantic import RepairedModel

BROKEN = "{'city': 'Oslo', population: 717710,}"


class City(RepairedModel):
    city: str
    population: int


class Plain(BaseModel):
    city: str
    population: int


def client(script):
    return openai.OpenAI(base_url=script.url, api_key="none", max_retries=0)


MESSAGES = [{"role": "user", "content": "The capital of Norway?"}]


def test_openai_parses_a_broken_answer(script):
    script.says(BROKEN)
    completion = client(script).chat.completions.parse(model="scripted", messages=MESSAGES, response_format=City)
    assert completion.choices[0].message.parsed == City(city="Oslo", population=717710)
    assert script.requests[0]["response_format"]["type"] == "json_schema"


def test_openai_without_it_does_not(script):
    script.says(BROKEN)
    with pytest.raises(ValidationError):
        client(script).chat.completions.parse(model="scripted", messages=MESSAGES, response_format=Plain)


def test_openai_refuses_what_cannot_be_repaired(script):
    script.says("I do not know")
    with pytest.raises(ValidationError, match="jsonseam_no_json_object_found"):
        client(script).chat.completions.parse(model="scripted", messages=MESSAGES, response_format=City)


@pytest.mark.parametrize("content", ['{"city": "Oslo", "population": 71', '{"city": "Oslo", "population": 717710}'])
def test_b3_openai_gives_no_half_of_an_answer(script, content):
    script.says(content, finish_reason="length").says('{"city": "Oslo", "population": 71')
    asking = client(script).chat.completions
    with pytest.raises(openai.LengthFinishReasonError):
        asking.parse(model="scripted", messages=MESSAGES, response_format=City)
    with pytest.raises(ValidationError, match="jsonseam_truncated"):
        asking.parse(model="scripted", messages=MESSAGES, response_format=City)


TOOLS = [{"type": "function", "function": {"name": "order", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}]


def test_messages_of_the_client_are_healed_before_they_are_sent_again(script):
    script.says(arguments="{'city': 'Oslo',}").says("done")
    ask = client(script).chat.completions.create
    message = ask(model="scripted", messages=MESSAGES, tools=TOOLS).choices[0].message
    call = message.tool_calls[0]
    result = {"role": "tool", "tool_call_id": call.id, "content": "7"}
    healed = jsonseam.heal_history([*MESSAGES, message, result], TOOLS)
    assert (healed.status, healed.unpaired) == ("repaired", [])
    ask(model="scripted", messages=healed.messages, tools=TOOLS)
    sent = script.requests[1]["messages"][1]["tool_calls"][0]
    assert sent == {"id": call.id, "type": "function", "function": {"name": "order", "arguments": '{"city": "Oslo"}'}}


def test_calls_in_the_content_become_calls_that_the_client_takes(script):
    script.says("On it. <tool_call>{'name': 'order', 'arguments': {'city': 'Oslo'}}</tool_call>").says("done")
    ask = client(script).chat.completions.create
    content = ask(model="scripted", messages=MESSAGES).choices[0].message.content
    message = jsonseam.calls(content, tools=TOOLS, output="openai")
    [call] = message["tool_calls"]
    ask(model="scripted", messages=[*MESSAGES, message, {"role": "tool", "tool_call_id": call["id"], "content": "7"}])
    assert script.requests[1]["messages"][1] == {**message, "content": "On it."}


def test_the_page_for_agents_shows_these_lines(script, page):
    script.says(arguments="").says("done")
    send = page("# openai")["send"]
    message = send(client(script), MESSAGES, TOOLS).choices[0].message
    result = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "7"}
    assert send(client(script), [*MESSAGES, message, result], TOOLS).choices[0].message.content == "done"
    assert script.requests[1]["messages"][1]["tool_calls"][0]["function"]["arguments"] == "{}"


def pieces_of(chunks, reasons, index=0):
    """What users write: the pieces of a choice, and why it stopped."""
    for chunk in chunks:
        for choice in chunk.choices:
            if choice.index == index:
                reasons.append(choice.finish_reason)
                yield choice.delta.content or ""


def events_of(script, index=0, **options):
    chunks, reasons = client(script).chat.completions.create(model="scripted", messages=MESSAGES, stream=True), []
    return jsonseam.stream(pieces_of(chunks, reasons, index), finish_reason=lambda: reasons[-1] if reasons else None, **options)


SPELLED = '```json\n{city: "Oslo \\ud83d\\ude00 é", "rivers": [\'Alna\',],}\n```'


@pytest.mark.parametrize("size", [1, 2, 7])
def test_t1_a_streamed_answer_gives_its_events_and_what_repair_gives(script, size):
    cut = [SPELLED[at : at + size] for at in range(0, len(SPELLED), size)]
    other = [(1, '{"b": ', None), (1, "2}", None), (1, None, "stop")]
    first = [(0, "", None), *((0, piece, None) for piece in cut), (0, None, "stop")]
    mixed = [event for pair in zip(first, other + [(0, "", None)] * len(first)) for event in pair]
    script.streams(*mixed).streams(*mixed)
    *events, end = events_of(script)
    assert end.repaired == jsonseam.repair(SPELLED)
    assert {event.path: event.value for event in events if event.kind == "done"}["/city"] == "Oslo 😀 é"
    assert list(events_of(script, index=1))[-1].repaired.value == {"b": 2}


def test_b3_a_streamed_answer_that_stops_is_refused(script):
    for stops, reason in [(False, None), (True, None), (True, "length")]:
        script.streams((0, '{"paid": true, "amo', None), (0, 'unt": 12', reason), stops=stops)
        told = []
        with pytest.raises(jsonseam.RepairError) as caught:
            for event in events_of(script):
                told.append((event.kind, getattr(event, "path", None)))
        assert caught.value.reason == "truncated"
        assert ("done", "/paid") in told and ("done", "/amount") not in told
