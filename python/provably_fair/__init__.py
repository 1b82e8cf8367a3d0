"""Compute, check, explain and analyze the outcomes of provably fair casino games."""

from importlib import import_module
from typing import TYPE_CHECKING

from provably_fair._engine import __version__ as __version__

if TYPE_CHECKING:
    from provably_fair import auditing as auditing
    from provably_fair import beacons as beacons
    from provably_fair import bets as bets
    from provably_fair import cards as cards
    from provably_fair import certification as certification
    from provably_fair import cli as cli
    from provably_fair import dask as dask
    from provably_fair import distribution as distribution
    from provably_fair import errors as errors
    from provably_fair import games as games
    from provably_fair import identification as identification
    from provably_fair import locating as locating
    from provably_fair import monitoring as monitoring
    from provably_fair import names as names
    from provably_fair import operators as operators
    from provably_fair import plot as plot
    from provably_fair import readings as readings
    from provably_fair import seeds as seeds
    from provably_fair import sources as sources
    from provably_fair import statistics as statistics
    from provably_fair import verification as verification
    from provably_fair import walkthrough as walkthrough
    from provably_fair.auditing import Auditor as Auditor
    from provably_fair.auditing import audit as audit
    from provably_fair.certification import certify as certify
    from provably_fair.distribution import Distribution as Distribution
    from provably_fair.games import Game as Game
    from provably_fair.games import hits as hits
    from provably_fair.identification import identify as identify
    from provably_fair.locating import locate as locate
    from provably_fair.operators.salted import X50 as X50
    from provably_fair.operators.salted import Crash as Crash
    from provably_fair.operators.salted import Dice as Dice
    from provably_fair.operators.salted import Double as Double
    from provably_fair.operators.salted import Jackpot as Jackpot
    from provably_fair.operators.salted import Mines as Mines
    from provably_fair.operators.salted import Overgo as Overgo
    from provably_fair.operators.salted import Plinko as Plinko
    from provably_fair.operators.salted import Slot as Slot
    from provably_fair.operators.salted import Tower as Tower
    from provably_fair.readings import difference as difference
    from provably_fair.readings import separating_rounds as separating_rounds
    from provably_fair.seeds import SALTED as SALTED
    from provably_fair.seeds import Hash as Hash
    from provably_fair.seeds import HashChain as HashChain
    from provably_fair.seeds import Scheme as Scheme
    from provably_fair.seeds import check_commitment as check_commitment
    from provably_fair.seeds import commitment as commitment
    from provably_fair.seeds import new_seed as new_seed
    from provably_fair.seeds import salts as salts
    from provably_fair.sources import Files as Files
    from provably_fair.sources import LogError as LogError
    from provably_fair.sources import Query as Query
    from provably_fair.statistics import fairness_report as fairness_report
    from provably_fair.verification import Log as Log
    from provably_fair.verification import VerificationError as VerificationError
    from provably_fair.verification import check as check
    from provably_fair.verification import verify as verify
else:
    # Hidden from type checkers, which would accept any name otherwise.
    def __getattr__(name: str) -> object:
        if name in _ROOMS:
            return import_module(f"provably_fair.{name}")
        if name in _HOME:
            value = getattr(import_module(f"provably_fair.{_HOME[name]}"), name)
            globals()[name] = value
            return value
        from provably_fair.names import place_of

        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{place_of(name)}")


# The public names by room. Lazy imports, `__all__` and `dir` follow from these; a test keeps the imports
# above, for type checkers, in step.
_FACE = {
    "auditing": "Auditor audit",
    "certification": "certify",
    "distribution": "Distribution",
    "games": "Game hits",
    "identification": "identify",
    "locating": "locate",
    "operators.salted": "Crash Dice Double Jackpot Mines Overgo Plinko Slot Tower X50",
    "readings": "difference separating_rounds",
    "seeds": "SALTED Hash HashChain Scheme check_commitment commitment new_seed salts",
    "sources": "Files LogError Query",
    "statistics": "fairness_report",
    "verification": "Log VerificationError check verify",
}
_HOME = {name: module for module, names in _FACE.items() for name in names.split()}

_SHOWN_ROOMS = [
    "auditing",
    "beacons",
    "bets",
    "cards",
    "dask",
    "monitoring",
    "operators",
    "plot",
    "seeds",
    "statistics",
]
_ROOMS = [
    *_SHOWN_ROOMS,
    "certification",
    "cli",
    "distribution",
    "errors",
    "games",
    "identification",
    "locating",
    "names",
    "readings",
    "sources",
    "verification",
    "walkthrough",
]

__all__ = ["__version__", *sorted(_HOME), *sorted(_SHOWN_ROOMS)]


def __dir__() -> list[str]:
    return sorted(__all__)
