"""Ports play as the package does: published rounds, separating rounds, random ones, to the bit, in node."""

from __future__ import annotations

import ast
import hashlib
import json
import random
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.resources import files
from typing import Any

import numpy as np
import ports_in_node as node
import provably_fair as pf
import pytest
from folders import NOTEBOOKS, ROOT, VECTORS
from own_games import game_of
from ports_in_node import OPERATIONS, all_games, differing, needs_node, operation
from provably_fair.cli import run as command
from provably_fair.names import parse_game
from provably_fair.operators import published
from provably_fair.ports.modules import javascript, refusal_of, script_of
from provably_fair.ports.settings import offered

SALTED = ("crash", "dice", "double", "jackpot", "mines", "overgo", "plinko", "slot", "tower", "x50")
DICE = pf.operators.stake.Dice


@needs_node
def test_published_rounds() -> None:
    """Ports play them as the package does, which agrees with all that was published."""
    rounds = [one for one in published.rounds() if refusal_of(one.game) is None]
    games = [*{one.game: None for one in rounds}]
    of = [[dict(one.fields) for one in rounds if one.game == game] for game in games]
    assert sum(map(len, of)) >= 550
    wrong = {}
    for game, fields, found in zip(games, of, node.play(games, of), strict=True):
        if bad := differing(game, fields, found):
            wrong[repr(game)] = bad[:1]
    assert not wrong
    assert all(one.agrees() for one in rounds)  # so that the port's outcomes are those that were published


