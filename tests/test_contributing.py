"""The instructions of CONTRIBUTING.md work: the named files exist, and suffice.

Each addition is made in a copy of the package, in the named files, and then used. The rule of an engine game,
which needs compiling, is in `tests/toy_game.rs`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import provably_fair as pf
import provably_fair._engine as engine
from folders import PYTHON, ROOT
from provably_fair.operators import salted

HOW_TO = (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def named(title: str) -> list[Path]:
    """The files that a section names, by its title: `one`, or `one beside another`."""
    (section,) = re.findall(rf"\*\*{title}\*\*(.*?)(?:\n\n\*\*|\n## )", HOW_TO, re.DOTALL)
    return [ROOT / path for path in re.findall(r"`((?:src|python)/[\w./-]+)`", section)]


def package(folder: Path, *changes: tuple[Path, str, str]) -> Path:
    """A copy of the package in which texts are replaced; a new file replaces nothing.

    The engine is that of the package which is tested: it may be installed, and not be in the source.
    """
    ignored = shutil.ignore_patterns("__pycache__", "_engine.*.so", "_engine.pyd")
    shutil.copytree(PYTHON, folder / "python", ignore=ignored)
    shutil.copy(engine.__file__, folder / "python" / "provably_fair")
    for path, before, after in changes:
        copied = folder / path.relative_to(ROOT)
        text = copied.read_text("utf-8") if before else ""
        assert text.count(before) == 1 or not before, (path, before)
        copied.write_text(text.replace(before, after) if before else after, "utf-8")
    return folder


def run(folder: Path, script: str) -> str:
    """The output of a script that uses the copy."""
    environment = os.environ | {"PYTHONPATH": str(folder / "python")}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_files_that_are_named_exist():
    paths = re.findall(r"`((?:src|python|tests|docs|benches|notebooks|fuzz)/[\w./-]*)`", HOW_TO)
    assert len(paths) > 20
    assert not [path for path in paths if not (ROOT / path).exists()]


def test_an_engine_game_is_four_files():
    rule, lines, class_, imports = named("A game of the engine.")
    games = {entry.name: entry.name.title() for entry in engine.catalog()}
    assert {*games.values(), "BLOCK_HASHES", "GAMES"} == set(salted.__all__)
    there = lines.read_text("utf-8")
    for name in games:
        file = rule.with_name(f"{name}.rs")
        assert (file.exists() and f"mod {name};" in there) or name in ("double", "x50")  # both are wheels
        assert class_.with_name(f"{name}.py").exists()
        assert f"from .{name} import {games[name]} as {games[name]}\n" in imports.read_text("utf-8")


def test_an_operator_is_a_file_and_a_line(tmp_path):
    beside, room = named("A game of an operator.")
    game = """
from provably_fair.games.kinds import WheelGame
from .duel import SCHEME
__all__ = ["Coin"]
class Coin(WheelGame):
    scheme = SCHEME
    sectors = 2
    def outcome(self, draws):
        return draws.below(2)
"""
    line = "    stake as stake,\n"
    copy = package(
        tmp_path,
        (beside.with_name("lucky.py"), "", game),
        (room, line, f"    lucky as lucky,\n{line}"),
    )
    used = """
import provably_fair as pf
coin = pf.operators.lucky.Coin()
sides = coin.play("ab" * 32, "c", [0, 1, 2])
log = {"server_seed": "ab" * 32, "client_seed": "c", "nonce": [0, 1, 2], "outcome": sides}
print(pf.verify(log, "lucky.coin").ok, coin.bet(2, sectors=1, law="ideal").exact_rtp)
"""
    assert run(copy, used) == "True 1"


def test_a_kind_of_games_is_a_file_and_a_line(tmp_path):
    beside, room = named("A kind of games.")
    kind = """
from dataclasses import dataclass
from provably_fair._core.arguments import integer
from .. import asking
from ..game import Game
from ..kind import Kind, fact
from ..looks import Total, View
@dataclass(frozen=True)
class Pair(Kind):
    faces: int
    def view(self, *, total=None, of=None):
        if total is None:
            return View(of)
        return View(Total(), wins=integer("total", total, 2, 2 * self.faces))
class PairGame(Game):
    faces = fact("the number of faces")
    kind = property(Pair.of)
    def distribution(self, law="ideal", *, total=None, of=None):
        return asking.distribution(self, law, total=total, of=of)
    def observe(self, outcomes, *, total=None, of=None):
        return asking.observe(self, outcomes, total=total, of=of)
    def bet(self, payout=None, *, law="best", total=None, of=None):
        return asking.bet(self, payout, law=law, total=total, of=of)
    def tally(self, rounds, *, total=None, of=None, **options):
        return asking.tally(self, rounds, {"total": total, "of": of}, **options)
"""
    line = "from .parts import PartsGame as PartsGame\n"
    copy = package(
        tmp_path,
        (beside.with_name("pair.py"), "", kind),
        (room, line, f"from .pair import PairGame as PairGame\n{line}"),
    )
    used = """
import numpy as np
import provably_fair as pf
class Two(pf.games.kinds.PairGame):
    faces: int = pf.games.Range(2, 20, default=6)
    def outcome(self, draws):
        return draws.each(2).below(self.faces) + 1
