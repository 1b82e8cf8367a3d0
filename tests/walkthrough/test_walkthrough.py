"""Walk-throughs: the document's figures digit for digit, and each figure of each game by the oracle.

The golden walk-throughs in `golden/` show one round of each game, with empty seeds. They are written by
``PYTHONPATH=tests python tests/walkthrough/test_walkthrough.py``; `test_every_figure_by_the_oracle` has every
figure in them recomputed from the oracle's bytes.
"""

from __future__ import annotations

import builtins
import copy
import hmac
import html
import io
import json
import math
import pickle
import random
import re
import unicodedata
from dataclasses import replace
from fractions import Fraction

import numpy as np
import provably_fair as pf
import pytest
from folders import GOLDEN_WALKTHROUGHS
from oracles import salted as reference
from own_games import game_of
from provably_fair._core.printable import label, plain, to_fixed
from provably_fair.operators import crypto_games, fpclub
from provably_fair.walkthrough import Draw, Note, Part, Shuffle, Skip

FOLDER = GOLDEN_WALKTHROUGHS

GOLDEN = {
    "mines": pf.Mines(mines=3),
    "tower": pf.Tower(mines=2),
    "slot": pf.Slot(spins=2),
    "plinko": pf.Plinko(pins=10, balls=3),
    "dice": pf.Dice(),
    "double": pf.Double(),
    "jackpot": pf.Jackpot(tickets=1000),
    "crash": pf.Crash(),
    "overgo": pf.Overgo(),
    "x50": pf.X50(),
}

# Games with their defaults, and rounds that are long or unusual.
VARIANTS = [
    *(cls() for cls in pf.operators.salted.GAMES.values()),
    *GOLDEN.values(),
    pf.Mines(mines=1),
    pf.Mines(mines=24),
    pf.Tower(mines=4),
    pf.Slot(spins=180),
    pf.Plinko(pins=8, balls=100),
    pf.Plinko(pins=9, balls=2),
    pf.Jackpot(tickets=1),
    pf.Jackpot(tickets=2**53),
]

HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": "\"'><img src=x onerror=alert(1)>",
    "markup": "[red]a[/red] [link=https://example.org]b[/link] [bold",
    "ansi": "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x9b2J",
    "controls": "a\r\nb\tc\x00d\x08e\x7f\x85f",
    "right to left": "abc\u202edef\u202c \u2066x\u2069 \u200f \u200e \u061c \u05e9\u05dc\u05d5\u05dd 12",
    "invisible": "a\u200bb\u00adc\ufeffd\u2028e\u2029f\U000e0041g\u3164",
    "marks": "z" + "\u0301" * 50,
    "private": "\ue000 \U000f0000 \u0378",
    "long": "x" * 10_000,
    "dollars": r"$\frac{1}{0}$ \left",
    "backslashes": "\\x1b \\[red] \\",
    "emoji": ":100: :smile:",
}


def seeds_of(game, rng):
    """The seeds and salt of a random round; multiplayer games keep their constant seeds."""
    server, client = reference.CONSTANT_SEEDS.get(
        game.name, (rng.randbytes(32).hex(), rng.randbytes(5).hex())
    )
    return server, client, rng.randbytes(32).hex()


def all_draws(walk):
    for step in walk.steps:
        if isinstance(step, Draw):
            yield step
        elif isinstance(step, Shuffle):
            yield from (pick.draw for pick in step.picks)


def expected_cursors(game):
    """The cursors whose bytes affect the outcome."""
    if isinstance(game, pf.Mines):
        return [0, 1, 2]
    if isinstance(game, pf.Tower):
        return [0, 1, 2, 3, 4]
    if isinstance(game, pf.Slot):
        return list(range(game.spins))
    if isinstance(game, pf.Plinko):
        return [2 * ball + half for ball in range(game.balls) for half in range(1 + (game.pins > 8))]
    return [0]


# ---- the document's round ----


@pytest.fixture
def document_round():
    return pf.Mines(mines=3).explain("", "", "")


