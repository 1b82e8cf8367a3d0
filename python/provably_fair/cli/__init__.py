"""The command line: `provably-fair` (needs the extra ``cli``)."""

from importlib import import_module

__all__ = ["app", "run"]


def __getattr__(name: str) -> object:
    # Typer and rich are of the extra: where they are missing, `_cli_entry` says so.
    if name in __all__:
        return getattr(import_module(".commands", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
