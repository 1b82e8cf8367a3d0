"""Salt grinding, which verification can't rule out.

In the salted scheme both seeds are public, only the salt is secret, and no hash of it is published before the
bet. An operator who knows the bet can draw several salts, compute the outcome of each, and play the one that
pays least. Every round verifies. A salt can't be swapped if the operator committed to it before the bet. The
same holds in other schemes for their secret, the server seed or the game's hash.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, integer, reals
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.numbers import exact_number
from provably_fair._core.table import displayed
from provably_fair.games import Game
from provably_fair.games.rounds import simulated_rounds
from provably_fair.names import given_game
from provably_fair.seeds import Hash
from provably_fair.seeds.generator import salts as salt_series
from provably_fair.seeds.rounds import commitment_of, secret_of

__all__ = ["GrindingResult", "estimate_grinding", "grinding_chance"]
__dir__: Lister = lister_of(__all__)

_MAX_SALTS = 1 << 40  # far more than fits in memory
_MAX_TRIED = 1_000_000
_MOST_BITS = 1 << 26  # of an exact power, which takes a minute


def grinding_chance(chance: Fraction | float | str, salts: int, *, exact: bool = False) -> Any:
    """Return the probability of winning if the operator plays the worst of several salts.

    The player wins only if every one of the salts wins: ``chance ** salts``.

    Parameters
    ----------
    chance : Fraction, float or str
        The probability of winning an honest round, 0 to 1. Text such as "0.495" is exact, and a float stands
        for the decimal that it prints as.
    salts : int
        The number of salts that the operator tries, 1 to 1,000,000.
    exact : bool
        Whether to return a Fraction rather than the nearest float.

    Returns
    -------
    float or fractions.Fraction
        The remaining probability.

    Examples
    --------
    >>> [f"{pf.auditing.grinding.grinding_chance('0.495', salts):.1%}" for salts in (1, 2, 4)]
    ['49.5%', '24.5%', '6.0%']
    >>> pf.auditing.grinding.grinding_chance("0.495", 2, exact=True)
    Fraction(9801, 40000)
    """
    try:
        honest = exact_number(chance, "chance")
    except (TypeError, ValueError):
        raise BadValue("chance", f"must be a number from 0 to 1, got {chance!r:.50}") from None
    if not 0 <= honest <= 1:
        raise BadValue("chance", f"must be from 0 to 1, got {chance!r:.50}")
    tried = integer("salts", salts, 1)
    if tried > _MAX_TRIED:
        raise BadValue("salts", f"must be at most {_MAX_TRIED} for an exact chance, got {tried}")
    if honest.denominator.bit_length() * tried > _MOST_BITS:
        raise BadValue("chance", f"must have fewer digits for so many salts, got {chance!r:.50}")
    left = honest**tried
    return left if exact else float(left)


@displayed
@dataclass(frozen=True, eq=False)
class GrindingResult:
    """The rounds of an operator who grinds salts.

    Attributes
    ----------
    log : dict
        Columns ``server_seed``, ``client_seed``, ``salt`` (the fields of the game's scheme) and ``outcome``
        of the rounds as played. They all verify.
    payouts : numpy.ndarray
        Payout of each round, float64, shape (rounds,).
    commitments : list of str
        The SHA-256 of the first salt of each round, which an operator would have published before the bet. As
        the log's column ``commitment`` they expose every swapped salt. For server seeds, the scheme's
        commitment.
    swapped : numpy.ndarray
        Whether the salt of each round was swapped for a later one, bool, shape (rounds,).
    """

    log: dict[str, Any]
    payouts: np.ndarray
    commitments: list[str]
    swapped: np.ndarray

    @property
    def returned(self) -> float:
        """The mean payout."""
        return float(self.payouts.mean())


def estimate_grinding(
    game: Game | str,
    payout: Callable[[np.ndarray], object],
    salts: int,
    rounds: int,
    *,
    seed: int | str = 0,
) -> GrindingResult:
    """Simulate an operator who draws several salts and plays the one that pays the player least.

    Parameters
    ----------
    game : Game or str
        The game, or its name: "stake.dice", "mines:mines=5".
    payout : callable
        The payout of the bet: a function of an array of N outcomes that returns N finite numbers.
    salts : int
        The number of salts tried in each round, from 1 (an honest operator); or of server seeds or game
        hashes, if these are the scheme's secret. A nonce counts the rounds.
    rounds : int
        The number of rounds, from 1.
    seed : int or str
        The seed of the series of salts; see `Game.simulate`.

    Returns
    -------
    GrindingResult
        The log, the payouts, and the commitments to the first salts.

    Examples
    --------
    >>> from provably_fair.auditing.grinding import estimate_grinding
    >>> def under(dice):
    ...     return dice < 49.5
    >>> [f"{estimate_grinding(pf.Dice(), under, salts, 10_000).returned:.1%}" for salts in (1, 2, 4)]
    ['50.6%', '25.0%', '6.2%']
    """
    game = given_game("game", game)
    if not callable(payout):
        raise BadType("payout", f"must be a function, got {type(payout).__name__}")
    tried = integer("salts", salts, 1)
    rounds = integer("rounds", rounds, 1)
    if tried * rounds > _MAX_SALTS:
        raise BadValue("salts", f"times rounds must be at most {_MAX_SALTS}, got {tried} times {rounds}")
    secret = secret_of(game.scheme)
    candidates = salt_series(tried * rounds, seed)
    given: dict[str, Any] = {secret: candidates}
    fields = simulated_rounds(game, rounds, seed, **given).values()
    for name, value in fields.items():
        if name != secret and isinstance(value, np.ndarray):
            fields[name] = np.repeat(value, tried)
    outcomes = game.play(**fields)
    pays = reals("payout", payout(outcomes))
    if pays.shape != (tried * rounds,):
        raise BadValue("payout", f"must give {tried * rounds} numbers, one an outcome, got {pays.shape}")
    if not np.isfinite(pays).all():
        place = int(np.flatnonzero(~np.isfinite(pays))[0])
        raise BadValue("payout", f"must be finite, got {pays[place]} for {outcomes[place].tolist()}")
    pays = pays.reshape(rounds, tried)
    least = pays.argmin(axis=1)
    chosen = np.arange(rounds) * tried + least
    log: dict[str, Any] = {
        name: value[chosen] if isinstance(value, np.ndarray) else [value] * rounds
        for name, value in fields.items()
    }
    log[secret] = log[secret].astype("U").tolist()
    log["outcome"] = outcomes[chosen]
    published = commitment_of(game.scheme) or Hash("sha256", f"{{{secret}}}")
    commitments = np.asarray(published.hexdigest(candidates[::tried])).astype("U").tolist()
    return GrindingResult(log, pays[np.arange(rounds), least], commitments, least > 0)
