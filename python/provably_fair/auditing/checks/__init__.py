"""What an audit looks for, by subject."""

from ..check import Check, Context
from . import commitments, money, seeds, selection, sequence

_SUBJECTS = (sequence, commitments, seeds, money, selection)


def all_checks(context: Context) -> list[Check]:
    """Return the checks of a log."""
    return [check for subject in _SUBJECTS for check in subject.checks(context)]
