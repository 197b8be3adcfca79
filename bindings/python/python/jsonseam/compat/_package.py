"""The package ``json_repair``: the real one, and an alias of the same shape with functions of ours."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

_NAME = "json_repair"

#: The modules of the alias: the package, and the one that has its functions. Other submodules are those of the real package.
_MODULES = (_NAME, f"{_NAME}.json_repair")

#: The name of the real package in here: its own may lead to the alias. It imports its parts relative to its name.
_THEIRS = "jsonseam.compat._their_json_repair"


class _Finder(MetaPathFinder):
    """Finds the alias. As a finder it also answers `importlib.reload`, `importlib.util.find_spec` and an import after ``del sys.modules``."""

    def __init__(self, names: dict[str, Any], replaced: dict[str, ModuleType]) -> None:
        self.names = names
        self.replaced = replaced

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in _MODULES:
            return None
        spec = ModuleSpec(name, _Loader(self.names), origin=__file__, is_package=name == _NAME)
        if name == _NAME:
            real = _real_spec()
            spec.submodule_search_locations = [] if real is None else list(real.submodule_search_locations or ())
        return spec


class _Loader(Loader):
    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self.names, __doc__=__doc__, __all__=sorted(self.names))
        if module.__name__ == _NAME:
            vars(module)["__getattr__"] = _submodule


def _submodule(name: str) -> ModuleType:
    """A part of the real package, which its own initialisation would have imported."""
    if not name.startswith("__"):
        try:
            return importlib.import_module(f"{_NAME}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{_NAME}.{name}":
                raise
    raise AttributeError(f"module {_NAME!r} has no attribute {name!r}")


def install(names: dict[str, Any]) -> None:
    """Puts the alias in place."""
    if any(isinstance(finder, _Finder) for finder in sys.meta_path):
        return
    replaced = {name: sys.modules.pop(name) for name in _MODULES if name in sys.modules}
    sys.meta_path.insert(0, _Finder(names, replaced))
    for name in _MODULES:
        importlib.import_module(name)


def uninstall() -> None:
    """Takes the alias away, and puts back what it replaced."""
    for finder in [finder for finder in sys.meta_path if isinstance(finder, _Finder)]:
        sys.meta_path.remove(finder)
        for name in _MODULES:
            sys.modules.pop(name, None)
        sys.modules.update(finder.replaced)


def theirs() -> ModuleType | None:
    """The real package, imported once for us alone, so that no alias of its name is asked; ``None`` if it is not installed."""
    known = sys.modules.get(_THEIRS)
    if known is not None:
        return known
    real = _real_spec()
    if real is None:
        return None
    spec = importlib.util.spec_from_file_location(
        _THEIRS, real.origin, submodule_search_locations=list(real.submodule_search_locations or ())
    )
    if spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    sys.modules[_THEIRS] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[_THEIRS]
        raise
    return module


def _real_spec() -> ModuleSpec | None:
    """Where the real package is, whatever is imported under its name."""
    for finder in sys.meta_path:
        find: Callable[[str, Sequence[str] | None], ModuleSpec | None] | None = getattr(finder, "find_spec", None)
        if find is None or isinstance(finder, _Finder):
            continue
        spec = find(_NAME, None)
        if spec is not None and spec.origin is not None and Path(spec.origin).is_file():
            return spec
    return None
