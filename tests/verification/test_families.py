"""Clones of bustabit's rules: parameters are identified, or all candidates given; never wrong ones."""

from __future__ import annotations

import hashlib
import hmac
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from locating.records import divisible, hashes_of, raw, record_of
from provably_fair.cli import run


@pytest.mark.one_case_in(7)
@pytest.mark.parametrize("seed", range(40))
def test_a_divisor_is_named_right_or_not_at_all(seed: int) -> None:
    rng = np.random.default_rng(seed)
    divisor, instant, games = int(rng.integers(10, 121)), float(rng.integers(2)), int(rng.integers(20, 1200))
    hashes, salt = hashes_of(f"secret {seed}", games), f"salt {seed}"
    log = {"hash": hashes, "bust": [divisible(one, salt, divisor, instant) for one in hashes]}
    found = pf.identify(log, constants={"salt": ["another", salt]})
    assert found.best is None
    family: Any = found.family
    assert (family.name, family.salt, family.rows) == ("crash.divisible", salt, games)
    assert divisor in family.divisors
    assert sum(family.divisors.values()) == pytest.approx(1)
    if family.game is None:
        assert family.instants < 8
        assert "don't tell" in str(found)
    else:
        assert family.instants >= 8
        assert family.divisors == {divisor: 1.0}
        assert family.game.play(hashes).tolist() == log["bust"]
        assert f"crash.divisible:divisor={divisor}" in str(found)


@pytest.mark.one_case_in(7)
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("reads", ["bytes", "text"])
def test_an_edge_is_named_right_or_not_at_all(seed: int, reads: str) -> None:
    rng = np.random.default_rng([seed, 1])
    edge, games = Fraction(int(rng.integers(0, 51)), 1000), int(rng.integers(20, 290))
    hashes, salt = hashes_of(f"raw {seed}", games), f"salt {seed}"
    busts = [raw(one, salt, edge, reads) for one in hashes]
    found = pf.identify({"hash": hashes, "bust": busts}, constants={"salt": salt})
    if edge == Fraction(1, 100) and reads == "bytes":
        assert found.best is not None
        assert (found.best.game, found.family) == ("bustabit.v2", None)
        return
    family: Any = found.family
    assert (family.name, family.salt, family.reads) == ("crash.raw", salt, reads)
    assert family.edges[0] < edge <= family.edges[1]
    if family.game is not None:
        assert family.game == pf.operators.crash.Raw(f"{float(edge):g}").with_scheme(family.game.scheme)
        assert family.game.play(hashes).tolist() == busts
    else:
        assert "the rows tell no more" in str(family)


def test_rounding_is_named_where_a_row_tells() -> None:
    hashes = np.array(hashes_of("rounded", 20_000))
    clone = pf.operators.crash.Raw("0.03", digits=9)
    busts, exact = (np.asarray(game.play(hashes, "ours")) for game in (clone, pf.operators.crash.Raw("0.03")))
    differs = np.flatnonzero(busts != exact)
    assert len(differs) > 0
    same = np.setdiff1d(np.arange(20_000), differs)[:400]

    def found(rows: np.ndarray, outcomes: np.ndarray) -> Any:
        log = {"hash": hashes[rows].tolist(), "bust": outcomes[rows].tolist()}
        return pf.identify(log, constants={"salt": "ours"}).family

    either, rounded, whole = (
        found(same, busts),
        *(found(np.append(same, differs), one) for one in (busts, exact)),
    )
    assert (either.digits, rounded.digits, whole.digits) == ((None, 9), (9,), (None,))
    assert "400 rows agree with or without rounding to 9 digits" in str(either)
    assert rounded.game == clone.with_scheme(rounded.game.scheme)
    assert rounded.to_dict()["game"] == "crash.raw:edge=0.03,digits=9"
    assert rounded.game.play(hashes).tolist() == busts.tolist()
    assert whole.game.play(hashes).tolist() == exact.tolist()


