"""`JsonseamOutputParser` in a chain with a scripted model."""

import asyncio
import json
import random
import time

import pytest
from jsonpatch import JsonPatch
from langchain_core.exceptions import OutputParserException
from langchain_core.language_models import FakeListChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, ToolMessage
from langchain_core.tools import tool

from jsonseam import Contract
from jsonseam.integrations.langchain import JsonseamOutputParser, heal_messages, repair_tool_calls

BROKEN = "Sure: {'city': 'Oslo', population: 717710,}"


def test_a_chain_gives_the_repaired_value():
    chain = FakeListChatModel(responses=[BROKEN]) | JsonseamOutputParser()
    assert chain.invoke("The capital of Norway?") == {"city": "Oslo", "population": 717710}


def test_a_refusal_goes_back_to_the_model_without_its_text():
    chain = FakeListChatModel(responses=["canary, no JSON"]) | JsonseamOutputParser()
    with pytest.raises(OutputParserException) as caught:
        chain.invoke("?")
    error = caught.value
    assert (error.llm_output, error.send_to_llm) == ("canary, no JSON", True)
    assert "canary" not in str(error) + error.observation
    assert "no_json_object_found" in str(error)


def test_a_contract_gives_its_outputs_only():
    contract = Contract(["city"], schemas={"population": {"type": "integer"}})
    parser = JsonseamOutputParser(contract=contract)
    assert parser.parse(BROKEN) == {"city": "Oslo", "population": 717710}
    with pytest.raises(OutputParserException, match="missing_output_keys"):
        parser.parse("{city: 'Oslo'}")
    with pytest.raises(TypeError):
        JsonseamOutputParser(contract=contract, preset="strict")


def test_an_answer_that_was_cut_off_does_not_meet_a_contract():
    answer = AIMessage('{"city": "Oslo"}', response_metadata={"finish_reason": "length"})
    chain = GenericFakeChatModel(messages=iter([answer])) | JsonseamOutputParser(contract=Contract(["city"]))
    with pytest.raises(OutputParserException, match="truncated"):
        chain.invoke("?")


def test_a_stream_grows():
    chain = FakeListChatModel(responses=['{"rivers": ["Akerselva", "Alna"]}']) | JsonseamOutputParser()
    steps = list(chain.stream("?"))
    assert steps[-1] == {"rivers": ["Akerselva", "Alna"]}
    assert {"rivers": ["Akerselva"]} in steps


def test_settings_are_those_of_a_pipeline():
    with pytest.raises(OutputParserException):
        JsonseamOutputParser(preset="strict").parse("{city: 1}")


HALF = '{"amount": 31'


def answering(text, finish_reason):
    return GenericFakeChatModel(messages=iter([AIMessage(text, response_metadata={"finish_reason": finish_reason})]))


@pytest.mark.parametrize(("text", "reason"), [(HALF, "stop"), (HALF, "length"), ('{"amount": 31}', "length"), ("{amount: 31}", "max_tokens")])
def test_b3_half_an_answer_is_refused_unless_it_is_allowed(text, reason):
    with pytest.raises(OutputParserException, match="truncated") as caught:
        (answering(text, reason) | JsonseamOutputParser()).invoke("?")
    assert "allow_truncated" not in str(caught.value) + caught.value.observation, "that is no word for the model"
    assert (answering(text, reason) | JsonseamOutputParser(allow_truncated=True)).invoke("?") == {"amount": 31}
    with pytest.raises(TypeError):
        JsonseamOutputParser(contract=Contract(["amount"]), allow_truncated=True)


def test_b3_a_bare_text_has_no_reason_and_is_judged_all_the_same():
    with pytest.raises(OutputParserException, match="truncated"):
        JsonseamOutputParser().parse(HALF)
    assert JsonseamOutputParser().parse("{amount: 31}") == {"amount": 31}


def streamed(parser, texts, reason=None):
    """What a parser gives of chunks, and the refusal at their end."""
    chunks = [AIMessageChunk(text) for text in texts]
    if reason:
        chunks.append(AIMessageChunk("", response_metadata={"finish_reason": reason}))
    given = []
    try:
        for value in parser.transform(iter(chunks)):
            given.append(value)
    except OutputParserException as error:
        return given, str(error)
    return given, None


