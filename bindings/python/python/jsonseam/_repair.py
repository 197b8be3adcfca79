"""Repairing: the functions, the pipeline, and what they give back."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, NoReturn, cast

from . import _native
from ._errors import ConfigError, RepairError
from ._explain import explanation, html
from ._gate import ALLOW, whole
from ._settings import (
    DEFAULT,
    JSON_OPTIONS,
    Candidates,
    Config,
    JsonOptions,
    Preset,
    Risk,
    Root,
    Settings,
    engine,
    refuse_unknown,
    settings,
)

if TYPE_CHECKING:
    from typing_extensions import Never, Unpack

#: What can be repaired. Bytes must be UTF-8.
Text = str | bytes | bytearray | memoryview

#: What the functions of this module take by name, to say which was meant.
OPTIONS = ("preset", "root", "max_risk", "config", "finish_reason", "candidates")


@dataclass(frozen=True)
class Edit:
    """One edit: the code points ``start`` to ``end`` of the completion were replaced by ``replacement``.

    Attributes:
        rule: the rule that made it.
        risk: ``"certain"``, ``"likely"``, ``"guess"`` or ``"lossy"``.
        start, end: code points of the completion.
        byte_start, byte_end: the same place in bytes of the completion as UTF-8.
        replacement: the text that is there now.
        path: the JSON Pointer of the value or member that the edit touches.
    """

    rule: str
    risk: str
    start: int
    end: int
    byte_start: int
    byte_end: int
    replacement: str
    path: str

    def __repr__(self) -> str:
        return (
            f"Edit(rule={self.rule!r}, risk={self.risk!r}, start={self.start}, end={self.end}, "
            f"replacement_length={len(self.replacement)})"
        )


@dataclass(frozen=True, repr=False)
class _Kept:
    """A report that was pickled: what the native one would say."""

    text: str
    status: str
    risk: str | None
    is_truncated: bool
    edit_count: int
    has_further: bool
    _payload: tuple[int, int, int, int]
    _edits: list[tuple[str, str, int, int, int, int, str, str]]
    _incomplete: list[str]
    _reverted: str
    _record: str

    def payload(self) -> tuple[int, int, int, int]:
        return self._payload

    def edits(self) -> list[tuple[str, str, int, int, int, int, str, str]]:
        return self._edits

    def incomplete(self) -> list[str]:
        return self._incomplete

    def revert(self) -> str:
        return self._reverted

    def record(self) -> str:
        return self._record


class Repaired:
    """A payload that is valid JSON, with every edit that made it so.

    ``repr`` shows figures and no text of the payload.
    """

    __slots__ = ("_report", "_edits", "__weakref__")

    def __init__(self, report: _native.Report | _Kept) -> None:
        self._report = report
        self._edits: list[Edit] | None = None

    @property
    def text(self) -> str:
        """The JSON text."""
        return self._report.text

    @property
    def value(self) -> Any:
        """The value of the text, as ``json.loads`` gives it. Decoded each time: nobody else changes it."""
        return decoded(self._report.text, {})

    @property
    def status(self) -> str:
        """``"valid"`` if the payload needed no edit, else ``"repaired"``."""
        return self._report.status

    @property
    def risk(self) -> str | None:
        """The highest risk among the edits; ``None`` without edits."""
        return self._report.risk

    @property
    def is_truncated(self) -> bool:
        """Whether the completion was cut off."""
        return self._report.is_truncated

    @property
    def incomplete(self) -> list[str]:
        """The JSON Pointers of what is incomplete because the completion was cut off."""
        return list(self._report.incomplete())

    @property
    def edits(self) -> list[Edit]:
        """The edits, by position. Applied to ``completion[payload]`` they give ``text``."""
        if self._edits is None:
            self._edits = [Edit(*parts) for parts in self._report.edits()]
        return list(self._edits)

    @property
    def payload(self) -> slice:
        """Where the payload is in the completion, in code points."""
        start, end, _, _ = self._report.payload()
        return slice(start, end)

    @property
    def byte_payload(self) -> slice:
        """Where the payload is in the completion as UTF-8, in bytes."""
        _, _, start, end = self._report.payload()
        return slice(start, end)

    def revert(self) -> str:
        """Takes every edit back: the payload as it was."""
        return self._report.revert()

    def report(self) -> dict[str, Any]:
        """The record of the repair, as ``jsonseam repair --report`` writes it. Its offsets are bytes."""
        record: dict[str, Any] = json.loads(self._report.record())
        return record

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Repaired):
            return NotImplemented
        return self._report.record() == other._report.record()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return (
            f"Repaired(status={self.status!r}, edits={self._report.edit_count}, risk={self.risk!r}, "
            f"is_truncated={self.is_truncated}, length={len(self._report.text)})"
        )

    def _repr_html_(self) -> str:
        """The payload with its edits, for notebooks: removals struck out, rule and risk where the pointer rests."""
        return html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        report = self._report
        if not isinstance(report, _Kept):
            report = _Kept(
                report.text,
                report.status,
                report.risk,
                report.is_truncated,
                report.edit_count,
                report.has_further,
                report.payload(),
                report.edits(),
                report.incomplete(),
                report.revert(),
                report.record(),
            )
        return Repaired, (report,)


class _NotJson(ValueError):
    """``NaN`` or ``Infinity``: the standard library takes them, JSON does not."""


def _not_json(_: str) -> NoReturn:
    raise _NotJson


_decode = json.JSONDecoder(parse_constant=_not_json).decode

#: What stands for "the standard library does not read this".
_INVALID: Any = object()


def standard(text: str) -> Any:
    """The value of valid JSON, as the standard library decodes it, else ``_INVALID``."""
    try:
        return _decode(text)
    except (json.JSONDecodeError, _NotJson, RecursionError):
        return _INVALID
    except ValueError:
        # An integer of more digits than the interpreter converts (sys.set_int_max_str_digits).
        pass
    raise _unrepresentable()


def _standard_with(text: str, options: dict[str, Any]) -> Any:
    if options.get("cls") is None and options.get("parse_constant") is None:
        options = {**options, "parse_constant": _not_json}
    try:
        return json.loads(text, **options)
    except (json.JSONDecodeError, _NotJson, RecursionError):
        return _INVALID


def decoded(text: str, options: dict[str, Any]) -> Any:
    """The value of a text that was repaired."""
    if options:
        return json.loads(text, **options)
    value = standard(text)
    if value is _INVALID:
        raise _unrepresentable()
    return value


def _unrepresentable() -> RepairError:
    return RepairError("not_representable", "valid JSON that this interpreter cannot represent")


def _refused(refusal: _native.Refusal, engine: _native.Engine, text: str | bytes) -> RepairError:
    return RepairError._of(refusal, lambda: engine.explain(refusal, text))


def _not_a_value(
    answer: str | _native.Report | _native.Refusal,
    engine: _native.Engine,
    text: str | bytes,
    finish_reason: str | None,
    allow_truncated: bool,
    hint: str = ALLOW,
) -> Any:
    """What the native half left to this one: a text that ``json.loads`` has to decode, a text that is cut off, or a refusal."""
    if isinstance(answer, _native.Refusal):
        # The standard library reads what is deeper or longer than our limits, and characters that UTF-8 cannot hold.
        value = _first(text, {})
        if value is _INVALID or not _is_of(engine.root, value) or _counts_as_cut(finish_reason, allow_truncated):
            raise _refused(answer, engine, text)
        return value
    if isinstance(answer, _native.Report):
        answer = whole(Repaired(answer), text, allow_truncated, hint).text
    return decoded(answer, {})


def _counts_as_cut(finish_reason: str | None, allow_truncated: bool) -> bool:
    """Whether the model was stopped, and that matters: then valid JSON is no whole answer either."""
    return finish_reason is not None and not allow_truncated and _native.is_cut(finish_reason)


def _is_of(root: str | None, value: object) -> bool:
    if root == "object":
        return isinstance(value, dict)
    return root != "array" or isinstance(value, list)


class Pipeline:
    """Rules and settings, ready for any number of texts. It can be shared between threads, and pickled.

    Args:
        preset: ``"strict"``, ``"standard"`` (the default) or ``"lenient"``.
        root: what the outermost value must be: ``"any"`` (the default), ``"object"`` or ``"array"``.
        max_risk: the highest risk that a rule may carry.
        config: a configuration in the format of ``jsonseam.toml``, as text, path or mapping. Other arguments go before it.
        candidates: which payload is taken when there are several: ``"first"``, ``"only"``, ``"last"`` or ``"best"``.
    """

    __slots__ = ("_settings", "_engine", "_root", "__weakref__")

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
        self._set(settings(preset, root, max_risk, config, candidates))

    def _set(self, wanted: Settings) -> None:
        self._settings = wanted
        self._engine = engine(wanted)
        self._root = self._engine.root

    @classmethod
    def _from(cls, wanted: Settings) -> Pipeline:
        pipeline = cls.__new__(cls)
        pipeline._set(wanted)
        return pipeline

    @property
    def rules(self) -> list[tuple[str, str | None]]:
        """Names and risks of the rules, in the order in which they are asked; locators have no risk."""
        return self._engine.rules

    def repair(self, text: Text, *, finish_reason: str | None = None) -> Repaired:
        """Finds the JSON in ``text`` and repairs it if it has to. Raises `RepairError`."""
        if isinstance(text, (bytearray, memoryview)):
            text = bytes(text)
        return self._taken(self._engine.repair(text, finish_reason), text)

    def _taken(self, answer: _native.Report | _native.Refusal, text: str | bytes) -> Repaired:
        """What the native half answered, or raises."""
        if isinstance(answer, _native.Refusal):
            raise _refused(answer, self._engine, text)
        return Repaired(answer)

    def loads(
        self, text: Text, *, finish_reason: str | None = None, allow_truncated: bool = False, **json_options: Unpack[JsonOptions]
    ) -> Any:
        """The value of ``text``, repaired if it has to be. Of valid JSON it is what ``json.loads`` gives.

        A text that is cut off is refused unless ``allow_truncated`` is set: a value cannot say that it is half of one.
        """
        if json_options:
            refuse_unknown(json_options, (*OPTIONS, "allow_truncated", *sorted(JSON_OPTIONS)))
        return self._loads(text, finish_reason, allow_truncated, cast("dict[str, Any]", json_options), ALLOW)

    def _loads(
        self, text: Text, finish_reason: str | None, allow_truncated: bool, json_options: dict[str, Any], hint: str
    ) -> Any:
        if isinstance(text, (bytearray, memoryview)):
            text = bytes(text)
        if json_options:
            value = _first(text, json_options)
            if value is not _INVALID and _is_of(self._root, value) and not _counts_as_cut(finish_reason, allow_truncated):
                return value
            repaired = self.repair(text, finish_reason=finish_reason)
            return decoded(whole(repaired, text, allow_truncated, hint).text, json_options)
        is_value, value = self._engine.value(text, finish_reason, allow_truncated)
        return value if is_value else _not_a_value(value, self._engine, text, finish_reason, allow_truncated, hint)

    def load(
        self,
        fp: IO[str] | IO[bytes],
        *,
        finish_reason: str | None = None,
        allow_truncated: bool = False,
        **json_options: Unpack[JsonOptions],
    ) -> Any:
        """Like `loads`, for an open file."""
        return self.loads(fp.read(), finish_reason=finish_reason, allow_truncated=allow_truncated, **json_options)

    def explain(self, text: Text, *, finish_reason: str | None = None) -> None:
        """Prints the text with each edit under the place that it changes, or why the text is refused, as the command does."""
        if not isinstance(text, str):
            text = bytes(text).decode()
        print(explanation(self, text, finish_reason))

    def check(self, text: Text) -> None:
        """Raises `RepairError` unless ``text`` as it stands is valid JSON."""
        if isinstance(text, (bytearray, memoryview)):
            text = bytes(text)
        refusal = self._engine.check(text)
        if refusal is not None:
            raise RepairError._of(refusal)

    def repair_many(
        self, texts: Iterable[str | bytes | None], *, threads: int | None = None
    ) -> list[Repaired | RepairError | None]:
        """Repairs many texts, in order, on ``threads`` threads (by default one for each processor).

        A refusal is an element of the list and is not raised; ``None`` gives ``None``.
        """
        if isinstance(texts, (str, bytes)):
            raise TypeError(f"texts must be a sequence of texts, not one {type(texts).__name__}")
        given = list(texts)
        answers = self._engine.repair_many(given, _threads(threads))
        return [self._answered(answer, text) for answer, text in zip(answers, given)]

    def _answered(
        self, answer: _native.Report | _native.Refusal | None, text: str | bytes | None
    ) -> Repaired | RepairError | None:
        if answer is None or text is None:
            return None
        return _refused(answer, self._engine, text) if isinstance(answer, _native.Refusal) else Repaired(answer)

    def __eq__(self, other: object) -> bool:
        return self._settings == other._settings if isinstance(other, Pipeline) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._settings)

    def __repr__(self) -> str:
        given = {name: value for name, value in self._settings._asdict().items() if value is not None}
        given.pop("origin")
        if "config" in given:
            given["config"] = "..."
        return f"Pipeline({', '.join(f'{name}={value!r}' for name, value in given.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _pipeline, (tuple(self._settings),)


def _pipeline(parts: tuple[Any, ...]) -> Pipeline:
    # Built once in each process, however often it arrives.
    return _cached(Settings(*parts))


def _threads(threads: int | None) -> int:
    if threads is None:
        try:
            return len(os.sched_getaffinity(0))
        except AttributeError:
            return os.cpu_count() or 1
    if threads < 1:
        raise ConfigError("threads must be at least 1")
    return threads


def _first(text: str | bytes, json_options: dict[str, Any]) -> Any:
    """What the standard library makes of the text."""
    if not isinstance(text, str):
        if not isinstance(text, bytes):
            return _INVALID
        try:
            text = text.decode()
        except UnicodeDecodeError:
            return _INVALID
    return _standard_with(text, json_options) if json_options else standard(text)


@functools.lru_cache(maxsize=64)
def _cached(wanted: Settings) -> Pipeline:
    return Pipeline._from(wanted)


@functools.cache
def _usual() -> Pipeline:
    return _cached(DEFAULT)


def pipeline_of(
    preset: Preset | None, root: Root | None, max_risk: Risk | None, config: Config | None, candidates: Candidates | None
) -> Pipeline:
    """The pipeline for these settings, built once for each."""
    if preset is None and root is None and max_risk is None and config is None and candidates is None:
        return _usual()
    return _cached(settings(preset, root, max_risk, config, candidates))


def repair(
    text: Text,
    *,
    preset: Preset | None = None,
    root: Root | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
    finish_reason: str | None = None,
    candidates: Candidates | None = None,
    **unknown: Never,
) -> Repaired:
    """Finds the JSON in ``text`` and repairs it if it has to.

    ``text`` is a ``str``, or UTF-8 as ``bytes``, ``bytearray`` or ``memoryview``.
    Without settings the preset is ``"standard"``, any root is taken, and of several payloads the first;
    `Pipeline` explains the settings. ``finish_reason`` is what the model's interface reports: ``"length"`` marks the result as truncated.

    Raises:
        RepairError: there is no JSON of the wanted kind, or none that can be repaired without guessing.
        ConfigError: a setting does not exist.
        TypeError: ``text`` is neither a text nor bytes.

    >>> repaired = repair("Sure! {name: 'Ada',}")
    >>> repaired.text
    '{"name": "Ada"}'
    >>> [edit.rule for edit in repaired.edits]
    ['unquoted-key', 'unquoted-key', 'single-quoted-string', 'single-quoted-string', 'trailing-comma']
    """
    if unknown:
        refuse_unknown(unknown, OPTIONS)
    return pipeline_of(preset, root, max_risk, config, candidates).repair(text, finish_reason=finish_reason)


def loads(
    text: Text,
    *,
    preset: Preset | None = None,
    root: Root | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
    finish_reason: str | None = None,
    candidates: Candidates | None = None,
    allow_truncated: bool = False,
    **json_options: Unpack[JsonOptions],
) -> Any:
    """The value of ``text``, a ``str`` or UTF-8 as ``bytes``, ``bytearray`` or ``memoryview``, repaired if it has to be.

    Of valid JSON it gives what ``json.loads`` gives; ``NaN`` and ``Infinity`` are no JSON and are repaired.
    Options of ``json.loads``, such as ``object_hook``, are passed on to it.

    Raises what `repair` raises, and refuses a text that is cut off as ``truncated``, valid JSON too if the ``finish_reason`` says so:
    a value cannot say that it is half of one. ``allow_truncated=True`` gives what there is; `repair` marks it.

    >>> loads("{'city': 'Oslo',}")
    {'city': 'Oslo'}
    """
    is_set = not (preset is root is max_risk is config is candidates is None)  # type: ignore[comparison-overlap]
    if is_set or json_options or type(text) is not str:
        pipeline = pipeline_of(preset, root, max_risk, config, candidates)
        return pipeline.loads(text, finish_reason=finish_reason, allow_truncated=allow_truncated, **json_options)
    # This path is taken by almost every call, so it names what it needs and calls little.
    engine = _usual()._engine
    is_value, value = engine.value(text, finish_reason, allow_truncated)
    return value if is_value else _not_a_value(value, engine, text, finish_reason, allow_truncated)


def load(
    fp: IO[str] | IO[bytes],
    *,
    preset: Preset | None = None,
    root: Root | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
    finish_reason: str | None = None,
    candidates: Candidates | None = None,
    allow_truncated: bool = False,
    **json_options: Unpack[JsonOptions],
) -> Any:
    """Like `loads`, for an open file."""
    return loads(
        fp.read(),
        preset=preset,
        root=root,
        max_risk=max_risk,
        config=config,
        finish_reason=finish_reason,
        candidates=candidates,
        allow_truncated=allow_truncated,
        **json_options,
    )


def explain(
    text: Text,
    *,
    preset: Preset | None = None,
    root: Root | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
    finish_reason: str | None = None,
    candidates: Candidates | None = None,
    **unknown: Never,
) -> None:
    """Prints what ``jsonseam repair --explain`` prints: the text with each edit under its place, or why it is refused.

    >>> explain('{"city": "Oslo",}')
    <text>: repaired, 1 edit (trailing-comma 1), risk certain
    <BLANKLINE>
         1 | {"city": "Oslo",}
           |                ^ trailing-comma (certain): removed
    """
    if unknown:
        refuse_unknown(unknown, OPTIONS)
    pipeline_of(preset, root, max_risk, config, candidates).explain(text, finish_reason=finish_reason)


def check(text: Text) -> None:
    """Raises `RepairError` unless ``text`` as it stands is valid JSON of any root. No rule is asked."""
    _usual().check(text)


def repair_many(
    texts: Iterable[str | bytes | None],
    *,
    threads: int | None = None,
    preset: Preset | None = None,
    root: Root | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
    candidates: Candidates | None = None,
    **unknown: Never,
) -> list[Repaired | RepairError | None]:
    """Repairs many texts, in order, on ``threads`` threads (by default one for each processor), without the interpreter's lock.

    A refusal is an element of the list and is not raised; ``None`` gives ``None``.

    >>> [type(result).__name__ for result in repair_many(["{a: 1}", None, "no JSON here"])]
    ['Repaired', 'NoneType', 'RepairError']
    """
    if unknown:
        refuse_unknown(unknown, (*(name for name in OPTIONS if name != "finish_reason"), "threads"))
    return pipeline_of(preset, root, max_risk, config, candidates).repair_many(texts, threads=threads)
