"""Joined seeds of all players of a round, compared with a plain loop."""

from __future__ import annotations

import hashlib
import hmac
import random
from typing import Any

import numpy as np
import provably_fair as pf
import pytest


class Wheel(pf.Game):
    scheme = pf.Scheme(
        pf.Hash("sha256", "{client_seeds}|{round_number}", key="{server_seed}"), bits=32, below="modulo"
    )

    def outcome(self, draws: Any) -> Any:
        return draws.below(37)


def a_log(rows: int) -> dict[str, Any]:
    """Shuffled rows of rounds with one to five players."""
    generator = random.Random("joined")
    rounds = [generator.randrange(rows // 3) for _ in range(rows)]
    return {
        "server_seed": "server",
        "round_number": rounds,
        "player_seed": [
            generator.choice(["ü", "a", "B", "b,", "{weight}", ""]) + str(row) for row in range(rows)
        ],
        "tickets": [generator.choice([1, 2, 10, 2**70]) for _ in range(rows)],
    }


def joined(log: dict[str, Any], number: int) -> str:
    """The seeds of a round's players, joined with the largest bet first."""
    rows = [row for row, other in enumerate(log["round_number"]) if other == number]
    rows.sort(key=lambda row: (-log["tickets"][row], log["player_seed"][row].encode()))
    return ",".join(f"{log['player_seed'][row]}:{log['tickets'][row]}" for row in rows)


def test_seeds_that_end_with_nul_keep_it() -> None:
    rounds, seeds = ["1", "1\0", "1"], ["a\0", "b", "c"]
    assert pf.seeds.joined_seeds(rounds, seeds).tolist() == ["a\0c", "b", "a\0c"]


def test_rounds_of_many_players_are_verified() -> None:
    log = a_log(300)
    options: dict[str, Any] = {"order": "weight", "separator": ",", "written": "{seed}:{weight}"}
    seeds = pf.seeds.joined_seeds(log["round_number"], log["player_seed"], weights=log["tickets"], **options)
    assert seeds.tolist() == [joined(log, number) for number in log["round_number"]]
    expected = [
        int.from_bytes(hmac.digest(b"server", f"{text}|{number}".encode(), hashlib.sha256)[:4], "big") % 37
        for text, number in zip(seeds, log["round_number"], strict=True)
    ]
    assert Wheel().play("server", seeds, log["round_number"]).tolist() == expected
    log |= {"client_seeds": seeds, "outcome": expected}
    assert pf.verify(log, Wheel()).ok
    # A seed that one player didn't choose affects all rows of the round.
    others = [row for row in range(300) if log["round_number"][row] == log["round_number"][5]]
    log["player_seed"][5] += "!"
    log["client_seeds"] = pf.seeds.joined_seeds(
        log["round_number"], log["player_seed"], weights=log["tickets"], **options
    )
    failed = [failure.row for failure in pf.verify(log, Wheel()).failures]
    assert failed
    assert set(failed) <= set(others)
    assert (log["client_seeds"] != seeds).nonzero()[0].tolist() == others


def test_orders() -> None:
    rounds, seeds = np.array(["x", "x", "y", "x"]), np.array(["b", "ä", "z", "a"])
    assert pf.seeds.joined_seeds(rounds, seeds).tolist() == ["abä", "abä", "z", "abä"]
    assert pf.seeds.joined_seeds(rounds, seeds, order="given")[0] == "bäa"
    weights = ["1.5", "-2", "0", "1.50"]
    found = pf.seeds.joined_seeds(rounds, seeds, weights=weights, order="weight", separator="/")
    assert found[0] == "a/b/ä"
    assert pf.seeds.joined_seeds([], []).tolist() == []
    assert pf.seeds.joined_seeds([1, 1], ["", "a"], separator=",").tolist() == ["a", "a"]
    # Placeholders in a player's seed aren't expanded.
    assert (
        pf.seeds.joined_seeds([1], ["{weight}"], weights=["{seed}"], written="{seed}{weight}")[0]
        == "{weight}{seed}"
    )


@pytest.mark.parametrize(
    ("arguments", "kind", "message"),
    [
        ({"order": "weight"}, TypeError, "weights must be given with"),
        ({"weights": [1, 2]}, TypeError, "weights isn't supported without"),
        ({"weights": [1, 2], "written": "{weight}"}, ValueError, r"written must have \"{seed}\" in it"),
        (
            {"weights": [1], "order": "weight"},
            ValueError,
            "weights must have a value for each of 2 seeds, got 1",
        ),
        ({"weights": ["1", "nan"], "order": "weight"}, ValueError, "must be numbers .* got 'nan' in row 1"),
        ({"weights": ["1", "much"], "order": "weight"}, ValueError, "must be numbers .* got 'much' in row 1"),
        ({"seeds": "ab"}, ValueError, "seeds must be of one axis"),
        ({"rounds": [1]}, ValueError, "rounds must have a value for each of 2 seeds, got 1"),
        ({"rounds": [1, None]}, ValueError, r"rounds\[1\] must have a value, got None"),
        ({"rounds": [1, np.nan]}, ValueError, r"rounds\[1\] must have a value, got nan"),
    ],
)
def test_errors(arguments: dict[str, Any], kind: type[Exception], message: str) -> None:
    given = {"rounds": [1, 1], "seeds": ["a", "b"]} | arguments
    with pytest.raises(kind, match=message):
        pf.seeds.joined_seeds(**given)
