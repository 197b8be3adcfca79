"""Frameworks: each module imports its framework itself, and none is a dependency of jsonseam.

- `jsonseam.integrations.pydantic`: models whose ``model_validate_json`` repairs, for openai-python and instructor too.
- `jsonseam.integrations.langchain`: an output parser, and the repair of ``invalid_tool_calls``.
- `jsonseam.integrations.dspy`: an adapter.
- `jsonseam.integrations.pydantic_ai`: a capability, and the repair of a history.
- `jsonseam.integrations.litellm`: a callback.
"""
