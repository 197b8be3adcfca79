"""The exceptions: what is wrong, where, and what would help; never text of the completion."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import _native
    from ._contract import Outputs

#: Members of the record that have an attribute of their own.
_NAMED = frozenset({"code", "reason", "offset", "line", "column", "expected", "mended_by", "unanswered", "missing", "extra", "duplicates", "errors"})


class ConfigError(ValueError):
    """A setting that does not exist, or does not fit the others."""


class _Explained:
    """An error that finds out what would have helped when someone asks, and once."""

    _mended_by: tuple[str, ...]
    _unanswered: dict[str, Any] | None
    _help: tuple[str, ...]
    _explain: Callable[[], str | None] | None

    @property
    def mended_by(self) -> tuple[str, ...]:
        """Rules that are off and would have repaired this.

        Found when first asked for, which takes about as long as a repair; until then the error refers to the text, and shows none of it.
        """
        self._ask()
        return self._mended_by

    @property
    def unanswered(self) -> dict[str, Any] | None:
        """Where all known rules together find no way on: ``offset`` in bytes, ``line``, ``column``, ``expected``, and ``why`` if a rule says so.

        Found when first asked for, as `mended_by` is; ``None`` if they repair the fault.
        """
        self._ask()
        return self._unanswered

    @property
    def help(self) -> tuple[str, ...]:
        """What to do, a clause each, as `explain` and the command show it; without text of the completion.

        Found when first asked for, as `mended_by` is. Of outputs that do not fit their schemas it says which casts would make them fit.
        """
        self._ask()
        return self._help

    def _ask(self) -> None:
        if self._explain is None:
            return
        record: dict[str, Any] = json.loads(self._explain() or "{}")
        self._mended_by = tuple(record.get("mended_by", ()))
        self._unanswered = record.get("unanswered")
        self._help = tuple(record.get("help", ()))
        self._explain = None


class RepairError(_Explained, json.JSONDecodeError):
    """The text was refused: it holds no JSON of the wanted kind, or none that can be repaired without guessing.

    It is a ``json.JSONDecodeError``, so code that handles those handles it, with one difference: ``doc`` is empty,
    and neither the message nor ``repr`` holds any text of the completion.

    Attributes:
        reason: a stable name, such as ``"syntax"``, ``"truncated"`` or ``"no_json_object_found"``.
        msg: what is wrong, for people.
        pos, lineno, colno: where, in code points; 0, 1 and 1 if no single place is to blame.
        byte_pos: where, in bytes of the text as UTF-8; ``None`` if no single place is to blame.
        expected: what the grammar expected there; ``None`` if nothing in particular.
        mended_by: rules that are off and would have repaired this; found when first asked for, which takes about as long as a repair.
        unanswered: where all known rules together find no way on, and ``why``; found with ``mended_by``.
        help: what to do, a clause each; found with ``mended_by``.
        is_truncated: whether the text ends before its JSON does.
        is_retryable: whether asking the model again can help.
        details: further members of the record, such as the readings between which nothing decides.
    """

    reason: str
    byte_pos: int | None
    expected: str | None
    is_truncated: bool
    is_retryable: bool
    details: Mapping[str, Any]

    def __init__(
        self,
        reason: str,
        msg: str,
        pos: int | None = None,
        lineno: int = 1,
        colno: int = 1,
        *,
        byte_pos: int | None = None,
        expected: str | None = None,
        mended_by: tuple[str, ...] = (),
        unanswered: dict[str, Any] | None = None,
        help: tuple[str, ...] = (),
        is_retryable: bool = False,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        # Not the constructor of JSONDecodeError, which keeps the document.
        place = "" if pos is None else f": line {lineno} column {colno} (char {pos})"
        ValueError.__init__(self, msg + place)
        self.reason = reason
        self.msg = msg
        self.doc = ""
        self.pos = pos or 0
        self.lineno = lineno
        self.colno = colno
        self.byte_pos = byte_pos
        self.expected = expected
        self._mended_by = mended_by
        self._unanswered = unanswered
        self._help = help
        self._explain = None
        self.is_truncated = reason == "truncated"
        self.is_retryable = is_retryable
        self.details = dict(details or {})
        self._has_place = pos is not None

    def __reduce__(self) -> tuple[Any, ...]:
        options = {
            "byte_pos": self.byte_pos,
            "expected": self.expected,
            "mended_by": self.mended_by,
            "unanswered": self.unanswered,
            "help": self.help,
            "is_retryable": self.is_retryable,
            "details": self.details,
        }
        pos = self.pos if self._has_place else None
        return _repair_error, ((self.reason, self.msg, pos, self.lineno, self.colno), options)

    @classmethod
    def _of(cls, refusal: _native.Refusal, explain: Callable[[], str | None] | None = None) -> RepairError:
        record: dict[str, Any] = json.loads(refusal.record)
        error = cls(
            record["reason"],
            refusal.message,
            refusal.pos,
            record.get("line", 1),
            record.get("column", 1 if refusal.pos is None else refusal.pos + 1),
            byte_pos=record.get("offset"),
            expected=record.get("expected"),
            is_retryable=refusal.is_retryable,
            details={name: value for name, value in record.items() if name not in _NAMED},
        )
        error._explain = explain
        return error


def _repair_error(places: tuple[Any, ...], options: dict[str, Any]) -> RepairError:
    return RepairError(*places, **options)


class ContractError(_Explained, ValueError):
    """The completion does not give the declared outputs, or the contract itself is mistaken.

    Attributes:
        code: ``"output_decode_failed"``, ``"invalid_outputs"``, ``"output_validation_failed"``,
            or of the contract itself ``"schema_refused"`` and ``"contract_refused"``.
        reason: a stable name within the code.
        msg: what is wrong, for people, without text of the completion.
        missing: declared outputs that are not there.
        extra, duplicates: keys that are not declared, or that are there more than once. They are text of the completion.
        violations: what does not fit the schemas, each with ``path``, ``keyword``, ``expected`` and ``message``.
        pos, byte_pos: where it failed to decode, in code points and in bytes; ``None`` if it did.
        mended_by: rules that are off and would have repaired this; found when first asked for, which takes about as long as a repair.
        unanswered: where all known rules together find no way on, and ``why``; found with ``mended_by``.
        help: what to do, a clause each, such as the casts that make the outputs fit; found with ``mended_by``.
        partial: the outputs that fit for themselves; ``None`` if the completion did not decode.
        is_retryable: whether asking the model again can help.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        msg: str,
        *,
        record: Mapping[str, Any] | None = None,
        pos: int | None = None,
        partial: Outputs | None = None,
        is_retryable: bool = False,
    ) -> None:
        super().__init__(msg)
        record = dict(record or {})
        self.code = code
        self.reason = reason
        self.msg = msg
        self.missing: list[str] = record.get("missing", [])
        self.extra: list[str] = record.get("extra", [])
        self.duplicates: list[str] = record.get("duplicates", [])
        self.violations: list[dict[str, Any]] = record.get("errors", [])
        self._mended_by = tuple(record.get("mended_by", ()))
        self._unanswered = record.get("unanswered")
        self._help = tuple(record.get("help", ()))
        self._explain = None
        self.pos = pos
        self.byte_pos: int | None = record.get("offset")
        self.is_truncated = reason == "truncated"
        self.is_retryable = is_retryable
        self.partial = partial
        self._record = record

    def __reduce__(self) -> tuple[Any, ...]:
        record = {**self._record, "mended_by": self.mended_by, "unanswered": self.unanswered, "help": self.help}
        options = {"record": record, "pos": self.pos, "partial": self.partial, "is_retryable": self.is_retryable}
        return _contract_error, ((self.code, self.reason, self.msg), options)


