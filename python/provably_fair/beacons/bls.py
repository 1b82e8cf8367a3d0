"""BLS12-381 signatures: drand beacons and bustabit's signed games."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any

import numpy as np

from provably_fair._core.arguments import (
    BadType,
    BadValue,
    encode_text,
    integer,
    integers,
    is_single,
    threads_of,
    unbox,
)
from provably_fair._core.errors import within
from provably_fair._core.numbers import exact_number
from provably_fair._core.progress import Progress, progress_bar
from provably_fair._core.types import Text, Texts
from provably_fair._engine import BlsKey

from .text import hex_bytes

_TAG = "BLS_SIG_BLS12381{}_XMD:SHA-256_SSWU_RO_NUL_"
_IN_G1, _IN_G2 = _TAG.format("G1").encode(), _TAG.format("G2").encode()
# drand's schemes: length of the public key, domain separation tag, and whether a round signs its predecessor.
# The third signs in G1 with the tag of G2, a mistake that drand kept for compatibility.
_SCHEMES = {
    "pedersen-bls-chained": (48, _IN_G2, True),
    "pedersen-bls-unchained": (48, _IN_G2, False),
    "bls-unchained-on-g1": (96, _IN_G2, False),
    "bls-unchained-g1-rfc9380": (96, _IN_G1, False),
}
_NEEDED = ("public_key", "period", "genesis_time", "schemeID")
# As published by the League of Entropy at /info.
_CHAINS: dict[str, dict[str, Any]] = {
    "default": {
        "public_key": "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a5699"
        "37c529eeda66c7293784a9402801af31",
        "period": 30,
        "genesis_time": 1595431050,
        "hash": "8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
        "groupHash": "176f93498eac9ca337150b46d21dd58673ea4e3581185f869672e59fa4cb390a",
        "schemeID": "pedersen-bls-chained",
    },
    "quicknet": {
        "public_key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c"
        "8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb"
        "5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        "period": 3,
        "genesis_time": 1692803367,
        "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
        "schemeID": "bls-unchained-g1-rfc9380",
    },
}


class _Key:
    """A public key that verifies signatures."""

    def __init__(self, public_key: bytes, tag: bytes, *others: object) -> None:
        self._values = public_key, *others
        self._key = BlsKey(public_key, tag)
        self._size = self._key.signature_size

    def _signatures(self, name: str, value: Any) -> Any:
        """Return signatures for the engine; numpy bytes, which strip trailing zeros, become hex text."""
        value = unbox(value)
        if is_single(value):
            return hex_bytes(name, value, (self._size,)).hex()
        if isinstance(value, np.ndarray) and value.dtype == f"S{self._size}":
            return np.frombuffer(np.ascontiguousarray(value).tobytes().hex().encode(), f"S{2 * self._size}")
        return value

    def _verified(self, verify: Any, rows: int, single: bool, threads: int | None, progress: Progress) -> Any:
        """Return the engine's verdicts as booleans, refusing values that can't be signatures."""
        with progress_bar(rows, progress) as report:
            verdicts = verify(threads=threads_of(threads), progress=report)
        if (wrong := np.flatnonzero(verdicts == 2)).size:
            what = f"must be {self._size} bytes or their hex text, and so must the one of the round before"
            raise BadValue("signature", f"{what}; {wrong.size} aren't", index=int(wrong[0]))
        return bool(verdicts[0]) if single else verdicts == 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)


class Drand(_Key):
    """A chain of drand's beacons: a group of servers signs a number every few seconds.

    No server has the whole key. Each round has exactly one signature, made by a threshold of servers
    together. Nobody can predict it; only that many colluding servers can know it early.

    Parameters
    ----------
    chain : str or mapping
        "quicknet" or "default", the League of Entropy's, or the hash of one of them; or the information of
        another chain, as its servers give it at ``/info``: ``public_key``, ``period``, ``genesis_time`` and
        ``schemeID``. If it has ``hash`` and ``groupHash``, the hash must be that of the rest.

    Attributes
    ----------
    chain : str
        Its name if it is one of the League of Entropy's, or its hash; "" where it has neither.
    public_key : str
        Hex text.
    genesis : int
        The time of round 1, in seconds since 1970.
    period : int
        The seconds between rounds.
    scheme : str
        drand's name of the signature scheme.
    is_chained : bool
        Whether a round signs the signature of the round before, which is then needed to verify it.

    Examples
    --------
    >>> quicknet = pf.beacons.Drand("quicknet")
    >>> signature = (
    ...     "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
    ...     "e342b73a8dd2bacbe47e4b6b63ed5e39"
    ... )
    >>> quicknet.verify(1000, signature)
    True
    >>> quicknet.verify(1001, signature)
    False
    >>> quicknet.time(1000), quicknet.round_at(1692806366)
    (1692806364, 1000)
    """

    def __init__(self, chain: str | Mapping[str, Any] = "quicknet") -> None:
        chain = unbox(chain)
        if isinstance(chain, str):
            names = [name for name, info in _CHAINS.items() if chain in (name, info["hash"])]
            if not names:
                allowed = " or ".join(map(repr, _CHAINS))
                raise BadValue("chain", f"must be {allowed}, one's hash or a mapping, got {chain[:80]!r}")
            self._info = dict(_CHAINS[names[0]], name=names[0])
        elif isinstance(chain, Mapping):
            # Only the chains known here have names; one that calls itself by theirs isn't them.
            self._info = {name: value for name, value in chain.items() if name != "name"}
        else:
            raise BadType("chain", f"must be text or a mapping, got {type(chain).__name__}")
        info = self._info
        if missing := [name for name in _NEEDED if name not in info]:
            raise BadValue("chain", f"must have {', '.join(missing)}")
        self.scheme: str = str(info["schemeID"])
        if self.scheme not in _SCHEMES:
            known = ", ".join(_SCHEMES)
            raise BadValue("chain", f"must be one of {known}, got {self.scheme[:80]!r}", index="schemeID")
        self.is_chained: bool
        size, tag, self.is_chained = _SCHEMES[self.scheme]
        with within(index="public_key"):
            key = hex_bytes("chain", info["public_key"], (size,))
        self.public_key: str = key.hex()
        self.genesis: int = integer("chain", info["genesis_time"], 0, 2**40, index="genesis_time")
        self.period: int = integer("chain", info["period"], 1, 2**32 - 1, index="period")
        self.chain: str = str(info.get("name", info.get("hash", "")))
        if "hash" in info and "groupHash" in info and info["hash"] != self._hash():
            raise BadValue("chain", "must be that of the other values, and isn't", index="hash")
        super().__init__(key, tag, self.genesis, self.period, self.scheme)

    def _hash(self) -> str:
        """Return the hash that identifies the chain, of all parameters that define it."""
        beacon = self._info.get("metadata", {}).get("beaconID", self._info.get("name", "default"))
        numbers = self.period.to_bytes(4, "big") + self.genesis.to_bytes(8, "big")
        defined = numbers + bytes.fromhex(self.public_key + str(self._info["groupHash"]))
        return hashlib.sha256(defined + (b"" if beacon == "default" else str(beacon).encode())).hexdigest()

    def verify(
        self,
        round: Any,
        signature: Texts,
        previous_signature: Texts | None = None,
        *,
        threads: int | None = None,
        progress: Progress = False,
    ) -> Any:
        """Return whether a signature is that of a round.

        For one round, or for arrays of rounds and signatures. Duplicates are verified once.

        Parameters
        ----------
        round : int or array-like of int
            The numbers of rounds, from 1 on.
        signature : str, bytes or array-like of them
            Hex text or bytes.
        previous_signature : str, bytes or array-like of them, optional
            The signature of the round before, as hex text or bytes, for a chain that `is_chained`.
        threads : int, optional
            The number of threads; by default as many as the machine has.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the total.

        Returns
        -------
        bool or numpy.ndarray
            False for any wrong signature: one of another round or chain, the identity, or no point of the
            group.

        Raises
        ------
        ValueError
            When a signature isn't hex text, or has a wrong length.

        Examples
        --------
        >>> signature = (
        ...     "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
        ...     "e342b73a8dd2bacbe47e4b6b63ed5e39"
        ... )
        >>> pf.beacons.Drand("quicknet").verify([999, 1000], [signature, signature])
        array([False,  True])
        """
        rounds = _rounds(round)
        single = is_single(round) and is_single(signature)
        threads = threads_of(threads)
        signatures = self._signatures("signature", signature)
        if self.is_chained == (previous_signature is None):
            no = "" if self.is_chained else "not "
            raise BadType("previous_signature", f"must {no}be given: rounds of this chain are {no}chained")
        previous = previous_signature
        if previous is not None:
            # Round 1 signs the group hash in place of a previous signature.
            if is_single(previous := unbox(previous)):
                previous = hex_bytes("previous_signature", previous, (32, self._size)).hex()
            else:
                previous = self._signatures("previous_signature", previous)
        verify = partial(self._key.verify_rounds, rounds, signatures, previous)
        return self._verified(verify, rounds.size, single, threads, progress)

    def randomness(self, signature: Text) -> str:
        """Return a round's randomness, as drand defines it: the SHA-256 of the signature.

        Parameters
        ----------
        signature : str or bytes
            Hex text or bytes; `verify` tells whether it is a round's.

        Returns
        -------
        str
            64 lowercase hexadecimal characters.

        Examples
        --------
        >>> signature = (
        ...     "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125"
        ...     "e342b73a8dd2bacbe47e4b6b63ed5e39"
        ... )
        >>> pf.beacons.Drand("quicknet").randomness(signature)
        'fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd'
        """
        return hashlib.sha256(hex_bytes("signature", signature, (self._size,))).hexdigest()

    def time(self, round: Any) -> Any:
        """Return the time of a round, before which its signature can't be known.

        Parameters
        ----------
        round : int or array-like of int
            The numbers of rounds, from 1 on.

        Returns
        -------
        int or numpy.ndarray
            Seconds since 1970.

        Examples
        --------
        >>> pf.beacons.Drand("quicknet").time(1)
        1692803367
        """
        last = (2**63 - 1 - self.genesis) // self.period
        if is_single(round):
            return self.genesis + (integer("round", round, 1, last) - 1) * self.period
        rounds = _rounds(round)
        if rounds.size and (most := int(rounds.max())) > last:
            raise BadValue("round", f"must be from 1 to {last}, got {most}")
        return self.genesis + (rounds.astype(np.int64) - 1) * self.period

    def round_at(self, time: float | datetime) -> int:
        """Return the latest round at a given time.

        Parameters
        ----------
        time : float or datetime.datetime
            Seconds since 1970, or a time with a time zone.

        Returns
        -------
        int
            The number of the round.

        Examples
        --------
        >>> import datetime
        >>> time = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc)
        >>> pf.beacons.Drand("quicknet").round_at(time)
        3754612
        """
        if isinstance(time, datetime):
            if time.tzinfo is None:
                raise BadValue("time", "must have a time zone, such as datetime.timezone.utc")
            time = time.timestamp()
        try:
            elapsed = exact_number(time, "time") - self.genesis
        except (TypeError, ValueError):
            raise BadType("time", f"must be seconds since 1970 or a datetime, got {time!r:.50}") from None
        if elapsed < 0:
            raise BadValue("time", f"must be at least {self.genesis}, the time of round 1, got {time}")
        return int(elapsed // self.period) + 1

    def __repr__(self) -> str:
        return f"Drand({self.chain!r})" if "name" in self._info else f"Drand({self._info!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Drand, (self._info.get("name", self._info),)


def verdicts(
    chain: Drand, rounds: np.ndarray, signatures: Any, previous: Any = None, *, threads: int | None = None
) -> np.ndarray:
    """Return a verdict a row: 1 for a valid signature, 0 for an invalid one, 2 for what can't be one."""
    return chain._key.verify_rounds(rounds.astype(np.uint64), signatures, previous, threads=threads)


