"""Schemes as data: what is hashed for a round, and how digests become numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from string import Formatter
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from provably_fair._core.arguments import integer, threads_of
from provably_fair._core.types import JsonDict
from provably_fair._engine import Fields, Game, HashedRound, Streams
from provably_fair._engine import Hash as EngineHash
from provably_fair._engine import Scheme as EngineScheme

__all__ = ["SALTED", "Hash", "Scheme"]

_MAX_NUMBERS = 1 << 20
# Fields that are counted; those that are text end in one of these words; any other may be either.
_COUNTED = {"nonce", "round"}
_TEXT = ("seed", "salt", "hash")
# The fields that come first, where there are any.
_FIRST = ("server_seed", "client_seed")
# The kinds of pieces that are fields.
_FIELD = ("field", "bytes")

_Piece = tuple[str, Any]


def _pieces(where: str, template: object) -> list[_Piece]:
    """Return the pieces of a template: literal bytes, fields by name, the cursor."""
    if not isinstance(template, str):
        raise TypeError(f"{where} must be str, got {type(template).__name__}")
    try:
        parsed = list(Formatter().parse(template))
        literals = [literal.encode() for literal, *_ in parsed]
    except UnicodeEncodeError:
        raise ValueError(
            f"{where} must be text that UTF-8 can encode, got text with a lone surrogate"
        ) from None
    except ValueError:
        raise ValueError(
            f"{where} must have a field's name in each pair of braces, got {template!r}: "
            "write {{ and }} for braces themselves"
        ) from None
    pieces: list[_Piece] = []
    for literal, (_, name, form, conversion) in zip(literals, parsed, strict=True):
        if literal:
            pieces.append(("literal", literal))
        if name is None:
            continue
        if not name.isidentifier() or conversion is not None or form not in ("", "bytes"):
            shown = name + (f"!{conversion}" if conversion else "") + (f":{form}" if form else "")
            raise ValueError(
                f"{where} must have braces of the forms {{name}}, {{name:bytes}} and {{cursor}}, "
                f"got {{{shown}}} in {template!r}: write {{{{ and }}}} for braces themselves"
            )
        if name != "cursor":
            pieces.append((form or "field", name))
        elif form:
            raise ValueError(
                f"{where} must have {{cursor}} without a form, got {{cursor:{form}}}: it is a number"
            )
        else:
            pieces.append(("cursor", None))
    return pieces


def _encodable(text: str) -> str:
    """Return text for the engine, which refuses what it doesn't know, but can't read lone surrogates."""
    return text.encode(errors="replace").decode()


def _entries(
    where: str, data: object, required: tuple[str, ...], optional: tuple[str, ...]
) -> dict[str, Any]:
    """Return the entries of a definition, if they are those that it may have."""
    if not isinstance(data, Mapping):
        raise TypeError(f"data of {where} must be a mapping, got {type(data).__name__}")
    for name in data:
        if name not in (*required, *optional):
            allowed = ", ".join((*required, *optional))
            raise ValueError(f"data of {where} must have entries among {allowed}, got {name!r}")
    for name in required:
        if name not in data:
            raise ValueError(f"data of {where} lacks {name}, which every {where} has")
    return dict(data)


@dataclass(frozen=True)
class Hash:
    """A hash of a round's fields, as data.

    Parameters
    ----------
    name : {"md5", "sha1", "sha256", "sha384", "sha512"}
        The algorithm.
    message : str
        What is hashed: text with the fields of a round in braces, such as ``"{client_seed}:{nonce}"``.
        ``{cursor}`` is the number of the digest in its round. A field is hashed as text, in UTF-8, and a
        whole number as its decimal digits; ``{server_seed:bytes}`` means the bytes that the field's hex
        text stands for. Braces themselves are ``{{`` and ``}}``.
    key : str or Hash, optional
        The key of HMAC, as a template too; of a hash, its lowercase hex text. Without a key the hash is a
        plain one.

    See Also
    --------
    Scheme : What is made of a hash's digests.

    Examples
    --------
    >>> import provably_fair as pf
    >>> commitment = pf.Hash("sha256", "{server_seed}")
    >>> commitment.hexdigest("abc")[:16]
    'ba7816bf8f01cfea'
    >>> pf.Hash("sha512", "{client_seed}:{nonce}", key="{server_seed}").fields
    ('server_seed', 'client_seed', 'nonce')
    """

    name: Literal["md5", "sha1", "sha256", "sha384", "sha512"]
    message: str
    key: str | Hash | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"Hash.name must be str, got {type(self.name).__name__}")
        if not isinstance(self.key, str | Hash | None):
            raise TypeError(f"Hash.key must be a template, a Hash or None, got {type(self.key).__name__}")
        # A str of Python's own, so that no subclass of it gets into repr or files.
        object.__setattr__(self, "name", str(self.name))
        _ = self._core  # refuses what isn't a definition

    @cached_property
    def _core(self) -> EngineHash:
        return _compile(self, self.fields)

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields: the seeds, then those of the message, then those of the key.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Hash("sha256", "{salt}", key="{game_hash}").fields
        ('salt', 'game_hash')
        """
        found = dict.fromkeys(name for _, name in _uses(self))
        return (*(name for name in _FIRST if name in found), *(name for name in found if name not in _FIRST))

    def hexdigest(
        self, *fields: object, cursor: int = 0, threads: int | None = None, **named: object
    ) -> str | np.ndarray:
        """Return the digest of a round's fields as lowercase hex text.

        Parameters
        ----------
        *fields, **named : str, bytes, int, or array-like of them
            The fields in the order of `fields`, or by name.
        cursor : int
            What stands for ``{cursor}``.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        str or numpy.ndarray
            Of N rounds an array of dtype ``'S64'`` for SHA-256, of other lengths for other algorithms.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Hash("md5", "{game}").hexdigest(["a", "b"])
        array([b'0cc175b9c0f1b6a831c399e269772661',
               b'92eb5ffee6ae2fec3ad71c777531578f'], dtype='|S32')
        """
        cursor = integer("cursor", cursor, 0, 2**64 - 1)
        digests = _digests(self._core, self.fields, {}, fields, named, cursor, threads)
        if isinstance(digests, bytes):
            return digests.hex()
        text = digests.tobytes().hex().encode()
        return np.frombuffer(bytearray(text), f"S{2 * self._core.size}")

    def to_dict(self) -> JsonDict:
        """Return the definition in plain types, for JSON or TOML.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Hash("sha256", "{salt}", key="{game_hash}").to_dict()
        {'name': 'sha256', 'message': '{salt}', 'key': '{game_hash}'}
        """
        data: dict[str, Any] = {"name": self.name, "message": self.message}
        if self.key is not None:
            data["key"] = self.key.to_dict() if isinstance(self.key, Hash) else self.key
        return data

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Hash:
        """Return the hash of a definition in plain types.

        Parameters
        ----------
        data : mapping
            See `to_dict`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Hash.from_dict({"name": "sha256", "message": "{server_seed}"})
        Hash('sha256', '{server_seed}')
        """
        entries = _entries("Hash", data, ("name", "message"), ("key",))
        if isinstance(entries.get("key"), Mapping):
            entries["key"] = cls.from_dict(entries["key"])
        return cls(**entries)

    def __repr__(self) -> str:
        key = "" if self.key is None else f", key={self.key!r}"
        return f"Hash({self.name!r}, {self.message!r}{key})"

    def __reduce__(self) -> tuple[object, ...]:
        return Hash, (self.name, self.message, self.key)


