"""The pytest plugin, run by pytest."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from importlib import import_module

import gallery
import numpy as np
import provably_fair as pf
import pytest
from pytest_provably_fair import (
    assert_audit,
    assert_fair,
    assert_rounds,
    assert_rtp,
    assert_same_game,
    rounds_fixture,
)
from writing import write_csv

pytest_plugins = ["pytester"]
pytest.importorskip("pyarrow")


@pytest.fixture
def run(pytester):
    """Run pytest with the plugin alone, in this process: with arguments, logs, and their game."""

    def run(*arguments, logs=(), game="dice"):
        plugins = ("pytest_provably_fair", "no:cacheprovider", "no:hypothesispytest", "no:xdist")
        options = [f"--provably-fair-log={name}" for name in logs]
        options += [f"--provably-fair-game={game}"] if logs and game else []
        return pytester.runpytest_inprocess(*(f"-p{plugin}" for plugin in plugins), *options, *arguments)

    return run


def write_log(path, wrong=()):
    log = {"server_seed": "a", "client_seed": "b", "salt": [salt.decode() for salt in pf.salts(20)]}
    log["outcome"] = pf.Dice().play("a", "b", log["salt"])
    log["outcome"][list(wrong)] = 1.23
    path.parent.mkdir(exist_ok=True)
    write_csv(path, log)


@pytest.fixture
def right_and_wrong(pytester):
    """Write a log as it should be, and one with a wrong row."""
    write_log(pytester.path / "right.csv")
    write_log(pytester.path / "wrong.csv", wrong=[4])


def refused(result):
    """The output of a run that ended with an error of usage."""
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    return result.stdout.str() + result.stderr.str()


def test_pytest_starts_without_the_engine():
    code = "import pytest_provably_fair, sys; assert 'provably_fair' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_assert_rounds():
    salts = pf.salts(5)
    log = {"server_seed": "a", "client_seed": "b", "salt": salts, "outcome": pf.Dice().play("a", "b", salts)}
    assert assert_rounds(log, pf.Dice()).checked == 5
    assert assert_rounds(log, "dice").ok
    log["outcome"][3] = 5
    with pytest.raises(AssertionError, match="row 3: mismatch") as caught:
        assert_rounds(log, pf.Dice())
    assert str(pf.Dice().explain("a", "b", salts[3].decode())) in str(caught.value)
    with pytest.raises(ValueError, match="game must be one of"):
        assert_rounds(log, "roulette")


def test_what_verifies_nothing_fails():
    log = {"server_seed": "a", "client_seed": "b", "salt": [], "outcome": []}
    with pytest.raises(AssertionError, match="no rows, so nothing was verified"):
        assert_rounds(log, "dice")
    log |= {"server_seed": [""], "salt": ["c"], "outcome": [1]}
    with pytest.raises(AssertionError, match="no row could be checked, so nothing was verified"):
        assert_rounds(log, "dice", unrevealed="report")


def test_what_is_tested_is_named():
    for name, titles in {
        "mines": [f"cell {cell}" for cell in range(25)],
        "tower": [f"rows climbed at position {position}" for position in range(5)],
        "slot": [f"reel {reel}" for reel in range(5)],
    }.items():
        game = pf.operators.salted.GAMES[name]()
        same = game.simulate(1)[[0] * 5000]
        with pytest.raises(AssertionError) as caught:
            assert_fair(same, game)
        lines = str(caught.value).splitlines()
        assert [line.split(":")[0].strip() for line in lines[1:]] == titles
        assert f"{len(titles)} of {len(titles)} tests failed" in lines[0]


@pytest.mark.parametrize("tickets", [1 << 16, (1 << 16) + 1, 1 << 23, 2**53])
def test_jackpots_of_any_size(tickets):
    game = pf.Jackpot(tickets)
    rounds = game.simulate(2000)
    assert 1e-4 < assert_fair(rounds, game) < 1
    assert assert_fair(rounds[:5], game) == 1  # too few for more than one range
    with pytest.raises(AssertionError, match=r"outcomes: chi-square .* p = "):
        assert_fair(np.where(rounds < tickets // 2, rounds, rounds // 2), game)
    for stranger in (0, tickets + 1, 1.5):
        with pytest.raises(AssertionError, match=rf"outcomes: {stranger}.* is no outcome of the game"):
            assert_fair([*rounds.tolist(), stranger], game)


def test_assert_fair():
    for name, cls in pf.operators.salted.GAMES.items():
        assert 0 < assert_fair(cls().simulate(5000), name) <= 1
    unfair = pf.Double().simulate(5000)
    unfair[unfair == 3] = 4
    with pytest.raises(AssertionError, match=r"5000 rounds of Double\(\) differ from its law"):
        assert_fair(unfair, "double")
    with pytest.raises(AssertionError, match="no outcome of the game"):
        assert_fair([99], "double")
    with pytest.raises(AssertionError, match=r"reel 0: .*must be"):
        assert_fair([[[30, 0, 0, 0, 0]]], "slot")
    same = pf.Mines(3).simulate(1)[[0] * 200]
    with pytest.raises(AssertionError, match="cell"):
        assert_fair(same, "mines:mines=3")
    with pytest.raises(ValueError, match="shape"):
        assert_fair([1, 2], "mines")
    with pytest.raises(ValueError, match="level"):
        assert_fair([1, 2], "double", level=2)
    with pytest.raises(TypeError, match=r"^game must be a game such as Double\(\), got the class Double"):
        assert_fair([1, 2], pf.Double)
    with pytest.raises(TypeError, match=r"^reference must be a game such as Mines"):
        assert_same_game(pf.Double(), None)


def test_fixtures(pytester, run):
    pytester.makepyfile(
        """
        from pytest_provably_fair import assert_rounds

        def test_seeds(provably_fair_seeds):
            assert [len(seed) for seed in provably_fair_seeds] == [64] * 3
            assert len(set(provably_fair_seeds)) == 3
            assert provably_fair_seeds.nonce == provably_fair_seeds.nonce in range(2**16)

        def test_rounds(provably_fair_rounds):
            log = provably_fair_rounds("mines:mines=5", 50)
            assert log["outcome"].shape == (50, 5)
            assert_rounds(log, "mines:mines=5")
            assert provably_fair_rounds("dice", 2)["outcome"].tolist() == \\
                provably_fair_rounds("dice", 2)["outcome"].tolist()
        """
    )
    run().assert_outcomes(passed=2)


def test_games_of_ones_own(pytester, run):
    pytester.makepyfile(
        gameshop="""
        import provably_fair as pf

        class Keno(pf.Game):
            picks: int = 10
            scheme = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}", key="{server_seed}"), bits=16)
            def outcome(self, draws):
                return draws.sample(40, self.picks)
        """
    )
    pytester.makepyfile(
        """
        import numpy as np
        import pytest
        import provably_fair as pf
        from gameshop import Keno
        from pytest_provably_fair import assert_fair, assert_rounds, rounds_fixture

        def test_rounds(provably_fair_rounds):
            log = provably_fair_rounds(Keno(3), 50)
            assert list(log) == ["server_seed", "client_seed", "nonce", "outcome"]
            assert_rounds(log, Keno(3))
            assert_rounds(log, "gameshop:Keno:picks=3")
            log["outcome"][7] = log["outcome"][8]
            with pytest.raises(AssertionError, match="row 7: mismatch(?s:.*)word 0 of cursor 0"):
                assert_rounds(log, Keno(3))

        def test_fairness():
            rounds = Keno(3).simulate(3000)
            assert assert_fair(rounds, "gameshop:Keno:picks=3") == assert_fair(rounds, Keno(3)) > 1e-3
            with pytest.raises(AssertionError, match="value 0: chi-square"):
                assert_fair(np.sort(rounds, axis=1), Keno(3))
        """
    )
    pytester.syspathinsert()
    run().assert_outcomes(passed=2)
    keno = import_module("gameshop").Keno(2)
    fields = pf.games.rounds.simulated_rounds(keno, 10).values()
    log = {**fields, "nonce": list(range(10)), "outcome": keno.play(**fields).tolist()}
    write_csv(pytester.path / "right.csv", log)
    write_csv(pytester.path / "wrong.csv", log | {"nonce": [*range(9), 8]})
    result = run("-k", "csv", logs=["right.csv", "wrong.csv"], game="gameshop:Keno:picks=2")
    result.assert_outcomes(passed=1, failed=1)
    assert "row 9: mismatch" in result.stdout.str()
    message = "--provably-fair-game: the module gameshop has no Kino: it has the games Keno"
    assert refused(run("-k", "csv", logs=["right.csv"], game="gameshop:Kino")).count(message) == 1


@pytest.mark.usefixtures("right_and_wrong")
def test_logs_are_items(pytester, run):
    (pytester.path / "broken.csv").write_text("a\n")
    result = run(logs=["right.csv", "wrong.csv", "broken.csv"])
    result.assert_outcomes(passed=1, failed=2)
    output = result.stdout.str()
    assert "row 4: mismatch" in output
    assert "no column 'server_seed'" in output
    assert "Traceback" not in output
    assert "step by step" in output


def test_logs_that_verify_nothing_fail(pytester, run):
    (pytester.path / "empty").mkdir()
    (pytester.path / "header.csv").write_text("server_seed,client_seed,salt,outcome\n")
    result = run(logs=["empty", "header.csv", "absent.csv"])
    result.assert_outcomes(failed=3)
    output = result.stdout.str()
    assert "the folder holds no file of a known kind" in output
    assert "no rows, so nothing was verified" in output
    assert "no such file or folder" in output
    assert "Traceback" not in output


def test_other_files_of_a_folder_are_skipped_as_by_verify(pytester, run):
    folder = pytester.path / "logs"
    folder.mkdir()
    write_log(folder / "inner" / "a.csv")
    (folder / "note.txt").write_text("nothing of the kind")
    run(logs=["logs"]).assert_outcomes(passed=1)
    assert pf.verify(folder, pf.Dice()).ok
    result = run(logs=["logs/note.txt"])
    result.assert_outcomes(failed=1)
    assert "the ending must be one of" in result.stdout.str()


def test_logs_need_a_game(run):
    assert "--provably-fair-log needs --provably-fair-game" in refused(run(logs=["x.csv"], game=None))


@pytest.mark.thorough
@pytest.mark.usefixtures("right_and_wrong")
def test_under_xdist(pytester, monkeypatch):
    pytest.importorskip("xdist")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    logs = ["--provably-fair-log=right.csv", "--provably-fair-log=wrong.csv", "--provably-fair-game=dice"]
    result = pytester.runpytest_subprocess("-p", "pytest_provably_fair", "-p", "xdist", "-n2", *logs)
    result.assert_outcomes(passed=1, failed=1)


def test_assert_audit():
    honest, cheat = gallery.honest()[0], gallery.frauds()[0]
    assert assert_audit(honest.log, honest.subject, bet=honest.bet).ok
    with pytest.raises(AssertionError, match="nonce_gap") as caught:
        assert_audit(cheat.log, cheat.subject, bet=cheat.bet)
    assert str(caught.value).endswith(str(cheat.audit()).partition("\n\n")[2])
    wrong = honest.log | {"outcome": [1.23, *honest.log["outcome"][1:]]}
    with pytest.raises(AssertionError, match="1 of them failed"):
        assert_audit(wrong, "stake.dice")
    empty = {name: [] for name in honest.log}
    with pytest.raises(AssertionError, match="no rows"):
        assert_audit(empty, "stake.dice")


def test_logs_are_nodes_that_can_be_selected(pytester, run):
    write_log(pytester.path / "logs" / "a.csv")
    write_log(pytester.path / "logs" / "b.csv", wrong=[3])
    pytester.makepyfile("def test_other(): pass")
    result = run("-v", logs=["logs"])
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines_random(
        ["logs/a.csv::dice PASSED*", "logs/b.csv::dice FAILED*", "*test_other PASSED*"]
    )
    for arguments, outcomes in {
        ("logs/a.csv::dice",): {"passed": 1},
        ("logs/b.csv",): {"failed": 1},
        ("logs",): {"passed": 1, "failed": 1},
        ("-k", "a.csv"): {"passed": 1, "deselected": 2},
        ("--deselect", "logs/b.csv::dice"): {"passed": 2, "deselected": 1},
    }.items():
        run(*arguments, logs=["logs"]).assert_outcomes(**outcomes)
    refused(run("logs/a.csv::crash", logs=["logs"]))
    outside = pytester.path.parent / f"{pytester.path.name}-outside.csv"
    write_log(outside)
    run(logs=[outside]).assert_outcomes(passed=2)


def test_reports_name_file_and_row(pytester, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    write_log(pytester.path / "logs" / "wrong.csv", wrong=[4, 9])
    result = run("--junitxml=report.xml", logs=["logs"])
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "FAILED logs/wrong.csv::dice - Failed: row 4: mismatch in column 'outcome': "
            "found 1.23, expected *(2 of 20*"
        ]
    )
    assert 'classname="logs.wrong.csv" name="dice"' in (pytester.path / "report.xml").read_text()


def test_columns_and_constants_of_logs(pytester, run):
    write_csv(pytester.path / "log.csv", {"Round salt": ["c"], "Roll": pf.Dice().play("a", "b", "c")})
    result = run(logs=["log.csv"])
    result.assert_outcomes(failed=1)
    output = result.stdout.str()
    assert "--provably-fair-column 'salt=Round salt' --provably-fair-column outcome=Roll?" in output
    assert "--provably-fair-constant server_seed=... " in output
    named = shlex.split(re.search(r"did you mean (.*)\?", output)[1])
    assert named == ["--provably-fair-column", "salt=Round salt", "--provably-fair-column", "outcome=Roll"]
    constant = ["--provably-fair-constant=server_seed=a", "--provably-fair-constant=client_seed=b"]
    run(*named, *constant, logs=["log.csv"]).assert_outcomes(passed=1)
    constant[1] = "--provably-fair-constant=client_seed=x"
    run(*named, *constant, logs=["log.csv"]).assert_outcomes(failed=1)
    (pytester.path / "log.csv").write_text('server_seed,client_seed,salt,Roll\na,b,c,"1,234"\n')
    result = run("--provably-fair-column=outcome=Roll", logs=["log.csv"])
    assert "give csv = {decimal = '.'} in the file of --provably-fair-config" in result.stdout.str()


@pytest.mark.usefixtures("right_and_wrong")
def test_logs_of_the_ini_file(pytester, run):
    text = (pytester.path / "right.csv").read_text().replace("salt,outcome", "Salt,Roll")
    pytester.mkdir("inner").joinpath("other.csv").write_text(text)
    pytester.makepyfile("def test_other(): pass")
    pytester.makeini(
        """
        [pytest]
        provably_fair_log =
            right.csv
            inner/other.csv
        provably_fair_game = dice
        provably_fair_column =
            outcome = Roll
            salt = Salt
        """
    )
    result = run("-v")
    result.assert_outcomes(passed=2, failed=1)
    assert "inner/other.csv::dice PASSED" in result.stdout.str()
    assert "no column 'Salt', 'Roll'" in result.stdout.str()
    run("inner/other.csv::dice").assert_outcomes(passed=1)
    run("--provably-fair-column=salt=salt", "wrong.csv", logs=["wrong.csv"], game=None).assert_outcomes(
        failed=1
    )


def test_several_logs_of_several_games_by_files(pytester, run):
    write_log(pytester.path / "dice.csv")
    salts = [f"salt {row}" for row in range(5)]
    write_csv(pytester.path / "x50.csv", {"Round": salts, "Result": pf.X50().play(salt=salts)})
    (pytester.path / "dice.toml").write_text('logs = "dice.csv"\ngame = "dice"\n')
    (pytester.path / "x50.toml").write_text(
        'logs = ["x50.csv"]\ngame = "x50"\n[columns]\nsalt = "Round"\noutcome = "Result"\n'
    )
    pytester.makeini("[pytest]\nprovably_fair_config =\n    dice.toml\n    x50.toml\n")
    result = run("-v")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines_random(["dice.csv::dice PASSED*", "x50.csv::x50 PASSED*"])
    run("x50.csv::x50").assert_outcomes(passed=1)
    run("--provably-fair-config=x50.toml").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("game=no such", "--provably-fair-game: game must be one of"),
        ("column=x", "--provably-fair-column must be NAME=..., got 'x'"),
        ("column=x=y", "--provably-fair-column may name the fields"),
        ("column=salt=a column=salt=b", "--provably-fair-column must give salt once, got 'a' and 'b'"),
        ("constant=x=y", "--provably-fair-constant may name the"),
        ("config=none.toml", "none.toml: No such file or directory"),
        ("config=url.toml", "s3://logs/x.csv: nodes are files on disk"),
        ("config=log.toml", "must name its logs by the key logs"),
        ("config=wrong.toml", "config may have the keys"),
        ("config=other.toml", "columns may name the fields"),
    ],
)
def test_wrong_options_are_usage_errors_once(options, message, pytester, run):
    names = ["a.csv", "b.csv", "c.csv"]
    for name in names:
        write_log(pytester.path / name)
    (pytester.path / "log.toml").write_text('game = "dice"')
    (pytester.path / "url.toml").write_text('logs = "s3://logs/x.csv"\ngame = "dice"')
    (pytester.path / "wrong.toml").write_text('gaem = "dice"')
    (pytester.path / "other.toml").write_text('logs = "a.csv"\ngame = "dice"\n[columns]\nx = "y"')
    given = [f"--provably-fair-{option}" for option in re.split(r" (?=column)", options)]
    output = refused(run(*given, logs=[] if "config" in options else names))
    assert output.count(message) == 1
    assert "Traceback" not in output


def test_frames_of_the_package_are_hidden(pytester, run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    write_log(pytester.path / "wrong.csv", wrong=[4])
    pytester.makepyfile(
        """
        from pytest_provably_fair import assert_fair, assert_rounds

        def test_rows():
            assert_rounds("wrong.csv", "dice")

        def test_columns():
            assert_rounds({"salt": ["a"]}, "dice")

        def test_file():
            assert_rounds("none.csv", "dice")

        def test_fairness():
            assert_fair([1, 2], "mines")
        """
    )
    result = run()
    result.assert_outcomes(failed=4)
    output = result.stdout.str()
    shown, _, summary = output.partition("short test summary")
    assert not re.search(r"^\S*provably_fair\S*\.py:\d+", shown, re.MULTILINE)
    assert shown.count("test_frames_of_the_package_are_hidden.py:") >= 4
    assert "wrong.csv, row 4: mismatch in column 'outcome'" in summary


def test_fixtures_of_simulated_rounds(pytester, run):
    pytester.makepyfile(
        """
        import provably_fair as pf
        from pytest_provably_fair import assert_rounds, rounds_fixture

        simulated = rounds_fixture("dice", pf.Mines(5), "stake.keno", rounds=30)
        others = rounds_fixture("dice", rounds=30, seed=1, scope="module")

        def test_right(simulated):
            assert assert_rounds(simulated.log, simulated.game).checked == 30

        def test_seeds(simulated, others):
            assert simulated.log["server_seed"] != others.log["server_seed"]
        """
    )
    result = run("-v")
    result.assert_outcomes(passed=6)
    for name in ("dice", "Mines(mines=5)", "stake.keno"):
        assert f"test_right[{name}]" in result.stdout.str()
    with pytest.raises(ValueError, match="games must be given"):
        rounds_fixture()


@pytest.mark.usefixtures("right_and_wrong")
def test_logs_of_the_ini_file_are_for_whole_runs(pytester, run):
    pytester.makepyfile("def test_other(): pass")
    pytester.makeini("[pytest]\nprovably_fair_log = right.csv\nprovably_fair_game = dice\n")
    run().assert_outcomes(passed=2)
    run("test_logs_of_the_ini_file_are_for_whole_runs.py").assert_outcomes(passed=1)
    run("right.csv").assert_outcomes(passed=1)


def test_seeds_of_their_own_and_audits(pytester, run):
    dice = pf.operators.stake.Dice()
    hashed, nonces = hashlib.sha256(b"server").hexdigest(), [0, 1, 2, 5]
    log = {"commitment": hashed, "client_seed": "c", "nonce": nonces}
    write_csv(pytester.path / "rounds.csv", log | {"outcome": dice.play("server", "c", nonces)})
    write_csv(pytester.path / "seeds.csv", {"commitment": [hashed], "server_seed": "server"})
    rounds = {"logs": ["rounds.csv"], "game": "stake.dice"}
    run(**rounds).assert_outcomes(failed=1)
    run("--provably-fair-seeds=seeds.csv", **rounds).assert_outcomes(passed=1)
    result = run("--provably-fair-seeds=seeds.csv", "--provably-fair-audit", "-v", **rounds)
    result.assert_outcomes(passed=1, failed=1)
    assert "FAILED rounds.csv::stake.dice audit - Failed: proof: nonce_gap" in result.stdout.str()
    run("--provably-fair-seeds=none.csv", **rounds).assert_outcomes()
    pytester.makeini(
        "[pytest]\nprovably_fair_log = rounds.csv\nprovably_fair_game = stake.dice\n"
        "provably_fair_seeds = seeds.csv\nprovably_fair_audit = true\n"
    )
    run().assert_outcomes(passed=1, failed=1)


def test_a_return_is_held_to_what_was_asked_for():
    table = pf.Distribution([0, 5, 20], [8100, 1600, 90])
    mean = Fraction(5 * 1600 + 20 * 90, 9790)
    assert assert_rtp(table, mean) == 0
    assert assert_rtp(table, "1.001", within="0.001") == pytest.approx(float(abs(mean - Fraction("1.001"))))
    with pytest.raises(AssertionError) as caught:
        assert_rtp(table, "0.96", within="0.0005")
    assert str(caught.value).splitlines() == [
        "the return isn't 0.96 within 0.0005:",
        "  the bet: return 1.001021, 0.041021 above",
        "what the payouts add to the return without rounding:",
        "  5 with probability 0.163432: 0.817160",
        "  20 with probability 0.00919305: 0.183861",
    ]
    # The difference is compared exactly; it may equal the margin.
    coin = pf.bets.Bet(pf.Distribution([0, 1.92], [1, 1]))
    assert assert_rtp(coin, "0.9605", within="0.0005") == 0.0005
    with pytest.raises(AssertionError):
        assert_rtp(coin, "0.96050000000000000001", within="0.0005")


def test_a_return_as_drawn_names_the_law_of_the_rule():
    wheel = pf.operators.stake.Roulette()
    pays = dict.fromkeys(range(1, 19), 2)
    assert assert_rtp(wheel.bet(pays, law="ideal"), Fraction(36, 37)) == 0
    with pytest.raises(AssertionError, match=r"return 0\.972973, [\d.]+e-\d\d (above|below)\n") as caught:
        assert_rtp(wheel.bet(pays), Fraction(36, 37))
    assert 'law="ideal"' in str(caught.value)


def test_a_return_is_held_at_the_stakes_that_are_played():
    coin = pf.bets.Bet(pf.Distribution([0, 1.92], [1, 1]))
    stakes = ["0.25", 1, Decimal("100")]
    assert assert_rtp(coin, "0.96", within="0.0005", stakes=stakes, unit="0.01") == 0
    with pytest.raises(AssertionError) as caught:
        assert_rtp(coin, "0.96", within="0.0005", stakes=["0.01", "0.25", "0.1"], unit="0.01")
    assert str(caught.value).splitlines() == [
        "the return isn't 0.96 within 0.0005 at 2 of 3 stakes:",
        "  stake 0.01: return 0.500000, 0.460000 below",
        "  stake 0.1: return 0.950000, 0.010000 below",
        "paid in units of 0.01, rounded down; without rounding the return is 0.960000 (as asked for)",
        "what the payouts add to the return without rounding:",
        "  1.92 with probability 0.5: 0.960000",
    ]
    assert assert_rtp(coin, 1, stakes=["0.01"], rounding="up") == 0
    with pytest.raises(ValueError, match="within must be at least 0"):
        assert_rtp(coin, 1, within=-1)
    with pytest.raises(ValueError, match=r"rtp must be a number such as '0.01', got 'x'"):
        assert_rtp(coin, "x")
    with pytest.raises(ValueError, match=r"stakes\[0\] must be above 0"):
        assert_rtp(coin, 1, stakes=[0])


class MyDice(pf.Game):
    scheme = pf.operators.stake.Dice.scheme
    n: int = 10_001
    mirrored: bool = False

    def outcome(self, draws):
        drawn = draws.below(self.n)
        return (self.n - 1 - drawn if self.mirrored else drawn) / 100


class MySalted(MyDice):
    scheme = pf.SALTED


class MyKeno(pf.Game):
    """Ten of forty numbers, too many for a distribution; or the first of them from another end."""

    scheme = pf.operators.stake.Keno.scheme
    swapped: bool = False

    def outcome(self, draws):
        drawn = draws.sample(40, 10)
        return drawn[:, [*range(8), 9, 8]] if self.swapped else drawn


@pytest.mark.thorough
def test_a_game_is_held_to_another():
    assert assert_same_game(MyDice(), pf.operators.stake.Dice(), rounds=500) == 520
    with pytest.raises(AssertionError) as caught:
        assert_same_game(MyDice(10_000), "stake.dice")
    text = str(caught.value)
    assert "isn't stake.dice: their exact laws differ" in text
    assert "0.0: probability 0.0001, not 9.999e-05" in text
    assert "and 9996 more" in text
    # The distribution is the same, but no round is.
    with pytest.raises(AssertionError, match=r"of server_seed=.* it gives [0-9.]+, not [0-9.]+") as caught:
        assert_same_game(MyDice(mirrored=True), "stake.dice")
    assert "4. From the draws to the outcome" in str(caught.value)
    # Seeds under another scheme give other rounds, but the rule is the same.
    assert assert_same_game(MySalted(), "stake.dice") == 0
    assert assert_same_game(MySalted(), pf.Dice(), rounds=100) > 100
    with pytest.raises(AssertionError, match=r"its outcomes have the shape \(24,\), not \(\)"):
        assert_same_game(pf.operators.stake.Mines(24), "stake.dice")


@pytest.mark.thorough
def test_games_whose_laws_cant_be_listed_are_held_by_their_rounds():
    assert assert_same_game(MyKeno(), "stake.keno", rounds=300) == 320
    with pytest.raises(AssertionError, match=r"MyKeno:swapped=True isn't stake.keno: of "):
        assert_same_game(MyKeno(swapped=True), "stake.keno")
    with pytest.raises(ValueError, match="mine must have the fields of reference's scheme"):
        assert_same_game(MyKeno().with_scheme(pf.SALTED), "stake.keno")