def test_a_rounding_without_a_plain_edge_is_another_one() -> None:
    hashes = hashes_of("own84", 2500)
    salt = hashlib.sha256(b"salt84").hexdigest()
    clone = pf.operators.crash.Raw("0.047", digits=9)
    busts = clone.play(np.array(hashes), salt)
    family: Any = pf.identify({"hash": hashes, "bust": busts}, constants={"salt": salt}).family
    assert (family.digits, family.game) == ((9,), clone.with_scheme(family.game.scheme))
    assert family.edges[0] < Fraction("0.047") <= family.edges[1]


def test_no_edge_is_an_edge() -> None:
    hashes = hashes_of("no edge", 300)
    busts = [raw(one, "ours", Fraction(0)) for one in hashes]
    family: Any = pf.identify({"hash": hashes, "bust": busts}, constants={"salt": "ours"}).family
    assert family.edges[0] == 0
    assert family.game.edge == "0"
    assert family.game.play(hashes).tolist() == busts


def test_what_is_no_family_is_none() -> None:
    hashes = hashes_of("secret", 300)
    rng = np.random.default_rng(1)
    busts = [1 + round(float(one), 2) for one in rng.exponential(2, 300)]
    log: dict[str, Any] = {"hash": hashes, "bust": busts}
    assert pf.identify(log, constants={"salt": "salt"}).family is None
    right = [divisible(one, "salt", 20, 0.0) for one in hashes]
    assert pf.identify({"hash": hashes, "bust": right}, constants={"salt": "wrong"}).family is None
    few = {"hash": hashes[:3], "bust": right[:3]}
    assert pf.identify(few, constants={"salt": "salt"}).family is None
    known = pf.operators.roobet.Crash()
    found = pf.identify({"hash": hashes, "bust": known.play(hashes)})
    assert found.best is not None
    assert (found.best.game, found.family) == ("roobet.crash", None)


def test_a_salt_is_read_from_its_column() -> None:
    hashes = hashes_of("secret", 400)
    busts = [divisible(one, "ours", 20, 1.0) for one in hashes]
    found = pf.identify({"hash": hashes, "salt": ["ours"] * 400, "bust": busts})
    assert found.candidates[0].game == "bustabit.v1"  # it matches all rows but the instant busts
    assert found.best is None
    family: Any = found.family
    assert family.game == pf.operators.crash.Divisible(20, 1.0).with_scheme(family.game.scheme)
    assert family.to_dict()["game"] == "crash.divisible:divisor=20,instant=1.0"


# ---- misread cells ----


def clone(rows: int = 400, divisor: int = 20, instant: float = 1.0) -> tuple[list[str], list[Any]]:
    hashes = hashes_of("clone", rows)
    return hashes, [divisible(one, "ours", divisor, instant) for one in hashes]


def places(hashes: list[str], busts: list[Any]) -> dict[str, int]:
    """The first row with an instant bust, with another outcome, and the last row."""
    instants = [row for row, one in enumerate(hashes) if bust_at(one)]
    return {"bust": instants[0], "other": next(r for r in range(len(busts)) if r not in instants), "end": -1}


def bust_at(game_hash: str) -> bool:
    return int(hmac.new(game_hash.encode(), b"ours", "sha256").hexdigest(), 16) % 20 == 0


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("wrong", [1.0, 0.0, 0.57, 3.14, 1e300, "", "misread", None])
@pytest.mark.parametrize("place", ["bust", "other", "end"])
@pytest.mark.parametrize("instant", [0.0, 1.0])
def test_one_misread_cell_hides_no_divisor(wrong: Any, place: str, instant: float) -> None:
    hashes, busts = clone(instant=instant)
    row = places(hashes, busts)[place]
    right, busts[row] = busts[row], wrong
    family: Any = pf.identify({"hash": hashes, "bust": busts}, constants={"salt": "ours"}).family
    assert family.game == pf.operators.crash.Divisible(20, instant).with_scheme(family.game.scheme)
    readable = isinstance(wrong, float)
    assert (
        (family.rows, family.misread) == (399, 1)
        if readable and wrong != right
        else (400 - (not readable), 0)
    )
    assert ("rows agree, and 1 don't" in str(family)) == (family.misread == 1)


