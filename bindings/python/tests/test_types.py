"""What a type checker says of programs that use the package."""

import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("mypy")

PROGRAM = """
from typing import Any

import jsonseam
from jsonseam.compat import json_repair

right: Any = jsonseam.loads(memoryview(b"{}"), preset="lenient", object_hook=dict)
jsonseam.Pipeline("standard", root="object", max_risk="likely", candidates="best")
jsonseam.Contract(["a"], duplicates="last", preset="strict")
text: str = json_repair.repair_json("{a: 1}")
for event in jsonseam.stream([b"{}"], finish_reason=lambda: "stop"):
    if event.kind == "done":
        whole: tuple[str, str | None] = (event.json, event.risk)
    elif event.kind == "text":
        piece: str = event.text
    elif isinstance(event, jsonseam.EndEvent):
        repaired: jsonseam.Repaired = event.repaired
both: tuple[object, list[dict[str, str]]] = json_repair.repair_json("{a: 1}", logging=True)
"""

WRONG = [
    'jsonseam.Pipeline("lenien")',
    'jsonseam.loads("{}", presett="lenient")',
    'jsonseam.loads("{}", preset="lenien")',
    'jsonseam.repair("{}", root="objekt")',
    'jsonseam.repair("{}", max_risk="gues")',
    'jsonseam.Contract(["a"], candidates="frist")',
    'jsonseam.repair_many(["{}"], preset=1)',
    'jsonseam.Stream(preset="lenien")',
    'jsonseam.Stream(root="any", presett="strict")',
    'jsonseam.Stream().push(1)',
    '[event.value for event in jsonseam.stream(["{}"])]',
    'json_repair.configure(on_refusal="rase")',
    'number: int = json_repair.repair_json("{}")',
]


def test_a_misspelt_setting_does_not_pass_a_type_checker(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(textwrap.dedent(PROGRAM) + "\n".join(WRONG) + "\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache"), str(program)],
        capture_output=True,
        text=True,
        check=False,
    )
    first = len(PROGRAM.splitlines()) + 1
    complained = {int(line.split(":")[1]) for line in ran.stdout.splitlines() if ": error:" in line}
    assert complained == set(range(first, first + len(WRONG))), ran.stdout + ran.stderr
