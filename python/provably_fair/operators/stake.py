"""Stake's games: HMAC-SHA256 with the server seed as key, four bytes a number; games on a chain of hashes.

As recomputed from published rounds: bets of 2019, not later than December, whose seeds were revealed
(github.com/lotuseuy/stake-provably-fair-verifier), and results of the operator's own calculator, which are
undated except for those of 2025 and 2026 (github.com/provably-fair-betting/verifierform-stake). Payouts are
included only if they are part of the rule, or listed in the operator's tables of March 2026
(github.com/Kyran121/provably-fair-verifierform-stake) or in copies of them that a game's notes name.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from provably_fair import distribution
from provably_fair._core.arguments import BadType, BadValue, choice, integer, is_single, rectangular
from provably_fair._core.lazy import lister_of
from provably_fair.games import Choice, Deal, Game, IndependentGame, Kind, Pack, Question, Range, Texts
from provably_fair.games.draws import Draws
from provably_fair.games.faces import (
    BoardGame,
    DiceGame,
    MultiplierGame,
    PegsGame,
    SampleGame,
    TowerGame,
    WheelGame,
)
from provably_fair.games.kind import one_of
from provably_fair.games.kinds import (
    board,
    card_table,
    dice,
    independent,
    multiplier,
    paid_by_table_law,
    pegs,
    plain,
    sample,
    tower,
    wheel,
)
from provably_fair.games.looks import Binned, Of, OfPart, PaidByTable, Total, UpTo, View
from provably_fair.games.rounds import simulated_rounds
from provably_fair.games.samples import Hits, values_of
from provably_fair.seeds import Hash, Scheme
from provably_fair.seeds.schemes import weights_below

from . import _stake_tables as tables
from ._names import DECK, NUMBERS, WORDS, cards, names_of
from .salted.slot import weights_over_stops

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from provably_fair.bets import Bet, FreeSpins
    from provably_fair.distribution import Distribution
    from provably_fair.games.faces import Numbers, Payout


__all__ = [
    "CHAIN",
    "CRASH_TERMINATING",
    "SCHEME",
    "ZOO_SCHEME",
    "Baccarat",
    "Bars",
    "Blackjack",
    "Cases",
    "Chicken",
    "Crash",
    "Darts",
    "Diamonds",
    "Dice",
    "DragonTower",
    "Drill",
    "Flip",
    "Hilo",
    "Keno",
    "Limbo",
    "Mines",
    "Moles",
    "Packs",
    "Plinko",
    "Pump",
    "RockPaperScissors",
    "Roulette",
    "ScarabSpins",
    "Slide",
    "Slots",
    "Snakes",
    "Tarot",
    "VideoPoker",
    "Wheel",
    "Zoo",
    "animals",
    "cards",
    "gems",
]
__dir__ = lister_of(__all__)

_COLUMNS = {"outcome": ("roll",)}
"""What columns of its histories are called besides the usual."""

SCHEME = Scheme(
    Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"),
    bits=32,
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme of all games with a nonce: the commitment is the SHA-256 of the server seed's text."""

FIRST_NONCES = (0, 1)
"""The nonces of a pair's first bet: 0, and 1 in some of the published rounds."""

CHAIN = Scheme(
    Hash("sha256", "{salt}", key="{game_hash}"),
    bits=32,
    words=1,
    fields=("game_hash", "salt"),
    defaults={"salt": "0000000000000000001b34dc6a1e86083f95500b096231436e9b25cbdd0075c4"},
)
"""The scheme of games on a chain; the salt is the block hash of the chain of 2019 of `Crash`, or given."""

CRASH_TERMINATING = "78a9757d3be42b74a3f70239078ad9317125fe9ee630d5bdada46de963e56752"
"""The hash before that of game 1 of Crash's chain of 2019, which was published first."""

ZOO_SCHEME = replace(CHAIN, words=None, below="modulo", defaults={})
"""The scheme of zoo: several words of a digest, modulo 20. The salt of its chain must be given."""

_WORDS = 1 << 32
_ANIMALS = ("lion", "cheetah", "elephant", "crocodile", "rhino", "penguin")
_ANIMAL_OF = np.repeat(np.arange(len(_ANIMALS)), (1, 1, 2, 2, 4, 10))
_GEMS = ("green", "purple", "yellow", "red", "cyan", "orange", "blue")


def _pays_99(chance: int) -> Fraction:
    """Return 99 divided by the winning chance in percent."""
    return Fraction(9_900, chance)


class Dice(DiceGame):
    """Stake's dice: a number from 0.00 to 100.00.

    ``floor(f * 10001) / 100`` of the first number f. By default, as in the operator's rule, a winning bet
    pays 99 divided by the winning chance in percent that the operator states: `under`, or 100 - `over`.

    Notes
    -----
    Checked on 21 published rounds: 16 bets of 2019, 5 of the calculator.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "f2ac89b608eeb01312d115bce6741b32", "86ff027f15c48241af7f54a726690ee7"
    >>> pf.operators.stake.Dice().play(*seeds, [0, 1, 2])
    array([28.07, 29.02,  5.86])
    >>> bet = pf.operators.stake.Dice().bet(over=50.5, law="ideal")
    >>> bet.law.outcomes, bet.exact_rtp  # 4,950 of 10,001 numbers pay 2
    (array([0, 2]), Fraction(9900, 10001))
    """

    scheme = SCHEME
    kind = dice(0, 10_000, unit=100, pays=_pays_99)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(10_001) / 100


def floor_to_cents(amounts: np.ndarray) -> np.ndarray:
    """Return amounts without what they have beyond two decimals."""
    cents: np.ndarray = np.floor(amounts * 100) / 100
    return cents


def product_of(factors: np.ndarray) -> np.ndarray:
    """Return the products of rows of factors with two decimals, as the decimals that they are."""
    hundredths = np.rint(np.asarray(factors, dtype=np.float64) * 100).astype(np.int64)
    product: np.ndarray = hundredths.prod(axis=1)
    unit = 100 ** hundredths.shape[1]
    if (product < 10**15).all():
        decimals: np.ndarray = product / unit
        return decimals
    exact = np.empty(len(product), dtype=object)  # of more digits than doubles have
    exact[:] = [Fraction(value, unit) for value in product.tolist()]
    return exact


_STEPS = {"2019": 10**8, "2026": 1 << 24}


class Limbo(MultiplierGame):
    """Stake's limbo: a multiplier, floored to cents.

    Two readings are in circulation, which differ in 0.29 % of rounds. "2019": ``1e8 / (floor(f * 1e8) + 1) *
    0.99``. "2026": ``2**24 / (floor(f * 2**24) + 1) * 0.99``. Values below 1 aren't raised: 0.99 can occur.

    Parameters
    ----------
    reading : {"2019", "2026"}
        Which.

    Notes
    -----
    Checked on 22 published rounds: 16 bets of 2019, 6 of the calculator. One of them, 3,807,692.30, tells the
    readings apart: it contradicts "2026".

    Examples
    --------
    >>> import provably_fair as pf
    >>> limbo = pf.operators.stake.Limbo()
    >>> float(limbo.play("e8df2cc3b9ccb583ce5ea92336842387", "83e27f682128eb1852b048203dfd6931", 1942124))
    3807692.3
    """

    reading: str = Choice(_STEPS, default="2019")
    scheme = SCHEME
    monotone = True
    kind = multiplier(tail=1000)

    def outcome(self, draws: Draws) -> np.ndarray:
        steps = _STEPS[self.reading]
        return floor_to_cents(steps / (draws.below(steps) + 1) * 0.99)


