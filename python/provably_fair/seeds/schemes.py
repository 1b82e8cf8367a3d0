"""Schemes as data: the hash of a round's fields, and the conversion of digests to numbers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import KW_ONLY, dataclass, field, fields as dataclass_fields, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache, partial
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import numpy as np

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    did_you_mean,
    integer,
    refuse_nan,
    threads_of,
)
from provably_fair._core.errors import ArgumentError, within
from provably_fair._core.mistakes import Mistakes, mistakes_in
from provably_fair._core.table import facts_html
from provably_fair._core.types import JsonDict
from provably_fair._engine import (
    BITCOIN as BITCOIN,
    BLOCK_HASHES as BLOCK_HASHES,
    Fields,
    Hash as EngineHash,
    Scheme as EngineScheme,
    Streams,
)

_MAX_NUMBERS = 1 << 20
_Made = TypeVar("_Made")

_EXAMPLES = {
    "hash": 'hash = {name = "sha256", message = "{server_seed}:{nonce}"}',
    "bits": "bits = 32",
    "words": "words = 8",
    "below": 'below = "modulo"',
    "read_on": "read_on = 1",
    "first_cursor": "first_cursor = 1",
    "fields": 'fields = ["server_seed", "nonce"]',
    "defaults": 'defaults = {client_seed = ""}',
    "commitment": 'commitment = {name = "sha256", message = "{server_seed}"}',
    "beacon": 'beacon = "quicknet"',
    "name": 'name = "sha256"',
    "message": 'message = "{server_seed}:{nonce}"',
    "key": 'key = "{server_seed}"',
    "raw": "raw = true",
}


COMMITMENT, SALT_COMMITMENT = "commitment", "salt_commitment"
"""Fields that hold commitments published before the round: SHA-256 of the server seed, and of the salt."""

_USUAL = (
    "server_seed",
    "client_seed",
    "nonce",
    "round",
    "salt",
    "game_hash",
    "block_hash",
    "cursor",
    "label",
)
"""Names in templates of which others may be misspellings."""

_OF_SEEDS = {COMMITMENT: "server_seed", SALT_COMMITMENT: "salt"}


def _defined(
    kind: type[_Made],
    data: object,
    required: tuple[str, ...],
    optional: tuple[str, ...],
    hashes: tuple[str, ...] = (),
) -> _Made:
    """Return a Hash or Scheme, all mistakes at once; entries in `hashes` may be definitions of hashes."""
    where = kind.__name__
    if not isinstance(data, Mapping):
        raise BadType("data", f"of {where} must be a mapping, got {type(data).__name__}")
    allowed, mistakes = (*required, *optional), Mistakes()
    entries: dict[str, Any] = dict.fromkeys(required)
    for name in data:
        with mistakes.of(""):
            if name not in allowed:
                names, meant = ", ".join(allowed), did_you_mean(name, allowed)
                raise BadValue("data", f"of {where} must have entries among {names}, got {name!r}{meant}")
            entries[name] = data[name]
    for name in required:
        with mistakes.of(name):
            if name not in data:
                raise BadValue("data", f"of {where} lacks {name}, which every {where} has")
    for name in hashes:
        if isinstance(entries.get(name), Mapping):
            with mistakes.of(name), within(f"{name}: "):
                entries[name] = Hash.from_dict(entries[name])
    defined = None
    try:
        defined = kind(
            **{name: value for name, value in entries.items() if name in required or name not in mistakes}
        )
    except (TypeError, ValueError) as error:
        mistakes.found += [one for one in mistakes_in(error) if one[0] not in mistakes]
    mistakes.tell(_EXAMPLES)
    assert defined is not None
    return defined


@dataclass(frozen=True)
class Hash:
    """A hash of a round's fields, as data.

    Parameters
    ----------
    name : str
        The algorithm: "md5", "sha1", "sha256", "sha384", "sha512", "sha3_256", "sha3_384", "sha3_512",
        "keccak256" (Ethereum's), "blake2b" (64 bytes), "blake3" (32 bytes), or "none" to use the message
        itself.
    message : str, Hash, or a sequence of them
        The message: text with the fields of a round in braces, such as ``"{client_seed}:{nonce}"``.
        ``{cursor}`` is the number of the digest in its round, and ``{label}`` the label of a draw
        (``draws.label``). A field is hashed as UTF-8 text, and a whole number as its decimal digits.
        ``{server_seed:bytes}`` decodes the field's hex text to bytes, and ``{beacon_signature:utf8}`` reads
        these bytes as UTF-8, with U+FFFD for each invalid part. For whole numbers, ``{nonce:08}`` writes at
        least eight digits, and ``{nonce:u32le}`` four bytes, the least first (u8, or u16, u32, u64 with le or
        be). Write braces as ``{{`` and ``}}``. A Hash stands for its lowercase hex text.
    key : str, Hash, or a sequence of them, optional
        The key of HMAC, built in the same way. Without a key, the hash is a plain one.
    raw : bool
        Within another hash: whether to use its bytes rather than their hex text.

    See Also
    --------
    Scheme : How digests become numbers.

    Examples
    --------
    >>> commitment = pf.Hash("sha256", "{server_seed}")
    >>> commitment.hexdigest("abc")[:16]
    'ba7816bf8f01cfea'
    >>> pf.Hash("sha512", "{client_seed}:{nonce}", key="{server_seed}").fields
    ('server_seed', 'client_seed', 'nonce')
    """

    name: Literal[
        "md5",
        "sha1",
        "sha256",
        "sha384",
        "sha512",
        "sha3_256",
        "sha3_384",
        "sha3_512",
        "keccak256",
        "blake2b",
        "blake3",
        "none",
    ]
    message: str | Hash | Sequence[str | Hash]
    key: str | Hash | Sequence[str | Hash] | None = None
    raw: bool = False

    _repr_html_ = facts_html

    def __post_init__(self) -> None:
        _ = self._core  # raises if the definition is invalid
        # Convert to plain str, so that no subclass gets into repr or files.
        object.__setattr__(self, "name", str(self.name))
        for name, parts in (("message", self.message), ("key", self.key)):
            if isinstance(parts, list | tuple):
                object.__setattr__(self, name, parts[0] if len(parts) == 1 else tuple(parts))

    @cached_property
    def _core(self) -> EngineHash:
        return _engine_hash(self.name, _hashable(self.message), _hashable(self.key), self.raw)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields: the seeds, then those of the message, then those of the key."""
        return self._core.fields

    def hexdigest(
        self,
        *fields: object,
        cursor: int = 0,
        label: str | None = None,
        threads: int | None = None,
        **named: object,
    ) -> str | np.ndarray:
        """Return the digest of a round's fields as lowercase hex text.

        Parameters
        ----------
        *fields, **named : str, bytes, int, or array-like of them
            The fields in the order of `fields`, or by name.
        cursor : int
            The value of ``{cursor}``.
        label : str, optional
            The value of ``{label}``, if there is one.
        threads : int, optional
            The largest number of threads; by default as many as the machine has.

        Returns
        -------
        str or numpy.ndarray
            Of N rounds an array of dtype ``'S64'`` for SHA-256, of other lengths for other algorithms.

        Examples
        --------
        >>> pf.Hash("md5", "{game}").hexdigest(["a", "b"])
        array([b'0cc175b9c0f1b6a831c399e269772661',
               b'92eb5ffee6ae2fec3ad71c777531578f'], dtype='|S32')
        """
        try:
            digests = self._core.digests(fields, named, cursor, label, threads=threads_of(threads))
        except BadType as error:
            raise with_hint(error, self.fields, fields, named) from None
        if isinstance(digests, bytes):
            return digests.hex()
        text = digests.tobytes().hex().encode()
        return np.frombuffer(bytearray(text), f"S{2 * digests.shape[1] or 1}", count=len(digests))

    def to_dict(self) -> JsonDict:
        """Return the definition in plain types, for JSON or TOML."""
        data: dict[str, Any] = {"name": self.name, "message": _plain(self.message)}
        if self.key is not None:
            data["key"] = _plain(self.key)
        if self.raw:
            data["raw"] = True
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Hash:
        """Return the hash of a definition in plain types; see `to_dict`.

        Examples
        --------
        >>> pf.Hash.from_dict({"name": "sha256", "message": "{server_seed}"})
        Hash('sha256', '{server_seed}')
        """
        if isinstance(data, Mapping):
            data = {
                name: _of_plain(part) if name in ("message", "key") else part for name, part in data.items()
            }
        return _defined(cls, data, ("name", "message"), ("key", "raw"))

    def _facts(self) -> dict[str, object]:
        return {
            "name": self.name,
            **{name: _fact(getattr(self, name)) for name in ("message", "key")},
            "raw": self.raw or None,
        }

    def __repr__(self) -> str:
        key = "" if self.key is None else f", key={self.key!r}"
        raw = ", raw=True" if self.raw else ""
        return f"Hash({self.name!r}, {self.message!r}{key}{raw})"

    def __reduce__(self) -> tuple[object, ...]:
        return Hash, (self.name, self.message, self.key, self.raw)


def _fact(value: object) -> str | None:
    """Return a part of a scheme as shown on pages; strings without quotes."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={part!r}" for name, part in value.items()) or None
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    return None if value is None else str(value)


def _hashable(parts: Any) -> Any:
    """Return the parts of a message or key in a hashable form, as nested tuples."""
    return tuple(parts) if isinstance(parts, list) and parts else parts


# Parse equal definitions once per process. The cache is typed, so that 1 isn't taken for True.
_read = lru_cache(maxsize=1024, typed=True)(EngineHash)


def _engine_hash(*definition: Any) -> EngineHash:
    """Return the engine's hash from a name, a message, a key and whether it is raw."""
    try:
        hash(definition)
    except TypeError:  # unhashable; the engine reports which part is wrong
        return EngineHash(*definition)
    return _read(*definition)


def _plain(parts: Any) -> Any:
    """Return a part of a definition in plain types."""
    if isinstance(parts, tuple):
        return [_plain(part) for part in parts]
    return parts.to_dict() if isinstance(parts, Hash) else parts


def _of_plain(parts: Any) -> Any:
    """Return the parts of a message or key, with hashes built from plain types."""
    if isinstance(parts, list | tuple):
        return [_of_plain(part) for part in parts]
    return Hash.from_dict(parts) if isinstance(parts, Mapping) else parts


def hex_fields(hash: Hash) -> set[str]:
    """Return the fields whose hex text is decoded to bytes."""
    return set(hash._core.hex_fields)


@dataclass(frozen=True)
class Scheme:
    """The conversion of a round's fields to numbers, as data: a hash, and the use of its digests.

    Parameters
    ----------
    hash : Hash
        The hash. With ``{cursor}`` there is a digest for each cursor, otherwise one digest.
    bits : int or "range"
        The bits of a word, a multiple of 4 up to 64. A digest is cut into words from the front, and a
        remainder is dropped. With ``"range"`` each draw takes as many bytes as its range needs (one for up to
        256 choices), across digests if necessary; a number takes seven, of which the first 52 bits count.
    words : int, optional
        The number of words used of each digest; all by default.
    below : {"scale", "modulo", "reject", "reject_last", "multiply", "digest", "double", "nearest", "decimal"}
        Rule that maps a word to one of ``range(n)``. ``"scale"``: ``floor(number * n)`` in doubles, where the
        number of a word is ``word / 2**bits``; words of 64 bits make the sum
        ``b1/256 + ... + b8/256**8`` of their bytes, below 1; words of 56 and 60 bits make no number.
        ``"modulo"``: ``word % n``. ``"reject"``: the same, but words from the largest multiple of n upward
        are rejected, and the next word of the same digest is read, even beyond `words`. If the digest has no
        other word, that is an error unless `read_on` says what to read. ``"reject_last"``: the same with the
        largest multiple up to ``2**bits - 1``, so if n divides ``2**bits``, the last n words are
        rejected too. ``"multiply"``: ``word * n >> bits``. ``"digest"``: all of the word's digest as one
        number, modulo n. ``"double"``: the same number as JavaScript's ``parseInt(digest, 16)`` reads it,
        rounded to the nearest double (ties to even), modulo n. ``"nearest"``: JavaScript's
        ``Math.round(word / (largest / (n - 1)))``, where ``largest`` is ``2**bits - 1``: the first and the
        last answer have half as many words as the others. ``"decimal"``: the last two decimal digits of a
        byte, ``word % 100``, n being at most 56; words from which n or more would come are rejected.
    digits : int, optional
        The significant digits that a number keeps, 1 to 15, rounded as by JavaScript's ``toPrecision``; it
        may become 1. By default all are kept. ``below`` takes the number as it was.
    read_on : int or Hash, optional
        The source of further words when a digest has no acceptable word left. A number: the digest at the
        cursor plus this number, and so on. With 1, if all words of a digest are used, later draws continue
        there; otherwise later draws aren't affected. A Hash: a hash of the digest, ``{digest}`` or
        ``{digest:bytes}``, and the round's fields; without a ``{cursor}``, draws continue in it when a digest
        is used up.
    first_cursor : int
        The first digest's ``{cursor}``.
    fields : sequence of str, optional
        Names of a round's fields in the order in which they are given: by default ``server_seed`` and
        ``client_seed`` if they occur, then as they appear in the message, then in the key.
    defaults : mapping, optional
        Values of optional fields, such as a chain's salt. A nonce whose default is text may be text.
    commitment : Hash, optional
        Hash that the operator publishes beforehand, usually ``Hash("sha256", "{server_seed}")``.
    beacon : str, optional
        The public source of randomness of a field, such as ``"quicknet"``.
    function, vectorized
        See `Scheme.of`, which makes schemes that have them.

    Notes
    -----
    If the text of a published value is hashed, only one spelling of it counts, since its proof (a chain, a
    signature, a block's header) is the same for all spellings, but each has an outcome of its own. It is
    lower-case hexadecimal without blanks for ``game_hash``, ``beacon_signature``, ``beacon_randomness``,
    ``block_hash`` and the like, and decimal digits without leading zeros for ``beacon_round``. Text that an
    operator adds belongs in the template: ``"0x{block_hash}"``. The same holds for a seed whose commitment
    hashes its bytes. Other seeds and salts are free text, and with ``:bytes`` or ``:utf8`` capitals are the
    same.

    See Also
    --------
    Scheme.of : Words from a function in place of a hash.
    SALTED : The scheme of the ten games.

    Examples
    --------
    >>> scheme = pf.Scheme(
    ...     pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"),
    ...     bits=32,
    ...     commitment=pf.Hash("sha256", "{server_seed}"),
    ... )
    >>> scheme.fields
    ('server_seed', 'client_seed', 'nonce')
    >>> scheme.random_bytes("secret", "client", 1).hex()[:16]
    '7b2b2a7a3471a601'
    >>> scheme.random_numbers("secret", "client", [1, 2], count=3).round(4)
    array([[0.4811, 0.2049, 0.8517],
           [0.2669, 0.7408, 0.8148]])
    """

    hash: Hash
    _: KW_ONLY
    bits: int | Literal["range"]
    words: int | None = None
    below: Literal[
        "scale", "modulo", "reject", "reject_last", "multiply", "digest", "double", "nearest", "decimal"
    ] = "scale"
    digits: int | None = None
    read_on: int | Hash | None = None
    first_cursor: int = 0
    fields: tuple[str, ...] = None  # type: ignore[assignment]  # defaults to those of the hash
    defaults: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    commitment: Hash | None = None
    beacon: str | None = None
    function: Callable[..., Any] | None = None
    vectorized: bool = field(default=False, hash=False)

    _repr_html_ = facts_html

    def __post_init__(self) -> None:
        for name, value in self._core.parts.items():
            object.__setattr__(self, name, value)

    @cached_property
    def _core(self) -> EngineScheme:
        try:
            return EngineScheme(self)
        except BadValue as error:
            raise with_hint(error, getattr(self.hash, "fields", ())) from None

    def random_bytes(
        self,
        *fields: object,
        cursor: int = 0,
        label: str | None = None,
        threads: int | None = None,
        **named: object,
    ) -> bytes | np.ndarray:
        """Return the digest that a round's fields give at a cursor.

        Parameters
        ----------
        *fields, **named : str, bytes, int, or array-like of them
            The fields in the order of `fields`, or by name. Seeds, salts and hashes are text, hashed as
            UTF-8; ``nonce`` and ``round`` are whole numbers; others may be either. Published values have one
            spelling (see `Scheme`). One value serves all rounds.
        cursor : int
            The value of ``{cursor}``; 0 if the template has none.
        label : str, optional
            The value of ``{label}``, if there is one; the scheme's own by default.
        threads : int, optional
            The largest number of threads; by default as many as the machine has.

        Returns
        -------
        bytes or numpy.ndarray
            Of N rounds an array of shape (N, size of a digest) and dtype uint8.

        Raises
        ------
        TypeError, ValueError
            When a field is missing or invalid, or arrays differ in length. The message names
            the field and the row.

        Examples
        --------
        >>> pf.SALTED.random_bytes("", "", "")[:4].hex()
        '78959b80'
        >>> pf.SALTED.random_bytes("", "", ["", "salt"], cursor=1).shape
        (2, 64)
        """
        if self.function is not None:
            raise BadType("function", sentence=f"{self!r} has no digests: a function makes its words")
        try:
            return self._core.digests(fields, named, cursor, label, threads=threads_of(threads))
        except BadType as error:
            raise with_hint(error, self.fields, fields, named) from None

    def random_numbers(
        self, *fields: object, count: int = 8, threads: int | None = None, **named: object
    ) -> np.ndarray:
        """Return the first numbers of a round, each in [0, 1).

        Parameters
        ----------
        *fields, **named : str, bytes, int, or array-like of them
            See `random_bytes`.
        count : int
            Number of numbers, up to 2**20: from the words of the first cursor, then of the next ones.
        threads : int, optional
            The largest number of threads; by default as many as the machine has.

        Returns
        -------
        numpy.ndarray
            Shape (count,), for N rounds (N, count); dtype float64.

        Raises
        ------
        TypeError, ValueError
            When a field is missing or invalid, arrays differ in length, words make no number,
            or a scheme without ``{cursor}`` has fewer words.

        Examples
        --------
        >>> pf.SALTED.random_numbers("", "", "", count=2)
        array([0.47103283, 0.35636785])
        """
        count = integer("count", count, 0, _MAX_NUMBERS)
        rounds = bind_fields(self, fields, named)
        return self._core.numbers(rounds, count, threads=threads_of(threads))

    def to_dict(self) -> JsonDict:
        """Return the definition in plain types, for JSON or TOML; defaults are left out."""
        if self.function is not None:
            raise BadType("function", sentence=f"{self!r} can't be written as data: it has a function")
        return {name: _plain(value) for name, value in self._definition()}

    def _definition(self) -> Iterator[tuple[str, Any]]:
        """Yield the arguments that differ from their defaults."""
        usual: dict[str, Any] = {"fields": self.hash.fields, "defaults": {}}
        for one in dataclass_fields(self):
            value = getattr(self, one.name)
            if one.name == "vectorized":  # applies to functions alone
                given = self.function is not None
            else:
                given = value != usual.get(one.name, one.default)
            if given:
                yield one.name, dict(value) if isinstance(value, Mapping) else value

    @classmethod
    def of(
        cls,
        function: Callable[..., Any],
        *,
        bits: int,
        fields: Sequence[str],
        vectorized: bool = False,
        below: Literal["scale", "modulo", "reject", "reject_last", "multiply"] = "scale",
        defaults: Mapping[str, str | int] | None = None,
        commitment: Hash | None = None,
        beacon: str | None = None,
    ) -> Scheme:
        """Return a scheme whose words come from a function: a generator seeded by a hash, or a cipher.

        Parameters
        ----------
        function : callable
            From the fields of a round, text or whole numbers in the order of `fields`, to its words: an
            iterable of whole numbers below ``2**bits``, which may have no end, or bytes to cut into words.
        bits : int
            The bits of a word, up to 64.
        fields : sequence of str
            Names of the fields.
        vectorized : bool
            Whether the function is called for many rounds at once, with an array for each field and the
            number of words. It returns an array of shape (rounds, count).
        below, defaults, commitment, beacon
            As for any scheme. Rounds that reject words read on.

        Returns
        -------
        Scheme
            It does everything that a scheme does, but can't be written as data. Pickled, it names the
            function.

        Examples
        --------
        >>> import random
        >>> def twister(server_seed, nonce):
        ...     generator = random.Random(f"{server_seed}:{nonce}")
        ...     while True:
        ...         yield generator.getrandbits(32)
        >>> scheme = pf.Scheme.of(twister, bits=32, fields=["server_seed", "nonce"], below="reject")
        >>> pf.Dice().with_scheme(scheme).play("seed", nonce=[0, 1])
        array([60.15, 49.99])
        """
        if isinstance(fields, str) or not isinstance(fields, Sequence) or not fields:
            raise BadType("fields", f"must be a sequence of names, got {fields!r}")
        for name in fields:
            if not isinstance(name, str) or not name.isidentifier() or name in ("cursor", "label", "digest"):
                raise BadValue("fields", f"must be names such as server_seed, got {name!r} among them")
        # Identifies a round by everything that its words depend on.
        known = Hash("sha256", [Hash("sha256", f"{{{name}}}") for name in fields])
        return cls(
            known,
            bits=bits,
            below=below,
            fields=tuple(fields),
            defaults={} if defaults is None else defaults,
            commitment=commitment,
            beacon=beacon,
            function=function,
            vectorized=vectorized,
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Scheme:
        """Return the scheme of a definition in plain types; see `to_dict`.

        Examples
        --------
        >>> pf.Scheme.from_dict(pf.SALTED.to_dict()) == pf.SALTED
        True
        """
        required, of_functions = ("hash", "bits"), ("function", "vectorized")
        names = (one.name for one in dataclass_fields(cls))
        optional = tuple(name for name in names if name not in (*required, *of_functions))
        return _defined(cls, data, required, optional, hashes=("hash", "commitment", "read_on"))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Scheme:
        """Return the scheme that a TOML file defines.

        Parameters
        ----------
        path : str or path-like
            A file with the entries of `to_dict`: ``bits``, ``[hash]`` with ``name``, ``message`` and
            ``key``, and what differs from the defaults.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "scheme.toml")
        >>> _ = path.write_text('''
        ... bits = 32
        ... [hash]
        ... name = "sha256"
        ... message = "{client_seed}:{nonce}"
        ... key = "{server_seed}"
        ... ''')
        >>> pf.Scheme.load(path)
        Scheme(Hash('sha256', '{client_seed}:{nonce}', key='{server_seed}'), bits=32)
        """
        from provably_fair._core.toml import toml_of

        try:
            name = os.fspath(path)
        except TypeError:
            raise BadType("path", f"must be str or path-like, got {type(path).__name__}") from None
        try:
            with open(name, encoding="utf-8-sig", newline="") as file:
                data = toml_of(file.read())
        except ValueError as error:
            raise BadValue("path", f"must be that of a TOML file, and {name!r} isn't: {error}") from None
        with within(f"{name}: "):
            return cls.from_dict(data)

    def _facts(self) -> dict[str, object]:
        own = {**dict(self._definition()), "fields": self.fields, "below": self.below}
        if self.function is not None:
            own["hash"] = None
            own["function"] = getattr(self.function, "__qualname__", self.function)
        return {name: _fact(value) for name, value in own.items()}

    def __repr__(self) -> str:
        (_, hash), *others = self._definition()
        head = f"Scheme({hash!r}"
        if self.function is not None:
            name = getattr(self.function, "__qualname__", None)
            shown = repr(self.function) if name is None else f"{self.function.__module__}.{name}"
            head = f"Scheme.of({shown}"
            others = [part for part in others if part[0] not in ("function", "fields")]
            others.insert(1, ("fields", self.fields))
        return f"{', '.join([head, *(f'{name}={value!r}' for name, value in others)])})"

    def __reduce__(self) -> tuple[object, ...]:
        return partial(Scheme, **dict(self._definition())), ()


SALTED = Scheme(Hash("sha512", "{client_seed}:{cursor}", key=Hash("sha256", "{server_seed}:{salt}")), bits=64)
"""The scheme of the ten games: HMAC-SHA512, keyed with the hashed server seed and salt."""


# ---- internal access to schemes ----


def engine_hash(hash: Hash) -> EngineHash:
    """Return the engine's form of a hash, whose fields are in the order of `Hash.fields`."""
    return hash._core


def engine_fields(
    scheme: Scheme, values: Mapping[str, tuple[str, object]], rounds: int | None = None
) -> Fields:
    """Return the engine's fields of rounds from values by field."""
    return scheme._core.fields([values[name] for name in scheme.fields], rounds)


def bind_fields(scheme: Scheme, positional: tuple[object, ...], named: Mapping[str, object]) -> Fields:
    """Return the engine's fields of rounds from arguments in the form of `random_bytes`."""
    try:
        return scheme._core.bind(positional, named)
    except BadType as error:
        raise with_hint(error, scheme.fields, positional, named) from None


def with_hint(
    error: ArgumentError,
    fields: Sequence[str],
    positional: tuple[object, ...] = (),
    named: Mapping[str, object] = MappingProxyType({}),
    also: Sequence[str] = (),
) -> ArgumentError:
    """Return an error about fields with a question, if a template or a call may misspell a name.

    Names that a call may have besides the fields are in `also`. Whole numbers of a frame become floats where
    one is missing: its row is told.
    """
    given: Any = {**dict(zip(fields, positional, strict=False)), **named}.get(error.argument)
    if error.index is None and hasattr(given, "dtype") and np.ndim(given) == 1:
        try:
            refuse_nan(error.argument, np.asarray(given))
        except BadValue as missing:
            return missing
    lacking = set(fields) - {*fields[: len(positional)], *named}
    if error.sentence is not None or error.argument not in ("fields", "defaults", *lacking):
        return error
    others = [name for name in _USUAL if name not in fields]
    for name in fields:
        for usual in () if name in _USUAL else get_close_matches(name, others, 1, 0.75):
            return _hinted(error, f" (is {{{name}}} a misspelled {{{usual}}}?)")
    unknown = next((name for name in named if name not in fields), None)
    if error.argument == "fields" and unknown is not None:
        return _hinted(error, did_you_mean(unknown, [*fields, *also], 0.75))
    return error


def _hinted(error: ArgumentError, hint: str) -> ArgumentError:
    hinted = copy(error)
    hinted.problem += hint
    hinted.args = (f"{error.args[0]}{hint}",)
    if "mistakes" in vars(error):
        vars(hinted)["mistakes"] = [(error.argument, hinted)]
    return hinted


def draws(
    scheme: Scheme,
    rounds: Fields,
    first: int = 0,
    count: int | None = None,
    *,
    ahead: int = 0,
    threads: int | None = 1,
) -> Streams:
    """Return resumable draws of rounds `first`, `first + 1`, ...: each call continues where the last ended.

    If the number of words per round is known (`Streams.place` after a first run), passing it as `ahead`
    computes them in one go.
    """
    return Streams(scheme._core, rounds, first, count, ahead=ahead, threads=threads)


def kind_of(scheme: Scheme, field: str) -> str:
    """Return the type of a scheme's field: "number", "text", or "any"."""
    return scheme._core.kind_of(field)


def digest_size(scheme: Scheme) -> int:
    """Return the size of a scheme's digests in bytes."""
    size = scheme._core.size
    if size is None:
        raise BadValue("scheme", f"must have digests of a fixed size, got {scheme!r}")
    return size


@lru_cache
def _hash_alone(field: str) -> Hash:
    """Return the SHA-256 of a single field."""
    return Hash("sha256", f"{{{field}}}")


def commitments_of(scheme: Scheme) -> dict[str, Hash]:
    """Return the hashes that an operator publishes beforehand, by their names in logs."""
    relaxed = {name: _hash_alone(seed) for name, seed in _OF_SEEDS.items() if seed in scheme.fields}
    if scheme.commitment is not None:
        relaxed[COMMITMENT] = scheme.commitment
    return relaxed


def published_beside(scheme: Scheme) -> list[str]:
    """Return the names of commitments that aren't fields of the scheme."""
    return [name for name in commitments_of(scheme) if name not in scheme.fields]


def widths(scheme: Scheme) -> dict[str, int]:
    """Return the fields that are integers of fixed width, with the largest value of each."""
    return dict(scheme._core.widths)


def spelled(scheme: Scheme) -> dict[str, str]:
    """Return the fields whose text must be spelled in one way, with that spelling."""
    return dict(scheme._core.spelled)


def in_any_spelling(scheme: Scheme) -> Scheme:
    """Return the scheme without spelling rules, to explain logs that don't follow them."""
    relaxed = replace(scheme)
    object.__setattr__(relaxed, "_core", scheme._core.in_any_spelling())
    return relaxed


def weights_below(scheme: Scheme, n: int, answers: Sequence[int]) -> tuple[list[int], int]:
    """Return the counts of words for which ``below(n)`` is less than each answer, and of all words."""
    if scheme.below not in ("digest", "double"):
        return scheme._core.weights_below(n, answers)
    if scheme._core.size is None:
        raise BadValue("law", 'must be "ideal" under a scheme whose message isn\'t hashed')
    total = 1 << 8 * scheme._core.size
    if scheme.below == "double":
        from .doubles import doubles_below

        return [doubles_below(8 * scheme._core.size, n, answer) for answer in answers], total
    return [total // n * answer + min(answer, total % n) for answer in answers], total


def engine_scheme(scheme: Scheme) -> EngineScheme:
    """Return the engine's form of a scheme."""
    return scheme._core
