"""Packages that import their files on first use, and mappings that load their values.

The stub beside a package, `__init__.pyi`, is the one list of its names: type checkers read it, and `attach`
makes the package of it. The library lazy_loader does the same for scientific packages; here numpy alone is
required.
"""

from __future__ import annotations

import os.path
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.util import resolve_name
from typing import Any, NamedTuple, TypeVar

__all__ = ["Attached", "Lazily", "Lister", "attach", "listed", "lister_of"]

T = TypeVar("T")
Lister = Callable[[], list[str]]
"""The type of a module's ``__dir__``."""

_TOP, _HERE = __name__.partition(".")[0], os.path.dirname(os.path.dirname(__file__))
_IMPORT = re.compile(r"^from (\S+) import (\([^)]*\)|.*)$", re.MULTILINE)
_NAME = re.compile(r"(\w+) as \1\b")


class Attached(NamedTuple):
    """What makes a module lazy, in the order in which it assigns them."""

    load: Callable[[str], Any]  # its ``__getattr__``
    list_names: Lister  # its ``__dir__``
    names: list[str]  # its ``__all__``


@cache
def listed(module: str) -> dict[str, str]:
    """Return the names that a module's stub imports, each with the module that it comes from."""
    # Not by pathlib, which takes as long to import as all the rest.
    path, package = os.path.join(_HERE, *module.split(".")[1:]), module
    if os.path.isdir(path):
        path = os.path.join(path, "__init__")
    else:
        package = module.rpartition(".")[0]
    with open(f"{path}.pyi", encoding="utf-8") as stub:
        found = _IMPORT.findall(stub.read())
    return {name: resolve_name(of, package) for of, names in found for name in _NAME.findall(names)}


def attach(module: str, hidden: Collection[str] = (), hint: Callable[[str], str] = "".format) -> Attached:
    """Return what makes a module of its stub: names are imported on first use.

    It doesn't show `hidden` names, nor those that the top of the package shows in its place. The error for an
    unknown name ends in its `hint`.
    """
    home = listed(module)
    hidden = {*hidden, *(name for name, of in listed(_TOP).items() if of == module != _TOP)}
    files = {of.removeprefix(f"{module}.") for of in home.values() if of.startswith(f"{module}.")}

    def load(name: str) -> Any:
        of = home.get(name)
        if of is None or of == module:
            if of or name in files:
                return import_module(f"{module}.{name}")
            raise AttributeError(f"module {module!r} has no attribute {name!r}{hint(name)}")
        value = getattr(import_module(of), name)
        setattr(sys.modules[module], name, value)  # cached for the next access
        return value

    names = sorted(home.keys() - hidden)
    return Attached(load, lister_of(names), names)


class Lazily(Mapping[str, T]):
    """A mapping with known keys whose values are loaded on first access."""

    def __init__(self, names: Collection[str], load: Callable[[str], T]) -> None:
        self._names, self._load = names, load

    def __getitem__(self, name: str) -> T:
        if name not in self._names:
            raise KeyError(name)
        return self._load(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def lister_of(names: Collection[str]) -> Lister:
    """Return a module's ``__dir__``, which lists its public names but not its imports."""
    return lambda: sorted(names)
