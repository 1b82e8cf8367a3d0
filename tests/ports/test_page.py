"""The page on which players verify rounds: its file, and what it does in headless Chromium."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import json
import re
from base64 import b64encode
from functools import cache
from urllib.parse import quote, urlencode

import numpy as np
import provably_fair as pf
import pytest
from browser import CHROMIUM, Browser
from folders import ROOT
from provably_fair.names import list_games, parse_game
from provably_fair.operators import published
from provably_fair.seeds.schemes import kind_of

AXE = ROOT / ".venv" / "node" / "node_modules" / "axe-core" / "axe.min.js"
AXE_RUN = "axe.run().then(found => found.violations.map(one => [one.impact, one.id, one.nodes[0].html]))"
SEED = hashlib.sha256(b"a seed").hexdigest()
SEEDS = {"server_seed": SEED, "client_seed": "me, too", "nonce": 7}
SHOWN = "document.getElementById({!r}).textContent"
in_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium isn't installed: apt-get install chromium")

SEVERAL = ["stake.mines", "stake.dice", "stake.plinko", "stake.keno", "stake.wheel", "stake.limbo"]
SEVERAL += [
    "stake.videopoker",
    "stake.dragontower",
    "stake.flip",
    "duel.dice",
    "bustabit.v1",
    "bustabit.v2",
    "mines",
    "skinclub.ticket",
    "crash.raw",
]


class Hostile(pf.games.kinds.PartsGame):
    """</script><script>window.ran = 1</script>: "quotes", 'more', ${window.ran = 2} `${window.ran = 3}`."""

    level: str = pf.games.Choice(
        ("</script>", "<img src=x onerror=window.ran=4>", "${window.ran = 5}", '"; window.ran = 6; "'),
        default="<img src=x onerror=window.ran=4>",
    )
    part_name = "<b>"
    words = {"</script><script>window.ran = 7</script>": 0, "*/ window.ran = 8; /*": 1, "\n//\u2028'\"\\": 2}  # noqa: RUF012
    scheme = pf.Scheme(
        pf.Hash(
            "sha256",
            "</script><!--<script>${{window.ran = 9}}`'\"\\{client_seed}:{nonce}",
            key="{server_seed}",
        ),
        bits=32,
        commitment=pf.Hash("sha256", "<!-- {server_seed}"),
    )

    def outcome(self, draws):
        draws.note(
            "</script><script>window.ran = 10</script>\n*/ window.ran = 11; /* `${window.ran = 12}`",
            draws.below(3),
        )
        return draws.each(5).below(3)


TITLE = "</title><script>window.ran = 13</script> %script% \"'${`"


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Pages by name, each written when it is first asked for."""
    folder = tmp_path_factory.mktemp("pages")
    games = {"one": "stake.mines", "several": SEVERAL, "hostile": Hostile(), "all": "all"}

    @cache
    def written(name: str):
        return pf.ports.page(games[name], folder / f"{name}.html", title=TITLE if name == "hostile" else None)

    return written


@pytest.fixture(scope="module")
def chromium(tmp_path_factory):
    running = Browser(tmp_path_factory.mktemp("chromium"))
    yield running
    running.close()


@pytest.fixture
def opened(chromium, pages):
    """Open a page; at the end of the test nothing may have been asked for, and the console be empty."""

    def opened(name: str = "several", behind: str = "", **options):
        chromium.open(pages(name).as_uri() + behind, **options)
        return chromium

    yield opened
    assert all(url.startswith(("file:", "data:image/svg")) for url in chromium.requests())
    assert len({url.partition("#")[0] for url in chromium.requests() if url.startswith("file:")}) <= 1
    assert not chromium.complaints()


def link(game: str, **fields) -> str:
    return f"#{quote(game, safe='')}?{urlencode(fields)}"


def shown(browser, name: str = "outcome") -> str:
    return browser.run(SHOWN.format(name))


def texts(browser, selector: str) -> list[str]:
    return browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(one => one.textContent)")


def click(browser, selector: str) -> None:
    browser.run(f"document.querySelector({json.dumps(selector)}).click()")


def enter(browser, selector: str, value: object, event: str = "input") -> None:
    """Set a control's value, as readers do."""
    set_value = (
        f"one.value = {json.dumps(value)}; one.dispatchEvent(new Event('{event}', {{ bubbles: true }}))"
    )
    browser.run(f"(one => {{ {set_value}; }})(document.querySelector({json.dumps(selector)}))")


def follow(browser, game: str, **fields) -> None:
    """Follow a link behind #."""
    browser.run(f"location.hash = {json.dumps(link(game, **fields))}")


