"""Games in Python: the ten written as classes, own games, and what is said of wrong definitions."""

import hashlib
import hmac
import inspect
import pickle
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import comb
from typing import ClassVar

import numpy as np
import provably_fair as pf
import pytest
from operators.test_salted_rules import Rule
from own_games import game_of
from provably_fair._core.counts import bincount
from provably_fair.games.program import Untraced

NONCES = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"), bits=32)
CHAIN = pf.Scheme(pf.Hash("sha256", "{game_hash}"), bits=52)


class Mines(pf.Game):
    mines: int = 3

    def outcome(self, draws):
        return draws.shuffle(25, self.mines)


class Dice(pf.Game):
    def outcome(self, draws):
        return draws.below(10001) / 100


class MonotoneRule(Rule):
    monotone = True


SINGLE = [pf.Dice(), pf.Double(), pf.X50(), pf.Jackpot(), pf.Crash(), pf.Overgo()]
SEVERAL = [
    pf.Mines(),
    pf.Mines(24),
    pf.Tower(),
    pf.Tower(4),
    pf.Slot(),
    pf.Slot(3),
    pf.Plinko(),
    pf.Plinko(9, 3),
]


@pytest.mark.parametrize("engine", [*SINGLE, *SEVERAL], ids=repr)
def test_a_game_in_python_is_the_engines(engine):
    own = Rule(engine)
    made = pf.games.rounds.simulated_rounds(engine, 0, "own").values()
    server, client = made["server_seed"], made["client_seed"]
    one = own.play(server, client, "a salt")
    assert np.array_equal(one, engine.play(server, client, "a salt"))
    walk = own.explain(server, client, "a salt")
    assert np.array_equal(walk.outcome, one)
    drawn = [
        number.result for step in engine.explain(server, client, "a salt").steps for number in step.numbers
    ]
    asked = [number.result for step in walk.steps for number in step.numbers]
    # A shuffle of the engine shows all its steps; a game in Python draws those that count.
    steps = {pf.Mines: 24, pf.Tower: 4}.get(type(engine), 1)
    taken = getattr(engine, "mines", 1)
    assert asked == [result for step, result in enumerate(drawn) if step % steps < taken]


@pytest.mark.parametrize("law", ["ideal", "as_drawn"])
@pytest.mark.parametrize("engine", SINGLE, ids=repr)
def test_laws_are_the_engines(engine, law):
    own = MonotoneRule(engine) if isinstance(engine, pf.Crash | pf.Overgo) else Rule(engine)
    assert [*own.distribution(law)] == [*engine.distribution(law)]


@pytest.mark.parametrize("law", ["ideal", "as_drawn"])
def test_laws_of_several_draws_are_the_engines(law):
    cells = [3, 7, 24]
    mines = Mines().distribution(law, of=pf.hits(cells))
    assert [*mines] == [*pf.Mines().distribution(law, cells=cells)]
    ball = Rule(pf.Plinko(8)).distribution(law, of=lambda outcomes: outcomes[:, 0])
    assert [*ball] == [*pf.Plinko(8).distribution(law)]

    row = game_of(lambda draws: draws.shuffle(5, 2)).distribution(law, of=pf.hits({4}))
    climbed = pf.Tower(2).distribution(law, positions=4, rows=1)
    assert row.probability_between(0, 0, exact=True) == climbed.probability_between(1, 1, exact=True)

    reel = game_of(lambda draws: (draws.skip(4), draws.below(41))[1]).distribution(law)
    assert reel.total_variation(pf.Slot().distribution(law, reel=4)) == 0


# ---- laws against trying every combination in plain Python ----


class Keno(pf.Game):
    picks: int = 10
    scheme = NONCES

    def outcome(self, draws):
        return draws.sample(40, self.picks)


def test_hits_of_a_sample_are_counted_not_tried():
    law = Keno().distribution(of=pf.hits(range(1, 11)))
    assert law.weights == tuple(comb(10, hit) * comb(30, 10 - hit) for hit in range(11))
    assert law.total == comb(40, 10)
    with pytest.raises(ValueError, match=r'3,075,990,524,006,400 combinations.*law="ideal" counts'):
        Keno().distribution("as_drawn", of=pf.hits({1}))


def test_what_is_nearly_a_sample_is_not_counted_as_one():
    class Special(pf.Game):
        def outcome(self, draws):
            taken = draws.sample(40, 10)
            return np.where(taken == 7, 99, taken)

    with pytest.raises(ValueError, match="Special has no law that can be listed"):
        Special().distribution(of=pf.hits({7}))

    class Pair(pf.games.kinds.BoardGame):
        """The cells 3 and 5 never hide a mine together; it writes into the sample, so it isn't recorded."""

        mines: int
        cells = 25

        def outcome(self, draws):
            taken = draws.sample(25, self.mines).copy()
            taken[np.isin(taken, [3, 5]).sum(axis=1) == 2] = np.arange(6, 6 + self.mines)
            return taken

    assert Pair(2).distribution(cells=[3, 5]).outcomes.tolist() == [0, 1]
    with pytest.raises(ValueError, match="Pair has no law that can be listed"):
        Pair(9).distribution(cells=[3, 5])

    class Recorded(Pair):
        def outcome(self, draws):
            taken = draws.sample(25, self.mines)
            both = np.isin(taken, [3, 5]).all(axis=1)[:, np.newaxis]
            return np.where(both, [[1, 2]], taken)

    for game in (Pair(2), Recorded(2)):
        assert pf.fairness_report(game.simulate(200_000), game).ok


