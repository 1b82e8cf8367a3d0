"""Programs that are written of texts which are programs themselves: nothing of them is run."""

from __future__ import annotations

import ast
import builtins
import json
import shlex
import sys
import tomllib
import types
from contextlib import suppress
from dataclasses import replace

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.readings.separating import SeparatingRounds, play_round
from provably_fair.sources.source import Option
from pytest_provably_fair.logs import _in_options

CALL = "__import__('builtins').trap()"
HOSTILE = [
    f'"""\n{CALL}\n"""',
    f'""" + str({CALL}) + """',
    f"'''\n{CALL}\n'''",
    f"''' + str({CALL}) + '''",
    f'"\n{CALL}\n"',
    f"'\n{CALL}\n'",
    f"\n{CALL}\n",
    f"\r{CALL}\r",
    f"\r\n{CALL}\r\n",
    f"\x0c{CALL}",
    f"\x85{CALL}\x85",
    f"\u2028{CALL}\u2029",
    f"\\\n{CALL}",
    f"\\'; {CALL} #",
    f'\\"; {CALL} #',
    f"\\\\'; {CALL} #",
    f"'); {CALL}; ('",
    f'"); {CALL}; ("',
    f"')\n{CALL}\n('",
    f"# {CALL}\n{CALL}",
    f"x\n    {CALL}",
    f"x: {CALL}",
    f"\\x27; {CALL} #",
    "\\N{QUOTATION MARK}\\N",
    "\\x",
    "\\u12",
    "\\",
    "'" * 7 + CALL,
    '"' * 7 + CALL,
    f"@BODY@ @VECTORS@ @TITLE@ @GIVEN@ @NAME@ {CALL}",
    f"\x7f\x00\x1b[2J{CALL}",
    f"\udc80{CALL}\ud800",
    f"</script><script>{CALL}</script><!-- & \" ' -->",
    '🎲\u202e\'"""',
]
SCHEME = pf.operators.stake.Dice.scheme


@pytest.fixture
def trap(monkeypatch):
    """Fail if a text is run."""
    sprung = []
    monkeypatch.setattr(builtins, "trap", lambda: sprung.append(1), raising=False)
    yield
    assert not sprung


class Masked(ast.NodeTransformer):
    """Takes the values out of literals."""

    def visit(self, node):
        if isinstance(node, ast.Constant):
            return ast.Constant(value=type(node.value).__name__)
        if isinstance(node, ast.Dict | ast.List):
            with suppress(ValueError):  # parts of it are computed
                ast.literal_eval(node)
                return ast.Constant(value=type(node).__name__)
        return self.generic_visit(node)


def shape_of(text: str) -> str:
    """The syntax tree of a program, without the values of its literals."""
    return ast.dump(Masked().visit(ast.parse(text)))


def check(found: SeparatingRounds, folder, like: str, name: str = "test_port.py") -> types.ModuleType:
    """Write a file and import it; it has the syntax tree of another one."""
    path = found.to_pytest(folder / name, overwrite=True)
    text = path.read_bytes().decode()
    assert text.isascii()
    assert shape_of(text) == like
    module = types.ModuleType("test_port")
    exec(compile(text, str(path), "exec"), module.__dict__)
    assert found.to_dict() == module.VECTORS
    assert str(found).partition("\n")[0] == module.TITLE
    return module


def plays(module: types.ModuleType, game: pf.Game) -> None:
    for one in module.ROUNDS:
        seeds = module.seeds_of(one)
        assert np.array_equal(module.outcome(**seeds), one["outcome"])
        assert np.array_equal(play_round(game, seeds), one["outcome"])


def likes(game: pf.Game, folder) -> tuple[SeparatingRounds, str]:
    found = pf.separating_rounds(game, limit=2)
    return found, shape_of(found.to_pytest(folder / "like.py", overwrite=True).read_text(encoding="utf-8"))


@pytest.mark.one_case_in(4)
@pytest.mark.parametrize("first", range(4))
@pytest.mark.usefixtures("trap")
def test_texts_of_schemes(first, tmp_path):
    """In the message, the key, a default, and the commitment."""
    game = pf.operators.stake.Dice()
    other = pf.Scheme(pf.Hash("sha256", "{server_seed}:{nonce}:{cursor}", key="{client_seed}"), bits=32)
    found, like = likes(game.with_scheme(other), tmp_path)
    tried = 0
    for text in HOSTILE[first::4]:
        literal = text.replace("{", "").replace("}", "")
        try:
            schemes = [
                pf.Scheme(pf.Hash("sha256", f"{literal}{{server_seed}}:{{nonce}}:{{cursor}}"), bits=32),
                pf.Scheme(pf.Hash("sha256", "{server_seed}:{nonce}", key=literal), bits=32),
                pf.Scheme(
                    pf.Hash("sha256", "{server_seed}:{nonce}{salt}"), bits=32, defaults={"salt": literal}
                ),
            ]
        except ValueError:  # a lone surrogate
            continue
        for scheme in schemes:
            given = pf.Scheme.from_dict(json.loads(json.dumps(scheme.to_dict())))
            assert given == scheme
            own = game.with_scheme(given)
            check(replace(found, game=own), tmp_path, like)
            tried += 1
    plays(check(pf.separating_rounds(own, limit=2), tmp_path, like), own)
    assert tried > 3 * 6


