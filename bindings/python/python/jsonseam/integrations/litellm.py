"""A callback for LiteLLM, in the SDK and in the proxy::

    litellm.callbacks = [JsonseamLogger()]

With ``history=True`` it heals the history of a conversation before it is sent. It repairs the arguments of tool calls, and the content where JSON was asked for (``response_format``).
Answers that are refused or were cut off stay as they are. What was done is in ``message.provider_specific_fields["jsonseam"]``
where the message has such fields: status, rules and risk, no text.
"""

from __future__ import annotations

from typing import Any

from litellm.integrations.custom_logger import CustomLogger

from .._calls import heal_history
from .._errors import HistoryError, RepairError
from .._gate import whole_text
from .._repair import Pipeline

__all__ = ["JsonseamLogger"]


class JsonseamLogger(CustomLogger):
    """Repairs answers after each call that is not a stream.

    Args:
        options: as for `jsonseam.Pipeline`.
        content: ``"requested"`` repairs the content where JSON was asked for, ``"never"`` leaves it.
        allow_truncated: repairs answers that were cut off, too.
        history: heals the messages of each request, as `jsonseam.heal_history` does with the preset ``standard``.
    """

    def __init__(
        self, *, content: str = "requested", allow_truncated: bool = False, history: bool = False, **options: Any
    ) -> None:
        super().__init__()
        if content not in ("requested", "never"):
            raise ValueError("content is `requested` or `never`")
        self._content = content
        self._pipeline = Pipeline(**options)
        self._allow_truncated = allow_truncated
        self._history = history

    async def async_pre_call_deployment_hook(self, kwargs: Any, call_type: Any) -> Any:
        return self._healed(kwargs)

    async def async_pre_call_hook(self, user_api_key_dict: Any, cache: Any, data: Any, call_type: Any) -> Any:
        return self._healed(data)

    def _healed(self, request: dict[str, Any]) -> dict[str, Any]:
        """The request with a history that can be sent."""
        messages = request.get("messages")
        if not self._history or not isinstance(messages, list):
            return request
        try:
            return {**request, "messages": heal_history(messages).messages}
        except (HistoryError, TypeError):
            # What is no JSON is the client's to refuse.
            return request

    async def async_post_call_success_deployment_hook(self, request_data: Any, response: Any, call_type: Any) -> Any:
        self._mend(request_data, response)
        return response

    async def async_post_call_success_hook(self, data: Any, user_api_key_dict: Any, response: Any) -> Any:
        self._mend(data, response)
        return response

    def _mend(self, request: dict[str, Any], response: Any) -> None:
        for choice in getattr(response, "choices", None) or ():
            message = getattr(choice, "message", None)
            if message is None:
                continue
            reason = getattr(choice, "finish_reason", None)
            notes = []
            if self._content == "requested" and _asks_for_json(request) and isinstance(message.content, str):
                text, note = self._mended(message.content, reason)
                if text is not None:
                    message.content = text
                notes.append({"part": "content", **note})
            calls = getattr(message, "tool_calls", None) or ()
            for index, call in enumerate(calls):
                function = getattr(call, "function", None)
                if function is not None and isinstance(function.arguments, str):
                    # Of several calls only the last can be cut off.
                    text, note = self._mended(function.arguments, reason if index == len(calls) - 1 else None)
                    if text is not None:
                        function.arguments = text
                    notes.append({"part": f"tool_calls/{index}", **note})
            _note(message, notes)

    def _mended(self, text: str, finish_reason: str | None) -> tuple[str | None, dict[str, Any]]:
        """The repaired text, if there is another one, and what was done."""
        try:
            mended, repaired = whole_text(self._pipeline, text, finish_reason, self._allow_truncated)
        except RepairError as error:
            return None, {"status": "refused", "reason": error.reason}
        rules = sorted({edit.rule for edit in repaired.edits})
        return mended if mended != text else None, {"status": repaired.status, "rules": rules, "risk": repaired.risk}


def _asks_for_json(request: dict[str, Any]) -> bool:
    """Whether the request wants JSON as its answer."""
    wanted = (request or {}).get("response_format") or (request or {}).get("optional_params", {}).get("response_format")
    if isinstance(wanted, dict):
        return wanted.get("type") in ("json_object", "json_schema")
    return wanted is not None


def _note(message: Any, notes: list[dict[str, Any]]) -> None:
    """Puts on record what was done, if anything was."""
    done = [note for note in notes if note["status"] != "valid"]
    fields = getattr(message, "provider_specific_fields", None)
    if done:
        message.provider_specific_fields = {**(fields or {}), "jsonseam": done}