def test_a_law_tries_every_combination():
    game = game_of(lambda draws: np.sort(draws.swaps(4), axis=1)[:, :2] + draws.sample(3, 2))
    assert dict(game.distribution()) == {
        (0 + first, 1 + second): Fraction(1, 6) for first, second in permutations(range(3), 2)
    }


def test_ranges_that_depend_on_draws():
    law = game_of(lambda draws: draws.below(draws.below(6) + 1)).distribution()
    assert dict(law) == {value: sum(Fraction(1, 6 * n) for n in range(value + 1, 7)) for value in range(6)}


def test_a_monotone_law_goes_by_bisection():
    class Bust(pf.Game):
        monotone = True
        scheme = pf.Scheme(pf.Hash("sha256", "{game_hash}"), bits=12)

        def outcome(self, draws):
            return np.maximum(100, np.floor(99 / (1 - draws.number()))).astype(np.int64)

    counted = Counter(max(100, int(99 / (1 - word / 4096))) for word in range(1 << 12))
    law = Bust().distribution("as_drawn")
    assert dict(zip(law.outcomes.tolist(), law.weights, strict=True)) == counted

    bent = game_of(lambda draws: (draws.below(1000) - 500) ** 2, monotone=True)
    with pytest.raises(ValueError, match="Own must not be `monotone = True`: it both rises and falls"):
        bent.distribution()


def test_rounds_one_by_one():
    class Drawn(pf.Game):
        vectorized = False

        def outcome(self, draws):
            first = draws.below(6)
            if first < 3:
                return first
            return 10 + max(draws.sample(5, 2))

    bulk = Drawn().simulate(300)
    fields = pf.games.rounds.simulated_rounds(Drawn(), 300).values()
    salts = fields.pop("salt")
    assert bulk.tolist() == [int(Drawn().play(**fields, salt=salt)) for salt in salts]
    highest = {10 + m: Fraction(1, 2) * Fraction(2 * m, 20) for m in range(1, 5)}
    assert dict(Drawn().distribution()) == dict.fromkeys(range(3), Fraction(1, 6)) | highest


# ---- other schemes ----


