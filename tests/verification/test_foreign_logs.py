"""Foreign logs: other column names, and messages whose suggested options work when copied.

The logs' outcomes come from the oracles.
"""

from __future__ import annotations

import ast
import re
from decimal import Decimal
from uuid import UUID

import numpy as np
import provably_fair as pf
import pytest
from hypothesis import given, strategies as st
from oracles import salted
from provably_fair.cli import run
from provably_fair.sources.numbers import as_python_writes
from provably_fair.verification.likely import is_called, likely_columns, words
from seeds.test_generator import FORMS as OF_SEEDS

pytest.importorskip("pyarrow")

SEEDS = [("the server's", f"player {row % 2}", f"round {row}") for row in range(6)]


def dice(row):
    return salted.dice(*SEEDS[row])


def copied(message):
    """The options suggested by a message, as Python parses them."""
    return {
        name: ast.literal_eval(value)
        for name, value in re.findall(r"(?:did you mean|give) (\w+)=(\{.*?\}|'.*?')", message)
    }


def test_seeds_in_the_types_of_databases_are_text(tmp_path):
    """Arrow stores a UUID as 16 bytes, which were hashed."""
    pa, pd, pl = map(pytest.importorskip, ("pyarrow", "pandas", "polars"))
    ids = [UUID(int=number << 100 | 7) for number in range(4)]
    texts = list(map(str, ids))
    game = pf.operators.stake.Dice()
    rest = {"client_seed": ["c"] * 4, "nonce": range(4), "outcome": game.play(texts, "c", range(4))}
    in_arrow = pa.array([one.bytes for one in ids], pa.uuid())
    pytest.importorskip("pyarrow.parquet").write_table(
        pa.table({"server_seed": in_arrow, **rest}), tmp_path / "log.parquet"
    )
    forms = [ids, np.array(ids), pd.Series(ids), pd.Series(ids).astype("category"), in_arrow]
    forms += [pd.Series(in_arrow, dtype=pd.ArrowDtype(pa.uuid())), pl.Series(ids, dtype=pl.Object)]
    forms += [[kind(one.encode()) for one in texts] for kind in (memoryview, bytearray)]
    logs = [{"server_seed": seeds, **rest} for seeds in forms]
    rows = zip(ids, *rest.values(), strict=True)
    logs.append(dict(zip(("server_seed", *rest), row, strict=True)) for row in rows)
    for log in [*logs, tmp_path / "log.parquet"]:
        assert pf.verify(log, game).ok
    for seeds in (pd.Series(ids), in_arrow, pa.chunked_array([in_arrow])):
        for call in (game.play, game.scheme.random_bytes):
            with pytest.raises(TypeError, match=r"^server_seed\[0\] must be text or bytes, got UUID$"):
                call(seeds, "c", range(4))


def test_categories_of_polars_in_arrow_are_texts():
    pa, pl = map(pytest.importorskip, ("pyarrow", "polars"))
    game = pf.operators.stake.Dice()
    log = {"server_seed": ["s"] * 4, "client_seed": ["c"] * 4, "nonce": ["0", "1", "2", "3"]}
    log["outcome"] = list(map(str, game.play("s", "c", range(4))))
    made = pa.table(pl.DataFrame(log).cast(pl.Categorical))
    assert pf.verify(made, game).ok
    assert pf.verify({name: pa.chunked_array([], made[name].type) for name in log}, game).checked == 0


# ---- names of columns ----


@pytest.mark.parametrize(
    "names",
    [
        ("ServerSeed", "ClientSeed", "Salt", "Outcome"),
        ("server seed", "client seed", " round salt", "roll "),
        ("Secret", "Client", "Round Salt", "Result"),
        ("seed (server)", "seed (client)", "round-id", "WINNING NUMBER"),
        ("sever_seed", "cleint_seed", "salts", "outcomes"),
    ],
)
def test_columns_of_other_names_are_suggested(names):
    log = {
        "when": "2026-01-02",
        **dict(zip(names, (list(column) for column in zip(*SEEDS, strict=True)), strict=False)),
    }
    log[names[3]] = [dice(row) for row in range(6)]
    with pytest.raises(pf.LogError) as refused:
        pf.verify(log, pf.Dice())
    message = str(refused.value)
    assert "the columns there are 'when'" in message
    columns = copied(message)["columns"]
    assert columns == dict(zip(("server_seed", "client_seed", "salt", "outcome"), names, strict=True))
    report = pf.verify(log, pf.Dice(), columns=columns)
    assert (report.ok, report.checked) == (True, 6)


