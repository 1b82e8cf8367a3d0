"""Public randomness with proofs: drand, signatures, verifiable random functions and block headers."""

from provably_fair._core.lazy import lister_of

from .blocks import BitcoinHeader, EosHeader
from .bls import Drand, Vx
from .ecvrf import Ecvrf

__all__ = ["BitcoinHeader", "Drand", "Ecvrf", "EosHeader", "Vx"]
__dir__ = lister_of(__all__)
