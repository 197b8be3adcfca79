"""Compares `jsonseam.compat.json_repair` with the calls of json_repair's own tests, and writes the table of docs/from-json-repair.md.

The calls are read from `$JSONSEAM_DATA/peers/json_repair.jsonl` and are no part of this project: what is kept of each is a hash,
the verdict, and, for a difference, the class that a reviewer gave it (`agreement.json` beside this file).

A call that got worse (from `same` to anything, from `refused` to `differs`) fails the run, and so does a difference without a class;
`--bless` keeps the new verdicts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from jsonseam import RepairError
from jsonseam.compat import json_repair as compat

HERE = Path(__file__).resolve().parent
TABLE = HERE / "agreement.json"
PAGE = HERE.parents[2] / "docs" / "from-json-repair.md"
BEGIN, END = "<!-- begin of the generated part: cargo xtask python --agreement -->", "<!-- end of the generated part -->"
PRESETS = ("strict", "standard", "lenient")
#: What compat uses without settings, which the reviewed table is about.
DEFAULT = "lenient"
#: Same or refused, of the broken calls.
WANTED = 0.90
RANK = {"same": 0, "refused": 1, "differs": 2}

#: The classes of differences, with the argument for each.
CLASSES: dict[str, str] = json.loads((HERE / "classes.json").read_text())


def plain_calls(path: Path) -> dict[str, Any]:
    """Distinct texts of the calls without schema, strictness, log and stream, with the value that json_repair gave."""
    texts: dict[str, Any] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        call = json.loads(line)
        options = call["kw"]
        if any(options.get(name) for name in ("schema", "strict", "logging", "stream_stable")) or call["error"] is not None:
            continue
        result = call["result"]
        if not options.get("return_objects") and isinstance(result, str) and result != "":
            result = json.loads(result)
        texts.setdefault(call["input"], result)
    return texts


def is_valid(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def spelled(value: Any) -> str:
    """A value as text, so that 1, 1.0 and True are three."""
    return json.dumps(value, sort_keys=True)


def verdict(ours: Any, theirs: Any) -> str:
    if spelled(ours) == spelled(theirs):
        return "same"
    return "refused" if ours == "" else "differs"


def trimmed(value: Any, joins_missing: bool = False) -> Any:
    """A value without white space at the ends of its strings; null and "" are one if `joins_missing`."""
    if isinstance(value, dict):
        return {key.rstrip(): trimmed(item, joins_missing) for key, item in value.items()}
    if isinstance(value, list):
        return [trimmed(item, joins_missing) for item in value]
    value = value.rstrip() if isinstance(value, str) else value
    return None if joins_missing and value == "" else value


def plain_class(ours: Any, theirs: Any) -> str:
    """The class of a difference that can be told from the values alone."""
    if spelled(trimmed(ours)) == spelled(trimmed(theirs)):
        return "white space at the end of a string"
    is_missing = spelled(trimmed(ours, True)) == spelled(trimmed(theirs, True))
    return "a value that is missing" if is_missing else ""


def reason_of(text: str, preset: str) -> str:
    """Why we refuse a text."""
    try:
        compat.bound(preset=preset, on_refusal="raise").loads(text)
    except RepairError as error:
        return error.reason
    return ""


def measured(texts: dict[str, Any], preset: str, **settings: Any) -> dict[str, str]:
    functions = compat.bound(preset=preset, **settings)
    return {text: verdict(functions.loads(text), theirs) for text, theirs in texts.items()}


def digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def page(texts: dict[str, Any], verdicts: dict[str, dict[str, str]], table: dict[str, Any]) -> str:
    valid = sum(map(is_valid, texts))
    broken = [text for text in texts if not is_valid(text)]
    lines = [
        BEGIN,
        "",
        f"Run over {len(texts)} distinct texts of json_repair {table['json_repair']}'s own tests, {valid} of them valid and {len(broken)} broken.",
        "",
        "| preset | valid: same | broken: same | broken: refused by us | broken: another answer | same or refused, of the broken |",
        "|---|---|---|---|---|---|",
    ]
    for preset, of in verdicts.items():
        counts = Counter(of[text] for text in broken)
        kept = (counts["same"] + counts["refused"]) / len(broken)
        same_valid = sum(of[text] == "same" for text in texts if is_valid(text))
        cells = [preset, same_valid, counts["same"], counts["refused"], counts["differs"], f"{100 * kept:.1f} %"]
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    lines += ["", f"Refusals with the preset `{DEFAULT}`, by reason:", "", "| reason | texts |", "|---|---|"]
    reasons = Counter(reason_of(text, DEFAULT) for text in broken if verdicts[DEFAULT][text] == "refused")
    lines += [f"| `{reason}` | {count} |" for reason, count in reasons.most_common()]
    lines += ["", f"Other answers with the preset `{DEFAULT}`, by class:", "", "| class | texts | why |", "|---|---|---|"]
    classes = Counter(table["rows"][digest(text)][1] for text in broken if verdicts[DEFAULT][text] == "differs")
    lines += [f"| {name} | {count} | {CLASSES.get(name, 'not yet reviewed')} |" for name, count in classes.most_common()]
    return "\n".join([*lines, "", END])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bless", action="store_true")
    parser.add_argument("--show", action="store_true", help="prints the texts that differ, for a reviewer")
    arguments = parser.parse_args()
    folder = os.environ.get("JSONSEAM_DATA")
    if not folder:
        print("NOT RUN: JSONSEAM_DATA names no folder with peers/json_repair.jsonl")
        return 1
    texts = plain_calls(Path(folder) / "peers" / "json_repair.jsonl")
    verdicts = {preset: measured(texts, preset) for preset in PRESETS}
    verdicts[f"{DEFAULT}, with `strips=False`"] = measured(texts, DEFAULT, strips=False)
    known = json.loads(TABLE.read_text()) if TABLE.exists() else {"json_repair": "0.64.6", "rows": {}}
    rows, worse, unnamed = {}, 0, 0
    functions = compat.bound(preset=DEFAULT)
    for text, found in verdicts[DEFAULT].items():
        key = digest(text)
        before, name = known["rows"].get(key, ["differs", ""])
        ours = functions.loads(text) if found == "differs" else None
        # A reviewer's class stays known while a text is refused, for the day on which it is answered again.
        name = plain_class(ours, texts[text]) or name if found == "differs" else name
        worse += RANK[found] > RANK[before]
        unnamed += found == "differs" and name not in CLASSES
        rows[key] = [found, name]
        if arguments.show and found == "differs":
            print(f"{key} {name or '?'}\n  text   {text!r}\n  theirs {texts[text]!r}\n  ours   {ours!r}")
    table = {"json_repair": known["json_repair"], "rows": dict(sorted(rows.items()))}
    broken = [text for text in texts if not is_valid(text)]
    kept = sum(verdicts[DEFAULT][text] != "differs" for text in broken) / len(broken)
    print(f"agreement: {100 * kept:.1f} % same or refused of {len(broken)} broken texts; {worse} worse than before; {unnamed} differences without a class")
    if arguments.show:
        return 0
    if (worse or unnamed) and not arguments.bless:
        return 1
    TABLE.write_text(json.dumps(table, indent=1) + "\n")
    words = PAGE.read_text(encoding="utf-8")
    before, _, rest = words.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(before + page(texts, verdicts, table) + after, encoding="utf-8")
    return 0 if kept >= WANTED or arguments.bless else 1


if __name__ == "__main__":
    sys.exit(main())
