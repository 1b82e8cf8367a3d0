"""The pictures drawn in tests, and how to render them for comparison."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import provably_fair as pf

MINES = pf.Mines(mines=3).explain("", "", "")
COIN = pf.Distribution([0, 1], [1, 1])
TABLE = pf.cards.VideoPoker()
REPORT = pf.fairness_report(np.arange(1000) // 7 % 54, pf.X50())
PICTURES = {
    "mines": lambda ax: pf.Mines().plot([11, 8, 18], ax=ax),
    "mines, walk-through": lambda ax: MINES.plot(ax=ax),
    "mines, step": lambda ax: MINES.plot(step=24, ax=ax),
    "tower": lambda ax: pf.Tower().plot(pf.Tower(mines=4).play("", "", ""), ax=ax),
    "tower, walk-through": lambda ax: pf.Tower().explain("", "", "").plot(ax=ax),
    "slot": lambda ax: pf.Slot().plot([0, 10, 21, 20, 40], ax=ax),
    "plinko": lambda ax: pf.Plinko(pins=8).explain("", "", "").plot(ax=ax),
    "plinko, many": lambda ax: pf.Plinko(balls=100).explain("", "", "").plot(ax=ax),
    "law": lambda ax: COIN.plot(ax=ax),
    "law, counts": lambda ax: COIN.plot([3, 5], confidence=0.9, ax=ax),
    "residuals": lambda ax: COIN.plot_residuals([300, 500], ax=ax),
    "residuals, tally": lambda ax: pf.Double().distribution().plot_residuals(pf.Double().tally(1000), ax=ax),
    "law, names": lambda ax: pf.Distribution(["$a$", "b"], [1, 2]).plot([1, 0], ax=ax),
    "law, distribution": lambda ax: pf.Double().distribution().plot(pf.Double().tally(100), ax=ax),
    "law, many": lambda ax: pf.Dice().distribution().plot({50.0: 3, 70.0: 1}, ax=ax),
    "survival": lambda ax: pf.Distribution([1.0, 2.0, 50.0], [1, 2, 1]).plot_survival(ax=ax),
    "survival, law": lambda ax: pf.Distribution([1.0, 2.0], [1, 1]).plot_survival(
        pf.Crash().tally(1000), ax=ax
    ),
    "holds": lambda ax: TABLE.plot([49, 17, 46, 39, 40], most=5, ax=ax),
    "fairness report": lambda ax: REPORT.plot(ax),
}


def save(name: str, path: Path) -> None:
    """Render a picture as a small image in matplotlib's default style."""
    from matplotlib import style
    from matplotlib.figure import Figure

    with style.context("default"):
        ax = Figure(figsize=(5, 4), dpi=60, layout="constrained").add_subplot()
        PICTURES[name](ax).figure.savefig(path)


def file_name(name: str) -> str:
    """The file name of a picture."""
    return name.replace(", ", "-").replace(" ", "_") + ".png"
