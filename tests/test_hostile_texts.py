"""Texts from others: TOML without end, names and descriptions of megabytes, objects in place of cells."""

from __future__ import annotations

import io
import json
from fractions import Fraction

import provably_fair as pf
import pytest
from provably_fair._core.toml import toml_of
from provably_fair.monitoring import load_rules

DICE = pf.operators.stake.Dice()
LONG = "x" * 1_000_000

DEEP = {
    "brackets": "a = " + "[" * 3000,
    "arrays": "a = " + "[" * 3000 + "]" * 3000,
    "tables": "a = " + "{b = " * 3000 + "1" + "}" * 3000,
    "dotted": ".".join(["a"] * 20_000) + " = 1",
    "dotted, quoted": " . ".join(['"a"', "'b'"] * 10_000) + " = 1",
    "header": "[" + ".".join(["a"] * 20_000) + "]",
    "tables' header": "[[" + ".".join(["a"] * 20_000) + "]]",
    "dotted in a table": "a = {" + ".".join(["a"] * 20_000) + " = 1}",
    "digits": "a = " + "9" * 5000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("read", ["scheme", "config", "rules"])
def test_toml_that_nests_without_end_is_refused(tmp_path, text, read):
    path = tmp_path / "hostile.toml"
    path.write_text(text)
    readers = {"scheme": pf.Scheme.load, "config": lambda path: pf.verify(config=path), "rules": load_rules}
    with pytest.raises(pf.errors.BadValue) as caught:
        readers[read](path)
    assert "hostile.toml" in str(caught.value)
    assert len(str(caught.value)) < 1000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (f"a = '{'.'.join('b' * 500)}'", ".".join("b" * 500)),
        (f'a = "{".".join("b" * 500)} \\" {".".join("b" * 500)}"', None),
        (f'a = """{".".join("b" * 500)}\n"" {".".join("b" * 500)}"""', None),
        (f"a = '''{'.'.join('b' * 500)}\n'' {'.'.join('b' * 500)}'''", None),
        (f"a = 1 # {'.'.join('b' * 500)}", 1),
        (f"{'.'.join(['a'] + ['b'] * 99)} = 1", None),
        (f"a = [{'1.5, ' * 500}]", [1.5] * 500),
        (f"a = '{'b' * 1_000_000}'", "b" * 1_000_000),
        ("a = 1\n" + f"#{'c' * 1_000_000}", 1),
    ],
)
def test_dots_in_texts_are_no_keys(text, value):
    found = toml_of(text)
    assert value is None or found["a"] == value


def test_a_file_of_entries_may_begin_with_a_mark_of_its_encoding(tmp_path):
    path = tmp_path / "marked.toml"
    path.write_text('bits = 32\nhash = {name = "sha256", message = "{nonce}"}', "utf-8-sig")
    assert pf.Scheme.load(path).fields == ("nonce",)
    path.write_text('bet = {on = "dice", under = 50, payout = 1.98}', "utf-8-sig")
    assert load_rules(path).bets


def log_of(**more):
    nonces = list(range(3))
    seeds = {"server_seed": ["s"] * 3, "client_seed": ["c"] * 3, "nonce": nonces}
    return seeds | {"outcome": DICE.play("s", "c", nonces).tolist()} | more


@pytest.mark.parametrize(
    "shown",
    [
        str,
        repr,
        lambda report: report.to_html(),
        lambda report: report._repr_html_(),
        lambda report: report.to_junit(),
    ],
    ids=["text", "repr", "page", "notebook", "junit"],
)
def test_reports_quote_names_and_descriptions_in_part(shown):
    described = {"about": {"casino": LONG * 10, LONG: "a"}}
    wrong = log_of(**{LONG: [1, 2, 3]})
    for options in ({}, {"columns": {"outcome": LONG}}, {"keep": [LONG]}, {"config": described}):
        report = pf.verify(wrong, DICE, **options)
        assert len(shown(report)) < 80_000
        assert len(shown(pf.audit(wrong, DICE, **options))) < 80_000
    assert "casino: xxx" in str(report)
    assert "characters)" in str(report)
    assert report.to_dict()["parameters"]["about"]["casino"] == LONG * 10  # data, and whole


def test_errors_quote_names_in_part():
    lacking = {name: cells for name, cells in log_of(**{LONG: [1, 2, 3]}).items() if name != "outcome"}
    table = {"source": {"v": ["1"], LONG: [1]}, "value": "v"}
    calls = [
        lambda: pf.verify(lacking, DICE),
        lambda: pf.audit(lacking, DICE),
        lambda: pf.verify(log_of(), DICE, columns={"outcome": LONG}),
        lambda: pf.verify(log_of(), DICE, columns={LONG: "outcome"}),
        lambda: pf.verify(log_of(), DICE, keep=[LONG]),
        lambda: pf.verify(log_of(), DICE, **{LONG: 1}),
        lambda: pf.verify(log_of(), DICE, csv={LONG: 1}),
        lambda: pf.verify(log_of(), DICE, config={LONG: 1}),
        lambda: pf.locate({LONG: [1, 2, 3]}, "bustabit.v1", anchor="0" * 64),
        lambda: pf.verify(log_of(), LONG),
        lambda: pf.Distribution.from_table(**table, weight="w"),
        lambda: pf.Distribution.from_table({"v": [LONG], "w": [1]}, value="v", weight="w"),
        lambda: pf.Distribution.from_table({"v": [1], "w": [LONG]}, value="v", weight="w"),
        lambda: pf.Distribution.from_table({"v": [1], LONG: ["z"]}, value="v", weight=LONG),
    ]
    for call in calls:
        with pytest.raises((TypeError, ValueError)) as caught:
            call()
        assert len(str(caught.value)) < 1000


