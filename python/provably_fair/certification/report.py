"""Laboratory reports: the requirements of a standard, clause by clause, with results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import ClassVar, Literal

from provably_fair._core.arguments import choice, integer, probability
from provably_fair._core.optional import optional
from provably_fair._core.printable import html
from provably_fair._core.report import TONES, Case, Report, finite, section
from provably_fair._core.table import Colored, displayed, html_table, text_table
from provably_fair._core.types import Columns, JsonDict
from provably_fair._engine import __version__
from provably_fair.distribution.sequences import FairnessMaterial
from provably_fair.games import Game
from provably_fair.games.naming import typed_name
from provably_fair.names import given_game
from provably_fair.statistics import holm
from provably_fair.statistics.by_symbol import smallest_by_symbol
from provably_fair.statistics.registry import BY_NAME, results_of
from provably_fair.statistics.resampling import Judgment

from .data import Data, data_of
from .scaling import MOST, scaled
from .standards import SEEN, STANDARDS, Demand

Result = Literal["passed", "failed", "proved", "not applicable", "not shown"]

_TONES = {
    "passed": TONES["good"],
    "proved": TONES["good"],
    "failed": TONES["bad"],
    "not shown": TONES["open"],
}
_NOTHING = {
    "interplay": "a play has one value",
    "duplicates": "equal plays are so common by chance that other tests cover them",
}


@displayed
@dataclass(frozen=True)
class Clause:
    """One clause of a standard, with its result.

    Attributes
    ----------
    number : str
        Its number in the standard.
    text : str
        The requirement, in our own words.
    test : str
        The name of the test, or "proof", or "".
    hypothesis : str
        The hypothesis that is tested or proved.
    statistic : float or None
        The test's statistic; for several sequences, that of the smallest p-value; for a proof, a bound on the
        deviation of the probability of any set of outcomes.
    pvalue : float or None
        The smallest p-value of the sequences, multiplied by their number.
    data : str
        The data tested.
    missing : str
        The part of the requirement that this doesn't show.
    result : str
        "passed", "failed", "proved", "not applicable" or "not shown".
    symbol_pvalue : float or None
        Where a standard asks for a test of each symbol, or of each pair of them: the smallest p-value of
        these tests, two-sided, not multiplied by their number. It decides nothing.
    """

    number: str
    text: str
    test: str
    hypothesis: str
    statistic: float | None
    pvalue: float | None
    data: str
    missing: str
    result: Result
    symbol_pvalue: float | None = None


@displayed
@dataclass(frozen=True)
class LabReport(Report):
    """The requirements of a standard for a generator, clause by clause, with tests and proofs.

    Attributes
    ----------
    game : str
        The tested game, as it can be typed.
    standard : str
        One of `STANDARDS`.
    level : float
        The family-wise level: a fair generator fails any clause with at most this probability; or the level
        of each test, where the standard asks for that.
    clauses : tuple of Clause
        Each clause.
    notes : tuple of str
        Notes on the report as a whole.
    each : bool
        Whether each test is judged by itself, rather than all together.
    """

    game: str
    standard: str
    level: float
    clauses: tuple[Clause, ...]
    notes: tuple[str, ...] = ()
    each: bool = False

    _what: ClassVar[str] = "Laboratory report"

    @property
    def statement(self) -> str:
        """The first line of the report: its scope and its limits."""
        return (
            f"Tests named by {self.standard}, run by provably_fair {__version__} on {self.game}; "
            "this is not a certification."
        )

    @property
    def ok(self) -> bool:
        """Whether no clause failed."""
        return not any(clause.result == "failed" for clause in self.clauses)

    @property
    def verdict(self) -> str:
        """The result in words."""
        counts = {
            name: sum(clause.result == name for clause in self.clauses)
            for name in ("failed", "passed", "proved", "not applicable", "not shown")
        }
        results = ", ".join(f"{count} {name}" for name, count in counts.items() if count)
        if self.each:
            tests = sum(clause.pvalue is not None for clause in self.clauses)
            most = min(1.0, tests * self.level)
            fails = f"each of {tests} tests with a probability of at most {self.level:g}, any with {most:.2g}"
        else:
            fails = f"any of them with a probability of at most {self.level:g} (Holm)"
        return f"{len(self.clauses)} clauses: {results}. A fair generator fails {fails}."

    def to_dict(self) -> JsonDict:
        """Return the report as JSON types. The first entry is `statement`."""
        return {
            "statement": self.statement,
            "schema": "provably_fair.laboratory/1",
            "standard": self.standard,
            "game": self.game,
            "level": self.level,
            "each": self.each,
            "ok": self.ok,
            "verdict": self.verdict,
            "notes": list(self.notes),
            "clauses": finite([asdict(clause) for clause in self.clauses]),
        }

    def to_html(self) -> str:
        """Return the report as one self-contained page that can be printed."""
        first = f"<body><p>{html(self.statement, None)}</p>"
        printed = (
            "<style>@media print{body{margin:0;max-width:none;font-size:9pt}tr{break-inside:avoid}}</style>"
        )
        return super().to_html().replace("<body>", first, 1).replace("</head>", f"{printed}</head>", 1)

    def __str__(self) -> str:
        return f"{self.statement}\n{super().__str__()}"

    def _about(self) -> str:
        return f"{self.game}: {self.standard}"

    def _lines(self) -> list[tuple[str, str]]:
        return [("standard", self.standard), *(("note", note) for note in self.notes)]

    def _details(self) -> str:
        table = text_table(*_table(self.clauses), "l")
        open_ones = [
            f"{clause.result}: {clause.text} {clause.missing[0].upper()}{clause.missing[1:]}."
            for clause in self.clauses
            if clause.result in ("not shown", "not applicable") and clause.missing
        ]
        return "\n".join([table, *([""] if open_ones else []), *open_ones])

    def _sections(self) -> str:
        head, cells = _table(self.clauses)
        rows = [[*row[:-1], Colored(row[-1], _TONES.get(row[-1], "inherit"))] for row in cells]
        table = html_table(head, rows, "l")
        more = [
            (clause.number, clause.test, clause.hypothesis, clause.data, clause.missing)
            for clause in self.clauses
        ]
        details = html_table(("clause", "test", "hypothesis", "data", "not shown here"), more, "l")
        return section("Clauses", table, wide=True) + section("What was tested", details, wide=True)

    def _cases(self) -> Sequence[Case]:
        kinds = {"failed": "failure", "not applicable": "skipped", "not shown": "skipped"}
        return [
            Case(
                f"{clause.number} {clause.test or clause.text}",
                kinds.get(clause.result, "passed"),  # type: ignore[arg-type]
                clause.hypothesis or clause.text,
                clause.data or clause.missing,
            )
            for clause in self.clauses
        ]

    def _columns(self) -> Columns:
        return {
            field.name: [getattr(clause, field.name) for clause in self.clauses] for field in fields(Clause)
        }


_LEVEL = 0.01  # the level of the standards that ask for tests of each symbol
_HEAD = ("clause", "asks for", "test", "statistic", "p-value", "least by symbol", "result")


def _table(clauses: Sequence[Clause]) -> tuple[list[str], list[list[str]]]:
    """Return the header and rows of the table of clauses, with p-values by symbol if there are any."""
    rows = []
    for clause in clauses:
        numbers = (clause.statistic, clause.pvalue, clause.symbol_pvalue)
        shown = ["" if x is None else f"{x:.4g}" for x in numbers]
        rows.append([clause.number, clause.text, clause.test, *shown, clause.result])
    left_out = () if any(row[-2] for row in rows) else (len(_HEAD) - 2,)
    kept = [place for place in range(len(_HEAD)) if place not in left_out]
    return [_HEAD[place] for place in kept], [[row[place] for place in kept] for row in rows]


def certify(
    subject: Game | str,
    standard: str,
    *,
    log: object = None,
    rounds: int = 10**6,
    seed: int | str = 0,
    level: float | None = None,
) -> LabReport:
    """Run the tests that a standard names on a game's generator, clause by clause (needs scipy).

    This shows what a laboratory's tests would show. It is not a certification: each clause names what tests
    can't show. That scaling keeps the generator's qualities is proved for whole outcomes: by the sum of the
    distances of the draws of a round from uniform ones, in total variation.

    Parameters
    ----------
    subject : Game or str
        The game, or its name as the command takes it: "stake.dice", "mines:mines=5".
    standard : str
        One of `STANDARDS`: "58 Pa. Code 810a.5", "25 CFR 547.14(b)(2)", "W. Va. Code 29-22B-909",
        "AGCO 21.1.2", "RTS 7". Their clauses are in our own words, as far as we have seen their texts.
    log : path, frame, mapping or whatever `verify` reads, optional
        A log with a column ``outcome``, whose rows are tested instead of simulated ones.
    rounds : int
        The number of simulated rounds without a log; at least 10.
    seed : int or str
        The seed of the simulated rounds.
    level : float, optional
        The level of all tests together, or of each by itself where the standard asks for that; by default
        the standard's, 0.05 or 0.01.

    Returns
    -------
    LabReport
        ``.clauses``, ``.ok``, ``.to_html()``, ``.to_json()``.

    Raises
    ------
    ImportError
        Without scipy.

    Examples
    --------
    >>> report = pf.certify(pf.Dice(), "W. Va. Code 29-22B-909", rounds=2000)
    >>> report.ok
    True
    >>> [(clause.test, clause.result) for clause in report.clauses][:2]
    [('chi-square', 'passed'), ('runs', 'passed')]
    """
    choice("standard", standard, STANDARDS)
    game = given_game("subject", subject)
    asked = STANDARDS[standard]
    wanted = asked.level if level is None else probability("level", level)
    many = integer("rounds", rounds, 10)
    optional("scipy.stats", "stats", "certify")  # import before any long work
    data = data_of(game, log, many, seed)
    clauses = [_answer(game, one, data) for one in asked.clauses]
    tested = [place for place, clause in enumerate(clauses) if clause.pvalue is not None]
    pvalues = [clauses[place].pvalue or 0.0 for place in tested]
    for place, corrected in zip(tested, pvalues if asked.each else holm(pvalues), strict=True):
        clauses[place] = replace(clauses[place], result="failed" if corrected <= wanted else "passed")
    unseen = [f"Not tested: {data.without_raw}."] if data.without_raw else []
    notes = (SEEN, data.parts["outcomes"][0].compared, *unseen)
    return LabReport(typed_name(game), standard, wanted, tuple(clauses), notes, asked.each)


def _answer(game: Game, asked: Demand, data: Data) -> Clause:
    """Return a clause with its result; tests are judged later, all together."""
    clause = Clause(asked.number, asked.text, "", "", None, None, "", asked.missing, "not shown")
    if asked.answer == "nothing":
        return clause
    if asked.answer == "scaling":
        return _proved(game, clause)
    materials = [part for of, part in data.parts.items() if asked.of in ("all", of)]
    if not materials:
        return replace(clause, test=asked.answer, missing=_joined(asked.missing, data.without_raw))
    name = {"interplay": "interplay correlation", "cycles": "block repeats"}.get(asked.answer, asked.answer)
    clause = replace(clause, test=name, hypothesis=BY_NAME[asked.answer].hypothesis)
    results: list[tuple[Judgment, str]] = []
    needed: list[int] = []
    tested = []
    for material, about in materials:
        before = len(results)
        for result, what in results_of(asked.answer, material):
            if isinstance(result, Judgment):
                results.append((result, what))
            elif result is not None:
                needed.append(result)
        if len(results) > before:
            tested.append(about)
    if not results and needed:
        missing = _joined(asked.missing, f"too few values: it takes {min(needed):,}")
        return replace(clause, missing=missing)
    if not results:
        why = _NOTHING.get(asked.answer, "the data have no sequence of more than one possible value")
        return replace(clause, result="not applicable", missing=_joined(asked.missing, why))
    least, what = min(results, key=lambda one: one[0].pvalue)
    pvalue = min(1.0, len(results) * least.pvalue)
    about = f"{'; '.join(tested)}. {len(results)} tested, the smallest p-value of {what}: {least.null}"
    clause = replace(clause, statistic=float(least.statistic), pvalue=float(pvalue), data=about)
    return _with_symbols(clause, asked.answer, materials) if asked.by_symbol else clause


def _with_symbols(clause: Clause, name: str, materials: list[tuple[FairnessMaterial, str]]) -> Clause:
    """Return a clause with the smallest p-value of its tests of single symbols."""
    known = [by_symbol for one, _ in materials if (by_symbol := smallest_by_symbol(name, one)) is not None]
    if not known:
        return clause
    least, tested = min(known), sum(by_symbol.tested for by_symbol in known)
    by_chance = 1 - (1 - _LEVEL) ** tested
    about = (
        f"{clause.data}. By symbol: {tested} tested, the smallest p-value, of {least.symbol}, is "
        f"{least.pvalue:.3g}; among as many, a fair game has one up to {_LEVEL:g} with probability "
        f"{by_chance:.0%} at most"
    )
    return replace(clause, symbol_pvalue=least.pvalue, data=about)


def _proved(game: Game, clause: Clause) -> Clause:
    """Return the clause on scaling with its proof: a bound on the distance of outcomes from ideal ones."""
    clause = replace(
        clause,
        test="proof",
        hypothesis=f"no set of outcomes is more likely, or less, by more than {float(MOST):g} than if all "
        "draws were exactly uniform",
    )
    bounds = scaled(game)
    bound, part, facts = bounds.distance, bounds.farthest, []
    if bound is not None:
        facts.append(
            "whole outcomes, of all words of the generator: no set of them is off by more than "
            f"{float(bound):.3g}, {bounds.how}"
        )
    if part is not None:
        facts.append(
            f"{part.subject}: the largest deviation is {float(part.deviation):.3g}, of {part.value!r}; that "
            f"of any set of values is {float(part.distance):.3g}"
        )
    clause = replace(clause, statistic=None if bound is None else float(bound), data="; ".join(facts))
    if bound is not None and bound <= MOST:
        return replace(clause, result="proved")
    if part is not None and part.distance > MOST:
        return replace(clause, statistic=float(part.distance), result="failed")
    why = bounds.how if bound is None else f"they may be off by {float(bound):.3g}, above {float(MOST):g}"
    return replace(clause, missing=_joined(clause.missing, f"whole outcomes: {why}"))


def _joined(*texts: str) -> str:
    return "; ".join(filter(None, texts))
