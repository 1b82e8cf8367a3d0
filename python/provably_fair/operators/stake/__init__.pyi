from .._names import cards as cards
from ..registry import Operator
from .boards import DragonTower as DragonTower, Mines as Mines, Moles as Moles
from .card_games import (
    Baccarat as Baccarat,
    Blackjack as Blackjack,
    Hilo as Hilo,
    VideoPoker as VideoPoker,
)
from .dice import (
    Darts as Darts,
    Dice as Dice,
    Flip as Flip,
    RockPaperScissors as RockPaperScissors,
    Roulette as Roulette,
)
from .multipliers import (
    Chicken as Chicken,
    Crash as Crash,
    Drill as Drill,
    Limbo as Limbo,
    Pump as Pump,
    Slide as Slide,
)
from .prizes import Bars as Bars, Cases as Cases, Packs as Packs, Snakes as Snakes, Tarot as Tarot
from .risks import Keno as Keno, Plinko as Plinko, Wheel as Wheel
from .schemes import (
    CHAIN as CHAIN,
    CRASH_TERMINATING as CRASH_TERMINATING,
    SCHEME as SCHEME,
    ZOO_SCHEME as ZOO_SCHEME,
)
from .slots import ScarabSpins as ScarabSpins, Slots as Slots
from .symbols import Diamonds as Diamonds, Zoo as Zoo, animals as animals, gems as gems

OPERATOR: Operator
