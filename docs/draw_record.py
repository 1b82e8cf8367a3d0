"""Draws docs/images/record.png for the page on the record: the years of its rounds. `make docs` runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib.pyplot as plt

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "corpus"))
import series

COLORS = {True: "#0072b2", False: "#e69f00"}
"""Colors of rounds on a chain, and of rounds with seeds of their own."""
LEAST = 0.12
"""The least visible width of a bar, in years."""
END = 2027


def draw(path: Path) -> None:
    """Draw the number of rounds of each operator by year."""
    spans: dict[str, dict[tuple[float, float, bool], int]] = {}
    unknown = 0
    for one in series.every():
        if one.played is None:
            unknown += len(one.values("outcome"))
        if one.played is not None:
            game = next(iter(one.games.values()))
            bars = spans.setdefault(one.about["operator"], {})
            bar = (*one.played, "game_hash" in game.scheme.fields)
            bars[bar] = bars.get(bar, 0) + len(one.values("outcome"))
    order = sorted(spans, key=lambda name: (min(spans[name]), name), reverse=True)
    figure, ax = plt.subplots(figsize=(9.5, 0.36 * len(order) + 1.5), layout="constrained")
    for row, name in enumerate(order):
        for (first, last, chain), _ in sorted(spans[name].items()):
            first, last = (
                min(first, (first + last) / 2 - LEAST / 2),
                max(last, (first + last) / 2 + LEAST / 2),
            )
            up = 0.15 if chain else -0.15
            ax.barh(row + up, last - first, left=first, height=0.27, color=COLORS[chain], edgecolor="white")
        ax.text(END + 0.15, row, f"{sum(spans[name].values()):,}", va="center", ha="left")
    ax.text(END + 0.15, len(order) - 0.35, "rounds", va="bottom", ha="left", weight="bold")
    for chain, label in ((True, "games on a hash chain"), (False, "rounds with seeds of their own")):
        ax.barh(0, 0, color=COLORS[chain], label=label)
    ax.legend(loc="lower left", frameon=False)
    ax.set_yticks(range(len(order)), order)
    ax.set_xticks(range(2015, END + 1))
    ax.set_xlim(2015, END)
    ax.set_ylim(-0.6, len(order) - 0.4)
    ax.grid(axis="x", color="#dddddd")
    ax.set_axisbelow(True)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    title = f"When the rounds of the record were played ({unknown} of unknown date aren't shown)"
    ax.set_title(title, loc="left")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    draw(Path(__file__).with_name("images") / "record.png")
