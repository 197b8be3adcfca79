"""An adapter for DSPy, in place of ``JSONAdapter``, which calls json_repair::

    dspy.configure(lm=lm, adapter=JsonseamAdapter())

An answer that does not give the declared outputs is DSPy's own ``AdapterParseError``, so its retries work as before.
"""

from __future__ import annotations

from typing import Any

import dspy
from dspy.adapters.utils import parse_value
from dspy.utils.exceptions import AdapterParseError

from .._contract import Contract
from .._errors import ContractError

__all__ = ["JsonseamAdapter"]


class JsonseamAdapter(dspy.JSONAdapter):
    """Reads answers by a contract with the output fields of the signature as keys.

    Args:
        options: as for `jsonseam.Pipeline`; ``allow_truncated=True`` takes answers that were cut off.

    Other arguments are those of ``JSONAdapter``. Keys that are not declared are left out, as ``JSONAdapter`` does.
    """

    def __init__(self, *arguments: Any, options: dict[str, Any] | None = None, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._options = dict(options or {})
        self._contracts: dict[tuple[str, ...], Contract] = {}

    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        names = tuple(signature.output_fields)
        failure, outputs = None, {}
        try:
            outputs = dict(self._contract(names).parse(completion))
        except ContractError as error:
            failure = error
        if failure is not None and failure.code == "invalid_outputs" and failure.partial is not None and not failure.duplicates:
            # Of several keys some are missing or too many: what is there counts, and DSPy has defaults for the others.
            outputs, failure = dict(failure.partial), None
        if failure is not None:
            raise AdapterParseError(
                adapter_name="JsonseamAdapter", signature=signature, lm_response=completion, message=failure.msg
            )
        return self._cast(signature, completion, outputs)

    def _contract(self, names: tuple[str, ...]) -> Contract:
        """The contract of these names, compiled once."""
        if names not in self._contracts:
            self._contracts[names] = Contract(names, **self._options)
        return self._contracts[names]

    def _cast(self, signature: Any, completion: str, outputs: dict[str, Any]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        for name, value in outputs.items():
            try:
                fields[name] = parse_value(value, signature.output_fields[name].annotation)
            except ValueError:
                # The words of the error quote the value.
                raise AdapterParseError(
                    adapter_name="JsonseamAdapter",
                    signature=signature,
                    lm_response=completion,
                    message=f"the field {name} does not fit its type",
                    parsed_result=fields,
                ) from None
        fields = _with_defaults(signature, fields)
        if fields.keys() != signature.output_fields.keys():
            raise AdapterParseError(
                adapter_name="JsonseamAdapter", signature=signature, lm_response=completion, parsed_result=fields
            )
        return fields


def _with_defaults(signature: Any, fields: dict[str, Any]) -> dict[str, Any]:
    try:
        from dspy.adapters.utils import apply_output_field_defaults
    except ImportError:
        return fields
    filled: dict[str, Any] = apply_output_field_defaults(signature, fields)
    return filled
