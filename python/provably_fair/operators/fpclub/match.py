"""Games with combined dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import InitVar, dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from provably_fair._core.arguments import BadType, BadValue, check_type, choice, encode_text, integer
from provably_fair._core.table import html_table
from provably_fair.distribution.sampling import Rng

from .combined import TABLE, combine
from .dice import Pair, random_bytes
from .sequence import PAIRS, Sequence

__all__ = ["Match", "Throw"]

Player = Literal["first", "second"]


class Throw(NamedTuple):
    """One throw of a game."""

    number: int
    """0 for the game's first throw."""
    player: Player
    """The player whose throw it is; they take turns."""
    first: Pair
    """The first player's pair."""
    second: Pair
    """The second player's pair."""
    dice: Pair
    """The throw."""

    def __str__(self) -> str:
        first, second, dice = (f"{a}{b}" for a, b in (self.first, self.second, self.dice))
        return f"{first}+{second}={dice}"


@dataclass(frozen=True, slots=True, repr=False)
class Match:
    """One game between two players with combined dice.

    Throw i combines pair i of both players. Iterating gives the throws in order; a game has at most 256
    throws.

    Parameters
    ----------
    first, second : Sequence
        The two players' sequences.
    first_move : {"first", "second"}, optional
        The player who moves first; by default random, as in a match's first game.
    rng : int, numpy Generator, BitGenerator or SeedSequence, optional
        The source of that randomness; the operating system's entropy by default.
    game : int
        The number of this game, from 1.

    Attributes
    ----------
    first_move : {"first", "second"}
        The player who moves first.
    throws : ndarray of int64, shape (256, 2)
        All throws.

    See Also
    --------
    Match.replay : The same for players who committed to their sequences.
    Match.next_game : The next game, in which the winner moves first.

    Examples
    --------
    >>> import provably_fair as pf
    >>> first, second = pf.operators.fpclub.Sequence.md5("me"), pf.operators.fpclub.Sequence.md5("you")
    >>> match = pf.operators.fpclub.Match(first, second, first_move="second")
    >>> print(match.ticker(stop=4))
    14+23=31  25+36=55  31+62=33  62+12=14
    >>> match[0].player, match[0].dice, len(match)
    ('second', (3, 1), 256)
    >>> third, fourth = pf.operators.fpclub.Sequence.md5("me 2"), pf.operators.fpclub.Sequence.md5("you 2")
    >>> match.next_game("first", third, fourth).first_move
    'first'
    """

    first: Sequence
    second: Sequence
    first_move: Player | None = None
    rng: InitVar[Rng] = None
    game: int = 1

    def __post_init__(self, rng: Rng) -> None:
        for name in ("first", "second"):
            value = getattr(self, name)
            check_type(name, value, Sequence, "a Sequence")
        if self.first_move is None:
            chosen: Player = "second" if random_bytes(rng)(1)[0] % 2 else "first"
            object.__setattr__(self, "first_move", chosen)
        else:
            _player("first_move", self.first_move)
        object.__setattr__(self, "game", integer("game", self.game, 1))

    @classmethod
    def replay(
        cls,
        first: Sequence,
        second: Sequence,
        *,
        commitments: tuple[str, str],
        nonces: tuple[str, str] = ("", ""),
        first_move: Player | None = None,
        rng: Rng = None,
        game: int = 1,
    ) -> Match:
        """Replay a game whose players committed to their sequences beforehand.

        The secure order is: both players publish their `Sequence.commitment`; then pairs are shown one by one
        during the game; after it, both reveal sequence and nonce, which this checks.

        Parameters
        ----------
        first, second : Sequence
            The revealed sequences.
        commitments : two str
            The players' commitments, published before the game.
        nonces : two str
            The players' nonces.
        first_move, rng, game
            See `Match`.

        Returns
        -------
        Match
            The game.

        Raises
        ------
        ValueError
            If a sequence doesn't match its commitment, or both commitments are equal: one player has then
            copied the other's, which makes every throw even.

        Examples
        --------
        >>> import provably_fair as pf
        >>> first, second = pf.operators.fpclub.Sequence.system(), pf.operators.fpclub.Sequence.system()
        >>> nonces = pf.new_seed(), pf.new_seed()
        >>> published = first.commitment(nonces[0]), second.commitment(nonces[1])
        >>> match = pf.operators.fpclub.Match.replay(first, second, commitments=published, nonces=nonces)
        >>> match.first == first
        True
        >>> pf.operators.fpclub.Match.replay(first, first.edit(0, "66"), commitments=published, nonces=nonces)
        Traceback (most recent call last):
            ...
        provably_fair.errors.BadValue: second must have commitment ...
        """
        for argument, both in (("commitments", commitments), ("nonces", nonces)):
            if not hasattr(both, "__len__"):
                raise BadType(argument, f"must be two texts, got {type(both).__name__}")
            if isinstance(both, str) or len(both) != 2:
                raise BadValue(argument, f"must be two, the first and the second player's, got {both!r}")
        published = [
            encode_text("commitments", text, i).strip().lower() for i, text in enumerate(commitments)
        ]
        for index, nonce in enumerate(nonces):
            encode_text("nonces", nonce, index)
        match = cls(first, second, first_move, rng, game)
        if published[0] == published[1]:
            raise BadValue("commitments", "must differ, got the same twice: one player copied the other's")
        for name, sequence, commitment, nonce in zip(
            ("first", "second"), (first, second), commitments, nonces, strict=True
        ):
            if not sequence.check_commitment(commitment, nonce):
                raise BadValue(name, f"must have commitment {commitment}, got {sequence.commitment(nonce)}")
        return match

    def next_game(self, winner: Player, first: Sequence, second: Sequence) -> Match:
        """Return the next game, with new sequences, in which the winner moves first.

        Parameters
        ----------
        winner : {"first", "second"}
            The winner of this game.
        first, second : Sequence
            The players' new sequences.

        Returns
        -------
        Match
            The next game.

        Raises
        ------
        ValueError
            If a player reuses this game's sequence.

        Examples
        --------
        >>> import provably_fair as pf
        >>> sequences = [pf.operators.fpclub.Sequence.md5(name) for name in ("a", "b", "c", "d")]
        >>> following = pf.operators.fpclub.Match(*sequences[:2]).next_game("second", *sequences[2:])
        >>> following.game, following.first_move
        (2, 'second')
        """
        _player("winner", winner)
        for name, new, old in (("first", first, self.first), ("second", second, self.second)):
            if new == old:
                raise BadValue(name, "must be a new sequence: each game needs one, got this game's again")
        return Match(first, second, winner, game=self.game + 1)

    @property
    def throws(self) -> NDArray[np.int64]:
        """The throws, shape (256, 2)."""
        throws: NDArray[np.int64] = combine(self.first.pairs, self.second.pairs)
        return throws

    def ticker(self, start: int = 0, stop: int = PAIRS) -> str:
        """Return the line above the board: both players' pairs and the throws.

        Parameters
        ----------
        start, stop : int
            The first throw and the one after the last, 0 to 256.

        Returns
        -------
        str
            Such as ``"31+45=16  46+21=61"``.

        Examples
        --------
        >>> from provably_fair.operators.fpclub import Match, Sequence
        >>> first, second = Sequence("3146" + "1" * 508), Sequence("4521" + "1" * 508)
        >>> Match(first, second).ticker(stop=3)
        '31+45=16  46+21=61  11+11=22'
        """
        start, stop = integer("start", start, 0, PAIRS), integer("stop", stop, 0, PAIRS)
        return "  ".join(map(str, list(self)[start:stop]))

    def __len__(self) -> int:
        return PAIRS

    def __getitem__(self, index: int) -> Throw:
        """Return one throw. IndexError after the last: the sequences are used up."""
        number = integer("index", index, 0)
        if number >= PAIRS:
            raise IndexError(
                f"index must be below {PAIRS}, got {number}: the sequences end after {PAIRS} pairs"
            )
        first, second = self.first[number], self.second[number]
        dice = (TABLE[first[0], second[0]], TABLE[first[1], second[1]])
        return Throw(number, self._player_of(number), first, second, dice)

    def __iter__(self) -> Iterator[Throw]:
        throws = [(a, b) for a, b in self.throws.tolist()]
        for index, (first, second, dice) in enumerate(zip(self.first, self.second, throws, strict=True)):
            yield Throw(index, self._player_of(index), first, second, dice)

    def _player_of(self, index: int) -> Player:
        return "first" if (self.first_move == "first") == (index % 2 == 0) else "second"

    def __repr__(self) -> str:
        return (
            f"<Match: game {self.game}, the {self.first_move} player moves first, {self.ticker(stop=4)} ...>"
        )

    def _repr_html_(self) -> str:
        rows = ([str(throw.number), throw.player, *(f"{a}{b}" for a, b in throw[2:])] for throw in self)
        return html_table(Throw._fields, rows, caption=f"Game {self.game}")


def _player(argument: str, value: object) -> None:
    choice(argument, value, ("first", "second"))
