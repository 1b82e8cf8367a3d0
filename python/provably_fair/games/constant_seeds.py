"""Constant seeds of games that many players share."""

from collections.abc import Mapping
from types import MappingProxyType

BLOCK_HASHES: Mapping[int, str] = MappingProxyType(
    {
        500000: "00000000000000000024fb37364cbf81fd49cc2d51c09c75c35433c3a1945d04",
        510000: "000000000000000000152678f83ec36b6951ed3f7e1cc3b04c5828cab8017329",
        520000: "0000000000000000000d26984c0229c9f6962dc74db0a6d525f2f1640396f69c",
        530000: "000000000000000000024e9be1c7b56cab6428f07920f21ad8457221a91371ae",
        540000: "00000000000000000011b3e92e82e0f9939093dccc3614647686c20e5ebe3aa6",
        550000: "000000000000000000223b7a2298fb1c6c75fb0efc28a4c56853ff4112ec6bc9",
        560000: "0000000000000000002c7b276daf6efb2b6aa68e2ce3be67ef925b3264ae7122",
        570000: "0000000000000000000822cf76247f1ecec0a82dbecb3b482ec4d2d154e0cd1d",
    }
)
"""Hashes of Bitcoin blocks, by height: the constant seeds of the multi-player games."""
