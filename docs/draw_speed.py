"""Draws docs/images/speed.png for the page on speed: games beside their hashes. `make docs` runs it."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib.pyplot as plt

KEPT = Path(__file__).parents[1] / "benches" / "schemes.json"


def draw(path: Path) -> None:
    """Draw the microseconds of a round of each game, and those of its hashes alone, as they were kept."""
    times = json.loads(KEPT.read_text(encoding="utf-8"))["microseconds"]
    names = sorted(times, key=lambda name: times[name]["hashes"])
    figure, ax = plt.subplots(figsize=(8, 0.17 * len(names) + 1), layout="constrained")
    for of, marker, label in (("hashes", "|", "hashes alone"), ("play", "o", "play")):
        ax.scatter([times[name][of] for name in names], names, marker=marker, s=22, label=label)
    ax.set(xscale="log", xlabel="microseconds a round, one thread", ylim=(-1, len(names)))
    ax.tick_params(axis="y", labelsize=7)
    ax.grid(axis="x", linewidth=0.4)
    ax.legend()
    figure.savefig(path, dpi=100)


if __name__ == "__main__":
    draw(Path(__file__).with_name("images") / "speed.png")
