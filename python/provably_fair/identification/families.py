"""Infer the parameters of an unknown crash game from rows with hashes: divisor, instant bust, edge, salt.

A clone of bustabit's first rule busts instantly if the digest is divisible by a number. This divisor divides
the digests of all instant busts, and none of the digests of other rows: rows vote, and the divisors that the
fewest contradict remain. The true one is among them, unless misread cells speak for another, so it is named
if no other remains. With fewer than eight instant busts a multiple of it remains too often, and no divisor is
claimed. A clone of the second rule has an edge, which each row bounds from both sides. Its fraction may be
rounded to nine digits, as by JavaScript's toPrecision(9), which shows only in rows of 1,000 or more.

One row in fifty may be misread. If some are, or if hashes follow from the rows' places on a chain, the edge
must fit all others but one, so that no single cell decides it.
"""

from __future__ import annotations

import hmac
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from provably_fair._core.printable import counted, plain
from provably_fair._core.table import text_html
from provably_fair._core.tails import binomial_tail
from provably_fair._core.types import JsonDict
from provably_fair._engine import to_precision
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.operators.crash import DIVISIBLE_SCHEME, RAW_SCHEME, Divisible, Raw
from provably_fair.readings.search import is_sure
from provably_fair.seeds import Hash, Scheme

_DIVISORS = np.arange(2, 1001)
_INSTANTS = 8
"""The number of instant busts that a divisor needs; they leave one in 99.6 % of series."""
_CHANCE = 0.0101
"""The largest probability of an outcome above 1 by the first rule."""
_CHANCE_RAW = 0.05
"""The probability that a random outcome agrees with an edge that is known to a few percent."""
MISREAD = 0.02
"""The largest share of rows that may be misread."""
_EDGE_DECIMALS = 4
_BITS, _DIGITS = 52, 9
_SHOWN = 8


@dataclass(frozen=True)
class Family:
    """The parameters of a crash game of a known family, as far as the rows of a log determine them.

    Attributes
    ----------
    name : str
        "crash.divisible" or "crash.raw".
    salt : str
        The salt, one of those given.
    reads : str
        Form in which the game's hash is hashed: "text" or "bytes".
    divisors : dict
        The divisors that remain, each with its likelihood given the number of instant busts, normalized to a
        sum of 1; empty for "crash.raw".
    instant : float or None
        The outcome of an instant bust; None if no row is one.
    instants : int
        The number of instant busts among the rows.
    edges : tuple of Fraction or None
        The bounds of the edge; the lower one is excluded, unless it is 0. For "crash.raw".
    digits : tuple
        The numbers of digits to which the fraction may be rounded: None for all 52 bits, 9 for JavaScript's
        toPrecision(9), both if the rows don't show it; for "crash.raw".
    rows : int
        The number of rows that agree with the rule.
    game : Game or None
        The game, if the rows determine it; without rounding if they don't show it.
    misread : int
        The number of rows that disagree; neighbors gave their place on the chain.
    chain : str or None
        Form in which a game's hash is hashed for that of the previous game: "text" or "bytes"; None if the
        rows came with hashes.
    """

    name: str
    salt: str
    reads: str
    divisors: Mapping[int, float]
    instant: float | None
    instants: int
    edges: tuple[Fraction, Fraction] | None
    digits: tuple[int | None, ...]
    rows: int
    game: Game | None
    misread: int = 0
    chain: str | None = None

    _repr_html_ = text_html

    def to_dict(self) -> JsonDict:
        """Return the family as types of JSON."""
        return {
            "name": self.name,
            "salt": self.salt,
            "reads": self.reads,
            "divisors": {str(divisor): share for divisor, share in self.divisors.items()},
            "instant": self.instant,
            "instants": self.instants,
            "edges": None if self.edges is None else [float(edge) for edge in self.edges],
            "digits": list(self.digits),
            "rows": self.rows,
            "game": None if self.game is None else self._typed,
            "misread": self.misread,
            "chain": self.chain,
        }

    @property
    def _typed(self) -> str:
        return "" if self.game is None else typed_name(self.game).partition(" under ")[0]

    def __str__(self) -> str:
        under = f'with the salt "{plain(self.salt)}" and the game\'s hash as {self.reads}'
        if self.chain == "bytes":
            under += ", on a chain of hashes of bytes"
        if self.game is not None:
            but = f", and {self.misread:,} don't" if self.misread else ""
            either = f" with or without rounding to {_DIGITS} digits" if len(self.digits) > 1 else ""
            return f"{self._typed} {under}: {self.rows:,} rows agree{either}{but}"
        if self.misread:
            under += f", but for {counted(self.misread, 'row')}"
        if self.edges is not None:
            low, high = (float(edge) for edge in self.edges)
            edge = f"an edge from {low:.6f} to {high:.6f}"
            return f"{self.name} {under}, and {edge}: the rows tell no more"
        shown = [f"{divisor} ({share:.1%})" for divisor, share in self.divisors.items()][:_SHOWN]
        more = len(self.divisors) - len(shown)
        left = ", ".join(shown) + (f" and {more} more" if more else "")
        several = len(self.divisors) > 1
        which = f"is one of {left}" if several else f"may be {next(iter(self.divisors))}"
        return (
            f"{self.name} {under}; the divisor {which}: {self.instants} instant busts among "
            f"{self.rows:,} rows don't tell{' which' if several else ''}; {_INSTANTS} usually do"
        )


