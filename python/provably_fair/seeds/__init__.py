"""Where numbers come from: seeds, the hashes that commit to them, schemes and chains."""

from provably_fair._core.lazy import lister_of

from .bit_generator import BitGenerator
from .chains import HashChain as HashChain
from .chains import UnreachedHashError
from .commitments import check_commitment as check_commitment
from .commitments import commitment as commitment
from .commitments import new_seed as new_seed
from .generator import random_bytes, random_numbers
from .generator import salts as salts
from .joined import joined_seeds
from .schemes import SALTED as SALTED
from .schemes import Hash as Hash
from .schemes import Scheme as Scheme
from .stream import random_stream

__all__ = [
    "BitGenerator",
    "UnreachedHashError",
    "joined_seeds",
    "random_bytes",
    "random_numbers",
    "random_stream",
]
__dir__ = lister_of(__all__)
