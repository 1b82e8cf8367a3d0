"""Outcomes in 32-bit floats: a cell agrees with each outcome that rounds to it, in every room alike."""

from __future__ import annotations

import json
from array import array
from collections import deque
from decimal import Decimal

import numpy as np
import provably_fair as pf
import pytest

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

STAKE = pf.operators.stake
NOTE = "rows: compared as 32-bit floats, to which several outcomes may round"
BUSTABIT = pf.operators.bustabit.V1()
HASHES = pf.HashChain().generate("singles", games=1000)

LIMBO = STAKE.Limbo()
HIGH = [14479, 145174, 1262727, 1270806, 402]
"""Nonces; of all but the last the multiplier's nearest 32-bit float prints as another hundredth."""


def seeds(nonces):
    return {"server_seed": ["s"] * len(nonces), "client_seed": ["c"] * len(nonces), "nonce": nonces}


def limbo(rows=300):
    nonces = np.arange(rows)
    return seeds(nonces) | {"outcome": LIMBO.play("s", "c", nonces).astype("f4")}


def high():
    nonces = np.array(HIGH)
    return seeds(nonces) | {"outcome": LIMBO.play("s", "c", nonces).astype("f4")}


FORMS = {
    "numpy": lambda cells: cells,
    "big endian": lambda cells: cells.astype(">f4"),
    "list": list,
    "objects": lambda cells: np.array(list(cells), object),
    "masked": lambda cells: np.ma.array(cells, mask=False),
    "array": lambda cells: array("f", cells.tolist()),
    "buffer": memoryview,
    "queue": deque,
    "arrow": pa.array,
    "chunked": lambda cells: pa.chunked_array([cells[:9], cells[9:]]),
    "dictionary": lambda cells: pa.array(cells).dictionary_encode(),
    "run ends": lambda cells: pa.compute.run_end_encode(pa.array(cells)),
    "pandas": pd.Series,
    "pandas nullable": lambda cells: pd.Series(cells).astype("Float32"),
    "pandas arrow": lambda cells: pd.Series(pa.array(cells), dtype=pd.ArrowDtype(pa.float32())),
    "polars": pl.Series,
}


@pytest.mark.parametrize("form", FORMS)
def test_each_form_is_verified_audited_and_identified(form):
    log = limbo()
    log["outcome"] = FORMS[form](log["outcome"])
    report = pf.audit(log, LIMBO)
    assert report.ok
    assert report.verification.notations == {"single": 300}
    assert f"300 {NOTE}" in str(report)
    assert f"300 {NOTE}" in str(report.verification)
    assert pf.identify(log, [STAKE.Dice(), LIMBO]).best.matched == 300
    one_off = limbo()["outcome"]
    one_off[7] = np.nextafter(one_off[7], np.float32(0))
    report = pf.verify(log | {"outcome": FORMS[form](one_off)}, LIMBO)
    assert [(one.row, one.kind) for one in report.failures] == [(7, "mismatch")]


@pytest.mark.parametrize("game", [STAKE.Dice(), pf.Dice(), pf.Crash(), pf.Overgo(), STAKE.Limbo()])
def test_honest_logs_are_audited_without_a_finding(game):
    rounds = pf.games.rounds.simulated_rounds(game, 3000, 5).values()
    report = pf.audit(rounds | {"outcome": game.simulate(3000, seed=5).astype("f4")}, game)
    assert report.ok
    assert not report.findings
    assert report.tests
    assert report.verification.notations == {"single": 3000}


def test_files_and_empty_cells(tmp_path):
    table = pa.table(limbo() | {"outcome": pa.array([None, *limbo()["outcome"][1:]], pa.float32())})
    parquet.write_table(table, tmp_path / "log.parquet")
    for log in (tmp_path / "log.parquet", table, table.to_pandas(), pl.from_arrow(table)):
        report = pf.verify(log, LIMBO)
        assert [(one.row, one.kind) for one in report.failures] == [(0, "missing")]
        assert report.notations == {"single": 299}


