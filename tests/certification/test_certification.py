"""The laboratory's report: clauses, proofs, what is refused, and biases that it must find."""

from __future__ import annotations

import json
from fractions import Fraction
from html.parser import HTMLParser

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.certification.scaling import scaled
from provably_fair.cli import run

RESULTS = {"passed", "failed", "proved", "not applicable", "not shown"}
FIELDS = {"number", "text", "test", "hypothesis", "statistic", "pvalue", "data", "missing", "result"}
BYTES = pf.Scheme(
    pf.Hash("sha256", "{server_seed}:{nonce}:{cursor}"),
    bits=8,
    below="modulo",
    fields=("server_seed", "nonce"),
)


class Hundred(pf.Game):
    """One of a hundred."""

    def outcome(self, draws):
        return draws.below(100)


@pytest.mark.parametrize("standard", pf.certification.STANDARDS)
@pytest.mark.parametrize("game", ["dice", "mines:mines=3", "stake.keno"])
def test_every_standard_on_fair_games(game, standard):
    report = pf.certify(game, standard, rounds=3000)
    assert report.ok
    assert report.level == pf.certification.STANDARDS[standard].level
    for clause in report.clauses:
        assert clause.result in RESULTS
        assert (clause.pvalue is not None) == (clause.result in ("passed", "failed"))
        assert clause.result != "not shown" or clause.missing
        assert clause.data or clause.result in ("not shown", "not applicable")
    assert report == pf.certify(game, standard, rounds=3000)  # the same seed, the same report


def test_pennsylvania_has_fifteen_tests_in_its_order():
    clauses = pf.certify("mines:mines=3", "58 Pa. Code 810a.5", rounds=3000).clauses
    assert [clause.number for clause in clauses] == [f"810a.5(c)({number})" for number in range(1, 16)]
    names = [clause.test for clause in clauses]
    assert names[0] == "chi-square"
    assert names[-1] == "Poisson"
    assert {"order statistic", "subsequences", "adjacency", "interplay correlation"} <= set(names)


def test_what_was_not_seen_is_not_claimed():
    report = pf.certify("dice", "25 CFR 547.14(b)(2)", rounds=3000)
    assert all("as far as seen" in clause.number for clause in report.clauses)
    assert "Of its ten items only this much was seen" in report.notes[0]
    named = [clause.test for clause in report.clauses if "couldn't be seen" not in clause.missing]
    assert named == ["spectral", "subsequences"]


def test_scaling_is_proved_by_the_exact_law():
    # A byte modulo 100: 56 values are made of three bytes, the others of two.
    found = scaled(Hundred().with_scheme(BYTES))
    assert found.deviation == Fraction(1, 100) - Fraction(2, 256)
    assert found.distance == 56 * (Fraction(3, 256) - Fraction(1, 100))
    clauses = {c.text: c for c in pf.certify(Hundred().with_scheme(BYTES), "RTS 7", rounds=500).clauses}
    clause = clauses["Scaling keeps the qualities of the generator."]
    assert clause.result == "failed"
    assert clause.statistic == float(found.deviation)
    assert clause.pvalue is None
    report = pf.certify(Hundred().with_scheme(pf.operators.stake.SCHEME), "RTS 7", rounds=500)
    assert {c.test: c.result for c in report.clauses}["proof"] == "proved"


def test_a_biased_log_fails():
    rng = np.random.default_rng(5)
    fair = pf.certify("double", "AGCO 21.1.2", log={"outcome": rng.integers(15, size=4000)})
    assert fair.ok
    assert fair.notes[1] == "Not tested: raw numbers: a log holds outcomes alone."
    leaning = rng.integers(15, size=4000)
    leaning[::9] = 3
    biased = pf.certify("double", "AGCO 21.1.2", log={"outcome": leaning})
    assert not biased.ok
    assert biased.clauses[0].result == "failed"
    repeated = np.repeat(rng.integers(15, size=2000), 2)
    found = {c.test: c.result for c in pf.certify("double", "AGCO 21.1.2", log={"outcome": repeated}).clauses}
    assert found["serial correlation"] == "failed"
    assert found["interplay correlation"] == "not applicable"


class _Text(HTMLParser):
    """The text of a page's body."""

    def __init__(self):
        super().__init__()
        self.inside, self.texts = False, []

    def handle_starttag(self, tag, attrs):
        self.inside |= tag == "body"

    def handle_data(self, data):
        if self.inside and data.strip():
            self.texts.append(data.strip())


def test_the_first_line_says_what_it_is_not():
    report = pf.certify("double", "RTS 7", rounds=500)
    said = report.statement
    assert said.startswith("Tests named by RTS 7, run by provably_fair")
    assert said.endswith("this is not a certification.")
    assert str(report).splitlines()[0] == said
    content = json.loads(report.to_json())
    assert next(iter(content)) == "statement"
    assert content["statement"] == said
    assert all(set(clause) == FIELDS for clause in content["clauses"])
    page = _Text()
    page.feed(report.to_html())
    assert page.texts[0] == said
    assert "<script" not in report.to_html()
    assert len(report.to_pandas()) == len(report.clauses)
    assert report.to_junit().count("<testcase") == len(report.clauses)


def test_a_level_of_ones_own_and_bad_arguments():
    assert pf.certify("double", "AGCO 21.1.2", rounds=500, level=0.001).level == 0.001
    with pytest.raises(ValueError, match=r"^standard must be one of '58 Pa"):
        pf.certify("double", "GLI-19")
    with pytest.raises(TypeError, match=r"^subject must be a game"):
        pf.certify(5, "RTS 7")
    with pytest.raises(ValueError, match=r"^rounds must be at least 10"):
        pf.certify("double", "RTS 7", rounds=5)
    with pytest.raises(ValueError, match=r"^log: row 1 has a outcome that is no number"):
        pf.certify("double", "RTS 7", log={"outcome": ["1", "x"]})


def test_the_text_says_what_is_not_shown_and_why():
    said = str(pf.certify(pf.Double(), "RTS 7", rounds=200))
    assert (
        "\nnot shown: The source is reviewed. Needs a reviewer of the source, which a program isn't." in said
    )
    assert "\nnot applicable: Scaled or shuffled output is tested: positions. A play has one value." in said


@pytest.mark.parametrize("option", ["--html", "--report"])
def test_a_report_never_replaces_an_input(option, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "rounds.csv"
    log.write_text("outcome\n" + "".join(f"{outcome}\n" for outcome in pf.Dice().simulate(40)))
    scheme = tmp_path / "scheme.toml"
    scheme.write_text("bits = 32\n[hash]\nname = 'sha256'\nmessage = '{client_seed}:{nonce}'\n")
    (tmp_path / "soft").symlink_to(log)
    (tmp_path / "hard").hardlink_to(log)
    before = log.read_bytes(), scheme.read_bytes()
    command = ["certify", "dice", "--standard", "RTS 7", "--log", "rounds.csv", "--scheme", "scheme.toml"]
    for target in "rounds.csv", f"../{tmp_path.name}/rounds.csv", str(log), "soft", "hard", "scheme.toml":
        assert run([*command, option, target]) == 2
        assert f"{option} must be another file than the inputs" in capsys.readouterr().err
    assert (log.read_bytes(), scheme.read_bytes()) == before
