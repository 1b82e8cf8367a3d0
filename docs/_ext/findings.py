"""Generates the page of findings: every kind with its sentence, from the package."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from provably_fair.auditing import FindingKind
from rooms import FOLDER, underline, write

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def generate(app: Sphinx) -> None:
    """Write the page."""
    lines = [underline("Findings"), "Every kind of finding of an audit, and what it means.\n"]
    lines += [".. list-table::", "   :header-rows: 1\n", "   * - kind", "     - meaning"]
    for kind in FindingKind:
        lines += [f"   * - ``{kind}``", f"     - {kind.meaning}"]
    write(Path(app.srcdir) / "reference" / FOLDER / "findings.rst", "\n".join([*lines, ""]))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
