"""The entry of the command `provably-fair`, which says what is missing where the extra isn't installed."""

from __future__ import annotations

import sys

__all__ = ["main"]

INSTALL = "provably-fair needs its extra: pip install 'provably_fair[cli]'"


def main(arguments: list[str] | None = None) -> int:
    """Run the command with the given or the program's arguments, and return its exit code."""
    try:
        from provably_fair.cli.commands import run
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("typer", "rich", "click"):
            raise
        print(INSTALL, file=sys.stderr)
        return 2
    return run(arguments)
