"""Test files for ports: run by pytest unmodified, and with each known mistake in the port."""

from __future__ import annotations

import json
import re
import shutil
import sys
import types

import numpy as np
import provably_fair as pf
import pytest
from folders import ROOT
from provably_fair.cli import run as command
from provably_fair.readings import JSON_SCHEMA
from provably_fair.readings.constructed import Constructed

pytest_plugins = ["pytester"]

PLAYED = re.compile(r"    from provably_fair.*?, seeds\)\n", re.DOTALL)
OWN = """
import numpy as np
import provably_fair as pf


class Fruits(pf.Game):
    \"""Three reels, paid by a table.\"""

    scheme = pf.operators.stake.Dice.scheme
    table: tuple = (0, 0.5, 8)

    def outcome(self, draws):
        reels = np.stack([draws.below(6) for _ in range(3)])
        alike = (reels == reels[0]).sum(axis=0) - 1
        return np.array(self.table)[alike]
"""


@pytest.fixture
def run(pytester):
    """Run pytest with the plugin in this process."""

    def run(*arguments):
        plugins = ["-p", "pytest_provably_fair", "-p", "no:cacheprovider", "-p", "no:xdist"]
        return pytester.runpytest_inprocess(*plugins, "-p", "no:hypothesispytest", *arguments)

    return run


@pytest.mark.thorough
@pytest.mark.parametrize(
    "game",
    [
        pf.operators.stake.Dice(),
        pf.operators.stake.Mines(5),  # several draws
        pf.Tower(),  # under the document's scheme
        pf.operators.bustabit.V2(),  # a chain of hashes
        pf.operators.stake.Dice().with_scheme(pf.SALTED),
    ],
    ids=str,
)
def test_a_file_passes_as_it_is_written(game, pytester, run):
    found = pf.separating_rounds(game)
    assert found.to_pytest(pytester.path / "test_port.py") == pytester.path / "test_port.py"
    run("test_port.py").assert_outcomes(passed=len(found.rounds))


def ported(text, port):
    """The file with a port filled in for the game."""
    text, count = PLAYED.subn(port.replace("\\", r"\\"), text)
    assert count == 1
    return text


def file_of(reading, number):
    """A file whose port is a reading of the game, held by the module `mistaken`."""
    played = f"    import mistaken\n\n    return mistaken.play({number}, seeds)\n"
    return ported(reading, played)


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("every", [9, 1])
def test_a_file_fails_for_each_reading(every, pytester, monkeypatch):
    game = pf.operators.stake.Dice()
    found = pf.separating_rounds(game, limit=12)
    text = found.to_pytest(pytester.path / "as_written.py").read_text(encoding="utf-8")
    readings = pf.readings(game)
    blocks = [bytes.fromhex(digest) for digest in found.rounds[-1]["digests"]]
    seat = Constructed(game, blocks)

    def play(number, seeds):
        other = readings[number].game
        if "digests" not in seeds:
            return other.play(**seeds)
        begun = seat.game(other)
        return NotImplemented if begun is None else begun.play(seat.joined(seeds["digests"]))

    monkeypatch.setitem(sys.modules, "mistaken", types.SimpleNamespace(play=play))
    assert [reading.text for reading in readings] == list(found.readings)
    for number in range(0, len(readings), every):
        (pytester.path / f"test_{number}.py").write_text(file_of(text, number), encoding="utf-8")
    with np.errstate(all="ignore"):
        report = pytester.inline_run("-p", "pytest_provably_fair", "-p", "no:cacheprovider", "-p", "no:xdist")
    failed = {one.nodeid.partition("::")[0] for one in report.listoutcomes()[2]}
    excluded = [number for number, text in enumerate(found.readings) if text in found.excluded]
    assert failed == {f"test_{number}.py" for number in excluded if number % every == 0}
    assert len(excluded) > 50


def test_a_failure_names_the_mistake(pytester, run):
    found = pf.separating_rounds(pf.operators.stake.Dice())
    path = found.to_pytest(pytester.path / "test_port.py")
    text = path.read_text(encoding="utf-8")
    port = """    import hashlib, hmac

    if "digests" in seeds:
        return NotImplemented
    message = f"{seeds['client_seed']}:{seeds['nonce']}:0".encode()
    digest = hmac.digest(seeds["server_seed"].encode(), message, "sha256")
    return (int.from_bytes(digest[:4], "big") * 10_001 >> 32) / 100
"""
    path.write_text(ported(text, port), encoding="utf-8")
    run("test_port.py").assert_outcomes(passed=10, skipped=10)
    path.write_text(ported(text, port.replace("10_001", "10_000")), encoding="utf-8")
    result = run("test_port.py")
    assert result.parseoutcomes()["failed"] > 5
    said = result.stdout.str()
    assert "\nmistake: each range one smaller (10,000 for 10,001)\nthis reading gives all outcomes of" in said
    path.write_text(ported(text, port.replace("10_001", "9_999")), encoding="utf-8")
    said = run("test_port.py").stdout.str()
    assert (
        f"\nmistake: unknown\nnone of {len(found.readings)} readings gives all outcomes of the port" in said
    )
    path.write_text(ported(text, "    return NotImplemented\n"), encoding="utf-8")
    run("test_port.py").assert_outcomes(failed=10, skipped=10)
    path.write_text(ported(text, "    raise KeyError('no nonce')\n"), encoding="utf-8")
    assert "no nonce" in run("test_port.py").stdout.str()


