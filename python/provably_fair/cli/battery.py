"""``python -m provably_fair.battery``: the commands `stream` and `battery`, which is called `run` there."""

from __future__ import annotations

import sys

from provably_fair.statistics.dieharder import battery, random_stream

__all__ = ["battery", "random_stream", "words_of"]


def words_of(arguments: list[str]) -> list[str]:
    """Return the arguments of `provably-fair` for those of ``python -m provably_fair.battery``."""
    if arguments[:1] != ["run"]:
        return arguments
    # There the report as JSON is a file; in `provably-fair`, `--json` prints it.
    return [
        "battery",
        *("--report" + word[6:] if word.split("=")[0] == "--json" else word for word in arguments[1:]),
    ]


def main() -> None:
    """Run the command of the program's arguments."""
    from .commands import run

    sys.exit(run(words_of(sys.argv[1:])))
