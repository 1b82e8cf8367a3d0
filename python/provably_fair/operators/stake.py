"""Stake's games: HMAC-SHA256 with the server seed as key, four bytes a number; games on a chain of hashes.

As recomputed from published rounds: bets of 2019, not later than December, whose seeds were revealed
(github.com/lotuseuy/stake-provably-fair-verifier), and results that the operator's own calculator showed,
which bear no date. What a bet pays is there only where it is part of the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from provably_fair._core.arguments import integer
from provably_fair._core.numbers import hundredth
from provably_fair.distribution import Distribution
from provably_fair.games import Look, UpTo
from provably_fair.games.draws import Draws
from provably_fair.games.kinds import (
    Board,
    Dicing,
    Independent,
    Multiplier,
    Pegs,
    Rows,
    Sample,
    aimed_at,
    ranges,
    view_law,
)
from provably_fair.games.kinds import (
    Wheel as Spinning,
)
from provably_fair.seeds import Hash, Scheme

from ._names import DECK, cards, names_of
from ._poker import PokerCards

if TYPE_CHECKING:
    from provably_fair.crypto_games import Blackjack as CardTable
    from provably_fair.crypto_games import BlackjackRound, Decision
    from provably_fair.crypto_games.blackjack.rules import RuleChanges

__all__ = [
    "CHAIN",
    "CRASH_TERMINATING",
    "SCHEME",
    "Baccarat",
    "Blackjack",
    "Crash",
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
    "Plinko",
    "RockPaperScissors",
    "Roulette",
    "Slide",
    "Slots",
    "VideoPoker",
    "Wheel",
    "cards",
    "gems",
]

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

_WORDS = 1 << 32
_GEMS = ("green", "purple", "yellow", "red", "cyan", "orange", "blue")


class Dice(Dicing):
    """Stake's dice: a number from 0.00 to 100.00.

    ``floor(f * 10001) / 100`` of the first number f. By the rule, and by default, a bet that wins brings
    back 99 divided by the chance in percent that the operator states: `under`, or 100 - `over`.

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

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(10_001) / 100

    _numbers = (0, 10_000, 100)

    def _view(self, *, under: Any = None, over: Any = None, of: Any = None) -> Any:
        view = super()._view(under=under, over=over, of=of)
        if under is None and over is None:
            return view
        limit = hundredth("number", over if under is None else under)
        chance = 10_000 - limit if under is None else limit
        return view._replace(payout=Fraction(9_900, chance)) if chance else view

    def _bet_questions(self, payout: object, questions: dict[str, Any]) -> dict[str, Any]:
        for name, least, most in ("under", 1, 10_000), ("over", 0, 9_999):
            if questions.get(name) is not None:  # a bet that can't win has no chance to be paid by
                hundredth(name, questions[name], least, most)
        return questions


def floor_to_cents(amounts: np.ndarray) -> np.ndarray:
    """Return amounts without what they have beyond two decimals."""
    cents: np.ndarray = np.floor(amounts * 100) / 100
    return cents


class _Aimed(Multiplier):
    """A multiplier that is there at once: a bet names its target, which is where it would be cashed out."""

    monotone = True
    _needs = "target"

    def distribution(
        self,
        law: str = "ideal",
        *,
        cash_out: float | None = None,
        target: float | None = None,
        of: Any = None,
    ) -> Distribution:
        """Return the exact law of the multiplier, or of what a bet of 1 pays that it is at least a target.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        cash_out, target : number, optional
            Two names for one thing: a multiplier of at least 1.01, with two decimals.
        of : callable, optional
            Something else: a function from multipliers, an array (N,), to values, (N,).

        Returns
        -------
        Distribution
            Of the multiplier; of a bet the target where it is reached, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> round(pf.operators.stake.Limbo().bet(target=2).rtp, 6)
        0.99
        """
        return view_law(self, law, self._view(cash_out=cash_out, target=target, of=of))

    def _looks(self) -> tuple[Look, ...]:
        return _UP_TO_1000


# Multipliers have more values than tests need: those of the tail are taken together.
_UP_TO_1000 = (Look("up to 1000", {"of": UpTo(1000)}),)


