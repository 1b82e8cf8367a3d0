"""The README and the site's pages run as written, each as one session from top to bottom.

The kind of a block decides how it is tested:

- Python with prompts has to give the output shown; Python without prompts has to run.
- A block with a caption is a file of that name, for later blocks of the page.
- `console`: lines that start with `$` are commands. Those of the package, pytest and Python are run, and have
  to give the output below them. `$ echo $?` shows the last exit code; without it the code has to be 0. The
  targets and extras passed to make and pip have to exist.
- `text` isn't tested. Any other block without a caption is an error, so that none goes untested.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import examples_shown
import pytest
from folders import CORPUS, ROOT
from provably_fair.cli import run

PAGES = sorted(
    path
    for path in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    if "generated" not in path.parts
    and not any(part.startswith("_") for part in path.relative_to(ROOT).parts)
)
FENCE = re.compile(
    r"^(?P<fence>`{3,})(?:\{(?P<directive>[\w-]+)\} *)?(?P<language>[^\n`]*)\n(?P<body>.*?)^(?P=fence) *$",
    flags=re.MULTILINE | re.DOTALL,
)
OPTION = re.compile(r"(?::([\w-]+):[ ]*(.*)|[ ]*)\n")
# Sphinx directives without code.
LAYOUT = {
    "toctree",
    "include",
    "eval-rst",
    "note",
    "warning",
    "tip",
    "image",
    "figure",
    "list-table",
    "glossary",
}


class Block(NamedTuple):
    """A block of a page: its kind, first line number, file name if any, and text."""

    language: str
    line: int
    caption: str | None
    code: str


def blocks_of(text: str) -> list[Block]:
    """Return the code blocks of a page."""
    found = []
    for match in FENCE.finditer(text):
        directive, body, start = match["directive"], match["body"], match.start("body")
        caption = None
        if directive in LAYOUT:
            continue
        if directive is not None and directive != "code-block":
            raise ValueError(f"a directive that the tests don't know: {directive}")
        while directive and (option := OPTION.match(body)):
            caption = option[2] if option[1] == "caption" else caption
            start += option.end()
            body = body[option.end() :]
        found.append(Block(match["language"].strip(), text.count("\n", 0, start) + 1, caption, body))
    return found


class Page:
    """A page as a session: variables, folder, and last exit code."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.name = path.relative_to(ROOT).as_posix()
        self.folder = folder / "page"
        self.folder.mkdir()
        self.programs = folder / "programs"
        self.namespace: dict = {"__name__": "__main__"}
        self.code = 0

    def run(self, block: Block) -> None:
        """Run a block, or check it against the project."""
        if block.caption is not None:
            (self.folder / block.caption).write_text(block.code, encoding="utf-8")
        elif block.language == "python":
            self.python(block)
        elif block.language == "console":
            self.console(block)
        elif block.language != "text":
            pytest.fail(f"{self.name} line {block.line}: nothing checks a block of {block.language!r}")

    def python(self, block: Block) -> None:
        """Run Python, as an interactive session if it has prompts."""
        if "import dask" in block.code:
            pytest.importorskip("dask")  # not every Python has a wheel of it
        if ">>>" in block.code:
            example = doctest.DocTestParser().get_doctest(
                block.code, self.namespace, f"{self.name} line {block.line}", str(self.path), block.line - 1
            )
            output: list[str] = []
            example.globs = self.namespace  # shared, so that later blocks continue from here
            runner = examples_shown.runner()
            runner.run(example, out=output.append, clear_globs=False)
            assert not runner.failures, "".join(output)
            return
        try:
            # The blank lines give tracebacks the page's line numbers.
            exec(compile("\n" * (block.line - 1) + block.code, str(self.path), "exec"), self.namespace)
        except Exception as error:
            pytest.fail(f"{self.name} line {block.line}: {type(error).__name__}: {error}\n\n{block.code}")

    def console(self, block: Block) -> None:
        """Run the commands of a block, and compare their output."""
        commands = commands_of(block)
        followed = [command for _, command, _ in commands[1:]]
        for (line, command, shown), after in itertools.zip_longest(commands, followed):
            where = f"{self.name} line {line}: $ {command}"
            words = shlex.split(command, comments=True)
            if words == ["echo", "$?"]:
                output = f"{self.code}\n"
            elif words[0] in RUN:
                output = self.execute(command)
                assert not self.code or after == "echo $?", f"{where} ends with {self.code}\n\n{output}"
            else:
                problem = CHECKED.get(words[0], unknown)(words)
                assert problem is None, f"{where}: {problem}"
                continue
            same = doctest.OutputChecker().check_output(shown, output, examples_shown.FLAGS)
            assert same or not shown, f"{where}\n\nshown:\n{shown}\nprinted:\n{output}"

    def execute(self, command: str) -> str:
        """Run a command in the page's folder, and return its output."""
        words = shlex.split(command, comments=True)
        if words[0] == "provably-fair" and not set(command) & set("|<>&;$`*?"):
            return self.run_here(words[1:])
        return self.execute_by_shell(command)

    def run_here(self, arguments: list[str]) -> str:
        """Run the package's command in this process, where the slow imports are already done."""
        written = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        known, path = set(sys.modules), sys.path[:]
        with contextlib.redirect_stdout(written), contextlib.redirect_stderr(written):
            self.code = run([*arguments])
        sys.path[:] = path
        for name in set(sys.modules) - known:  # the page's own games
            if str(self.folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]
        return written.buffer.getvalue().decode()

    def execute_by_shell(self, command: str) -> str:
        if os.name == "nt":
            pytest.skip("the page's commands are for a Unix shell")
        if not self.programs.exists():
            self.programs.mkdir()
            for name, options in RUN.items():
                program = self.programs / name
                program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {options} "$@"\n', encoding="utf-8")
                program.chmod(0o755)
        environment = {**os.environ, "COLUMNS": "90", "PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"}
        environment["PATH"] = f"{self.programs}{os.pathsep}{environment['PATH']}"
        environment.pop("PYTEST_ADDOPTS", None)
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=environment,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=240,
        )
        self.code = done.returncode
        return done.stdout


