"""An output parser for LangChain, in place of ``JsonOutputParser``::

    chain = prompt | model | JsonseamOutputParser()

A refusal is an ``OutputParserException`` that goes back to the model: what is wrong is its ``observation``.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.messages import BaseMessage
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.outputs import ChatGeneration, Generation
from pydantic import PrivateAttr

from .._contract import Contract
from .._errors import ContractError, RepairError
from .._repair import Pipeline

__all__ = ["JsonseamOutputParser"]


class JsonseamOutputParser(JsonOutputParser):
    """Gives the value of the model's answer, repaired if it has to be.

    Args:
        contract: the outputs that the answer must give; then the parser gives a ``dict`` of those.
        allow_truncated: takes answers that were cut off; a contract has this setting itself.
        options: as for `jsonseam.Pipeline`, when there is no contract.

    An answer that was cut off is refused, also where only the finish reason of the model says so.
    While an answer streams in, the parser gives what there is so far; the whole answer is judged at its end.
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
        seen: list[Generation] = []
        yield from super()._transform(_noted(chunk, seen) for chunk in input)
        self._judge(seen)

    async def _atransform(self, input: AsyncIterator[str | BaseMessage]) -> AsyncIterator[Any]:
        seen: list[Generation] = []
        async for value in super()._atransform(_noted(chunk, seen) async for chunk in input):
            yield value
        self._judge(seen)

    def _judge(self, seen: list[Generation]) -> None:
        """Raises what the whole answer gives, once it is there."""
        if seen:
            reasons = [reason for reason in map(_finish_reason, seen) if reason is not None]
            info = {"finish_reason": reasons[-1]} if reasons else None
            self.parse_result([Generation(text="".join(part.text for part in seen), generation_info=info)])

    @property
    def _type(self) -> str:
        return "jsonseam_output_parser"


def _noted(chunk: str | BaseMessage, seen: list[Generation]) -> str | BaseMessage:
    seen.append(Generation(text=chunk) if isinstance(chunk, str) else ChatGeneration(message=chunk))
    return chunk


def _finish_reason(generation: Generation) -> str | None:
    """Why the model stopped, as its provider reports it."""
    message = getattr(generation, "message", None)
    places = [generation.generation_info or {}, getattr(message, "response_metadata", None) or {}]
    for place in places:
        reason = place.get("finish_reason") or place.get("stop_reason")
        if isinstance(reason, str):
            return reason
    return None
