"""Where numbers come from: seeds, the hashes that commit to them, and the generator of salted rounds."""

from .commitments import check_commitment, commitment, new_seed
from .generator import random_bytes, random_numbers, salts

__all__ = ["check_commitment", "commitment", "new_seed", "random_bytes", "random_numbers", "salts"]