def words(server, client, nonce, count):
    found = b""
    for cursor in range(count // 8 + 1):
        found += hmac.digest(server.encode(), f"{client}:{nonce}:{cursor}".encode(), "sha256")
    return [int.from_bytes(found[4 * i : 4 * i + 4]) for i in range(count)]


def test_an_own_scheme_against_plain_python():
    game = Keno(picks=12)
    outcomes = game.play("server", "client", np.arange(50))
    for nonce, outcome in enumerate(outcomes.tolist()):
        pool, taken = list(range(40)), []
        for word in words("server", "client", nonce, 12):
            taken.append(pool.pop(int(word / 2**32 * len(pool))))
        assert outcome == taken


def test_the_ten_under_another_scheme():
    mines = pf.Mines(mines=5).with_scheme(NONCES)
    outcomes = mines.play("server", "client", nonce=np.arange(100, dtype=np.uint64))
    own = Mines(5).with_scheme(NONCES).play("server", "client", np.arange(100))
    assert np.array_equal(outcomes, own)
    assert mines.explain("server", "client", 7).outcome.tolist() == outcomes[7].tolist()
    assert mines.distribution("as_drawn", cells=[0]).total == 2 ** (32 * 5)
    law = mines.distribution("as_drawn", cells=[4])
    assert law.total_variation(mines.distribution(cells=[4])) < 1e-7
    dice = pf.Dice().with_scheme(NONCES)
    assert dice.simulate(5).tolist() == Dice().with_scheme(NONCES).simulate(5).tolist()
    assert dice.tally(1000).counts.sum() == 1000


def test_the_scheme_counts_in_what_a_game_is():
    under = pf.Dice().with_scheme(NONCES)
    assert under != pf.Dice()
    assert under == pf.Dice().with_scheme(NONCES)
    assert hash(under) == hash(pf.Dice().with_scheme(NONCES))
    assert pickle.loads(pickle.dumps(under)) == under
    assert pf.Dice().with_scheme(pf.SALTED) == pf.Dice()
    assert repr(under) == f"Dice().with_scheme({NONCES!r})"
    assert pickle.loads(pickle.dumps(Keno(3))) == Keno(3)


def test_simulations_make_nonces_and_chains():
    assert np.array_equal(Keno().simulate(5, start=3), Keno().simulate(8)[3:])
    fields = pf.games.rounds.simulated_rounds(Keno(), 4, start=2).values()
    assert fields["nonce"].tolist() == [2, 3, 4, 5]
    assert fields["server_seed"] == hashlib.sha256(b"0:server").hexdigest()

    chained = game_of(lambda draws: draws.below(100), scheme=CHAIN)
    hashes = pf.HashChain().generate("chain", 20)
    assert np.array_equal(chained.simulate(20, seed="chain"), chained.play(hashes))


# ---- definitions that are wrong ----


def broken(outcome, **members):
    return type("Broken", (pf.Game,), {"outcome": outcome, **members})


@pytest.mark.parametrize(
    ("outcome", "error", "message"),
    [
        (lambda self, draws: 1 if draws.below(6) > 2 else 0, TypeError, r"Broken.outcome uses .* np.where"),
        (lambda self, draws: None, TypeError, "Broken.outcome must return numbers, got None"),
        (lambda self, draws: "heads", TypeError, "Broken.outcome must return numbers"),
        (lambda self, draws: 5, ValueError, "Broken.outcome must return one outcome for each of 2 rounds"),
        (lambda self, draws: [draws.coin()] * 3, ValueError, r"\(3, 2\): write np.stack"),
        (
            lambda self, draws: draws.below(0),
            ValueError,
            r"^Broken\(\).outcome: draws.below: n must be from 1",
        ),
        (lambda self, draws: draws.below(2.5), TypeError, r"draws.below: n must be an integer, got float"),
        (
            lambda self, draws: draws.below(np.ones(draws.rounds)),
            TypeError,
            r"n must be integers, got an arr",
        ),
        (
            lambda self, draws: draws.below(np.array([1, 2])),
            ValueError,
            r"draws.below: n must be one integer",
        ),
        (lambda self, draws: draws.below(draws.coin()), ValueError, r"draws.below: n must be from 1 to 2"),
        (lambda self, draws: draws.sample(3, 4), ValueError, r"draws.sample: k must be from 0 to 3, got 4"),
        (lambda self, draws: draws.sample(0, 0), ValueError, r"draws.sample: n must be from 1 to 65536"),
        (lambda self, draws: draws.shuffle(5, 6), ValueError, r"draws.shuffle: k must be from 0 to 5"),
        (lambda self, draws: draws.swaps(0), ValueError, r"draws.swaps: n must be from 1"),
        (lambda self, draws: draws.skip(-1), ValueError, r"draws.skip: count must be from 0 to"),
        (lambda self, draws: draws.roll(6), AttributeError, r"draws has no 'roll': it has below, coin"),
        (lambda self, draws: [1, 2][draws.coin()], TypeError, r"Broken.outcome uses .*vectorized = False"),
        (lambda self, draws: {0: 1, 1: 2}[draws.coin()], TypeError, r"Broken.outcome uses .*np.array"),
        (lambda self, draws: max(draws.coin(), draws.coin()), TypeError, r"Broken.outcome uses .*np.where"),
        (lambda self, draws: int(draws.coin()), TypeError, r"Broken.outcome uses .*int\(\)"),
        (lambda self, draws: range(draws.below(5)), TypeError, r"Broken.outcome uses .*np.where"),
        (lambda self, draws: round(draws.number()), TypeError, r"Broken.outcome uses .*np.where"),
        (
            lambda self, draws: draws.coin() * 1j,
            TypeError,
            "Broken.outcome must return numbers, got .*complex",
        ),
        (lambda self, draws: [[1], [2, 3]], ValueError, "Broken.outcome must return one array"),
    ],
)
def test_wrong_outcomes_are_explained(outcome, error, message):
    with pytest.raises(error, match=message):
        broken(outcome)().play("", "", "")


@pytest.mark.parametrize("stated", [{}, {"shape": (5,), "dtype": int}])
@pytest.mark.parametrize(
    "rule",
    [lambda few: few - few.min(), lambda few: np.sort(few, axis=0), lambda few: 10**9 + few - few.min()],
)
def test_rules_that_join_rounds_are_refused(rule, stated):
    game = game_of(lambda draws: rule(draws.each(5).below(6)), **stated)
    for asked in (lambda: game.play("server", "client", ["a", "b"]), game.distribution):
        with pytest.raises(ValueError, match=r"^Own\.outcome must give a round the outcome that it has"):
            asked()


def test_rounds_that_draw_until_all_are_over_are_not_joined():
    """Whatever others draw, a round has what it draws itself."""

    class Sixes(pf.Game):
        def outcome(self, draws):
            before, rolls, over = draws.below(6), 1, 0
            while np.any(over == 0):
                face, rolls = draws.below(6), rolls + 1
                over = np.where((over == 0) & (before == 5) & (face == 5), rolls, over)
                before = face
            return over

    salts = ["a", "b", "c"]
    together = Sixes().play("server", "client", salts)
    assert together.tolist() == [Sixes().play("server", "client", salt) for salt in salts]


def test_outcomes_are_never_cut():
    def mixed(self, draws):
        face = draws.below(3)
        return 2.5 if face == 1 else face

    with pytest.raises(TypeError, match=r"Broken\.outcome must return numbers of one type.*return floats"):
        broken(mixed, vectorized=False)().simulate(20)

    def large(self, draws):
        return draws.below(2).astype(np.uint64) + np.uint64(2**63)

    with pytest.raises(ValueError, match=r"Broken\.outcome must return numbers below 2\*\*63"):
        broken(large)().simulate(2)


def test_another_default_has_the_annotation_of_its_parameter():
    class Five(pf.operators.stake.Mines):
        mines: int = 5

    assert Five().shape == (5,)
    for base, name, kind in ((pf.Mines, "mines", "int"), (pf.operators.stake.Limbo, "reading", "str")):
        with pytest.raises(TypeError, match=rf"^Other\.{name} must have .* write `{name}: {kind} = ...`"):
            type("Other", (base,), {name: getattr(base(), name)})


def test_options_have_no_annotation():
    for name in ("scheme", "vectorized", "monotone", "name"):
        with pytest.raises(TypeError, match=rf"Broken.{name} must have no annotation.*write `{name} = ...`"):
            broken(lambda self, draws: draws.coin(), __annotations__={name: "object"}, **{name: None})
    with pytest.raises(TypeError, match=r"Broken\.scheme must be a Scheme, got str"):
        broken(lambda self, draws: draws.coin(), scheme="sha256")
    with pytest.raises(TypeError, match=r"Broken\.vectorized must be True or False"):
        broken(lambda self, draws: draws.coin(), vectorized=1)


def test_wrong_parameters_are_explained():
    for make, message in (
        (lambda: Keno(pick=5), "Keno has the parameters picks, got 'pick'"),
        (lambda: Keno(5, 6), "Keno has the parameters picks, got 2 values"),
        (lambda: Dice(1), "Dice has no parameters, got 1 values"),
        (lambda: Keno(np.array([1])), r"Keno\.picks must be a value that doesn't change, such as a tuple"),
        (lambda: hash(Keno([5])), r"Keno\(picks=\[5\]\) can't be hashed, .*give it a tuple"),
        (
            lambda: Keno("five").simulate(1),
            r"Keno\(picks='five'\)\.outcome: draws\.sample: k must be an integer",
        ),
    ):
        with pytest.raises(TypeError, match=message):
            make()
    with pytest.raises(ValueError, match=r"Keno\(picks=41\)\.outcome: draws\.sample: k must be from 0 to 40"):
        Keno(41).play("", "", 1)

    class Needy(pf.Game):
        first: int
        step = 3

        def outcome(self, draws):
            return draws.below(self.first)

    with pytest.raises(TypeError, match="first must be given: Needy has the parameters first"):
        Needy()
    with pytest.raises(TypeError, match=r"got 'step'; a parameter has an annotation, `step: int = \.\.\.`"):
        Needy(first=3, step=5)
    assert Needy(first=3) == Needy(3)
    assert str(inspect.signature(Keno)) == "(picks: int = 10) -> None"


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({}, "Broken must define outcome"),
        ({"outcome": 5}, r"Broken\.outcome must be a method of draws: def outcome\(self, draws\)"),
        ({"outcome": lambda self: 1}, r"Broken\.outcome must be a method of draws"),
        ({"outcome": lambda self, draws, more: 1}, r"Broken\.outcome must be a method of draws"),
        ({"name": 3}, r"Broken\.name must be str, got int"),
        ({"__annotations__": {"play": int}, "play": 3}, r"Broken\.play must have another name"),
        ({"__annotations__": {"shape": int}, "shape": 3}, r"Broken\.shape must have another name"),
        (
            {"__annotations__": {"a": int, "b": int}, "a": 3},
            "Broken can't be made .* 'b' follows .* come first",
        ),
    ],
)
def test_wrong_classes_are_explained(members, message):
    rule = {"outcome": lambda self, draws: draws.coin()} if members else {}
    with pytest.raises(TypeError, match=message):
        type("Broken", (pf.Game,), rule | members)()