@needs_node
def test_kept_separating_rounds() -> None:
    """Those with seeds, and those that begin at their digests, of which none can be left out."""
    games, rounds, outcomes = [], [], []
    for file in sorted((VECTORS / "rounds").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        game = parse_game(data["game"])
        if refusal_of(game) is None:
            games.append(game)
            rounds.append([one.get("fields", {"digests": one["digests"]}) for one in data["rounds"]])
            outcomes.append([node.bits(one["outcome"]) for one in data["rounds"]])
    assert len(games) > 80
    for game, wanted, found in zip(games, outcomes, node.play(games, rounds), strict=True):
        assert [one.get("result") for one in found] == wanted, game


@needs_node
def test_excluded_readings_fail() -> None:
    """The ports of other readings get wrong the rounds that exclude them, and no others."""
    for game in (pf.operators.duel.Dice(), pf.operators.stake.Limbo(), pf.operators.bustabit.V3()):
        # A reading of fields that are edited before they are hashed isn't a rule.
        tried = [one for one in pf.readings.readings(game) if not getattr(one.game, "edits", ())]
        tried = [one for one in tried if refusal_of(one.game) is None][::9]
        vectors = pf.separating_rounds(game, tried)
        rounds = [one for one in vectors.rounds if "fields" in one]
        played = node.play([one.game for one in tried], [[one["fields"] for one in rounds]] * len(tried))
        assert len(tried) > 5
        for number, found in enumerate(played):
            wrong = [
                got.get("result") != node.bits(one["outcome"]) for one, got in zip(rounds, found, strict=True)
            ]
            assert wrong == [number in one["excludes"] for one in rounds], tried[number].text


def plays_of(games: Sequence[pf.Game], count: int) -> list[Any]:
    """Play random rounds of games with their ports, as the games do."""
    rounds = [node.fields_like(game, count) for game in games]
    played = node.play(games, rounds)
    for game, own, found in zip(games, rounds, played, strict=True):
        assert not differing(game, own, found), game
    return played


@needs_node
def test_random_rounds() -> None:
    plays_of(all_games(), 20)


@needs_node
def test_schemes_of_any_parts() -> None:
    rng = random.Random(2)
    games: list[pf.Game] = []
    while len(games) < 40:
        game = node.random_game(rng)
        if game is not None:
            games.append(game)
    assert sum("result" in one for found in plays_of(games, 5) for one in found) > 100


@pytest.mark.thorough
@needs_node
def test_schemes_of_each_kind() -> None:
    plays_of(node.games_of_schemes(), 6)


@needs_node
def test_numbers_of_64_bits() -> None:
    """The bytes of the largest word would add up to 1 in doubles: the number is the largest one below."""
    plays_of([node.Numbers()], 200)
    (last,) = node.play([node.Numbers()], [[{"digests": [digits * 128]} for digits in "0f"]])
    assert [one["result"] for one in last] == [node.bits([value] * 4) for value in (0.0, 1 - 2.0**-53)]


@needs_node
@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
def test_operations() -> None:
    plays_of([*map(operation, OPERATIONS)], 40)


@needs_node
def test_steps_are_those_that_explain_shows() -> None:
    games = [game for game in all_games() if game.name not in SALTED]
    rounds = [node.fields_like(game, 1) for game in games]
    for game, (fields,), (found,) in zip(games, rounds, node.play(games, rounds, "steps"), strict=True):
        walk = game.explain(**fields)
        steps = found["result"]
        draws = [one for one in steps if one["kind"] == "draw"]
        numbers = [one.to_dict() for step in walk.steps for one in step.numbers]
        assert len(draws) == len(numbers), game
        for own, wanted in zip(draws, numbers, strict=True):
            whole = game.scheme.below in ("digest", "double")
            for name in ("index", "factor", "result", *(() if whole else ("place",))):
                assert own[name] == wanted[name], (game, name)
            assert own["value"] == str(wanted["word"])
            assert own["passed"] == [str(one) for one in wanted["passed"]]
            assert int(own["word"], 16) == wanted["word"]
        assert [one["digest"] for one in steps if one["kind"] == "digest"] == [
            digest.hex() for _, digest in walk.blocks
        ]
        notes = [one.to_dict() for one in walk.steps if type(one).__name__ == "Note"]
        shown = [one["formula"] for one in steps if one["kind"] == "note" and "left" not in one["formula"]]
        assert shown == [one["formula"] for one in notes if "left" not in one["formula"]]


@needs_node
def test_commitments() -> None:
    seed = "ab" * 32
    for game, hash in (
        (DICE(), hashlib.sha256(seed.encode())),
        (pf.operators.duel.Dice(), hashlib.sha256(bytes.fromhex(seed))),
    ):
        given = {"server_seed": seed, "client_seed": "", "nonce": 1}
        held = hash.hexdigest(), f" 0x{hash.hexdigest().upper()} ", "0" * 64
        rounds = [
            given,
            *(given | {"commitment": one} for one in held[1:]),
            {"nonce": 1, "commitment": held[0]},
        ]
        ((first, right, wrong, unchecked),) = node.play([game], [rounds], "commitments")
        (one,) = first["result"]
        assert (one["name"], one["of"], one["hash"]) == ("commitment", ["server_seed"], hash.hexdigest())
        assert [found["result"][0]["matches"] for found in (first, right, wrong)] == [None, True, False]
        (one,) = unchecked["result"]
        assert (one["matches"], one["hash"], one["missing"]) == (None, None, ["server_seed"])


@needs_node
@pytest.mark.parametrize("game", [pf.operators.bustabit.V1(), pf.operators.bustabit.V3()])
def test_chains_are_walked_to_an_anchor(game, tmp_path) -> None:
    chain, last = game.kind.chain, "5" * 64
    earlier = [one.decode() for one in chain.previous(last, 1000)]
    node.install_hashes(tmp_path)
    (tmp_path / "game.mjs").write_text(javascript(game), encoding="utf-8")
    script = f"""
        import {{ previous, walk }} from "./game.mjs";
        const ends = ["{earlier[-1]}", "{last}", "{"0" * 64}"];
        console.log(JSON.stringify([previous("{last}"), ...ends.map((end) => walk("{last}", end, 1000))]));"""
    (tmp_path / "walk.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(["node", "walk.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    first, reached, same, missed = json.loads(done.stdout)
    assert first == earlier[0]
    assert reached == {"steps": 1000, "reached": True, "hash": earlier[-1]}
    assert same == {"steps": 0, "reached": True, "hash": last}
    assert missed == {"steps": 1000, "reached": False, "hash": earlier[-1]}


@needs_node
@pytest.mark.parametrize(
    ("fields", "field", "problem"),
    [
        ({"salt": "x"}, "game_hash", "is missing"),
        ({"game_hash": "a" * 63}, "game_hash", "must be 64 hexadecimal digits, got 63"),
        ({"game_hash": "g" * 64}, "game_hash", "must be 64 hexadecimal digits, got “g”"),
        ({"game_hash": "A" * 64}, "game_hash", "must be lower-case hexadecimal digits, got “A”"),
        ({"game_hash": 5}, "game_hash", "must be text, got number"),
        ({"game_hash": "a" * 64, "salt": "\ud800"}, "salt", "must be text, got half of a character"),
    ],
)
def test_fields_that_are_wrong(fields, field, problem) -> None:
    (((found),),) = node.play([pf.operators.bustabit.V1()], [[fields]])
    assert found == {"error": f"Error: {field} {problem}", "field": field}


@needs_node
@pytest.mark.parametrize("what", ["outcome", "steps", "commitments"])
def test_fields_that_are_none(what, tmp_path) -> None:
    node.install_hashes(tmp_path)
    (tmp_path / "port.mjs").write_text(javascript(DICE()), encoding="utf-8")
    script = f"import {{ {what} }} from './port.mjs'; {what}();"
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], cwd=tmp_path, capture_output=True, text=True
    )
    assert "TypeError: fields must be an object, got undefined" in done.stderr