def test_every_printed_figure_of_the_document(vectors, document_round):
    check_printed_figures(vectors("mines_walkthrough"), document_round)
    assert repr(document_round) == "<Walkthrough of Mines(mines=3): [11, 8, 18]>"


def check_printed_figures(printed, walk):
    shown = walk.to_dict()
    # The table of bytes in hexadecimal; the document also has it in decimal.
    assert [block["hex"] for block in shown["blocks"]] == printed["digests"]
    assert [bytes(block["bytes"]).hex() for block in shown["blocks"]] == printed["digests"]
    assert [block["message"] for block in shown["blocks"]] == [":0", ":1", ":2"]
    (shuffle,) = shown["steps"]
    figures = 0
    for step, block in zip(shuffle["steps"], printed["numbers"], strict=True):
        draw = step["draw"]
        assert draw["bytes"] == block["bytes"]
        assert draw["terms"] == block["terms"]
        assert draw["sum"] == block["sum"]
        assert draw["factor"] == block["factor"]
        assert draw["product"] == block["product"]
        assert draw["result"] == block["index"]
        figures += len(draw["terms"]) + 2
    assert figures == 240
    found = [
        {name: step[name] for name in ("step", "index", "left", "permutation")} for step in shuffle["steps"]
    ]
    assert found == printed["shuffle"]
    assert shown["outcome"] == printed["shuffle"][-1]["permutation"][:3] == shuffle["taken"]

    # The text and HTML show the same figures.
    for page in (str(walk), html.unescape(walk._repr_html_())):
        for digest in printed["digests"]:
            for place in range(8):
                eight = bytes.fromhex(digest[16 * place : 16 * place + 16])
                decimal = " ".join(f"{byte:>3}" for byte in eight)
                assert f"{eight.hex(' ')}  = {decimal}" in page
        for block in printed["numbers"]:
            lines = [f"{', '.join(map(str, block['bytes']))}"]
            lines += [
                f"{term}  {byte:>3} / 256^{place}"
                for place, (term, byte) in enumerate(zip(block["terms"], block["bytes"], strict=True), 1)
            ]
            lines += [f"= {block['sum']}  * {block['factor']}"]
            lines += [f"= {block['product']}  in 0, ..., {block['factor'] - 1}: {block['index']}"]
            position = page.index(lines[0] + "\n")
            for line in lines:
                position = page.index(line, position)
        plain_page = re.sub(r"</?mark>", "", page)
        for row in printed["shuffle"]:
            cells = [f"[{c}]" if i < 3 else str(c) for i, c in enumerate(row["permutation"])]
            left = ", ".join(map(str, row["left"]))
            pattern = rf"^ +{row['step']} +{row['index']}  {left}  +{re.escape(' '.join(cells))}$"
            assert re.search(pattern, plain_page, flags=re.MULTILINE), row
    assert walk._repr_html_().count("<mark>[11]</mark>") == 25  # 24 steps and the board


# ---- every figure of every game, by the oracle ----


@pytest.mark.parametrize("game", VARIANTS, ids=str)
def test_every_figure_by_the_oracle(game):
    rng = random.Random(7)
    for server, client, salt in [("", "", ""), *(seeds_of(game, rng) for _ in range(3))]:
        walk = game.explain(server, client, salt)
        check_by_oracle(game, walk, server, client, salt)
        played = game.play(server, client, salt)
        assert type(walk.outcome) is type(played)
        assert (walk.outcome.dtype, walk.outcome.shape) == (played.dtype, played.shape)


