"""Shared by all commands: exit codes, grouped help, and options in messages."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

from provably_fair._core.printable import plain

if TYPE_CHECKING:
    from provably_fair.sources import Option

VERIFIED, MISMATCH, UNUSABLE = 0, 1, 2
"""Exit codes."""

INTERRUPTED = 128 + 2
"""The exit code after Ctrl-C, as in shells."""


class Grouped:
    """A command whose help groups options by their ``rich_help_panel``."""

    def format_options(self: Any, ctx: Any, formatter: Any) -> None:
        """Write the arguments and options in their groups, in the order of the first of each."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                usual = "Arguments" if param.param_type_name == "argument" else "Options"
                groups.setdefault(getattr(param, "rich_help_panel", None) or usual, []).append(record)
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl(rows)


class GroupedCommand(Grouped, TyperCommand):
    """A single command with such a help."""


class GameCommand(GroupedCommand):
    """A command whose argument GAME may also be given as ``--game``, like `verify`."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Move the option's value to the argument."""
        options = [place for place, word in enumerate(args) if word.partition("=")[0] in ("--game", "-g")]
        if options and not ctx.resilient_parsing:
            (place,) = options[-1:]
            _, equals, game = args[place].partition("=")
            if equals or place + 1 < len(args):
                after = place + (1 if equals else 2)
                args = [game if equals else args[place + 1], *args[:place], *args[after:]]
        return list(super().parse_args(ctx, args))


def in_options(option: Option) -> str:
    """Return an argument or option of a message in the command line's spelling."""
    from provably_fair.verification.options import OPTIONS

    values = option.value if isinstance(option.value, list) else [option.value]
    tables = (value if isinstance(value, Mapping) else {None: value} for value in values)
    written = []
    for name, value in (pair for table in tables for pair in table.items()):
        text = "..." if value is ... else "" if value is None else str(value)
        if not text.isprintable():
            text = plain(text)
        known = OPTIONS.get(option.name)
        flag = known.flag if known is not None and known.several else None
        if flag is None:
            flag = f"--{option.name if name is None else name}".replace("_", "-")
        elif name is not None:
            text = f"{name}={text}"
        written.append(f"{flag} {shlex.quote(text)}")
    return " ".join(written)


def drop(stream: Any) -> None:
    """Redirect a broken stream, so that flushing it at exit stays silent."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
