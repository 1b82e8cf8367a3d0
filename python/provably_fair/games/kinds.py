"""The kinds of games, with the questions of each. Facts are values, names of parameters, or functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, distinct, integer, integers
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.numbers import hundredth

from .asking import law_of
from .card_table import card_table as card_table
from .independent import climbed_law, part_looks, part_whole_looks, parts_law, view_of_part
from .kind import ANY, Kind, Question, Texts, of_outcomes, one_of, uniform
from .looks import MIN_CASH_OUT, Among, Climbed, Compared, Look, Of, Ones, Paid, PaidByTable, UpTo, View
from .samples import hits

if TYPE_CHECKING:
    from provably_fair.distribution import Distribution

__all__ = [
    "board",
    "card_table",
    "dice",
    "independent",
    "multiplier",
    "pegs",
    "plain",
    "sample",
    "tower",
    "wheel",
]
__dir__: Lister = lister_of(__all__)


def _refuse_one(name: str, value: Any, other: str = "") -> None:
    """Refuse a single number in place of a collection, since it may be meant as a count."""
    if isinstance(value, (int, float, np.generic)) or (isinstance(value, np.ndarray) and not value.ndim):
        raise BadType(name, f"must be a collection, got {value!r:.80}: {other}{name}=[{value!r:.80}]?")


def plain(words: Mapping[str, int | None] | None = None, **others: Any) -> Kind:
    """Return the kind of games without questions of their own.

    Parameters
    ----------
    words : mapping, optional
        The values by their names in logs; None for ambiguous names.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Coin(pf.Game):
    ...     kind = pf.games.kinds.plain({"heads": 1, "tails": 0})
    ...     def outcome(self, draws):
    ...         return draws.below(2)
    >>> pf.verify({"server_seed": "s", "client_seed": "c", "salt": ["1"], "outcome": ["heads"]}, Coin()).ok
    True
    """
    return replace(ANY, words=words or {}, **others)


# Boards


def _view_of_cells(game: Any, asked: Any) -> View:
    first, cells = game.kind.facts["first"], game.kind.facts["cells"]
    _refuse_one("cells", asked, f"reveals={asked!r:.80}, or ")
    # A bet wins if none of the cells hides a mine.
    return View(hits(distinct("cells", asked, first + cells - 1, first).tolist()), wins=0)


def _view_of_reveals(game: Any, asked: Any) -> View:
    first, cells = game.kind.facts["first"], game.kind.facts["cells"]
    return View(hits([*range(first, first + integer("reveals", asked, 0, cells))]), wins=0)


_BOARD = (
    Question(
        "cells",
        "Numbers | None",
        "collection of int\nWhich cells, by the numbers that outcomes have: from 0, as a rule.",
        _view_of_cells,
    ),
    Question(
        "reveals", "int | None", "int\nHow many cells, instead of which: the first ones.", _view_of_reveals
    ),
    of_outcomes("outcomes, an array (N, mines)"),
)
_BOARD_TEXTS = Texts(
    "Return the exact law of the number of mines under some cells.",
    law='"ideal" or "as_drawn". As drawn it depends on which cells they are.',
    returns="Of the number of mines.",
    raises="TypeError, ValueError\n"
    "    When neither cells nor their number is given, or they aren't on the board.",
    examples=""">>> import provably_fair as pf
>>> pf.Mines(mines=3).distribution(cells=[0, 1]).pmf([0, 1, 2])
array([0.77, 0.22, 0.01])""",
)


def board(cells: Any, *, count: Any = None, first: int = 0, **others: Any) -> Kind:
    """Return the kind of mines on a board: the outcome is the cells that hide them, without replacement.

    Parameters
    ----------
    cells : int, str or callable
        The number of cells.
    count : int, str or callable, optional
        The number of mines; by default trial rounds show it.
    first : int
        The number of the first cell.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Bombs(pf.Game):
    ...     kind = pf.games.kinds.board(9, count=2)
    ...     def outcome(self, draws):
    ...         return draws.sample(9, 2)
    >>> Bombs().bet(2, reveals=3, law="ideal").exact_rtp
    Fraction(5, 6)
    """
    made = Kind(
        name="board",
        questions=_BOARD,
        texts=_BOARD_TEXTS,
        facts={"cells": cells, "first": first},
        shape=None if count is None else (count,),
        dtype=None if count is None else int,
        ordered=False,
        sample=True,
    )
    return replace(made, **others)


# Samples


def _view_of_hits(_game: Any, asked: Any) -> View:
    _refuse_one("hits", asked)
    return View(hits(asked))


_SAMPLE = (
    Question(
        "hits",
        "Numbers | None",
        "collection of int\nThe numbers, the same as ``of=pf.hits(...)``.",
        _view_of_hits,
    ),
    of_outcomes("outcomes, an array (N, ...)"),
)
_SAMPLE_TEXTS = Texts(
    "Return the exact law of the number of hits among some numbers.",
    law='"ideal" or "as_drawn". As drawn it depends on which numbers they are.',
    returns="Of the number of hits; of the outcomes, where nothing is asked.",
    raises="ValueError\n    When there are too many combinations; the message says how many.",
    examples=""">>> import provably_fair as pf
