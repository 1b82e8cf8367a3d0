"""Exact returns of bets of all operators, against sums of fractions that share no code with the package.

A draw's law is how many words give each answer. Rules are written once more in plain Python, and everything
that is drawn together is tried, as fractions.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import VECTORS
from oracles import salted as rules
from provably_fair.games.fairness import looks_of
from provably_fair.games.laws import outcome_distance
from provably_fair.operators import crash as families, crypto_games
from published_rounds import (
    bcgame,
    betkyo,
    blaze,
    bustabit,
    bustadice,
    csgodouble,
    duel,
    ethercrash,
    freebitcoin,
    liqd,
    primedice,
    roobet,
    skinclub,
    stake,
)

TABLES = json.loads((VECTORS / "stake_tables.json").read_text(encoding="utf-8"))
LEVELS = ("easy", "medium", "hard", "expert")
Law = dict[Any, Fraction]
Draw = Callable[[int], Law]
"""From how many answers there are to the probability of each."""


# ---- draws ----


def uniform(n: int) -> Law:
    return {answer: Fraction(1, n) for answer in range(n)}


@functools.cache
def scaled(n: int, bits: int = 32) -> Law:
    """floor(f * n) in doubles, where f is a word of `bits` bits divided by 2**bits."""

    def begin(answer: int) -> int:
        near = range(max(0, answer * 2**bits // n - 3), min(2**bits, answer * 2**bits // n + 4))
        return next((word for word in near if math.floor(word / 2**bits * n) >= answer), 2**bits)

    begins = [begin(answer) for answer in range(n)] + [2**bits]
    return {a: Fraction(begins[a + 1] - begins[a], 2**bits) for a in range(n)}


def modulo(n: int, bits: int = 32) -> Law:
    return {a: Fraction(2**bits // n + (a < 2**bits % n), 2**bits) for a in range(n)}


def first_word(words: int, reached: Callable[[int], bool]) -> int:
    """The first word from which a condition holds; the number of words if it never does."""
    low, high = -1, words
    while high - low > 1:
        middle = (low + high) // 2
        if reached(middle):
            high = middle
        else:
            low = middle
    return high


def bytewise(n: int) -> Law:
    """floor(number * n) for eight bytes added as doubles."""
    return {answer: Fraction(count, 2**64) for answer, count in enumerate(rules.counts(n))}


@functools.cache
def rounded(n: int) -> Law:
    """floor(u * n) for eight bytes divided by 2**64 with one rounding; n - 1 if u is rounded to 1."""

    def begin(answer: int) -> int:
        number = max(0.0, answer / n - 2.0**-50)
        while number * n < answer:
            number = math.nextafter(number, 1)
        middle = (Fraction(math.nextafter(number, 0)) + Fraction(number)) / 2 * 2**64
        word = math.ceil(middle)
        return word + (word == middle and word / 2**64 < number)  # a tie goes to the even double

    begins = [0, *map(begin, range(1, n)), 2**64]
    return {a: Fraction(end - start, 2**64) for a, (start, end) in enumerate(itertools.pairwise(begins))}


def reaching(value: Callable[[int], float], words: int, target: float) -> Fraction:
    """The probability of at least a target under a rule that rises or falls with the word."""
    if value(0) < value(words - 1):
        return Fraction(words - first_word(words, lambda word: value(word) >= target), words)
    return Fraction(first_word(words, lambda word: value(word) < target), words)


def to_precision(number: Fraction, digits: int) -> float:
    """JavaScript's toPrecision: the nearest decimal of some digits, ties going up."""
    if not number:
        return 0.0
    places = digits
    while number * 10**places < 10 ** (digits - 1):
        places += 1
    return float(Fraction(math.floor(number * 10**places + Fraction(1, 2)), 10**places))


