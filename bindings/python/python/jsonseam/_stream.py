"""Completions that are still being written: what is settled is told at once, and never taken back."""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from . import _native
from ._errors import RepairError
from ._gate import ALLOW, whole
from ._repair import OPTIONS, Edit, Pipeline, Repaired, Text, decoded, pipeline_of
from ._settings import Candidates, Config, Preset, Risk, Root, refuse_unknown

if TYPE_CHECKING:
    from typing_extensions import Never

#: How far a stream has come.
State = Literal["looking", "reading", "waiting", "ended", "refused", "finished"]

#: Why the model stopped, or what says so once the pieces have ended.
FinishReason = str | Callable[[], str | None]


@dataclass(frozen=True)
class PayloadEvent:
    """The JSON starts here.

    Attributes:
        start, byte_start: the place in the completion, in code points and in bytes.
        sign: what says so: ``"bracket"``, ``"fence"`` or ``"prose"``.
    """

    start: int
    byte_start: int
    sign: str
    kind: Literal["payload"] = "payload"


@dataclass(frozen=True)
class BeginEvent:
    """An object or an array begins.

    Attributes:
        path: its JSON Pointer.
        type: which of both it is.
    """

    path: str
    type: Literal["object", "array"]
    kind: Literal["begin"] = "begin"

    def __repr__(self) -> str:
        return f"BeginEvent(type={self.type!r}, depth={self.path.count('/')})"


@dataclass(frozen=True)
class TextEvent:
    """The next piece of a string value, decoded. The pieces of a string join to its value, half a surrogate pair included.

    Attributes:
        path: the JSON Pointer of the string.
        text: the piece.
    """

    path: str
    text: str
    kind: Literal["text"] = "text"

    def __repr__(self) -> str:
        return f"TextEvent(length={len(self.text)}, depth={self.path.count('/')})"


@dataclass(frozen=True)
class DoneEvent:
    """A value is whole and final.

    Attributes:
        path: its JSON Pointer.
        json: the value as JSON, its numbers with every digit.
        start, end, byte_start, byte_end: where it comes from in the completion, in code points and in bytes.
        risk: the highest risk of the edits in it; ``None`` without edits.
    """

    path: str
    json: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    risk: str | None
    kind: Literal["done"] = "done"

    @property
    def value(self) -> Any:
        """The value, as ``json.loads`` gives it. Decoded each time."""
        return decoded(self.json, {})

    def __repr__(self) -> str:
        return f"DoneEvent(start={self.start}, end={self.end}, risk={self.risk!r}, depth={self.path.count('/')})"


@dataclass(frozen=True)
class SeamEvent:
    """An edit was made.

    Attributes:
        rule, risk, start, end, byte_start, byte_end, replacement: as in `jsonseam.Edit`.
    """

    rule: str
    risk: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    replacement: str
    kind: Literal["seam"] = "seam"

    def __repr__(self) -> str:
        return f"SeamEvent(rule={self.rule!r}, risk={self.risk!r}, start={self.start}, end={self.end})"


@dataclass(frozen=True)
class EndEvent:
    """The text has ended: the last event of `stream` and `astream`.

    Attributes:
        repaired: what `jsonseam.repair` gives of the whole text.
    """

    repaired: Repaired
    kind: Literal["end"] = "end"


#: What a stream tells. ``event.kind`` says which it is, for ``if`` as well as for a type checker.
Event = PayloadEvent | BeginEvent | TextEvent | DoneEvent | SeamEvent | EndEvent


@dataclass(frozen=True)
class Snapshot:
    """The value so far, for showing: numbers, literals and keys are in it once they are whole, a string as far as it came.

    Attributes:
        text: valid JSON.
        open: JSON Pointers to what is not whole, the outermost first: containers, and the string that is being written.
    """

    text: str
    open: tuple[str, ...]

    @property
    def value(self) -> Any:
        """The value of the text. Decoded each time."""
        return decoded(self.text, {})

    def __repr__(self) -> str:
        return f"Snapshot(length={len(self.text)}, open={len(self.open)})"


def _event(parts: tuple[Any, ...]) -> Event:
    kind = parts[0]
    if kind == "text":
        return TextEvent(parts[1], parts[2])
    if kind == "spelled":
        return TextEvent(parts[1], decoded(parts[2], {}))
    if kind == "done":
        _, path, text, (start, end, byte_start, byte_end), risk = parts
        return DoneEvent(path, text, start, end, byte_start, byte_end, risk)
    if kind == "begin":
        return BeginEvent(parts[1], parts[2])
    if kind == "seam":
        _, rule, risk, (start, end, byte_start, byte_end), replacement = parts
        return SeamEvent(rule, risk, start, end, byte_start, byte_end, replacement)
    return PayloadEvent(parts[1], parts[2], parts[3])


