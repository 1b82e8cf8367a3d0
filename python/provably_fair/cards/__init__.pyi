from .blackjack.analysis import (
    BlackjackAnalysis as BlackjackAnalysis,
    FirstHand as FirstHand,
    UpcardValue as UpcardValue,
)
from .blackjack.charts import (
    Chart as Chart,
    ChartChange as ChartChange,
    ChartChanges as ChartChanges,
    HandChart as HandChart,
)
from .blackjack.counting import ShoeRounds as ShoeRounds
from .blackjack.decisions import Decision as Decision
from .blackjack.hands import BlackjackHand as BlackjackHand, BlackjackRound as BlackjackRound
from .blackjack.removal import RemovalEffect as RemovalEffect, RemovalEffects as RemovalEffects
from .blackjack.rounds import BlackjackRounds as BlackjackRounds
from .blackjack.rule_values import RuleValue as RuleValue, RuleValues as RuleValues
from .blackjack.rules import Rules as Rules
from .blackjack.table import Blackjack as Blackjack
from .blackjack.tally import BlackjackTally as BlackjackTally
from .names import NO_CARD as NO_CARD, Hand as Hand, name as name, parse as parse, rank as rank, suit as suit
from .shoe import Shoe as Shoe
from .video_poker.analysis import Analysis as Analysis, AnalysisRow as AnalysisRow, Mistake as Mistake
from .video_poker.paytable import PAYTABLES as PAYTABLES, Paytable as Paytable
from .video_poker.rounds import PokerRound as PokerRound, PokerRounds as PokerRounds
from .video_poker.rule_list import PokerRules as PokerRules
from .video_poker.table import VideoPoker as VideoPoker
from .video_poker.tally import PokerTally as PokerTally
