"""`JsonseamOutputParser` in a chain with a scripted model."""

import pytest
from langchain_core.exceptions import OutputParserException
from langchain_core.language_models import FakeListChatModel
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from jsonseam import Contract
from jsonseam.integrations.langchain import JsonseamOutputParser

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
