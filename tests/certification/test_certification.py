"""Laboratory reports: clauses, proofs, rejected requests, and biases that have to be found."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections import Counter
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import ROOT
from own_games import game_of
from provably_fair.certification.scaling import scaled
from provably_fair.cli import run
from provably_fair.operators import duel, freebitcoin, stake
from provably_fair.statistics.registry import TESTS

RESULTS = {"passed", "failed", "proved", "not applicable", "not shown"}
FIELDS = {"number", "text", "test", "hypothesis", "statistic", "pvalue", "data", "missing", "result"}
FIELDS |= {"symbol_pvalue"}
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
BYTES = pf.Scheme(
    pf.Hash("sha256", "{server_seed}:{nonce}:{cursor}"),
    bits=8,
    below="modulo",
    fields=("server_seed", "nonce"),
)


class Hundred(pf.Game):
    """One of a hundred values."""

    def outcome(self, draws):
        return draws.below(100)


@pytest.mark.parametrize("standard", pf.certification.STANDARDS)
@pytest.mark.parametrize("game", ["dice", "mines:mines=3", "stake.keno"])
def test_every_standard_on_fair_games(game, standard):
    report = pf.certify(game, standard, rounds=3000)
    assert report.ok or report.each  # one test in a hundred
    assert report.level == pf.certification.STANDARDS[standard].level
    for clause in report.clauses:
        assert clause.result in RESULTS
        assert (clause.pvalue is not None) == (clause.result in ("passed", "failed"))
        assert clause.result != "not shown" or clause.missing
        assert clause.data or clause.result in ("not shown", "not applicable")
    assert report == pf.certify(game, standard, rounds=3000)  # the same seed, the same report


def test_pennsylvania_has_fifteen_tests_in_its_order():
    clauses = pf.certify("mines:mines=3", "58 Pa. Code 810a.5", rounds=3000).clauses
    assert [clause.number for clause in clauses] == [f"810a.5(c)({number})" for number in range(1, 16)]
    names = [clause.test for clause in clauses]
    assert names[0] == "chi-square"
    assert names[-1] == "Poisson"
    assert {"order statistic", "subsequences", "adjacency", "interplay correlation"} <= set(names)


def test_class_ii_gaming_has_ten_tests_each_by_itself():
    report = pf.certify("dice", "25 CFR 547.14(b)(2)", rounds=3000)
    assert [clause.number for clause in report.clauses] == [f"547.14(b)(2)({number})" for number in ROMAN]
    assert [clause.test for clause in report.clauses] == [
        "chi-square",
        "runs",
        "serial correlation",
        "frequency",
        "gap",
        "poker",
        "coupon collector",
        "permutation",
        "spectral",
        "subsequences",
    ]
    assert report.level == 0.01
    assert report.each
    assert report.to_dict()["each"] is True
    assert "fails each of 10 tests with a probability of at most 0.01, any with 0.1." in report.verdict
    # At a level between two p-values, exactly the tests below it fail.
    pvalues = sorted(clause.pvalue for clause in report.clauses)
    for count in (1, 3):
        level = (pvalues[count - 1] + pvalues[count]) / 2
        judged = pf.certify("dice", "25 CFR 547.14(b)(2)", rounds=3000, level=level)
        assert sum(clause.result == "failed" for clause in judged.clauses) == count
    assert not pf.certify("dice", "RTS 7", rounds=500).each


def binomial(n, chance):
    """Binomial probabilities, exactly."""
    return {k: math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)}


def two_sided(law, value):
    """The two-sided tail probability of a value."""
    assert sum(law.values()) == 1
    low = sum(chance for k, chance in law.items() if k <= value)
    high = sum(chance for k, chance in law.items() if k >= value)
    return float(min(1, 2 * min(low, high)))


@pytest.mark.parametrize("standard", ["W. Va. Code 29-22B-909", "AGCO 21.1.2"])
def test_tests_of_each_symbol_are_beside_those_of_all(standard):
    mines, rounds = pf.Mines(mines=3), 400
    report = pf.certify(mines, standard, rounds=rounds, seed=4)
    asked = ("symbol", "symbol", "pair of symbols", "symbol")
    for clause, what in zip(report.clauses, asked, strict=True):
        assert f"it is asked of each {what} by itself" in clause.missing
        assert "42 % of fair games of 54 symbols fail" in clause.missing
        assert "run instead: " in clause.missing
        assert 0 < clause.symbol_pvalue <= 1
        assert f"{clause.symbol_pvalue:.3g}" in clause.data
    assert "least by symbol" in str(report)
    assert "least by symbol" not in str(pf.certify(mines, "58 Pa. Code 810a.5", rounds=100))
    # The same by symbol, with sums of fractions.
    plays = [set(play) for play in mines.simulate(rounds, seed=4).tolist()]
    counts = [sum(cell in play for play in plays) for cell in range(25)]
    law = binomial(rounds, Fraction(3, 25))
    assert report.clauses[0].symbol_pvalue == pytest.approx(min(two_sided(law, n) for n in set(counts)))
    pairs = itertools.combinations(range(25), 2)
    together = {sum(a in play and b in play for play in plays) for a, b in pairs}
    law = binomial(rounds, Fraction(3 * 2, 25 * 24))
    assert report.clauses[2].symbol_pvalue == pytest.approx(min(two_sided(law, n) for n in together))
    found = []
    for cell, count in enumerate(counts):
        again = sum(cell in a and cell in b for a, b in itertools.pairwise(plays))
        orders = math.comb(rounds, count)
        runs = {
            r: Fraction(math.comb(count - 1, r - 1) * math.comb(rounds - count + 1, r), orders)
            for r in range(1, count + 1)
        }
        found.append(two_sided(runs, count - again))
    assert report.clauses[1].symbol_pvalue == pytest.approx(min(found))
    assert report.clauses[3].symbol_pvalue == report.clauses[1].symbol_pvalue


def off_by(n, bits, below="scale"):
    """The total variation distance of one of n answers from uniform."""
    words = 2**bits
    if below == "modulo":
        counts = [words // n + (answer < words % n) for answer in range(n)]
    else:
        counts = [-(-(answer + 1) * words // n) - -(-answer * words // n) for answer in range(n)]
    assert sum(counts) == words
    return sum(abs(Fraction(count, words) - Fraction(1, n)) for count in counts) / 2


def of_bits(bits, below="scale"):
    message = "{client_seed}:{nonce}:{cursor}"
    return pf.Scheme(pf.Hash("sha256", message, key="{server_seed}"), bits=bits, below=below)


def proof_of(game):
    clauses = pf.certify(game, "RTS 7", rounds=20).clauses
    return next(clause for clause in clauses if clause.test == "proof")


def removal(n, k):
    return [n - place for place in range(k)]


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("below", ["scale", "modulo"])
@pytest.mark.parametrize(
    ("game", "ranges"),
    [
        (stake.Keno(), removal(40, 10)),
        (stake.VideoPoker(), removal(52, 10)),
        (duel.VideoPoker(), removal(52, 51)),
        (stake.Hilo(20), [52] * 20),
        (stake.Slots(), [30, 30, 30, 30, 41]),
        (pf.Mines(mines=5), removal(25, 5)),
        (pf.Tower(mines=2), [5, 4] * 10),
        (pf.Plinko(pins=12), [2] * 12),
    ],
    ids=lambda value: f"{value!r:.30}",
)
@pytest.mark.parametrize("bits", [20, 32])
def test_whole_outcomes_are_bounded_by_the_sum_of_their_draws(game, ranges, bits, below):
    game = game.with_scheme(of_bits(bits, below))
    bound = sum(off_by(n, bits, below) for n in ranges)
    found = scaled(game)
    assert found.distance == bound
    if found.farthest is not None:
        assert found.farthest.distance <= bound
    if bits == 32:
        clause = proof_of(game)
        assert (clause.result, clause.statistic) == ("proved", float(bound))


def test_the_bound_holds_for_whole_outcomes_that_are_tried():
    # Three cards drawn with few bits each, tested as whole hands.
    game = game_of(lambda draws: np.stack([draws.below(5) for _ in range(3)], axis=1))
    counts = Counter(word * 5 // 256 for word in range(256))
    apart = sum(
        abs(Fraction(math.prod(counts[card] for card in hand), 256**3) - Fraction(1, 5**3))
        for hand in itertools.product(range(5), repeat=3)
    )
    found = scaled(game.with_scheme(of_bits(8)))
    assert apart / 2 <= found.distance == 3 * off_by(5, 8)


@pytest.mark.thorough
def test_many_cards_of_few_bits_are_not_proved_by_one():
    game = stake.Hilo(250).with_scheme(of_bits(20))
    found = scaled(game)
    assert found.farthest.distance == off_by(52, 20) < Fraction(1, 10**5)
    assert found.distance == 250 * off_by(52, 20)
    # The number of cards that get one word more; this bounds the error of a whole outcome from below.
    heavy = 2**20 % 52

    def ways(many, of):
        """The relative number of hands of 250 cards with 0, 1, ... of these cards."""
        return [math.comb(250, k) * many**k * (of - many) ** (250 - k) for k in range(251)]

    drawn, even = ways(heavy * (2**20 // 52 + 1), 2**20), ways(heavy, 52)
    scale = (2**20) ** 250, 52**250
    apart = sum(abs(a * scale[1] - b * scale[0]) for a, b in zip(drawn, even, strict=True))
    whole = Fraction(apart, 2 * scale[0] * scale[1])
    assert Fraction(1, 10**5) < whole < found.distance
    clause = proof_of(game)
    assert clause.result == "not shown"
    assert "whole outcomes: they may be off by 0.00088, above 1e-05" in clause.missing


class Again(pf.Game):
    """A second draw whose range depends on the first."""

    def outcome(self, draws):
        return draws.below(draws.below(7) + 3)


class Loaded(pf.Game):
    """A weighted choice with many small weights."""

    def outcome(self, draws):
        return np.stack([draws.weighted([70_000, 25_000, 5_000]), draws.weighted([1, 2])], axis=1)


class Crossed(pf.games.kinds.PartsGame):
    """Two even coins, the second of which shares a draw with the first, and has one that isn't even."""

    def outcome(self, draws):
        one = draws.coin()
        return np.stack([one, (one + (draws.below(3) == 0)) % 2], axis=1)


