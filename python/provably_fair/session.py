"""The operator's side: seeds, salts that stay hidden until the end of a round, and the log."""

from __future__ import annotations

from typing import Any

import numpy as np

from provably_fair._core.arguments import Text, encode_text, unbox
from provably_fair._core.printable import plain
from provably_fair._core.table import Sheet, Tabular, short
from provably_fair.games import Game
from provably_fair.seeds.commitments import check_commitment, commitment, new_seed
from provably_fair.walkthrough import Walkthrough

__all__ = ["Round", "Session"]

_MAX_SHOWN = 20


class Round:
    """A round that a `Session` played. Its salt is hidden until `reveal`.

    Attributes
    ----------
    game : Game
        The game, with this round's parameters.
    server_seed, client_seed : str or bytes
        The open seeds.
    commitment : str or None
        SHA-256 of the salt, where salts are committed.
    outcome : numpy scalar or numpy.ndarray
        The outcome, as `Game.play` gives it.
    """

    def __init__(
        self,
        game: Game,
        server_seed: Text,
        client_seed: Text,
        salt: str,
        commitment: str | None,
        parameters: dict[str, int],
    ) -> None:
        self.game = game
        self.server_seed = server_seed
        self.client_seed = client_seed
        self.commitment = commitment
        self.outcome = game.play(server_seed, client_seed, salt)
        self._salt = salt
        self._revealed = False
        self._parameters = parameters

    def __repr__(self) -> str:
        salt = self.salt if self._revealed else "hidden"
        return f"<Round of {type(self.game).__name__}: {short(self.outcome, 80)}, salt {salt}>"

    def __str__(self) -> str:
        return self._sheet().text()

    def _repr_html_(self) -> str:
        return self._sheet().html()

    def _sheet(self) -> Sheet:
        rows = [("outcome", str(self.outcome.tolist()))]
        rows += [("server seed", plain(self.server_seed)), ("client seed", plain(self.client_seed))]
        rows += [("salt", self.salt or "hidden")]
        rows += [("commitment", self.commitment)] if self.commitment else []
        return Sheet(f"Round of {self.game!r}", ("", ""), rows, "l")

    @property
    def salt(self) -> str | None:
        """The salt, or None before `reveal`."""
        return self._salt if self._revealed else None

    def reveal(self) -> str:
        """Show the salt; where salts are committed, check it against the commitment.

        Returns
        -------
        str
            The salt.

        Raises
        ------
        ValueError
            When the salt isn't the one that was committed to.

        Examples
        --------
        >>> import provably_fair as pf
        >>> one = pf.Session(pf.Dice(), commit_salts=True).play()
        >>> one.salt is None
        True
        >>> pf.commitment(one.reveal()) == one.commitment
        True
        """
        if self.commitment is not None and not check_commitment(self._salt, self.commitment):
            raise ValueError("salt must be the one that was committed to, got another one")
        self._revealed = True
        return self._salt

    def explain(self) -> Walkthrough:
        """Return the walk-through of the round, once its salt is revealed.

        Returns
        -------
        Walkthrough
            See `Game.explain`.

        Raises
        ------
        ValueError
            When the salt is still hidden.

        Examples
        --------
        >>> import provably_fair as pf
        >>> one = pf.Session(pf.Dice()).play()
        >>> salt = one.reveal()
        >>> one.explain().salt == salt, bool(one.explain().outcome == one.outcome)
        (True, True)
        """
        if not self._revealed:
            raise ValueError("salt must be revealed before the round can be explained: call reveal()")
        return self.game.explain(self.server_seed, self.client_seed, self._salt)


