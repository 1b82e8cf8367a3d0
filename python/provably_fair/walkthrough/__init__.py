"""Walk-throughs: how seeds become an outcome, every step shown."""

from .walkthrough import Draw, Mark, Note, Part, Pick, Shuffle, Skip, Step, Walkthrough

__all__ = ["Draw", "Mark", "Note", "Part", "Pick", "Shuffle", "Skip", "Step", "Walkthrough"]