@functools.cache
def doubles(n: int, bits: int = 256) -> Law:
    """The double nearest to an integer, modulo n: how many integers round to each double of each binade."""
    counts = [0] * n
    for number in range(n):
        counts[number] += 2**53 // n + (number < 2**53 % n)
    for exponent in range(1, bits - 52):
        step = 2**exponent
        # Mantissas from 2**52 to below 2**53, by their remainders by 2n.
        for rest in range(2 * n):
            some = (2**53 - 1 - rest) // (2 * n) - (2**52 - 1 - rest) // (2 * n)
            counts[rest * step % n] += some * (step - 1 if rest % 2 else step + 1)
        # The first of them has half the numbers below it, and the last binade ends where the numbers do.
        counts[2**52 * step % n] -= step // 2 - step // 4
    counts[2**bits % n] += 2 ** (bits - 54)
    return {answer: Fraction(count, 2**bits) for answer, count in enumerate(counts)}


# ---- laws of several draws ----


def of(law: Law, value: Callable[[Any], Any]) -> Law:
    found: Law = {}
    for answer, chance in law.items():
        found[value(answer)] = found.get(value(answer), Fraction(0)) + chance
    return found


def together(laws: Iterable[Law], value: Callable[[tuple[Any, ...]], Any]) -> Law:
    found: Law = {}
    for answers in itertools.product(*(law.items() for law in laws)):
        key = value(tuple(answer for answer, _ in answers))
        found[key] = found.get(key, Fraction(0)) + math.prod(chance for _, chance in answers)
    return found


def added(laws: Iterable[Law]) -> Law:
    found: Law = {Fraction(0): Fraction(1)}
    for law in laws:
        found = together([found, law], sum)
    return found


def removed(draw: Draw, n: int, k: int, value: Callable[[list[int]], Any]) -> Law:
    """The law of a value of k draws without replacement, by removal."""

    def taken(answers: tuple[int, ...]) -> list[int]:
        left = list(range(n))
        return [left.pop(answer) for answer in answers]

    return together([draw(n - place) for place in range(k)], lambda answers: value(taken(answers)))


def hits(n: int, k: int, some: int) -> Law:
    return {
        hit: Fraction(math.comb(some, hit) * math.comb(n - some, k - hit), math.comb(n, k))
        for hit in range(max(0, k + some - n), min(k, some) + 1)
    }


def won(chance: Fraction, pays: Any) -> Law:
    return {Fraction(str(pays)): chance, Fraction(0): 1 - chance}


def by_table(rows: list[list[float]], bits: int) -> Law:
    """Return the law of a number's value by a table of thresholds, from the highest down."""
    found: Law = {}
    above = 2**bits
    for least, *_, value in rows:
        first = math.ceil(Fraction(least) * 2**bits)
        paid = Fraction(str(value))
        found[paid] = found.get(paid, Fraction(0)) + Fraction(above - first, 2**bits)
        above = first
    return found


# ---- returns of bets: a game, its bet, and the law for each kind of draws ----

KINDS = ("ideal", "as_drawn")
CASES: list[tuple[str, pf.Game, dict[str, Any], Callable[[str], Law], tuple[str, ...]]] = []


def case(game: pf.Game, bet: dict[str, Any], law: Callable[[str], Law], *kinds: str) -> None:
    names = ", ".join(name for name in bet)
    CASES.append((f"{game!r:.40} {names}", game, bet, law, kinds or KINDS))


def either(drawn: Draw) -> Callable[[str], Draw]:
    return lambda kind: uniform if kind == "ideal" else drawn


def paying(draw: Callable[[str], Draw], n: int, paid: dict[int, float], kind: str) -> Law:
    return of(draw(kind)(n), lambda answer: Fraction(str(paid.get(answer, 0))))


