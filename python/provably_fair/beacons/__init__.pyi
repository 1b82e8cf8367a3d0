from .blocks import BitcoinHeader as BitcoinHeader, EosHeader as EosHeader
from .bls import Drand as Drand, Vx as Vx
