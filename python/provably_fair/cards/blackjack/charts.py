"""Strategies of blackjack as charts: a row for each hand, a column for each of the dealer's upcards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from provably_fair._core.arguments import BadType, BadValue, check_type, encode_text
from provably_fair._core.errors import within
from provably_fair._core.optional import optional
from provably_fair._core.printable import html
from provably_fair._core.table import Colored, Framed, Sheet, Tabular, displayed, html_table
from provably_fair._core.types import Columns
from provably_fair._engine import check_chart_cell

from ..frozen import Frozen
from .decisions import UPCARDS, VALUES, Decision

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes

LETTERS = Frozen(
    {
        "H": "hit",
        "S": "stand",
        "D": "double",
        "P": "split",
        "R": "surrender",
        "I": "insure",
        "E": "even_money",
    }
)

_COLORS = {
    "H": "#f4d9d0",
    "S": "#f7edb5",
    "D": "#bfe0f2",
    "P": "#c9e8c2",
    "R": "#d9d2e9",
    "I": "#f6cfe3",
    "E": "#d7ecec",
    "": "#ffffff",
}
_HARD, _SOFT = range(4, 22), range(12, 22)

Cells = str | Sequence[str]
"""A cell for every upcard, or ten of them: 2, 3, ..., 10, A."""


@displayed
class ChartChange(NamedTuple):
    """A cell in which two charts differ.

    Attributes
    ----------
    hand : str
        Its row: "hard 16", "A,7".
    upcard : str
        Its column.
    before, after : str
        Its letters in the two charts; empty if a chart has none.
    """

    hand: str
    upcard: str
    before: str
    after: str


@dataclass(frozen=True, repr=False)
class ChartChanges(Tabular):
    """Two charts side by side: the cells in which they differ.

    Attributes
    ----------
    cells : tuple of ChartChange
        These cells, row by row.
    """

    cells: tuple[ChartChange, ...]

    def __len__(self) -> int:
        return len(self.cells)

    def _sheet(self) -> Sheet:
        rows: dict[str, dict[str, str]] = {}
        for cell in self.cells:
            rows.setdefault(cell.hand, {})[cell.upcard] = f"{cell.before or '-'} > {cell.after or '-'}"
        table = [(hand, *(changed.get(upcard, "") for upcard in UPCARDS)) for hand, changed in rows.items()]
        return Sheet(f"{len(self)} cells differ", ("hand", *UPCARDS), table, "l")

    def _columns(self) -> Columns:
        return {name: [getattr(cell, name) for cell in self.cells] for name in ChartChange._fields}

    def __repr__(self) -> str:
        return f"<ChartChanges of {len(self)} cells>"


class _Grid(Framed):
    """Rows of ten cells, which print as text, as a colored table, and as a figure."""

    def _rows(self) -> list[tuple[str, tuple[str, ...]]]:
        raise NotImplementedError

    @property
    def rows(self) -> Mapping[str, Mapping[str, str]]:
        """The cells by row and upcard: ``chart.rows["hard 16"]["10"]``."""
        return Frozen(
            {label: Frozen(dict(zip(UPCARDS, cells, strict=True))) for label, cells in self._rows()}
        )

    def changes(self, other: Chart | HandChart) -> ChartChanges:
        """Compare the chart with another.

        Parameters
        ----------
        other : Chart or HandChart
            The other chart, of totals or of two cards as this one.

        Returns
        -------
        ChartChanges
            The cells in which they differ; prints as a table.

        Examples
        --------
        >>> one, eight = (pf.cards.Blackjack(decks=decks).analyze("basic").chart for decks in (1, 8))
        >>> changes = one.changes(eight)
        >>> changes.cells[0]
        ChartChange(hand='hard 8', upcard='5', before='DH', after='H')
        """
        check_type("other", other, type(self), f"a {type(self).__name__} as this one is")
        before, after = self.rows, other.rows
        none = dict.fromkeys(UPCARDS, "")
        cells = [
            ChartChange(hand, upcard, before.get(hand, none)[upcard], after.get(hand, none)[upcard])
            for hand in dict.fromkeys([*before, *after])
            for upcard in UPCARDS
        ]
        return ChartChanges(tuple(cell for cell in cells if cell.before != cell.after))

    def to_pandas(self) -> pandas.DataFrame:
        """Return the cells as a pandas.DataFrame: a row for each hand, a column for each upcard."""
        pd = optional("pandas", "stats", "to_pandas")
        rows = self._rows()
        return pd.DataFrame([cells for _, cells in rows], index=[label for label, _ in rows], columns=UPCARDS)

    def _columns(self) -> Columns:
        rows = self._rows()
        cells = zip(*(cells for _, cells in rows), strict=True)
        return {"hand": [label for label, _ in rows], **dict(zip(UPCARDS, cells, strict=True))}

    def __str__(self) -> str:
        rows = self._rows()
        left = max(len(label) for label, _ in rows)
        wide = max(2, *(len(cell) for _, cells in rows for cell in cells))
        lines = [" " * left + "".join(f"  {upcard:>{wide}}" for upcard in UPCARDS)]
        lines += [f"{label:<{left}}" + "".join(f"  {c:>{wide}}" for c in cells) for label, cells in rows]
        return "\n".join([*lines, _legend(rows)])

    def _repr_html_(self) -> str:
        rows = self._rows()
        cells = (
            (label, *(Colored(cell, "#000", _COLORS[cell[:1]]) for cell in cells)) for label, cells in rows
        )
        table = html_table(("", *UPCARDS), cells, "lc", labels=True)
        return f"{table}<p>{html(_legend(rows), None)}</p>"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the chart in colors; see `Distribution.plot`.

        Examples
        --------
        >>> pf.cards.Chart(hard={16: "S S S S S H H H H H"}).plot().get_ylabel()
        "player's hand"
        """
        plt = optional("matplotlib.pyplot", "plot", "plot")
        to_rgb = optional("matplotlib.colors", "plot", "plot").to_rgb
        rows = self._rows()
        if ax is None:
            _, ax = plt.subplots(figsize=(6, 0.25 * len(rows) + 1))
        ax.imshow([[to_rgb(_COLORS[cell[:1]]) for cell in cells] for _, cells in rows], aspect="auto")
        for y, (_, cells) in enumerate(rows):
            for x, cell in enumerate(cells):
                ax.text(x, y, cell, ha="center", va="center", fontsize=8, color="black")
        ax.set_xticks(range(10), UPCARDS)
        ax.set_yticks(range(len(rows)), [label for label, _ in rows])
        ax.tick_params(length=0, top=False, bottom=False, labeltop=True, labelbottom=False)
        ax.set_xlabel(_legend(rows), fontsize=8)
        ax.set_ylabel("player's hand")
        ax.set_title("dealer's upcard", fontsize=10)
        return ax


