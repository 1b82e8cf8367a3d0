"""The operator's side of provably fair play: seeds, secrets, commitments and the log."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from provably_fair._core.arguments import BadType, BadValue, encode_text, unbox
from provably_fair._core.lazy import Lister, lister_of
from provably_fair._core.printable import plain
from provably_fair._core.table import Sheet, Tabular, short, text_of
from provably_fair._core.types import Columns, Text
from provably_fair.games import Game
from provably_fair.games.rounds import rounds_of
from provably_fair.names import given_game
from provably_fair.seeds import Hash, HashChain
from provably_fair.seeds.commitments import new_seed
from provably_fair.seeds.rounds import commitment_of, is_seed, secret_of
from provably_fair.walkthrough import Walkthrough

__all__ = ["Round"]
__dir__: Lister = lister_of(__all__)

_MAX_SHOWN = 20
_GAMES = 10_000  # the length of a chain, after which another one begins


@dataclass(repr=False)
class _Secret:
    """The secret of rounds, hidden until they are over."""

    field: str
    value: Text
    hash: Hash | None
    """Its commitment."""
    commitment: str | None = None
    is_revealed: bool = False

    def __post_init__(self) -> None:
        self.commitment = self._commitment()

    def _commitment(self) -> str | None:
        return None if self.hash is None else str(self.hash.hexdigest(self.value))

    def reveal(self) -> Any:
        if self._commitment() != self.commitment:
            raise BadValue(self.field, "must be the one that was committed to, got another one")
        self.is_revealed = True
        return self.value


class Round:
    """A round that a `Session` played. Its secret, such as the salt, is hidden until `reveal`.

    Attributes
    ----------
    game : Game
        The game, with this round's parameters.
    commitment : str or None
        The hash that was published before the round: the SHA-256 of the salt, if salts are committed to; for
        other schemes the scheme's commitment; for a game hash the hash before it.
    outcome : numpy scalar or numpy.ndarray
        The outcome, as `Game.play` gives it.
    """

    def __init__(
        self, game: Game, fields: Mapping[str, object], secret: _Secret, parameters: dict[str, int]
    ) -> None:
        self.game = game
        self.commitment: str | None = secret.commitment
        self._fields = fields
        self._secret = secret
        self._parameters = parameters
        all_fields: dict[str, Any] = {**fields, secret.field: secret.value}
        self.outcome: Any = game.play(**all_fields)

    def __repr__(self) -> str:
        secret = f"{_words(self._secret.field)} {self._shown()}"
        return f"<Round of {type(self.game).__name__}: {short(self.outcome, 80)}, {secret}>"

    def __str__(self) -> str:
        return self._sheet().text()

    def _repr_html_(self) -> str:
        return self._sheet().html()

    def _sheet(self) -> Sheet:
        rows = [("outcome", str(self.outcome.tolist()))]
        rows += [(_words(name), plain(str(value))) for name, value in self._fields.items()]
        rows += [(_words(self._secret.field), self._shown())]
        rows += [("commitment", self.commitment)] if self.commitment else []
        return Sheet(f"Round of {self.game!r}", ("", ""), rows, "l")

    def _shown(self) -> str:
        return plain(self._secret.value) if self._secret.is_revealed else "hidden"

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of the scheme by name; the secret one is None before `reveal`."""
        hidden = self._secret.value if self._secret.is_revealed else None
        known = {**self._fields, self._secret.field: hidden}
        return {name: known.get(name) for name in self.game.scheme.fields}

    @property
    def server_seed(self) -> Text | None:
        """The server seed; None if there is none, or if it is secret and not yet revealed."""
        return self.fields.get("server_seed")

    @property
    def client_seed(self) -> Text | None:
        """The client seed; None if there is none."""
        return self.fields.get("client_seed")

    @property
    def salt(self) -> Text | None:
        """The salt; None if there is none, or before `reveal`."""
        return self.fields.get("salt")

    def reveal(self) -> Any:
        """Reveal the secret (the salt, the server seed or the game hash), and check its commitment.

        Returns
        -------
        str or bytes
            The secret. A revealed server seed isn't used again.

        Raises
        ------
        ValueError
            When the secret isn't the one that was committed to.

        Examples
        --------
        >>> import provably_fair as pf
        >>> one = pf.Session(pf.Dice(), commit_salts=True).play()
        >>> one.salt is None
        True
        >>> pf.commitment(one.reveal()) == one.commitment
        True
        """
        return self._secret.reveal()

    def explain(self) -> Walkthrough:
        """Return the walk-through of the round, once its secret is revealed.

        Returns
        -------
        Walkthrough
            See `Game.explain`.

        Raises
        ------
        ValueError
            When the secret is still hidden.

        Examples
        --------
        >>> import provably_fair as pf
        >>> one = pf.Session(pf.Dice()).play()
        >>> salt = one.reveal()
        >>> one.explain().salt == salt, bool(one.explain().outcome == one.outcome)
        (True, True)
        """
        if not self._secret.is_revealed:
            raise BadValue(self._secret.field, "must be revealed before it is explained: call reveal()")
        return self.game.explain(**self.fields)


