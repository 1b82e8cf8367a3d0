"""The entry point of the command `provably-fair`; without the extra it says what to install."""

from __future__ import annotations

import sys

INSTALL = "provably-fair needs its extra: pip install 'provably_fair[cli]'"


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit code; arguments default to those of the process."""
    if (sys.argv[1:] if arguments is None else arguments) == ["demo"]:  # which needs no extra
        from provably_fair._demo import main as demo

        demo()
        return 0
    try:
        from provably_fair.cli.commands import run
    except ImportError as error:
        if (error.name or "").split(".")[0] not in ("typer", "rich", "click"):
            raise
        print(INSTALL, file=sys.stderr)
        return 2
    return run(arguments)
