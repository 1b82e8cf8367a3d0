"""Dice generated in advance: their hash is published before the game, the dice in the log after it.

A log is damaged more often than forged: a die is lost, doubled or misread on the way. So if the hash of some
dice differs from the published one, every edit of a single die is tried, about 13 for each die. A second
sequence with the same hash that is one edit away can't be found on purpose.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from provably_fair._core.arguments import BadType, BadValue, check_type, choice, encode_text, integer
from provably_fair._core.table import html_table, text_html
from provably_fair.distribution.sampling import Rng
from provably_fair.walkthrough import Walkthrough
from provably_fair.walkthrough.sections import Entries, LabeledRows

from .dice import digits, in_pairs, pairs_of, random_digits
from .properties import Algorithm, Property, checked_record, parse_hash, records_of, text_of

Edit = Literal["insert", "delete", "substitute", "swap"]
_ALGORITHMS: dict[str, str] = {"md5": "MD5", "sha256": "SHA-256"}

_MAX_DICE = 1 << 32
LONGEST_SEARCHED = 1024
"""The largest number of dice for which a check searches a repair by default."""


@dataclass(frozen=True, slots=True, repr=False, init=False)
class HashedDice:
    """A sequence of dice and its hash.

    Parameters
    ----------
    digits : str or array_like of int
        Digits 1 to 6, with any white space between them, or faces.
    hash : {"md5", "sha256"}
        FPClub's logs have MD5. For new logs use SHA-256. With MD5 a server can prepare two sequences with the
        same hash (a collision) and choose between them during the game. It still cannot find a second
        sequence for the MD5 of any other sequence (a second preimage), the only attack that the document
        considers. With SHA-256 neither is feasible.

    Attributes
    ----------
    digits : str
        The digits without white space.
    algorithm : {"md5", "sha256"}
        The hash function.

    Raises
    ------
    ValueError
        If there are no dice, or a value is not a face; for text the message has line and column.

    Notes
    -----
    The hash covers the dice alone, without a secret nonce. So whoever has seen all but the last few dice of a
    sequence can find the rest by brute force: the last seven have 6**7 = 279,936 possibilities, which takes
    less than a second, and the last ten take about a minute. If a sequence is used to its end, both players
    can know the last rolls before they are rolled. A nonce that is hashed with the dice and published after
    the game prevents that.

    Examples
    --------
    >>> dice = pf.operators.fpclub.HashedDice("5635 4324")
    >>> dice.hash
    '69b2f41e92e13ae5431314188a1fb971'
    >>> dice.rolls.tolist()
    [[5, 6], [3, 5], [4, 3], [2, 4]]
    >>> print(dice.record(length=5).text, end="")
    DH[69b2f41e92e13ae5431314188a1fb971]MI[length:5][game:0][ws:0][bs:0]
    DS[56354324]
    """

    digits: str
    algorithm: Algorithm

    def __init__(self, digits: str | bytes | ArrayLike, *, hash: Algorithm = "md5") -> None:
        text = _digits(digits)
        choice("hash", hash, _ALGORITHMS)
        object.__setattr__(self, "digits", text)
        object.__setattr__(self, "algorithm", str(hash))

    @classmethod
    def generate(cls, dice: int = 512, rng: Rng = None, *, hash: Algorithm = "md5") -> HashedDice:
        """Generate a new sequence.

        Parameters
        ----------
        dice : int
            The number of dice, an even number from 2.
        rng : int, numpy Generator, BitGenerator or SeedSequence, optional
            A seed or a generator, for a repeatable simulation. By default the operating system's entropy, the
            only safe choice for a real game.
        hash : {"md5", "sha256"}
            The hash function.

        Returns
        -------
        HashedDice
            Uniform and independent dice.

        Examples
        --------
        >>> dice = pf.operators.fpclub.HashedDice.generate(dice=8, rng=1)
        >>> len(dice), dice.rolls.shape, dice == pf.operators.fpclub.HashedDice.generate(dice=8, rng=1)
        (8, (4, 2), True)
        """
        dice = integer("dice", dice, 2, _MAX_DICE)
        if dice % 2:
            raise BadValue("dice", f"must be even, as a roll takes two, got {dice}")
        return cls(random_digits(dice, rng), hash=hash)

    @property
    def hash(self) -> str:
        """The hash of the digits' ASCII text, in lowercase hexadecimal."""
        return hash_of(self.digits, self.algorithm)

    @property
    def rolls(self) -> NDArray[np.int64]:
        """The dice in pairs, int64 of shape (n, 2), read-only. An odd last die is left out."""
        return pairs_of(self.digits)

    def check(self, expected: str, *, longest_searched: int = LONGEST_SEARCHED) -> Walkthrough:
        """Compare the sequence with a hash published before the game.

        Parameters
        ----------
        expected : str
            The published hash, 32 (MD5) or 64 (SHA-256) hexadecimal digits.
        longest_searched : int
            If the hash differs and there are at most this many dice, every edit of a single die is
            tried: about 13 hashes per die, so the time grows with the square of the length.

        Returns
        -------
        Walkthrough
            That of `explain`, with ``.ok``: whether the hashes are equal; ``.algorithm``, ``.expected`` and
            ``.computed``; ``.searched``: whether all single edits were tried; ``.repair``, a `Repair`, and
            ``.repaired``, the sequence after it, which are None if there is none.

        Examples
        --------
        >>> import hashlib
        >>> published = hashlib.md5(b"56354324").hexdigest()
        >>> pf.operators.fpclub.HashedDice("56354324").check(published).ok
        True
        >>> str(pf.operators.fpclub.HashedDice("5635434").check(published).repair)
        'insert a 2 at index 6'
        """
        check_type("expected", expected, str)
        return self.explain(expected, longest_searched=longest_searched)

    def explain(
        self, expected: str | None = None, *, longest_searched: int = LONGEST_SEARCHED
    ) -> Walkthrough:
        """Show how the hash follows from the dice.

        Parameters
        ----------
        expected : str, optional
            The hash published before the game, to compare with.
        longest_searched : int
            The largest number of dice for which to search a repair; see `check`.

        Returns
        -------
        Walkthrough
            Print it, show it in a notebook, or take its `~Walkthrough.to_dict`. Its outcome is the hash of
            the dice, by the published one's algorithm; ``.committed`` says whether the two are equal.

        Examples
        --------
        >>> walk = pf.operators.fpclub.HashedDice("5635 4324").explain("69b2f41e92e13ae5431314188a1fb971")
        >>> print(walk)
        FPClub's hashed dice: ok
        <BLANKLINE>
        1. Dice, as the log has them
           dice   8
           rolls  56 35 43 24
        <BLANKLINE>
        2. Hash = MD5(the digits as text), as hexadecimal text
           message  56354324
           hash     69b2f41e92e13ae5431314188a1fb971
        <BLANKLINE>
        3. The hash that was published before the game
           verdict        ok
           md5 published  69b2f41e92e13ae5431314188a1fb971
           md5 computed   69b2f41e92e13ae5431314188a1fb971
           dice           8
        >>> walk.committed
        True
        """
        algorithm, computed, ok = self.algorithm, self.hash, None
        compared: dict[str, Any] = {}
        results: list[tuple[str, str]] = []
        if expected is not None:
            expected, algorithm = parse_hash("expected", encode_text("expected", expected))
            longest = integer("longest_searched", longest_searched, 0)
            computed = hash_of(self.digits, algorithm)
            ok = computed == expected
            searched = not ok and len(self) <= longest
            repair = _find_repair(self.digits, expected, algorithm) if searched else None
            compared = {"expected": expected, "computed": computed, "ok": ok, "searched": searched}
            compared |= {"repair": repair, "repaired": repair and HashedDice(repair.digits, hash=algorithm)}
            results = [
                ("verdict", "ok" if ok else "MISMATCH"),
                (f"{algorithm} published", expected),
                (f"{algorithm} computed", computed),
                ("dice", str(len(self))),
            ]
            if repair is not None:
                dice = len(repair.digits)
                results.append(("repair", f"{repair}: then it matches, with {dice} dice = {dice // 2} rolls"))
            elif searched:
                results.append(("repair", "no edit of a single die makes it match"))
            elif not ok:
                results.append(("repair", "not searched, the sequence is too long"))
        title = "FPClub's hashed dice"
        facts = (("dice", str(len(self))), ("rolls", in_pairs(self.digits)))
        hashed = (("message", self.digits), ("hash", computed))
        rule = f"Hash = {_ALGORITHMS[algorithm]}(the digits as text), as hexadecimal text"
        published = LabeledRows("The hash that was published before the game", "results", tuple(results))
        return Walkthrough(
            self,
            title,
            (("digits", self.digits), ("hash", computed), ("algorithm", algorithm), *compared.items()),
            (),
            computed,
            (
                Entries(entries=(("title", title),)),
                LabeledRows("Dice, as the log has them", "facts", facts),
                LabeledRows(rule, "hash", hashed),
                *([published] if results else []),
                Entries(entries=(("steps", []), ("committed", ok), ("outcome", computed))),
            ),
            computed if ok is None else "ok" if ok else "MISMATCH",
            ok,
        )

    def record(self, *, length: int = 0, game: int = 0, ws: int = 0, bs: int = 0) -> Record:
        """Return the log record of this sequence.

        Parameters
        ----------
        length, game, ws, bs : int
            The values of `MI`: the match's length, the game's number, White's and Black's score.

        Returns
        -------
        Record
            The record with this sequence and its hash.

        Examples
        --------
        >>> record = pf.operators.fpclub.HashedDice("56354324").record(length=5, game=2)
        >>> dict(record.info)
        {'length': '5', 'game': '2', 'ws': '0', 'bs': '0'}
        """
        facts = {"length": length, "game": game, "ws": ws, "bs": bs}
        info = tuple(f"{name}:{integer(name, value, 0)}" for name, value in facts.items())
        return Record((("DH", (self.hash,)), ("MI", info), ("DS", (self.digits,))))

    def __len__(self) -> int:
        return len(self.digits)

    def __repr__(self) -> str:
        shown = self.digits if len(self.digits) <= 16 else f"{self.digits[:16]}..."
        return f"<HashedDice: {len(self.digits)} dice {shown}, {self.algorithm} {self.hash}>"

    def _repr_html_(self) -> str:
        rows = [(self.algorithm, self.hash), (f"{len(self.digits)} dice", self.digits)]
        return html_table(("", ""), rows, "l", labels=True)


