"""Walk-throughs: how seeds become an outcome, every step shown."""

from .lines import Mark
from .steps import Draw, Note, Part, Pick, Shuffle, Skip, Step
from .walkthrough import Walkthrough

__all__ = ["Draw", "Mark", "Note", "Part", "Pick", "Shuffle", "Skip", "Step", "Walkthrough"]
