"""Block headers, and what a hash proves without the rest of the chain."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar

from provably_fair._core.table import facts_html
from provably_fair._core.types import Text

from .text import hex_bytes

# Undisputed heights: Bitcoin Core's checkpoints, halvings, and blocks that operators used for their seeds.
_CHECKPOINTS = {
    "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f": 0,
    "0000000069e244f73d78e8fd29ba2fd2ed618bd6fa2ee92559f542fdb26e7c1d": 11_111,
    "000000002dd5588a74784eaa7ab0507a18ad16a236e7b1ce69f00d7ddfb5d0a6": 33_333,
    "0000000000573993a3c9e41ce34471c079dcf5f52a0e824a81e7f953b8661a20": 74_000,
    "00000000000291ce28027faea320c8d2b054b2e0fe44a773f3eefb151d6bdc97": 105_000,
    "00000000000005b12ffd4cd315cd34ffd4a594f430ac814c91184a0d42d2b0fe": 134_444,
    "000000000000099e61ea72015e79632f216fe6cb33d7899acb35b75c8303b763": 168_000,
    "000000000000059f452a5f7340de6682a977387c17010ff6e6c3bd83ca8b1317": 193_000,
    "000000000000048b95347e83192f69cf0366076336c639f9b7228e9ba171342e": 210_000,
    "00000000000001b4f4b433e81ee46494af945cf96014816a4e2370f11b23df4e": 216_116,
    "00000000000001c108384350f74090433e7fcf79a606b8e797f065b130575932": 225_430,
    "000000000000003887df1f29024b06fc2200b55f8af8f35453d7be294df2d214": 250_000,
    "0000000000000001ae8c72a0b0c301f67e3afca10e819efa9041e458e9bd7e40": 279_000,
    "00000000000000004d9b4ef50f0f9d686fd69db2e03af35a100370c64632a983": 295_000,
    "000000000000000007a9a31ff7f07463d91af6b5454241d5faf282e5e0fe1b3a": 339_300,
    "000000000000000002cce816c0ab2c5c269cb081896b7dcb34b8422d6b74f112": 420_000,
    "000000000000000000024bead8df69990852c202db0e0097c1a12ea637d7e96d": 630_000,
    "000000000000000000011f6e135efe67d7463dfe7bb955663ef88b1243b2deea": 831_500,
    "0000000000000000000320283a032748cef8227873ff4872689bf23f1cda83a5": 840_000,
}
# The largest valid target, that of difficulty 1.
_EASIEST = 0xFFFF << 208


@dataclass(frozen=True, repr=False)
class _Header:
    """A block's header, which shows the facts that its class names."""

    header: Text

    _sizes: ClassVar[tuple[int, ...] | range]
    _named: ClassVar[tuple[str, ...]]
    _repr_html_ = facts_html

    def __post_init__(self) -> None:
        object.__setattr__(self, "header", hex_bytes("header", self.header, self._sizes))

    def _facts(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in self._named}

    @property
    def _bytes(self) -> bytes:
        return self.header  # type: ignore[return-value]  # __post_init__ made it bytes