class Limbo(_Aimed):
    """Stake's limbo: a multiplier, floored to cents.

    Two readings are in circulation, which differ in 0.29 % of rounds. "2019":
    ``1e8 / (floor(f * 1e8) + 1) * 0.99``. "2026": ``2**24 / (floor(f * 2**24) + 1) * 0.99``. Values are what
    the formula gives, 0.99 among them.

    Parameters
    ----------
    reading : {"2019", "2026"}
        Which.

    Notes
    -----
    Checked on 22 published rounds: 16 bets of 2019, 6 of the calculator. "2026" gives another multiplier for
    the one of them that tells the readings apart, 3,807,692.30.

    Examples
    --------
    >>> import provably_fair as pf
    >>> limbo = pf.operators.stake.Limbo()
    >>> float(limbo.play("e8df2cc3b9ccb583ce5ea92336842387", "83e27f682128eb1852b048203dfd6931", 1942124))
    3807692.3
    """

    reading: str = "2019"
    scheme = SCHEME

    def __post_init__(self) -> None:
        if not isinstance(self.reading, str):
            raise TypeError(f"reading must be str, got {type(self.reading).__name__}")
        if self.reading not in _STEPS:
            raise ValueError(f"reading must be one of {', '.join(map(repr, _STEPS))}, got {self.reading!r}")
        super().__post_init__()

    def outcome(self, draws: Draws) -> np.ndarray:
        steps = _STEPS[self.reading]
        return floor_to_cents(steps / (draws.below(steps) + 1) * 0.99)


_STEPS = {"2019": 10**8, "2026": 1 << 24}


class Crashing(Multiplier):
    """A multiplier that many players watch rising."""

    monotone = True

    def _looks(self) -> tuple[Look, ...]:
        return _UP_TO_1000


class Crash(Crashing):
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

    def outcome(self, draws: Draws) -> np.ndarray:
        return _multiplier(draws, 0.99)


class Slide(_Aimed):
    """Stake's slide: a multiplier from 1.00, of a round that many players share.

    The same as `Crash`, with 0.98 in place of 0.99. The salt of its own chain isn't among the published
    rounds: give it, since by default it is that of `Crash`.

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

    def outcome(self, draws: Draws) -> np.ndarray:
        return _multiplier(draws, 0.98)


def _multiplier(draws: Draws, share: float) -> np.ndarray:
    multiplier: np.ndarray = np.maximum(1, floor_to_cents(_WORDS / (draws.below(_WORDS) + 1) * share))
    return multiplier


class Drill(Independent):
    """Stake's drill: the multipliers of three drills, of which the player has chosen one.

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
    _part_name = "drill"
    _needs = "target"
    _rises = True
    _parts = 3

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        number = draws.below(_WORDS) / _WORDS
        return np.where(number < 0.02, 1, floor_to_cents(np.minimum(0.98 / (1 - number), 2e6)))

    def distribution(
        self,
        law: str = "ideal",
        *,
        target: float | None = None,
        drill: int = 0,
        of: Any = None,
    ) -> Distribution:
        """Return the exact law of what a bet of 1 pays that a drill's multiplier is at least a target.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        target : number, optional
            At least 1.01, with two decimals.
        drill : int
            Which drill, 0 to 2.
        of : callable, optional
            Something else: a function from outcomes, an array (N, 3), to values, (N,).

        Returns
        -------
        Distribution
            Of the target where it is reached, else 0.

        Examples
        --------
        >>> import provably_fair as pf
        >>> round(pf.operators.stake.Drill().bet(target=2).rtp, 6)
        0.98
        """
        return view_law(self, law, self._view(target=target, drill=drill, of=of))

    def _view(self, *, target: Any = None, drill: int = 0, of: Any = None) -> Any:
        place = integer("drill", drill, 0, self._parts - 1)
        return super()._view(of=of) if target is None else aimed_at("target", target, place)


class Roulette(Spinning):
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

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(37)

    _sectors = 37


class Wheel(Spinning):
    """Stake's wheel: the segment that it stops at, ``floor(f * segments)``.

    Parameters
    ----------
    segments : int
        How many segments there are, 1 to 1000.

    Notes
    -----
    Checked on 10 published rounds: bets of 2019 with 10 and 20 segments.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "94487b24ed990e977c5c386bf78f4196bc8a35dd268b5459166e4b277d705cfb", "qOw5CFFd"
    >>> pf.operators.stake.Wheel(segments=10).play(*seeds, [2, 3, 4])
    array([5, 0, 2])
    """

    segments: int = 10
    scheme = SCHEME
    _parameters = ranges(segments=(10, 1, 1000))

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.below(self.segments)

    @property
    def _sectors(self) -> int:
        return self.segments


class Plinko(Pegs, Independent):
    """Stake's plinko: at each row of pins 0, to the left, or 1, to the right: ``floor(f * 2)`` a row.

    Parameters
    ----------
    rows : int
        How many rows there are, 1 to 16.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019 with 16 rows.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "05ab9aeec2e6a8cd924f2aeab4dabe68f53c75c43c5fde1f2e0b5103cdd8efc9", "Se6QIZfZ"
    >>> pf.operators.stake.Plinko(rows=16).play(*seeds, 1)
    array([0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1])
    """

    rows: int = 16
    scheme = SCHEME
    _part_name = "row"
    _parameters = ranges(rows=(16, 1, 16))

    @property
    def _pins(self) -> int:
        return self.rows

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(2)