def test_several_hundredths_round_to_one_float():
    """Audits settle the multiplier that the seeds give, not the one that the float prints as."""
    log = high()
    own = LIMBO.play("s", "c", log["nonce"])
    other = np.array([float(str(cell)) for cell in log["outcome"]])
    assert (own[:4] > 131_072).all()
    assert (own[:4] != other[:4]).all()
    assert own[4] == other[4]
    bet = LIMBO.bet(of=lambda outcomes: outcomes >= 402439.02, payout={False: 0, True: 2})
    paid = np.where(own >= 402439.02, 2.0, 0.0)
    report = pf.audit(log | {"stake": np.ones(5), "payout": paid}, LIMBO, bet=bet)
    assert report.verification.ok
    assert "payout_mismatch" not in {one.kind for one in report.findings}
    below = np.nextafter(log["outcome"], np.float32(0))
    assert pf.verify(log | {"outcome": below}, LIMBO).counts == {"mismatch": 5}
    # As text or doubles they are other hundredths, and a hundredth off.
    assert pf.verify(log | {"outcome": list(map(str, other))}, LIMBO).counts == {"mismatch": 4}
    assert pf.verify(log | {"outcome": other}, LIMBO).counts == {"mismatch": 4}


def test_what_is_no_single_keeps_its_own_comparison():
    log = limbo()
    own = LIMBO.play("s", "c", log["nonce"])
    wide = own.astype(np.longdouble)
    for cells in (
        own,
        wide,
        list(wide),
        own.tolist(),
        list(map(str, own)),
        [Decimal(str(cell)) for cell in own],
    ):
        report = pf.verify(log | {"outcome": cells}, LIMBO)
        assert (report.ok, report.notations) == (True, {})
    assert pf.verify(log | {"outcome": list(map(str, log["outcome"]))}, LIMBO).ok  # 1.98, as it prints
    assert pf.verify(log | {"outcome": log["outcome"].astype(float)}, LIMBO).failed > 250
    mixed = [*own[:200].tolist(), *log["outcome"][200:]]
    assert pf.verify(log | {"outcome": mixed}, LIMBO).notations == {"single": 100}


@pytest.mark.parametrize("order", [1, -1])
def test_half_precision_is_refused_beside_singles_too(order):
    cells = [np.float16(1.5), *limbo()["outcome"][1:-1], np.float32(2)][::order]
    with pytest.raises(pf.LogError, match="float16"):
        pf.verify(limbo() | {"outcome": cells}, LIMBO)


def test_outcomes_in_half_precision_are_refused_wherever_they_come_from(tmp_path):
    halves = np.full(300, 1.5, "f2")
    wider = ("big endian", "array", "pandas nullable", "pandas arrow", "polars")  # which make them so
    columns = [form(halves) for name, form in FORMS.items() if name not in wider]
    columns += [pa.array(halves.reshape(300, 1).tolist(), pa.list_(pa.float16())), [*halves.reshape(300, 1)]]
    table = pa.table(limbo() | {"outcome": pa.array(halves)})
    parquet.write_table(table, tmp_path / "log.parquet")
    logs = [limbo() | {"outcome": column} for column in columns]
    for log in [*logs, table, table.to_pandas(), tmp_path / "log.parquet"]:
        with pytest.raises(pf.LogError, match="float16"):
            pf.verify(log, LIMBO)
    with pytest.raises(pf.LogError, match=r"outcome.*float16"):
        pf.verify(seeds([0]), LIMBO, constants={"outcome": np.float16(1.5)})


def test_amounts_in_half_precision_are_refused():
    halves = np.full(300, 0.1, "f2")
    bet = LIMBO.bet(of=lambda outcomes: outcomes >= 2, payout={False: 0, True: 1})
    for cells in (
        *(halves, halves.astype(">f2"), list(halves), pd.Series(halves), pl.Series(halves)),
        *(pa.array(halves), pa.DictionaryArray.from_arrays(pa.array([0] * 300), pa.array(halves[:1]))),
    ):
        with pytest.raises(pf.LogError, match="column 'payout' is of 16-bit floats"):
            pf.audit(limbo() | {"stake": [0.1] * 300, "payout": cells}, LIMBO, bet=bet)


