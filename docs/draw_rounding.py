"""Draws docs/images/rounding.png for the page on rounding: return by stake. `make docs` runs it."""

from __future__ import annotations

from pathlib import Path

import matplotlib.pyplot as plt
import provably_fair as pf

PAYS = "1.98"
WAYS = {"down": ("down", (0.48, 1.03)), "half_up": ("to the nearest cent", (0.978, 1.003))}


def draw(path: Path) -> None:
    """Draw the return of a coin that pays 1.98, by stake from a cent on, under two roundings."""
    figure, grid = plt.subplots(1, 2, figsize=(11, 3.6), layout="constrained")
    coin = pf.bets.Bet(pf.Distribution([0, float(PAYS)], [1, 1]))
    stakes = [f"{cents / 100:.2f}" for cents in range(1, 301)]
    for ax, (rounding, (title, limits)) in zip(grid, WAYS.items(), strict=True):
        coin.rtp_by_stake(stakes, rounding=rounding).plot(ax)
        ax.axhline(1, color="black", linewidth=0.8, label="no edge")
        ax.legend(loc="lower right")
        ax.set(title=f"rounded {title}", ylim=limits)
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    draw(Path(__file__).with_name("images") / "rounding.png")
