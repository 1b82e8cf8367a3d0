"""pytest plugin for provably fair rounds.

`assert_rounds` recomputes the rounds of a log, `assert_audit` looks for fraud across rows, `assert_fair`
tests outcomes against the game's law, and `rounds_fixture` makes fixtures of simulated rounds. `assert_rtp`
checks the return of a bet, `assert_same_game` compares two games. The options ``--provably-fair-log FILE
--provably-fair-game GAME``, or a TOML file, turn logs into test items. The engine is loaded when one of them
is first used, not when pytest starts.
"""

from .logs import (
    pytest_addoption as pytest_addoption,
    pytest_collect_file as pytest_collect_file,
    pytest_collection_modifyitems as pytest_collection_modifyitems,
)
from .rounds import (
    RoundSeeds,
    SimulatedRounds,
    assert_audit,
    assert_fair,
    assert_rounds,
    provably_fair_rounds as provably_fair_rounds,
    provably_fair_seeds as provably_fair_seeds,
    rounds_fixture,
)
from .studios import assert_rtp, assert_same_game

__all__ = [
    "RoundSeeds",
    "SimulatedRounds",
    "assert_audit",
    "assert_fair",
    "assert_rounds",
    "assert_rtp",
    "assert_same_game",
    "rounds_fixture",
]