def check_by_oracle(game, walk, server, client, salt):
    assert walk.key == reference.key(server, salt)
    assert [cursor for cursor, _ in walk.blocks] == expected_cursors(game)
    shown = walk.to_dict()
    assert json.loads(json.dumps(shown)) == shown
    assert (shown["game"], shown["parameters"]) == (game.name, dict(game.parameters))
    assert [shown[name] for name in ("server_seed", "client_seed", "salt")] == [server, client, salt]
    for block in shown["blocks"]:
        digest = hmac.digest(walk.key.encode(), block["message"].encode(), "sha512")
        assert digest == reference.random_bytes(server, client, salt, block["cursor"])
        assert bytes.fromhex(block["hex"]) == bytes(block["bytes"]) == digest
    blocks = dict(walk.blocks)
    last = -1
    for draw in all_draws(walk):
        assert draw.index > last
        last = draw.index
        start = 8 * (draw.index % 8)
        assert draw.cursor == draw.index // 8
        assert draw.octets == blocks[draw.cursor][start : start + 8]
        assert draw.number == reference.number_term_by_term(draw.octets)
        assert draw.terms == tuple(
            reference.to_fixed(byte / 256**place, 18) for place, byte in enumerate(draw.octets, 1)
        )
        shown_draw = draw.to_dict()
        assert shown_draw["sum"] == reference.to_fixed(draw.number, 18)
        assert draw.scaled == draw.number * draw.factor
        assert shown_draw["product"] == reference.to_fixed(draw.scaled, 18)
        assert draw.result == math.floor(draw.scaled)
    for step in walk.steps:
        if isinstance(step, Shuffle):
            expected = reference.shuffle_steps([pick.draw.number for pick in step.picks], step.size)
            assert len(step.picks) == step.size - 1
            for place, (pick, (index, left, permutation)) in enumerate(
                zip(step.picks, expected, strict=True)
            ):
                assert (pick.draw.result, list(pick.left)) == (index, left)
                assert list(step.permutation[: place + 1]) == permutation
                assert pick.draw.factor == len(left)
    expected = reference.GAMES[game.name](server, client, salt, **game.parameters)
    assert walk.outcome.tolist() == shown["outcome"] == expected


def test_a_number_that_would_be_one():
    """No known round has such a number, but the walk-through explains it."""
    largest = Draw(0, b"\xff" * 8, 1 - 2**-53, 15, 15 * (1 - 2**-53), 14)
    walk = replace(pf.Double().explain(salt=""), steps=(largest,))
    assert (
        "   = 1 when rounded to a double; the largest double below 1 is taken\n"
        "      = 0.999999999999999889  * 15\n"
    ) in str(walk)
    assert "when rounded" not in str(pf.Tower().explain("", "", ""))


@pytest.mark.parametrize("name", ["mines", "tower", "plinko"])
def test_numbers_are_added_one_by_one(name, monkeypatch):
    """Since Python 3.12 `sum` compensates rounding errors, which would change a number in each round."""
    plain = sum

    def compensated(values, start=0):
        values = list(values)
        floats = {*map(type, values)} == {float}
        return math.fsum([start, *values]) if floats else plain(values, start)

    walk = GOLDEN[name].explain("", "", "")
    draws = [*all_draws(walk)]
    assert [int.from_bytes(draw.octets) / 2**64 for draw in draws] != [draw.number for draw in draws]
    monkeypatch.setattr(builtins, "sum", compensated)
    for shown in str(walk), walk._repr_html_(), repr(walk.to_dict()):
        assert "when rounded" not in shown


@pytest.mark.parametrize(("name", "edge"), [("crash", 0.05), ("overgo", 0.03)])
def test_intermediate_values_of_crash_and_overgo(name, edge):
    rng = random.Random(11)
    game = pf.operators.salted.GAMES[name]()
    for _ in range(200):
        walk = game.explain(*seeds_of(game, rng))
        draw, *notes = walk.steps
        assert all(isinstance(note, Note) for note in notes)
        quotient = 1000000 / (draw.result + 1)
        product = quotient * (1 - edge)
        values = [quotient, 1 - edge, product, max(1, product)]
        assert [note.value for note in notes] == values
        for note, value in zip(notes, values, strict=True):
            assert Fraction(note.decimals) == reference.to_fixed_by_fractions(value, 18)
            assert f"{note.formula} = {note.decimals}" in str(walk)
        assert str(walk).endswith(f"outcome: {reference.to_fixed(values[-1], 2)}")


