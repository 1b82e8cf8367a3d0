"""Pictures are drawn on the given axes, returned, and never shown."""

from __future__ import annotations

import importlib.util
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import IMAGES, ROOT

matplotlib = pytest.importorskip("matplotlib")
pytest.importorskip("scipy")
from matplotlib.figure import Figure  # noqa: E402
from matplotlib.testing.compare import compare_images  # noqa: E402
from pictures import COIN, MINES, PICTURES, REPORT, TABLE, file_name, save  # noqa: E402


@pytest.fixture
def ax(monkeypatch):
    # Figures that pyplot doesn't manage, so that functions opening their own are caught.
    from matplotlib import pyplot

    def refuse(*args, **kwargs):
        raise AssertionError("no figure may be opened or shown")

    for name in "subplots", "figure", "show", "gca", "gcf":
        monkeypatch.setattr(pyplot, name, refuse)
    return Figure().add_subplot()


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_drawn_where_they_should_be(ax, name):
    assert PICTURES[name](ax) is ax
    assert ax.has_data() or ax.patches
    ax.figure.canvas.draw()


TOLERANCE = 6.0
"""Allowed difference of images, a root mean square of 255: fonts and their smoothing change with versions."""


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_look_as_they_did(name, tmp_path):
    """After `python tests/tools/make_images.py`, look at the images that changed."""
    drawn = tmp_path / file_name(name)
    save(name, drawn)
    assert compare_images(str(IMAGES / file_name(name)), str(drawn), TOLERANCE) is None


def test_the_tolerance_tells_pictures_apart(tmp_path):
    # The same two bars, with counts and bands and without.
    drawn = tmp_path / "law.png"
    save("law", drawn)
    assert compare_images(str(IMAGES / file_name("law, counts")), str(drawn), 2 * TOLERANCE)


def test_boards_scale_with_their_axes():
    sizes = []
    for inches in 2, 4:
        ax = pf.Mines().plot([11, 8, 18], ax=Figure(figsize=(inches, inches)).add_subplot())
        ax.figure.canvas.draw()
        tile = ax.patches[0].get_window_extent()
        assert all(text.get_window_extent().width < tile.width for text in ax.texts)
        sizes.append(ax.texts[0].get_fontsize())
    assert sizes[1] == pytest.approx(2 * sizes[0])


@pytest.mark.parametrize(
    "hand", ["J♣ 5♥ 8♣ A♣ 2♣", ["Jc", "5h", "8c", "Ac", "2c"], pf.cards.Hand("Jc 5h 8c Ac 2c")]
)
def test_holds_of_a_hand_in_any_form(hand):
    axes = pf.cards.VideoPoker().plot(hand)
    assert axes.get_yticklabels()[0].get_text() == "J♣ 8♣ A♣ 2♣"


def test_holds_of_cards_with_other_numbers_and_of_jokers():
    stake = pf.operators.stake.VideoPoker().with_table(pf.cards.VideoPoker())
    played = stake.replay("server", "client", 1)
    assert stake.table.plot(played.hand).get_yticklabels()[0].get_text() == str(played.held) == "6♥ 6♣"
    axes = pf.cards.VideoPoker("joker_poker").plot("joker Kc 7h 4d 2s")
    assert axes.get_yticklabels()[0].get_text() == "joker K♣"


def test_new_axes(monkeypatch):
    matplotlib.use("Agg")
    from matplotlib import pyplot

    monkeypatch.setattr(pyplot, "show", None)
    ax = pf.Mines().plot([0])
    assert pyplot.gca() is ax


def test_the_gallery(ax):
    axes = Figure().subplots(2, 5)
    drawn = pf.plot.gallery(rounds=500, axes=axes)
    assert drawn.tolist() == axes.ravel().tolist()
    assert all(ax.has_data() and ax.get_title() for ax in drawn)
    with pytest.raises(ValueError, match="axes must be 10, got 1"):
        pf.plot.gallery(axes=[ax])


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_the_board_shows_the_mines_in_their_order(ax):
    shown = texts(pf.Mines().plot([11, 8, 18], ax=ax))
    assert (shown[11], shown[8], shown[18], shown[0]) == ("mine\n1", "mine\n2", "mine\n3", "0")
    assert sum(text.startswith("mine") for text in shown) == 3


def test_many_rounds_are_the_shares_of_each_cell(ax):
    shown = texts(pf.Mines().plot([[0, 1], [0, 24], [0, 7], [1, 0]], ax=ax))
    assert [shown[cell] for cell in (0, 1, 7, 24, 2)] == ["100.0%", "50.0%", "25.0%", "25.0%", "0.0%"]
    assert ax.get_title() == "mines in 4 rounds"
    assert len(ax.patches) == 25
    with pytest.raises(ValueError, match=r"must be of shape \(mines,\) or \(N, mines\), got \(1, 1, 2\)"):
        pf.Mines().plot([[[0, 1]]])


def test_the_board_after_a_step_of_the_documents_shuffle(ax):
    shown = texts(MINES.plot(step=4, ax=ax))
    assert shown[16] == "#4"
    assert shown[24] == "24"
    assert ax.get_title() == "step 4: index 14 of 22 left is cell 16"


def test_the_window_of_a_slot(ax):
    shown = texts(pf.Slot().plot([0, 10, 21, 20, 40], ax=ax))
    assert " ".join(shown) == "29 9 20 19 39 0 10 21 20 40 1 11 22 21 0"


