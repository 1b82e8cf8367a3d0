"""Draws docs/images/alarms.png for the page on trust in the tests: false alarms. `make docs` runs it."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib.pyplot as plt

MEASURED = Path(__file__).resolve().parents[1] / "measurements" / "fairness.json"
SIZES = {10: ("o", "#0072B2"), 30: ("s", "#56B4E9"), 100: ("^", "#009E73"), 500: ("D", "#E69F00")}
SIZES[2000] = ("v", "#D55E00")
KINDS = {"x50": ("o", "#0072B2"), "mines": ("s", "#D55E00"), "numbers": ("^", "#009E73")}


def draw(path: Path) -> None:
    """Draw the share of fair data rejected, by single tests at 500 rounds and by whole reports."""
    measured = json.loads(MEASURED.read_text(encoding="utf-8"))
    figure, (left, right) = plt.subplots(1, 2, figsize=(13, 5.2), layout="constrained")
    single = [row for row in measured["calibration"] if row["test"] != "any (Holm)" and row["rounds"] == 500]
    tests = list(dict.fromkeys(row["test"] for row in single))
    alarm = single[0]["alarms"]["0.05"]
    left.axvspan(alarm["least"] - 0.5, alarm["most"] + 0.5, color="#EDEDED", label="99.9 % of fair tests")
    left.axvline(50, color="black", linestyle="--", linewidth=1)
    for shift, (kind, (marker, color)) in zip((-0.22, 0, 0.22), KINDS.items(), strict=True):
        rows = [row for row in single if row["subject"] == kind]
        counts = [row["alarms"]["0.05"]["count"] for row in rows]
        left.plot(counts, [tests.index(row["test"]) + shift for row in rows], marker, color=color, label=kind)
    left.set_yticks(range(len(tests)), tests)
    left.set(xlabel="false alarms of 1,000, at a level of 5 %", title="Each test, 500 rounds", xlim=(0, None))
    subjects = list(dict.fromkeys(row["subject"] for row in measured["levels"]))
    for shift, (rounds, (marker, color)) in zip((-0.3, -0.15, 0, 0.15, 0.3), SIZES.items(), strict=True):
        rows = {row["subject"]: row for row in reversed(measured["levels"]) if row["rounds"] == rounds}
        shares = [100 * row["rejected"] / row["sets"] for row in rows.values()]
        ends = [[100 * row[end] for row in rows.values()] for end in ("low", "high")]
        errors = [[share - low for share, low in zip(shares, ends[0], strict=True)]]
        errors.append([high - share for share, high in zip(shares, ends[1], strict=True)])
        places = [subjects.index(subject) + shift for subject in rows]
        style = {"fmt": marker, "color": color, "markersize": 4, "label": f"{rounds:,} rounds"}
        right.errorbar(shares, places, xerr=errors, **style)
    right.axvline(1, color="black", linestyle="--", linewidth=1)
    right.set_yticks(range(len(subjects)), subjects)
    right.set(xlabel="% of fair data sets that are rejected, at 1 %", title="Whole reports", xlim=(0, None))
    for ax in (left, right):
        ax.invert_yaxis()
        ax.legend(fontsize=8, loc="upper right")
        low, high = ax.get_xlim()
        ax.set_xlim(low, 1.25 * high)
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    draw(Path(__file__).with_name("images") / "alarms.png")
