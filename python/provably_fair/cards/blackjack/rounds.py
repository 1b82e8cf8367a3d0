"""Many rounds of blackjack, settled."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import DTypeLike

from provably_fair._core.arguments import BadValue, is_single, refuse_masked, unwrapped
from provably_fair._core.cached import unlocked_property
from provably_fair._core.errors import ArgumentError, placed, within
from provably_fair._engine import Blackjack as EngineBlackjack, read_actions
from provably_fair.games.deals import DealtRounds
from provably_fair.games.tables import Pack
from provably_fair.seeds.series import seed_text

from ..many import ManyRounds
from ..names import NO_CARD, name
from .analysis import BlackjackAnalysis
from .decisions import decision_of
from .hands import BlackjackRound, numbered
from .rules import Rules, engine_of
from .settling import settle

CARDS_DEALT = 8, 20, 64
"""The numbers of cards dealt to rounds at first, to those that need more, and to those that still do."""

_CODES = {word: code for code, word in enumerate(EngineBlackjack.actions, 1)}
_WORDS = {code: word for word, code in _CODES.items()}
_FILLS = 0, NO_CARD, 0  # of the arrays of rounds, after a row's last value
_MOST_ACTIONS = 200
"""More than any round has."""


@dataclass(frozen=True, eq=False, repr=False)
class BlackjackRounds(ManyRounds[BlackjackRound]):
    """Many rounds of blackjack: arrays with a row for each, or `BlackjackRound` by index.

    As an array, ``np.asarray(rounds)``, they are their net wins. Where the cards ran out before the round was
    over, the net win is NaN, and the round can't be had by its index.

    Attributes
    ----------
    net : numpy.ndarray
        The net wins, in bets, (N,) float64.
    cards : numpy.ndarray
        The cards dealt, (N, k) int16: player, player, upcard, hole card, then as needed, and -1 after the
        last. `k` is the most that any round has.
    rules : Rules
        The rules of the table.
    pack : Pack or None
        The pack of the deal, whose outcomes number cards as these arrays do; None if they are the numbers of
        `provably_fair.cards`.

    Examples
    --------
    >>> game = pf.operators.stake.Blackjack()
    >>> rounds = game.replay("server", "client", range(4), strategy="basic")
    >>> rounds.net, rounds.actions.tolist()
    (array([1., 1., 1., 1.]), [('stand',), ('hit', 'stand'), ('stand',), ('stand',)])
    >>> rounds[3].exact_net == rounds.exact_net[3]
    True
    """

    net: np.ndarray
    cards: np.ndarray
    _codes: np.ndarray  # of the actions, (N, m): see `_CODES`; 0 after the last
    rules: Rules
    pack: Pack | None = None

    _arrays: ClassVar[tuple[str, ...]] = ("net", "cards", "_codes")
    _align: ClassVar[str] = "llrr"

    @property
    def exact_net(self) -> np.ndarray:
        """The exact net wins, in bets, (N,) of Fraction; NaN where the cards ran out."""
        units = engine_of(self.rules).units
        values, which = np.unique(self.net, return_inverse=True)
        found = [value if math.isnan(value) else Fraction(round(value * units), units) for value in values]
        return np.asarray(_objects(found)[which])

    @property
    def actions(self) -> np.ndarray:
        """The player's actions, (N,) of tuples of str."""
        return self._by_script(tuple)

    @unlocked_property
    def hands(self) -> np.ndarray:
        """The player's hands, (N,) of tuples of `BlackjackHand`, each settled again; empty ones for NaN."""
        played = np.flatnonzero(~np.isnan(self.net)).tolist()
        found = _objects([()] * len(self))
        for row in played:
            found[row] = self._one(row).hands
        return found

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        # Before numpy 2.0, `copy` can't be None.
        return np.asarray(self.net, dtype) if copy is None else np.array(self.net, dtype, copy=copy)

    def __repr__(self) -> str:
        known = self.net[~np.isnan(self.net)]
        mean = known.mean() if len(known) else math.nan if len(self) else 0
        return f"<{len(self)} rounds of blackjack, mean net {mean:+.4f}>"

    def _one(self, row: int) -> BlackjackRound:
        numbers = self.cards[row][self.cards[row] != NO_CARD]
        cards = numbers if self.pack is None else self.pack.cards(numbers)
        actions = [_WORDS[code] for code in self._codes[row].tolist() if code]
        with within(index=row):
            settled = settle(self.rules, "cards", cards.tolist(), actions)[0]
        return settled if self.pack is None else numbered(settled, numbers)

    def _by_script(self, of: Callable[[Iterable[str]], object]) -> np.ndarray:
        """Return a function of the words of each round's actions, which few different rounds have."""
        scripts, which = np.unique(self._codes.view(f"S{self._codes.shape[1]}").ravel(), return_inverse=True)
        of_each = [of(map(_WORDS.__getitem__, script)) for script in scripts.tolist()]
        return np.asarray(_objects(of_each)[which])

    def log_columns(self) -> dict[str, Any]:
        """Return the rounds as the columns of a log, with the net win as the outcome."""
        return {"actions": self._by_script(" ".join).tolist(), "outcome": self.net}

    def _columns(self) -> dict[str, Any]:
        named = self.cards if self.pack is None else self.pack.cards(self.cards)
        names = [*map(name, range(named.max(initial=0) + 1)), ""]  # the last one for -1
        return {
            "cards": [" ".join(names[card] for card in row).rstrip() for row in named.tolist()],
            "actions": self._by_script(" ".join).tolist(),
            "hands": 1 + (self._codes == _CODES["split"]).sum(axis=1),
            "net": self.net,
        }


