"""Rooms that load their files on first use, and list what they offer."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any

__all__ = ["lister_of", "loader_of"]


def loader_of(package: str, files: Collection[str]) -> Callable[[str], Any]:
    """Return a package's ``__getattr__``, which imports its files, and the names they show, when asked for.

    A mapping of files has the names that the package shows of each, with spaces between.
    """
    shown = files if isinstance(files, Mapping) else {}
    home = {name: file for file, names in shown.items() for name in names.split()}

    def load(name: str) -> Any:
        if name in home:
            found = getattr(import_module(f"{package}.{home[name]}"), name)
            setattr(sys.modules[package], name, found)  # asked for once
            return found
        if name in files:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


def lister_of(names: Collection[str]) -> Callable[[], list[str]]:
    """Return a module's ``__dir__``, which lists its public names but not what its file imports."""
    return lambda: sorted(names)