def test_parts_that_share_a_draw_are_no_bound():
    found = scaled(Crossed().with_scheme(of_bits(8, "modulo")))
    # Each part is even, whatever the second draw is: together they aren't.
    assert found.farthest.distance == 0
    assert found.distance == off_by(3, 8, "modulo") > 0


def test_draws_of_other_kinds():
    assert scaled(Again().with_scheme(of_bits(8))).how == "that of the exact law"
    # The choices of a 16-bit word: of 100,000, those below 70,000 and so on.
    ends = [math.ceil(Fraction(end * 2**16, 100_000)) for end in (0, 70_000, 95_000, 100_000)]
    chances = [Fraction(b - a, 2**16) for a, b in itertools.pairwise(ends)]
    weights = (Fraction(70, 100), Fraction(25, 100), Fraction(5, 100))
    one = sum(abs(a - b) for a, b in zip(chances, weights, strict=True)) / 2
    other = abs(Fraction(math.ceil(Fraction(2**16, 3)), 2**16) - Fraction(1, 3))
    assert scaled(Loaded().with_scheme(of_bits(16))).distance == one + other
    assert scaled(stake.Tarot()).how == "the sum of those of independent parts"
    clause = proof_of(stake.Darts())
    assert clause.result == "not shown"
    assert clause.statistic is None
    assert "whole outcomes: rounds draw numbers" in clause.missing