def test_nonces_in_floats_that_stand_for_neighbors_too_are_not_read():
    nonces = np.arange(2**24 - 3, 2**24 + 3)
    log = {"server_seed": ["s"] * 6, "client_seed": ["c"] * 6, "nonce": nonces}
    log["outcome"] = LIMBO.play("s", "c", nonces)
    assert pf.verify(log | {"nonce": nonces.astype(float)}, LIMBO).ok
    failures = pf.verify(log | {"nonce": nonces.astype("f4")}, LIMBO).failures
    assert [(one.row, one.kind) for one in failures] == [(row, "malformed") for row in (3, 4, 5)]
    with pytest.raises(pf.LogError, match="column 'nonce' is of 16-bit floats"):
        pf.verify(log | {"nonce": np.arange(6, dtype="f2")}, LIMBO)


class Pair(pf.Game):
    """Two multipliers of a round."""

    scheme = LIMBO.scheme

    def outcome(self, draws):
        return np.floor(99 / (1 - np.stack([draws.number(), draws.number()], axis=1))) / 100


class Large(pf.Game):
    """A whole number that 32-bit floats don't hold."""

    scheme = LIMBO.scheme

    def outcome(self, draws):
        return draws.below(2**30)


def test_lists_of_singles():
    nonces = np.arange(200)
    pairs = Pair().play("s", "c", nonces).astype("f4")
    forms = [
        pairs,
        list(pairs),
        [list(pair) for pair in pairs],
        [pairs[row : row + 1][0] for row in range(200)],
        np.ma.array(pairs, mask=False),
        pa.array(list(pairs), pa.list_(pa.float32())),
        pa.array(list(pairs), pa.list_(pa.float32(), 2)),
        pa.array(list(pairs), pa.list_view(pa.float32())),
        pl.Series(list(pairs), dtype=pl.List(pl.Float32)),
    ]
    for cells in forms:
        report = pf.audit(seeds(nonces) | {"outcome": cells}, Pair())
        assert (report.ok, report.verification.notations) == (True, {"single": 200}), type(cells)
        assert pf.identify(seeds(nonces) | {"outcome": cells}, [Pair()]).best.matched == 200, type(cells)
    assert not pf.verify(seeds(nonces) | {"outcome": pairs.tolist()}, Pair()).ok


def test_whole_numbers():
    nonces = np.arange(200)
    large = Large().play("s", "c", nonces)
    report = pf.audit(seeds(nonces) | {"outcome": large.astype("f4")}, Large())
    assert report.ok
    assert report.verification.notations == {"single": 200}
    assert not pf.verify(seeds(nonces) | {"outcome": large.astype("f4").astype(int)}, Large()).ok
    wheel = STAKE.Roulette()  # held exactly: nothing to say
    report = pf.audit(seeds(nonces) | {"outcome": wheel.play("s", "c", nonces).astype("f4")}, wheel)
    assert report.ok
    assert report.verification.notations == {}


def test_rows_whose_seed_is_not_revealed():
    """Their outcomes can't be told from the log, in any notation but the game's own."""
    dice, plinko, nonces = STAKE.Dice(), STAKE.Plinko(), np.arange(600)
    bet = dice.bet(under=50, payout=1.98)
    rolls, drops = dice.play("s", "c", nonces), plinko.play("s", "c", nonces)
    logs = [
        (LIMBO, LIMBO.play("s", "c", nonces).astype("f4"), "single", None),
        (dice, rolls.astype("f4"), "single", bet),
        (dice, [f"{roll:.2f}%" for roll in rolls], "percent", bet),
        (plinko, drops.sum(axis=1), "bucket", None),
    ]
    for game, outcomes, notation, claim in logs:
        log = seeds(nonces) | {"server_seed": ["s"] * 300 + [None] * 300, "outcome": outcomes}
        more = {} if claim is None else {"bet": claim}
        log |= {"stake": np.ones(600), "payout": 1.98 * (rolls < 50)}
        report = pf.audit(log, game, unrevealed="report", **more)
        assert report.verification.unchecked == {"unrevealed": 300}
        assert report.verification.notations == {notation: 300}
        assert report.ok
        assert ("300 rows whose seed isn't revealed" in str(report)) == (claim is not None)


