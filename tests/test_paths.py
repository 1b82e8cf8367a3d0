"""Outcomes are equal on each path that the machine supports, however the work is divided."""

import numpy as np
import provably_fair as pf
import provably_fair._engine as _engine
import pytest
from oracles import salted as reference
from provably_fair.seeds.schemes import engine_fields, engine_scheme

GAMES = [
    pf.Mines(mines=24),
    pf.Tower(mines=2),
    pf.Slot(spins=3),
    pf.Plinko(pins=8, balls=2),
    pf.Dice(),
    pf.Jackpot(tickets=2**53),
    pf.Crash(),
]
ROUNDS = 700
SALTS = np.array(reference.salts(ROUNDS, seed="paths"), dtype="S64")


def fill(
    game: pf.Game,
    salts: object,
    path: str | None = None,
    threads: int = 1,
    seeds: tuple[object, object] = ("server", "client"),
    kind: str = "text",
    rounds: int | None = None,
) -> np.ndarray:
    """Outcomes computed on a given path."""
    values = {"server_seed": ("text", seeds[0]), "client_seed": ("text", seeds[1]), "salt": (kind, salts)}
    fields = engine_fields(pf.SALTED, values, rounds)
    return pf.games.rounds_of(game).engine.fill(
        engine_scheme(pf.SALTED), fields, effort=(threads, None, path)
    )


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_every_path_and_any_threads(game):
    expected = [game.play("server", "client", salt) for salt in SALTS.tolist()]
    for path in _engine.paths():
        for threads in 1, 2, 5:
            assert np.array_equal(fill(game, SALTS, path, threads), expected), (path, threads)


@pytest.mark.parametrize("path", _engine.paths())
@pytest.mark.parametrize("rounds", [*range(20), 63, 64, 65, 127, 129])
def test_every_remainder_of_lanes(path, rounds):
    assert np.array_equal(fill(pf.Dice(), SALTS[:rounds], path), fill(pf.Dice(), SALTS, "scalar")[:rounds])


@pytest.mark.parametrize("path", _engine.paths())
def test_salts_made_in_the_engine(path):
    for seed, start in ("0", 0), ("x" * 55, 9), ("y" * 200, 99_990):
        made = fill(pf.Dice(), (seed, start), path, seeds=("s", "c"), kind="salts", rounds=300)
        assert np.array_equal(made, pf.Dice().play("s", "c", reference.salts(300, seed, start)))


@pytest.mark.parametrize("path", _engine.paths())
def test_seeds_of_every_row(path):
    rows = [f"{'s' * (i % 150)}{i}" for i in range(300)]
    clients = [f"{'c' * (i * 7 % 400)}{i}" for i in range(300)]
    for game in pf.Dice(), pf.Plinko(balls=2):
        filled = fill(game, SALTS[:300], path, seeds=(rows, clients))
        expected = [game.play(*seeds) for seeds in zip(rows, clients, SALTS.tolist(), strict=False)]
        assert np.array_equal(filled, expected)


def test_a_path_that_is_not_there():
    with pytest.raises(ValueError, match="path must be one of"):
        fill(pf.Dice(), SALTS, "mmx")