# Commands that are run with this Python and these options.
RUN = {"provably-fair": "-m provably_fair", "pytest": "-m pytest -p no:cacheprovider", "python": ""}


def commands_of(block: Block) -> list[tuple[int, str, str]]:
    """Return (line, command, expected output) for each command of a console block."""
    found: list[tuple[int, str, str]] = []
    continued = False
    for number, line in enumerate(block.code.splitlines(), block.line):
        if continued:
            start, command, shown = found.pop()
            found.append((start, command[:-1] + line.strip(), shown))
        elif line.startswith("$ "):
            found.append((number, line[2:], ""))
        elif found:
            start, command, shown = found.pop()
            found.append((start, command, f"{shown}{line}\n"))
        else:
            raise ValueError(f"line {number}: a console block starts with a command")
        continued = found[-1][1].endswith("\\") and not found[-1][2]
    return found


def check_make(words: list[str]) -> str | None:
    """Report targets that the Makefile lacks."""
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    wrong = [word for word in words[1:] if "=" not in word and word not in targets]
    return f"no target {wrong[0]}" if wrong else None


def check_pip(words: list[str]) -> str | None:
    """Report extras that the project lacks."""
    if words[1] != "install":
        return f"pip {words[1]} isn't known here"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for word in words[2:]:
        match = re.fullmatch(
            r"(?:\.|provably_fair|pytest|(?:dist/)?provably_fair-\S+\.whl)(?:\[([\w,]+)\])?", word
        )
        if not word.startswith("--") and match is None:
            return f"installs {word}"
        for extra in (match[1] or "").split(",") if match else ():
            if extra and extra not in project["optional-dependencies"]:
                return f"no extra {extra}"
    return None


