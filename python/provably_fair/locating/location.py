"""The result of `locate`: the place of each row, what differs from the chain, and the verdict in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from provably_fair._core.counts import bincount
from provably_fair._core.printable import counted, listed
from provably_fair._core.report import Case, Report, section
from provably_fair._core.table import html_table, text_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.verification.report import about_lines
from provably_fair.verification.systems.notations import SINGLE, read_as

from .chain import ChainWalk
from .moved import DOUBTFUL, SURE, Findings, rearranged

POSSIBLE = 1e-4
"""The least posterior probability of a candidate place."""
_SHOWN = 20


@dataclass(frozen=True)
class Placed:
    """The places of all rows, in the order of the record."""

    reversed: bool
    rows: np.ndarray
    candidates: dict[int, np.ndarray]
    misread: np.ndarray
    doubtful: dict[int, float]
    swapped: np.ndarray
    moved: np.ndarray
    on: np.ndarray

    @classmethod
    def of(
        cls,
        found: Sequence[np.ndarray],
        symbols: np.ndarray,
        chain: np.ndarray,
        ratios: np.ndarray,
        newest_first: bool,
        share: float,
    ) -> Placed:
        """Decide on the engine's posterior probabilities; `share` is the probability of this direction."""
        rows, places, chances, swapped, on = found
        chances, swapped, on, count = chances * share, swapped * share, on * share, len(symbols)
        where = np.full(count, -1, np.int64)
        sure = chances >= SURE
        where[rows[sure]] = places[sure]
        open_ = (where[rows] < 0) & (chances >= POSSIBLE)
        order = np.lexsort((-chances[open_], rows[open_]))
        several: dict[int, list[int]] = {}
        for row, place in zip(rows[open_][order].tolist(), places[open_][order].tolist(), strict=True):
            several.setdefault(row, []).append(place)
        differs = (symbols[rows] < 0) | (symbols[rows] != chain[places])
        changed = bincount(rows, chances * differs, count)
        pairs = np.flatnonzero(swapped >= SURE)
        told = Findings(where, changed, on, several, pairs)
        where, changed, on, several, pairs, moved = rearranged(told, symbols, chain, ratios)
        if not newest_first:
            where, on, changed = where[::-1].copy(), on[::-1], changed[::-1]
            pairs, moved = np.sort(count - 2 - pairs), np.sort(count - 1 - moved)
            several = {count - 1 - row: places for row, places in several.items()}
        candidates = {row: np.array(several[row], np.int64) for row in sorted(several)}
        misread = np.flatnonzero(changed >= SURE)
        unsure = np.flatnonzero((changed >= DOUBTFUL) & (changed < SURE))
        doubtful = dict(zip(unsure.tolist(), changed[unsure].tolist(), strict=True))
        return cls(newest_first, where, candidates, misread, doubtful, pairs.astype(np.int64), moved, on)