def test_scaling_is_refuted_by_the_exact_law():
    # A byte modulo 100: 56 values come from three bytes each, the others from two.
    found = scaled(Hundred().with_scheme(BYTES))
    assert found.farthest.deviation == Fraction(1, 100) - Fraction(2, 256)
    assert found.farthest.distance == found.distance == 56 * (Fraction(3, 256) - Fraction(1, 100))
    clauses = {c.text: c for c in pf.certify(Hundred().with_scheme(BYTES), "RTS 7", rounds=500).clauses}
    clause = clauses["Scaling keeps the qualities of the generator."]
    assert clause.result == "failed"
    assert clause.statistic == float(found.distance)
    assert clause.pvalue is None
    report = pf.certify(Hundred().with_scheme(pf.operators.stake.SCHEME), "RTS 7", rounds=500)
    assert {c.test: c.result for c in report.clauses}["proof"] == "proved"


@pytest.mark.parametrize("below", ["scale", "modulo", "multiply", "reject"])
def test_a_law_of_another_scheme_is_not_proved(below):
    """The ends of Freebitco.in's roll are half as probable under its own scheme, and only there."""
    roll = freebitcoin.Dice()
    assert (proof_of(roll).result, proof_of(roll).statistic) == ("proved", 0)
    clause = proof_of(roll.with_scheme(of_bits(32, below)))
    assert clause.result == "failed"
    # Both ends are half of the 10,000th that the others are, instead of one of 10,001.
    even = 2 * (Fraction(1, 10_001) - Fraction(1, 20_000))
    assert clause.statistic == pytest.approx(float(even), rel=0.01)


