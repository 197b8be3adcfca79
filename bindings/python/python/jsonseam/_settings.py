"""Settings as users write them, made into those of the native half."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict

from . import _native
from ._errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

#: The presets, the poorest first.
Preset = Literal["strict", "standard", "lenient"]

#: What the outermost value must be.
Root = Literal["any", "object", "array"]

#: How much an edit may risk, the least first.
Risk = Literal["certain", "likely", "guess", "lossy"]

#: Which of several payloads is taken.
Candidates = Literal["first", "only", "last", "best"]

#: A configuration: TOML text, the path of a TOML file, or a mapping of the same shape.
Config = str | os.PathLike[str] | Mapping[str, Any]


class JsonOptions(TypedDict, total=False):
    """What `json.loads` takes beside the text."""

    cls: type[json.JSONDecoder] | None
    object_hook: Callable[[dict[Any, Any]], Any] | None
    parse_float: Callable[[str], Any] | None
    parse_int: Callable[[str], Any] | None
    parse_constant: Callable[[str], Any] | None
    object_pairs_hook: Callable[[list[tuple[Any, Any]]], Any] | None
    strict: bool


JSON_OPTIONS = frozenset(JsonOptions.__annotations__)


class Settings(NamedTuple):
    """What a pipeline is made from. It can be hashed and pickled; files are read before."""

    config: str | None
    origin: str
    preset: str | None
    root: str | None
    max_risk: str | None
    candidates: str | None


DEFAULT = Settings(None, "config", None, None, None, None)


def settings(
    preset: str | None, root: str | None, max_risk: str | None, config: Config | None, candidates: str | None
) -> Settings:
    """Checks types and reads the configuration."""
    named = {"preset": preset, "root": root, "max_risk": max_risk, "candidates": candidates}
    for name, value in named.items():
        if value is not None and not isinstance(value, str):
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    text, origin = _config(config)
    return Settings(text, origin, preset, root, max_risk, candidates)


def _config(config: Config | None) -> tuple[str | None, str]:
    if config is None:
        return None, "config"
    if isinstance(config, str):
        if config.endswith(".toml") and "\n" not in config:
            raise ConfigError("a str is the text of a configuration; to read a file, pass pathlib.Path(...)")
        return config, "config"
    if isinstance(config, os.PathLike):
        with open(config, encoding="utf-8") as file:
            return file.read(), os.fspath(config)
    if isinstance(config, Mapping):
        try:
            return _native.toml_of_json(json.dumps(dict(config))), "config"
        except ValueError as error:
            raise ConfigError(str(error)) from None
    raise TypeError(f"config must be a str, a path or a mapping, not {type(config).__name__}")


def engine(wanted: Settings) -> _native.Engine:
    """The pipeline that the settings describe."""
    try:
        return _native.Engine(wanted._asdict())
    except ValueError as error:
        raise ConfigError(str(error)) from None


def refuse_unknown(given: Iterable[str], known: Iterable[str]) -> None:
    """Refuses the first option that does not exist, with the name that was probably meant."""
    known = tuple(known)
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean `{near[0]}`?" if near else f"; the options are {', '.join(known)}"
            raise ConfigError(f"unknown option `{name}`{hint}")
