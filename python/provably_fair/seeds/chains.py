"""Hash chains: one secret commits an operator to millions of games."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, check_type, integer, unbox
from provably_fair._core.progress import Progress, Report, progress_bar
from provably_fair._core.table import facts_html
from provably_fair._core.types import Text
from provably_fair._engine import Hash as EngineHash

from .schemes import Hash, engine_hash
from .series import seed_text

_MAX_GAMES = 2**53
# Distance between cached hashes; any run of games starts from the nearest one.
_SPACING = 1 << 14


class UnreachedHashError(BadValue):
    """A hash that isn't on a chain within the allowed number of steps."""


@dataclass(frozen=True, repr=False)
class HashChain:
    """A chain of game hashes: each is the hash of the next game's.

    An operator makes the last game's hash from a secret, and hashes on to the first game's. The hash before
    that, the terminating hash, is published, and the games are played from the first to the last. Hashing a
    revealed hash back to the terminating one shows that it was fixed from the beginning.

    Parameters
    ----------
    hash : Hash
        The hash from a game's hash to that of the game before, with one field: ``{game_hash}`` for the hex
        text, or ``{game_hash:bytes}`` for the bytes. By default the text; the chain of an operator's game is
        ``game.kind.chain``.

    Examples
    --------
    >>> pf.operators.bustabit.V2().kind.chain, pf.operators.bustabit.V3().kind.chain
    (HashChain(), HashChain(Hash('sha256', '{game_hash:bytes}')))
    >>> chain = pf.HashChain()
    >>> hashes = chain.generate("operator's secret", games=1000)
    >>> chain.steps(hashes[-1], chain.terminating(hashes))
    1000
    >>> bool(chain.previous(hashes[9], 9)[-1] == hashes[0])
    True
    """

    hash: Hash = field(default_factory=lambda: Hash("sha256", "{game_hash}"))

    _repr_html_ = facts_html

    def __post_init__(self) -> None:
        check_type("hash", self.hash, Hash, "a Hash", place="HashChain.")
        if len(self.hash.fields) != 1 or self._steps.has_cursor or self._steps.size is None:
            such = "Hash('sha256', '{game_hash}')"
            problem = f"must have one field and no {{cursor}}, such as {such}, got {self.hash!r}"
            raise BadValue("hash", problem, place="HashChain.")

    @cached_property
    def _steps(self) -> EngineHash:
        return engine_hash(self.hash)

    @cached_property
    def _kept(self) -> dict[tuple[str, int], list[str]]:
        """Cached hashes at regular distances from the last game down, for the chain generated last."""
        return {}

    def _text(self, name: str, game_hash: Text) -> str:
        game_hash = unbox(game_hash)
        if isinstance(game_hash, bytes):
            game_hash = game_hash.decode("latin-1")
        check_type(name, game_hash, str, "str or bytes")
        width, text = 2 * (self._steps.size or 0), game_hash.lower()
        if len(text) != width or not set(text) <= set("0123456789abcdef"):
            raise BadValue(name, f"must be a hash of {width} hex digits, got {game_hash[:80]!r}")
        return text

    def previous(self, game_hash: Text, count: int, *, progress: Progress = False) -> np.ndarray:
        """Return the hashes of the games before one.

        Parameters
        ----------
        game_hash : str or bytes
            The hash of a game, as hex text.
        count : int
            The number of games to go back.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the games done and the games in all.

        Returns
        -------
        numpy.ndarray
            Shape (count,), dtype 'S64' for SHA-256: the nearest game first, `game_hash` itself not included.

        Examples
        --------
        >>> pf.HashChain().previous("0" * 64, 2)
        array([b'60e05bd1b195af2f94112fa7197a5c88289058840ce7c6df9693756bc6250f55',
               b'632500b1742987815bf1e7ebc49d1da6ed2dd9659623bef3f9b96bf5e75ab702'],
              dtype='|S64')
        """
        text = self._text("game_hash", game_hash)
        count = integer("count", count, 0, _MAX_GAMES)
        with progress_bar(count, progress) as report:
            return self._steps.previous(text, count, progress=report)

    def steps(
        self, game_hash: Text, terminating: Text, limit: int = 10**8, *, progress: Progress = False
    ) -> int:
        """Return the number of games between two hashes; for the terminating hash, the game's number.

        Parameters
        ----------
        game_hash : str or bytes
            The hash of a game.
        terminating : str or bytes
            The hash to reach: the published one, or that of an earlier game.
        limit : int
            The largest number of steps.
        progress : bool or callable
            See `previous`.

        Returns
        -------
        int
            The number of steps; 0 if both are the same.

        Raises
        ------
        UnreachedHashError
            (a ValueError) When the hash isn't reached within `limit` steps.

        Examples
        --------
        >>> chain = pf.HashChain()
        >>> chain.steps("0" * 64, chain.previous("0" * 64, 5)[-1])
        5
        """
        start, end = self._text("game_hash", game_hash), self._text("terminating", terminating)
        limit = integer("limit", limit, 0, _MAX_GAMES)
        with progress_bar(limit, progress) as report:
            count = self._steps.steps(start, end, limit, progress=report)
        if count is None:
            problem = f"must be reached from game_hash in {limit} steps, and isn't"
            raise UnreachedHashError("terminating", problem)
        return count

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

        The last game's hash is the SHA-256 of the seed's text, from which all others are hashed. Some hashes
        on the way are kept, so the next run of games of the same chain is found faster.

        Parameters
        ----------
        seed : int or str
            The secret.
        games : int
            The number of games in the chain.
        start : int
            The number of the first game to return, from 1.
        count : int, optional
            The number of games to return; by default all up to the last.
        progress : bool or callable
            See `previous`.

        Returns
        -------
        numpy.ndarray
            Shape (count,), dtype 'S64' for SHA-256.

        Examples
        --------
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
        with progress_bar(games - start, progress) as report:
            return self._run(text, games, start, end, report)[::-1].copy()

    def _run(self, seed: str, games: int, start: int, end: int, report: Report | None) -> np.ndarray:
        """Return the hashes of games `end` down to `start`."""
        last = Hash(self.hash.name, "{seed}").hexdigest(seed)
        out = np.empty(max(end - start + 1, 0), f"S{2 * (self._steps.size or 0)}")
        if not out.size:
            return out
        # A list of its own: other threads may extend the same chain meanwhile.
        kept = [*self._kept.get((seed, games), [str(last)])]

        def report_from(done: int) -> Any:
            return report and (lambda now: report(done + now))

        # Start from the nearest cached hash of a later game, or from the last game.
        place = (games - end) // _SPACING
        while len(kept) <= place:
            done = (len(kept) - 1) * _SPACING
            kept.append(self._steps.before(kept[-1], _SPACING, progress=report_from(done)))
        self._kept.clear()
        self._kept[seed, games] = kept
        game = games - place * _SPACING
        text = self._steps.before(kept[place], game - end)
        out[0] = text
        out[1:] = self._steps.previous(text, end - start, progress=report_from(games - end))
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
        >>> chain = pf.HashChain()
        >>> chain.terminating(chain.generate("secret", games=10))[:16]
        '7396992fca2fe955'
        """
        if not isinstance(unbox(hashes), str | bytes):
            try:
                hashes = hashes[0] if not hasattr(hashes, "iloc") else hashes.iloc[0]
                hashes = hashes.as_py() if hasattr(hashes, "as_py") else hashes  # Arrow's
            except (TypeError, IndexError, KeyError):
                raise BadType("hashes", f"must be a hash or hashes, got {type(hashes).__name__}") from None
        return str(self._steps.before(self._text("hashes", hashes), 1))

    def _facts(self) -> dict[str, object]:
        return {"hash": repr(self.hash)}

    def __repr__(self) -> str:
        own = "" if self == HashChain() else repr(self.hash)
        return f"HashChain({own})"

    def __reduce__(self) -> tuple[object, ...]:
        return HashChain, (self.hash,)