def _uses(hash: Hash) -> Iterator[tuple[str, str]]:
    """Kinds of use and names of fields as they appear in the message, then in the key."""
    templates: list[tuple[str, str | Hash | None]] = [("Hash.message", hash.message), ("Hash.key", hash.key)]
    for where, template in templates:
        if isinstance(template, Hash):
            yield from _uses(template)
        elif template is not None:
            yield from ((kind, name) for kind, name in _pieces(where, template) if kind in _FIELD)


def hex_fields(hash: Hash) -> set[str]:
    """Return the fields whose hex text stands for bytes."""
    return {name for kind, name in _uses(hash) if kind == "bytes"}


def _compile(hash: Hash, fields: tuple[str, ...]) -> EngineHash:
    """Return the engine's hash of rounds whose fields are given in this order."""

    def index_fields(where: str, template: str) -> list[_Piece]:
        pieces = _pieces(where, template)
        return [(kind, fields.index(value) if kind in _FIELD else value) for kind, value in pieces]

    key: EngineHash | list[_Piece] | None = None
    if isinstance(hash.key, Hash):
        key = _compile(hash.key, fields)
    elif hash.key is not None:
        key = index_fields("Hash.key", hash.key)
    return EngineHash(_encodable(hash.name), index_fields("Hash.message", hash.message), key, list(fields))


