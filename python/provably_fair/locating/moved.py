"""Find rows that lie elsewhere than their neighbors say, before one of them is named as misread.

The engine's model follows a record down the chain; a row that came some places late has no place in it, so it
calls the rows around it misread, or places them on other games with the same outcome. Here such rows are
compared with the games near them that no other row shows. Rows in consistent runs are taken for granted; the
rows between two of them, a stretch, are explained again: first by runs of rows and games, then one by one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

SURE = 0.999
"""The least posterior probability of a place, a swapped pair or a misread row."""
DOUBTFUL = 0.01
"""The least posterior probability of a row that may be misread."""
_REACH, _NEAR = 40, 3
"""The number of places within which a moved row is looked for; and if no other row was moved."""
_SINGLE, _MISREAD = 1e-4, 1e-3
"""The probabilities that a row comes from nearby, if no other row was moved, and that it is misread."""
_SOLID, _RUN = math.log(1e5), math.log(1e3)
"""The least evidence of rows that are taken for granted, and of a run of rows."""
_PAGE = 8
"""The least number of rows that lie together elsewhere and aren't called moved."""
_LONGEST = 1000
"""The most rows of a stretch that is explained again."""


class Findings(NamedTuple):
    """What is known of the rows of a record, in the order down the chain."""

    where: np.ndarray  # the places that are sure, or -1
    changed: np.ndarray  # the probability that the row doesn't show the outcome of its game
    on: np.ndarray  # the probability that it is on the chain
    candidates: dict[int, list[int]]
    swapped: np.ndarray  # the first rows of swapped pairs
    moved: np.ndarray = np.empty(0, np.int64)


@dataclass
class _Stretch:
    """Rows between two that are taken for granted, at places `before` and `after`."""

    rows: list[int]
    before: int | None
    after: int | None

    @property
    def gap(self) -> range:
        """The places between the neighbors; none if the record goes back there."""
        most = _REACH + len(self.rows)
        if self.before is None:
            return range(max((self.after or 0) - most, 0), self.after or 0)
        if self.after is None:
            return range(self.before + 1, self.before + 1 + most)
        return range(self.before + 1, max(self.after, self.before + 1))

    def near(self, reach: int, places: int) -> list[int]:
        """Return the places around both neighbors and between them, of so many on the chain."""
        around, ends = reach + len(self.rows), [one for one in (self.before, self.after) if one is not None]
        ranges = [range(max(end - around, 0), min(end + around + 1, places)) for end in ends]
        if len(self.gap) <= _LONGEST:  # it may go on beyond the games that were walked
            ranges.append(self.gap[: max(places - self.gap.start, 0)])
        return sorted(set().union(*ranges))

    def distance(self, place: int) -> int:
        """Return the distance of a place from the nearer neighbor."""
        return min(abs(place - end) for end in (self.before, self.after) if end is not None)


def rearranged(found: Findings, symbols: np.ndarray, chain: np.ndarray, ratios: np.ndarray) -> Findings:
    """Return what is known of rows once those that were moved are taken into account."""
    moved = 0
    for _ in range(3):
        one = _Rearrangement(found, symbols, chain, ratios, moved)
        result = one.run()
        if one.evident <= moved:
            break
        moved = one.evident
    return result