def test_balls_end_in_their_buckets(ax):
    walk = pf.Plinko(pins=12, balls=3).explain("server", "client", "salt")
    walk.plot(ax=ax)
    ends = [line.get_xdata()[-1] for line in ax.lines[1:]]
    assert np.rint((np.array(ends) + 12) / 2).tolist() == walk.outcome.tolist()


def test_the_bars_of_a_law_are_its_probabilities(ax):
    exact = pf.Mines(mines=3).distribution(cells=[0, 1])
    exact.plot(ax=ax)
    assert [bar.get_height() for bar in ax.patches] == [
        float(Fraction(w, exact.total)) for w in exact.weights
    ]


def test_survival_counts_what_is_at_least_x(ax):
    pf.Distribution([1.0, 9.0], [1, 1]).plot_survival([1.0, 2.0, 2.0, 50.0], ax=ax)
    exact, line = ax.lines
    assert exact.get_ydata().tolist() == [1, 0.5]
    assert line.get_xdata().tolist() == [1, 2, 50]
    assert line.get_ydata().tolist() == [1, 0.75, 0.25]


def test_the_picture_of_a_fairness_report(ax):
    REPORT.plot(ax)
    ordered = sorted(REPORT.tests, key=lambda test: test.pvalue)
    # All of the same sequence, so it isn't named.
    assert [label.get_text() for label in ax.get_yticklabels()] == [test.name for test in ordered]
    points = {
        line.get_label(): dict(zip(line.get_ydata(), line.get_xdata(), strict=True)) for line in ax.lines
    }
    assert set(points) == {"passed", "rejected", "level by Holm, 0.01 in all"}
    for place, test in enumerate(ordered):
        assert points["rejected" if test.rejected else "passed"][place] == max(test.pvalue, 1e-12)
        # Holm's method as drawn: tests to the left of the line are rejected, up to the first that isn't.
        left = all(
            t.pvalue <= points["level by Holm, 0.01 in all"][i] for i, t in enumerate(ordered[: place + 1])
        )
        assert left == test.rejected
    assert ax.yaxis_inverted()
    assert ax.get_xlabel() == "p-value"
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == list(points)


def test_a_report_draws_itself(ax):
    assert REPORT.plot(ax) is ax
    assert len(ax.get_yticklabels()) == len(REPORT.tests)
    report = pf.fairness_report(pf.Mines(2).simulate(600), pf.Mines(2))
    named = {label.get_text() for label in report.plot(ax).get_yticklabels()}
    assert {"gap (first of 2)", "position x value (shuffles)"} <= named


def test_legends_leave_the_bars_alone(ax):
    pf.Plinko().distribution().plot(pf.Plinko().tally(1000), ax=ax)
    ax.figure.canvas.draw()
    assert ax.get_autoscaley_on()
    legend = ax.get_legend().get_window_extent()
    assert not any(legend.overlaps(bar.get_window_extent()) for bar in ax.patches)


@pytest.mark.parametrize(
    ("draw", "error", "message"),
    [
        (lambda ax: pf.Mines().plot([25], ax=ax), ValueError, "outcome must be from 0 to 24"),
        (lambda ax: pf.Mines().plot([0.5], ax=ax), TypeError, "outcome must be integers"),
        (lambda ax: pf.Mines().plot([1], step=1, ax=ax), TypeError, "step isn't supported"),
        (lambda ax: pf.Tower().plot([[5]] * 10, ax=ax), ValueError, "outcome must be from 0 to 4"),
        (lambda ax: pf.Tower().plot([1, 2], ax=ax), ValueError, "outcome must have the shape"),
        (lambda ax: pf.Tower().plot(MINES, ax=ax), TypeError, "walk must be of Tower"),
        (lambda ax: pf.Slot().plot([[0] * 5] * 2, ax=ax), ValueError, "outcome"),
        (lambda ax: pf.Plinko().plot([8], ax=ax), TypeError, "outcome must be a round's Walkthrough"),
        (lambda ax: COIN.plot([1, 2, 3], ax=ax), ValueError, "counts must be .* of shape"),
        (lambda ax: COIN.plot([0, 0], ax=ax), ValueError, "counts must have a sum above 0"),
        (lambda ax: TABLE.plot([[0, 1, 2, 3, 4]], ax=ax), ValueError, "hand must be"),
    ],
)
def test_errors_name_the_argument(ax, draw, error, message):
    with pytest.raises(error, match=message):
        draw(ax)


def test_residuals_are_in_standard_errors(ax):
    law = pf.Distribution([0, 1], [1, 3])
    law.plot_residuals({0: 130, 1: 270}, ax=ax)
    (points,) = ax.lines[1:]
    # 400 rounds: 100 expected, with standard error sqrt(400 * 1/4 * 3/4).
    assert points.get_ydata().tolist() == pytest.approx([30 / 75**0.5, -30 / 75**0.5])
    assert "standard errors" in ax.get_ylabel()
    # Outcomes that the law doesn't have are rounds, too.
    law.plot_residuals({0: 100, 1: 270, 9: 30}, ax=ax)
    assert ax.lines[-1].get_ydata().tolist() == pytest.approx([0, -30 / 75**0.5])


def test_captions_say_what_the_picture_of_the_laws_shows():
    spec = importlib.util.spec_from_file_location("draw_laws", ROOT / "docs" / "draw_laws.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert len(script.PANELS) == 10
    text = " ".join((ROOT / "docs/explanation/laws.md").read_text("utf-8").split())
    assert f"{script.CONFIDENCE:.0%}".replace("%", " %") + " of simulated frequencies" in text
    assert f"{script.ROUNDS:,} simulated rounds" in text
    assert "images/laws.png" in text