class Keno(Sample):
    """Stake's keno: ten numbers from 0 to 39, in the order drawn, by removal from those left.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "9f7e2493d3e64681667295f3a2ffd7da0fcf1d24181bbb1ca71df589304e878d", "v750-_nL"
    >>> keno = pf.operators.stake.Keno()
    >>> keno.play(*seeds, 1)
    array([18, 28, 34, 21, 36, 13, 31, 24,  6,  2])
    >>> keno.distribution(hits={1, 2, 3}).mean(exact=True)
    Fraction(3, 4)
    """

    scheme = SCHEME

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(40, 10)


class Mines(Board):
    """Stake's mines: the cells with mines, 0 to 24, in the order drawn, by removal from those left.

    Parameters
    ----------
    mines : int
        How many mines there are, 1 to 24.

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

    scheme = SCHEME
    _parameters = ranges(mines=(3, 1, 24))

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(25, self.mines)


class DragonTower(Rows, Independent):
    """Stake's dragon tower: where the eggs lie in nine rows, by removal in each. One climbs on eggs.

    Parameters
    ----------
    of : int
        How many positions a row has, 2 to 4.
    eggs : int
        How many of them have an egg, fewer than `of`.

    Notes
    -----
    Checked on 2 published rounds, of the calculator: 3 of 4, 1 of 2.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "f0344667883e7628a041d8e500e6d203", "2a73709723181740d73e64233275c29c"
    >>> pf.operators.stake.DragonTower(of=2, eggs=1).play(*seeds, 2).ravel()
    array([0, 0, 0, 1, 0, 1, 0, 0, 1])
    """

    of: int = 4
    eggs: int = 3
    scheme = SCHEME
    _part_name = "row"
    _rows = _parts = 9
    _safe = True
    _parameters = ranges(of=(4, 2, 4), eggs=(3, 1, 3))

    @property
    def _positions(self) -> int:
        return self.of

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.eggs >= self.of:
            raise ValueError(f"eggs must be fewer than the {self.of} positions of a row, got {self.eggs}")

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.sample(self.of, self.eggs)


class Moles(Rows, Independent):
    """Stake's moles: where the moles are in nine rows of seven holes, by removal in each. One falls at moles.

    Parameters
    ----------
    moles : int
        How many moles a row has, 1 to 6.

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

    moles: int = 1
    scheme = SCHEME
    _part_name = "row"
    _rows = _parts = 9
    _positions = 7
    _parameters = ranges(moles=(1, 1, 6))

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.sample(self._positions, self.moles)


class RockPaperScissors(Independent):
    """Stake's rock paper scissors: what the house shows, 0 rock, 1 paper, 2 scissors: ``floor(f * 3)``.

    Parameters
    ----------
    rounds : int
        How many throws in a row, 1 to 1000.

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

    rounds: int = 20
    scheme = SCHEME
    _part_name = "throw"
    _parameters = ranges(rounds=(20, 1, 1000))

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(3)


class Flip(Independent):
    """Stake's flip: 0 tails, 1 heads: ``floor(f * 2)``.

    Parameters
    ----------
    rounds : int
        How many flips in a row, 1 to 1000.

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

    rounds: int = 20
    scheme = SCHEME
    _part_name = "flip"
    _parameters = ranges(rounds=(20, 1, 1000))

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(2)


class Diamonds(Independent):
    """Stake's diamonds: gems of seven colors, ``floor(f * 7)``; `gems` names them. Diamond poker has ten.

    Parameters
    ----------
    gems : int
        How many, 1 to 10.

    Notes
    -----
    Checked on 16 published rounds: bets of 2019 on diamond poker.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "f19428a59b46edad1f01ecdb37561fc69a6911ab395fe4ee4afce83a9f154372", "0IIspHiL"
    >>> stake = pf.operators.stake
    >>> stake.gems(stake.Diamonds(gems=5).play(*seeds, 1))
    ['red', 'yellow', 'red', 'green', 'purple']
    """

    gems: int = 5
    scheme = SCHEME
    _part_name = "gem"
    _parameters = ranges(gems=(5, 1, 10))

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(len(_GEMS))


class Slots(Independent):
    """Stake's slots: where five reels stop, ``floor(f * 30)`` of four and ``floor(f * 41)`` of the last.

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
    _part_name = "reel"
    _parts = 5

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(41 if place == self._parts - 1 else 30)


class _Cards(Independent):
    """Cards of an unlimited deck: ``floor(f * 52)`` each."""

    scheme = SCHEME
    _part_name = "card"

    def _part(self, draws: Draws, place: int) -> np.ndarray:
        return draws.below(DECK)


class Hilo(_Cards):
    """Stake's hilo: cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    Parameters
    ----------
    cards : int
        How many, 1 to 1000.

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

    cards: int = 20
    _parameters = ranges(cards=(20, 1, 1000))


