"""Optional packages: without one, the error names the function and the extra to install."""

import io
import sys

import provably_fair as pf
import pytest
from folders import LOGS
from provably_fair.cli.rounds import _write_parquet

DICE = pf.Dice()
LAW = DICE.distribution()
LOG = {"server_seed": ["s"], "client_seed": ["c"], "salt": ["x"], "outcome": [1.0]}
POKER = pf.cards.VideoPoker("jacks_or_better")
BLACKJACK = pf.cards.Blackjack(decks=4)

FUNCTIONS = {
    "plot, matplotlib, plot": [
        lambda: pf.Mines().plot([1]),
        lambda: BLACKJACK.analyze("basic").chart.plot(),
        lambda: pf.Crash().cash_outs().plot(),
        lambda: pf.X50().bet({0: 2}).paths(2, paths=2).plot(),
    ],
    "to_pandas, pandas, stats": [
        LAW.to_pandas,
        lambda: BLACKJACK.analyze("basic").to_pandas(),
        lambda: BLACKJACK.analyze("basic").chart.to_pandas(),
        lambda: POKER.analyze().to_pandas(),
    ],
    "to_pandas, pandas, arrow": [lambda: pf.verify(LOG, DICE).to_pandas()],
    "log: reading dice.csv.gz, pyarrow, arrow": [lambda: pf.verify(LOGS / "dice.csv.gz", DICE)],
    "log: reading BytesIO, openpyxl, excel": [
        lambda: pf.verify(pf.Files(io.BytesIO(b"PK"), format="xlsx"), DICE),
    ],
    "log: a database by its URL, sqlalchemy, sql": [
        lambda: pf.verify(pf.Query("select 1", "sqlite://"), DICE),
    ],
    "log: duckdb://, duckdb, sql": [lambda: pf.verify(pf.Query("select 1", "duckdb://"), DICE)],
    "log: s3://, fsspec, cloud": [lambda: pf.verify("s3://bucket/log.csv", DICE)],
    "--out: Parquet, pyarrow, arrow": [lambda: _write_parquet(None, DICE, 0, iter(()))],
    "to_scipy, scipy, stats": [LAW.to_scipy],
    "chisquare, scipy, stats": [lambda: pf.X50().distribution().chisquare(pf.X50().tally(1000))],
    "fairness_report, scipy, stats": [lambda: pf.fairness_report(pf.X50().simulate(1000), pf.X50())],
}


@pytest.mark.parametrize(
    ("needs", "call"), [(needs, call) for needs, calls in FUNCTIONS.items() for call in calls]
)
def test_missing_package_is_named_with_its_extra(needs, call, monkeypatch):
    function, package, extra = needs.split(", ")
    for module in [package, *(name for name in sys.modules if name.startswith(f"{package}."))]:
        monkeypatch.setitem(sys.modules, module, None)
    message = rf"^{function} needs {package}: pip install 'provably_fair\[{extra}\]'$"
    with pytest.raises(ImportError, match=message):
        call()


def test_package_that_cannot_be_imported_says_why(tmp_path, monkeypatch):
    """As pyarrow does beside a numpy for which it wasn't built."""
    (tmp_path / "openpyxl.py").write_text("raise ImportError('openpyxl requires NumPy 2.0 or newer')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "openpyxl", raising=False)
    message = "needs openpyxl, which can't be imported: openpyxl requires NumPy 2.0 or newer$"
    with pytest.raises(ImportError, match=message):
        pf.verify(pf.Files(io.BytesIO(b"PK"), format="xlsx"), DICE)