>>> keno = pf.operators.stake.Keno()
>>> keno.distribution(hits={1, 2, 3}).mean(exact=True)
Fraction(3, 4)
>>> keno.bet(payout=[0, 1, 5, 25], hits={1, 2, 3}).exact_rtp
Fraction(705, 494)""",
)


def sample(size: Any, count: Any, *, words: Mapping[str, int | None] | None = None, **others: Any) -> Kind:
    """Return the kind of numbers drawn without replacement; players bet on some of them.

    Parameters
    ----------
    size, count : int, str or callable
        The number of numbers to draw from, and of those drawn.
    words : mapping, optional
        The numbers by their names in logs.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Lotto(pf.Game):
    ...     kind = pf.games.kinds.sample(49, 6)
    ...     def outcome(self, draws):
    ...         return draws.sample(49, 6) + 1
    >>> Lotto().distribution(hits=range(1, 7)).weights[6], Lotto().kind.shape
    (1, (6,))
    """
    made = Kind(
        name="sample",
        questions=_SAMPLE,
        texts=_SAMPLE_TEXTS,
        facts={"size": size},
        shape=(count,),
        dtype=int,
        ordered=False,
        sample=True,
        words=words or {},
    )
    return replace(made, **others)


# Dice


def _view_of_under(game: Any, asked: Any) -> View:
    steps, limit = _limit(game, "under", asked)
    return _view_of_chance(game, Compared("below", limit), steps - game.kind.facts["least"])


def _view_of_over(game: Any, asked: Any) -> View:
    steps, limit = _limit(game, "over", asked)
    return _view_of_chance(game, Compared("above", limit), game.kind.facts["most"] - steps)


def _limit(game: Any, name: str, asked: Any) -> tuple[int, float]:
    """Return a limit in steps, and in the unit of outcomes."""
    least, most, unit = (game.kind.facts[fact] for fact in ("least", "most", "unit"))
    steps = integer(name, asked, least, most) if unit == 1 else hundredth(name, asked, least, most)
    return steps, steps if unit == 1 else steps / unit


def _view_of_chance(game: Any, of: Compared, chance: int) -> View:
    """Return the view of a bet that wins in `chance` steps, with its payout by the rule, if any."""
    pays = game.kind.pays
    return View(of, wins=1, values=(0, 1), payout=pays(chance) if pays and chance else None)


def _limits_that_win(game: Any, payout: Any, asked: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Refuse a bet that can't win: its payout would be that of a chance of 0."""
    least, most = game.kind.facts["least"], game.kind.facts["most"]
    for name, low, high in ("under", least + 1, most), ("over", least, most - 1):
        if asked.get(name) is not None:
            hundredth(name, asked[name], low, high)
    return payout, asked


_NUMBER = (
    Question(
        "under",
        "float | None",
        "number, optional\nBet on numbers below this one, with two decimals if numbers have them.",
        _view_of_under,
    ),
    Question(
        "over",
        "float | None",
        "number, optional\nBet on numbers above this one, instead.",
        _view_of_over,
    ),
    of_outcomes("numbers, an array (N,)"),
)
_NUMBER_TEXTS = Texts(
    "Return the exact law of the number, or of winning a bet on it.",
    returns="Of the number; of a bet 1 where it wins, else 0.",
    examples=""">>> import provably_fair as pf
>>> pf.Dice().distribution(under=50).mean(exact=True)
Fraction(5000, 10001)""",
)