def test_a_mutable_default_is_refused():
    with pytest.raises(ValueError, match=r"Broken can't be made .* field table .* such as a tuple"):
        broken(lambda self, draws: draws.coin(), __annotations__={"table": list}, table=[1])


def test_a_parameter_may_be_a_pay_table():
    class Wheel(pf.Game):
        pays: tuple = (0.0, 1.5, 3.0)
        decimals: int = 1

        def outcome(self, draws):
            return np.array(self.pays)[draws.below(len(self.pays))]

    assert Wheel((0, 4)).bet(lambda paid: paid, law="ideal").exact_rtp == 2
    assert Wheel((0, 4)) == Wheel((0, 4)) != Wheel()


def test_notes_may_be_anything():
    class Noted(pf.Game):
        def outcome(self, draws):
            drawn = draws.sample(5, 2)
            draws.note("drawn", drawn)
            draws.note("kind", "low")
            draws.note("half", drawn[:, 0] / 2)
            return drawn[:, 0]

    walk = Noted().explain("", "", "")
    first, second = Noted().explain("", "", "").to_dict(), walk.steps
    notes = {step.formula: step.value for step in second if type(step).__name__ == "Note"}
    assert notes["drawn"] == str([int(walk.outcome), int(notes["which of the 4 left"])])
    assert (notes["kind"], notes["half"]) == ("low", walk.outcome / 2)
    assert "kind = low" in str(walk)
    assert first["outcome"] == int(walk.outcome)
    with pytest.raises(TypeError, match=r"draws\.part: index must be an integer, got str"):
        broken(lambda self, draws: draws.part("row", "x") or draws.coin())().explain("", "", "")


def test_fields_are_named():
    with pytest.raises(
        TypeError, match="nonce must be given: the fields are server_seed, client_seed, nonce"
    ):
        Keno().play("server", "client")
    with pytest.raises(TypeError, match="fields must be among"):
        Keno().simulate(3, salt="x")
    with pytest.raises(ValueError, match="more than 4,194,304 different outcomes"):
        broken(lambda self, draws: draws.number())().distribution()


def test_differences_of_two_readings():
    other = game_of(lambda draws: draws.below(10000) / 100, scheme=NONCES)
    found = pf.difference(Dice().with_scheme(NONCES), other, rounds=20_000)
    low, high = 0, 0
    for word in range(0, 1 << 32, 1 << 22):  # a sample of the words, in plain Python
        high += 1
        low += int(word / 2**32 * 10001) != int(word / 2**32 * 10000)
    assert abs(found.share - low / high) < 0.05
    assert found.exact_share.denominator <= 2**32
    for fields, one, other in found.examples:
        assert one != other
        assert float(Dice().with_scheme(NONCES).play(**fields)) == one
    assert pf.difference(Dice(), pf.Dice(), rounds=1000).exact_share == 0
    # After some answers there is another draw.
    twice = broken(lambda self, draws: draws.coin() and draws.below(5), vectorized=False)()
    assert pf.difference(twice, twice, rounds=100).exact_share is None
    two = pf.difference(Mines(3), pf.Mines(3), rounds=1000)
    assert two.exact_share is None
    assert two.interval[0] == 0 < two.interval[1]
    (in_order,) = (one.game for one in pf.readings(pf.Mines()) if "in increasing order" in one.text)
    assert pf.difference(pf.Mines(), in_order, rounds=1000).share == 0  # a board is a set
    with pytest.raises(ValueError, match="b must have the fields"):
        pf.difference(Dice(), Dice().with_scheme(NONCES))


