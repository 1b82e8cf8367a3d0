"""Rounds by the billion: simulations, counts and checks on a Dask cluster.

Dask cuts the work, sends it to its workers and gathers it; the results are those of one machine, since
a series of salts can be cut anywhere. It works with any scheduler: threads, processes, or the cluster
that a `dask.distributed` client is connected to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from . import _arguments
from ._subjects import subject_of
from .games import Game
from .tally import Tally
from .verification import VerificationReport, _Check, _Totals

try:
    import dask
except ImportError:
    raise ImportError("provably_fair.dask needs Dask: pip install 'provably_fair[dask]'") from None

__all__ = ["simulate", "tally", "verify"]

CHUNK = 1 << 20
"""Rounds of a chunk."""


def _pieces(rounds: int, start: int, chunk: int) -> list[tuple[int, int]]:
    """Return (start, rounds) of each chunk."""
    return [(start + first, min(chunk, rounds - first)) for first in range(0, rounds, chunk)] or [(start, 0)]


def _simulated(game: Game, count: int, start: int, options: dict[str, Any]) -> np.ndarray:
    return game.simulate(count, start=start, threads=1, **options)


def _tallied(game: Game, count: int, start: int, options: dict[str, Any]) -> Tally:
    return game.tally(count, start=start, threads=1, **options)


def simulate(
    game: Game,
    rounds: int,
    *,
    seed: int | str = 0,
    start: int = 0,
    chunk: int = CHUNK,
    dtype: DTypeLike | None = None,
    **options: Any,
) -> Any:
    """Return a Dask array of outcomes, equal to ``game.simulate(rounds, ...)``.

    Parameters
    ----------
    game : Game
        The game.
    rounds, seed, start, dtype
        As of `Game.simulate`.
    chunk : int
        The rounds of one chunk of the array.
    **options
        ``server_seed`` and ``client_seed`` (one for all rounds), and one value of ``tickets`` or
        ``pins``, as of `Game.simulate`.

    Returns
    -------
    dask.array.Array
        Shape (rounds,) + the game's shape; nothing is computed until it is asked for.

    Examples
    --------
    >>> import provably_fair as pf
    >>> import provably_fair.dask
    >>> rounds = pf.dask.simulate(pf.X50(), 6, chunk=4)
    >>> rounds.chunks, rounds.compute(scheduler="threads")
    (((4, 2),), array([45, 21, 10, 18, 44, 11]))
    """
    import dask.array as da

    _arguments.game_of("game", game)
    rounds, name, start = _arguments.series(rounds, seed, start)
    chunk = _arguments.integer("chunk", chunk, 1)
    options = options | {"seed": name, "dtype": dtype}
    empty = game.simulate(0, **options)
    make = dask.delayed(_simulated, pure=True)
    parts = [
        da.from_delayed(make(game, count, first, options), (count, *empty.shape[1:]), meta=empty)
        for first, count in _pieces(rounds, start, chunk)
    ]
    return da.concatenate(parts)


def tally(
    game: Game,
    rounds: int,
    *,
    seed: int | str = 0,
    start: int = 0,
    chunk: int = CHUNK,
    **options: Any,
) -> Tally:
    """Count the outcomes of many rounds on all workers: equal to ``game.tally(rounds, ...)``.

    Parameters
    ----------
    game : Game
        The game.
    rounds, seed, start
        As of `Game.tally`.
    chunk : int
        The rounds of one task.
    **options
        ``server_seed``, ``client_seed`` and ``bins``, as of `Game.tally`.

    Returns
    -------
    Tally
        The counts of all chunks together.

    Examples
    --------
    >>> import provably_fair as pf
    >>> import provably_fair.dask
    >>> pf.dask.tally(pf.Plinko(pins=8), 10_000, chunk=3000) == pf.Plinko(pins=8).tally(10_000)
    True
    """
    _arguments.game_of("game", game)
    rounds, name, start = _arguments.series(rounds, seed, start)
    chunk = _arguments.integer("chunk", chunk, 1)
    make = dask.delayed(_tallied, pure=True)
    options = options | {"seed": name}
    parts = [make(game, count, first, options) for first, count in _pieces(rounds, start, chunk)]
    while len(parts) > 1:  # by eights, so that no worker has to hold all of them
        parts = [dask.delayed(_joined)(parts[i : i + 8]) for i in range(0, len(parts), 8)]
    return parts[0].compute()


def _joined(parts: list[Tally]) -> Tally:
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def verify(
    log: Any,
    subject: Any,
    columns: Mapping[str, str] | None = None,
    *,
    constants: Mapping[str, Any] | None = None,
) -> VerificationReport:
    """Recompute every row of a log on all workers: equal to ``pf.verify(log, ...)``.

    Parameters
    ----------
    log : dask.dataframe.DataFrame, path or list of paths
        A Dask frame, checked partition by partition; or files or a folder, checked file by file, which
        all workers must be able to read.
    subject, columns, constants
        As of `provably_fair.verify`.

    Returns
    -------
    VerificationReport
        Rows are counted through all partitions. Rows beyond the first failures can't be explained: the
        log isn't at hand any more.

    Examples
    --------
    >>> import provably_fair as pf
    >>> import provably_fair.dask
    >>> import pandas, dask.dataframe
    >>> log = pandas.DataFrame({"salt": pf.salts(5).astype("U"), "outcome": pf.X50().simulate(5)})
    >>> pf.dask.verify(dask.dataframe.from_pandas(log, npartitions=2), pf.X50()).checked
    5
    """
    check = _Check(subject_of(subject), columns or {}, constants or {}, 1)
    make = dask.delayed(_checked, pure=False)
    if hasattr(log, "to_delayed") and hasattr(log, "npartitions"):
        log = log[[name for name in log.columns if name in check.wanted]]
        parts = [make(check, part) for part in log.to_delayed()]
    else:
        from ._logs import listed

        parts = [make(check, path) for path in listed(log)]
    totals = _Totals()
    files = []
    for part, read in dask.compute(*parts):
        totals.merge(part)
        files += read
    report = totals.report(check)
    report.files = files
    return report


def _checked(check: _Check, log: Any) -> tuple[_Totals, list[Any]]:
    totals = check.totals(log)
    assert check._source is not None
    return totals, check._source.files
