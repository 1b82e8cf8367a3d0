from .differences import Difference as Difference, difference as difference
from .reading import Reading as Reading, readings as readings
from .separating import (
    JSON_SCHEMA as JSON_SCHEMA,
    SeparatingRounds as SeparatingRounds,
    check_rounds as check_rounds,
    mistake_of as mistake_of,
    play_round as play_round,
    separating_rounds as separating_rounds,
)
