"""Questions about a game are the same everywhere: for laws, tallies and bets, with seeds in any shape."""

from __future__ import annotations

import collections
import hmac

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.operators import bustabit, duel, stake

ASKED = [
    (pf.Mines(3), {"reveals": 5}),
    (pf.Mines(3), {"cells": [0, 6, 12]}),
    (pf.Tower(2), {"positions": 1, "rows": 4}),
    (pf.Plinko(balls=2), {"payout": [9, 2, 1, 1, 0.5, 0.5, 0.2, 0.2, 0, 0.2, 0.2, 0.5, 0.5, 1, 1, 2, 9]}),
    (pf.Dice(), {"under": 50}),
    (pf.Double(), {"sectors": [0, 7]}),
    (pf.Crash(), {"cash_out": 2}),
    (pf.Slot(spins=2), {"reel": 4}),
    (pf.Jackpot(1000), {"share": (1, 100)}),
    (stake.Keno(), {"hits": {1, 2, 3}}),
    (stake.Drill(), {"cash_out": 2, "drill": 1}),
    (stake.Snakes(), {"level": "easy", "rolls": 2}),
    (stake.Plinko(12), {"risk": "medium"}),
    (stake.Wheel(30), {"risk": "low"}),
    (stake.Keno(), {"risk": "high", "hits": [0, 7, 39]}),
]


@pytest.mark.parametrize(("game", "asked"), ASKED, ids=repr)
def test_tallies_take_what_laws_are_asked(game, asked):
    counted = game.tally(400, seed="asked", **asked)
    observed = game.observe(game.simulate(400, seed="asked"), **asked)
    values, counts = np.unique(observed, return_counts=True)
    assert counted.rounds == 400
    assert counted.outcomes.tolist() == values.tolist()
    assert counted.counts.tolist() == counts.tolist()
    assert set(values.tolist()) <= set(game.distribution(**asked).outcomes.tolist())


def test_tallies_refuse_what_cannot_be_asked_together():
    with pytest.raises(TypeError, match=r"of isn't supported with reveals|reveals isn't supported with of"):
        pf.Mines(3).tally(10, reveals=5, of=pf.hits({1}))
    with pytest.raises(TypeError, match="bins isn't supported with under"):
        pf.Dice().tally(10, under=50, bins=4)


@pytest.mark.parametrize("game", [stake.Plinko(rows=4), duel.Plinko(rows=4)], ids=repr)
def test_pegs_answer_with_the_bucket(game):
    law = game.distribution()
    assert law.outcomes.tolist() == [0, 1, 2, 3, 4]
    assert law.weights == (1, 4, 6, 4, 1)
    paths = game.simulate(200, seed="pegs")
    assert game.observe(paths).tolist() == paths.sum(axis=1).tolist()
    assert game.tally(200, seed="pegs").counts.tolist() == np.bincount(paths.sum(axis=1)).tolist()
    assert len(game.distribution(bucket=False)) == 16
    assert game.observe(paths, bucket=False).tolist() == paths.tolist()
    row = [5, 1, 0.5, 1, 5]
    assert game.bet(row).exact_rtp == game.bet(payout=dict(enumerate(row))).exact_rtp
    assert float(game.bet(row, law="ideal").exact_rtp) == (2 * 5 + 8 * 1 + 6 * 0.5) / 16


SEEDS = np.array([["server 1"], ["server 2"], ["server 3"]])


@pytest.mark.parametrize("game", [stake.Dice(), stake.Mines(3), stake.Flip(rounds=5)], ids=repr)
def test_seeds_of_several_dimensions_broadcast(game):
    found = game.play(SEEDS, "client", range(4))
    assert found.shape == (3, 4, *game.shape)
    for row in range(3):
        for column in range(4):
            one = game.play(SEEDS[row, 0], "client", column)
            assert np.array_equal(found[row, column], one)
    nested = game.play(SEEDS.tolist(), "client", [[0, 1, 2, 3]])
    assert np.array_equal(nested, found)
    out = np.empty_like(found)
    assert game.play(SEEDS, "client", range(4), out=out) is out
    assert np.array_equal(out, found)
    with pytest.raises(ValueError, match=r"^out must have the shape"):
        game.play(SEEDS, "client", range(4), out=np.empty(5))


def test_seeds_of_the_salted_rounds_broadcast():
    salts = np.array([["a", "b"], ["c", "d"]])
    found = pf.Plinko(balls=3).play("server", "client", salts, pins=[8, 16])
    assert found.shape == (2, 2, 3)
    for place in np.ndindex(2, 2):
        pins = (8, 16)[place[1]]
        assert found[place].tolist() == pf.Plinko(pins, 3).play("server", "client", salts[place]).tolist()


