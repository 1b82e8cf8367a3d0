"""The sources of random numbers: seeds, commitments to them, schemes and hash chains."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .chains import HashChain as HashChain
    from .chains import UnreachedHashError as UnreachedHashError
    from .commitments import check_commitment as check_commitment
    from .commitments import commitment as commitment
    from .commitments import new_seed as new_seed
    from .generator import random_bytes as random_bytes
    from .generator import random_numbers as random_numbers
    from .generator import salts as salts
    from .joined import joined_seeds as joined_seeds
    from .schemes import SALTED as SALTED
    from .schemes import Hash as Hash
    from .schemes import Scheme as Scheme
    from .stream import random_stream as random_stream

_FILES = {
    "chains": "HashChain UnreachedHashError",
    "commitments": "check_commitment commitment new_seed",
    "generator": "random_bytes random_numbers salts",
    "joined": "joined_seeds",
    "schemes": "SALTED Hash Scheme",
    "stream": "random_stream",
}

__all__ = names_in(_FILES, "Hash HashChain SALTED Scheme check_commitment commitment new_seed salts")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name otherwise
    __getattr__ = loader_of(__name__, _FILES)
