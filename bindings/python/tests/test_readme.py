"""The first page of the package is true."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_of_the_readme_give_what_they_say():
    block = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL).group(1)
    names, checked = {}, 0
    for line in re.split(r"\n(?=\S)", block):
        code, separator, comment = line.partition("  # ")
        if separator:
            assert repr(eval(code, names)) == comment.strip()
            checked += 1
        else:
            exec(code, names)
    assert checked == 3


@pytest.mark.parametrize("name", ["jsonseam", "jsonseam._calls", "jsonseam._repair", "jsonseam._contract", "jsonseam._stream"])
def test_the_examples_of_a_module_run(name):
    result = doctest.testmod(importlib.import_module(name))
    assert (result.failed, result.attempted > 0) == (0, True)


def test_the_example_of_the_page_for_agents_runs():
    page = (README.parents[2] / "docs/agents.md").read_text(encoding="utf-8")
    block = next(block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "Extractor" in block)
    names = {}
    exec(block, names)
    assert all(one is other for one, other in zip(names["healed"].messages, names["messages"]))