@pytest.mark.parametrize("wrong", ["", "0x12", "f" * 64, None, 7])
def test_one_misread_hash_hides_no_divisor(wrong: Any) -> None:
    hashes, busts = clone()
    log: dict[str, list[Any]] = {
        "hash": [*hashes[:9], wrong, *hashes[10:]],
        "bust": busts,
        "salt": ["ours"] * 400,
    }
    log["salt"][300] = "0urs"
    assert pf.identify(log).family.game.divisor == 20  # type: ignore[union-attr]


def test_some_hundreds_of_rows_may_have_misread_cells_but_not_many() -> None:
    hashes, busts = clone(1000)
    rng = np.random.default_rng(5)
    for count, found in ((8, True), (20, True), (21, False), (100, False)):
        some = list(busts)
        for row in rng.choice(1000, count, replace=False).tolist():
            some[row] = round(some[row] + 1.01, 2)
        family = pf.identify({"hash": hashes, "bust": some}, constants={"salt": "ours"}).family
        assert (family is not None) == found
        if family is not None:
            assert (family.game.divisor, family.misread) == (20, count)  # type: ignore[union-attr]


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("reads", ["bytes", "text"])
@pytest.mark.parametrize("wrong", [0.0, 1.0, 88.0, "-"])
def test_one_misread_cell_hides_no_edge(reads: str, wrong: Any) -> None:
    hashes = hashes_of("edge", 1500)
    busts: list[Any] = [raw(one, "ours", Fraction(3, 100), reads) for one in hashes]
    assert busts[701] > 1
    busts[701] = wrong
    family: Any = pf.identify({"hash": hashes, "bust": busts}, constants={"salt": "ours"}).family
    assert (family.reads, family.rows) == (reads, 1499)
    assert family.edges[0] < Fraction(3, 100) <= family.edges[1]
    assert family.game is None or family.game.edge == "0.03"


@pytest.mark.parametrize("name", ["roobet.crash", "bustabit.v1", "bustabit.v2"])
def test_a_known_game_with_a_misread_cell_is_no_clone(name: str) -> None:
    hashes = hashes_of("known", 600)
    busts = played(name, hashes)
    busts[7] = 1.0 if busts[7] != 1.0 else 2.0
    found = pf.identify({"hash": hashes, "bust": busts})
    assert found.family is None
    assert found.best is not None
    assert (found.best.game, found.best.matched, found.best.tried) == (name, 299, 300)


def played(name: str, hashes: list[str]) -> list[float]:
    operator, _, game = name.partition(".")
    kinds = {"crash": "Crash", "v1": "V1", "v2": "V2"}
    busts: list[float] = getattr(getattr(pf.operators, operator), kinds[game])().play(hashes).tolist()
    return busts


# ---- outcomes without hashes, and a later hash ----


@pytest.mark.parametrize("wrong", [1.0, 0.0, 4.56])
def test_a_misread_cell_ends_no_search_from_an_anchor(wrong: float) -> None:
    hashes, busts = clone(1400)
    log = {"bust": [*busts[1000:1007], wrong, *busts[1008:]]}
    shown: list[tuple[int, int]] = []
    family: Any = pf.identify(
        log, anchor=hashes[-1], constants={"salt": "ours"}, progress=lambda *done: shown.append(done)
    ).family
    assert (family.game.divisor, family.game.instant, family.misread) == (20, 1.0, 1)
    assert shown == sorted(shown)
    assert len({total for _, total in shown}) == 1
    assert shown[-1][0] == shown[-1][1]