print(Two().distribution(total=7).pmf(7), Two(4).bet(5, total=3, law="ideal").exact_rtp)
print(Two().observe([[1, 2], [6, 6]], total=7).tolist(), Two(2).tally(99, total=3).outcomes)
for call in lambda: Two(4).bet(5, total=9), lambda: Two().distribution(totl=9):
    try:
        call()
    except (TypeError, ValueError) as error:
        print(error)
"""
    assert run(copy, used).splitlines() == [
        f"{6 / 36} {5 * Fraction(2, 16)}",
        "[3.0, 12.0] [2. 3. 4.]",
        "total must be from 2 to 8, got 9",
        "Two has no option 'totl': did you mean total? Its options are total, of",
    ]


def test_a_test_of_fairness_is_two_files(tmp_path):
    functions, registry = named("A test of fairness.")[:2]
    function = """
def ends(sequence: LawSequence) -> Trial | int | None:
    if sequence.pmf is None or sequence.places is None:
        return None
    if sequence.size < 2:
        return 2
    alike = bool(sequence.places[0] == sequence.places[-1])
    chance = float((sequence.pmf**2).sum())
    limit = Limit(
        np.array([float(alike)]),
        np.array([chance if alike else 1.0]),
        "Bernoulli",
        np.array([0.0 if alike else chance]),
    )
    return Trial(limit, sequence.size)


"""
    entry = """    Test("ends", sequences.ends, "exact", "the last value doesn't tell of the first"),
"""
    copy = package(
        tmp_path,
        (functions, "def gap(", f"{function}def gap("),
        (registry, "TESTS = (\n", f"TESTS = (\n{entry}"),
    )
    used = """
import provably_fair as pf
game = pf.Double()
for last in 0, 1:
    found = pf.fairness_report([*range(15), last], game)["ends"]
    print(found.statistic, round(1 / found.pvalue, 9), round(found.pvalue_below * 15, 9), found.source)
always = lambda rounds, random: [3] * rounds
print(pf.statistics.power("ends", game, always, 10, level=0.1, sets=20).power)
"""
    # Two of 15 equally likely numbers are equal with probability 1 / 15.
    assert run(copy, used).splitlines() == ["1.0 15.0 0.0 exact", "0.0 1.0 1.0 exact", "1.0"]


def test_a_check_of_audits_is_two_files(tmp_path):
    subject, kinds = named("A check of audits.")[:2]
    check = """
class Thirteens(Check):
    def __init__(self):
        self._rows = []
    def update(self, records):
        self._rows += [row for row in range(records.count) if records.text("salt", row) == "13"]
    def merge(self, later, rows):
        self._rows += [row + rows for row in later._rows]
    def findings(self, verified):
        said = "{n} row[|s] [has|have] the salt 13 (first: row {first})."
        return facts("salt_thirteen", "note", said, self._rows, "salt")
"""
    file = subject / "seeds.py"
    before = 'Values("salt", context.seed))\n    return found\n\n\n'
    kind = '    SALT_THIRTEEN = "salt_thirteen", "A salt is 13."\n'
    copy = package(
        tmp_path,
        (file, before, before.replace("return found", "return [*found, Thirteens()]") + check),
        (kinds, "    BETS_REFUNDED =", f"{kind}    BETS_REFUNDED ="),
    )
    used = """
import provably_fair as pf
salts = ["12", "13", "14"]
report = pf.audit({"salt": salts, "outcome": pf.Crash().play(salt=salts)}, pf.Crash())
print([finding.text for finding in report.findings if finding.kind == "salt_thirteen"])
"""
    assert run(copy, used) == "['1 row has the salt 13 (first: row 1).']"


def test_a_source_of_logs_is_two_files(tmp_path):
    beside, table = named("A source of logs.")[:2]
    reader = '''
"""Lines of cells between bars."""
from .source import Batch
def read_bars(reading, raw):
    text = b"".join(reading.text(raw).blocks()).decode()
    header, *lines = [tuple(line.strip("|").split("|")) for line in text.splitlines()]
    cells = {name: list(column) for name, column in zip(header, zip(*lines)) if name in reading.wanted}
    yield Batch(cells, len(lines), 0, names=header)
'''
    copy = package(
        tmp_path,
        (beside.with_name("bars.py"), "", reader),
        (
            table,
            "FORMATS: dict[str, Text | Whole] = {\n",
            'FORMATS: dict[str, Text | Whole] = {"bars": Text((".bars",), "bars:read_bars"),\n',
        ),
    )
    salts = ["a", "b"]
    outcomes = pf.Dice().play("s", "c", salts).tolist()
    rows = [f"|{salt}|{outcome}|" for salt, outcome in zip(salts, outcomes, strict=True)]
    (copy / "log.bars").write_text("\n".join(["|salt|outcome|", *rows]))
    used = """
import provably_fair as pf
report = pf.verify("log.bars", "dice", constants={"server_seed": "s", "client_seed": "c"})
print(report.ok, report.checked, report.files[0].lines)
"""
    assert run(copy, used) == "True 2 3"