def dice(
    least: Any, most: Any, *, unit: int = 1, pays: Callable[[int], Any] | None = None, **others: Any
) -> Kind:
    """Return the kind of a number; players bet that it is below another, or above.

    Parameters
    ----------
    least, most : int, str or callable
        The least and the largest number, in steps.
    unit : {1, 100}
        The number of steps in 1.
    pays : callable, optional
        From the number of winning steps of a bet to its payout, if that is part of the rule.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Die(pf.Game):
    ...     kind = pf.games.kinds.dice(1, 6)
    ...     def outcome(self, draws):
    ...         return draws.below(6) + 1
    >>> Die().distribution(over=4).mean(exact=True)
    Fraction(1, 3)
    """
    made = Kind(
        name="dice",
        questions=_NUMBER,
        texts=_NUMBER_TEXTS,
        facts={"least": least, "most": most, "unit": unit},
        pays=pays,
        shape=(),
        dtype=int if unit == 1 else float,
        notations=frozenset({"percent"} if unit > 1 else ()),
        bet_on=None if pays is None else _limits_that_win,
        needs="payout" if pays is None else "under or over",
    )
    return replace(made, **others)


# Multipliers


def _view_of_cash_out(game: Any, asked: Any) -> View:
    table = game.kind.facts.get("table")
    if table is not None and hundredth("cash_out", asked) / 100 not in table[1:]:
        known = ", ".join(map(str, table[1:]))
        raise BadValue("cash_out", f"must be one of the level's multipliers, {known}, got {asked!r:.80}")
    reached = hundredth("cash_out", asked, MIN_CASH_OUT) / 100
    return View(Paid(reached), wins=reached, pays=True, values=(0.0, reached))


_CASH_OUT = Question(
    "cash_out",
    "float | None",
    "number, optional\n"
    "The multiplier at which to cash out, at least 1.01, with two decimals. The bet wins if the outcome\n"
    "is at least that.",
    _view_of_cash_out,
)
_MULTIPLIER = (_CASH_OUT, of_outcomes("multipliers, an array (N,)"))
_MULTIPLIER_TEXTS = Texts(
    "Return the exact law of the multiplier, or of the payout of a bet of 1 with a cash-out.",
    returns="Of the multiplier; of a bet `cash_out` where it is cashed out, else 0.",
    examples=""">>> import provably_fair as pf
>>> pf.Crash().distribution(cash_out=2.0).mean()
0.95238
>>> round(pf.operators.bustabit.V2().bet(cash_out=2).rtp, 9)
0.99""",
)


def multiplier(*, tail: int | None = None, table: Any = None, **others: Any) -> Kind:
    """Return the kind of a multiplier; players bet that it reaches their cash-out.

    Parameters
    ----------
    tail : int, optional
        The multiplier from which tests pool all larger ones.
    table : sequence, str or callable, optional
        The possible multipliers, if a bet must name one of them; the first is the one before any step.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Bust(pf.Game):
    ...     monotone = True
    ...     kind = pf.games.kinds.multiplier()
    ...     def outcome(self, draws):
    ...         return np.floor(9900 / (draws.below(100) + 1)) / 100
    >>> Bust().bet(cash_out=3, law="ideal").exact_rtp
    Fraction(99, 100)
    """
    made = Kind(
        name="multiplier",
        questions=_MULTIPLIER,
        texts=_MULTIPLIER_TEXTS,
        facts={"tail": tail, "table": table},
        shape=(),
        dtype=float,
        needs="cash_out",
        looks=None if tail is None else (Look(f"up to {tail}", {"of": UpTo(tail)}),),
    )
    return replace(made, **others)


# Wheels


def _view_of_sectors(game: Any, asked: Any) -> View:
    chosen = distinct("sectors", asked, game.kind.facts["sectors"] - 1)
    return View(Among(tuple(chosen.tolist())), wins=1, values=(0, 1))


_WHEEL = (
    Question(
        "sectors",
        "Numbers | None",
        "int or collection of int, optional\nThe sectors that are bet on.",
        _view_of_sectors,
    ),
    of_outcomes("sectors, an array (N,)"),
)
_WHEEL_TEXTS = Texts(
    "Return the exact law of the sector, or of winning a bet on some of them.",
    returns="Of the sector; of a bet 1 where it wins, else 0.",
    examples=""">>> import provably_fair as pf
>>> pf.Double().distribution(sectors=[0, 1]).mean(exact=True)
Fraction(2, 15)""",
)


def wheel(size: Any, **others: Any) -> Kind:
    """Return the kind of a wheel that stops at a sector.

    Parameters
    ----------
    size : int, str or callable
        The number of sectors.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Coin(pf.Game):
    ...     kind = pf.games.kinds.wheel(2)
    ...     def outcome(self, draws):
    ...         return draws.below(2)
    >>> Coin().bet(1.98, sectors=1, law="ideal").exact_rtp
    Fraction(99, 100)
    """
    made = Kind(
        name="wheel",
        questions=_WHEEL,
        texts=_WHEEL_TEXTS,
        facts={"sectors": size},
        shape=(),
        dtype=int,
    )
    return replace(made, **others)


