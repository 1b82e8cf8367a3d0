"""Generates the tables of the record from the corpus: its series, and the readings that they exclude."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from provably_fair.games.naming import typed_name
from rooms import FOLDER, write

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "corpus"))
import series

if TYPE_CHECKING:
    from sphinx.application import Sphinx

SPELLINGS = ("in lower case", "in upper case", "without the blanks", "without the quotes")
"""Readings that equal the rule itself if seeds have a single spelling."""
COMBINED = ", a word made one of n"
"""Marks combinations of two readings, each of which is listed by itself too."""
SHOWN = 5


def table(header: list[str], rows: list[list[str]], widths: str) -> str:
    """Return a reStructuredText table with literal cells."""
    return listed([header, *([plain(cell) for cell in row] for row in rows)], widths)


def listed(rows: list[list[str]], widths: str) -> str:
    """Return a reStructuredText table; the first row is the header."""
    lines = [".. list-table::", "   :header-rows: 1", f"   :widths: {widths}", ""]
    for row in rows:
        lines += [f"   {'* -' if place == 0 else '  -'} {cell}" for place, cell in enumerate(row)]
    return "\n".join([*lines, "", ""])


def plain(text: str) -> str:
    """Return text escaped for reStructuredText."""
    return "".join(f"\\{mark}" if mark in "\\*`|_<>" else mark for mark in text)


def tables(folder: Path = series.FOLDER) -> dict[str, str]:
    """Return the tables by file name."""
    kept: dict[str, Any] = json.loads((folder / "recomputed.json").read_text("utf-8"))
    rows, others = [], {}
    for one in series.every(folder):
        about, got = one.about, kept["series"][one.name]
        name = typed_name(type(next(iter(one.games.values())))())
        readings = others[name] = kept["readings"][name]
        era = "" if about["era"] in (about["played"], "unknown") else f", {about['era']}"
        by = "" if about["found_by"] == "unknown" else f"{about['found_by']}; "
        rows.append(
            [
                about["operator"],
                about["game"] + era,
                f"{got['right']:,}" + ("" if got["right"] == got["rows"] else f" of {got['rows']:,}"),
                about["played"],
                by + about["source"],
                f"{readings['excluded']} of {readings['tried']}",
            ]
        )
    total = sum(got["rows"] for got in kept["series"].values())
    wrong = total - sum(got["right"] for got in kept["series"].values())
    excluded = sum(one["excluded"] for one in kept["readings"].values())
    tried = sum(one["tried"] for one in kept["readings"].values())
    operators = len({row[0] for row in rows})
    count = (
        f"The record has **{total:,} rounds** in {len(rows)} series of {operators} operators, "
        f"{f'{wrong:,}' if wrong else 'none'} of them wrong. "
        f"They exclude {excluded:,} of {tried:,} other readings of the games' rules.\n"
    )
    open_ = []
    for name, one in sorted(others.items()):
        texts = [text for text in one["open"] if not any(mark in text for mark in (*SPELLINGS, COMBINED))]
        more = [f"{len(texts) - SHOWN} more"] if len(texts) > SHOWN else []
        open_.append([name, "; ".join([*texts[:SHOWN], *more]) or "none"])
    left = tomllib.loads((folder / "left_out.toml").read_text("utf-8"))["left_out"]
    header = ["operator", "game, era", "rounds", "played", "found by", "readings excluded"]
    return {
        "record_count.txt": count,
        "record_series.txt": table(header, rows, "12 16 9 16 35 12"),
        "record_open.txt": table(["game", "readings left open"], open_, "20 80"),
        "record_left_out.txt": table(["what", "why"], [[one["what"], one["why"]] for one in left], "45 55"),
    }


def generate(app: Sphinx) -> None:
    """Write the tables."""
    for name, text in tables().items():
        write(Path(app.srcdir) / "reference" / FOLDER / name, text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", generate)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
