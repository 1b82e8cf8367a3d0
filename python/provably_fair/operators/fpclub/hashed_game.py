"""The server's side of hashed dice."""

from __future__ import annotations

from provably_fair._core.errors import BadValue
from provably_fair.distribution.sampling import Rng, generator

from .hashed import HashedDice, Record, write_log
from .properties import Algorithm

__all__ = ["HashedGame"]


class HashedGame:
    """The server's side of a game with hashed dice.

    The hash of the current sequence is always visible. When all its dice are used, as can happen in
    Nackgammon, the sequence is registered in the log and a new one starts at once, so its hash is visible
    before its first roll. The end of the game registers the current sequence.

    Parameters
    ----------
    dice : int
        Dice per sequence, an even number from 2.
    rng : int, numpy Generator, BitGenerator or SeedSequence, optional
        See `HashedDice.generate`; a seed here gives a new sequence each time.
    hash : {"md5", "sha256"}
        The hash function.
    length, game, ws, bs : int
        See `HashedDice.record`.

    Attributes
    ----------
    hash : str
        The hash of the current sequence.
    records : tuple of Record
        The sequences registered so far.

    Examples
    --------
    >>> import provably_fair as pf
    >>> game = pf.operators.fpclub.HashedGame(dice=4, rng=1, game=1)
    >>> seen = [game.hash]
    >>> rolls = [game.roll() for _ in range(3)]
    >>> seen.append(game.hash)
    >>> game.finish()
    >>> [record.check().ok for record in game.records], [r.expected for r in game.records] == seen
    ([True, True], True)
    """

    def __init__(
        self,
        dice: int = 512,
        *,
        rng: Rng = None,
        hash: Algorithm = "md5",
        length: int = 0,
        game: int = 0,
        ws: int = 0,
        bs: int = 0,
    ) -> None:
        # One generator for all sequences: a seed must not give the same one again.
        self._rng = None if rng is None else generator(rng)
        self._dice, self._algorithm = dice, hash
        self._info = {"length": length, "game": game, "ws": ws, "bs": bs}
        self._records: list[Record] = []
        self._finished = False
        self._start()
        self._current.record(**self._info)  # refuses wrong facts now rather than at the end

    def _start(self) -> None:
        self._current = HashedDice.generate(self._dice, self._rng, hash=self._algorithm)
        self._rolls = iter(self._current.rolls.tolist())
        self._left = len(self._current) // 2

    def _register(self) -> None:
        self._records.append(self._current.record(**self._info))

    @property
    def hash(self) -> str:
        """The hash of the current sequence."""
        return self._current.hash

    @property
    def records(self) -> tuple[Record, ...]:
        """The sequences registered so far."""
        return tuple(self._records)

    @property
    def log(self) -> str:
        """The log so far."""
        return write_log(self._records)

    def roll(self) -> tuple[int, int]:
        """Roll the next two dice.

        Returns
        -------
        two int
            The faces.

        Raises
        ------
        ValueError
            If the game is finished.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.fpclub.HashedGame(dice=4)
        >>> rolls = [game.roll(), game.roll()]  # the sequence is used up, and so registered
        >>> game.records[0].digits == "".join(f"{first}{second}" for first, second in rolls)
        True
        """
        if self._finished:
            raise BadValue("roll", "must come before finish: the game is over and its dice are published")
        first, second = next(self._rolls)
        self._left -= 1
        if not self._left:
            self._register()
            self._start()
        return first, second

    def finish(self) -> None:
        """End the game and register the current sequence. Later calls do nothing.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.operators.fpclub.HashedGame(dice=4)
        >>> shown = game.hash
        >>> game.finish()
        >>> [record.expected for record in game.records] == [shown]
        True
        """
        if not self._finished:
            self._finished = True
            self._register()

    def __repr__(self) -> str:
        state = "finished" if self._finished else f"{self._left} rolls left"
        return f"<HashedGame: {state}, {len(self._records)} registered, {self._algorithm} {self.hash}>"