# Pegs


def _view_of_pegs(game: Any, asked: Mapping[str, Any]) -> View:
    bucket, payout, of = asked.get("bucket", True), asked.get("payout"), asked.get("of")
    one_of({"payout": payout, "of": of})
    if not isinstance(bucket, (bool, np.bool_)):
        raise BadType("bucket", f"must be True or False, got {bucket!r:.80}")
    if not bucket:
        one_of({"payout": payout, "bucket=False": True})
        return View(of)
    if of is not None:
        return View(of)
    found = Ones() if game.kind.facts["path"] else None
    if payout is None:
        return View(found)
    from provably_fair.distribution.payouts import payouts_at_once

    table = payouts_at_once(list(range(game.kind.facts["rows"] + 1)), payout)
    return View(PaidByTable(found, tuple(table)), pays=True)


def paid_by_table_law(game: Any, drawn: bool, of: Of | None) -> Distribution | None:
    """Return the law of payouts by a table, mapped from the law of its index; else None."""
    return law_of(game, drawn, of.number).map([*of.table]) if isinstance(of, PaidByTable) else None


_PEGS = (
    Question(
        "bucket",
        "bool",
        "bool\n"
        "Whether it is of the bucket: how often the ball went to the right. With ``bucket=False`` it is of\n"
        "what the outcome has of a ball, its bucket or its path.",
        default=True,
    ),
    Question(
        "payout",
        "Payout | None",
        "callable, mapping or sequence, optional\n"
        "What a bucket pays: values in the order of the buckets, a table by bucket (0 where it has\n"
        "none), or a function of buckets.",
    ),
    of_outcomes("outcomes, an array (N, ...)"),
)
_PEGS_TEXTS = Texts(
    "Return the exact law of one ball's bucket, or of its payout.",
    returns="Of the bucket, of the pay, or of the path.",
    examples=""">>> import provably_fair as pf
>>> pf.Plinko(pins=8).distribution().weights
(1, 8, 28, 56, 70, 56, 28, 8, 1)
>>> pf.operators.stake.Plinko(rows=8).distribution().weights
(1, 8, 28, 56, 70, 56, 28, 8, 1)
>>> pf.Plinko(pins=8).distribution(payout=[9, 2, 1, 0, 0, 0, 1, 2, 9]).mean()
0.4140625""",
)


def pegs(rows: Any, *, path: bool = True, **others: Any) -> Kind:
    """Return the kind of a ball that falls left or right at each row of pins, into a bucket.

    Parameters
    ----------
    rows : int, str or callable
        The number of rows.
    path : bool
        Whether the outcome is the path, 0 for left and 1 for right, rather than the bucket.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Pins(pf.Game):
    ...     kind = pf.games.kinds.pegs(2)
    ...     def outcome(self, draws):
    ...         return np.stack([draws.below(2), draws.below(2)], axis=1)
    >>> Pins().distribution().weights
    (1, 2, 1)
    """
    made = Kind(
        name="pegs",
        questions=_PEGS,
        texts=_PEGS_TEXTS,
        view=_view_of_pegs,
        facts={"rows": rows, "path": path},
        shape=(rows,) if path else None,
        dtype=int,
        laws=(paid_by_table_law,),
        distance=uniform,
        quick=True,
        counted={"bucket": True} if path else {},
        notations=frozenset({"path", "bucket"} if path else ()),
    )
    return replace(made, **others)


# Towers


def _view_of_tower(game: Any, asked: Mapping[str, Any]) -> View:
    facts = game.kind.facts
    positions, rows, of = (asked.get(name) for name in ("positions", "rows", "of"))
    if of is not None or (positions is None and rows is None and not facts["always"]):
        one_of({"of": of, "rows": rows})
        one_of({"of": of, "positions": positions})
        return View(of)
    rows = integer("rows", facts["rows"] if rows is None else rows, 1, facts["rows"])
    last = facts["positions"] - 1
    if positions is None or np.ndim(positions) == 0:
        chosen = [integer("positions", 0 if positions is None else positions, 0, last)] * rows
    else:
        listed = integers("positions", positions)
        if listed.size < rows or ((listed < 0) | (listed > last)).any():
            raise BadValue("positions", f"must be one for each of {rows} rows, from 0 to {last}")
        chosen = listed[:rows].tolist()
    return View(Climbed(tuple(chosen), facts["safe"]), wins=rows)