def copied(browser) -> dict:
    """Return what "Copy as JSON" copies."""
    browser.run("navigator.clipboard.writeText = (text) => { window.kept = text; return Promise.resolve(); }")
    click(browser, "#copy-json")
    return json.loads(browser.until("window.kept"))


# ---- the file


def test_policy_allows_nothing_but_the_page(pages):
    for name in ("one", "several", "hostile"):
        text = pages(name).read_bytes().decode()
        (policy,) = re.findall('http-equiv="Content-Security-Policy" content="([^"]*)"', text)
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
        assert rules.pop("img-src") == "data:"
        for tag, name in (("script", "script-src"), ("style", "style-src")):
            ((attributes, inside),) = re.findall(
                rf"<{tag}\b([^>]*)>(.*?)</{tag}>", text, re.DOTALL | re.IGNORECASE
            )
            assert "src" not in attributes
            digest = hashlib.sha256(inside.encode()).digest()
            assert rules.pop(name) == f"'sha256-{b64encode(digest).decode()}'"
        assert not rules
        assert "\r" not in text
        assert "</script" not in inside
        assert text.index("Content-Security-Policy") < text.index("<title>")


def test_sizes(tmp_path):
    for game in ("stake.mines", "stake.snakes", "stake.bars", "bustabit.v1"):
        assert pf.ports.page(game, tmp_path / "one.html").stat().st_size <= 150_000


@pytest.mark.thorough
def test_all_games_are_there_or_named_with_the_reason(pages):
    assert pages("all").stat().st_size <= 400_000
    text = pages("all").read_text("utf-8")
    (left_out,) = re.findall(r"const LEFT_OUT = (.*);\n", text)
    left_out = json.loads(left_out)
    assert len(left_out) <= 4
    assert all(reason for _, reason in left_out)
    names = {entry.name for entry in list_games()} - {name for name, _ in left_out}
    assert len(names) >= 72
    assert all(json.dumps(name) in text for name in names)


def test_titles(tmp_path):
    path = tmp_path / "page.html"

    class Keno(pf.Game):
        def outcome(self, draws):
            return draws.sample(40, 10)

    for games, title in [
        ("stake.dice", "Verify a round of Stake&#x27;s dice"),
        (["stake.dice", "stake.mines"], "Verify a round"),
        (Keno(), "Verify a round of Keno"),
    ]:
        assert pf.ports.page(games, path) == path
        assert f"<title>{title}</title>" in path.read_text("utf-8")
    pf.ports.page(Keno(), path, title="A <b> & %style%")
    assert "<h1>A &lt;b&gt; &amp; %style%</h1>" in path.read_text("utf-8")


def test_refusals(tmp_path):
    path = tmp_path / "page.html"

    class Branching(pf.Game):
        def outcome(self, draws):
            return 1 if draws.below(2) else 0

    for games, words in [
        ([], "games must have a game, got none"),
        ("stake.dise", "games: game must be one of .* did you mean 'stake.dice'"),
        (pf.Dice, "games must be a game such as Dice"),
        (3, "games must be a game such as"),
        (["stake.dice", "all"], 'games must be "all" alone, or games'),
        ([pf.Dice(), pf.Dice()], "games must be of different names, got dice 2 times"),
        (Branching(), r"games must be games that can be ported, and Branching\(\) can't"),
    ]:
        with pytest.raises((TypeError, ValueError), match=words):
            pf.ports.page(games, path)
    with pytest.raises(TypeError, match="title must be a text"):
        pf.ports.page("dice", path, title=3)
    with pytest.raises(TypeError, match="path must be a path"):
        pf.ports.page("dice", 3)
    assert not path.exists()


def test_command(tmp_path, capsys):
    pytest.importorskip("typer")
    from provably_fair.cli import run

    path = tmp_path / "page.html"
    scheme = tmp_path / "scheme.toml"
    scheme.write_text('bits = 32\n[hash]\nname = "md5"\nmessage = "{game_seed}"\n')
    assert run(["page", "stake.dice", "mines:mines=5", "-o", str(path), "--title", "Ours"]) == 0
    assert "<title>Ours</title>" in path.read_text("utf-8")
    assert run(["page", "dice", "--scheme", str(scheme), "--output", str(path)]) == 0
    assert '"game_seed"' in path.read_text("utf-8")
    assert run(["page", "nothing", "--output", str(path)]) == 2
    assert run(["page", "dice"]) == 2
    assert run(["page", "all", "dice", "--output", str(path)]) == 2
    assert "GAMES must be all alone" in capsys.readouterr().err


# ---- in the browser