@dataclass(frozen=True, eq=False, repr=False)
class Location(Report):
    """Where a series of outcomes lies on a hash chain. Made by `locate`.

    Attributes
    ----------
    outcomes : numpy.ndarray
        The outcomes, float64, shape (N,).
    rows : numpy.ndarray
        Number of games from each row to the anchor, int64, shape (N,); -1 if it isn't known with a
        probability of at least 0.999.
    candidates : dict
        For a row without a place, its possible places, the likeliest first: int64 arrays by row. A row that
        lies nowhere on the chain isn't among them.
    misread : numpy.ndarray
        Rows between their neighbors on the chain that don't show the outcome of their game, with a
        probability of at least 0.999, int64. The place of such a row is sure, or it is one of its candidates.
    expected : numpy.ndarray
        The chain's outcomes in these rows, float64; NaN for a row with several possible places.
    doubtful : dict
        The probability that a row doesn't show the outcome of its game, by row, where it is at least 0.01 and
        less than 0.999: the row or its equal neighbor may be misread, or the two may be swapped.
    holes : numpy.ndarray
        Rows before which games are missing, and the number of missing games, int64, shape (k, 2). Rows
        without a place aren't counted as missing.
    swapped : numpy.ndarray
        The first row of each pair of neighbors in the wrong order, int64.
    moved : numpy.ndarray
        Rows whose place is known, but isn't where their neighbors say: bets that were recorded too late or
        too early, by up to some tens of places, int64.
    reversed : bool
        Whether the newest game comes first.
    pvalue : float
        An upper bound on the probability that a series of independent outcomes of the game is placed as well.
        The series is placed only below 10**-6.
    game : Game or None
        The game on whose chain the series lies; None if it was placed on none.
    games : tuple of str
        The games tried.
    anchor : str
        The hash from which the chain was walked.
    anchor_number : int or None
        The number of its game.
    limit : int
        The largest number of games before the anchor that were searched.
    about : dict
        Description of the series: the table ``about`` of a config.
    """

    outcomes: np.ndarray
    rows: np.ndarray
    candidates: Mapping[int, np.ndarray]
    misread: np.ndarray
    expected: np.ndarray
    doubtful: Mapping[int, float]
    holes: np.ndarray
    swapped: np.ndarray
    moved: np.ndarray
    reversed: bool
    pvalue: float
    game: Game | None
    games: tuple[str, ...]
    anchor: str
    anchor_number: int | None
    limit: int
    about: Mapping[str, str] = field(default_factory=dict)
    _hashes: np.ndarray = field(default_factory=lambda: np.empty(0, "S64"))
    _foreign: int = 0
    _singles: int = 0
    _of_bytes: tuple[str, ...] = ()  # the games tried whose chain hashes bytes

    _what = "Location"

    @property
    def placed(self) -> int:
        """The number of rows that have a place."""
        return int((self.rows >= 0).sum())

    @property
    def ok(self) -> bool:
        """Whether all rows have a place and show its outcome."""
        return self.placed == len(self.rows) and not len(self.misread)

    @property
    def game_numbers(self) -> np.ndarray | None:
        """The number of each row's game, int64, shape (N,), or -1; None without `anchor_number`."""
        if self.anchor_number is None:
            return None
        return np.where(self.rows >= 0, self.anchor_number - self.rows, -1)

    def log(self) -> dict[str, Any]:
        """Return the rows that have a place as the columns of a log, for `verify` and `audit`.

        The columns are ``row`` (in the record), ``game_hash``, ``outcome``, and, if it is known,
        ``game_number``, from the oldest game to the newest.

        Examples
        --------
        >>> game = pf.operators.bustabit.V1()
        >>> hashes = pf.HashChain().generate("secret", games=100)
        >>> found = pf.locate(game.play(hashes[20:60]), game, anchor=hashes[-1])
        >>> pf.verify(found.log(), game).ok
        True
        """
        there = np.flatnonzero(self.rows >= 0)
        order = np.argsort(-self.rows[there], kind="stable")
        there = there[order]
        log: dict[str, Any] = {"row": there, "game_hash": self._hashes[order].astype("U").tolist()}
        if self.game_numbers is not None:
            log["game_number"] = self.game_numbers[there]
        return {**log, "outcome": self.outcomes[there]}

    def _columns(self) -> Columns:
        return self.log()

    def to_dict(self) -> JsonDict:
        """Return the location as JSON's types, with the place of every row."""
        numbers = self.game_numbers
        return {
            "schema": "provably_fair.location/1",
            "ok": self.ok,
            "verdict": self.verdict,
            "game": None if self.game is None else typed_name(self.game),
            "games": list(self.games),
            "anchor": self.anchor,
            "anchor_number": self.anchor_number,
            "limit": self.limit,
            "about": dict(self.about),
            "pvalue": self.pvalue,
            "placed": self.placed,
            "reversed": self.reversed,
            "rows": self.rows.tolist(),
            "game_numbers": None if numbers is None else numbers.tolist(),
            "candidates": {str(row): places.tolist() for row, places in self.candidates.items()},
            "misread": [
                {"row": row, "outcome": own, "expected": expected}
                for row, own, expected in zip(
                    self.misread.tolist(),
                    _known(self.outcomes[self.misread]),
                    _known(self.expected),
                    strict=True,
                )
            ],
            "doubtful": {str(row): chance for row, chance in self.doubtful.items()},
            "holes": self.holes.tolist(),
            "swapped": self.swapped.tolist(),
            "moved": self.moved.tolist(),
        }

    @property
    def verdict(self) -> str:
        """Where the series lies and what differs, in words."""
        count = len(self.rows)
        if self.game is None:
            return (
                f"not placed: {counted(count, 'row')} of outcomes have no significant place on this chain "
                f"(p-value {self.pvalue:.2g}; it must be below 1e-6): is the anchor a hash of this game's "
                "chain that is no earlier than the last row?"
            )
        least, most = int(self.rows[self.rows >= 0].min()), int(self.rows.max())
        if self.anchor_number is not None:
            where = f"games {self.anchor_number - most:,} to {self.anchor_number - least:,} of this chain"
        else:
            where = f"games of this chain, {least:,} to {most:,} before the anchor"
        parts = [f"{self.placed:,} of {counted(count, 'row')} are {where}"]
        if len(self.misread):
            (first, differs), *others = self._differences()
            said, wrong = f"row {first:,} {differs}", "a misread cell or a wrong payout"
            if others:
                said, wrong = f"{len(self.misread):,} rows differ, {said}", "misread cells or wrong payouts"
            parts.append(f"{said}: {wrong}")
        if self.doubtful:
            parts.append(f"{counted(len(self.doubtful), 'row')} may be misread")
        if len(self.swapped):
            pairs = [f"{row:,} and {row + 1:,}" for row in self.swapped.tolist()]
            more = f" and {len(pairs) - 3:,} more pairs" if len(pairs) > 3 else ""
            parts.append(f"rows {', '.join(pairs[:3])}{more} are swapped")
        if len(self.moved):
            were = "was" if len(self.moved) == 1 else "were"
            parts.append(f"{counted(len(self.moved), 'row')} {were} moved, {self.moved[0]:,} first")
        if len(self.holes):
            missing = int(self.holes[:, 1].sum())
            lacking = counted(missing, "game is", "games are")
            parts.append(f"{lacking} missing in {counted(len(self.holes), 'hole')}")
        if len(self.candidates):
            has = "has" if len(self.candidates) == 1 else "have"
            parts.append(f"{counted(len(self.candidates), 'row')} {has} several possible places")
        if self._foreign:
            lie = "lies" if self._foreign == 1 else "lie"
            parts.append(f"{counted(self._foreign, 'row')} {lie} nowhere on this chain in this order")
        return "; ".join(parts)

    def _differences(self) -> list[tuple[int, str]]:
        """Return each misread row with a description of the difference."""
        told = []
        for row, expected in zip(self.misread.tolist(), self.expected.tolist(), strict=True):
            own = "nothing" if np.isnan(self.outcomes[row]) else f"{self.outcomes[row]:.12g}"
            games = len(self.candidates.get(row, ()))
            there = (
                f"{expected:.12g}"
                if not np.isnan(expected)
                else f"another outcome in {games} possible places"
            )
            told.append((row, f"reads {own} where the chain has {there}"))
        return told

    def _about(self) -> str:
        tried = listed(list(self.games), 5) if self.game is None else typed_name(self.game)
        return f"{counted(len(self.rows), 'row')} of {tried}"

    def _tone(self) -> Any:
        return "open" if self.game is None or not self.ok else "good"

    def _lines(self) -> list[tuple[str, str]]:
        searched = f"{self.limit:,} games before {self.anchor}"
        if self.anchor_number is not None:
            searched += f", game {self.anchor_number:,}"
        lines = [*about_lines(self.about), ("searched", searched), ("p-value", f"at most {self.pvalue:.3g}")]
        if self.game is not None:
            lines.append(("order", "newest first" if self.reversed else "oldest first"))
        if self._singles:
            lines += [("note", note) for note in read_as({SINGLE: self._singles})]
        lines.append(("it means", _meaning(self)))
        return lines

    def _facts(self) -> list[tuple[str, str]]:
        """Return the first rows that differ, may differ or were moved, each with a description."""
        told = [*self._differences(), *self._doubts(), *self._moves()]
        return [(f"{row:,}", text) for row, text in told[:_SHOWN]]

    def _doubts(self) -> list[tuple[int, str]]:
        """Return each row that may be misread with its probability, the likeliest first."""
        open_ = sorted(self.doubtful.items(), key=lambda one: -one[1])
        return [(row, f"may be misread, probability {p:.2g}") for row, p in open_]

    def _moves(self) -> list[tuple[int, str]]:
        """Return each row that was moved with its place."""
        places, numbers = self.rows[self.moved].tolist(), self.game_numbers
        if numbers is None:
            told = [f"was moved: it lies {place:,} games before the anchor" for place in places]
        else:
            told = [f"was moved: it is game {number:,}" for number in numbers[self.moved].tolist()]
        return list(zip(self.moved.tolist(), told, strict=True))

    def _details(self) -> str:
        facts = self._facts()
        return text_table(("row", "differs"), facts, "rl") if facts else ""

    def _sections(self) -> str:
        facts = self._facts()
        return section("Rows that differ", html_table(("row", "differs"), facts, "rl")) if facts else ""

    def _cases(self) -> list[Case]:
        if self.game is None:
            return [Case("placed", "failure", self.verdict), Case("outcomes", "error", "no row was compared")]

        def case(name: str, outcome: Any, said: str, told: Sequence[tuple[int, str]]) -> Case:
            text = "\n".join(f"row {row:,} {one}" for row, one in told)
            return Case(name, outcome, said, text) if told else Case(name)

        several = {row: f"has {len(some)} possible places" for row, some in self.candidates.items()}
        nowhere = np.flatnonzero(self.rows < 0).tolist()
        open_ = [(row, several.get(row, "lies nowhere on the chain")) for row in nowhere]
        differ = f"{counted(len(self.misread), 'row')} differ{'s' * (len(self.misread) == 1)}"
        doubts = f"{counted(len(self.doubtful), 'row')} may be misread"
        cases = [
            case("placed", "error", f"{counted(len(open_), 'row')} without a place", open_),
            case("outcomes", "failure", differ, self._differences()),
            case("doubtful", "skipped", doubts, self._doubts()),
        ]
        if len(self.moved):
            were = "was" if len(self.moved) == 1 else "were"
            said = f"{counted(len(self.moved), 'row')} {were} moved"
            cases.append(case("moved", "skipped", said, self._moves()))
        return cases

    def __repr__(self) -> str:
        return f"<Location: {self.verdict}>"


