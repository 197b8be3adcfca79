"""An output parser for LangChain, in place of ``JsonOutputParser``::

    chain = prompt | model | JsonseamOutputParser()

A refusal is an ``OutputParserException`` that goes back to the model: what is wrong is its ``observation``.
"""

from __future__ import annotations

from typing import Any

from langchain_core.exceptions import OutputParserException
from langchain_core.output_parsers import JsonOutputParser
from langchain_core.outputs import Generation
from pydantic import PrivateAttr

from .._contract import Contract
from .._errors import ContractError, RepairError
from .._repair import Pipeline

__all__ = ["JsonseamOutputParser"]


class JsonseamOutputParser(JsonOutputParser):
    """Gives the value of the model's answer, repaired if it has to be.

    Args:
        contract: the outputs that the answer must give; then the parser gives a ``dict`` of those.
        options: as for `jsonseam.Pipeline`, when there is no contract.

    While an answer streams in, the parser gives what there is so far; only the whole answer is judged.
    """

    _pipeline: Pipeline = PrivateAttr()
    _contract: Contract | None = PrivateAttr()

    def __init__(self, *, contract: Contract | None = None, pydantic_object: Any = None, **options: Any) -> None:
        super().__init__(pydantic_object=pydantic_object)
        if contract is not None and options:
            raise TypeError("a contract has its own settings: give one of the two")
        self._pipeline = Pipeline(**options)
        self._contract = contract

    def parse_result(self, result: list[Generation], *, partial: bool = False) -> Any:
        text = result[0].text
        if partial:
            try:
                return self._pipeline.loads(text)
            except RepairError:
                return None
        finish_reason = _finish_reason(result[0])
        refusal: RepairError | ContractError
        try:
            if self._contract is not None:
                return self._contract.parse(text, finish_reason=finish_reason).value
            return self._pipeline.loads(text, finish_reason=finish_reason)
        except (RepairError, ContractError) as error:
            refusal = error
        # LangChain keeps the answer in `llm_output`; the message has no text of it.
        raise OutputParserException(
            f"The answer was refused ({refusal.reason}): {refusal}",
            observation=f"Your answer is not the JSON that was asked for: {refusal}. Answer again with the JSON alone.",
            llm_output=text,
            send_to_llm=True,
        )

    @property
    def _type(self) -> str:
        return "jsonseam_output_parser"


def _finish_reason(generation: Generation) -> str | None:
    """Why the model stopped, as its provider reports it."""
    message = getattr(generation, "message", None)
    places = [generation.generation_info or {}, getattr(message, "response_metadata", None) or {}]
    for place in places:
        reason = place.get("finish_reason") or place.get("stop_reason")
        if isinstance(reason, str):
            return reason
    return None
