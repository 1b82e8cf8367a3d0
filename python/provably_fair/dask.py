"""Simulations, tallies and log verification on a Dask cluster.

Dask splits the work among its workers and gathers the results, which equal those of one machine, since a
series of salts can be split anywhere. Any scheduler works: threads, processes, or the cluster of a
`dask.distributed` client.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial, reduce
from operator import add
from typing import Any, Unpack

import numpy as np
from numpy.typing import DTypeLike

from provably_fair._core.arguments import BadValue, check_type, integer, is_single, threads_of
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.types import Texts
from provably_fair.auditing import Auditor, AuditReport
from provably_fair.bets import Bet
from provably_fair.distribution import Distribution
from provably_fair.distribution.tally import Tally
from provably_fair.games import Game
from provably_fair.games.parameters import widest
from provably_fair.games.rounds import simulated_rounds
from provably_fair.monitoring import Watch
from provably_fair.monitoring.parts import Part, Reader, checked_name
from provably_fair.names import given_game
from provably_fair.seeds.series import series
from provably_fair.sources import Wanted, find_files, read_of
from provably_fair.sources.foreign import cut, with_items
from provably_fair.verification import VerificationReport
from provably_fair.verification.concluding import conclude
from provably_fair.verification.log import LogOptions, settled, with_log_options
from provably_fair.verification.plan import Plan, planned
from provably_fair.verification.verified import Verified

try:
    from dask.base import compute
    from dask.delayed import delayed
except ImportError:
    raise ImportError("provably_fair.dask needs Dask: pip install 'provably_fair[dask]'") from None

__all__ = ["audit", "simulate", "tally", "verify", "watch"]
__dir__: Lister = lister_of(__all__)

CHUNK = 1 << 20
"""Rounds per chunk."""


def _chunks(
    rounds: int, start: int, chunk: int, options: dict[str, Any]
) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """Yield (first salt number, rounds, options) of each chunk, with long options sliced."""
    columns = {name: _column(name, value, rounds) for name, value in options.items()}
    for first in range(0, rounds, chunk) or [0]:
        count = min(chunk, rounds - first)
        own = {
            name: cut(column, first, first + count) for name, column in columns.items() if column is not None
        }
        yield start + first, count, options | own


def _column(name: str, value: Any, rounds: int) -> object:
    """Return an option with a value per round, ready to be sliced; None if one value is for all."""
    value = with_items(value)
    if is_single(value) or len(value) == 1:
        return None
    if len(value) != rounds:
        each = f"one for each of the {rounds} rounds"  # as the engine phrases it
        raise BadValue(name, f"must be a single value or {each}, got {len(value)}")
    return value


def _given_fields(game: Game, rounds: int, name: str, start: int, seeds: dict[str, Any]) -> dict[str, Any]:
    """Return the given fields, and the hashes of a chain, which chunks can't derive by themselves."""
    given = {field: value for field, value in seeds.items() if value is not None}
    return given | simulated_rounds(game, rounds, name, start, **given).to_chain()


def _played(method: str, game: Game, count: int, start: int, options: dict[str, Any]) -> Any:
    """Play a chunk, whose errors have a note that says where their row numbers start."""
    try:
        return getattr(game, method)(count, start=start, **options)
    except (TypeError, ValueError) as error:
        error.add_note(f"rows count from the salt {start} on: the chunk of {count} rounds begins there")
        raise