def test_rows_that_lie_beyond_the_games_searched_are_counted() -> None:
    hashes = pf.HashChain().generate("a clone's", games=1000)
    game = pf.operators.crash.Divisible(divisor=20, instant=1.0)
    log = {"bust": game.play(hashes[300:700], "ours")}
    found = pf.identify(log, anchor=hashes[-1], anchor_limit=499, constants={"salt": "ours"})
    assert found.family is not None
    lost = 400 - found.family.rows
    assert 190 < lost < 210
    assert found.notes == (f"{lost} of 400 rows have no sure place on the anchor's chain",)


def test_a_search_from_an_anchor_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from provably_fair.identification import anchored

    monkeypatch.setattr(anchored, "_NEARBY", 1 << 9)
    monkeypatch.setattr(anchored, "_WALKED", 1 << 16)
    _, busts = clone(200)
    most: list[tuple[int, int]] = []
    log = {"bust": busts}
    found = pf.identify(log, anchor="ab" * 32, progress=lambda *done: most.append(done))
    assert (found.best, found.family) == (None, None)
    assert most == sorted(most)
    assert most[-1][0] == most[-1][1] < 1 << 17
    assert 1 << 9 <= found.searched < 10_000
    assert f"among the {found.searched:,} games before it" in str(found)
    few = pf.identify(log, ["roobet.crash"], anchor="ab" * 32)
    assert few.searched == (1 << 16) - (1 << 9)  # a single rule has them all
    assert pf.identify(log, ["roobet.crash"], anchor="ab" * 32, anchor_limit=700).searched == 700
    none = pf.identify(log, ["stake.dice"], anchor="ab" * 32)
    assert (none.searched, "no game that was tried is on a hash chain" in str(none)) == (0, True)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(12))