class Crash(MultiplierGame):
    """Stake's crash: a multiplier from 1.00, of a round that many players share.

    ``max(1, floor(2**32 / (i + 1) * 0.99 * 100) / 100)`` of the first eight hex digits i of the HMAC-SHA256
    of the salt, keyed with the text of the game's hash.

    Notes
    -----
    Checked on 7 published rounds: 4 of 2019, game 1,126,614 of the same chain, 2 of the calculator.

    Examples
    --------
    >>> import provably_fair as pf
    >>> crash = pf.operators.stake.Crash()
    >>> float(crash.play("5844bf329a6334074778ab8a5f0960e24f9eec43f83bbd98ac0a9f8bcd87184e"))
    2.35
    """

    scheme = CHAIN
    monotone = True
    kind = multiplier(tail=1000)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _multiplier(draws, 0.99)


class Slide(MultiplierGame):
    """Stake's slide: a multiplier from 1.00, of a round that many players share.

    The same as `Crash`, with 0.98 instead of 0.99. The published rounds don't include its chain's salt. Pass
    it yourself: the default is that of `Crash`.

    Notes
    -----
    Checked on 2 published rounds, of the calculator.

    Examples
    --------
    >>> import provably_fair as pf
    >>> slide = pf.operators.stake.Slide()
    >>> game_hash = "a60e04bcba668c720ce7d3b70183653181d438a99aa64bb042bdeb23aa9e63bd"
    >>> float(slide.play(game_hash, salt="015dcda675eb8ec18254ab6f18fd8f47"))
    1.39
    """

    scheme = CHAIN
    monotone = True
    kind = multiplier(tail=1000)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _multiplier(draws, 0.98)


def _multiplier(draws: Draws, share: float) -> np.ndarray:
    multiplier: np.ndarray = np.maximum(1, floor_to_cents(_WORDS / (draws.below(_WORDS) + 1) * share))
    return multiplier


class Drill(IndependentGame):
    """Stake's drill: the multipliers of three drills, one of which the player chose.

    Of each number f: 1 below 0.02, else ``floor(min(0.98 / (1 - f), 2e6) * 100) / 100``.

    Notes
    -----
    Checked on 3 published rounds, of the calculator.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "e9d7e56f67bf5ba273a85efea28ade0a", "af34766105e5036cdc101741e5172420"
    >>> pf.operators.stake.Drill().play(*seeds, 0)
    array([2.94, 1.77, 6.1 ])
    """

    scheme = SCHEME
    kind = independent(multiplier(), 3, name="drill", rises=True, gathered=UpTo(1000), asked=True)

    def part(self, draws: Draws, place: int) -> np.ndarray:
        number = draws.below(_WORDS) / _WORDS
        return np.where(number < 0.02, 1, floor_to_cents(np.minimum(0.98 / (1 - number), 2e6)))

    if TYPE_CHECKING:

        def distribution(
            self, law: str = "ideal", *, cash_out: float | None = None, drill: int = 0, of: Any = None
        ) -> Distribution: ...
        def observe(
            self, outcomes: ArrayLike, *, cash_out: float | None = None, drill: int = 0, of: Any = None
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            cash_out: float | None = None,
            drill: int = 0,
            of: Any = None,
        ) -> Bet: ...


class Roulette(WheelGame):
    """Stake's roulette: a number from 0 to 36, ``floor(f * 37)``.

    Notes
    -----
    Checked on 21 published rounds: 16 bets of 2019, 5 of the calculator.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "f7b51b19a4563681f2c1e00ef747884a", "94ffb08138facf8cffa9c376d703aaed"
    >>> pf.operators.stake.Roulette().play(*seeds, [0, 1, 2])
    array([33,  6, 22])
    """

    scheme = SCHEME
    kind = wheel(37)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(37)


@dataclass(frozen=True)
class _AtRisk:
    """The view of a bet that is paid by the table of a risk; without a risk that of the other questions."""

    unasked: Callable[[Any, Mapping[str, Any]], View]
    risks: tuple[str, ...]
    table: Callable[[Any, str, Of | None], Sequence[float]]
    beside: str

    def __call__(self, game: Any, asked: Mapping[str, Any]) -> View:
        others = {name: value for name, value in asked.items() if name != "risk"}
        risk = asked.get("risk")
        if risk is None:
            return self.unasked(game, others)
        choice("risk", risk, self.risks)
        one_of({"risk": risk} | {name: value for name, value in others.items() if name != self.beside})
        number = self.unasked(game, others).of
        return View(PaidByTable(number, tuple(self.table(game, risk, number))), pays=True)


def _with_risk(
    kind: Kind,
    risks: Collection[str],
    table: Callable[[Any, str, Of | None], Sequence[float]],
    *,
    beside: str = "",
) -> Kind:
    """Return a kind with one more question, the risk of a bet, which says by what table it is paid.

    The table is found from a game, a risk and what it goes by: the view of the question that may be asked
    beside the risk, if there is one.
    """
    listed = ", ".join(f'"{risk}"' for risk in risks)
    doc = f"{{{listed}}}, optional\nThe operator's table by which a bet is paid."
    questions = (Question("risk", "str | None", doc), *kind.questions)
    laws = kind.laws if paid_by_table_law in kind.laws else (paid_by_table_law, *kind.laws)
    view = _AtRisk(kind.view, tuple(risks), table, beside)
    return replace(kind, questions=questions, view=view, laws=laws, needs="risk")


def _listed(name: str, value: int, listed: Mapping[int, Sequence[float]]) -> Sequence[float]:
    """Return the row of a game in its risk's table; refused where the table has none."""
    if value not in listed:
        known = ", ".join(map(str, listed))
        raise BadValue("risk", f"has tables for {known} {name}, and the game has {value}: give a payout")
    return listed[value]


def _wheel_table(game: Any, risk: str, number: Of | None) -> Sequence[float]:
    return _listed("segments", game.segments, tables.WHEEL[risk])


