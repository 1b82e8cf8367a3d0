"""Public randomness with proofs: drand, signatures, verifiable random functions and block headers."""

from .blocks import BitcoinHeader, EosHeader
from .bls import Drand, Vx
from .ecvrf import Ecvrf

__all__ = ["BitcoinHeader", "Drand", "Ecvrf", "EosHeader", "Vx"]
