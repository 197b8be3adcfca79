"""What an answer that is still being written shows, for frameworks that show values."""

from __future__ import annotations

from typing import Any

from ._errors import RepairError
from ._repair import Pipeline
from ._stream import Event, Stream


class Growing:
    """The value so far, out of events. What is whole in it is shared by all values that it gives, what is open is copied for each."""

    __slots__ = ("_open", "_string", "_root", "has_begun")

    def __init__(self) -> None:
        #: The open containers, each with its key or index in the one before.
        self._open: list[tuple[Any, Any]] = []
        #: The path of the string that is being written.
        self._string: str | None = None
        self._root: Any = None
        self.has_begun = False

    def take(self, event: Event) -> bool:
        """Takes one event; says whether it may have made another value."""
        if event.kind == "begin":
            made: Any = {} if event.type == "object" else []
            self._open.append((made, self._put(event.path, made)))
        elif event.kind == "text":
            self._put(event.path, event.text, event.path == self._string)
            self._string = event.path
        elif event.kind == "done":
            if event.json[0] in "{[":
                self._open.pop()
                return False
            if event.path == self._string:
                # Its pieces are there.
                self._string = None
                return False
            self._put(event.path, event.value)
        else:
            return False
        return True

    def _put(self, path: str, value: Any, goes_on: bool = False) -> Any:
        """Puts a value, or the next piece of a string, where it belongs, and gives its key or index there."""
        self.has_begun = True
        if not self._open:
            self._root = self._root + value if goes_on else value
            return None
        parent, _ = self._open[-1]
        if isinstance(parent, list):
            if goes_on:
                parent[-1] += value
            else:
                parent.append(value)
            return len(parent) - 1
        key = self._key(path)
        parent[key] = parent[key] + value if goes_on else value
        return key

    @staticmethod
    def _key(path: str) -> str:
        return path[path.rindex("/") + 1 :].replace("~1", "/").replace("~0", "~")

    @property
    def value(self) -> Any:
        """The value so far."""
        if not self._open:
            return self._root
        inner, key = None, None
        for container, own in reversed(self._open):
            copy = container.copy()
            if key is not None:
                copy[key] = inner
            inner, key = copy, own
        return inner


class Shown:
    """What a framework shows of an answer whose whole text it gives each time: only what is new is read."""

    __slots__ = ("_pipeline", "_stream", "_seen", "_is_refused")

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._begin()

    def _begin(self) -> None:
        self._stream = Stream._of(self._pipeline)
        self._seen = ""
        self._is_refused = False

    def of(self, text: str) -> str | None:
        """Valid JSON of what is settled of the text; ``None`` before there is any, and once it is refused."""
        if not text.startswith(self._seen):
            self._begin()
        piece, self._seen = text[len(self._seen) :], text
        if not self._is_refused:
            try:
                self._stream.push(piece)
            except RepairError:
                self._is_refused = True
        snapshot = None if self._is_refused else self._stream.snapshot()
        return None if snapshot is None else snapshot.text
