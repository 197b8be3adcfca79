"""`RepairedModel` and `Repaired[T]` on pydantic itself."""

import pickle
from typing import Annotated, Optional

import pytest
from pydantic import BaseModel, ValidationError

import jsonseam
from jsonseam.integrations.pydantic import Repaired, RepairedModel, repairing

CANARY = "canaryINaCAGE"


class Item(BaseModel):
    sku: str
    quantity: int


class Order(RepairedModel):
    items: list[Item]
    note: Optional[str] = None


class Strict(RepairedModel):
    jsonseam_pipeline = jsonseam.Pipeline("strict")
    a: int


class Call(BaseModel):
    arguments: Repaired[dict[str, int]]


def test_a_model_repairs_before_it_validates():
    text = "Sure: {items: [{'sku': 'A-1', \"quantity\": 2,}], note: None}"
    expected = Order(items=[Item(sku="A-1", quantity=2)])
    assert Order.model_validate_json(text) == Order.model_validate_json(text.encode()) == expected
    assert Order.model_validate_json(bytearray(text.encode())) == expected
    assert Order.model_validate_json('{"items": []}') == Order(items=[])


def test_options_of_pydantic_are_passed_on():
    with pytest.raises(ValidationError):
        Order.model_validate_json("{items: [{'sku': 'A-1', quantity: '2'}]}", strict=True)
    assert Order.model_validate_json("{items: [{'sku': 'A-1', quantity: '2'}]}").items[0].quantity == 2


def test_a_refusal_is_an_error_of_pydantic_without_text():
    with pytest.raises(ValidationError) as caught:
        Order.model_validate_json(f"{CANARY} without JSON")
    errors = caught.value.errors()
    assert [error["type"] for error in errors] == ["jsonseam_no_json_object_found"]
    assert caught.value.title == "Order"
    assert CANARY not in "".join([repr(caught.value), str(caught.value), str(errors), caught.value.json()])
    assert caught.value.__context__ is None


def test_a_class_has_settings_of_its_own():
    assert Strict.model_validate_json('{"a": 1,}').a == 1
    with pytest.raises(ValidationError) as caught:
        Strict.model_validate_json("{a: 1}")
    assert caught.value.errors()[0]["ctx"]["mended_by"] == ["unquoted-key"]


def test_a_field_may_arrive_as_json_in_a_string():
    assert Call.model_validate_json('{"arguments": "{a: 1, b: 2,}"}').arguments == {"a": 1, "b": 2}
    assert Call(arguments={"a": 1}).arguments == {"a": 1}
    with pytest.raises(ValidationError) as caught:
        Call(arguments=f"{CANARY} alone")
    assert caught.value.errors()[0]["type"].startswith("jsonseam_")
    with pytest.raises(ValidationError):
        Call(arguments="{a: 'x'}")


def test_models_are_schemas_of_a_contract():
    contract = jsonseam.Contract(whole=Order)
    outputs = pickle.loads(pickle.dumps(contract)).parse("{items: [{sku: 'A-1', quantity: 2}]}")
    assert outputs.model == Order(items=[Item(sku="A-1", quantity=2)])
    with pytest.raises(jsonseam.ContractError):
        contract.parse("{items: [{sku: 'A-1'}]}")
    assert jsonseam.Contract(schemas={"order": Order}).parse("{order: {items: []}}")["order"] == {"items": []}


HALVES = ['{"items": [], "note": "half a sent', "{'items': [], note: 'x'", 'Sure: {"items": [{"sku": "A-1", "quantity": 31', '{"items": [']


class Taking(Order):
    jsonseam_allow_truncated = True


def types_of(ask):
    with pytest.raises(ValidationError) as caught:
        ask()
    assert CANARY not in str(caught.value) and caught.value.__context__ is None
    return [error["type"] for error in caught.value.errors()]


@pytest.mark.parametrize("text", HALVES)
def test_b3_half_an_answer_is_refused_unless_it_is_allowed(text):
    for given in (text, text.encode(), bytearray(text.encode())):
        assert types_of(lambda: Order.model_validate_json(given)) == ["jsonseam_truncated"]
    assert Taking.model_validate_json(text).items == Order.model_validate(jsonseam.repair(text).value).items


def test_b3_a_finish_reason_counts():
    whole = '{"items": []}'
    assert types_of(lambda: Order.model_validate_json(whole, finish_reason="length")) == ["jsonseam_truncated"]
    assert Order.model_validate_json(whole, finish_reason="stop").items == Taking.model_validate_json(whole, finish_reason="length").items == []


class Allowing(BaseModel):
    arguments: Annotated[dict[str, int], repairing(allow_truncated=True)]
    strict: Annotated[list[int], repairing(jsonseam.Pipeline("strict"))] = []


def test_b3_half_a_field_is_refused_unless_it_is_allowed():
    for text in ('{"amount": 31', "{a: 1, b: 22", "{"):
        assert types_of(lambda: Call(arguments=text)) == ["jsonseam_truncated"]
        assert Allowing(arguments=text).arguments == jsonseam.repair(text).value
    assert Call(arguments="{a: 1, b: 22}").arguments == {"a": 1, "b": 22}
    assert types_of(lambda: Allowing(arguments={}, strict="{a: 1}")) == ["jsonseam_syntax"]
    assert Allowing(arguments={}, strict="[1,]").strict == [1]
