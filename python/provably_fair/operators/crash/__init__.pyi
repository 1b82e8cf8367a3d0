from ..registry import Operator
from .fitting import CrashFit as CrashFit, fit as fit
from .rules import (
    DIVISIBLE_SCHEME as DIVISIBLE_SCHEME,
    RAW_SCHEME as RAW_SCHEME,
    Divisible as Divisible,
    Raw as Raw,
)

OPERATOR: Operator
