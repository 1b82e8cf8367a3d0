"""The bound on the error of an ideal law, beside exact laws of all words, for payouts that go up and down."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from own_games import game_of
from provably_fair.certification.scaling import scaled
from provably_fair.games.fairness import looks_of
from provably_fair.games.laws import outcome_distance
from provably_fair.operators import crypto_games, freebitcoin, stake
from provably_fair.operators.stake.tables import LEVELS

BITS = 8
SCHEME = pf.Scheme(pf.Hash("sha256", "{server_seed}:{client_seed}:{nonce}"), bits=BITS)
# In turn just above and just below a word, so that errors of payouts that go up and down add up.
THRESHOLDS = tuple(
    (word + 0.01 * (-1) ** place) / 256 for place, word in enumerate((24, 30, 81, 130, 199, 240))
)
STEP = Fraction(1, 2**BITS)


def valued(numbers):
    return np.searchsorted(THRESHOLDS, numbers, side="right")


class Steps(pf.Game):
    """The index of the step that a number is on."""

    shape = ()
    monotone = True

    def outcome(self, draws):
        return valued(draws.number())


class ManySteps(pf.games.kinds.PartsGame):
    """The same for three numbers, the second of which falls."""

    def outcome(self, draws):
        first, second, third = (valued(draws.number()) for _ in range(3))
        return np.stack([first, 6 - second, third], axis=-1)


def chances(values, words):
    """Return the probability of each value by the number of words below each threshold."""
    begins = [0, *(math.ceil(Fraction(threshold) * words) for threshold in THRESHOLDS), words]
    return dict(zip(values, (Fraction(b - a, words) for a, b in itertools.pairwise(begins)), strict=True))


def mean(paid, words, parts=(range(7),)):
    """Return the mean of what is paid, by all combinations of values."""
    laws = [chances(values, words) for values in parts]
    return sum(
        math.prod(p for _, p in chosen) * paid(*(value for value, _ in chosen))
        for chosen in itertools.product(*(law.items() for law in laws))
    )


PARTS = (range(7), range(6, -1, -1), range(7))
TABLES = [[random.Random(seed).choice([0, 1, 2, 7]) for _ in range(19)] for seed in range(30)]
TABLES += [[place % 2 for place in range(19)], [1, 0, 0, 0, 0, 0, *13 * [1]]]


def apart(paid, parts):
    return abs(mean(paid, 2**53, parts) - mean(paid, 2**BITS, parts))


def test_a_payout_of_a_number_may_go_up_and_down():
    game = Steps().with_scheme(SCHEME)
    beyond = 0
    for table in TABLES:
        bet = game.bet(table[:7], law="ideal")
        error = apart(lambda value, table=table: table[value], (range(7),))
        assert bet.exact_rtp == mean(lambda value, table=table: table[value], 2**53)
        varied = sum(abs(b - a) for a, b in itertools.pairwise(table[:7]))
        assert error <= Fraction(bet.law_error) == varied * STEP
        beyond += error > (max(table[:7]) - min(table[:7])) * STEP
    assert beyond


@pytest.mark.parametrize("table", [[0, 0, 1, 2, 2, 9, 12], [7, 5, 5, 1, 0, 0, 0], 7 * [3]])
def test_a_payout_that_rises_or_falls_varies_by_its_range(table):
    game = Steps().with_scheme(SCHEME)
    bet = game.bet(table, law="ideal")
    assert apart(lambda value: table[value], (range(7),)) <= bet.law_error == (max(table) - min(table)) * STEP
    assert game.bet(table, law="as_drawn").law_error == 0


@pytest.mark.parametrize("table", TABLES[-6:])
def test_payouts_of_several_numbers_may_go_up_and_down(table):
    game = ManySteps().with_scheme(SCHEME)
    subjects = {
        lambda parts: parts.sum(axis=1): lambda a, b, c: table[a + b + c],
        lambda parts: parts[:, 0] * parts[:, 1] % 5: lambda a, b, _: table[a * b % 5],
        lambda parts: parts[:, 1]: lambda _, b, __: table[b],
    }
    for of, paid in subjects.items():
        values = game.distribution(of=of).outcomes.tolist()
        bet = game.bet({value: table[value] for value in values}, of=of, law="ideal")
        assert bet.exact_rtp == mean(paid, 2**53, PARTS)
        error = apart(paid, PARTS)
        assert error <= Fraction(bet.law_error)
        cube = [[[paid(a, b, c) for c in range(7)] for b in range(7)] for a in range(7)]
        most = max(np.abs(np.diff(cube, axis=axis)).sum(axis=axis).max() for axis in range(3))
        assert bet.law_error == 3 * most * STEP


@pytest.mark.parametrize("level", LEVELS)
def test_errors_of_tables_by_32_bits(level):
    """Payouts of Stake's cases in turn differed by more than the range times 2**-32."""
    game = stake.Cases(level=level)
    outcomes = game.distribution().outcomes.tolist()
    payout = {outcome: place % 2 for place, outcome in enumerate(outcomes)}
    ideal, drawn = (game.bet(payout, law=law) for law in ("ideal", "as_drawn"))
    error = abs(ideal.exact_rtp - drawn.exact_rtp)
    assert level != "easy" or error > Fraction(1, 2**32)
    assert error <= Fraction(ideal.law_error) == (len(outcomes) - 1) * Fraction(1, 2**32)
    usual = game.bet(law="ideal")
    assert usual.law_error == pytest.approx((outcomes[-1] - outcomes[0]) * 2**-32, rel=1e-15)


