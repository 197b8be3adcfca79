"""`JsonseamAdapter` in a DSPy program with a scripted server."""

import dspy
import pytest
from dspy.utils.exceptions import AdapterParseError

from jsonseam.integrations.dspy import JsonseamAdapter


class Capital(dspy.Signature):
    country: str = dspy.InputField()
    city: str = dspy.OutputField()
    population: int = dspy.OutputField()


def ask(script, adapter=None):
    lm = dspy.LM("openai/scripted", api_base=script.url, api_key="none", cache=False, num_retries=0)
    with dspy.context(lm=lm, adapter=adapter or JsonseamAdapter()):
        return dspy.Predict(Capital)(country="Norway")


def test_a_program_gets_the_declared_outputs(script):
    script.says("Sure: {'city': 'Oslo', population: 717_710, extra: 1,}".replace("717_710", "717710"))
    answer = ask(script)
    assert (answer.city, answer.population) == ("Oslo", 717710)
    assert len(script.requests) == 1


def test_an_answer_without_an_output_is_an_error_of_dspy():
    signature = Capital
    with pytest.raises(AdapterParseError):
        JsonseamAdapter().parse(signature, "{'city': 'Oslo'}")
    with pytest.raises(AdapterParseError):
        JsonseamAdapter().parse(signature, "I do not know")
    with pytest.raises(AdapterParseError, match="population"):
        JsonseamAdapter().parse(signature, "{'city': 'Oslo', population: 'many'}")


def test_an_answer_that_was_cut_off_is_refused_unless_it_is_allowed():
    cut = '{"city": "Oslo", "population": 717710'
    with pytest.raises(AdapterParseError):
        JsonseamAdapter().parse(Capital, cut)
    assert JsonseamAdapter(options={"allow_truncated": True}).parse(Capital, cut)["city"] == "Oslo"


def test_a_repeated_output_is_refused_where_json_repair_takes_one():
    twice = '{"city": "Oslo", "population": 1, "population": 717710}'
    assert dspy.JSONAdapter().parse(Capital, twice)["population"] == 717710
    with pytest.raises(AdapterParseError):
        JsonseamAdapter().parse(Capital, twice)
