"""A capability for pydantic-ai that repairs before it validates::

    agent = Agent(model, output_type=Order, capabilities=[Repair()])

It repairs structured output and the arguments of tool calls. A refusal asks the model again, in words without its text.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai import ModelRetry
from pydantic_ai.capabilities import AbstractCapability

from .._errors import RepairError
from .._repair import Pipeline

__all__ = ["Repair"]


class Repair(AbstractCapability[Any]):
    """Repairs raw output and raw arguments.

    Args:
        options: as for `jsonseam.Pipeline`.
        tools: whether the arguments of tool calls are repaired too.

    What was cut off is refused: half a command is no command.
    """

    def __init__(self, *, tools: bool = True, **options: Any) -> None:
        self._pipeline = Pipeline(**options)
        self._tools = tools

    async def before_output_validate(self, ctx: Any, *, output_context: Any, output: Any) -> Any:
        # While an answer streams in, pydantic-ai reads what there is so far.
        if ctx.partial_output or not isinstance(output, str):
            return output
        return self._repaired(output)

    async def before_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        if not self._tools or ctx.partial_output or not isinstance(args, str):
            return args
        return self._repaired(args)

    def _repaired(self, text: str) -> str:
        try:
            repaired = self._pipeline.repair(text)
        except RepairError as error:
            words = str(error)
        else:
            if not repaired.is_truncated:
                return repaired.text
            words = "the JSON is cut off"
        raise ModelRetry(f"That is not the JSON that was asked for: {words}. Answer again with the whole JSON.")
