"""Chains of hashes: one secret commits an operator to millions of games."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from provably_fair._core.arguments import integer, unbox
from provably_fair._core.progress import Progress, ProgressBar, Report
from provably_fair._core.types import Text
from provably_fair._engine import Hash as EngineHash

from .schemes import Hash, engine_hash
from .series import seed_text

__all__ = ["HashChain"]

_MAX_GAMES = 2**53
# The games between two hashes that are kept; from these, any stretch of games is found quickly.
_SPACING = 1 << 14
# Hashes that a walk finds at once; how many games a chain has at most; after how many hashes that lead
# nowhere no others are walked back from; and below which first eight characters a hash is kept.
_WALK = 1 << 14
_LONGEST_CHAIN = 10**8
_MAX_LOST = 4
_KEPT_BELOW = int.from_bytes(b"0001\0\0\0\0")


@dataclass(frozen=True, repr=False)
class HashChain:
    """A chain of game hashes: each is the hash of the next game's.

    An operator makes the last game's hash from a secret and hashes on to the first. The hash before the
    first, the terminating one, is published; the games are then played from the first to the last. Each
    hash that is revealed shows by hashing that it was fixed from the beginning.

    Parameters
    ----------
    hash : Hash
        What leads from a game's hash to that of the game before: of one field, ``{game_hash}`` for the hex
        text of the hash, ``{game_hash:bytes}`` for the bytes it stands for.

    Examples
    --------
    >>> import provably_fair as pf
    >>> chain = pf.HashChain()
    >>> hashes = chain.generate("operator's secret", games=1000)
    >>> chain.steps(hashes[-1], chain.terminating(hashes))
    1000
    >>> bool(chain.previous(hashes[9], 9)[-1] == hashes[0])
    True
    """

    hash: Hash = field(default_factory=lambda: Hash("sha256", "{game_hash}"))

    def __post_init__(self) -> None:
        if not isinstance(self.hash, Hash):
            raise TypeError(f"HashChain.hash must be a Hash, got {type(self.hash).__name__}")
        if len(self.hash.fields) != 1 or self._core.has_cursor:
            raise ValueError(
                "HashChain.hash must have one field and no {cursor}, such as "
                f"Hash('sha256', '{{game_hash}}'), got {self.hash!r}"
            )

    @cached_property
    def _core(self) -> EngineHash:
        return engine_hash(self.hash)

    @cached_property
    def _kept(self) -> dict[tuple[str, int], list[str]]:
        """Hashes at regular distances, from the last game down, of the chain that was generated last."""
        return {}

    def _text(self, name: str, game_hash: Text) -> str:
        game_hash = unbox(game_hash)
        if isinstance(game_hash, bytes):
            game_hash = game_hash.decode("latin-1")
        if not isinstance(game_hash, str):
            raise TypeError(f"{name} must be str or bytes, got {type(game_hash).__name__}")
        width, text = 2 * self._core.size, game_hash.lower()
        if len(text) != width or not set(text) <= set("0123456789abcdef"):
            raise ValueError(f"{name} must be a hash of {width} hex digits, got {game_hash[:80]!r}")
        return text

    def previous(self, game_hash: Text, count: int, *, progress: Progress = False) -> np.ndarray:
        """Return the hashes of the games before one.

        Parameters
        ----------
        game_hash : str or bytes
            The hash of a game, as hex text.
        count : int
            How many games to go back.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the games done and the games in all.

        Returns
        -------
        numpy.ndarray
            Shape (count,), dtype 'S64' for SHA-256: the nearest game first, `game_hash` itself not included.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.HashChain().previous("0" * 64, 2)
        array([b'60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55',
               b'632500b1742987815bf1e7ebc49d1da6ed2dd9659623bef3f9b96bf5e75ab702'],
              dtype='|S64')
        """
        text = self._text("game_hash", game_hash)
        count = integer("count", count, 0, _MAX_GAMES)
        with ProgressBar(count, progress) as report:
            return self._core.previous(text, count, progress=report)

    def steps(
        self, game_hash: Text, terminating: Text, limit: int = 10**8, *, progress: Progress = False
    ) -> int:
        """Return how many games before one another one was; of the terminating hash: the game's number.

        Parameters
        ----------
        game_hash : str or bytes
            The hash of a game.
        terminating : str or bytes
            The hash that is to be reached: the published one, or that of an earlier game.
        limit : int
            The most steps to take.
        progress : bool or callable
            See `previous`.

        Returns
        -------
        int
            The number of steps; 0 if both are the same.

        Raises
        ------
        ValueError
            When the hash isn't reached within `limit` steps.

        Examples
        --------
        >>> import provably_fair as pf
        >>> chain = pf.HashChain()
        >>> chain.steps("0" * 64, chain.previous("0" * 64, 5)[-1])
        5
        """
        start, end = self._text("game_hash", game_hash), self._text("terminating", terminating)
        limit = integer("limit", limit, 0, _MAX_GAMES)
        with ProgressBar(limit, progress) as report:
            found = self._core.steps(start, end, limit, progress=report)
        if found is None:
            raise ValueError(
                f"terminating must be reached from game_hash in at most {limit} steps, and isn't"
            )
        return found

    def generate(
        self,
        seed: int | str,
        games: int,
        start: int = 1,
        count: int | None = None,
        *,
        progress: Progress = False,
    ) -> np.ndarray:
        """Return the hashes of an operator's games, in the order of play.

        The last game's hash is the SHA-256 of the seed's text. Each stretch of games is found by hashing
        from there; hashes on the way are kept, so that the next stretch of the same chain needn't.

        Parameters
        ----------
        seed : int or str
            The secret.
        games : int
            How many games the chain has.
        start : int
            The first game wanted; the first of all has number 1.
        count : int, optional
            How many games are wanted; all to the last by default.
        progress : bool or callable
            See `previous`.

        Returns
        -------
        numpy.ndarray
            Shape (count,), dtype 'S64' for SHA-256.

        Examples
        --------
        >>> import provably_fair as pf
        >>> hashes = pf.HashChain().generate("secret", games=100)
        >>> part = pf.HashChain().generate("secret", games=100, start=41, count=10)
        >>> bool((part == hashes[40:50]).all())
        True
        """
        text = seed_text(seed)
        games = integer("games", games, 0, _MAX_GAMES)
        start = integer("start", start, 1, max(games, 1))
        count = games - start + 1 if count is None else integer("count", count, 0, games - start + 1)
        end = start + count - 1
        with ProgressBar(games - start, progress) as report:
            return self._stretch(text, games, start, end, report)[::-1].copy()

    def _stretch(self, seed: str, games: int, start: int, end: int, report: Report | None) -> np.ndarray:
        """Return the hashes of games `end` to `start`, the last first."""
        last = Hash(self.hash.name, "{seed}").hexdigest(seed)
        out = np.empty(max(end - start + 1, 0), f"S{2 * self._core.size}")
        if not out.size:
            return out
        kept = self._kept.setdefault((seed, games), [str(last)])
        for other in [chain for chain in self._kept if chain != (seed, games)]:
            self._kept.pop(other, None)

        def report_from(done: int) -> Any:
            return report and (lambda now: report(done + now))

        # The nearest kept hash of a later game, or of the last one.
        place = (games - end) // _SPACING
        while len(kept) <= place:
            done = (len(kept) - 1) * _SPACING
            kept.append(self._core.before(kept[-1], _SPACING, progress=report_from(done)))
        game = games - place * _SPACING
        text = self._core.before(kept[place], game - end)
        out[0] = text
        out[1:] = self._core.previous(text, end - start, progress=report_from(games - end))
        return out

    def terminating(self, hashes: Any) -> str:
        """Return the hash before the first game's, which an operator publishes before the first game.

        Parameters
        ----------
        hashes : str, bytes, or array-like of them
            The first game's hash, or those of games in the order of play.

        Returns
        -------
        str
            Lowercase hex text.

        Examples
        --------
        >>> import provably_fair as pf
        >>> chain = pf.HashChain()
        >>> chain.terminating(chain.generate("secret", games=10))[:16]
        '7396992fca2fe955'
        """
        if not isinstance(unbox(hashes), str | bytes):
            try:
                hashes = hashes[0] if not hasattr(hashes, "iloc") else hashes.iloc[0]
            except (TypeError, IndexError, KeyError):
                raise TypeError(
                    f"hashes must be a hash or a sequence of at least one, got {type(hashes).__name__}"
                ) from None
        return str(self._core.before(self._text("hashes", hashes), 1))

    def __repr__(self) -> str:
        own = "" if self == HashChain() else repr(self.hash)
        return f"HashChain({own})"

    def __reduce__(self) -> tuple[object, ...]:
        return HashChain, (self.hash,)


class GameNumbers:
    """The numbers of games, by their hashes: how many steps each is from the terminating hash.

    Of many hashes together few are walked back from, those of the last and the first row before all, since a
    walk comes by the others. Some of the hashes that walks come by are kept, those that begin with zeros, so
    that later ones end where an earlier one has been. A hash that leads nowhere costs a walk of 10**8 steps;
    after four of them others count as such without one.

    Parameters
    ----------
    chain : HashChain
        The chain.
    terminating : str or bytes
        The hash before the first game's.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from provably_fair.seeds.chains import GameNumbers
    >>> chain = pf.HashChain()
    >>> hashes = chain.generate("secret", games=100)
    >>> GameNumbers(chain, chain.terminating(hashes)).of(hashes[[4, 98, 49]])
    array([ 5, 99, 50])
    """

    def __init__(self, chain: HashChain, terminating: Text) -> None:
        self._walk = chain.previous
        self._end = chain._text("terminating", terminating).encode()
        self._kept: dict[bytes, int] = {self._end: 0}
        self._lost = 0

    @property
    def given_up(self) -> bool:
        """Whether too many hashes led nowhere for others to be walked back from."""
        return self._lost >= _MAX_LOST

    def of(self, hashes: np.ndarray) -> np.ndarray:
        """Return the numbers of games, int64: 0 where the terminating hash isn't reached.

        Parameters
        ----------
        hashes : numpy.ndarray
            Hashes in lowercase hex, dtype 'S64' for SHA-256.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> from provably_fair.seeds.chains import GameNumbers
        >>> GameNumbers(pf.HashChain(), "0" * 64).of(np.array(["0" * 64], "S64"))
        array([0])
        """
        different, which = np.unique(hashes, return_inverse=True)
        numbers = np.full(len(different), -1, dtype=np.int64)
        for row, text in enumerate(different.tolist()):
            numbers[row] = self._kept.get(text, -1)
        ends = which.reshape(-1)[[-1, 0]].tolist() if len(which) else []
        for start in (*ends, *range(len(different))):
            if numbers[start] < 0 and not self.given_up:
                self._number(different, numbers, start)
        found: np.ndarray = np.maximum(numbers, 0)[which.reshape(-1)]
        return found

    def _number(self, hashes: np.ndarray, numbers: np.ndarray, start: int) -> None:
        """Walk back from one of the sorted hashes; number it and those that are come by."""
        heads, end = _heads(hashes), _heads(np.array([self._end]))[0]
        by, steps = [np.array([start])], [np.array([0])]
        kept: dict[bytes, int] = {}
        text, done, number = hashes[start], 0, 0
        while done < _LONGEST_CHAIN:
            passed = self._walk(text, _WALK)
            at, before = _heads(passed), np.arange(done + 1, done + 1 + _WALK)
            # Eight characters tell nearly all hashes apart.
            near = np.flatnonzero(heads[np.minimum(np.searchsorted(heads, at), len(heads) - 1)] == at)
            rows = np.minimum(np.searchsorted(hashes, passed[near]), len(hashes) - 1)
            met = hashes[rows] == passed[near]
            by.append(rows[met])
            steps.append(before[near[met]])
            ended = [step for step in np.flatnonzero(at == end).tolist() if passed[step] == self._end]
            here = {passed[step]: int(before[step]) for step in np.flatnonzero(at < _KEPT_BELOW).tolist()}
            kept |= here
            if ended:
                number = int(before[ended[0]])
            elif not number:
                number = next(
                    (step + self._kept[text] for text, step in here.items() if text in self._kept), 0
                )
            if number:
                numbers[np.concatenate(by)] = np.maximum(number - np.concatenate(steps), 0)
                if ended or (numbers >= 0).all():
                    break
            done, text = done + _WALK, passed[-1]
        if number:
            self._kept |= {text: number - step for text, step in kept.items() if step < number}
        else:
            self._lost += 1
            numbers[np.concatenate(by)] = 0


def _heads(hashes: np.ndarray) -> np.ndarray:
    """Return the first eight characters of hashes as integers, in the order of the hashes."""
    wide = np.ascontiguousarray(hashes).view(np.uint8).reshape(len(hashes), -1)[:, :8]
    found: np.ndarray = np.ascontiguousarray(wide).view(">u8").reshape(-1)
    return found
