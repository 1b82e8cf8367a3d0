"""The command line: `provably-fair` (needs the extra ``cli``)."""

from importlib import import_module

from provably_fair._core.lazy import Lister, lister_of

__all__ = ["app", "run"]
__dir__: Lister = lister_of(__all__)


def __getattr__(name: str) -> object:
    # Typer and rich belong to the extra; `_cli_entry` reports when they are missing.
    if name in __all__:
        return getattr(import_module(".commands", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
