from .checking import verify as verify
from .failure import Failure as Failure
from .frames import check as check
from .log import Log as Log, LogOptions as LogOptions
from .report import (
    Repeats as Repeats,
    VerificationError as VerificationError,
    VerificationReport as VerificationReport,
)