@dataclass(frozen=True)
class LocateCall:
    """The arguments of a call of `locate`: outcomes, games to try, and where to search."""

    outcomes: np.ndarray
    games: tuple[str, ...]
    anchor: str
    anchor_number: int | None
    limit: int
    about: Mapping[str, str]
    _of_bytes: tuple[str, ...]
    _singles: int  # the number of rows in 32-bit floats


def located(
    asked: LocateCall,
    pvalue: float,
    placed: Placed | None = None,
    game: Game | None = None,
    walk: ChainWalk | None = None,
) -> Location:
    """Return the result for a series, which lies on no chain unless it was placed."""
    count, none = len(asked.outcomes), np.empty(0, np.int64)
    if placed is None:
        placed = Placed(False, np.full(count, -1, np.int64), {}, none, {}, none, none, np.ones(count))
    there = np.flatnonzero(placed.rows >= 0)
    hashes, expected = np.empty(0, "S64"), np.full(count, np.nan)
    if walk is not None:
        hashes, expected[there] = walk.at(placed.rows[there])
    return Location(
        **{name: value for name, value in vars(placed).items() if name != "on"},
        **vars(asked),
        expected=expected[placed.misread],
        holes=_holes(placed),
        pvalue=pvalue,
        game=game,
        _hashes=hashes,
        _foreign=int((placed.on < 0.5).sum()),
    )


