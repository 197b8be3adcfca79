"""The contract: declared outputs go in once, completions give exactly those or one error."""

from __future__ import annotations

import codecs
import functools
import json
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from ._errors import ConfigError, ContractError
from ._repair import OPTIONS, Repaired, Text, decoded
from ._settings import Candidates, Config, Preset, Risk, Root, Settings, refuse_unknown, settings

if TYPE_CHECKING:
    from typing_extensions import Never

#: A JSON Schema: as a mapping or boolean, as JSON text, or a pydantic model or ``TypeAdapter``.
Schema = Mapping[str, Any] | bool | str | Any


#: The names of casts; ``"exact"`` means the first four.
CastName = Literal[
    "exact",
    "string-to-number",
    "string-to-boolean",
    "string-to-json",
    "integral-float",
    "enum-case",
    "to-list",
    "from-list",
    "trim",
    "number-format",
    "currency",
    "percent",
    "yes-no",
    "null-spelling",
    "to-string",
    "key-case",
    "envelope",
]


@dataclass(frozen=True)
class DroppedItem:
    """An item of an array that is not in the outputs.

    Attributes:
        path: its JSON Pointer, from the root of the outputs, where the answer had it.
        index: which item of its array it was, from 0.
        reason: ``"incomplete"``: the answer was cut off within it; ``"schema"``: it does not fit.
        message: what is wrong with it, without text of the answer.
        errors: all that does not fit, as in the record of a refusal.
    """

    path: str
    index: int
    reason: Literal["incomplete", "schema"]
    message: str
    errors: tuple[Mapping[str, Any], ...] = ()

    def __repr__(self) -> str:
        # The path may hold names of the completion.
        return f"DroppedItem(index={self.index}, reason={self.reason!r}, message={self.message!r})"


class Outputs(Mapping[str, Any]):
    """The declared outputs of one completion, in declared order.

    A mapping from names to values, each decoded from its own text when it is asked for. ``repr`` shows figures and no text.
    """

    __slots__ = ("_fields", "_json", "_casts", "_record", "_repair", "_model", "is_partial")

    #: Whether these are the outputs that were left of a completion that was refused.
    is_partial: bool

    def __init__(
        self,
        fields: list[tuple[str, str]],
        whole: str,
        casts: list[tuple[str, str]],
        is_partial: bool,
        repair: Repaired,
        record: _native.Parsed | str,
        model: Any = None,
    ) -> None:
        self._fields = dict(fields)
        self._json = whole
        self._casts = casts
        self.is_partial = is_partial
        self._repair = repair
        self._record = record
        self._model = model

    @classmethod
    def _of(cls, parsed: _native.Parsed, model: Any) -> Outputs:
        repair = Repaired(parsed.repair)
        return cls(parsed.fields, parsed.json, parsed.casts, parsed.is_partial, repair, parsed, model)

    def __getitem__(self, name: str) -> Any:
        return decoded(self._fields[name], {})

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def text(self, name: str) -> str | None:
        """The JSON text of an output, with the digits and escapes that it was checked with; ``None`` if it is not there."""
        return self._fields.get(name)

    def to_json(self) -> str:
        """All outputs as one JSON text."""
        return self._json

    @property
    def value(self) -> Any:
        """All outputs as one value: a ``dict``, or the value itself where the root is no object."""
        return decoded(self._json, {})

    @property
    def model(self) -> Any:
        """The instance of the pydantic model that was given as ``whole``; pydantic's own checks run here."""
        if self._model is None:
            raise ConfigError("the contract has no pydantic model; give one as `whole`")
        return self._model.model_validate_json(self._json)

    @property
    def repair(self) -> Repaired:
        """The repair: the text, every edit, the risk, whether it was cut off."""
        return self._repair

    @property
    def casts(self) -> list[tuple[str, str]]:
        """Path and kind of each cast, such as ``("/score", "string_to_number")``; the contract must allow them."""
        return list(self._casts)

    @property
    def dropped(self) -> list[DroppedItem]:
        """The items that are not in the outputs, by ``incomplete`` and ``items`` of the contract."""
        return [
            DroppedItem(item["path"], item["index"], item["reason"], item["message"], tuple(item.get("errors", ())))
            for item in self.report().get("dropped", ())
        ]

    def report(self) -> dict[str, Any]:
        """The record of the repair and of its outputs, as ``jsonseam batch`` writes it."""
        text = self._record if isinstance(self._record, str) else self._record.record()
        record: dict[str, Any] = json.loads(text)
        return record

    def __repr__(self) -> str:
        # Names are not shown: without declared keys they are text of the completion.
        return f"Outputs(fields={len(self._fields)}, length={len(self._json)}, is_partial={self.is_partial})"

    def __reduce__(self) -> tuple[Any, ...]:
        record = self._record if isinstance(self._record, str) else self._record.record()
        fields = list(self._fields.items())
        return Outputs, (fields, self._json, self._casts, self.is_partial, self._repair, record, self._model)