@dataclass(frozen=True)
class Scheme:
    """How a round's fields become numbers, as data: a hash, and what is made of its digests.

    Parameters
    ----------
    hash : Hash
        What is hashed. Where ``{cursor}`` occurs there is a digest for each cursor, else one digest.
    bits : int
        A digest is cut from the front into words of this many bits, a multiple of 4 up to 64; a rest is
        dropped.
    words : int, optional
        The words of a digest that are used before the next cursor's; all by default.
    below : {"scale", "modulo", "reject"}
        How a word becomes one of ``range(n)``. ``"scale"``: ``floor(number * n)`` in doubles, where the
        number of a word is ``word / 2**bits``; words of 64 bits make the sum
        ``b1/256 + ... + b8/256**8`` of their bytes, below 1; words of 56 and 60 bits make no number.
        ``"modulo"``: ``word % n``. ``"reject"``: the same, but words from the largest multiple of n upward
        are passed over, reading on in the same digest, also beyond `words`; a round whose digest has no
        other word is an error.
    first_cursor : int
        The first digest's ``{cursor}``.
    fields : sequence of str, optional
        Names of a round's fields in the order in which they are given: by default ``server_seed`` and
        ``client_seed`` if they occur, then as they appear in the message, then in the key.
    defaults : mapping, optional
        Values of fields that need not be given, such as a chain's salt.
    commitment : Hash, optional
        What the operator publishes before: ``Hash("sha256", "{server_seed}")``, as a rule.

    See Also
    --------
    SALTED : The scheme of the ten games.

    Examples
    --------
    >>> import provably_fair as pf
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
    bits: int
    words: int | None = None
    below: Literal["scale", "modulo", "reject"] = "scale"
    first_cursor: int = 0
    fields: tuple[str, ...] = None  # type: ignore[assignment]  # those of the hash
    defaults: Mapping[str, str | int] = field(default_factory=dict)
    commitment: Hash | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.hash, Hash):
            raise TypeError(f"Scheme.hash must be a Hash, got {type(self.hash).__name__}")
        if not isinstance(self.commitment, Hash | None):
            raise TypeError(f"Scheme.commitment must be a Hash or None, got {type(self.commitment).__name__}")
        if not isinstance(self.below, str):
            raise TypeError(
                f'Scheme.below must be "scale", "modulo" or "reject", got {type(self.below).__name__}'
            )
        self._set("bits", integer("Scheme.bits", self.bits, 4, 64))
        if self.words is not None:
            self._set("words", integer("Scheme.words", self.words, 1, 128))
        self._set("first_cursor", integer("Scheme.first_cursor", self.first_cursor, 0, 2**64 - 1))
        self._set("below", str(self.below))
        self._set("fields", self._check_fields())
        self._set("defaults", self._check_defaults())
        if self.commitment is not None:
            if self.commitment._core.has_cursor:
                raise ValueError("Scheme.commitment must not have {cursor}: it is one hash of a seed")
            if not set(self.commitment.fields) & set(self.fields):
                raise ValueError(
                    f"Scheme.commitment must be of one of the fields {', '.join(self.fields)}, got "
                    f"{self.commitment!r}"
                )
        _ = self._core  # refuses parts that don't fit together

    @cached_property
    def _hash(self) -> EngineHash:
        return _compile(self.hash, self.fields)

    @cached_property
    def _core(self) -> EngineScheme:
        below = _encodable(self.below)
        return EngineScheme(self._hash, self.bits, self.words, below, self.first_cursor)

    def _set(self, name: str, value: object) -> None:
        object.__setattr__(self, name, value)

    def _check_fields(self) -> tuple[str, ...]:
        own = self.hash.fields
        if not own:
            raise ValueError(
                f"Scheme.hash must have a field in braces, such as {{server_seed}}, got {self.hash!r}"
            )
        if self.fields is None:
            return own
        if isinstance(self.fields, str) or not isinstance(self.fields, Sequence):
            raise TypeError(f"Scheme.fields must be a sequence of str, got {type(self.fields).__name__}")
        fields = tuple(self.fields)
        for name in fields:
            if not isinstance(name, str):
                raise TypeError(f"Scheme.fields must be a sequence of str, got {name!r} in it")
        for name in own:
            if name not in fields:
                raise ValueError(
                    f"Scheme.fields lacks {name!r}, which the hash has: add it, or leave fields out"
                )
        for name in fields:
            if name not in own:
                raise ValueError(
                    f"Scheme.fields has {name!r}, which isn't in the hash: remove it, or write {{{name}}} "
                    "into a template"
                )
        if len(fields) != len(own):
            raise ValueError(f"Scheme.fields must have each name once, got {', '.join(fields)}")
        return tuple(map(str, fields))

    def _check_defaults(self) -> Mapping[str, str | int]:
        if not isinstance(self.defaults, Mapping):
            raise TypeError(f"Scheme.defaults must be a mapping, got {type(self.defaults).__name__}")
        checked: dict[str, str | int] = {}
        for name, value in self.defaults.items():
            if name not in self.fields:
                raise ValueError(
                    f"Scheme.defaults must name fields of the scheme ({', '.join(self.fields)}), got {name!r}"
                )
            where = f"Scheme.defaults[{name!r}]"
            if isinstance(value, bytes):
                try:
                    value = value.decode()
                except UnicodeDecodeError:
                    raise ValueError(f"{where} must be UTF-8, got other bytes") from None
            if kind_of(name) != "number" and isinstance(value, str):
                checked[name] = str(value)
            elif kind_of(name) != "text":
                checked[name] = integer(where, value, 0, 2**64 - 1)
            else:
                raise TypeError(f"{where} must be str, got {type(value).__name__}")
        return MappingProxyType(checked)

    def random_bytes(
        self, *fields: object, cursor: int = 0, threads: int | None = None, **named: object
    ) -> bytes | np.ndarray:
        """Return the digest that a round's fields give at a cursor.

        Parameters
        ----------
        *fields, **named : str, bytes, int, or array-like of them
            The fields in the order of `fields`, or by name. Seeds, salts and hashes are text, hashed as
            UTF-8; ``nonce`` and ``round`` are whole numbers; others may be either. One value serves all
            rounds.
        cursor : int
            What stands for ``{cursor}``; without one in a template, 0.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        bytes or numpy.ndarray
            Of N rounds an array of shape (N, size of a digest) and dtype uint8.

        Raises
        ------
        TypeError, ValueError
            When a field is missing or isn't what it must be, or arrays differ in length. The message names
            the field and the row.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.SALTED.random_bytes("", "", "")[:4].hex()
        '78959b80'
        >>> pf.SALTED.random_bytes("", "", ["", "salt"], cursor=1).shape
        (2, 64)
        """
        cursor = integer("cursor", cursor, 0, 2**64 - 1)
        if cursor and not self._hash.has_cursor:
            raise ValueError(f"cursor must be 0, as no template of the scheme has {{cursor}}, got {cursor}")
        return _digests(self._hash, self.fields, self.defaults, fields, named, cursor, threads)

    def random_numbers(
        self, *fields: object, count: int = 8, threads: int | None = None, **named: object
    ) -> np.ndarray:
        """Return the first numbers of a round, each in [0, 1).

        Parameters
        ----------
        *fields, **named : str, bytes, int, or array-like of them
            See `random_bytes`.
        count : int
            How many numbers, up to 2**20: those of the first cursor's words, then of the next ones'.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray
            Shape (count,), for N rounds (N, count); dtype float64.

        Raises
        ------
        TypeError, ValueError
            When a field is missing or isn't what it must be, arrays differ in length, words make no number,
            or a scheme without ``{cursor}`` has fewer words.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.SALTED.random_numbers("", "", "", count=2)
        array([0.47103283, 0.35636785])
        """
        count = integer("count", count, 0, _MAX_NUMBERS)
        rounds = bind_fields(self, fields, named)
        return self._core.numbers(rounds, count, threads=threads_of(threads))

    def to_dict(self) -> JsonDict:
        """Return the definition in plain types, for JSON or TOML; defaults are left out.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Scheme(pf.Hash("sha256", "{game_hash}"), bits=52).to_dict()
        {'hash': {'name': 'sha256', 'message': '{game_hash}'}, 'bits': 52}
        """
        return {
            name: value.to_dict()
            if isinstance(value, Hash)
            else dict(value)
            if isinstance(value, Mapping)
            else list(value)
            if isinstance(value, tuple)
            else value
            for name, value in self._definition()
        }

    def _definition(self) -> Iterator[tuple[str, Any]]:
        """Yield the arguments that differ from their defaults."""
        yield "hash", self.hash
        yield "bits", self.bits
        if self.words is not None:
            yield "words", self.words
        if self.below != "scale":
            yield "below", self.below
        if self.first_cursor:
            yield "first_cursor", self.first_cursor
        if self.fields != self.hash.fields:
            yield "fields", self.fields
        if self.defaults:
            yield "defaults", self.defaults
        if self.commitment is not None:
            yield "commitment", self.commitment

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Scheme:
        """Return the scheme of a definition in plain types.

        Parameters
        ----------
        data : mapping
            See `to_dict`.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.Scheme.from_dict(pf.SALTED.to_dict()) == pf.SALTED
        True
        """
        optional = ("words", "below", "first_cursor", "fields", "defaults", "commitment")
        entries = _entries("Scheme", data, ("hash", "bits"), optional)
        for name in ("hash", "commitment"):
            if isinstance(entries.get(name), Mapping):
                entries[name] = Hash.from_dict(entries[name])
        return cls(**entries)

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
        >>> import provably_fair as pf
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
        import tomllib

        try:
            name = os.fspath(path)
        except TypeError:
            raise TypeError(f"path must be str or path-like, got {type(path).__name__}") from None
        try:
            with open(name, "rb") as file:
                data = tomllib.load(file)
        except ValueError as error:
            raise ValueError(f"path must be that of a TOML file, and {name!r} isn't: {error}") from None
        return cls.from_dict(data)

    def __repr__(self) -> str:
        (_, hash), *others = self._definition()
        parts = [repr(hash)]
        for name, value in others:
            parts.append(f"{name}={dict(value) if isinstance(value, Mapping) else value!r}")
        return f"Scheme({', '.join(parts)})"

    def __hash__(self) -> int:
        return hash((self.hash, self.bits, self.words, self.below, self.fields, self.commitment))

    def __reduce__(self) -> tuple[object, ...]:
        return Scheme.from_dict, (self.to_dict(),)


SALTED = Scheme(Hash("sha512", "{client_seed}:{cursor}", key=Hash("sha256", "{server_seed}:{salt}")), bits=64)
"""The scheme of the ten games: HMAC-SHA512, keyed with the hashed server seed and salt."""


# ---- rounds of a scheme ----


def engine_hash(hash: Hash) -> EngineHash:
    """Return the engine's form of a hash, whose fields are in the order of `Hash.fields`."""
    return hash._core


