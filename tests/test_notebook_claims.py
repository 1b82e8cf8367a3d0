"""The headline figures of each notebook, as its cells find them when they are run here."""

from __future__ import annotations

import ast
import hashlib
import json
import math
import re
from functools import cached_property
from typing import Any

import numpy as np
import provably_fair as pf
import pytest
from folders import NOTEBOOKS

for package in ("IPython", "matplotlib", "pandas", "polars", "scipy"):
    pytest.importorskip(package)
GAMES = ["Mines", "Tower", "Slot", "Plinko", "Double", "X50", "Jackpot", "Dice", "Crash", "Overgo"]
ERAS_EDGES = (1.5, 1.5, 1, 1, 3.5, 7.1, 1, 1)


class Notebook:
    """A notebook's text, and the variables left by its cells when run here in an empty folder."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        self.sources = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
        self.code = [source for kind, source in self.sources if kind == "code"]

    @cached_property
    def text(self) -> str:
        """Everything but code, one line per paragraph."""
        said = "\n\n".join(source for kind, source in self.sources if kind == "markdown")
        return "\n".join(" ".join(part.split()) for part in re.split(r"\n\n|\n(?=- )", said))

    def says(self, *figures: str) -> bool:
        return all(figure in self.text for figure in figures)

    @cached_property
    def to_copy(self) -> str:
        """The first code cell below the heading that announces it."""
        place = next(i for i, (_, text) in enumerate(self.sources) if "\n## A cell to copy\n" in f"\n{text}")
        return next(text for kind, text in self.sources[place:] if kind == "code")

    def run(self, *cells: str) -> dict[str, Any]:
        """The variables after these code cells."""
        import matplotlib as mpl
        from IPython.core.formatters import DisplayFormatter

        mpl.use("Agg")
        from matplotlib import pyplot

        show = DisplayFormatter().format
        names: dict[str, Any] = {"__name__": "__main__"}
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            for number, source in enumerate(cells, 1):
                where = f"{self.path.stem}, cell {number}"
                *body, last = ast.parse(source).body
                if not isinstance(last, ast.Expr):
                    body.append(last)
                exec(compile(ast.Module(body, []), where, "exec"), names)
                if isinstance(last, ast.Expr):
                    show(eval(compile(ast.Expression(last.value), where, "eval"), names))
                for figure in pyplot.get_fignums():
                    pyplot.figure(figure).canvas.draw()
                pyplot.close("all")
        return names


@pytest.fixture
def notebook(request, tmp_path) -> Notebook:
    """The notebook with the test's name."""
    return Notebook(NOTEBOOKS / f"{request.function.__name__.removeprefix('test_')}.ipynb", tmp_path)


@pytest.fixture
def ran(notebook) -> dict[str, Any]:
    """The variables after all cells of the notebook."""
    return notebook.run(*notebook.code)


@pytest.fixture
def copied(notebook) -> dict[str, Any]:
    """The variables after the cell to copy, run alone."""
    return notebook.run(notebook.to_copy)


def rows_of(report):
    return [failure.row for failure in report.failures]


def test_01_seeds_to_mines(notebook, ran, copied):
    assert ran["by_hand"] == [block["hex"] for block in ran["walk"].to_dict()["blocks"]]
    assert ran["walk"].outcome.tolist() == [11, 8, 18]
    assert notebook.says("The mines are in cells 11, 8 and 18", "160 / 256^3 = 0.0000095367431640625")
    assert "provably_fair" not in notebook.to_copy
    for number in range(100):
        seeds = "server", "client", str(number)
        assert copied["mines_by_hand"](*seeds, 5) == pf.Mines(mines=5).play(*seeds).tolist()


@pytest.mark.thorough
def test_02_ten_games(notebook):
    """Each cell runs alone."""
    _, *games, as_drawn = [notebook.run(cell) for cell in notebook.code]
    assert [type(names["game"]).__name__ for names in games] == GAMES
    assert min(names["law"].chisquare(names["seen"]).pvalue for names in games) > 0.05 / len(GAMES)
    law = {name: names["law"] for name, names in zip(GAMES, games, strict=True)}
    sizes = {name: len(law[name]) for name in GAMES if len(set(law[name].weights)) == 1}
    assert sizes == {"Slot": 41, "Double": 15, "X50": 54, "Jackpot": 20, "Dice": 10_001}
    assert f"{law['Tower'].pmf(10):.1%}" == "10.7%"
    for name, kept in ("Crash", 0.95), ("Overgo", 0.97):
        assert all(abs(x * law[name].sf(x - 0.005) - kept) < 0.01 for x in (2, 10, 100))
    chances, seen = pf.Dice().distribution(of=np.floor).probabilities, pf.Dice().tally(100_000, of=np.floor)
    off = (seen.frequencies - chances) / np.sqrt(chances * (1 - chances) / 1e5)
    assert (seen.outcomes[off.argmax()], round(off.max(), 1)) == (57, 3.6)
    assert max(as_drawn["largest"].values()) == as_drawn["largest"]["Dice"] < 2e-12