class Session(Tabular):
    """An operator's session with one player, for tests and simulations.

    In the salted scheme, server seed and client seed are public, and every round has a fresh salt, hidden
    until it is revealed. In a scheme with a nonce, the server seed is hidden, the nonce counts its rounds
    from 0, and a revealed seed is replaced by a fresh one. In a scheme with game hashes, the rounds are those
    of a chain, each hash hidden until it is revealed. `log` has the revealed rounds, for `verify`.

    Parameters
    ----------
    game : Game or str
        The game, or its name: "stake.dice", "mines:mines=5".
    server_seed, client_seed : str or bytes, optional
        The first seeds; fresh ones by default. Multi-player games refuse them: their seeds are constant.
    commit_salts : bool
        Whether to publish the SHA-256 of each salt before the round (`Session.commitment`). The document of
        the salted scheme doesn't. Without it, nobody can tell whether the operator tried several salts.
        Server seeds are committed to as the scheme says.

    Examples
    --------
    >>> import provably_fair as pf
    >>> session = pf.Session(pf.Dice(), client_seed="my lucky seed", commit_salts=True)
    >>> published = session.commitment
    >>> one = session.play()
    >>> one.salt is None
    True
    >>> salt = one.reveal()
    >>> pf.check_commitment(salt, published)
    True
    >>> bool(pf.Dice().play(session.server_seed, "my lucky seed", salt) == one.outcome)
    True
    >>> sorted(session.log())
    ['client_seed', 'outcome', 'salt', 'salt_commitment', 'server_seed']
    """

    def __init__(
        self,
        game: Game | str,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        commit_salts: bool = False,
    ) -> None:
        self.game: Game = given_game("game", game)
        game = self.game
        self.rounds: list[Round] = []
        self._field = secret_of(game.scheme)
        constant = dict(zip(("server_seed", "client_seed"), rounds_of(game).constant or (), strict=False))
        seeds: dict[str, Any] = {}
        for name, seed in (("server_seed", server_seed), ("client_seed", client_seed)):
            if name in constant or name not in game.scheme.fields:
                self._refuse(name, seed)
            else:
                seeds[name] = _seed(name, seed)
        for name in filter(is_seed, game.scheme.fields):  # further seeds of other schemes
            if name not in constant:
                seeds.setdefault(name, new_seed())
        first = seeds.pop(self._field, None)
        self._open = constant | seeds
        self._hash = self._hash_of_commitments(commit_salts)
        self._hashes: list[str] = []
        self._nonce = 0
        self._secret = self._fresh_secret() if first is None else self._secret_of(first)

    def _hash_of_commitments(self, commit_salts: bool) -> Hash | None:
        """Return the hash that commits to the secrets; None if there is none."""
        if self._field == "salt":
            return Hash("sha256", "{salt}") if commit_salts else None
        if commit_salts:
            raise BadValue("commit_salts", f"isn't supported here: the secret is the {_words(self._field)}")
        return commitment_of(self.game.scheme)

    def _secret_of(self, value: Text) -> _Secret:
        return _Secret(self._field, value, self._hash)

    def _fresh_secret(self) -> _Secret:
        if self._field != "game_hash":
            return self._secret_of(new_seed())
        if not self._hashes:
            games = HashChain().generate(new_seed(), _GAMES)
            self._hashes = [game.decode() for game in games[::-1].tolist()]
        return self._secret_of(self._hashes.pop())

    def __repr__(self) -> str:
        open_seeds = (("server_seed", self.server_seed), ("client_seed", self.client_seed))
        seeds = [f", {_words(name)} {plain(value, 16)}" for name, value in open_seeds if value is not None]
        return f"<Session of {type(self.game).__name__}: {len(self.rounds)} rounds{''.join(seeds)}>"

    def _sheet(self) -> Sheet:
        varying = [name for name in self.game.scheme.fields if self._varies(name)]
        committed = self._hash is not None
        columns = ["round", "outcome", *map(_words, varying)]
        columns += [f"commitment of the {_words(self._field)}"] if committed else []
        rows = []
        for number, played in enumerate(self.rounds):
            fields = played.fields
            cells = ["hidden" if fields[name] is None else plain(str(fields[name])) for name in varying]
            cells += [played.commitment or ""] if committed else []
            rows.append([str(number), short(played.outcome), *cells])
        seeds = [f"{_words(name)} {plain(value, 64)}" for name, value in self._open.items()]
        left = len(rows) - _MAX_SHOWN
        more = [f"{left} earlier rounds are left out"] if left > 0 else []
        title = f"Session of {self.game!r}: {len(rows)} rounds"
        return Sheet(title, columns, rows[-_MAX_SHOWN:], "rrl", None, (*seeds, *more))

    def _varies(self, name: str) -> bool:
        """Return whether a field usually differs by round; constant seeds are shown once."""
        return name not in self._open and name not in self.game.scheme.defaults

    def _columns(self) -> Columns:
        """Columns of all rounds, with secrets hidden."""
        return self._columns_of(self.rounds)

    def _columns_of(self, rounds: Sequence[Round]) -> dict[str, Any]:
        """Return fields, outcomes, commitments and parameters of rounds as lists."""
        fields = [played.fields for played in rounds]
        columns: dict[str, Any] = {
            name: [text_of(one[name]) for one in fields] for name in self.game.scheme.fields
        }
        columns["outcome"] = [played.outcome.tolist() for played in rounds]
        if column := self._commitment_column():
            columns[column] = [played.commitment for played in rounds]
        for name in sorted({name for played in rounds for name in played._parameters}):
            columns[name] = [getattr(played.game, name) for played in rounds]
        return columns

    def _commitment_column(self) -> str | None:
        """Return the name of the commitments in logs; None for a chain, where hashes commit to each other."""
        named = {"salt": "salt_commitment", "server_seed": "commitment"}
        return None if self._hash is None else named.get(self._field)

    @property
    def server_seed(self) -> Text | None:
        """The server seed if it is public; None if it is hidden or there is none."""
        return self._open.get("server_seed")

    @property
    def client_seed(self) -> Text | None:
        """The player's seed; None if there is none. Set it at any time for the following rounds."""
        return self._open.get("client_seed")

    @client_seed.setter
    def client_seed(self, value: Text) -> None:
        if self.game.multiplayer or "client_seed" not in self._open:
            self._refuse("client_seed", value)
        self._open["client_seed"] = _seed("client_seed", value)

    @property
    def commitment(self) -> str | None:
        """The hash published before the next round: of its salt, server seed or game hash.

        None if salts aren't committed to, or if the scheme has no commitment.
        """
        return self._next().commitment

    def _next(self) -> _Secret:
        """Return the secret of the next round, never one that was revealed."""
        if self._secret.is_revealed:
            self._secret, self._nonce = self._fresh_secret(), 0
        return self._secret

    def rotate_server_seed(self) -> Any:
        """Replace the server seed by a fresh one.

        Returns
        -------
        str
            If server seeds are public, the new one. If they are hidden, the previous one, which is revealed.

        Examples
        --------
        >>> import provably_fair as pf
        >>> session = pf.Session(pf.Dice(), server_seed="the first one")
        >>> fresh = session.rotate_server_seed()
        >>> fresh == session.server_seed, fresh == "the first one"
        (True, False)
        """
        if self.game.multiplayer:
            raise BadValue("server_seed", f"must stay: the seeds of {type(self.game).__name__} are constant")
        if self._field == "server_seed":
            return self._next().reveal()
        if "server_seed" not in self._open:
            raise BadValue("server_seed", f"must be a field of the scheme of {self.game!r} to be replaced")
        self._open["server_seed"] = new_seed()
        return self._open["server_seed"]

    def play(self, **parameters: object) -> Round:
        """Play a round.

        Parameters
        ----------
        **parameters
            Parameters of this round; see `Game.play`: ``tickets`` of Jackpot, ``pins`` of Plinko. Also
            fields of the scheme other than seeds, salt, nonce and game hash.

        Returns
        -------
        Round
            The round, its secret still hidden.

        Examples
        --------
        >>> import provably_fair as pf
        >>> session = pf.Session(pf.Jackpot())
        >>> one = session.play(tickets=1)  # so the ticket is 1
        >>> int(one.outcome), one.salt is None
        (1, True)
        """
        scheme, secret = self.game.scheme, self._next()
        values = dict(self._open)
        if "nonce" in scheme.fields:
            values["nonce"] = self._nonce
        given = {name: parameters.pop(name) for name in list(parameters) if name in scheme.fields}
        for name in given:
            if name in values or name == self._field:
                raise BadType(name, "isn't supported with a session, which makes it")
        game = self.game.with_parameters(**parameters)
        chosen = {name: getattr(game, name) for name in parameters}
        played = Round(game, {**scheme.defaults, **values, **given}, secret, chosen)
        self._nonce += 1
        if self._field != "server_seed" or "nonce" not in scheme.fields:
            self._secret = self._fresh_secret()
        self.rounds.append(played)
        return played

    def reveal(self) -> Any:
        """Reveal the secrets of all rounds played so far.

        Returns
        -------
        str or bytes
            The salt, server seed or game hash of the latest round.

        Raises
        ------
        ValueError
            When no round was played, or a secret isn't the one that was committed to.

        Examples
        --------
        >>> import provably_fair as pf
        >>> session = pf.Session(pf.Dice())
        >>> first, second = session.play(), session.play()
        >>> session.reveal() == second.salt, first.salt is None
        (True, False)
        """
        if not self.rounds:
            raise BadValue("rounds", f"must have been played before a {_words(self._field)} can be revealed")
        for played in self.rounds:
            played.reveal()
        return self.rounds[-1].reveal()

    def log(self) -> dict[str, Any]:
        """Return the revealed rounds as columns, for `verify`.

        If outcomes are single values, the columns also make a data frame. All seeds are text, even those
        given as bytes, so they survive a round trip through a file. Before a reveal the log is empty, and a
        warning says why.

        Returns
        -------
        dict
            The fields of the scheme, ``server_seed``, ``client_seed``, ``salt`` and so on: lists of N values;
            ``outcome``: an array of shape (N,) + the game's shape; ``salt_commitment``, where salts are
            committed, or ``commitment``, where server seeds are: a list; and a column for every parameter
            that some round was given.

        Examples
        --------
        >>> import provably_fair as pf
        >>> session = pf.Session(pf.Mines(mines=5))
        >>> rounds = [session.play() for _ in range(3)]
        >>> salt = session.reveal()
        >>> log = session.log()
        >>> log["outcome"].shape, pf.verify(log, pf.Mines(mines=5)).ok
        ((3, 5), True)
        """
        rounds = [played for played in self.rounds if played._secret.is_revealed]
        if self.rounds and not rounds:
            warnings.warn(
                f"the log is empty: {len(self.rounds)} rounds were played, and nothing of them is revealed "
                "yet; reveal() shows what was hidden",
                stacklevel=2,
            )
        log = self._columns_of(rounds)
        log["outcome"] = np.array(log["outcome"], self.game.dtype).reshape(len(rounds), *self.game.shape)
        for name in {name for played in rounds for name in played._parameters}:
            log[name] = np.array(log[name], np.int64)
        return log

    def _refuse(self, name: str, seed: object) -> None:
        if seed is None:
            return
        cls = type(self.game).__name__
        if self.game.multiplayer:
            raise BadValue(name, f"isn't supported with {cls}, a multi-player game with constant seeds")
        raise BadValue(name, f"isn't supported with {cls}, whose scheme has no such field")


def _words(field: str) -> str:
    return field.replace("_", " ")


def _seed(name: str, seed: Any) -> Text:
    """Return a checked seed, or a fresh one for None."""
    if seed is None:
        return new_seed()
    encode_text(name, seed)
    seed = unbox(seed)
    return bytes(seed) if isinstance(seed, bytes) else str(seed)
