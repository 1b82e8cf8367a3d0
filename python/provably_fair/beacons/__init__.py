"""Public randomness with proofs: drand, signatures and block headers."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .blocks import BitcoinHeader as BitcoinHeader
    from .blocks import EosHeader as EosHeader
    from .bls import Drand as Drand
    from .bls import Vx as Vx

_FILES = {
    "blocks": "BitcoinHeader EosHeader",
    "bls": "Drand Vx",
}

__all__ = names_in(_FILES)
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name otherwise
    __getattr__ = loader_of(__name__, _FILES)