@pytest.mark.usefixtures("trap")
def test_names_of_files(tmp_path):
    found, like = likes(pf.operators.stake.Dice(), tmp_path)
    tried = 0
    for text in HOSTILE:
        name = f"test {text.replace('/', '|')}.py"
        try:
            check(found, tmp_path, like, name)
        except (OSError, ValueError):  # no name of a file here
            continue
        tried += 1
    assert tried > 25


def made(name: str, module: str = "studio", **values: object) -> type[pf.Game]:
    """A class of any name."""

    def outcome(self, draws):
        return draws.below(7)

    body = {"outcome": outcome, "scheme": SCHEME, "__module__": module, "__qualname__": name, **values}
    body["__annotations__"] = dict.fromkeys(values, object)
    return type(name, (pf.Game,), body)


@pytest.mark.one_case_in(4)
@pytest.mark.parametrize("first", range(4))
@pytest.mark.usefixtures("trap")
def test_names_of_classes_and_modules(first, tmp_path, monkeypatch):
    """Some that a module has under that name, and others that can't be imported."""
    studio = types.ModuleType("studio")
    monkeypatch.setitem(sys.modules, "studio", studio)
    studio.Plain = made("Plain")
    found, played = likes(studio.Plain(), tmp_path)
    _, missing = likes(made("Missing")(), tmp_path)
    for text in HOSTILE[first::4]:
        classes = [made("Plain", text)]
        if "\0" not in text and "\ud800" not in text:  # which no class is called
            classes += [made(text), made(text, f"studio\n{CALL}\n")]
            classes.append(made(text))
            setattr(studio, text, classes[-1])
        for cls in classes:
            check(replace(found, game=cls()), tmp_path, missing)
    for name in ("play_round", "VECTORS", "seeds", "class", "None", "resolve_name", "Würfel"):
        setattr(studio, name, made(name))
        game = getattr(studio, name)()
        found = pf.separating_rounds(game, limit=2)
        like = shape_of(found.to_pytest(tmp_path / "x.py", overwrite=True).read_text(encoding="utf-8"))
        assert like in (played, missing)
        if like == played:
            plays(check(found, tmp_path, like), game)


class Sly(str):
    """A value whose repr isn't one of a literal, or another one each time."""

    times = 0

    def __repr__(self) -> str:
        Sly.times += 1
        return CALL if Sly.times % 2 else repr(str(self))


@pytest.mark.one_case_in(4)
@pytest.mark.parametrize("first", range(4))
@pytest.mark.usefixtures("trap")
def test_values_of_parameters(first, tmp_path, monkeypatch):
    studio = types.ModuleType("studio")
    monkeypatch.setitem(sys.modules, "studio", studio)
    studio.Named = made("Named", title="usual")
    found, like = likes(studio.Named(title="x"), tmp_path)
    _, missing = likes(made("Missing")(), tmp_path)
    for text in HOSTILE[first::4]:
        for value in (text, (text, (1, text)), frozenset({text})):
            game = studio.Named(title=value)
            check(replace(found, game=game), tmp_path, like if type(value) is not frozenset else missing)
    for _ in range(4):
        path = replace(found, game=studio.Named(title=Sly("x"))).to_pytest(
            tmp_path / "sly.py", overwrite=True
        )
        assert shape_of(path.read_text(encoding="utf-8")) in (like, missing)


@pytest.mark.usefixtures("trap")
def test_texts_of_readings_and_rounds(tmp_path):
    found, like = likes(pf.operators.stake.Dice(), tmp_path)
    first, last = found.rounds
    for text in HOSTILE:
        rounds = (
            first | {"fields": first["fields"] | {"server_seed": text, text: text}, "digests": [text]},
            last | {"digests": [text], "outcome": text},
        )
        hostile = replace(found, rounds=rounds, readings=(text, text), excluded=(text,), open=(text,))
        assert check(hostile, tmp_path, like).seeds_of(rounds[0])[text] == text


@pytest.mark.parametrize("text", HOSTILE)
def test_options_in_toml(text):
    """A TOML file that is written as an error of pytest's plugin says has this text."""
    said = _in_options(Option("csv", {"decimal": text, text: "."}))
    if text.encode(errors="ignore").decode() != text:
        return  # no TOML has it
    table = said.partition(" = ")[2].removesuffix(" in the file of --provably-fair-config")
    assert tomllib.loads(f"csv = {table}")["csv"] == {"decimal": text, text: "."}


@pytest.mark.parametrize("text", HOSTILE)
def test_options_in_a_shell(text):
    from provably_fair.verification.suggestions import _command

    typed = _command({"columns": {"nonce": text}, "game": text})
    # A report would escape some texts, which a shell would then read as others.
    assert typed == "" or shlex.split(typed) == ["--column", f"nonce={text}", "--game", text]
    assert typed or not text.isprintable() or "\\" in text or '"' in text or "'" in text
