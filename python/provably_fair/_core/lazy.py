"""Rooms that load their files on first use."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from types import ModuleType

__all__ = ["loader_of"]


def loader_of(package: str, names: Collection[str]) -> Callable[[str], ModuleType]:
    """Return a package's ``__getattr__``, which imports the named files of it when they are asked for."""

    def load(name: str) -> ModuleType:
        if name in names:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load
