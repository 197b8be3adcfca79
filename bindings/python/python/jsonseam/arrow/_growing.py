"""A column that is put together from its parts as they come, so that there are never two of it.

The parts that a long column is repaired in are copied into memory that grows, and are let go. Room is made for what the rest is expected to
need: what is not used of it takes no memory, and what has to be moved is there twice while it is.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ._types import children_of

#: Texts and lists have offsets of 32 bits.
MOST = 1 << 31
TOO_LARGE = "the repaired texts of one column exceed 2 GiB; pass it in smaller batches"


def joined(parts: Iterator[tuple[pa.StructArray, int]], kind: pa.DataType, size: int) -> pa.StructArray:
    """One array of several, each with the size of what it answers, of so much in all."""
    first = next(parts, None)
    if first is None:
        return pa.array([], kind)
    second = next(parts, None)
    if second is None:
        return first[0]
    whole, done = _growing(kind), 0
    for part, read in itertools.chain([first, second], parts):
        first = second = None
        done += read
        whole.append(part, max(1.0, size / max(1, done)))
    return whole.array()


class _Bytes:
    """Bytes that grow."""

    def __init__(self, start: bytes = b"") -> None:
        self.buffer = pa.allocate_buffer(0)
        self.length = 0
        self.append(pa.py_buffer(start), 1.0)

    def append(self, data: pa.Buffer, ahead: float) -> None:
        """Adds bytes, where the whole is expected to be `ahead` times what is there then."""
        total = self.length + data.size
        if total > self.buffer.size:
            # A tenth more, since the texts that come are not just like those that were. Not `resize`: views of such a buffer have its old size.
            self.buffer, old = pa.allocate_buffer(max(total, min(MOST, int(total * ahead * 1.1)))), self.buffer
            self._copy(0, old.slice(0, self.length))
        self._copy(self.length, data)
        self.length = total

    def _copy(self, start: int, data: pa.Buffer) -> None:
        if data.size:
            with memoryview(self.buffer) as room, memoryview(data) as given:
                room[start : start + data.size] = given

    def whole(self) -> pa.Buffer:
        return self.buffer.slice(0, self.length)


class _Column:
    """A column that grows. By itself one of numbers."""

    def __init__(self, kind: pa.DataType) -> None:
        self.kind = kind
        self.length = 0
        self.has_nulls = False
        self.is_valid: list[pa.Array] = []
        self.prepare()

    def prepare(self) -> None:
        self.data = _Bytes()

    def append(self, part: pa.Array, ahead: float) -> None:
        if not len(part):
            return
        self.length += len(part)
        self.has_nulls |= part.null_count > 0
        self.is_valid.append(pc.is_valid(part))
        self.add(part, ahead)

    def add(self, part: pa.Array, ahead: float) -> None:
        width = self.kind.bit_width // 8
        self.data.append(part.buffers()[1].slice(part.offset * width, len(part) * width), ahead)

    def array(self) -> pa.Array:
        validity = pa.concat_arrays(self.is_valid).buffers()[1] if self.has_nulls else None
        buffers, children = self.parts()
        return pa.Array.from_buffers(self.kind, self.length, [validity, *buffers], children=children or None)

    def parts(self) -> tuple[list[pa.Buffer], list[pa.Array]]:
        """The buffers beside the validity, and the columns within."""
        return [self.data.whole()], []


class _Booleans(_Column):
    def prepare(self) -> None:
        # Bits that begin within a byte: they are few, and Arrow knows how to join them.
        self.values: list[pa.Array] = []

    def add(self, part: pa.Array, ahead: float) -> None:
        self.values.append(part)

    def parts(self) -> tuple[list[pa.Buffer], list[pa.Array]]:
        return [pa.concat_arrays(self.values).buffers()[1]] if self.values else [pa.py_buffer(b"")], []


class _Ended(_Column):
    """Rows of several bytes or items: where each ends."""

    def prepare(self) -> None:
        self.offsets, self.count = _Bytes(bytes(4)), 0

    def add(self, part: pa.Array, ahead: float) -> None:
        offsets = pa.Array.from_buffers(pa.int32(), len(part) + 1, [None, part.buffers()[1]], offset=part.offset)
        first, last = offsets[0].as_py(), offsets[-1].as_py()
        if self.count + last - first >= MOST:
            raise OverflowError(TOO_LARGE)
        shifted = pc.add(offsets.slice(1), pa.scalar(self.count - first, pa.int32()))
        self.offsets.append(shifted.buffers()[1].slice(shifted.offset * 4, len(shifted) * 4), ahead)
        self.count += last - first
        self.add_items(part, first, last, ahead)

    def add_items(self, part: pa.Array, first: int, last: int, ahead: float) -> None:
        raise NotImplementedError


class _Strings(_Ended):
    def prepare(self) -> None:
        super().prepare()
        self.data = _Bytes()

    def add_items(self, part: pa.Array, first: int, last: int, ahead: float) -> None:
        if last > first:
            self.data.append(part.buffers()[2].slice(first, last - first), ahead)

    def parts(self) -> tuple[list[pa.Buffer], list[pa.Array]]:
        return [self.offsets.whole(), self.data.whole()], []


class _Lists(_Ended):
    """Lists, and maps, whose items are pairs."""

    def prepare(self) -> None:
        super().prepare()
        self.items = _growing(children_of(self.kind)[0])

    def add_items(self, part: pa.Array, first: int, last: int, ahead: float) -> None:
        items = part.values
        if pa.types.is_map(self.kind):
            items = pa.StructArray.from_arrays([part.keys, part.items], fields=list(self.items.kind))
        self.items.append(items.slice(first, last - first), ahead)

    def parts(self) -> tuple[list[pa.Buffer], list[pa.Array]]:
        return [self.offsets.whole()], [self.items.array()]


class _Structs(_Column):
    def prepare(self) -> None:
        self.fields = [_growing(field.type) for field in self.kind]

    def add(self, part: pa.Array, ahead: float) -> None:
        for at, field in enumerate(self.fields):
            field.append(part.field(at), ahead)

    def parts(self) -> tuple[list[pa.Buffer], list[pa.Array]]:
        return [], [field.array() for field in self.fields]


class _Named(_Column):
    """Dictionaries, all of which have the same names."""

    def prepare(self) -> None:
        self.indices = _growing(self.kind.index_type)
        self.names: Any = None

    def add(self, part: pa.Array, ahead: float) -> None:
        self.names = part.dictionary
        self.indices.append(part.indices, ahead)

    def array(self) -> pa.Array:
        names = pa.array([], self.kind.value_type) if self.names is None else self.names
        return pa.DictionaryArray.from_arrays(self.indices.array(), names)


def _growing(kind: pa.DataType) -> _Column:
    for test, column in (
        (pa.types.is_dictionary, _Named),
        (pa.types.is_struct, _Structs),
        (pa.types.is_list, _Lists),
        (pa.types.is_map, _Lists),
        (pa.types.is_string, _Strings),
        (pa.types.is_boolean, _Booleans),
    ):
        if test(kind):
            return column(kind)
    return _Column(kind)