class Wheel(WheelGame):
    """Stake's wheel: the segment at which it stops, ``floor(f * segments)``.

    Parameters
    ----------
    segments : int
        The number of segments, 1 to 1000.

    Notes
    -----
    Checked on 10 published rounds: bets of 2019 with 10 and 20 segments.

    ``bet(risk="low")`` is paid by the operator's tables of March 2026, which have 10, 20, 30, 40 or 50
    segments and return 0.99. Other bets need a payout.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "94487b24ed990e977c5c386bf78f4196bc8a35dd268b5459166e4b277d705cfb", "qOw5CFFd"
    >>> wheel = pf.operators.stake.Wheel(segments=10)
    >>> wheel.play(*seeds, [2, 3, 4])
    array([5, 0, 2])
    >>> wheel.bet(risk="high", law="ideal").exact_rtp
    Fraction(99, 100)
    """

    segments: int = Range(1, 1000, default=10)
    scheme = SCHEME
    kind = _with_risk(wheel("segments"), tables.WHEEL, _wheel_table)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(self.segments)

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            risk: str | None = None,
            sectors: Numbers | None = None,
            of: Of | None = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            risk: str | None = None,
            sectors: Numbers | None = None,
            of: Of | None = None,
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            risk: str | None = None,
            sectors: Numbers | None = None,
            of: Of | None = None,
        ) -> Bet: ...


def _plinko_table(game: Any, risk: str, number: Of | None) -> Sequence[float]:
    if number is None:
        raise BadType("risk", "isn't supported with bucket=False: ask one of them")
    half = _listed("rows", game.rows, tables.PLINKO[risk])
    return (*half, *half[: game.rows + 1 - len(half)][::-1])


class Plinko(PegsGame, IndependentGame):
    """Stake's plinko: at each row of pins 0, to the left, or 1, to the right: ``floor(f * 2)`` a row.

    Parameters
    ----------
    rows : int
        The number of rows, 1 to 16.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019 with 16 rows.

    ``bet(risk="low")`` is paid by the operator's tables for 8 to 16 rows, as copied in November 2024
    (github.com/AnsonH/plinko-game). They return 0.989 to 0.992. The tables of March 2026 differ in one
    number, 27 for 26 with 16 rows of high risk, taken for an error: it would return 0.9934. Other bets need
    a payout.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "05ab9aeec2e6a8cd924f2aeab4dabe68f53c75c43c5fde1f2e0b5103cdd8efc9", "Se6QIZfZ"
    >>> plinko = pf.operators.stake.Plinko(rows=16)
    >>> plinko.play(*seeds, 1)
    array([0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1])
    >>> bet = plinko.bet(risk="high")
    >>> float(bet.law.outcomes[-1]), round(bet.rtp, 5)
    (1000.0, 0.98976)
    """

    rows: int = Range(1, 16, default=16)
    scheme = SCHEME
    kind = _with_risk(
        independent(wheel(2), "rows", name="row", whole=pegs("rows")),
        tables.PLINKO,
        _plinko_table,
        beside="bucket",
    )

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(2)

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            risk: str | None = None,
            bucket: bool = True,
            payout: Payout | None = None,
            of: Of | None = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            risk: str | None = None,
            bucket: bool = True,
            payout: Payout | None = None,
            of: Of | None = None,
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            risk: str | None = None,
            bucket: bool = True,
            of: Of | None = None,
        ) -> Bet: ...


def _keno_table(game: Any, risk: str, number: Of | None) -> Sequence[float]:
    listed = tables.KENO[risk]
    if not isinstance(number, Hits):
        raise BadType("hits", f"must be given with risk: 1 to {len(listed)} numbers")
    picks, last = number.chosen, game.kind.facts["size"] - 1
    if not 1 <= len(picks) <= len(listed) or picks[-1] > last:
        problem = f"must be 1 to {len(listed)} numbers from 0 to {last} with risk, got {list(picks)!r:.80}"
        raise BadValue("hits", problem)
    return listed[len(picks) - 1]


class Keno(SampleGame):
    """Stake's keno: ten numbers from 0 to 39, in the order drawn, by removal from those left.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019.

    ``bet(risk="classic", hits={1, 2, 3})``, with up to ten picks, is paid by the operator's tables, as copied
    in October 2023 (github.com/tokenwin/verify, which names no operator) and, as Stake's, without a date
    (github.com/JadenB9/casino-simulator). They return 0.986 to 0.991. Other bets need a payout.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "9f7e2493d3e64681667295f3a2ffd7da0fcf1d24181bbb1ca71df589304e878d", "v750-_nL"
    >>> keno = pf.operators.stake.Keno()
    >>> keno.play(*seeds, 1)
    array([18, 28, 34, 21, 36, 13, 31, 24,  6,  2])
    >>> keno.distribution(hits={1, 2, 3}).mean(exact=True)
    Fraction(3, 4)
    >>> keno.bet(risk="classic", hits={7}, law="ideal").exact_rtp
    Fraction(99, 100)
    """

    scheme = SCHEME
    kind = _with_risk(sample(40, 10), tables.KENO, _keno_table, beside="hits")

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(40, 10)

    if TYPE_CHECKING:

        def distribution(
            self,
            law: str = "ideal",
            *,
            risk: str | None = None,
            hits: Numbers | None = None,
            of: Of | None = None,
        ) -> Distribution: ...
        def observe(
            self,
            outcomes: ArrayLike,
            *,
            risk: str | None = None,
            hits: Numbers | None = None,
            of: Of | None = None,
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            risk: str | None = None,
            hits: Numbers | None = None,
            of: Of | None = None,
        ) -> Bet: ...


class Mines(BoardGame):
    """Stake's mines: the cells with mines, 0 to 24, in the order drawn, by removal from those left.

    Parameters
    ----------
    mines : int
        The number of mines, 1 to 24.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019, whose fields were given in the order of all 24 draws.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "e8c495e2af38633f6ad42e0da12c8e3de7420d5284d054e36e83fdd2f13db44d", "huoauPze"
    >>> pf.operators.stake.Mines(mines=3).play(*seeds, 1)
    array([ 2, 12,  5])
    """

    mines: int = Range(1, 24, default=3)
    scheme = SCHEME
    kind = board(25, count="mines")

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(25, self.mines)


class DragonTower(TowerGame, IndependentGame):
    """Stake's dragon tower: the eggs in each of nine rows, by removal. Eggs are safe.

    Parameters
    ----------
    tiles : int
        The number of tiles in a row, 2 to 4.
    eggs : int
        The number of tiles with an egg, less than `tiles`.

    Notes
    -----
    Checked on 2 published rounds, of the calculator: 3 of 4, 1 of 2.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "f0344667883e7628a041d8e500e6d203", "2a73709723181740d73e64233275c29c"
    >>> pf.operators.stake.DragonTower(tiles=2, eggs=1).play(*seeds, 2).ravel()
    array([0, 0, 0, 1, 0, 1, 0, 0, 1])
    """

    tiles: int = Range(2, 4, default=4)
    eggs: int = Range(1, 3, default=3)
    scheme = SCHEME
    kind = independent(sample("tiles", "eggs"), 9, name="row", whole=tower(9, "tiles", "eggs", safe=True))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.eggs >= self.tiles:
            raise BadValue("eggs", f"must be fewer than the {self.tiles} tiles of a row, got {self.eggs}")

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.sample(self.tiles, self.eggs)


