"""Laws in fractions: dictionaries of outcomes and their probabilities."""

from __future__ import annotations

import itertools
import operator
from collections import Counter
from fractions import Fraction


def exact(value):
    """A number as a Fraction; a float is the decimal that it is shown as."""
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def likely(law, stake=1):
    """The amounts that a stake may return, with their probabilities."""
    total = sum(law.weights)
    pairs = zip(law.outcomes.tolist(), law.weights, strict=True)
    return {exact(outcome) * stake: Fraction(weight, total) for outcome, weight in pairs if weight}


def joined(parts, function=operator.add):
    """The law of a function of independent values, which takes them in one by one."""
    found, *others = parts
    for part in others:
        after = Counter()
        for (x, p), (y, q) in itertools.product(found.items(), part.items()):
            after[function(x, y)] += p * q
        found = after
    return found


def tails(law, total):
    """The probabilities of at most, and of at least a total."""
    less, greater = ([p for x, p in law.items() if is_in(x, total)] for is_in in (operator.le, operator.ge))
    return sum(less), sum(greater)
