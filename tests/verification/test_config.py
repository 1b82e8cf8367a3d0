"""The description of a log in a TOML file works alike in Python, on the command line and in pytest."""

from __future__ import annotations

import hashlib
import re

import provably_fair as pf
import pytest
from oracles import salted
from provably_fair.cli import run

pytest.importorskip("pyarrow")

ROWS = [("s", "player", f"round {row}") for row in range(6)]


@pytest.fixture
def folder(tmp_path):
    """A folder with a log that needs every option, and a config that has them."""
    rows = [f"{salt}|{salted.dice(server, client, salt)}x".replace(".", ",") for server, client, salt in ROWS]
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "rounds.csv").write_bytes("\n".join(["Numéro|Roll", *rows]).encode("latin-1"))
    (inside / "log.toml").write_text(
        """
        logs = "rounds.csv"
        game = "dice"
        [columns]
        salt = "Numéro"
        outcome = "Roll"
        [constants]
        server_seed = "s"
        client_seed = "player"
        [csv]
        separator = "|"
        decimal = ","
        encoding = "latin-1"
        """,
        encoding="utf-8",
    )
    return inside


def test_a_file_says_what_a_log_is(folder, monkeypatch, capsys):
    config = folder / "log.toml"
    report = pf.verify(config=config)
    assert (report.ok, report.checked) == (True, 6)
    assert report.parameters["csv"] == {"separator": "|", "decimal": ",", "encoding": "latin-1"}
    monkeypatch.chdir(folder)
    assert pf.verify("rounds.csv", config="log.toml").checked == 6
    assert run(["verify", "--config", str(config)]) == 0
    assert run(["verify", "rounds.csv", "--config", "log.toml"]) == 0
    assert "client_seed" in capsys.readouterr().out
    text = (folder / "rounds.csv").read_bytes().replace(b",", b",5", 1)
    (folder / "rounds.csv").write_bytes(text)
    assert [failure.row for failure in pf.verify(config=config).failures] == [0]
    assert run(["verify", "--config", str(config)]) == 1


def test_arguments_go_before_the_file(folder):
    config = folder / "log.toml"
    assert pf.verify(config=config, game="x50").failed == 6
    assert run(["verify", "--config", str(config), "--decimal", "."]) == 1
    assert run(["verify", "--config", str(config), "--game", "crash", "--constant", "client_seed=x"]) == 1
    check = pf.check({"Numéro": ["a"], "Roll": [salted.dice("s", "player", "a")]}, config=config)
    assert check["ok"] == [True]


def test_what_a_log_is_is_shown(folder):
    config = folder / "log.toml"
    anchored = 'anchor = "ab"\nanchor_number = 5\n'
    about = '[about]\noperator = "Lucky\\u001b"\nplayed = 2026-01-02\nrows = 6\n'
    about += '[about.columns]\nRoll = "a roll"\n'
    config.write_text(anchored + config.read_text("utf-8") + about, "utf-8")
    report = pf.verify(config=config)
    assert report.ok
    assert report.parameters["about"] == {"operator": "Lucky\x1b", "played": "2026-01-02", "rows": "6"}
    lines = [line for line in str(report).splitlines() if line.startswith("about ")]
    assert [line.split(maxsplit=1)[1] for line in lines] == [
        "operator: Lucky\\x1b",
        "played: 2026-01-02",
        "rows: 6",
    ]
    assert report.to_dict()["parameters"]["about"]["played"] == "2026-01-02"
    assert "about" in str(pf.audit(config=config))