@in_browser
def test_typed_fields_give_the_outcome(opened):
    browser = opened("one")
    assert browser.run("document.activeElement.tagName") == "BODY"
    assert shown(browser, "message") == "Enter the round's seeds, and its outcome appears here."
    # By the keyboard alone: every control is reached by Tab, in the order of the form.
    browser.press("Tab")
    labels = []
    for value in ("5", SEED, SEEDS["client_seed"], "7", hashlib.sha256(SEED.encode()).hexdigest()):
        labels.append(browser.run("document.activeElement.labels[0].textContent"))
        browser.run("document.activeElement.select()")
        browser.type(value)
        browser.press("Tab")
    assert labels == [
        "Mines 1 to 24",
        "Server seed",
        "Client seed",
        "Nonce a whole number",
        "Commitment hash, optional",
    ]
    assert browser.run("document.activeElement.textContent") == "Verify"
    browser.press("Enter")
    assert browser.run("document.activeElement.textContent") == "Outcome"
    outcome = pf.operators.stake.Mines(5).play(**SEEDS)
    assert shown(browser) == "Mines in cells " + ", ".join(map(str, sorted(outcome.tolist())))
    assert shown(browser, "commitments").startswith("It fits. The server seed is what was committed to")
    assert browser.run("document.getElementById('outcome').getAttribute('role')") == "status"
    for _ in range(3):
        browser.press("Tab")
    assert browser.run("document.activeElement.textContent") == "Every step"
    assert "of cursor 0" not in shown(browser, "walk")
    browser.press("Enter")
    browser.until("document.getElementById('steps').open")
    browser.until("document.getElementById('walk').textContent.includes('word 0 of cursor 0')")


@in_browser
def test_steps_are_those_of_explain(opened):
    browser = opened("several", link("stake.mines", **SEEDS))
    browser.run("document.getElementById('steps').open = true")
    browser.until("document.getElementById('walk').textContent.includes('cursor')")
    explained = pf.operators.stake.Mines(3).explain(**SEEDS)
    text = browser.run("document.getElementById('walk').innerText")
    for line in str(explained).partition("3. Words")[2].splitlines()[1:]:
        if not line.strip().startswith(("4. ", "outcome:", "draw = ", "number = ")) and line.strip():
            assert line.strip() in text
    for block in explained.to_dict()["blocks"]:
        assert {block["key"], block["message"], block["hex"], *block["words"]} <= set(
            text.split("\n") + text.split()
        )
    content = copied(browser)
    assert content["outcome"] == explained.outcome.tolist()
    assert content["parameters"] == {"mines": 3}
    assert content["fields"] == {**SEEDS, "nonce": "7"}
    assert [one["digest"] for one in content["digests"]] == [
        one["hex"] for one in explained.to_dict()["blocks"]
    ]
    notes = [one["value"] for one in content["steps"] if one["kind"] == "note"]
    assert notes == [one["value"] for one in explained.to_dict()["steps"] if one["kind"] == "note"]


def random_rounds(game: pf.Game, count: int) -> str:
    """Return rounds of a game as CSV, the first of them with a wrong outcome."""
    fields = {
        name: [*range(count)]
        if kind_of(game.scheme, name) == "number"
        else [hashlib.sha256(f"{name} {place}".encode()).hexdigest() for place in range(count)]
        for name in game.scheme.fields
        if name not in game.scheme.defaults
    }
    outcomes = game.play(**fields).tolist()
    wrong = np.array(outcomes[0])
    wrong.flat[0] += 1
    file = io.StringIO()
    rows = csv.writer(file)
    fields |= {name: [""] * count for name in game.scheme.defaults}
    rows.writerow([*fields, "outcome"])
    rows.writerows(zip(*fields.values(), [wrong.tolist(), *outcomes[1:]], strict=True))
    return file.getvalue()


@in_browser
@pytest.mark.thorough
def test_every_game_plays_its_example(opened):
    browser = opened("all")
    count = browser.run("document.getElementById('game').options.length")
    assert count >= 72
    for place in range(count):
        enter(browser, "#game", place, "change")
        click(browser, "#example")
        assert shown(browser), shown(browser, "message")
        content = copied(browser)
        browser.run("delete window.kept")
        game = parse_game(content["game"])
        usual = {name: getattr(game, name) for name in content["parameters"]}
        chosen = {
            name: value for name, value in content["parameters"].items() if isinstance(usual[name], int | str)
        }
        game = type(game)(**{name: type(usual[name])(value) for name, value in chosen.items()})
        fields = {
            name: int(value) if name in ("nonce", "round") and value.isdigit() else value
            for name, value in content["fields"].items()
        }
        np.testing.assert_array_equal(
            np.asarray(content["outcome"], dtype=float), game.play(**fields), content["game"]
        )
        assert browser.run("document.querySelectorAll('#picture svg').length") == 1, content["game"]
        # And random rounds, of which one is altered, at the same parameters.
        words, verdicts = checked(browser, random_rounds(game, 20))
        assert [verdict[:1] for verdict, _ in verdicts] == ["✗"] + ["✓"] * 19, (
            content["game"],
            words,
            verdicts,
        )