THIRTY_TWO, BYTES, EVEN = either(scaled), either(bytewise), either(uniform)
PAYS = [14, *[2] * 7, *[0] * 7]
PAID: list[tuple[pf.Game, dict[str, Any], Callable[[str], Draw], int, Any]] = [
    (stake.Dice(), {"payout": 1.98, "under": 50}, THIRTY_TWO, 10_001, range(5000)),
    (stake.Dice(), {"payout": 4.05, "over": 75.5}, THIRTY_TWO, 10_001, range(7551, 10_001)),
    (primedice.Dice(), {"payout": 1.98, "under": 50}, THIRTY_TWO, 10_001, range(5000)),
    (primedice.Dice(), {"payout": 4.05, "over": 75.5}, THIRTY_TWO, 10_001, range(7551, 10_001)),
    (pf.Dice(), {"payout": 1.98, "under": 50}, BYTES, 10_001, range(5000)),
    (duel.Dice(), {"payout": 3.3, "under": 3000}, EVEN, 10_001, range(3000)),
    (liqd.Dice(), {"payout": 1.1, "over": 10.1}, EVEN, 10_000, range(1011, 10_000)),
    (pf.Double(), {"payout": {0: 14, 1: 0.1}}, BYTES, 15, {0: 14, 1: 0.1}),
    (blaze.Double(), {"payout": PAYS}, either(doubles), 15, dict(enumerate(PAYS))),
    (csgodouble.Double(), {"payout": PAYS}, either(modulo), 15, dict(enumerate(PAYS))),
    (pf.X50(), {"payout": {0: 50, 3: 0.7}}, BYTES, 54, {0: 50, 3: 0.7}),
    (pf.Slot(), {"payout": {7: 40.5}, "reel": 4}, BYTES, 41, {7: 40.5}),
    (pf.Jackpot(tickets=1000), {"payout": 9.9, "share": (1, 100)}, BYTES, 1000, range(100)),
    (stake.Roulette(), {"payout": 36, "sectors": [7]}, THIRTY_TWO, 37, [7]),
    (betkyo.Roulette(), {"payout": 36, "sectors": [7]}, either(rounded), 37, [7]),
    (stake.Wheel(50), {"payout": 9.7, "sectors": [1, 9, 20]}, THIRTY_TWO, 50, [1, 9, 20]),
    (duel.Roulette(), {"payout": 2.9, "sectors": range(16)}, either(modulo), 48, range(16)),
    (bcgame.CoinFlip(), {"payout": {1: 1.98}}, EVEN, 2, {1: 1.98}),
    (bcgame.Hilo(), {"payout": {12: 51.3}}, THIRTY_TWO, 52, {12: 51.3}),
]
for game, asked, draw, n, answers in PAID:
    paid = answers if isinstance(answers, dict) else dict.fromkeys(answers, asked["payout"])
    case(game, asked, functools.partial(paying, draw, n, paid))
tickets = either(functools.partial(modulo, bits=60))
case(
    skinclub.Ticket(),
    {"payout": {5: 9e4, 99_999: 0.1}},
    functools.partial(paying, tickets, 100_000, {4: 9e4, 99_998: 0.1}),
)
case(primedice.OldDice(), {"payout": 1.1, "over": 10.1}, lambda k: won(Fraction(8989, 10_000), 1.1))
half = {"payout": 1.9, "share": (1, 2**52)}
case(pf.Jackpot(tickets=2**53), half, lambda k: won(Fraction(1, 2), 1.9), "ideal")


def cents(value: float) -> float:
    return math.floor(value * 100) / 100


def steps(n: int, rule: Callable[[int], float], target: float) -> Callable[[str], Law]:
    """The law of reaching a target under a rule of one of n answers, scaled from 32 bits."""

    def law(kind: str) -> Law:
        if kind == "ideal":
            return won(reaching(rule, n, target), target)
        return won(reaching(lambda word: rule(math.floor(word / 2**32 * n)), 2**32, target), target)

    return law


def coefficients(name: str, target: float) -> Callable[[str], Law]:
    """Crash and Overgo: the law of reaching a target, from the words of a million answers."""
    least = round(target * 100)

    def law(kind: str) -> Law:
        many = sum(cent >= least for cent in rules.all_coefficients_in_cents(name))
        if kind == "ideal":
            return won(Fraction(many, 10**6), target)

        word = first_word(2**64, lambda word: rules.below(rules.number(word), 10**6) >= many)
        return won(Fraction(word, 2**64), target)

    return law


