"""The claim about the bets in a log, and its comparison with each row.

A bet looks at a value of the outcome, and each value is due a whole number of parts, of which `unit` make 1.
So a batch is settled by looking up one table, and everything that checks ask of it is a count or an exact
sum. Amounts are compared per currency; those too large or too small for the engine's units are divided by
powers of ten until they fit, and compared on a scale of their own. Rows whose stake or payout is no amount
are set apart, never dropped.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.counts import as_places, bincount, widened
from provably_fair._core.errors import BadType, BadValue
from provably_fair._core.numbers import over_one_denominator
from provably_fair.bets.returns import ObservedReturns, bets_of_round, shared
from provably_fair.bets.tilting import LawReturns
from provably_fair.distribution import Distribution
from provably_fair.games.deals import HandReturns

from .amounts import DECIMALS, FAR, UNIT, Amounts, Bets, Payouts
from .records import Records
from .row_bets import COLUMNS, MOST_PARTS, ODDS, ROUNDED, RowBets, StatedBets
from .sums import ValueCounts, exact_sum, rows_of, tally

_MAX_PARTS = 2**32
_NOWHERE = -1
_BEYOND = 1e10
"""How often a stake may be paid: more may not fit a scale with it, and is as wrong if it is taken as that."""

MAX_CELLS = 4096
"""The most lines of a paytable that is compared line by line."""


class Currency(NamedTuple):
    """The currency of amounts."""

    name: str = ""  # in lower case; "" if unknown
    decimals: int | None = None  # the number of decimals of its smallest unit; None if unknown
    converted: bool = False  # whether amounts were converted to it for display


@dataclass(frozen=True)
class Money:
    """Stakes and payouts of the rows of one currency that share a scale."""

    currency: Currency
    scale: int  # the power of ten that amounts were divided by, to fit 64 bits
    compared: Payouts  # the payouts beside the amounts due; `row` counts among the settled rows
    # The same of those whose stake was given back alone, if there are any; `row` counts among these
    returned: Payouts | None = None
    unprofited: Payouts | None = None  # the same if payouts are profits


@dataclass(frozen=True)
class Apart:
    """Rows of one currency whose stake or payout can't be compared."""

    currency: str
    places: np.ndarray  # their positions in the log
    stakes: np.ndarray  # logged amounts as doubles: NaN for cells that aren't numbers
    paid: np.ndarray
    parts: np.ndarray | None  # payout due for a stake of 1, in parts; None if outcomes don't determine it

    @cached_property
    def amounts(self) -> Amounts:
        """The stakes, in whole units."""
        return Amounts.of(self.stakes)

    @cached_property
    def staked(self) -> np.ndarray:
        """A mask of the rows whose stake is large enough to be counted."""
        found: np.ndarray = np.isfinite(self.stakes) & _is_stake(self.stakes, self.amounts)
        return found

    @property
    def due(self) -> int:
        """The total due for these stakes, in parts of a unit; 0 if outcomes don't determine it."""
        if self.parts is None:
            return 0
        won = np.flatnonzero(self.staked & (self.parts > 0))
        columns = (self.amounts.units, self.amounts.there, self.stakes, self.parts)
        return sum(
            (units if there else int(stake) * UNIT) * part
            for units, there, stake, part in zip(*(one[won].tolist() for one in columns), strict=True)
        )