def simulate(
    game: Game | str,
    rounds: int,
    *,
    seed: int | str = 0,
    start: int = 0,
    chunk: int = CHUNK,
    dtype: DTypeLike | None = None,
    threads: int | None = 1,
    server_seed: Texts | None = None,
    client_seed: Texts | None = None,
    **parameters: object,
) -> Any:
    """Return a lazy Dask array of outcomes, equal to ``game.simulate(rounds, ...)``. See `Game.simulate`.

    Parameters
    ----------
    game : Game or str
        The game, or its name: "stake.dice", "mines:mines=5".
    rounds, seed, start, dtype, server_seed, client_seed, **parameters
        Those of `Game.simulate`. Arguments with a value for each round are split among chunks.
    chunk : int
        The number of rounds in a chunk of the array.
    threads : int, optional
        The largest number of threads of a task. One by default, since Dask runs tasks in parallel; None for
        as many as the machine has.

    Examples
    --------
    >>> rounds = pf.dask.simulate(pf.X50(), 6, chunk=4)
    >>> rounds.chunks, rounds.compute(scheduler="threads")
    (((4, 2),), array([45, 21, 10, 18, 44, 11]))
    """
    import dask.array as da

    game = given_game("game", game)
    rounds, name, start = series(rounds, seed, start)
    chunk = integer("chunk", chunk, 1)
    seeds: dict[str, object] = {"server_seed": server_seed, "client_seed": client_seed}
    seeds |= {field: parameters.pop(field) for field in game.scheme.fields if field in parameters}
    seeds = _given_fields(game, rounds, name, start, seeds)
    whole = widest(game, **parameters)
    same: dict[str, Any] = {"seed": name, "dtype": dtype, "threads": threads}
    # Pass the first round's seeds, so that seeds of a wrong type are refused here.
    _, _, first_seeds = next(_chunks(rounds, start, 1, seeds))
    empty = whole.simulate(0, **same | first_seeds)
    make = delayed(_played, pure=True)
    parts = [
        da.from_delayed(
            make("simulate", game, count, first, same | own), (count, *empty.shape[1:]), meta=empty
        )
        for first, count, own in _chunks(rounds, start, chunk, seeds | parameters)
    ]
    return da.concatenate(parts)


def tally(
    game: Game | str,
    rounds: int,
    *,
    seed: int | str = 0,
    start: int = 0,
    chunk: int = CHUNK,
    threads: int | None = 1,
    server_seed: Texts | None = None,
    client_seed: Texts | None = None,
    bins: int | Sequence[int] | np.ndarray | None = None,
    **fields: Any,
) -> Tally:
    """Count the outcomes of many rounds on all workers: equal to ``game.tally(rounds, ...)``.

    Parameters
    ----------
    game, chunk, threads
        See `simulate`; a chunk is that of a task.
    rounds, seed, start, server_seed, client_seed, bins, **fields
        See `Game.tally`. Seeds for each round are split among tasks.

    Examples
    --------
    >>> pf.dask.tally(pf.Plinko(pins=8), 10_000, chunk=3000) == pf.Plinko(pins=8).tally(10_000)
    True
    """
    game = given_game("game", game)
    rounds, name, start = series(rounds, seed, start)
    chunk = integer("chunk", chunk, 1)
    make = delayed(_played, pure=True)
    seeds = _given_fields(
        game, rounds, name, start, {"server_seed": server_seed, "client_seed": client_seed, **fields}
    )
    same = {"seed": name, "threads": threads_of(threads)} | ({} if bins is None else {"bins": bins})
    parts = [
        make("tally", game, count, first, same | own)
        for first, count, own in _chunks(rounds, start, chunk, seeds)
    ]
    while len(parts) > 1:  # in groups of eight, so that no worker holds all of them
        parts = [delayed(reduce)(add, parts[i : i + 8]) for i in range(0, len(parts), 8)]
    tally: Tally = parts[0].compute()
    return tally


@with_log_options
def verify(log: Any = None, game: object = None, **options: Unpack[LogOptions]) -> VerificationReport:
    """Recompute every row of a log on all workers: equal to ``pf.verify(log, ...)``.

    Rows are numbered across all partitions. Only the first failures can be explained, since the log is no
    longer available.

    Parameters
    ----------
    log : dask.dataframe.DataFrame, path, list of paths or Log
        A Dask frame, checked by partition; or files or a folder, checked by file, which all workers must be
        able to read.
    game, **options
        See `provably_fair.verify`.

    Examples
    --------
    >>> import pandas, dask.dataframe
    >>> log = pandas.DataFrame({"salt": pf.salts(5).astype("U"), "outcome": pf.X50().simulate(5)})
    >>> pf.dask.verify(dask.dataframe.from_pandas(log, npartitions=2), pf.X50()).checked
    5
    """
    log, plan = planned(log, game, options, 1)
    parts, passed_over = _parts(partial(_verified, plan), log, plan.wanted_columns)
    whole = Verified(plan)
    whole.counts.files.passed_over = passed_over
    for part in parts:
        whole.merge(part)
    return conclude(whole)


