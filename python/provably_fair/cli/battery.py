"""The commands for test batteries: `stream` writes words for one to read, `run` runs Dieharder.

See `provably_fair.dieharder`, whose functions these are.
"""

from __future__ import annotations

import argparse
import os
import sys

from provably_fair.statistics.dieharder import battery, stream

__all__: list[str] = []

INTERRUPTED = 128 + 2
"""The exit code after Ctrl-C, as shells have it; of `provably-fair` too."""

TESTS = '"smoke" (a minute, the default), "all" (hours), or numbers of tests'
"""What the argument of `run` is; of `provably-fair battery` too."""


def chosen(tests: list[str] | None) -> str | list[str]:
    """Return the tests to run, as `battery` takes them; without any the smoke test."""
    tests = tests or ["smoke"]
    return tests[0] if tests in (["all"], ["smoke"]) else tests


def main() -> None:
    try:
        _run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


def _run() -> None:
    parser = argparse.ArgumentParser(prog="python -m provably_fair.battery")
    commands = parser.add_subparsers(dest="command", required=True)
    streams = commands.add_parser("stream", help="write words to standard output")
    streams.add_argument("--numbers", type=int, help="how many words; endless by default")
    streams.add_argument("--ascii", action="store_true", help="the text file of dieharder -g 202")
    streams.add_argument("--width", type=int, default=32, choices=(32, 64))
    streams.add_argument("--order", default="bytes", choices=("bytes", "numbers"))
    streams.add_argument("--seed", default="0")
    streams.add_argument("--start", type=int, default=0)
    runs = commands.add_parser("run", help="run dieharder on the stream")
    runs.add_argument("tests", nargs="*", help=TESTS)
    runs.add_argument("--seed", default="0")
    runs.add_argument("--json", help="a file to write the report to")
    runs.add_argument("--raw", help="a file to write dieharder's output to")
    given = vars(parser.parse_args())
    command = given.pop("command")
    if command == "stream":
        try:
            stream(sys.stdout.buffer, **given)
        except ValueError as error:
            parser.error(str(error))
        # What a reader left in the buffer can't be written any more: no complaint at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return
    try:
        report = battery(chosen(given["tests"]), seed=given["seed"], progress=True)
    except (FileNotFoundError, ValueError) as error:
        sys.exit(str(error))
    for option, text in (("json", report.to_json()), ("raw", report.raw)):
        if given[option]:
            with open(given[option], "w", encoding="utf-8") as file:
                file.write(text)
    print(report)
    sys.exit(report.assessment == "FAILED")