# ---- the law of one value, where all draws together are too many to try ----


class Cards(pf.Game):
    scheme = NONCES

    def outcome(self, draws):
        return np.stack([draws.below(52) for _ in range(20)], axis=1)


ROWS = game_of(lambda draws: np.stack([draws.sample(4, 3) for _ in range(9)], axis=1))


class OneByOne(pf.Game):
    vectorized = False

    def outcome(self, draws):
        cards = [draws.below(13) for _ in range(12)]
        return [cards[0] + cards[1], *cards[1:]]


def test_a_value_that_few_draws_decide_has_its_law():
    for game, of_place in ((Cards(), 52), (OneByOne(), 13)):
        look = pf.games.fairness.looks_of(game)[-1]
        assert dict(game.distribution(**look.subject)) == dict.fromkeys(
            range(of_place), Fraction(1, of_place)
        )
    drawn = Cards().distribution("as_drawn", **pf.games.fairness.looks_of(Cards())[3].subject)
    assert [int(2**32 * share) for _, share in drawn] == [
        -(-(2**32 * (card + 1)) // 52) - -(-(2**32 * card) // 52) for card in range(52)
    ]
    both = OneByOne().distribution(**pf.games.fairness.looks_of(OneByOne())[0].subject)
    assert dict(both) == {total: Fraction(13 - abs(12 - total), 169) for total in range(25)}
    # The third of a row is decided by three draws, in a row that is one of nine.
    third = ROWS.distribution(**pf.games.fairness.looks_of(ROWS)[5].subject)
    assert dict(third) == dict.fromkeys(range(4), Fraction(1, 4))

    sums = game_of(lambda draws: np.cumsum(draws.each(8).below(52), axis=1))
    looks = pf.games.fairness.looks_of(sums)
    assert sums.distribution(**looks[2].subject).mean() == 3 * 25.5
    with pytest.raises(ValueError, match="Own has no law that can be listed"):
        sums.distribution(**looks[7].subject)


@pytest.mark.thorough
def test_fairness_of_games_with_large_laws():
    for game in (Cards(), ROWS, Keno(40), Limbo()):
        assert pf.fairness_report(game.simulate(2000), game).ok
    skewed = Cards().simulate(4000)
    skewed[:, 7] = np.where(skewed[:, 7] < 8, 8, skewed[:, 7])
    assert not pf.fairness_report(skewed, Cards()).ok
    raised = Limbo().simulate(4000)
    assert not pf.fairness_report(np.maximum(raised, 150), Limbo()).ok


class Limbo(pf.Game):
    monotone = True
    scheme = NONCES

    def outcome(self, draws):
        return np.maximum(100, np.floor(99 / (1 - draws.number()))).astype(np.int64)


def test_ranges_of_a_monotone_game():
    look = pf.games.fairness.looks_of(Limbo())[0]
    law, values = pf.games.fairness.look_law(Limbo(), look, np.array([100, 101, 10**7, 200]))
    assert values[0] == 0 < values[1] < values[2] == len(law) - 1
    # 99 / (1 - x) is at least 200, and floored no less, from x = 0.505 on.
    share = law.probability_between(int(values[3]), len(law) - 1)
    assert abs(share - 0.495) < 0.01


# ---- tallies, clusters, tables ----


def test_tallies_of_pieces_are_the_whole():
    rare = game_of(lambda draws: draws.below(1000) ** 2)
    parts = [rare.tally(300, start=start) for start in (0, 300, 600)]
    assert sum(parts) == rare.tally(900)
    values, counts = np.unique(rare.simulate(900), return_counts=True)
    assert sum(parts).outcomes.tolist() == values.tolist()
    assert sum(parts).counts.tolist() == counts.tolist()
    with pytest.raises(ValueError, match="tallies must count the same outcomes"):
        pf.Double().tally(5) + rare.tally(5)


def test_a_simulation_in_pieces_is_one_chain():
    chained = game_of(lambda draws: draws.below(10), scheme=CHAIN)
    rounds = (1 << 18) + 100  # more than are counted at a time
    tally = chained.tally(rounds, seed="chain")
    hashes = pf.HashChain().generate("chain", rounds)
    assert tally.counts.tolist() == bincount(chained.play(hashes)).tolist()


@pytest.mark.thorough
def test_the_bias_of_own_games():
    games = [Dice().with_scheme(NONCES), Cards(), Mines(2).with_scheme(NONCES)]
    table = pf.statistics.bias_table(games)
    assert [bias.game for bias in table] == games
    dice, cards, _ = table
    # 2**32 words are 429453 for some of 10001 outcomes, and one less for the others.
    assert dice.relative in [Fraction(count * 10001, 2**32) - 1 for count in (429453, 429452)]
    assert abs(cards.relative) < Fraction(52, 2**32)
    assert all(len(line) < 120 for line in str(table).splitlines())


def test_outcomes_without_values_have_no_bias():
    empty = game_of(lambda draws: np.zeros((draws.rounds, 0), np.int64))
    with pytest.raises(
        ValueError, match=r"games must have outcomes with values, got .*Own.* of shape \(0,\)"
    ):
        pf.statistics.bias_table([empty])


def test_what_pages_show_of_own_games():
    assert str(pf.games.naming.sheet_of(Keno()).text()).splitlines() == [
        "Keno(picks=10)",
        "outcome  10 whole numbers",
        f"scheme   {NONCES!r}",
        "fields   server_seed, client_seed, nonce",
    ]
    hostile = "<script>\x1b[31m"
    walk = Keno(2).explain(hostile, hostile, 1)
    assert "<script>" not in walk._repr_html_()
    assert "\x1b" not in str(walk)
    told = []
    OneByOne().simulate(1000, progress=lambda done, rounds: told.append((done, rounds)))
    assert told[-1] == (1000, 1000)
    assert len(told) < 10


# ---- laws that contradict the class, or don't end ----


class Bump(pf.Game):
    """Equal at both ends, and wherever halves of the range meet; more in between."""

    width: int = 10_000
    monotone = True

    def outcome(self, draws):
        answer = draws.below(10**6)
        return np.where((answer > 300_000) & (answer < 300_000 + self.width), 1, 0)


class Spikes(pf.Game):
    monotone = True

    def outcome(self, draws):
        number = draws.number()
        return np.floor(number * 4) + np.where((number > 0.51) & (number < 0.52), 3, 0)


@pytest.mark.skipif(sys.version_info < (3, 14), reason="before Python 3.14 annotations are evaluated at once")
def test_annotations_may_name_what_only_type_checkers_import():
    class Wheel(pf.Game):
        sides: Imported = 6  # noqa: F821
        largest: ClassVar[Imported] = 60  # noqa: F821

        def outcome(self, draws: Imported) -> Imported:  # noqa: F821
            return draws.below(self.sides)

    class Paying(Wheel):
        def pays(self, values: Imported, *, most: Imported = 1) -> Imported:  # noqa: F821
            return np.where(values <= most, 2, 0)

    assert repr(Wheel(2)) == "Wheel(sides=2)"
    assert Paying(2).bet(most=0, law="ideal").exact_rtp == 1
    with pytest.raises(TypeError, match=r"no option 'mots': did you mean most\? Its options are of, most"):
        Paying(2).bet(mots=0)


@pytest.mark.parametrize("game", [Bump(), Bump(500), Spikes()], ids=repr)
@pytest.mark.parametrize("law", ["ideal", "as_drawn"])
def test_what_is_monotone_is_so_inside_the_range_too(game, law):
    with pytest.raises(ValueError, match=f"{type(game).__name__} must not be `monotone = True`"):
        game.distribution(law)


class UntilHeads(pf.Game):
    """The first `ends` answers end the round, others don't."""

    vectorized = False
    ends: int = 0

    def outcome(self, draws):
        tosses = 1
        while draws.below(2) != self.ends:
            tosses += 1
        return tosses


class UntilTwenty(pf.Game):
    def outcome(self, draws):
        total = draws.below(6) + 1
        while (total < 20).any():
            total = total + np.where(total < 20, draws.below(6), 0)
        return total


@pytest.mark.parametrize("game", [UntilHeads(), UntilHeads(1), UntilTwenty()], ids=repr)
def test_rounds_without_end_have_no_law_that_is_listed(game):
    with pytest.raises(ValueError, match=r"rounds may go on without end, after \d+ draws .* or simulate"):
        game.distribution()


@pytest.mark.parametrize("together", [False, True])
def test_rounds_whose_draws_are_far_too_many_are_not_tried(together):
    class Either(pf.Game):
        vectorized = together
        calls = 0

        def outcome(self, draws):
            Either.calls += 1
            assert Either.calls < 10_000
            few, short = draws.below(5), draws.below(2) == 0
            return few if np.all(short) else np.where(short, few, np.take(draws.shuffle(64), 0, axis=-1))

    with pytest.raises(ValueError, match="there are more than 100,000,000 combinations of draws"):
        Either().distribution()


def test_draws_that_are_many_in_rare_rounds_are_tried():
    rare = game_of(lambda draws: next((toss for toss in range(60) if not draws.coin()), 60), vectorized=False)
    assert dict(rare.distribution()) == {n: Fraction(1, 2 ** (n + 1)) for n in range(60)} | {
        60: Fraction(1, 2**60)
    }


# ---- rounds that draw again ----


def under_words(game, *words):
    """Return a game whose every round reads these words, and then the last one again and again."""

    def give(nonce):
        yield from words
        while True:
            yield words[-1]

    return game.with_scheme(pf.Scheme.of(give, bits=32, fields=["nonce"], below="modulo"))


class Different(pf.Game):
    vectorized = False

    def outcome(self, draws):
        first, second = draws.below(6), draws.below(6)
        while second == first:
            second = draws.below(6)
        return [first, second]


class DifferentAtOnce(pf.Game):
    def outcome(self, draws):
        first, second = draws.below(6), draws.below(6)
        while (second == first).any():
            second = np.where(second == first, draws.below(6), second)
        return np.stack([first, second], axis=1)


class NeverSix(pf.Game):
    vectorized = False

    def outcome(self, draws):
        while draws.below(6) < 6:
            pass
        return 1


class NeverSixAtOnce(pf.Game):
    def outcome(self, draws):
        while (draws.below(6) < 6).all():
            pass
        return draws.coin()


@pytest.mark.parametrize("game", [Different(), DifferentAtOnce()], ids=repr)
def test_rounds_that_draw_again(game):
    # 7 and 1 leave 1 of 6, 13 leaves 1 again, 8 leaves 2.
    under = under_words(game, 7, 1, 13, 8)
    assert under.play(0).tolist() == [1, 2]
    assert under.shape == (2,)
    assert under.dtype == np.int64
    assert under.explain(0).outcome.tolist() == [1, 2]
    assert pf.verify({"nonce": [0, 1], "outcome": [[1, 2], [1, 2]]}, under).ok
    rounds = game.simulate(500)
    assert (rounds[:, 0] != rounds[:, 1]).all()
    log = {"server_seed": "a", "client_seed": "b", "salt": list("cdefgh"), "outcome": [[0, 0]] * 6}
    assert pf.verify(log, game).failed == 6


@pytest.mark.thorough
@pytest.mark.parametrize("game", [NeverSix(), NeverSixAtOnce()], ids=repr)
def test_rounds_that_draw_without_end_are_refused(game):
    log = {"server_seed": "a", "client_seed": "b", "salt": ["c"], "outcome": [1]}
    message = rf"{type(game).__name__}\(\)\.outcome: draws\.below: .* at most 10,000 times.*state `shape`"
    for ask in (
        lambda: game.play("a", "b", "c"),
        lambda: game.simulate(3),
        lambda: game.tally(3),
        lambda: game.shape,
        lambda: pf.verify(log, game),
        lambda: pf.audit(log, game),
    ):
        with pytest.raises(ValueError, match=message):
            ask()
    with pytest.raises(ValueError, match=r"a round must draw at most 100,000 times"):
        game.explain("a", "b", "c")


@pytest.mark.thorough
@pytest.mark.parametrize("game", [Different(), DifferentAtOnce()], ids=repr)
def test_rounds_whose_words_never_change_are_refused(game):
    under = under_words(game, 4)
    message = r"Different\w*\(\)\.outcome: draws\.below: .* at most 10?0,000 times.*draws\.sample"
    with pytest.raises(ValueError, match=message):
        under.play(0)
    with pytest.raises(ValueError, match=message):
        pf.verify({"nonce": [0, 1, 2], "outcome": [[1, 2]] * 3}, under)
    short = game.with_scheme(pf.Scheme(pf.Hash("none", "{secret:bytes}"), bits=8))
    with pytest.raises(ValueError, match="words"):
        short.play("0101")


# ---- outcomes as a class states them ----


class Counted(pf.Game):
    """Counts the calls of its rule."""

    vectorized = False
    asked: ClassVar[list] = [0]
    shape = (2,)
    dtype = int

    def outcome(self, draws):
        self.asked[0] += 1
        return [draws.below(6), 1]


def test_a_class_that_states_its_shape_is_not_tried():
    Counted.asked[0] = 0
    game = Counted()
    assert (game.shape, game.dtype) == ((2,), np.dtype(np.int64))
    assert Counted.asked[0] == 0
    rounds = game.simulate(7)
    assert Counted.asked[0] == 7
    assert rounds.shape == (7, 2)
    assert rounds[:, 1].tolist() == [1] * 7

    class Long(pf.Game):
        """Draws more often than a trial round may."""

        vectorized = False
        shape = ()

        def outcome(self, draws):
            return sum(draws.below(1) + 1 for _ in range(20_000))

    assert Long().play("a", "b", "c") == 20_000


def test_a_stated_shape_may_depend_on_parameters():
    class Some(pf.Game):
        picks: int = 2
        dtype = float

        @property
        def shape(self):
            return (self.picks,)

        def outcome(self, draws):
            return draws.sample(40, self.picks)

    assert Some(5).shape == (5,)
    assert Some(5).play("a", "b", "c").dtype == np.float64
    assert Some(5).simulate(3).shape == (3, 5)


@pytest.mark.parametrize(
    ("stated", "error", "message"),
    [
        (
            {"shape": (3,)},
            ValueError,
            r"Broken\.outcome must return outcomes of the shape \(3,\) that the class",
        ),
        ({"shape": ()}, ValueError, r"of the shape \(\) that the class states, got \(2,\)"),
        ({"shape": (2,)}, TypeError, r"must return whole numbers, as the class states, .*`dtype = float`"),
        ({"dtype": int}, TypeError, r"must return whole numbers, as the class states, .*`dtype = float`"),
        (
            {"shape": 2},
            TypeError,
            r"Broken\.shape must be a tuple such as \(3,\), or \(\) for one value, got 2",
        ),
        ({"shape": (-1,)}, ValueError, r"Broken\.shape must be at least 0, got -1"),
        ({"shape": (2.5,)}, TypeError, r"Broken\.shape must be an integer"),
        ({"dtype": complex}, TypeError, r"Broken\.dtype must be int or float, got .*complex"),
        ({"dtype": "no type"}, TypeError, r"Broken\.dtype must be int or float, got 'no type'"),
    ],
)
def test_outcomes_that_do_not_fit_what_the_class_states(stated, error, message):
    game = broken(lambda self, draws: np.stack([draws.number(), draws.number()], axis=1), **stated)()
    log = {"server_seed": "a", "client_seed": "b", "salt": ["c"], "outcome": [[1, 2]]}
    for ask in (lambda: game.play("a", "b", "c"), lambda: game.explain("a", "b", "c")):
        with pytest.raises(error, match=message):
            ask()
    if error is ValueError and "outcome" in message:
        assert pf.verify(log, game).failed == 1


# ---- outcomes without values ----


class Picks(pf.Game):
    picks: int = 3

    def outcome(self, draws):
        return draws.sample(40, self.picks)


def test_outcomes_without_values():
    discards = game_of(lambda draws: draws.sample(40, 30)[:, :0])  # several digests, nothing of them kept
    assert discards.play("a", "b", "c").shape == (0,)
    assert discards.play("a", "b", ["c", "d"]).shape == (2, 0)
    game = Picks(0)
    assert game.play("a", "b", "c").shape == (0,)
    assert game.simulate(5).shape == (5, 0)
    assert dict(game.distribution(of=pf.hits({1}))) == {0: 1}
    assert game.explain("a", "b", "c").outcome.tolist() == []
    log = {"server_seed": "a", "client_seed": "b", "salt": ["c", "d"], "outcome": [[], []]}
    message = r"Picks\(picks=0\) has outcomes without values, of the shape \(0,\)"
    for ask in (lambda: pf.verify(log, game), lambda: game.tally(5), lambda: game.plot([])):
        with pytest.raises(ValueError, match=message):
            ask()
    right = Picks(2).play("a", "b", "d").tolist()
    report = pf.verify({**log, "outcome": [[], right], "picks": [0, 2]}, Picks())
    assert [(failure.row, failure.column) for failure in report.failures] == [(0, "picks")]


# ---- classes of a script in another process ----

SCRIPT = """
import cloudpickle, sys
import numpy as np
import provably_fair as pf

HASH = pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}")

class Plain(pf.Game):
    def outcome(self, draws):
        return draws.below(6)

class Parameters(pf.Game):
    first: int
    picks: int = 4
    scheme = pf.Scheme(HASH, bits=32)
    vectorized = False
    def outcome(self, draws):
        return draws.sample(self.first, self.picks)

class Paid(pf.Game):
    sides: int = 6
    def outcome(self, draws):
        return draws.below(self.sides)
    def pays(self, faces, *, least):
        return np.where(faces >= least, 2.0, 0)

class Stated(Plain):
    shape = (2,)
    vectorized = False
    def outcome(self, draws):
        return [draws.below(6), 1]

class Board(pf.Mines):
    pass

games = [Plain(), Parameters(9), Paid(8), Stated(), Board(5), Plain().with_scheme(pf.Scheme(HASH, bits=32))]
sys.stdout.buffer.write(cloudpickle.dumps([(game, game.simulate(4).tolist()) for game in games]))
"""

READER = """
import cloudpickle, sys
for game, rounds in cloudpickle.loads(sys.stdin.buffer.read()):
    assert game.simulate(4).tolist() == rounds, game
    assert cloudpickle.loads(cloudpickle.dumps(game)) == game
    fields = {name: 1 if name == "nonce" else "a" for name in game.scheme.fields}
    assert game.explain(**fields).outcome.shape == game.shape
    print(type(game).__name__, end=" ")
"""


def test_classes_of_a_script_go_to_other_processes():
    pytest.importorskip("cloudpickle")
    made = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, check=False, timeout=120)
    assert made.returncode == 0, made.stderr.decode()
    read = subprocess.run(
        [sys.executable, "-c", READER], input=made.stdout, capture_output=True, check=False, timeout=120
    )
    assert read.returncode == 0, read.stderr.decode()
    assert read.stdout.decode().split() == ["Plain", "Parameters", "Paid", "Stated", "Board", "Plain"]


