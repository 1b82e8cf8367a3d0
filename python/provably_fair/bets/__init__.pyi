from .bet import Bet as Bet
from .estimate import RtpEstimate as RtpEstimate
from .free_spins import FreeSpins as FreeSpins
from .grinding import GrindingEstimate as GrindingEstimate
from .interval import ReturnInterval as ReturnInterval
from .monitor import Monitor as Monitor, UntilAlarm as UntilAlarm
from .paths import BankrollPaths as BankrollPaths
from .pvalue import PValue as PValue, check_returns as check_returns
from .rounding import ReturnsByStake as ReturnsByStake
from .systems import (
    BettingSystem as BettingSystem,
    Flat as Flat,
    Martingale as Martingale,
    Proportional as Proportional,
)
