"""The interface of games: draws, outcomes, rounds and exact laws. The games themselves are in `operators`."""

from typing import TYPE_CHECKING

from provably_fair._core.lazy import Lister, lister_of, loader_of, names_in

if TYPE_CHECKING:
    from . import kinds as kinds
    from .cash_outs import CashOuts as CashOuts
    from .cash_outs import Rounding as Rounding
    from .deals import Deal as Deal
    from .draws import Draws as Draws
    from .engine_game import EngineGame as EngineGame
    from .game import Game as Game
    from .independent import IndependentGame as IndependentGame
    from .kind import Kind as Kind
    from .kind import Question as Question
    from .kind import Texts as Texts
    from .laws import UnlistedLawError as UnlistedLawError
    from .parameters import Choice as Choice
    from .parameters import Parameter as Parameter
    from .parameters import Range as Range
    from .rounds import rounds_of as rounds_of
    from .samples import hits as hits
    from .tables import Pack as Pack
    from .tables import Table as Table

_FILES = {
    "kinds": "",
    "cash_outs": "CashOuts Rounding",
    "deals": "Deal",
    "draws": "Draws",
    "engine_game": "EngineGame",
    "game": "Game",
    "independent": "IndependentGame",
    "kind": "Kind Question Texts",
    "laws": "UnlistedLawError",
    "parameters": "Choice Parameter Range",
    "rounds": "rounds_of",
    "samples": "hits",
    "tables": "Pack Table",
}

__all__ = names_in(_FILES, "Game hits")
__dir__: Lister = lister_of(__all__)

if not TYPE_CHECKING:  # type checkers would accept any name
    __getattr__ = loader_of(__name__, _FILES)