_TOWER = (
    Question(
        "positions",
        "ArrayLike | None",
        "int or array-like of int\n"
        "The position that the player chooses in every row, from 0; or one for each row. By default 0.",
    ),
    Question(
        "rows",
        "int | None",
        "int\nThe number of rows after which the player stops, from 1; by default the top.",
    ),
    of_outcomes("outcomes, an array (N, rows, k)"),
)
_TOWER_TEXTS = Texts(
    "Return the exact law of the rows climbed before one falls.",
    returns="Of 0 to `rows`.",
    raises="TypeError, ValueError\n    When positions or rows aren't those of a tower.",
    examples=""">>> import provably_fair as pf
>>> pf.Tower().distribution(rows=2).pmf([0, 1, 2])
array([0.2 , 0.16, 0.64])
>>> pf.operators.stake.DragonTower().distribution(rows=9).pmf(9) == 0.75**9
np.True_""",
)


def tower(
    rows: Any, positions: Any, count: Any, *, safe: bool = False, always: bool = False, **others: Any
) -> Kind:
    """Return the kind of a tower: the player chooses a position in each row, and climbs on or falls.

    Parameters
    ----------
    rows, positions : int, str or callable
        The numbers of rows, and of positions in each.
    count : int, str or callable
        The number of positions that the outcome has for each row.
    safe : bool
        Whether these are the safe positions rather than those where the player falls.
    always : bool
        Whether the default question is the number of rows climbed at position 0.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> class Stairs(pf.games.IndependentGame):
    ...     kinds = pf.games.kinds
    ...     kind = kinds.independent(kinds.sample(3, 1), 4, name="row", whole=kinds.tower(4, 3, 1))
    ...     def part(self, draws, place):
    ...         return draws.sample(3, 1)
    >>> Stairs().bet(4, rows=3, law="ideal").exact_rtp
    Fraction(32, 27)
    """
    made = Kind(
        name="tower",
        questions=_TOWER,
        texts=_TOWER_TEXTS,
        view=_view_of_tower,
        facts={"rows": rows, "positions": positions, "safe": safe, "always": always},
        shape=(rows, count),
        dtype=int,
        laws=(climbed_law,),
        distance=uniform,
        quick=True,
    )
    return replace(made, **others)


# Games of several parts


def independent(
    each: Kind,
    count: Any,
    *,
    name: str = "value",
    rises: bool = False,
    gathered: Any = None,
    whole: Kind | None = None,
    asked: bool = False,
    **others: Any,
) -> Kind:
    """Return the kind of an outcome of several parts, each made of its own draws; see `IndependentGame`.

    Parameters
    ----------
    each : Kind
        The kind of one part.
    count : int, str or callable
        The number of parts.
    name : str
        The name of a part.
    rises : bool
        Whether a part rises or falls with its one draw.
    gathered : callable, optional
        A function that maps the values of a part to few, if there are too many to list.
    whole : Kind, optional
        The kind of all parts together, which has the questions.
    asked : bool
        Whether the questions of `each` may be asked about a part instead.
    **others
        Other fields of `Kind`.

    Examples
    --------
    >>> kinds = pf.games.kinds
    >>> class Flips(pf.games.IndependentGame):
    ...     flips: int = pf.games.Range(1, 100, default=3)
    ...     kind = kinds.independent(kinds.wheel(2), "flips", name="flip")
    ...     def part(self, draws, place):
    ...         return draws.below(2)
    >>> Flips(5).distribution(of=lambda flips: flips.sum(axis=1)).weights
    (1, 5, 10, 10, 5, 1)
    """
    if whole is None:
        whole = replace(ANY, words=each.words)
        if asked:
            place = Question(name, "int", f"int\nThe {name}, from 0.", default=0)
            first = [question for question in each.questions if question.name != "of"]
            texts = each.texts and replace(each.texts, summary=f"{each.texts.summary[:-1]}, of one {name}.")
            questions = (*first, place, of_outcomes("outcomes, an array (N, ...)"))
            whole = replace(whole, questions=questions, texts=texts, view=view_of_part, needs=each.needs)
    facts = {"part": each, "parts": count, "rises": rises, "gathered": gathered}
    made = replace(
        whole,
        name=whole.name if whole is not ANY else "parts",
        facts={**whole.facts, **facts},
        part_name=name,
        shape=None if each.shape is None else (count, *each.shape),
        dtype=each.dtype,
        laws=(*whole.laws, parts_law),
        distance=uniform if all(one.distance is uniform for one in (each, whole) if one.laws) else None,
        quick=True,
        looks=part_looks,
        whole_looks=part_whole_looks,
    )
    return replace(made, **others)