def test_varying_parameters():
    salts = pf.salts(400)
    tickets = np.arange(400) % 5 + 2
    game = pf.Jackpot(tickets=10)
    log = {"salt": salts, "tickets": tickets, "server_seed": "a", "client_seed": "b"}
    log["outcome"] = game.play("a", "b", salts, tickets=tickets).astype("f4")
    assert pf.verify(log, game).ok


# Other rooms


def test_locating():
    busts = BUSTABIT.play(HASHES[300:500])
    for cells in (
        busts.astype("f4"),
        list(busts.astype("f4")),
        pd.Series(busts.astype("f4")),
        pd.Series(busts.astype("f4")).astype("Float32"),
        np.ma.array(busts.astype("f4"), mask=False),
        {"bust": pa.array(busts, pa.float32())},
        pl.DataFrame({"bust": busts.astype("f4")}),
    ):
        found = pf.locate(cells, BUSTABIT, anchor=HASHES[-1], limit=2000)
        assert (found.placed, found.misread.tolist(), found.doubtful) == (200, [], {}), type(cells)
        assert found.outcomes.tolist() == busts.tolist()
        assert f"200 {NOTE}" in str(found)
        json.dumps(found.to_dict())
    for cells in (busts.astype("f2"), pa.array(busts.astype("f2")), {"bust": busts.astype("f2")}):
        with pytest.raises(TypeError, match="outcomes must be floats of 32 or 64 bits, got float16"):
            pf.locate(cells, BUSTABIT, anchor=HASHES[-1], limit=2000)


def test_a_located_row_agrees_with_all_that_rounds_to_it():
    """A multiplier of 265,874.18 in a record of singles isn't misread, though it prints as 265,874.2."""
    at, hashes = 100, pf.HashChain().generate("high 4", games=100_000)[14_615:14_815]
    busts = BUSTABIT.play(hashes)
    assert float(str(np.float32(busts[at]))) != busts[at]
    found = pf.locate(busts.astype("f4"), BUSTABIT, anchor=hashes[-1], limit=2000)
    assert found.placed == len(busts)
    assert not len(found.misread)
    wrong = busts.astype("f4")
    wrong[at] = np.nextafter(wrong[at], np.float32(0))
    assert pf.locate(wrong, BUSTABIT, anchor=hashes[-1], limit=2000).misread.tolist() == [at]
    best = pf.identify({"game_hash": hashes, "outcome": busts.astype("f4")}).best
    assert best.game == "bustabit.v1"
    assert best.matched == best.tried
    crashes = ["bustabit.v1", "bustabit.v2", "stake.crash"]
    anchored = pf.identify({"bust": busts.astype("f4")}, crashes, anchor=hashes[-1], anchor_limit=2000).best
    assert anchored.game == "bustabit.v1"
    assert anchored.matched == len(busts)


@pytest.mark.parametrize(
    ("game", "asked"),
    [(LIMBO, {"cash_out": 2.03}), (pf.Crash(), {"cash_out": 2.03}), (pf.Dice(), {"over": 2.03})],
)
def test_observing(game, asked):
    """A 32-bit 2.03 is below 2.03 as a double."""
    cells = np.array([1.0, 2.03, 1.98, 2.05], "f4")
    assert cells[1] < np.float64(2.03)
    same = game.observe([1.0, 2.03, 1.98, 2.05], **asked)
    assert game.observe(cells, **asked).tolist() == same.tolist()