PICTURES = [
    ("stake.mines", {}, "rect", 25),
    ("stake.keno", {}, "rect", 40),
    ("stake.plinko", {"rows": 8}, ".peg", 36),
    ("stake.plinko", {"rows": 16}, ".peg", 136),
    ("stake.wheel", {"segments": 10}, ".sector", 9),
    ("stake.wheel", {"segments": 50}, ".sector", 49),
    ("stake.videopoker", {}, ".card-face", 10),
    ("stake.dragontower", {"tiles": 4, "eggs": 3}, "rect", 36),
    ("stake.dice", {}, ".line", 6),
    ("stake.flip", {}, "rect", 20),
]


@in_browser
@pytest.mark.parametrize("width", [360, 1300])
def test_pictures(opened, width):
    browser = opened("several", width=width)
    for game, parameters, parts, count in PICTURES:
        follow(browser, game, **SEEDS, **parameters)
        outcome = parse_game(game, [f"{name}={value}" for name, value in parameters.items()]).play(**SEEDS)
        browser.until(f"document.querySelectorAll('#picture svg {parts}').length === {count}")
        assert browser.run("document.querySelector('#picture svg').getAttribute('aria-label')") == shown(
            browser
        )
        hits = texts(browser, "#picture g:has(> .hit, > .main) text")
        if game in ("stake.mines", "stake.keno"):
            assert sorted(map(int, hits)) == sorted(outcome.tolist())
        elif game == "stake.plinko":
            assert hits == [str(outcome.sum())]
        elif game == "stake.wheel":
            assert hits == [str(outcome)]
        elif game == "stake.dragontower":
            rows = [sorted(row) for row in outcome.tolist()[::-1]]
            assert [int(one) for one in hits] == [one for row in rows for one in row]
        else:
            assert (
                shown(browser)
                in {
                    "stake.videopoker": ", ".join(pf.operators.stake.cards(outcome))
                    if game == "stake.videopoker"
                    else "",
                    "stake.dice": f"{float(np.ravel(outcome)[0]):.2f}",
                    "stake.flip": ", ".join("heads" if one else "tails" for one in np.ravel(outcome)),
                }[game]
            )
        assert browser.run("document.scrollingElement.scrollWidth") <= width
        box = browser.run(
            "(box => [box.left, box.right])(document.querySelector('#picture svg').getBoundingClientRect())"
        )
        assert 0 <= box[0] < box[1] <= width


@in_browser
def test_errors_stand_at_their_field(opened):
    browser = opened("several", link("bustabit.v1", game_hash=SEED[1:]))
    assert texts(browser, ".field .error:not(:empty)") == ["Must be 64 hexadecimal digits, got 63"]
    follow(browser, "duel.dice", server_seed=SEED[1:], client_seed="me", nonce="1.5")
    browser.until("document.querySelectorAll('[aria-invalid=true]').length === 2")

    def errors():
        return texts(browser, ".field .error:not(:empty)")

    found = errors()
    assert any("hexadecimal digits of whole bytes, got 63" in one for one in found)
    assert any("whole number" in one and "1.5" in one for one in found)
    assert browser.run("document.querySelectorAll('[aria-invalid=true]').length") == len(found) == 2
    assert shown(browser) == ""
    assert browser.run("document.getElementById('copy-json').hidden")
    # The error is read with the field, and Verify leads to the first.
    click(browser, "button.main")
    described = browser.run("document.activeElement.getAttribute('aria-describedby')")
    assert browser.run(f"document.getElementById({described!r}).textContent") == found[0]
    follow(browser, "duel.dice", server_seed="g" + SEED[1:], client_seed="me", nonce="")
    browser.until("document.querySelectorAll('[aria-invalid=true]').length === 1")
    assert "g" in errors()[0]
    click(browser, "button.main")
    assert any("missing" in one for one in errors())
    follow(browser, "stake.mines", **SEEDS, mines=25)
    browser.until("document.querySelectorAll('[aria-invalid=true]').length === 1")
    assert "from 1 to 24, got 25" in errors()[0]