@dataclass(eq=False)
class Settled:
    """The rows of a batch that have a bet, with the payout that each is due under the claim."""

    rows: np.ndarray | slice  # indices of the rows in the batch
    places: np.ndarray  # their positions in the log
    # Value that the bet is on, as an index among the claim's `values`; shape (rows, bets of a round), -1 for
    # values that are impossible under the claim
    cells: np.ndarray
    possible: np.ndarray  # mask of the rows whose values are all possible
    parts: np.ndarray  # payout due for a stake of 1, in parts of which the claim's `unit` make 1; int64
    # Indices of the claim's `values` that came up, with their counts, all bets of rounds together; int64
    tally: ValueCounts
    total: int
    apart: list[Apart]  # rows whose payouts can't be compared
    others: int  # number of rows whose parameters differ from the bet's
    # Stakes and payouts, to compare with those due, if the log has both
    money: list[Money] = field(default_factory=list)
    # The line of the paytable that each row is of; None where it has too many
    lines: np.ndarray | None = None
    # Where the log says that the stake was given back, and it was, as booleans
    returned: np.ndarray | None = None
    # Where the log says so and the payout is 0, as it is then if payouts are profits
    unprofited: np.ndarray | None = None
    # The rows whose payouts are nearer to those of the bets that the log's columns state
    otherwise: Settled | None = None
    # The first row whose columns state no bet that can be read, and why; None where those of any row do
    unread: tuple[int, str] | None = None
    # Positions of rows whose stake was given back, where outcomes don't determine what was due for them
    given_back: np.ndarray | None = None
    # Number of rows that aren't compared with the bet, since the log's columns state another one
    left_out: int = 0
    # Positions of rows that weren't paid, though the bet would have won, and whose columns state none. They
    # aren't compared either: where other rows state other bets, nobody knows what they bet.
    unstated: np.ndarray | None = None
    # The rows that aren't compared for either of these reasons, with what is due by the claim
    aside: Apart | None = None
    # Whether any row whose columns state no bet was paid, so that an empty cell doesn't mean a lost bet
    unstated_won: bool = False
    # The number of bets in each row, of which each may be rounded by itself; None where rows are one bet
    bets: np.ndarray | None = None


class _Due(NamedTuple):
    """The payouts due for rows, all bets of a round together, and whether each is possible."""

    amounts: np.ndarray
    possible: np.ndarray


class _DueOfRows(NamedTuple):
    """The payouts due for rows by their own bets: for a stake of 1, in parts, and whether these are exact."""

    each: np.ndarray
    parts: np.ndarray
    possible: np.ndarray
    exact: bool


class Line(NamedTuple):
    """A line of a paytable: the outcome or amount, and the payout due for a stake of 1."""

    label: Any
    due: Fraction


