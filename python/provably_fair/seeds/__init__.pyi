from .chains import HashChain as HashChain, UnreachedHashError as UnreachedHashError
from .commitments import check_commitment as check_commitment, commitment as commitment, new_seed as new_seed
from .generator import random_bytes as random_bytes, random_numbers as random_numbers, salts as salts
from .joined import joined_seeds as joined_seeds
from .schemes import SALTED as SALTED, Hash as Hash, Scheme as Scheme
from .stream import random_stream as random_stream
