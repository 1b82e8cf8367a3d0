"""What an audit looks for, by subject."""

from ..check import Check, Context
from . import beacons, commitments, money, seeds, selection, sequence, spelling
from .overlaps import Overlaps


def all_checks(context: Context) -> list[list[Check]]:
    """Return the checks of a log, in groups that look at a batch at once.

    They are of rounds, and of bets: these read little in common.
    """
    overlaps = Overlaps(context)
    rounds = [overlaps, *sequence.checks(context, overlaps)]
    for subject in (commitments, beacons, seeds, spelling):
        rounds += subject.checks(context)
    return [rounds, [*money.checks(context, overlaps), *selection.checks(context)]]