# ---- text ----


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_text(name):
    text = str(GOLDEN[name].explain("", "", ""))
    assert text + "\n" == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("game", "parts", "shown"),
    [
        (pf.Plinko(balls=100), "balls", 2),
        (pf.Slot(spins=180), "spins", 8),
        (pf.Plinko(pins=8, balls=6), "ball", 5),
    ],
    ids=str,
)
def test_long_rounds_are_cut(game, parts, shown):
    walk = game.explain("", "", "")
    text, all_of_it = str(walk), walk.text(full=True)
    total = sum(isinstance(step, Part) for step in walk.steps)
    assert f"... {total - shown} more {parts}: text(full=True) or to_dict() has all" in text
    assert "more" not in all_of_it
    count = len(re.findall(r"/ 256\^8$", text, flags=re.MULTILINE))
    assert count <= 40
    assert len(re.findall(r"/ 256\^8$", all_of_it, flags=re.MULTILINE)) == len(list(all_draws(walk)))
    assert text.endswith(f"outcome: {walk.outcome.tolist()}")
    assert len(text.splitlines()) < 1000
    assert len(walk.to_dict()["steps"]) == len(walk.steps)


def test_whole_rounds_of_mines_and_tower_are_shown():
    for game in (pf.Mines(mines=24), pf.Tower(mines=4)):
        walk = game.explain("", "", "")
        assert str(walk) == walk.text(full=True)


def test_slot_shows_its_symbols_harmlessly():
    reels = [
        ["\x1b[31m" + "<b>" if stop % 2 else "cherry" for stop in range(n)] for n in (30, 30, 30, 30, 41)
    ]
    walk = pf.Slot(reels=reels).explain("", "", "")
    assert "cherry" in str(walk)
    assert "\x1b" not in str(walk)
    assert "<b>" not in walk._repr_html_().split("</p>", 1)[1]


# ---- the value ----


def test_seeds_of_every_single_form():
    walk = pf.Dice().explain("a", "b", "\u00e9")
    for make in (str, np.str_, np.array, lambda text: text.encode(), lambda text: np.bytes_(text.encode())):
        other = pf.Dice().explain(make("a"), make("b"), make("\u00e9"))
        assert other.to_dict() == walk.to_dict()
        assert str(other) == str(walk)
    odd = pf.Dice().explain("a", b"\xff\x00", "c").to_dict()
    assert odd["client_seed"] == {"hex": "ff00"}
    assert odd["blocks"][0]["message"] == {"hex": "ff003a30"}
    assert '"\\xff\\x00:0"' in str(pf.Dice().explain("a", b"\xff\x00", "c"))


def test_draws_of_several_bytes_show_all_of_them():
    hash = pf.Hash("sha256", "{client_seed}:{cursor}", key="{server_seed}")
    scheme = pf.Scheme(hash, bits="range", below="modulo")
    game = game_of(lambda draws: np.stack([draws.number(), draws.below(70_000)], axis=1), scheme=scheme)
    text = game.explain("s", "c").text()
    whole = b"".join(scheme.random_bytes("s", "c", cursor=cursor) for cursor in (0, 1))
    first, second = int.from_bytes(whole[:7]), int.from_bytes(whole[7:10])
    number = f"the first 52 bits, {first >> 4} / 2^52 = {(first >> 4) / 2**52!r}"
    assert f"words 0 to 6 of cursor 0, {whole[:7].hex()} = {first}\n      number = {number}" in text
    assert f"words 7 to 9 of cursor 0, {whole[7:10].hex()} = {second}\n" in text
    later = game_of(lambda draws: draws.each(11).below(70_000), scheme=scheme).explain("s", "c").text()
    assert f"the last 2 words of cursor 0 and word 0 of cursor 1, {whole[30:33].hex()} = " in later


def test_bytes_that_are_no_text_can_be_hashed_again_as_they_are_shown():
    """A key of bytes is shown with escapes, which mean a byte or a letter."""
    shown = str(pf.operators.duel.Dice().explain("c280809ad3" * 8, "player", 3))
    key, digest = (re.search(rf"^ +{name} +([0-9a-f]+)$", shown, re.M)[1] for name in ("in hex", "digest"))
    assert hmac.digest(bytes.fromhex(key), b"player:3", "sha256").hex() == digest
    assert "in hex" not in str(pf.operators.stake.Dice().explain("c280" * 8, "player", 3))