for target in (1.01, 2, 33.33, 12_345.67):
    case(pf.Crash(), {"cash_out": target}, coefficients("crash", target))
    case(pf.Overgo(), {"cash_out": target}, coefficients("overgo", target))
    for game, n, rule in (
        (stake.Limbo("2019"), 10**8, lambda i: cents(1e8 / (i + 1) * 0.99)),
        (stake.Limbo("2026"), 2**24, lambda i: cents(2**24 / (i + 1) * 0.99)),
        (stake.Crash(), 2**32, lambda i: max(1, cents(2**32 / (i + 1) * 0.99))),
        (stake.Slide(), 2**32, lambda i: max(1, cents(2**32 / (i + 1) * 0.98))),
        (duel.Crash(), 2**32, lambda i: cents(2**32 / (i + 1) * 0.999)),
    ):
        case(game, {"cash_out": target}, steps(n, rule, target))
    case(
        stake.Drill(),
        {"cash_out": target, "drill": 1},
        steps(2**32, lambda i: 1 if i / 2**32 < 0.02 else cents(min(0.98 / (1 - i / 2**32), 2e6)), target),
    )
    for chain in (bustabit.V2(), bustabit.V3(), bustadice.Dice()):

        def bust(kind: str, target: float = target) -> Law:
            bits = 53 if kind == "ideal" else 52
            return won(
                reaching(lambda word: max(1, math.floor(99 / (1 - word / 2**bits)) / 100), 2**bits, target),
                target,
            )

        case(chain, {"cash_out": target}, bust)

    def first_chain(kind: str, target: float = target, divisor: int = 101) -> Law:
        busts = reaching(lambda x: math.floor((100 * 2.0**52 - x) / (2.0**52 - x)) / 100, 2**52, target)
        first = (2**52 - busts * 2**52) * 2**204
        divided = (2**256 - 1) // divisor - (first - 1) // divisor
        return won(1 - Fraction(first + divided, 2**256), target)

    for game, divisor in (
        (bustabit.V1(), 101),
        (ethercrash.Crash(), 101),
        (roobet.Crash(), 33),
        (blaze.Crash(), 15),
        *((families.Divisible(divisor, 1.0), divisor) for divisor in (2, 20, 64, 199)),
    ):
        case(game, {"cash_out": target}, functools.partial(first_chain, divisor=divisor))

    def raw(kind: str, target: float = target, edge: str = "0.01", digits: int | None = None) -> Law:
        bits, paid = 53 if kind == "ideal" else 52, float(100 * (1 - Fraction(edge)))

        def value(word: int) -> float:
            kept = word / 2**bits if digits is None else to_precision(Fraction(word, 2**bits), digits)
            return math.inf if kept == 1 else max(1, math.floor(paid / (1 - kept)) / 100)

        return won(reaching(value, 2**bits, target), target)

    case(bcgame.Crash(), {"cash_out": target}, functools.partial(raw, digits=9))
    case(families.Raw(), {"cash_out": target}, raw)
    case(families.Raw("0.03", 4), {"cash_out": target}, functools.partial(raw, edge="0.03", digits=4))

    def capped(kind: str, target: float = target) -> Law:
        chance = reaching(lambda word: min(max(cents(0.99 / (1 - word / 2**53)), 1), 10**4), 2**53, target)
        return won(chance if target <= 10**4 else Fraction(0), target)

    case(betkyo.Limbo(), {"cash_out": target}, capped, "ideal")


@functools.cache
def nearest(words: int) -> Law:
    """Freebitco.in's roll of a word: the nearest integer, ties going up."""

    def first(roll: int) -> int:
        return first_word(
            words, lambda word: Fraction(word / words * 2**32 / 429496.7295) + Fraction(1, 2) >= roll
        )

    begins = [first(roll) for roll in range(10_001)] + [words]
    return {roll: Fraction(begins[roll + 1] - begins[roll], words) for roll in range(10_001)}


for over in (4750, 9999):
    case(
        freebitcoin.Dice(),
        {"payout": 2, "over": over},
        lambda k, over=over: of(nearest(2**32), lambda roll: Fraction(2 * (roll > over))),
    )

ROW = [110, 41.5, 10.1, 5, 3, 1.51, 1, 0.51, 0.3]
for plinko, draw in ((pf.Plinko(pins=8), BYTES), (stake.Plinko(8), THIRTY_TWO), (duel.Plinko(8), EVEN)):

    def fallen(kind: str, draw: Any = draw) -> Law:
        return together([draw(kind)(2)] * 8, lambda path: Fraction(str(ROW[sum(path)])))

    case(plinko, {"payout": ROW}, fallen)