def test_b3_a_stream_that_ends_in_the_middle_is_refused_at_its_end():
    half, whole = ['{"a": [1, ', "2, 3"], ['{"a": [1, ', "2, 3]}"]
    given, refusal = streamed(JsonseamOutputParser(), half)
    # The 3 may go on, so it is not shown.
    assert given[-1] == {"a": [1]} and "truncated" in refusal
    assert streamed(JsonseamOutputParser(allow_truncated=True), half)[0][-1] == {"a": [1, 2, 3]}
    assert streamed(JsonseamOutputParser(), whole) == streamed(JsonseamOutputParser(), whole, "stop")
    assert streamed(JsonseamOutputParser(), whole)[1] is None
    assert "truncated" in streamed(JsonseamOutputParser(), whole, "length")[1]
    assert streamed(JsonseamOutputParser(allow_truncated=True), half, "length")[1] is None
    assert "missing" in streamed(JsonseamOutputParser(contract=Contract(["b"])), whole)[1]
    assert list(JsonseamOutputParser().transform(iter([]))) == []
    assert list(JsonseamOutputParser().transform(iter(["[1, ", "2]"])))[-1] == [1, 2], "texts stream, too"


def test_b3_an_asynchronous_stream_is_refused_at_its_end():
    async def chunks():
        for text in ('{"a": [1, ', "2"):
            yield AIMessageChunk(text)

    async def all_of():
        return [value async for value in JsonseamOutputParser().atransform(chunks())]

    with pytest.raises(OutputParserException, match="truncated"):
        asyncio.run(all_of())


ANSWER = "Sure!\n```json\n{city: \"Oslo\", 'rivers': [{name: 'Akerselva', km: 10,}, {name: 'Å',}], \"~/\": \"\\ud83d\\ude00\",}\n```"
VALUE = {"city": "Oslo", "rivers": [{"name": "Akerselva", "km": 10}, {"name": "Å"}], "~/": "😀"}


def pieces_of(text, size, draw):
    at = 0
    while at < len(text):
        step = draw.randrange(9) if size is None else size
        yield text[at : at + step]
        at += step


def extends(before, after):
    """Whether a value may have become another one: strings, lists and objects have grown at their end, nothing else changed."""
    if isinstance(before, str) and isinstance(after, str):
        return after.startswith(before)
    if isinstance(before, list) and isinstance(after, list):
        return len(before) <= len(after) and all(map(extends, before, after))
    if isinstance(before, dict) and isinstance(after, dict):
        return list(after)[: len(before)] == list(before) and all(extends(before[key], after[key]) for key in before)
    return before == after


@pytest.mark.parametrize("size", [1, 7, 64, None])
def test_t2_a_broken_answer_streams_in_and_nothing_is_taken_back(size):
    given, refusal = streamed(JsonseamOutputParser(), pieces_of(ANSWER, size, random.Random(29)))
    assert (given[-1], refusal) == (VALUE, None)
    assert all(map(extends, given, given[1:])) and "'km': 1}" not in str(given)
    assert len(given) >= {1: 10, 7: 5, 64: 2, None: 5}[size]
    once = [json.dumps(value) for value in given]
    assert len(once) == len(set(once)), "a value is given once"


def test_t1_whatever_streams_in_the_last_value_is_that_of_invoke():
    contract = Contract(["b"])
    texts = [ANSWER, '{"a": 1} {"b": 2}', 'See {x}: {"b": 1}', "[1, 2]", '"b"', "7", "null", '{"a": "\\ud83d", "a": {}}', '{"b": 1' + " " * 9 + "}"]
    for text in texts:
        for parser in (JsonseamOutputParser(), JsonseamOutputParser(contract=contract), JsonseamOutputParser(candidates="last"), JsonseamOutputParser(preset="lenient")):
            try:
                expected = (parser.parse(text), None)
            except OutputParserException as error:
                expected = (None, str(error))
            given, refusal = streamed(parser, pieces_of(text, 2, None))
            assert refusal == expected[1], text
            assert refusal is not None or (given[-1] if given else None) == expected[0], text


