"""Packages that import their files on first use, and mappings that load their values."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from typing import Any, TypeVar

__all__ = ["Lazily", "Lister", "lister_of", "loader_of", "names_in"]

T = TypeVar("T")
Lister = Callable[[], list[str]]
"""The type of a module's ``__dir__``."""


def loader_of(package: str, files: Collection[str]) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``, which imports its files and their public names on demand.

    A mapping has the public names of each file, separated by spaces.
    """
    shown = files if isinstance(files, Mapping) else {}
    home = {name: file for file, names in shown.items() for name in names.split()}

    def load(name: str) -> Any:
        if name in home:
            value = getattr(import_module(f"{package}.{home[name]}"), name)
            setattr(sys.modules[package], name, value)  # cached for the next access
            return value
        if name in files:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


def names_in(files: Mapping[str, str], elsewhere: str = "") -> list[str]:
    """Return what a package shows: its files' public names, and files that have none.

    Names that are shown `elsewhere`, at the top, are left out.
    """
    shown = {name for file, names in files.items() for name in names.split() or [file]}
    return sorted(shown - {*elsewhere.split()})


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
