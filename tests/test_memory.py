"""Memory: no leaks, huge requests fail early, and arrays are read in any layout."""

from __future__ import annotations

import gc
import sys
import tracemalloc
from collections.abc import Callable

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.auditing import grinding
from provably_fair.operators import crypto_games, fpclub

POKER, BLACKJACK = crypto_games.VideoPoker(), crypto_games.Blackjack()
MACHINE, TABLE = POKER.table, BLACKJACK.table
DEALT = [9, 10, 8, 7, 6, 5]


def refused() -> None:
    for call in (
        lambda: pf.Dice().play("s", "c", ["x", 5]),
        lambda: POKER.play(hash="zz"),
        lambda: fpclub.parse_log("no log"),
        lambda: TABLE.settle(DEALT, ["fly"]),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()


# Calls to repeat, one for each form of answer that the engine makes.
MANY: dict[str, Callable[[], object]] = {
    "one round": lambda: pf.Mines().play("s", "c", "x"),
    "rounds": lambda: pf.Slot().play("s", ["c"] * 5, "x"),
    "simulate": lambda: pf.Dice().simulate(5, threads=2),
    "tally": lambda: pf.Double().tally(5),
    "numbers": lambda: pf.seeds.random_numbers("s", "c", ["x", "y"], 9),
    "bytes": lambda: pf.seeds.random_bytes("s", "c", "x"),
    "explain": lambda: pf.Plinko().explain("s", "c", "x").outcome,
    "deal": lambda: POKER.play("s", "c"),
    "hold": lambda: MACHINE.best_hold([0, 1, 2, 3, 17]),
    "shoe": lambda: BLACKJACK.play("s", "c"),
    "hand": lambda: TABLE.settle(DEALT, ["stand"]),
    "strategy": lambda: TABLE.settle(DEALT, lambda decision: "stand"),
    "dice": lambda: fpclub.HashedDice("1234").check("ab" * 16),
    "log": lambda: fpclub.parse_log(fpclub.HashedDice("1234").record().text),
    "refused": refused,
}


def resident() -> int:
    """The resident memory of the process, in bytes."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096


@pytest.fixture(scope="module")
def nothing_old():
    """Freeze objects left by other tests, which the collector would take seconds to traverse."""
    gc.collect()
    gc.freeze()


@pytest.mark.one_case_in(3)
@pytest.mark.usefixtures("nothing_old")
@pytest.mark.parametrize("name", MANY)
def test_no_growth(name):
    """Neither Python objects nor the process grow; a leak of 100 bytes per call would show."""
    call, calls = MANY[name], 100
    # Traced from the start, since Python keeps freed memory for reuse.
    tracemalloc.start()
    try:
        for _ in range(5 * calls):
            call()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(calls):
            call()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 100 * calls
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_results_are_given_back():
    """A quarter of a gigabyte of successive results leaves the process little larger."""
    pf.Tower(mines=4).simulate(20_000)
    before = resident()
    for start in range(40):
        pf.Tower(mines=4).simulate(20_000, start=start)
    assert resident() - before < 64 << 20


HUGE = 2**50
TOO_LARGE: dict[str, Callable[[], object]] = {
    "simulate": lambda: pf.Mines().simulate(HUGE),
    "simulate, small type": lambda: pf.Double().simulate(HUGE, dtype=np.int8),
    "salts": lambda: pf.salts(HUGE),
    "video poker": lambda: POKER.simulate(HUGE),
    "random_numbers": lambda: pf.seeds.random_numbers("s", "c", np.zeros(2**30, "S1"), 2**20),
    "Bet.paths": lambda: pf.Double().bet({0: 14}).paths(2**40, paths=2**9),
    "estimate_grinding": lambda: grinding.estimate_grinding(pf.Dice(), lambda x: x < 50, 2**20, 2**30),
    "dice": lambda: fpclub.HashedDice.generate(2**50),
    "law": lambda: pf.Jackpot(tickets=2**53).distribution().weights,
    "sum": lambda: pf.Crash().distribution().sum(10**9),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_huge_requests_fail_before_the_work(name):
    with pytest.raises((MemoryError, ValueError)):
        TOO_LARGE[name]()


@pytest.mark.parametrize("name", pf.operators.salted.GAMES)
def test_nothing_at_all(name):
    """0 rounds and empty arrays give empty results of the right shape and type."""
    game = pf.operators.salted.GAMES[name]()
    one = np.asarray(game.play("s", "c", "x"))
    for empty in (
        game.simulate(0),
        game.play("s", "c", []),
        game.play([], "c", "x"),
        game.play("s", np.zeros(0, "S8"), np.zeros(0, "U3")),
    ):
        assert (empty.shape, empty.dtype) == ((0, *one.shape), one.dtype)
    tally = game.tally(0)
    assert tally.rounds == 0
    assert not tally.counts.any()
    report = pf.verify({"server_seed": [], "client_seed": [], "salt": [], "outcome": []}, game)
    # Nothing was checked, so nothing is verified.
    assert (report.ok, report.checked) == (False, 0)


def test_nothing_at_all_elsewhere():
    assert pf.salts(0).shape == (0,)
    assert pf.seeds.random_bytes("s", "c", []).shape == (0, 64)
    assert pf.seeds.random_numbers("s", "c", [], 5).shape == (0, 5)
    assert pf.seeds.random_numbers("s", "c", "x", 0).shape == (0,)
    assert pf.seeds.random_numbers("s", "c", ["x"], 0).shape == (1, 0)
    assert POKER.play([], "c").shape == (0, 10)
    assert POKER.simulate(0).shape == (0, 10)
    assert POKER.simulate(0, strategy="optimal").final.shape == (0, 5)
    assert POKER.tally(0, strategy="optimal").counts.sum() == 0
    assert MACHINE.hold_values(np.zeros((0, 5), int)).shape == (0, 32)
    assert MACHINE.best_hold(np.zeros((0, 5), int)).shape == (0, 5)
    assert BLACKJACK.play([], "c").shape == (0, 20)
    assert BLACKJACK.tally(0, strategy="basic").rounds == 0
    assert fpclub.combine([], []).shape == (0,)
    assert fpclub.combine(np.zeros((0, 2), int), 3).shape == (0, 2)
    assert fpclub.parse_log("") == []
    assert pf.operators.salted.GAMES["dice"]().observe(np.zeros(0), under=50).shape == (0,)


def layouts(array: np.ndarray, folder) -> dict[str, np.ndarray]:
    """An array's values strided, reversed, byte-swapped, read-only, unaligned, memory-mapped."""
    steps = np.zeros((2 * len(array), *array.shape[1:]), array.dtype)
    steps[::2] = array
    read_only = array.copy()
    read_only.flags.writeable = False
    records = np.zeros(len(array), [("flag", "u1"), ("value", array.dtype, array.shape[1:])])
    records["value"] = array
    mapped = np.memmap(folder / "mapped", array.dtype, "w+", shape=array.shape)
    mapped[:] = array
    swapped = array.astype(array.dtype.newbyteorder())
    return {
        "in steps": steps[::2],
        "backwards": array[::-1].copy()[::-1],
        "swapped": swapped,
        "read-only": read_only,
        "unaligned": records["value"],
        "mapped": mapped,
        "by columns": np.asfortranarray(array),
    }


def test_a_seed_in_an_array():
    expected = pf.Mines().play("s", "c", "salt 1").tolist()
    for salt in np.array("salt 1"), np.array(b"salt 1"), np.array("salt 1", object), np.str_("salt 1"):
        assert pf.Mines().play("s", "c", salt).tolist() == expected


def test_logs_in_any_layout(tmp_path):
    game, nonces = pf.operators.stake.Dice(), np.arange(50)
    outcomes = game.play("server", "client", nonces)
    outcomes[7] += 1
    log = {"server_seed": np.full(50, "server"), "nonce": nonces, "outcome": outcomes, "stake": np.ones(50)}
    for name in log:
        (tmp_path / name).mkdir()
    laid = {name: layouts(column, tmp_path / name) for name, column in log.items()}
    for layout in laid["nonce"]:
        given = {name: laid[name][layout] for name in log} | {"client_seed": "client"}
        report = pf.audit(given, game).verification
        assert [failure.row for failure in report.failures] == [7], layout
        assert report.checked == 50


def test_numbers_in_any_layout(tmp_path):
    salts = pf.salts(50)
    hands = np.array([np.random.default_rng(i).permutation(52)[:5] for i in range(50)])
    faces = np.arange(300).reshape(50, 6) % 6 + 1
    outcomes = pf.Slot().simulate(50)
    for name, given in layouts(hands, tmp_path).items():
        assert np.array_equal(MACHINE.hold_values(given), MACHINE.hold_values(hands)), name
        assert np.array_equal(MACHINE.best_hold(given), MACHINE.best_hold(hands)), name
    for name, given in layouts(faces, tmp_path).items():
        assert np.array_equal(fpclub.combine(given, faces[::-1]), fpclub.combine(faces, faces[::-1])), name
    for name, given in layouts(outcomes, tmp_path).items():
        expected = pf.Slot().observe(outcomes, reel=4)
        assert np.array_equal(pf.Slot().observe(given, reel=4), expected), name
    log = {"server_seed": ["s"] * 50, "client_seed": ["c"] * 50, "salt": salts}
    dice = pf.Dice().play("s", "c", salts)
    for name, given in layouts(dice, tmp_path).items():
        assert pf.verify(log | {"outcome": given}, pf.Dice()).ok, name
    assert pf.Jackpot().play("s", "c", salts, tickets=np.array(7)).tolist() == (
        pf.Jackpot(tickets=7).play("s", "c", salts).tolist()
    )


def test_out_in_a_file(tmp_path):
    expected = pf.Slot().simulate(3000)
    out = np.memmap(tmp_path / "out", expected.dtype, "w+", shape=expected.shape)
    assert pf.Slot().simulate(3000, out=out) is out
    out.flush()
    assert np.array_equal(np.fromfile(tmp_path / "out", expected.dtype).reshape(expected.shape), expected)
    read = np.memmap(tmp_path / "out", expected.dtype, "r", shape=expected.shape)
    with pytest.raises(ValueError, match="out must be writeable"):
        pf.Slot().simulate(3000, out=read)
