"""Parquet files from the command line: ``python -m jsonseam.arrow repair IN OUT --column completion``, then ``report OUT`` and ``sample OUT``."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from ._files import LostError, contract_of, repair_files
from ._report import as_text, plot, report_of, sample


def main(arguments: list[str] | None = None) -> int:
    """Runs the command; what is wrong goes to standard error in one line."""
    parser = argparse.ArgumentParser(prog="python -m jsonseam.arrow", description="Repairs columns of Parquet files, and reports on them.")
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("repair", help="repairs every file below IN into OUT; called again, it goes on where it was")
    one.add_argument("source", metavar="IN")
    one.add_argument("target", metavar="OUT")
    one.add_argument("--column", required=True, help="the column of completions")
    one.add_argument("--into", default="jsonseam", help="the column for the results")
    one.add_argument("--contract", help="a JSON file with the arguments of jsonseam.Contract")
    one.add_argument("--tools", help="a JSON file with tools, to read calls of")
    one.add_argument("--preset", help="the rules, where there is no contract")
    one.add_argument("--report", action="store_true", help="keeps the whole record of each row")
    one.add_argument("--workers", type=int, help="how many processes work")
    one = commands.add_parser("report", help="counts statuses, reasons, risks and rules")
    one.add_argument("source", metavar="OUT")
    one.add_argument("--before", help="the results of an earlier run: what differs is listed, the largest differences first")
    one.add_argument("--plot", help="a picture of the same, as PNG or SVG")
    one.add_argument("--column", help="the column of results")
    one = commands.add_parser("sample", help="draws rows of one risk, as JSON lines, for people to look at")
    one.add_argument("source", metavar="OUT")
    one.add_argument("--risk", default="guess", choices=("certain", "likely", "guess", "lossy"))
    one.add_argument("--count", type=int, default=20)
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--column", help="the column of results")
    given = parser.parse_args(arguments)
    try:
        return _run(given)
    except (OSError, ValueError, TypeError, LostError) as error:
        print(f"python -m jsonseam.arrow: {error}", file=sys.stderr)
        return 2


def _run(given: argparse.Namespace) -> int:
    if given.command == "repair":
        options = {"preset": given.preset, "report": given.report}
        if given.contract:
            options["contract"] = contract_of(given.contract)
        if given.tools:
            options["tools"] = Path(given.tools).read_text(encoding="utf-8")
        kept = {name: value for name, value in options.items() if value}
        made = repair_files(given.source, given.target, given.column, into=given.into, workers=given.workers, **kept)
        print(f"{made} files made")
    elif given.command == "report":
        before = None if given.before is None else report_of(given.before, given.column)
        found = report_of(given.source, given.column)
        print(as_text(found, before), end="")
        if given.plot:
            plot(found, given.plot, before)
    else:
        rows = sample(given.source, given.risk, given.count, seed=given.seed, column=given.column).to_pylist()
        for row in rows:
            print(json.dumps(row, ensure_ascii=False, default=str))
        if not rows:
            risks = report_of(given.source, given.column).counts["risk"]
            there = ", ".join(f"{name} {count:,}" for name, count in risks.most_common()) or "none"
            print(f"no row has the highest risk {given.risk}; risks of the rows: {there}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