@dataclass(frozen=True)
class StartedEvent:
    """An output begins.

    Attributes:
        name: the output.
    """

    name: str
    kind: Literal["started"] = "started"


@dataclass(frozen=True)
class PieceEvent:
    """The next piece of an output that is a string, decoded. The pieces join to its value.

    Attributes:
        name: the output.
        text: the piece.
    """

    name: str
    text: str
    kind: Literal["piece"] = "piece"

    def __repr__(self) -> str:
        return f"PieceEvent(length={len(self.text)})"


@dataclass(frozen=True)
class ElementEvent:
    """An element of an output that is an array is whole. The schema of the output judges it with the field.

    Attributes:
        name: the output.
        index: which element, from 0.
        json: the element as JSON.
    """

    name: str
    index: int
    json: str
    kind: Literal["element"] = "element"

    @property
    def value(self) -> Any:
        """The element, as ``json.loads`` gives it. Decoded each time."""
        return decoded(self.json, {})

    def __repr__(self) -> str:
        return f"ElementEvent(index={self.index}, length={len(self.json)})"


@dataclass(frozen=True)
class FieldEvent:
    """An output is whole, and fits its schema.

    Attributes:
        name: the output.
        json: the output as JSON, casts included.
    """

    name: str
    json: str
    kind: Literal["field"] = "field"

    @property
    def value(self) -> Any:
        """The output, as ``json.loads`` gives it. Decoded each time."""
        return decoded(self.json, {})

    def __repr__(self) -> str:
        return f"FieldEvent(length={len(self.json)})"


@dataclass(frozen=True)
class OutputsEvent:
    """The text has ended: the last event of `Contract.stream`.

    Attributes:
        outputs: what `Contract.parse` gives of the whole text.
    """

    outputs: Outputs
    kind: Literal["outputs"] = "outputs"


#: What a stream of outputs tells. ``event.kind`` says which it is.
ContractEvent = StartedEvent | PieceEvent | ElementEvent | FieldEvent | OutputsEvent

_EVENTS: dict[str, Callable[..., ContractEvent]] = {
    "started": StartedEvent,
    "text": PieceEvent,
    "spelled": lambda name, text: PieceEvent(name, decoded(text, {})),
    "element": ElementEvent,
    "field": FieldEvent,
}


