"""Options of logs: declared once, equal everywhere; arguments override a `Log`, which overrides a config."""

from __future__ import annotations

import dataclasses
import hashlib
import inspect
import json
import pickle
import re
from xml.etree import ElementTree

import provably_fair as pf
import pytest
from provably_fair.cli import log_command, run
from provably_fair.verification import config
from provably_fair.verification.log import DEFAULTS, LogOptions
from provably_fair.verification.options import OPTIONS
from pytest_provably_fair import logs as plugin

DICE = pf.operators.stake.Dice()
HASHED = hashlib.sha256(b"server").hexdigest()
ROWS = {"server_seed": "server", "client_seed": "me", "nonce": [0, 1, 2, 3]}
LOG = {**ROWS, "outcome": DICE.play(**ROWS).tolist()}
TWICE = {name: value + value[:1] if isinstance(value, list) else value for name, value in LOG.items()}


def takers():
    yield from (pf.verify, pf.check, pf.audit, pf.Auditor, pf.Log)
    yield from (pf.dask.verify, pf.dask.audit)


@pytest.mark.usefixtures("every_room")
def test_whatever_takes_a_log_shows_the_same_options():
    shown = {}
    for taker in takers():
        parameters = inspect.signature(taker).parameters
        shown[taker] = {name: parameters[name] for name in OPTIONS}
        assert all(one.kind is one.KEYWORD_ONLY for one in shown[taker].values())
        assert {name: one.default for name, one in shown[taker].items()} == DEFAULTS
        assert not any(one.kind is one.VAR_KEYWORD for one in parameters.values())
    assert all(one == shown[pf.Log] for one in shown.values())
    for taker in (pf.verify, pf.check, pf.audit, pf.dask.verify, pf.dask.audit):
        assert list(inspect.signature(taker).parameters)[:2] == ["log", "game"]
    for name in OPTIONS:
        assert re.search(rf"^{name} : ", inspect.getdoc(pf.Log), re.MULTILINE), name


def test_types_the_command_and_pytest_follow_the_table_of_options():
    """The table has every option, and everything else is compared with it."""
    assert list(LogOptions.__annotations__) == list(OPTIONS)
    command = inspect.signature(log_command.log_command(lambda told: None)).parameters
    for name in set(OPTIONS) - {"csv"}:  # csv has one flag per entry
        option = command[name].annotation.__metadata__[0]
        assert [option.default, *option.param_decls] == [OPTIONS[name].flag]
    for name, said in plugin._OF_ARGUMENTS.items():
        _, metavar, text = plugin._OPTIONS[said]
        assert (f"--{said}", metavar) == (OPTIONS[name].flag, OPTIONS[name].metavar)
        assert text.partition(":")[2].split() == OPTIONS[name].help.partition(":")[2].split()[1:]


def test_a_log_is_a_frozen_value():
    log = pf.Log("rounds.csv", columns={"salt": "x"}, chain_steps=5)
    assert (log.source, log.columns, log.chain_steps) == ("rounds.csv", {"salt": "x"}, 5)
    assert (log.repeats, log.ordered, log.seeds) == ("report", False, None)
    assert log == pf.Log("rounds.csv", chain_steps=5, columns={"salt": "x"}) != pf.Log("rounds.csv")
    assert pickle.loads(pickle.dumps(log)) == log
    assert dataclasses.is_dataclass(log)
    with pytest.raises(dataclasses.FrozenInstanceError):
        log.columns = {}
    with pytest.raises(AttributeError, match="no attribute 'colums'"):
        log.colums
    with pytest.raises(TypeError, match="no option 'colums': did you mean columns"):
        pf.Log("rounds.csv", colums={})
    with pytest.raises(TypeError, match="no option 'colums': did you mean columns"):
        pf.verify(LOG, DICE, colums={})


