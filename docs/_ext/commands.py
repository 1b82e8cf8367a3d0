"""Generates the page of the command line: the help of every command, as the command prints it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from provably_fair.cli import app as command_line
from rooms import FOLDER, underline, write
from typer.testing import CliRunner

if TYPE_CHECKING:
    from sphinx.application import Sphinx


NAME = "provably-fair"
WIDTH = 80


def help_text(*command: str) -> str:
    """Return what `--help` prints."""
    result = CliRunner().invoke(
        command_line, [*command, "--help"], prog_name=NAME, terminal_width=WIDTH, max_content_width=WIDTH
    )
    if result.exit_code:
        raise RuntimeError(f"{NAME} {' '.join(command)} --help ended with {result.exit_code}")
    return result.output


def commands(group: Any, before: str = "") -> Iterator[str]:
    """Yield the names of all commands, subcommands after their group."""
    for name, command in group.commands.items():
        yield before + name
        if hasattr(command, "commands"):
            yield from commands(command, f"{before}{name} ")


def generate(app: Sphinx) -> None:
    """Write the page."""
    lines = [underline("Command line"), "The extra ``cli`` brings the command ``provably-fair``.\n"]
    for name in ("", *commands(typer.main.get_command(command_line))):
        title = f"{NAME} {name}".strip()
        lines += [underline(title, "-"), ".. code-block:: text\n"]
        lines += [textwrap.indent(help_text(*name.split()), "   "), ""]
    write(Path(app.srcdir) / "reference" / FOLDER / "command_line.rst", "\n".join(lines))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
