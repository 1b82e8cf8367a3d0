"""The pictures drawn in tests, and how to render them for comparison."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import provably_fair as pf

MINES = pf.Mines(mines=3).explain("", "", "")
COIN = np.array([0, 1]), (1, 1)
TABLE = pf.cards.VideoPoker()
REPORT = pf.fairness_report(np.arange(1000) // 7 % 54, pf.X50())
PICTURES = {
    "mines": lambda ax: pf.plot.mines([11, 8, 18], ax=ax),
    "mines, walk-through": lambda ax: pf.plot.mines(MINES, ax=ax),
    "mines, step": lambda ax: pf.plot.mines(MINES, step=24, ax=ax),
    "tower": lambda ax: pf.plot.tower(pf.Tower(mines=4).play("", "", ""), ax=ax),
    "tower, walk-through": lambda ax: pf.plot.tower(pf.Tower().explain("", "", ""), ax=ax),
    "slot": lambda ax: pf.plot.slot(pf.Slot(), [0, 10, 21, 20, 40], ax=ax),
    "plinko": lambda ax: pf.plot.plinko(pf.Plinko(pins=8).explain("", "", ""), ax=ax),
    "plinko, many": lambda ax: pf.plot.plinko(pf.Plinko(balls=100).explain("", "", ""), ax=ax),
    "law": lambda ax: pf.plot.law(COIN, ax=ax),
    "law, counts": lambda ax: pf.plot.law(COIN, [3, 5], confidence=0.9, ax=ax),
    "residuals": lambda ax: pf.plot.residuals(COIN, [300, 500], ax=ax),
    "residuals, tally": lambda ax: pf.plot.residuals(
        pf.Double().distribution(), pf.Double().tally(1000), ax=ax
    ),
    "law, names": lambda ax: pf.plot.law((["$a$", "b"], [1, 2]), [1, 0], ax=ax),
    "law, distribution": lambda ax: pf.plot.law(pf.Double().distribution(), pf.Double().tally(100), ax=ax),
    "law, many": lambda ax: pf.Dice().distribution().plot(ax, counts={50.0: 3, 70.0: 1}),
    "survival": lambda ax: pf.plot.survival([1.0, 2.0, 2.0, 50.0], ax=ax),
    "survival, law": lambda ax: pf.plot.survival(pf.Crash().tally(1000), ([1.0, 2.0], [1, 1]), ax=ax),
    "holds": lambda ax: pf.plot.holds(TABLE, [49, 17, 46, 39, 40], most=5, ax=ax),
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
