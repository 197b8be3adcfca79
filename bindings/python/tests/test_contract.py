"""`Contract`: the declared outputs, or one error to branch on."""

import json
import pickle

import pytest

from jsonseam import ConfigError, Contract, ContractError

ORDER = "Sure: {items: [{'sku': 'A-1', \"quantity\": 2,}], \"total\": 19.90}"


def test_a_completion_gives_the_declared_outputs():
    contract = Contract(["items"], schemas={"total": {"type": "number"}}, optional=["note"])
    outputs = contract.parse(ORDER)
    assert dict(outputs) == {"items": [{"sku": "A-1", "quantity": 2}], "total": 19.9}
    assert (outputs.text("total"), outputs.text("note")) == ("19.90", None)
    assert json.loads(outputs.to_json()) == outputs.value == dict(outputs)
    assert len(outputs.repair.edits) == 7
    assert outputs.report()["outputs"] == dict(outputs)
    assert not outputs.is_partial
    with pytest.raises(KeyError):
        outputs["note"]


def test_keys_that_are_not_the_declared_ones_are_one_error():
    with pytest.raises(ContractError) as caught:
        Contract(["items", "total"]).parse('{"items": [], "Total": 1, "Total": 2}')
    error = caught.value
    assert (error.code, error.reason) == ("invalid_outputs", "missing_output_keys")
    assert (error.missing, error.extra, error.duplicates) == (["total"], ["Total"], ["Total"])
    assert error.is_retryable
    assert error.partial is not None
    assert dict(error.partial) == {"items": []}
    assert error.partial.is_partial
    assert isinstance(error, ValueError)


def test_a_field_that_does_not_fit_is_named():
    with pytest.raises(ContractError) as caught:
        Contract(schemas={"score": {"type": "integer", "minimum": 0}}).parse('{"score": -1}')
    error = caught.value
    assert (error.code, error.violations[0]["path"], error.violations[0]["keyword"]) == (
        "output_validation_failed",
        "/score",
        "minimum",
    )


def test_p6_values_that_do_not_fit_say_which_cast_makes_them_fit():
    contract = Contract(schemas={"score": {"type": "integer"}}, root="object")
    with pytest.raises(ContractError) as caught:
        contract.parse('{"score": "12"}')
    assert caught.value.help == ('it fits when it is cast: coerce=["string-to-number"]',)
    assert pickle.loads(pickle.dumps(caught.value)).help == caught.value.help
    # What is advised was tried.
    assert dict(Contract(schemas={"score": {"type": "integer"}}, coerce=["string-to-number"]).parse('{"score": "12"}')) == {"score": 12}
    with pytest.raises(ContractError) as caught:
        contract.parse('{"score": {"canary": 1}}')
    assert caught.value.help == ("no cast makes it fit: change the schema if the answer is right, or ask the model again",)
    with pytest.raises(ContractError) as caught:
        Contract(whole={"type": "array"}, root="object").parse('{"a": 1}')
    assert caught.value.help[0] == 'the schema wants array as a whole, and root="object" reads no such value: root="any" does'
    with pytest.raises(ContractError) as caught:
        Contract(["score"]).parse("{}")
    assert caught.value.help == ()


def test_a_text_that_does_not_decode_has_its_place():
    with pytest.raises(ContractError) as caught:
        Contract(["ä"], preset="strict").parse('{"ä": 1')
    error = caught.value
    assert (error.code, error.reason, error.pos, error.byte_pos) == ("output_decode_failed", "truncated", 7, 8)
    assert (error.is_truncated, error.partial) == (True, None)
    with pytest.raises(ContractError, match="surrogate"):
        Contract(["a"]).parse('{"a": "\ud800"}')


def test_a_cut_answer_is_refused_unless_it_is_allowed():
    cut = '{"a": 1, "b": [2'
    with pytest.raises(ContractError) as caught:
        Contract(["a", "b"]).parse(cut)
    assert caught.value.reason == "truncated"
    assert dict(caught.value.partial) == {"a": 1}
    assert dict(Contract(["a", "b"], allow_truncated=True).parse(cut)) == {"a": 1, "b": [2]}
    with pytest.raises(ContractError):
        Contract(["a"]).parse('{"a": 1}', finish_reason="length")


def test_casts_are_made_only_where_they_are_allowed_and_are_on_record():
    schemas = {"n": {"type": "integer"}}
    with pytest.raises(ContractError):
        Contract(schemas=schemas).parse('{"n": "42"}')
    outputs = Contract(schemas=schemas, coerce=True).parse('{"n": "42"}')
    assert (outputs["n"], outputs.casts) == (42, [("/n", "string_to_number")])


def test_the_whole_may_be_an_array():
    contract = Contract(whole={"type": "array", "items": {"type": "integer"}})
    outputs = contract.parse("Sure: [1, 2,]")
    assert (outputs.value, len(outputs)) == ([1, 2], 0)
    with pytest.raises(ContractError):
        contract.parse("[1, 'two']")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"schemas": {"a": {"type": "nonsense"}}}, ContractError),
        ({"schemas": {"a": "{"}}, ContractError),
        ({"schemas": {"a": 7}}, TypeError),
        ({"keys": "a"}, TypeError),
        ({"duplicates": "frist"}, ConfigError),
        ({"keys": ["a"], "preset": "nonsense"}, ConfigError),
        ({"alow_truncated": True}, ConfigError),
    ],
)
def test_a_mistake_in_a_contract_is_seen_when_it_is_made(arguments, error):
    with pytest.raises(error):
        Contract(**arguments)


def test_items_at_the_cut_and_items_that_do_not_fit_are_left_out_on_record():
    rows = {"rows": {"type": "array", "items": {"type": "integer"}}}
    contract = Contract(schemas=rows, incomplete="drop", items="fitting", coerce=["envelope"])
    outputs = contract.parse('{"data": {"rows": [1, "two", 3, 4')
    assert dict(outputs) == {"rows": [1, 3]}
    assert outputs.repair.is_truncated
    assert [(item.path, item.index, item.reason) for item in outputs.dropped] == [
        ("/rows/3", 3, "incomplete"),
        ("/rows/1", 1, "schema"),
    ]
    assert outputs.dropped[1].message == 'Field "rows.1": Expected integer, got string'
    assert outputs.dropped[1].errors[0]["keyword"] == "type"
    assert outputs.casts == [("/data", "envelope")]
    assert pickle.loads(pickle.dumps(outputs)).dropped == outputs.dropped
    assert pickle.loads(pickle.dumps(contract)).parse('{"rows": [1, "x"]}')["rows"] == [1]
    assert Contract(schemas=rows).parse('{"rows": []}').dropped == []
    with pytest.raises(ContractError) as raised:
        Contract(schemas=rows, incomplete="drop").parse('{"rows": [1, 2]')
    assert raised.value.reason == "truncated"


@pytest.mark.parametrize(
    "options",
    [{"incomplete": "dorp"}, {"items": "some"}, {"coerce": ["trimm"]}, {"incomplete": "drop", "allow_truncated": True}],
)
def test_policies_for_items_have_names(options):
    with pytest.raises(ConfigError):
        Contract(["a"], **options)
