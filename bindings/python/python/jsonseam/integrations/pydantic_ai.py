"""A capability for pydantic-ai that repairs before it validates::

    agent = Agent(model, output_type=Order, capabilities=[Repair()])

It repairs structured output and the arguments of tool calls. A refusal asks the model again, in words without its text.
What was cut off is refused, also where only the finish reason says so.
"""

from __future__ import annotations

from typing import Any

from pydantic_ai import ModelRetry
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelResponse, ToolCallPart

from .._errors import RepairError
from .._gate import whole_text
from .._repair import Pipeline

__all__ = ["Repair"]


class Repair(AbstractCapability[Any]):
    """Repairs raw output and raw arguments.

    Args:
        options: as for `jsonseam.Pipeline`.
        tools: whether the arguments of tool calls are repaired too.
        allow_truncated: takes answers that were cut off. Never allow it where an answer causes something to be done:
            half a command is no command.
    """

    def __init__(self, *, tools: bool = True, allow_truncated: bool = False, **options: Any) -> None:
        self._pipeline = Pipeline(**options)
        self._tools = tools
        self._allow_truncated = allow_truncated

    async def before_output_validate(self, ctx: Any, *, output_context: Any, output: Any) -> Any:
        # While an answer streams in, pydantic-ai reads what there is so far.
        if ctx.partial_output or not isinstance(output, str):
            return output
        return self._repaired(output, ctx)

    async def before_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        if not self._tools or ctx.partial_output or not isinstance(args, str):
            return args
        return self._repaired(args, ctx)

    def _repaired(self, text: str, ctx: Any) -> str:
        try:
            return whole_text(self._pipeline, text, _finish_reason(ctx), self._allow_truncated)[0]
        except RepairError as error:
            words = str(error)
        raise ModelRetry(f"That is not the JSON that was asked for: {words}. Answer again with the whole JSON.")


def _finish_reason(ctx: Any) -> str | None:
    """Why the model stopped while it wrote this part of its answer; of several tool calls only the last can be cut off."""
    response = next((message for message in reversed(ctx.messages) if isinstance(message, ModelResponse)), None)
    if response is None:
        return None
    last = response.parts[-1] if response.parts else None
    is_earlier = isinstance(last, ToolCallPart) and ctx.tool_call_id not in (None, last.tool_call_id)
    return None if is_earlier else response.finish_reason