def _digits(value: object) -> str:
    text = digits("digits", value)
    if not text:
        raise BadValue("digits", "must not be empty")
    return text


def hash_of(digits: str, algorithm: str) -> str:
    """Return the hash of the digits' ASCII text, in lowercase hexadecimal."""
    return hashlib.new(algorithm, digits.encode("ascii"), usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class Repair:
    """The single edit that makes a sequence match its published hash.

    A sequence that matches after one edit was almost surely damaged in writing or copying: such a forgery
    would need a second preimage. If several edits give the same sequence, as in a run of equal dice, this is
    the one with the smallest index.

    Attributes
    ----------
    kind : {"insert", "delete", "substitute", "swap"}
        The kind of edit.
    index : int
        Its index, from 0, in the digits without white space: insert before that die, delete or
        replace it, or swap it with the next.
    die : int or None
        The new die, or the deleted one; None for a swap.
    digits : str
        The repaired digits.
    """

    kind: Edit
    index: int
    die: int | None
    digits: str

    _repr_html_ = text_html

    def __str__(self) -> str:
        return {
            "insert": f"insert a {self.die} at index {self.index}",
            "delete": f"delete the {self.die} at index {self.index}",
            "substitute": f"put a {self.die} at index {self.index}",
            "swap": f"swap the dice at index {self.index} and {self.index + 1}",
        }[self.kind]

    @property
    def rolls(self) -> NDArray[np.int64]:
        """The repaired rolls, shape (n, 2), read-only."""
        return pairs_of(self.digits)


def _find_repair(digits: str, expected: str, algorithm: Algorithm) -> Repair | None:
    """Return the edit of one die with the smallest index that gives the expected hash."""
    whole = digits.encode("ascii")
    # The hash of the dice before the index is computed once for all edits there.
    before = hashlib.new(algorithm, usedforsecurity=False)
    for index in range(len(digits) + 1):
        for kind, put, taken in _edits(digits, index):
            edited = before.copy()
            edited.update(put.encode("ascii") + whole[index + taken :])
            if edited.hexdigest() == expected:
                die = {"delete": digits[index : index + 1], "swap": ""}.get(kind, put)
                repaired = digits[:index] + put + digits[index + taken :]
                return Repair(kind, index, int(die) if die else None, repaired)
        before.update(whole[index : index + 1])
    return None


def _edits(digits: str, index: int) -> Iterator[tuple[Edit, str, int]]:
    """Yield the edits at an index: the kind, the dice put there, and how many dice they replace.

    Inserting or deleting a die beside an equal one is the same edit as one place earlier, and left out.
    """
    previous, here, following = digits[:index][-1:], digits[index : index + 1], digits[index + 1 : index + 2]
    yield from (("insert", die, 0) for die in "123456" if die != previous)
    if here:
        if len(digits) > 1 and here != previous:
            yield "delete", "", 1
        yield from (("substitute", die, 1) for die in "123456" if die != here)
    if following and following != here:
        yield "swap", following + here, 2


@dataclass(frozen=True, slots=True, repr=False)
class Record:
    """One sequence in a game log.

    Parameters
    ----------
    properties : tuple of (name, values)
        All properties in order, values as tuples of str. `DH` (the hash), `DS` (the digits) and, if
        there, `MI` (facts about the game) come once each; others are kept unchanged.

    See Also
    --------
    HashedDice.record : The record of a sequence.
    parse_log : The records of a log.
    """

    properties: tuple[Property, ...]

    def __post_init__(self) -> None:
        try:
            pairs = [(name, list(values)) for name, values in self.properties]
        except (TypeError, ValueError):
            raise BadType("properties", f"must be names with values, got {self.properties!r:.80}") from None
        for name, values in pairs:
            for text in (name, *values):
                check_type("properties", text, str, "of str")
                encode_text("properties", text)
        object.__setattr__(self, "properties", checked_record(pairs))

    def _values(self, name: str) -> tuple[str, ...]:
        return next((values for known, values in self.properties if known == name), ())

    @property
    def expected(self) -> str:
        """The published hash."""
        return self._values("DH")[0]

    @property
    def digits(self) -> str:
        """The registered digits."""
        return self._values("DS")[0]

    @property
    def info(self) -> Mapping[str, str]:
        """The facts about the game, such as ``{"length": "0", "game": "0", "ws": "0", "bs": "0"}``."""
        return MappingProxyType(
            {name: value for name, _, value in (v.partition(":") for v in self._values("MI"))}
        )

    @property
    def dice(self) -> HashedDice:
        """The registered sequence, with the hash algorithm of the record."""
        return HashedDice(self.digits, hash=parse_hash("expected", self.expected.encode())[1])

    @property
    def text(self) -> str:
        """The record as in the log."""
        return write_log([self])

    def check(self, *, longest_searched: int = LONGEST_SEARCHED) -> Walkthrough:
        """Compare the registered digits with the published hash; see `HashedDice.check`.

        Examples
        --------
        A record that lost a die, as the one printed in FPClub's document did:

        >>> dice = pf.operators.fpclub.HashedDice("563543244323")
        >>> printed = dice.record().text.replace("5635", "535")
        >>> check = pf.operators.fpclub.parse_log(printed)[0].check()
        >>> check.ok, str(check.repair)
        (False, 'insert a 6 at index 1')
        >>> check.repaired == dice
        True
        """
        return self.dice.check(self.expected, longest_searched=longest_searched)

    def __repr__(self) -> str:
        info = " ".join(self._values("MI"))
        return f"<Record: {len(self.digits)} dice, {self.expected}{', ' + info if info else ''}>"

    def _repr_html_(self) -> str:
        rows = [(name, ", ".join(values)) for name, values in self.properties]
        return html_table(("", ""), rows, "l", labels=True)


def parse_log(text: str | bytes) -> list[Record]:
    r"""Read the records of a game log.

    A record is a run of properties ``NAME[value][value]...``. Any white space and line ends are allowed
    between them and inside `DH` and `DS`. In other values a backslash escapes the next character, so ``\]``
    is a bracket. A record ends where `DH`, `MI` or `DS` occurs again.

    Parameters
    ----------
    text : str or bytes
        The log; bytes are UTF-8.

    Returns
    -------
    list of Record
        The records in order; empty if there is only white space.

    Raises
    ------
    ValueError
        If the text is malformed; the message has line and column, both from 1.

    Examples
    --------
    >>> log = '''
    ... DH[69b2f41e92e13ae5431314188a1fb971]MI[length:0][game:0][ws:0][bs:0]
    ... DS[5635
    ... 4324]
    ... '''
    >>> record, = pf.operators.fpclub.parse_log(log)
    >>> record.check().ok
    True
    """
    return [_record_of(properties) for properties in records_of("text", encode_text("text", text))]


def load_log(path: str | os.PathLike[str]) -> list[Record]:
    """Read the records of a game log from a file, in ASCII or UTF-8; see `parse_log`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> record = pf.operators.fpclub.HashedDice("56354324").record()
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "game.log")
    ...     size = path.write_text(record.text)
    ...     pf.operators.fpclub.load_log(path) == [record]
    True
    """
    check_type("path", path, (str, os.PathLike), "str or os.PathLike")
    return [_record_of(properties) for properties in records_of("path", Path(path).read_bytes())]


def write_log(records: Iterable[Record]) -> str:
    """Return the text of a game log, which `parse_log` reads back unchanged.

    Parameters
    ----------
    records : iterable of Record
        In order.

    Returns
    -------
    str
        The log, with at most 88 digits in a line.

    Examples
    --------
    >>> records = [pf.operators.fpclub.HashedDice(digits).record() for digits in ("5635", "4324")]
    >>> text = pf.operators.fpclub.write_log(records)
    >>> text.count("DS["), pf.operators.fpclub.parse_log(text) == records
    (2, True)
    """
    check_type("records", records, Iterable, "an iterable of Record")
    texts = []
    for index, record in enumerate(records):
        check_type("records", record, Record, "a Record", index=index)
        texts.append(text_of(record.properties))
    return "".join(texts)


def _record_of(properties: tuple[Property, ...]) -> Record:
    """Return the record of properties that are checked already."""
    record = object.__new__(Record)
    object.__setattr__(record, "properties", properties)
    return record
