"""Logs of chain games: each hash leads to the previous one, and the first to the announced one."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair._engine import GameNumbers
from provably_fair.certificates.contents import contents_of
from provably_fair.verification.systems.chains import Chains
from published_rounds import SERIES, games_of

bustabit, stake, skinclub = pf.operators.bustabit, pf.operators.stake, pf.operators.skinclub
CHAIN = pf.HashChain()
HASHES = CHAIN.generate("operator", 3000)
END = CHAIN.terminating(HASHES)
OTHER = CHAIN.generate("another", 3000)
LOST = "ab" * 32


V2 = bustabit.V2()


def log_of(rows: Any = slice(None), game: pf.Game = V2) -> dict[str, Any]:
    return {"game_hash": HASHES[rows], "outcome": game.play(HASHES[rows])}


@pytest.mark.parametrize("game", [V2, stake.Crash(), stake.Slide()], ids=repr)
@pytest.mark.parametrize("form", ["S", "U", "list", "column", "0x"])
def test_a_log_that_leads_to_the_announced_hash(game: pf.Game, form: str) -> None:
    log = log_of(slice(10, 200), game)
    if form != "S":
        log["game_hash"] = log["game_hash"].astype("U64")
    if form == "list":
        spelled = str.upper if game == V2 else str  # others hash the text as written
        log["game_hash"] = [spelled(text) for text in log["game_hash"].tolist()]
    constants: dict[str, Any] = {"terminating": END}
    if form == "column":
        log["terminating"], constants = [f" 0x{END.upper()}", END] * 95, {}
    elif form == "0x":
        constants["terminating"] = f"0x{END}"
    report = pf.verify(log, game, constants=constants)
    assert report.ok
    assert contents_of(report)["chains"][0]["rows"] == 190
    assert report.notes == [f"190 rows are of games 11 to 200 of the chain to {END[:16]}..."]


def test_a_log_without_rows() -> None:
    report = pf.verify({"game_hash": [], "outcome": []}, V2, constants={"terminating": END})
    assert (report.checked, report.notes) == (0, [])


@pytest.mark.parametrize(
    "rows", [slice(0, 50), slice(49, None, -1), np.random.default_rng(2).permutation(50)]
)
def test_games_of_another_chain_are_not_shown_to_be_on_it(rows: Any) -> None:
    """A hash that wasn't reached within the limit isn't a proof."""
    hashes = HASHES[100:150][rows].copy()
    hashes[[7, 30]] = OTHER[[5, 9]]
    log = {"game_hash": hashes, "outcome": V2.play(hashes)}
    report = pf.verify(log, V2, constants={"terminating": END}, chain_steps=5000)
    assert (report.failed, report.ok, report.complete) == (0, False, False)
    (line,) = report.unknown
    assert line.startswith("2 rows aren't shown to be on the announced chain, the first is row 7: ")
    assert "5,000 steps" in line
    assert "chain_steps=" in line
    assert line in str(report)
    assert report.to_dict()["unknown"] == [line]
    assert "NOT VERIFIED: not all is shown" in str(report)
    assert report.notes[0].startswith("48 rows are of games 101 to 150 of")
    with pytest.raises(pf.VerificationError):
        report.raise_if_failed()
    verdicts = pf.check(log, V2, constants={"terminating": END}, chain_steps=5000)
    assert [(row, verdicts["kind"][row]) for row in range(50) if verdicts["ok"][row] is None] == [
        (7, "not shown"),
        (30, "not shown"),
    ]
    assert pf.verify(log, V2).ok
    assert "no terminating hash was given" in pf.verify(log, V2).notes[0]


def test_the_terminating_hash_is_no_game() -> None:
    hashes = HASHES[:5].copy()
    hashes[3] = END
    log = {"game_hash": hashes, "outcome": V2.play(hashes)}
    report = pf.verify(log, V2, constants={"terminating": END})
    assert [(failure.row, failure.kind) for failure in report.failures] == [(3, "terminating")]


def test_game_numbers_are_the_steps_to_the_terminating_hash() -> None:
    """Each game number fixes the number of steps: it is proved by them, beyond any limit, or refuted."""
    order = np.random.default_rng(4).permutation(3000)
    log = log_of(order) | {"game_number": (order + 1).astype(object)}
    told: dict[str, Any] = {"constants": {"terminating": END}, "chain_steps": 10}
    report = pf.verify(log, V2, **told)
    assert report.ok
    assert report.notes == [f"3,000 rows are of games 1 to 3,000 of the chain to {END[:16]}..."]
    log["game_number"][[5, 8]] += [1, -1]
    log["game_hash"] = log["game_hash"].copy()
    log["game_hash"][11] = OTHER[0]
    log["outcome"] = V2.play(log["game_hash"])
    report = pf.verify(log, V2, **told)
    assert [(failure.row, failure.kind) for failure in report.failures] == [
        (row, "terminating") for row in (5, 8, 11)
    ]
    assert report.complete
    log["game_number"][[5, 8, 11]] = [None, "", 10**12]  # blank, or more steps than any chain has
    few = pf.verify(log, V2, **told)
    assert (few.failed, few.complete) == (0, False)
    assert few.unknown[0].startswith("3 rows aren't shown to be on the announced chain, the first is row 5")
    more = pf.verify(log, V2, constants={"terminating": END}, chain_steps=3000)
    assert more.unknown[0].startswith("1 row isn't shown to be on the announced chain, the first is row 11")
    assert more.unknown[1].startswith("2 rows have no game_number, the first is row 5: on the chain to ")
    # A log without any numbers says of no row which game it is of.
    bare = pf.verify(log | {"game_number": [None] * 3000}, V2, constants={"terminating": END})
    assert [text[:5] for text in bare.unknown] == ["1 row"]
    log["game_number"][[5, 8, 11]] = [0, "two", -3]
    report = pf.verify(log, V2, **told)
    assert [(failure.kind, failure.column) for failure in report.failures] == [
        ("malformed", "game_number")
    ] * 3


def test_numbers_of_games_before_a_chain_are_of_none_on_it() -> None:
    hashes, said = np.array([HASHES[0], HASHES[0], HASHES[1]]), np.array([101, 100, 1])
    numbers, _, _ = Chains(CHAIN, 100).numbers(hashes, END, said, 3, 10)
    assert numbers.tolist() == [101, 0, 0]


def test_how_far_chains_are_followed(tmp_path: Any) -> None:
    told: dict[str, Any] = {"constants": {"terminating": END}}
    for steps, ok in ((2999, False), (3000, True)):
        assert pf.verify(log_of(), V2, chain_steps=steps, **told).ok is ok
    report = pf.verify(log_of(), V2, chain_steps=2999, **told)
    assert report.unknown[0].startswith(
        "1 row isn't shown to be on the announced chain, the first is row 2999"
    )
    config = {"game": "bustabit.v2", "chain_steps": 2999, **told}
    assert not pf.verify(log_of(), config=config).ok
    assert pf.verify(log_of(), config=config, chain_steps=3000).ok
    assert not pf.audit(log_of(), V2, terminating=END, chain_steps=2999).ok
    assert pf.audit(log_of(), V2, terminating=END, chain_steps=3000).ok
    for wrong in (0, -1, 1.5, "many", None):
        with pytest.raises((TypeError, ValueError), match="chain_steps"):
            pf.verify(log_of(), V2, chain_steps=wrong)
    with pytest.raises(TypeError, match="'chain_steps' must be a whole number"):
        pf.verify(log_of(), config={"game": "bustabit.v2", "chain_steps": "3"})


class Counted:
    """Game numbers, counting the steps taken for them."""

    steps = 0

    def __init__(self, *chain: Any) -> None:
        self._numbers = GameNumbers(*chain)

    def of(self, *given: Any, progress: Any) -> Any:
        def count(done: int) -> None:
            Counted.steps = max(Counted.steps, done)

        return self._numbers.of(*given, progress=count)


def test_a_mistyped_terminating_hash_costs_one_walk(monkeypatch: pytest.MonkeyPatch, limits: Any) -> None:
    """Walks resume where earlier ones passed, even across batches."""
    limits(BATCH=300)
    monkeypatch.setattr("provably_fair.verification.systems.chains.GameNumbers", Counted)
    for rows in (slice(None), slice(None, None, -1)):
        monkeypatch.setattr(Counted, "steps", 0)
        report = pf.verify(log_of(rows), V2, constants={"terminating": LOST}, chain_steps=1_000_000)
        assert (report.failed, report.complete) == (0, False)
        assert report.unknown[0].startswith("3,000 rows aren't shown")
        assert 900_000 < Counted.steps < 1_100_000


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("where", ["before", "after", "among", "in batches of their own"])
def test_many_games_of_no_chain_cost_a_budget(
    where: str, monkeypatch: pytest.MonkeyPatch, limits: Any
) -> None:
    """Games of the chain are found nonetheless, wherever the others are."""
    monkeypatch.setattr("provably_fair.verification.systems.chains._BUDGET", 0)
    monkeypatch.setattr("provably_fair.verification.systems.chains._BUDGET_OF_WALKS", 3)
    monkeypatch.setattr("provably_fair.verification.systems.chains.GameNumbers", Counted)
    monkeypatch.setattr(Counted, "steps", 0)
    strangers = np.array([hashlib.sha256(str(n).encode()).hexdigest().encode() for n in range(400)])
    parts = {
        "before": [strangers, HASHES[500:]],
        "after": [HASHES[500:], strangers],
        "in batches of their own": [HASHES[:1300], strangers[:200], HASHES[1300:], strangers[200:]],
    }
    rows = np.concatenate(parts.get(where, parts["before"]))
    if where == "among":
        rows = np.random.default_rng(7).permutation(rows)
    elif where == "in batches of their own":
        limits(BATCH=100)
    own = np.isin(rows, HASHES)
    first = int(np.flatnonzero(~own)[0])
    log = {"game_hash": rows, "outcome": V2.play(rows)}
    told: dict[str, Any] = {"constants": {"terminating": END}, "chain_steps": 50_000}
    report = pf.verify(log, V2, **told)
    assert 50_000 < Counted.steps < 150_000 + 400 * 2000
    assert (report.failed, report.complete) == (0, False)
    note, least = report.notes[0], 1 if where == "in batches of their own" else 501
    assert note.startswith(f"{int(own.sum()):,} rows are of games {least:,} to 3,000 of the chain")
    (line,) = report.unknown
    assert line.startswith(
        f"400 rows aren't shown to be on the announced chain, the first is row {first}: the terminating hash "
    )
    walked = int(line.split("(")[1].split(" of them")[0])
    assert 390 < walked < 400  # the budget of three walks
    assert "were followed for fewer: all rows together may take 150,000); chain_steps= allows more" in line
    audited = pf.audit(log, V2, terminating=END, chain_steps=50_000)
    assert audited.unknown[0] == line
    kinds = pf.check(log, V2, **told)["kind"]
    assert [kind == "not shown" for kind in kinds] == (~own).tolist()
    numbered = log | {"game_number": np.full(len(rows), 45_000)}
    report = pf.verify(numbered, V2, **told)
    assert report.failed == own.sum() + 400 - int(report.unknown[0].split(" ")[0])


def test_an_end_for_each_row_costs_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """If terminating hashes are those of other games, each row takes as many steps to reach its own."""
    monkeypatch.setattr("provably_fair.verification.systems.chains._BUDGET", 20_000)
    monkeypatch.setattr("provably_fair.verification.systems.chains._BUDGET_OF_WALKS", 0)
    hashes, ends = HASHES[2800:], [END] * 30 + HASHES[:170].astype(str).tolist()
    log = {"game_hash": hashes, "outcome": V2.play(hashes), "terminating": ends}
    report = pf.verify(log, V2, chain_steps=3000)
    assert report.failed == 0
    assert report.notes[0].startswith("30 rows are of games 2,801 to 2,830 of the chain to")
    assert 100 < len(report.unknown) < 170
    assert all("1 of them was followed for fewer" in line for line in report.unknown)


def test_walks_report_progress_and_stop() -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise StoppedError

    with pytest.raises(StoppedError):
        pf.verify(log_of(), V2, progress=stop, constants={"terminating": LOST}, chain_steps=10**15)
    with pytest.raises(StoppedError):
        CHAIN.steps(HASHES[0], LOST, limit=10**15, progress=stop)


def test_pieces_and_dask_say_the_same() -> None:
    pd, dd = pytest.importorskip("pandas"), pytest.importorskip("dask.dataframe")
    import dask

    hashes = HASHES[:600].copy()
    hashes[[250, 400]] = OTHER[[0, 1]]
    log = {"game_hash": hashes.astype("U"), "outcome": V2.play(hashes)}
    frame = dd.from_pandas(pd.DataFrame(log), npartitions=7, sort=False)
    told: dict[str, Any] = {"constants": {"terminating": END}, "chain_steps": 550}
    whole = pf.verify(log, V2, **told)
    assert whole.unknown[0].startswith(
        "52 rows aren't shown to be on the announced chain, the first is row 250"
    )
    with dask.config.set(scheduler="threads"):
        report = pf.dask.verify(frame, V2, **told)
    assert (report.unknown, report.notes) == (whole.unknown, whole.notes)
    audited = pf.audit(log, V2, terminating=END, chain_steps=550)
    assert audited.unknown[0] == whole.unknown[0]
    auditor = pf.Auditor(V2, terminating=END, chain_steps=550)
    for start in range(0, 600, 130):
        auditor.update({name: column[start : start + 130] for name, column in log.items()})
        auditor = pickle.loads(pickle.dumps(auditor))
    found = auditor.report()
    assert (found.unknown, found.findings) == (audited.unknown, audited.findings)
    assert found.verification.notes == whole.notes


def test_logs_of_several_games_on_chains() -> None:
    games = ["Crash", "Slide"] * 20
    outcomes = [
        (stake.Crash() if name == "Crash" else stake.Slide()).play(game_hash)
        for name, game_hash in zip(games, HASHES[:40], strict=True)
    ]
    log = {"game": games, "game_hash": HASHES[:40], "outcome": outcomes}
    kinds = {"Crash": stake.Crash(), "Slide": stake.Slide()}
    report = pf.verify(log, kinds, game_column="game", constants={"terminating": END}, chain_steps=39)
    assert report.unknown[0].startswith("1 row isn't shown to be on the announced chain, the first is row 39")
    assert report.notes == [f"39 rows are of games 1 to 39 of the chain to {END[:16]}..."]


def test_the_end_may_be_that_of_each_row() -> None:
    other = CHAIN.generate("another", 500)
    hashes = np.concatenate([HASHES[:20], other[:20]])
    log = {"game_hash": hashes, "outcome": V2.play(hashes)}
    ends = [END] * 20 + [CHAIN.terminating(other)] * 20
    assert pf.verify({**log, "terminating": ends}, V2).ok
    ends[3] = ends[-1]
    ends[4] = "no hash"
    report = pf.verify({**log, "terminating": ends}, V2, chain_steps=1000)
    assert [failure.row for failure in report.failures] == [4]
    assert report.unknown[0].startswith("1 row isn't shown to be on the announced chain, the first is row 3")


def test_published_logs_of_chains() -> None:
    rows = games_of("bustabit/v2-2019")
    log = {"game_hash": [row[1] for row in rows], "outcome": [row[2] for row in rows]}
    report = pf.verify(log, V2, constants={"terminating": bustabit.TERMINATING})
    assert report.ok
    assert "53 rows are of games 2,537,203 to 2,552,845" in report.notes[0]
    ((_, game_hash, bust),) = games_of("stake/crash-chain")
    log = {"game_hash": [game_hash], "outcome": [bust]}
    report = pf.verify(log, stake.Crash(), constants={"terminating": stake.CRASH_TERMINATING})
    assert report.ok
    assert "1 rows are of games 1,126,614 to 1,126,614" in report.notes[0]


def test_files_in_batches(tmp_path: Any) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    log = log_of(slice(None, None, -1))
    frame = pandas.DataFrame({"game_hash": log["game_hash"].astype("U64"), "outcome": log["outcome"]})
    frame.iloc[:1700].to_csv(tmp_path / "1.csv", index=False)
    frame.iloc[1700:].to_parquet(tmp_path / "2.parquet")
    report = pf.verify(tmp_path, V2, constants={"terminating": END})
    assert report.ok
    assert report.notes == [f"3,000 rows are of games 1 to 3,000 of the chain to {END[:16]}..."]
    assert pickle.loads(pickle.dumps(report)) == report


def test_a_commitment_may_be_of_another_field_too() -> None:
    log = SERIES["skinclub/sample"].columns
    game = skinclub.Ticket()
    report = pf.verify(log, game)
    assert report.ok
    assert report.committed["commitment"] == 1
    assert [failure.kind for failure in pf.verify(log | {"salt": ["x"]}, game).failures] == ["commitment"]
    without = {name: column for name, column in log.items() if name != "salt"}
    with pytest.raises(pf.LogError, match="commitment needs a column 'salt'"):
        pf.verify(without, game)
    del without["commitment"]
    assert pf.verify(without, game).ok


def test_a_function_of_a_scheme_is_given_its_fields_alone() -> None:
    def words(game_hash: str, salt: str) -> list[int]:
        return [int(game_hash[:8], 16)]

    class Own(pf.Game):
        scheme = pf.Scheme.of(words, bits=32, fields=["game_hash", "salt"], defaults={"salt": "block"})

        def outcome(self, draws: Any) -> Any:
            return draws.below(2)

    log = {"game_hash": ["ab" * 32, "00" * 32], "game_number": [1, 2], "outcome": [1, 0]}
    assert pf.verify(log, Own()).ok


@pytest.mark.parametrize("game", [V2, bustabit.V3()], ids=repr)
def test_simulated_games_are_on_their_own_chain(game):
    log = game.simulate(50, seed="chain", as_frame="pandas")
    end = game.kind.chain.terminating(log["game_hash"])
    assert pf.verify(log, game, constants={"terminating": end}).ok
