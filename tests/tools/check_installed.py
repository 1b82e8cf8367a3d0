"""Checks an installed package with numpy alone: games against plain Python, laws, a log, a walk-through.

It imports nothing besides the wheel, numpy and the oracle beside the tests.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import provably_fair as pf
from oracles import salted as reference

ROUNDS = 200


def main() -> None:
    """Check one view after another; an assertion ends the program."""
    assert pf.Mines(mines=3).play("", "", "").tolist() == [11, 8, 18]  # the operator's own round
    salts = reference.salts(ROUNDS, seed="installed")
    for name, game_class in pf.operators.salted.GAMES.items():
        outcomes = game_class().play("server", "client", salts)
        expected = [reference.GAMES[name]("server", "client", salt) for salt in salts]
        assert outcomes.tolist() == expected, name
        assert game_class().simulate(10).shape[0] == 10
    assert pf.Double().distribution("as_drawn").total == 2**64
    log = {"server_seed": "server", "client_seed": "client", "salt": salts}
    log["outcome"] = pf.Dice().play("server", "client", salts)
    assert pf.verify(log, pf.Dice()).ok
    log["outcome"][17] += 0.01
    assert [failure.row for failure in pf.verify(log, pf.Dice()).failures] == [17]
    assert "[11, 8, 18]" in str(pf.Mines(mines=3).explain("", "", ""))
    assert pf.operators.fpclub.combine([3, 1], [4, 5]).tolist() == [1, 6]
    assert f"{pf.cards.VideoPoker().analyze().rtp:.6f}" == "0.979696"
    print(f"provably_fair {pf.__version__} in {Path(pf.__file__).parent}: as it should be")


if __name__ == "__main__":
    main()