for mines, draw in (
    (pf.Mines(mines=2), BYTES),
    (stake.Mines(2), THIRTY_TWO),
    (duel.Mines(2), EVEN),
    (liqd.Mines(2), EVEN),
):

    def survived(kind: str, draw: Any = draw) -> Law:
        return removed(draw(kind), 25, 2, lambda taken: Fraction("1.13") * (min(taken) >= 3))

    case(mines, {"payout": 1.13, "reveals": 3}, survived)
for sample, n, k in ((stake.Keno(), 40, 10), (duel.Beef(10), 20, 10)):
    case(
        sample,
        {"payout": [0.1, 0.7, 1.4, 3.3], "hits": {1, 2, 3}},
        lambda _, n=n, k=k: of(hits(n, k, 3), lambda hit: Fraction(str([0.1, 0.7, 1.4, 3.3][hit]))),
        "ideal",
    )
for tower, sizes, safe, draw in (
    (pf.Tower(mines=2), (5, 2), False, BYTES),
    (stake.DragonTower(tiles=4, eggs=3), (4, 3), True, THIRTY_TWO),
    (stake.Moles(2), (7, 2), False, THIRTY_TWO),
):

    def climbed(kind: str, sizes: Any = sizes, safe: bool = safe, draw: Any = draw) -> Law:
        met = removed(draw(kind), *sizes, lambda taken: (1 in taken) == safe)
        return won(met[True] ** 3, 3.3)

    case(tower, {"payout": 3.3, "positions": 1, "rows": 3}, climbed)


def five(outcomes: np.ndarray) -> np.ndarray:
    return np.where((outcomes == outcomes[:, :1]).all(axis=1), 7.7, 0.1)


def alike(answers: tuple[int, ...]) -> Fraction:
    return Fraction("7.7") if len(set(answers)) == 1 else Fraction("0.1")


case(stake.RockPaperScissors(5), {"of": five}, lambda k: together([THIRTY_TWO(k)(3)] * 5, alike))
case(stake.Flip(6), {"of": five}, lambda k: together([THIRTY_TWO(k)(2)] * 6, alike))
case(betkyo.SicBo(), {"of": five}, lambda k: together([either(rounded)(k)(6)] * 3, alike))
case(betkyo.Koban(6), {"of": five}, lambda k: together([either(rounded)(k)(2)] * 6, alike))
case(stake.Diamonds(5), {"of": five}, lambda k: together([THIRTY_TWO(k)(7)] * 5, alike))
case(stake.Hilo(2), {"of": five}, lambda k: together([THIRTY_TWO(k)(52)] * 2, alike))
case(stake.Blackjack(2), {"of": five}, lambda k: together([THIRTY_TWO(k)(52)] * 2, alike))
ZOO = [0, 1, 2, 2, 3, 3, 4, 4, 4, 4] + [5] * 10
case(
    stake.Zoo(),
    {"of": five},
    lambda k: together([of((uniform if k == "ideal" else modulo)(20), ZOO.__getitem__)] * 3, alike),
)


def bits_of(kind: str) -> int:
    return 53 if kind == "ideal" else 32


def shared(rows: list[list[float]], tiles: int) -> list[list[float]]:
    return [[least, math.floor(Fraction(str(value)) * 100 / tiles) / 100] for least, value in rows]


for level in LEVELS:
    case(stake.Cases(level), {}, lambda k, level=level: by_table(TABLES["cases"][level], bits_of(k)))
    case(
        stake.Tarot(level),
        {},
        lambda k, level=level: together(
            [by_table(TABLES["tarot"][one][level], bits_of(k)) for one in ("minor", "major", "minor")],
            math.prod,
        ),
    )
    for tiles in (1, 3, 7, 12, 30):
        bars = shared(TABLES["bars"][level], tiles)
        case(
            stake.Bars(level, tiles),
            {},
            lambda k, bars=bars, tiles=tiles: ("sum", by_table(bars, bits_of(k)), tiles),
        )
    for path, places in ((stake.Chicken(level), 20), (stake.Pump(level), 25)):
        ends = {"easy": 1, "medium": 3, "hard": 5, "expert": 10}[level]
        passed = TABLES[path.name.removeprefix("stake.")][level]

        def reached(kind: str, places: int = places, ends: int = ends, passed: Any = passed) -> Law:
            chance = Fraction(1)
            for gone in range(ends):  # each losing tile is drawn from beyond the first four places
                chance *= sum(c for a, c in THIRTY_TWO(kind)(places - gone).items() if a >= 4)
            return won(chance, passed[4])

        case(path, {"cash_out": passed[4]}, reached)
