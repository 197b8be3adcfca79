"""Repairs JSON written by language models without guessing, and shows every edit.

>>> import jsonseam
>>> jsonseam.loads("Sure! {'city': 'Oslo', \\"rivers\\": [\\"Akerselva\\", \\"Alna\\",]}")
{'city': 'Oslo', 'rivers': ['Akerselva', 'Alna']}

- `loads` gives the value, `repair` also every edit, `repair_many` repairs many texts on all processors.
- `explain` prints a text with each edit under its place, as the command does; a notebook shows the edits of a `Repaired`.
- `Stream` repairs a text while it is written, `stream` and `astream` give the events of its pieces.
- `Pipeline` holds settings, `Contract` declared outputs.
- `calls` reads tool calls, `Extractor` those of many texts, `heal_history` repairs those of a conversation that is sent again.
- `RepairError` is a ``json.JSONDecodeError`` with a reason and without text.
- `jsonseam.compat.json_repair` has the functions of ``json_repair``; `jsonseam.integrations` joins frameworks;
  `jsonseam.arrow` repairs columns for Spark, Ray, DuckDB, Polars and others.

Without settings the preset is ``"standard"``, any root is taken, and of several payloads the first.
"""

from ._calls import Call, Calls, Extractor, Healed, calls, heal_history
from ._contract import (
    Contract,
    ContractEvent,
    DroppedItem,
    ElementEvent,
    FieldEvent,
    Outputs,
    OutputsEvent,
    PieceEvent,
    StartedEvent,
)
from ._errors import CallsError, ConfigError, ContractError, HistoryError, RepairError
from ._native import __version__
from ._repair import Edit, Pipeline, Repaired, check, explain, load, loads, repair, repair_many
from ._stream import (
    BeginEvent,
    DoneEvent,
    EndEvent,
    Event,
    PayloadEvent,
    SeamEvent,
    Snapshot,
    Stream,
    TextEvent,
    astream,
    stream,
)

__all__ = [
    "BeginEvent",
    "Call",
    "Calls",
    "CallsError",
    "ConfigError",
    "Contract",
    "ContractError",
    "ContractEvent",
    "DoneEvent",
    "DroppedItem",
    "Edit",
    "ElementEvent",
    "EndEvent",
    "Event",
    "Extractor",
    "FieldEvent",
    "Healed",
    "HistoryError",
    "Outputs",
    "OutputsEvent",
    "PayloadEvent",
    "PieceEvent",
    "Pipeline",
    "RepairError",
    "Repaired",
    "SeamEvent",
    "Snapshot",
    "StartedEvent",
    "Stream",
    "TextEvent",
    "__version__",
    "astream",
    "calls",
    "check",
    "explain",
    "heal_history",
    "load",
    "loads",
    "repair",
    "repair_many",
    "stream",
]