@pytest.mark.usefixtures("every_room")
def test_a_log_is_taken_wherever_rows_are(tmp_path):
    renamed = {("seed" if name == "server_seed" else name): value for name, value in LOG.items()}
    log = pf.Log(renamed, columns={"server_seed": "seed"})
    assert pf.verify(log, DICE).ok
    assert pf.check(log, "stake.dice")["ok"] == [True] * 4
    assert pf.audit(log, "stake.dice").ok
    assert pf.verify(log, DICE, columns={"client_seed": "client_seed"}).ok
    with pytest.raises(pf.LogError, match="no column 'other'"):
        pf.verify(log, DICE, columns={"server_seed": "other"})
    path = tmp_path / "log.csv"
    path.write_text("seed,client_seed,nonce,outcome\n" + f"server,me,0,{LOG['outcome'][0]}\n")
    log = pf.Log(path, columns={"server_seed": "seed"})
    assert pf.dask.verify(log, DICE).ok
    assert pf.dask.audit(log, DICE).ok


def row_of(seed):
    return f"server_seed,client_seed,nonce,outcome\nserver,{seed},0,{LOG['outcome'][0]}\n"


HIDDEN = {**LOG, "server_seed": ["server", "server", "server", ""]}
BY_HASH = {**{name: LOG[name] for name in ("client_seed", "nonce", "outcome")}, "commitment": HASHED}
COMMA = {**LOG, "outcome": [str(value).replace(".", ",") for value in LOG["outcome"]]}
NAMED = {**LOG, "Game": "stake.dice", "G": "other"}
GAMES = {"Game": {"stake.dice": "stake.dice"}, "G": {"other": "stake.roulette"}}
TIMED = {**LOG, "time": "1/2/2026", "reveal_time": "2026-01-15"}
KENO = {**ROWS, "outcome": pf.operators.stake.Keno().play(**ROWS)[:, ::-1].tolist()}
HASHES = pf.HashChain().generate("seed", 5)
CHAINED = {"game_hash": HASHES[3:], "outcome": pf.operators.bustabit.V2().play(HASHES[3:])}
BUSTABIT = {"game": "bustabit.v2", "constants": {"terminating": pf.HashChain().terminating(HASHES)}}
IN_MEMORY = {"target_protocol": "memory"}
STAKE = {"game": "stake.dice"}
# Of each key of a config: a log, its config, an entry by which it is right, and one by which it isn't.
CASES = {
    "game": (LOG, {}, "stake.dice", "stake.roulette"),
    "columns": ({**LOG, "x": [0] * 4}, STAKE, {"outcome": "outcome"}, {"outcome": "x"}),
    "constants": (LOG, STAKE, {"client_seed": "me"}, {"client_seed": "you"}),
    "csv": (COMMA, STAKE, {"decimal": ","}, {"decimal": "."}),
    "seeds": (BY_HASH, STAKE, "server.csv", "other.csv"),
    "seeds_by": ({**BY_HASH, "a": 1, "b": 5}, STAKE | {"seeds": "both.csv"}, "a", "b"),
    "unrevealed": (HIDDEN, STAKE, "report", "fail"),
    "repeats": (TWICE, STAKE, "report", "fail"),
    "game_column": (NAMED, {}, "Game", "G"),
    "ordered": (KENO, {"game": "stake.keno"}, False, True),
    "time_formats": (TIMED, STAKE, {"time": "month-first"}, {"time": "day-first"}),
    "chain_steps": (CHAINED, BUSTABIT, 10, 1),
    "reveal_times": (LOG | {"time": "2026-01-02"}, STAKE, {"server": "2026-01-03"}, {"server": "2026-01-01"}),
    "storage_options": ("dir://a.csv", STAKE, {"path": "/me", **IN_MEMORY}, {"path": "/you", **IN_MEMORY}),
}


def test_every_key_of_a_config_is_tried():
    others = {
        "logs",
        "games",
        "scheme",
        "about",
        "anchor",
        "anchor_number",
        "bet",
    }  # of locate, audits, reports
    others.add("keep")  # changes no verdict; tested by test_kept.py
    assert {*CASES} | others == set(config._KINDS)
    assert {*CASES} - {"game"} == {*OPTIONS} - {"config", "keep"}