def test_the_whole_option_is_there_to_copy():
    log = {"Secret": ["a"], "client": ["b"], "my salt": ["c"], "Roll": [37.36], "Committed Hash": ["x"]}
    with pytest.raises(pf.LogError) as refused:
        pf.verify(log, pf.Dice(), columns={"salt": "my salt"})
    assert copied(str(refused.value)) == {
        "columns": {
            "salt": "my salt",
            "server_seed": "Secret",
            "client_seed": "client",
            "outcome": "Roll",
            "commitment": "Committed Hash",
        }
    }


@pytest.mark.parametrize(
    ("name", "is_read"),
    [
        ("Commitment", True),
        ("seed_hash", True),
        ("server_seed_hash", True),
        ("hashedServerSeed", True),
        ("hash", False),
        ("committed_hash", False),
    ],
)
@pytest.mark.parametrize("game", [pf.Dice(), pf.operators.stake.Dice()])
def test_commitments_are_read_or_said_not_to_be(name, is_read, game):
    """Of any game; a wrong one would be verified."""
    log = {"server_seed": ["a"], "client_seed": ["b"], game.scheme.fields[2]: ["3"]}
    log |= {"outcome": game.play("a", "b", [3] if "nonce" in log else ["3"]), name: ["ab" * 32]}
    report = pf.verify(log, game)
    said = f"column {name!r} isn't read: columns={{'commitment': {name!r}}} says that it is the commitment"
    assert (report.ok, said in report.notes) == (not is_read, not is_read)
    assert not pf.verify(log, game, columns={"commitment": name}).notes


@pytest.mark.parametrize("name", ["mines", "Mines", "MINES", "mines_count", "Bombs"])
def test_parameters_are_read_or_said_not_to_be(name):
    log = {"server_seed": ["a"] * 2, "client_seed": ["b"] * 2, "salt": ["c"] * 2, name: [2, 3]}
    log["outcome"] = [pf.Mines(mines).play("a", "b", "c").tolist() for mines in (2, 3)]
    report = pf.verify(log, pf.Mines(3))
    said = f"column {name!r} isn't read: columns={{'mines': {name!r}}} says that it is the mines"
    is_read = name.lower() == "mines"
    assert (report.ok, said in report.notes) == (is_read, not is_read)
    assert pf.verify(log, pf.Mines(3), columns={"mines": name}).ok


def test_a_name_that_no_column_has_is_corrected():
    log = {"Secret": ["a"], "client_seed": ["b"], "salt": ["c"], "outcome": [37.36]}
    for wrong in ("secret", "Secert", "SECRET ", "nothing like it"):
        with pytest.raises(pf.LogError) as refused:
            pf.verify(log, pf.Dice(), columns={"server_seed": wrong})
        message = str(refused.value)
        assert f"no column {wrong!r}; the columns there are 'Secret', " in message
        assert copied(message) == {"columns": {"server_seed": "Secret"}}


def test_what_looks_like_no_column_isnt_guessed():
    log = {"id": [1], "x": ["a"], "client_seed": ["b"], "salt": ["c"], "Roll": [37.36]}
    with pytest.raises(pf.LogError) as refused:
        pf.verify(log, pf.Dice())
    assert str(refused.value) == (
        "log: no column 'server_seed', 'outcome'; "
        "the columns there are 'id', 'x', 'client_seed', 'salt', 'Roll'; "
        "did you mean columns={'outcome': 'Roll'}? columns={'server_seed': ...} says how it is called there, "
        "constants={'server_seed': ...} what is the same in all rows"
    )


def test_a_column_that_is_read_isnt_guessed_again():
    log = {"Revealed seed": ["a"], "Client Seed": ["b"], "Nonce": [1], "Multiplier": [2], "Roll": [37.36]}
    with pytest.raises(pf.LogError) as refused:
        pf.verify(log, "stake.dice")
    assert copied(str(refused.value)) == {"columns": {"server_seed": "Revealed seed"}}


def test_names_from_outside_are_shown_not_obeyed():
    names = ["\x1b[31mred", "x" * 1000, *(f"column {i}" for i in range(100))]
    with pytest.raises(pf.LogError) as refused:
        pf.verify({name: [1] for name in names}, pf.Dice())
    message = str(refused.value)
    assert r"'\x1b[31mred'" in message
    assert "\x1b" not in message
    assert "and 101 more" in message
    assert len(message) < 3000


