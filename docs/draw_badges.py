"""Draws docs/images/badges.svg, the badges in the README, from what the project states: part of `make docs`."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEIGHT, LETTER, PADDING = 20, 6.6, 7
NAME, VALUE = "#4a4a4a", "#0a5c8c"


def facts() -> dict[str, str]:
    """Return what the badges say."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    series = json.loads((ROOT / "corpus" / "recomputed.json").read_text("utf-8"))["series"].values()
    return {
        "Python": project["requires-python"].removeprefix(">=") + "+",
        "needs": " and ".join(re.match(r"\w+", one)[0] for one in project["dependencies"]) + " alone",  # type: ignore[index]
        "license": project["license"].replace("OR", "or"),
        "published rounds recomputed": f"{sum(one['rows'] for one in series):,}",
    }


def drawn() -> str:
    """Return the badges as SVG."""
    parts, x = [], 0.0
    for pair in facts().items():
        for text, color in zip(pair, (NAME, VALUE), strict=True):
            width = LETTER * len(text) + 2 * PADDING
            parts.append(f'<rect x="{x:.1f}" width="{width:.1f}" height="{HEIGHT}" fill="{color}"/>')
            parts.append(f'<text x="{x + width / 2:.1f}" y="14">{text}</text>')
            x += width
        x += PADDING
    style = 'font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" fill="#fff" text-anchor="middle"'
    size = f'width="{x:.0f}" height="{HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n' + "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    Path(__file__).with_name("images").joinpath("badges.svg").write_text(drawn(), encoding="utf-8")
