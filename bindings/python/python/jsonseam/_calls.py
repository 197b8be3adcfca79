"""Tool calls: read out of completions, checked, and healed in the history of a conversation."""

from __future__ import annotations

import dataclasses
import functools
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypedDict, overload

from . import _native
from ._errors import CallsError, ConfigError, HistoryError
from ._repair import Text
from ._settings import Config, Preset, Risk, Settings, settings

#: Tools that were offered: a list as requests to models have it, an object that holds one, or its JSON text.
Tools = Iterable[Any] | Mapping[str, Any] | str
#: The shape of an answer.
Output = Literal["native", "openai", "anthropic", "gemini", "mcp"]


class _Checked(TypedDict, total=False):
    casts: list[dict[str, Any]]
    errors: list[dict[str, Any]]


class Call(_Checked):
    """A call. ``casts`` and ``errors`` are there if the arguments were checked."""

    id: str | None
    name: str
    arguments: dict[str, Any]


class Calls(TypedDict):
    """What ``jsonseam calls`` prints: the calls of a text, the text around them, and every edit, with its bytes in the text."""

    calls: list[Call]
    content: str | None
    thoughts: str | None
    format: str | None
    edits: list[dict[str, Any]]
    risk: str | None
    passed_over: list[dict[str, Any]]


@dataclasses.dataclass(frozen=True)
class Healed:
    """A history that was healed, and what was done. ``repr`` shows figures and no text.

    Attributes:
        messages: the history in the kind that was given: a list, a request, or JSON text. Messages without edits are the objects that were given.
        status: ``"valid"``, ``"repaired"``, or ``"refused"`` if a call stays broken.
        edits: what was repaired, each with ``message``, ``call``, ``rule``, ``risk`` and ``path``.
        refused: the calls that stay broken, each with ``message``, ``call`` and ``reason``.
        unpaired: calls without results and results without calls, each with ``message`` and ``reason``.
        risk: the highest risk of the edits.
    """

    messages: Any
    status: str
    edits: list[dict[str, Any]]
    refused: list[dict[str, Any]]
    unpaired: list[dict[str, Any]]
    risk: str | None

    def __repr__(self) -> str:
        counts = ", ".join(f"{name}={len(getattr(self, name))}" for name in ("edits", "refused", "unpaired"))
        return f"Healed(status={self.status!r}, risk={self.risk!r}, {counts})"


class Extractor:
    """Reads tool calls out of completions, whatever format the model writes them in.

    Args:
        tools: the offered tools, in the shape of OpenAI, Anthropic, Gemini, Bedrock or MCP. Calls of others are refused.
        format: reads this format alone.
        preset: which rules repair arguments; ``"standard"`` if nothing names another.
        check: puts arguments to the schemas of the tools; done if there are tools, unless ``False``.
        max_risk: refuses calls with an edit above it; ``"likely"`` if nothing names another.
        bare: where a call without a mark counts: ``"alone"``, ``"last"`` or ``"never"``.
        within_thoughts: whether the prompt ends within reasoning.
        config: as for `jsonseam.Pipeline`.
    """

    def __init__(
        self,
        tools: Tools | None = None,
        *,
        format: str | None = None,
        preset: Preset | None = None,
        check: bool | None = None,
        max_risk: Risk | None = None,
        bare: Literal["alone", "last", "never"] | None = None,
        within_thoughts: bool = False,
        config: Config | None = None,
    ) -> None:
        self._set(*_options(tools, format, preset, check, max_risk, bare, within_thoughts, config))

    def _set(self, options: dict[str, Any], wanted: Settings) -> None:
        self._options = options
        self._settings = wanted
        try:
            self._reader = _native.Reader(options, wanted._asdict())
        except ValueError as error:
            raise ConfigError(str(error)) from None

    @overload
    def calls(
        self, text: Text, *, tools: Tools | None = None, finish_reason: str | None = None, output: Literal["native"] = "native"
    ) -> Calls: ...
    @overload
    def calls(self, text: Text, *, tools: Tools | None = None, finish_reason: str | None = None, output: Output) -> Any: ...
    def calls(
        self, text: Text, *, tools: Tools | None = None, finish_reason: str | None = None, output: Output = "native"
    ) -> Any:
        """The calls of a completion. Raises `CallsError` if they cannot be read.

        Args:
            tools: the tools of this completion, in place of those of the extractor.
            finish_reason: why the model stopped: ``"length"`` refuses calls, since another may have been cut off.
            output: ``"native"`` gives what the command prints, with what does not fit as ``errors`` of each call;
                the other shapes have no place for that, so they raise.
        """
        if isinstance(text, (bytearray, memoryview)):
            text = bytes(text)
        try:
            raw = self._reader.read(text, _tools(tools), finish_reason, output)
        except ValueError as error:
            raise ConfigError(str(error)) from None
        answer: dict[str, Any] = json.loads(raw)
        if "answer" in answer:
            return answer["answer"]
        raise CallsError._of(answer, functools.partial(_native.chars_at, text))

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self._options.items() if value and name != "tools"]
        return f"Extractor({', '.join(['tools=...'] * (self._options['tools'] is not None) + shown)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _cached, (json.dumps(self._options), tuple(self._settings))


def _options(
    tools: Tools | None = None,
    format: str | None = None,
    preset: Preset | None = None,
    check: bool | None = None,
    max_risk: Risk | None = None,
    bare: str | None = None,
    within_thoughts: bool = False,
    config: Config | None = None,
) -> tuple[dict[str, Any], Settings]:
    """What an extractor is made from."""
    options = {"format": format, "bare": bare, "within_thoughts": within_thoughts, "check": check}
    return {"tools": _tools(tools), **options}, settings(preset, None, max_risk, config, None)