PROGRAM = """
import json, sys
import provably_fair as pf

for line in sys.stdin:
    seeds = json.loads(line)
    print("null" if "digests" in seeds else json.dumps(float(pf.operators.stake.Dice().play(**seeds))))
"""


def test_a_program_is_tested(pytester, run):
    pf.separating_rounds(pf.operators.stake.Dice()).to_pytest(pytester.path / "test_port.py")
    port = pytester.path / "a port.py"
    port.write_text(PROGRAM)
    program = ["--program", f"{sys.executable} 'a port.py'"]
    run("test_port.py", *program).assert_outcomes(passed=10, skipped=10)
    port.write_text(PROGRAM.replace("Dice()", "Limbo()"))
    result = run("test_port.py", *program)
    result.assert_outcomes(failed=10, skipped=10)
    assert "\nmistake: as stake.limbo\nthis reading gives all outcomes of the port, " in result.stdout.str()
    port.write_text("import sys; sys.exit('no such port')")
    result = run("test_port.py", *program)
    result.assert_outcomes(errors=20)
    assert "the program ended with code 1 and printed 0 lines, one for each of 20" in result.stdout.str()
    assert "no such port" in result.stdout.str()


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_a_program_in_javascript_is_tested(pytester, run):
    pf.separating_rounds(pf.operators.stake.Dice()).to_pytest(pytester.path / "test_port.py")
    text = (ROOT / "examples" / "play_rounds.mjs").read_text(encoding="utf-8")
    for old, new, right in (
        ("", "", True),
        ("10001", "10000", False),
        ("2 ** 32", "(2 ** 32 - 1)", False),
        ("BE(0)", "LE(0)", False),
    ):
        (pytester.path / "port.mjs").write_text(text.replace(old, new), encoding="utf-8")
        outcomes = run("test_port.py", "--program", "node port.mjs").parseoutcomes()
        assert outcomes.get("failed", 0) == 0 if right else outcomes["failed"] > 0
        assert sum(outcomes.values()) == 20


def test_a_game_of_ones_own(pytester, run, monkeypatch):
    (pytester.path / "studio.py").write_text(OWN)
    monkeypatch.syspath_prepend(pytester.path)
    import studio

    game = studio.Fruits(table=(0, 1, 5))
    found = pf.separating_rounds(game)
    # The paytable is a parameter, so another paytable is another game.
    assert set(np.unique([one["outcome"] for one in found.rounds])) <= {0, 1, 5}
    path = found.to_pytest(pytester.path / "test_port.py")
    run("test_port.py").assert_outcomes(passed=len(found.rounds))
    text = path.read_text(encoding="utf-8")
    other = "    import studio\n\n    return studio.Fruits().play(**seeds)\n"
    path.write_text(ported(text, other), encoding="utf-8")
    assert run("test_port.py").parseoutcomes()["failed"] > 0
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(json.loads(found.to_json()), JSON_SCHEMA, cls=jsonschema.Draft202012Validator)
    assert json.loads(found.to_json())["game"] == "studio:Fruits:table=(0, 1, 5)"


def test_a_game_without_a_name_is_to_be_filled_in(pytester, run):
    class Local(pf.Game):
        scheme = pf.operators.stake.Dice.scheme

        def outcome(self, draws):
            return draws.below(7)

    pf.separating_rounds(Local(), limit=4).to_pytest(pytester.path / "test_port.py")
    result = run("test_port.py")
    result.assert_outcomes(failed=4)
    assert "put your port here: the game of these rounds can't be imported" in result.stdout.str()


def test_what_a_file_says_is_what_the_json_says(tmp_path):
    class Quotes(pf.Game):
        scheme = pf.Scheme(pf.Hash("sha256", "'''{server_seed}\\'\"\"\":{nonce}"), bits=32)

        def outcome(self, draws):
            return draws.below(100)

    found = pf.separating_rounds(Quotes(), limit=6)
    names: dict[str, object] = {}
    exec(found.to_pytest(tmp_path / "test_port.py").read_text(encoding="utf-8"), names)
    assert names["VECTORS"] == json.loads(found.to_json()) == found.to_dict()


def test_a_port_isnt_overwritten(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert command(["vectors", "stake.dice", "--limit", "4", "--pytest", "test_dice.py"]) == 0
    assert capsys.readouterr().out == "wrote test_dice.py\n"
    assert command(["vectors", "stake.dice", "--pytest", "test_dice.py"]) == 2
    assert "--pytest must be a new file, got test_dice.py, which is there" in capsys.readouterr().err
    found = pf.separating_rounds(pf.operators.duel.Dice(), limit=4)
    with pytest.raises(ValueError, match=r"path must be a new file, got test_dice.py.*overwrite=True"):
        found.to_pytest("test_dice.py")
    found.to_pytest("test_dice.py", overwrite=True)
    assert "duel.dice" in (tmp_path / "test_dice.py").read_text(encoding="utf-8")
    assert command(["vectors", "stake.dice", "--pytest", "x.py", "--check", "y.json"]) == 2
