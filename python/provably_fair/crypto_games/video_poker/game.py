"""Video poker: five cards, some held, the others drawn again."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from provably_fair._core.arguments import Text, Texts, integer, rectangular, threads_of
from provably_fair._core.optional import optional
from provably_fair._core.progress import Progress, ProgressBar
from provably_fair._engine import PokerPaytable, canonical_deals, deal_cards
from provably_fair.cards import Hand, name, numbers
from provably_fair.distribution.sequences import FairnessMaterial, shuffle_material
from provably_fair.distribution.tally import Tally

from ..deal import deal, need_seeds, series_of
from ..explanation import Explanation, walk
from .paytable import PAYTABLES, Pay, Paytable

__all__ = [
    "PAYTABLES",
    "Analysis",
    "AnalysisRow",
    "Mistake",
    "Paytable",
    "PokerRound",
    "PokerRounds",
    "PokerTally",
    "VideoPoker",
]

_DECK = "video poker"
_LAST_CARD = 51
_ROLES = tuple(f"hand, card {i}" for i in range(1, 6)) + tuple(f"draw, card {i}" for i in range(6, 11))

# Over all deals and all draws to them; every hold's number of draws divides the second factor.
_DEALS = 2_598_960
_COMMON_DRAWS = 7_669_695

Hold = Sequence[bool] | Sequence[int] | Sequence[Sequence[bool]] | np.ndarray
"""Five booleans, or the positions of the held cards, 1 to 5 from the left."""

Strategy = Callable[[Hand], Hold | None] | Sequence[str | Callable[[Hand], Hold | None]]
"""A function from a hand to a hold, or rules of which the first that fits is played."""


@dataclass(frozen=True)
class PokerRound:
    """One round of video poker.

    Attributes
    ----------
    hand : Hand
        The five cards dealt.
    hold : tuple of bool
        Which of them were held, from the left.
    final : Hand
        The five cards after the draw.
    category : str
        What they are, in the paytable's words: "two pair", "jacks or better", "nothing" ...
    pay : int or Fraction
        What they pay, in bets.
    """

    hand: Hand
    hold: tuple[bool, ...]
    final: Hand
    category: str
    pay: Pay

    @property
    def held(self) -> Hand:
        """The cards that were held."""
        return Hand(card for card, held in zip(self.hand, self.hold, strict=True) if held)

    def __str__(self) -> str:
        return f"{self.hand}, hold {self.held or 'nothing'}: {self.final}, {self.category}, pays {self.pay}"

    def _repr_html_(self) -> str:
        rows = [
            ("dealt", self.hand._repr_html_()),
            ("held", self.held._repr_html_() or "nothing"),
            ("final", self.final._repr_html_()),
            ("result", f"{html.escape(self.category)}, pays {self.pay}"),
        ]
        cells = (f"<tr><th>{label}</th><td style='text-align:left'>{cell}</td></tr>" for label, cell in rows)
        return f"<table>{''.join(cells)}</table>"


@dataclass(frozen=True, eq=False)
class PokerRounds(Sequence["PokerRound"]):
    """Many rounds of video poker: arrays with a row for each, or `PokerRound` by index.

    Where the hash ran out before a card that was needed (less than one round in 77,000,000,000), the
    final hand has a -1, the row is -1, the category "--" and the pay NaN.

    Attributes
    ----------
    hand : numpy.ndarray
        The cards dealt, (N, 5) int64.
    hold : numpy.ndarray
        Which were held, (N, 5) bool.
    final : numpy.ndarray
        The cards after the draw, (N, 5) int64.
    row : numpy.ndarray
        The paytable's row, (N,) int64: 0 is the royal flush.
    paytable : Paytable
        What the rows mean.
    """

    hand: np.ndarray
    hold: np.ndarray
    final: np.ndarray
    row: np.ndarray
    paytable: Paytable

    @property
    def category(self) -> np.ndarray:
        """What the final hands are, (N,) of str."""
        return np.array([*(hand for hand, _ in self.paytable.rows), name(-1)], dtype=object)[self.row]

    @property
    def pay(self) -> np.ndarray:
        """What they pay, in bets, (N,) float64."""
        return np.array([*(float(pay) for _, pay in self.paytable.rows), np.nan])[self.row]

    def __len__(self) -> int:
        return len(self.row)

    def __iter__(self) -> Iterator[PokerRound]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return PokerRounds(
                self.hand[index], self.hold[index], self.final[index], self.row[index], self.paytable
            )
        index = integer("index", index)
        if not -len(self) <= index < len(self):
            raise IndexError(f"index must be within {len(self)} rounds, got {index}")
        row = int(self.row[index])
        category, pay = self.paytable.rows[row] if row >= 0 else (name(-1), float("nan"))
        held = tuple(self.hold[index].tolist())
        return PokerRound(Hand(self.hand[index]), held, Hand(self.final[index]), category, pay)  # type: ignore[arg-type]

    def __repr__(self) -> str:
        return f"<{len(self)} rounds of video poker, mean pay {np.nanmean(self.pay) if len(self) else 0:.4f}>"


@dataclass(frozen=True, eq=False)
class PokerTally(Tally):
    """How often each of a paytable's hands came up.

    Attributes
    ----------
    outcomes : numpy.ndarray
        The hands' names, in paytable order, "nothing" last.
    counts : numpy.ndarray
        Their counts, int64.
    rounds : int
        The number of rounds; more than the counts' sum only where a hash ran out.
    pays : numpy.ndarray
        What they pay, in bets, float64.

    Examples
    --------
    >>> import provably_fair as pf
    >>> tally = pf.crypto_games.VideoPoker().tally(1000)
    >>> dict(zip(tally.outcomes.tolist(), tally.counts.tolist()))["two pair"]
    124
    """

    pays: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PokerTally):
            # Not left to a tally without pays, which would look at the counts alone.
            return False if isinstance(other, Tally) else NotImplemented
        return super().__eq__(other) and np.array_equal(self.pays, other.pays)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Tally) -> PokerTally:
        """Join two tallies of the same paytable."""
        if not isinstance(other, PokerTally):
            return NotImplemented
        if not np.array_equal(self.pays, other.pays):
            raise ValueError("tallies must be of the same paytable to be added")
        joined = super().__add__(other)
        return PokerTally(joined.outcomes, joined.counts, joined.rounds, self.pays)

    def mean(self) -> float:
        """Return the mean pay, in bets: the simulated return.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> hands, pays = np.array(["a pair", "nothing"]), np.array([2.0, 0.0])
        >>> pf.crypto_games.PokerTally(hands, np.array([1, 3]), 4, pays).mean()
        0.5
        """
        return float(self.frequencies @ self.pays)

    def std(self) -> float:
        """Return the standard deviation of a round's pay, in bets.

        Examples
        --------
        >>> import numpy as np
        >>> import provably_fair as pf
        >>> hands, pays = np.array(["a pair", "nothing"]), np.array([2.0, 0.0])
        >>> pf.crypto_games.PokerTally(hands, np.array([2, 2]), 4, pays).std()
        1.0
        """
        return float(np.sqrt(self.frequencies @ (self.pays - self.mean()) ** 2))


class AnalysisRow(NamedTuple):
    """A hand of the paytable: what it pays and how often it comes."""

    hand: str
    pays: Pay
    combinations: int
    probability: float
    contribution: float


@dataclass(frozen=True)
class Mistake:
    """A deal that a strategy does not play best.

    Attributes
    ----------
    hand : Hand
        The deal; it stands for all that differ from it by an exchange of suits.
    hold, best_hold : Hand
        The cards the strategy holds, and those it should.
    value, best_value : float
        What the two holds return, in bets.
    deals : int
        How many of the 2,598,960 deals this one stands for.
    cost : float
        What the mistake takes from the strategy's return, over all deals.
    """

    hand: Hand
    hold: Hand
    best_hold: Hand
    value: float
    best_value: float
    deals: int
    cost: float


@dataclass(frozen=True)
class Analysis:
    """The exact return of a paytable, over all deals and all draws.

    Attributes
    ----------
    rows : tuple of AnalysisRow
        Every hand of the paytable, in its order, "nothing" last: ``.hand``, ``.pays`` in bets,
        ``.combinations`` of `total`, ``.probability``, ``.contribution`` to the return.
    total : int
        All combinations: 1,661,102,543,100 where all counts are whole on that scale, else 12 times that.
    optimal : Analysis or None
        For a strategy of one's own: the analysis of optimal play.
    mistakes : tuple of Mistake
        For a strategy of one's own: its costliest mistakes, worst first.
    """

    rows: tuple[AnalysisRow, ...]
    total: int
    optimal: Analysis | None = None
    mistakes: tuple[Mistake, ...] = ()

    @property
    def exact_rtp(self) -> Fraction:
        """The return to the player, as a fraction of the bet, exactly."""
        return Fraction(sum(row.pays * row.combinations for row in self.rows)) / self.total

    @property
    def exact_variance(self) -> Fraction:
        """The variance of a round's pay, in bets squared, exactly."""
        squares = Fraction(sum(row.pays**2 * row.combinations for row in self.rows))
        return squares / self.total - self.exact_rtp**2

    @property
    def rtp(self) -> float:
        """The return to the player, as a fraction of the bet."""
        return float(self.exact_rtp)

    @property
    def house_edge(self) -> float:
        """What the house keeps, as a fraction of the bet."""
        return float(1 - self.exact_rtp)

    @property
    def variance(self) -> float:
        """The variance of a round's pay, in bets squared."""
        return float(self.exact_variance)

    @property
    def std(self) -> float:
        """The standard deviation of a round's pay, in bets."""
        return self.variance**0.5

    @property
    def hit_frequency(self) -> float:
        """The probability that a round pays anything."""
        return float(Fraction(sum(row.combinations for row in self.rows if row.pays), self.total))

    @property
    def cost(self) -> float:
        """What the strategy's mistakes cost together, as a fraction of the bet; 0 for optimal play."""
        return float(self.optimal.exact_rtp - self.exact_rtp) if self.optimal else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain values, for JSON.

        Returns
        -------
        dict
            Keys "rows" (a dict for each), "total", "rtp", "house_edge", "variance", "hit_frequency".

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.crypto_games.VideoPoker().analyze().to_dict()["rows"][0]["combinations"]
        34706466
        """
        rows = [{**row._asdict(), "pays": _plain(row.pays)} for row in self.rows]
        figures = ("total", "rtp", "house_edge", "variance", "hit_frequency")
        return {"rows": rows, **{figure: getattr(self, figure) for figure in figures}}

    def to_pandas(self) -> Any:
        """Return the rows as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            Columns hand, pays, combinations, probability, contribution.

        Examples
        --------
        >>> import provably_fair as pf
        >>> frame = pf.crypto_games.VideoPoker("jacks_or_better").analyze().to_pandas()
        >>> int(frame["combinations"].sum())  # of the document; 5/12 of all deals times all draws
        1661102543100
        """
        pd = optional("pandas", "stats", "to_pandas")
        return pd.DataFrame(self.to_dict()["rows"], columns=AnalysisRow._fields)

    def _table(self) -> list[tuple[str, ...]]:
        table: list[tuple[str, ...]] = [("hand", "pays", "combinations", "probability", "return")]
        for row in self.rows:
            table.append(_cells(row.hand, row.pays, row.combinations, row.probability, row.contribution))
        table.append(_cells("total", "", self.total, 1.0, self.rtp))
        return table

    def __str__(self) -> str:
        table = self._table()
        widths = [max(len(row[column]) for row in table) for column in range(5)]
        lines = []
        for hand, *figures in table:
            cells = (figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True))
            lines.append("  ".join([hand.ljust(widths[0]), *cells]))
        lines += ["", self._summary()]
        lines += [f"  {mistake}" for mistake in map(_told, self.mistakes)]
        return "\n".join(lines)

    def _summary(self) -> str:
        text = f"return {self.rtp:.6f}, house edge {self.house_edge:.6f}, variance {self.variance:.4f}"
        if self.optimal:
            text += f"; optimal play returns {self.optimal.rtp:.6f}, {self.cost:.6f} more"
        return text

    def _repr_html_(self) -> str:
        (head, *body) = self._table()
        cell = '<td style="text-align:right">{}</td>'
        rows = "".join(
            f'<tr><th style="text-align:left">{html.escape(row[0])}</th>'
            + "".join(cell.format(html.escape(figure)) for figure in row[1:])
            + "</tr>"
            for row in body
        )
        headings = "".join(f"<th>{heading}</th>" for heading in head)
        mistakes = "".join(f"<li>{html.escape(_told(mistake))}</li>" for mistake in self.mistakes)
        return (
            f"<table><thead><tr>{headings}</tr></thead><tbody>{rows}</tbody></table>"
            f"<p>{html.escape(self._summary())}</p>" + (f"<ol>{mistakes}</ol>" if mistakes else "")
        )


@dataclass(frozen=True, repr=False)
class VideoPoker:
    """Crypto.Games video poker.

    The ten cards of a round are the first ten different cards that the SHA-512 of server seed, client
    seed and nonce, written one after the other, holds: of every byte the last two decimal digits, if
    they are 51 or less. Five are dealt; those not held are replaced, from left to right, by the sixth
    card and those after it. Pays are in bets (Crypto.Games bets 10 credits at a time).

    Parameters
    ----------
    paytable : str or Paytable
        A name of `PAYTABLES`, or a paytable. "jacks_or_better", "tens_or_better" and "bonus_poker" are
        those of Crypto.Games.

    Examples
    --------
    >>> import provably_fair as pf
    >>> game = pf.crypto_games.VideoPoker("jacks_or_better")
    >>> server_seed = "2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j"
    >>> print(game.play(server_seed, "bc7v9bn70d7n07sn", hold=[1, 4]))
    J♣ 5♥ 8♣ A♣ 2♣, hold J♣ A♣: J♣ 3♦ 5♦ A♣ J♦, jacks or better, pays 1
    >>> round(game.analyze().rtp, 6)
    0.979696
    """

    paytable: Paytable = PAYTABLES["jacks_or_better"]

    def __init__(self, paytable: str | Paytable = "jacks_or_better") -> None:
        if isinstance(paytable, str):
            if paytable not in PAYTABLES:
                raise ValueError(f"paytable must be one of {', '.join(PAYTABLES)}, got {paytable!r}")
            paytable = PAYTABLES[paytable]
        if not isinstance(paytable, Paytable):
            raise TypeError(f"paytable must be str or Paytable, got {type(paytable).__name__}")
        object.__setattr__(self, "paytable", paytable)

    def __repr__(self) -> str:
        named = (name for name, paytable in PAYTABLES.items() if paytable == self.paytable)
        return f"VideoPoker({next(named, self.paytable)!r})"

    @property
    def _core(self) -> PokerPaytable:
        return self.paytable._engine

    def deal(
        self,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        *,
        nonce: Texts = "",
        hash: Texts | None = None,
        dtype: DTypeLike | None = np.int64,
        threads: int | None = None,
    ) -> np.ndarray:
        """Return the ten cards of one round, or of many.

        Parameters
        ----------
        server_seed, client_seed : str, bytes, or array-like of them
            One text for all rounds, or N of them. Not needed with `hash`.
        nonce : str, bytes, or array-like of them
            What is written after the client seed, if anything.
        hash : str, bytes, or array-like of them, optional
            A SHA-512 of 128 hexadecimal characters to be read instead of the seeds'.
        dtype : dtype
            int64, or a smaller type: int8, int16, int32.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray
            Shape (10,) for single texts, else (N, 10): cards 0 to 51, the hand and then the draws; -1
            where the hash ran out.

        Raises
        ------
        TypeError, ValueError
            When an argument is missing or isn't what it should be.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.VideoPoker()
        >>> game.deal("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn")
        array([49, 17, 46, 39, 40, 28, 30, 36, 21, 44])
        >>> game.deal("server", ["client 1", "client 2"], dtype="int8").shape
        (2, 10)
        """
        return deal(_DECK, 10, server_seed, client_seed, nonce, hash, dtype, threads)

    def hold_values(
        self, hand: ArrayLike | str, *, exact: bool = False, threads: int | None = None
    ) -> np.ndarray | tuple[Fraction, ...]:
        """Return what every hold of a hand is worth, in bets.

        Parameters
        ----------
        hand : Hand, array-like of int, or str
            Five cards, (5,), or many hands, (N, 5). One hand may be a text: "J♣ 5♥ 8♣ A♣ 2♣".
        exact : bool
            Whether to return fractions; for one hand.
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray or tuple of Fraction
            (32,) or (N, 32) float64, each the correctly rounded value. The index of a hold is the sum
            of ``2**i`` over the held cards i = 0 to 4. NaN for rows where the hash ran out.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.VideoPoker()
        >>> values = game.hold_values("J♣ 5♥ 8♣ A♣ 2♣", exact=True)
        >>> values[1 + 4 + 8 + 16]
        Fraction(60, 47)
        """
        hands, many = _hands(hand)
        unit = self.paytable._unit
        if exact:
            if many:
                raise ValueError(f"hand must be one hand of five cards for exact values, got {len(hands)}")
            return tuple(Fraction(sum.pays, sum.draws * unit) for sum in self._core.hold_sums(hands[0]))
        values = self._core.hold_values(hands.ravel(), many, unit, threads=threads_of(threads))
        return values if many else values[0]

    def best_hold(self, hand: ArrayLike | str, *, threads: int | None = None) -> np.ndarray:
        """Return which cards of a hand are best held.

        Of holds that are worth the same, it is the one that holds the most cards; of those, the one
        with the higher ranks (the ace is the highest), compared from the top; then the one whose cards'
        suits have the higher cards in the hand; then the one further to the left.

        Parameters
        ----------
        hand : Hand, array-like of int, or str
            Five cards, (5,), or many hands, (N, 5). One hand may be a text: "J♣ 5♥ 8♣ A♣ 2♣".
        threads : int, optional
            The most threads to use; as many as the machine has by default.

        Returns
        -------
        numpy.ndarray
            (5,) or (N, 5) bool. Nothing is held in rows where the hash ran out.

        Examples
        --------
        >>> import provably_fair as pf
        >>> pf.crypto_games.VideoPoker().best_hold("J♣ 5♥ 8♣ A♣ 2♣")
        array([ True, False,  True,  True,  True])
        """
        hands, many = _hands(hand)
        holds = self._core.best_holds(hands.ravel(), many, threads=threads_of(threads))
        return holds if many else holds[0]

    def play(
        self,
        server_seed: Texts | None = None,
        client_seed: Texts | None = None,
        hold: Hold | None = None,
        *,
        nonce: Texts = "",
        hash: Texts | None = None,
        threads: int | None = None,
    ) -> PokerRound | PokerRounds:
        """Play one round, or many.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash, threads
            As of `deal`.
        hold : five bool, or positions, optional
            The cards to hold: five booleans, or positions 1 to 5 from the left, for all rounds; or an
            (N, 5) array or list of booleans. None holds what is best (`best_hold`).

        Returns
        -------
        PokerRound or PokerRounds
            ``.hand``, ``.hold``, ``.final``, ``.category`` and ``.pay`` in bets; arrays for many rounds.

        Raises
        ------
        ValueError
            When the hash of a single round runs out before a card that is needed.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.VideoPoker()
        >>> round = game.play("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn")
        >>> round.held, round.category, round.pay
        (Hand('J♣ 8♣ A♣ 2♣'), 'nothing', 0)
        >>> game.play("server", ["client 1", "client 2", "client 3"]).pay
        array([1., 0., 0.])
        """
        cards = self.deal(server_seed, client_seed, nonce=nonce, hash=hash, threads=threads)
        rounds = self._finish(np.atleast_2d(cards), hold, threads)
        if cards.ndim == 2:
            return rounds
        if rounds.row[0] < 0:
            raise _ran_out(cards, rounds.hold[0])
        return rounds[0]

    def fairness_material(self, data: Any) -> FairnessMaterial:
        """Return cards as sequences of independent values whose laws are known, for `fairness_report`.

        Parameters
        ----------
        data : array-like of int, shape (N, cards)
            Cards, as `deal` returns them.

        Returns
        -------
        FairnessMaterial
            The draws behind the cards, what tells two rounds apart, and the shuffles.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.VideoPoker()
        >>> material = game.fairness_material(game.deal("server", ["1", "2"]))
        >>> material.sequences[0].name, len(material.columns)
        ('first of 10', 10)
        """
        return shuffle_material(rectangular("data", data), _LAST_CARD + 1, self, None)

    def simulate(
        self,
        rounds: int,
        *,
        hold: Hold | None = None,
        seed: int | str = 0,
        start: int = 0,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        threads: int | None = None,
        progress: Progress = False,
    ) -> PokerRounds:
        """Play many rounds whose seeds anyone can make again.

        Round i is ``play(server_seed, client_seed, nonce=str(start + i))``: the same on every machine,
        with any number of threads, and in any division into pieces by `start`.

        Parameters
        ----------
        rounds : int
            The number of rounds.
        hold : five bool, or positions, optional
            As of `play`; None holds what is best.
        seed : int or str
            The name of the series.
        start : int
            The nonce of the first round.
        server_seed, client_seed : str or bytes, optional
            By default the SHA-256 of ``f"{seed}:server"`` and ``f"{seed}:client"`` in hexadecimal.
        threads : int, optional
            The most threads to use; as many as the machine has by default.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the rounds
            in all, called about twenty times a second.

        Returns
        -------
        PokerRounds
            Arrays with a row for each round.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.VideoPoker()
        >>> rounds = game.simulate(1000)
        >>> rounds.hand.shape, rounds.pay.shape
        ((1000, 5), (1000,))
        """
        server_seed, client_seed, series = series_of(rounds, seed, start, server_seed, client_seed)
        rounds = series[1]
        with ProgressBar(rounds, progress) as report:
            # Dealing is one half of the work and finding the best holds the other, where they are wanted.
            dealt = report if hold is not None or report is None else lambda done: report(done // 2)
            held = None if report is None else lambda done: report(rounds // 2 + (done + 1) // 2)
            cards = deal_cards(
                _DECK,
                10,
                server_seed,
                client_seed,
                "",
                series=series,
                dtype=np.dtype(np.int64),
                threads=threads_of(threads),
                progress=dealt,
            )
            return self._finish(cards, hold, threads, held)

    def tally(
        self,
        rounds: int,
        *,
        hold: Hold | None = None,
        seed: int | str = 0,
        start: int = 0,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        threads: int | None = None,
        progress: Progress = False,
    ) -> PokerTally:
        """Count the hands of many rounds, in memory that doesn't grow with them.

        Parameters
        ----------
        rounds, seed, start, server_seed, client_seed, threads, progress
            As of `simulate`, whose rounds are counted.
        hold : five bool, or positions, optional
            The same for all rounds; None holds what is best.

        Returns
        -------
        PokerTally
            Outcomes (names in paytable order), counts, rounds, pays.

        Examples
        --------
        >>> import provably_fair as pf
        >>> tally = pf.crypto_games.VideoPoker().tally(1000)
        >>> int(tally.counts.sum()), tally.outcomes[-1]
        (1000, 'nothing')
        """
        server_seed, client_seed, series = series_of(rounds, seed, start, server_seed, client_seed)
        if _has_rows(hold):
            raise ValueError("hold must be one hold for all rounds, got a row for each")
        mask = None if hold is None else _mask(hold)
        with ProgressBar(series[1], progress) as report:
            counts = self._core.tally(
                server_seed,
                client_seed,
                series=series,
                hold=mask,
                threads=threads_of(threads),
                progress=report,
            )
        hands, pays = zip(*self.paytable.rows, strict=True)
        return PokerTally(
            np.array(hands, dtype=object),
            counts.astype(np.int64),
            series[1],
            np.array([float(pay) for pay in pays]),
        )

    def explain(
        self,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        hold: Hold | None = None,
        *,
        nonce: Text = "",
        hash: Text | None = None,
        commitment: Text | None = None,
    ) -> Explanation:
        """Show how a round came about, byte by byte.

        Parameters
        ----------
        server_seed, client_seed, nonce, hash : str or bytes
            The round, as of `deal`.
        hold : five bool, or positions, optional
            As of `play`; None holds what is best.
        commitment : str or bytes, optional
            The SHA-256 of the server seed that was published before the round, to be checked.

        Returns
        -------
        Explanation
            Prints as text, and as tables in a notebook; ``.steps``, ``.to_dict()``.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.VideoPoker()
        >>> explanation = game.explain("2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "bc7v9bn70d7n07sn", [1, 4])
        >>> explanation.steps[1]
        ByteStep(characters='95', decimal=149, number=49, card=49, outcome='card', role='hand, card 1')
        """
        need_seeds(server_seed, client_seed, hash)
        dealt = walk(
            _DECK,
            10,
            server_seed,
            client_seed,
            nonce=nonce,
            hash=hash,
            commitment=commitment,
            roles=_ROLES,
        )
        cards = np.full(10, -1)
        cards[: len(dealt.dealt)] = dealt.dealt
        played = self._finish(cards[np.newaxis], hold, None)[0]
        if -1 in played.final:
            raise _ran_out(cards, np.array(played.hold))
        results = [("hand", str(played.hand)), ("hold", str(played.held) or "nothing")]
        drawn = 5 - len(played.held)
        if drawn:
            results.append(("drawn", str(Hand(cards[5 : 5 + drawn]))))
        results += [("final hand", str(played.final)), ("result", f"{played.category}, pays {played.pay}")]
        values = np.asarray(self.hold_values(played.hand))
        best = self.best_hold(played.hand)
        held_value, best_value = values[_mask(played.hold)], values[_mask(best)]
        results.append(("worth of the hold", f"{held_value:.6f} bets"))
        if best_value > held_value:
            best_cards = Hand(np.asarray(played.hand)[best])
            results.append(("best hold", f"{best_cards or 'nothing'}, worth {best_value:.6f} bets"))
        return Explanation(
            "Crypto.Games video poker",
            dealt.facts,
            dealt.steps,
            tuple(results),
            dealt.committed,
            "last two digits",
        )

    def analyze(self, strategy: Strategy | None = None, *, mistakes: int = 10) -> Analysis:
        """Return the exact return over all deals and draws: of optimal play, or of another strategy.

        Parameters
        ----------
        strategy : callable, or sequence of str and callables, optional
            A function that is given a `Hand` of five cards in rising order and returns what to hold, as
            `play` takes it. It is asked about one of each 4, 12 or 24 deals that differ by an exchange
            of suits, so it must not prefer a suit. Or rules in order, of which the first that fits is
            played: functions that return None where they don't fit, and texts: "royal flush",
            "straight flush", "four of a kind", "full house", "flush", "straight", "three of a kind",
            "two pair", "high pair", "low pair", "pair", "4 to a royal flush", "3 to a straight flush",
            "4 to a flush", "4 to a straight", "4 to an outside straight" (part of two straights),
            "4 to an inside straight" (part of one), all with any number from 1 to 4, and if wanted
            "... with 2 high cards" (at least); "2 suited high cards", "1 high card", "nothing". Where a
            rule fits several ways, the higher ranks are held. No rule fits: nothing is held.
        mistakes : int
            How many of a strategy's costliest mistakes to list.

        Returns
        -------
        Analysis
            ``.rows`` (``.hand``, ``.pays``, ``.combinations``, ``.probability``, ``.contribution``),
            ``.total``, ``.rtp``, ``.house_edge``, ``.variance``, ``.hit_frequency``; for a strategy
            also ``.optimal`` and ``.mistakes``.

        Examples
        --------
        >>> import provably_fair as pf
        >>> game = pf.crypto_games.VideoPoker("jacks_or_better")
        >>> print(game.analyze())
        hand             pays       combinations  probability    return
        royal flush       500         34,706,466     0.000021  0.010447
        straight flush     75        184,178,161     0.000111  0.008316
        four of a kind     20      3,924,486,891     0.002363  0.047252
        full house          9     19,115,939,799     0.011508  0.103572
        flush               6     19,427,500,088     0.011696  0.070173
        straight            4     18,354,238,557     0.011049  0.044198
        three of a kind     3    123,573,760,275     0.074393  0.223178
        two pair            2    214,462,314,819     0.129108  0.258217
        jacks or better     1    356,047,418,052     0.214344  0.214344
        nothing             0    905,977,999,992     0.545408  0.000000
        total                  1,661,102,543,100     1.000000  0.979696
        <BLANKLINE>
        return 0.979696, house edge 0.020304, variance ...
        >>> simple = ["four of a kind", "full house", "flush", "straight", "three of a kind", "two pair",
        ...           "high pair", "4 to a flush", "low pair", "4 to an outside straight", "2 high cards",
        ...           "1 high card"]
        >>> game.analyze(simple).cost
        0.01141...
        """
        mistakes = integer("mistakes", mistakes, 0)
        optimal = self._analysis(self._core.counts())
        if strategy is None:
            return optimal
        hands, weights = canonical_deals()
        holds = self._strategy_holds(strategy, hands)
        analysis = self._analysis(self._core.counts(holds))
        worst = self._mistakes(hands, weights, holds, mistakes)
        return Analysis(analysis.rows, analysis.total, optimal, worst)

    def _analysis(self, counts: list[int]) -> Analysis:
        total = _DEALS * _COMMON_DRAWS
        if all(count % 12 == 0 for count in counts):
            counts, total = [count // 12 for count in counts], total // 12
        rows = (
            AnalysisRow(hand, pays, count, count / total, float(Fraction(pays) * count / total))
            for (hand, pays), count in zip(self.paytable.rows, counts, strict=True)
        )
        return Analysis(tuple(rows), total)

    def _strategy_holds(self, strategy: Strategy, hands: np.ndarray) -> np.ndarray:
        rules = [strategy] if callable(strategy) else strategy
        if isinstance(rules, str) or not isinstance(rules, Sequence):
            raise TypeError(
                f"strategy must be callable or a sequence of rules, got {type(strategy).__name__}"
            )
        open_ = 255
        holds = np.full(len(hands), open_, dtype=np.uint8)
        for number, rule in enumerate(rules):
            undecided = np.flatnonzero(holds == open_)
            if isinstance(rule, str):
                holds[undecided] = self._core.rule_holds(rule)[undecided]
            elif callable(rule):
                for row, cards in zip(undecided.tolist(), hands[undecided].tolist(), strict=True):
                    hand = Hand.of_numbers(cards)
                    hold = rule(hand)
                    if hold is not None:
                        holds[row] = _mask(hold)
                    elif callable(strategy):
                        raise TypeError(f"strategy must return a hold for every hand, got None for {hand}")
            else:
                raise TypeError(f"strategy[{number}] must be str or callable, got {type(rule).__name__}")
        holds[holds == open_] = 0
        return holds

    def _mistakes(
        self, hands: np.ndarray, weights: np.ndarray, holds: np.ndarray, most: int
    ) -> tuple[Mistake, ...]:
        costs = self._core.losses(holds) * weights
        worst = np.argsort(-costs, kind="stable")[:most]
        worst = worst[costs[worst] > 0]
        whole = _DEALS * _COMMON_DRAWS * self.paytable._unit
        if not worst.size:
            return ()
        all_values = np.asarray(self.hold_values(hands[worst]))
        listed = []
        for row, best_held, values in zip(worst, self.best_hold(hands[worst]), all_values, strict=True):
            held = holds[row] >> np.arange(5) & 1 == 1
            listed.append(
                Mistake(
                    Hand(hands[row]),
                    Hand(hands[row][held]),
                    Hand(hands[row][best_held]),
                    float(values[holds[row]]),
                    float(values[_mask(best_held)]),
                    int(weights[row]),
                    int(costs[row]) / whole,
                )
            )
        return tuple(listed)

    def _finish(
        self,
        cards: np.ndarray,
        hold: Hold | None,
        threads: int | None,
        progress: Callable[[int], object] | None = None,
    ) -> PokerRounds:
        hand = np.ascontiguousarray(cards[:, :5])
        if hold is None:
            held = self._core.best_holds(hand.ravel(), True, threads_of(threads), progress)
        else:
            held = _hold(hold, len(cards))
        final, row = self._core.finish(np.ascontiguousarray(cards).ravel(), held.ravel())
        return PokerRounds(hand, held, final.reshape(-1, 5), row, self.paytable)


def _hands(hand: ArrayLike | str) -> tuple[np.ndarray, bool]:
    """Return hands as (N, 5) int64, and whether they were many."""
    if isinstance(hand, (str, bytes)):
        hand = numbers("hand", hand)
    try:
        array = np.asarray(hand)
    except ValueError:
        raise ValueError("hand must have the shape (5,) or (N, 5), got rows of different lengths") from None
    if array.dtype.kind in "iu" and not hasattr(hand, "dtype"):
        # Among numbers numpy takes a boolean for one.
        for card in np.asarray(hand, dtype=object).flat:
            if isinstance(card, (bool, np.bool_)):
                raise TypeError(f"hand must be cards as integers or names, got {card}")
    if array.dtype.kind == "U":
        array = np.array([Hand(row) for row in np.atleast_2d(array).tolist()]).reshape(array.shape)
    if array.ndim not in (1, 2) or array.shape[-1] != 5:
        raise ValueError(f"hand must have the shape (5,) or (N, 5), got {array.shape}")
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"hand must be cards as integers or names, got an array of {array.dtype}")
    rows, many = np.atleast_2d(array), array.ndim == 2
    if rows.dtype.kind == "u":
        # As int64 the largest would be numbers below 0.
        for row, place in np.argwhere(rows > _LAST_CARD)[:1]:
            at = f"hand[{row}]" if many else "hand"
            raise ValueError(f"{at} must be cards from 0 to {_LAST_CARD}, got {rows[row, place]}")
    return np.ascontiguousarray(rows, dtype=np.int64), many


def _hold(hold: Hold, rounds: int) -> np.ndarray:
    """Return holds as (rounds, 5) bool."""
    if _has_rows(hold):
        try:
            rows = np.asarray(hold)
        except ValueError:
            raise ValueError(
                f"hold must have the shape (5,) or ({rounds}, 5), got rows of different lengths"
            ) from None
        if rows.dtype != bool:
            raise TypeError(f"hold must be booleans, one row of five for each round, got {rows.dtype}")
        if rows.shape != (rounds, 5):
            raise ValueError(f"hold must have the shape (5,) or ({rounds}, 5), got {rows.shape}")
        return np.ascontiguousarray(rows)
    held = _mask(hold) >> np.arange(5) & 1 == 1
    return np.ascontiguousarray(np.broadcast_to(held, (rounds, 5)))


def _has_rows(hold: Any) -> bool:
    """Tell whether holds are given by row, one for each round."""
    if isinstance(hold, (list, tuple)):
        return any(isinstance(row, (list, tuple, np.ndarray)) for row in hold)
    return getattr(hold, "ndim", 1) > 1


def _mask(hold: Any) -> int:
    """Return one hold as the sum of 2**i over the held cards i = 0 to 4."""
    if _has_rows(hold):
        raise ValueError("hold must be one hold: five booleans or positions 1 to 5, got several rows")
    if hasattr(hold, "__array__"):  # an array, or a series of pandas or Polars
        hold = np.asarray(hold).tolist()
    if not isinstance(hold, (list, tuple)):
        raise TypeError(f"hold must be five booleans or positions 1 to 5, got {type(hold).__name__}")
    if hold and all(isinstance(held, (bool, np.bool_)) for held in hold):
        if len(hold) != 5:
            raise ValueError(f"hold must be five booleans, got {len(hold)}")
        return sum(1 << place for place, held in enumerate(hold) if held)
    positions = [integer("hold", position) for position in hold]
    if any(not 1 <= position <= 5 for position in positions) or len(set(positions)) < len(positions):
        raise ValueError(f"hold must be five booleans or different positions 1 to 5, got {positions}")
    return sum(1 << position - 1 for position in positions)


def _ran_out(cards: np.ndarray, held: np.ndarray) -> ValueError:
    found = int((cards >= 0).sum())
    needed = 5 if found < 5 else 10 - int(held.sum())
    return ValueError(f"hash ran out after {found} cards: this hand needs {needed}")


def _plain(pay: Pay) -> int | float:
    return pay if isinstance(pay, int) else float(pay)


def _cells(
    hand: str, pays: object, combinations: int, probability: float, returned: float
) -> tuple[str, ...]:
    return hand, str(pays), f"{combinations:,}", f"{probability:.6f}", f"{returned:.6f}"


def _told(mistake: Mistake) -> str:
    return (
        f"{mistake.hand}: holds {mistake.hold or 'nothing'} ({mistake.value:.4f}), best "
        f"{mistake.best_hold or 'nothing'} ({mistake.best_value:.4f}), costs {mistake.cost:.3g}"
    )