def engine_fields(
    scheme: Scheme, values: Mapping[str, tuple[str, object]], rounds: int | None = None
) -> Fields:
    """Return the engine's fields of rounds, of each field's kind and value."""
    return Fields(scheme._hash, [values[name] for name in scheme.fields], rounds)


def kind_of(name: str) -> Literal["number", "text", "any"]:
    """Return what a field holds: whole numbers, text, or either."""
    return "number" if name in _COUNTED else "text" if name.endswith(_TEXT) else "any"


def _values(
    fields: tuple[str, ...],
    defaults: Mapping[str, object],
    positional: tuple[object, ...],
    named: Mapping[str, object],
) -> dict[str, Any]:
    """Return each field's value, however it was given."""
    listed = ", ".join(fields)
    if len(positional) > len(fields):
        raise TypeError(f"fields must be {listed}, got {len(positional)} values for them")
    values = dict(zip(fields, positional, strict=False))
    for name, value in named.items():
        if name not in fields:
            raise TypeError(f"fields must be among {listed}, got {name!r}")
        if name in values:
            raise TypeError(f"{name} must be given once, got it by its place and by its name")
        values[name] = value
    for name in fields:
        if values.get(name) is None and name in defaults:
            values[name] = defaults[name]
        if name not in values:
            raise TypeError(f"{name} must be given: the fields are {listed}")
    return values