@dataclass(frozen=True, init=False, repr=False)
class Chart(_Grid):
    """A strategy by totals: an action for each total and for pairs.

    A cell is made of letters: H hit, S stand, D double, P split, R surrender, I insure, E even money. The
    first that is legal counts: "DH" doubles two cards where that is allowed and hits otherwise; "IH" insures
    them, after which they can't be insured again, and hits. Every cell of a total must have an H or an S. A
    pair whose letters are all illegal, or that has none, is played by its total; after a split the same chart
    is used.

    Charts are frozen, hashable and picklable, and are functions from a `Decision` to an action.

    Parameters
    ----------
    hard, soft : mapping of int to cells, optional
        Actions for hard totals (4 to 21) and for soft totals (12 to 21), in which an ace counts eleven. Cells
        are one text for all upcards, or ten: a sequence, or a text with spaces between them, for 2, 3, ...,
        10, A. By default hard totals below 17 and soft ones below 18 are hit.
    pairs : mapping of int or str to cells, optional
        Actions for pairs: 2 to 10, "A". Empty by default.

    Examples
    --------
    >>> chart = pf.cards.Chart(hard={11: "DH", 16: "S S S S S H H H H H"}, pairs={"A": "P", 8: "P"})
    >>> chart.rows["hard 16"]["6"], chart.rows["hard 16"]["7"], chart.rows["pair A"]["10"]
    ('S', 'H', 'P')
    >>> edge = pf.cards.Blackjack(decks=4).analyze(chart).house_edge
    >>> print(f"{edge:.4f}")
    0.0487
    """

    _cells: tuple[tuple[str, ...], ...]

    def __init__(
        self,
        hard: Mapping[int, Cells] | None = None,
        soft: Mapping[int, Cells] | None = None,
        pairs: Mapping[int | str, Cells] | None = None,
    ) -> None:
        rows: dict[tuple[str, str], tuple[str, ...]]
        rows = {("hard", str(total)): ("H" if total < 17 else "S",) * 10 for total in _HARD}
        rows |= {("soft", str(total)): ("H" if total < 18 else "S",) * 10 for total in _SOFT}
        rows |= {("pairs", value): ("",) * 10 for value in VALUES}
        for argument, given in (("hard", hard), ("soft", soft), ("pairs", pairs)):
            if given is not None and not isinstance(given, Mapping):
                raise BadType(argument, f"must be a mapping of rows, got {type(given).__name__}")
            for key, cells in (given or {}).items():
                if (argument, str(key)) not in rows:
                    allowed = ", ".join(value for kind, value in rows if kind == argument)
                    raise BadValue(argument, f"must have keys among {allowed}, got {key!r}")
                with within(index=key):
                    rows[argument, str(key)] = _cells(argument, cells, argument != "pairs")
        object.__setattr__(self, "_cells", tuple(rows.values()))

    def __call__(self, decision: Decision) -> str:
        """Return the first legal action of the hand's cell."""
        first = _SOFT.start - len(_HARD) if decision.soft else _HARD.start
        letters = self._cells[decision.total - first]
        column = UPCARDS.index(decision.upcard_value)
        order = letters[column]
        if decision.pair is not None:
            order = self._cells[len(_HARD) + len(_SOFT) + VALUES.index(decision.pair)][column] + order
        actions = (LETTERS[letter] for letter in order)
        return next((action for action in actions if action in decision.legal), "stand")

    def _rows(self) -> list[tuple[str, tuple[str, ...]]]:
        labels = [f"hard {total}" for total in _HARD] + [f"soft {total}" for total in _SOFT]
        labels += [f"pair {value}" for value in VALUES]
        return list(zip(labels, self._cells, strict=True))

    def __repr__(self) -> str:
        rows = self.rows
        return f"<Chart of {len(rows)} rows: hard 4 to 21, soft 12 to 21, pairs>"


