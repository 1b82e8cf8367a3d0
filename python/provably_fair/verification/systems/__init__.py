"""What a log can be checked against: for each system, the fields of its logs and how rows are verified."""

from functools import singledispatch

from provably_fair.crypto_games import Blackjack, VideoPoker
from provably_fair.fpclub import Combined, HashedDice
from provably_fair.games import EngineGame, Game
from provably_fair.names import parse_subject

from .blackjack import BlackjackRounds
from .dice import CombinedThrows, HashedRecords, Rolls
from .played import PlayedGame
from .salted import SaltedGame
from .system import COMMITMENT as COMMITMENT
from .system import FIELD as FIELD
from .system import KINDS as KINDS
from .system import SALT_COMMITMENT as SALT_COMMITMENT
from .system import Field as Field
from .system import Found as Found
from .system import Rows as Rows
from .system import System as System
from .video_poker import VideoPokerHands


@singledispatch
def system_of(value: object) -> System:
    """Return how logs of a game, or of another system, are checked."""
    raise TypeError(
        'subject must be a game, such as pf.Dice() or "dice", a VideoPoker or Blackjack, or of fpclub '
        f"HashedDice or Combined, got {type(value).__name__}"
    )


@system_of.register
def _(value: str) -> System:
    try:
        named = parse_subject(value)
    except ValueError as error:
        raise ValueError(f"subject must name what the log is of: {error}") from None
    return system_of(named)


@system_of.register
def _(value: EngineGame) -> System:
    return SaltedGame(value) if value.under_own_scheme else PlayedGame(value)


@system_of.register
def _(value: type) -> System:
    classes = {HashedDice: HashedRecords, Combined: CombinedThrows}
    return classes[value]() if value in classes else system_of.dispatch(object)(value)


system_of.register(Game, PlayedGame)
system_of.register(VideoPoker, VideoPokerHands)
system_of.register(Blackjack, BlackjackRounds)
system_of.register(HashedDice, Rolls)
system_of.register(Combined, Rolls)