class RandomShoes:
    """The cards of rounds from shoes that a random number generator shuffles."""

    def __init__(self, rules: Rules, pack: Pack, seed: int | str, start: int, rounds: int) -> None:
        self.pack = pack
        self.series = seed_text(seed), start, rounds
        self._rules = rules

    def take(self, count: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return the first cards of the shoes, or of some of them; see `DealtRounds.take`."""
        seed, start, rounds = self.series
        each = min(count, int(min(self._rules.decks or 1, 16)) * 52)
        places = np.arange(rounds, dtype=np.int64) if rows is None else rows.astype(np.int64)
        cards = engine_of(self._rules).random_cards(seed, start, places, each)
        return self.pack.outcomes(cards)


Dealt = DealtRounds | RandomShoes


def steps(player: Any) -> tuple[int, ...]:
    """Return the numbers of cards dealt, one after the other, to rounds that need more than before."""
    # A function may answer otherwise when it is asked again.
    return CARDS_DEALT[-1:] if is_function(player) else CARDS_DEALT


def is_function(player: Any) -> bool:
    """Return whether a player is a function in Python, which is called for each decision."""
    return callable(player) and not isinstance(player, BlackjackAnalysis)


def play(rules: Rules, dealt: Dealt, player: Any) -> BlackjackRounds:
    """Play rounds by an analysis, a function of decisions, or actions as `codes_of` gives them."""
    net, cards, codes = _played(rules, dealt, player, _kept)
    return BlackjackRounds(net, cards, codes, rules, None if dealt.pack.is_plain else dealt.pack)


def nets_of(rules: Rules, dealt: Dealt, player: Any) -> np.ndarray:
    """Return the net wins of rounds that are played alike, in bets."""
    return _played(rules, dealt, player, lambda net, *_: [net])[0]


def joined(parts: Sequence[BlackjackRounds]) -> BlackjackRounds:
    """Return the rounds of several calls of `play` as one."""
    columns = [[getattr(part, name) for part in parts] for name in BlackjackRounds._arrays]
    return parts[0]._with(
        [np.concatenate(_alike(column, fill)) for column, fill in zip(columns, _FILLS, strict=True)]
    )


def _played(
    rules: Rules, dealt: Dealt, player: Any, keep: Callable[..., list[np.ndarray]]
) -> list[np.ndarray]:
    """Play rounds with the cards that nearly all need, and those that need more again."""
    found: list[np.ndarray] = []
    rows: np.ndarray | None = None
    for count in steps(player):
        with _of_rows(rows):
            numbers = dealt.take(count, rows)
            by: Any
            if isinstance(player, np.ndarray):
                some = player if rows is None else player[rows]
                by = some[some > 0] - 1, np.cumsum((some > 0).sum(axis=1, dtype=np.int64))
            else:
                by = (lambda seen: player(decision_of(seen))) if is_function(player) else player._core
            net, taken, *acted = engine_of(rules).play_dealt(by, dealt.pack.cards(numbers), threads=1)
        kept = keep(net, numbers, taken, *acted)
        if rows is None:
            found = kept
        else:
            for place, (fill, one) in enumerate(zip(_FILLS, kept, strict=False)):
                found[place], one = _alike([found[place], one], fill)
                found[place][rows] = one
        short = np.flatnonzero(np.isnan(net) & (taken == count))
        if not len(short):
            break
        rows = short if rows is None else rows[short]
    return found


def _kept(
    net: np.ndarray, numbers: np.ndarray, taken: np.ndarray, acted: np.ndarray, actions: np.ndarray
) -> list[np.ndarray]:
    """Return the arrays of rounds: net wins, cards and the codes of actions."""
    most = int(taken.max(initial=0))
    cards = numbers[:, :most].astype(np.int16)
    cards[np.arange(most) >= taken[:, np.newaxis]] = NO_CARD
    codes = np.zeros((len(net), max(int(acted.max(initial=0)), 1)), np.uint8)
    codes[np.arange(codes.shape[1]) < acted[:, np.newaxis]] = actions + 1
    return [net, cards, codes]


def _alike(arrays: Sequence[np.ndarray], fill: int) -> list[np.ndarray]:
    """Return arrays of rows as long as the longest."""
    if arrays[0].ndim == 1:
        return [*arrays]
    most = max(array.shape[1] for array in arrays)
    return [
        array
        if array.shape[1] == most
        else np.pad(array, ((0, 0), (0, most - array.shape[1])), constant_values=fill)
        for array in arrays
    ]


@contextmanager
def _of_rows(rows: np.ndarray | None) -> Iterator[None]:
    """Name the rows of errors raised inside as those of all rounds."""
    try:
        yield
    except ArgumentError as error:
        if rows is None or error.row is None:
            raise
        raise placed(error, index=int(rows[error.row])) from None


def codes_of(actions: Any, rounds: int) -> np.ndarray:
    """Return the actions of many rounds as `BlackjackRounds` keeps them; an error names the round."""
    refuse_masked("actions", actions)
    each = None if is_single(actions) else [*map(unwrapped, unwrapped(actions))]
    if each is None or len(each) != rounds:
        got = type(actions).__name__ if each is None else len(each)
        raise BadValue("actions", f"must be a sequence of actions for each of {rounds} rounds, got {got}")
    scripts = [bytes(_CODES[word] for word in words) for words in read_actions(each, rounds, True)]
    longest = max(map(len, scripts), default=0)
    if longest > _MOST_ACTIONS:
        row = next(row for row, script in enumerate(scripts) if len(script) == longest)
        raise BadValue("actions", f"must be at most {_MOST_ACTIONS}, got {longest}", index=row)
    codes = np.zeros((rounds, max(longest, 1)), np.uint8)
    lengths = np.fromiter(map(len, scripts), np.int64, rounds)
    codes[np.arange(codes.shape[1]) < lengths[:, np.newaxis]] = np.frombuffer(b"".join(scripts), np.uint8)
    return codes


def _objects(values: Sequence[Any]) -> np.ndarray:
    """Return values as an array of objects, whatever they are."""
    return np.fromiter(values, object, len(values))
