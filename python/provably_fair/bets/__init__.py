"""The returns of bets: exact laws, simulated rounds, betting systems and tests of payouts."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from .bet import Bet as Bet
    from .estimate import RtpEstimate as RtpEstimate
    from .free_spins import FreeSpins as FreeSpins
    from .grinding import GrindingEstimate as GrindingEstimate
    from .interval import ReturnInterval as ReturnInterval
    from .monitor import Monitor as Monitor
    from .monitor import UntilAlarm as UntilAlarm
    from .paths import BankrollPaths as BankrollPaths
    from .pvalue import PValue as PValue
    from .pvalue import check_returns as check_returns
    from .rounding import ReturnsByStake as ReturnsByStake
    from .systems import BettingSystem as BettingSystem
    from .systems import Flat as Flat
    from .systems import Martingale as Martingale
    from .systems import Proportional as Proportional

_FILES = {
    "bet": "Bet",
    "estimate": "RtpEstimate",
    "free_spins": "FreeSpins",
    "grinding": "GrindingEstimate",
    "interval": "ReturnInterval",
    "monitor": "Monitor UntilAlarm",
    "paths": "BankrollPaths",
    "pvalue": "PValue check_returns",
    "rounding": "ReturnsByStake",
    "systems": "BettingSystem Flat Martingale Proportional",
}

__all__ = names_in(_FILES)
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
