"""One player's pairs of faces for a game of combined dice."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import md5
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provably_fair._core.arguments import BadValue, check_type, encode_text, integer
from provably_fair.distribution.sampling import Rng
from provably_fair.seeds.commitments import check_commitment, commitment
from provably_fair.seeds.series import seed_text

from .combined import complete
from .dice import Pair, digits, digits_of_bytes, file_at, in_pairs, pairs_of, parse_digits, random_digits

__all__ = ["PAIRS", "Run", "Sequence", "rig"]

PAIRS = 256
"""The pairs of a sequence, and so the most throws of a game."""


class Run(NamedTuple):
    """Identical pairs in a row."""

    start: int
    """The index of the first of them."""
    length: int
    """Their number, 2 or more."""
    pair: Pair


@dataclass(frozen=True, slots=True, repr=False)
class Sequence:
    """One player's 256 pairs of faces for one game.

    Parameters
    ----------
    digits : str or array_like of int
        512 digits 1 to 6, with any white space between them, or 512 faces in any shape such as (256, 2).

    Attributes
    ----------
    digits : str
        The 512 digits.
    pairs : ndarray of int64, shape (256, 2)
        The pairs, read-only.

    Raises
    ------
    ValueError
        If anything but 512 dice is given; for text the message has line and column.

    See Also
    --------
    Sequence.system, Sequence.md5, Sequence.load, Sequence.from_text : Ways to make a new one.
    Sequence.edit : Change pairs by hand.

    Notes
    -----
    Sequences are immutable; editing returns another one. A player may make new ones until the game starts,
    when a `Match` is made of both players' sequences. Each game needs a new one.

    Examples
    --------
    >>> import provably_fair as pf
    >>> mine = pf.operators.fpclub.Sequence.md5("a seed of my own")
    >>> mine
    <Sequence of 256 pairs: 11 61 21 25 44 51 35 51 ...>
    >>> mine.edit(3, (5, 2)).pairs[3]
    array([5, 2])
    """

    digits: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "digits", digits("digits", self.digits, 2 * PAIRS))

    @classmethod
    def system(cls, *, rng: Rng = None) -> Sequence:
        """Make a sequence with the system's generator.

        Each random byte below 252 gives the face ``byte mod 6 + 1``; others are rejected.

        Parameters
        ----------
        rng : int, numpy Generator, BitGenerator or SeedSequence, optional
            A seed or a generator in place of the operating system's entropy, for a repeatable simulation.
            Don't use it for real games.

        Returns
        -------
        Sequence
            Uniform and independent pairs.

        Examples
        --------
        >>> import provably_fair as pf
        >>> mine = pf.operators.fpclub.Sequence.system()
        >>> len(mine), mine == pf.operators.fpclub.Sequence.system()
        (256, False)
        >>> pf.operators.fpclub.Sequence.system(rng=1) == pf.operators.fpclub.Sequence.system(rng=1)
        True
        """
        return cls(random_digits(2 * PAIRS, rng))

    @classmethod
    def md5(cls, seed: str | bytes | int) -> Sequence:
        """Make a sequence with the MD5 generator.

        Block i = 0, 1, 2, ... is the MD5 of the text ``f"{seed}:{i}"``. Its 16 bytes are taken in order: a
        byte below 252 gives the face ``byte mod 6 + 1``, others are rejected, so that no face is favored.
        FPClub does not document its own generator; this one is ours.

        Parameters
        ----------
        seed : str, bytes or int
            Text is hashed as UTF-8, an integer as its decimal digits. Anybody who knows or guesses the seed
            knows the sequence.

        Returns
        -------
        Sequence
            The sequence, always the same for a seed.

        Examples
        --------
        >>> import hashlib
        >>> import provably_fair as pf
        >>> block = hashlib.md5(b"my seed:0").digest()
        >>> faces = [byte % 6 + 1 for byte in block if byte < 252]
        >>> made = pf.operators.fpclub.Sequence.md5("my seed").digits
        >>> made.startswith("".join(map(str, faces)))
        True
        """
        text = seed if isinstance(seed, bytes) else seed_text(seed).encode()
        made = ""
        for block in itertools.count():
            made += digits_of_bytes(md5(b"%b:%d" % (text, block), usedforsecurity=False).digest())
            if len(made) >= 2 * PAIRS:
                break
        return cls(made[: 2 * PAIRS])

    @classmethod
    def from_text(cls, typed: str) -> Sequence:
        """Make a sequence from any typed text, as the tab "Format" does.

        White space is dropped, digits 1 to 6 stay as they are, and every other character becomes its Unicode
        code point mod 6, plus 1. So a valid sequence is unchanged, and can be formatted again after an edit
        by hand.

        Parameters
        ----------
        typed : str
            At least 512 characters besides white space. The rest is ignored.

        Returns
        -------
        Sequence
            The sequence. Its faces need not be uniform if the other player's are.

        Raises
        ------
        ValueError
            If the text is too short; the message says how much is missing. Nothing is filled in, since it
            would not be the player's choice.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.fpclub.Sequence.from_text("asdf 123 jkl; " * 60)
        <Sequence of 256 pairs: 22 51 12 35 61 62 25 11 ...>
        """
        check_type("typed", typed, str)
        encode_text("typed", typed)
        # White space as Unicode has it: Python adds four control characters.
        kept = re.sub(r"[^\S\x1c-\x1f]", "", typed)
        if (missing := 2 * PAIRS - len(kept)) > 0:
            problem = f"must hold {2 * PAIRS} characters besides white space, got {len(kept)}"
            raise BadValue("typed", f"{problem}: {missing} more are needed")
        return cls("".join(c if c in "123456" else str(ord(c) % 6 + 1) for c in kept[: 2 * PAIRS]))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Sequence:
        """Read a sequence from a text file: 512 digits 1 to 6, with any white space.

        Parameters
        ----------
        path : path-like
            The file, in ASCII or UTF-8.

        Returns
        -------
        Sequence
            The sequence.

        Raises
        ------
        ValueError
            If the file holds anything else, or too few or too many digits; the message has line and
            column.
        OSError
            If the file can't be read.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import provably_fair as pf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "mine.txt")
        ...     size = path.write_text("31 46 " * 128)
        ...     pf.operators.fpclub.Sequence.load(path)
        <Sequence of 256 pairs: 31 46 31 46 31 46 31 46 ...>
        """
        return cls(parse_digits("path", file_at(path).read_bytes(), 2 * PAIRS))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the sequence to a text file that `load` reads, 16 pairs to a line.

        Parameters
        ----------
        path : path-like
            The file; one that exists is replaced.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import provably_fair as pf
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "mine.txt")
        ...     pf.operators.fpclub.Sequence("31" * 256).save(path)
        ...     len(path.read_text().splitlines())
        16
        """
        file_at(path).write_bytes(f"{self}\n".encode("ascii"))

    def edit(self, index: int, pair: str | tuple[int, int]) -> Sequence:
        """Return the sequence with one pair replaced.

        Parameters
        ----------
        index : int
            The index of the pair, 0 to 255.
        pair : str or two int
            The new pair, such as ``"31"`` or ``(3, 1)``.

        Returns
        -------
        Sequence
            The new sequence.

        Raises
        ------
        ValueError
            If the index or the pair is invalid.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.fpclub.Sequence("11" * 256).edit(1, "31").pairs[:3].tolist()
        [[1, 1], [3, 1], [1, 1]]
        """
        start = 2 * integer("index", index, 0, PAIRS - 1)
        return Sequence(self.digits[:start] + digits("pair", pair, 2) + self.digits[start + 2 :])

    @property
    def pairs(self) -> NDArray[np.int64]:
        """The pairs, shape (256, 2), read-only."""
        return pairs_of(self.digits)

    def repeats(self) -> list[Run]:
        """List runs of identical pairs.

        Returns
        -------
        list of Run
            The start, length and pair of each run. About 7 runs are expected by chance.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.fpclub.Sequence("31" + "12" * 3 + "3132" * 126).repeats()
        [Run(start=1, length=3, pair=(1, 2))]
        """
        pairs = self._pair_list()
        starts = [i for i, pair in enumerate(pairs) if i == 0 or pairs[i - 1] != pair]
        ends = [*starts[1:], len(pairs)]
        return [Run(a, b - a, pairs[a]) for a, b in zip(starts, ends, strict=True) if b - a > 1]

    def doubles(self) -> NDArray[np.int64]:
        """Return the positions of doubles.

        Returns
        -------
        ndarray of int64, shape (n,)
            The indices of pairs with equal faces. About 43 of 256 are expected.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.operators.fpclub.Sequence("66" + "12" * 254 + "11").doubles()
        array([  0, 255])
        """
        pairs = self.pairs
        return np.flatnonzero(pairs[:, 0] == pairs[:, 1]).astype(np.int64)

    def commitment(self, nonce: str = "") -> str:
        """Return the SHA-256 to publish before the game.

        Parameters
        ----------
        nonce : str
            A secret text to reveal together with the sequence. Without one, anybody who can guess the
            sequence (typed lazily, or from a weak seed) can test the guess. A nonce of 16 random bytes or
            more, as from `provably_fair.new_seed`, prevents that.

        Returns
        -------
        str
            64 lowercase hexadecimal digits: the SHA-256 of the 512 ASCII digits; with a nonce, of
            the digits, a colon and the nonce in UTF-8.

        Examples
        --------
        >>> import hashlib
        >>> import provably_fair as pf
        >>> mine = pf.operators.fpclub.Sequence("31" * 256)
        >>> mine.commitment("a nonce") == hashlib.sha256(b"31" * 256 + b":a nonce").hexdigest()
        True
        """
        return commitment(self._committed_text(nonce))

    def check_commitment(self, commitment: str, nonce: str = "") -> bool:
        """Return whether a commitment published before the game is to this sequence.

        Parameters
        ----------
        commitment : str
            64 hexadecimal digits; anything else matches no sequence.
        nonce : str
            The nonce revealed with the sequence.

        Returns
        -------
        bool
            Whether the commitment matches.

        Examples
        --------
        >>> import provably_fair as pf
        >>> mine = pf.operators.fpclub.Sequence.system()
        >>> published = mine.commitment("a nonce")
        >>> mine.check_commitment(published, "a nonce"), mine.check_commitment(published, "another")
        (True, False)
        """
        return check_commitment(self._committed_text(nonce), commitment)

    def _committed_text(self, nonce: str) -> bytes:
        """Return the text that the commitment is the SHA-256 of."""
        text = encode_text("nonce", nonce)
        return self.digits.encode("ascii") + (b":" + text if text else b"")

    def _pair_list(self) -> list[Pair]:
        return [(a, b) for a, b in self.pairs.tolist()]

    def __len__(self) -> int:
        return PAIRS

    def __getitem__(self, index: int) -> Pair:
        """Return one pair."""
        first, second = self.pairs[integer("index", index, 0, PAIRS - 1)].tolist()
        return first, second

    def __iter__(self) -> Iterator[Pair]:
        return iter(self._pair_list())

    def __str__(self) -> str:
        return "\n".join(in_pairs(self.digits[start : start + 32]) for start in range(0, 2 * PAIRS, 32))

    def __repr__(self) -> str:
        return f"<Sequence of {PAIRS} pairs: {in_pairs(self.digits[:16])} ...>"

    def _repr_html_(self) -> str:
        return f"<pre>{self}</pre>"


def rig(seen: Sequence, throws: ArrayLike | str) -> Sequence:
    """Return the sequence with which a cheating server gets the throws it wants.

    A server that sees a player's sequence before choosing its own can choose every throw of the game. Each
    throw still follows from the two sequences, so checking the throws shows nothing. If the server has to
    publish `Sequence.commitment` first, `Match.replay` rejects this sequence.

    Parameters
    ----------
    seen : Sequence
        The honest player's sequence.
    throws : str or array_like of int, 512 dice
        The wanted throws.

    Returns
    -------
    Sequence
        The only sequence that gives these throws.

    Examples
    --------
    >>> import provably_fair as pf
    >>> honest = pf.operators.fpclub.Sequence.system()
    >>> fixed = pf.operators.fpclub.Sequence.system()
    >>> promised = fixed.commitment()
    >>> cheat = pf.operators.fpclub.rig(honest, "66" * 256)
    >>> bool((pf.operators.fpclub.Match(honest, cheat).throws == 6).all())
    True
    >>> cheat.check_commitment(promised)
    False
    """
    check_type("seen", seen, Sequence, "a Sequence")
    wanted = pairs_of(digits("throws", throws, 2 * PAIRS))
    return Sequence(complete(seen.pairs, wanted))