case(stake.Packs(), {}, lambda k: ("sum", by_table(TABLES["packs"], bits_of(k)), 5))
MASTER = {2: 17.64, 12: 17.64}
HARD = {2: 7.5, 3: 3, 4: 1.38, 10: 1.38, 11: 3, 12: 7.5}
for (level, pays), rolls in itertools.product({"master": MASTER, "hard": HARD}.items(), (1, 2, 5)):

    def moved(kind: str, pays: Any = pays, rolls: int = rolls) -> Law:
        one = together([THIRTY_TWO(kind)(6)] * 2, lambda dice: Fraction(str(pays.get(sum(dice) + 2, 0))))
        return together([one] * rolls, math.prod)

    case(stake.Snakes(), {"level": level, "rolls": rolls}, moved)


def moments(law: Law) -> tuple[Fraction, Fraction]:
    assert sum(law.values()) == 1
    mean = sum(value * chance for value, chance in law.items())
    return mean, sum(value**2 * chance for value, chance in law.items()) - mean**2


@pytest.mark.one_case_in(19)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", range(len(CASES)), ids=[name for name, *_ in CASES])
def test_what_a_bet_returns_is_the_sum(place: int, kind: str) -> None:
    _, game, asked, law, kinds = CASES[place]
    if kind not in kinds:
        pytest.skip("isn't listed")
    expected: Any = law(kind)
    if isinstance(expected, tuple):  # copies of one law are added
        _, one, copies = expected
        mean, variance = (copies * moment for moment in moments(one))
    else:
        mean, variance = moments(expected)
    bet = game.bet(law=kind, **asked)
    assert bet.exact_rtp == mean
    assert bet.exact_house_edge == 1 - mean
    assert bet.law.mean(exact=True) == mean
    assert bet.law.var(exact=True) == variance
    assert bet.rtp == float(mean)
    if isinstance(expected, dict):
        found = {Fraction(str(value)): chance for value, chance in bet.law if chance}
        assert found == {value: chance for value, chance in expected.items() if chance}
        value = max(expected)
        assert bet.law.probability_between(value, value, exact=True) == expected[value]


def test_the_mean_of_a_total_of_many_values_is_exact() -> None:
    """There are too many for exact weights."""
    mean, _ = moments(by_table(shared(TABLES["bars"]["hard"], 12), bits_of("ideal")))
    assert stake.Bars("hard", 12).bet(law="ideal").exact_rtp == 12 * mean


# ---- laws of outcomes ----