def family_of(
    hashes: Sequence[str], outcomes: Sequence[float], salts: Sequence[str], *, placed: bool = False
) -> Family | None:
    """Return the rows' family; the hashes of `placed` rows may be those of others. None without a family."""
    if not hashes:
        return None
    tries = 3 * len(salts)
    for salt in salts:
        digests = [_hmac(text.encode(), salt.encode()) for text in hashes]
        found = _divisible(digests, outcomes, salt, tries)
        if found is not None:
            return found
        for reads in ("bytes", "text"):
            messages = [bytes.fromhex(text) if reads == "bytes" else text.encode() for text in hashes]
            digests = [_hmac(salt.encode(), message) for message in messages]
            both = [_raw(digests, outcomes, salt, reads, digits, tries, placed) for digits in (None, _DIGITS)]
            fit = [found for found in both if found is not None]
            if fit:
                return _joined(fit)
    return None


def raw_scheme(salt: str, reads: str) -> Scheme:
    """Return the scheme of a clone of the second rule that hashes a game's hash as "bytes" or "text"."""
    scheme = replace(RAW_SCHEME, defaults={"salt": salt})
    return scheme if reads == "bytes" else replace(scheme, hash=Hash("sha256", "{game_hash}", key="{salt}"))


def _hmac(key: bytes, message: bytes) -> int:
    return int.from_bytes(hmac.digest(key, message, "sha256"))


def _is_chance(tries: int, rows: int, misread: int, likely: float, told: int) -> bool:
    """Return whether as many rows that tell may agree by chance, all but the misread ones."""
    return misread > MISREAD * rows or not is_sure(binomial_tail(told, told + misread, likely), tries)


def _divisible(digests: Sequence[int], outcomes: Sequence[float], salt: str, tries: int) -> Family | None:
    logged, rows = np.array(outcomes), len(outcomes)
    ordinary = logged == np.array([_first_rule(digest >> 256 - _BITS) for digest in digests])
    count = int(ordinary.sum())
    others = int((~ordinary & (logged != 0.0) & (logged != 1.0)).sum())
    if _is_chance(tries, rows, others, _CHANCE, count):
        return None
    divided = _divided(digests)
    votes = [_Votes.of(divided, logged, ordinary, instant) for instant in (1.0, 0.0)]
    best, other = sorted(votes, key=lambda one: (one.least, -one.busts))
    if _is_chance(tries, rows, best.least, _CHANCE, count):
        return None
    left = np.flatnonzero(best.against == best.least)
    agree = best.agree[left]
    logs = count * np.log1p(-1 / _DIVISORS[left]) - agree * np.log(_DIVISORS[left])
    shares = np.exp(logs - logs.max())
    order = np.argsort(-shares, kind="stable")
    divisors = dict(
        zip(_DIVISORS[left][order].tolist(), (shares / shares.sum())[order].tolist(), strict=True)
    )
    instants = int(agree.max())
    instant = None if (best.least, best.busts) == (other.least, other.busts) else best.instant
    game: Game | None = None
    if len(left) == 1 and instants >= _INSTANTS and 2 * instants > best.busts and instant is not None:
        divisor = next(iter(divisors))
        game = Divisible(divisor, instant).with_scheme(replace(DIVISIBLE_SCHEME, defaults={"salt": salt}))
    agreed = rows - best.least
    return Family(
        "crash.divisible", salt, "text", divisors, instant, instants, None, (), agreed, game, best.least
    )


def _first_rule(x: int) -> float:
    return math.floor(((100 << _BITS) - x) / ((1 << _BITS) - x)) / 100


