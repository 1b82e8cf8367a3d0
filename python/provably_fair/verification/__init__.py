"""Verification of logs: their systems, and whether outcomes are what their seeds give."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .checking import verify as verify
    from .failure import Failure as Failure
    from .frames import check as check
    from .log import Log as Log
    from .log import LogOptions as LogOptions
    from .report import Repeats as Repeats
    from .report import VerificationError as VerificationError
    from .report import VerificationReport as VerificationReport

_FILES = {
    "checking": "verify",
    "failure": "Failure",
    "frames": "check",
    "log": "Log LogOptions",
    "report": "Repeats VerificationReport VerificationError",
}

__all__ = names_in(_FILES, "Log VerificationError check verify")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