@dataclass(frozen=True, repr=False)
class BitcoinHeader(_Header):
    """The header of a Bitcoin block, whose hash games use as a seed.

    The proof of work shows what the header cost. It doesn't show that the block is in the main chain. A
    header of low difficulty is cheap to make, so compare `difficulty` with the network's at the time. A miner
    can discard a block and lose the reward.

    Parameters
    ----------
    header : str or bytes
        80 bytes, or their hex text.

    Examples
    --------
    >>> first = pf.beacons.BitcoinHeader(
    ...     "0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e"
    ...     "67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c"
    ... )
    >>> first.hash
    '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f'
    >>> first.is_valid, first.difficulty, first.height, first.time
    (True, 1.0, 0, 1231006505)
    """

    _sizes = (80,)
    _named = ("hash", "previous", "time", "difficulty", "is_valid", "height")

    @property
    def hash(self) -> str:
        """The block's hash in its usual form: hex text that begins with zeros."""
        return hashlib.sha256(hashlib.sha256(self._bytes).digest()).digest()[::-1].hex()

    @property
    def previous(self) -> str:
        """The hash of the block before."""
        return self._bytes[4:36][::-1].hex()

    @property
    def time(self) -> int:
        """The miner's time, in seconds since 1970; it may be off by up to two hours."""
        return int.from_bytes(self._bytes[68:72], "little")

    @property
    def target(self) -> int:
        """The largest valid hash, as a number; 0 if the header's target is invalid."""
        exponent, mantissa = self._bytes[75], int.from_bytes(self._bytes[72:75], "little")
        if mantissa >= 1 << 23:  # negative in Bitcoin's compact form
            return 0
        return mantissa << 8 * (exponent - 3) if exponent >= 3 else mantissa >> 8 * (3 - exponent)

    @property
    def difficulty(self) -> float:
        """The difficulty relative to the easiest target, for which 1 means 2**32 hashes on average."""
        return _EASIEST / self.target if self.target else float("inf")

    @property
    def is_valid(self) -> bool:
        """Whether the hash meets the header's target, and the difficulty is at least 1."""
        return int(self.hash, 16) <= self.target <= _EASIEST

    @property
    def height(self) -> int | None:
        """The block's number, for the few blocks known to this package; else None."""
        return _CHECKPOINTS.get(self.hash)


# The alphabet of EOS account names, five bits a character.
_LETTERS = ".12345abcdefghijklmnopqrstuvwxyz"
_EOS_BEGIN = 946_684_800  # 2000-01-01


@dataclass(frozen=True)
class EosHeader(_Header):
    """The header of an EOS block, serialized as nodes hash it.

    The hash shows that the previous block, number, time and producer belong to the block's id, and nothing
    else. There is no proof of work, so anybody can make a header. Only the chain shows whether the producer
    was scheduled and signed it (the signature isn't part of the id), and whether the block stayed in the
    chain. This is for blocks before the consensus of 2024 ("Savanna"), which computes ids in another way.

    Parameters
    ----------
    header : str or bytes
        The bytes before the producer's signature, or their hex text: 116 bytes without new producers and
        extensions.

    Examples
    --------
    >>> block = pf.beacons.EosHeader(
    ...     "98936d4680a9a24e215331550000010a908e284573fab5dbfbb6e9a24d96f53735b6095cd8d366e5bdf7ddcca0c5"
    ...     "b4c6a8f5c6b8d9faf322f37b509bb7df3810cc9fe9dc2b6987d5505228d68ed1"
    ...     "d6a501311e5b157cd13646008d3ba481732da71e6bfa4b71e5213acb07516c8c690100000000"
    ... )
    >>> block.hash[:24], block.number, block.time, block.producer
    ('010a908f75525b20be9000b4', 17469583, 1537477964.0, 'eospaceioeos')
    """

    _sizes = range(116, 1 << 20)
    _named = ("hash", "previous", "number", "time", "producer")

    @property
    def hash(self) -> str:
        """The block's id: SHA-256 of the header, with its first four bytes replaced by the number."""
        return self.number.to_bytes(4, "big").hex() + hashlib.sha256(self._bytes).hexdigest()[8:]

    @property
    def previous(self) -> str:
        """The id of the block before."""
        return self._bytes[14:46].hex()

    @property
    def number(self) -> int:
        """The block's number: one more than that of the block before."""
        return (int.from_bytes(self._bytes[14:18], "big") + 1) % 2**32

    @property
    def time(self) -> float:
        """The producer's time, in seconds since 1970, in steps of half a second."""
        return _EOS_BEGIN + int.from_bytes(self._bytes[:4], "little") / 2

    @property
    def producer(self) -> str:
        """The account named as the block's producer."""
        number = int.from_bytes(self._bytes[4:12], "little")
        letters = [_LETTERS[number >> shift & 31] for shift in range(59, 0, -5)] + [_LETTERS[number & 15]]
        return "".join(letters).rstrip(".")