def test_03_boards_reels_pins(notebook, ran, copied):
    assert ran["stops"].tolist() == [14, 10, 21, 20, 39]
    assert [ran[name].outcome.tolist() for name in ("small", "large")] == [[5], [8]]
    assert (ran["tower_pays"]["pays"][0], ran["tower_pays"]["pays"][9]) == (1.24, 9.22)
    assert ran["tower_pays"]["return"].between(0.985, 0.995).all()
    assert abs(ran["paid"].mean() - ran["slot_bet"].rtp) < 3 * ran["error"]
    assert ran["share"]["return"].sum() == pytest.approx(ran["plinko_return"])
    assert [round(bet.std, 1) for bet in ran["bets"].values()] == [0.5, 2.9, 8.0, 1.5]
    assert notebook.says("1.24 for one row up to 9.22", "by half a bet, 1.5, 2.9 and 8 bets")
    assert copied["bet"].rtp == pytest.approx(ran["plinko_return"])


def test_04_video_poker(notebook, ran, copied):
    walk, tables = ran["walk"], ("jacks_or_better", "tens_or_better", "bonus_poker")
    assert walk.committed
    assert (str(walk.outcome.hand), str(walk.outcome.final)) == ("J♣ 5♥ 8♣ A♣ 2♣", "J♣ 3♦ 5♦ A♣ J♦")
    assert float(ran["best"]) == pytest.approx(60 / 47)
    assert notebook.says("1.28 bets, of which its author got 0.54")
    returns = [f"{100 * ran['analyses'][name].rtp:.2f} %" for name in tables]
    assert notebook.says("{}, {} and {}".format(*returns))
    rows = ran["analyses"]["jacks_or_better"].rows
    expected = 50_000 * np.array([row.probability for row in rows])
    assert (np.abs(ran["tally"].counts - expected) < 4 * expected**0.5 + 1).all()
    lost = ran["analyses"]["jacks_or_better"].rtp - ran["simple"].rtp
    assert (len(ran["rules"]), round(1 / lost, -3)) == (25, 24_000)
    assert (len(ran["edge"]), sum(ran["edge"] > 0)) == (15, 4)
    assert notebook.says(f"from {100 + ran['edge'].min():.1f} % to {100 + ran['edge'].max():.1f} %")
    assert f"{ran['returns']['deuces_wild'].rtp:.4%}" == "100.7620%"
    assert f"{ran['sequential_return']:.2%}" == "99.78%"
    assert copied["machine"].analyze().rtp == ran["full_pay"].rtp


@pytest.mark.thorough
def test_05_blackjack(notebook, ran, copied):
    played = ran["game"].replay(ran["server_seed"], ran["client_seed"], actions=["double"])
    assert (played.hands[0].total, played.dealer_total, played.net) == (14, 18, -2)
    values = ran["optimal"].values["6,5", "3"]
    assert (max(values, key=values.get), round(values["double"], 2)) == ("double", 0.54)
    assert f"{ran['basic'].house_edge:.2%}" == f"{ran['optimal'].house_edge:.2%}" == "1.08%"
    assert f"{ran['without'] - ran['basic'].house_edge:.2%}" == "0.83%"
    assert notebook.says("**The answer: no, 1.08 %")
    assert ran["edges"][-1] == pytest.approx(100 * ran["optimal"].house_edge)
    assert max(abs(ran["off"]), ran["farthest"]) < 3.5
    assert ran["same_hashes"].mean() - ran["fearful"].mean() > 0.02
    assert max(ran["changes"], key=ran["changes"].get) == "a dealer's 22 pushes"
    assert min(ran["side"].values()) > 3 * ran["basic"].house_edge
    assert max(ran["kept"], key=ran["kept"].get) == "even_money"
    assert ran["deep"].house_edge < ran["runs"][0.75].house_edge < 0 < -ran["deep"].nets.mean()
    assert 0.001 < copied["yours"].analyze("basic").house_edge < 0.003


