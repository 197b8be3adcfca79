"""The rows that every engine repairs, and what they must give: what `jsonseam batch` and the library give for each by itself."""

from __future__ import annotations

import json
from typing import Any

import jsonseam

CANARY = "canaryINaCAGE"


def texts() -> list[str | None]:
    """Valid, broken and hopeless texts, nulls, and a few that are hostile."""
    base: list[str | None] = [
        '{"a": 1}',
        "{name: 'Ada', \"tags\": [1, 2,],}",
        None,
        "no JSON here",
        "",
        "Voilà 🙂: {\"é\": 'ü', // why\n \"n\": None}",
        "```json\n[1, 2, 3]\n```",
        '{"a": 12',
        '{"a": "b" c}',
        "[" * 1000,
        "[1] [2]",
        '{"a": 1, "a": 2}',
        "\x00\x01{a: 1}",
        '{"big": ' + "9" * 500 + "}",
    ]
    return [text if text is None or i % 5 else text + " " * (i % 3) for i in range(40) for text in base]


def expected(text: str | None) -> dict[str, Any] | None:
    """One row by the library alone."""
    if text is None:
        return None
    row: dict[str, Any] = dict.fromkeys(("value", "reason", "risk", "position"))
    try:
        repaired = jsonseam.repair(text)
    except jsonseam.RepairError as error:
        return {**row, "status": "refused", "reason": error.reason, "truncated": error.is_truncated, "edits": 0, "position": error.byte_pos, "rules": []}
    return {
        **row,
        "value": repaired.text,
        "status": repaired.status,
        "risk": repaired.risk,
        "truncated": repaired.is_truncated,
        "edits": len(repaired.edits),
        "rules": list(dict.fromkeys(edit.rule for edit in repaired.edits)),
    }


def key(row: dict[str, Any] | None) -> str:
    """For comparing rows in any order."""
    return json.dumps(row, sort_keys=True)


def all_expected() -> list[str]:
    return sorted(key(expected(text)) for text in texts())


def contract() -> jsonseam.Contract:
    """One output of every type."""
    item = {"type": "object", "properties": {"sku": {"type": "string"}, "quantity": {"type": ["integer", "null"]}}}
    return jsonseam.Contract(
        schemas={
            "city": {"type": "string"},
            "count": {"type": "integer"},
            "share": {"type": "number"},
            "price": {"type": "number", "multipleOf": 0.01, "minimum": 0, "maximum": 99_999},
            "is_open": {"type": "boolean"},
            "items": {"type": "array", "items": item},
            "scores": {"type": "object", "additionalProperties": {"type": "number"}},
        },
        optional=["is_open", "items", "scores", "note"],
        preset="standard",
    )


def typed_texts() -> list[str | None]:
    """Texts that meet the contract, some that do not, and one with a number that no column of 64 bits holds."""
    whole = "{city: 'Oslo', count: %d, share: 0.1, price: 19.90, is_open: True, items: [{sku: 'A', quantity: 2}, {sku: 'B'},], scores: {a: 1, b: 2.5}, note: [1, 'x']}"
    base: list[str | None] = [
        whole % 7,
        '{"city": "Zürich 🙂\\n", "count": -1, "share": 1e3, "price": 5}',
        None,
        '{"city": "Bern", "count": 3.0, "share": 2, "price": 0.10, "is_open": false, "items": [], "scores": {}, "note": null}',
        "{city: 'Bern', count: 1}",
        whole % 10**30,
        '{"city": 5, "count": 1, "share": 1, "price": 1}',
        '{"city": "Bern", "count": 1, "share": 1, "price": 1',
        "prose",
    ]
    return base * 30


def typed_expected(text: str | None) -> dict[str, Any] | None:
    """One row by the library and the decoder of the standard library."""
    if text is None:
        return None
    try:
        outputs = contract().parse(text)
    except jsonseam.ContractError as error:
        return {"outputs": None, "reason": error.reason}
    values = {name: None if outputs.text(name) is None else json.loads(outputs.text(name)) for name in NAMES}
    if values["note"] is not None:
        values["note"] = outputs.text("note")
    if values["count"] > 2**63 - 1:
        return {"outputs": None, "reason": "not_representable"}
    for item in values["items"] or ():
        item.setdefault("quantity", None)
    return {"outputs": values, "reason": None}


NAMES = ("city", "count", "share", "price", "is_open", "items", "scores", "note")


def as_floats(value: Any) -> Any:
    """A value whose numbers are floats: 3 and 3.0 are one value of JSON."""
    if isinstance(value, dict):
        return {name: as_floats(part) for name, part in value.items()}
    if isinstance(value, list):
        return [as_floats(part) for part in value]
    return value if value is None or isinstance(value, (str, bool)) else float(value)


def typed_key(row: Any) -> str:
    """A typed row of any engine: maps may be lists of pairs, decimals are numbers."""
    if row is None or row["status"] is None:
        return "null"
    outputs = row["outputs"]
    if outputs is not None:
        outputs = {name: outputs[name] for name in NAMES}
        scores = outputs["scores"]
        if isinstance(scores, list):
            pairs = [tuple(pair.values()) if isinstance(pair, dict) else pair for pair in scores]
            outputs["scores"] = dict(pairs)
    return json.dumps({"outputs": as_floats(outputs), "reason": row["reason"]})


def all_typed_expected() -> list[str]:
    known = {text: typed_expected(text) for text in set(typed_texts())}
    rows = [known[text] for text in typed_texts()]
    return sorted(typed_key(None if row is None else {"status": "", **row}) for row in rows)
