"""Where numbers come from: seeds, the hashes that commit to them, schemes and chains."""

from .bit_generator import BitGenerator
from .chains import HashChain
from .chains import UnreachedHashError as UnreachedHashError
from .commitments import check_commitment, commitment, new_seed
from .generator import random_bytes, random_numbers, salts
from .joined import joined_seeds
from .schemes import SALTED, Hash, Scheme

__all__ = [
    "SALTED",
    "BitGenerator",
    "Hash",
    "HashChain",
    "Scheme",
    "check_commitment",
    "commitment",
    "joined_seeds",
    "new_seed",
    "random_bytes",
    "random_numbers",
    "salts",
]
