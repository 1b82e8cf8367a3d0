"""The command line: `provably-fair` (needs the extra ``cli``)."""

from importlib import import_module
from typing import Any

__all__ = ["app", "run"]


def __getattr__(name: str) -> Any:
    # Typer and rich are of the extra: where they are missing, `_cli_entry` says so.
    if name in __all__:
        return getattr(import_module(".commands", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
