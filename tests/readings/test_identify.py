"""Identifying the method of a log, in any notation, and the effort spent on it."""

from __future__ import annotations

import hashlib
import hmac
import html
import itertools
import os
import random
import re
import shlex
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.cli.commands import run
from provably_fair.names import parse_game
from provably_fair.readings.search import Cells, matches

stake, bcgame = pf.operators.stake, pf.operators.bcgame
SERVER, CLIENT = hashlib.sha256(b"server").hexdigest(), "A player"


def played(rows: int = 24, first: int = 0, client: str = CLIENT) -> dict[str, list[Any]]:
    nonces = list(range(first, first + rows))
    outcomes = stake.Dice().play(SERVER, client, np.array(nonces)).tolist()
    fields = {"server_seed": [SERVER] * rows, "client_seed": [client] * rows, "nonce": nonces}
    return fields | {"outcome": outcomes}


# ---- logs as verify reads them ----


def written(rows: int = 24, *, decimal: str = ",", mark: str = "x") -> dict[str, list[Any]]:
    """Rounds whose outcomes and nonces are written in everyday notation."""
    log = played(rows, 990)
    log["outcome"] = [f"{value:.2f}{mark}".replace(".", decimal) for value in log["outcome"]]
    log["nonce"] = [f"{nonce:,}" for nonce in log["nonce"]] if decimal == "." else log["nonce"]
    return log


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("decimal", [".", ","])
@pytest.mark.parametrize("mark", ["", "x", " €"])
@pytest.mark.parametrize("renamed", [False, True])
def test_numbers_are_read_as_people_write_them(decimal: Any, mark: Any, renamed: Any) -> None:
    log = written(decimal=decimal, mark=mark)
    if renamed:
        log = {f"column {place}": cells for place, cells in enumerate(log.values())}
    best = pf.identify(log).best
    assert (best.game, best.matched) == ("stake.dice", 24)
    assert pf.verify(log, best.game, columns=best.columns).ok


def test_csv_of_another_encoding_separator_and_decimal_mark(tmp_path: Any, capsys: Any) -> None:
    log = played(client="Jürgen")
    path = tmp_path / "log.csv"
    lines = ["Server;Spieler;Nr.;Würfel"]
    lines += [
        f"{SERVER};Jürgen;{nonce};{outcome:.2f}".replace(".", ",")
        for nonce, outcome in zip(log["nonce"], log["outcome"], strict=True)
    ]
    path.write_text("\n".join(lines), encoding="cp1252")
    with pytest.raises(pf.LogError, match="encoding"):
        pf.identify(path)
    csv = {"encoding": "cp1252"}
    best = pf.identify(path, csv=csv).best
    assert (best.game, best.matched) == ("stake.dice", 24)
    assert pf.identify(pf.Log(path, csv=csv)).best == best
    assert pf.identify(config={"logs": str(path), "csv": csv, "game": "dice"}).best == best
    assert run(["identify", str(path), "--encoding", "cp1252"]) == 0
    (typed,) = [line for line in capsys.readouterr().out.splitlines() if "provably-fair verify" in line]
    assert "--encoding cp1252" in typed
    assert run(shlex.split(typed)[1:]) == 0


def test_fields_that_are_told_have_their_columns_and_constants(tmp_path: Any, capsys: Any) -> None:
    log = played(20)
    told = {"a": log["server_seed"], "b": log["nonce"], "c": log["outcome"], "d": [7] * 20}
    options = {"columns": {"server_seed": "a", "outcome": "c"}, "constants": {"client_seed": CLIENT}}
    best = pf.identify(told, **options).best
    assert (best.game, best.matched) == ("stake.dice", 20)
    assert best.columns == {"server_seed": "a", "nonce": "b", "outcome": "c"}
    assert pf.verify(told, best.game, columns=best.columns, constants=options["constants"]).ok
    assert pf.identify(told).best is None
    path = tmp_path / "log.csv"
    rows = zip(*told.values(), strict=True)
    path.write_text("a,b,c,d\n" + "\n".join(",".join(map(str, row)) for row in rows))
    assert run(["identify", str(path), "--constant", f"client_seed={CLIENT}", "--column", "outcome=c"]) == 0
    (typed,) = [line for line in capsys.readouterr().out.splitlines() if "provably-fair verify" in line]
    assert run(shlex.split(typed)[1:]) == 0
    with pytest.raises(pf.LogError, match=r"no column 'z' for 'nonce'; the columns there are 'a', 'b'"):
        pf.identify(told, columns={"nonce": "z"})
    with pytest.raises(pf.LogError, match=r"no column 'z' for 'nonce'"):
        pf.identify(told, columns={"nonce": "z - 1"})
    with pytest.raises(pf.LogError, match="no column 'z' for 'game'"):
        pf.identify(told, game_column="z")
    for option, named in (("columns", {"nonse": "b"}), ("constants", {"nonse": 1})):
        with pytest.raises(ValueError, match=rf"{option} may name fields of the games .*; got 'nonse'"):
            pf.identify(told, **{option: named})
    with pytest.raises(ValueError, match="seeds_by isn't supported without a table of seeds"):
        pf.identify(told, seeds_by="a")
    later = {**told, "b": [nonce + 1 for nonce in log["nonce"]]}
    moved = options | {"columns": options["columns"] | {"nonce": "b - 1"}}
    best = pf.identify(later, **moved).best
    assert (best.game, best.matched, best.columns["nonce"]) == ("stake.dice", 20, "b - 1")
    assert pf.verify(later, best.game, columns=best.columns, constants=options["constants"]).ok