class Stream:
    """A completion that comes in pieces, repaired as it comes.

    The settings are those of `jsonseam.Pipeline`. With another policy than ``candidates="first"`` the JSON may be a later one,
    so nothing is told before `finish`. It may go from thread to thread; calls at the same time wait for each other.

    >>> stream = Stream()
    >>> for piece in ["{'city': 'Os", "lo', 'tags': ['a', ", "'b',]", "}"]:
    ...     for event in stream.push(piece):
    ...         if event.kind == "done" and event.path:
    ...             print(event.path, event.value)
    /city Oslo
    /tags/0 a
    /tags/1 b
    /tags ['a', 'b']
    >>> stream.finish().text
    '{"city": "Oslo", "tags": ["a", "b"]}'
    """

    __slots__ = ("_engine", "_flow", "_rest", "__weakref__")

    def __init__(
        self,
        preset: Preset | None = None,
        *,
        root: Root | None = None,
        max_risk: Risk | None = None,
        config: Config | None = None,
        candidates: Candidates | None = None,
        **unknown: Never,
    ) -> None:
        refuse_unknown(unknown, [name for name in OPTIONS if name != "finish_reason"])
        self._open(pipeline_of(preset, root, max_risk, config, candidates))

    @classmethod
    def _of(cls, pipeline: Pipeline) -> Stream:
        stream = cls.__new__(cls)
        stream._open(pipeline)
        return stream

    def _open(self, pipeline: Pipeline) -> None:
        self._engine = pipeline._engine
        self._flow = self._engine.stream()
        self._rest: list[Event] = []

    def push(self, piece: Text) -> list[Event]:
        """Takes the next piece, and gives what it settled.

        Bytes may be cut inside a character: what is there of it waits for the rest. Where a piece is refused after it settled something, that is given,
        and the next push raises; `state` is ``"refused"`` at once.

        Raises:
            RepairError: no repair is possible, whatever follows. It comes once, and `finish` repeats it.
            ValueError: `finish` was called.
        """
        if isinstance(piece, (bytearray, memoryview)):
            piece = bytes(piece)
        told = self._flow.push(piece)
        if isinstance(told, _native.Refusal):
            raise self._refused(told)
        return [_event(parts) for parts in told]

    def finish(self, finish_reason: str | None = None) -> Repaired:
        """Ends the text, and gives what `jsonseam.repair` gives of the whole of it. The events that were left are in `rest`.

        Raises:
            RepairError: as `jsonseam.repair` does, and with the reason ``"ambiguous_payload"`` if the whole text has another payload
                than the one that was told of.
        """
        result, rest = self._flow.finish(finish_reason)
        self._rest = [_event(parts) for parts in rest]
        if isinstance(result, _native.Refusal):
            raise self._refused(result)
        return Repaired(result)

    def _refused(self, refusal: _native.Refusal) -> RepairError:
        engine, flow = self._engine, self._flow
        return RepairError._of(refusal, lambda: engine.explain(refusal, flow.text))

    @property
    def rest(self) -> list[Event]:
        """The events that the end of the text settled; of a text that is cut off, they tell of what was closed there, and of one that is refused of what
        waited for more of it."""
        return list(self._rest)

    @property
    def settled(self) -> str:
        """The repaired text so far. It only grows. Each look at it copies it."""
        return self._flow.settled

    @property
    def tail(self) -> str:
        """What came and is not settled, as it came."""
        return self._flow.tail

    @property
    def state(self) -> State:
        """How far it has come.

        ``"looking"`` for the JSON, ``"reading"`` it, ``"waiting"`` for text on which the next decision depends; the JSON has ``"ended"``,
        or is ``"refused"``; ``"finished"`` after `finish`.
        """
        return self._flow.state

    def snapshot(self) -> Snapshot | None:
        """The value so far; ``None`` before one has begun. Each look at it copies it: events cost less."""
        snapshot = self._flow.snapshot()
        return None if snapshot is None else Snapshot(snapshot[0], tuple(snapshot[1]))

    def __repr__(self) -> str:
        return f"Stream(state={self.state!r})"


def _ended(stream: Stream, finish_reason: FinishReason | None, allow_truncated: bool) -> Iterator[Event]:
    reason = finish_reason() if callable(finish_reason) else finish_reason
    try:
        result = stream.finish(reason)
    except RepairError:
        yield from stream._rest
        raise
    repaired = whole(result, stream._flow.text, allow_truncated, ALLOW)
    yield from stream._rest
    yield EndEvent(repaired)


def stream(
    pieces: Iterable[Text],
    *,
    preset: Preset | None = None,
    root: Root | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
    finish_reason: FinishReason | None = None,
    candidates: Candidates | None = None,
    allow_truncated: bool = False,
    **unknown: Never,
) -> Iterator[Event]:
    """The events of a text that comes in pieces; the last one is an `EndEvent` with what `repair` gives of the whole text.

    ``finish_reason`` may be a function that is called when the pieces have ended, since no one knows why a model stopped before.
    A text that is cut off is refused at its end, before anything is told that was only closed there, unless ``allow_truncated`` is set.

    Raises:
        RepairError: as `Stream` does, as soon as nothing that follows can help.

    >>> for event in stream(['{city: "Os', 'lo",}']):
    ...     if event.kind == "text":
    ...         print(event.path, event.text)
    /city Os
    /city lo
    """
    if unknown:
        refuse_unknown(unknown, (*OPTIONS, "allow_truncated"))
    opened = Stream._of(pipeline_of(preset, root, max_risk, config, candidates))

    def events() -> Iterator[Event]:
        for piece in pieces:
            yield from opened.push(piece)
        yield from _ended(opened, finish_reason, allow_truncated)

    return events()


def astream(
    pieces: AsyncIterable[Text],
    *,
    preset: Preset | None = None,
    root: Root | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
    finish_reason: FinishReason | None = None,
    candidates: Candidates | None = None,
    allow_truncated: bool = False,
    **unknown: Never,
) -> AsyncIterator[Event]:
    """Like `stream`, for pieces that come asynchronously."""
    if unknown:
        refuse_unknown(unknown, (*OPTIONS, "allow_truncated"))
    opened = Stream._of(pipeline_of(preset, root, max_risk, config, candidates))

    async def events() -> AsyncIterator[Event]:
        async for piece in pieces:
            for event in opened.push(piece):
                yield event
        for event in _ended(opened, finish_reason, allow_truncated):
            yield event

    return events()