@pytest.mark.parametrize("game", [stake.Tarot(), stake.Bars(tiles=3), stake.Packs()], ids=repr)
def test_errors_of_several_tables(game):
    ideal, drawn = (game.bet(law=law) for law in ("ideal", "as_drawn"))
    outcomes = ideal.law.outcomes
    error = abs(ideal.exact_rtp - drawn.exact_rtp)
    numbers = game.shape[0]
    assert error <= Fraction(ideal.law_error)
    assert ideal.law_error == pytest.approx(numbers * float(outcomes[-1] - outcomes[0]) * 2**-32, rel=1e-15)


@pytest.mark.parametrize("level", LEVELS)
def test_errors_of_totals_that_pay_up_and_down(level):
    game = stake.Bars(level=level, tiles=2)
    totals = game.bet(law="ideal").sampler.values.outcomes.tolist()
    payout = [place % 2 for place in range(len(totals))]
    ideal, drawn = (game.bet(payout, law=law) for law in ("ideal", "as_drawn"))
    error = abs(ideal.exact_rtp - drawn.exact_rtp)
    assert 0 < error <= Fraction(ideal.law_error)
    assert ideal.law_error > 30 * 2.0**-32


def test_a_part_may_add_up_and_down():
    """Of three numbers, the middle values add most to the total, which is paid to the power of 2."""
    worth = np.array([0, 3, 1, 4, 2, 5, 0])
    game = ManySteps().with_scheme(SCHEME)
    total = pf.games.looks.Total(worth.__getitem__)
    values = game.distribution(of=total).outcomes
    bet = game.bet({value: value**2 for value in values.tolist()}, of=total, law="ideal")

    def paid(a, b, c):
        return int(worth[[a, b, c]].sum()) ** 2

    assert bet.exact_rtp == mean(paid, 2**53, PARTS)
    cube = [[[paid(a, b, c) for c in range(7)] for b in range(7)] for a in range(7)]
    most = max(np.abs(np.diff(cube, axis=axis)).sum(axis=axis).max() for axis in range(3))
    assert apart(paid, PARTS) <= Fraction(bet.law_error)
    assert 3 * most * STEP <= Fraction(bet.law_error) <= 3 * 6 * 15**2 * STEP


@pytest.mark.parametrize("answer", [0, 1])
def test_a_variation_that_is_unknown_in_some_rounds_is_no_bound(answer):
    class Sometimes(pf.Game):
        """A number is drawn after one of two answers; the law is the class's own."""

        shape = ()
        laws = (lambda *_: pf.Distribution([0, 1, 2], [1, 1, 2]),)
        vectorized = False

        def outcome(self, draws):
            return int(draws.number() * 2) if draws.below(2) == answer else 2

    bet = Sometimes().with_scheme(SCHEME).bet([0, 1, 0], law="ideal")
    assert math.isnan(bet.law_error)


# Draws that depend on answers, or on each other, and laws that are of others.


class Bonus(pf.Game):
    """A bonus that neither the least nor the largest answers lead to; one round at a time."""

    vectorized = False

    def outcome(self, draws):
        found = draws.below(4)
        return 4 + draws.below(100) if found == 1 else found


class RareBonus(pf.Game):
    """One that is too rare for rounds at random."""

    vectorized = False

    def outcome(self, draws):
        found = draws.below(20_011)
        return draws.below(3) if found == 7 else 3


