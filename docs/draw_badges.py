"""Draws the README's badges, docs/images/badge_*.svg, by what the project states, for `make docs`."""

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


def drawn(name: str, value: str) -> str:
    """Return a badge as SVG."""
    parts, x = [], 0.0
    for text, color in (name, NAME), (value, VALUE):
        width = LETTER * len(text) + 2 * PADDING
        parts.append(f'<rect x="{x:.1f}" width="{width:.1f}" height="{HEIGHT}" fill="{color}"/>')
        parts.append(f'<text x="{x + width / 2:.1f}" y="14">{text}</text>')
        x += width
    style = 'font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" fill="#fff" text-anchor="middle"'
    size = f'width="{x:.0f}" height="{HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>\n' + "\n".join(parts) + "\n</svg>\n"


def badges() -> dict[str, str]:
    """Return the badges by file, as what the README says of each."""
    return {f"badge_{name.split()[-1].lower()}.svg": f"{name} {value}" for name, value in facts().items()}


if __name__ == "__main__":
    for file, pair in zip(badges(), facts().items(), strict=True):
        Path(__file__).with_name("images").joinpath(file).write_text(drawn(*pair), encoding="utf-8")
