from . import kinds as kinds
from .cash_outs import CashOuts as CashOuts, Rounding as Rounding
from .deals import Deal as Deal
from .draws import Draws as Draws
from .engine_game import EngineGame as EngineGame
from .game import Game as Game
from .kind import Kind as Kind
from .laws import UnlistedLawError as UnlistedLawError
from .parameters import Choice as Choice, Parameter as Parameter, Range as Range
from .program import (
    Program as Program,
    Untraced as Untraced,
    function_of as function_of,
    program_of as program_of,
)
from .rounds import rounds_of as rounds_of
from .samples import hits as hits
from .tables import Pack as Pack, Table as Table