def _verified(plan: Plan, piece: Any, _number: int) -> Verified:
    return Verified.of(plan, piece).walk()


def _parts(work: Callable[..., Any], log: Any, wanted: Wanted) -> tuple[tuple[Any, ...], dict[str, str]]:
    """Return what `work` makes of a log's partitions or files, and the files skipped, with reasons.

    What `work` needs is bound into it: Dask would search an argument for its collections.
    """
    passed_over: dict[str, str] = {}
    if hasattr(log, "to_delayed") and hasattr(log, "npartitions"):
        pieces = log[read_of(log.columns, wanted)].to_delayed()
    else:
        pieces, passed_over = find_files(log, wanted.storage)
    tasks = [delayed(work, pure=False)(piece, number) for number, piece in enumerate(pieces)]
    return compute(*tasks), passed_over


@with_log_options
def audit(
    log: Any = None,
    game: object = None,
    *,
    bet: Bet | Distribution | str | None = None,
    terminating: object = None,
    level: float = 0.01,
    seed: int = 0,
    **options: Unpack[LogOptions],
) -> AuditReport:
    """Audit a log on all workers: equal to ``pf.audit(log, ...)``.

    Parameters
    ----------
    log : dask.dataframe.DataFrame, path, list of paths or Log
        See `verify`. Rows are in the order of partitions or files.
    game, bet, terminating, level, seed, **options
        See `provably_fair.audit`.

    Examples
    --------
    >>> import pandas, dask.dataframe
    >>> log = pandas.DataFrame({"salt": pf.salts(5).astype("U"), "outcome": pf.X50().simulate(5)})
    >>> pf.dask.audit(dask.dataframe.from_pandas(log, npartitions=2), pf.X50()).ok
    True
    """
    asked = settled(log, game, options)
    auditor = Auditor(asked, bet, terminating=terminating, level=level, seed=seed, threads=1)
    parts, _ = _parts(partial(_audited, auditor), asked.source, auditor.plan.wanted_columns)
    for part in parts:
        auditor.merge(part)
    return auditor.report(last=True)


def _audited(auditor: Auditor, piece: Any, _number: int) -> Auditor:
    # Copy it: tasks of a process share one object.
    own: Auditor = pickle.loads(pickle.dumps(auditor))
    return own.update(piece)


@with_log_options
def watch(watch: Watch, log: Any = None, *, name: str | None = None, **options: Unpack[LogOptions]) -> Watch:
    """Add a log to a watch, counted on all workers: each partition or file is a batch. See `Watch.update`.

    When a batch can't be added, those in front of it are.

    Parameters
    ----------
    watch : Watch
        The watch, whose state is on the calling machine.
    log : dask.dataframe.DataFrame, path, list of paths or Log
        See `verify`. Batches are added in the order of partitions or files.
    name : str, optional
        A name for the log, if nothing tells its rows apart. Its batches are ``name/0``, ``name/1`` and so on.
    **options
        Options for reading the log; see `provably_fair.Log`.

    Examples
    --------
    >>> import pandas, dask.dataframe
    >>> bet = pf.Double().bet({0: 14})
    >>> log = pandas.DataFrame({"bet_id": range(1000), "payout": bet.simulate(1000)})
    >>> watch = pf.monitoring.Watch(bet, windows=["all", "100r"])
    >>> pf.dask.watch(watch, dask.dataframe.from_pandas(log, npartitions=2)).report().ok
    True
    """
    check_type("watch", watch, Watch, "a Watch")
    name = checked_name(name)
    asked = settled(log, None, options)
    given = {option: asked.options[option] for option in asked.said}
    counted = partial(_counted, watch.reader, given, name)
    parts, _ = _parts(counted, asked.source, watch.reader.wanted_columns(log, **options))
    for part in parts:
        watch.add(part)
    return watch


def _counted(reader: Reader, options: dict[str, Any], name: str | None, piece: Any, number: int) -> Part:
    return reader.read(piece, None if name is None else f"{name}/{number}", **options)