class Claim:
    """A claimed bet: the values that it depends on, their probabilities, and its payouts.

    `law` is of the return of a bet of 1, all bets of a round together; `values` of the values that the bet is
    on: outcomes, or the amounts if the bet doesn't name any; `unit` is the number of parts in 1.
    """

    stated: RowClaim | None = None
    """The bets that the log's columns state, if they answer the questions of the bet."""
    others = "of other parameters than the bet's"
    """Words for rows with another bet, whose payout due is unknown."""
    untested = (
        "the return of a hand depends on how it is played: returns can't be tested, and of payouts only "
        "whether the bet can return such an amount"
    )
    """A sentence on tests that are left out, if returns don't depend on chance alone."""

    def __init__(self, bet: object, fixed: Mapping[str, int] | None = None) -> None:
        from provably_fair.bets import Bet

        self._is_bet = isinstance(bet, Bet)
        law = bet.law if isinstance(bet, Bet) else bet
        if not isinstance(law, Distribution):
            if self._is_bet:
                raise BadValue("bet", "must have an exact law to be audited, got one that is only simulated")
            got = f"{bet!r:.40}" if isinstance(bet, str) else type(bet).__name__
            allowed = f'must be a Bet or the Distribution of its return, or "{COLUMNS}"'
            raise BadType("bet", f"{allowed}, got {got}")
        self.bet: object = bet
        self.unit: int
        sampler = bet.sampler if isinstance(bet, Bet) else None
        self._observed = sampler if isinstance(sampler, ObservedReturns) else None
        unrounded = getattr(sampler, "sampler", sampler)
        self._by_chance = isinstance(unrounded, (ObservedReturns, LawReturns)) or not self._is_bet
        # The log's game may have other parameters than the bet's: they are those of rows that state none.
        its = getattr(self.game, "__dataclass_fields__", {})
        self.fixed: dict[str, int] = {
            name: getattr(self.game, name) if name in its else value for name, value in (fixed or {}).items()
        }
        self._rounded = False
        if self._observed is not None and isinstance(bet, Bet):
            self.values: Distribution = self._observed.values
            table, self.unit = list(self._observed.table), bet.unit
        else:
            self.values = law
            table, self.unit = over_one_denominator(law.outcomes.tolist(), "bet")
        self._each = np.array([Fraction(parts, self.unit) for parts in table], np.float64)
        self.law: Distribution = law
        if max([self.unit, *map(abs, table)]) > _MAX_PARTS:
            self._round()
        else:
            self.table: np.ndarray = np.array(table, dtype=np.int64)
        self.bets: int = bets_of_round(self._observed)
        self.law = shared(self.law, self.bets)
        if self._observed is not None:
            self.stated = RowClaim.beside(self)

    def _round(self) -> None:
        """Round the payout due for a stake of 1, and the law with it, where its denominator is too large.

        So are multipliers such as 99 / 33.33, with which operators compute in doubles.
        """
        largest = float(np.abs(self._each).max())
        if largest > MOST_PARTS:
            raise BadValue("bet", f"must return at most {MOST_PARTS:,} times its stake, got {largest:g}")
        # The larger the returns, the fewer decimals fit into 64 bits beside them.
        self._rounded, self.unit = True, min(ROUNDED, 10 ** int(math.log10(MOST_PARTS / max(largest, 1))))
        self.table = np.rint(self._each * self.unit).astype(np.int64)
        self.law = self.values.map([Fraction(parts, self.unit) for parts in self.table.tolist()])

    @property
    def game(self) -> Any:
        """The game that the bet is on; None if unknown."""
        return None if self._observed is None else self._observed.game

    @property
    def questions(self) -> list[str]:
        """The fields of a log that may state other bets."""
        return [] if self.stated is None else self.stated.questions

    @property
    def whole(self) -> int:
        """The number of parts in 1, all bets of a round together."""
        return self.unit * self.bets

    @property
    def looks(self) -> bool:
        """Whether outcomes determine the payout due, since the bet is on a known value of them."""
        return self._observed is not None

    @property
    def knows_due(self) -> bool:
        """Whether the payout due is known, and not only which amounts may be due."""
        return self.looks

    @property
    def says_returns(self) -> bool:
        """Whether returns depend on chance alone, and not on how a player plays a hand."""
        return self._by_chance

    @property
    def is_exact(self) -> bool:
        """Whether the payouts due are exact: not rounded, and independent of how a player plays."""
        return self.says_returns and not self._rounded

    @cached_property
    def amounts(self) -> np.ndarray:
        """The payouts that a row may be due, in parts and increasing, all bets of a round together."""
        due = over_one_denominator([*self.law.outcomes.tolist(), Fraction(1, self.whole)], "bet")
        scale = due[1] // (self.whole)
        return np.array([value // scale for value in due[0][:-1]], dtype=np.int64)

    @cached_property
    def _by_amount(self) -> bool:
        return self.bets > 1 or len(self.values) > MAX_CELLS

    def tally_amounts(self, settled: Settled) -> np.ndarray:
        """Return the number of rows due each of the `amounts`; impossible ones count for the last one."""
        if self.bets > 1:
            return bincount(self._amount_places(settled.parts), minlength=len(self.amounts))
        numbers, counts = settled.tally
        which = np.searchsorted(self.amounts, self.table[numbers])
        found = bincount(which, counts, len(self.amounts)).astype(np.int64)
        found[-1] += len(settled.parts) - counts.sum()
        return found

    def _amount_places(self, parts: np.ndarray) -> np.ndarray:
        """Return the index among `amounts` of each row's payout due."""
        return widened(np.minimum(np.searchsorted(self.amounts, parts), len(self.amounts) - 1))

    @cached_property
    def table_lines(self) -> list[Line]:
        """The lines of the paytable."""
        if self._by_amount:
            due = [Fraction(int(parts), self.whole) for parts in self.amounts]
            return [Line(float(amount), amount) for amount in due]
        labels = self.values.outcomes.tolist()
        return [
            Line(label_of(label), Fraction(int(parts), self.whole))
            for label, parts in zip(labels, self.table.tolist(), strict=True)
        ]

    def settle(self, records: Records) -> Settled:
        """Return the payouts due for the rows of a batch whose outcomes follow from their seeds, once.

        If outcomes don't determine it, the payout due is the amount nearest to the actual payout.
        """
        return records.kept(self, "", lambda: self._settle(records))

    def _settle(self, records: Records) -> Settled:
        kept = ~(records.untold if self.looks else records.unplayed)
        verified = int(kept.sum()) if self.fixed else 0
        kept &= records.of_parameters(self.fixed)
        others = verified - int(kept.sum()) if self.fixed else 0
        rows = rows_of(kept)
        amounts = [values[rows] for values in records.money]
        apart: list[Apart] = []
        given_back = None
        if self.looks:
            cells = self._cells(records.outcomes[rows])
        else:
            each = np.zeros(0)
            if amounts:
                there = _comparable(*amounts)
                all_rows = np.flatnonzero(kept)
                rows = all_rows[there]
                left = records.places[all_rows[~there]]
                apart = [Apart("", left, amounts[0][~there], amounts[1][~there], None)]
                if records.has("status"):  # such a payout isn't one of the bet's
                    back = called_off(records)[rows] & (records.money[0][rows] == records.money[1][rows])
                    given_back, rows = records.places[rows[back]], rows[~back]
                amounts = [values[rows] for values in records.money]
                each = amounts[1] / amounts[0]
            else:
                rows = np.zeros(0, np.int64)
            cells = self._nearest(each)[:, np.newaxis]
        settled = self._settled(records, rows, cells, amounts, apart, others)
        settled.given_back = given_back
        return settled

    def _settled(
        self,
        records: Records,
        rows: np.ndarray | slice,
        cells: np.ndarray,
        amounts: list[np.ndarray],
        apart: list[Apart],
        others: int = 0,
    ) -> Settled:
        """Return settled rows with these values of the bet; compare their amounts, if any."""
        cells = widened(cells)
        parts, possible = self._due(cells, self.table)
        came_up = tally(cells.ravel(), len(self.table))
        total = exact_sum(self.table[came_up.numbers] * came_up.counts)
        settled = Settled(rows, records.places[rows], cells, possible, parts, came_up, total, apart, others)
        if amounts:
            if len(self.table_lines) <= MAX_CELLS:
                settled.lines = self._amount_places(parts) if self._by_amount else cells[:, 0]
            exact = self._due(cells, self._each).amounts if self._rounded else None
            stated = None if self.stated is None else self.stated.settle_otherwise(self, settled, records)
            self._compare(settled, records, *amounts, exact=exact, apart=stated)
        return settled

    def _compare(
        self,
        settled: Settled,
        records: Records,
        staked: np.ndarray,
        paid: np.ndarray,
        *,
        exact: np.ndarray | None,
        apart: np.ndarray | None = None,
    ) -> None:
        """Compare payouts with those due, currency by currency; leave out a mask of rows."""
        unit = self.whole
        possible = settled.possible if apart is None else settled.possible & ~apart
        rows = Bets(settled.places, staked, paid, possible, settled.parts, unit, exact, float(self.unit))
        if settled.lines is not None:
            rows = rows._replace(lines=settled.lines, line_count=len(self.table_lines))
        if records.has("status"):
            back = called_off(records)[settled.rows] & possible & (staked > 0)
            settled.returned = back & (staked == paid)
            settled.unprofited = back & (paid == 0)
        for currency, which in _currencies(records, settled.rows):
            apart = self._add_money(settled, records, rows, which, currency, 0)
            if not len(apart):
                continue
            far = apart[_comparable(staked[apart], paid[apart])]
            lost = [np.setdiff1d(apart, far, assume_unique=True)]
            with np.errstate(over="ignore"):
                most = staked[far] * _BEYOND
            beyond = (np.abs(paid[far]) > most) & (settled.parts[far] < unit * _BEYOND / 10)
            paid = paid.copy()
            paid[far[beyond]] = np.copysign(most, paid[far])[beyond]
            rows, scale = rows._replace(paid=paid), -DECIMALS
            while len(far):
                scale += DECIMALS
                fits = np.logical_and(
                    *(Amounts.of(values[far] / 10.0**scale).there for values in (staked, paid))
                )
                if fits.any():
                    lost.append(self._add_money(settled, records, rows, far[fits], currency, scale))
                    far = far[~fits]
            left = np.sort(np.concatenate(lost))
            if len(left):
                parts = settled.parts[left] if self.knows_due else None
                settled.apart.append(
                    Apart(currency.name, settled.places[left], staked[left], paid[left], parts)
                )

    def _add_money(
        self,
        settled: Settled,
        records: Records,
        rows: Bets,
        which: np.ndarray | slice,
        currency: Currency,
        scale: int,
    ) -> np.ndarray:
        """Add the payouts of some settled rows; return the rows whose amounts don't fit the scale."""
        compared = Payouts.of(rows.some(which, scale))
        apart = compared.apart
        if not isinstance(which, slice):
            apart, compared.odd["row"] = which[apart], which[compared.odd["row"]]
        if (odd := compared.odd["row"]).size:
            each = rows.parts[odd] / rows.unit if rows.exact is None else rows.exact[odd]
            doubt = self._doubt(records, np.arange(records.count)[settled.rows][odd], each)
            doubt = np.minimum(doubt * (UNIT / 10.0**scale * rows.unit), FAR)
            compared.odd["doubt"] = np.ceil(doubt).astype(np.int64)
        back: list[Payouts | None] = []
        for mask in (settled.returned, settled.unprofited):
            those = np.zeros(0, np.int64) if mask is None else np.arange(len(mask))[which][mask[which]]
            back.append(Payouts.of(rows.some(those, scale)) if those.size else None)
        settled.money.append(Money(currency, scale, compared, *back))
        return apart

    def _doubt(self, records: Records, rows: np.ndarray, each: np.ndarray) -> np.ndarray:
        """Return by how much 32-bit floats may change what rows are due beyond what they were paid."""
        stakes, paid = (records.doubt(name, rows) for name in ("stake", "payout"))
        found: np.ndarray = stakes * np.abs(each) + paid
        return found

    def _nearest(self, each: np.ndarray) -> np.ndarray:
        """Return the indices of the values nearest to these returns of stakes of 1."""
        after = np.minimum(np.searchsorted(self._values, each), len(self._values) - 1)
        before = np.maximum(after - 1, 0)
        nearer = np.abs(self._values[after] - each) < np.abs(self._values[before] - each)
        return np.where(nearer, after, before)

    def _due(self, cells: np.ndarray, table: np.ndarray) -> _Due:
        """Return the payouts due for rows by a table."""
        columns = [cells[:, bet] for bet in range(cells.shape[1])]  # summing along rows is slower
        possible = np.logical_and.reduce([column >= 0 for column in columns])
        whole = bool(possible.all())
        due = [
            table.take(as_places(column)) if whole else np.where(column >= 0, table[column], 0)
            for column in columns
        ]
        return _Due(due[0] if len(due) == 1 else np.sum(due, axis=0), possible)

    @cached_property
    def _values(self) -> np.ndarray:
        return self.values.outcomes.astype(np.float64)

    def _cells(self, outcomes: np.ndarray) -> np.ndarray:
        """Return the indices of the values that the bet is on; -1 for impossible outcomes."""
        assert self._observed is not None
        shape = self.game.shape
        if (logged := outcomes.shape[1:]) != shape:
            if outcomes[:1].size != int(np.prod(shape)) and len(outcomes):
                raise BadValue("bet", f"must be on outcomes of shape {logged}, got {self.game!r} of {shape}")
            outcomes = outcomes.reshape(len(outcomes), *shape)
        try:
            return self._observed.places(outcomes)
        except ValueError:
            if len(outcomes) < 2:
                return np.full((len(outcomes), self.bets), _NOWHERE)
        half = len(outcomes) // 2
        return np.concatenate([self._cells(outcomes[:half]), self._cells(outcomes[half:])])


WAYS = ("first", "not below 0", "all paid", "all", "all as profits")
"""How logs write the money of hands with more than one bet, doubled, split or insured; see `HandsClaim`."""

ALL_STAKED = ("all", "all as profits")
"""Ways in which stakes are all bets of a hand."""

UNKNOWN = ("unknown", "unknown as profits")
"""Ways to read the money of hands whose play isn't known, with any number of bets."""


class HandsClaim(Claim):
    """The claim that hands are paid as their table pays: the stake, and the net win as they were played.

    Of rows whose play isn't known only one thing can be asked, whether the table may return what was paid.
    The rows of a `way`, one of `WAYS`, have more than one bet, and are read in this way; those of one of
    `UNKNOWN` aren't known; those of None have one bet.
    """

    knows_due = True  # of hands whose play is known
    says_returns = False  # they depend on the play as well
    others = "of insured hands, of whose bets only the rounded sum is in the log"
    _by_amount = True

    def __init__(self, table: Any, way: str | None = None) -> None:
        parts, self.bet_units = table.possible(), table.engine()[1]
        amounts = {Fraction(part, self.bet_units) for part in parts}
        shares = table.shared() if way in UNKNOWN else set()
        self._most = 3 if shares else 1  # bets that may be rounded by themselves: as of an insured hand
        amounts |= shares
        super().__init__(Distribution(sorted(amounts), [1] * len(amounts)))
        self.way: str | None = way
        if way in UNKNOWN:  # shares have so large a denominator that amounts wouldn't fit beside it
            self._round()

    def _doubt(self, records: Records, rows: np.ndarray, each: np.ndarray) -> np.ndarray:
        """Return the doubt of first bets, which may be read from all bets of a hand."""
        more = records.hands[2][rows] / self.bet_units if self.way else 0.0
        return super()._doubt(records, rows, np.abs(each) + more)

    def _settle(self, records: Records) -> Settled:
        """Return the payouts due by hands."""
        known, returned, staked = records.hands
        several = known & (staked != self.bet_units)
        amounts = records.money
        comparable = _comparable(*amounts) if amounts else np.ones(records.count, bool)
        if self.way is None:  # what can't be compared is set apart, whatever was bet
            kept = known & ~several | ~comparable
        else:
            kept = comparable & (~known if self.way in UNKNOWN else several)
        kept &= ~records.unplayed
        apart, left = list[Apart](), np.flatnonzero(kept & ~known & ~comparable)
        if len(left):
            apart = [Apart("", records.places[left], amounts[0][left], amounts[1][left], None)]
        kept &= known | comparable
        cut = np.zeros(0, bool)
        if self.way in ALL_STAKED and amounts:
            with np.errstate(all="ignore"):  # amounts that become infinite can't be compared
                first = amounts[0] / (staked / self.bet_units)
                near = np.round(first, DECIMALS)
                first = np.where(np.isclose(first, near, rtol=1e-15, atol=0), near, first)
                # Half bets may have been rounded before they were added: the first isn't known to the cent.
                cut = kept & (staked % self.bet_units != 0) & _is_finer(first, amounts[0][kept])
            kept &= ~cut
            amounts[0] = first
        if self.way in ("all paid", *ALL_STAKED) and amounts and records.has("status"):
            with np.errstate(over="ignore", invalid="ignore"):
                whole = np.isclose(amounts[1], amounts[0] * (staked / self.bet_units), rtol=1e-12, atol=0)
            # All bets that were given back are as the first one of other ways.
            amounts[1] = np.where(called_off(records) & whole, amounts[0], amounts[1])
        rows = np.flatnonzero(kept)
        amounts = [values[rows] for values in amounts]
        if self.way in UNKNOWN:
            if self.way != UNKNOWN[0] and amounts:
                with np.errstate(over="ignore"):
                    amounts[1] = amounts[1] + amounts[0]
            cells = self._nearest(amounts[1] / amounts[0]) if amounts else np.zeros(len(rows), np.int64)
            settled = self._settled(records, rows, cells[:, np.newaxis], amounts, apart)
            settled.bets = np.full(len(rows), self._most)
            return settled
        bets, due = staked[rows], returned[rows]
        # Logged payouts stay as they are: how they were rounded shows in their decimals.
        if self.way in ("all paid", "all"):
            due = due + bets - self.bet_units
        elif self.way == "not below 0" and amounts:
            due = np.where(amounts[1] == 0, np.maximum(due, 0), due)
        parts = due * self.unit // self.bet_units
        cells = np.searchsorted(self.table, parts)
        cells[self.table.take(cells, mode="clip") != parts] = _NOWHERE
        settled = self._settled(records, rows, cells[:, np.newaxis], amounts, apart, int(cut.sum()))
        # Insurance, half a bet, comes back threefold: so it counts as two bets.
        settled.bets = bets // self.bet_units + 2 * (bets % self.bet_units > 0)
        return settled


def _is_finer(values: np.ndarray, stakes: np.ndarray) -> np.ndarray:
    """Return which values have more decimals than any stake has."""
    places = (n for n in range(DECIMALS) if (np.round(stakes, n) == stakes).all())
    most = next(places, DECIMALS)
    found: np.ndarray = np.abs(values - np.round(values, most)) > 1 / UNIT
    return found & (most < DECIMALS)


def on_hands(bet: object, table: object) -> bool:
    """Return whether a bet may be on hands at a table, not on cards, on insurance, or at another table."""
    from provably_fair.bets import Bet

    if not isinstance(bet, Bet):
        return True
    sampler = getattr(bet.sampler, "sampler", bet.sampler)
    return isinstance(sampler, LawReturns) or (
        isinstance(sampler, HandReturns) and sampler.deal.table == table
    )


class RowClaim(Claim):
    """The bets that a log states row by row: they say what each row is due, but no one law.

    What is due counts in millionths of the stake; if that isn't exact for a bet of a batch, in doubles.
    """

    looks = True
    says_returns = is_exact = False  # there is no one law
    others = "whose columns don't state a bet on the game"
    untested = (
        "each row has the bet that its columns state: what it was paid is compared with that, and "
        "returns aren't tested"
    )

    def __init__(self, bets: RowBets) -> None:
        self.bet = COLUMNS
        self.row_bets: RowBets = bets
        self.fixed = {}
        self.unit, self.bets = ROUNDED, 1
        self._claims: dict[Any, Claim] = {}

    @classmethod
    def beside(cls, claim: Claim) -> RowClaim | None:
        """Return the bets on the same game that columns may state; None if the claim's isn't one of these."""
        assert claim._observed is not None
        bets, subject = RowBets(claim.game, {}), claim._observed.subject.keys()
        if not bets.questions or not subject <= bets.questions.keys():
            return None
        bets.first = subject.isdisjoint(claim.game.kind.counts.values())
        return cls(bets)

    @property
    def questions(self) -> list[str]:
        """The fields of a log that state the bets."""
        return [*self.row_bets.questions]

    @cached_property
    def table_lines(self) -> list[Line]:
        """The lines of the paytable: each bet has its own."""
        return []

    def _settle(self, records: Records) -> Settled:
        """Return the payouts due for rows by their own bets."""
        own = self.row_bets.of(records)
        kept = ~records.untold
        made = np.array([bet is not None for bet in own.bets])[own.which]
        settled = self._stated(records, np.flatnonzero(kept & made), own)
        unread = np.flatnonzero(kept & ~made)
        settled.others = len(unread)
        if len(unread) and not len(settled.parts):
            settled.unread = self.row_bets.unread(records, int(unread[0]))
        return settled

    def settle_otherwise(self, claim: Claim, settled: Settled, records: Records) -> np.ndarray | None:
        """Settle the rows whose columns state another bet than the claim, and return a mask of them.

        Rows that were paid what is nearer to the claim keep it: their columns may mean something else. Where
        nothing says what another bet pays, none is compared. Nor are rows that state no bet and got nothing.
        """
        if not any(records.has(name) for name in self.row_bets.questions):
            return None
        assert claim._observed is not None
        own, subject = self.row_bets.of(records), claim._observed.subject
        samplers = [None if bet is None else bet.sampler for bet in own.bets]
        differ = np.array([isinstance(one, ObservedReturns) and one.subject != subject for one in samplers])
        rows = np.arange(records.count)[settled.rows]
        stakes, paid = (values[rows] for values in records.money)
        # A stake that is given back is nearest to some bet's payout by chance alone.
        back = np.zeros(len(rows), bool)
        if records.has("status"):
            back = called_off(records)[rows] & ((paid == stakes) | (paid == 0))
        # Lost bets have profits below 0.
        profits = bool(np.count_nonzero(paid < 0) > np.count_nonzero((paid == 0) & ~back))
        mine = stakes * claim._due(settled.cells, claim._each).amounts / claim.bets
        apart: np.ndarray = differ[own.which[rows]] & ~back
        if ODDS in self.row_bets.questions and not records.has(ODDS):
            settled.others += int(apart.sum())
        elif apart.any():
            theirs = stakes[apart] * self._due_of(records, rows[apart], own).each
            apart[apart] = _is_nearer(stakes[apart], paid[apart], theirs, mine[apart], profits)
            settled.otherwise = self._stated(records, rows[apart], own)
        settled.left_out = int(apart.sum())
        unstated = ~np.array(own.stated)[own.which[rows]] & ~back
        settled.unstated_won = bool((unstated & (paid > 0)).any())
        unstated &= (paid == (-stakes if profits else 0)) & (mine > 0)
        settled.unstated = settled.places[unstated]
        apart |= unstated
        left = apart & settled.possible
        columns = (settled.places, stakes, paid, settled.parts)
        settled.aside = Apart("", *(values[left] for values in columns))
        return apart

    def _stated(self, records: Records, rows: np.ndarray, own: StatedBets) -> Settled:
        """Settle rows, whose bets are known."""
        due = self._due_of(records, rows, own)
        total = exact_sum(due.parts)
        cells = np.zeros((len(rows), 1), np.int64)
        tallied = tally(cells.ravel(), 1)
        settled = Settled(rows, records.places[rows], cells, due.possible, due.parts, tallied, total, [], 0)
        if money := records.money:
            staked, paid = (values[rows] for values in money)
            self._compare(settled, records, staked, paid, exact=None if due.exact else due.each)
        return settled

    def _due_of(self, records: Records, rows: np.ndarray, own: StatedBets) -> _DueOfRows:
        """Return the payouts due for rows by their own bets."""
        count = len(rows)
        found = _DueOfRows(np.zeros(count), np.zeros(count, np.int64), np.zeros(count, bool), True)
        which, outcomes = own.which[rows], records.outcomes
        order = np.argsort(which, kind="stable")
        starts = np.flatnonzero(np.diff(which[order], prepend=-1))
        for those in np.split(order, starts[1:]) if count else ():
            bet = own.bets[which[those[0]]]
            if bet not in self._claims:
                self._claims[bet] = Claim(bet)
            claim = self._claims[bet]
            cells, unit = claim._cells(outcomes[rows[those]]), claim.whole
            parts, found.possible[those] = claim._due(cells, claim.table)
            found.each[those] = claim._due(cells, claim._each).amounts / claim.bets
            if claim._rounded or (claim.table * self.unit % unit).any():
                found = found._replace(exact=False)
                found.parts[those] = np.rint(found.each[those] * self.unit)
            else:
                found.parts[those] = parts * self.unit // unit
        return found


def _is_nearer(
    stakes: np.ndarray, paid: np.ndarray, theirs: np.ndarray, mine: np.ndarray, profits: bool
) -> np.ndarray:
    """Return which rows were paid what is nearer to `theirs` than to `mine`, as payouts or as profits.

    It is whichever of these each row is nearer to, since a few rows don't show whether lost bets are below 0;
    `profits` is for rows that are equally near to both. Rows without an amount are nearer to theirs.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # amounts may be infinite
        off = np.abs([[each - theirs, each - mine] for each in (paid, paid + stakes)])
        gross, net = off.min(axis=1)
        as_profits = np.where(np.abs(net - gross) <= 1e-9 * stakes, profits, net < gross)
    their, own = np.where(as_profits, off[1], off[0])
    found: np.ndarray = ~(their >= own)
    return found


def _is_stake(stakes: np.ndarray, counted: Amounts) -> np.ndarray:
    """Return a mask of the stakes that are above 0 and large enough to be counted."""
    found: np.ndarray = (stakes > 0) & ~(counted.there & (counted.units == 0))
    return found


def _comparable(stakes: np.ndarray, paid: np.ndarray) -> np.ndarray:
    """Return a mask of the rows with a payout and a stake that is large enough to be counted."""
    found: np.ndarray = np.isfinite(stakes) & np.isfinite(paid) & _is_stake(stakes, Amounts.of(stakes))
    return found


def called_off(records: Records) -> np.ndarray:
    """Return a mask of the rows whose stake was given back, as their status says."""
    statuses, words = records.words("status")
    means = np.array([records.meaning("status", word) == "returned" for word in words], bool)
    found: np.ndarray = means[statuses]
    return found


def _currencies(records: Records, rows: np.ndarray | slice) -> Iterator[tuple[Currency, np.ndarray | slice]]:
    """Yield the currencies of amounts, and the rows of each."""
    if not (records.has("currency") or records.has("display_currency")):
        yield Currency(), slice(None)
        return
    (own, own_words), (shown, shown_words) = (
        records.words(name) if records.has(name) else (np.zeros(records.count, np.int64), [""])
        for name in ("currency", "display_currency")
    )
    pairs = (own * len(shown_words) + shown)[rows]
    for pair in np.unique(pairs).tolist():
        currency, other = own_words[pair // len(shown_words)], shown_words[pair % len(shown_words)]
        field, word = ("display_currency", other) if other else ("currency", currency)
        which = pairs == pair
        converted = bool(other) and other != currency
        yield Currency(word, records.meaning(field, word), converted), rows_of(which)


def label_of(value: object) -> Any:
    """Return an outcome in JSON's types."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if isinstance(value, (int, float, str)) else str(value)


def amount_text(value: float) -> str:
    """Return an amount as a decimal of up to eight places."""
    if isinstance(value, int):  # which may be larger than a double
        return str(value)
    return f"{value:.8f}".rstrip("0").rstrip(".")
