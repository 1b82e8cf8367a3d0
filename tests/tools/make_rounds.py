"""Makes the rounds for testing ports of every game: tests/vectors/rounds/*.json.

    python tests/tools/make_rounds.py [GAME ...]

Each file is the output of `provably-fair vectors GAME`; `provably-fair vectors --check FILE` plays it again.
All games take two minutes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders
import provably_fair as pf
from provably_fair.games.naming import typed_name
from provably_fair.names import parse_game
from provably_fair.readings.known import known_games

FOLDER = folders.VECTORS / "rounds"
# Beside each game's defaults: full boards, several results a round, other levels.
OTHERS = (
    "mines:mines=24", "tower:mines=4", "slot:spins=3", "plinko:pins=9,balls=3", "jackpot:tickets=3",
    "stake.mines:mines=24", "stake.plinko:rows=8", "stake.wheel:segments=30", "stake.moles:moles=6",
    "stake.dragontower:tiles=2,eggs=1", "stake.limbo:reading=2026", "stake.chicken:level=expert",
    "stake.pump:level=expert", "stake.cases:level=expert", "stake.tarot:level=expert",
    "stake.bars:level=expert,tiles=5", "duel.mines:mines=24", "duel.plinko:rows=8", "duel.beef:points=10",
    "liqd.mines:mines=24",
)  # fmt: skip


def names() -> list[str]:
    """Return the names of the games as given on the command line."""
    return [*map(typed_name, known_games()), *OTHERS]


def path_of(name: str) -> Path:
    """Return a game's file: `stake.mines:mines=24` is stored as stake.mines-mines-24.json."""
    return FOLDER / (re.sub(r"[:=,]", "-", name) + ".json")


def text_of(name: str) -> str:
    """Return the content of a game's file."""
    return pf.separating_rounds(parse_game(name)).to_json() + "\n"


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or names():
        path_of(name).write_text(text_of(name), encoding="utf-8")
        print(name, flush=True)
