from .chisquare import ChiSquare as ChiSquare
from .comparing import LawDifference as LawDifference
from .distribution import Distribution as Distribution
from .kolmogorov import KolmogorovSmirnov as KolmogorovSmirnov
from .tally import Tally as Tally