def _rounds(value: Any) -> np.ndarray:
    """Return round numbers as uint64."""
    if is_single(value):
        return np.array([integer("round", value, 1, 2**63 - 1)], np.uint64)
    rounds = integers("round", value)
    if rounds.size and (rounds < 1).any():
        raise BadValue("round", f"must be at least 1, got {rounds.min()}")
    return rounds.astype(np.uint64)


class Vx(_Key):
    """A BLS12-381 public key with signatures in G2, as in bustabit's signed games.

    The key verifies exactly one signature for each message, so the signer has no choice. But whoever has the
    secret key knows all signatures in advance.

    Parameters
    ----------
    public_key : str or bytes
        Hex text or bytes of a point of G1.

    Examples
    --------
    >>> vx = pf.beacons.Vx(
    ...     "868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a5699"
    ...     "37c529eeda66c7293784a9402801af31"
    ... )
    >>> vx.verify(b"a message", bytes(96))
    False
    """

    def __init__(self, public_key: Text) -> None:
        key = hex_bytes("public_key", public_key, (48,))
        self.public_key: str = key.hex()
        super().__init__(key, _IN_G2)

    def verify(
        self, message: Texts, signature: Texts, *, threads: int | None = None, progress: Progress = False
    ) -> Any:
        """Return whether a signature is the key's signature of a message.

        Parameters
        ----------
        message : str, bytes or array-like of them
            The signed message; text as UTF-8.
        signature, threads, progress
            See `Drand.verify`.

        Returns
        -------
        bool or numpy.ndarray
            False for any wrong signature: one of another message or key, the identity, or no point of the
            group.

        Raises
        ------
        ValueError
            When a signature isn't hex text, or has a wrong length.

        Examples
        --------
        >>> vx = pf.beacons.Vx(pf.beacons.Drand("default").public_key)
        >>> vx.verify(["a message", "another"], [bytes(96), bytes(96)])
        array([False, False])
        """
        message = unbox(message)
        single = is_single(message) and is_single(signature)
        text: Any = encode_text("message", message) if is_single(message) else message  # type: ignore[arg-type]
        signatures = self._signatures("signature", signature)
        many: list[Any] = [value for value in (message, signature) if not is_single(value)]
        rows = max((len(column) for column in many), default=1)
        return self._verified(partial(self._key.verify, text, signatures), rows, single, threads, progress)

    def __repr__(self) -> str:
        return f"Vx({self.public_key!r})"

    def __reduce__(self) -> tuple[object, ...]:
        return Vx, (self.public_key,)