class Contract:
    """The outputs that a caller wants. It is compiled once, can be shared between threads, and pickled.

    Args:
        keys: names of outputs that must be there.
        optional: names of outputs that may be absent.
        schemas: a JSON Schema for each of some outputs; a name that is not declared becomes a required output.
        whole: a JSON Schema for the whole value, or a pydantic model.
        allow_truncated: takes answers that were cut off. Never allow it where an output causes something to be done.
        incomplete: what is done with answers that were cut off: ``"refuse"``; ``"keep"`` is ``allow_truncated``; ``"drop"`` takes them without
            the element of the innermost array at the cut, ``"drop-outer"`` without that of the outermost one. `Outputs.dropped` has it.
        items: ``"fitting"`` takes the items of an array that fit; `Outputs.dropped` has the others. ``"all"`` refuses the answer.
        coerce: a value that a schema rejects may be spelled as the kind it wants, where that loses nothing: ``"42"`` as 42; or the names of casts.
        defaults: absent properties get the ``default`` that a schema states.
        duplicates: ``"refuse"``, or ``"last"``: of a repeated key the last one counts.

    The other arguments are those of `Pipeline`. With outputs the root is an object.

    >>> contract = Contract(["city"], schemas={"population": {"type": "integer"}})
    >>> outputs = contract.parse("Sure: {city: 'Oslo', population: 717710}")
    >>> outputs["population"]
    717710
    """

    __slots__ = ("_declared", "_settings", "_judge", "_model", "__weakref__")

    def __init__(
        self,
        keys: Iterable[str] = (),
        *,
        optional: Iterable[str] = (),
        schemas: Mapping[str, Schema] | None = None,
        whole: Schema | None = None,
        allow_truncated: bool = False,
        incomplete: Literal["refuse", "keep", "drop", "drop-outer"] | None = None,
        items: Literal["all", "fitting"] = "all",
        coerce: bool | Iterable[CastName] = False,
        defaults: bool = False,
        duplicates: Literal["refuse", "last"] = "refuse",
        preset: Preset | None = None,
        root: Root | None = None,
        max_risk: Risk | None = None,
        config: Config | None = None,
        candidates: Candidates | None = None,
        **unknown: Never,
    ) -> None:
        if unknown:
            own = ("optional", "schemas", "whole", "allow_truncated", "incomplete", "items", "coerce", "defaults", "duplicates")
            refuse_unknown(unknown, (*own, *(name for name in OPTIONS if name != "finish_reason")))
        if isinstance(keys, str) or isinstance(optional, str):
            raise TypeError("keys and optional are lists of names, not one str")
        if isinstance(coerce, str):
            raise TypeError("coerce is True, False or a list of names, not one str")
        if incomplete is not None and allow_truncated:
            raise ConfigError("allow_truncated and incomplete say the same: give one of them")
        declared = {
            "keys": list(keys),
            "optional": list(optional),
            "schemas": [(name, schema_text(schema)) for name, schema in (schemas or {}).items()],
            "whole": None if whole is None else schema_text(whole),
            "incomplete": incomplete or ("keep" if allow_truncated else "refuse"),
            "items": items,
            "coerce": (["exact"] if coerce else []) if isinstance(coerce, (bool, int)) else list(coerce),
            "defaults": bool(defaults),
            "duplicates": duplicates,
        }
        model = whole if hasattr(whole, "model_validate_json") else None
        self._set(declared, settings(preset, root, max_risk, config, candidates), model)

    def _set(self, declared: dict[str, Any], wanted: Settings, model: Any) -> None:
        self._declared = declared
        self._settings = wanted
        self._model = model
        try:
            self._judge = _native.Judge(declared, wanted._asdict())
            return
        except ValueError as error:
            arguments = error.args
        if len(arguments) == 2 and arguments[0] != "config":
            raise ContractError(arguments[0], arguments[0], arguments[1])
        raise ConfigError(str(arguments[-1]))

    @property
    def keys(self) -> list[str]:
        """The names of the required outputs that were declared by name."""
        return list(self._declared["keys"])

    def parse(self, text: Text, *, finish_reason: str | None = None) -> Outputs:
        """The outputs of a completion. Raises `ContractError` if it does not give them all, and fitting."""
        if isinstance(text, (bytearray, memoryview)):
            text = bytes(text)
        result = self._judge.parse(text, finish_reason)
        if isinstance(result, _native.Parsed):
            return Outputs._of(result, self._model)
        raise self._unmet(result, text)

    def stream(
        self, pieces: Iterable[Text], *, finish_reason: str | Callable[[], str | None] | None = None
    ) -> Iterator[ContractEvent]:
        """The outputs of a completion that comes in pieces: each when it is whole and fits, strings and elements as they come.

        The last event is an `OutputsEvent` with what `parse` gives of the whole text, under the policy ``candidates="first"`` unless the
        contract names another one; then nothing is told before the end. A text whose payload is not where its first sign was is refused.
        ``finish_reason`` may be a function that is called when the pieces have ended.

        Raises:
            ContractError: as `parse` does, as soon as nothing that follows can help. Act on outputs after the last event.

        >>> contract = Contract(["city"], schemas={"days": {"type": "array"}})
        >>> for event in contract.stream(['{"city": "Os', 'lo", "days": [1, ', "2,]}"]):
        ...     if event.kind == "field":
        ...         print(event.name, event.value)
        city Oslo
        days [1, 2]
        """
        opened = _Opened(self)

        def events() -> Iterator[ContractEvent]:
            for piece in pieces:
                yield from opened.push(piece)
            yield from opened.finish(finish_reason)

        return events()

    def astream(
        self, pieces: AsyncIterable[Text], *, finish_reason: str | Callable[[], str | None] | None = None
    ) -> AsyncIterator[ContractEvent]:
        """Like `stream`, for pieces that come asynchronously."""
        opened = _Opened(self)

        async def events() -> AsyncIterator[ContractEvent]:
            async for piece in pieces:
                for event in opened.push(piece):
                    yield event
            for event in opened.finish(finish_reason):
                yield event

        return events()

    def _unmet(self, result: _native.Unmet, text: str | bytes) -> ContractError:
        record = json.loads(result.record)
        partial = None if result.partial is None else Outputs._of(result.partial, None)
        error = ContractError(
            record["code"],
            record["reason"],
            result.message,
            record=record,
            pos=result.pos,
            partial=partial,
            is_retryable=result.is_retryable,
        )
        error._explain = lambda: self._judge.explain(result, text)
        return error

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Contract):
            return NotImplemented
        return (self._declared, self._settings, self._model) == (other._declared, other._settings, other._model)

    def __hash__(self) -> int:
        return hash((json.dumps(self._declared), self._settings))

    def __repr__(self) -> str:
        declared = self._declared
        parts = [f"{name}={declared[name]!r}" for name in ("keys", "optional") if declared[name]]
        if declared["schemas"]:
            parts.append(f"schemas=[{', '.join(name for name, _ in declared['schemas'])}]")
        if declared["whole"] is not None:
            parts.append("whole=...")
        return f"Contract({', '.join(parts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _contract, (self._declared, tuple(self._settings), self._model)