class Session(Tabular):
    """An operator's session with one player, for tests and simulations.

    Server seed and client seed are open. Every round has a fresh salt, which is hidden until it is
    revealed; `log` has the revealed rounds, ready for `verify`.

    Parameters
    ----------
    game : Game
        The game that is played.
    server_seed, client_seed : str or bytes, optional
        The first seeds; fresh ones by default. Multi-player games refuse them: their seeds are constant.
    commit_salts : bool
        Whether to publish the SHA-256 of each salt before the round (`Session.commitment`). The scheme's
        document doesn't do this. Without it, nobody can see whether the operator tried several salts.

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
        game: Game,
        server_seed: Text | None = None,
        client_seed: Text | None = None,
        commit_salts: bool = False,
    ) -> None:
        if not isinstance(game, Game):
            raise TypeError(f"game must be a game such as Mines(), got {type(game).__name__}")
        self.game = game
        self.rounds: list[Round] = []
        if game.constant_seeds is not None:
            self._refuse("server_seed", server_seed)
            self._refuse("client_seed", client_seed)
            self._server_seed: Text
            self._client_seed: Text
            self._server_seed, self._client_seed = game.constant_seeds
        else:
            self._server_seed = _seed("server_seed", server_seed)
            self._client_seed = _seed("client_seed", client_seed)
        self._committed = bool(commit_salts)
        self._next_salt = new_seed()

    def __repr__(self) -> str:
        seeds = f"server seed {plain(self._server_seed, 16)}, client seed {plain(self._client_seed, 16)}"
        return f"<Session of {type(self.game).__name__}: {len(self.rounds)} rounds, {seeds}>"

    def _sheet(self) -> Sheet:
        columns = ["round", "outcome", "salt", *(["commitment of the salt"] if self._committed else [])]
        rows = [
            [str(number), short(played.outcome), played.salt or "hidden", played.commitment or ""][
                : len(columns)
            ]
            for number, played in enumerate(self.rounds)
        ]
        seeds = f"server seed {plain(self._server_seed, 64)}", f"client seed {plain(self._client_seed, 64)}"
        left = len(rows) - _MAX_SHOWN
        more = (f"{left} earlier rounds are left out",) if left > 0 else ()
        title = f"Session of {self.game!r}: {len(rows)} rounds"
        return Sheet(title, columns, rows[-_MAX_SHOWN:], "rrl", None, (*seeds, *more))

    def _columns(self) -> dict[str, Any]:
        """Columns of all rounds, those whose salt is hidden among them."""
        columns: dict[str, Any] = {
            "server_seed": [played.server_seed for played in self.rounds],
            "client_seed": [played.client_seed for played in self.rounds],
            "salt": [played.salt for played in self.rounds],
            "outcome": [played.outcome.tolist() for played in self.rounds],
        }
        if self._committed:
            columns["salt_commitment"] = [played.commitment for played in self.rounds]
        for name in sorted({name for played in self.rounds for name in played._parameters}):
            columns[name] = [getattr(played.game, name) for played in self.rounds]
        return columns

    @property
    def server_seed(self) -> Text:
        """The server seed, open to the player."""
        return self._server_seed

    @property
    def client_seed(self) -> Text:
        """The player's seed; set it at any time for the rounds to come."""
        return self._client_seed

    @client_seed.setter
    def client_seed(self, value: Text) -> None:
        if self.game.multiplayer:
            self._refuse("client_seed", value)
        self._client_seed = _seed("client_seed", value)

    @property
    def commitment(self) -> str | None:
        """SHA-256 of the next round's salt, to be seen before the bet; None where salts aren't committed."""
        return commitment(self._next_salt) if self._committed else None

    def rotate_server_seed(self) -> str:
        """Replace the server seed by a fresh one.

        Returns
        -------
        str
            The new server seed: it is open at once.

        Examples
        --------
        >>> import provably_fair as pf
        >>> session = pf.Session(pf.Dice(), server_seed="the first one")
        >>> fresh = session.rotate_server_seed()
        >>> fresh == session.server_seed, fresh == "the first one"
        (True, False)
        """
        if self.game.multiplayer:
            raise ValueError(
                f"server_seed must stay: {type(self.game).__name__} has the constant seeds of BLOCK_HASHES"
            )
        self._server_seed = new_seed()
        return self._server_seed

    def play(self, **parameters: int) -> Round:
        """Play a round.

        Parameters
        ----------
        **parameters
            Parameters of this round; see `Game.play`: ``tickets`` of Jackpot, ``pins`` of Plinko.

        Returns
        -------
        Round
            The round, its salt still hidden.

        Examples
        --------
        >>> import provably_fair as pf
        >>> session = pf.Session(pf.Jackpot())
        >>> one = session.play(tickets=1)  # so the ticket is 1
        >>> int(one.outcome), one.salt is None
        (1, True)
        """
        game = self.game.with_parameters(**parameters)
        played = Round(
            game,
            self._server_seed,
            self._client_seed,
            self._next_salt,
            self.commitment,
            {name: getattr(game, name) for name in parameters},
        )
        self._next_salt = new_seed()
        self.rounds.append(played)
        return played

    def reveal(self) -> str:
        """Show the salts of all rounds played so far.

        Returns
        -------
        str
            The salt of the latest round.

        Raises
        ------
        ValueError
            When no round was played, or a salt isn't the one that was committed to.

        Examples
        --------
        >>> import provably_fair as pf
        >>> session = pf.Session(pf.Dice())
        >>> first, second = session.play(), session.play()
        >>> session.reveal() == second.salt, first.salt is None
        (True, False)
        """
        if not self.rounds:
            raise ValueError("rounds must have been played before a salt can be revealed")
        for played in self.rounds:
            played.reveal()
        return self.rounds[-1].reveal()

    def log(self) -> dict[str, Any]:
        """Return the revealed rounds as columns, for `verify`.

        Where outcomes are single values, the columns make a data frame as well.

        Returns
        -------
        dict
            ``server_seed``, ``client_seed`` and ``salt``: lists of N seeds; ``outcome``: an array of
            shape (N,) + the game's shape; ``salt_commitment``: a list, where salts are committed; and a
            column for every parameter that some round was given.

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
        rounds = [played for played in self.rounds if played.salt is not None]
        log: dict[str, Any] = {
            "server_seed": [played.server_seed for played in rounds],
            "client_seed": [played.client_seed for played in rounds],
            "salt": [played.salt for played in rounds],
            "outcome": np.array([played.outcome for played in rounds], dtype=self.game.dtype).reshape(
                len(rounds), *self.game.shape
            ),
        }
        if self._committed:
            log["salt_commitment"] = [played.commitment for played in rounds]
        for name in sorted({name for played in rounds for name in played._parameters}):
            log[name] = np.array([getattr(played.game, name) for played in rounds], dtype=np.int64)
        return log

    def _refuse(self, name: str, seed: object) -> None:
        if seed is not None:
            raise ValueError(
                f"{name} must be left out: {type(self.game).__name__} is a multi-player game "
                "with the constant seeds of BLOCK_HASHES"
            )


def _seed(name: str, seed: Any) -> Text:
    """Return one checked seed; a fresh one for None."""
    if seed is None:
        return new_seed()
    seed = unbox(seed)
    encode_text(name, seed)
    return bytes(seed) if isinstance(seed, bytes) else str(seed)