def test_schemes_games_and_seeds(tmp_path, capsys):
    secret = "secret"
    hashed = hashlib.sha256(secret.encode()).hexdigest()
    dice, keno = pf.operators.stake.Dice(), pf.operators.stake.Keno()
    rows = [
        f"Dice;{hashed};me;0;{dice.play(secret, 'me', 0)}",
        f"Keno;{hashed};me;1;{keno.play(secret, 'me', 1).tolist()}",
        "Slots;x;me;2;x",
        f"Dice;{'0' * 64};me;3;1",
    ]
    (tmp_path / "log.csv").write_text("\n".join(["Game;Server Seed Hash;Client Seed;Nonce;Result", *rows]))
    (tmp_path / "seeds.csv").write_text(f"Server Seed Hash,Server Seed\n{hashed},{secret}\n{'0' * 64},\n")
    config = tmp_path / "log.toml"
    config.write_text(
        """
        logs = ["log.csv"]
        game_column = "Game"
        seeds = "seeds.csv"
        [games]
        Dice = "stake.dice"
        Keno = "stake.keno"
        Slots = ""
        """
    )
    report = pf.verify(config=config)
    assert (report.ok, report.checked) == (True, 2)
    assert report.unchecked == {"unrevealed": 1, "other game": 1}
    assert run(["verify", "--config", str(config)]) == 0
    config.write_text(config.read_text().replace("game_column", 'unrevealed = "fail"\ngame_column'))
    assert pf.verify(config=config).counts == {"missing": 1}
    scheme = (
        "[scheme]\nbits = 32\n[scheme.hash]\n"
        'name = "sha256"\nmessage = "{client_seed}:{nonce}"\nkey = "{server_seed}"\n'
    )
    config.write_text('game = "blackjack"\n' + scheme)
    with pytest.raises(ValueError, match="config's key 'game': scheme must have 20 words, one for each card"):
        pf.verify({"salt": ["a"], "outcome": [1]}, config=config)
    (tmp_path / "own.toml").write_text(scheme.replace("[scheme]\n", "").replace("scheme.", ""))
    config.write_text('game = "stake.roulette"\nscheme = "own.toml"\n')
    game = pf.operators.stake.Roulette().with_scheme(pf.Scheme.load(tmp_path / "own.toml"))
    log = {"server_seed": "a", "client_seed": "b", "nonce": [1, 2], "outcome": game.play("a", "b", [1, 2])}
    assert pf.verify(log, config=config).ok


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shade = 1", "config may have the keys .*, got 'shade'"),
        ("columns = 5", "config's key 'columns' must be a table, got 5"),
        ("logs = [1]", "config's key 'logs' must be text or a list of texts"),
        ("logs = []", "config's key 'logs' must be text or a list of texts"),
        ("game = [1]", "config's key 'game' must be text"),
        ('game = "no such"', "config's key 'game': game must be one of"),
        ('game_column = "x"\n[games]\nx = "no such"', "config's key 'games': game must be one of"),
        ('game_column = "x"\n[games]\nx = 5', "config's key 'games': game must be text, got 5"),
        ('[games]\nx = "dice"', "config's key 'games' needs 'game_column'"),
        ('game = "dice"\n[games]\nx = "dice"', "one of the keys 'game' and 'games'"),
        ('game = "dice"\n[columns]\nsalz = "x"', "columns may name the fields .*, got 'salz'"),
        ('game = "dice"\n[columns]\nsalt = 5', r"columns\['salt'\] must be a column's name"),
        ("game = dice", "not valid TOML"),
        ("about = 5", "config's key 'about' must be a table, got 5"),
        ("anchor = 5", "config's key 'anchor' must be text, got 5"),
        ("anchor_number = 1.5", "config's key 'anchor_number' must be a whole number, got 1.5"),
    ],
)
def test_what_is_refused_names_the_key(text, message, tmp_path, capsys):
    config = tmp_path / "log.toml"
    config.write_text(text)
    with pytest.raises((TypeError, ValueError), match=message):
        pf.verify({"salt": ["a"], "outcome": [1]}, config=config)
    (tmp_path / "log.csv").write_text("server_seed,client_seed,salt,outcome\n")
    assert run(["verify", str(tmp_path / "log.csv"), "--config", str(config)]) == 2
    assert capsys.readouterr().err.startswith("provably-fair: ")


