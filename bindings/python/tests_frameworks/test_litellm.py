"""`JsonseamLogger` in LiteLLM's SDK, with a scripted server, and as the proxy calls it."""

import asyncio

import litellm
import pytest

from jsonseam.integrations.litellm import JsonseamLogger

BROKEN = "{'city': 'Oslo', population: 717710,}"
FIXED = '{"city": "Oslo", "population": 717710}'


@pytest.fixture
def ask(script):
    def asking(logger, **options):
        litellm.callbacks = [logger]
        try:
            return asyncio.run(
                litellm.acompletion(
                    model="openai/scripted",
                    api_base=script.url,
                    api_key="none",
                    messages=[{"role": "user", "content": "?"}],
                    **options,
                )
            )
        finally:
            litellm.callbacks = []

    return asking


TOOLS = [{"type": "function", "function": {"name": "order", "parameters": {"type": "object", "properties": {}}}}]


def test_content_is_repaired_where_json_was_asked_for(script, ask):
    script.says("Sure: " + BROKEN)
    message = ask(JsonseamLogger(), response_format={"type": "json_object"}).choices[0].message
    assert message.content == FIXED
    notes = message.provider_specific_fields["jsonseam"]
    assert (notes[0]["part"], notes[0]["status"], notes[0]["risk"]) == ("content", "repaired", "certain")


def test_plain_text_is_left_alone(script, ask):
    script.says(BROKEN)
    assert ask(JsonseamLogger()).choices[0].message.content == BROKEN


def test_the_arguments_of_tool_calls_are_repaired(script, ask):
    script.says(arguments=BROKEN)
    message = ask(JsonseamLogger(), tools=TOOLS).choices[0].message
    assert message.tool_calls[0].function.arguments == FIXED


@pytest.mark.parametrize(("content", "finish_reason"), [("canary, no JSON", "stop"), ('{"a": 1', "stop"), ("{a: 1}", "length")])
def test_what_is_refused_or_cut_off_stays_as_it_is(script, ask, content, finish_reason):
    script.says(content, finish_reason=finish_reason)
    message = ask(JsonseamLogger(), response_format={"type": "json_object"}).choices[0].message
    assert message.content == content
    assert "canary" not in str((message.provider_specific_fields or {}).get("jsonseam"))


def test_the_hook_of_the_proxy_does_the_same():
    message = litellm.Message(content=BROKEN, role="assistant")
    response = litellm.ModelResponse(choices=[litellm.Choices(message=message, finish_reason="stop")])
    logger = JsonseamLogger()
    data = {"response_format": {"type": "json_object"}}
    assert asyncio.run(logger.async_post_call_success_hook(data, None, response)).choices[0].message.content == FIXED


def test_b3_half_an_answer_is_taken_if_it_is_allowed_and_on_record_if_not(script, ask):
    for text, reason in (('{"a": 1', "stop"), ("{a: 1}", "length"), ('{"a": 1}', "length")):
        json_wanted = {"response_format": {"type": "json_object"}}
        script.says(text, finish_reason=reason).says(text, finish_reason=reason)
        left = ask(JsonseamLogger(), **json_wanted).choices[0].message
        assert left.content == text
        assert left.provider_specific_fields["jsonseam"] == [{"part": "content", "status": "refused", "reason": "truncated"}]
        assert ask(JsonseamLogger(allow_truncated=True), **json_wanted).choices[0].message.content == '{"a": 1}'


def test_a_history_is_healed_before_it_is_sent(script):
    call = {"id": "c", "type": "function", "function": {"name": "order", "arguments": "{'a': 1"}}
    messages = [{"role": "user", "content": "?"}, {"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c", "content": "ok"}]

    def sent(logger):
        script.says("done")
        litellm.callbacks = [logger]
        try:
            asyncio.run(litellm.acompletion(model="openai/scripted", api_base=script.url, api_key="none", messages=messages, tools=TOOLS))
        finally:
            litellm.callbacks = []
        return script.requests[-1]["messages"][1]["tool_calls"][0]["function"]["arguments"]

    assert sent(JsonseamLogger(history=True)) == '{"a": 1}'
    assert sent(JsonseamLogger()) == "{'a': 1"
    logger = JsonseamLogger(history=True)
    data = asyncio.run(logger.async_pre_call_hook(None, None, {"messages": messages}, "acompletion"))
    assert data["messages"][1]["tool_calls"][0]["function"]["arguments"] == '{"a": 1}'


def test_the_page_for_agents_shows_these_lines(page):
    try:
        page("integrations.litellm")
        assert isinstance(litellm.callbacks[0], JsonseamLogger) and litellm.callbacks[0]._history
    finally:
        litellm.callbacks = []