def test_constant_seeds_are_the_default():
    walk = pf.Crash().explain(salt="x")
    assert (walk.server_seed, walk.client_seed) == reference.CONSTANT_SEEDS["crash"]
    assert pf.Jackpot().explain("", "", "", tickets=2380) == pf.Jackpot(tickets=2380).explain("", "", "")
    assert pf.Plinko().explain("", "", "", pins=8).game == pf.Plinko(pins=8)


def test_a_shuffle_under_another_scheme_shows_what_was_drawn():
    one_digest = pf.Scheme(pf.Hash("sha256", "{server_seed}{client_seed}{nonce}"), bits=32, below="reject")
    for scheme in (pf.operators.stake.SCHEME, one_digest):
        game = pf.Mines(3).with_scheme(scheme)
        walk = game.explain("server", "client", 7)
        assert [type(step) for step in walk.steps] == [Shuffle, Skip]
        shuffle, skip = walk.steps
        assert list(shuffle.permutation) == game.play("server", "client", 7).tolist()
        assert (shuffle.size, shuffle.taken, len(shuffle.picks), skip.count) == (25, 3, 3, 21)
        assert [pick.left[pick.draw.result] for pick in shuffle.picks] == list(shuffle.permutation)
    plinko = pf.Plinko(pins=8).with_scheme(pf.operators.stake.SCHEME)
    balls = plinko.plot(plinko.explain("server", "client", 7)).lines
    assert any(len(line.get_xdata()) == 9 for line in balls)


class Cards(pf.Game):
    """Cards in some order, five by default."""

    wanted: int = 5

    def outcome(self, draws):
        draws.part("hand", 0, "card")
        return draws.shuffle(5, self.wanted)


@pytest.mark.parametrize("wanted", range(6))
def test_a_shuffle_of_a_game_in_python_is_one_step(wanted):
    game = Cards(wanted)
    walk = game.explain("a", "b", "c")
    assert walk.outcome.tolist() == game.play("a", "b", "c").tolist() == [1, 4, 0, 3, 2][:wanted]
    assert [type(step) for step in walk.steps][:2] == [Part, Shuffle]
    assert walk.steps[1].to_dict()["taken"] == walk.outcome.tolist()
    assert walk.to_dict()["outcome"] == walk.outcome.tolist()
    assert ("hand 1, card 1" in walk.text(full=True)) == (wanted > 0)


class Deck(pf.Game):
    """A deck of any size, shuffled."""

    cards: int = 64

    def outcome(self, draws):
        return draws.shuffle(self.cards)


@pytest.mark.parametrize(("cards", "steps"), [(64, 1), (65, 2 * 64), (300, 2 * 299)])
def test_a_large_shuffle_is_shown_draw_by_draw(cards, steps):
    """Above 64 cards the remaining cards aren't shown per step, since the text would grow quadratically."""
    walk = Deck(cards).explain("a", "b", "c")
    assert walk.outcome.tolist() == Deck(cards).play("a", "b", "c").tolist()
    assert len(walk.steps) == steps
    assert len(json.dumps(walk.to_dict())) < 1000 * cards


def test_mistakes():
    with pytest.raises(TypeError, match=r"^nonce must be one value: Mines.explain shows one round"):
        pf.Mines().with_scheme(pf.operators.stake.SCHEME).explain("a", "b", [1, 2])
    with pytest.raises(TypeError, match=r"^server_seed must be given"):
        pf.Mines().explain(salt="x")
    with pytest.raises(TypeError, match=r"^salt must be one text"):
        pf.Dice().explain("a", "b", ["c"])
    with pytest.raises(ValueError, match=r"^tickets must be one integer"):
        pf.Jackpot().explain(salt="c", tickets=[1, 2])
    with pytest.raises(ValueError, match=r"^tickets must be from 1"):
        pf.Jackpot().explain(salt="c", tickets=0)
    with pytest.raises(TypeError, match=r"^mines sets the outcome's shape"):
        pf.Mines().explain("a", "b", "c", mines=4)


