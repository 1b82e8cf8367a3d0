"""Walk-throughs: every step from seeds to an outcome."""

from provably_fair._core.lazy import Lister, lister_of

from .lines import Mark
from .steps import Draw, Note, Part, Pick, Shuffle, Skip, Step
from .walkthrough import Walkthrough

__all__ = ["Draw", "Mark", "Note", "Part", "Pick", "Shuffle", "Skip", "Step", "Walkthrough"]
__dir__: Lister = lister_of(__all__)