def test_an_empty_class_is_refused_on_first_use():
    class Later(pf.Game):
        pass

    with pytest.raises(TypeError, match="Later must define outcome, which every game has"):
        Later()
    Later.outcome = 5
    with pytest.raises(TypeError, match=r"Later\.outcome must be a method of draws"):
        Later()
    Later.outcome = lambda self, draws: draws.coin()
    assert Later().play("", "", "") in (0, 1)


# ---- large outcomes ----


def test_samples_of_many_are_as_removal_makes_them():
    class Walked(pf.Game):
        vectorized = False
        shape = (300,)

        def outcome(self, draws):
            left = list(range(1000))
            return [left.pop(draws.below(len(left))) for _ in range(300)]

    sampled = game_of(lambda draws: draws.sample(1000, 300))
    rounds = Walked().simulate(3)
    assert sampled.simulate(3).tolist() == rounds.tolist()
    fields = pf.games.rounds.simulated_rounds(sampled, 1).values()
    fields["salt"] = fields["salt"][0]
    assert sampled.explain(**fields).outcome.tolist() == rounds[0].tolist()


def test_passing_over_many_numbers():
    class Far(pf.Game):
        passed: int = 1 << 20

        def outcome(self, draws):
            draws.skip(self.passed)
            return draws.below(100)

    scheme = pf.Scheme(pf.Hash("sha256", "{client_seed}:{cursor}"), bits=32)
    # Word 8 * c + k is the k-th of the digest of cursor c; "scale" takes word * n / 2**32, rounded down.
    digest = hashlib.sha256(b"client:%d" % ((1 << 20) // 8)).digest()
    word = int.from_bytes(digest[:4], "big")
    assert Far().with_scheme(scheme).play("client") == word * 100 >> 32
    with pytest.raises(ValueError, match=r"draws\.skip: count must be from 0 to 1048576"):
        Far(1 << 21).with_scheme(scheme).play("client")


def test_long_samples_are_called_and_long_draws_recorded():
    class Long(pf.Game):
        size: int = 4097

        def outcome(self, draws):
            return draws.shuffle(self.size)[:, :3]

    found = pf.games.program_of(Long())
    assert isinstance(found, Untraced)
    assert found.reason == "takes 4,097 values at once, of at most 4,096"
    flips = game_of(lambda draws: draws.each(10_000).below(2).sum(axis=1))
    assert not isinstance(pf.games.program_of(flips), Untraced)
    salts = [str(i) for i in range(3)]
    assert np.array_equal(Long().play("a", "b", salts), [Long().play("a", "b", salt) for salt in salts])


@pytest.mark.thorough
def test_the_largest_shuffle():
    full = game_of(lambda draws: draws.shuffle(1 << 16))
    assert sorted(full.play("a", "b", "c").tolist()) == list(range(1 << 16))
    assert full.shape == (1 << 16,)
    with pytest.raises(ValueError, match=r"no law that can be listed: there are more than 100,000,000"):
        full.distribution()
    with pytest.raises(ValueError, match=r"outcomes of 65,536 values, of which at most 1,024"):
        pf.fairness_report(full.simulate(1), full)