def _known(outcomes: np.ndarray) -> list[float | None]:
    """Return outcomes as numbers of JSON, None for NaN."""
    return [None if np.isnan(one) else one for one in outcomes.tolist()]


def _meaning(found: Location) -> str:
    """Describe what a location shows, and its limits."""
    if found.game is None:
        chains = ", ".join(found._of_bytes)
        bytes_ = (
            f"the chain of {chains} hashes bytes, and an anchor whose chain hashes text leads elsewhere; "
        )
        return (bytes_ if chains else "") + (
            "nothing against the operator: the game may have another rule or salt, the anchor may be of "
            "another chain or too early, or there may be too few rows or too many holes"
        )
    return (
        "outcomes on the chain were fixed before they were played. A hole is no fraud, and a row that "
        "differs is no proof: a signed receipt or the operator's own record of that payout would be one"
    )


def _holes(placed: Placed) -> np.ndarray:
    """Return the rows before which games are missing, with the numbers of missing games.

    Swapped rows are put in order. Rows on the chain without a place fill the holes in which they lie, moved
    rows those where they belong.
    """
    order = np.arange(len(placed.rows))
    for row in placed.swapped.tolist():
        order[[row, row + 1]] = row + 1, row
    order = order[~np.isin(order, placed.moved)]
    places = placed.rows[order]
    there = np.flatnonzero(places >= 0)
    steps = np.diff(places[there]) * (1 if placed.reversed else -1)
    open_ = np.cumsum((places < 0) & (placed.on[order] >= 0.5))
    # If the record goes back on the chain, the games in between aren't missing, nor are those that it passes
    # over twice missing twice: each gap between games that some row shows counts in the first step over it.
    shown = np.unique(placed.rows[placed.rows >= 0])
    ends = np.searchsorted(shown, np.sort([places[there][:-1], places[there][1:]], axis=0))
    first = np.full(max(len(shown) - 1, 0), -1)
    for step in np.flatnonzero(steps > 0)[::-1].tolist():
        first[slice(*ends[:, step])] = step
    gaps = first >= 0
    missing = bincount(first[gaps], np.diff(shown)[gaps] - 1, len(steps)) - np.diff(open_[there])
    found = missing > 0
    return np.stack([order[there[1:][found]], missing[found]], axis=1).astype(np.int64)