def test_values_that_no_float_holds():
    for value in ("1e400", "-1e309", "9" * 400):
        with pytest.raises(pf.LogError, match=r"row 1: column 'v' must have a number of at most 1.8e\+308"):
            pf.Distribution.from_table({"v": ["1", value], "w": [1, 2]}, value="v", weight="w")
    law = pf.Distribution.from_table({"v": ["1e308", "1e-400"], "w": [1, 1]}, value="v", weight="w")
    assert law.mean() == 5e307
    for moment in (law.std, law.var, pf.Distribution([10**400, 0], [1, 1]).mean):
        with pytest.raises(pf.errors.BadValue, match=r"^exact must be True: the .* is larger than any float"):
            moment()
    assert pf.Distribution([10**400, 0], [1, 1]).mean(exact=True) == Fraction(10**400, 2)


@pytest.mark.parametrize("name", ["salt", "outcome", "server_seed", "client_seed"])
@pytest.mark.parametrize("row", [0, 1, 299])
@pytest.mark.parametrize("form", ["lines", "array", "mappings"])
def test_an_object_in_place_of_a_cell_is_a_malformed_row(name, row, form):
    salts = [f"salt {place}" for place in range(300)]
    outcomes = pf.Dice().play("s", "c", salts).tolist()
    rows = [
        {"server_seed": "s", "client_seed": "c", "salt": salt, "outcome": outcome}
        for salt, outcome in zip(salts, outcomes, strict=True)
    ]
    rows[row] = rows[row] | {name: {"a": 1, "b": {"c": 2}}}
    text = json.dumps(rows) if form == "array" else "\n".join(map(json.dumps, rows))
    log = rows if form == "mappings" else io.BytesIO(text.encode())
    report = pf.verify(log, "dice")
    assert [(one.row, one.kind) for one in report.failures] == [(row, "malformed")]
    assert report.complete
    assert report.checked == 300


def test_columns_with_dots_in_their_names_hide_no_others():
    text = "server_seed,client_seed,salt,salt.id,outcome\ns,c,x,1,2\n"
    assert pf.verify(io.BytesIO(text.encode()), "dice").counts == {"mismatch": 1}
    nested = {"server_seed": "s", "client_seed": "c", "salt": {"text": "x"}, "outcome": 2}
    with pytest.raises(pf.LogError, match=r"did you mean columns=\{'salt': 'salt.text'\}"):
        pf.verify([nested, nested], "dice")


class Nameless:
    """An object whose class fails to show it."""

    def __repr__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize("cell", [Nameless(), [Nameless()], {"a": Nameless()}], ids=["one", "list", "object"])
@pytest.mark.parametrize("name", ["server_seed", "client_seed", "nonce", "outcome"])
@pytest.mark.parametrize("check", [pf.verify, pf.audit])
def test_cells_that_cannot_be_shown_fail_in_their_rows(check, name, cell):
    log = log_of()
    log[name] = list(log[name])
    log[name][1] = cell
    report = check(log, DICE)
    failures = getattr(report, "verification", report).failures
    assert [(one.row, one.kind) for one in failures] == [(1, "malformed")]
    assert type(cell).__name__ in failures[0].found
    assert str(report)
    assert pf.verify(log_of(x=[cell] * 3), DICE, keep="x").ok


def test_commitments_that_are_no_unicode_are_malformed():
    report = pf.verify(log_of(commitment=["\ud800"] * 3), DICE)
    assert [one.kind for one in report.failures] == ["malformed"] * 3
    assert "malformed" in str(report)


@pytest.mark.parametrize("game", ["stake.hilo", "stake.baccarat", "stake.plinko", "stake.keno"])
def test_outcomes_that_cannot_be_shown_are_in_no_notation(game):
    log = {"server_seed": ["s"] * 2, "client_seed": ["c"] * 2, "nonce": [1, 2]}
    for outcomes in ([Nameless()] * 2, [None, Nameless()]):
        assert pf.verify({**log, "outcome": outcomes}, game).failures[-1].row == 1
    with pytest.raises(pf.LogError, match=r"mixes notations, as in 'K♠' and <.*Nameless"):
        pf.verify({**log, "outcome": ["K♠", Nameless()]}, "stake.hilo")
