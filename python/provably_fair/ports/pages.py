"""The page on which players verify rounds: one HTML file, made from games."""

from __future__ import annotations

import hashlib
import os
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from provably_fair._core.arguments import BadValue, check_type
from provably_fair._core.files import write_beside
from provably_fair._core.printable import plain
from provably_fair.games import Game
from provably_fair.games.naming import title_of, typed_name
from provably_fair.games.parameters import choices_of, parameters_of
from provably_fair.names import given_game, named_games
from provably_fair.operators.published import rounds
from provably_fair.operators.registry import LISTED

from .modules import name_of, refusal_of, script_of
from .texts import json_of, read


def page(
    games: Game | str | Iterable[Game | str], path: str | os.PathLike[str], *, title: str | None = None
) -> Path:
    """Write the page on which players verify rounds of games: one HTML file.

    A player enters what was revealed of a round, and sees its outcome, with a picture and every step, whether
    the seed is the one that was committed to, and whether a game's hash lies on its chain. Several rounds are
    checked as CSV. The file opens from disk or from any server, and sends nothing: its content security
    policy allows no request.

    Parameters
    ----------
    games : Game, str, or iterable of them
        A game or its name, such as ``"stake.mines"``, or several; ``"all"`` for the games of all operators.
        The page starts with the first, and with a game's own parameters, which players may change.
    path : path
        The file, such as ``verify.html``, which is replaced if it is there.
    title : str, optional
        The title, by default "Verify a round", with the game if there is one.

    Returns
    -------
    pathlib.Path
        The file.

    Raises
    ------
    ValueError
        When a game can't be ported, with the reason; of ``"all"`` these games are named on the page.

    See Also
    --------
    javascript : A game as a module of its own.

    Notes
    -----
    A link may name a game and its fields behind ``#``, which browsers send to no server:
    ``verify.html#stake.dice?server_seed=...&client_seed=...&nonce=1``.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pf.ports.page("stake.dice", f"{folder}/verify.html")
    ...     print(file.name, "<title>Verify a round of Stake" in file.read_text("utf-8"))
    verify.html True
    """
    check_type("path", path, str | os.PathLike, "a path")
    check_type("title", title, str | None, "a text")
    chosen, left_out = _chosen(games)
    if title is None:
        title = "Verify a round"
        if len(chosen) == 1:
            title += f" of {title_of(chosen[0]) or type(chosen[0]).__name__}"
    file = Path(path)
    text = _page(plain(title, None).replace('\\"', '"'), chosen, left_out)
    with write_beside(file) as part:
        part.write_text(text, encoding="utf-8", newline="\n")
    return file


def _chosen(games: Any) -> tuple[list[Game], dict[str, str]]:
    """Return the games of a page, and the reasons of those that "all" leaves out, by their names."""
    if games == "all":
        every = [game for operator in LISTED for game in named_games(operator).values()]
        reasons = {typed_name(game): refusal_of(game) for game in every}
        left_out = {name: reason for name, reason in reasons.items() if reason is not None}
        return [game for game in every if typed_name(game) not in left_out], left_out
    if isinstance(games, (Game, str, type)) or not isinstance(games, Iterable):
        games = [games]
    games = [*games]
    if any(isinstance(game, str) and game == "all" for game in games):
        raise BadValue("games", 'must be "all" alone, or games')
    chosen = [given_game("games", game) for game in games]
    if not chosen:
        raise BadValue("games", "must have a game, got none")
    for name, count in Counter(map(name_of, chosen)).items():
        if count > 1:
            raise BadValue("games", f"must be of different names, got {name} {count} times")
    for game in chosen:
        if (reason := refusal_of(game)) is not None:
            raise BadValue("games", f"must be games that can be ported, and {game!r} can't: {reason}")
    return chosen, {}


def _page(title: str, games: Sequence[Game], left_out: dict[str, str]) -> str:
    """Return the text of a page."""
    examples = [_example(game) for game in games]
    data = f"const EXAMPLES = {json_of(examples)};\nconst LEFT_OUT = {json_of([*left_out.items()])};\n"
    # A block, so that the names of the page stay apart from those of the games
    script = f"{script_of(games)}\n{{\n{data}{read('pictures.js')}{read('page.js')}}}\n"
    style = read("page.css")
    policy = (
        f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {"policy": policy, "title": escape(title), "style": style, "script": script}
    return re.sub(r"%(policy|title|style|script)%", lambda found: parts[found[1]], read("page.html"))


def _hash(text: str) -> str:
    """Return the source of a policy that allows this text alone."""
    return f"'sha256-{b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _example(game: Game) -> dict[str, Any] | None:
    """Return the fields and parameters of a published round of a game, if there is one."""
    for one in rounds(game):
        if one.game.scheme == game.scheme:
            chosen = (*parameters_of(game), *choices_of(game))
            return {**one.fields, **{name: getattr(one.game, name) for name in chosen}}
    return None
