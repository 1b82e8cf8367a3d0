"""The command line: `provably-fair` (needs the extra ``cli``)."""

from importlib import import_module
from typing import Any

__all__ = ["app", "run"]


def __getattr__(name: str) -> Any:
    # `python -m provably_fair.battery` does without typer and rich.
    if name in __all__:
        return getattr(import_module(".commands", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
