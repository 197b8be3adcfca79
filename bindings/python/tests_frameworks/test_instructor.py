"""instructor calls `model_validate_json`: a model that repairs needs no further change."""

import instructor
import openai
import pytest

from jsonseam.integrations.pydantic import RepairedModel

BROKEN = "{'city': 'Oslo', population: 717710,}"
MESSAGES = [{"role": "user", "content": "The capital of Norway?"}]


class City(RepairedModel):
    city: str
    population: int


def client(script):
    return openai.OpenAI(base_url=script.url, api_key="none", max_retries=0)


def test_instructor_takes_a_broken_answer_without_asking_again(script):
    script.says(BROKEN)
    asking = instructor.from_openai(client(script), mode=instructor.Mode.JSON)
    assert asking.create(model="scripted", messages=MESSAGES, response_model=City, max_retries=0).population == 717710
    assert len(script.requests) == 1


def test_instructor_repairs_the_arguments_of_a_tool_call(script):
    script.says(arguments=BROKEN)
    script.answers[0]["message"]["tool_calls"][0]["function"]["name"] = "City"
    asking = instructor.from_openai(client(script), mode=instructor.Mode.TOOLS)
    assert asking.create(model="scripted", messages=MESSAGES, response_model=City, max_retries=0).city == "Oslo"


def test_instructor_asks_again_after_a_refusal(script):
    script.says('{"city": "Oslo" population}').says(BROKEN)
    asking = instructor.from_openai(client(script), mode=instructor.Mode.JSON)
    assert asking.create(model="scripted", messages=MESSAGES, response_model=City, max_retries=2).city == "Oslo"
    assert len(script.requests) == 2


def test_b3_instructor_asks_again_after_half_an_answer(script):
    script.says('{"city": "Oslo", "population": 71').says(BROKEN)
    asking = instructor.from_openai(client(script), mode=instructor.Mode.JSON)
    assert asking.create(model="scripted", messages=MESSAGES, response_model=City, max_retries=2).population == 717710
    assert len(script.requests) == 2
    assert "allow_truncated" not in str(script.requests[1])


def test_b3_the_finish_reason_counts_for_instructor(script):
    script.says('{"city": "Oslo", "population": 717710}', finish_reason="length")
    asking = instructor.from_openai(client(script), mode=instructor.Mode.JSON)
    with pytest.raises(Exception, match="incomplete"):
        asking.create(model="scripted", messages=MESSAGES, response_model=City, max_retries=0)
