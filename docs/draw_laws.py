"""Draws docs/images/laws.png for the page on exact laws. `make docs` runs it."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import provably_fair as pf

ROUNDS = 20_000
CONFIDENCE = 0.95

# The game of each panel, and the subject of its law.
PANELS = {
    "Mines: in the top row": (pf.Mines(mines=5), {"cells": range(5)}),
    "Tower: rows climbed": (pf.Tower(), {"positions": 0}),
    "Slot: fifth reel": (pf.Slot(), {"reel": 4}),
    "Plinko: bucket": (pf.Plinko(), {}),
    "Double: sector": (pf.Double(), {}),
    "X50: sector": (pf.X50(), {}),
    "Jackpot: 20 tickets": (pf.Jackpot(tickets=20), {}),
    "Dice: at least x": (pf.Dice(), {}),
    "Crash: at least x": (pf.Crash(), {}),
    "Overgo: at least x": (pf.Overgo(), {}),
}


def draw(path: Path) -> None:
    """Draw every game's law and simulated rounds."""
    figure, grid = plt.subplots(2, 5, figsize=(13, 5.2), layout="constrained")
    for ax, (title, (game, question)) in zip(grid.ravel(), PANELS.items(), strict=True):
        values = game.observe(game.simulate(ROUNDS, seed="laws"), **question)
        outcomes, counts = np.unique(values, return_counts=True)
        seen = dict(zip(outcomes.tolist(), counts.tolist(), strict=True))
        game.distribution(**question).plot(seen, confidence=CONFIDENCE, ax=ax)
        ax.get_legend().remove()
        ax.margins(y=0.05)
        if title.startswith(("Crash", "Overgo")):
            ax.set(xscale="log", yscale="log", ylim=(1e-6, 2))
        ax.set(title=title, xlabel="", ylabel="probability" if ax in grid[:, 0] else "")
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    draw(Path(__file__).with_name("images") / "laws.png")