def test_outcomes_in_a_games_own_words() -> None:
    """Names of a coin's sides, and numbers joined by hyphens."""
    nonces = np.arange(60)
    fields = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": nonces}
    flip = bcgame.CoinFlip()
    fields["round"] = np.ones(60, np.int64)
    values = flip.play(**fields).tolist()
    (coins,) = (
        coins
        for names in (("heads", "tails"), ("tails", "heads"))
        if pf.verify(fields | {"outcome": (coins := [names[value] for value in values])}, flip).ok
    )
    best = pf.identify(fields | {"outcome": coins}).best
    assert best is not None
    assert (best.game, best.matched) == ("bcgame.coinflip", 60)
    del fields["round"]
    keno = stake.Keno().play(**fields)
    best = pf.identify({**fields, "outcome": ["-".join(map(str, row)) for row in keno.tolist()]}).best
    assert best is not None
    assert (best.game, best.matched) == ("stake.keno", 60)
    boards = stake.Mines(5).play(**fields).tolist()
    best = pf.identify({**fields, "outcome": ["-".join(map(str, mines)) for mines in boards]}).best
    assert best is not None
    assert (best.game, best.matched) == ("stake.mines:mines=5", 60)


class Silent:
    """An object whose text can't be had."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


@pytest.mark.parametrize("rows", [8, 12, 16])
def test_buckets_of_paths(rows: int) -> None:
    """A log with the bucket alone has the path's sum; buckets of no path are of no game."""
    log: dict[str, list[Any]] = played(200) | {"outcome": []}
    for nonce in log["nonce"]:
        digests = (hmac.digest(SERVER.encode(), f"{CLIENT}:{nonce}:{i}".encode(), "sha256") for i in (0, 1))
        words = b"".join(digests)[: 4 * rows]
        log["outcome"].append(sum(byte >= 128 for byte in words[::4]))
    best = pf.identify(log).best
    assert best is not None
    assert parse_game(best.game) == stake.Plinko(rows=rows)
    assert (best.matched, best.tried) == (200, 200)
    # Counted from 1, half of them are those of paths with one row more.
    assert pf.identify(log | {"outcome": [bucket + 1 for bucket in log["outcome"]]}).best is None
    random.Random(1).shuffle(log["outcome"])
    assert pf.identify(log).best is None


@pytest.mark.parametrize("game", [stake.Wheel(segments=30), stake.Hilo(cards=3)], ids=repr)
def test_a_game_of_which_rows_have_the_first_values_only_comes_last(game: pf.Game) -> None:
    log: dict[str, Any] = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": [*range(24)]}
    log["outcome"] = game.play(**log).tolist()
    best = pf.identify(log).best
    assert best is not None
    assert parse_game(best.game) == game
    assert best.alike
    assert pf.verify(log, best.game).ok


def test_first_values_alone_are_told() -> None:
    log: dict[str, Any] = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": [*range(24)]}
    drawn = stake.Keno().play(**log)
    found = pf.identify(log | {"outcome": drawn[:, :3].tolist()})
    assert found.best is not None
    assert found.best.game == "stake.keno"
    assert found.notes == ("rows have the first 3 values of 10 only: verify compares all of them",)
    assert pf.identify(log | {"outcome": drawn.tolist()}).notes == ()


