"""Puts the page on which rounds of all games are verified in the place of `verify.md`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from provably_fair import ports

if TYPE_CHECKING:
    from sphinx.application import Sphinx

BACK = '<header>\n  <p><a href="index.html">provably_fair</a></p>'


def replace(app: Sphinx, error: Exception | None) -> None:
    """Write the page, with a way back, over the one that Sphinx made for navigation and search."""
    if error is None and app.builder.name == "html":
        path = ports.page("all", Path(app.outdir) / "verify.html")
        path.write_text(path.read_text("utf-8").replace("<header>", BACK, 1), "utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", replace)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
