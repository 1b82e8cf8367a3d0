"""The command line, as users run it."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from oracles import salted as reference

pytest.importorskip("typer")
pytest.importorskip("pyarrow")
from provably_fair.cli import run

SEEDS = ["-s", "", "-c", "", "--salt", ""]


PROGRAM = [sys.executable, "-c", "import sys; from provably_fair._cli_entry import main; sys.exit(main())"]


def program(*arguments, **options):
    return subprocess.run([*PROGRAM, *arguments], capture_output=True, **options)


def test_help(command):
    for arguments in (["--help"], ["verify", "--help"], ["simulate", "--help"]):
        code, out, _ = command(*arguments)
        assert code == 0
        assert "Usage: provably-fair" in out
    assert command("--version")[:2] == (0, f"provably-fair {pf.__version__}\n")


def test_help_shows_commands_and_options_in_groups(command):
    def groups(*arguments):
        lines = command(*arguments, "--help")[1].splitlines()
        return [line.removesuffix(":") for line in lines if line[:1].strip() and line.endswith(":")]

    assert groups() == ["Options", "Games and rounds", "Logs", "Returns", "Generators"]
    of_logs = ["The game", "Reading the log", "What counts as wrong", "The report", "Options"]
    assert groups("verify") == ["Arguments", *of_logs]
    assert groups("audit") == ["Arguments", "The game", "The audit", *of_logs[1:]]
    assert groups("locate") == ["Arguments", "Options", of_logs[1], of_logs[0], *of_logs[2:4]]
    assert groups("play") == ["Arguments", "Options"]
    shown = command("--help")[1]
    assert "certificate    Check the certificate of a log that verify or audit wrote." in shown
    assert "certify        Run a gaming standard's tests on a game's generator." in shown
    assert "..." not in shown.partition("Games and rounds")[2]  # no summary is truncated


def test_help_needs_neither_pyarrow_nor_pandas():
    code = "import sys; sys.modules.update(dict.fromkeys(('pyarrow', 'pandas', 'polars', 'scipy')))\n"
    code += "from provably_fair._cli_entry import main; sys.exit(main(sys.argv[1:]))"
    for arguments in (["--help"], ["verify", "--help"], ["play", "mines", *SEEDS]):
        done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("commi", ["commit"]),
        ("play di", ["dice"]),
        ("play stake.di", ["stake.diamonds", "stake.dice"]),
        ("verify log.csv --game comb", ["combined-dice"]),
        ("verify --sch", ["--scheme"]),
    ],
)
def test_shells_complete_commands_options_and_games(words, offered):
    line = f"provably-fair {words}"
    asked = {
        "_PROVABLY_FAIR_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split()) - 1),
    }
    done = program(env={**os.environ, **asked}, text=True)
    assert sorted(done.stdout.split()) == sorted(offered)


def test_play(command):
    assert command("play", "mines:mines=5", *SEEDS)[:2] == (0, "[11, 8, 18, 16, 24]\n")
    assert command("play", "mines", "-p", "mines=5", *SEEDS)[:2] == (0, "[11, 8, 18, 16, 24]\n")
    for twice in (
        ["mines:mines=5,mines=5"],
        ["mines:mines=3", "-p", "mines=5"],
        ["mines", *2 * ("-p", "mines=5")],
    ):
        code, _, error = command("play", *twice, *SEEDS)
        assert code == 2
        assert "the game mines takes mines=... once" in error
    code, out, _ = command("play", "crash", "--salt", "x", "--json")
    assert code == 0
    assert json.loads(out) == {
        "game": "Crash()",
        "outcome": reference.crash(*reference.CONSTANT_SEEDS["crash"], "x"),
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["play", "dice", "--salt", "x"], "--server-seed must be given"),
        (["play", "roulette", *SEEDS], "GAME must be one of"),
        (["play", "mines:mines=25", *SEEDS], "mines must be from 1 to 24"),
        (["play", "mines:cells=25", *SEEDS], "takes mines=..."),
        (["play", "mines:mines=x", *SEEDS], "must be a whole number"),
        (["play", "mines:mines=1_0", *SEEDS], "must be a whole number, got '1_0'"),
        (["play", "stake.dice", *SEEDS[:4], "--nonce", "1_0"], "--nonce must be a whole number, got '1_0'"),
        (["returns", "dice", "--bet", "under=5_0", "--unit", "1"], "--bet under must be numbers, got '5_0'"),
        (["distribution", "dice", "--of", "under"], "--of must be NAME=..., got 'under'"),
        (
            ["rounds-needed", "dice", *["--bet", "under=50,payout=2", "--against", "under=50,payout=2"]],
            "--against must have another mean",
        ),
        (["verify", "no/such/file.csv", "--game", "dice"], "no such file"),
        (["verify", "log.csv"], "--game"),
        (["verify", "log.csv", "--game", "dice", "--column", "salt"], "--column must be NAME="),
        (
            ["verify", "log.csv", "--game", "dice", "--column", "salt=a", "--column", "salt=b"],
            "--column must give salt once, got 'a' and 'b'",
        ),
        (
            ["returns", "dice", "--bet", "under=50,under=49,payout=1.98", "--unit", "1"],
            "--bet must give under once, got '50' and '49'",
        ),
        (
            ["rounds-needed", "dice", "--bet", "under=50,payout=1.98", "--against", "under=x,payout=1.98"],
            "--against under must be numbers, got 'x'",
        ),
        (
            ["returns", "double", "--bet", "payout=0:14,0:2", "--unit", "1"],
            "--bet payout must give each outcome once, got '0:14,0:2'",
        ),
        (
            ["play", "stake.dice", *SEEDS[:4], "--nonce", "1", "-f", "nonce=2"],
            "--field must give nonce once, got '1' and '2'",
        ),
        (["verify", "log.csv", "--game", "dice", "--key", "k.pem"], "--key isn't supported without"),
        (
            ["certificate", "check", "c.json", "log.csv", "-p", "rows=8"],
            "--param and --scheme aren't supported",
        ),
        (
            ["audit", "log.csv", "-g", "combined-dice", "--bet", "payout=2"],
            "--bet isn't supported with Combined: it is no single game that takes bets",
        ),
        (["simulate", "dice", "5", "--out", "x.xlsx"], "--out must end in"),
        (["simulate", "dice", "5", "--out", "none/x.parquet"], "No such folder:"),
        (["stream", "--rounds", "5", "--width", "0"], "Invalid value for '--width'"),
        (["nonsense"], "nonsense"),
        (["play", "dice\x1b[31m", *SEEDS], "dice\\x1b[31m"),
    ],
)
def test_bad_usage(command, arguments, message):
    code, _, err = command(*arguments)
    assert code == 2
    assert message in err.replace("\\\\", "\\")
    assert "\x1b" not in err


@pytest.mark.parametrize("name", [*pf.operators.salted.GAMES, "video-poker"])
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_what_is_simulated_verifies(command, tmp_path, name, ending):
    path = tmp_path / f"rounds.{ending}"
    assert command("simulate", name, 100, "--out", path, "--seed", "s", "--start", 7) == (0, "", "")
    code, out, _ = command("verify", path, "--game", name)
    assert code == 0
    assert "verified" in out
    assert hashlib.sha256(path.read_bytes()).hexdigest() in out
    code, out, _ = command("verify", path, "--game", name, "--json")
    report = json.loads(out)
    assert (code, report["ok"], report["checked"]) == (0, True, 100)


def test_simulated_arrays(command, tmp_path):
    path = tmp_path / "rounds.npy"
    assert command("simulate", "tower:mines=2", 100, "-o", path, "--seed", "s")[0] == 0
    assert np.array_equal(np.load(path), pf.Tower(2).simulate(100, seed="s"))
    assert command("simulate", "dice", 0, "-o", path)[0] == 0
    assert np.load(path).shape == (0,)
    assert command("simulate", "stake.mines", 3, "-f", "nonce=5", "-o", path)[0] == 0
    assert np.array_equal(np.load(path), pf.operators.stake.Mines().simulate(3, nonce=5))
    code, out, _ = command("simulate", "dice", 2)
    assert code == 0
    assert out.splitlines()[0] == "server_seed,client_seed,salt,outcome"
    assert float(out.splitlines()[2].split(",")[3]) == pf.Dice().simulate(2)[1]


def test_exit_codes_of_verify(command, tmp_path):
    path = tmp_path / "rounds.csv"
    command("simulate", "dice", 10, "-o", path)
    lines = path.read_text().splitlines()
    lines[4] = lines[4].rsplit(",", 1)[0] + ",100.5"
    path.write_text("\n".join(lines) + "\n")
    code, out, _ = command("verify", path, "--game", "dice", "--report", tmp_path / "report.json")
    assert code == 1
    assert "row 3: mismatch in column 'outcome': found 100.5" in out
    assert "\x1b" not in out  # no color without a terminal
    assert json.loads((tmp_path / "report.json").read_text())["failed"] == 1
    path.write_text("server_seed,client_seed,salt,outcome\n")
    code, _, err = command("verify", path, "--game", "dice")
    assert code == 2
    assert "no rows" in err
    path.write_bytes(b"\0\1\2")
    code, _, err = command("verify", path, "--game", "dice")
    assert code == 2
    assert "rounds.csv" in err


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="needs names of open files")
def test_a_report_goes_into_a_pipe(command, tmp_path):
    command("simulate", "dice", 1, "-o", tmp_path / "rounds.csv")
    reading, writing = os.pipe()
    with open(reading) as pipe:
        report = f"/dev/fd/{writing}"
        assert command("verify", tmp_path / "rounds.csv", "-g", "dice", "--report", report)[0] == 0
        os.close(writing)
        assert json.load(pipe)["ok"]


def test_a_database_is_asked_by_a_query(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with contextlib.closing(sqlite3.connect("log.db")) as database:
        database.execute("CREATE TABLE bets (server_seed)")
    code, _, err = command("verify", "log.db", "--game", "dice")
    assert code == 2
    assert "log.db: a database, whose rows a query gives: Query('SELECT ...', 'sqlite:///log.db')" in err
    assert "or the query as LOG and --db sqlite:///log.db" in err
    code, _, err = command("verify", "SELECT * FROM bets", "--db", "log.db", "--game", "dice")
    assert (code, err) == (2, "provably-fair: --db must be a URL, such as sqlite:///log.db\n")
    (tmp_path / "text.db").write_text("no database")
    assert "text.db: the ending must be one of .csv" in command("verify", "text.db", "--game", "dice")[2]


def test_a_row_that_cannot_be_explained(command, tmp_path):
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps({"server_seed": "a", "client_seed": "b", "hold": "x\x1b", "outcome": 1}))
    code, out, _ = command("verify", path, "--game", "video-poker", "--explain")
    assert code == 1
    assert "malformed in column 'hold': found x" in out
    assert "row 0 can't be explained: hold must be" in out
    assert "\x1b" not in out


def test_hostile_markup_is_shown_as_it_is(command, tmp_path):
    path = tmp_path / "log.jsonl"
    row = {"server_seed": "a", "client_seed": "b", "salt": "c", "outcome": "[red]\x1b[31m:100:"}
    path.write_text(json.dumps(row))
    code, out, _ = command("verify", path, "--game", "dice")
    assert code == 1
    assert "[red]\\x1b[31m:100:" in out


def test_stream():
    done = program("stream", "--rounds", "3", "--seed", "s", "-s", "a", "-c", "b")
    expected = b"".join(reference.random_bytes("a", "b", salt) for salt in reference.salts(3, "s"))
    assert (done.returncode, done.stdout) == (0, expected)


def test_an_endless_stream_ends_with_its_reader():
    with subprocess.Popen([*PROGRAM, "stream"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert len(process.stdout.read(1 << 20)) == 1 << 20
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


@pytest.mark.skipif(os.name != "posix", reason="no such signal on this system")
def test_control_c_ends_a_command_in_silence():
    # Background processes of a shell ignore SIGINT, and so do their children.
    code = (
        "import runpy, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
    )
    errors = None
    with subprocess.Popen(
        [sys.executable, "-c", code, "provably_fair", "stream"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        process.stdout.read(1)
        # Repeated in case Python loses the exception in a finalizer.
        for _ in range(3):
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                _, errors = process.communicate(timeout=10)
                break
        process.kill()
    assert (process.returncode, errors) == (130, b"")


def test_a_stream_without_seeds_is_that_of_the_function(command):
    out = io.BytesIO()
    pf.seeds.random_stream(out, 32, seed="s")
    assert program("stream", "--rounds", "2", "--seed", "s").stdout == out.getvalue()
    shown = " ".join(command("stream", "--help")[1].split())
    assert 'by default SHA-256 of "SEED:server"' in shown
    assert 'by default SHA-256 of "SEED:client"' in shown


@pytest.mark.thorough
def test_the_stream_of_a_game_and_of_a_scheme(tmp_path):
    def written(**options):
        out = io.BytesIO()
        pf.seeds.random_stream(out, 24, **options)
        return out.getvalue()

    stake = pf.operators.stake.SCHEME
    (tmp_path / "scheme.toml").write_text(
        'hash = {name = "sha256", message = "{client_seed}:{nonce}", key = "{server_seed}"}\nbits = 32\n'
    )
    own = pf.Scheme.load(tmp_path / "scheme.toml")
    crash = dict(zip(("server_seed", "client_seed"), reference.CONSTANT_SEEDS["crash"], strict=True))
    zoo = pf.operators.stake.ZOO_SCHEME
    for arguments, expected in (
        (["--game", "stake.dice", "--rounds", "3"], written(scheme=stake)),
        (["-g", "stake.dice", "--numbers", "24", "-c", "me"], written(scheme=stake, client_seed="me")),
        (["--scheme", str(tmp_path / "scheme.toml"), "--rounds", "3"], written(scheme=own)),
        (
            ["-g", "stake.dice", "--scheme", str(tmp_path / "scheme.toml"), "--rounds", "3"],
            written(scheme=own),
        ),
        (["-g", "crash", "--numbers", "24"], written(**crash)),
        (["-g", "stake.zoo", "--rounds", "3", "-f", "salt=s"], written(scheme=zoo, salt="s")),
    ):
        done = program("stream", *arguments)
        assert (done.stdout, done.stderr) == (expected, b"")
    done = program("stream", "-g", "stake.dice", "--rounds", "3", "-f", "salt=s", text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert "the scheme's fields are server_seed, client_seed, nonce, got 'salt'" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "streams"),
    [
        (["verify", "right.csv", "--game", "dice"], ["stdout"]),
        (["verify", "wrong.csv", "--game", "dice"], ["stdout", "stderr"]),
        (["simulate", "dice", "100000"], ["stdout"]),
        (["play", "roulette", *SEEDS], ["stderr"]),
    ],
)
def test_a_closed_pipe_is_no_verdict(tmp_path, arguments, streams):
    salts = [salt.decode() for salt in pf.salts(3)]
    for name, outcomes in (("right", pf.Dice().play("a", "b", salts)), ("wrong", [1.23] * 3)):
        rows = [f"a,b,{salt},{outcome}\n" for salt, outcome in zip(salts, outcomes, strict=True)]
        (tmp_path / f"{name}.csv").write_text("server_seed,client_seed,salt,outcome\n" + "".join(rows))
    done = into_closed_pipe(arguments, streams, cwd=tmp_path)
    assert (done.returncode, done.stderr or b"") == (141, b"")


def into_closed_pipe(arguments, streams, **options):
    """Run the command with these streams connected to a closed pipe."""
    reader, writer = os.pipe()
    os.close(reader)
    targets = {name: writer if name in streams else subprocess.PIPE for name in ("stdout", "stderr")}
    try:
        return subprocess.run([*PROGRAM, *arguments], **targets, **options)
    finally:
        os.close(writer)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_a_full_disk_is_an_error():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*PROGRAM, "seed", "--json"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("provably-fair: ")
    assert len(done.stderr.splitlines()) == 1


def test_seed_and_commit(command, monkeypatch):
    code, out, _ = command("seed", "--json")
    made = json.loads(out)
    assert code == 0
    assert pf.check_commitment(made["seed"], made["commitment"])
    assert command("commit", "abc")[:2] == (0, pf.commitment("abc") + "\n")
    assert command("commit", "abc", "--check", pf.commitment("abc").upper())[0] == 0
    assert command("commit", "abc", "--check", pf.commitment("abd"))[0] == 1
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"abc\n")))
    assert command("commit", "-")[:2] == (0, pf.commitment("abc") + "\n")


def test_without_the_extra_the_install_line_is_printed():
    code = (
        "import sys; sys.modules['typer'] = None\nfrom provably_fair._cli_entry import main; sys.exit(main())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 2
    assert "pip install 'provably_fair[cli]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_video_poker(command):
    seeds = ["-s", "2XMpPAbEw3qdH3HQla2K5zNwoNEFHOEYolkB969j", "-c", "bc7v9bn70d7n07sn", "--hold", "1,4"]
    code, out, _ = command("video-poker", *seeds)
    assert code == 0
    assert "J♣ 3♦ 5♦ A♣ J♦" in out
    assert command("video-poker", *seeds, "--commitment", pf.commitment(seeds[1]))[0] == 0
    assert command("video-poker", *seeds, "--commitment", pf.commitment("another"))[0] == 1
    code, out, _ = command("video-poker", *seeds, "--json")
    json.loads(out)
    assert command("video-poker", *seeds, "--paytable", "no such")[0] == 2
    code, _, err = command("video-poker", *seeds[:-1], "one")
    assert (code, "--hold must be five flags (10110, H-HH- or booleans), cards of" in err) == (2, True)
    shown = command("video-poker", *seeds)[1]
    for hold in ("14", "1 4", "10010", "H--H-", "J♣ A♣", "JcAc"):
        assert command("video-poker", *seeds[:-1], hold)[1] == shown


def test_dice_log(command, tmp_path):
    from oracles.fpclub import PRINTED_RECORD

    path = tmp_path / "game.log"
    path.write_text(PRINTED_RECORD)
    code, out, _ = command("dice-log", path)
    assert code == 1
    assert "insert a 4 at index 195" in out
    code, out, _ = command("dice-log", path, "--json")
    (record,) = json.loads(out)
    assert (code, record["ok"], record["repair"]) == (1, False, "insert a 4 at index 195")
    path.write_text(pf.operators.fpclub.HashedDice("5635").record().text)
    assert command("dice-log", path)[0] == 0
    path.write_text("DH[")
    assert command("dice-log", path)[0] == 2


def test_explain(command):
    code, out, _ = command("explain", "mines:mines=3", *SEEDS)
    assert code == 0
    assert out.rstrip() == str(pf.Mines(3).explain("", "", "")).rstrip()
    code, out, _ = command("explain", "double", "--salt", "x", "--json")
    assert json.loads(out) == json.loads(json.dumps(pf.Double().explain(salt="x").to_dict()))


def test_distribution(command):
    code, out, _ = command("distribution", "mines:mines=3", "--of", "cells=0,1")
    assert code == 0
    assert "0.770000000000" in out
    code, out, _ = command("distribution", "double", "--as-drawn", "--json")
    law = json.loads(out)
    assert int(law["total"]) == 2**64 == sum(map(int, law["weights"]))
    assert command("distribution", "mines")[0] == 2
    assert command("distribution", "mines", "--of", "cells=x")[0] == 2


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("game", ["bustabit.v1", "bcgame.crash"])
def test_laws_of_multipliers_that_cannot_be_listed_end_at_a_thousand(command, game):
    code, out, err = command("distribution", game)
    assert (code, err) == (0, "")
    assert "Crash(), up to 1000: mean" in out or "V1(), up to 1000: mean" in out
    code, _, err = command("distribution", "bustabit.v3", "--of", "cells=0")
    assert code == 2
    assert "Its options are cash_out, of" in err


def test_laws_whose_outcomes_are_several_numbers(command):
    code, out, _ = command("distribution", "stake.mines:mines=2")
    assert code == 0
    assert out.startswith("stake.Mines(mines=2): 600 outcomes\n")
    assert "(0, 1)  0.001666666667  1 / 600" in out


def test_deals_are_games_of_every_command(command):
    """Deals are available in each command under the names used in their logs."""
    seeds = ["-s", "a", "-c", "b"]
    dealt = pf.operators.crypto_games.Blackjack().play("a", "b").tolist()
    assert command("play", "blackjack", *seeds)[:2] == (0, f"{dealt}\n")
    hand = pf.operators.crypto_games.VideoPoker().play("a", "b").tolist()
    named = " ".join(pf.cards.name(card) for card in hand)
    assert command("play", "video-poker", *seeds)[:2] == (0, f"{hand}\n{named}\n")
    assert command("play", "video-poker:bonus_poker", *seeds)[:2] == (0, f"{hand}\n{named}\n")
    assert command("play", "video-poker:royals", *seeds)[0] == 2


def test_cards_that_an_operator_numbers_in_its_own_order_have_their_names(command):
    """The round of 2019 whose cards were dealt so; see `stake.Blackjack`."""
    seeds = ["-s", "abf5e01d286b951bf4ef72b87720aeed3889b467660deeec3a0b1df677282ad6", "-c", "oTmxwsdI"]
    game = ("play", "stake.blackjack:cards=5", *seeds, "--nonce", "1")
    assert command(*game)[:2] == (0, "[42, 37, 30, 11, 45]\nQ♠ J♥ 9♠ 4♣ K♥\n")
    assert json.loads(command(*game, "--json")[1])["names"] == ["Q♠", "J♥", "9♠", "4♣", "K♥"]
    assert "names" not in json.loads(command("play", "stake.dice", *seeds, "--nonce", "1", "--json")[1])
    for name in ("blackjack", "video-poker"):
        code, out, _ = command(name, "--help")
        operators = f"stake.{name.replace('-', '')}"
        assert code == 0
        assert "Crypto.Games" in out
        assert operators in out
        assert command("explain", operators, *seeds, "--nonce", "1")[0] == 0


def test_blackjack(command):
    seeds = ["-s", "Yt5IDwsb3Ldc5vyusvcQNfLqqjoYmCHGRkasqXNQ", "-c", "5v5b85n85vb856nvbn5vbn"]
    code, out, _ = command("blackjack", *seeds, "--actions", "double")
    assert code == 0
    assert "3♣ 5♣ K♦" in out
    assert command("blackjack", *seeds, "--commitment", pf.commitment("another"))[0] == 1
    for actions in ("D", "d", "DOUBLE", '["double"]'):
        assert command("blackjack", *seeds, "--actions", actions)[1] == out
    assert command("blackjack", *seeds, "--actions", "fold")[0] == 2
    json.loads(command("blackjack", *seeds, "--json")[1])


def test_a_battery_runs_the_tests_that_are_asked_for_on_the_scheme_of_a_game(monkeypatch):
    from provably_fair.cli import streams

    asked = []

    def battery(tests, scheme, seed, program, progress, **fields):
        asked.append((tests, scheme, fields))
        raise FileNotFoundError("dieharder is not installed")

    monkeypatch.setattr(streams, "run_battery", battery)
    for tests in ([], ["smoke"], ["all"], ["0", "15"], ["--game", "stake.zoo", "--field", "salt=s"]):
        assert run(["battery", *tests]) == 2
    salted = [(tests, pf.SALTED, {}) for tests in ("smoke", "smoke", "all", ["0", "15"])]
    assert asked == [*salted, ("smoke", pf.operators.stake.ZOO_SCHEME, {"salt": "s"})]


@pytest.mark.thorough
def test_how_many_rounds_it_takes_from_two_bets(capsys):
    bets = ["rounds-needed", "dice", "--bet", "under=50,payout=1.98", "--against", "under=45,payout=1.98"]
    assert run(bets) == 0
    said = capsys.readouterr().out
    claimed, true = (pf.Dice().bet(1.98, under=under) for under in (50, 45))
    assert f"takes {claimed.rounds_needed(true, level=0.01, power=0.9):,} bets to reject the claim" in said
    assert run([*bets, "--json", "--power", "0.5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["rounds"] == claimed.rounds_needed(true, level=0.01, power=0.5)
    assert found["monitor"]["mean"] == claimed.rounds_until_alarm(true).mean
    assert run(bets[:-2]) == 2
    assert "--against" in capsys.readouterr().err


def test_the_return_as_it_is_paid(capsys):
    bet = ["--game", "dice", "--bet", "under=50,payout=1.98", "--unit", "0.01"]
    returns = ["returns", *bet]
    assert run([*returns, "--stake", "0.01"]) == 0
    # 0.0198 is paid as 0.01, so a winning bet only returns its stake.
    wins = pf.Dice().bet({1: 1}, under=50).exact_rtp
    assert capsys.readouterr().out == (
        "claimed return 0.989901\n"
        f"at a stake of 0.01, paid in units of 0.01, rounded down: return {float(wins):.6f}\n"
    )
    assert run([*returns, "--stake", "0.01", "--rounding", "half_up", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert Fraction(found["exact_rtp"]) == 2 * wins
    assert found["rtp"] == float(2 * wins)
    # Totals are tested against rounded payouts: half of 10,000 one-cent bets return a cent each.
    totals = ["rtp", "--total", "50", "--rounds", "10000", "--stake", "0.01", *bet]
    assert run(totals) == 0
    assert "10,000 bets returned 50; the expected total is 49.995" in capsys.readouterr().out
    assert run(totals[:-2]) == 1
    for command in (returns, totals):
        assert run([*command, "--stake", "x"]) == 2
        assert "--stake must be a number such as '0.01', got 'x'" in capsys.readouterr().err
        assert run([*command, "--stake", "-1"]) == 2
        assert "--stake must be above 0, from 1e-40 to 1e40, got '-1'" in capsys.readouterr().err
        assert run([*command, "--unit", "0"]) == 2
        assert "--unit must be above 0" in capsys.readouterr().err
    for wrong, said in (
        (["rtp", *bet], "one of LOG and --total with --rounds must be given"),
        ([*totals, "bets.csv"], "one of LOG and --total with --rounds must be given"),
        (["rtp", "bets.csv", *bet], "--unit isn't supported with a log"),
        (["rtp", "--total=0", "--rounds=0", *bet], "no rounds with a stake, so nothing was tested"),
        (["rtp", "--total=0", "--rounds=9", *bet[:-2], "--stake=0"], "so nothing was tested"),
        (["rtp", "bets.csv", "--bet", "under=50"], "--game"),
        *(([*totals, "--level", level], "--level must be above 0") for level in ("nan", "0", "2")),
        *(([*totals[:-2], "--stake", stake], "--stake must be from 0 to") for stake in ("-1", "1e400")),
        (returns[:-2], "--unit"),
    ):
        assert run(wrong) == 2
        assert said in capsys.readouterr().err


def test_rtp_guesses_no_stakes_and_counts_all_rows(command, tmp_path):
    rng = np.random.default_rng(1)
    stakes = rng.choice([1.0, 2.0, 0.5], 300)
    paid = pf.Dice().bet(1.98, under=50).law.rvs(300, rng) * stakes
    stakes[3] = 0
    told = ["--game", "dice", "--bet", "under=50,payout=1.98"]
    for name in ("amount", "Bet Size", "other"):
        rows = "".join(f"{stake},{amount}\n" for stake, amount in zip(stakes, paid, strict=True))
        (tmp_path / f"{name}.csv").write_text(f"{name},payout\n{rows}")
    code, out, _ = command("rtp", str(tmp_path / "amount.csv"), *told)
    assert code == 0
    assert "1 of 300 rows have a stake of 0" in out
    (tmp_path / "free.csv").write_text("amount,payout\n0,0\n0,0\n")
    code, _, err = command("rtp", str(tmp_path / "free.csv"), *told)
    assert code == 2
    assert "no rows of dice with a stake, so nothing was tested" in err
    code, _, err = command("rtp", str(tmp_path / "Bet Size.csv"), *told)
    assert code == 2
    assert "--column 'stake=Bet Size'" in err
    assert "--constant stake=1 says that all stakes are 1" in err
    for log in ([str(tmp_path / "Bet Size.csv"), "--constant", "stake=1"], [str(tmp_path / "other.csv")]):
        code, out, _ = command("rtp", *log, *told)
        assert code == 1
        wrong = int((~np.isin(paid, [0, 1.98])).sum())
        assert f"{wrong:,} of 300 rows have a payout that is impossible for the bet" in out
        assert "all stakes are 1" in out
        assert json.loads(command("rtp", *log, *told, "--json")[1])["impossible_rows"] == wrong


def test_rtp_says_which_rows_it_leaves_out_and_that_stakes_may_be_missing(command, tmp_path):
    told = ["--game", "dice", "--bet", "under=50,payout=1.98"]
    rows = "".join(f"{'Dice' if row % 3 else 'Limbo'},2,{row % 2 * 1.96}\n" for row in range(300))
    (tmp_path / "bets.csv").write_text(f"game,bet amount,win amount\n{rows}")
    log = [str(tmp_path / "bets.csv"), "--game-column", "game"]
    code, out, _ = command("rtp", *log, *told)
    assert code == 1
    assert "100 more rows of other games left out" in out
    assert "100 of 200 rows have a payout that is impossible for the bet, the first of them: 1, 5, 7" in out
    assert "with the stake added they are possible" in out
    shown = json.loads(command("rtp", *log, *told, "--json")[1])
    assert (shown["rows"], shown["other_rows"], shown["possible_with_stakes"]) == (200, 100, True)
    (tmp_path / "bets.csv").write_text("bet,payout\n2,1.96\n2,1.95\n2,0\n")
    code, out, _ = command("rtp", log[0], *told)
    assert (code, "with the stake added" in out, "left out" in out) == (1, False, False)
    rows = "".join(f"2,{row % 2 * 3.96},\n2,2,void\n" for row in range(20))
    (tmp_path / "bets.csv").write_text(f"bet,payout,status\n{rows}")
    code, out, _ = command("rtp", log[0], *told)
    assert (code, "20 bets returned 39.6" in out, "20 annulled bets left out" in out) == (0, True, True)
    (tmp_path / "bets.csv").write_text("bet,payout,status\n2,2,void\n")
    code, _, err = command("rtp", log[0], *told)
    assert (code, "no rows of dice whose stake wasn't returned, so" in err) == (2, True)


def test_a_watch_names_its_options_as_they_are_typed(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rules = 'windows = ["all"]\n[bets.Dice]\non = "dice"\nunder = 50\npayout = 1.98\n'
    (tmp_path / "rules.toml").write_text(rules)
    (tmp_path / "bets.csv").write_text("game,paid out\nDice,1.98\nDice,0\n")
    assert run(["watch", "rules.toml", "bets.csv"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("provably-fair: bets.csv: no column 'payout'")
    assert "--column 'payout=paid out'" in said
    assert run(["watch", "rules.toml", "bets.csv", "--column", "payout=paid out"]) == 0
    assert "no alarm in 1 segment, 2 bets in 1 batch" in capsys.readouterr().out


def test_the_demo_needs_nothing_but_numpy():
    code = (
        "import sys; sys.modules['typer'] = None; from provably_fair._cli_entry import main; main(['demo'])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "These are the defects that were planted, and no others." in done.stdout