class _Opened:
    """A stream of outputs."""

    def __init__(self, contract: Contract) -> None:
        self._contract = contract
        self._fields = contract._judge.stream()
        self._decode = codecs.getincrementaldecoder("utf-8")()
        self._texts: list[str] = []

    def push(self, piece: Text) -> Iterator[ContractEvent]:
        if isinstance(piece, str):
            text = self._decoded(b"", piece != "") + piece
        else:
            text = self._decoded(bytes(piece), False)
        self._texts.append(text)
        try:
            told, unmet = self._fields.push(text)
        except UnicodeEncodeError:
            raise self._no_text() from None
        yield from (_EVENTS[kind](*parts) for kind, *parts in told)
        if unmet is not None:
            raise self._contract._unmet(unmet, "".join(self._texts))

    def finish(self, finish_reason: str | Callable[[], str | None] | None) -> Iterator[ContractEvent]:
        self._decoded(b"", True)
        told, result = self._fields.finish(finish_reason() if callable(finish_reason) else finish_reason)
        if not isinstance(result, _native.Parsed):
            raise self._contract._unmet(result, "".join(self._texts))
        yield from (_EVENTS[kind](*parts) for kind, *parts in told)
        yield OutputsEvent(Outputs._of(result, self._contract._model))

    def _decoded(self, piece: bytes, final: bool) -> str:
        try:
            return self._decode.decode(piece, final)
        except UnicodeDecodeError:
            raise self._no_text() from None

    def _no_text(self) -> ContractError:
        pos = sum(map(len, self._texts))
        return ContractError("output_decode_failed", "invalid_utf8", "the completion is not valid Unicode text", pos=pos)


def _contract(declared: dict[str, Any], parts: tuple[Any, ...], model: Any) -> Contract:
    return _cached(json.dumps(declared), Settings(*parts), model)


@functools.lru_cache(maxsize=64)
def _cached(declared: str, wanted: Settings, model: Any) -> Contract:
    """The contract, compiled once in each process, however often it arrives."""
    contract = Contract.__new__(Contract)
    parts = json.loads(declared)
    parts["schemas"] = [tuple(pair) for pair in parts["schemas"]]
    contract._set(parts, wanted, model)
    return contract


def schema_text(schema: Schema) -> str:
    """A JSON Schema as text."""
    if isinstance(schema, str):
        return schema
    if hasattr(schema, "model_json_schema"):
        schema = schema.model_json_schema()
    elif hasattr(schema, "json_schema") and callable(schema.json_schema):
        schema = schema.json_schema()
    if not isinstance(schema, (bool, Mapping)):
        raise TypeError(f"a schema is a mapping, a bool, JSON text or a pydantic model, not {type(schema).__name__}")
    return json.dumps(schema)
