"""Rooms that load their files on first use, and list what they offer."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from types import ModuleType

__all__ = ["lister_of", "loader_of"]


def loader_of(package: str, names: Collection[str]) -> Callable[[str], ModuleType]:
    """Return a package's ``__getattr__``, which imports the named files of it when they are asked for."""

    def load(name: str) -> ModuleType:
        if name in names:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


def lister_of(names: Collection[str]) -> Callable[[], list[str]]:
    """Return a module's ``__dir__``, which lists its public names but not what its file imports."""
    return lambda: sorted(names)
