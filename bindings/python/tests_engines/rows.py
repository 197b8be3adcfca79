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
        return {**row, "status": "refused", "reason": error.reason, "truncated": error.is_truncated, "edits": 0, "position": error.byte_pos}
    return {
        **row,
        "value": repaired.text,
        "status": repaired.status,
        "risk": repaired.risk,
        "truncated": repaired.is_truncated,
        "edits": len(repaired.edits),
    }


def key(row: dict[str, Any] | None) -> str:
    """For comparing rows in any order."""
    return json.dumps(row, sort_keys=True)


def all_expected() -> list[str]:
    return sorted(key(expected(text)) for text in texts())