def unknown(words: list[str]) -> str:
    """Report an unknown command."""
    return f"the tests don't know {words[0]}"


def nothing(words: list[str]) -> None:
    """Ignore a command."""


CHECKED = {"make": check_make, "pip": check_pip, "cd": nothing, "git": nothing}


def test_there_are_pages():
    assert ROOT / "README.md" in PAGES
    assert any(block.language == "python" for block in blocks_of((ROOT / "README.md").read_text("utf-8")))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_page(path, tmp_path, monkeypatch):
    page = Page(path, tmp_path)
    monkeypatch.chdir(page.folder)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    monkeypatch.setenv("COLUMNS", "90")
    monkeypatch.setenv("NO_COLOR", "1")
    text = path.read_text(encoding="utf-8")
    if "corpus/csgodouble" in text:
        shutil.copytree(CORPUS / "csgodouble", page.folder / "corpus" / "csgodouble")
    for block in blocks_of(text):
        page.run(block)


WRONG = {
    "python": (">>> 1 + 1\n3\n", "Expected"),
    "console": ("$ provably-fair seed --help\nsomething else\n", "printed"),
    "console ": ("$ make coffee\n", "no target coffee"),
    "console  ": ("$ pip install '.[coffee]'\n", "no extra coffee"),
    "console    ": ("$ provably-fair verify nothing.csv --game dice\n", "ends with 2"),
    "console   ": ("$ brew coffee\n", "don't know brew"),
    "yaml": ("a: 1\n", "nothing checks"),
}


@pytest.mark.parametrize("language", WRONG)
def test_a_wrong_block_fails(language, tmp_path):
    code, message = WRONG[language]
    (block,) = blocks_of(f"# A page\n\n```{language}\n{code}```\n")
    with pytest.raises((AssertionError, pytest.fail.Exception), match=message):
        Page(ROOT / "README.md", tmp_path).run(block)


def test_a_block_with_a_caption_is_a_file(tmp_path):
    text = "```{code-block} toml\n:caption: a.toml\n\na = 1\n```\n"
    (block,) = blocks_of(text)
    Page(ROOT / "README.md", tmp_path).run(block)
    assert (tmp_path / "page" / "a.toml").read_text() == "a = 1\n"


def test_every_extra_is_in_the_tables_of_extras():
    with open(ROOT / "pyproject.toml", "rb") as file:
        extras = set(tomllib.load(file)["project"]["optional-dependencies"])
    for page in ("README.md", "docs/start/install.md"):
        rows = [line for line in (ROOT / page).read_text("utf-8").splitlines() if line.startswith("|")]
        named = {name for row in rows for name in re.findall(r"`(\w+)`", row)}
        assert extras <= named, (page, extras - named)


def test_what_is_said_of_the_second_notebook_is_true():
    page = (ROOT / "docs/start/from_a_game_to_its_law.md").read_text("utf-8")
    notebook = (ROOT / "notebooks/02_ten_games.ipynb").read_text("utf-8")
    (rounds,) = set(re.findall(r"\d+_\d{3}", notebook))
    assert f"{int(rounds):,} simulated rounds" in page


def test_the_caption_of_the_first_picture_is_what_was_drawn():
    rounds = re.search(r"^ROUNDS = (\d+_\d+)$", (ROOT / "docs/draw_games.py").read_text("utf-8"), re.M)[1]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"{int(rounds):,} simulated rounds (black)" in readme
    assert "(docs/images/games.png)" in readme


# Longer words, such as hashes, can't be wrapped.
WIDTH, LONGEST_WORD = 76, 60


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_code_fits_its_column(path):
    for block in blocks_of(path.read_text(encoding="utf-8")):
        if block.caption is None or block.language == "python":
            lines = block.code.splitlines()
            assert lines[-1].strip(), f"line {block.line}: a block ends with an empty line"
            wide = [line for line in lines if len(line) > WIDTH]
            assert not [line for line in wide if max(map(len, line.split())) < LONGEST_WORD]
