"""A game under another reading: edited fields, other draws, or another form of its outcome."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar

import numpy as np

from provably_fair._core.arguments import is_single
from provably_fair._core.numbers import exact_number
from provably_fair._core.printable import decoded
from provably_fair.games import Game
from provably_fair.games.asking import distribution
from provably_fair.games.draws import MAX_DRAWS_TRIED, Answers, EndlessRoundError, SingleDraws
from provably_fair.games.laws import is_bisected
from provably_fair.games.rounds import rounds_of
from provably_fair.seeds.schemes import in_any_spelling

# Changes of a field before it was logged: by name, the end of a sentence, and the function that undoes it.
EDITS: Mapping[str, tuple[str, Callable[[Any], Any]]] = {
    "less": ("- 1 (one less than the log has)", lambda value: int(value) - 1),
    "more": ("+ 1 (one more than the log has)", lambda value: int(value) + 1),
    "lower": ("in lower case", lambda value: value.lower()),
    "upper": ("in upper case", lambda value: value.upper()),
    "strip": ("without the blanks around it", lambda value: value.strip()),
    "quotes": ("without the quotes around it", lambda value: value.strip("\"'")),
    "published": ("as it is published", lambda value: _as_published(value)),
    "logged": ("as the log spells it", lambda value: value),
    "next": (
        "the hash of what the log has, whose game is the next one",
        lambda value: hashlib.sha256(value.encode()).hexdigest(),
    ),
    "next bytes": (
        "the hash of the bytes that the log has, whose game is the next one",
        lambda value: hashlib.sha256(bytes.fromhex(value)).hexdigest(),
    ),
}


def _as_published(text: str) -> str:
    """Return the canonical spelling of a hash or integer that a text may stand for."""
    text = re.sub(r"[\s\0\"']", "", text).lower().removeprefix("0x")
    if len(text) <= 20 and "/" not in text:  # too short for a hash, and no fraction
        with suppress(ValueError):
            return str(int(exact_number(text, "text")))
    return text


def _cents(outcomes: np.ndarray) -> np.ndarray:
    return np.round(outcomes, 2)


# Forms in which an outcome may be recorded: by name, the end of a sentence, and the conversion.
RECORDED: Mapping[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "from 1": ("counted from 1 instead of 0, or one more", lambda outcomes: outcomes + 1),
    "from 0": ("counted from 0 instead of 1, or one less", lambda outcomes: outcomes - 1),
    "hundredths": ("in hundredths", lambda outcomes: np.round(outcomes * 100)),
    "of hundredths": ("divided by 100", lambda outcomes: _cents(outcomes / 100)),
    "a hundredth more": ("a hundredth more, as if rounded up", lambda outcomes: _cents(outcomes + 0.01)),
    "a hundredth less": ("a hundredth less", lambda outcomes: _cents(outcomes - 0.01)),
    "floored": ("floored to whole numbers", np.floor),
    "rounded": ("rounded to whole numbers", np.round),
    "tenths floored": ("floored to one decimal", lambda outcomes: np.floor(outcomes * 10 + 1e-6) / 10),
    "tenths": ("rounded to one decimal", lambda outcomes: np.round(outcomes, 1)),
    "sorted": ("in increasing order", lambda outcomes: np.sort(outcomes, axis=-1)),
    "backward": ("in the reverse order", lambda outcomes: outcomes[..., ::-1]),
}


class _AlteredDraws(Answers):
    """Draws that are answered by other draws, altered."""

    of: ClassVar[str] = ""  # the kind of draw that this reading affects; empty for all
    least: ClassVar[int] = 1  # the number of draws from which this reading can be told apart

    def __init__(self, draws: Any) -> None:
        self._others = draws
        self.rounds = draws.rounds

    def answer_below(self, n: Any) -> np.ndarray:
        return np.atleast_1d(np.asarray(self._others.below(n)))

    def answer_number(self) -> np.ndarray:
        return np.atleast_1d(np.asarray(self._others.number()))

    def answer_skip(self, count: int) -> None:
        self._others.skip(count)

    def note(self, name: str, value: object) -> None:
        self._others.note(name, value)

    def part(self, name: str, index: int, draws: str = "draw") -> None:
        self._others.part(name, index, draws)


class _Requests(Answers):
    """Draws that record what a game asks for, and answer with the smallest values."""

    rounds = 1

    def __init__(self) -> None:
        self.names: list[str] = []

    def below(self, n: Any) -> np.ndarray:
        self.names.append("below")
        return super().below(n)

    def answer_number(self) -> np.ndarray:
        self.names.append("number")
        return np.zeros(1)

    def answer_below(self, n: Any) -> np.ndarray:
        return np.zeros(1, np.int64)

    def answer_sample(self, n: int, k: int, skipped: int) -> np.ndarray:
        self.names += ["permutation"] * k
        return super().answer_sample(n, k, skipped)

    def answer_swaps(self, n: int) -> np.ndarray:
        self.names += ["permutation"] * n
        return super().answer_swaps(n)


class _OneMore(_AlteredDraws):
    of = "below"

    def below(self, n: Any) -> np.ndarray:
        return self.answer_below(n + 1)


class _OneLess(_AlteredDraws):
    of = "below"

    def below(self, n: Any) -> np.ndarray:
        return self.answer_below(np.maximum(n - 1, 1) if isinstance(n, np.ndarray) else max(n - 1, 1))


class _Mirrored(_AlteredDraws):
    def answer_below(self, n: Any) -> np.ndarray:
        answer: np.ndarray = n - 1 - super().answer_below(n)
        return answer

    def answer_number(self) -> np.ndarray:
        return 1 - super().answer_number()


class _Rounded(_AlteredDraws):
    def answer_below(self, n: Any) -> np.ndarray:
        answer: np.ndarray = np.floor(self.answer_number() * n + 0.5).astype(np.int64)
        return answer


class _RoundedUp(_AlteredDraws):
    def answer_below(self, n: Any) -> np.ndarray:
        answer: np.ndarray = np.ceil(self.answer_number() * n).astype(np.int64)
        return answer


class _SkipFirst(_AlteredDraws):
    def __init__(self, draws: Any) -> None:
        super().__init__(draws)
        self.answer_skip(1)


class _SkipAlternate(_AlteredDraws):
    least = 2

    def answer_below(self, n: Any) -> np.ndarray:
        answer = super().answer_below(n)
        self.answer_skip(1)
        return answer


class _OtherEdge(_AlteredDraws):
    """Draws that divide every multiplier inverse to a draw by a factor."""

    def __init__(self, draws: Any, factor: float) -> None:
        super().__init__(draws)
        self._factor = factor

    def answer_below(self, n: Any) -> np.ndarray:
        return (super().answer_below(n) + 1) * self._factor - 1

    def answer_number(self) -> np.ndarray:
        return 1 - (1 - super().answer_number()) * self._factor


class _Permuting(_AlteredDraws):
    """Samples and permutations by another algorithm."""

    of = "permutation"

    def answer_sample(self, n: int, k: int, skipped: int) -> np.ndarray:
        return self._permute(n, k)

    def answer_swaps(self, n: int) -> np.ndarray:
        return self._permute(n, n)

    def _permute(self, n: int, k: int) -> np.ndarray:
        raise NotImplementedError


class _Removing(_Permuting):
    def _permute(self, n: int, k: int) -> np.ndarray:
        first = Answers.answer_sample(self, n, min(k, n - 1), 0)
        if k < n:
            return first
        return np.concatenate([first, n * (n - 1) // 2 - first.sum(axis=1)[:, np.newaxis]], axis=1)


class _Backward(_Permuting):
    def _permute(self, n: int, k: int) -> np.ndarray:
        return Answers.answer_swaps(self, n)[:, :k]


class _BackwardFromTheEnd(_Permuting):
    """A backward shuffle read from its end: the last value left takes the place of the one drawn."""

    def _permute(self, n: int, k: int) -> np.ndarray:
        return Answers.answer_swaps(self, n)[:, ::-1][:, :k]


class _Forward(_Permuting):
    def _permute(self, n: int, k: int) -> np.ndarray:
        order, rows = np.tile(np.arange(n, dtype=np.int64), (self.rounds, 1)), np.arange(self.rounds)
        for place in range(min(k, n - 1)):
            other = place + self.answer_below(n - place)
            moved = order[rows, other]
            order[rows, other] = order[:, place]
            order[:, place] = moved
        return order[:, :k]


class _WithReplacement(_Permuting):
    def _permute(self, n: int, k: int) -> np.ndarray:
        return np.stack([self.answer_below(n) for _ in range(k)], axis=1)


# Ways to answer draws: by name, a phrase, and the class of draws.
DRAWN: Mapping[str, tuple[str, type[_AlteredDraws]]] = {
    "one more": ("each range one larger (10,001 for 10,000)", _OneMore),
    "one less": ("each range one smaller (10,000 for 10,001)", _OneLess),
    "from the end": ("each number x taken as 1 - x", _Mirrored),
    "rounded": ("each number times the range rounded, not floored", _Rounded),
    "rounded up": ("each number times the range rounded up, not floored", _RoundedUp),
    "from the second": ("the round's first number passed over", _SkipFirst),
    "every other": ("every second number passed over", _SkipAlternate),
    "removal": ("what is drawn removed, the rest staying in order", _Removing),
    "backward": ("the first of a permutation by backward swaps", _Backward),
    "backward, from the end": ("the last of a permutation by backward swaps", _BackwardFromTheEnd),
    "forward": ("the first of a permutation by forward swaps", _Forward),
    "with replacement": ("drawn with replacement", _WithReplacement),
}


class Reread(Game):
    """A game with fields, draws or outcomes read in another way."""

    game: Game
    edits: tuple[tuple[str, str], ...] = ()
    drawn: str = ""
    recorded: str = ""
    factor: float = 1  # the divisor of the multiplier, applied before rounding
    # Altered draws may never end a loop of the game's, so their number is limited.
    max_draws = MAX_DRAWS_TRIED

    def outcome(self, draws: Any) -> Any:
        """Return the game's outcome from altered draws, in the altered form."""
        asked = DRAWN[self.drawn][1](draws) if self.drawn else draws
        if self.factor != 1:
            asked = _OtherEdge(draws, self.factor)
        if self.drawn and not self.vectorized:
            asked = SingleDraws(asked)
        with np.errstate(all="ignore"):  # altered draws may make the rule divide by zero
            outcomes = rounds_of(self.game).outcome(asked)
        return RECORDED[self.recorded][1](np.asarray(outcomes)) if self.recorded else outcomes

    def play(self, *seeds: object, **named: Any) -> Any:
        """Return the outcome of one round or of many, whose fields are as logged."""
        return super().play(**self._edited(seeds, named))

    def explain(self, *seeds: object, **named: Any) -> Any:
        """Return the walk-through of a round whose fields are as logged."""
        return super().explain(**self._edited(seeds, named))

    def _edited(self, seeds: tuple[object, ...], named: dict[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = dict(zip(self.scheme.fields, seeds, strict=False)) | named
        for name, edit in self.edits:
            if name in values:
                change = EDITS[edit][1]
                value = values[name]
                values[name] = (
                    change(decoded(value)) if is_single(value) else [change(decoded(v)) for v in value]
                )
        return values


class _RereadOneByOne(Reread):
    """A reread game that isn't vectorized."""

    name = Reread.name
    vectorized = False


def ways_to_draw(game: Game) -> Iterator[str]:
    """Yield the names of alternative draws that could matter to a game."""
    asked = _Requests()
    # A loop that redraws never ends on constant answers, but by then its requests are recorded.
    rounds = rounds_of(game)
    with suppress(EndlessRoundError):
        rounds.outcome(asked if rounds.vectorized else SingleDraws(asked))
    for name, (_, kind) in DRAWN.items():
        if len(asked.names) >= kind.least and (not kind.of or kind.of in asked.names):
            yield name


# House edges to try on multipliers.
_EDGES = (0.0, 0.001, 0.005, 0.01, 0.02, 0.03, 0.04, 0.05)


def other_edges(game: Game) -> Iterator[tuple[str, Game]]:
    """Yield a multiplier game with other house edges, each with a phrase; its own edge comes from its law."""
    if not (game.kind.name == "multiplier" and game.vectorized and is_bisected(game)):
        return
    try:
        returned = float(distribution(game, "ideal", cash_out=2).mean())
    except Exception:  # a user's own rule may fail in any way
        return
    own = next((edge for edge in _EDGES if abs(1 - edge - returned) < 1e-6), None)
    for edge in _EDGES:
        if own not in (None, edge):
            text = f"a house edge of {100 * edge:g} %, not {100 * own:g} %"
            yield text, read_otherwise(game, factor=(1 - own) / (1 - edge))


def is_many(game: Game) -> bool:
    """Return whether a game plays thousands of rounds quickly, and takes them in arrays."""
    return not isinstance(game, Reread) or (game.vectorized and not game.edits)


def read_otherwise(game: Game, **how: Any) -> Game:
    """Return a game under another reading, with the same scheme; edited fields may have any spelling."""
    kind = Reread if rounds_of(game).vectorized else _RereadOneByOne
    scheme = in_any_spelling(game.scheme) if "edits" in how else game.scheme
    read: Game = kind(game, **how).with_scheme(scheme)
    return read