def _digests(
    hash: EngineHash,
    fields: tuple[str, ...],
    defaults: Mapping[str, object],
    positional: tuple[object, ...],
    named: Mapping[str, object],
    cursor: int,
    threads: int | None,
) -> bytes | np.ndarray:
    values = _values(fields, defaults, positional, named)
    rounds = Fields(hash, [(kind_of(name), values[name]) for name in fields])
    return hash.digests(rounds, cursor, threads=threads_of(threads))


def bind_fields(scheme: Scheme, positional: tuple[object, ...], named: Mapping[str, object]) -> Fields:
    """Return the engine's fields of rounds whose values are given, as `random_bytes` takes them."""
    values = _values(scheme.fields, scheme.defaults, positional, named)
    return engine_fields(scheme, {name: (kind_of(name), value) for name, value in values.items()})


def draws(
    scheme: Scheme,
    rounds: Fields,
    first: int = 0,
    count: int | None = None,
    *,
    ahead: int = 0,
    threads: int | None = 1,
) -> Streams:
    """Return the draws of rounds `first`, `first + 1`, ...: objects that go on where the last call ended.

    Where it is known how many words each round reads (`Streams.place` after a first run), `ahead` has them
    computed together.
    """
    return Streams(scheme._core, rounds, first, count, ahead=ahead, threads=threads)


