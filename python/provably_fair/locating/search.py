"""Find a series of outcomes on a chain: first a window of rows, then all rows.

The engine's `search` looks for a window of rows on the whole chain, by a model with holes. From its best
places `explore` follows the series row by row in both directions, as long as the likelihood ratio grows. The
rows before and after are searched again, nearby and then everywhere. All places found so are entries to the
chain, from which `align` computes the places of all rows together.

The p-value is a Markov bound. The likelihood of the record is averaged over games, directions, models of
holes and places, with weights that sum to at most 1, and divided by its likelihood as independent outcomes.
If the outcomes are independent, the expectation of this ratio is at most 1. Omitted alignments make the bound
larger, never smaller.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from provably_fair._core.arguments import check_type, doubles, integer, threads_of
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.printable import decoded, listed
from provably_fair._core.progress import Progress, Report, progress_bar
from provably_fair._core.tails import halved
from provably_fair._core.types import Text
from provably_fair._engine import align_chain, explore_chain, search_chain
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.names import given_game, known_names
from provably_fair.readings.known import known_games
from provably_fair.readings.search import BOUND
from provably_fair.seeds import HashChain
from provably_fair.verification.log import LogOptions, settled, with_log_options

from .chain import ChainWalk, Symbols
from .location import LocateCall, Location, Placed, located
from .outcomes import outcomes_of

_MODELS = ((0.001, 2.0), (0.02, 2.0), (0.1, 1.5), (0.25, 2.0), (0.5, 2.5), (0.7, 3.3), (0.85, 8.0))
"""Models of holes: the probability of a hole between two rows, and the mean number of games in it."""
_LIMIT = 10_000_000
_MOST_GAMES, _MOST_NUMBER = 1_000_000_000, (1 << 63) - 1
_CERTAIN = 1e22
"""The likelihood ratio at which the engine ends a search."""
_WINDOW, _LONG_WINDOW = 128, 512
_FIRST_WALK, _MORE_GAMES = 1 << 18, 1 << 19
_NEARBY, _MOST_NEAR = 1 << 16, 1 << 22
_SLACK = 3.0
"""How much less information than a significant place needs is searched for, since places may add up."""
_STILL = 3.0
"""How much likelier a feed that stands still must be, as a logarithm, to be taken into account."""
_LEAST = 1e-300
"""The smallest p-value reported."""
_SEARCHES = 64
_AROUND = 16
_END = 4096
"""A series that reaches this close to the end of the walk may go on beyond it."""


@with_log_options
def locate(
    outcomes: object = None,
    game: Game | str | Sequence[Game | str] | None = None,
    *,
    anchor: Text | None = None,
    anchor_number: int | None = None,
    limit: int = _LIMIT,
    threads: int | None = None,
    progress: Progress = False,
    **options: Unpack[LogOptions],
) -> Location:
    """Find where a series of outcomes without hashes lies on a hash chain.

    A later game's hash gives all earlier ones. The series may have holes, swapped neighbors, misread cells
    and repeated rows, and may be in either order. It is placed only if the probability that independent
    outcomes of the game would be placed as well is below 10**-6.

    Parameters
    ----------
    outcomes : array-like, Series, path, frame or Log
        One outcome per round, in the order of the record; NaN for an unreadable cell. Of a file or frame the
        column ``outcome`` (or one with another usual name, such as ``Bust`` or ``crash_point``), or the one
        that `columns` names.
    game : Game or str, a sequence of them, a mapping of str to Game or str, or None
        The game, several to choose from, or None for all known games on a chain. With a ``game_column``, rows
        of others are left out; a mapping gives the texts of that column, as for `verify`.
    anchor : str or bytes
        The hash of a game that isn't earlier than the last of the series, as hex text. It must be given,
        here or in a config.
    anchor_number : int, optional
        The number of that game, less than 2**63. Games before number 0 aren't searched.
    limit : int
        The largest number of games before the anchor to search, 1,000,000,000 at most. A game that is walked
        takes four bytes.
    threads : int, optional
        The largest number of threads; by default as many as the machine has.
    progress : bool or callable
        Whether to show a progress bar (requires tqdm), or a function of the games walked and the limit.
    **options
        Options for reading the log; see `Log`. The salt of a clone is ``constants={"salt": "..."}``; a config
        may have ``anchor`` and ``anchor_number``. Those about seeds and verdicts have no effect.

    Returns
    -------
    Location
        The place of each row, what differs from the chain, and a verdict.

    Notes
    -----
    The p-value is the inverse of a likelihood ratio: that of the record on the chain to independent outcomes,
    averaged over all places, directions, games and patterns of holes with weights that sum to at most 1
    (Markov's inequality). Outcomes are independent with the probabilities with which they are drawn; if
    markedly more rows than that equal the one before, the likeliest share of rows only repeats it, as a feed
    that stands still does. A row has a place if its posterior probability is at least 0.999 in a hidden
    Markov model of such records: holes of mixed length, swapped neighbors, one misread row in 1,000, and
    rarely repeated rows and rows of no game. Before a row is named as misread, its outcome is looked for
    among the missing games up to 40 places away.

    Examples
    --------
    >>> game = pf.operators.bustabit.V1()
    >>> hashes = pf.HashChain().generate("secret", games=1000)
    >>> busts = game.play(hashes[300:340]).tolist()
    >>> del busts[10:13]  # not recorded
    >>> busts[20] = 1.07  # misread
    >>> found = pf.locate(busts, game, anchor=hashes[-1], anchor_number=1000)
    >>> found.placed, found.game_numbers[:2].tolist(), found.misread.tolist(), found.holes.tolist()
    (37, [301, 302], [20], [[10, 3]])
    >>> found.pvalue < 1e-6
    True
    """
    _refuse_game(outcomes)
    asked = settled(outcomes, game, options)
    with asked.naming_config():
        asked.check()
        given, by_text = asked.game, isinstance(asked.game, Mapping)
        if by_text:
            if asked.options["game_column"] is None:
                raise BadType("game_column", "must be given with a mapping of games: the column of its texts")
            given = {text: one for text, one in asked.game.items() if one is not None}
        games = _games(list(given.values()) if by_text else given, asked.options["constants"] or {})
        rows = outcomes_of(asked, list(given) if by_text else list(map(typed_name, games)))
    if asked.config is not None:
        anchor_number = asked.config.anchor_number if anchor is None else anchor_number
        anchor = asked.config.anchor if anchor is None else anchor
    limit = integer("limit", limit, 1, _MOST_GAMES)
    number = None if anchor_number is None else integer("anchor_number", anchor_number, 0, _MOST_NUMBER)
    text = _anchor(games, anchor)
    below = limit if number is None else min(limit, number)
    workers = threads_of(threads)
    names = tuple(typed_name(one) for one in games)
    of_bytes = tuple(name for name, one in zip(names, games, strict=True) if one.kind.chain != HashChain())
    singles = int((~np.isnan(rows)).sum()) if rows.dtype == np.float32 else 0
    call = LocateCall(doubles(rows), names, text, number, below, asked.about, of_bytes, singles)
    with progress_bar((below + 1) * len(games), progress) as report:
        searches = []
        for index, one in enumerate(games):
            symbols = _symbols(one, rows, alone=len(games) == 1)
            tick = None if report is None else _shifted(report, index * (below + 1))
            if symbols is not None:
                searches.append(_Search(one, text, symbols, below + 1, workers, tick))
        # Fewer rows than these can't be placed; of several games, one may be certain nearby.
        asked_for = [one for one in searches if one.tells_enough]
        near: list[_Search] = []
        start = 0
        while len(asked_for) > 1 and not near and start < min(_MOST_NEAR, below):
            near = [one for one in asked_for if one.is_near(start)]
            start = max(_FIRST_WALK, 4 * start)
        return _location_of(call, searches, [(one, *one.run()) for one in near or asked_for])


def _shifted(report: Report, done: int) -> Report:
    return lambda games: report(done + games)


def _refuse_game(outcomes: object) -> None:
    """Refuse a game in place of outcomes."""
    named = isinstance(outcomes, str) and outcomes in known_names() and not Path(outcomes).exists()
    if named or isinstance(outcomes, Game):
        raise BadType("outcomes", f"must be numbers, or a log that has them, got the game {outcomes!r:.50}")


def _games(given: Any, constants: Mapping[str, object]) -> list[Game]:
    """Return the games to try, each on a chain."""
    if given is None:
        return _with(constants, [game for game in known_games() if is_on_chain(game)])
    several = isinstance(given, Iterable) and not isinstance(given, str)
    games = _with(constants, [given_game("game", one) for one in (given if several else [given])])
    if not games:
        raise BadValue("game", "must not be empty")
    for game in games:
        if not is_on_chain(game):
            problem = "must be on a hash chain, with no other seed to be given and one number per outcome"
            raise BadValue("game", f"{problem}, got {game!r:.80}")
    return games


def _with(constants: Mapping[str, object], games: Sequence[Game]) -> list[Game]:
    """Return games with constants as the values of fields, as far as they have them."""
    for name, value in constants.items():
        text = decoded(value)
        if name == "game_hash" or not any(name in game.scheme.fields for game in games):
            fields = sorted({field for game in games for field in game.scheme.fields} - {"game_hash"})
            problem = f"must be fields of the game's scheme other than game_hash: {listed(fields, 10)}"
            raise BadValue("constants", f"{problem}; got {name!r:.50}")
        check_type("constants", text, str, "text", index=name)
        games = [
            game.with_scheme(replace(game.scheme, defaults={**game.scheme.defaults, name: text}))
            if name in game.scheme.fields
            else game
            for game in games
        ]
    return list(games)


def is_on_chain(game: Game) -> bool:
    """Return whether a game has one number per outcome that depends on the game's hash alone."""
    scheme = game.scheme
    needed = [name for name in scheme.fields if name not in scheme.defaults]
    return needed == ["game_hash"] and game.shape == () and scheme.function is None


def _anchor(games: Sequence[Game], anchor: Text | None) -> str:
    """Return the anchor's hash as text, or raise an error if it isn't one."""
    if anchor is None:
        raise BadType("anchor", "must be given: the hash of a game that isn't earlier than the last")
    check_type("anchor", anchor, (str, bytes), "str or bytes")
    text = anchor.decode("latin-1") if isinstance(anchor, bytes) else str(anchor)
    text = text.strip().lower()
    width = len(games[0].kind.chain.previous("0" * 64, 1)[0])
    if len(text) != width or not set(text) <= set("0123456789abcdef"):
        raise BadValue("anchor", f"must be a hash of {width} hex digits, got {anchor!r:.80}")
    return text


def _symbols(game: Game, rows: np.ndarray, alone: bool) -> Symbols | None:
    """Return the record as a game's symbols; None if most are impossible, unless it is the only game."""
    symbols = Symbols(game, rows)
    if 2 * int((symbols.rows >= 0).sum()) > len(rows):
        return symbols
    if alone:
        first = rows[symbols.rows < 0][0]
        raise BadValue(
            "outcomes", f"must be outcomes of {typed_name(game)}, got {first} among others that it can't give"
        )
    return None


@dataclass
class _Run:
    """Consecutive rows that lie on the chain: the first and the last row and place, all included."""

    rows: tuple[int, int]
    places: tuple[int, int]

    @property
    def entry(self) -> tuple[tuple[int, int], tuple[int, int]]:
        """The rows and places at which the record may have entered the chain, with exclusive ends."""
        (first, last), (place, end) = self.rows, self.places
        around = _AROUND * (2 + (end - place) // max(last - first, 1))
        return (max(first - _AROUND, 0), first + _AROUND), (max(place - around, 0), place + around)


class _Search:
    """The search for a record on the chain of one game. Rows run down the chain, the newest game first."""

    def __init__(
        self,
        game: Game,
        anchor: str,
        symbols: Symbols,
        games: int,
        threads: int | None,
        report: Report | None,
    ) -> None:
        self.game, self.symbols, self._threads, self._report = game, symbols, threads, report
        self.walk = ChainWalk(game, anchor, symbols, games, threads)
        # The record as it is, and reversed.
        self._orders = [symbols.rows, np.ascontiguousarray(symbols.rows[::-1])]
        self._searches = 0

    @property
    def tells_enough(self) -> bool:
        """Whether the rows have the information that a significant place needs."""
        rows = self.symbols.rows
        known = np.log(self.symbols.ratios[rows[rows >= 0]]).sum()
        return bool(known > math.log(self.walk.games / BOUND) - _SLACK)

    def is_near(self, start: int) -> bool:
        """Return whether rows certainly lie among four times as many games, beyond the first ones."""
        self._reach(max(_FIRST_WALK, 4 * start))
        hits = self._search(_windows(len(self._orders[0]))[0], start)
        return any(hit[0] >= _CERTAIN for *_, hit in hits)

    def run(self) -> tuple[float, Placed]:
        """Return the places of the rows, behind the logarithm of the likelihood ratio averaged over all."""
        runs = self._first_runs()
        both = []
        for order, own in zip(self._orders, runs, strict=True):
            self._reach(max((run.places[1] for run in own), default=-1) + _END)
            record, entries = (self.walk.symbols, order, self.symbols.ratios), [run.entry for run in own]
            models = [(1 / len(_MODELS), *model) for model in _MODELS]
            both.append(align_chain(record, models, entries, float(self.walk.games), threads=self._threads))
        logs = [found[0] for found in both]
        log = _log_mean(logs)
        better = int(np.argmax(logs))
        share = math.exp(logs[better] - math.log(2) - log)
        order, chain = self._orders[better], self.walk.symbols
        placed = Placed.of(both[better][1:], order, chain, self.symbols.ratios, better == 0, share)
        return log, placed

    # ---- where the record may lie ----

    def _first_runs(self) -> list[list[_Run]]:
        """Return the runs in each direction, from the first window that was found."""
        rows = len(self._orders[0])
        best: list[list[tuple[float, int, int]]] = [[], []]
        for windows in _windows(rows):
            best = [[], []]
            start = 0
            while start < self.walk.games:
                self._reach(max(_FIRST_WALK, 2 * start))
                for order, first, hit in self._search(windows, start):
                    best[order].append((hit[0], first + hit[1], hit[2]))
                start = self.walk.walked
                certain = [max(hits, default=(0.0, 0, 0)) for hits in best]
                if max(hit[0] for hit in certain) >= _CERTAIN:
                    order = int(certain[1] > certain[0])
                    found: list[list[_Run]] = [[], []]
                    found[order] = self._runs(order, certain[order])
                    return found
        runs = []
        for order, hits in enumerate(best):
            several = sorted(hits, reverse=True)[:4]
            runs.append([self._follow(order, row, place) for _, row, place in several])
        return runs

    def _search(self, windows: Sequence[tuple[int, int]], start: int) -> list[tuple[int, int, Any]]:
        """Return hits of windows on games that were walked: the order, the window's first row, the hit."""
        asked = [(order, first, last) for first, last in windows for order in (0, 1)]
        given = [self._orders[order][first:last] for order, first, last in asked]
        found = search_chain(self.walk.symbols, start, given, self.symbols.ratios, 4, threads=self._threads)
        return [
            (order, first, hit) for (order, first, _), hits in zip(asked, found, strict=True) for hit in hits
        ]

    def _reach(self, games: int) -> None:
        self.walk.reach(games, self._report)

    def _follow(self, order: int, row: int, place: int, first: int = 0, last: int | None = None) -> _Run:
        """Return the run of rows around a row that lies at a place, among rows with an exclusive end."""
        ratios, start = self.symbols.ratios, first
        rows = np.ascontiguousarray(self._orders[order][start:last])
        row -= start

        def explored(model: tuple[float, float], back: bool, most: int | None) -> tuple[int, int, float]:
            record = self.walk.symbols, rows, ratios
            return explore_chain(record, row, place, model, reversed=back, most=most)

        def ratio(model: tuple[float, float]) -> float:
            return explored(model, True, 200)[2] + explored(model, False, 200)[2]

        model = max(_MODELS, key=ratio)
        back = explored(model, True, None)
        while True:
            ahead = explored(model, False, None)
            if (
                ahead[1] + _END < self.walk.walked
                or self.walk.walked == self.walk.games
                or ahead[0] + 1 == len(rows)
            ):
                return _Run((start + back[0], start + ahead[0]), (back[1], ahead[1]))
            self._reach(self.walk.walked + _MORE_GAMES)

    def _runs(self, order: int, hit: tuple[float, int, int]) -> list[_Run]:
        """Return all runs of the record, starting with the one around a hit."""
        middle = self._follow(order, hit[1], hit[2])
        found = [middle]
        low, high = middle.places
        around = max(low - _NEARBY, 0), min(high + _NEARBY, self.walk.games)
        # Rows and places before and after it, in which to search for more runs.
        open_ = [
            (0, middle.rows[0], 0, middle.places[0]),
            (middle.rows[1] + 1, len(self._orders[order]), middle.places[1] + 1, self.walk.games),
        ]
        while open_ and self._searches < _SEARCHES:
            first, last, low, high = open_.pop()
            run = self._run_among(order, first, last, low, high, around)
            if run is None:
                continue
            found.append(run)
            open_.append((first, run.rows[0], low, run.places[0]))
            open_.append((run.rows[1] + 1, last, run.places[1] + 1, high))
        return sorted(found, key=lambda run: run.rows)

    def _run_among(
        self, order: int, first: int, last: int, low: int, high: int, around: tuple[int, int]
    ) -> _Run | None:
        """Return a run within ranges of rows and places, or around others; None if none is beyond doubt."""
        rows, ratios = self._orders[order], self.symbols.ratios
        known = np.log(ratios[rows[first:last].clip(min=0)])[rows[first:last] >= 0].sum()
        nearby = (low, min(high, low + _NEARBY)) if first > 0 else (max(low, high - _NEARBY), high)
        for start, end in dict.fromkeys((nearby, (low, high), around)):
            if end <= start or known < math.log(end - start) + 2 * math.log(10):
                continue  # too few rows to be found
            self._reach(end)
            places = self.walk.symbols[start:end]
            for window in _windows(last - first):
                self._searches += 1
                given = [np.ascontiguousarray(rows[first + one : first + two]) for one, two in window]
                hits = search_chain(places, 0, given, ratios, 1, threads=self._threads)
                some = [(one, hit[0]) for (one, _), hit in zip(window, hits, strict=True) if hit]
                best = max(((hit[0], one + hit[1], hit[2]) for one, hit in some), default=(0.0, 0, 0))
                if best[0] > 1e3 * (end - start) * _LONG_WINDOW:
                    return self._follow(order, first + best[1], start + best[2], first, last)
        return None


def _windows(rows: int) -> list[list[tuple[int, int]]]:
    """Return the windows of rows to search, in steps: the middle one, then longer ones all over."""
    middle = [(rows // 2 - _WINDOW // 2, rows // 2 + _WINDOW // 2)]
    if rows <= _LONG_WINDOW:
        return [middle, [(0, rows)]] if rows > 2 * _WINDOW else [[(0, rows)]]
    starts = dict.fromkeys(int((rows - _LONG_WINDOW) * share) for share in (0.5, 0, 1, 0.25, 0.75))
    return [middle, [(start, start + _LONG_WINDOW) for start in starts]]


def _log_mean(logs: Sequence[float]) -> float:
    most = max(logs)
    return most + math.log(sum(math.exp(log - most) for log in logs) / len(logs))


def _location_of(
    asked: LocateCall, searches: Sequence[_Search], tried: Sequence[tuple[_Search, float, Placed]]
) -> Location:
    """Return the location on the chain of the likeliest of the games that were searched for, or on none."""
    if not tried:
        return located(asked, 1.0)
    # The null hypothesis: independent outcomes of the game under which the rows are likeliest, from a feed
    # that may stand still.
    symbols = [one.symbols for one in searches]
    chances = dict(zip(map(id, symbols), _chances(symbols), strict=True))
    logs = [log + chances[id(search.symbols)] for search, log, _ in tried]
    null = max(chances[id(one)] + _standing_still(one) for one in symbols)
    log = _log_mean(logs) + math.log(len(tried) / len(asked.games)) - null
    pvalue = max(math.exp(-log), _LEAST) if log > 0 else 1.0
    if pvalue >= BOUND:
        return located(asked, pvalue)
    best, _, placed = tried[int(np.argmax(logs))]
    return located(asked, pvalue, placed, best.game, best.walk)


def _standing_still(symbols: Symbols) -> float:
    """Return how much likelier the rows are if some only repeat the one before, as a logarithm."""
    known = symbols.rows[symbols.rows >= 0]
    again = known[1:] == known[:-1]
    fresh = float((~again).sum())
    own = symbols.probabilities[known[1:][again]]

    def slope(share: float) -> float:
        return float(((1 - own) / (share + (1 - share) * own)).sum()) - fresh / (1 - share)

    if not len(own) or slope(0.0) <= 0:
        return 0.0
    low, _ = halved(lambda share: slope(share) > 0, 0.0, 1 - 1e-12)
    likelier = float(np.log((low + (1 - low) * own) / own).sum()) + fresh * math.log1p(-low)
    return likelier if likelier > _STILL else 0.0


def _chances(symbols: Sequence[Symbols]) -> list[float]:
    """Return the rows' log-likelihood in each game; what one excludes has the mean probability of all."""
    laws = np.array([np.where(one.possible, one.probabilities, 0) for one in symbols])
    counts = symbols[0].counts
    mean = laws.mean(axis=0)
    known = mean > 0
    laws = np.where(laws > 0, laws, mean)[:, known]
    return [float(counts[known] @ row) for row in np.log(laws)]