@in_browser
def test_links(opened):
    seeds = {"server_seed": "a&b=c#d%41", "client_seed": "🎲 ?é+", "nonce": "3"}
    browser = opened("several", link("stake.dice", **seeds))
    expected = f"{float(pf.operators.stake.Dice().play(seeds['server_seed'], seeds['client_seed'], 3)):.2f}"
    assert shown(browser) == expected
    click(browser, "#copy-link")
    address = browser.run("location.href")
    assert address.partition("#")[2]
    browser.open(address)
    assert shown(browser) == expected
    assert copied(browser)["fields"] == seeds
    for behind, words in [
        ("#stake.dise", "This page has no game named stake.dise."),
        ("#%E0%A4%A", "This page has no game named %E0%A4%A."),
        ("#", "Enter the round's seeds, and its outcome appears here."),
        (
            "#<img src=x onerror=window.ran=1>",
            "This page has no game named <img src=x onerror=window.ran=1>.",
        ),
    ]:
        browser.open(address.partition("#")[0] + quote(behind, safe="#%<>= "))
        assert shown(browser, "message") == words
    follow(browser, "stake.dice", **seeds, mines=3)
    browser.until("document.getElementById('remarks').textContent")
    assert "The link has mines, which this game doesn't take." in shown(browser, "remarks")
    follow(browser, "stake.dice", **{**seeds, "client_seed": "a\nb"})
    browser.until("document.getElementById('message').textContent.startsWith('A line break in the client')")
    assert not shown(browser)
    follow(browser, "crash.raw", game_hash=SEED, salt="", edge=0.5)
    browser.until("document.getElementById('remarks').textContent.includes('The link has edge, which')")


@in_browser
def test_seeds_with_blanks_and_empty_ones_are_told(opened):
    browser = opened("several", link("stake.dice", server_seed=" a", client_seed="", nonce=1))
    assert shown(browser) == f"{float(pf.operators.stake.Dice().play(' a', '', 1)):.2f}"
    remarks = shown(browser, "remarks")
    assert "The server seed begins or ends with a blank, which is hashed too." in remarks
    assert "The client seed is empty, and hashed so." in remarks


@in_browser
def test_commitments(opened):
    right = hashlib.sha256(SEED.encode()).hexdigest()
    browser = opened("several", link("stake.dice", **SEEDS))
    assert right in shown(browser, "commitments")
    for published_before, words in [(right.upper(), "It fits."), (right[::-1], "It doesn't fit.")]:
        follow(browser, "stake.dice", **SEEDS, commitment=published_before)
        browser.until(f"document.getElementById('commitments').textContent.startsWith({words!r})")
    assert right in shown(browser, "commitments")
    follow(browser, "stake.dice", **SEEDS, commitment=right[1:])
    browser.until(
        "document.getElementById('commitments').textContent.includes('must be 64 hexadecimal digits')"
    )


@in_browser
def test_commitments_of_more_than_the_fields(opened):
    seeds = {"server_seed": SEED, "client_seed": "me", "nonce": 7}
    right = hmac.digest(b" salt", SEED.encode(), "sha256").hex()
    browser = opened("several", link("skinclub.ticket", **seeds, commitment=right))
    assert "The commitment isn't checked" in shown(browser, "commitments")
    assert "salt isn't given" in shown(browser, "commitments")
    for salt, words in [(" salt", "It fits."), ("salt", "It doesn't fit.")]:
        follow(browser, "skinclub.ticket", **seeds, commitment=right, salt=salt)
        browser.until(f"document.getElementById('commitments').textContent.startsWith({words!r})")
    follow(browser, "skinclub.ticket", **seeds)
    browser.until("!document.getElementById('commitments').textContent")
    ticket = pf.operators.skinclub.Ticket().play(SEED, "me", 7)
    words, rows = checked(
        browser, f"salt,commitment,outcome\n salt,{right},{ticket}\n,{right},{ticket}\nsalt,{right},{ticket}"
    )
    assert words.startswith("Not all rounds are right. 1 round agrees, 1 is wrong, 1 wasn't compared.")
    assert [row[0] for row in rows] == [
        "✓ agrees",
        "? agrees; commitment not checked: no salt",
        "✗ agrees; commitment doesn't fit",
    ]
    words, _ = checked(browser, f"outcome\n{ticket}")
    assert "Not checked, for it isn't given: commitment." in words


def walked(browser, anchor: str, limit: int = 100_000) -> str:
    browser.run(f"document.getElementById('anchor').value = {anchor!r}")
    browser.run(f"document.getElementById('limit').value = {limit}")
    browser.run("document.getElementById('chain-verdict').replaceChildren()")
    click(browser, "#walk-chain")
    return browser.until("document.getElementById('chain-verdict').textContent", 60)