class Blackjack(_Cards):
    """Stake's blackjack: cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    Parameters
    ----------
    cards : int
        How many, 1 to 1000.

    Notes
    -----
    Checked on 7 published rounds: bets of 2019, each with the cards that were dealt.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "abf5e01d286b951bf4ef72b87720aeed3889b467660deeec3a0b1df677282ad6", "oTmxwsdI"
    >>> pf.operators.stake.Blackjack(cards=5).play(*seeds, 1)
    array([42, 37, 30, 11, 45])
    """

    cards: int = 20
    _parameters = ranges(cards=(20, 1, 1000))

    def table(self, **changes: Unpack[RuleChanges]) -> CardTable:
        """Return the game of blackjack that these cards are for, to analyze it and to settle rounds.

        An infinite shoe; the dealer looks for a blackjack and stands on soft 17; 3:2; any two cards can be
        doubled, after a split too; a pair makes two hands, aces get one card each; a ten and an ace are then
        21; insurance; no surrender. The house edge of these rules is the 0.57 % that the operator names.

        Parameters
        ----------
        **changes
            Other values of single rules, as `crypto_games.Rules` takes them.

        Returns
        -------
        crypto_games.Blackjack
            The game, whose `analyze` and `settle` are of these cards.

        Examples
        --------
        >>> import provably_fair as pf
        >>> table = pf.operators.stake.Blackjack().table()
        >>> print(f"{table.analyze().house_edge:.2%}")
        0.57%
        """
        from provably_fair.crypto_games import Blackjack as CardTable

        rules: RuleChanges = {
            "decks": None,
            "soft_17": "stand",
            "hole_card": "peek",
            "blackjack_pays": Fraction(3, 2),
            "split_aces": "one_card",
            "ten_ace_after_split": "21",
            "surrender": "none",
            "insurance": True,
        }
        return CardTable(**(rules | changes))

    def replay(
        self,
        server_seed: str | bytes,
        client_seed: str | bytes,
        nonce: int,
        actions: Sequence[str] | Callable[[Decision], str],
        **changes: Unpack[RuleChanges],
    ) -> BlackjackRound:
        """Play a round from its seeds and settle it.

        The first two cards are the player's, the next two the dealer's, the first of them showing; the others
        come as they are needed.

        Parameters
        ----------
        server_seed, client_seed, nonce : str, bytes, int
            The round.
        actions : sequence of str, or callable
            What the player did, or a strategy; see `crypto_games.Blackjack.replay`.
        **changes
            Other values of single rules; see `table`.

        Returns
        -------
        crypto_games.BlackjackRound
            The settled hands.

        Examples
        --------
        >>> import provably_fair as pf
        >>> seeds = "abf5e01d286b951bf4ef72b87720aeed3889b467660deeec3a0b1df677282ad6", "oTmxwsdI"
        >>> print(pf.operators.stake.Blackjack().replay(*seeds, 1, ["stand"]))
        player   Q♠ J♥ (20): win, +1 bet
        dealer   9♠ 4♣ K♥ (23)
        actions  stand
        net      +1 bet
        """
        dealt = cards(self.play(server_seed, client_seed, nonce))
        return self.table(**changes).settle(dealt, actions)


class Baccarat(_Cards):
    """Stake's baccarat: six cards of an unlimited deck, ``floor(f * 52)`` each; `cards` names them.

    Notes
    -----
    Checked on 4 published rounds: bets of 2019, each with the cards that were dealt.

    Examples
    --------
    >>> import provably_fair as pf
    >>> seeds = "ae5baafb37cfd372fcf07cc85d3b924af4ad1691dd451529b13bf8f272926525", "7pwXtJ6R"
    >>> pf.operators.stake.Baccarat().play(*seeds, 14)
    array([ 3, 47, 22, 14, 25, 22])
    """

    _parts = 6


class VideoPoker(PokerCards):
    """Stake's video poker: ten cards of one deck, by removal; `cards` names them.

    The first five are dealt; the others replace, in their order, what the player doesn't hold.

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

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.sample(DECK, 10)


def gems(outcome: object) -> Any:
    """Return the colors of the gems that an outcome of `Diamonds` has by their numbers.

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
        When a number is no gem's.

    Examples
    --------
    >>> import provably_fair as pf
    >>> pf.operators.stake.gems([0, 6])
    ['green', 'blue']
    """
    return names_of(_GEMS, outcome, "gems")