def test_06_backgammon_dice(ran, copied):
    fpclub = ran["fpclub"]
    for weights in ran["opponents"].values():
        assert len({*fpclub.combined_law(ran["honest"], weights).weights}) == 1
    place, digits = ran["check_of_dice"].repair, ran["repaired"].digits
    assert (place.kind, place.index, place.die) == ("insert", 195, 4)
    assert hashlib.md5(digits.encode()).hexdigest() == "b87c09208b90f00776b8978c1bd41ccc"
    assert ran["statistic"] < 20.5  # true of 999 in 1,000 fair samples
    assert ran["found"] == [digits[-7:]]
    (record,) = fpclub.parse_log(copied["text"])
    assert record.check().repaired.digits == "31562435"


def test_07_from_a_log_to_a_verdict(ran, copied):
    assert sorted({*rows_of(ran["report"])}) == [17, 50, 83]
    assert (len(ran["cheats"]), sum(ran["verified"].values())) == (12, 11)
    assert not any(report.ok for report in ran["audits"].values())
    found = {one.kind for report in ran["audits"].values() for one in report.findings}
    assert {"nonce_gap", "rotated_every_bet", "commitment_late", "paytable_differs", "wins_refunded"} <= found
    (by_stake,) = [test.pvalue for test in ran["suspect"].tests if test.kind == "return_by_stake"]
    assert by_stake < 1e-9
    assert ran["fair"].ok
    assert ran["blind"].ok
    needed = dict(zip(ran["shares"], ran["needed"], strict=True))
    assert needed[0.01] == pytest.approx(100 * needed[0.1], rel=0.1)
    assert ran["swapped"].failed == ran["ground"].swapped.sum() > 0
    assert "nonce_repeated" in ran["message"]
    assert ran["alarms"].index(True) == 1
    assert rows_of(copied["verdict_of_rows"]) == [2]


def test_08_is_the_generator_fair(ran, copied):
    assert all(ran[name].ok for name in ("wheel", "mines", "numbers", "chosen"))
    assert not ran["rigged"].ok
    assert abs(ran["wins"] - 0.25) < 4 * math.sqrt(0.25 * 0.75 / ran["rounds"])
    assert ran["report"].counts == {"PASSED": 114, "WEAK": 0, "FAILED": 0}
    assert ran["pairs"] + ran["lagged"] > ran["document"]
    assert all(abs(effect.mean - 256) < 4 * math.sqrt(128 / effect.samples) for effect in ran["effects"])
    assert copied["die"].ok


def test_09_my_own_csv(ran, copied):
    assert rows_of(ran["report"]) == [57, 58, 301]
    assert ran["report"].failures[2].expected == 22.59
    found = {finding.kind: finding.rows for finding in ran["audit"].findings}
    assert found == {"payout_mismatch": (12, 199), "client_seed_shared": (250,)}
    deviations = (ran["won"] - ran["mean"]) / (ran["spread"] / 2)
    assert abs(abs(deviations.iloc[-1]) - 0.25) < 0.07
    assert rows_of(copied["of_rows"]) == [1]


@pytest.mark.thorough
def test_10_games_of_operators(notebook, ran, copied):
    table = ran["table"]
    assert table["agrees"].all()
    assert notebook.says(f"all {len(table)} rounds of {table['operator'].nunique()} operators")
    assert {"bustabit.v2", "duel.crash"} < {row["identified as"] for row in ran["told"].values()}
    assert ran["report"].failed == len(ran["dice"]) == 16
    assert pf.verify(ran["log_of_2019"], "stake.dice", **ran["report"].suggestions[0].options).ok
    before, after = ran["before"], ran["after"]
    left = f"leave {min(before)} to {max(before)} readings open, separating ones {min(after)} to {max(after)}"
    assert notebook.says(left)
    assert [ran["tail"].agrees(game) for game in ran["readings"]] == [True, False]
    assert np.abs((ran["reached"] / ran["law"] - 1) / ran["error"]).max() < 4
    assert ran["passed"].ok
    assert ran["test"].pvalue < 1e-4
    assert copied["whose"].best.game == "stake.limbo"


