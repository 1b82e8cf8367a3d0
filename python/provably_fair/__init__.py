"""Outcomes of provably fair casino games: compute, check, explain and analyze them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from provably_fair._engine import __version__ as __version__
from provably_fair._engine import catalog as _catalog

if TYPE_CHECKING:
    from provably_fair import auditing as auditing
    from provably_fair import beacons as beacons
    from provably_fair import bets as bets
    from provably_fair import calibration as calibration
    from provably_fair import cards as cards
    from provably_fair import certification as certification
    from provably_fair import dask as dask
    from provably_fair import dieharder as dieharder
    from provably_fair import differences as differences
    from provably_fair import distribution as distribution
    from provably_fair import games as games
    from provably_fair import grinding as grinding
    from provably_fair import monitoring as monitoring
    from provably_fair import operators as operators
    from provably_fair import plot as plot
    from provably_fair import readings as readings
    from provably_fair import seeds as seeds
    from provably_fair import session as session
    from provably_fair import statistics as statistics
    from provably_fair import verification as verification
    from provably_fair import walkthrough as walkthrough
    from provably_fair.auditing import Auditor as Auditor
    from provably_fair.auditing import AuditReport as AuditReport
    from provably_fair.auditing import CertificateCheck as CertificateCheck
    from provably_fair.auditing import Finding as Finding
    from provably_fair.auditing import audit as audit
    from provably_fair.auditing import check_certificate as check_certificate
    from provably_fair.bets import *  # noqa: F403
    from provably_fair.certification import *  # noqa: F403
    from provably_fair.differences import *  # noqa: F403
    from provably_fair.distribution import *  # noqa: F403
    from provably_fair.games import CashOuts as CashOuts
    from provably_fair.games import Game as Game
    from provably_fair.games import Rounding as Rounding
    from provably_fair.games import hits as hits
    from provably_fair.operators.salted import *  # noqa: F403
    from provably_fair.readings import Reading as Reading
    from provably_fair.readings import SeparatingRounds as SeparatingRounds
    from provably_fair.readings import separating_rounds as separating_rounds
    from provably_fair.seeds import *  # noqa: F403
    from provably_fair.session import Session as Session
    from provably_fair.statistics import Bias as Bias
    from provably_fair.statistics import FairnessReport as FairnessReport
    from provably_fair.statistics import Power as Power
    from provably_fair.statistics import bias_table as bias_table
    from provably_fair.statistics import fairness_report as fairness_report
    from provably_fair.statistics import power as power
    from provably_fair.statistics import rounds_needed as rounds_needed
    from provably_fair.statistics.dieharder import random_stream as random_stream
    from provably_fair.verification import *  # noqa: F403
    from provably_fair.walkthrough import Walkthrough as Walkthrough
else:
    # Hidden from type checkers, which would accept any name.
    def __getattr__(name: str) -> object:
        if name in _MODULES:
            return import_module(f"provably_fair.{name}")
        if name in _HOME:
            found = getattr(import_module(f"provably_fair.{_HOME[name]}"), name)
            globals()[name] = found
            return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Everything that is found here, by the room that hands it on: the names that are shown, and after them the
# types of results, which nobody makes by hand: they are found, but not shown. Lazy imports, `__all__` and
# `dir` follow; the imports above, for type checkers, are held to it by a test.
_ROOMS: dict[str, tuple[str, str]] = {
    "auditing": ("Auditor audit check_certificate", "AuditReport CertificateCheck Finding"),
    "bets": (
        "BettingSystem Flat Martingale Proportional bankroll_paths check_returns estimate_rtp",
        "BankrollPaths Bet FreeSpins GrindingEstimate Monitor PValue ReturnInterval RtpEstimate UntilAlarm",
    ),
    "certification": ("STANDARDS certify", "Clause LabReport"),
    "distribution": ("Distribution Tally", "ChiSquare"),
    "games": (
        "Game hits",
        "CashOuts Rounding",
    ),
    "operators.salted": (
        " ".join(["BLOCK_HASHES GAMES", *(entry.name.title() for entry in _catalog())]),
        "",
    ),
    "seeds": (
        "SALTED BitGenerator Hash HashChain Scheme check_commitment commitment joined_seeds new_seed "
        "random_bytes random_numbers salts",
        "",
    ),
    "readings": ("separating_rounds", "Reading SeparatingRounds"),
    "differences": ("difference", "Difference"),
    "session": ("Session", ""),
    "statistics": ("bias_table fairness_report power rounds_needed", "Bias FairnessReport Power"),
    "statistics.dieharder": ("random_stream", ""),
    "verification": (
        "Files Log LogError Query VerificationError check identify verify",
        "Candidate Failure Identification LogOptions Repeats VerificationReport",
    ),
    "walkthrough": ("Walkthrough", ""),
    # Shown as a whole.
    **dict.fromkeys(
        (
            "beacons",
            "calibration",
            "cards",
            "dask",
            "dieharder",
            "grinding",
            "monitoring",
            "operators",
            "plot",
        ),
        ("", ""),
    ),
}
_MODULES = [room for room in _ROOMS if "." not in room]
_SHOWN = [name for shown, _ in _ROOMS.values() for name in shown.split()]
_HOME = {name: room for room, names in _ROOMS.items() for name in " ".join(names).split()}

__all__ = ["__version__", *sorted(_SHOWN), *sorted(_MODULES)]


def __dir__() -> list[str]:
    return sorted(__all__)
