"""Models whose ``model_validate_json`` repairs first.

One base class serves pydantic itself, ``client.chat.completions.parse(response_format=…)`` of openai-python and
``response_model=`` of instructor, which all call that class method::

    class Order(RepairedModel):
        items: list[Item]

    Order.model_validate_json("Sure: {items: [{'sku': 'A-1',}]}")

A refusal is pydantic's own ``ValidationError`` with the type ``jsonseam_<reason>``, so retries work as before.
An answer that was cut off is refused as ``jsonseam_truncated``: neither a model nor a field could say that it is half of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic.functional_validators import BeforeValidator
from pydantic_core import PydanticCustomError
from typing_extensions import Self

from .._errors import RepairError
from .._gate import whole_text
from .._repair import Pipeline, Text, decoded, pipeline_of

__all__ = ["Repaired", "RepairedModel", "repairing"]

T = TypeVar("T")


def _repaired(text: Text, pipeline: Pipeline, allow_truncated: bool, finish_reason: str | None = None) -> str:
    """The repaired text; a refusal as an error of pydantic without text."""
    try:
        return whole_text(pipeline, text, finish_reason, allow_truncated)[0]
    except RepairError as error:
        refusal = error
    raise PydanticCustomError(
        f"jsonseam_{refusal.reason}",  # type: ignore[arg-type]
        "{message}",
        {"message": str(refusal), "pos": refusal.pos, "mended_by": list(refusal.mended_by)},
    )


class RepairedModel(BaseModel):
    """A model that repairs JSON before it validates it.

    The settings are those of `jsonseam.Pipeline`; a class sets others: ``jsonseam_pipeline = Pipeline("strict")``.
    ``jsonseam_allow_truncated = True`` takes answers that were cut off.
    """

    #: What repairs.
    jsonseam_pipeline: ClassVar[Pipeline] = pipeline_of(None, None, None, None, None)

    #: Whether an answer that was cut off is taken.
    jsonseam_allow_truncated: ClassVar[bool] = False

    @classmethod
    def model_validate_json(cls, json_data: Text, *, finish_reason: str | None = None, **options: Any) -> Self:
        """Repairs the text and validates it. ``finish_reason`` is what the model's interface reports; options are those of pydantic."""
        try:
            text = _repaired(json_data, cls.jsonseam_pipeline, cls.jsonseam_allow_truncated, finish_reason)
        except PydanticCustomError as error:
            refusal = error
        else:
            return super().model_validate_json(text, **options)
        raise ValidationError.from_exception_data(
            cls.__name__, [{"type": refusal, "loc": (), "input": None}], input_type="json", hide_input=True
        )


def repairing(pipeline: Pipeline | None = None, *, allow_truncated: bool = False) -> BeforeValidator:
    """`Repaired` with settings: ``Annotated[list[int], repairing(Pipeline("strict"), allow_truncated=True)]``."""
    by = pipeline or pipeline_of(None, None, None, None, None)

    def decode(value: Any) -> Any:
        if not isinstance(value, (str, bytes, bytearray)):
            return value
        return decoded(_repaired(value, by, allow_truncated), {})

    return BeforeValidator(decode)


if TYPE_CHECKING:
    Repaired = Annotated[T, ...]
else:

    class Repaired:
        """``Repaired[list[int]]``: a field whose value arrives as JSON in a string, as models like to write it.

        A string is repaired and decoded before it is validated; anything else is validated as it is.
        `repairing` is the same with settings.
        """

        def __class_getitem__(cls, kind: Any) -> Any:
            return Annotated[kind, repairing()]