@needs_node
@pytest.mark.parametrize(
    ("nonce", "problem"),
    [
        (-1, "a whole number"),
        (1.5, "a whole number"),
        ("01", "a whole number"),
        (str(2**64), "at most"),
        (True, "a whole"),
    ],
)
def test_numbers_that_are_wrong(nonce, problem) -> None:
    ((found,),) = node.play([DICE()], [[{"server_seed": "", "client_seed": "", "nonce": nonce}]])
    assert problem in found["error"]


class Level(pf.Game):
    scheme = DICE.scheme
    level: str = pf.games.Choice(("__proto__", '"</script>', "usual"), default="usual")
    sides: int = pf.games.Range(2, 10**15, default=10**15)

    def outcome(self, draws):
        first = draws.below(self.sides) + {"__proto__": 0.5, "usual": 1}.get(self.level, 7)
        draws.note(self.level, first)
        return first if self.level == "usual" else first * draws.below(3)


class Shifted(pf.Game):
    scheme = DICE.scheme
    by: int = pf.games.Range(-5, 5, default=0)

    def outcome(self, draws):
        return draws.below(10) + self.by


class Texts(pf.Game):
    """Texts that are alike when they are joined, and of which objects of JavaScript have members."""

    scheme = DICE.scheme
    first: str = pf.games.Choice(("a|b", "a", "a\\"), default="a")
    second: str = pf.games.Choice(("c", "b|c", "|c"), default="c")

    def outcome(self, draws):
        return draws.below(10) + 100 * len(self.first) + 10_000 * len(self.second)


class Member(pf.Game):
    scheme = DICE.scheme
    word: str = pf.games.Choice(("constructor", "__proto__", "usual"), default="usual")

    def outcome(self, draws):
        return draws.below(10) + len(self.word)


class Large(pf.Game):
    scheme = DICE.scheme
    more: int = pf.games.Range(2**53 - 2, 2**53 + 3, default=2**53 + 1)

    def outcome(self, draws):
        return (draws.below(10) + self.more) % 7