class Moles(TowerGame, IndependentGame):
    """Stake's moles: the moles in each of nine rows of seven holes, drawn by removal. Picking one loses.

    Parameters
    ----------
    moles : int
        The number of moles in a row, 1 to 6.

    Notes
    -----
    Checked on 2 published rounds, of the calculator: 1 and 2 moles.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "9ad3b1a17cb0221603ce4e1b84eb54ab", "d92549aa62e5091371536bf5ee9dfb21"
    >>> pf.operators.stake.Moles(moles=2).play(*seeds, 1)[:2]
    array([[1, 5],
           [0, 3]])
    """

    moles: int = Range(1, 6, default=1)
    scheme = SCHEME
    kind = independent(sample(7, "moles"), 9, name="row", whole=tower(9, 7, "moles"))

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.sample(7, self.moles)


class RockPaperScissors(IndependentGame):
    """Stake's rock paper scissors: the house's hand, 0 rock, 1 paper, 2 scissors: ``floor(f * 3)``.

    Parameters
    ----------
    rounds : int
        The number of throws, 1 to 1000.

    Notes
    -----
    Checked on 1 published round, of the calculator: ten throws.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "b3f276eca635f24d58e8f3822ba1d15c", "ae8378fe6eadaa711af43746ea6766e0"
    >>> pf.operators.stake.RockPaperScissors(rounds=5).play(*seeds, 0)
    array([1, 0, 2, 0, 1])
    """

    rounds: int = Range(1, 1000, default=20)
    scheme = SCHEME
    kind = independent(wheel(3), "rounds", name="throw")

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(3)


class Flip(IndependentGame):
    """Stake's flip: 0 tails, 1 heads: ``floor(f * 2)``.

    Parameters
    ----------
    rounds : int
        The number of flips, 1 to 1000.

    Notes
    -----
    Checked on 1 published round, of the calculator: twenty flips.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "8b9c7cf18c001dfb7ea6f6fe52f3df95", "247e90a65d07b3c4d629ada402918f03"
    >>> pf.operators.stake.Flip(rounds=6).play(*seeds, 0)
    array([1, 1, 1, 1, 0, 1])
    """

    rounds: int = Range(1, 1000, default=20)
    scheme = SCHEME
    kind = independent(wheel(2, words={"heads": 1, "tails": 0, "true": 1, "false": 0}), "rounds", name="flip")

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(2)


@dataclass(frozen=True)
class MatchedGems:
    """The payout of five gems by how many pairs of them match, as `Diamonds` pays."""

    def __call__(self, gems: np.ndarray) -> np.ndarray:
        alike = (gems[:, :, np.newaxis] == gems[:, np.newaxis, :]).sum(axis=(1, 2))
        pairs = (alike - gems.shape[1]) // 2  # without each with itself; pairs are counted twice
        paid: np.ndarray = np.array(tables.DIAMONDS)[pairs]
        return paid


