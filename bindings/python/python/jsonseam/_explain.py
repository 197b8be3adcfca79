"""What was edited, for people: as the command draws it on a terminal, and as a notebook shows it.

Unlike everything else that is shown of a result, both hold text of the completion: that is what they are for.
"""

from __future__ import annotations

import html as markup
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ._errors import RepairError

if TYPE_CHECKING:
    from ._repair import Edit, Pipeline, Repaired

#: The presets, the poorest first, to look for one that repairs.
_PRESETS = ("strict", "standard", "lenient")

# The figures of the command: bytes of a line that is shown whole, bytes shown around an edit in a longer one,
# characters of a replacement, edits.
_LONGEST_LINE = 160
_AROUND = 40
_LONGEST_REPLACEMENT = 40
_MOST_EDITS = 1_000

#: What follows the meaning of a reason in a message; the place and the readings are shown otherwise here.
_MEANING = re.compile(", expected | at line |: by ")

#: Characters between two edits that a notebook shows whole.
_LONGEST_PART = 2_000

#: What acts on the terminal or on its neighbours instead of showing itself.
_UNSAFE = frozenset(
    chr(code)
    for first, last in (
        (0x00, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x61C, 0x61C), (0x180E, 0x180E), (0x200B, 0x200F), (0x2028, 0x202E),
        (0x2060, 0x206F), (0xFEFF, 0xFEFF), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F),
    )
    for code in range(first, last + 1)
)  # fmt: skip


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def summary(repaired: Repaired, length: int) -> str:
    """One line about a repair of a text of ``length`` bytes, without text of it."""
    payload = repaired.byte_payload
    kept = "" if payload.stop - payload.start == length else f"bytes {payload.start}..{payload.stop} of {length} kept"
    if repaired.status == "valid":
        line = f"extracted: {kept}, no edits" if kept else "valid, no edits"
    else:
        rules = sorted(Counter(edit.rule for edit in repaired.edits).items(), key=lambda rule: (-rule[1], rule[0]))
        line = f"repaired, {counted(len(repaired.edits), 'edit')} ({', '.join(f'{rule} {count}' for rule, count in rules)})"
        line += f", risk {repaired.risk}" + (f"; {kept}" if kept else "")
    further = len(repaired.report()["further"])
    line += ", truncated" if repaired.is_truncated else ""
    return line + (f"; {counted(further, 'further payload')} left out" if further else "")


def explanation(pipeline: Pipeline, text: str, finish_reason: str | None) -> str:
    """What ``jsonseam repair --explain`` writes about a text, without its colours."""
    data = text.encode()
    try:
        repaired = pipeline.repair(text, finish_reason=finish_reason)
    except RepairError as error:
        return _refused(pipeline, text, error)
    edits = repaired.edits
    marks = [(edit.byte_start, edit.byte_end, f"{edit.rule} ({edit.risk}): {_action(edit)}") for edit in edits[:_MOST_EDITS]]
    lines = [f"<text>: {summary(repaired, len(data))}", *_drawn(data, marks)]
    if len(edits) > _MOST_EDITS:
        lines += ["", f"{counted(len(edits) - _MOST_EDITS, 'edit')} more"]
    if repaired.is_truncated:
        lines += ["", "truncated: the text ends before its JSON does"]
        lines += [f"  incomplete: {_safe(path) or 'the whole value'}" for path in repaired.incomplete]
    return "\n".join(lines)


def _refused(pipeline: Pipeline, text: str, error: RepairError) -> str:
    place = f":{error.lineno}:{error.colno}" if error.byte_pos is not None else ""
    expected = f", expected {error.expected}" if error.expected else ""
    lines = [f"<text>{place}: {_MEANING.split(error.msg)[0]} ({error.reason}){expected}"]
    risks = dict(pipeline.rules)
    readings, doubt, parting = error.details.get("readings", ()), error.details.get("doubt"), error.byte_pos or 0
    for nth, reading in enumerate(readings, 1):
        edits = reading["edits"]
        rules = _listed(list(dict.fromkeys(edit["rule"] for edit in edits))) or f"what no rule writes: {doubt}"
        lines += ["", f"reading {nth}, cost {reading['cost']}: {rules}"]
        marks = [(edit["start"], edit["end"], _offer(edit, risks.get(edit["rule"]))) for edit in edits]
        lines += _drawn(text.encode(), marks or [(parting, parting, "the readings part here")])
    if doubt and all(reading["edits"] for reading in readings):
        because = error.details.get("doubted_by")
        lines += ["", f"doubt: {doubt}" + (f" (line {because['line']} column {because['column']})" if because else "")]
    return "\n".join([*lines, *_help(pipeline, text, error)])


def _listed(rules: list[str]) -> str:
    return " and ".join(part for part in (", ".join(rules[:-1]), *rules[-1:]) if part)