def test_the_command_suggests_its_own_options(tmp_path, capsys):
    path = tmp_path / "my rounds.csv"
    path.write_text("salt,outcome\n1,2\n")
    assert run(["verify", str(path), "--game", "dice"]) == 2
    message = capsys.readouterr().err
    assert "columns=" not in message
    assert "--column server_seed=... --column client_seed=... says how they are called there" in message
    assert "--constant server_seed=... --constant client_seed=... what is the same in all rows" in message


def test_words_of_names():
    for name in ("ServerSeed", "serverSeed", "server_seed", "Server Seed", " SERVER-SEED ", "server.seed"):
        assert words(name) == ["server", "seed"]
    assert words("SHA256OfSeed") == ["sha256", "of", "seed"]
    assert words("") == words("--") == []


def test_no_column_is_taken_twice():
    assert likely_columns(["first", "second"], [], ["second", "2nd"]) == {"second": "second"}
    assert likely_columns(["game_hash"], ["commitment"], ["hash"]) == {"game_hash": "hash"}
    assert likely_columns(["outcome"], ["commitment"], []) == {}
    # Names in operators' histories come after those that are usual.
    assert likely_columns(["nonce"], ["client_seed"], ["Round", "lottery"]) == {
        "nonce": "Round",
        "client_seed": "lottery",
    }
    assert likely_columns(["nonce"], [], ["round", "bet number"]) == {"nonce": "bet number"}
    called = [name for name in ("Busted At", "rollId", "ticket", "number") if is_called("outcome", name)]
    assert called == ["Busted At", "ticket"]


# ---- separators, encodings ----

HEADER = ["server_seed", "client_seed", "salt", "outcome"]


def written(separator=",", header=HEADER, number=str):
    """The log of `SEEDS` as text."""
    rows = [[*SEEDS[row], number(dice(row))] for row in range(len(SEEDS))]
    return "\n".join(separator.join(row) for row in [header, *rows]) + "\n"


def with_comma(value):
    return str(value).replace(".", ",")