def test_an_answer_beyond_repair_shows_what_was_settled_and_is_refused_at_its_end():
    given, refusal = streamed(JsonseamOutputParser(), ['{"a": "x", ', '"b" 1 2', "canary", "canary"])
    assert given[-1] == {"a": "x"} and "syntax" in refusal and "canary" not in refusal


def test_differences_are_told_as_patches():
    parser = JsonseamOutputParser()
    parser.diff = True
    value = None
    for patch in parser.transform(iter(pieces_of(ANSWER, 5, None))):
        value = JsonPatch(patch).apply(value)
    assert value == VALUE


def test_t4_an_answer_in_small_pieces_costs_what_is_new():
    def seconds(items):
        text = json.dumps({"items": [{"name": "x" * 20, "n": n} for n in range(items)]})
        start = time.process_time()
        for _ in JsonseamOutputParser()._transform(iter(pieces_of(text, 4, None))):
            pass
        return time.process_time() - start

    seconds(50)
    small = min(seconds(250) for _ in range(3))
    assert min(seconds(2000) for _ in range(2)) < 8 * 4 * small


def message(*calls, finish_reason="tool_calls"):
    """A message whose broken calls LangChain sorts out itself, as its clients for models do."""
    raw = [{"id": id, "type": "function", "function": {"name": "look_up", "arguments": text}} for id, text in calls]
    return AIMessage("", additional_kwargs={"tool_calls": raw}, response_metadata={"finish_reason": finish_reason})


def sorted_out(*calls, **options):
    answer = message(*calls, **options)
    assert answer.invalid_tool_calls, "the test is about invalid calls"
    return GenericFakeChatModel(messages=iter([answer])) | repair_tool_calls


def test_invalid_tool_calls_are_repaired_in_the_order_of_the_model():
    answer = sorted_out(("a", "{'city': 'Oslo',}"), ("b", '{"city": "Bergen"}')).invoke("?")
    assert [(call["id"], call["args"]["city"]) for call in answer.tool_calls] == [("a", "Oslo"), ("b", "Bergen")]
    assert answer.invalid_tool_calls == []
    record = answer.response_metadata["jsonseam"]
    assert record[0]["id"] == "a" and {edit["risk"] for edit in record[0]["edits"]} == {"certain"}


def test_b3_half_a_call_stays_invalid_with_the_reason():
    for text in ('{"city": "Os', '{"city": "Oslo"', "canary"):
        answer = sorted_out(("a", text)).invoke("?")
        [call] = answer.invalid_tool_calls
        assert answer.tool_calls == [] and call["args"] == text
        assert "jsonseam refuses" in call["error"] and "canary" not in call["error"]
    cut = sorted_out(("a", "{city: 'Oslo'}"), ("b", "{city: 'Bergen'}"), finish_reason="length").invoke("?")
    assert [call["id"] for call in cut.tool_calls] == ["a"]


def test_a_call_of_a_tool_that_was_not_offered_stays_invalid():
    @tool
    def other(city: str) -> str:
        """Another tool."""
        return city

    broken = message(("a", "{city: 'Oslo'}"))
    assert repair_tool_calls(broken, tools=[other]).tool_calls == []
    assert repair_tool_calls(broken).tool_calls[0]["args"] == {"city": "Oslo"}


def test_a_history_is_healed_and_a_call_with_a_result_may_be_closed():
    user, broken, result = HumanMessage("?"), message(("a", '{"city": "Oslo"')), ToolMessage("ok", tool_call_id="a")
    healed = heal_messages([user, broken, result])
    assert (healed[0], healed[2]) == (user, result) and healed[0] is user
    assert healed[1].tool_calls[0]["args"] == {"city": "Oslo"}
    assert heal_messages([user, broken])[1].tool_calls == []
    again = heal_messages(healed)
    assert again[1] is healed[1]


def test_the_page_for_agents_shows_these_lines(page):
    broken = message(("a", "{'city': 'Oslo',}"))
    model = GenericFakeChatModel(messages=iter([broken]))
    names = page("integrations.langchain", model=model, messages=[broken, ToolMessage("ok", tool_call_id="a")])
    assert names["chain"].invoke("?").tool_calls[0]["args"] == names["history"][0].tool_calls[0]["args"] == {"city": "Oslo"}
