"""Copies the notebooks from their own folder into the site's source."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def copy(app: Sphinx, _config: object = None) -> None:
    """Copy new notebooks, and remove deleted ones."""
    source = Path(app.srcdir).parent / "notebooks"
    target = Path(app.srcdir) / "notebooks"
    target.mkdir(exist_ok=True)
    names = {path.name for path in source.glob("*.ipynb")}
    for old in target.glob("*.ipynb"):
        if old.name not in names:
            old.unlink()
    for name in names:
        new, old = source / name, target / name
        if not old.exists() or old.read_bytes() != new.read_bytes():
            shutil.copyfile(new, old)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("config-inited", copy)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