def _contract_error(places: tuple[str, str, str], options: dict[str, Any]) -> ContractError:
    return ContractError(*places, **options)


class CallsError(ValueError):
    """The tool calls of a completion cannot be read, or must not be run.

    Neither the message nor ``repr`` holds text of the completion; ``edits`` and ``calls`` do.

    Attributes:
        code: ``"tool_calls_refused"``; ``"output_validation_failed"`` if arguments do not fit the schemas of their tools;
            ``"output_decode_failed"`` if the completion is no text.
        reason: a stable name within the code, such as ``"not_offered"`` or ``"truncated"``.
        msg: what is wrong, for people.
        pos, byte_pos: where, in code points and in bytes; ``None`` if no single place is to blame.
        lineno, colno: the same as line and column, from 1.
        format: the format whose mark is there.
        edits: the edits whose risk is too high, if that is the reason.
        calls: the calls with their ``errors``, if arguments do not fit.
        is_retryable: whether asking the model again can help.
    """

    def __init__(self, answer: Mapping[str, Any], pos: int | None = None) -> None:
        unfit = answer.get("unfit")
        error: Mapping[str, Any] = answer.get("error") or {"code": "output_validation_failed", "reason": "schema"}
        msg = answer.get("message", "the arguments of a call do not fit the schema of its tool")
        super().__init__(msg)
        self.code: str = error["code"]
        self.reason: str = error["reason"]
        self.msg: str = msg
        self.pos = pos
        self.byte_pos: int | None = error.get("offset")
        self.lineno: int | None = error.get("line")
        self.colno: int | None = error.get("column")
        self.format: str | None = error.get("format")
        self.edits: list[dict[str, Any]] = answer.get("edits", [])
        self.calls: list[dict[str, Any]] = unfit["calls"] if unfit else []
        self.is_truncated = self.reason == "truncated"
        self.is_retryable: bool = answer.get("retryable", True)
        self._answer = answer

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._answer, self.pos)

    @classmethod
    def _of(cls, answer: Mapping[str, Any], chars: Callable[[int], int]) -> CallsError:
        byte = (answer.get("error") or {}).get("offset")
        return cls(answer, None if byte is None else chars(byte))


class HistoryError(ValueError):
    """What should be healed is no list of messages, nor a request that has one."""
