from .families import Family as Family
from .identification import Candidate as Candidate, Identification as Identification, identify as identify