# ---- all systems, and arbitrary schemes ----

POKER, BLACKJACK = crypto_games.VideoPoker(), crypto_games.Blackjack()
OF_EVERY_SYSTEM = {
    "salted": lambda: pf.Mines(mines=3).explain("", "", ""),
    "video poker": lambda: crypto_games.VideoPoker().explain(
        "s", "c", hold=[1, 4], commitment=pf.commitment("s")
    ),
    "blackjack": lambda: BLACKJACK.explain("s", "c", commitment=pf.commitment("s")),
    "a round of blackjack": lambda: BLACKJACK.explain("server", "client", actions=["stand"]),
    "combined dice": lambda: fpclub.Combined("31 46", "45 21").explain("16 61"),
    "hashed dice": lambda: fpclub.HashedDice("5635").explain(fpclub.HashedDice("5635").hash),
}


@pytest.mark.parametrize("system", OF_EVERY_SYSTEM)
def test_one_walkthrough_for_every_system(system):
    walk = OF_EVERY_SYSTEM[system]()
    assert isinstance(walk, pf.walkthrough.Walkthrough)
    assert str(walk) == walk.text()
    assert set(walk.text().splitlines()) <= set(walk.text(full=True).splitlines())
    assert json.loads(json.dumps(walk.to_dict())) == walk.to_dict() == json.loads(walk.to_json())
    assert walk.to_html().endswith(f"{walk._repr_html_()}</body></html>\n")
    assert walk.outcome is not None
    assert walk.committed in (None, True)
    assert pickle.loads(pickle.dumps(walk)) == copy.deepcopy(walk) == walk
    assert hash(walk) == hash(OF_EVERY_SYSTEM[system]())
    assert dict(walk.values).items() <= {name: getattr(walk, name) for name in dir(walk)}.items()
    assert len(repr(walk)) < 120
    with pytest.raises(AttributeError, match="this walk-through has no 'nothing'"):
        walk.nothing
    with pytest.raises(AttributeError):
        walk.outcome = "another"
    if isinstance(walk.outcome, np.ndarray):
        with pytest.raises(ValueError, match="read-only"):
            walk.outcome[0] = 1


@pytest.mark.parametrize("system", OF_EVERY_SYSTEM)
def test_pages_keep_their_columns_anywhere(system):
    """JupyterLab wraps preformatted text, and other pages set fonts, so the text carries its styles."""
    page = OF_EVERY_SYSTEM[system]()._repr_html_()
    blocks = re.findall(r"<pre([^>]*)>(.*?)</pre>", page, flags=re.DOTALL)
    assert len(blocks) == page.count("<details")
    for attributes, content in blocks:
        assert "font-family:monospace" in attributes
        assert "white-space:pre;" in attributes
        assert "<br" not in content
    # Colors adapt to light and dark pages; a fixed color comes with its background.
    for style in re.findall(r'style="([^"]*)"', page):
        assert ("color:" in style.replace("background-color:", "")) == ("background:" in style)
    assert "<style" not in page
    assert "class=" not in page.replace('class="provably-fair-walkthrough"', "")
    lines = "\n".join(html.unescape(re.sub(r"<[^>]*>", "", content)) for _, content in blocks)
    shown = OF_EVERY_SYSTEM[system]().text().splitlines()
    body = [line[3:] for line in shown if line.startswith("   ")]
    assert [line.rstrip() for line in lines.splitlines()] == body


# ---- hostile text ----