class BonusOfMany(pf.Game):
    """The same of many rounds at once, whose second range depends on the first answer."""

    def outcome(self, draws):
        found = draws.below(20_011)
        return draws.below(np.where(found == 7, 3, 2)) + np.where(found < 10, 1, 0)


class DrawnWithOthers(pf.Game):
    """A bonus that is drawn where any of many rounds has it: two answers of a thousand values each."""

    def outcome(self, draws):
        first, second = draws.below(1024), draws.below(1024)
        found = (first == 777) & (second == 777)
        return np.where(found, 2 + draws.below(3), first % 2) if found.any() else first % 2


class Rerolls(pf.Game):
    """A number of draws that depends on answers."""

    vectorized = False

    def outcome(self, draws):
        found = draws.below(6)
        for _ in range(3):
            if found in (0, 5):
                break
            found = draws.below(6)
        return found


class Walk(pf.Game):
    """Ranges in an order that depends on answers."""

    vectorized = False

    def outcome(self, draws):
        return draws.below(3) + draws.below(5) if draws.below(3) == 1 else draws.below(5) + draws.below(3)


class Uncounted(pf.Game):
    """Too many answers to try them, one round at a time; a law of the game's own."""

    shape = ()
    laws = (lambda *_: pf.Distribution([0, 1], [1, 1]),)
    vectorized = False

    def outcome(self, draws):
        return sum(draws.below(1000) for _ in range(9)) % 2


@pytest.mark.parametrize("game", [Bonus, RareBonus, BonusOfMany, DrawnWithOthers, Rerolls, Walk, Uncounted])
def test_no_bound_where_draws_may_depend_on_answers(game):
    game = game().with_scheme(SCHEME)
    values = game.distribution().outcomes.tolist()
    bet = game.bet(values, law="ideal")
    assert math.isnan(bet.law_error)
    assert "within" not in str(bet)
    with pytest.raises(pf.games.UnlistedLawError, match="depend"):
        outcome_distance(game)


@pytest.mark.parametrize("vectorized", [True, False])
def test_a_bound_where_they_are_fixed(vectorized):
    class Fixed(pf.Game):
        """The bonus is drawn whether it is paid or not."""

        def outcome(self, draws):
            found, extra = draws.below(4), draws.below(100)
            return extra + 4 if vectorized is False and found == 1 else np.where(found == 1, 4 + extra, found)

    Fixed.vectorized = vectorized
    game = Fixed().with_scheme(SCHEME)
    values = game.distribution().outcomes.tolist()
    ideal, drawn = (game.bet(values, law=law) for law in ("ideal", "as_drawn"))
    assert 0 < abs(ideal.exact_rtp - drawn.exact_rtp) <= Fraction(ideal.law_error) < 103