@pytest.mark.one_case_in(3)
@pytest.mark.parametrize("column", ["server_seed", "client_seed", "nonce", "outcome", "other"])
@pytest.mark.parametrize("cells", [[Silent()], [[Silent()]], [{"a": Silent()}], [Silent()] * 120])
def test_cells_without_a_text_are_unreadable(column: str, cells: list[Any]) -> None:
    log = {"other": ["x"] * 120, **played(120)}
    log[column] = [*log[column][: 120 - len(cells)], *cells]
    best = pf.identify(log).best
    if len(cells) == 1 or column == "other":
        assert best is not None
        assert (best.game, best.matched) == ("stake.dice", 120 - (column != "other"))
    else:
        assert best is None


@pytest.mark.parametrize(
    "options",
    [
        {"columns": {"nonce": Silent()}},
        {"columns": {Silent(): "nonce"}},
        {"constants": {"client_seed": Silent()}},
        {"constants": {"salt": [Silent()]}},
        {"constants": {Silent(): 1}},
        {"csv": {Silent(): ","}},
        {"csv": {"decimal": Silent()}},
        {"games": [Silent()]},
        {"anchor": Silent()},
        {"anchor_limit": Silent()},
        {"limit": Silent()},
        {"seeds": Silent()},
        {"game_column": Silent()},
        {"config": Silent()},
    ],
)
def test_options_without_a_text_are_named(options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        pf.identify(played(), **options)
    assert caught.value.argument == next(iter(options))  # type: ignore[attr-defined]


# ---- what a log lacks ----


def test_what_a_log_lacks_is_said() -> None:
    log = played(40)
    hashed = {"Server Seed (hashed)": [hashlib.sha256(SERVER.encode()).hexdigest()] * 40}
    rest = {name: log[name] for name in ("client_seed", "nonce", "outcome")}
    ids = {"bet_id": [f"{row:024x}" for row in range(40)], "currency": ["btc"] * 40}
    unrevealed = "no column holds a revealed seed: '{}' has the hashes of seeds"
    for columns, name in (
        ({"server_seed_hash": hashed["Server Seed (hashed)"]}, "server_seed_hash"),
        ({"Hashed Server Seed": hashed["Server Seed (hashed)"]}, "Hashed Server Seed"),
        ({"hashed_seed": hashed["Server Seed (hashed)"], "server_seed": [""] * 40}, "hashed_seed"),
        ({"server_seed_hash": hashed["Server Seed (hashed)"], **ids}, "server_seed_hash"),
        ({"seed_hash": (same := hashed["Server Seed (hashed)"]), "server_seed": same}, "seed_hash"),
    ):
        found = pf.identify(columns | rest)
        assert found.best is None
        (note,) = found.notes
        assert note.startswith(unrevealed.format(name))
        assert note in str(found)
        assert found.to_dict()["notes"] == [note]
    nothing = "no column holds a seed or a game's hash, and without either no outcome can be reproduced"
    for columns in ({"outcome": log["outcome"]}, rest, ids | {"outcome": log["outcome"]}):
        (note,) = pf.identify(columns).notes
        assert note.startswith(nothing)
        assert "anchor=" in note
    found = pf.identify({name: [] for name in log})
    assert (found.notes, str(found)) == ((), "none: there are no rows")
    # Seeds that are there, though no game has them, lack nothing.
    other = {**log, "outcome": random.Random(1).sample(range(1000), 40)}
    assert pf.identify(other).notes == ()
    assert pf.identify({**hashed, **log}).notes == ()


@pytest.mark.parametrize("spelled", [str.upper, "0x{}".format, " {} ".format])
def test_hashes_in_another_spelling_are_told(spelled: Any) -> None:
    hashes = pf.HashChain().generate("secret", games=40).astype(str)
    log = {"h": list(map(spelled, hashes)), "bust": stake.Crash().play(hashes)}
    found = pf.identify(log)
    assert found.best is None
    assert found.notes[0].startswith("the column 'h' has hashes in another spelling, such as '")
    assert pf.identify(log | {"h": hashes}).notes == ()


@pytest.mark.parametrize("kind", ["numpy", "pandas", "pyarrow", "list"])
def test_floats_of_16_bits_are_told_and_no_payouts(kind: str) -> None:
    hashes = pf.HashChain().generate("secret", games=40).astype(str)
    cells: Any = stake.Crash().play(hashes).astype(np.float16)
    cells = cells if kind == "numpy" else list(cells) if kind == "list" else pytest.importorskip(kind)
    cells = cells.Series(stake.Crash().play(hashes).astype("f2")) if kind == "pandas" else cells
    cells = cells.array(stake.Crash().play(hashes).astype("f2")) if kind == "pyarrow" else cells
    for log, options in (({"h": hashes, "bust": cells}, {}), ({"bust": cells}, {"anchor": hashes[-1]})):
        found = pf.identify(log, **options)
        assert found.best is None
        assert found.notes[0].startswith("the column 'bust' is of 16-bit floats, which keep 3 digits")
        assert "payout" not in str(found)


def test_a_game_with_a_similar_rule_is_told_from_misread_cells() -> None:
    hashes = pf.HashChain().generate("secret", games=200).astype(str)
    busts = []
    for text in hashes:
        digest = hmac.digest(text.encode(), stake.Crash().scheme.defaults["salt"].encode(), "sha256")
        busts.append(max(1, int(2**32 / (int.from_bytes(digest[:4]) + 1) * 99.05) / 100))
    found = pf.identify({"h": hashes, "bust": busts})
    differ = found.best.tried - found.best.matched
    assert (found.best.game, differ > 20) == ("stake.crash", True)
    assert found.notes[0].startswith(f"{differ} rows have other outcomes: more than are misread")


def test_rows_too_few_to_try_are_told() -> None:
    found = pf.identify(played(1))
    assert str(found).startswith("none was tried: 1 row")
    assert found.tests == found.possible == 0


def test_constants_of_another_operator_are_found_in_columns_of_any_name() -> None:
    game, salts = parse_game("double"), [f"{row:016x}" for row in range(40)]
    log = {"a": ["ab" * 32] * 40, "b": ["cd" * 32] * 40, "c": salts}
    log["d"] = game.play(*log.values())
    best = pf.identify(log).best
    assert (best.game, best.columns["server_seed"], best.columns["salt"]) == ("double", "a", "c")


def test_seeds_of_a_table_of_their_own_are_joined_and_none_is_searched_for(tmp_path: Path) -> None:
    seeds = [hashlib.sha256(b"%d" % one).hexdigest() for one in range(5)]
    hashes = [hashlib.sha256(seed.encode()).hexdigest() for seed in seeds]
    outcomes = stake.Dice().play([seeds[row // 8] for row in range(40)], "me", range(40))
    rows = [f"{hashes[row // 8]},me,{row},{outcomes[row]}" for row in range(40)]
    log, table = tmp_path / "bets.csv", tmp_path / "seeds.csv"
    log.write_text("\n".join(["seed_hash,client_seed,nonce,outcome", *rows]) + "\n")
    cells = zip(hashes, [*seeds[:4], ""], strict=True)  # the last isn't revealed yet
    table.write_text("\n".join(["seed_hash,server_seed", *map(",".join, cells)]) + "\n")
    (note,) = pf.identify(log).notes
    assert note.startswith("no column holds a revealed seed: 'seed_hash' has the hashes of seeds")
    assert note.endswith(
        "Once the seeds are revealed, put them into a column; a table of them is joined, with seeds="
    )
    for options in ({"seeds": table}, {"seeds": table, "seeds_by": "seed_hash"}):
        best = pf.identify(log, **options).best
        assert (best.game, best.matched, best.tried) == ("stake.dice", 32, 32)
        assert pf.verify(log, best.game, columns=best.columns, **options).checked == 32
    with pytest.raises(pf.LogError, match="no column"):
        pf.identify(log, seeds={"seed_hash": hashes, "n": range(5)})


@pytest.mark.one_case_in(4)
@pytest.mark.parametrize("cell", ["l7", "1O", "4,,2", "n/a"])
def test_misread_cells_are_told(cell: str) -> None:
    log = {name: list(map(str, cells)) for name, cells in played(60).items()}
    for column in ("nonce", "outcome"):
        cells = [*log[column][:20], cell, *log[column][21:]]
        said = f"1 of 60 cells of the column '{column}' aren't numbers, such as '{cell}' in row 20"
        found = pf.identify(log | {column: cells})
        assert found.best is not None
        assert [said in note for note in found.notes] == [True]
        many = [cell if row % 3 == 2 else one for row, one in enumerate(log[column])]
        assert any("20 of 60 cells of the column" in note for note in pf.identify(log | {column: many}).notes)
    assert pf.identify(log).notes == ()
    others = log | {"note": [cell, *map(str, range(59))], "id": ["7"] * 59 + ["x7"]}
    assert pf.identify(others).notes == ()


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("form", ["units", "stakes", "money", "profit"])
def test_money_in_the_column_of_outcomes_is_asked_about(form: str) -> None:
    log = played(60)
    rng = random.Random(7)
    stakes = [rng.choice([0.5, 1.25, 3, 10]) for _ in range(60)]
    paid = [1.98 * (roll > 50) for roll in log["outcome"]]
    money = {
        "units": paid,
        "stakes": [round(bet * pays, 4) for bet, pays in zip(stakes, paid, strict=True)],
        "money": [f"${pays:.2f}" for pays in paid],
        "profit": [round(pays - 1, 2) for pays in paid],
    }[form]
    (note,) = pf.identify(log | {"outcome": money, "bet": stakes}).notes
    assert note.startswith("the column 'outcome' doesn't have the outcomes of ")
    assert "'stake.dice'" in note
    assert note.endswith("is this column a payout?")
    # Neither outcomes nor what has nothing to do with them is asked about.
    assert pf.identify(log | {"bet": stakes, "payout": money}).notes == ()
    assert pf.identify(log | {"bet": stakes, "outcome": rng.sample(money, 60)}).notes == ()
    few = {name: cells[:12] for name, cells in (log | {"outcome": money}).items()}
    assert pf.identify(few).notes == ()


def test_payouts_that_lie_anywhere_are_asked_about() -> None:
    log = played(200)
    spins = stake.Roulette().play(SERVER, CLIENT, log["nonce"]).tolist()
    money = [2 * (spin % 2) for spin in spins]
    (note,) = pf.identify(log | {"outcome": money}).notes
    assert (
        f"of 'stake.roulette', but numbers that these determine: in row 0 found {money[0]}, expected " in note
    )
    assert pf.identify(log | {"outcome": spins}).notes == ()
    money[7] = 2 - money[7]
    assert pf.identify(log | {"outcome": money}).notes == ()


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("name", ["game", "Game", "gameName", "kind of bet"])
def test_games_of_a_column_are_each_identified(name: str) -> None:
    dice, limbo = played(60), played(60)
    fields = [dice[field][:60] for field in ("server_seed", "client_seed", "nonce")]
    limbo["outcome"] = stake.Limbo().play(*fields).tolist()
    for share in (2, 3):
        which = [row % share == 0 for row in range(60)]
        log: dict[str, Any] = {name: [("Limbo" if one else "Dice") for one in which], **dice}
        log["outcome"] = [(limbo if one else dice)["outcome"][row] for row, one in enumerate(which)]
        found = pf.identify(log)
        assert (found.best, found.found, found.game_column) == (None, True, name)
        assert found.games == {"Limbo": "stake.limbo", "Dice": "stake.dice"}
        assert found.to_dict() == pf.identify(log, game_column=name).to_dict()
        assert f"the column '{name}' has 2 games" in str(found)
        assert pf.verify(log, found.games, game_column=name, columns=found.columns).ok
        config = {}
        for line in str(found).splitlines():
            if line.startswith("    "):
                config |= tomllib.loads(line)
        assert pf.verify(log, config=config).ok
    assert pf.identify({name: ["Dice"] * 60, **dice}).notes == ()
    # The numbers of one game may follow from the draws of another: that makes them no payouts.
    fields = {"server_seed": ["s" * 20] * 60, "client_seed": ["cc"] * 60, "nonce": list(range(60))}
    rng = random.Random(2)
    games = ["Roulette" if rng.random() < 0.6 else "Dice" for _ in range(60)]
    of = {"Roulette": stake.Roulette().play(**fields), "Dice": stake.Dice().play(**fields)}
    outcomes = [float(of[game][row]) for row, game in enumerate(games)]
    found = pf.identify({**fields, name: games, "outcome": outcomes})
    assert found.games == {"Roulette": "stake.roulette", "Dice": "stake.dice"}
    assert "payout" not in str(found)


def of_two_games(**columns: list[Any]) -> dict[str, list[Any]]:
    """Thirty rounds of dice, and thirty of limbo."""
    log = played(60)
    fields = [log[name][30:] for name in ("server_seed", "client_seed", "nonce")]
    log["outcome"] = [*log["outcome"][:30], *stake.Limbo().play(*fields).tolist()]
    return {"game": ["Dice"] * 30 + ["Limbo"] * 30, **log, **columns}


def configs(shown: str) -> list[dict[str, Any]]:
    texts = re.split("^    game_column", shown, flags=re.MULTILINE)[1:]
    lines = [[line for line in text.split("\n")[1:] if line.startswith("    ")] for text in texts]
    firsts = ["game_column" + text.split("\n", 1)[0] for text in texts]
    return [
        tomllib.loads("\n".join([first, *map(str.strip, own)]))
        for first, own in zip(firsts, lines, strict=True)
    ]


@pytest.mark.parametrize(
    "name", ['a "b"', "a\\b\\x41", "a\nb", "\x1b[31m\x7f\xa0", "\U0001f600", "\u200f \u05e9", "Ж"]
)
def test_the_config_that_is_shown_keeps_every_name(name: str) -> None:
    log = of_two_games(game=[name] * 30 + ["Limbo"] * 30)
    log[name] = log.pop("nonce")
    found = pf.identify(log, game_column="game")
    (config,) = configs(str(found))
    assert config["games"] == found.games == {name.strip(): "stake.dice", "Limbo": "stake.limbo"}
    assert config["columns"] == {"nonce": name}
    assert pf.verify(log, config=config).ok


def test_games_with_columns_of_their_own_have_configs_of_their_own() -> None:
    nothing: list[Any] = [None] * 30
    log = of_two_games()
    numbers, outcomes = log["nonce"], log["outcome"]
    for columns in (
        {"n": [*numbers[:30], *nothing], "nonce": [*nothing, *numbers[30:]]},
        {"outcome": [*outcomes[:30], *nothing], "point": [*nothing, *outcomes[30:]]},
    ):
        found = pf.identify({**log, **columns}, game_column="game")
        assert found.games == {"Dice": "stake.dice", "Limbo": "stake.limbo"}
        two = configs(str(found))
        assert [one["games"] for one in two] == [
            {"Dice": "stake.dice", "Limbo": ""},
            {"Dice": "", "Limbo": "stake.limbo"},
        ]
        for one in two:
            report = pf.verify({**log, **columns}, config=one)
            assert (report.ok, report.checked) == (True, 30)


def test_constants_are_among_the_options_that_are_shown(tmp_path: Path, capsys: Any) -> None:
    hashes = pf.HashChain().generate("secret", games=60)
    busts = stake.Crash().play(hashes, salt="it's mine").tolist()
    log = {"game": ["Crash"] * 60, "game_hash": [one.decode() for one in hashes], "outcome": busts}
    given = {"constants": {"salt": "it's mine"}}
    found = pf.identify(log, **given)
    assert found.best.constants == given["constants"]
    assert found.to_dict()["candidates"][0]["constants"] == given["constants"]
    (command,) = (line for line in str(found).splitlines() if "provably-fair" in line)
    rows = "".join(f"{one},{bust}\n" for one, bust in zip(log["game_hash"], busts, strict=True))
    (tmp_path / "log.csv").write_text(f"game_hash,outcome\n{rows}")
    assert run(shlex.split(command.replace("LOG", shlex.quote(str(tmp_path / "log.csv"))))[1:]) == 0
    (config,) = configs(str(pf.identify(log, game_column="game", **given)))
    assert config["constants"] == given["constants"]
    assert pf.verify(log, config=config).ok
    capsys.readouterr()
    log = of_two_games()
    rows = [dict(zip(log, row, strict=True)) for row in zip(*log.values(), strict=True)]
    text = "".join(
        f"my LOG {row['game']},{row['server_seed']},{row['nonce']},{row['outcome']}\n" for row in rows
    )
    (tmp_path / "log.csv").write_text(f"game,server_seed,nonce,outcome\n{text}")
    typed = ["identify", str(tmp_path / "log.csv"), "--constant", f"client_seed={CLIENT}"]
    assert run(typed) == 0
    shown = capsys.readouterr().out
    assert f"  provably-fair verify {tmp_path / 'log.csv'} --config log.toml, a file" in shown
    (config,) = configs(shown)
    assert config["constants"] == {"client_seed": CLIENT}
    assert config["games"] == {"my LOG Dice": "stake.dice", "my LOG Limbo": "stake.limbo"}
    (tmp_path / "own.toml").write_text(f'game_column = "game"\n[constants]\nclient_seed = "{CLIENT}"\n')
    assert run([*typed[:2], "--config", str(tmp_path / "own.toml")]) == 0
    assert (
        f"--config {tmp_path / 'own.toml'}, with these lines instead of its own:" in capsys.readouterr().out
    )


def test_constants_of_any_type_are_plain_ones() -> None:
    log = played()
    del log["client_seed"]
    for seed in (CLIENT, CLIENT.encode(), np.str_(CLIENT)):
        found = pf.identify(log, constants={"client_seed": seed})
        assert found.to_dict()["candidates"][0]["constants"] == {"client_seed": CLIENT}
        assert type(found.best.constants["client_seed"]) is str


def test_a_game_of_some_rows_hides_none_of_the_others() -> None:
    hashes = pf.HashChain().generate("secret", games=100)
    log: dict[str, Any] = {name: [*cells, *[None] * 90] for name, cells in played().items()}
    log |= {"game": ["Dice"] * 24 + ["Crash"] * 90}
    log["outcome"][24:] = stake.Crash().play(hashes[:90]).tolist()
    found = pf.identify(log)
    assert found.games == {"Dice": "stake.dice", "Crash": None}
    found = pf.identify(log, anchor=hashes[-1], anchor_limit=200)
    assert found.games == {"Dice": "stake.dice", "Crash": "stake.crash"}
    (config,) = configs(str(found))
    assert config["games"] == {"Dice": "stake.dice", "Crash": ""}
    report = pf.verify(log, config=config)
    assert (report.ok, report.checked) == (True, 24)
    assert (
        f"  for the rows of 'Crash' alone:\n  provably-fair locate LOG --anchor {hashes[-1].decode()} --game"
        in str(found)
    )
    with pytest.raises(TypeError, match="games must be games, or None"):
        pf.identify(log, found.games)


@pytest.mark.parametrize("boards", [16, 24, 32])
def test_outcomes_of_another_length_are_those_of_another_game(boards: int) -> None:
    log = played(24 + boards)
    fields = {name: log[name][24:] for name in ("server_seed", "client_seed", "nonce")}
    log["outcome"][24:] = stake.Mines(5).play(**fields).tolist()
    found = pf.identify(log | {"game": ["Percent"] * 24 + ["Field"] * boards})
    assert found.games == {"Percent": "stake.dice", "Field": "stake.mines:mines=5"}


def test_a_column_that_fits_by_its_first_rows_alone_is_no_nonce() -> None:
    log = of_two_games()
    del log["game"]
    log = {"seed_id": [row % 4 for row in range(60)], **log, "kind": ["Dice"] * 30 + ["Limbo"] * 30}
    log["n"] = log.pop("nonce")
    for row in range(4):
        log["n"][row] = row
    found = pf.identify(log)
    assert found.games == {"Dice": "stake.dice", "Limbo": "stake.limbo"}
    assert found.columns == {"nonce": "n"}


def test_rows_without_a_game_are_counted_and_any_spelling_names_the_column() -> None:
    log = of_two_games(game=["Dice", "", None, " "] * 15)
    found = pf.identify(log, columns={"game": "game"})
    assert found.to_dict() == pf.identify(log, game_column="game").to_dict()
    assert found.notes == ("45 of 60 rows have no game in the column 'game': they belong to none of these",)
    with pytest.raises(TypeError, match="columns must be a mapping"):
        pf.identify(log, columns="game")


def test_what_is_added_to_a_number_with_marks() -> None:
    log = played()
    log["n"] = [f"{nonce + 2_000_001:,}" for nonce in log.pop("nonce")]
    found = pf.identify(log, columns={"nonce": "n - 2000001"})
    assert (found.best.game, found.best.matched) == ("stake.dice", 24)


# ---- limits ----


def test_there_is_a_limit_to_what_is_tried_and_progress() -> None:
    rng = random.Random("columns of nothing")
    log = {f"c{i}": [f"{rng.getrandbits(256):064x}" for _ in range(20)] for i in range(6)}
    log |= {f"n{i}": [rng.random() for _ in range(20)] for i in range(6)}
    shown = []
    found = pf.identify(log, limit=500, progress=lambda done, total: shown.append((done, total)))
    assert found.tests == 500 < found.possible
    assert shown == [(done, 500) for done in range(1, 501)]
    assert f"in 500 of {found.possible:,} ways" in str(found)
    fewer = pf.identify(log, ["stake.dice"], columns={"outcome": "n0"})
    assert fewer.tests == fewer.possible < 500
    assert "ways" not in str(fewer)
    with pytest.raises(ValueError, match=r"games must name a game at least, or be None"):
        pf.identify(log, iter([]))


def test_small_numbers_are_no_secrets() -> None:
    rng = random.Random("small numbers")
    log = {f"c{i}": [rng.randrange(100) for _ in range(20)] for i in range(8)}
    assert pf.identify(log, ["stake.dice"]).possible == 0


def test_the_likeliest_ways_of_all_games_come_first() -> None:
    """A log with many columns is identified long before the limit is reached."""
    rng = random.Random("many columns")
    log = played(20)
    more = {f"hex {i}": [f"{rng.getrandbits(256):064x}" for _ in range(20)] for i in range(12)}
    more |= {f"number {i}": [rng.random() for _ in range(20)] for i in range(12)}
    best = pf.identify(more | log, limit=2000).best
    assert best is not None
    assert best.game == "stake.dice"


@pytest.mark.one_case_in(5)
@pytest.mark.parametrize("row", [0, 150], ids=["early", "late"])
@pytest.mark.parametrize(
    "cell", ["?", "", "x", "ab" * 31, "é" * 32, 5, -1, 3.5, 1e308, [1], {"a": 1}, 10**30, b"\xff"], ids=repr
)
def test_a_misread_cell_of_any_field_hides_no_game(cell, row):
    nonces = list(range(300))
    dice = {"a": ["ab" * 32] * 300, "b": ["me"] * 300, "c": nonces}
    dice["d"] = pf.operators.stake.Dice().play(*dice.values()).tolist()
    written = {"c": list(map(str, nonces)), "d": [f"{one:.2f}x".replace(".", ",") for one in dice["d"]]}
    names = ["stake.dice", "stake.limbo", "bustabit.v1"]
    for column, as_written in itertools.product("abcd", (False, True)):
        log = {name: list(cells) for name, cells in (dice | (written if as_written else {})).items()}
        log[column][row] = cell
        best = pf.identify(log, names).best
        assert (best.game, best.matched >= 298) == ("stake.dice", True)
    for name in ("bustabit.v1", "bustabit.v2", "stake.crash"):
        hashes = pf.HashChain().generate("secret", 300)
        for column in "hd":
            log = {"h": list(hashes), "d": parse_game(name).play(hashes).tolist()}
            log[column][row] = cell
            found = pf.identify(log)
            assert (found.best.game, found.best.matched >= 298, found.family) == (name, True, None)


def test_rows_that_a_game_cannot_play_match_nothing():
    game, hashes = parse_game("bustabit.v2"), pf.HashChain().generate("secret", 100)
    outcomes = [(outcome,) for outcome in game.play(hashes).tolist()]
    for bad, matched in ([0], 99), ([7, 99], 98), (range(4, 7), 97), (range(50), 0), (range(100), 0):
        cells = ["?" if row in bad else hash for row, hash in enumerate(hashes)]
        found = matches(game, Cells({"game_hash": cells}, outcomes))
        assert (found.sum(), found[list(bad)].any()) == (matched, False)


HOSTILE = [
    "'; touch hit; '",
    "'\"'\"'; touch hit; '",
    "a\\'; touch hit #",
    '"; touch hit; "',
    "$(touch hit)",
    "\n touch hit\n",
]
# Names whose quotes a text of 10,000 characters would lose in its middle.
HOSTILE += [f"{'a' * count}'{'c' * 5000}\"; touch hit; #" for count in range(4920, 4950)]


def shell(folder, line):
    """Run a line in a shell where the command does nothing."""
    script = f"provably-fair() {{ :; }}\n{line}"
    subprocess.run(
        ["sh", "-c", script], cwd=folder, capture_output=True, check=False, stdin=subprocess.DEVNULL
    )


@pytest.mark.one_case_in(4)
@pytest.mark.skipif(os.name == "nt", reason="a shell of Unix")
@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_commands_that_are_shown_run_nothing_else(tmp_path, name):
    game, nonces = pf.operators.stake.Dice(), list(range(20))
    log = {"a": ["ab" * 32] * 20, "b": ["me"] * 20, name: nonces}
    log["outcome"] = game.play(*log.values()).tolist()
    shown = str(pf.identify(log, ["stake.dice"]))
    for line in shown.split("\n"):
        if "provably-fair" in line:
            shell(tmp_path, line)
    swapped = {name: ["me"] * 20, "b": ["ab" * 32] * 20, "nonce": nonces, "outcome": log["outcome"]}
    report = pf.verify(swapped, game, columns={"server_seed": name, "client_seed": "b"})
    assert report.suggestions[0].options == {"columns": {"server_seed": "b", "client_seed": name}}
    for text in (str(report), html.unescape(report.to_html()), html.unescape(report.to_junit())):
        for found in re.findall("--column .*", text):
            shell(tmp_path, f"provably-fair verify LOG {found.rpartition(')')[0]}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["blackjack", "video-poker"])
def test_cards_of_crypto_games_are_searched_for(name: str) -> None:
    log = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": np.arange(8)}
    log["outcome"] = parse_game(name).play(**log)
    assert pf.identify(log).best.game == name


@pytest.mark.parametrize("name", ["blackjack", "bcgame.coinflip"])
def test_counts_that_may_be_left_out_are_told_by_their_contents(name: str) -> None:
    game = parse_game(name)
    fields = {"server_seed": SERVER, "client_seed": CLIENT, "nonce": np.arange(60) // 2}
    fields |= {"round": np.arange(60) % 2 + 1} if "round" in game.scheme.fields else {}
    log = dict(zip("abcd", fields.values(), strict=False)) | {"z": game.play(**fields)}
    best = pf.identify(log).best
    assert best.game == name
    assert pf.verify(log, name, columns=best.columns).ok