def harmless(text):
    """Whether all characters are printable, and none changes the text direction."""
    return all(
        character == "\n"
        or (character.isprintable() and unicodedata.bidirectional(character) not in ("R", "AL", "AN"))
        for character in text
    )


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_seeds(kind):
    seed = HOSTILE[kind]
    for make in (str, str.encode):
        walk = pf.Dice().explain(make(seed), make(seed), make(seed))
        assert walk.outcome == reference.dice(seed, seed, seed)
        text, page = str(walk), walk._repr_html_()
        for shown in (text, repr(walk), html.unescape(page)):
            assert harmless(shown)
        assert harmless(walk.text(full=True))
        # The page's markup equals that of a round with harmless seeds.
        tags = re.findall(r"<[^>]*>", page)
        assert tags == re.findall(r"<[^>]*>", pf.Dice().explain("a", "b", "c")._repr_html_())
        assert max(map(len, text.splitlines())) < 1000
        assert json.loads(json.dumps(walk.to_dict()))["client_seed"] == seed
        whole = walk.to_html()
        assert harmless(html.unescape(whole))
        assert re.findall(r"<[^>]*>", whole) == re.findall(
            r"<[^>]*>", pf.Dice().explain("a", "b", "c").to_html()
        )


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_seeds_of_cards(kind):
    seed = HOSTILE[kind]
    explanation = crypto_games.VideoPoker().explain(seed, seed)
    page = explanation._repr_html_()
    assert harmless(str(explanation))
    assert harmless(html.unescape(page))
    plain_page = crypto_games.VideoPoker().explain("a", "b")._repr_html_()
    assert set(re.findall(r"<[a-z]+", page)) <= set(re.findall(r"<[a-z]+", plain_page))


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_seeds_on_a_terminal(kind):
    """rich prints the text unchanged, without styles, links or images."""
    console_module = pytest.importorskip("rich.console")

    def written(value):
        file = io.StringIO()
        console = console_module.Console(file=file, force_terminal=True, width=10**6, highlight=False)
        console.print(value, soft_wrap=True)
        return file.getvalue()

    walk = pf.Dice().explain("a", HOSTILE[kind], "c")
    assert written(walk) == str(walk) + "\n"
    assert "\x1b" not in written(walk)


def test_hostile_text_in_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib.figure import Figure

    for seed in HOSTILE.values():
        figure = Figure()
        figure.suptitle(label(seed))
        figure.canvas.draw()


def test_shown_text_is_unambiguous():
    """Distinct texts from this set look different as long as nothing is truncated."""
    texts = [
        *HOSTILE.values(),
        "\x1b",
        "\\x1b",
        "\\\\x1b",
        "\u202e",
        "\\u202e",
        '"',
        '\\"',
        "\U000e0041",
        "\n",
    ]
    assert len({plain(text, None) for text in texts}) == len(texts)
    assert plain("x" * 10_000) == "x" * 100 + "..." + "x" * 100 + " (10000 characters)"
    words = "\u043f\u0440\u0438\u0432\u0435\u0442", "\u4f60\u597d", "\u0928\u092e\u0938\u094d\u0924\u0947"
    for word in words:
        assert plain(word) == word


@pytest.mark.one_case_in(2)
@pytest.mark.parametrize("every", [17, 1])
def test_no_character_is_shown_that_does_harm(every):
    characters = [*range(0x3000), *range(0x3000, 0xD800, every), *range(0xE000, 0x110000, every)]
    assert harmless(plain("".join(map(chr, characters)), None))


def test_to_fixed():
    rng = random.Random(18)
    values = [0.0, 1.0, 0.5, 950000.0, 2.0**53, 5e-324, 1e-18, 160 / 256**3, 0.125]
    for value in values + [rng.random() * 10 ** rng.randint(-20, 7) for _ in range(2000)]:
        assert to_fixed(value, 18) == reference.to_fixed(value, 18)
        assert to_fixed(value, 2) == reference.to_fixed(value, 2)


def test_a_field_given_as_none_is_shown_as_its_default():
    hash = pf.Hash("sha256", "{server_seed}:{salt}:{nonce}")
    game = pf.Dice().with_scheme(pf.Scheme(hash, bits=32, defaults={"salt": "usual"}))
    walk = game.explain("server", None, 1)
    assert walk.outcome == game.play("server", None, 1)
    assert str(walk) == str(game.explain("server", nonce=1))
    assert 'salt         "usual"' in str(walk)


def main():
    """Write the golden files again."""
    for name, game in GOLDEN.items():
        (FOLDER / f"{name}.txt").write_text(f"{game.explain('', '', '')}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
