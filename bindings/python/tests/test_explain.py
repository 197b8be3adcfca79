"""What people are shown of the edits: in a terminal as by the command, in a notebook as markup."""

import html
import re
from pathlib import Path

import pytest

import jsonseam

PAGE = (Path(__file__).parents[3] / "docs/command.md").read_text(encoding="utf-8")


def shown_by_the_command(call):
    """What the page of the command, whose transcripts are run by tests, has after a call: up to the next call, and without standard error."""
    after = PAGE.split(f"$ {call}\n", 1)[1]
    return re.split(r"^(?:\$ |```|jsonseam: )", after, maxsplit=1, flags=re.MULTILINE)[0]


@pytest.mark.parametrize(
    ("call", "name", "text", "preset"),
    [
        (
            "jsonseam repair --explain answer.txt",
            "answer.txt",
            'Sure! Here it is:\n{"city": "Oslo", "tags": ["a", "b",],}\n',
            "strict",
        ),
        (
            'echo \'{"calls": ["sum" "(a=1, b=2)", "f()"]}\' | jsonseam repair --preset lenient --explain',
            "<stdin>",
            '{"calls": ["sum" "(a=1, b=2)", "f()"]}\n',
            "lenient",
        ),
    ],
)
def test_explain_prints_what_the_terminal_prints(capsys, call, name, text, preset):
    jsonseam.explain(text, preset=preset, root="object")
    printed = capsys.readouterr().out
    assert shown_by_the_command(call).strip() and printed.startswith(shown_by_the_command(call).replace(name, "<text>"))


def test_explain_says_why_a_text_is_refused_and_which_preset_repairs_it(capsys):
    jsonseam.explain('{"amount": 12', preset="strict")
    printed = capsys.readouterr().out
    assert printed.startswith("<text>:1:14: ") and "(truncated)" in printed
    assert 'help: the smallest preset that repairs it: preset="standard"' in printed and "unclosed-container" in printed


def test_a_reading_that_no_rule_writes_is_told_by_its_doubt(capsys):
    text = '{"a": "x "y", "b": "z", "c": 1}'
    jsonseam.explain(text, preset="lenient")
    printed = capsys.readouterr().out
    assert "reading 2, cost 213: what no rule writes: the text may hold what looks like the next member\n" in printed
    assert "^ the readings part here" in printed and "doubt:" not in printed
    assert "  help: if the first reading is the one that is meant, make its edits by hand" in printed


def test_a_cut_text_and_a_long_line_are_drawn_as_what_they_are(capsys):
    jsonseam.explain('{"a": "' + "x" * 500 + '", "日本": [1, 2')
    printed = capsys.readouterr().out
    assert "truncated: the text ends before its JSON does" in printed and "incomplete: /日本" in printed
    line, mark = printed.splitlines()[2:4]
    assert line.startswith("     1 |…x") and len(line) < 120
    # Two columns for each wide character.
    assert mark.index("^") == len(line) + 2


def test_what_acts_on_a_terminal_is_spelled_out(capsys):
    jsonseam.explain('\x1b[31m{"a\u202e":1,}')
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "\u202e" not in printed and "\\u{202e}" in printed


def test_a_notebook_shows_the_edits_and_runs_nothing_of_the_text():
    repaired = jsonseam.repair("Sure: {name: '<script>alert(1)</script>',}")
    page = repaired._repr_html_()
    assert '<del title="trailing-comma (certain)"' in page and '<ins title="unquoted-key (certain)"' in page
    assert "<script>" not in page and "&lt;script&gt;" in page
    # Without the marks it is the payload as it was.
    kept = html.unescape(re.sub(r"<ins.*?</ins>|<small>.*?</small>|<[^>]*>", "", page))
    assert kept == repaired.revert()
    long = jsonseam.repair('{"a": "' + "x" * 100_000 + '",}')
    assert len(long._repr_html_()) < 10_000


def test_a_pickled_result_is_shown_too():
    import pickle

    repaired = jsonseam.repair("{a: 1,}")
    assert pickle.loads(pickle.dumps(repaired))._repr_html_() == repaired._repr_html_()