def _offer(edit: dict[str, Any], risk: str | None) -> str:
    return f"{edit['rule']}{f' ({risk})' if risk else ''}: {'inserts' if edit['start'] == edit['end'] else 'replaces'}"


def _help(pipeline: Pipeline, text: str, error: RepairError) -> list[str]:
    """What the error says to do, and the smallest preset that repairs the text: each was tried."""
    lines = [f"  help: {clause}" for clause in error.help]
    for preset in _PRESETS:
        try:
            type(pipeline)._from(pipeline._settings._replace(preset=preset)).repair(text)
        except ValueError:
            continue
        return [*lines, f'  help: the smallest preset that repairs it: preset="{preset}"']
    return lines


def _drawn(data: bytes, marks: Iterable[tuple[int, int, str]]) -> list[str]:
    """The lines of a text, and under each the marks at their places."""
    lines: list[str] = []
    shown = (0, 0)
    for start, end, label in marks:
        excerpt = _excerpt(data, start)
        if excerpt != shown:
            shown = excerpt
            line = data.count(b"\n", 0, shown[0]) + 1
            before = " " if shown[0] == 0 or data[shown[0] - 1 : shown[0]] == b"\n" else "…"
            after = "" if data[shown[1] : shown[1] + 1] in (b"", b"\n") else "…"
            lines += ["", f"{line:>6} |{before}{_visible(_text(data, *shown)).rstrip()}{after}"]
        first = min(max(start, shown[0]), shown[1])
        last = min(max(end, first), shown[1])
        indent = " " * _width(_text(data, shown[0], first))
        carets = "^" * max(_width(_text(data, first, last)), 1)
        lines.append(f"       | {indent}{carets}{'…' if end > shown[1] else ''} {label}")
    return lines


def _excerpt(data: bytes, pos: int) -> tuple[int, int]:
    """The line that holds ``pos``, or a part of it if it is long."""
    far_before, far_after = max(pos - _LONGEST_LINE, 0), min(pos + _LONGEST_LINE, len(data))
    newline, line_end = data.rfind(b"\n", far_before, pos), data.find(b"\n", pos, far_after)
    start = newline + 1 if newline >= 0 else 0 if far_before == 0 else None
    end = line_end if line_end >= 0 else far_after if far_after == len(data) else None
    if start is not None and end is not None and end - start <= _LONGEST_LINE:
        return start, end
    start = max(start or 0, pos - _AROUND)
    end = min(len(data) if end is None else end, pos + _AROUND)
    return _boundary(data, start), _boundary(data, end)


def _boundary(data: bytes, pos: int) -> int:
    """The first start of a character at or after ``pos``."""
    while pos < len(data) and data[pos] & 0xC0 == 0x80:
        pos += 1
    return pos


def _text(data: bytes, start: int, end: int) -> str:
    return data[start:end].decode(errors="replace")


def _action(edit: Edit) -> str:
    if not edit.replacement:
        return "removed"
    verb = "inserted" if edit.start == edit.end else "replaced by"
    more = "…" if len(edit.replacement) > _LONGEST_REPLACEMENT else ""
    return f"{verb} `{_safe(edit.replacement[:_LONGEST_REPLACEMENT])}`{more}"


def _safe(text: str) -> str:
    return "".join(f"\\u{{{ord(char):x}}}" if char in _UNSAFE else char for char in text)


def _visible(text: str) -> str:
    return _safe(text.replace("\t", "    "))


def _width(text: str) -> int:
    """How many columns the visible text takes."""
    return sum(
        0 if unicodedata.category(char) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in _visible(text)
    )


def html(repaired: Repaired) -> str:
    """The payload with its edits, for a notebook."""
    source, origin = repaired.revert(), repaired.payload.start
    parts: list[str] = []
    pos = 0
    for edit in repaired.edits[:_MOST_EDITS]:
        start, end = edit.start - origin, edit.end - origin
        title = f' title="{markup.escape(edit.rule)} ({edit.risk})"'
        parts.append(_part(source[pos:start]))
        if end > start:
            parts.append(f'<del{title} style="background:#fdd;color:#900">{_escaped(source[start:end])}</del>')
        if edit.replacement:
            parts.append(f'<ins{title} style="background:#dfd;color:#060">{_escaped(edit.replacement)}</ins>')
        pos = end
    parts.append(_part(source[pos:]))
    head = markup.escape(summary(repaired, repaired.byte_payload.stop - repaired.byte_payload.start))
    return f'<div><small>{head}</small><pre style="white-space:pre-wrap">{"".join(parts)}</pre></div>'


def _part(text: str) -> str:
    if len(text) <= _LONGEST_PART:
        return _escaped(text)
    half = _LONGEST_PART // 2
    return f"{_escaped(text[:half])}<i> … </i>{_escaped(text[-half:])}"


def _escaped(text: str) -> str:
    return markup.escape("".join(char if char in "\n\t" else _safe(char) for char in text))