@needs_node
def test_settings_of_a_page(tmp_path) -> None:
    """One rule for all settings plays each of them as its own game does."""
    rng, names = random.Random(1), ("mines", "plinko", "stake.bars", "stake.dragontower", "liqd.mines")
    games = [
        *map(parse_game, (*names, "betkyo.koban", "stake.limbo", "crash.divisible", "stake.wheel")),
        *(Level(), Shifted(), Texts(), Member(), Large()),
    ]
    jobs, wanted = [], []
    for place, game in enumerate(games):
        settings = offered(game)
        for key in rng.sample([*settings.games], min(9, len(settings.games))):
            own = settings.games[key]
            fields = node.fields_like(own, 3)
            wanted.append([np.asarray(own.play(**one)).tolist() for one in fields])
            rounds = [{name: node.exact(value) for name, value in one.items()} for one in fields]
            jobs.append([place, dict(zip(settings.names, key, strict=True)), rounds])
    script = f"""{script_of(games)}
        const jobs = {json.dumps(jobs)};
        const play = ([place, chosen, rounds]) => rounds.map((one) => GAMES[place].play(one, chosen).outcome);
        const problems = GAMES[3].problems({{ server_seed: "", nonce: 1 }}, {{ tiles: 2, eggs: "2" }});
        const shapes = GAMES.map((game) => game.picture().shape);
        const others = GAMES[9].problems({{}}, {{ sides: 78 }});
        console.log(JSON.stringify([jobs.map(play), shapes, problems, others]));"""
    (tmp_path / "page.mjs").write_text(script, encoding="utf-8")
    done = subprocess.run(["node", "page.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    found, shapes, problems, others = json.loads(done.stdout)
    assert found == wanted
    assert shapes == [[*game.shape] for game in games]
    assert problems["client_seed"] == "is missing"
    assert "eggs must be fewer than the 2 tiles of a row" in problems["eggs"]
    assert others["sides"].startswith("must be one of 2, 3, 4, ")
    assert "</" not in script_of([Level()]).partition("const GAMES")[2]


# ---- what is refused ----


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (lambda draws: np.exp(draws.number()), "numpy.exp is rounded otherwise"),
        (lambda draws: np.log(draws.number() + 1), "numpy.log is rounded otherwise"),
        (lambda draws: draws.number() ** 2.5, "numpy.power is rounded otherwise"),
        (lambda draws: draws.below(9) ** 2, "numpy.power is rounded otherwise"),
        (lambda draws: (draws.below(2**52) + 1) * 2**9, "beyond 2\\*\\*53"),
        (lambda draws: np.prod(draws.each(3).below(9), axis=1), "stays below 2\\*\\*53"),
        (lambda draws: draws.each(9).number().sum(axis=1), "in an order of its own"),
        (lambda draws: np.searchsorted([3, 1, 2], draws.below(5)), "a table that isn't sorted"),
        (lambda draws: 1 if draws.below(2) else 0, "branches on a drawn value"),
    ],
)
def test_what_a_port_cannot_say_exactly(outcome, reason) -> None:
    with pytest.raises(ValueError, match=rf"^game must be one that can be ported, and .*: .*{reason}"):
        javascript(game_of(outcome, scheme=DICE.scheme))


def test_schemes_that_are_functions() -> None:
    scheme = pf.Scheme.of(lambda server_seed: iter([1]), bits=32, fields=["server_seed"])
    with pytest.raises(ValueError, match="its scheme is a Python function"):
        javascript(DICE().with_scheme(scheme))
    with pytest.raises(TypeError, match="game must be a game"):
        javascript("stake.dice")


def test_at_most_four_games_are_left_out() -> None:
    entries = pf.names.list_games()
    refused = [one.name for one in entries if refusal_of(parse_game(one.name)) is not None]
    assert refused == ["bustabit.signed"]


# ---- texts ----


def test_a_port_is_readable() -> None:
    text = javascript(pf.operators.bustabit.V3())
    head, _, body = text.partition("function rule(draws) {\n")
    assert re.match(r"// bustabit\.v3: .+\n// The rule: \w+\.py:\d+\n// Made by provably_fair \d", head)
    assert pf.__version__ in head
    assert "npm install @noble/hashes@" in head
    assert "// Call outcome({ game_hash: ..., salt: ... })" in head
    assert 'import { hmac } from "@noble/hashes/hmac.js";' in head
    assert "const message = bytes(hexToBytes(fields.game_hash));" in head
    lines = [line.strip() for line in body.partition("\n}")[0].splitlines()]
    assert all(re.match(r"const v\d+ = |draws\.note\(|return v\d+;", line) for line in lines)
    assert any(" // " in line for line in lines)
    assert set(re.findall(r'from "([^"]+)"', text)) <= {
        f"@noble/hashes/{name}.js" for name in ("hmac", "sha2", "utils")
    }


HOSTILE = (
    "</script><script>throw 1</script>",
    "`${1}`",
    '"; throw 1; "',
    "*/ throw 1 /*",
    "\n throw 1",
    "\u2028 throw 1",
    "@RUNTIME@ @IMPORTS@ @RULE@",
)