class _Rearrangement:
    """One explanation of a record in which a number of rows is known to have been moved."""

    def __init__(
        self, found: Findings, symbols: np.ndarray, chain: np.ndarray, ratios: np.ndarray, moved: int
    ) -> None:
        self._found, self._symbols, self._chain = found, symbols, chain
        self._log = np.where(symbols >= 0, np.log(ratios[symbols.clip(min=0)]), 0.0)
        self._rate = moved / len(symbols)
        self._reach = _REACH if moved else _NEAR
        self.evident = 0
        self._unclear: set[int] = set()
        self._suspected = 0
        # Swapped pairs are put in order first.
        self._order = np.arange(len(symbols))
        for row in found.swapped.tolist():
            self._order[[row, row + 1]] = row + 1, row

    def run(self) -> Findings:
        """Return the findings; without irregular rows, those that were given."""
        found = self._found
        solid = self._solid()
        if solid is None:
            return found
        self._taken = set(found.where[self._order[solid]].tolist())
        stretches = list(self._stretches(solid))
        self._where, self._changed, self._on = found.where.copy(), found.changed.copy(), found.on.copy()
        self._candidates, self._moved = dict(found.candidates), list[int]()
        for one in stretches:
            self._explain(one)
        same = self._where == found.where
        pairs = [row for row in found.swapped.tolist() if same[row] and same[row + 1]]
        pairs += [first for row in self._moved for first in (row - 1, row) if self._is_pair(first)]
        rows = set(self._moved) - {row + one for row in pairs for one in (0, 1)}
        # One row may be misread and show another game by chance, several hardly.
        self.evident = max(len(rows), self._suspected if self._suspected > 1 else 0)
        moved = np.array(sorted(rows), np.int64)
        swapped = np.array(sorted(set(pairs)), np.int64)
        return Findings(self._where, self._changed, self._on, self._candidates, swapped, moved)

    def _is_pair(self, first: int) -> bool:
        """Return whether a row and the next one only have each other's places."""
        if first < 0 or first + 1 >= len(self._where):
            return False
        own, other = self._where[first : first + 2].tolist()
        before = self._where[first - 1] if first > 0 else -1
        after = self._where[first + 2] if first + 2 < len(self._where) else len(self._chain)
        return bool(before < other < own < after and other >= 0)

    # ---- which rows are taken for granted ----

    def _solid(self) -> np.ndarray | None:
        """Return the positions of rows in consistent runs; None if the record is one run."""
        where, bad = self._found.where[self._order], self._irregular()[self._order]
        sure = np.flatnonzero((where >= 0) & ~bad)
        if len(sure) < 2:
            return None
        breaks = (np.diff(where[sure]) < 0) | (np.diff(np.cumsum(bad)[sure]) > 0)
        ends = [bool(self._rate or one.any()) for one in (bad[: sure[0]], bad[sure[-1] :])]
        if not breaks.any() and not any(ends):
            return None
        kept = np.ones(len(sure), bool)
        cuts = np.flatnonzero(breaks)
        for first in ([0] if ends[0] else []) + (cuts + 1).tolist():
            self._trim(sure, where, kept, breaks, first, 1)
        for last in cuts.tolist() + ([len(sure) - 1] if ends[1] else []):
            self._trim(sure, where, kept, breaks, last, -1)
        return sure[kept]

    def _trim(
        self, sure: np.ndarray, where: np.ndarray, kept: np.ndarray, breaks: np.ndarray, at: int, step: int
    ) -> None:
        """Drop rows beside a break that aren't held by others: a few before the next hole."""
        evidence, first = 0.0, at
        while True:
            evidence += self._log[self._order[sure[at]]]
            beyond = at + step
            is_end = not 0 <= beyond < len(sure) or breaks[min(at, beyond)]
            if is_end and evidence >= _SOLID:
                return
            if not is_end:
                missing = max(abs(int(where[sure[beyond]] - where[sure[at]])) - 1, 0)
                if evidence >= _SOLID + math.log(2 * missing + 1):
                    return
            if is_end or missing > 0:
                kept[min(first, at) : max(first, at) + 1] = False
                if not is_end:
                    evidence = max(evidence - math.log(2 * missing + 1), 0.0)
            if is_end:
                return
            at = beyond

    def _irregular(self) -> np.ndarray:
        """Return which rows are misread or on no chain, other than plain misread cells."""
        found = self._found
        bad: np.ndarray = (found.changed >= DOUBTFUL) | (found.on < 0.5)
        for row in np.flatnonzero(bad).tolist():
            around = found.where[max(row - 1, 0) : row + 2]
            alone = len(around) == 3 and not bad[row - 1] and not bad[row + 1]
            if alone and around[0] >= 0 and around[2] - around[0] > 1 and self._symbols[row] >= 0:
                low, high = max(int(around[0]) - self._reach, 0), int(around[2]) + self._reach + 1
                bad[row] = (self._chain[low:high] == self._symbols[row]).any()
            elif self._symbols[row] < 0 and alone:
                bad[row] = False  # an unreadable cell
        again = np.flatnonzero((np.diff(found.where) == 0) & (found.where[1:] >= 0)) + 1
        for row in again.tolist():  # the same game twice, or another one with its outcome
            low = max(int(found.where[row]) - self._reach, 0)
            near = low + np.flatnonzero(self._chain[low : low + 2 * self._reach + 1] == self._symbols[row])
            if not np.isin(near, found.where).all():
                bad[row] = True
                self._unclear.add(row)
        for row in found.swapped.tolist():
            # A row beside the pair with the outcome of one of them may have moved instead.
            beside = [self._symbols[one] for one in (row - 1, row + 2) if 0 <= one < len(self._symbols)]
            if {self._symbols[row], self._symbols[row + 1]} & set(beside):
                bad[max(row - 1, 0) : row + 3] = True
                self._unclear.add(row)
        return bad

    def _shows(self, place: int, symbol: int) -> bool:
        return 0 <= place < len(self._chain) and bool(self._chain[place] == symbol)

    def _stretches(self, solid: np.ndarray) -> Iterator[_Stretch]:
        """Return the rows between those that are taken for granted, where something is irregular."""
        where, symbols = self._found.where[self._order], self._symbols[self._order]
        bad = self._irregular()[self._order]
        ends = np.concatenate([[-1], solid, [len(where)]])
        back = np.zeros(len(ends) - 1, bool)
        back[1:-1] = np.diff(where[solid]) < 0
        done = -1
        for start in np.flatnonzero((np.diff(ends) > 1) | back).tolist():
            if start < done:
                continue
            low, high = start, start + 1
            while True:
                first, last = int(ends[low]), int(ends[high])
                inside = slice(first + 1, last)
                before = int(where[first]) if first >= 0 else None
                after = int(where[last]) if last < len(where) else None
                if bad[inside].any() or (where[inside] >= 0).any():
                    # A neighbor with the same outcome may be the row that was moved.
                    shown = set(symbols[inside].tolist())
                    if before is not None and after is not None and after - before <= _REACH:
                        shown |= set(self._chain[before + 1 : after].tolist())
                    wide = [before is not None and symbols[first] in shown]
                    wide.append(after is not None and symbols[last] in shown)
                elif before is not None and after is not None and after < before:
                    # Where the record goes back, a row may be the last before or the first after.
                    wide = [self._shows(after - 1, symbols[first]), self._shows(before + 1, symbols[last])]
                else:
                    break
                if not any(wide) or high - low > 2 * _NEAR:
                    break
                low, high = low - wide[0], high + wide[1]
            done = high
            is_loose = bad[inside].any() or (where[inside] >= 0).any()
            if is_loose and last - first <= _LONGEST:
                self._taken.difference_update(where[inside].tolist())
                yield _Stretch(sorted(self._order[inside].tolist()), before, after)

    # ---- a stretch ----

    def _explain(self, one: _Stretch) -> None:
        """Give the rows of a stretch their places, as far as these are sure."""
        gap = one.gap
        fits = len(one.rows) <= sum(place not in self._taken for place in gap)
        reach = self._reach if fits else _REACH
        free = [place for place in one.near(reach, len(self._chain)) if place not in self._taken]
        by_symbol: dict[int, list[int]] = {}
        for place in free:
            by_symbol.setdefault(int(self._chain[place]), []).append(place)
        matches = {
            row: by_symbol.get(int(self._symbols[row]), []) if self._symbols[row] >= 0 else []
            for row in one.rows
        }
        # A misread row has a game of its own.
        crowded = not fits and (self._found.changed[one.rows] >= DOUBTFUL).any()
        gain = math.inf if crowded else self._gain(one, by_symbol)
        if gain < 0.5:
            return
        is_single = gain < 1.5 and fits
        if gain < math.inf:
            self._suspected += 1 if is_single else 2
        changed = (row for row in one.rows if self._found.changed[row] >= DOUBTFUL)
        likelier = (self._misread(one, row, matches[row]) > 0.5 for row in changed)
        if is_single and not self._rate and any(likelier):  # misread rows rather than moved ones
            self._doubt(one, matches)
            return
        placed, together = self._runs(one, matches, len(free))
        used = set(placed.values())
        left = {
            row: [place for place in places if place not in used]
            for row, places in matches.items()
            if row not in placed
        }
        wanted: dict[int, int] = {}
        for places in left.values():
            for place in places:
                wanted[place] = wanted.get(place, 0) + 1
        alone: dict[int, int] = {}
        # Among many rows, or beside some of another chain, a single one may fit by chance.
        lost = len(one.rows) > _REACH or any(not places for places in left.values())
        for row, places in left.items():
            inside = [place for place in places if place in gap]
            others = self._elsewhere(one, [place for place in places if place not in gap])
            if len(inside) == 1 and others < 1 - SURE:
                places = inside
            if len(places) == 1 and wanted[places[0]] == 1 and not (lost and len(left) > 1):
                alone[row] = places[0]
        placed |= alone
        room = len(gap) - sum(place in gap for place in placed.values())
        room -= sum(place in self._taken for place in gap)
        unplaced = len(one.rows) - len(placed)
        if unplaced > room:  # which of the rows has none of these games isn't known
            room = 0
        open_: dict[int, float] = {}
        for row in [row for row, place in alone.items() if place not in gap]:
            chance = self._misread(one, row, left[row]) if room > unplaced else 0.0
            if chance > 1 - SURE:
                del placed[row]
                open_[row] = chance
        self._take(one, placed, together, left, open_, room)

    def _gain(self, one: _Stretch, free: dict[int, list[int]]) -> float:
        """Return how many more rows of a stretch show games nearby than the engine found."""
        if self._unclear & set(one.rows) or (one.before or 0) > (one.after or math.inf):
            return math.inf
        symbols = self._symbols[one.rows]
        rows = {symbol: int((symbols == symbol).sum()) for symbol in set(symbols.tolist())}
        shown = sum(min(count, len(free.get(symbol, ()))) for symbol, count in rows.items() if symbol >= 0)
        return float(shown - (self._found.on - self._found.changed)[one.rows].sum())

    def _doubt(self, one: _Stretch, matches: dict[int, list[int]]) -> None:
        """Doubt that a row is misread if it shows a game nearby."""
        known = {int(self._found.where[row]) for row in one.rows if self._found.changed[row] < DOUBTFUL}
        for row in one.rows:
            places = [place for place in matches[row] if place not in known]
            chance = self._misread(one, row, places) if self._found.changed[row] >= SURE else 1.0
            if chance < SURE:
                own = int(self._found.where[row])
                self._candidates[row] = [*([own] if own >= 0 else self._candidates.get(row, [])), *places]
                self._changed[row], self._where[row] = chance, -1

    def _misread(self, one: _Stretch, row: int, places: list[int]) -> float:
        """Return the probability that a row is misread rather than from one of some places."""
        misread = _MISREAD * math.exp(-self._log[row])
        return misread / (misread + self._elsewhere(one, places))

    def _elsewhere(self, one: _Stretch, places: list[int]) -> float:
        """Return the probability that a row was moved there from one of some places."""
        chance = 0.0
        for place in places:
            away = one.distance(place)
            chance += self._rate / (2 * (1 + away) * math.log(_REACH))
            chance += _SINGLE / (2 * _NEAR) if away <= _NEAR else 0.0
        return chance

    def _take(
        self,
        one: _Stretch,
        placed: dict[int, int],
        together: set[int],
        left: dict[int, list[int]],
        open_: dict[int, float],
        room: int,
    ) -> None:
        """Record the places of a stretch."""
        lost = any(not places for places in left.values())
        self._taken.update(placed.values())
        kept = set(_longest([(row, placed[row]) for row in one.rows if placed.get(row, -1) in one.gap]))
        for row in one.rows:
            own = int(self._found.where[row])
            if lost and row not in placed and self._found.on[row] < 0.5:
                continue
            self._candidates.pop(row, None)
            self._changed[row], self._where[row], self._on[row] = 0.0, -1, 1.0
            if row in placed:
                self._where[row] = placed[row]
                if row not in kept and row not in together:
                    self._moved.append(row)
                continue
            places = left[row]
            free = [place for place in one.gap if place not in self._taken]
            if places:
                is_open = room > 0 and not any(place in one.gap for place in places)
                chance = open_.get(row, self._misread(one, row, places) if is_open else 0.0)
                self._changed[row] = chance if chance < SURE else SURE
                if chance >= DOUBTFUL and own >= 0 and own not in places:
                    places = [own, *places]
                self._candidates[row] = places
            elif room > 0 and self._symbols[row] >= 0:
                alone = len(one.rows) - len(placed) == 1
                self._changed[row] = 1.0 if alone and not {*one.rows} & {*self._moved} else 0.5
                if len(free) == 1 and alone:
                    self._where[row] = free[0]
                else:
                    self._candidates[row] = free
            elif room > 0:
                self._changed[row] = self._found.changed[row]
                self._candidates[row] = free
            else:
                self._on[row] = 0.0

    def _runs(
        self, one: _Stretch, matches: dict[int, list[int]], free: int
    ) -> tuple[dict[int, int], set[int]]:
        """Return the places of rows that lie on consecutive games, and the rows of long runs."""
        rows = one.rows
        pairs = {(index, place) for index, row in enumerate(rows) for place in matches[row]}
        runs = []
        for index, place in pairs:
            if (index - 1, place - 1) in pairs:
                continue
            length = 1
            while (index + length, place + length) in pairs:
                length += 1
            score = sum(self._log[row] for row in rows[index : index + length])
            first = index == 0 and one.before is not None and place == one.before + 1
            last = index + length == len(rows) and place + length == one.after
            score -= 0 if first or last else math.log(2 * free * len(rows))
            if length > 1 and score >= _RUN:
                runs.append((score, index, place, length, first, last))
        placed: dict[int, int] = {}
        together: set[int] = set()
        used: set[int] = set()
        contested: set[int] = set()
        for _, index, place, length, first, last in sorted(runs, reverse=True):
            mine = [(rows[index + more], place + more) for more in range(length)]
            # A row at an end that fits elsewhere, too, may not belong to the run.
            while mine and not first and len(matches[mine[0][0]]) > 1:
                del mine[0]
            while mine and not last and len(matches[mine[-1][0]]) > 1:
                del mine[-1]
            fresh = [(row, at) for row, at in mine if row not in placed and at not in used]
            contested.update(row for row, at in mine if placed.get(row, at) != at)
            if len(fresh) * 2 <= length:
                continue
            placed.update(fresh)
            used.update(at for _, at in fresh)
            if length >= _PAGE:
                together.update(row for row, _ in fresh)
        for row in contested:
            del placed[row]
        return placed, together


def _longest(pairs: list[tuple[int, int]]) -> list[int]:
    """Return the rows of a longest subsequence whose places rise."""
    best: list[tuple[int, int]] = []
    for index, (_, place) in enumerate(pairs):
        before = [(best[one][0], one) for one in range(index) if pairs[one][1] < place]
        length, last = max(before, default=(0, -1))
        best.append((length + 1, last))
    if not best:
        return []
    at = max(range(len(best)), key=lambda one: best[one][0])
    kept = []
    while at >= 0:
        kept.append(pairs[at][0])
        at = best[at][1]
    return kept
