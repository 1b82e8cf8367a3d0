"""Assertions about rounds, and fixtures of rounds and seeds."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, ParamSpec, TypeVar

import pytest
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from provably_fair import Game
    from provably_fair.auditing import AuditReport
    from provably_fair.bets import Bet
    from provably_fair.verification import VerificationReport

__all__ = ["RoundSeeds", "SimulatedRounds", "assert_audit", "assert_fair", "assert_rounds", "rounds_fixture"]

P = ParamSpec("P")
T = TypeVar("T")


def without_frames(function: Callable[P, T]) -> Callable[P, T]:
    """Decorate an assertion so that errors point at the test's line, not into the package."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        __tracebackhide__ = True
        try:
            return function(*args, **kwargs)
        except (AssertionError, ValueError, TypeError, OSError, ImportError) as error:
            raise error.with_traceback(None) from None

    return call


class RoundSeeds(NamedTuple):
    """The seeds of one round: a tuple of three, and a nonce for schemes with a counter."""

    server_seed: str
    client_seed: str
    salt: str

    @property
    def nonce(self) -> int:
        """A number from 0 to 65535, derived from the salt."""
        return int(hashlib.sha256(self.salt.encode()).hexdigest()[:4], 16)


class SimulatedRounds(NamedTuple):
    """Rounds of a game, as fixtures of `rounds_fixture` provide them."""

    game: Any
    """The game, such as ``pf.Mines(mines=5)``."""
    log: dict[str, Any]
    """An honest log: the fields of its rounds, and ``outcome``."""


@without_frames
def assert_rounds(log: object = None, game: Game | str | None = None, **options: Any) -> VerificationReport:
    """Fail unless every row of a log is what its seeds give.

    Parameters
    ----------
    log : path, mapping, frame, Arrow data or Log
        See `provably_fair.verify`.
    game : Game or str
        The game of the log; text as on the command line: ``"mines:mines=5"``, ``"mygames:Keno"``.
    **options
        See `provably_fair.verify`, and `provably_fair.Log` for how the log is read.

    Returns
    -------
    VerificationReport
        The report of a log that passed.

    Raises
    ------
    AssertionError
        If a row failed: the message has the file and the row first, then the report, and the walk-through
        of the first failure. Or if there are no rows, or none that could be checked, so that nothing was
        verified.
    LogError
        If the log can't be read.

    Examples
    --------
    >>> from pytest_provably_fair import assert_rounds
    >>> log = {"server_seed": "server", "client_seed": "client", "salt": ["salt 1"], "outcome": [0.05]}
    >>> assert_rounds(log, "dice").checked
    1
    """
    from provably_fair import verify

    report = verify(log, _subject(game), **options)
    if not report.checked:
        what = "no row could be checked" if report.unchecked else "no rows"
        raise AssertionError(f"{what}, so nothing was verified\n\n{report}")
    if not report.ok:
        raise AssertionError(_message(report))
    return report


@without_frames
def assert_audit(
    log: object = None, game: Game | str | None = None, *, bet: Bet | str | None = None, **options: Any
) -> AuditReport:
    """Fail where an audit of a log finds proof or evidence, or a row that isn't what its seeds give.

    Parameters
    ----------
    log : path, mapping, frame, Arrow data or Log
        See `provably_fair.audit`.
    game : Game or str
        The game of the log; text as on the command line: ``"mines:mines=5"``, ``"mygames:Keno"``.
    bet : Bet or "columns", optional
        The bet that the operator claims to pay; "columns" if each row's is in the log.
    **options
        See `provably_fair.audit`, and `provably_fair.Log` for how the log is read.

    Returns
    -------
    AuditReport
        The report of a log that passed; it may have notes.

    Raises
    ------
    AssertionError
        With the report as its message. Or if there are no rows, so that nothing was audited.
    LogError
        If the log can't be read.

    Examples
    --------
    >>> import provably_fair as pf
    >>> from pytest_provably_fair import assert_audit
    >>> log = {"salt": pf.salts(100), "outcome": pf.Crash().simulate(100)}
    >>> assert_audit(log, "crash").verification.checked
    100
    """
    from provably_fair import audit

    report = audit(log, _subject(game), bet=bet, **options)
    if not report.verification.checked:
        raise AssertionError(f"no rows, so nothing was audited\n\n{report}")
    if not report.ok:
        first = next((finding for finding in report.findings if finding.severity != "note"), None)
        if not report.verification.ok and report.verification.failures:
            raise AssertionError(f"{report.verification.failures[0]}\n\n{report}")
        raise AssertionError(str(report) if first is None else f"{first}\n\n{report}")
    return report


