"""The gate in front of every function that gives a bare value, text or model.

Such a result has no place for a mark: it cannot say that it is half of an answer, nor that there was another one beside it.
What only a mark would tell is therefore a refusal here, a `RepairError` with its reason, unless the caller allows it.
Results that carry the mark themselves, `Repaired` and the rows of `jsonseam.arrow`, need no gate; a `Contract` has its own.

- `whole` is for our own functions and the hooks of frameworks: an answer that was cut off is refused.
- `DropIn` is for functions with the signatures of other libraries, whose callers look at nothing but the value.
  What it need not look at, ``Engine.plain`` says.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ._errors import ConfigError, RepairError

if TYPE_CHECKING:
    from collections.abc import Callable

    from ._repair import Pipeline, Repaired, Text
    from ._settings import Candidates

#: What the functions of this package say beside a refusal; a model that reads the message gets no such hint.
ALLOW = "; `allow_truncated=True` takes what there is"

#: Edits of these risks choose among readings, or drop and invent characters.
_DOUBTFUL = ("guess", "lossy")

#: What is no bracket, quote, comma, colon or white space.
_CONTENT = re.compile(r"""[^\s{}\[\],:"']""")

#: What may be between two values of which one follows the other.
_BETWEEN = " \t\r\n,"


def whole(repaired: Repaired, text: Text, allow_truncated: bool = False, hint: str = "") -> Repaired:
    """The result, unless the answer was cut off: that is refused as ``truncated`` (SPEC B3)."""
    if repaired.is_truncated and not allow_truncated:
        raise _refused("truncated", "the answer ends before it is complete" + hint, text, repaired)
    return repaired


def whole_text(
    pipeline: Pipeline, text: Text, finish_reason: str | None = None, allow_truncated: bool = False
) -> tuple[str, Repaired]:
    """The repaired text of a whole answer, and its repair."""
    repaired = whole(pipeline.repair(text, finish_reason=finish_reason), text, allow_truncated)
    return repaired.text, repaired


@dataclass(frozen=True)
class DropIn:
    """What a function with the signature of another library gives back, and what it refuses.

    Attributes:
        allow_truncated: ``None`` takes a text that is cut off where brackets and one quote close it, and refuses it where an edit
            is a guess or loses something; ``True`` takes that too, ``False`` refuses every text that is cut off.
        candidates: which of several payloads is taken; ``None`` refuses a text with several values.
        allow_empty: takes ``{}``, ``[]`` and ``""`` where an edit dropped all that there was.
    """

    allow_truncated: bool | None = None
    candidates: Candidates | None = None
    allow_empty: bool = False

    def __post_init__(self) -> None:
        if self.allow_truncated not in (None, True, False):
            raise ConfigError("allow_truncated is True, False or None")

    @property
    def wants_one(self) -> bool:
        """Whether a text with several values is refused."""
        return self.candidates in (None, "only")

    def refusal(
        self, text: str | bytes, repaired: Repaired, again: Callable[[bytes], Repaired], is_prefix: bool = False
    ) -> RepairError | None:
        """Why the result is not given back.

        ``again`` repairs a further payload by itself, to compare its value. A prefix of a text that goes on is cut off and may be empty.
        """
        refusal = None if is_prefix else self._loss(text, repaired)
        if refusal is None and self.wants_one:
            refusal = _other_values(text, repaired, again)
        return refusal

    def _loss(self, text: str | bytes, repaired: Repaired) -> RepairError | None:
        is_doubtful = repaired.risk in _DOUBTFUL
        is_empty = repaired.status == "repaired" and _is_empty(repaired.text)
        if repaired.is_truncated:
            if self.allow_truncated is False or (not self.allow_truncated and (is_doubtful or is_empty)):
                return _refused("truncated", "the answer ends before it is complete" + ALLOW, text, repaired)
        elif is_empty and is_doubtful and not self.allow_empty and _CONTENT.search(repaired.revert()):
            message = "nothing of the answer is left; `allow_empty=True` takes the empty value"
            return _refused("empty_answer", message, text, repaired)
        return None


def _other_values(text: str | bytes, repaired: Repaired, again: Callable[[bytes], Repaired]) -> RepairError | None:
    """The refusal of a text with several values. Values that are equal are one (SPEC B4)."""
    further = repaired.report()["further"] if repaired._report.has_further else []
    data = text.encode() if isinstance(text, str) and further else text
    own = _spelled(repaired.value) if further else ""
    is_several = any(_value(data[span["start"] : span["end"]], again) != own for span in further)
    if not further:
        # What follows at once and is beyond repair, or no payload for another reason, is a value that was meant all the same.
        shown = text if isinstance(text, str) else text.decode(errors="replace")
        is_several = shown[repaired.payload.stop :].lstrip(_BETWEEN).startswith(("{", "["))
    if not is_several:
        return None
    payload = repaired.byte_payload
    spans = sorted([{"start": payload.start, "end": payload.stop}, *further], key=lambda span: span["start"])
    message = 'the text holds several values; `candidates="first"` takes the first'
    return _refused("ambiguous_payload", message, text, repaired, candidates=spans)


def _is_empty(text: str) -> bool:
    """Whether a JSON text is ``{}``, ``[]`` or ``""``."""
    text = text.strip()
    inner = text[1:-1]
    return inner == "" if text.startswith('"') else text[:1] in ("{", "[") and not inner.strip()


def _value(text: Any, again: Callable[[bytes], Repaired]) -> str | None:
    try:
        return _spelled(again(text).value)
    except RepairError:
        return None


def _spelled(value: Any) -> str:
    """A value as text, so that 1, 1.0 and True are three."""
    return json.dumps(value, sort_keys=True)


def _refused(reason: str, message: str, text: Text, repaired: Repaired, **details: Any) -> RepairError:
    """The refusal, with the end of the payload as its place."""
    data = text.encode() if isinstance(text, str) else bytes(text)
    end = repaired.byte_payload.stop
    before = data[:end].decode()
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    retryable = reason != "truncated"
    return RepairError(
        reason, message, len(before), line, column, byte_pos=end, is_retryable=retryable, details=details
    )