def test_parameters_differ_by_round_under_any_scheme():
    scheme = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}", key="{server_seed}"), bits=32)
    game, tickets = pf.Jackpot().with_scheme(scheme), [5, 100, 77, 1000]

    def ticket(nonce, tickets):
        word = int.from_bytes(hmac.digest(b"server", f"client:{nonce}".encode(), "sha256")[:4], "big")
        return (word * tickets >> 32) + 1

    expected = [ticket(nonce, tickets[nonce]) for nonce in range(4)]
    assert game.play("server", "client", range(4), tickets=tickets).tolist() == expected
    assert game.play("server", nonce=2, client_seed="client", tickets=77) == expected[2]
    assert game.explain("server", "client", 3, tickets=1000).outcome == expected[3]
    fields = {"server_seed": "server", "client_seed": "client", "nonce": [0, 1, 2, 3]}
    assert game.simulate(4, tickets=tickets, **fields).tolist() == expected
    counted = game.tally(4, tickets=tickets, **fields)
    assert {x: n for x, n in zip(counted.outcomes.tolist(), counted.counts.tolist(), strict=True) if n} == (
        collections.Counter(expected)
    )
    with pytest.raises(
        TypeError, match=r"^mines sets the outcome's shape, .*the game, Mines\(mines=\.\.\.\)"
    ):
        pf.Mines(3).with_scheme(scheme).play("server", "client", 1, mines=[2])
    with pytest.raises(ValueError, match=r"^tickets\[1\] must be from 1 to"):
        game.play("server", "client", range(2), tickets=[1, 0])


def test_values_in_a_grid_are_those_of_a_list():
    """Numpy would make text of the number, whole numbers of truth values, and drop a text's last NUL."""
    dice = stake.Dice()
    assert dice.play("server", [["c\0", "c"]], 1).tolist() == [
        [float(dice.play("server", client, 1)) for client in ("c\0", "c")]
    ]
    for bad in [["a", 5]], [["a", None]]:
        with pytest.raises(TypeError, match=r"^server_seed\[1\] must be"):
            dice.play(bad, "client", 1)
    with pytest.raises(TypeError, match=r"^nonce\[0\] must be a whole number"):
        dice.play("server", "client", [[True, 2]])


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_libraries_broadcast_with_a_grid(library):
    made = pytest.importorskip(library)
    column = made.array([0, 1, 2]) if library == "pyarrow" else made.Series([0, 1, 2])
    expected = stake.Dice().play(SEEDS, "client", [0, 1, 2])
    assert expected.shape == (3, 3)
    assert stake.Dice().play(SEEDS, "client", column).tolist() == expected.tolist()
    assert stake.Dice().play(SEEDS, "client", collections.deque([0, 1, 2])).tolist() == expected.tolist()


def test_types_and_arrays_of_results_are_checked_in_a_grid_too():
    nonces = [[0, 1], [2, 3]]
    assert stake.Roulette().play("server", "client", nonces, dtype=np.float64).dtype == np.float64
    read_only = np.frombuffer(bytes(32)).reshape(2, 2)
    for refused in (
        {"dtype": np.float16},
        {"dtype": np.float64, "out": np.empty((2, 2), np.int64)},
        {"out": read_only},
    ):
        with pytest.raises(ValueError, match=r"^(dtype|out) must"):
            stake.Dice().play("server", "client", nonces, **refused)


def test_shapes_that_do_not_broadcast_are_refused():
    with pytest.raises(
        ValueError, match=r"^fields must have shapes that broadcast to one, got \(3, 1\), \(2, 2\)"
    ):
        stake.Dice().play(SEEDS, "client", [[1, 2], [3, 4]])


@pytest.mark.parametrize("nonces", [range(3), collections.deque([0, 1, 2]), (0, 1, 2)], ids=repr)
def test_any_sequence_holds_seeds(nonces):
    assert stake.Dice().play("s", "c", nonces).tolist() == stake.Dice().play("s", "c", [0, 1, 2]).tolist()


@pytest.mark.thorough
def test_a_law_that_cannot_be_listed_names_what_can():
    with pytest.raises(ValueError, match=r"cash_out=2"):
        bustabit.V2().distribution()


def test_outcomes_of_independent_parts_are_listed_by_their_parts():
    law = stake.Snakes().distribution()  # of 6**10 rolls
    assert len(law) == 11**5
    assert law.total == 36**5
    assert law.weights[law.outcomes.tolist().index((2, 7, 12, 7, 7))] == 1 * 6 * 1 * 6 * 6
    tarot = stake.Tarot().distribution("as_drawn")
    assert sum(tarot.weights) == tarot.total
    assert len(tarot) == len(stake.Tarot().distribution())


def test_a_game_says_whose_it_is():
    shown = [repr(game) for game in (stake.Crash(), duel.Crash(), pf.Crash(), stake.Plinko(rows=8))]
    assert shown == ["stake.Crash()", "duel.Crash()", "Crash()", "stake.Plinko(rows=8)"]
    assert eval(shown[3], {"stake": stake}) == stake.Plinko(rows=8)


def test_bets_are_on_the_game_as_it_is_drawn():
    assert pf.Crash().cash_outs().exact_atom == pf.Crash().cash_outs("as_drawn").exact_atom
    jackpot = {(0, 0, 0, 0, 0): 25_000_000}
    assert pf.Slot().bet(jackpot).law_kind == "as_drawn"
    poker = pf.operators.crypto_games.VideoPoker()
    assert poker.bet(law="best").exact_rtp == poker.bet().exact_rtp == poker.bet(law="ideal").exact_rtp


def test_limits_of_a_parameter_stay_where_a_class_has_another_default():
    class Die(pf.Game):
        sides: int = pf.games.Range(2, 100, default=6)

        def outcome(self, draws):
            return draws.below(self.sides) + 1

    class Large(Die):
        sides: int = 20

    assert Large().parameters == {"sides": 20}
    with pytest.raises(ValueError, match=r"^sides must be .*100, got 101"):
        Large(sides=101)
    with pytest.raises(ValueError, match=r"^mines must be .*24, got 25"):
        type("Ten", (stake.Mines,), {"mines": 10, "__annotations__": {"mines": int}})(mines=25)
