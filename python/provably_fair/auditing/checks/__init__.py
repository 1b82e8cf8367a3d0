"""Checks of an audit, by subject."""

from ..check import Check, Context
from . import beacons, commitments, money, seeds, selection, sequence, spelling
from .overlaps import Overlaps


def all_checks(context: Context) -> list[list[Check]]:
    """Return the checks of a log, in two groups that run in parallel.

    Those of rounds and those of bets have few fields in common.
    """
    overlaps = Overlaps(context)
    rounds = [overlaps, *sequence.checks(context, overlaps)]
    for subject in (commitments, beacons, seeds, spelling):
        rounds += subject.checks(context)
    return [rounds, [*money.checks(context, overlaps), *selection.checks(context)]]
