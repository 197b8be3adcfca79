"""The completions that columns are measured with: orders as a model writes them, and the contract that they are put to."""

from __future__ import annotations

import json
import random

import pyarrow as pa

from jsonseam import Contract

ITEM = {"type": "object", "properties": {"sku": {"type": "string"}, "quantity": {"type": "integer"}, "price": {"type": "number"}}}
CONTRACT = Contract(
    schemas={
        "id": {"type": "integer"},
        "city": {"type": "string"},
        "note": {"type": "string"},
        "paid": {"type": "boolean"},
        "items": {"type": "array", "items": ITEM},
    }
)


def completions(rows: int, broken: float = 0.05) -> list[str]:
    """Orders of 100 to 500 characters, a part of them with defects that models make."""
    chance = random.Random(7)
    texts = []
    for number in range(2000):
        items = [{"sku": f"A-{chance.randrange(999)}", "quantity": chance.randrange(9), "price": chance.randrange(9999) / 100} for _ in range(chance.randrange(8))]
        order = {"id": number, "city": chance.choice(["Oslo", "Zürich", "Łódź"]), "note": "left with the neighbour", "paid": number % 2 == 0, "items": items}
        text = json.dumps(order, ensure_ascii=False)
        if chance.random() < broken:
            text = "Sure! " + text.replace('"note"', "note").replace("true", "True").replace("}]", ",}]")
        texts.append(text)
    return [texts[chance.randrange(len(texts))] for _ in range(rows)]


def table(rows: int, broken: float = 0.05) -> pa.Table:
    """The same with a column beside it."""
    return pa.table({"request": range(rows), "completion": completions(rows, broken)})
