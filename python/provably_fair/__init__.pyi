from . import (
    auditing as auditing,
    beacons as beacons,
    bets as bets,
    cards as cards,
    certificates as certificates,
    certification as certification,
    cli as cli,
    dask as dask,
    distribution as distribution,
    errors as errors,
    games as games,
    identification as identification,
    locating as locating,
    monitoring as monitoring,
    names as names,
    operators as operators,
    plot as plot,
    ports as ports,
    readings as readings,
    seeds as seeds,
    sources as sources,
    statistics as statistics,
    verification as verification,
    walkthrough as walkthrough,
)
from ._engine import __version__ as __version__
from .auditing import Auditor as Auditor, audit as audit
from .certification import certify as certify
from .distribution import Distribution as Distribution
from .games import Game as Game, hits as hits
from .identification import identify as identify
from .locating import locate as locate
from .operators.salted import (
    X50 as X50,
    Crash as Crash,
    Dice as Dice,
    Double as Double,
    Jackpot as Jackpot,
    Mines as Mines,
    Overgo as Overgo,
    Plinko as Plinko,
    Slot as Slot,
    Tower as Tower,
)
from .readings import difference as difference, separating_rounds as separating_rounds
from .seeds import (
    SALTED as SALTED,
    Hash as Hash,
    HashChain as HashChain,
    Scheme as Scheme,
    check_commitment as check_commitment,
    commitment as commitment,
    new_seed as new_seed,
    salts as salts,
)
from .sources import Files as Files, LogError as LogError, Query as Query
from .statistics import fairness_report as fairness_report
from .verification import Log as Log, VerificationError as VerificationError, check as check, verify as verify
