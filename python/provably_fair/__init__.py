"""Compute, check, explain and analyze the outcomes of provably fair casino games.

Conventions, here once for all functions:

- Examples in docstrings assume ``import numpy as np`` and ``import provably_fair as pf``.
- Seeds are text or bytes; a text is hashed as UTF-8. Arrays of seeds, nonces and parameters broadcast as in
  numpy.
- A return is that of a bet of 1, the stake included: 0 is a loss, 1 the stake back, an RTP of 0.99 an
  edge of 1 %.
- Rounds, rows and cells count from 0, lines of a file from 1.
- ``exact=True``, or a name that begins with ``exact_``, gives fractions; everything else gives floats.
- Simulations are the same on every machine and for any number of threads, and change with ``seed``.
- Bad arguments raise `TypeError` or `ValueError`; `provably_fair.errors` has every class that one may catch.
"""

from provably_fair._core.lazy import attach


def _hint(name: str) -> str:
    from provably_fair.names import place_of

    return place_of(name)


_INSIDE = [
    "certificates",
    "certification",
    "cli",
    "distribution",
    "identification",
    "locating",
    "names",
    "readings",
    "sources",
    "verification",
    "walkthrough",
]
"""Rooms that are there, but not shown."""

__getattr__, __dir__, __all__ = attach(__name__, _INSIDE, _hint)