@pytest.mark.parametrize("key", CASES)
def test_an_argument_goes_before_a_config_each_way(key, tmp_path, monkeypatch):
    """An argument overrides a config in both directions, even with the default value."""
    monkeypatch.chdir(tmp_path)
    for secret in "server", "other":
        (tmp_path / f"{secret}.csv").write_text(f"commitment,server_seed\n{HASHED},{secret}\n")
    (tmp_path / "both.csv").write_text("a,b,server_seed\n1,4,server\n2,5,other\n")
    if key == "storage_options":
        memory = pytest.importorskip("fsspec").filesystem("memory")
        for seed in "me", "you":
            memory.pipe(f"/{seed}/a.csv", row_of(seed).encode())
    log, game, *entries = CASES[key]
    taker = pf.audit if key in ("reveal_times", "time_formats") else pf.verify
    one, other = said = [{key: entry} for entry in entries]
    if key == "game_column":  # with the games that it names
        one, other = (each | {"game": GAMES[each[key]]} for each in said)
        said = [each | {"games": GAMES[each[key]]} for each in said]
    assert taker(log, config=game | said[0]).ok
    assert not taker(log, config=game | said[1]).ok
    assert taker(log, config=game | said[1], **one).ok
    assert not taker(log, config=game | said[0], **other).ok
    if key not in ("game", "game_column"):
        assert taker(pf.Log(log, **one), config=game | other).ok
        assert not taker(pf.Log(log, **one), config=game, **other).ok


def test_the_log_and_the_game_of_a_call_go_before_those_of_a_config(tmp_path):
    for name, seed in ("right", "me"), ("wrong", "you"):
        (tmp_path / f"{name}.csv").write_text(row_of(seed))
    schemes = {name: DICE.scheme.to_dict() for name in ("right", "wrong")}
    schemes["wrong"]["hash"]["message"] = "{client_seed}-{nonce}-{cursor}"
    wrong = {"logs": str(tmp_path / "wrong.csv"), "game": "stake.dice", "scheme": schemes["right"]}
    assert not pf.verify(config=wrong).ok
    assert pf.verify(tmp_path / "right.csv", config=wrong).ok
    assert pf.verify(pf.Log(tmp_path / "right.csv"), config=wrong).ok
    wrong = {"logs": str(tmp_path / "right.csv"), "game": "stake.dice", "scheme": schemes["wrong"]}
    assert not pf.verify(config=wrong).ok
    assert pf.verify(None, DICE, config=wrong).ok


def test_a_field_that_gets_a_column_is_no_constant():
    config = {"game": "stake.dice", "constants": {"client_seed": "you"}}
    log = {**LOG, "client": "me"}
    assert pf.verify(log, config=config, columns={"client_seed": "client"}).ok
    config = {"game": "stake.dice", "columns": {"client_seed": "client"}}
    assert pf.verify({**log, "client": "you"}, config=config, constants={"client_seed": "me"}).ok


def test_one_game_goes_before_a_column_of_a_config():
    config = {"game_column": "Game", "games": {"x": "stake.roulette"}}
    assert pf.verify({**LOG, "Game": "x"}, "stake.dice", config=config).ok
    assert not pf.verify({**LOG, "Game": "x"}, config=config).ok


def test_wrong_values_of_a_config_are_told_at_once(tmp_path):
    """Each error names the file and gives an example, alone or together with others."""
    lines = {
        'unrevealed = "x"': 'unrevealed = "report"',
        'repeats = "no"': 'repeats = "fail"',
        "chain_steps = -1": "chain_steps = 20000000",
        "columns = {salz = 'a', nonce = 5}": 'columns = {salt = "Round ID"}',
        "csv = {decimal = ';', separator = 'ab'}": "csv = {decimal",
        "constants = {salz = 'a'}": "constants = {client_seed",
        "colums = {}": "'colums': did you mean 'columns'",
        "logs = 3": 'logs = ["rounds.csv"]',
    }
    path = tmp_path / "log.toml"
    path.write_text("\n".join(['game = "stake.dice"', *lines]))
    for taker in (pf.verify, pf.check, pf.audit):
        with pytest.raises(ValueError, match=r"^[^ ]*log\.toml: ") as caught:
            taker(LOG, config=path)
        text = str(caught.value)
        assert all(example in text for example in lines.values()), text
        assert "got ';'" in text
        assert "got 'ab'" in text
    with pytest.raises(ValueError, match=r"chain_steps must be .*got -2; [^ ]*log\.toml: .*got -1"):
        pf.verify(LOG, config=path, chain_steps=-2)
    with pytest.raises(ValueError, match=r"^unrevealed must be"):
        pf.verify(LOG, config={"game": "stake.dice", "unrevealed": "x"}, unrevealed="y")
    for line, example in lines.items():
        path.write_text('game = "stake.dice"\n' + line)
        with pytest.raises((TypeError, ValueError), match=r"^[^ ]*log\.toml: ") as caught:
            pf.verify(LOG, config=path)
        assert example in str(caught.value)
    path.write_text('game = "no such"\nscheme = "none.toml"\nrepeats = "x"')
    with pytest.raises(ValueError, match="config's key 'scheme'") as caught:
        pf.verify(LOG, config=path)
    for part in ("config's key 'game': game must be", 'repeats = "fail"', 'scheme = "scheme.toml"'):
        assert part in str(caught.value)


