"""For LangChain an output parser, in place of ``JsonOutputParser``, and the repair of ``invalid_tool_calls``::

    chain = prompt | model | JsonseamOutputParser()
    agent = prompt | model.bind_tools(tools) | repair_tool_calls

A refusal of the parser is an ``OutputParserException`` that goes back to the model: what is wrong is its ``observation``.
A call that stays broken stays in ``invalid_tool_calls``, with the reason as its ``error``.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.outputs import ChatGeneration, Generation
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import PrivateAttr

from .. import _native
from .._calls import heal_arguments
from .._contract import Contract
from .._errors import ContractError, RepairError
from .._repair import Pipeline
from .._shown import Growing
from .._stream import Stream

__all__ = ["JsonseamOutputParser", "heal_messages", "repair_tool_calls"]


def repair_tool_calls(message: AIMessage, *, tools: Iterable[Any] | None = None, **options: Any) -> AIMessage:
    """The message with those of its ``invalid_tool_calls`` that can be repaired among its ``tool_calls``, in the order of the model.

    Half a command stays invalid: what would be closed at its end, and the last call of an answer that was cut off.
    What was done is in ``response_metadata["jsonseam"]``, for each call with its ``id`` and its ``edits``.

    Args:
        tools: the offered tools; a call of another stays invalid.
        options: ``preset``, ``max_risk`` and ``config``, as for `jsonseam.Extractor`.
    """
    return _healed(message, frozenset(), tools, options)


def heal_messages(
    messages: Iterable[BaseMessage], *, tools: Iterable[Any] | None = None, **options: Any
) -> list[BaseMessage]:
    """A history whose invalid calls are repaired before it is sent again; all other messages are the objects that were given.

    A call that has a result is not run again, so what is missing at its end may be closed.
    """
    given = list(messages)
    answered = frozenset(message.tool_call_id for message in given if isinstance(message, ToolMessage))
    return [_healed(one, answered, tools, options) if isinstance(one, AIMessage) else one for one in given]


def _healed(message: AIMessage, answered: frozenset[str], tools: Iterable[Any] | None, options: dict[str, Any]) -> AIMessage:
    if not message.invalid_tool_calls:
        return message
    order = _order(message)
    offered = None if tools is None else [convert_to_openai_tool(tool) for tool in tools]
    names = None if offered is None else {tool["function"]["name"] for tool in offered}
    is_cut = _native.is_cut(_finish_reason(ChatGeneration(message=message)) or "")
    calls, invalid, record = list(message.tool_calls), [], []
    given = [(call.get("name") or "", call.get("args") or "", call.get("id") in answered) for call in message.invalid_tool_calls]
    for call, (text, edits, reason) in zip(message.invalid_tool_calls, heal_arguments(given, offered, **options)):
        if not call.get("name") or (names is not None and call["name"] not in names):
            reason = "not_offered"
        elif is_cut and call.get("id") == order[-1] and call.get("id") not in answered:
            reason = "truncated"
        if text is None or reason is not None:
            invalid.append({**call, "error": f"jsonseam refuses the arguments ({reason})"})
            continue
        calls.append({"type": "tool_call", "name": call["name"], "args": json.loads(text), "id": call.get("id")})
        record.append({"id": call.get("id"), "edits": edits})
    places = {id: place for place, id in enumerate(order)}
    calls.sort(key=lambda call: places.get(call.get("id"), len(places)))
    metadata = {**message.response_metadata, **({"jsonseam": record} if record else {})}
    return message.model_copy(update={"tool_calls": calls, "invalid_tool_calls": invalid, "response_metadata": metadata})


def _order(message: AIMessage) -> list[str | None]:
    """The identifiers of all calls as the model gave them, where the message still tells; LangChain sorts them into two lists."""
    raw = message.additional_kwargs.get("tool_calls") or []
    blocks = [part for part in message.content if isinstance(part, dict)] if isinstance(message.content, list) else []
    told = [one.get("id") for one in [*raw, *blocks] if one.get("id")]
    known = [call.get("id") for call in [*message.tool_calls, *message.invalid_tool_calls]]
    return [id for id in told if id in known] + [id for id in known if id not in told]


class JsonseamOutputParser(JsonOutputParser):
    """Gives the value of the model's answer, repaired if it has to be.

    Args:
        contract: the outputs that the answer must give; then the parser gives a ``dict`` of those.
        allow_truncated: takes answers that were cut off; a contract has this setting itself.
        options: as for `jsonseam.Pipeline`, when there is no contract.

    An answer that was cut off is refused, also where only the finish reason of the model says so.
    While an answer streams in, the parser gives what is settled of it, at the cost of what is new: strings as far as they came,
    numbers and keys once they are whole. What is whole in a value is the same object in later ones, so do not change it.
    The whole answer is judged at its end, and the last value is what ``invoke`` gives.
    """

    _pipeline: Pipeline = PrivateAttr()
    _contract: Contract | None = PrivateAttr()
    _allow_truncated: bool = PrivateAttr()

    def __init__(
        self,
        *,
        contract: Contract | None = None,
        pydantic_object: Any = None,
        allow_truncated: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(pydantic_object=pydantic_object)
        if contract is not None and (options or allow_truncated):
            raise TypeError("a contract has its own settings: give one of the two")
        self._pipeline = Pipeline(**options)
        self._contract = contract
        self._allow_truncated = allow_truncated

    def parse_result(self, result: list[Generation], *, partial: bool = False) -> Any:
        text = result[0].text
        if partial:
            try:
                return self._pipeline.loads(text, allow_truncated=True)
            except RepairError:
                return None
        finish_reason = _finish_reason(result[0])
        refusal: RepairError | ContractError
        try:
            if self._contract is not None:
                return self._contract.parse(text, finish_reason=finish_reason).value
            # Without the hint for programmers: the message goes to the model.
            return self._pipeline._loads(text, finish_reason, self._allow_truncated, {}, "")
        except (RepairError, ContractError) as error:
            refusal = error
        # LangChain keeps the answer in `llm_output`; the message has no text of it.
        raise OutputParserException(
            f"The answer was refused ({refusal.reason}): {refusal}",
            observation=f"Your answer is not the JSON that was asked for: {refusal}. Answer again with the JSON alone.",
            llm_output=text,
            send_to_llm=True,
        )

    def _transform(self, input: Iterator[str | BaseMessage]) -> Iterator[Any]:
        answer = _Answer(self)
        for chunk in input:
            yield from answer.take(chunk)
        yield from answer.end()

    async def _atransform(self, input: AsyncIterator[str | BaseMessage]) -> AsyncIterator[Any]:
        answer = _Answer(self)
        async for chunk in input:
            for value in answer.take(chunk):
                yield value
        for value in answer.end():
            yield value

    @property
    def _type(self) -> str:
        return "jsonseam_output_parser"


class _Answer:
    """An answer that streams in."""

    def __init__(self, parser: JsonseamOutputParser) -> None:
        self._parser = parser
        self._stream: Stream | None = Stream._of(parser._pipeline)
        self._growing = Growing()
        self._texts: list[str] = []
        self._reason: str | None = None
        self._given: Any = None

    def take(self, chunk: str | BaseMessage) -> Iterator[Any]:
        """The value so far, if the chunk made it another one."""
        generation = Generation(text=chunk) if isinstance(chunk, str) else ChatGeneration(message=chunk)
        self._texts.append(generation.text)
        self._reason = _finish_reason(generation) or self._reason
        if self._stream is None:
            return
        try:
            told = self._stream.push(generation.text)
        except RepairError:
            # Nothing more is shown. The end judges, for the whole text may have another payload.
            self._stream = None
            return
        if any([self._growing.take(event) for event in told]):
            yield from self._next(self._growing.value)

    def end(self) -> Iterator[Any]:
        """The whole answer's value, if it is another one, or its refusal."""
        if self._texts:
            info = None if self._reason is None else {"finish_reason": self._reason}
            yield from self._next(self._parser.parse_result([Generation(text="".join(self._texts), generation_info=info)]))

    def _next(self, value: Any) -> Iterator[Any]:
        if value is not None and (self._given is None or value != self._given):
            yield self._parser._diff(self._given, value) if self._parser.diff else value
            self._given = value


def _finish_reason(generation: Generation) -> str | None:
    """Why the model stopped, as its provider reports it."""
    message = getattr(generation, "message", None)
    places = [generation.generation_info or {}, getattr(message, "response_metadata", None) or {}]
    for place in places:
        reason = place.get("finish_reason") or place.get("stop_reason")
        if isinstance(reason, str):
            return reason
    return None
