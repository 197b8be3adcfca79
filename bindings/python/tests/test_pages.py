"""What the pages show of the package is what it gives."""

import ast
import re
import shlex
import subprocess
import sys
import types
from pathlib import Path

import pytest

import jsonseam
from jsonseam.compat import json_repair

DOCS = Path(__file__).parents[3] / "docs"

#: What the programs of the pages have at hand.
NAMES = {"jsonseam": jsonseam, "json_repair": json_repair}

#: Blocks that need a framework; tests_frameworks runs their lines.
FRAMEWORKS = re.compile("jsonseam.integrations")


def blocks(page):
    found = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    return [block for block in found if not FRAMEWORKS.search(block)]


@pytest.mark.parametrize(("page", "claims"), [("python.md", 12), ("streaming.md", 0), ("from-json-repair.md", 1)])
def test_the_programs_of_a_page_give_what_its_comments_say(page, claims, monkeypatch):
    # A program that is not ours, and that a page imports: any will do.
    monkeypatch.setitem(sys.modules, "dspy", types.ModuleType("dspy"))
    names, checked = dict(NAMES), 0
    for block in blocks(page):
        exec(block, names)
        for line in block.splitlines():
            code, separator, comment = line.partition("  # ")
            claim = comment.strip().split(", found now")[0].split(": a longer")[0].split(", the digits")[0]
            if not separator or claim.startswith("before:"):
                continue
            if code.strip().startswith("error."):
                names["error"] = refusal(names)
            try:
                said = ast.literal_eval(claim)
            except (SyntaxError, ValueError):
                continue
            assert eval(code.strip(), names) == said, f"{page}: {line}"
            checked += 1
    json_repair.uninstall()
    json_repair.configure()
    assert checked >= claims


def refusal(names):
    """The refusal of the block that shows one."""
    try:
        jsonseam.loads('{"amount": 12', preset="strict")
    except jsonseam.RepairError as error:
        return error


def test_every_name_that_the_page_lists_is_there():
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    table = page.split("## What there is")[1].split("##")[0]
    listed = re.findall(r"`(\w+)\(", table)
    assert {"loads", "repair", "explain", "Pipeline", "Contract"} <= set(listed)
    attributes = ("revert", "report", "parse")
    for name in listed:
        assert hasattr(jsonseam, name) or name in attributes, name


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_the_lines_for_a_shell_print_the_value(page):
    text = (DOCS.parent / page).read_text(encoding="utf-8")
    [line] = re.findall(r"^python (-c .*)$", text, re.MULTILINE)
    ran = subprocess.run([sys.executable, *shlex.split(line)], capture_output=True, text=True, check=True)
    assert ran.stdout == "{'city': 'Oslo'}\n"


@pytest.mark.parametrize("page", ["from-json-repair.md", "from-jsonrepair.md"])
def test_what_a_page_of_a_face_says_is_refused_is_refused_with_that_reason(page):
    table = (DOCS / page).read_text(encoding="utf-8").split("## What is refused")[1].split("\n## ")[0]
    rows = [row for row in re.findall(r"^\| (.+?) \| `(\w+)`", table, re.MULTILINE) if not row[0].startswith("several values")]
    texts = [(text, reason) for cell, reason in rows for text in re.findall("`([^`]+)`", cell)]
    assert len(texts) == 5
    for text, reason in texts:
        assert json_repair.loads(text) == "", text
        with pytest.raises(jsonseam.RepairError) as caught:
            json_repair.bound(on_refusal="raise").loads(text)
        assert caught.value.reason == reason, text
