"""Draws docs/images/games.png, the picture in the README. `make docs` runs it."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import provably_fair as pf
from matplotlib.axes import Axes

ROUNDS = 20_000
PINS = 12
BLUE, BLACK, ORANGE = "#0072B2", "#000000", "#D55E00"


def plinko(ax: Axes) -> None:
    """Draw a ball's path through the pegs, and the law of its bucket below."""
    game = pf.Plinko(pins=PINS)
    law, tally = game.distribution(), game.tally(ROUNDS, seed="games")
    for row in range(PINS):
        ax.scatter(np.arange(row + 1) - row / 2, np.full(row + 1, -row), s=14, color="#999999", zorder=2)
    steps = np.cumsum([0, *np.resize([1, -1, 1, 1, -1], PINS)]) / 2
    ax.plot(steps, 0.6 - np.arange(PINS + 1), color=ORANGE, linewidth=2, zorder=3)
    places, bottom, tall = law.outcomes - PINS / 2, -PINS - 7.5, 6.5 / law.probabilities.max()
    ax.bar(places, law.probabilities * tall, bottom=bottom, width=0.8, color=BLUE)
    ax.plot(places, bottom + tally.frequencies * tall, "o", color=BLACK, markersize=4)
    ax.set(title="Plinko: where balls land", xlim=(-PINS / 2 - 1, PINS / 2 + 1))
    ax.axis("off")


def crash(ax: Axes) -> None:
    """Draw the share of rounds that reach each multiplier."""
    game = pf.Crash()
    game.distribution().plot_survival(game.simulate(ROUNDS, seed="games"), ax=ax)
    ax.set(
        title="Crash: how many rounds reach x", xlabel="multiplier", ylabel="share of rounds", xlim=(1, 1e3)
    )
    ax.set_ylim(5e-4, 1.3)


def mines(ax: Axes) -> None:
    """Draw the exact probability of a mine in each cell, simulated shares below, and one round."""
    game = pf.Mines(mines=3)
    exact = np.array([game.distribution(cells=[cell]).pmf(1) for cell in range(25)])
    ax.imshow(exact.reshape(5, 5), cmap="Blues", vmin=0, vmax=1)
    for cell, count in enumerate(game.tally(ROUNDS, seed="games").counts):
        x, y = cell % 5, cell // 5
        ax.text(x, y - 0.13, f"{exact[cell]:.0%}", ha="center", va="center", fontsize=13, color=BLUE)
        ax.text(x, y + 0.22, f"{count / ROUNDS:.2%}", ha="center", va="center", fontsize=8, color=BLACK)
    for cell in game.play("", "", "").tolist():
        ax.plot(
            cell % 5, cell // 5, "s", markersize=34, markerfacecolor="none", color=ORANGE, markeredgewidth=3
        )
    ax.set(title="Mines: how often a cell hides a mine", xticks=[], yticks=[])


def blackjack(ax: Axes) -> None:
    """Draw the best play of each hand."""
    pf.cards.Blackjack(decks=4).analyze("basic").chart.plot(ax)
    ax.set(title="Blackjack: the best play of each hand", ylabel="")
    ax.set_xlabel(ax.get_xlabel().replace("; ", ";\n"), fontsize=10)
    ax.tick_params(labelsize=9)


def draw(path: Path) -> None:
    """Draw all four panels."""
    panels = {"plinko": plinko, "crash": crash, "mines": mines, "blackjack": blackjack}
    layout = [["plinko", "mines", "blackjack"], ["plinko", "crash", "blackjack"]]
    figure, grid = plt.subplot_mosaic(layout, figsize=(13, 7), layout="constrained")
    for name, one in panels.items():
        one(grid[name])
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    draw(Path(__file__).with_name("images") / "games.png")
