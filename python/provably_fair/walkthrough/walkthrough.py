"""Walk-throughs: every step from seeds to an outcome.

A walk-through knows no game and no scheme; it formats the steps that it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from provably_fair._core.types import JsonDict

from .lines import Line, as_html, as_text
from .sections import Section, VisibleRound
from .steps import Step

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BESIDE = "As it was probably meant"


@dataclass(frozen=True, repr=False, eq=False)
class Walkthrough:
    """The steps from a round's seeds to its outcome, or from dice to their hash. Returned by ``explain``.

    ``str()`` and `text` show it as text, notebooks and `to_html` as a page, `to_dict` and `to_json` give it
    to other programs. What it is made of can be had by name: ``walk.server_seed``, ``walk.key``,
    ``walk.blocks``.

    Attributes
    ----------
    game : object
        The game with its parameters, or FPClub's dice.
    title : str
        Its name.
    values : tuple of (str, object)
        Inputs of the round by name: its seeds, its key, its hashes.
    steps : tuple of Step
        Steps in order: a `Draw` or `WordDraw` for each number, and `Shuffle`, `Skip`, `Note`, `Part`.
    outcome : object
        Outcome, as returned by ``play``; for cards played at a table, the settled round.
    sections : tuple of Section
        Sections that are shown.
    headline : str
        The outcome in a few words; by default as it prints.
    committed : bool or None
        Whether what was revealed is what had been committed to; None where no commitment was given.
    beside : Walkthrough or None
        The same round as it was probably meant, of a row of a log that fails; shown after it.

    Examples
    --------
    >>> walk = pf.Dice().explain("", "", "")
    >>> walk
    <Walkthrough of Dice(): 47.1>
    >>> walk.key[:16], walk.steps[0].factor, walk.steps[0].result
    ('e7ac0786668e0ff0', 10001, 4710)
    >>> print(walk.text())  # doctest: +ELLIPSIS
    Dice(): 47.1
    ...
    """

    game: Any
    title: str
    values: tuple[tuple[str, Any], ...]
    steps: tuple[Step, ...]
    outcome: Any
    sections: tuple[Section, ...]
    headline: str = ""
    committed: bool | None = None
    beside: Walkthrough | None = None

    def __post_init__(self) -> None:
        if isinstance(self.outcome, np.ndarray):
            outcome = self.outcome.copy()
            outcome.flags.writeable = False
            object.__setattr__(self, "outcome", outcome)

    def __getattr__(self, name: str) -> Any:
        # Called for missing attributes only, during unpickling even before any are set.
        values = dict(self.__dict__.get("values", ()))
        try:
            return values[name]
        except KeyError:
            known = ", ".join(values) or "nothing"
            raise AttributeError(
                f"this walk-through has no {name!r}; beside its attributes it has {known}"
            ) from None

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *(name for name, _ in self.values)})

    def _identity(self) -> tuple[object, ...]:
        outcome = self.outcome
        if isinstance(outcome, np.ndarray):
            outcome = (outcome.shape, outcome.dtype.str, outcome.tobytes())
        return self.game, self.title, self.values, self.steps, outcome, self.committed

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Walkthrough) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())

    def __repr__(self) -> str:
        return f"<Walkthrough of {self._first_line(60)}>"

    def __str__(self) -> str:
        return self.text()

    def text(self, full: bool = False) -> str:
        """Return the walk-through as text.

        Parameters
        ----------
        full : bool
            Whether to show everything. By default, rounds of many balls, spins or rows show the first
            of them only, those that are made of the first 40 numbers, and say how many more there are.
            The outcome is never cut. Seeds of more than 200 characters are shortened too.

        Returns
        -------
        str
            Lines of printable characters. Control and format characters in seeds, and letters that
            run from right to left, appear as escapes.

        Examples
        --------
        >>> walk = pf.Mines(mines=3).explain("", "", "")
        >>> walk.text().splitlines()[0]
        'Mines(mines=3): [11, 8, 18]'
        >>> long = pf.Plinko(balls=100).explain("", "", "")
        >>> len(long.text()) < len(long.text(full=True))
        True
        """
        lines = [self._first_line(longest=None)]
        for heading, body, _ in self._visible_sections(full):
            lines += ["", heading, *("   " + as_text(line) for line in body)]
        if self.beside is not None:
            lines += ["", f"{_BESIDE}:", "", self.beside.text(full)]
        return "\n".join(line.rstrip() for line in lines)

    def plot(self, *, ax: Axes | None = None, **options: Any) -> Axes:
        """Draw the round as its game does (needs matplotlib); see `Game.plot`, which takes the options, too.

        Examples
        --------
        >>> pf.Mines(mines=3).explain("", "", "").plot(step=2).get_title()
        'step 2: index 8 of 24 left is cell 8'
        """
        drawn: Axes = self.game.plot(self, ax=ax, **options)
        return drawn

    def to_html(self, full: bool = False) -> str:
        """Return the walk-through as a self-contained HTML page, light or dark as the reader's; see `text`.

        Examples
        --------
        >>> pf.Dice().explain("", "", "").to_html().startswith("<!doctype html>")
        True
        """
        from provably_fair._core.report import page

        return page(f"Walk-through of {self.title}", self._html(full))

    def _repr_html_(self) -> str:
        return self._html(full=False)

    def _html(self, full: bool) -> str:
        parts = [f'<p style="font-weight:bold">{escape(self._first_line(120))}</p>']
        for heading, body, folded in self._visible_sections(full):
            opened = "" if folded else " open"
            parts.append(f"<details{opened}><summary>{escape(heading)}</summary>{as_html(body)}</details>")
        if self.beside is not None:
            parts.append(f"<details><summary>{_BESIDE}</summary>{self.beside._html(full)}</details>")
        return f'<div class="provably-fair-walkthrough">{"".join(parts)}</div>'

    def __rich__(self) -> object:
        """Render plain text on a rich console, without markup or emoji."""
        from rich.text import Text

        return Text(self.text())

    def to_dict(self) -> JsonDict:
        """Return everything as dicts, lists, str, int and float, ready for JSON.

        Of a salted game ``game``, ``parameters``, ``server_seed``, ``client_seed``, ``salt`` (a seed of bytes
        that aren't UTF-8 is ``{"hex": ...}``), ``key``, ``blocks`` (of ``cursor``, ``message``, ``hex``,
        ``bytes``), ``steps`` (each with its ``kind``) and ``outcome``. Of a round of cards ``title``,
        ``facts`` (seeds and hash, by label), ``steps`` (the bytes), ``results`` (by label) and ``committed``;
        of dice the same. Nothing is left out, however long the round.
        """
        view = VisibleRound.of(self.outcome, self.steps, full=True)
        return {key: value for section in self.sections for key, value in section.to_dict(view).items()}

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return `to_dict` as JSON text; `indent` is that of `json.dumps`.

        Examples
        --------
        >>> import json
        >>> json.loads(pf.Mines(mines=3).explain("", "", "").to_json())["outcome"]
        [11, 8, 18]
        """
        from provably_fair._core.report import json_text

        return json_text(self.to_dict(), indent)

    def _first_line(self, longest: int | None) -> str:
        outcome = self.headline or str(np.asarray(self.outcome).tolist())
        if longest is not None and len(outcome) > longest:
            outcome = outcome[: longest - 3] + "..."
        return f"{self.title}: {outcome}"

    def _visible_sections(self, full: bool) -> Iterator[tuple[str, list[Line], bool]]:
        """Return the visible sections: numbered headings, lines, and whether they are collapsed."""
        view = VisibleRound.of(self.outcome, self.steps, full)
        number = 0
        for section in self.sections:
            if section.heading:
                number += 1
                yield f"{number}. {section.heading}", list(section.lines(view)), section.folded