@needs_node
@pytest.mark.parametrize("text", HOSTILE)
def test_texts_stay_texts(text) -> None:
    """In templates, defaults, notes, parts and documentation."""

    class Own(pf.Game):
        def outcome(self, draws):
            draws.part(text, 0)
            value = draws.below(100) + 1
            draws.note(text, value)
            return value

    Own.__doc__ = text
    literal = text.replace("{", "{{").replace("}", "}}")
    scheme = pf.Scheme(
        pf.Hash("sha256", f"{literal}{{server_seed}}{{salt}}", key=literal), bits=32, defaults={"salt": text}
    )
    game = Own().with_scheme(scheme)
    plays_of([game], 3)
    port = javascript(game)
    assert port.isascii()
    assert "</" not in port
    assert "throw 1" not in re.sub(r'"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|//.*', "", port)


def test_the_command_and_its_options(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scheme.toml").write_text('bits = 8\n[hash]\nname = "md5"\nmessage = "{server_seed}"\n')
    assert command(["port", "stake.mines", "-p", "mines=5", "--scheme", "scheme.toml"]) == 0
    scheme = pf.Scheme(pf.Hash("md5", "{server_seed}"), bits=8)
    assert capsys.readouterr().out == javascript(pf.operators.stake.Mines(5).with_scheme(scheme))


def test_bundled_hashes() -> None:
    """As `make hashes` wrote them."""
    folder = files("provably_fair.ports")
    kept = json.loads(folder.joinpath("hashes.json").read_text(encoding="utf-8"))
    bundle = folder.joinpath("hashes.js").read_bytes()
    assert hashlib.sha256(bundle).hexdigest() == kept["sha256"]
    assert bundle.startswith(f"/*! {kept['package']} {kept['version']}\n\nThe MIT License".encode())
    assert (kept["license"], kept["integrity"][:7]) == ("MIT", "sha512-")


@needs_node
def test_the_tests_of_a_game_run_its_port(tmp_path, monkeypatch) -> None:
    """`pytest test_dice.py --program dice.mjs`, whose plugin finds the hashes."""
    from pytest_provably_fair.logs import _program

    monkeypatch.chdir(tmp_path)
    game = pf.operators.duel.Dice()
    (tmp_path / "dice.mjs").write_text(javascript(game), encoding="utf-8")
    found = pf.separating_rounds(game, limit=6)
    rounds = [one.get("fields", {"digests": one["digests"]}) for one in found.rounds]
    lines = "\n".join(map(json.dumps, rounds))
    done = subprocess.run(
        shlex.split(_program("dice.mjs")), input=lines, capture_output=True, text=True, check=True
    )
    assert [json.loads(line) for line in done.stdout.splitlines()] == [one["outcome"] for one in found.rounds]
    assert _program("node port.mjs") == "node port.mjs"
    assert _program("missing.mjs") == "missing.mjs"


OF_GAMES = re.compile(r"[A-Z_]+ = |\w+ = .*(operators|scheme|Scheme|Hash)")
"""Names that classes of games use."""


def own_games() -> Iterator[pf.Game]:
    """The games of two pages and of notebooks, made by their code."""
    texts = []
    for file in ("howto/own_game", "explanation/record"):
        page = (ROOT / "docs" / f"{file}.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        shown = (re.findall(r"^(?:>>>|\.\.\.) ?(.*)", one, re.MULTILINE) for one in blocks)
        texts.append(["\n".join(lines) or one for lines, one in zip(shown, blocks, strict=True)])
    for file in ("11_my_own_game", "12_what_a_bet_does"):
        cells = json.loads((NOTEBOOKS / f"{file}.ipynb").read_text(encoding="utf-8"))["cells"]
        texts.append(["".join(one["source"]) for one in cells if one["cell_type"] == "code"])
    for blocks in texts:
        space: dict[str, Any] = {"np": np, "pf": pf}
        for block in blocks:
            for part in ast.parse(block).body:
                if isinstance(part, ast.ClassDef):
                    exec(ast.unparse(part), space)
                    if issubclass(space[part.name], pf.Game):
                        yield space[part.name]()
                elif isinstance(part, ast.Import | ast.ImportFrom) or OF_GAMES.match(ast.unparse(part)):
                    with suppress(Exception):  # such as a file that isn't there
                        exec(ast.unparse(part), space)


@needs_node
def test_own_games_of_notebooks_and_of_the_page() -> None:
    """All but the one that shows how rounds are played one at a time."""
    games = [*own_games()]
    assert [type(game).__name__ for game in games if not game.vectorized] == ["Different"]
    games = [game for game in games if game.vectorized]
    assert len(games) >= 12
    plays_of(games, 10)