def test_blanks_around_seeds_are_noted(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text(written(", "))
    report = pf.verify(path, "dice")
    assert report.failed == 6  # seeds are hashed as written
    assert (
        "client_seed has cells with blanks around them, such as ' player 0': they are hashed as they stand"
        in report.notes
    )
    assert len(report.notes) == 2


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separators_are_found_out(separator, tmp_path):
    path = tmp_path / "log.csv"
    for header in (HEADER, [f" {name} " for name in HEADER], [f'"{name}"' for name in HEADER]):
        path.write_text(written(separator, header))
        report = pf.verify(path, "dice")
        assert (report.ok, report.checked) == (True, 6), header
        assert report.failures == []
    path.write_text("\ufeff" + written(separator).replace(str(dice(3)), "1.5"))
    assert [failure.row for failure in pf.verify(path, "dice").failures] == [3]
    path.write_text(f"sep={separator}\n" + written(separator))
    assert pf.verify(path, "dice").ok
    for end in ("\n", "\r\n", "\r"):
        path.write_text(f"\n\n{written(separator)}".replace("\n", end), newline="")
        assert pf.verify(path, "dice").checked == 6, end


def test_other_separators_are_given(tmp_path, capsys):
    path = tmp_path / "log.csv"
    path.write_text(written("!"))
    with pytest.raises(pf.LogError, match="no column 'server_seed'"):
        pf.verify(path, "dice")
    assert pf.verify(path, "dice", csv={"separator": "!"}).ok
    assert pf.verify(path, "dice", csv={"separator": "!"}).parameters["csv"] == {"separator": "!"}
    assert run(["verify", str(path), "-g", "dice", "--separator", "!"]) == 0
    path.write_text(written("\t"))
    assert run(["verify", str(path), "-g", "dice", "--separator", "tab"]) == 0
    assert run(["verify", str(path), "-g", "dice", "--separator", "ab"]) == 2
    assert "--separator must be a mark like ';', or 'tab'" in capsys.readouterr().err


def test_what_separates_most_names_separates(tmp_path):
    path = tmp_path / "log.csv"
    # A name contains more commas than there are semicolons.
    path.write_text(written(";", [*HEADER[:3], "outcome;a note, of 1, 2, 3, 4, 5"]).replace("\n", ";\n", 9))
    assert pf.verify(path, "dice").checked == 6
    path.write_text("salt;a,outcome\n")
    with pytest.raises(pf.LogError) as refused:
        pf.verify(path, "x50")
    assert "what separates its columns, ',' or ';'? give csv={'separator': ','} or csv=" in str(refused.value)


@pytest.mark.parametrize(
    "encoding", ["cp1252", "utf-16", "utf-16-le", "latin-1", "utf-8", "UTF8", "utf-8-sig", "cp037"]
)
def test_encodings_that_are_named(encoding, tmp_path, limits):
    limits(BLOCK=7, CSV_BLOCK=7)  # cuts inside characters
    seeds = [("Sérver", "jouéur", f"ñ{row}") for row in range(6)]
    rows = [[*seed, str(salted.dice(*seed))] for seed in seeds]
    path = tmp_path / "log.csv"
    text = "\n".join(",".join(row) for row in [HEADER, *rows])
    path.write_bytes(text.encode(encoding))
    report = pf.verify(path, "dice", csv={"encoding": encoding})
    assert (report.ok, report.checked, report.files[0].lines) == (True, 6, 7)
    assert report.files[0].bytes == len(path.read_bytes())


def test_other_encodings_are_refused_and_say_how_they_are_named(tmp_path, capsys):
    path = tmp_path / "log.csv"
    path.write_bytes(written().replace("player", "joué").encode("latin-1"))
    with pytest.raises(pf.LogError, match=r"line 2: not UTF-8 .*; csv={'encoding': \.\.\.} names another"):
        pf.verify(path, "dice")
    assert run(["verify", str(path), "-g", "dice"]) == 2
    assert "; --encoding ... names another" in capsys.readouterr().err
    with pytest.raises(pf.LogError, match="line 2: not ascii"):
        pf.verify(path, "dice", csv={"encoding": "ascii"})
    with pytest.raises(pf.LogError, match=r"a NUL byte.*; csv={'encoding': \.\.\.}"):
        pf.verify(write(path, written().encode("utf-16-le")), "dice")


def write(path, data):
    path.write_bytes(data)
    return path


# ---- numbers ----


@pytest.mark.parametrize(
    "number",
    [
        with_comma,
        "{:.4f}x".format,
        "{} x".format,
        "{}×".format,
        "x{}".format,
        "${}".format,
        "$ {}".format,
        "{} €".format,
        "+{}".format,
        lambda value: with_comma(value) + "x",
        lambda value: f"{value:,}",
    ],
)
@pytest.mark.parametrize("form", ["file", "list", "arrow string", "pandas", "polars", "U"])
def test_numbers_as_people_write_them(number, form, tmp_path):
    wrong = (2, 4)
    texts = [number(dice(row) + (row in wrong)) for row in range(6)]
    if form == "file":
        given = iter(texts)
        log = write(tmp_path / "log.csv", written(";", number=lambda _: next(given)).encode())
    else:
        columns = [*map(list, zip(*SEEDS, strict=True)), OF_SEEDS[form](texts)]
        log = dict(zip(HEADER, columns, strict=True))
    report = pf.verify(log, "dice")
    assert report.checked == 6
    found = [(failure.row, failure.kind, failure.found) for failure in report.failures]
    assert found == [(row, "mismatch", texts[row]) for row in wrong]


@pytest.mark.parametrize(
    ("texts", "options", "numbers"),
    [
        (["1,234.56", "7"], {}, [Decimal("1234.56"), 7]),
        (["1.234,56", "7"], {}, [Decimal("1234.56"), 7]),
        (["1 234,56", "7"], {}, [Decimal("1234.56"), 7]),
        (["1'234.56", "1’234.5"], {}, [Decimal("1234.56"), Decimal("1234.5")]),
        (["1\u00a0234\u00a0567,5", "7"], {}, [Decimal("1234567.5"), 7]),
        (["1,234", "1.5"], {}, [1234, Decimal("1.5")]),
        (["1.234", "1,5"], {}, [1234, Decimal("1.5")]),
        (["1,234,567", "7"], {}, [1234567, 7]),
        (["1.234.567", "1,5"], {}, [1234567, Decimal("1.5")]),
        (["1.234.567", "1.234"], {"thousands": "."}, [1234567, 1234]),
        (["1.234.567", "1.234"], {}, [None, Decimal("1.234")]),
        (["0,123", "1,234"], {}, [Decimal("0.123"), Decimal("1.234")]),
        (["1234,567", "1"], {}, [Decimal("1234.567"), 1]),
        (["1.234", "7"], {}, [Decimal("1.234"), 7]),
        (["1,234", "7"], {"decimal": "."}, [1234, 7]),
        (["1,234", "7"], {"decimal": ","}, [Decimal("1.234"), 7]),
        (["1,234", "7"], {"thousands": ","}, [1234, 7]),
        (["1.234", "7"], {"thousands": "."}, [1234, 7]),
        (["1.234", "7"], {"decimal": ","}, [1234, 7]),
        (["-1,5", "\u22122,5"], {}, [Decimal("-1.5"), Decimal("-2.5")]),
        (["-$1,500.00", "$-7"], {}, [-1500, -7]),
        (["1,5e-05", "7"], {}, [Decimal("1.5e-05"), 7]),
        (["1.500e+03", "5e-1 BTC"], {}, [1500, Decimal("0.5")]),
        # Not numbers, however the other cells are written.
        (["1,23.4", "1.5"], {}, [None, Decimal("1.5")]),
        (["12,34,567", "1.5"], {}, [None, Decimal("1.5")]),
        (["1,500,000e3", "1.5"], {}, [None, Decimal("1.5")]),
        (["1,5", "1.5"], {"decimal": "."}, [None, Decimal("1.5")]),
        (["1.5", "1,25"], {"decimal": ","}, [None, Decimal("1.25")]),
        (["1 234", "1.5"], {"thousands": ","}, [None, Decimal("1.5")]),
        # Spaces also separate card numbers.
        (["1 234", "1.5"], {}, [None, Decimal("1.5")]),
        (["1 234", "1.5"], {"thousands": " "}, [1234, Decimal("1.5")]),
        (["$1 234", "1\u00a0234"], {}, [1234, 1234]),
        (["1,5xx", "1,5"], {}, [None, Decimal("1.5")]),
        (["$1,5€", "1,5"], {}, [None, Decimal("1.5")]),
        (["--1,5", "1,5"], {}, [None, Decimal("1.5")]),
        (["1,5%", "1,5"], {}, [None, Decimal("1.5")]),
        (["1/2/2026", "1,5"], {}, [None, Decimal("1.5")]),
        (["2026-01-02", "1,5"], {}, [None, Decimal("1.5")]),
        (["02.01.2026", "1,5"], {}, [None, Decimal("1.5")]),
    ],
)
def test_marks_mean_what_they_can_mean(texts, options, numbers):
    """In a game whose outcome is its salt, the number read is exactly the number compared."""

    class Given(pf.Game):
        scheme = pf.Scheme(pf.Hash("sha256", "{number}"), bits=32)
        value: float = 0.0

        def outcome(self, draws):
            return draws.below(1) + self.value

    for row, number in enumerate(numbers):
        for value in {number, 7, 0} - {None}:
            log = {"number": "x", "outcome": texts}
            report = pf.verify(log, Given(float(value)), csv=options)
            kinds = {failure.row: failure.kind for failure in report.failures}
            assert kinds.get(row) == (
                "malformed" if number is None else None if value == number else "mismatch"
            )


@given(
    st.integers(-(10**12), 10**12),
    st.integers(0, 4),
    st.sampled_from([(".", ""), (".", ","), (",", ""), (",", "."), (",", "\u00a0"), (".", "'"), (",", " ")]),
    st.sampled_from(["{}", "{}x", "${}", "{} €", " {} ", "+{}", "×{}"]),
)
def test_what_is_written_is_read(digits, places, marks, sign):
    """Numbers in Python's own formatting with any country's separators are read back unchanged."""
    decimal, thousands = marks
    value = Decimal(digits).scaleb(-places)
    text = f"{abs(value):,.{places}f}".replace(",", "\0").replace(".", decimal).replace("\0", thousands)
    text = sign.format(text)
    if value < 0 and "+" not in sign:
        text = f"-{text.strip()}"
    expected = abs(value) if "+" in sign else value
    read = as_python_writes(text, decimal, thousands or None)
    assert Decimal(read.strip()) == expected


@given(st.text(alphabet="0123456789.,'x$ -+eE\u00a0", max_size=12), st.sampled_from(".,"))
def test_what_is_read_is_never_two_numbers(text, decimal):
    """A text is read as a number with its digits in order, or not as a number."""
    read = as_python_writes(text, decimal, None)
    if read not in (text, "?"):
        assert re.sub("[^0-9]", "", read) == re.sub("[^0-9]", "", text)
        assert re.fullmatch(r"-?[0-9]*\.?[0-9]*", read)
        assert ("-" in read) == ("-" in text)
        behind = text.strip(" x$\u00a0").rpartition(decimal)[2] if decimal in text else ""
        assert read.partition(".")[2] == behind


@pytest.mark.parametrize("texts", [["1,234", "7"], ["1,234", "5,678"], ["-1,234x"]])
def test_what_may_mean_two_things_is_asked(texts, tmp_path, capsys):
    log = {"salt": texts, "outcome": texts}
    with pytest.raises(
        pf.LogError, match=r"column 'outcome' has .* which may be -?1234 or -?1.234"
    ) as refused:
        pf.verify(log, pf.Crash())
    for decimal in re.findall(r"give csv={'decimal': '(.)'}", str(refused.value)):
        assert pf.verify(log, pf.Crash(), csv={"decimal": decimal}).failed == len(texts)
    path = tmp_path / "log.csv"
    path.write_text("salt;outcome\n" + "".join(f"{text};{text}\n" for text in texts))
    assert run(["verify", str(path), "-g", "crash"]) == 2
    assert "1234 give --decimal ." in capsys.readouterr().err
    assert run(["verify", str(path), "-g", "crash", "--decimal", "."]) == 1


def test_nonces_and_parameters_are_numbers_and_seeds_are_not():
    """Seeds that look like numbers are hashed as written."""
    games = {"1,5": 3, "$7": 5}
    rows = [("1.234,5", seed, salt, mines) for seed, mines in games.items() for salt in ("1x", "2,5")]
    log = {
        "server_seed": [row[0] for row in rows],
        "client_seed": [row[1] for row in rows],
        "salt": [row[2] for row in rows],
        "mines": [f"{row[3]},0" for row in rows],
        "outcome": [str(salted.mines(*row)) for row in rows],
    }
    assert pf.verify(log, pf.Mines()).ok
    dice = pf.operators.stake.Dice()
    log = {"server_seed": "s", "client_seed": "c", "nonce": ["1.234", "0"], "outcome": ["12,34", "1,00"]}
    report = pf.verify(log, dice)
    assert [failure.expected for failure in report.failures] == [
        float(dice.play("s", "c", nonce)) for nonce in (1234, 0)
    ]
    assert float(report.explain(0).outcome) == float(dice.play("s", "c", 1234))


@pytest.mark.parametrize("cells", [("1,5", "2.5"), ("2.5", "1,5"), ("2.5", "1,5", "1,5"), ("1.234", "1,5")])
@pytest.mark.parametrize("block", [1, 1 << 20])
def test_marks_that_disagree_are_refused_with_the_cure(cells, block, tmp_path, limits):
    limits(BLOCK=block, CSV_BLOCK=block)
    path = tmp_path / "log.csv"
    path.write_text("salt;outcome\n" + "".join(f"{row};{cell}\n" for row, cell in enumerate(cells)))
    if cells[0] != "1.234" or block == 1:
        with pytest.raises(pf.LogError, match=r"decimal points.*decimal commas, as '1,5',") as refused:
            pf.verify(path, pf.Crash())
        assert re.findall(r"csv={'decimal': '(.)'}", str(refused.value)) == [".", ","]
    for decimal, other in ((".", ","), (",", ".")):
        report = pf.verify(path, pf.Crash(), csv={"decimal": decimal})
        kinds = {failure.row: failure.kind for failure in report.failures}
        bad = {row for row, cell in enumerate(cells) if other in cell and "234" not in cell}
        assert {row for row, kind in kinds.items() if kind == "malformed"} == bad


def test_commas_that_points_show_to_be_of_thousands_are_noted(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("salt;outcome\na;2.5\nb;1,234\n")
    assert "numbers such as '1,234' are read with commas between thousands" in str(
        pf.verify(path, pf.Crash())
    )


def test_each_file_has_its_own_marks(tmp_path):
    (tmp_path / "a.csv").write_text(written())
    (tmp_path / "b.csv").write_text(written(";", number=with_comma))
    (tmp_path / "c.csv").write_text(written("|", number="${}".format))
    report = pf.verify(tmp_path, "dice")
    assert (report.ok, report.checked) == (True, 18)


def test_marks_that_later_rows_show(tmp_path, limits):
    limits(BLOCK=64, CSV_BLOCK=64)
    rows = [("s", "c", f"salt {row}") for row in range(300)]
    texts = [with_comma(salted.dice(*row)) for row in rows]
    path = tmp_path / "log.csv"

    def logged():
        lines = [";".join([*row, text]) for row, text in zip(rows, texts, strict=True)]
        return write(path, "\n".join([";".join(HEADER), *lines]).encode())

    assert pf.verify(logged(), "dice").ok
    texts = [text.replace(",", ".") for text in texts[:200]] + texts[200:]
    logged()
    with pytest.raises(pf.LogError, match="decimal points and decimal commas") as refused:
        pf.verify(path, "dice")
    assert refused.value.report.failed == 0
    failures = pf.verify(path, "dice", csv={"decimal": "."}).failures
    assert {failure.kind for failure in failures} == {"malformed"}
    assert [failure.row for failure in failures] == [row for row in range(200, 300) if "," in texts[row]]


@pytest.mark.parametrize(
    ("text", "number"),
    {
        **{"10.00 USD": "10.00", "USD 10.00": "10.00", "usd10": "10", "0,5 BTC": "0.5", "-5.5USDT": "-5.5"},
        **{"BTC -5": "-5", "1,234.50 EUR": "1234.50", "5 red": "5 red", "$10 USD": "?", "USD 1 USD": "?"},
    }.items(),
)
def test_codes_of_currencies_beside_amounts(text, number):
    assert as_python_writes(text, "," if "0,5" in text else ".", None) == number


DICE = pf.operators.stake.Dice()
BET = DICE.bet(1.98, under=50)


def paid(stake, payout, rows=40, names=("stake", "payout")):
    """A log of bets on rolls below 50; the payout is a function of whether one is won."""
    rounds = {"server_seed": "server", "client_seed": "client", "nonce": range(rows)}
    outcomes = DICE.play(**rounds)
    payouts = [payout(bool(outcome < 50)) for outcome in outcomes]
    return {**rounds, "outcome": outcomes, names[0]: [stake] * rows, names[1]: payouts}


@pytest.mark.parametrize("names", [("stake", "payout"), ("wager", "win_amount")])
@pytest.mark.parametrize("amount", ["${:.2f}", "{:.2f} USD", "{:.2f} XYZ", "R$ {:.2f}"])
def test_amounts_are_compared_or_refused(names, amount):
    right, wrong = (
        paid(amount.format(10), lambda won, all=all: amount.format(19.8 * won * all), names=names)
        for all in (1, 0)
    )
    if "USD" in amount or amount[0] == "$":
        assert pf.audit(right, DICE, bet=BET).ok
        assert "payout_mismatch" in [finding.kind for finding in pf.audit(wrong, DICE, bet=BET).findings]
        return
    columns = dict(zip(("stake", "payout"), names, strict=True))
    said = f"row 0: column {names[0]!r} has {amount.format(10)!r}, which isn't read as a number"
    with pytest.raises(pf.LogError, match=re.escape(said)):
        pf.audit(wrong, DICE, bet=BET, columns=columns)


@pytest.mark.parametrize("write", [lambda paid: [paid, 0], lambda paid: {paid}, lambda paid: {"USD": paid}])
def test_amounts_that_are_several_are_refused(write):
    log = paid(10, lambda won: write(9.9 + won))
    with pytest.raises(pf.LogError, match=r"row 0: column 'payout' has ['\"].*9\.9.*, which isn't read as a"):
        pf.audit(log, DICE, bet=BET)


def test_words_beside_amounts_are_none():
    assert pf.audit(paid("10", lambda won: "19.80" if won else "lost"), DICE, bet=BET).ok


@pytest.mark.parametrize(
    ("stake", "payout"),
    [("10.00 USD", "0.0002 BTC"), ("5 mBTC", "0.0099 BTC"), ("$10.00", "€18.00"), ("usd 10", "19.80 eur")],
)
def test_amounts_of_several_currencies_are_refused(stake, payout):
    with pytest.raises(pf.LogError, match=f"of several currencies, such as '{re.escape(stake)}'"):
        pf.audit(paid(stake, lambda _: payout, 3), DICE, bet=BET)
