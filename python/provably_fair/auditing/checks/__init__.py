"""What an audit looks for, by subject."""

from ..check import Check, Context
from . import beacons, commitments, money, seeds, selection, sequence, spelling

_SUBJECTS = ((sequence, commitments, beacons, seeds, spelling), (money, selection))
"""What is known of rounds, and what is known of bets: these read little in common."""


def all_checks(context: Context) -> list[list[Check]]:
    """Return the checks of a log, in groups that look at a batch at once."""
    return [[check for subject in subjects for check in subject.checks(context)] for subjects in _SUBJECTS]