@functools.lru_cache(maxsize=32)
def _cached(options: str, parts: tuple[Any, ...]) -> Extractor:
    """The extractor, built once in each process for equal settings."""
    extractor = Extractor.__new__(Extractor)
    extractor._set(json.loads(options), Settings(*parts))
    return extractor


@overload
def calls(text: Text, *, finish_reason: str | None = None, output: Literal["native"] = "native", **options: Any) -> Calls: ...
@overload
def calls(text: Text, *, finish_reason: str | None = None, output: Output, **options: Any) -> Any: ...
def calls(text: Text, *, finish_reason: str | None = None, output: Output = "native", **options: Any) -> Any:
    """The tool calls of a completion, as ``jsonseam calls`` prints them. Raises `CallsError` if they cannot be read.

    Options are those of `Extractor`: ``tools``, ``format``, ``preset``, ``check``, ``max_risk``, ``bare``, ``within_thoughts``, ``config``.

    >>> import jsonseam
    >>> text = "On it. <tool_call>{'name': 'weather', 'arguments': {city: 'Oslo'}}</tool_call>"
    >>> jsonseam.calls(text)["calls"]
    [{'id': None, 'name': 'weather', 'arguments': {'city': 'Oslo'}}]
    """
    wanted, parts = _options(**options)
    return _cached(json.dumps(wanted), tuple(parts)).calls(text, finish_reason=finish_reason, output=output)


def heal_history(
    messages: Any,
    tools: Tools | None = None,
    *,
    preset: Preset | None = None,
    max_risk: Risk | None = None,
    config: Config | None = None,
) -> Healed:
    """Repairs the arguments of the tool calls in a conversation before it is sent again.

    Servers answer every later turn with an error if the arguments of one call are broken, empty or no object.

    Args:
        messages: a list of messages in the shape of OpenAI or Anthropic, or of items of OpenAI's responses; a request that has one in
            ``messages`` or ``input``; or JSON text. Objects of the clients may be among the messages.
        tools: the offered tools: their schemas decide where a closer belongs that can be at several places.
        preset, max_risk, config: as for `Extractor`.

    What cannot be repaired is in ``refused`` and stays as it was. Raises `HistoryError` if there is no list of messages.

    >>> import jsonseam
    >>> call = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{'city': 'Oslo',}"}}
    >>> messages = [{"role": "assistant", "tool_calls": [call]}, {"role": "tool", "tool_call_id": "c1", "content": "ok"}]
    >>> healed = jsonseam.heal_history(messages)
    >>> healed.messages[0]["tool_calls"][0]["function"]["arguments"], healed.status
    ('{"city": "Oslo"}', 'repaired')
    """
    wanted = settings(preset, None, max_risk, config, None)
    try:
        healing = _native.Healing(_tools(tools), wanted._asdict())
    except ValueError as error:
        raise ConfigError(str(error)) from None
    if not isinstance(messages, (str, Mapping)):
        messages = list(messages)
    text = messages if isinstance(messages, str) else json.dumps(messages, default=_plain)
    try:
        healed, raw = healing.heal(text)
    except ValueError as error:
        raise HistoryError(str(error)) from None
    record = json.loads(raw)
    changed = {edit["message"] for edit in record["edits"]}
    parts = (record["status"], record["edits"], record["refused"], record["unpaired"], record["risk"])
    return Healed(messages if not changed else _like(messages, healed, changed), *parts)


def heal_arguments(
    calls: Iterable[tuple[str, str, bool]], tools: Tools | None = None, **options: Any
) -> list[tuple[str | None, list[dict[str, Any]], str | None]]:
    """For frameworks: of each call, a name, arguments as text and whether a result follows, the text that can be sent and its edits, or ``None`` and why not."""
    given = list(calls)
    functions = [{"name": name, "arguments": text} for name, text, _ in given]
    called = [{"id": str(at), "type": "function", "function": function} for at, function in enumerate(functions)]
    results = [{"role": "tool", "tool_call_id": str(at), "content": ""} for at, (_, _, is_answered) in enumerate(given) if is_answered]
    healed = heal_history([{"role": "assistant", "tool_calls": called}, *results], tools, **options)
    reasons = {one["call"]: one["reason"] for one in healed.refused}
    texts = [call["function"]["arguments"] for call in healed.messages[0]["tool_calls"]]
    edits = [[edit for edit in healed.edits if edit["call"] == at] for at in range(len(given))]
    return [(None if at in reasons else texts[at], edits[at], reasons.get(at)) for at in range(len(given))]


def _like(given: Any, healed: str, changed: set[int]) -> Any:
    """The healed history in the kind that was given."""
    if isinstance(given, str):
        return healed
    value = json.loads(healed)

    def merged(old: Iterable[Any], new: list[Any]) -> list[Any]:
        return [new[index] if index in changed else message for index, message in enumerate(old)]

    if not isinstance(given, Mapping):
        return merged(given, value)
    key = "messages" if "messages" in given else "input"
    return {**given, key: merged(given[key], value[key])}


def _plain(value: Any) -> Any:
    """An object of a client as what it is in JSON."""
    dump: Callable[..., Any] | None = getattr(value, "model_dump", None)
    if dump is None:
        raise TypeError(f"a history holds JSON and objects of clients, not {type(value).__name__}")
    return dump(mode="json", exclude_unset=True)


def _tools(tools: Tools | None) -> str | None:
    """Tools as JSON text."""
    if tools is None or isinstance(tools, str):
        return tools
    return json.dumps(dict(tools) if isinstance(tools, Mapping) else list(tools), default=_plain)
