"""The functions and the command of ``json_repair``, with the answers of jsonseam.

Change one line, and everything else stays::

    from jsonseam.compat import json_repair        # before: import json_repair

Signatures, shapes of results and flags are those of json_repair 0.64.6. The answers are ours: what cannot be repaired without
guessing gives ``""`` (or an exception, see `configure`), where json_repair would answer with something.

To move step by step, ask json_repair where jsonseam refuses, and count how often that happens::

    json_repair.configure(fallback="json_repair")
    ...
    print(json_repair.counts())

Under a program that is not yours, before it is imported::

    json_repair.install()
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, TextIO, overload

from .. import _native
from .._contract import Contract, Outputs, schema_text
from .._errors import ConfigError, ContractError, RepairError
from .._gate import DropIn
from .._repair import Pipeline, Repaired, decoded
from .._settings import Candidates, Preset
from . import _package

JSONReturnType = dict[str, Any] | list[Any] | str | float | int | bool | None

__all__ = [
    "Bound",
    "Counts",
    "JSONReturnType",
    "bound",
    "cli",
    "configure",
    "counts",
    "from_file",
    "install",
    "load",
    "loads",
    "repair_json",
    "uninstall",
]

#: Code points of the text on both sides of an edit that a log shows together.
_CONTEXT = 20


@dataclass(frozen=True)
class Counts:
    """How many texts were valid, repaired, refused by jsonseam and by the fallback, and answered by the fallback alone."""

    valid: int = 0
    repaired: int = 0
    refused: int = 0
    fell_back: int = 0


@dataclass
class _Answer:
    value: Any
    is_valid: bool = False
    log: list[dict[str, str]] = field(default_factory=list)


class _Call(NamedTuple):
    """A text, and how it was asked for."""

    text: str
    skips_loads: bool
    logs: bool
    is_prefix: bool
    strict: bool
    schema: Any | None


class _Refused(Exception):
    """A refusal on its way to the fallback; it never leaves this module."""

    def __init__(self, error: RepairError | ContractError) -> None:
        self.error = error


class _Asking(threading.local):
    """Whether this thread is in a fallback: one that comes back here is not asked again."""

    is_active = False


class Bound:
    """The functions under settings of their own; `configure` sets those of the module.

    Args:
        preset: which rules repair; see `jsonseam.Pipeline`.
        fallback: what to ask where jsonseam refuses: a function from the text to a value, or ``"json_repair"``
            for that library, which must then be installed.
        on_refusal: ``"empty"`` answers with ``""`` as json_repair does, ``"raise"`` raises `jsonseam.RepairError`.
        strips: whether a string of a repaired text that ends with a line feed loses the white space at its end, as in json_repair
            without ``stream_stable``. That is no guess, so those who come from json_repair get what they had;
            ``False`` keeps every character, as all else in jsonseam does.
        allow_truncated: ``None`` closes a text that is cut off, and refuses it where an edit is a guess or loses something, or where
            nothing is left of it; ``True`` takes that too, ``False`` refuses every text that is cut off.
        candidates: which of several payloads is taken, as in `jsonseam.Pipeline`; ``None`` refuses a text with several values.
        allow_empty: takes ``{}`` and ``[]`` where an edit dropped all that there was.
    """

    def __init__(
        self,
        *,
        preset: Preset = "lenient",
        fallback: Callable[[str], Any] | str | None = None,
        on_refusal: Literal["empty", "raise"] = "empty",
        strips: bool = True,
        allow_truncated: bool | None = None,
        candidates: Candidates | None = None,
        allow_empty: bool = False,
    ) -> None:
        self._lock = threading.Lock()
        self._asking = _Asking()
        self._contracts: dict[str, Contract] = {}
        self.configure(
            preset=preset,
            fallback=fallback,
            on_refusal=on_refusal,
            strips=strips,
            allow_truncated=allow_truncated,
            candidates=candidates,
            allow_empty=allow_empty,
        )

    def configure(
        self,
        *,
        preset: Preset = "lenient",
        fallback: Callable[[str], Any] | str | None = None,
        on_refusal: Literal["empty", "raise"] = "empty",
        strips: bool = True,
        allow_truncated: bool | None = None,
        candidates: Candidates | None = None,
        allow_empty: bool = False,
    ) -> None:
        """Sets everything anew, and all counts to zero."""
        settings = dict(
            preset=preset,
            fallback=fallback,
            on_refusal=on_refusal,
            strips=strips,
            allow_truncated=allow_truncated,
            candidates=candidates,
            allow_empty=allow_empty,
        )
        if on_refusal not in ("empty", "raise"):
            raise ConfigError("on_refusal is `empty` or `raise`")
        if isinstance(fallback, str):
            if fallback != "json_repair":
                raise ConfigError('fallback is a function, "json_repair" or None')
            fallback = _their_loads()
        self._gate = DropIn(allow_truncated, candidates, allow_empty)
        #: What `_plain` asks for: without `json.loads`, and with it, which reads NaN and Infinity.
        self._plain_gates = [(self._gate.wants_one, allow_truncated, strips, reads) for reads in (True, False)]
        self._pipeline = Pipeline(preset, candidates=candidates)
        self._strict = Pipeline("strict", candidates=candidates)
        self._preset = preset
        self._fallback = fallback
        self._raises = on_refusal == "raise"
        self._strips = strips
        self._settings = settings
        self._counts = dict.fromkeys(("valid", "repaired", "refused", "fell_back"), 0)
        self._contracts.clear()

    def __reduce__(self) -> str | tuple[Any, ...]:
        # A worker that gets a function of the module uses its own settings, as with any function; those of an own object travel.
        return "_module" if self is _module else (_bound, (self._settings,))

    def counts(self) -> Counts:
        """What happened since the settings were made."""
        with self._lock:
            return Counts(**self._counts)

    def _count(self, kind: str) -> None:
        with self._lock:
            self._counts[kind] += 1

    @overload
    def repair_json(
        self,
        json_str: str = "",
        return_objects: Literal[False] = False,
        skip_json_loads: bool = False,
        logging: Literal[False] = False,
        json_fd: TextIO | None = None,
        chunk_length: int = 0,
        stream_stable: bool = False,
        strict: bool = False,
        schema: Any | None = None,
        schema_repair_mode: Literal["standard", "salvage"] = "standard",
        **json_dumps_args: Any,
    ) -> str: ...

    @overload
    def repair_json(
        self,
        json_str: str = "",
        return_objects: bool = False,
        skip_json_loads: bool = False,
        *,
        logging: Literal[True],
        json_fd: TextIO | None = None,
        chunk_length: int = 0,
        stream_stable: bool = False,
        strict: bool = False,
        schema: Any | None = None,
        schema_repair_mode: Literal["standard", "salvage"] = "standard",
        **json_dumps_args: Any,
    ) -> tuple[JSONReturnType, list[dict[str, str]]]: ...

    @overload
    def repair_json(
        self,
        json_str: str = "",
        return_objects: bool = False,
        skip_json_loads: bool = False,
        logging: bool = False,
        json_fd: TextIO | None = None,
        chunk_length: int = 0,
        stream_stable: bool = False,
        strict: bool = False,
        schema: Any | None = None,
        schema_repair_mode: Literal["standard", "salvage"] = "standard",
        **json_dumps_args: Any,
    ) -> Any: ...

    def repair_json(
        self,
        json_str: str = "",
        return_objects: bool = False,
        skip_json_loads: bool = False,
        logging: bool = False,
        json_fd: TextIO | None = None,
        chunk_length: int = 0,
        stream_stable: bool = False,
        strict: bool = False,
        schema: Any | None = None,
        schema_repair_mode: Literal["standard", "salvage"] = "standard",
        **json_dumps_args: Any,
    ) -> Any:
        """The repaired text; the value with ``return_objects``; a pair of value and log with ``logging``.

        ``""`` stands for a refusal. ``strict`` uses the preset ``"strict"`` and raises. ``schema`` is a contract for the whole value.
        ``chunk_length`` is taken and changes nothing: files are read whole. ``stream_stable`` says that the text is the beginning of
        one that goes on: then a string keeps the white space at its end, and a text that is cut off may also need a guess.
        """
        _check_modes(strict, schema, schema_repair_mode)
        text = json_str if json_fd is None else json_fd.read()
        found = None
        if schema is None and not logging and not stream_stable and (return_objects or not json_dumps_args):
            kind, found = self._plain(text, skip_json_loads, strict, as_text=not return_objects)
            if kind is not None:
                return found
        answer = self._answer(_Call(text, skip_json_loads, logging, stream_stable, strict, schema), found)
        if logging:
            return answer.value, answer.log
        if return_objects:
            return answer.value
        if answer.value == "" and not answer.is_valid:
            return ""
        return json.dumps(answer.value, **json_dumps_args)

    def loads(
        self,
        json_str: str,
        skip_json_loads: bool = False,
        logging: bool = False,
        stream_stable: bool = False,
        strict: bool = False,
        schema: Any | None = None,
        schema_repair_mode: Literal["standard", "salvage"] = "standard",
    ) -> Any:
        """`repair_json` with ``return_objects=True``."""
        found = None
        if schema is None and not logging and not stream_stable and schema_repair_mode == "standard":
            # This path is taken by almost every call, so it calls little.
            kind, found = self._plain(json_str, skip_json_loads, strict)
            if kind is not None:
                return found
        _check_modes(strict, schema, schema_repair_mode)
        answer = self._answer(_Call(json_str, skip_json_loads, logging, stream_stable, strict, schema), found)
        return (answer.value, answer.log) if logging else answer.value

    def load(
        self,
        fd: TextIO,
        skip_json_loads: bool = False,
        logging: bool = False,
        chunk_length: int = 0,
        strict: bool = False,
        schema: Any | None = None,
        schema_repair_mode: Literal["standard", "salvage"] = "standard",
    ) -> Any:
        """`loads` for an open file, which is read whole."""
        return self.repair_json(
            "", True, skip_json_loads, logging, fd, chunk_length, False, strict, schema, schema_repair_mode
        )

    def from_file(
        self,
        filename: str | Path,
        skip_json_loads: bool = False,
        logging: bool = False,
        chunk_length: int = 0,
        strict: bool = False,
        schema: Any | None = None,
        schema_repair_mode: Literal["standard", "salvage"] = "standard",
    ) -> Any:
        """`load` for a file by its name, in the encoding of the locale."""
        with Path(filename).open() as fd:
            return self.load(fd, skip_json_loads, logging, chunk_length, strict, schema, schema_repair_mode)

    def _plain(self, text: str, skips_loads: bool, strict: bool, as_text: bool = False) -> tuple[str | None, Any]:
        """The value of a text that the gate need not look at, or its text, and what it is; else what the native half answered, if it was asked."""
        if type(text) is not str:
            return None, None
        pipeline = self._strict if strict else self._pipeline
        kind, found = pipeline._engine.plain(text, self._plain_gates[bool(skips_loads)], as_text)
        if kind is not None:
            with self._lock:
                self._counts["repaired" if kind == "repaired" else "valid"] += 1
        return kind, found

    def _answer(self, call: _Call, found: _native.Report | _native.Refusal | None) -> _Answer:
        """The answer to a call; ``found`` is what the native half said of its text, if it was asked."""
        try:
            if call.schema is not None:
                return self._fitting(call.text, call.schema, call.logs, call.is_prefix)
            return self._repaired(call, found)
        except _Refused as refused:
            return self._fall_back(call.text, refused.error, call.strict, call.schema)

    def _repaired(self, call: _Call, found: _native.Report | _native.Refusal | None) -> _Answer:
        text, is_prefix = call.text, call.is_prefix
        if not call.skips_loads:
            # As json_repair has it: what the standard library reads is valid, NaN and Infinity too.
            with contextlib.suppress(ValueError, RecursionError):
                value = json.loads(text)
                self._count("valid")
                return _Answer(value, is_valid=True)
        pipeline = self._strict if call.strict else self._pipeline
        refusal = None
        try:
            repaired = pipeline.repair(text) if found is None else pipeline._taken(found, text)
            value = self._admitted(text, repaired, pipeline, is_prefix)
        except RepairError as error:
            refusal = error
        if refusal is not None:
            raise _Refused(refusal)
        self._count(repaired.status)
        return _Answer(value, log=_log(text, repaired) if call.logs else [])

    def _admitted(self, text: str | bytes, repaired: Repaired, pipeline: Pipeline, is_prefix: bool) -> Any:
        """The value of a repair that passes the gate, as json_repair spells it. Raises `RepairError`."""
        refusal = self._gate.refusal(text, repaired, pipeline.repair, is_prefix)
        if refusal is not None:
            raise refusal
        value = _with_their_blanks(decoded(repaired.text, {}), repaired)
        return _stripped(value) if self._strips and not is_prefix and repaired.status == "repaired" else value

    def _fitting(self, text: str | bytes, schema: Any, logs: bool, is_prefix: bool) -> _Answer:
        """The same with a schema, whose contract says what fits."""
        refusal: RepairError | ContractError | None = None
        try:
            repaired, outputs = self._outputs(text, schema, is_prefix)
        except (RepairError, ContractError) as error:
            refusal = error
        if refusal is not None:
            raise _Refused(refusal)
        self._count(repaired.status)
        log = _log(text, repaired) if logs else []
        return _Answer(outputs.value, is_valid=repaired.status == "valid", log=log)

    def _outputs(self, text: str | bytes, schema: Any, is_prefix: bool) -> tuple[Repaired, Outputs]:
        """The repair that the contract chose, and the outputs of its value as json_repair spells it. Raises what is refused."""
        contract = self._contract(schema)
        repaired, judged = _judged(contract, text)
        value = self._admitted(text, repaired, self._pipeline, is_prefix)
        if value != decoded(repaired.text, {}):
            return repaired, contract.parse(json.dumps(value))
        if isinstance(judged, ContractError):
            raise judged
        return repaired, judged

    def _contract(self, schema: Any) -> Contract:
        """The contract of a schema, compiled once."""
        text = schema_text(schema)
        contract = self._contracts.get(text)
        if contract is None:
            contract = Contract(
                whole=text,
                coerce=True,
                defaults=True,
                # The gate decides what is taken of a text that is cut off.
                allow_truncated=True,
                preset=self._preset,
                candidates=self._gate.candidates,
                duplicates="last",
            )
            self._contracts[text] = contract
        return contract

    def _fall_back(self, text: str, error: RepairError | ContractError, strict: bool, schema: Any | None) -> _Answer:
        is_undecodable = isinstance(error, RepairError) or error.code == "output_decode_failed"
        if self._fallback is not None and is_undecodable and not strict and not self._asking.is_active:
            self._asking.is_active = True
            try:
                value = self._fallback(text)
            finally:
                self._asking.is_active = False
            if schema is not None and value != "":
                value = self._contract(schema).parse(json.dumps(value)).value
            self._count("refused" if value == "" else "fell_back")
            return _Answer(value)
        self._count("refused")
        if self._raises or strict or not is_undecodable:
            raise error
        return _Answer("")


def _judged(contract: Contract, text: str | bytes) -> tuple[Repaired, Outputs | ContractError]:
    """The repair that a contract chose, with the outputs or with what does not fit. Raises `ContractError` where there is no repair."""
    try:
        outputs = contract.parse(text)
    except ContractError as error:
        if error.partial is None:
            raise
        return error.partial.repair, error
    return outputs.repair, outputs


def _with_their_blanks(value: Any, repaired: Repaired) -> Any:
    """``""`` where no value was written (``{"a": }``), as json_repair has it; the library says ``null``."""
    if repaired.risk != "lossy":
        return value
    for edit in repaired.edits:
        if edit.rule == "missing-value" and edit.path:
            *parents, last = [part.replace("~1", "/").replace("~0", "~") for part in edit.path.split("/")[1:]]
            place = value
            for part in parents:
                place = place[int(part)] if isinstance(place, list) else place[part]
            if isinstance(place, dict) and place.get(last, "") is None:
                place[last] = ""
    return value


def _stripped(value: Any) -> Any:
    """A value in which a string that ends with a line feed has no white space at its end; keys too."""
    if isinstance(value, dict):
        return {_stripped(key): _stripped(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_stripped(item) for item in value]
    return value.rstrip() if isinstance(value, str) and value.endswith("\n") else value


def _check_modes(strict: bool, schema: Any | None, schema_repair_mode: str) -> None:
    if schema_repair_mode not in ("standard", "salvage"):
        raise ValueError("schema_repair_mode is `standard` or `salvage`")
    if schema_repair_mode == "salvage":
        if schema is None:
            raise ValueError("schema_repair_mode='salvage' needs a schema")
        raise NotImplementedError(
            "schema_repair_mode='salvage' drops items and takes fragments that fit, which jsonseam does not do; "
            "use schema_repair_mode='standard', or json_repair itself for these texts"
        )
    if schema is not None and strict:
        raise ValueError("schema and strict cannot be used together")


def _log(text: str | bytes, repaired: Repaired) -> list[dict[str, str]]:
    """The edits as json_repair logs repairs: words, and the text around the place, which is shown because it was asked for."""
    shown = text if isinstance(text, str) else text.decode(errors="replace")
    half = _CONTEXT // 2
    return [
        {"text": f"{edit.rule} ({edit.risk})", "context": shown[max(0, edit.start - half) : edit.start + half]}
        for edit in repaired.edits
    ]


def _their_loads() -> Callable[[str], Any]:
    theirs = _package.theirs()
    if theirs is None:
        raise ConfigError('fallback="json_repair" needs that library: pip install json_repair')
    return functools.partial(theirs.loads, skip_json_loads=True)


def _bound(settings: dict[str, Any]) -> Bound:
    return Bound(**settings)


_module = Bound()

#: The functions of this module, under settings for the whole process.
configure, counts = _module.configure, _module.counts
repair_json, loads, load, from_file = _module.repair_json, _module.loads, _module.load, _module.from_file

#: The same functions under settings of their own, as methods of an object.
bound = Bound


def install(
    *,
    preset: Preset = "lenient",
    fallback: Callable[[str], Any] | str | None = "json_repair",
    on_refusal: Literal["empty", "raise"] = "empty",
    strips: bool = True,
    allow_truncated: bool | None = None,
    candidates: Candidates | None = None,
    allow_empty: bool = False,
) -> None:
    """Puts these functions in the place of the package ``json_repair``, for every ``import`` after it in this process.

    ``import json_repair``, ``from json_repair.json_repair import repair_json`` and the like then give ours; other submodules are
    those of json_repair, where it is installed. It is the fallback, too, unless another one is given, or ``None``.
    Call it before the program that is not yours is imported: a name that was imported earlier stays what it was.

    The settings are those of `configure`.
    """
    if fallback == "json_repair" and _package.theirs() is None:
        fallback = None
    configure(
        preset=preset,
        fallback=fallback,
        on_refusal=on_refusal,
        strips=strips,
        allow_truncated=allow_truncated,
        candidates=candidates,
        allow_empty=allow_empty,
    )
    _package.install({name: globals()[name] for name in __all__})


def uninstall() -> None:
    """Takes `install` back for every ``import`` after it; the settings stay."""
    _package.uninstall()


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="json_repair", description="Repairs JSON as jsonseam does, with the flags of json_repair.")
    parser.add_argument("filename", nargs="?", help="the file to repair; without one, the standard input")
    parser.add_argument("-i", "--inline", action="store_true", help="replace the file, in one step")
    parser.add_argument("-o", "--output", metavar="TARGET", help="write to TARGET, in one step")
    parser.add_argument("--ensure_ascii", action="store_true", help="escape what is not ASCII")
    parser.add_argument("--indent", type=int, default=2, help="spaces of indentation (default 2)")
    parser.add_argument("--skip-json-loads", action="store_true", help="do not try json.loads first")
    parser.add_argument("--schema", metavar="SCHEMA", help="a file with a JSON Schema that the value must fit")
    parser.add_argument("--schema-model", metavar="MODEL", help="a pydantic model, as module:ClassName")
    parser.add_argument("--strict", action="store_true", help="use the preset strict")
    parser.add_argument(
        "--schema-repair-mode", choices=["standard", "salvage"], default="standard", help="salvage is not offered"
    )
    return parser


def cli(inline_args: list[str] | None = None) -> int:
    """The command, with the flags of json_repair. A refusal is an error: it writes nothing and gives 1."""
    arguments = _arguments().parse_args(inline_args)
    has_schema = bool(arguments.schema or arguments.schema_model)
    conflicts = [
        (arguments.inline and not arguments.filename, "--inline needs a file"),
        (arguments.inline and arguments.output, "--inline and --output cannot be used together"),
        (arguments.schema and arguments.schema_model, "--schema and --schema-model cannot be used together"),
        (arguments.strict and has_schema, "--strict cannot be used with a schema"),
        (arguments.schema_repair_mode == "salvage" and not has_schema, "--schema-repair-mode salvage needs a schema"),
    ]
    for is_met, message in conflicts:
        if is_met:
            print(f"Error: {message}", file=sys.stderr)
            sys.exit(1)
    try:
        value = bound(on_refusal="raise").loads(
            Path(arguments.filename).read_text() if arguments.filename else sys.stdin.read(),
            skip_json_loads=arguments.skip_json_loads,
            strict=arguments.strict,
            schema=_schema(arguments),
            schema_repair_mode=arguments.schema_repair_mode,
        )
        text = json.dumps(value, indent=arguments.indent, ensure_ascii=arguments.ensure_ascii)
        target = arguments.output or (arguments.filename if arguments.inline else None)
        if target is None:
            print(text)
        else:
            _replace(Path(target), text)
    except (OSError, TypeError, ValueError, NotImplementedError) as error:
        print(f"Error: {error}", file=sys.stderr)
        return 1
    return 0


def _schema(arguments: argparse.Namespace) -> Any:
    if arguments.schema:
        return json.loads(Path(arguments.schema).read_text())
    if not arguments.schema_model:
        return None
    module, separator, name = arguments.schema_model.partition(":")
    if not separator:
        raise ValueError("--schema-model is module:ClassName")
    model = getattr(importlib.import_module(module), name, None)
    if model is None:
        raise ValueError(f"there is no {name} in the module {module}")
    return model


def _replace(target: Path, text: str) -> None:
    """Writes a file beside the target and renames it, so that the target is never half written."""
    target = Path(os.path.realpath(target))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        file: IO[str]
        with os.fdopen(handle, "w") as file:
            file.write(text)
        if target.exists():
            os.chmod(name, target.stat().st_mode & 0o7777)
        else:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


if __name__ == "__main__":
    sys.exit(cli())