def chart_of(rows: list[list[str]]) -> Chart:
    """Return the chart of the engine's rows, whose columns begin with the ace."""
    chart = Chart.__new__(Chart)
    object.__setattr__(chart, "_cells", tuple((*row[1:], row[0]) for row in rows))
    return chart


def rows_of(chart: Chart) -> list[list[str]]:
    """Return the engine's rows of a chart."""
    return [[row[-1], *row[:-1]] for row in chart._cells]


@dataclass(frozen=True, repr=False)
class HandChart(_Grid):
    """The best first action with every two cards. Later actions depend on all cards of the hand.

    Attributes
    ----------
    cells : mapping of str to tuple of str
        For each hand ("A,7", "10,6", "8,8") ten letters: against 2, 3, ..., 10, A.
    """

    cells: Mapping[str, tuple[str, ...]]

    def _rows(self) -> list[tuple[str, tuple[str, ...]]]:
        return list(self.cells.items())

    def __repr__(self) -> str:
        return f"<HandChart of {len(self.cells)} hands>"


def _cells(argument: str, cells: object, total: bool) -> tuple[str, ...]:
    if isinstance(cells, str):
        cells = cells.split() if " " in cells.strip() else [cells.strip()] * 10
    if not isinstance(cells, Sequence) or not all(isinstance(cell, str) for cell in cells):
        raise BadType(argument, f"must be str or ten of them, got {cells!r}")
    if len(cells) != 10:
        raise BadValue(argument, f"must have one cell or ten, for 2 to 10 and A, got {len(cells)}")
    for cell in cells:
        encode_text(argument, cell)
        check_chart_cell(argument, cell, total)
    return tuple(cells)


def _legend(rows: list[tuple[str, tuple[str, ...]]]) -> str:
    used = {letter for _, cells in rows for cell in cells for letter in cell}
    words = ", ".join(f"{letter} {word}" for letter, word in LETTERS.items() if letter in used)
    several = any(len(cell) > 1 for _, cells in rows for cell in cells)
    return words + ("; of several letters the first that is allowed" if several else "")