# ---- one family of reports ----


def test_audits_take_what_verification_takes(tmp_path):
    config = {"game": "stake.dice", "repeats": "fail"}
    report = pf.audit(TWICE, config=config)
    assert report.verification.counts == {"repeated": 1}
    wrong = {**LOG, "outcome": [0.5, *LOG["outcome"][1:]]}
    failures = tmp_path / "failures.jsonl"
    pf.audit(wrong, DICE, failures=failures)
    assert [json.loads(line)["row"] for line in failures.read_text().splitlines()] == [0]
    several = {**LOG, "Game": ["stake.dice"] * 3 + ["other"]}
    report = pf.audit(several, {"stake.dice": "stake.dice", "other": None}, game_column="Game")
    assert (report.verification.checked, report.verification.unchecked) == (3, {"other game": 1})
    with pytest.raises(ValueError, match="bet isn't supported"):
        pf.audit(several, "stake", game_column="Game", bet=pf.Dice().bet(1.98, under=50))


def reports():
    scipy = pytest.importorskip("scipy")
    assert scipy
    yield pf.verify(LOG, DICE)
    yield pf.verify({**LOG, "outcome": [1, 2, 3, 4]}, DICE)
    yield pf.audit(LOG, DICE)
    yield pf.audit({name: v[::3] if isinstance(v, list) else v for name, v in LOG.items()}, DICE)
    yield pf.fairness_report(DICE.simulate(1000), DICE)
    yield pf.fairness_report(DICE.simulate(1000) // 2, DICE)


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("number", range(6))
def test_reports_are_one_family(number, capsys):
    report = list(reports())[number]
    assert report.game == "stake.dice"
    assert report.ok == (number % 2 == 0)
    assert json.loads(report.to_json())["ok"] == report.ok
    page = report.to_html()
    assert page.startswith("<!doctype html>")
    assert page.rstrip().endswith("</html>")
    assert pf.__version__ in page
    assert "stake.dice" in page
    suite = ElementTree.fromstring(report.to_junit())
    assert int(suite.get("tests")) == len(list(suite.iter("testcase")))
    assert (int(suite.get("failures")) > 0) == (not report.ok)
    assert report.to_pandas() is not None
    report.print()
    assert capsys.readouterr().out.startswith("verdict")


def test_games_are_told_as_they_are_typed():
    class Local(pf.Game):
        """A game defined in a function."""

        picks: int = 3

        def outcome(self, draws):
            return draws.below(self.picks)

    salts = pf.salts(3)
    for game, text in {
        pf.Mines(5): "mines:mines=5",
        pf.Mines(): "mines",
        pf.operators.stake.Plinko(rows=8): "stake.plinko:rows=8",
        pf.Plinko(pins=8, balls=2): "plinko:pins=8,balls=2",
    }.items():
        fields = {"nonce": []} if "stake" in text else {"salt": []}
        report = pf.verify(
            {**fields, "outcome": []}, game, constants={"server_seed": "s", "client_seed": "c"}
        )
        assert report.game == report.to_dict()["game"] == text
    log = {"server_seed": "s", "client_seed": "c", "salt": salts, "outcome": [1, 1, 1]}
    assert pf.verify(log, Local(5)).game.endswith("Local:picks=5")
    assert pf.verify({"digits": [], "hash": []}, pf.operators.fpclub.HashedDice).game == "hashed-dice"
    poker = pf.operators.crypto_games.VideoPoker().with_table(pf.cards.VideoPoker("bonus_poker"))
    report = pf.verify({"server_seed": [], "client_seed": [], "outcome": []}, poker)
    assert (report.game, report.parameters["table"]) == ("video-poker", "VideoPoker('bonus_poker')")
    assert "stake.dice: Stake's dice" in str(pf.verify(LOG, DICE))


def test_a_mistake_of_one_seed_is_told_once():
    log = {**LOG, "commitment": ["0" * 64] * 2 + [HASHED] * 2}
    report = pf.verify(log, DICE)
    assert (report.failed, report.counts) == (2, {"commitment": 2})
    text = str(report)
    assert text.count("0" * 64) == 1
    assert "in 2 rows" in text
    assert report.to_html().count("0" * 64) == 1


def test_findings_are_counted_in_words():
    gap = {name: value[::3] if isinstance(value, list) else value for name, value in LOG.items()}
    assert "FOUND: 1 finding: 1 proof, 0 pieces of evidence" in str(pf.audit(gap, DICE))


def test_the_command_writes_the_same_files_of_both(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lines = [f"server,me,{nonce},{outcome},Dice" for nonce, outcome in enumerate(LOG["outcome"])]
    lines[1] = "server,me,1,1,Dice"
    (tmp_path / "log.csv").write_text("\n".join(["server_seed,client_seed,nonce,outcome,Game", *lines]))
    (tmp_path / "log.toml").write_text(
        'logs = "log.csv"\ngame_column = "Game"\n[games]\nDice = "stake.dice"\n'
    )
    for command in ("verify", "audit"):
        files = ["--html", "a.html", "--junit", "a.xml", "--report", "a.json", "--failures", f"{command}.csv"]
        assert run([command, "--config", "log.toml", *files]) == 1
        assert "<!doctype html>" in (tmp_path / "a.html").read_text()
        assert ElementTree.parse(tmp_path / "a.xml").getroot().tag == "testsuite"
        assert json.loads((tmp_path / "a.json").read_text())["ok"] is False
        assert len((tmp_path / f"{command}.csv").read_text().splitlines()) == 2
        assert run([command, "log.csv", "--game", "stake", "--game-column", "Game", "--json"]) == 1
        capsys.readouterr()
    assert run(["verify", "log.csv", "--config", "log.toml", "--scheme", "x.toml"]) == 2
    assert "--scheme aren't supported without --game" in capsys.readouterr().err


# ---- missing columns ----


def refused(log, game, **options):
    with pytest.raises(pf.LogError) as caught:
        pf.verify(log, game, **options)
    assert len(str(caught.value)) <= 400
    return str(caught.value)


def test_a_missing_column_is_told_in_few_words(tmp_path):
    export = {
        **{"Bet ID": [1], "Secret": ["s"], "Player Seed": ["c"], "Bet Nonce": [0], "Roll": [1.0]},
        **{f"a column of no use, number {number}": [0] for number in range(40)},
    }
    text = refused(export, "stake.dice")
    assert text.startswith(
        "log: no column 'server_seed', 'client_seed', 'nonce'; the columns there are 'Bet Nonce', 'Player "
    )
    named = "{'server_seed': 'Secret', 'client_seed': 'Player Seed', 'nonce': 'Bet Nonce'}"
    assert f"did you mean columns={named}?" in text
    deep = tmp_path / ("folder" * 20) / "rounds.csv"
    deep.parent.mkdir()
    deep.write_text(",".join(export) + "\n")
    assert "columns=" in refused(deep, "stake.dice")
    refused({f"{name} of a log whose columns are called so" * 3: [1] for name in export}, "stake.dice")


def test_a_likely_column_of_games_is_named_by_its_option():
    log = {"game": ["Dice"], "server_seed": ["s"], "client_seed": ["c"], "salts": ["x"], "outcome": [1.0]}
    with pytest.raises(pf.LogError, match=r"mean game_column='game', columns={'salt': 'salts'}\?$"):
        pf.verify(log, {"Dice": "dice"}, game_column="spiel")
    with pytest.raises(pf.LogError, match=r"mean game_column='game'\?$"):
        pf.verify(log | {"salt": ["x"]}, {"Dice": "dice"}, game_column="spiel")


def test_another_game_that_fits_is_named():
    log = {"server_seed": ["s"], "client_seed": ["c"], "nonce": [0], "outcome": [1.0]}
    assert "a log with nonces: did you mean stake.dice?" in refused(log, "dice")
    assert "did you mean stake.mines:mines=5?" in refused(log, "mines:mines=5")
    salted = {"server_seed": ["s"], "client_seed": ["c"], "salt": ["x"], "outcome": [1.0]}
    assert "a log with salts: did you mean dice?" in refused(salted, "stake.dice")
    other = {"server_seed": ["s"], "client_seed": ["c"], "Bet Nonce": [0], "outcome": [1.0]}
    assert "did you mean stake.dice with columns={'nonce': 'Bet Nonce'}?" in refused(other, "dice")


def test_tables_of_seeds_that_cannot_be_joined_name_the_option():
    log = {"client_seed": ["c"], "nonce": [0], "outcome": [1.0]}
    hashed = {**log, "server_seed_hash": [HASHED]}
    assert "seeds=... where a table of seeds is" in refused(hashed, "stake.dice")
    table = {"number": [1], "server_seed": ["server"]}
    assert "seeds_by=... which names a seed in both" in refused(log, "stake.dice", seeds=table)


def test_numbers_for_seeds_name_the_cure():
    assert "read the file with dtype=str" in refused({**LOG, "client_seed": [7] * 4}, DICE)


def test_errors_of_logs_show_as_they_are_imported():
    assert pf.LogError.__module__ == "provably_fair"
    assert pickle.loads(pickle.dumps(pf.LogError("x"))).args == ("x",)


@pytest.mark.parametrize(
    ("name", "meant"), [("dyce", "dice"), ("limbo", "stake.limbo"), ("stake.dise", "stake.dice")]
)
def test_unknown_games_suggest_known_ones(name, meant):
    with pytest.raises(ValueError, match=f"did you mean '{meant}'"):
        pf.verify(LOG, name)


def test_storage_options_are_told_to_the_storage(tmp_path):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    lines = [f"server,me,{nonce},{outcome}" for nonce, outcome in enumerate(LOG["outcome"])]
    memory.pipe("/one/rounds.csv", "\n".join(["server_seed,client_seed,nonce,outcome", *lines]).encode())
    assert pf.verify("memory://one/rounds.csv", DICE, storage_options={"skip_instance_cache": True}).ok
    for log in (LOG, "rounds.csv"):
        with pytest.raises(ValueError, match="storage_options isn't supported"):
            pf.verify(log, DICE, storage_options={"anon": True})
    with pytest.raises(TypeError, match="storage_options must be a mapping"):
        pf.verify("memory://one/rounds.csv", DICE, storage_options=5)


@pytest.mark.parametrize("hidden", [str, str.upper, lambda _: None, lambda _: "", lambda _: float("nan")])
@pytest.mark.parametrize("published", ["table", "log", "both"])
def test_a_table_of_seeds_hides_a_seed_by_its_hash(hidden, published):
    seeds = ["1" * 64, "2" * 64]
    hashes = [hashlib.sha256(seed.encode()).hexdigest() for seed in seeds]
    log = {
        "seed_id": [0, 0, 1, 1],
        "client_seed": "c",
        "nonce": [0, 1, 0, 1],
        "outcome": [DICE.play(seed, "c", nonce) for seed in seeds for nonce in (0, 1)],
    }
    table = {"seed_id": [0, 1], "server_seed": [seeds[0], hidden(hashes[1])]}
    if published != "log":
        table["server_seed_hash"] = hashes
    elif hidden is str.upper:
        pytest.skip("the log's own hashes are compared as they are written")
    if published != "table":
        log["server_seed_hash"] = [hashes[0]] * 2 + [hashes[1]] * 2
    report = pf.verify(log, DICE, seeds=table, seeds_by="seed_id")
    assert (report.ok, report.checked, report.unchecked) == (True, 2, {"unrevealed": 2})
    log["outcome"][1] += 1
    assert [one.row for one in pf.verify(log, DICE, seeds=table, seeds_by="seed_id").failures] == [1]
    assert not pf.verify(log, DICE, seeds=table, seeds_by="seed_id", unrevealed="fail").ok
