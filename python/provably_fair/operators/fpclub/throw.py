"""A throw of two dice, as a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provably_fair._core.arguments import choice
from provably_fair.games import asking
from provably_fair.games.draws import Draws
from provably_fair.games.fairness import alike_material
from provably_fair.games.kind import kind_property
from provably_fair.games.kinds.parts import Parts, PartsGame
from provably_fair.games.looks import Of, OfPart, View
from provably_fair.seeds import Hash, Scheme

from .dice import digits, pairs_of

if TYPE_CHECKING:
    from provably_fair.bets import Bet
    from provably_fair.distribution import Distribution, Tally
    from provably_fair.distribution.sequences import FairnessMaterial


def _pair(throws: np.ndarray) -> Any:
    """Return both faces as a number of two digits, the higher face first."""
    return throws.max(axis=1) * 10 + throws.min(axis=1)


def _sum(throws: np.ndarray) -> Any:
    """Return the sum of both faces."""
    return throws.sum(axis=1)


def _doubles(throws: np.ndarray) -> Any:
    """Return whether both faces are equal, 1 or 0."""
    return (throws[:, 0] == throws[:, 1]).astype(np.int64)


def _pips(throws: np.ndarray) -> Any:
    """Return the pips that a throw lets a player move: a double counts twice."""
    return _sum(throws) * (1 + _doubles(throws))


_VALUES = {
    "pair": View(_pair),
    "sum": View(_sum),
    "doubles": View(_doubles, wins=1),
    "pips": View(_pips),
    "face": View(OfPart(0)),
}


def _digits(data: Any) -> str:
    """Return all dice of such data as text."""
    if isinstance(data, (list, tuple)) and not all(isinstance(die, (int, np.integer)) for die in data):
        return "".join(map(_digits, data))
    return digits("data", getattr(data, "digits", data))


class _Throw(Parts):
    name: ClassVar[str] = "throw"

    def view(self, *, of: str | Of | None = None) -> View:
        """Return the view of a value by its name, or of a function of throws."""
        if of is None or callable(of):
            return View(of)
        choice("of", of, _VALUES)
        return _VALUES[of]

    def bounds(self) -> tuple[int, int]:
        return 1, 6

    def read(self, data: Any) -> NDArray[np.int64]:
        """Return throws, (N, 2), read from text, faces or objects with dice; an odd last die is left out."""
        return pairs_of(_digits(data))

    def material(self, values: np.ndarray) -> FairnessMaterial:
        """Return all dice, and the two of a throw."""
        return alike_material(self.game, values, self.game.distribution(of="face"), "die", "dice")


class Dice(PartsGame):
    """FPClub's dice: a throw of two.

    Outcome: shape (2,), two faces from 1 to 6.

    Each byte of ``MD5(server_seed:nonce:cursor)`` below 252 gives the face ``byte mod 6 + 1``; others are
    rejected, so faces are exactly uniform. FPClub doesn't document its own generator, so its logs can't be
    verified by it: their dice are `HashedDice` and `Combined`. Laws, bets and tests of fairness hold for
    these, too.

    `fairness_report` takes throws, shape (N, 2), and dice in other forms: text of digits 1 to 6, faces, a
    `HashedDice`, a `Record`, a `Combined`, or a list of these.

    Examples
    --------
    >>> dice = pf.operators.fpclub.Dice()
    >>> dice.play("server seed", nonce=1)
    array([3, 2])
    >>> hashed = pf.operators.fpclub.HashedDice.generate(dice=1000, rng=1)
    >>> report = pf.fairness_report(hashed, dice)
    >>> report.game, report.rounds, report.ok
    ('fpclub.dice', 500, True)
    """

    scheme = Scheme(Hash("md5", "{server_seed}:{nonce}:{cursor}"), bits=8, below="reject", read_on=1)
    part_name = "die"

    kind = kind_property(_Throw)

    def outcome(self, draws: Draws) -> np.ndarray:
        return draws.each(2, "die").below(6) + 1

    def distribution(self, law: str = "ideal", *, of: str | Of | None = None) -> Distribution:
        """Return the exact law of a throw, or of something about it.

        Parameters
        ----------
        law : str
            "ideal" or "as_drawn".
        of : str or callable, optional
            A value of the throw: "pair" (both faces as a number, the higher one first), "sum", "doubles"
            (whether they are equal, 1 or 0), "pips" (what it lets a player move: the sum, twice that for
            doubles), or "face" (the first); or a function from throws, an array (N, 2), to values, (N,).

        Returns
        -------
        Distribution
            Of both faces, as a tuple, or of what is asked.

        Examples
        --------
        >>> pf.operators.fpclub.Dice().distribution(of="pips").mean(exact=True)
        Fraction(49, 6)
        """
        return asking.distribution(self, law, of=of)

    def observe(self, outcomes: ArrayLike, *, of: str | Of | None = None) -> np.ndarray:
        """Return the values of outcomes whose law is `distribution`, asked alike; see `Game.observe`.

        Examples
        --------
        >>> pf.operators.fpclub.Dice().observe([[3, 2], [6, 6]], of="pips")
        array([ 5, 24])
        """
        return asking.observe(self, outcomes, of=of)

    def bet(self, payout: Any = None, *, law: str | None = "best", of: str | Of | None = None) -> Bet:
        """Return a bet of 1 on a value of the throw; see `Game.bet` and `distribution`.

        Examples
        --------
        >>> pf.operators.fpclub.Dice().bet(6, of="doubles").exact_rtp
        Fraction(1, 1)
        """
        return asking.bet(self, payout, law=law, of=of)

    def tally(self, rounds: int, *, of: str | Of | None = None, **options: Any) -> Tally:
        """Count the outcomes of many simulated rounds, or what is asked; see `Game.tally`.

        Examples
        --------
        >>> pf.operators.fpclub.Dice().tally(1000, of="doubles").outcomes
        array([0, 1])
        """
        return asking.tally(self, rounds, {"of": of}, **options)