@in_browser
def test_chains(opened):
    hashes = [SEED]
    for _ in range(5000):
        hashes.append(hashlib.sha256(hashes[-1].encode()).hexdigest())
    browser = opened("several", link("bustabit.v2", game_hash=hashes[10]))
    assert not browser.run("document.getElementById('chain').hidden")
    assert "leads to the published one in 4,990 steps" in walked(browser, hashes[-1])
    assert "in 0 steps" in walked(browser, hashes[10].upper())
    assert "of a later game, and leads to this one in 10 steps" in walked(browser, hashes[0])
    # Another hash, in either place, has no verdict yet.
    for selector, value in [("#anchor", hashes[3]), ("#fields input", hashes[10])]:
        enter(browser, selector, value)
        assert not shown(browser, "chain-verdict")
        assert walked(browser, hashes[3])
    assert "Neither hash leads to the other within 100 games" in walked(browser, hashes[-1], 100)
    browser.run(
        "document.getElementById('anchor').value = 'ab'; document.getElementById('walk-chain').click()"
    )
    assert shown(browser, "anchor-error") == "Must be 64 hexadecimal digits, got 2"
    # A long walk goes on beside the page, and is stopped.
    enter(browser, "#anchor", "0" * 64)
    enter(browser, "#limit", 10**9)
    click(browser, "#walk-chain")
    browser.until("/[1-9]/.test(document.getElementById('chain-count').textContent)")
    assert shown(browser, "walk-chain") == "Stop"
    assert browser.run("document.getElementById('chain-progress').value") > 0
    click(browser, "#walk-chain")
    assert browser.until("document.getElementById('chain-verdict').textContent").startswith("Stopped.")
    follow(browser, "stake.dice")
    browser.until("document.getElementById('chain').hidden")


def checked(browser, text: str) -> tuple[str, list[tuple[str, str]]]:
    browser.run("document.getElementById('csv').focus(); document.getElementById('csv').value = ''")
    browser.type(text)
    browser.run("document.getElementById('rows-verdict').replaceChildren()")
    click(browser, "#check-rows")
    words = browser.until(
        "document.querySelector('#rows-verdict:not(:empty), #csv-error:not(:empty)')?.textContent"
    )
    cells = texts(browser, "#verdicts td:is(:nth-child(2), :nth-child(3))")
    return words, [*zip(cells[::2], cells[1::2], strict=True)]


@in_browser
def test_rows(opened):
    browser = opened("several", link("stake.dice", server_seed=SEED, client_seed="me, too"))
    dice = [float(pf.operators.stake.Dice().play(SEED, "me, too", nonce)) for nonce in range(3)]
    words, rows = checked(
        browser, f'nonce,outcome,payout\n0,{dice[0]},1\n1,{dice[1] + 0.01:.2f},1\n2,"{dice[2]}",\n'
    )
    assert words.startswith("Not all rounds are right. 2 rounds agree, 1 is wrong, 0 weren't compared.")
    assert "Columns that weren't read: payout." in words
    assert "Taken from the form: server seed, client seed." in words
    assert [row[0] for row in rows] == [
        "✓ agrees",
        f"✗ differs: the log has {dice[1] + 0.01:.2f}",
        "✓ agrees",
    ]
    assert [row[1] for row in rows] == [f"{one:.2f}" for one in dice]
    # Without names, the columns are those of the form; quotes, other marks.
    words, _ = checked(browser, f'"{SEED}";"me, too";2;{dice[2]}%')
    assert words.startswith("All rounds are right. 1 round agrees")
    one = pf.operators.stake.Dice().play(SEED, ";;;;\n;", 2)
    words, _ = checked(browser, f'"{SEED}",";;;;\n;",2,{one}')
    assert words.startswith("All rounds are right. 1 round agrees")
    for text, problem in [
        ("", "No round is here yet."),
        ('a,"b', "A quote isn't closed, or text stands beside one."),
        ("nonce,nonce,outcome\n1,2,3", "Two columns are named nonce."),
        (
            f"serverSeed,client_seed,outcome\n{SEED},me,1",
            "No column is named nonce, and the form has none.",
        ),
    ]:
        assert checked(browser, text)[0] == problem
    words, rows = checked(
        browser,
        f"nonce,outcome,commitment\n1.5,3,\n1,{dice[1]},{SEED}\n1,?,\n1,,\n1,{dice[1]} 5,\n1\n1,{dice[1]},",
    )
    assert words.startswith("Not all rounds are right. 0 rounds agree, 1 is wrong, 6 weren't compared.")
    assert "nonce must be a whole number" in rows[0][0]
    assert rows[1][0] == "✗ agrees; commitment doesn't fit"
    assert [row[0][:14] for row in rows[2:]] == ["? not compared"] * 3 + ["? 1 value in p", "? agrees; no c"]
    browser.run("document.querySelectorAll('#verdicts button')[4].click()")
    assert browser.run("document.activeElement.id") == "result-title"
    assert shown(browser) == f"{dice[1]:.2f}"
    checked(browser, f'"{SEED}","\n",2,{one}')
    click(browser, "#verdicts button")
    assert shown(browser, "message").startswith("A line break in the client seed")
    enter(browser, "#csv", "1,2,3")
    assert not shown(browser, "rows-verdict")
    # A text that isn't given isn't an empty one.
    click(browser, "button[type=reset]")
    words, rows = checked(browser, f"serverSeed,client_seed,nonce,outcome\n{SEED},me,1,2")
    assert words == "No column is named server seed, and the form has none."
    assert not rows
    for names in ("", '"server_seed","client_seed","nonce","outcome"\n'):
        words, _ = checked(browser, f'\ufeff{names}"{SEED}","me, too",2,{dice[2]}')
        assert words.startswith("All rounds are right. 1 round agrees")