def explain_digest(scheme: Scheme, rounds: Fields, digest: int) -> HashedRound:
    """Return what is hashed for digest number `digest` of one round: key, message, digest."""
    cursor = scheme._core.cursor(digest)
    if cursor is None:
        raise ValueError(f"digest must be 0, as no template of the scheme has {{cursor}}, got {digest}")
    return scheme._hash.explain(rounds, cursor)


def explain_at(scheme: Scheme, rounds: Fields, cursor: int) -> HashedRound:
    """Return what is hashed at a cursor of one round: key, message, digest."""
    return scheme._hash.explain(rounds, cursor)


def number_of(scheme: Scheme, word: int) -> float | None:
    """Return the number that a word makes; None where words make none."""
    return scheme._core.number(word) if scheme.bits <= 52 or scheme.bits == 64 else None


def numbers_of(scheme: Scheme, words: np.ndarray) -> np.ndarray:
    """Return the numbers of words, uint64."""
    return scheme._core.numbers_of(words)


def weights_below(scheme: Scheme, n: int, answers: Sequence[int]) -> tuple[list[int], int]:
    """Return how many words give an answer of ``below(n)`` that is below each of these, and any answer."""
    return scheme._core.weights_below(n, answers)


def engine_scheme(scheme: Scheme) -> EngineScheme:
    """Return the engine's form of a scheme."""
    return scheme._core


def game_law(scheme: Scheme, game: Game, **subject: Any) -> tuple[np.ndarray, list[bytes]]:
    """Return a law of a game of the engine's catalog, in words of the scheme."""
    return game.law_under(scheme._core, **subject)


def game_up_to(scheme: Scheme, game: Game, value: int) -> tuple[int, int]:
    """Return the weight of the outcomes up to a value, and of all, in words of the scheme."""
    return game.up_to_under(scheme._core, value)