def off(n, bits=BITS):
    """The distance of ``floor(word * n / 2**bits)`` from uniform."""
    counts = [-(-(answer + 1) * 2**bits // n) - -(-answer * 2**bits // n) for answer in range(n)]
    return sum(abs(Fraction(count, 2**bits) - Fraction(1, n)) for count in counts) / 2


@pytest.mark.parametrize("n", [3, 7, 100])
def test_a_bound_that_is_reached_is_rounded_up(n):
    game = game_of(lambda draws: draws.below(n), scheme=SCHEME)
    drawn, ideal = game.distribution("as_drawn"), Fraction(1, n)
    # What is more probable than it should be is paid, nothing else.
    paid = [int(share > ideal) for _, share in drawn]
    bets = [game.bet(paid, law=law) for law in ("ideal", "as_drawn")]
    error = bets[1].exact_rtp - bets[0].exact_rtp
    assert error == off(n) <= Fraction(bets[0].law_error) < error * (1 + Fraction(1, 2**50))


def distinct_chances(counts, k):
    """The chances of the first k different answers, of words drawn until they differ."""
    total, found = sum(counts), {}
    for order in itertools.permutations(range(len(counts)), k):
        chance = Fraction(1)
        for place, answer in enumerate(order):
            chance *= Fraction(counts[answer], total - sum(counts[one] for one in order[:place]))
        found[order] = chance
    return found


@pytest.mark.parametrize(("n", "k"), [(3, 2), (5, 3), (7, 4), (6, 6), (7, 7)])
def test_values_drawn_until_they_differ(n, k):
    game = game_of(lambda draws: draws.distinct(n, k))
    scheme = pf.Scheme(pf.Hash("sha256", "{server_seed}:{nonce}:{cursor}"), bits=4)
    counts = np.bincount(np.arange(16) * n // 16, minlength=n).tolist()
    uniform = Fraction(1, math.perm(n, k))
    apart = sum(abs(chance - uniform) for chance in distinct_chances(counts, k).values()) / 2
    assert 0 < apart <= outcome_distance(game.with_scheme(scheme))
    even = replace(scheme, bits=8, below="reject")
    assert outcome_distance(game.with_scheme(even)) == 0
    one_digest = replace(even, hash=pf.Hash("sha256", "{server_seed}:{nonce}"))
    with pytest.raises(pf.games.UnlistedLawError, match="used up"):
        outcome_distance(game.with_scheme(one_digest))


@pytest.mark.parametrize("cards", [20, 45, 60, 64, 208])
def test_cards_that_are_missing_count(cards):
    """By the chances that 64 bytes are new cards of 208, one after the other."""
    game = crypto_games.Blackjack(cards=cards)
    chances = [Fraction(1)] + [Fraction(0)] * cards
    for _ in range(64):
        new = [Fraction(208 - dealt if dealt < cards else 0, 256) for dealt in range(cards + 1)]
        chances = [
            chance * (1 - new[dealt]) + (chances[dealt - 1] * new[dealt - 1] if dealt else 0)
            for dealt, chance in enumerate(chances)
        ]
    assert outcome_distance(game) == 1 - chances[-1] > 0


def test_cards_taken_out_of_the_pack_are_never_missing():
    one_digest = pf.Scheme(pf.Hash("sha256", "{server_seed}:{client_seed}:{nonce}"), bits=8, below="reject")
    game = stake.VideoPoker().with_scheme(one_digest)
    assert game.distribution("as_drawn", card=3).total_variation(game.distribution(card=3), exact=True) == 0
    assert outcome_distance(game) == 0


@pytest.mark.parametrize("below", ["digest", "double"])
def test_draws_of_the_same_digest_are_not_independent(below):
    scheme = pf.Scheme(
        pf.Hash("sha256", "{server_seed}:{client_seed}:{nonce}:{cursor}"), bits=32, below=below
    )
    game = game_of(lambda draws: 10 * draws.below(10) + draws.below(10), scheme=scheme)
    assert set(game.simulate(100) % 11) == {0}  # both are equal
    bet = game.bet(list(range(100)), law="ideal")
    assert math.isnan(bet.law_error)
    with pytest.raises(pf.games.UnlistedLawError, match="share a digest"):
        outcome_distance(game)
    for ask in (lambda: game.distribution("as_drawn"), lambda: game.bet(list(range(100)))):
        with pytest.raises(pf.games.UnlistedLawError, match="words=1"):
            ask()
    assert scaled(stake.Hilo(3).with_scheme(scheme)).distance is None
    own = game.with_scheme(replace(scheme, words=1))
    ideal, drawn = (own.bet(list(range(100)), law=law) for law in ("ideal", "as_drawn"))
    assert abs(ideal.exact_rtp - drawn.exact_rtp) <= Fraction(ideal.law_error)
    one = pf.Double().with_scheme(scheme).bet({0: 14}, law="ideal")
    assert not math.isnan(one.law_error)


@pytest.mark.parametrize(
    ("below", "more", "problem"),
    [
        ("digest", lambda draws: draws.below(4), "words=1"),  # which then is 3 again
        ("modulo", lambda draws: draws.distinct(6, 2)[1], "until values differ"),
    ],
)
def test_draws_after_some_answers_only_are_refused_as_drawn(below, more, problem):
    def rule(draws):
        first = draws.below(4)
        return 10 + more(draws) if first == 3 else first

    scheme = pf.Scheme(pf.Hash("sha256", "{server_seed}:{nonce}:{cursor}"), bits=32, below=below)
    game = game_of(rule, scheme=scheme, vectorized=False)
    with pytest.raises(pf.games.UnlistedLawError, match=problem):
        game.distribution("as_drawn")
    if below == "digest":
        with pytest.raises(pf.games.UnlistedLawError, match=problem):
            game.bet({13: 16})


def test_a_digest_that_may_be_used_up_is_far_from_the_ideal_law():
    four_words = pf.Scheme(pf.Hash("md5", "{server_seed}:{nonce}"), bits=32)
    game = game_of(lambda draws: draws.distinct(52, 4), scheme=four_words)
    asked = {"payout": 1, "of": lambda cards: (cards >= 0).all(axis=1) * 1}
    assert 0.85 < game.bet(**asked, law=None).simulate(1000).mean() < 0.92
    with pytest.raises(pf.games.UnlistedLawError, match="until values differ"):
        game.bet(**asked)
    on = pf.Scheme(pf.Hash("md5", "{server_seed}:{nonce}:{cursor}"), bits=32)
    assert game.with_scheme(on).bet(**asked).rtp == 1


SCHEMES = [
    pf.Scheme(pf.Hash("sha256", "{server_seed}:{client_seed}:{nonce}:{cursor}"), bits=bits, below=below)
    for bits, below in [(32, "scale"), (16, "modulo"), (20, "nearest"), (32, "multiply"), (16, "reject")]
]


@pytest.mark.parametrize("scheme", [freebitcoin.SCHEME, *SCHEMES], ids=lambda one: f"{one.bits} {one.below}")
def test_a_law_of_its_own_is_compared_with_what_is_drawn(scheme):
    """The ends of Freebitco.in's roll are half as probable, under whichever scheme: in steps of its words."""
    roll = freebitcoin.Dice()
    last, most = 10_000, 2**32 - 1
    # The first word of answer a is the least with word * 20000 >= (2 a - 1) * most, apart from rounding.
    ideal = roll.distribution()
    begins = [0, *(-(-(2 * answer - 1) * most // (2 * last)) for answer in range(1, last + 1)), 2**32]
    weights = [end - begin for begin, end in itertools.pairwise(begins)]
    assert max(abs(a - b) for a, b in zip(weights, ideal.weights, strict=True)) <= 1
    game = roll.with_scheme(scheme)
    drawn = game.distribution("as_drawn")
    apart = sum(abs(a - b) for (_, a), (_, b) in zip(ideal, drawn, strict=True))
    assert outcome_distance(game) == apart / 2
    # All that is drawn more often pays 1.
    paid = [int(b > a) for (_, a), (_, b) in zip(ideal, drawn, strict=True)]
    bets = [game.bet(paid, law=law) for law in ("ideal", "as_drawn")]
    assert bets[1].exact_rtp - bets[0].exact_rtp == apart / 2 <= Fraction(bets[0].law_error)


def test_a_law_that_nothing_is_said_of_bounds_nothing():
    class Claimed(pf.games.kinds.WheelGame):
        """A wheel of 3 whose class says that its sectors aren't equally probable."""

        sectors = 3
        laws = (lambda *_: pf.Distribution([0, 1, 2], [1, 1, 2]),)

        def outcome(self, draws):
            return draws.below(3)

    assert outcome_distance(Claimed().with_scheme(SCHEMES[-1])) == Fraction(1, 6)

    class Stated(Claimed):
        distance = Fraction(1, 2)

    assert outcome_distance(Stated().with_scheme(SCHEMES[-1])) == Fraction(1, 2)

    class Many(Claimed):
        laws = Claimed.laws

        def outcome(self, draws):
            return sum(draws.below(100) for _ in range(10)) % 3

    with pytest.raises(pf.games.UnlistedLawError, match="kind's own laws"):
        outcome_distance(Many())
    assert math.isnan(Many().bet([1, 0, 0], law="ideal").law_error)


def games_of_operators():
    from provably_fair.names import named_games
    from provably_fair.operators.registry import LISTED

    return [game for operator in LISTED for game in named_games(operator).values()]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "scheme", [None, *SCHEMES], ids=lambda one: "own" if one is None else f"{one.bits} {one.below}"
)
def test_bounds_of_all_games(scheme):
    """Beside exact laws: of features of their outcomes, and of bets on them with random payouts."""
    rng, compared, errors = random.Random(1), 0, (ValueError, TypeError)
    for own in games_of_operators():
        try:
            game = own if scheme is None else own.with_scheme(scheme)
            look = looks_of(game)[0]
            laws = [game.distribution(law, **look.subject) for law in ("ideal", "as_drawn")]
        except errors:  # a scheme that it can't be drawn by, or no law that can be listed
            continue
        apart = laws[0].total_variation(laws[1], exact=True)
        with contextlib.suppress(pf.games.UnlistedLawError):
            assert apart <= outcome_distance(game), game
        listed = laws[0].outcomes.tolist()
        if len(listed) < 300 and listed == laws[1].outcomes.tolist():
            table = {value: rng.choice([0, 1, 2, 7]) for value in listed}
            ideal, drawn = (game.bet(table, law=law, **look.subject) for law in ("ideal", "as_drawn"))
            error = abs(ideal.exact_rtp - drawn.exact_rtp)
            assert math.isnan(ideal.law_error) or error <= Fraction(ideal.law_error), game
            compared += 1
    assert compared > 20