def _bet_on_gems(game: Any, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Let a bet that says nothing be on the pattern of five gems."""
    if payout is None and not asked and game.gems == 5:
        asked = {"of": MatchedGems()}
    return payout, asked


class Diamonds(IndependentGame):
    """Stake's diamonds: gems of seven colors, ``floor(f * 7)``; `gems` names them. Diamond poker has ten.

    Parameters
    ----------
    gems : int
        The number of gems, 1 to 10.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019 on diamond poker.

    ``bet()`` on five gems is paid by how many are of one color: a pair 0.1, two pairs 2, three 3, a full
    house 4, four 5, five 50. The operator's guide of March 2024 has the least and the most, a copy without a
    date the others (github.com/JadenB9/casino-simulator). It returns 0.9829, as the operator states. Other
    bets, and other numbers of gems, need a payout.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "f19428a59b46edad1f01ecdb37561fc69a6911ab395fe4ee4afce83a9f154372", "0IIspHiL"
    >>> stake = pf.operators.stake
    >>> stake.gems(stake.Diamonds(gems=5).play(*seeds, 1))
    ['red', 'yellow', 'red', 'green', 'purple']
    >>> round(stake.Diamonds().bet().rtp, 4)
    0.9829
    """

    gems: int = Range(1, 10, default=5)
    scheme = SCHEME
    kind = independent(wheel(len(_GEMS)), "gems", name="gem", bet_on=_bet_on_gems, needs="")

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(len(_GEMS))


class Slots(IndependentGame):
    """Stake's slots: the stops of five reels, ``floor(f * 30)`` of four and ``floor(f * 41)`` of the last.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "e53bf7c2493baffcf1fbc7a63673f54cb5bb7a50a9b6a8e5b0ff1fefbd27ac6e", "3Kzi9PUo"
    >>> pf.operators.stake.Slots().play(*seeds, 1)
    array([12, 26, 17, 16, 16])
    """

    scheme = SCHEME
    kind = independent(plain(shape=(), dtype=int), len(tables.STOPS), name="reel")

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(tables.STOPS[place % len(tables.STOPS)])


def _cards_of(count: str | int) -> Kind:
    """Return the kind of cards of an unlimited deck."""
    return independent(wheel(DECK, words=WORDS), count, name="card")


class _Cards(IndependentGame):
    """Cards of an unlimited deck: ``floor(f * 52)`` each."""

    scheme = SCHEME

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(DECK)


class Hilo(_Cards):
    """Stake's hilo: cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    Parameters
    ----------
    cards : int
        The number of cards, 1 to 1000.

    Notes
    -----
    Checked on 5 published rounds: 4 bets of 2019, 1 of the calculator.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "412780c6e08859f955318b5c7c75e288", "54560a34f054ad0c19edac66cf6b8e45"
    >>> stake = pf.operators.stake
    >>> stake.cards(stake.Hilo(cards=4).play(*seeds, 0))
    ['8♦', '6♠', '5♠', '5♣']
    """

    cards: int = Range(1, 1000, default=20)
    kind = _cards_of("cards")


def _blackjack() -> Any:
    from provably_fair.cards import Blackjack

    return Blackjack(
        soft_17="stand",
        hole_card="peek",
        blackjack_pays=Fraction(3, 2),
        split_aces="one_card",
        ten_ace_after_split="21",
        surrender="none",
        insurance=True,
    )


class Blackjack(Deal, _Cards):
    """Stake's blackjack: cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    The first two cards are the player's, the next two the dealer's, the first of them showing; the others are
    drawn as needed. At its table, the dealer peeks for blackjack and stands on soft 17; blackjack pays 3:2;
    double on any two cards, also after a split; one split, one card on each split ace, and no blackjack after
    a split; insurance; no surrender. The house edge of these rules is 0.57 %, as the operator states.

    Parameters
    ----------
    cards : int
        The number of cards, 1 to 1000.

    Notes
    -----
    Checked on 7 published rounds: bets of 2019, each with the cards that were dealt.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "abf5e01d286b951bf4ef72b87720aeed3889b467660deeec3a0b1df677282ad6", "oTmxwsdI"
    >>> pf.operators.stake.Blackjack(cards=5).play(*seeds, 1)
    array([42, 37, 30, 11, 45])
    >>> print(pf.operators.stake.Blackjack().replay(*seeds, 1, actions=["stand"]))
    player   Q♠ J♥ (20): win, +1 bet
    dealer   9♠ 4♣ K♥ (23)
    actions  stand
    net      +1 bet
    >>> print(f"{pf.operators.stake.Blackjack().table.analyze().house_edge:.2%}")
    0.57%
    """

    cards: int = Range(1, 1000, default=20)
    kind = card_table("actions", Pack(math.inf, NUMBERS), of=_cards_of("cards"), table=_blackjack)


def _points(cards: np.ndarray) -> np.ndarray:
    """Return what cards count at baccarat: an ace 1, tens and pictures 0."""
    counts: np.ndarray = np.array([*range(2, 10), 0, 0, 0, 0, 1])[np.asarray(cards) // 4]
    return counts


# By the banker's total: the counts of the player's third card after which the banker draws, too.
_BANKER_DRAWS = np.array(
    [range(10), range(10), range(10), [*range(8), 9], range(2, 8), range(4, 8), (6, 7)], object
)
_DRAWS = np.array([[count in drawn for count in range(10)] for drawn in _BANKER_DRAWS] + [[False] * 10] * 3)


def _winners(points: np.ndarray) -> np.ndarray:
    """Return who wins, from what the six cards of each round count, (N, 6)."""
    player, banker = points[:, :2].sum(axis=1) % 10, points[:, 2:4].sum(axis=1) % 10
    natural = np.maximum(player, banker) >= 8
    third = ~natural & (player <= 5)
    # The banker's third card is the next: the fifth, if the player stands.
    after = np.where(third, _DRAWS[banker, points[:, 4]], banker <= 5) & ~natural
    player = (player + third * points[:, 4]) % 10
    banker = (banker + after * np.where(third, points[:, 5], points[:, 4])) % 10
    winners: np.ndarray = np.array(["banker", "tie", "player"])[np.sign(player - banker) + 1]
    return winners


@dataclass(frozen=True, repr=False)
class Winner:
    """Who wins at baccarat: "player", "banker" or "tie"."""

    def __repr__(self) -> str:
        return "winner"

    def __call__(self, cards: np.ndarray) -> np.ndarray:
        return _winners(_points(cards))


def _view_of_winner(game: Any, asked: Mapping[str, Any]) -> View:
    of = asked.get("of")
    if isinstance(of, str):
        choice("of", of, ("winner",))
    return View(Winner() if isinstance(of, str) else of)


def _winner_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of the winner: totals of two cards, and both third cards, stand for 52**6 deals."""
    if not isinstance(of, Winner):
        return None
    which = "as_drawn" if drawn else "ideal"
    one, two, *_, third, last = (game.distribution(which, of=OfPart(place, _points)) for place in range(6))
    pair = (one + two).map(lambda total: total % 10)
    laws = (pair, pair, third, last)
    player, banker, *thirds = (
        part.ravel() for part in np.meshgrid(*[law.outcomes for law in laws], indexing="ij")
    )
    weights = functools.reduce(np.multiply.outer, [np.array(law.weights, object) for law in laws])
    nothing = np.zeros_like(player)
    return distribution.Distribution(
        _winners(np.stack([player, nothing, banker, nothing, *thirds], axis=1)), weights.ravel()
    )


_BACCARAT = Kind(
    name="baccarat",
    questions=(
        Question(
            "of",
            "str | Of | None",
            "str or callable, optional\n"
            '"winner": "player", "banker" or "tie". Or a function from cards, an array (N, 6), to values,\n'
            "(N,).",
        ),
    ),
    texts=Texts(
        "Return the exact law of the winner, or of a function of the cards.",
        returns="Of the winner, or of what is asked.",
        examples=""">>> import provably_fair as pf
>>> pf.operators.stake.Baccarat().distribution(of="winner").pmf(["player", "banker", "tie"]).round(5)
array([0.44615, 0.45843, 0.09543])""",
    ),
    view=_view_of_winner,
    laws=(_winner_law,),
    words=WORDS,
)


class Baccarat(_Cards):
    """Stake's baccarat: six cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    The first two cards are the player's, the next two the banker's; the third cards follow, by the usual
    rules, the player's first. ``of="winner"`` says who wins.

    Notes
    -----
    Checked on 4 published rounds: bets of 2019, each with the cards that were dealt. Their numbers of cards
    confirm whose cards these are.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"
    >>> baccarat = pf.operators.stake.Baccarat()
    >>> baccarat.play(*seeds, 14)
    array([ 3, 47, 22, 14, 25, 22])
    >>> baccarat.observe(baccarat.play(*seeds, range(12, 16)), of="winner").tolist()
    ['player', 'player', 'banker', 'player']

    A bet on the player that pays 2, and is returned after a tie:

    >>> round(baccarat.bet({"player": 2, "tie": 1}, of="winner").rtp, 5)
    0.98772
    """

    kind = independent(wheel(DECK, words=WORDS), 6, name="card", whole=_BACCARAT)


class VideoPoker(Deal):
    """Stake's video poker: ten cards of one deck, by removal; `cards` names them.

    The first five are dealt; the others replace, in order, the cards that the player doesn't hold.

    Notes
    -----
    Checked on 4 published rounds: bets of 2019.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"
    >>> pf.operators.stake.VideoPoker().play(*seeds, 1)
    array([36, 38, 47, 39,  1, 35, 25, 29, 30, 15])
    """

    scheme = SCHEME
    kind = card_table("hold", Pack(1, NUMBERS), cards=10, words=WORDS)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(DECK, 10)


class Leveled(Game):
    """A game with levels."""

    level: str = Choice(tables.LEVELS, default="easy")


def _path_law(game: Any, drawn: bool, of: Any) -> Distribution:
    """Return the law of the multiplier of a path.

    Ends are removed from what is left. As long as none of the first m places is among them, these are first
    among those that are left, too: each draw must be of m or more.
    """
    ends, reached = tables.ENDS[game.level], []
    for place in range(game.places - ends + 2):
        some = 1
        for left in range(game.places, game.places - ends, -1):
            (below,), total = weights_below(game.scheme, left, [place]) if drawn else ([place], left)
            some *= total - below
        reached.append(some)
    weights = [more - less for more, less in itertools.pairwise(reached)]
    law = distribution.Distribution(game.multipliers, weights)
    return law if of is None else distribution.Distribution(values_of(of, law.outcomes), law.weights)


class Path(Leveled, MultiplierGame):
    """A path of places, some of which end it: the multiplier of the last place before the first of them.

    That of m places is 0.98 divided by the probability of getting as far, rounded to cents.
    """

    scheme = SCHEME
    kind = multiplier(table="multipliers", laws=(_path_law,), quick=True)
    places: ClassVar[int]
    """How many places there are."""

    @property
    def multipliers(self) -> tuple[float, ...]:
        """The level's multipliers: for no steps, one step, and so on."""
        return _multipliers(self.places, tables.ENDS[self.level])

    def outcome(self, draws: Draws) -> np.ndarray:
        ends = draws.sample(self.places, tables.ENDS[self.level])
        paid: np.ndarray = np.array(self.multipliers)[ends.min(axis=1)]
        return paid


@functools.cache
def _multipliers(places: int, ends: int) -> tuple[float, ...]:
    multipliers = [1.0]
    for passed in range(1, places - ends + 1):
        double = 98 * math.comb(places, ends) / (100 * math.comb(places - passed, ends))
        # As `toFixed` rounds: the double, which is above or below what it stands for, and ties upward.
        multipliers.append(math.floor(Fraction(double) * 100 + Fraction(1, 2)) / 100)
    return tuple(multipliers)


class Chicken(Path):
    """Stake's chicken: the multiplier of the last lane before the first with a car.

    Of 20 lanes, 1, 3, 5 or 10 have a car, by removal. A bet names the multiplier at which the player stops:
    ``bet(cash_out=2.45)``.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The level, which sets the number of lanes with a car.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; multipliers as in the table of March 2026.
    They return 0.98, apart from rounding to cents.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "b8f031e0928677105e302f4979d58911", "beb2f0d281049dd680fa1577861655cb"
    >>> chicken = pf.operators.stake.Chicken(level="medium")
    >>> float(chicken.play(*seeds, 1))
    3.07
    >>> chicken.bet(cash_out=3.91, law="ideal").exact_rtp
    Fraction(55913, 57000)
    """

    places = 20


class Pump(Path):
    """Stake's pump: the multiplier of the last pump before the balloon bursts.

    1, 3, 5 or 10 of 25 pumps, drawn by removal, burst it. A bet names the multiplier at which the player
    stops: ``bet(cash_out=2.04)``.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The level, which sets the number of pumps that burst the balloon.

    Notes
    -----
    Checked on 5 published rounds, of the calculator, 2025-2026; multipliers as in the table of March 2026.
    They return 0.98, apart from rounding to cents. One more round of the same seeds (medium, nonce 5)
    was published as 1.7, but the table and its formula, 0.98 * C(25, 3) / C(21, 3), give 1.69.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "d027ce5077bd62a2072de5521fcad8b7", "b39cea8e183258455750e51667d3aec0"
    >>> float(pf.operators.stake.Pump(level="hard").play(*seeds, 2))
    6.08
    """

    places = 25


@functools.lru_cache
def _lookup(rows: tuple[tuple[float, float], ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return a table's thresholds in increasing order, and what numbers from each on are worth."""
    least, values = np.array(rows[::-1], dtype=np.float64).T.copy()
    return least, values


def _worth(rows: tuple[tuple[float, float], ...], numbers: np.ndarray) -> np.ndarray:
    """Return what numbers are worth by a table."""
    least, values = _lookup(rows)
    return values[np.searchsorted(least, numbers, side="right") - 1]


class Cases(Leveled):
    """Stake's cases: the payout of the case, from a table by the first number f.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The table of multipliers.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; tables of March 2026.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "e89f72064b8e4fbb5dd7f28da282e2a5", "15df5f1542e8e79ef16471326c26c471"
    >>> cases = pf.operators.stake.Cases(level="hard")
    >>> float(cases.play(*seeds, 2)), round(cases.bet().rtp, 4)
    (0.8, 0.98)
    """

    scheme = SCHEME
    monotone = True
    kind = plain(shape=(), dtype=float)

    def outcome(self, draws: Draws) -> np.ndarray:
        return _worth(tables.CASES[self.level], draws.number())

    def pays(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the payout of a case: its multiplier.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.stake.Cases().pays([0.4, 10])
        [0.4, 10]
        """
        return outcomes


class Tarot(Leveled, IndependentGame):
    """Stake's tarot: the multipliers of three cards, each from a table by its number f.

    The first and the third are minor arcana, the second is a major one. A bet pays their product.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The tables of multipliers.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; tables of March 2026.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "0f256f45dab125edf2c213798905c25a", "7a34199d71831c82045177b0fc47b8ea"
    >>> tarot = pf.operators.stake.Tarot(level="medium")
    >>> tarot.play(*seeds, 1), round(tarot.bet().rtp, 4)
    (array([0.3, 1. , 2. ]), 0.98)
    """

    scheme = SCHEME
    kind = independent(plain(shape=(), dtype=float), 3, name="card", rises=True)

    def part(self, draws: Draws, place: int) -> np.ndarray:
        arcana = tables.MAJOR if place == 1 else tables.MINOR
        return _worth(arcana[self.level], draws.number())

    def pays(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the payout of a hand: the product of its cards.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.stake.Tarot().pays([[1.5, 1, 0.4], [2, 5, 2]])
        array([ 0.6, 20. ])
        """
        return product_of(outcomes)


def _tiles_played(game: Any, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Let a bet be on the tiles that are played."""
    return payout, asked or {"of": Total(places=tuple(range(game.tiles)))}


def _tiles_noted(game: Any) -> str:
    """Return what returns rest on."""
    return (
        ""
        if game.tiles == 1
        else "that values are divided among tiles rests on one published round, with 4 tiles"
    )


class Bars(Leveled, IndependentGame):
    """Stake's bars: the payouts of thirty tiles, each from a table by its number f.

    A tile pays the table's value divided by the number of tiles played, floored to cents. A bet pays the sum
    of the first `tiles` tiles; any other choice of tiles has the same law.

    Parameters
    ----------
    level : {"easy", "medium", "hard", "expert"}
        The table of multipliers.
    tiles : int
        The number of tiles played, 1 to 30.

    Notes
    -----
    Checked on 2 published rounds, of the calculator, 2025-2026: with 1 and 4 tiles. Tables of March 2026.
    That values are divided among tiles and then floored rests on one of them, and so do the returns of bets
    on more than one tile, as `bet().note` says.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "fdf5ba1da695bc3ac930aebc9f48d492", "decd704b830421ecbdfcc7ca209ad42d"
    >>> bars = pf.operators.stake.Bars(level="easy", tiles=4)
    >>> bars.play(*seeds, 3)[:7], round(bars.bet().rtp, 4)
    (array([0.1 , 0.15, 0.1 , 0.3 , 0.15, 0.15, 0.15]), 0.9784)
    """

    tiles: int = Range(1, 30, default=1)
    scheme = SCHEME
    kind = independent(
        plain(shape=(), dtype=float),
        30,
        name="tile",
        rises=True,
        bet_on=_tiles_played,
        note=_tiles_noted,
        needs="",
    )

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return _worth(_shared(tables.BARS[self.level], self.tiles), draws.number())


@functools.lru_cache
def _shared(rows: tuple[tuple[float, float], ...], tiles: int) -> tuple[tuple[float, float], ...]:
    """Return a table whose values are divided among tiles: exactly, and only then floored to cents."""
    return tuple((least, math.floor(Fraction(str(value)) * 100 / tiles) / 100) for least, value in rows)


def _pack_paid(game: Any, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Let a bet be on the values of the cards."""
    return payout, asked if asked or payout is not None else {"of": Total(_card_pays)}


class Packs(IndependentGame):
    """Stake's packs: five of 240 cards, 1 the rarest, each from a table by its number f, in the order drawn.

    A bet pays the sum of its cards' values.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026, whose cards are listed in increasing order;
    table of March 2026.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "323d470df849d31038224972f224893c", "5de0bfa2035f29d4d12042e5118cdb42"
    >>> packs = pf.operators.stake.Packs()
    >>> packs.play(*seeds, 0), round(packs.bet().rtp, 4)
    (array([128, 122, 205, 207, 214]), 0.9995)
    """

    scheme = SCHEME
    kind = independent(
        plain(shape=(), dtype=int), 5, name="card", rises=True, ordered=False, bet_on=_pack_paid, needs=""
    )

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return np.searchsorted(-_pack_thresholds(), -draws.number(), side="left") + 1


@functools.cache
def _pack_thresholds() -> np.ndarray:
    """Return the least number of each card, from card 1."""
    widths = np.repeat(*np.array(tables.PACKS_WIDTHS).T)
    return (10**8 - np.cumsum(widths)) / 1e8


def _card_pays(cards: np.ndarray) -> np.ndarray:
    """Return what cards of packs pay."""
    pays, counts = np.array(tables.PACKS_PAYS).T
    paid: np.ndarray = np.repeat(pays, counts.astype(np.int64))[cards - 1]
    return paid


@dataclass(frozen=True)
class Rolled:
    """The payout of rolls of snakes."""

    level: str
    rolls: int

    def __call__(self, sums: np.ndarray) -> np.ndarray:
        return product_of(np.array(tables.SNAKES[self.level])[sums[:, : self.rolls] - 2])


def _view_of_rolls(game: Any, asked: Mapping[str, Any]) -> View:
    level, rolls, of = asked.get("level"), asked.get("rolls", 1), asked.get("of")
    if level is None:
        return View(of)
    choice("level", level, tables.SNAKES)
    return View(Rolled(level, integer("rolls", rolls, 1, game.kind.facts["parts"])), pays=True)


_ROLLS = Kind(
    name="snakes",
    questions=(
        Question(
            "level",
            "str | None",
            '{"easy", "medium", "hard", "expert", "master"}\nThe table of multipliers.',
        ),
        Question("rolls", "int", "int\nThe number of rolls after which the player stops, 1 to 5.", default=1),
        Question(
            "of",
            "Of | None",
            "callable, optional\nInstead: a function from sums, an array (N, 5), to values, (N,).",
        ),
    ),
    texts=Texts(
        "Return the exact law of the payout of rolls.",
        returns="The law of the return of a bet of 1.",
        examples=""">>> import provably_fair as pf
>>> pf.operators.stake.Snakes().distribution(level="expert").pmf([0, 3.82, 10])
array([0.83333333, 0.11111111, 0.05555556])""",
    ),
    view=_view_of_rolls,
    needs="level",
)


class Snakes(IndependentGame):
    """Stake's snakes: five rolls of two dice, each the sum of two ``floor(f * 6) + 1``.

    A bet, ``bet(level="easy", rolls=1)``, pays the product of the multipliers of its rolls, from a table by
    their sum; a snake's multiplier is 0.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026; tables of March 2026. They return 0.98 per
    roll, except for "easy", which returns 353/360.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "6f2359d994c63b1e32f357379aa2e372", "a8530c7a3bb928ac086d7ade9b07de9b"
    >>> snakes = pf.operators.stake.Snakes()
    >>> snakes.play(*seeds, 0)
    array([9, 6, 9, 4, 8])
    >>> snakes.bet(level="hard", rolls=2, law="ideal").exact_rtp == 0.98**2
    False
    """

    scheme = SCHEME
    kind = independent(plain(shape=(), dtype=int), 5, name="roll", whole=_ROLLS)

    def part(self, draws: Draws, place: int) -> np.ndarray:
        thrown: np.ndarray = draws.below(6) + draws.below(6) + 2
        return thrown

    if TYPE_CHECKING:

        def distribution(
            self, law: str = "ideal", *, level: str | None = None, rolls: int = 1, of: Any = None
        ) -> Distribution: ...
        def observe(
            self, outcomes: ArrayLike, *, level: str | None = None, rolls: int = 1, of: Any = None
        ) -> np.ndarray: ...
        def bet(
            self,
            payout: Any = None,
            *,
            law: str = "best",
            level: str | None = None,
            rolls: int = 1,
            of: Any = None,
        ) -> Bet: ...


class Zoo(IndependentGame):
    """Stake's zoo: three animals of a round that many players share; `animals` names them.

    Each of the first three times eight hex digits modulo 20 of the HMAC-SHA256 of the salt, keyed with the
    text of the game's hash: 0 lion, 1 cheetah, 2 and 3 elephant, 4 and 5 crocodile, 6 to 9 rhino, else
    penguin. The payouts are unknown.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026.

    Examples
    --------
    >>> import provably_fair as pf
    >>> stake = pf.operators.stake
    >>> game_hash = "8c6ccd93221a2e055e669f1950128dd92ff088683ecf116d7d8276820d45b052"
    >>> stake.animals(stake.Zoo().play(game_hash, "1d947e6516c7f0fc10cd17931c69daa9"))
    ['crocodile', 'rhino', 'penguin']
    """

    scheme = ZOO_SCHEME
    kind = independent(wheel(len(_ANIMALS)), 3, name="animal")

    def part(self, draws: Draws, place: int) -> np.ndarray:
        animal: np.ndarray = _ANIMAL_OF[draws.below(20)]
        return animal


def _stops_of_spins(game: Any) -> int:
    """Return how many stops the spins of a round have."""
    return int(game.spins) * len(tables.STOPS)


class ScarabSpins(Slots):
    """Stake's scarab spins: the stops of five reels, as in `Slots`.

    Three visible scatters, on the line or off it, give 15 free spins, also during free spins, up to 180 spins
    in all.

    Parameters
    ----------
    spins : int
        The number of spins in the outcome, 1 to 180, with five stops each; free spins come last.

    Notes
    -----
    Checked on 3 published rounds, of the calculator, 2025-2026, one of them with the first of its free spins.
    Reels of March 2026.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "a1c0b94f9a5e5ab9c0f08f2982537bd8", "d99174a86f29ac19c0b512e04b99461b"
    >>> pf.operators.stake.ScarabSpins().play(*seeds, 0)
    array([11, 23, 24,  9, 15])
    """

    spins: int = Range(1, tables.MAX_SPINS, default=1)
    kind = independent(plain(shape=(), dtype=int), _stops_of_spins, name="reel")

    def window(self, stops: ArrayLike) -> np.ndarray:
        """Return the visible symbols at stops, with the line in the middle.

        Parameters
        ----------
        stops : array-like of int, shape (..., 5)
            Stops of the five reels.

        Returns
        -------
        numpy.ndarray of str
            Shape (..., 3, 5): T, J, Q, K, A, 9, 1 to 5 for the pictures, W wild, * scatter.

        Examples
        --------
        >>> import provably_fair as pf
        >>> for row in pf.operators.stake.ScarabSpins().window([14, 20, 0, 24, 13]):
        ...     print(*row)
        Q * * 4 A
        J A K 9 J
        W 4 9 A *
        """
        stops = rectangular("stops", stops)
        if stops.dtype.kind not in "iu" or stops.shape[-1:] != (len(tables.STOPS),):
            raise BadType("stops", f"must be integers of five reels, got {stops.dtype} of {stops.shape}")
        if ((stops < 0) | (stops >= tables.STOPS)).any():
            raise BadValue("stops", f"must be from 0 and below {list(tables.STOPS)}")
        strip, first = np.array(list("".join(tables.REELS))), np.cumsum((0, *tables.STOPS[:-1]))
        seen: np.ndarray = strip[
            (stops[..., np.newaxis, :] + np.array([[-1], [0], [1]])) % tables.STOPS + first
        ]
        return seen

    def _scatters(self, stops: np.ndarray) -> np.ndarray:
        """Return windows that tell scatters apart from all else, wherever on a reel they are."""
        window = self.window(stops)
        return np.sort(np.where(window == tables.SCATTER, window, "-"), axis=-2)

    def all_spins(self, *seeds: object, **named: object) -> np.ndarray:
        """Return the stops of all spins of a round, including free ones.

        Parameters
        ----------
        *seeds, **named
            The fields of the scheme of one round, as `play` takes them.

        Returns
        -------
        numpy.ndarray
            Shape (spins, 5).

        Examples
        --------
        >>> import provably_fair as pf
        >>> seeds = "a1c0b94f9a5e5ab9c0f08f2982537bd8", "d99174a86f29ac19c0b512e04b99461b"
        >>> pf.operators.stake.ScarabSpins().all_spins(*seeds, 22).shape
        (31, 5)
        """
        found: np.ndarray = next(
            self._whole_rounds(dict(zip(self.scheme.fields, seeds, strict=False)) | named, 1)
        )[1][0]
        return found

    def free_spins(
        self,
        payout: Callable[[np.ndarray], Any] | None = None,
        *,
        times: float = 1,
        law: str = "ideal",
    ) -> FreeSpins:
        """Return a bet of 1 on a round with all its spins, with exact mean and variance, and simulations.

        Parameters
        ----------
        payout : callable, optional
            The payout of a spin: a function from windows, (N, 3, 5), to values, (N,). The operator's paytable
            is unknown. By default the payout is 0, and only the law of the number of spins is of use.
        times : number
            The multiplier of the payouts of free spins.
        law : str
            "ideal" or "as_drawn".

        Returns
        -------
        FreeSpins
            The bet.

        Examples
        --------
        >>> import provably_fair as pf
        >>> bet = pf.operators.stake.ScarabSpins().free_spins()
        >>> round(bet.spins.mean(), 4), round(float(bet.spins.pmf(1)), 6)
        (1.1221, 0.992744)
        """
        from provably_fair.bets import FreeSpins

        one = type(self)().with_scheme(self.scheme)
        reels = [one.distribution(law, of=OfPart(reel)).weights for reel in range(len(tables.STOPS))]
        pay = payout or _no_pay
        # Without pay a reel shows a scatter or none; with it, any window may pay something of its own.
        show = self.window if payout else self._scatters
        joint = weights_over_stops(reels, show, lambda seen: pay(seen) + 1j * _wins(seen))
        spin = {(paid.real, bool(paid.imag)): weight for paid, weight in joint.items()}

        def play(rounds: int, seed: int | str) -> np.ndarray:
            fields = simulated_rounds(one, rounds, seed).values()
            returns = np.zeros(rounds)
            for rows, stops in self._whole_rounds(fields, rounds):
                paid = pay(self.window(stops.reshape(-1, stops.shape[-1]))).reshape(stops.shape[:2])
                returns[rows] = paid[:, 0] + times * paid[:, 1:].sum(axis=1)
            return returns

        return FreeSpins(spin, tables.FREE_SPINS, tables.MAX_SPINS, times, play)

    def _whole_rounds(self, fields: dict[str, Any], rounds: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Give rounds of the same number of spins together: their rows, and the stops of all spins."""
        rows, spins = np.arange(rounds), 1
        while rows.size:
            game = type(self)(spins).with_scheme(self.scheme)
            some = {name: value if is_single(value) else value[rows] for name, value in fields.items()}
            stops = np.reshape(game.play(**some), (rows.size, spins, -1))
            given = 1 + tables.FREE_SPINS * _wins(self.window(stops)).sum(axis=1)
            over = np.minimum(given, tables.MAX_SPINS) == spins
            if over.any():
                yield rows[over], stops[over]
            rows = rows[~over]
            spins = min(spins + tables.FREE_SPINS, tables.MAX_SPINS)


def _wins(windows: np.ndarray) -> np.ndarray:
    """Return whether windows win free spins."""
    wins: np.ndarray = (windows == tables.SCATTER).sum(axis=(-2, -1)) >= tables.SCATTERS
    return wins


def _no_pay(windows: np.ndarray) -> np.ndarray:
    return np.zeros(len(windows))


class Darts(IndependentGame):
    """Stake's darts: the angle and the distance at which a dart hits, two numbers f.

    The picture of the board is unknown.

    Notes
    -----
    Checked on 4 published rounds, of the calculator, 2025-2026, which show three decimals.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "e1865fe1e308c311d932bb00b2ff3e4b", "4543e84c4eb767373f78a35a6dee2787"
    >>> pf.operators.stake.Darts().play(*seeds, 0).round(3)
    array([0.709, 0.91 ])
    """

    scheme = SCHEME
    kind = independent(plain(shape=(), dtype=float), 2, name="number", rises=True, gathered=Binned(100))

    def part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.number()


def gems(outcome: object) -> Any:
    """Return the colors of gems from their numbers in an outcome of `Diamonds`.

    Parameters
    ----------
    outcome : int or array-like of int
        Numbers from 0 to 6.

    Returns
    -------
    str or list
        A color, or lists of colors in the outcome's shape.

    Raises
    ------
    TypeError, ValueError
        When a number isn't a gem's.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.operators.stake.gems([0, 6])
    ['green', 'blue']
    """
    return names_of(_GEMS, outcome)


def animals(outcome: object) -> Any:
    """Return the names of animals from their numbers in an outcome of `Zoo`.

    Parameters
    ----------
    outcome : int or array-like of int
        Numbers from 0 to 5.

    Returns
    -------
    str or list
        A name, or lists of names in the outcome's shape.

    Raises
    ------
    TypeError, ValueError
        When a number isn't an animal's.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.operators.stake.animals([0, 5])
    ['lion', 'penguin']
    """
    return names_of(_ANIMALS, outcome)