def test_a_divisor_is_named_from_numbers_and_an_anchor(seed: int) -> None:
    rng = np.random.default_rng([seed, 2])
    divisor, instant, games = int(rng.integers(10, 121)), float(rng.integers(2)), int(rng.integers(150, 1500))
    hashes, salt = hashes_of(f"numbers {seed}", 4000, of_bytes=seed % 3 == 0), f"salt {seed}"
    first = int(rng.integers(0, 4000 - games))
    outcomes = [divisible(one, salt, divisor, instant) for one in hashes[first : first + games]]
    log = {"bust": record_of(rng, outcomes, games // 500)}
    options = {"anchor": hashes[-1], "anchor_limit": 3999, "constants": {"salt": ["another", salt]}}
    found = pf.identify(log, **options)
    family: Any = found.family
    assert (family.name, family.salt) == ("crash.divisible", salt)
    assert family.chain == ("bytes" if seed % 3 == 0 else "text")
    assert divisor in family.divisors
    assert family.rows > 0.9 * len(log["bust"])
    if family.game is None:
        assert family.instants < 8
    else:
        assert family.divisors == {divisor: 1.0}
        assert family.game.play(hashes[first : first + games]).tolist() == outcomes
        if family.chain == "text":
            location = pf.locate(log, family.game, anchor=hashes[-1], limit=3999)
            assert location.placed >= family.rows
    if seed == 0:
        wrong = pf.identify(log, **{**options, "constants": {"salt": "wrong"}})
        assert (wrong.family, wrong.best) == (None, None)
        assert "for any rule and salt tried" in str(wrong)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("reads", ["bytes", "text"])
def test_an_edge_is_named_from_numbers_and_an_anchor(seed: int, reads: str) -> None:
    rng = np.random.default_rng([seed, 3])
    edge, games = Fraction(int(rng.integers(0, 51)), 1000), int(rng.integers(120, 600))
    hashes, salt = hashes_of(f"edges {seed}", 3000, of_bytes=seed % 3 == 0), f"salt {seed}"
    first = int(rng.integers(0, 3000 - games))
    outcomes = [raw(one, salt, edge, reads) for one in hashes]
    log = {"bust": record_of(rng, outcomes[first : first + games], games // 500)}
    found = pf.identify(log, anchor=hashes[-1], anchor_limit=2999, constants={"salt": salt})
    family: Any = found.family
    assert (family.name, family.salt, family.reads) == ("crash.raw", salt, reads)
    assert family.edges[0] < edge <= family.edges[1]
    if family.game is not None:
        assert family.game.play(hashes).tolist() == outcomes


def test_a_known_game_is_named_from_numbers_and_an_anchor(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    hashes = hashes_of("known", 2000)
    busts = pf.operators.roobet.Crash().play(hashes[500:700]).tolist()
    busts[7] += 0.5
    games = ["roobet.crash", "bustabit.v2", "blaze.double"]
    found = pf.identify({"bust": busts}, games, anchor=hashes[-1], anchor_limit=1999)
    assert found.best is not None
    assert (found.best.game, found.best.matched, found.best.tried) == ("roobet.crash", 199, 200)
    assert f"provably-fair locate LOG --anchor {hashes[-1]} --game roobet.crash" in str(found)
    log = tmp_path / "busts.csv"
    log.write_text("bust\n" + "".join(f"{bust:.2f}\n" for bust in busts))
    assert run(["identify", str(log), "--anchor", hashes[-1], "--anchor-limit", "1999"]) == 0
    assert "roobet.crash: 199 of 200 rows" in capsys.readouterr().out
    with pytest.raises(ValueError, match="anchor must be a hash of 64 hex digits"):
        pf.identify({"bust": busts}, anchor="ab")
    with pytest.raises(ValueError, match="anchor_limit must be"):
        pf.identify({"bust": busts}, anchor=hashes[-1], anchor_limit=0)


@pytest.mark.thorough
def test_random_outcomes_are_of_no_family() -> None:
    hashes = hashes_of("nothing", 600)
    for game in (pf.operators.roobet.Crash(), pf.operators.bustabit.V2()):
        outcomes = game.simulate(100, seed=1)
        found = pf.identify({"bust": outcomes}, anchor=hashes[-1], anchor_limit=599)
        assert (found.best, found.family, found.candidates) == (None, None, ())


@pytest.mark.parametrize("given", ["text", "bytes", "several", "column"])
def test_known_games_are_placed_by_a_logs_own_salt(given: str) -> None:
    hashes = hashes_of("known", 1000)
    busts = pf.operators.stake.Crash().play(hashes[300:500], salt="ours").tolist()
    salts: dict[str, Any] = {"text": "ours", "bytes": b"ours", "several": ["theirs", b"ours"]}
    constants = {"salt": salts[given]} if given in salts else None
    log = {"bust": busts} | ({} if constants else {"salt": ["ours"] * 200})
    below: Any = {"anchor": hashes[-1], "anchor_limit": 999, "constants": constants}
    found = pf.identify(log, ["stake.crash"], **below)
    assert found.best is not None
    assert (found.best.game, found.best.matched, found.best.constants) == (
        "stake.crash",
        200,
        {"salt": "ours"},
    )
    placed = pf.locate(busts, found.best.game, anchor=hashes[-1], constants=found.best.constants)
    assert placed.ok
    known = pf.operators.stake.Crash().play(hashes[300:500]).tolist()
    if constants:  # nor is it placed by another salt than the one given
        assert pf.identify({"bust": known}, ["stake.crash"], **below).best is None


def test_a_clones_salt_is_found_in_a_column_of_any_name() -> None:
    hashes = hashes_of("clone", 400)
    log = {"hash": hashes, "block": ["ours"] * 400, "bust": [divisible(one, "ours", 33, 0) for one in hashes]}
    family: Any = pf.identify(log).family
    assert (family.salt, family.divisors) == ("ours", {33: 1.0})
