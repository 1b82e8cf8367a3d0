"""What a game is: draws, outcomes, rounds and exact laws. The games themselves are in `operators`."""

from provably_fair._core.lazy import lister_of

from . import kinds as kinds
from .cash_outs import CashOuts, Rounding
from .deals import Deal
from .draws import Draws
from .engine_game import EngineGame
from .game import Game as Game
from .independent import IndependentGame
from .kind import Kind, Question, Texts
from .laws import UnlistedLawError
from .parameters import Choice, Parameter, Range
from .rounds import rounds_of
from .samples import hits as hits
from .tables import Pack, Table

__all__ = [
    "CashOuts",
    "Choice",
    "Deal",
    "Draws",
    "EngineGame",
    "IndependentGame",
    "Kind",
    "Pack",
    "Parameter",
    "Question",
    "Range",
    "Rounding",
    "Table",
    "Texts",
    "UnlistedLawError",
    "kinds",
    "rounds_of",
]
__dir__ = lister_of(__all__)