def test_files_that_are_not_there(tmp_path, capsys):
    with pytest.raises(ValueError, match=r"config: .*none\.toml: No such file"):
        pf.verify({}, config=tmp_path / "none.toml")
    assert run(["verify"]) == 2
    assert "LOG must be given" in capsys.readouterr().err
    (tmp_path / "log.toml").write_text('game = "dice"')
    assert run(["verify", "--config", str(tmp_path / "log.toml")]) == 2
    assert "named by the key logs" in capsys.readouterr().err
    with pytest.raises(TypeError, match="log must be"):
        pf.verify(config=tmp_path / "log.toml")


# ---- the command ----


def test_every_option_of_verify_has_an_example():
    from provably_fair.cli.commands import app
    from typer.main import get_command

    options = get_command(app).commands["verify"].params
    without = [
        option.name
        for option in options
        if option.param_type_name == "option"
        and not any(flag in option.help for flag in [*option.opts, *option.secondary_opts])
    ]
    assert without == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--game", "no such"], "--game must be one of"),
        (["--game", "dice", "--column", "x=y"], "--column may name the fields"),
        (["--game", "dice", "--column", "x"], "--column must be NAME=..., got 'x'"),
        (["--game", "dice", "--constant", "x=y"], "--constant may name the fields"),
        (
            ["--game", "dice", "--separator", "ab"],
            "--separator must be a mark like ';', or 'tab'",
        ),
        (["--game", "dice", "--decimal", ";"], "--decimal must be"),
        (["--game", "dice", "--thousands", ",", "--decimal", ","], "--thousands must differ from decimal"),
        (["--game", "dice", "--encoding", "x"], "--encoding must be an encoding"),
        (["--game", "dice", "--seeds", "none.csv"], "seeds: none.csv: no such file"),
        (["--game", "dice", "--seeds-by", "x"], "--seeds-by isn't supported"),
        (["--game", "dice", "--game-column", "x"], "--game must be one of"),
        (["--game", "dice", "--threads", "0"], "--threads must be"),
        (["--game", "dice", "--failures", "x.txt"], "--failures must end in"),
        (["--game", "dice", "--config", "none.toml"], "--config: none.toml: No such file"),
        ([], "--game must name the game of the log, or --game-column"),
    ],
)
def test_errors_of_the_command_are_in_its_own_words(options, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("server_seed,client_seed,salt,outcome\na,b,c,1\n")
    assert run(["verify", "log.csv", *options]) == 2
    told = capsys.readouterr().err
    assert re.match(rf"provably-fair: ({message})", told), told
    assert len(told.splitlines()) == 1


def test_options_of_a_log_are_the_same_in_every_command():
    from provably_fair.cli.commands import app
    from typer.main import get_command

    commands = get_command(app).commands
    declared = {option.name: option for option in commands["verify"].params}
    shared = (
        "columns",
        "constants",
        "separator",
        "decimal",
        "thousands",
        "encoding",
        "config",
        "storage_options",
    )
    taken = dict.fromkeys(("rtp", "watch"), shared) | {"audit": tuple(declared)}
    for command, names in taken.items():
        options = {option.name: option for option in commands[command].params}
        for name in names:
            one, other = options[name], declared[name]
            assert (one.opts, one.help, one.metavar) == (other.opts, other.help, other.metavar)


def test_returns_are_read_as_logs_are(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [f"{1.98 * (i % 2):.2f}".replace(".", ",") for i in range(40)]
    (tmp_path / "bets.csv").write_text("\n".join(["Won;Bet", *(f"{row};1" for row in rows)]))
    bet = ["--game", "dice", "--bet", "under=50,payout=1.98", "--column", "payout=Won"]
    assert run(["rtp", "bets.csv", *bet, "--decimal", ","]) == 0
    assert "40 bets returned 39.6;" in capsys.readouterr().out
    assert run(["rtp", "bets.csv", *bet, "--decimal", ";"]) == 2
    assert capsys.readouterr().err.startswith("provably-fair: --decimal must be")
