"""A capability for pydantic-ai that repairs before it validates::

    agent = Agent(model, output_type=Order, capabilities=[Repair()])

It repairs structured output and the arguments of tool calls. A refusal asks the model again, in words without its text.
While they stream in (``run_stream``, ``stream_output``), it gives pydantic-ai what is settled of them, and reads only what is new.
What was cut off is refused, also where only the finish reason says so.
The history of calls is repaired before each request by a capability of pydantic-ai::

    agent = Agent(model, capabilities=[Repair(), ProcessHistory(heal_messages)])
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

from pydantic_ai import ModelRetry
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart

from .._calls import heal_arguments
from .._errors import RepairError
from .._gate import whole_text
from .._repair import Pipeline
from .._shown import Shown

__all__ = ["Repair", "heal_messages"]


def heal_messages(messages: list[ModelMessage]) -> list[ModelMessage]:
    """The history with the arguments of its calls repaired; all other messages, and calls that stay broken, are the objects that were given."""
    requests = [message for message in messages if isinstance(message, ModelRequest)]
    answered = {getattr(part, "tool_call_id", None) for message in requests for part in message.parts}
    return [_healed(one, answered) if isinstance(one, ModelResponse) else one for one in messages]


def _healed(response: ModelResponse, answered: set[str | None]) -> ModelResponse:
    parts = list(response.parts)
    places = [at for at, part in enumerate(parts) if isinstance(part, ToolCallPart) and isinstance(part.args, str)]
    given = [(parts[at].tool_name, parts[at].args, parts[at].tool_call_id in answered) for at in places]
    healed = zip(places, heal_arguments(given))
    changed = {at: replace(parts[at], args=text) for at, (text, edits, _) in healed if edits and text is not None}
    return replace(response, parts=[changed.get(at, part) for at, part in enumerate(parts)]) if changed else response


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
        self._shown: dict[str | None, Shown] = {}

    async def for_run(self, ctx: Any) -> Repair:
        # What was shown is that of one run.
        own = copy(self)
        own._shown = {}
        return own

    async def before_output_validate(self, ctx: Any, *, output_context: Any, output: Any) -> Any:
        return self._repaired(output, ctx) if isinstance(output, str) else output

    async def before_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        return self._repaired(args, ctx) if self._tools and isinstance(args, str) else args

    def _repaired(self, text: str, ctx: Any) -> str:
        if ctx.partial_output:
            shown = self._shown.setdefault(ctx.tool_call_id, Shown(self._pipeline)).of(text)
            # Before there is anything to show, and after a refusal, pydantic finds nothing in the text either.
            return text if shown is None else shown
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
