"""Draws docs/images/failing_day.png for the page on the day that fails. `make docs` runs it."""

from __future__ import annotations

import itertools
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "corpus"))
import series

COLOR = "#0072b2"


def draw(path: Path) -> None:
    """Draw the share of rounds that agree, by day, and with other digits on the day that fails."""
    one = series.Series("csgodouble/2015", series.FOLDER / "csgodouble" / "2015")
    (game,) = one.games.values()
    fields = [np.array(one.field(name)) for name in ("server_seed", "client_seed", "nonce")]
    rolls = np.array(one.values("outcome"))
    agree = game.play(fields[0], fields[1], fields[2].astype(int)) == rolls
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")

    names, first, sizes = np.unique(one.columns["date"], return_index=True, return_counts=True)
    days, shares = names.astype("datetime64[D]"), 100 * np.add.reduceat(agree, first) / sizes
    worst = int(shares.argmin())
    left.plot(days, shares, "o", markersize=4, color=COLOR)
    text = f"{names[worst]}: {shares[worst]:.1f} %  "
    left.text(days[worst], shares[worst], text, ha="right", va="center")
    left.set(title="Rounds that agree, by day", ylabel="% of rounds", ylim=(0, 105))
    left.set_xticks(days[::14], names[::14], rotation=30, ha="right")

    (wrong,) = np.nonzero(~agree)
    rows = slice(wrong[0], wrong[-1] + 1)
    seed, lottery, numbers = (field[rows] for field in fields)
    places, digits = range(len(lottery[0])), range(10)
    grid = np.zeros((10, len(places)))
    for place, digit in itertools.product(places, digits):
        other = lottery[0][:place] + str(digit) + lottery[0][place + 1 :]
        grid[digit, place] = 100 * (game.play(seed[0], other, numbers.astype(int)) == rolls[rows]).mean()
    picture = right.imshow(grid, cmap="Blues", vmin=0, vmax=100, origin="lower", aspect="auto")
    published = [int(digit) for digit in lottery[0]]
    right.plot(places, published, "o", markersize=11, markerfacecolor="none", markeredgecolor="black")
    for digit, place in np.argwhere(grid == 100):
        right.text(place, digit, "100", color="white", ha="center", va="center")
    right.set_xticks(places, published)
    right.set_yticks(digits)
    right.set(title="Rounds that agree, with another digit", xlabel="as published", ylabel="digit instead")
    figure.colorbar(picture, label=f"% of rounds {int(numbers[0]):,} to {int(numbers[-1]):,}")
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    draw(Path(__file__).with_name("images") / "failing_day.png")
