"""Outcomes of provably fair casino games: compute, check, explain and analyze them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from provably_fair._engine import __version__ as __version__

if TYPE_CHECKING:
    from provably_fair import (
        bets,
        cards,
        crypto_games,
        dask,
        fpclub,
        games,
        grinding,
        plot,
        session,
        statistics,
        verification,
        walkthrough,
    )
    from provably_fair.bets import BankrollPaths, RtpEstimate, bankroll_paths, estimate_rtp
    from provably_fair.distribution import ChiSquare, Distribution, Tally
    from provably_fair.games import (
        BLOCK_HASHES,
        GAMES,
        X50,
        Bias,
        CashOuts,
        Crash,
        Dice,
        Double,
        Game,
        Jackpot,
        Mines,
        Overgo,
        Plinko,
        Rounding,
        Slot,
        Tower,
        bias_table,
    )
    from provably_fair.seeds import (
        check_commitment,
        commitment,
        new_seed,
        random_bytes,
        random_numbers,
        salts,
    )
    from provably_fair.session import Session
    from provably_fair.statistics import FairnessReport, fairness_report
    from provably_fair.statistics.dieharder import stream
    from provably_fair.verification import Failure, LogError, VerificationError, VerificationReport, verify
    from provably_fair.walkthrough import Walkthrough

# Rooms that are shown as they are, by name.
_MODULES = (
    "bets",
    "cards",
    "crypto_games",
    "dask",
    "distribution",
    "fpclub",
    "games",
    "grinding",
    "plot",
    "seeds",
    "session",
    "statistics",
    "verification",
    "walkthrough",
)
# What each room hands on. Everything is imported at its first use, so that importing the package stays quick.
_NAMES = {
    "bets": ("bankroll_paths", "estimate_rtp"),
    "distribution": ("Distribution", "Tally"),
    "games": (
        "BLOCK_HASHES",
        "GAMES",
        "X50",
        "Crash",
        "Dice",
        "Double",
        "Game",
        "Jackpot",
        "Mines",
        "Overgo",
        "Plinko",
        "Slot",
        "Tower",
        "bias_table",
    ),
    "seeds": ("check_commitment", "commitment", "new_seed", "random_bytes", "random_numbers", "salts"),
    "session": ("Session",),
    "statistics": ("fairness_report",),
    "statistics.dieharder": ("stream",),
    "verification": ("LogError", "VerificationError", "verify"),
    "walkthrough": ("Walkthrough",),
}
# Types of results, which nobody makes by hand: found here, but not shown.
_RESULTS = {
    "bets": ("BankrollPaths", "RtpEstimate"),
    "distribution": ("ChiSquare",),
    "games": ("Bias", "CashOuts", "Rounding"),
    "statistics": ("FairnessReport",),
    "verification": ("Failure", "VerificationReport"),
}
_ROOM_OF = {name: room for table in (_NAMES, _RESULTS) for room, names in table.items() for name in names}

__all__ = [
    "__version__",
    *sorted(name for names in _NAMES.values() for name in names),
    *_MODULES,
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"provably_fair.{name}")
    if name in _ROOM_OF:
        found = getattr(import_module(f"provably_fair.{_ROOM_OF[name]}"), name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
