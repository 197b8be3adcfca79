"""`RepairedModel` and `Repaired[T]` on pydantic itself."""

import pickle
from typing import Optional

import pytest
from pydantic import BaseModel, ValidationError

import jsonseam
from jsonseam.integrations.pydantic import Repaired, RepairedModel

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