def _divided(digests: Sequence[int]) -> np.ndarray:
    """Return whether each digest is divided by each divisor."""
    joined = b"".join(digest.to_bytes(32) for digest in digests)
    words = np.frombuffer(joined, ">u4").reshape(-1, 8).astype(np.int64)
    # Eight products of 32 and 10 bits have at most 45.
    powers = [[pow(2, 32 * place, int(divisor)) for divisor in _DIVISORS] for place in range(7, -1, -1)]
    pieces = np.array_split(words, 1 + len(words) // 1024)
    return np.concatenate([piece @ np.array(powers) % _DIVISORS == 0 for piece in pieces])


class _Votes(NamedTuple):
    """The votes of rows on each divisor, if instant busts have one outcome."""

    instant: float
    busts: int  # the number of rows with this outcome by no other rule
    agree: np.ndarray  # the number of these that a divisor explains
    against: np.ndarray  # the number of rows that contradict it
    least: int

    @classmethod
    def of(cls, divided: np.ndarray, logged: np.ndarray, ordinary: np.ndarray, instant: float) -> _Votes:
        busts = ~ordinary & (logged == instant)
        # A row of 1.00 may be an instant bust, unless instant busts are 0.00.
        sure = ordinary if instant == 0.0 else ordinary & (logged != 1.0)
        agree = divided[busts].sum(axis=0)
        against = int((~ordinary).sum()) - agree + divided[sure].sum(axis=0)
        return cls(instant, int(busts.sum()), agree, against, int(against.min()))


def _raw(
    digests: Sequence[int],
    outcomes: Sequence[float],
    salt: str,
    reads: str,
    digits: int | None,
    tries: int,
    placed: bool,
) -> tuple[Family, tuple[str, ...]] | None:
    """Return the family by the second rule, and the edges of few decimals that fit."""
    limits: list[tuple[Fraction, Fraction]] = []
    numbers = np.array([digest >> 256 - _BITS for digest in digests]) / 2.0**_BITS
    if digits is not None:
        numbers = to_precision(numbers, digits)
    for number, outcome in zip(numbers.tolist(), outcomes, strict=True):
        left = 1 - Fraction(number)
        cents = round(outcome * 100) if abs(outcome) < 1e300 else 0
        if cents >= 100:
            limits.append(((cents if cents > 100 else 0) * left, (cents + 1) * left))
    doubtful = placed and MISREAD * len(outcomes) >= 1
    low, high, agree = _most_agree(limits, doubtful)
    differ = len(outcomes) - agree
    # Any row fits some edge; the others must agree with it.
    told = sum(outcome > 1 for outcome in outcomes) - differ
    if low > 100 or _is_chance(tries, len(outcomes), differ, _CHANCE_RAW, max(told - 1, 0)):
        return None
    edges = (1 - high / 100, 1 - low / 100)
    game: Game | None = None
    texts: tuple[str, ...] = ()
    for decimals in range(1, _EDGE_DECIMALS + 1):
        unit = 10**decimals
        first, last = max(math.floor(edges[0] * unit) + 1, 0), math.floor(edges[1] * unit)
        if first <= last:
            texts = tuple(
                f"{edge / unit:.{decimals}f}" if edge else "0" for edge in dict.fromkeys((first, last))
            )
            # The edge is named if no other with one decimal more lies between the ends. Small edges of four
            # decimals are common, so near 0 those must be excluded, too.
            finest = 10 ** max(decimals + 1, 3) if first else 10**_EDGE_DECIMALS
            width = edges[1] - edges[0] if first else edges[1]
            if first == last and width < Fraction(1, finest):
                game = Raw(texts[0], digits).with_scheme(raw_scheme(salt, reads))
            break
    edges = (max(edges[0], Fraction(0)), edges[1])
    return Family("crash.raw", salt, reads, {}, None, 0, edges, (digits,), agree, game, differ), texts


def _joined(fit: Sequence[tuple[Family, tuple[str, ...]]]) -> Family:
    """Return one of the families that differ in rounding."""
    most = max(family.rows for family, _ in fit)
    likely = [one for one in fit if one[0].rows == most]
    # Edges have few decimals: a rounding that leaves no such edge is excluded if another one leaves some.
    likely = [one for one in likely if one[1]] or likely
    edges = [family.edges for family, _ in likely if family.edges is not None]
    same = len({texts for _, texts in likely}) == 1 and all(family.game is not None for family, _ in likely)
    return replace(
        likely[0][0],
        edges=(min(low for low, _ in edges), max(high for _, high in edges)),
        digits=tuple(family.digits[0] for family, _ in likely),
        game=likely[0][0].game if same else None,
    )


def _most_agree(
    limits: Sequence[tuple[Fraction, Fraction]], doubtful: bool
) -> tuple[Fraction, Fraction, int]:
    """Return the range above 0 that most intervals cover, or one fewer if in doubt, and how many do."""
    ends = sorted((value, step) for low, high in limits for value, step in ((low, 1), (high, -1)))
    reached, there = 0, []
    for value, step in ends:
        reached += step
        there.append((reached, value))
    most = max((count for count, _ in there), default=0)
    enough = max(most - (doubtful or most < len(limits)), 1)
    wanted = [place for place, (count, _) in enumerate(there) if count >= enough]
    if most == 0 or not wanted:
        return Fraction(0), Fraction(0), 0
    low, high = there[wanted[0]][1], there[wanted[-1] + 1][1]
    return max(low, Fraction(0)), high, most