@in_browser
def test_rows_of_lists_names_and_settings(opened):
    browser = opened("several", link("stake.mines", server_seed=SEED, client_seed="me"))
    boards = [pf.operators.stake.Mines(count).play(SEED, "me", 1).tolist() for count in (2, 4)]
    text = f'mines,nonce,outcome\n2,1,"{boards[0][::-1]}"\n4,1,{" ".join(map(str, boards[1]))}\n'
    text += f"4,1,{boards[1][0]}|1|2|3\n,1,1"
    words, rows = checked(browser, text)
    assert words.startswith("Not all rounds are right. 2 rounds agree, 1 is wrong, 1 wasn't compared.")
    assert "mines must be a whole number" in rows[3][0]
    follow(browser, "stake.videopoker", server_seed=SEED, client_seed="me")
    hand = pf.operators.stake.VideoPoker().play(SEED, "me", 1)
    names = " ".join(pf.operators.stake.cards(hand))
    words, rows = checked(browser, f"nonce,outcome\n1,{names}\n1,{' '.join(names.split()[::-1])}")
    assert [row[0][:1] for row in rows] == ["✓", "✗"]
    follow(browser, "stake.plinko", server_seed=SEED, client_seed="me", rows=8)
    path = pf.operators.stake.Plinko(8).play(SEED, "me", 1)
    words, rows = checked(
        browser, f"nonce,outcome\n1,{path.sum()}\n1,{' '.join(map(str, path))}\n1,{path.sum() - 1}"
    )
    assert [row[0][:1] for row in rows] == ["✓", "✓", "✗"]
    # A sign stands where it stands in logs.
    follow(browser, "stake.limbo", server_seed=SEED, client_seed="me")
    busts = pf.operators.stake.Limbo().play(SEED, "me", [1, 1])
    words, rows = checked(browser, "nonce,outcome\n" + "".join(f"1,{busts[0]:.2f}{sign}\n" for sign in "x%"))
    assert [row[0][:1] for row in rows] == ["✓", "?"]


class Letters(pf.games.kinds.WheelGame):
    """Letters, and a parameter with the name of a field."""

    nonce: int = pf.games.Range(1, 9, default=2)
    sectors, words = 3, {"A": 0, "a": 1, "B": 2}
    scheme = Hostile.scheme

    def outcome(self, draws):
        return (draws.below(3) + self.nonce) % 3


@in_browser
def test_words_and_parameters_of_own_games(chromium, tmp_path):
    rounds = {"server_seed": SEED, "client_seed": "me", "nonce": [*range(20)]}
    log = rounds | {"outcome": ["AaB"[one] for one in Letters().play(**rounds)]}
    assert {*log["outcome"]} == {*"AaB"}
    assert pf.verify(log, Letters()).ok
    chromium.open(pf.ports.page(Letters(), tmp_path / "page.html").as_uri())
    rows = "".join(f"{SEED},me,{nonce},{one}\n" for nonce, one in enumerate(log["outcome"]))
    words, _ = checked(chromium, "server_seed,client_seed,nonce,outcome\n" + rows)
    assert words.startswith("All rounds are right. 20 rounds agree")


WATCHED = """
window.longest = 0;
window.began = window.last = performance.now();
setInterval(() => {
  const now = performance.now();
  longest = Math.max(longest, now - last);
  last = now;
}, 5);
"""


@in_browser
@pytest.mark.thorough
def test_many_rows_leave_the_page_responsive(opened):
    browser = opened("several", link("stake.dice", server_seed=SEED, client_seed="me"))
    dice = pf.operators.stake.Dice().play(SEED, "me", np.arange(20_000))
    text = "nonce,outcome\n" + "\n".join(f"{nonce},{one:.2f}" for nonce, one in enumerate(dice.tolist()))
    enter(browser, "#csv", text)
    browser.run(WATCHED)
    click(browser, "#check-rows")
    words = browser.until("document.getElementById('rows-verdict').textContent", 60)
    assert words.startswith("All rounds are right. 20,000 rounds agree, 0 are wrong, 0 weren't compared.")
    assert "19,900 rounds of these not listed." in words
    assert browser.run("document.querySelectorAll('#verdicts tr').length") == 100
    # The page had its turn all the time, also on a busy machine.
    assert browser.run("longest") < 0.3 * browser.run("last - began")