def test_11_my_own_game(ran, copied):
    exact = [math.comb(5, k) * math.comb(35, 10 - k) / math.comb(40, 10) for k in range(6)]
    assert np.allclose([ran["hits"].pmf(k) for k in range(6)], exact, rtol=1e-12)
    assert [round(100 * ran[name], 1) for name in ("keno_return", "slot_return")] == [96.7, 92.7]
    assert [rows_of(ran[name]) for name in ("found", "in_hilo")] == [[412], [3, 500]]
    assert np.allclose([*ran["wheel_returns"].values(), ran["hilo_return"]], [0.972, 0.98, 0.99**3])
    assert abs(ran["apart"].share - 0.6) < 0.02
    assert abs(ran["simulated"].mean() - ran["slot_return"]) < 3 * ran["error"]
    assert f"{ran['slot'].bet().hit_frequency:.0%}" == "43%"
    law = copied["coins"].distribution()
    assert [32 * law.pmf(heads) for heads in range(6)] == [1, 5, 10, 10, 5, 1]


@pytest.mark.thorough
def test_12_what_a_bet_does(notebook, ran, copied):
    bet, risky, dice = ran["bet"], ran["risky"], pf.Dice().bet(1.98, under=50)
    assert notebook.says(f"**Answer: {100 * bet.rtp:.3f} of 100 come back")
    assert notebook.says(f"From {100 * ran['least']:.2f} to {100 * ran['most']:.2f} of 100")
    assert notebook.says(f"by {bet.std:.2f} of the stake in one bet of low risk, and by {risky.std:.2f}")
    assert notebook.says(" lie beyond the index, at high risk {:.1f} %".format(100 * ran["beyond"][1]))
    ruined = [100 * each.ruin(20, rounds=1000) for each in (bet, risky)]
    assert notebook.says("{:.0f} % are ruined at low risk and {:.0f} %".format(*ruined))
    assert notebook.says(f"with 5 % on top, {100 * ran['fraction']:.0f} % of the bankroll")
    system = pf.bets.Martingale()
    doubled = [100 - 100 * dice.ruin(63, target=126, **how) for how in ({"system": system}, {})]
    assert notebook.says("in {:.0f} of 100 cases, where flat bets do in {:.0f}".format(*doubled))
    ruined = 100 * dice.ruin(63, rounds=200, system=system)
    assert notebook.says(f"ruined within 200 bets in {ruined:.0f} of 100")
    assert notebook.says(f"in {1e6 * dice.ruin(63, rounds=200):.0f} of a million")
    assert bet.test(ran["unfair"], "less") < 2e-6 < 0.05 < bet.test(ran["fair"])
    assert ran["needed"] == {1: 50, 0.2: 1300, 0.05: 20_825}
    assert 0.25 < ran["naive"] < 0.3
    assert ran["watched"] == 0.01
    assert ran["found"].low <= 0.1 <= ran["found"].high
    assert ran["peaks"]["tally", 1_000_000] < 1.5 * ran["peaks"]["tally", 10_000] + 1
    assert copied["wager"].rtp == pytest.approx(36 / 37)


@pytest.mark.thorough
def test_13_is_a_color_overdue(notebook, ran, copied):
    laws, every = ran["laws"], ran["every"]
    count, hits = ran["shares"](every, "white", 60)
    assert notebook.says(f"of {count:,} rolls after 60 or more without white {100 * hits / count:.2f} %")
    low, high = ([laws[color].quantile(q) for color in ("white", "red")] for q in (0.05, 0.95))
    for of_color in zip(low, high, strict=True):
        assert notebook.says("{:.0f} to {:.0f}".format(*of_color))
    assert notebook.says(f"One day in {1 / (1 - laws['white'].cdf(ran['seen']['white'] - 1)):.0f} has one")
    assert notebook.says(f"The longest wait was of {ran['longest']} rolls")
    longest = np.diff(np.flatnonzero(every == 0)).max() - 1
    assert notebook.says(f"In all {len(every):,} games the longest wait was of {longest} rolls")
    for color, (first, last) in ran["colors"].items():
        p = (last - first + 1) / 15
        for least in ran["longer"][color]:
            count, hits = ran["shares"](every, color, least)
            assert abs(hits - count * p) < 3.3 * math.sqrt(count * p * (1 - p))
    assert ran["longest_wait_law"](4, 1, 4).pmf(4) == pytest.approx((14 / 15) ** 4)
    assert abs(ran["square"] - 224) < 22.4
    fitted = ran["fitted"]
    assert notebook.says(f"the edge is {100 * fitted.low:.1f} to {100 * fitted.high:.1f} %")
    assert fitted.low < 1 - 0.99 * 14 / 15 < fitted.high
    assert (fitted.divisors, fitted.notes) == ((14, 15, 16), ())
    likely = [name for name, pvalue in fitted.families.items() if pvalue > 0.001]
    assert likely == ["crash.divisible:divisor=15", "blaze.crash"]
    assert notebook.says(*(f"{distance:.3f}" for distance in fitted.distances.values()))
    assert notebook.says("{1} of {0} games reached 2; the law says".format(*ran["after_low"][9]))
    assert notebook.says(f"the law says {100 * ran['reached']:.1f} %, as after any others")
    assert np.array_equal(copied["waited"][1:], ran["waits"](copied["hits"])[1:])