@pytest.mark.parametrize(
    ("game", "steps"), [(stake.Limbo("2019"), 10**8), (stake.Limbo("2026"), 2**24)], ids=repr
)
def test_whole_laws_are_those_of_every_word(game: stake.Limbo, steps: int) -> None:
    def rule(word: int) -> float:
        return cents(steps / (math.floor(word / 2**32 * steps) + 1) * 0.99)

    law = game.distribution("as_drawn")
    assert law.total == 2**32
    assert (law.outcomes[0], law.outcomes[-1]) == (0.99, cents(steps * 0.99))
    reached = [*law.outcomes.tolist(), math.inf]
    for place in [0, 1, 2, len(law) // 2, len(law) - 2, len(law) - 1]:
        least, above = (reaching(rule, 2**32, value) for value in reached[place : place + 2])
        assert Fraction(law.weights[place], law.total) == least - above


@pytest.mark.parametrize(
    ("game", "sizes"),
    [
        (stake.RockPaperScissors(), [3] * 20),
        (stake.Flip(), [2] * 20),
        (stake.Diamonds(), [7] * 5),
        (stake.Slots(), [30, 30, 30, 30, 41]),
        (stake.Hilo(), [52] * 20),
        (stake.Blackjack(3), [52] * 3),
        (stake.Baccarat(), [52] * 6),
        (stake.Plinko(8), [2] * 8),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_laws_of_one_value_among_many(game: pf.Game, sizes: list[int]) -> None:
    assert len(looks_of(game)) == len(sizes)
    for look, n in zip(looks_of(game), sizes, strict=True):
        ideal, drawn = (game.distribution(law, **look.subject) for law in ("ideal", "as_drawn"))
        assert ideal.outcomes.tolist() == drawn.outcomes.tolist() == list(range(n))
        assert set(ideal.weights) == {1}
        assert drawn.weights[n - 1] == scaled(n)[n - 1] * drawn.total
    values = game.observe(game.simulate(10), **looks_of(game)[-1].subject)
    assert values.tolist() == game.simulate(10)[:, -1].tolist()


def test_laws_of_rows() -> None:
    tower = stake.DragonTower(tiles=4, eggs=3)
    assert len(looks_of(tower)) == 27
    for look in looks_of(tower)[::7]:
        assert set(tower.distribution(**look.subject).weights) == {6}
    moles = stake.Moles(2)
    law = moles.distribution("as_drawn", **looks_of(moles)[3].subject)
    assert law.outcomes.tolist() == list(range(7))
    assert law.total == 2**64
    chance = sum(scaled(7)[other] for other in range(1, 7)) * scaled(6)[0]
    assert moles.distribution("as_drawn", **looks_of(moles)[1].subject).weights[0] == chance * 2**64


def test_cards_of_packs_are_those_of_the_table() -> None:
    law = stake.Packs().distribution("as_drawn", **looks_of(stake.Packs())[2].subject)
    by_card = by_table([[least, card] for least, card, _ in TABLES["packs"]], 32)
    assert {Fraction(str(card)): chance for card, chance in law} == by_card


def test_every_operator_is_there() -> None:
    games = {type(game) for _, game, *_ in CASES}
    assert set(pf.operators.salted.GAMES.values()) <= games
    modules = {kind.__module__.split(".")[2] for kind in games}
    missing = set(pf.operators.__all__) - modules - {"salted", "crypto_games", "fpclub"}
    assert not missing


def test_what_is_worked_out_in_floating_point_is_refused() -> None:
    game = crypto_games.Blackjack()
    for bet in (game.bet(), game.with_table(pf.cards.Blackjack(soft_17="hit")).bet()):
        assert 0.98 < bet.rtp < 1.01
        with pytest.raises(ValueError, match=r"^the exact mean isn't known: .*; as a float, the mean is"):
            _ = bet.exact_rtp


def test_instant_busts_of_every_divisor() -> None:
    """All 2**256 digests: multiples of the divisor, and for 1.00 also the others that give it."""
    bits, all_digests = 52, 1 << 256
    # The smallest first 52 bits that give more than 1.00.
    first = next(
        x
        for x in range((1 << bits) // 100 - 3, (1 << bits) // 100 + 4)
        if math.floor(((100 << bits) - x) / ((1 << bits) - x)) > 100
    )
    least = first << 256 - bits
    for divisor in range(2, 201):
        multiples = -(-all_digests // divisor)
        law = families.Divisible(divisor, 0.0).distribution(of=lambda busts: busts == 0)
        assert Fraction(law.weights[1], law.total) == Fraction(multiples, all_digests)
        ordinary = least - -(-least // divisor)  # digests below it that aren't multiples
        law = families.Divisible(divisor, 1.0).distribution(of=lambda busts: busts == 1)
        assert Fraction(law.weights[1], law.total) == Fraction(multiples + ordinary, all_digests)


# ---- baccarat ----


def baccarat(cards: list[int]) -> tuple[str, int]:
    """The winner and the number of cards dealt, from the values of cards: two each, then the third ones."""
    player, banker, thirds = sum(cards[:2]) % 10, sum(cards[2:4]) % 10, iter(cards[4:])
    dealt = 4
    if player < 8 and banker < 8:
        third = None
        if player < 6:
            third = next(thirds)
            player, dealt = (player + third) % 10, dealt + 1
        if third is None:
            draws = banker < 6
        else:
            draws = banker < 3 or {
                3: third != 8,
                4: 2 <= third <= 7,
                5: 4 <= third <= 7,
                6: third in (6, 7),
            }.get(banker, False)
        if draws:
            banker, dealt = (banker + next(thirds)) % 10, dealt + 1
    return ("player", "banker", "tie")[0 if player > banker else 1 if banker > player else 2], dealt


COUNTS = {number: [2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0, 1][number // 4] for number in range(52)}


@pytest.mark.parametrize("which", ["ideal", "as_drawn"])
def test_the_winner_at_baccarat(which: str) -> None:
    counts: Law = Counter()
    for number, weight in (uniform(52) if which == "ideal" else scaled(52)).items():
        counts[COUNTS[number]] += weight
    totals: Law = Counter()
    for (one, p), (two, q) in itertools.product(counts.items(), repeat=2):
        totals[(one + two) % 10] += p * q
    expected: Law = Counter()
    for (a, p), (b, q), (c, r), (d, s) in itertools.product(*[totals.items()] * 2, *[counts.items()] * 2):
        expected[baccarat([a, 0, b, 0, c, d])[0]] += p * q * r * s
    assert dict(stake.Baccarat().distribution(which, of="winner")) == expected


def test_whose_the_cards_of_published_baccarat_are() -> None:
    """The number of cards dealt follows the rules only if the first two are the player's."""
    published = [[37, 24, 3, 4], [49, 37, 6, 40, 26], [3, 47, 22, 14, 25, 22], [29, 42, 35, 15]]
    for cards in published:
        assert baccarat([COUNTS[card] for card in [*cards, 0, 0]])[1] == len(cards)
    game = stake.Baccarat()
    cards = game.simulate(300, seed="baccarat")
    winners = [baccarat([COUNTS[card] for card in row])[0] for row in cards.tolist()]
    assert game.observe(cards, of="winner").tolist() == winners
    with pytest.raises(ValueError, match="of must be"):
        game.distribution(of="loser")


@pytest.mark.parametrize(
    ("game", "asked"),
    [
        (betkyo.Roulette(), {"payout": {17: 36}}),
        (betkyo.SicBo(), {"payout": {4: 61, 17: 61}, "of": lambda dice: dice.sum(axis=1)}),
        (betkyo.Koban(3), {"payout": {0: 7.5}, "of": lambda flips: flips.sum(axis=1)}),
        (stake.Roulette(), {"payout": {17: 36}}),
        (blaze.Double(), {"payout": {0: 14}}),
    ],
)
def test_the_error_of_an_ideal_law_bounds_what_is_drawn(game, asked):
    """The numbers of Betkyo's games are made of uniform words, and rounded."""
    ideal, drawn = (game.bet(**asked, law=law) for law in ("ideal", "as_drawn"))
    apart = abs(ideal.exact_rtp - drawn.exact_rtp)
    assert 0 < apart < ideal.law_error * (1 + 2**-50)
    assert drawn.law_error == 0
    distance = outcome_distance(game)
    assert apart <= distance * Fraction(float(ideal.law.outcomes[-1]))


def test_the_error_of_an_ideal_limbo_bounds_each_chance():
    """The share of 8 bytes that reach a multiplier, by bisection, beside that of the doubles of 53 bits."""
    game = betkyo.Limbo()

    def hundredths(number):
        return min(max(math.floor(0.99 / (1 - number) * 100) if number < 1 else 10**6, 100), 10**6)

    for reached in (101, 150, 200, 12_345, 999_999, 10**6):

        def share(bits, least=reached):
            first = first_word(1 << bits, lambda word: hundredths(word / 2**bits) >= least)
            return 1 - Fraction(first, 1 << bits)

        shares = [share(53), share(64)]
        bet = game.bet(cash_out=reached / 100, law="ideal")
        apart = abs(shares[0] - shares[1]) * Fraction(reached, 100)
        assert apart <= Fraction(bet.law_error) < 10**-3
        assert abs(shares[0] - shares[1]) <= Fraction(1, 2**52)
        assert bet.exact_rtp == shares[0] * Fraction(reached, 100)
