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