@without_frames
def assert_fair(data: ArrayLike, game: Game | str, *, level: float = 1e-6) -> float:
    """Fail if outcomes differ from the game's exact law by more than chance explains.

    Chi-square tests of what `Game.looks` names: of Mines each cell, of Tower the rows climbed at each
    position, of Slot each reel, of Plinko the balls' buckets, of the other games the outcome itself (of a
    Jackpot of many tickets, ranges of them). Where there are several tests, each has its share of `level`.
    They don't see whether rounds depend on each other.

    Parameters
    ----------
    data : array-like
        Outcomes of many rounds, as `play` and `simulate` return them.
    game : Game or str
        The game; text as on the command line: ``"mines:mines=5"``.
    level : float
        The chance that a fair game fails; small by default, since tests run often.

    Returns
    -------
    float
        The smallest p-value, multiplied by the number of tests; at most 1.

    Raises
    ------
    AssertionError
        If the outcomes aren't credible. The message has each test that failed.
    """
    import numpy as np
    from provably_fair._core.arguments import BadValue, probability
    from provably_fair.games import UnlistedLawError
    from provably_fair.games.fairness import looks_of

    level = probability("level", level)
    tested = chosen_game(game)
    data = np.asarray(data)
    shape: tuple[int, ...] = tested.shape
    if data.ndim != 1 + len(shape) or data.shape[1:] != shape:
        raise BadValue("data", f"must have the shape {('rounds', *shape)}, got {data.shape}")
    if not len(data):
        raise BadValue("data", "must hold at least one round")
    looks = looks_of(tested)
    failed, smallest = [], 1.0
    for look in looks:
        title = look.title
        try:
            impossible, result = _compare(tested, data, look)
        except UnlistedLawError:
            raise
        except ValueError as error:  # `observe` accepts outcomes of the game only
            failed.append(f"{title}: {error}")
            smallest = 0.0
            continue
        smallest = min(smallest, float(result.pvalue))
        if impossible is not None:
            failed.append(f"{title}: {impossible} came up, which is no outcome of the game")
        elif result.pvalue < level / len(looks):
            failed.append(
                f"{title}: chi-square {result.statistic:.1f} with {result.dof} degrees of freedom, "
                f"p = {result.pvalue:.3g}"
            )
    if failed:
        listed = "\n  ".join(failed)
        raise AssertionError(
            f"{len(data)} rounds of {tested!r} differ from its law (level = {level:g}, "
            f"{len(failed)} of {len(looks)} tests failed):\n  {listed}"
        )
    return min(1.0, smallest * len(looks))


def _compare(game: Any, data: Any, look: Any) -> tuple[Any, Any]:
    """Return an impossible value (None if there is none), and the chi-square test of all values."""
    import numpy as np
    from provably_fair.distribution import ChiSquare
    from provably_fair.games.fairness import look_law

    law, values = look_law(game, look, data)
    observed, counts = np.unique(values, return_counts=True)
    impossible = observed[~np.isin(observed, law.outcomes)]
    if len(impossible):
        return impossible[0], ChiSquare(float("inf"), 0.0, 0, 0)
    return None, law.chisquare(dict(zip(observed.tolist(), counts.tolist(), strict=True)))


def _subject(game: object) -> object:
    if not isinstance(game, str):
        return game
    from provably_fair.names import parse_subject

    return parse_subject(game, modules=True)


def chosen_game(game: object, argument: str = "game") -> Any:
    """Return the game, parsed if it is a text; refuse what is no game, such as a class."""
    from provably_fair.names import given_game, parse_game

    return parse_game(game, modules=True) if isinstance(game, str) else given_game(argument, game)


def _message(report: VerificationReport) -> str:
    if not report.failures:  # a file couldn't be read to its end
        return str(report)
    first = report.failures[0]
    where = str(first)
    if first.file is not None:
        where = where.replace(first.file, os.path.relpath(first.file), 1)
    text = f"{where} ({report.failed:,} of {report.checked:,} rows failed)\n\n{report}"
    try:
        walk = str(report.explain(first.row))
    except ValueError as error:  # a cell can't be read
        return f"{text}\n\n{error}"
    return f"{text}\n\nRow {first.row}, step by step:\n\n{walk}"


# ---- fixtures ----


def _right_log(game: Any, rounds: int, seed: int | str) -> dict[str, Any]:
    """Return the fields and outcomes of simulated rounds."""
    from provably_fair.games.rounds import simulated_rounds

    fields: dict[str, Any] = simulated_rounds(game, rounds, seed).values()
    return {**fields, "outcome": game.play(**fields)}


@pytest.fixture
def provably_fair_seeds(request: pytest.FixtureRequest) -> RoundSeeds:
    """Seeds of a round, the same in each run of a test and different for each test."""
    name = request.node.nodeid
    parts = (hashlib.sha256(f"{name}:{part}".encode()).hexdigest() for part in RoundSeeds._fields)
    return RoundSeeds(*parts)


@pytest.fixture
def provably_fair_rounds(request: pytest.FixtureRequest) -> Callable[..., dict[str, Any]]:
    """Return a function of a game and a number of rounds that makes a correct log of simulated rounds."""
    name = request.node.nodeid

    def rounds(game: Any, count: int = 1000, *, seed: int | str = name) -> dict[str, Any]:
        return _right_log(chosen_game(game), count, seed)

    return rounds


def rounds_fixture(
    *games: Game | str,
    rounds: int = 1000,
    seed: int | str = 0,
    scope: Literal["session", "package", "module", "class", "function"] = "function",
) -> Any:
    """Return a fixture that runs a test once for each game, with simulated rounds of it.

    Parameters
    ----------
    *games : Game or str
        The games; text as on the command line: ``"mines:mines=5"``.
    rounds : int
        Number of rounds to simulate.
    seed : int or str
        Seed of the simulation: the same seed gives the same rounds.
    scope : str
        Scope of the fixture; see `pytest.fixture`.

    Returns
    -------
    fixture
        To be given a name in a test module or a conftest file. It gives `SimulatedRounds`: the ``game``, and
        the ``log`` of its rounds.

    Examples
    --------
    >>> from pytest_provably_fair import assert_rounds, rounds_fixture
    >>> simulated = rounds_fixture("dice", "mines:mines=5", rounds=50)
    >>> def test_my_storage(simulated):
    ...     assert_rounds(simulated.log, simulated.game)
    """
    if not games:
        raise ValueError("games must be given: at least one")

    def simulated(request: pytest.FixtureRequest) -> SimulatedRounds:
        game = chosen_game(request.param)
        return SimulatedRounds(game, _right_log(game, rounds, seed))

    return pytest.fixture(simulated, params=games, ids=[str(game) for game in games], scope=scope)
