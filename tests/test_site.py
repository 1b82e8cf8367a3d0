"""The site's tools: the check of its links, and the source of its reference pages.

The site itself is built by `make docs`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import provably_fair as pf
import pytest
from folders import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="needs the source's folder")
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "docs" / "_ext")]
import check_site  # noqa: E402
import draw_badges  # noqa: E402
import rooms  # noqa: E402

PAGES = {
    "index.html": '<a href="a/page.html#here">a</a><a href="a/page.html">b</a><a href="#x">c</a><p id="x">',
    "a/page.html": '<a href="../index.html">a</a><p id="here"><a href="https://example.org/x">x</a>',
    "_static/theme.html": '<a href="{{ a template }}">a</a>',
}


# As the page has its games on which rounds are verified.
ROUNDS = '<script>const GAMES = [\nentry({\n  name: "dice",\n}),\n];</script>'


def site(folder: Path, **more: str) -> Path:
    """Write a small site."""
    for name, text in (PAGES | more).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_site_as_it_should_be(tmp_path, capsys):
    assert check_site.main(site(tmp_path)) == 0
    assert "2 pages, 1 links to other sites (not followed), 0 wrong" in capsys.readouterr().out
    assert (tmp_path / "external_links.txt").read_text() == "https://example.org/x\n"


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("b.html", '<a href="nothing.html">a</a>', "b.html:1: no file nothing.html"),
        ("b.html", '\n<a href="a/page.html#nowhere">a</a>', "b.html:2: no anchor a/page.html#nowhere"),
        ("b.html", '<a href="#nowhere">a</a>', "no anchor #nowhere"),
        ("b.html", f"<a href='#dice'>a</a><a href='#dise'>b</a>{ROUNDS}", "no anchor #dise"),
        ("b.html", '<img src="nothing.png" alt="Nothing">', "no file nothing.png"),
        ("b.html", '<img src="a/page.html">', "no alternative text for a/page.html"),
        ("b.html", '<img src="a/page.html" alt="images/page.png">', "no alternative text for a/page.html"),
        ("b.html", '<script src="https://example.org/a.js"></script>', "from another site"),
        ("b.html", '<link rel="stylesheet" href="//example.org/a.css">', "from another site"),
        ("b.css", "@import 'https://example.org/a.css'", "from another site"),
        ("b.css", "a { background: url(https://example.org/a.png) }", "from another site"),
    ],
)
def test_what_is_wrong_is_found(name, text, found, tmp_path):
    wrong, _ = check_site.check(site(tmp_path, **{name: text}))
    assert len(wrong) == 1
    assert found in wrong[0]


def test_an_empty_site(tmp_path):
    assert check_site.main(tmp_path) == 1


def test_the_badges_are_true():
    readme = (ROOT / "README.md").read_text("utf-8")
    for (file, said), pair in zip(draw_badges.badges().items(), draw_badges.facts().items(), strict=True):
        assert f"![{said}](docs/images/{file})\n" in readme
        assert (ROOT / "docs" / "images" / file).read_text("utf-8") == draw_badges.drawn(*pair)


@pytest.mark.usefixtures("every_room")
def test_every_public_name_has_one_page():
    """A name that no room lists fails both the site's build and this test."""
    pages = [f"{owner}.{name}" for names in rooms.contents().values() for owner, name, _ in names]
    assert len(pages) == len(set(pages))
    shown = {"__version__", *(room.partition(".")[0] for room in rooms.rooms())}
    public = set(pf.__all__) - shown
    assert {f"provably_fair.{name}" for name in public} <= set(pages)


@pytest.mark.usefixtures("every_room")
def test_pages_that_differ_by_case_alone():
    """Case-insensitive file systems would confuse them."""
    for names in rooms.contents().values():
        all_names = [name for _, name, _ in names]
        files = [rooms.file_of(name, all_names).lower() for name in all_names]
        assert len(files) == len(set(files))
    assert rooms.file_of("Avalanche", ["Avalanche", "avalanche"]) == "Avalanche"
    assert rooms.file_of("avalanche", ["Avalanche", "avalanche"]) == "avalanche-1"


@pytest.mark.usefixtures("every_room")
def test_every_game_is_on_the_page_of_games():
    """Each game links to its own page, and has the rounds of its record."""
    import game_list

    page = game_list.page()
    assert page.count("* - :py:obj:") == len(pf.names.list_games())
    assert ":py:obj:`mines <provably_fair.Mines>`" in page
    assert ":py:obj:`stake.mines <provably_fair.operators.stake.Mines>`" in page
    recorded = game_list.recorded()
    assert set(recorded) <= {entry.name for entry in pf.names.list_games()}
    assert f"     - {recorded['ethercrash.crash']:,}" in page


def test_constants_come_last():
    for names in rooms.contents().values():
        constants = [rooms.is_constant(value) for *_, value in names]
        assert constants == sorted(constants)


def test_members_are_in_the_order_of_use():
    assert rooms.in_order(pf.Distribution)[:5] == ["pmf", "cdf", "mean", "quantile", "rvs"]
    assert rooms.in_order(pf.Dice)[:3] == ["play", "simulate", "tally"]
    for of, order in rooms.IN_ORDER.items():
        shown = {name for each in (of, pf.games.Deal, pf.Mines) for name in rooms.members(each)}
        assert set(order) <= shown, of
    page = rooms.page("provably_fair", "Distribution", pf.Distribution, "distribution")
    assert page.count("automethod:: provably_fair.Distribution.pmf\n") == 1
    assert page.index("Distribution.rvs") < page.index("Distribution.entropy")


@pytest.mark.usefixtures("every_room")
def test_an_operator_has_one_page_without_what_every_game_has():
    names = rooms.contents()["operators.stake"]
    page = rooms.room_page("operators.stake", names)
    assert "toctree" not in page
    for owner, name, _ in names:
        assert page.count(f":: {owner}.{name}\n") == 1
    assert "Kind: :py:obj:`BoardGame <provably_fair.games.kinds.BoardGame>`" in page
    assert "stake.Wheel.distribution" in page
    for inherited in ("play", "simulate", "bet", "with_scheme"):
        assert f"stake.Mines.{inherited}\n" not in page
