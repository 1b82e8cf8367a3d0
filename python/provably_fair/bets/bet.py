"""A bet: the law of its return for a stake of 1, and a sampler of rounds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from provably_fair._core.arguments import BadType, BadValue, threads_of
from provably_fair._core.counts import length
from provably_fair._core.progress import Progress
from provably_fair._core.table import LONGEST, Sheet, Tabular, short
from provably_fair.distribution import Distribution
from provably_fair.distribution.moments import mean_of
from provably_fair.distribution.sheets import law_strip
from provably_fair.seeds.series import seed_text, series

from .estimate import RtpEstimate, estimate
from .grinding import GrindingEstimate, GroundReturns, estimate_share, grinding_law, salts_of, share_of
from .interval import ReturnInterval, interval_of
from .long_run import LongRun
from .monitor import Monitor, UntilAlarm, rounds_until_alarm
from .observed import Observed, known_law
from .paths import BankrollPaths, simulate_paths
from .power import power, rounds_needed, rounds_within
from .pvalue import PValue, check_returns, pvalue_of
from .returns import ObservedReturns, PlayedReturns, Subject, law_of_round, paid_values, table_of
from .rounding import MoneyRounding, ReturnsByStake, least_stake, returns_by_stake, rounded_returns, unit_of
from .systems import BettingSystem
from .tilting import LawReturns, tilted_law
from .totals import Totals, given_once

Sampler = Callable[..., np.ndarray]
"""A sampler: rounds, ``seed``, ``start``, ``threads`` to returns in parts, shape (rounds, bets of a round).
"""


_FEW = 4  # up to this many amounts, the text lists them


@dataclass(frozen=True, repr=False)
class Bet(LongRun, Tabular):
    """A bet of 1: the law of its return, and rounds of it.

    Made by `bet` of a game, ``pf.Double().bet({0: 14})``, or of any law of returns, ``pf.bets.Bet(law)``. It
    is a value: frozen, hashable, and equal to another bet on the same game with the same payouts. Besides
    `rtp`, `house_edge` and `std`, what is needed most:

    - `returns` and `simulate`: what given rounds are paid, and simulated ones.
    - `test` and `interval`: whether observed returns follow the law, and which true returns they allow.
    - `sum` and `paths`: the exact law of the total of many bets, and simulated bankrolls.
    - `ruin` and `kelly`: the risk of a bankroll, and the fraction of it to bet.
    - `rounds_needed` and `monitor`: how many bets show another law, and a test that runs along with play.

    Attributes
    ----------
    law : Distribution or None
        The exact law of the return of a bet of 1; None where it isn't known.
    sampler : callable, optional
        Simulates rounds: from their number, ``seed``, ``start`` and ``threads`` to their returns in
        whole parts, an array of shape (rounds, bets of a round). By default they are drawn by the law.
    unit : int
        Number of parts in 1: returns are counted in whole parts.
    on : str
        Subject of the bet, in a few words.
    law_kind : {"ideal", "as_drawn"} or None
        Whether the law is of uniform draws, or of draws as the game's scheme makes them, rounding included;
        None without a law.
    law_error : float
        A bound on the difference between the return of rounds as drawn and that of the law: 0 as drawn; NaN
        where no bound is known, as of rounds whose draws depend on the answers to earlier ones.
    note : str
        Reservation about the return, if published rounds confirm little of it; else empty.

    Examples
    --------
    >>> bet = pf.Double().bet({0: 14}, law="ideal")
    >>> bet
    <Bet on Double(): pays 0 or 14, return 0.9333>
    >>> bet.law.weights, bet.rtp, bet.std
    ((14, 1), 0.9333333333333333, 3.492213560989012)

    A bet on any law of returns:

    >>> pf.bets.Bet(pf.Distribution([0, 1.5], [36, 64])).rtp
    0.96
    """

    law: Distribution | None
    sampler: Sampler = None  # type: ignore[assignment]  # the law is then sampled
    unit: int = field(default=1, kw_only=True)
    on: str = field(default="", kw_only=True)
    law_kind: Literal["ideal", "as_drawn"] | None = field(default="ideal", kw_only=True, compare=False)
    law_error: float = field(default=math.nan, kw_only=True, compare=False)
    note: str = field(default="", kw_only=True, compare=False)

    def __post_init__(self) -> None:
        if self.law is None:
            object.__setattr__(self, "law_kind", None)
        if self.sampler is None:
            returns = LawReturns(known_law(self.law, "a bet without a sampler"))
            object.__setattr__(self, "sampler", returns)
            object.__setattr__(self, "unit", returns.unit)

    @classmethod
    def on_values(
        cls,
        game: Any,
        values: Distribution,
        payout: Any,
        *,
        subject: Mapping[str, object],
        wins: Any = None,
        pays: bool = False,
    ) -> Bet:
        """Make a bet on what a game's subject is observed to be; `bet` of a game calls it.

        `values` is the law of the `subject`, which are keyword arguments of the game's ``observe``. A number
        as `payout` is paid where the value is that which `wins`; None stands for the values themselves, if
        these are what a bet of 1 is paid (`pays`).

        Examples
        --------
        >>> from provably_fair.bets import Bet
        >>> game = pf.Dice()
        >>> Bet.on_values(game, game.distribution(under=50), 1.98, subject={"under": 50}, wins=1).exact_rtp
        Fraction(9900, 10001)
        """
        paid = paid_values(values, payout, wins=wins, pays=pays)
        table, unit = table_of(paid)
        described = Subject(subject)
        sampler = ObservedReturns(game, described, values, tuple(table.tolist()))
        return cls(values.map(paid), sampler, unit=unit, on=_on(game, described))

    @classmethod
    def without_law(
        cls, game: Any, payout: Any, *, subject: Mapping[str, object], wins: Any = None, note: str = ""
    ) -> Bet:
        """Make a bet on what a game's subject is observed to be, whose law isn't known; see `on_values`.

        Examples
        --------
        >>> game = pf.Dice()
        >>> pf.bets.Bet.without_law(game, 1.98, subject={"under": 50}, wins=1)
        <Bet on Dice(), under=50: no exact law, return nan>
        """
        described = Subject(subject)
        sampler = PlayedReturns(game, described, Subject({"payout": payout, "wins": wins}))
        return cls(None, sampler, unit=sampler.unit, on=_on(game, described), note=note)

    @cached_property
    def exact_rtp(self) -> Fraction | None:
        """The return to player as a Fraction; None if unknown.

        A law computed in floating point has no exact value and raises a ValueError: use `rtp`.
        """
        return None if self.law is None else self.law.mean(exact=True)

    @property
    def rtp(self) -> float:
        """The return to player: the average return of a bet of 1."""
        return float(self._rtp)

    @cached_property
    def _rtp(self) -> Fraction | float:
        """The return to player by the law's probabilities; NaN if unknown."""
        return math.nan if self.law is None else mean_of(self.law)

    @property
    def exact_house_edge(self) -> Fraction | None:
        """The average share of a stake that the house keeps, as a Fraction; None if unknown."""
        return None if self.exact_rtp is None else 1 - self.exact_rtp

    @property
    def house_edge(self) -> float:
        """The average share of a stake that the house keeps."""
        return float(1 - self._rtp)

    @property
    def std(self) -> float:
        """The standard deviation of the return of a bet of 1; NaN where the law isn't known."""
        return math.nan if self.law is None else self.law.std()

    @property
    def skew(self) -> float:
        """The skewness of the return of a bet of 1: above 0 where wins are rare and large."""
        return math.nan if self.law is None else self.law.skew()

    @property
    def kurtosis(self) -> float:
        """The excess kurtosis of the return of a bet of 1: 0 for a normal law."""
        return math.nan if self.law is None else self.law.kurtosis()

    @property
    def hit_frequency(self) -> float:
        """The probability that the return is above 0."""
        return math.nan if self.law is None else float(self.law.sf(0))

    @property
    def volatility(self) -> float:
        """The volatility index: 1.645 standard deviations of the return of one bet.

        For large n, the average return of n bets deviates from `rtp` by more than this, divided by the square
        root of n, in one of ten histories.
        """
        return NormalDist().inv_cdf(0.95) * self.std

    def __repr__(self) -> str:
        about = f" on {self.on}" if self.on else ""
        paid = "no exact law" if self.law is None else f"pays {_amounts(self.law)}"
        ending = f": {paid}, return {short(self.rtp)}>"
        return f"<Bet{about[: LONGEST - 4 - len(ending)]}{ending}"

    def _sheet(self) -> Sheet:
        facts = {
            "return to player": self.rtp,
            "house edge": self.house_edge,
            "standard deviation": self.std,
            "skewness": self.skew,
            "hit frequency": self.hit_frequency,
            "volatility index": self.volatility,
        }
        law = self.law
        none = "no exact law: estimate(rounds) simulates the mean"
        rows = [("returns", none if law is None else _amounts(law))]
        rows += [(name, short(value)) for name, value in facts.items() if not math.isnan(value)]
        off = self.law_error
        if self.law_kind == "as_drawn" and law is not None:
            rows.append(("law", "as drawn"))
        elif not math.isnan(off):
            rows.append(("law", f"ideal, the return is within {short(off)}"))
        elif isinstance(self.sampler, ObservedReturns):
            rows.append(("law", "ideal, no bound on its error is known"))
        if self.note:
            rows.append(("note", self.note))
        title = f"Bet of 1 on {self.on}" if self.on else "Bet of 1"
        return Sheet(title, ("", ""), rows, "lr", None if law is None else lambda: law_strip(law))

    def _columns(self) -> dict[str, Any]:
        if self.law is None:
            return {"return": [], "probability": []}
        return {"return": self.law.outcomes, "probability": self.law.probabilities}

    # Rounded payouts

    def rounded(self, unit: object = "0.01", stake: object = 1, rounding: str = "down") -> Bet:
        """Return the bet as it is paid at a stake, in whole units of money.

        Parameters
        ----------
        unit : number or str
            The smallest amount that is paid. Text, decimals and fractions are exact; a float stands for the
            decimal that it is shown as.
        stake : number or str
            The stake of each bet, exact in the same way. It needn't be a multiple of `unit`. Where balls or
            spins share the stake of a round, it is that of one of them.
        rounding : {"down", "up", "half_up", "half_even"}
            Rounding of a payout to a whole number of units, as in `decimal`: "down" is toward 0.

        Returns
        -------
        Bet
            The bet whose returns, per 1 staked, are the rounded ones. A payout of x is paid as
            round(x * stake / unit) * unit / stake.

        See Also
        --------
        rtp_by_stake : The return at many stakes.
        least_stake : From which stake on rounding hardly matters.

        Examples
        --------
        >>> bet = pf.Dice().bet(1.98, under=50, law="ideal")
        >>> bet.rounded("0.01", stake="0.01").law.outcomes.tolist()  # 0.0198 is paid as 0.01
        [0, 1]
        >>> round(bet.rtp, 4), round(bet.rounded("0.01", stake="0.01").rtp, 4)
        (0.9899, 0.5)
        >>> bet.rounded("0.01", stake="0.5").exact_rtp == bet.exact_rtp
        True
        """
        rule = MoneyRounding.read(unit, rounding)
        law, returns, rounded_as = rounded_returns(self.law, self.sampler, self.unit, rule, stake)
        return Bet(
            law,
            returns,
            unit=returns.unit,
            on=", ".join(filter(None, (self.on, rounded_as))),
            law_kind=self.law_kind,
            law_error=self.law_error and math.nan,
            note=self.note,
        )

    def rtp_by_stake(self, stakes: object, unit: object = "0.01", rounding: str = "down") -> ReturnsByStake:
        """Return the return to player at each of some stakes, as it is paid in whole units; see `rounded`.

        The table has the columns ``stake`` (as given), ``rtp`` and ``exact_rtp``; ``.plot()`` draws it.

        Examples
        --------
        >>> bet = pf.Plinko(pins=8).bet([5.6, 2.1, 1.1, 1, 0.5, 1, 1.1, 2.1, 5.6], law="ideal")
        >>> print(bet.rtp_by_stake(["0.01", "0.05", "0.1", "1"], unit="0.01"))
        Return by stake, paid in units of 0.01, rounded down
        stake    return
         0.01  0.820312
         0.05  0.934375
          0.1  0.989844
            1  0.989844
        without rounding 0.989844
        """
        law = known_law(self.law, "rtp_by_stake")
        return returns_by_stake(law, stakes, MoneyRounding.read(unit, rounding))

    def least_stake(
        self,
        within: object,
        *,
        unit: object = None,
        currency: str | None = None,
        rounding: str = "down",
        lasting: bool = False,
    ) -> Fraction:
        """Return the least stake at which rounding moves the return by at most a margin.

        Stakes are whole numbers of units. The return is the claimed one at stakes whose payouts are whole
        amounts, so that it may be near that at a small stake and farther from it at a larger one.

        Parameters
        ----------
        within : number or str
            The largest absolute difference from `rtp`: "0.0005" is 0.05 points of return.
        unit : number or str, optional
            See `rounded`.
        currency : str, optional
            Instead of a unit, the code of a currency or coin: ``"EUR"`` has cents, ``"BTC"`` eight decimals.
        rounding : {"down", "up", "half_up", "half_even"}
            See `rounded`.
        lasting : bool
            Whether the return must be within the margin at all larger stakes, too.

        Returns
        -------
        fractions.Fraction
            The stake.

        Examples
        --------
        >>> bet = pf.Dice().bet(1.98, under=50)
        >>> float(bet.least_stake("0.001", currency="EUR"))
        0.46
        >>> float(bet.least_stake("0.001", currency="EUR", lasting=True))
        4.55
        >>> f"{float(bet.least_stake('0.001', currency='BTC')):.8f}"
        '0.00000046'
        """
        if not isinstance(lasting, (bool, np.bool_)):
            raise BadType("lasting", f"must be True or False, got {type(lasting).__name__}")
        rule = MoneyRounding.read(unit_of(unit, currency), rounding)
        return least_stake(known_law(self.law, "least_stake"), within, rule, bool(lasting))

    # Rounds

    def draw(
        self, rounds: int, *, seed: int | str = 0, start: int = 0, threads: int | None = None
    ) -> np.ndarray:
        """Simulate the returns of rounds in whole parts, of which `unit` make 1; see `simulate`.

        Their shape is (rounds, bets of a round): of several balls or spins, each is a bet.

        Examples
        --------
        >>> bet = pf.Double().bet({0: 14, 1: 0.5})
        >>> bet.unit, np.unique(bet.draw(1000)).tolist()
        (2, [0, 1, 28])
        """
        return self.sampler(rounds, seed=seed, start=start, threads=threads)

    def simulate(
        self, rounds: int, *, seed: int | str = 0, start: int = 0, threads: int | None = None
    ) -> np.ndarray:
        """Simulate the return of a bet of 1 in many rounds.

        Parameters
        ----------
        rounds, seed, start, threads
            See `Game.simulate`.

        Returns
        -------
        numpy.ndarray
            Shape (rounds,), float64. The balls or spins of a round share its stake.

        Examples
        --------
        >>> pf.Double().bet({0: 14}).simulate(10)
        array([0., 0., 0., 0., 0., 0., 0., 0., 0., 0.])
        """
        rounds, name, start = series(rounds, seed, start)
        parts = self.sampler(rounds, seed=name, start=start, threads=threads_of(threads))
        return self._of_rounds(parts)

    def returns(self, outcomes: ArrayLike) -> np.ndarray:
        """Return what a bet of 1 is paid in given rounds, many or one.

        Parameters
        ----------
        outcomes : array-like
            The outcomes of many rounds, or of one, as `play` and `simulate` of the game give them.

        Returns
        -------
        numpy.ndarray or numpy.float64
            Shape (rounds,), float64; of one round a number. The balls or spins of a round share its stake.

        Raises
        ------
        TypeError, ValueError
            When the bet isn't on outcomes of a game, as those of a law alone and of cards that are played at
            a table (`replay` settles these), or when the game has no such outcome.

        See Also
        --------
        test : The p-value of such returns.

        Examples
        --------
        >>> game = pf.Double()
        >>> bet = game.bet({0: 14, 7: 2.5})
        >>> bet.returns([0, 7, 3])
        array([14. ,  2.5,  0. ])
        >>> outcomes = game.play("server", "client", ["salt 1", "salt 2", "salt 3"])
        >>> outcomes, bet.returns(outcomes)
        (array([0, 3, 4]), array([14.,  0.,  0.]))
        >>> float(bet.returns(game.play("server", "client", "salt 1")))
        14.0
        """
        of = getattr(self.sampler, "of", None)
        if of is None:
            raise BadType("outcomes", f"isn't supported with {self!r}: it isn't on outcomes of a game")
        return self._of_rounds(of(outcomes))

    def _of_rounds(self, parts: np.ndarray) -> np.ndarray:
        """Return the return of each round, or of one, as a float, from its bets' returns in parts."""
        back: np.ndarray = np.asarray(parts.mean(axis=-1) / self.unit, np.float64)[()]
        return back

    def estimate(
        self,
        rounds: int,
        *,
        stake: object = 1,
        seed: int | str = 0,
        confidence: float = 0.95,
        threads: int | None = None,
    ) -> RtpEstimate:
        """Simulate the bet, and set its return to player beside the exact value.

        Two calls give the same rounds unless `seed` differs.

        Parameters
        ----------
        rounds : int
            The number of rounds, at least 2.
        stake : number, array-like or callable
            The stake: the same in all rounds, one for each round, or a function of the round's number, an
            int64 array, to stakes.
        seed, threads
            See `simulate`.
        confidence : float
            The level of the interval.

        Returns
        -------
        RtpEstimate
            ``.rtp``, ``.low``, ``.high``, ``.exact_rtp``, and ``.method``, that of the interval. By the law
            it holds for skewed bets too, at any number of rounds.

        Examples
        --------
        >>> estimate = pf.Crash().bet(cash_out=2).estimate(100_000)
        >>> round(float(estimate.exact_rtp), 10), abs(estimate.rtp - estimate.exact_rtp) < 0.01
        (0.95238, True)
        >>> pf.Dice().bet(1.98, under=50).estimate(1000).covers
        True
        """
        return estimate(self, rounds, stake, seed, confidence, threads)

    def paths(
        self,
        rounds: int,
        *,
        paths: int = 100,
        bankroll: float = 100.0,
        stake: float | Callable[[np.ndarray], object] | BettingSystem = 1.0,
        seed: int | str = 0,
        threads: int | None = None,
        progress: Progress = False,
    ) -> BankrollPaths:
        """Simulate bankrolls that bet round after round, until the last round or ruin.

        Two calls give the same rounds unless `seed` differs. Amounts are exact: floats stand for the decimals
        that they are shown as. A bankroll that doesn't cover its stake bets nothing.

        Parameters
        ----------
        rounds : int
            The number of rounds of each path.
        paths : int
            The number of paths. Path i takes the salts from number i * rounds on.
        bankroll : float
            Initial bankroll of each path.
        stake : float, callable or BettingSystem
            The stake; a function of the bankrolls, shape (paths,), to stakes; or a betting system, which
            remembers what happened before.
        seed, threads
            See `simulate`.
        progress : bool or callable
            Whether to show a progress bar (by tqdm), or a function of the rounds done and the total, of all
            paths together. The first half of the bar is drawing the outcomes.

        Returns
        -------
        BankrollPaths
            ``.values``, shape (paths, rounds + 1), and ``.plot()``.

        Examples
        --------
        >>> paths = pf.Double().bet({0: 14}).paths(50, paths=20)
        >>> paths.values.shape, paths.exact_rtp < 1
        ((20, 51), True)
        >>> float(pf.Dice().bet(2, under=0).paths(10, bankroll=1.0, stake=0.1).values[0, -1])
        0.0
        """
        return simulate_paths(self, rounds, paths, bankroll, stake, seed, threads, progress)

    def test(
        self,
        returns: ArrayLike | None = None,
        alternative: str = "two-sided",
        *,
        total: object = None,
        rounds: object = None,
        stakes: object = 1,
        within: float = 0.0,
        valid: str = "fixed stakes",
    ) -> PValue:
        """Test whether observed returns follow the law of the bet, from rows or from totals alone.

        Parameters
        ----------
        returns : array-like of float, shape (N,)
            The return of each round, the stake included, which its balls or spins share. One is enough.
        alternative : {"two-sided", "less", "greater"}
            "less" tests whether the returns are too small, "greater" whether they are too large.
        total : number
            Instead of returns: the total return of all rounds. A total that was rounded, and so is no sum of
            the bet's amounts, is tested as it is.
        rounds : int
            The number of rounds of `total`.
        stakes : number or array-like, shape (N,)
            The stakes. For bets that differ by row, see `check_returns`.
        within : float
            The largest rounding error of an amount, for logs whose amounts are rounded.
        valid : {"fixed stakes", "any stakes"}
            Conditions under which the p-value holds. "fixed stakes": stakes and the number of bets don't
            depend on earlier returns; the p-value is that of the sum's law. "any stakes": they may depend on
            them in any way (double after a loss, stop when ahead); the p-value is from betting against the
            law, and returns must be in the order of play.

        Returns
        -------
        PValue
            A float with the method by which it was computed.

        Raises
        ------
        ValueError
            When the bet's law isn't known.

        Notes
        -----
        For fixed stakes, the p-value is the probability under the law of returns of at most ("less") or at
        least ("greater") the observed total. The two-sided p-value is twice the smaller one, at most 1. For
        equal bets with two amounts, one of which may be 0, it is the probability of all counts of the larger
        one that are no more likely than the observed one, as in `scipy.stats.binomtest`. An impossible amount
        makes the p-value 0.

        If stakes depend on earlier outcomes, that p-value is wrong: for players who double after each loss,
        it rejects far more fair games than it should. For any stakes, imagine a gambler who starts with 1
        and, before each bet, wagers that it returns less, or more, than the law says. The p-value is 1 over
        the gambler's largest wealth: an e-value, valid at every look (Ville's inequality). It is larger than
        the other p-value, and needs about twice as many bets.

        Examples
        --------
        >>> bet = pf.Plinko(pins=8).bet([10, 3, 1, 0.5, 0.4, 0.5, 1, 3, 10])
        >>> bet.test(bet.simulate(1000)) > 0.01, bet.test([10, 10, 3], "greater")
        (True, 1.19...e-05)

        A month of which only the totals are known:

        >>> dice = pf.Dice().bet(1.98, under=50)
        >>> dice.test(total=970_200, rounds=1_000_000, alternative="less") < 1e-6
        True

        A player who doubles after each loss, and loses three rounds of four:

        >>> dice, stakes = pf.Dice().bet(2, under=50), [1, 2, 4, 8] * 25
        >>> found = dice.test([0, 0, 0, 16] * 25, "less", stakes=stakes, valid="any stakes")
        >>> found.method, found < 0.05
        ('e-value', True)
        """
        law = law_of_round(self, "a test")
        if not given_once(returns, total, rounds) or returns is None:
            return check_returns(
                [self],
                total=total,
                rounds=rounds,
                stakes=stakes,
                alternative=alternative,
                within=within,
                valid=valid,
            )
        return pvalue_of([(law, Observed(law, returns, stakes, within))], alternative, valid)

    def interval(
        self,
        returns: ArrayLike | None = None,
        *,
        total: object = None,
        rounds: object = None,
        confidence: float = 0.95,
        stakes: object = 1,
        within: float = 0.0,
        valid: str = "tilted law",
        progress: Progress = False,
    ) -> ReturnInterval:
        """Return a confidence interval for the true return, from rows or from totals alone.

        For bets with more than two amounts it takes a second or more, for many bets or stakes some ten: sums
        of all bets are transformed for each law that is tried.

        Parameters
        ----------
        returns, total, rounds, stakes, within
            See `test`.
        confidence : float
            The level of the interval.
        valid : {"tilted law", "any law"}
            The laws for which the interval holds. "tilted law": the bet's own law, with larger amounts more,
            or less, likely by a factor that grows with the amount; for bets with two amounts, that is any law
            of the two. "any law": every law with amounts between the bet's least and its largest and a
            constant mean, however stakes depend on earlier outcomes; it is wider, and needs the rows in the
            order of play.
        progress : bool or callable
            Where laws are tried: whether to show a progress bar (by tqdm), or a function of the sums computed
            and the most there usually are.

        Returns
        -------
        ReturnInterval
            A pair of ``.low`` and ``.high``; ``.method`` says how they were computed.

        Raises
        ------
        ValueError
            When the bet's law isn't known.

        Examples
        --------
        >>> bet = pf.Plinko(pins=8).bet([10, 3, 1, 0.5, 0.4, 0.5, 1, 3, 10])
        >>> low, high = bet.interval(bet.simulate(10_000))
        >>> low < bet.rtp < high
        True
        >>> print(pf.Dice().bet(1.98, under=50).interval(total=970_200, rounds=1_000_000, confidence=0.99))
        return 0.970200 of 1,000,000 bets, 99% interval 0.967650 to 0.972751 (exact, by Clopper and
        Pearson); claimed 0.989901
        """
        law = law_of_round(self, "an interval")
        if given_once(returns, total, rounds):
            assert returns is not None
            seen = Observed(law, returns, stakes, within)
            return interval_of(law, Totals.of_rows([(law, seen)]), confidence, valid, seen, progress)
        totals = Totals.given([law], [rounds], total, stakes, within)
        return interval_of(law, totals, confidence, valid, None, progress)

    def rounds_within(self, margin: float, probability: float) -> int:
        """Return how many rounds estimate `rtp` to within a margin, with a given probability.

        Parameters
        ----------
        margin : float
            The largest absolute difference: 0.005 is half a point of return.
        probability : float
            The probability that the return of the rounds is within the margin.

        Returns
        -------
        int
            The least number of rounds with equal stakes. Sums are discrete, so with a few more rounds the
            probability can be slightly smaller. For skewed bets with too many amounts, and for those with
            amounts close together, such as 2 and 2.01, it is a number that suffices, but may be some percent
            larger.

        Examples
        --------
        >>> bet = pf.Dice().bet(1.98, under=50)
        >>> bet.rounds_within(0.005, 0.95)
        150288
        """
        return rounds_within(law_of_round(self, "rounds_within"), margin, probability)

    def monitor(self, *, confidence: float = 0.95) -> Monitor:
        """Return a `Monitor`, which takes in returns as they come and is valid at every look.

        Examples
        --------
        >>> monitor = pf.Double().bet({0: 14}).monitor()
        >>> monitor.update([0.0] * 200).pvalue < 0.001  # not one win in 200
        True
        """
        return Monitor(law_of_round(self, "a monitor"), confidence=confidence)

    def power(self, alternative: Bet | Distribution, n: int, *, level: float = 0.01) -> float:
        """Return the power of `test`: the probability that it rejects the bet if another law holds.

        It is the power of the total. Given the returns, `test` rejects the first that the bet can't make, as
        one of another paytable.

        Parameters
        ----------
        alternative : Bet or Distribution
            The true bet or law, such as `after_grinding(2)` or the bet with another paytable.
        n : int
            The number of bets, from 1 to 2**40.
        level : float
            The test rejects if the p-value is at most this. It is one-sided: "less" if the alternative
            returns less, otherwise "greater".

        Returns
        -------
        float
            The probability.

        Examples
        --------
        >>> bet = pf.Dice().bet(2, under=49.5)
        >>> round(bet.power(bet.after_grinding(2), 50), 3)
        0.916
        """
        return power(law_of_round(self, "power"), _law_of(alternative), n, level)

    def rounds_needed(
        self,
        alternative: Bet | Distribution | None = None,
        *by_place: float,
        level: float = 0.01,
        power: float = 0.9,
        rtp: float | None = None,
    ) -> int:
        """Return how many bets it takes to detect another law: the least number with enough `power`.

        The test is one-sided, as that of `power`: it looks for too small a return if the other law returns
        less. Sums are discrete, so the power doesn't rise evenly: from one number of bets to the next it can
        fall a little. Use `power` for the power of another number.

        Parameters
        ----------
        alternative, level
            See `power`.
        power : float
            The probability with which the test must reject.
        *by_place : float
            `level` and `power`, in this order, after the alternative.
        rtp : number, optional
            Instead of a law, the true return to player: that of the law ``tilted(rtp)``.

        Returns
        -------
        int
            The number of bets.

        Examples
        --------
        >>> bet = pf.Dice().bet(2, under=49.5)
        >>> bet.rounds_needed(bet.after_grinding(2), level=0.01, power=0.9)
        50
        >>> bet.rounds_needed(bet.after_grinding(2, share=0.05), level=0.01, power=0.9)
        20825

        A return of 98 %, whatever makes it:

        >>> pf.Plinko().bet(lambda bucket: (bucket - 8) ** 2 / 4).rounds_needed(rtp=0.98)
        60003
        """
        law = law_of_round(self, "rounds_needed")
        if (alternative is None) == (rtp is None):
            raise BadValue("alternative", "or rtp must be given, and not both")
        if len(by_place) > 2:
            raise BadType("by_place", f"must be level and power, got {len(by_place)} values")
        level, power = [*by_place, *(level, power)[len(by_place) :]]
        other = _law_of(alternative) if rtp is None else tilted_law(law, rtp)
        return rounds_needed(law, other, level, power)

    def tilted(self, rtp: float) -> Bet:
        """Return the bet with another return to player: its exponentially tilted law.

        Parameters
        ----------
        rtp : number
            The return to player, between the bet's smallest and its largest amount. A float stands for the
            decimal that it is shown as.

        Returns
        -------
        Bet
            Its law has exactly this return. It can be simulated, by draws of its own.

        Notes
        -----
        An amount x of probability p(x) has the probability q(x) = p(x) exp(t x) / sum p(y) exp(t y), with
        the t that makes the mean `rtp`: the Esscher transform [1]_. Of all laws with this mean, it has the
        least relative entropy to the bet's own [2]_: whatever makes the return wrong, no way of doing it is
        harder to detect in the long run. For two amounts it is the only law. The probabilities are doubles,
        and in their last digits such that the mean is exact.

        .. [1] F. Esscher, "On the probability function in the collective theory of risk", Skandinavisk
           Aktuarietidskrift 15 (1932), 175-195.
        .. [2] I. Csiszár, "I-divergence geometry of probability distributions and minimization problems",
           Annals of Probability 3 (1975), 146-158.

        Examples
        --------
        >>> bet = pf.Plinko(pins=8).bet([10, 3, 1, 0.5, 0.4, 0.5, 1, 3, 10])
        >>> poorer = bet.tilted(0.8)
        >>> round(bet.rtp, 6), poorer.exact_rtp, round(poorer.law.pmf(10) / bet.law.pmf(10), 3)
        (0.8125, Fraction(4, 5), np.float64(0.893))
        """
        law = tilted_law(law_of_round(self, "tilted"), rtp)
        return Bet(law, on=f"{self.on}, tilted to a return of {short(rtp)}")

    def rounds_until_alarm(
        self, alternative: Bet | Distribution, *, level: float = 0.01, sets: int = 400, seed: int | str = 0
    ) -> UntilAlarm:
        """Return how many bets a `monitor` takes to see another law, by simulation.

        Parameters
        ----------
        alternative : Bet or Distribution
            The true bet or law, as for `power`.
        level : float
            The alarm is a `pvalue` of the monitor of at most this.
        sets : int
            The number of simulations, from 2.
        seed : int or str
            The seed of the simulations.

        Returns
        -------
        UntilAlarm
            ``.mean`` with its interval, ``.low`` and ``.high``, ``.median``, and ``.bound``, which no
            monitor of this level is below on average.

        Examples
        --------
        >>> bet = pf.Dice().bet(2, under=49.5)
        >>> found = bet.rounds_until_alarm(bet.after_grinding(2), sets=100)
        >>> bool(found.bound < found.low < found.mean < found.high < 80)
        True
        """
        rng = np.random.default_rng(list(seed_text(seed).encode()))
        law = law_of_round(self, "rounds_until_alarm")
        return rounds_until_alarm(law, _law_of(alternative), level, sets, rng)

    def after_grinding(self, salts: int = 2, *, share: object = 1) -> Bet:
        """Return the bet against an operator who draws several salts and plays the one that pays least.

        Every such round verifies, unless the operator committed to its salts.

        Parameters
        ----------
        salts : int
            The number of salts that the operator draws.
        share : number
            The share of the rounds in which it does so, from 0 to 1.

        Returns
        -------
        Bet
            Its law is that of the least of this many returns, mixed with the bet's own. It can be simulated,
            unless several balls or spins share the stake of a round.

        Examples
        --------
        >>> bet = pf.Plinko().bet(lambda bucket: (bucket - 8) ** 2 / 4)
        >>> always, seldom = bet.after_grinding(2), bet.after_grinding(2, share=0.1)
        >>> round(bet.rtp, 3), round(always.rtp, 3), round(seldom.rtp, 3)
        (1.0, 0.383, 0.938)
        """
        tried, part = salts_of(salts), share_of(share)
        law = grinding_law(law_of_round(self, "grinding"), tried, part)
        sampler = GroundReturns(self.sampler, tried, part)
        often = "" if part == 1 else f" in {float(part):.4g} of rounds"
        return Bet(law, sampler, unit=self.unit, on=f"{self.on}, worst of {tried} salts{often}")

    def grinding_share(
        self,
        returns: ArrayLike,
        salts: int = 2,
        *,
        confidence: float = 0.95,
        stakes: object = 1,
        within: float = 0.0,
    ) -> GrindingEstimate:
        """Estimate the share of rounds in which an operator ground, with its interval.

        Parameters
        ----------
        returns, stakes, within
            See `test`.
        salts : int
            The number of salts assumed in a ground round, from 2.
        confidence : float
            The level of the interval.

        Returns
        -------
        GrindingEstimate
            ``.share``, ``.low``, ``.high``.

        Examples
        --------
        >>> bet = pf.Dice().bet(2, under=49.5)
        >>> found = bet.grinding_share(bet.after_grinding(2, share=0.3).simulate(20_000))
        >>> found.low < 0.3 < found.high
        True
        """
        law = law_of_round(self, "grinding")
        return estimate_share(law, Observed(law, returns, stakes, within), salts_of(salts), confidence)


def _on(game: Any, subject: Subject) -> str:
    return ", ".join(filter(None, (repr(game), str(subject))))


def _law_of(alternative: object) -> Distribution:
    if isinstance(alternative, Bet):
        return law_of_round(alternative, "power")
    if not isinstance(alternative, Distribution):
        raise BadType("alternative", f"must be a Bet or a Distribution, got {type(alternative).__name__}")
    return alternative


def _amounts(law: Distribution) -> str:
    """Describe the returns of a law's bet in a few words."""
    if length(law) > _FEW:
        return f"{length(law)} amounts from {short(law.outcomes[0])} to {short(law.outcomes[-1])}"
    *first, last = (short(amount) for amount in law.outcomes.tolist())
    return f"{', '.join(first)} or {last}" if first else last
