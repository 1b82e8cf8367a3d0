"""What a game is: draws, outcomes, rounds and exact laws. The games themselves are in `operators`."""

from ._fairness import fairness_material as fairness_material
from ._laws import UnlistedLawError
from ._laws import one_draw as one_draw
from ._samples import Cell as Cell
from ._samples import hits as hits
from ._samples import values_of as values_of
from .cash_outs import CashOuts, Rounding
from .draws import Draws
from .engine_game import EngineGame
from .game import Game as Game
from .game import game_of as game_of
from .inside import bet_under as bet_under
from .inside import catalog_engine as catalog_engine
from .inside import chain_of as chain_of
from .inside import changed as changed
from .inside import check_dtype as check_dtype
from .inside import check_outcomes as check_outcomes
from .inside import check_values as check_values
from .inside import constant_seeds as constant_seeds
from .inside import engine_of as engine_of
from .inside import example_of as example_of
from .inside import knows_law as knows_law
from .inside import law_of_bet as law_of_bet
from .inside import look_law as look_law
from .inside import looks_of as looks_of
from .inside import notations_of as notations_of
from .inside import play_fields as play_fields
from .inside import rounds_of as rounds_of
from .inside import simulated_rounds as simulated_rounds
from .inside import title_of as title_of
from .inside import typed_name as typed_name
from .inside import widest as widest
from .inside import words_of as words_of
from .looks import Binned as Binned
from .looks import Example as Example
from .looks import Look as Look
from .looks import OfPart as OfPart
from .looks import Total as Total
from .looks import UpTo as UpTo
from .looks import View as View
from .parameters import Choice, Parameter, Range
from .parameters import choices_of as choices_of
from .parameters import parameters_of as parameters_of
from .questions import questions_of as questions_of

__all__ = ["CashOuts", "Choice", "Draws", "EngineGame", "Parameter", "Range", "Rounding", "UnlistedLawError"]