@pytest.mark.parametrize(("draws", "result"), [(1, "failed"), (10, "not shown")])
def test_a_law_that_nothing_is_said_of_proves_nothing(draws, result):
    count = draws

    class Claimed(pf.Game):
        """A game that claims a law, the same as drawn, which isn't that of its draws."""

        laws = (lambda *_: pf.Distribution([0, 1, 2], [1, 1, 2]),)

        def outcome(self, draws):
            total = sum(draws.below(99) for _ in range(count))
            return (total + total // 99) % 3

    clause = proof_of(Claimed().with_scheme(of_bits(32)))
    assert clause.result == result
    if count == 1:
        assert clause.statistic == pytest.approx(1 / 6)


def test_a_biased_log_fails():
    rng = np.random.default_rng(5)
    fair = pf.certify("double", "AGCO 21.1.2", log={"outcome": rng.integers(15, size=4000)})
    assert fair.ok
    assert fair.notes[1].startswith("The tests compare with the game's own law")
    assert fair.notes[2] == "Not tested: raw numbers: a log holds outcomes alone."
    leaning = rng.integers(15, size=4000)
    leaning[::9] = 3
    biased = pf.certify("double", "AGCO 21.1.2", log={"outcome": leaning})
    assert not biased.ok
    assert biased.clauses[0].result == "failed"
    assert biased.clauses[0].symbol_pvalue < 1e-10
    assert "of number 3 of outcomes, is" in biased.clauses[0].data
    repeated = np.repeat(rng.integers(15, size=2000), 2)
    found = {c.test: c for c in pf.certify("double", "AGCO 21.1.2", log={"outcome": repeated}).clauses}
    assert found["serial correlation"].result == "failed"
    assert found["serial correlation"].symbol_pvalue < 1e-10
    assert found["interplay correlation"].result == "not applicable"
    assert found["interplay correlation"].symbol_pvalue is None  # a play has one number


def test_the_first_line_says_what_it_is_not():
    report = pf.certify("double", "RTS 7", rounds=500)
    said = report.statement
    assert said.startswith("Tests named by RTS 7, run by provably_fair")
    assert said.endswith("this is not a certification.")
    assert str(report).splitlines()[0] == said
    content = json.loads(report.to_json())
    assert next(iter(content)) == "statement"
    assert content["statement"] == said
    assert all(set(clause) == FIELDS for clause in content["clauses"])
    body = report.to_html().partition("<body>")[2]
    assert re.sub("<[^>]*>", "", body).lstrip().startswith(said)
    assert "<script" not in report.to_html()
    assert len(report.to_pandas()) == len(report.clauses)
    assert report.to_junit().count("<testcase") == len(report.clauses)


def test_a_level_of_ones_own_and_bad_arguments():
    assert pf.certify("double", "AGCO 21.1.2", rounds=500, level=0.001).level == 0.001
    with pytest.raises(ValueError, match=r"^standard must be one of '58 Pa"):
        pf.certify("double", "GLI-19")
    with pytest.raises(TypeError, match=r"^subject must be a game"):
        pf.certify(5, "RTS 7")
    with pytest.raises(ValueError, match=r"^rounds must be at least 10"):
        pf.certify("double", "RTS 7", rounds=5)
    with pytest.raises(ValueError, match=r"^log: row 1 has an outcome that is no number"):
        pf.certify("double", "RTS 7", log={"outcome": ["1", "x"]})
    with pytest.raises(ValueError, match=r"^log: row 0 has an outcome that isn't 3 numbers"):
        pf.certify("mines", "RTS 7", log={"outcome": ["1", "2"]})
    for odd in (2.9, 1e30):  # not as 2, nor as what is left in 64 bits
        with pytest.raises(ValueError, match=r"^log: row 20 has an outcome that is no whole number of the"):
            pf.certify("double", "RTS 7", log={"outcome": [*[1.0] * 20, odd]})
    with pytest.raises(ValueError, match=r"^log must have at least 10 rounds, got 2"):
        pf.certify("double", "RTS 7", log={"outcome": ["1", "2"]})


def test_the_text_says_what_is_not_shown_and_why():
    said = str(pf.certify(pf.Double(), "RTS 7", rounds=200))
    assert "\nnot shown: The source is reviewed. Requires a person who reviews the source." in said
    assert "\nnot applicable: Scaled or shuffled output is tested: positions. A play has one value." in said


@pytest.mark.parametrize("option", ["--html", "--report"])
def test_a_report_never_replaces_an_input(option, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "rounds.csv"
    log.write_text("outcome\n" + "".join(f"{outcome}\n" for outcome in pf.Dice().simulate(40)))
    scheme = tmp_path / "scheme.toml"
    scheme.write_text("bits = 32\n[hash]\nname = 'sha256'\nmessage = '{client_seed}:{nonce}'\n")
    before = log.read_bytes(), scheme.read_bytes()
    command = ["certify", "dice", "--standard", "RTS 7", "--log", "rounds.csv", "--scheme", "scheme.toml"]
    for target in "rounds.csv", str(log), "scheme.toml":
        assert run([*command, option, target]) == 2
        assert f"{option} must be another file than the inputs" in capsys.readouterr().err
    assert (log.read_bytes(), scheme.read_bytes()) == before


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="needs the source's folder")
def test_the_page_has_every_test_that_gli_19_names():
    page = (ROOT / "docs" / "howto" / "certify.md").read_text("utf-8")
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", page.split("| GLI-19 names |")[1], re.M)
    stated = [name for _, names in rows for name in names.replace('"', "").split("; ")]
    assert sorted(stated) == sorted(test.name for test in TESTS if "GLI-19" in test.source)


@pytest.mark.parametrize(
    "game", [pf.operators.fpclub.Dice(), pf.operators.crypto_games.VideoPoker()], ids=["dice", "poker"]
)
def test_raw_numbers_of_few_bits_are_no_real_numbers(game: pf.Game) -> None:
    """Of bytes, 256 values come up, and any two are equal in one case of 256."""
    report = pf.certify(game, "RTS 7", rounds=20_000)
    assert report.ok, str(report)
    assert sum(clause.result == "passed" for clause in report.clauses) >= 13
    hash = pf.Hash("sha256", "{server_seed}:{nonce}:{cursor}")
    words = pf.Double().with_scheme(pf.Scheme(hash, bits=24))
    assert pf.certify(words, "RTS 7", rounds=100_000).ok
    rounded = pf.Double().with_scheme(pf.Scheme(hash, bits=32, digits=3))
    assert pf.certify(rounded, "RTS 7", rounds=20_000).ok