@pytest.mark.thorough
def test_14_ten_years_of_crash(notebook, ran, copied):
    busts = ran["busts"]
    assert sum(map(len, busts.values())) == 7_166_661
    assert sum(ran["known"].values()) == 134
    assert notebook.says(f"smallest {min(ran['pvalues'].values()):.3f}", "134 results")
    for said, (name, game) in zip(ERAS_EDGES, ran["games"].items(), strict=True):
        edge = 1 - game.bet(cash_out=2).rtp
        assert round(100 * edge, 1) == said
        assert abs(1 - 2 * (busts[name] >= 2).mean() - edge) < 3 / np.sqrt(len(busts[name]))
    assert [round(100 * edge, 1) for edge in ran["later"]] == [4.5, 5.5]
    means = [np.diff(np.flatnonzero(each >= 100)).mean() for each in busts.values()]
    assert notebook.says(f"{min(means):.0f} to {max(means):.0f} games on average")
    assert notebook.says(f"up to {max(ran['longest'].values()):,}")
    assert notebook.says(f"**Answer: {max(map(np.max, busts.values())):,.0f} times")
    for name, (paths, ruined) in ran["played"].items():
        low, high = (0.57, 0.60) if name == "Blaze, 2023" else (0.41, 0.47)
        assert low < ruined.mean() < high
        assert paths[:, -1].mean() < 1023
    off = np.abs(np.concatenate(list(ran["surprise"].values())))
    assert (len(off), (off > 2.576).sum(), ran["every"]) == (104, 1, 800)
    assert copied["before_it"][0] == hashlib.sha256(copied["published_hash"].encode()).hexdigest().encode()


@pytest.mark.thorough
def test_15_two_operators_compared(notebook, ran, copied):
    for name, back in {"Stake": 0.99, "bustabit": 0.99, "Duel": 0.999}.items():
        assert ran["games"][name].bet(cash_out=10).rtp == pytest.approx(back, rel=1e-5)
    assert notebook.says(f"Duel's by {100 * ran['distances']['Stake']['Duel']:.2f} %")
    assert (ran["of_fair"]["kstest"] <= 0.05).all()
    assert (ran["of_fair"]["chi-square"] <= 0.05).sum() <= 11  # true of 99 % of a hundred tests at 5 %
    found = dict(zip(ran["sizes"], ran["found"]["chi-square"], strict=True))
    assert found[4000] == 0.99
    assert notebook.says(f"once in {1 / ran['impossible']:,.0f} games")
    assert notebook.says(f"{1e6 * ran['distance']:.0f} in a million")
    assert 7 < len(ran["places"]) < 18  # ten are expected
    law = pf.operators.stake.Limbo().distribution(of=lambda x: np.minimum(x, 100))
    assert min(copied["goodness_of_fit"](np.minimum(copied["yours"], 100), law).values()) > 0.001


@pytest.mark.thorough
def test_16_bootstrap_or_exact(notebook, ran, copied):
    assert all(round(bet.rtp, 2) == 0.99 for bet in ran["bets"].values())
    assert ran["log"]["paid"].to_numpy().tolist() == ran["frame"]["paid"].tolist()
    assert ran["paid_in_log"].max() == 26
    shares = ran["shares"]
    low, high = (100 * shares[shares.index.str.startswith(risk)]["bootstrap"] for risk in ("low", "high"))
    assert notebook.says("in {:.0f} and {:.0f} of".format(*high))
    assert (low >= 93).all()
    assert shares["bet.interval"].between(0.95, 0.985).all()
    assert (ran["widths"]["bootstrap"] < ran["widths"]["bet.interval"]).all()
    assert ran["interval"].high - ran["high"] > 0.2
    assert copied["one_bet"].mean() == pytest.approx(1.55)
