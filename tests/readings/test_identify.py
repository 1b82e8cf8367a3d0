"""Identifying the method of a log, in any notation, and the effort spent on it."""

from __future__ import annotations

import hashlib
import random
import shlex
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.cli.commands import run

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
    for name, value in (("game_column", "a"), ("seeds", told)):
        with pytest.raises(ValueError, match=f"{name} isn't supported"):
            pf.identify(told, **{name: value})


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