@in_browser
def test_hostile_names_are_text(opened):
    browser = opened("hostile", link("Hostile", **SEEDS))
    expected = Hostile().play(**SEEDS)
    names = {
        0: "</script><script>window.ran = 7</script>",
        1: "*/ window.ran = 8; /*",
        2: "\\u{a}//\\u{2028}'\"\\",
    }
    assert shown(browser) == ", ".join(names[one] for one in expected.tolist())
    browser.run("document.getElementById('steps').open = true")
    browser.until("document.getElementById('walk').textContent.includes('window.ran = 10')")
    for level in ("</script>", "${window.ran = 5}", '"; window.ran = 6; "'):
        enter(browser, "#parameters select", level)
        assert copied(browser)["parameters"] == {"level": level}
        browser.run("delete window.kept")
    hostile = "<img src=x onerror=window.ran=20>"
    follow(browser, "Hostile", **{**SEEDS, "client_seed": hostile}, **{hostile: hostile})
    browser.until("document.getElementById('remarks').textContent")
    checked(browser, f"{hostile},client_seed,outcome\n1,{hostile},{hostile}")
    assert browser.run("typeof window.ran") == "undefined"
    assert browser.run("document.querySelectorAll('img, b, script').length") == 1
    assert browser.run("document.title") == browser.run("document.querySelector('h1').textContent") == TITLE


@in_browser
def test_hidden_characters_are_shown_as_numbers(opened):
    browser = opened("several", link("stake.dice", server_seed="a\u202eb", client_seed="\u200b", nonce=1))
    browser.run("document.getElementById('steps').open = true")
    browser.until("document.getElementById('walk').textContent.includes('cursor 0')")
    walk = shown(browser, "walk")
    assert "a\\u{202e}b" in walk
    assert "\\u{200b}:1:0" in walk


@in_browser
def test_another_game_has_the_same_seeds(opened):
    browser = opened("several", link("stake.mines", **SEEDS, mines=24))
    dice = SEVERAL.index("stake.dice")
    enter(browser, "#game", dice, "change")
    assert shown(browser) == f"{float(pf.operators.stake.Dice().play(**SEEDS)):.2f}"
    click(browser, "button[type=reset]")
    assert shown(browser) == ""
    assert browser.run("[...document.querySelectorAll('#fields input')].every(one => one.value === '')")


@in_browser
@pytest.mark.thorough
def test_dark_and_narrow(opened):
    for dark in (False, True):
        for width in (320, 360, 800):
            browser = opened("several", link("stake.plinko", **SEEDS), width=width, dark=dark)
            browser.run("document.getElementById('steps').open = true")
            browser.until("document.getElementById('walk').textContent.includes('cursor')")
            assert browser.run("document.scrollingElement.scrollWidth") <= width
            paper = browser.run("getComputedStyle(document.body).backgroundColor")
            assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 200) == dark


@in_browser
@pytest.mark.thorough
@pytest.mark.skipif(not AXE.exists(), reason="axe-core isn't installed: make ports installs it")
def test_axe_finds_nothing_serious(opened):
    for name, game, fields in [
        ("one", "stake.mines", SEEDS),
        ("several", "duel.dice", {"server_seed": "12", "nonce": "x"}),
        ("several", "bustabit.v2", {"game_hash": SEED}),
        ("several", "stake.wheel", {**SEEDS, "commitment": SEED}),
        ("several", "stake.dragontower", SEEDS),
        ("several", "stake.plinko", {**SEEDS, "server_seed": " a"}),
    ]:
        for dark in (False, True):
            browser = opened(name, link(game, **fields), width=1200 if dark else 360, dark=dark)
            browser.run("document.getElementById('steps').open = true")
            if game == "stake.mines":
                checked(browser, 'nonce,outcome\n1,2\n2,"1 2 3"')
            browser.run(AXE.read_text("utf-8") + "; 0")
            found = browser.run(AXE_RUN)
            assert found == []


def test_published_rounds_are_examples(pages):
    text = pages("several").read_text("utf-8")
    (examples,) = re.findall(r"const EXAMPLES = (.*);\n", text)
    for name, example in zip(SEVERAL, json.loads(examples), strict=True):
        assert (example is not None) == bool(published.rounds(parse_game(name)))
