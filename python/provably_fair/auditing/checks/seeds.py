"""Choice of seeds: client seeds, rotations, salts."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.printable import counted
from provably_fair._core.tails import log_bound
from provably_fair._engine import Pairs, joined_fingerprints
from provably_fair.games import Game, rounds_of
from provably_fair.sources.foreign import cell
from provably_fair.verification import VerificationReport
from provably_fair.verification.systems import COMMITMENT, FIELD, Rows

from ..check import Check, Context
from ..finding import KEPT_ROWS, Finding, Severity
from ..records import Records, whole
from ..sums import FirstRows, Groups, How, words
from .weak import Values, sample_of, states_of
from .wording import facts, hex_names, several_values

_FEWEST_ROTATIONS = 20
# Players who change their seed after one or two bets reach 69 % in 2,000 honest logs.
_MANY_ROTATIONS = 0.75
# Rows of one game of several, by players who change their seed after one or two bets: 96 % of one in ten.
_MANY_OF_TWO = 0.98
_CANDIDATES = 32
_CONTROLS = 20
_NAMES = 1 << 16
"""The largest number of players with a pair of seeds whose nonces are kept."""
_UNCOUNTED = np.iinfo(np.int64).min
"""The nonce of a row without one."""


class _NonceRange(NamedTuple):
    """The lowest and the highest nonce of a player with a pair of seeds."""

    low: int
    high: int
    client: tuple[int, int]
    player: tuple[int, int]


_DERIVED = {
    1: (
        "client_seed_from_server",
        "{n} row[|s] [has|have] a client seed made from the server seed or its hash (first: row {first}): "
        "the player didn't choose it.",
    ),
    2: (
        "server_seed_from_client",
        "{n} row[|s] [has|have] a server seed that is a hash of the client seed (first: row {first}): "
        "whoever knows the client seed knows the outcome.",
    ),
}
"""Kinds and texts by the codes of `Records.derived`."""
_EMPTY = (
    "{n} row[|s] [has|have] no client seed (first: row {first}): the operator alone decided.",
    "{n} row[|s] [has|have] no client seed (first: row {first}): the operator alone decided, as the "
    "scheme allows.",
)
"""For schemes whose client seeds must not be empty, and for others."""
_IGNORED = (
    "{n} of {wrong:,} wrong outcomes [is|are] right with an empty client seed: "
    "the player's seed was ignored.",
    "{n} of {wrong:,} wrong outcomes [is|are] right with the client seed {seed}: "
    "the player's seed was ignored.",
)
"""For an empty client seed, and for one of another row."""


def checks(context: Context) -> list[Check]:
    """Return the checks of this subject."""
    fields = set(context.fields)
    found: list[Check] = []
    if {"server_seed", "client_seed"} <= fields and not context.system.shared:
        found += [Clients(context), Ignored(context)]
    for name, one in (context.system.games or {"": context.system}).items():
        constant = rounds_of(one.game).constant if isinstance(one.game, Game) else None
        if constant is not None:
            found.append(Replaced(constant, name))
    if {"server_seed", "nonce"} <= fields:
        found.append(Rotation(context))
    if "server_seed" in fields:
        found.append(Values("server_seed", context.seed))
        each = [(one, {field.name for field in one.fields}) for one in context.systems]
        if not any(one.shared or {"server_seed", "salt"} <= own for one, own in each):
            found.append(Players(context))
    if {"server_seed", "salt"} <= fields:
        found.append(Values("salt", context.seed))
    return found


class Clients(Check):
    """Client seeds that are empty or shared by server seeds, and seeds that are derived from each other.

    And server seeds that are empty, where nothing else is secret.
    """

    state = ("_empty", "_open", "_derived", "_shared")

    def __init__(self, context: Context) -> None:
        schemes = [one.scheme for one in context.systems if one.scheme is not None]
        self._may_be_empty = any(scheme.defaults.get("client_seed") == "" for scheme in schemes)
        games, have = context.system.games, context.games_with("client_seed")
        # Rounds that players share have a client seed of the game, which the log needn't have.
        self._games = None if have is None else [name for name in have if not games[name].shared]
        self._empty = FirstRows()
        needed = {field.name for field in context.system.fields if field.needed}
        self._alone = have is None and "server_seed" in needed and "salt" not in context.fields
        self._alone &= context.system.beacon is None
        self._open = FirstRows()  # rows that are right with an empty server seed
        self._derived = {which: FirstRows() for which in _DERIVED}
        self._shared = sample_of(context.seed)

    def update(self, records: Records) -> None:
        sets = records.sets("client_seed", "server_seed")
        keys = [records.prints(sets, name) for name in ("client_seed", "server_seed")]
        clients, servers = keys
        if records.has(COMMITMENT):
            keys.append(records.prints(sets, COMMITMENT, hexadecimal=True))
        empty = (clients[:, 0] == 0) & (servers[:, 0] != 0)
        derived = records.derived(sets.firsts, keys)
        if empty.any():
            self._empty.add(records.places[sets.spread(empty) & records.of_games(self._games)])
        if self._alone and not servers[:, 0].all():
            right = sets.spread(servers[:, 0] == 0) & ~records.unplayed
            right[records.unrevealed] = False
            self._open.add(records.places[right])
        for one, found in self._derived.items():
            if (derived == one).any():
                found.add(records.places[sets.spread(derived == one)])
        self._shared.extend(clients, sets.first(records.places), servers)

    def findings(self, verified: VerificationReport) -> list[Finding]:
        text = _EMPTY[self._may_be_empty]
        severity: Severity = "note" if self._may_be_empty else "proof"
        made = facts("client_seed_empty", severity, text, self._empty, "client_seed")
        text = (
            "{n} row[|s] [has|have] an empty server seed (first: row {first}): whoever knows the client seed "
            "knows the outcome."
        )
        made += facts("server_seed_low_entropy", "evidence", text, self._open, "server_seed")
        for which, (kind, text) in _DERIVED.items():
            made += facts(kind, "proof", text, self._derived[which], "client_seed", "server_seed")
        states = states_of(self._shared)
        shared = [one.another for one in states if one.another is not None]
        text = (
            "{n} client seed[|s] [comes|come] with several server seeds (first: row {first}): whoever knows "
            "a client seed beforehand can choose the server seed by it."
        )
        figure = {"client_seeds": len(shared), "looked_at": len(states)}
        return made + facts("client_seed_shared", "note", text, shared, "client_seed", figure=figure)


class Players(Check):
    """Server seeds that serve several players.

    A renamed player continues with both seeds and the next nonce, which nobody else does. Names that differ
    in capitals or in spaces around them are no proof of two players.
    """

    state = ("_players", "_names")

    def __init__(self, context: Context) -> None:
        seeds = (f"{seed}_{word}" for seed in ("server", "client", "player") for word in (0, 1))
        how: dict[str, How] = {"low": "min", "high": "max", **dict.fromkeys(seeds, "min")}
        self._names = Groups(how, _NAMES)
        """The lowest and the highest nonce of each player with each pair of seeds."""
        self._folded = "server_seed" in hex_names(context)
        self._players = Pairs()
        self._threads = context.plan.threads

    def update(self, records: Records) -> None:
        if not records.has("player") or not records.has("server_seed"):
            return
        sets = records.sets("server_seed", "player", "client_seed")
        seeds = records.prints(sets, "server_seed", hexadecimal=self._folded)
        players = records.prints(sets, "player", hexadecimal=True)
        there = (seeds[:, 0] != 0) & (players[:, 0] != 0)
        self._players.extend([seeds], [players], records.places, there, sets)
        if not records.has_nonces() or not there.any():
            return
        nonces, counted = records.whole("nonce")
        nonces = nonces if counted.all() else np.where(counted, nonces, _UNCOUNTED)
        low, high = (sets.reduced(how, nonces)[there] for how in (np.minimum, np.maximum))
        own = "client_seed" if records.has("client_seed") else "server_seed"
        seeds, players, clients = seeds[there], players[there], records.prints(sets, own)[there]
        self._names.add(
            whole(joined_fingerprints([seeds, clients, players], len(seeds))),
            low=low,
            high=high,
            **words("server", seeds),
            **words("client", clients),
            **words("player", players),
        )

    def _renamed(self) -> int:
        """Return the number of server seeds under which one player continues the nonces of another."""
        columns = {name: column.tolist() for name, column in self._names.columns.items()}
        servers, *others = (
            zip(columns[f"{seed}_0"], columns[f"{seed}_1"], strict=True)
            for seed in ("server", "client", "player")
        )
        by_seed: dict[tuple[int, int], list[_NonceRange]] = {}
        for server, *stretch in zip(servers, columns["low"], columns["high"], *others, strict=True):
            by_seed.setdefault(server, []).append(_NonceRange(*stretch))
        changes: list[list[tuple[int, int]]] = []
        for parts in by_seed.values():
            parts.sort()
            one_client = len({part.client for part in parts}) == 1
            after = all(one.high < next_.low for one, next_ in itertools.pairwise(parts))
            if len(parts) > 1 and one_client and after and parts[0].low != _UNCOUNTED:
                changes.append([part.player for part in parts])
        # A renamed player takes each name once, and gives it up once.
        left = Counter(name for names in changes for name in names[:-1])
        taken = Counter(name for names in changes for name in names[1:])
        return sum(
            max(left[one] for one in names[:-1]) == max(taken[one] for one in names[1:]) == 1
            for names in changes
        )

    def uncompared(self) -> tuple[int, str]:
        return self._players.lost, "whether server seeds serve several players"

    def findings(self, verified: VerificationReport) -> list[Finding]:
        text = (
            "{n} server seed[|s] [serves|serve] more than one player (rows affected: {several}; first: "
            "row {first}, unlike row {earlier}): a player who has the seed revealed knows the rounds of "
            "the others."
        )
        what = ("server_seeds", "server_seed", "player")
        found = several_values(self._players, self._threads, "server_seed_shared", "evidence", text, *what)
        if found and found[0].details["server_seeds"] == self._renamed():
            text = (
                "{n} server seed[|s] [goes|go] on with the next nonce under another player (rows affected: "
                "{several}; first: row {first}, unlike row {earlier}): a player who took another name, or "
                "two who share a seed."
            )
            return several_values(self._players, self._threads, "server_seed_shared", "note", text, *what)
        return found


class _Served(NamedTuple):
    """Whether a server seed served a single bet, and the player and nonce of the first."""

    once: bool
    player: int
    nonce: int


class Rotation(Check):
    """Server seeds that serve one bet each.

    A player's last seed in the log doesn't count, since it may be used again later, unless it served several
    bets; players without names are told apart by their client seeds. Nor does a seed whose only bet has
    another nonce than most of these bets, as in rows picked from a longer log; of nearly all seeds either of
    two nonces that follow each other will do.
    """

    state = ("_seeds", "_named")

    def __init__(self, context: Context) -> None:
        self._games = context.games_with("nonce")
        self._seeds = sample_of(context.seed)
        self._named = False

    def update(self, records: Records) -> None:
        if records.has_nonces():
            sets = records.sets("server_seed", "player", "client_seed")
            keys = records.prints(sets, "server_seed")
            nonces, there = records.whole("nonce")
            first = sets.first(np.where(there, nonces, -1))
            others = np.zeros((len(keys), 2), np.uint64)
            others[:, 1] = first
            self._named |= records.has("player")
            owner = "player" if records.has("player") else "client_seed"
            for name, shift in ((owner, 32), ("client_seed", 0)):
                if records.has(name):
                    others[:, 0] |= records.prints(sets, name)[:, 0] >> 32 << shift
            # A bet that is listed twice is one: rows of the first nonce aren't counted.
            more = sets.reduced(np.add, (~there | (nonces != sets.spread(first))).astype(np.int64))
            own = sets.first(records.of_games(self._games))
            self._seeds.extend(*(each[own] for each in (keys, sets.first(records.places), others, more)))

    @property
    def _served(self) -> list[_Served]:
        return [
            _Served(not one.rows and one.another is None, one.other >> 96, one.other & ~-(1 << 64))
            for one in states_of(self._seeds)
        ]

    def unknown(self) -> list[str]:
        single = [one.player for one in self._served if one.once]
        if self._named or len(single) < _FEWEST_ROTATIONS or 2 * len({*single}) <= len(single):
            return []
        return [
            "no players: whether server seeds of one bet, each with its own client seed, were one player's"
        ]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        states = self._served
        nonces = Counter(one.nonce for one in states if one.once)
        if not nonces:
            return []
        for length, share in ((1, _MANY_ROTATIONS), (2, _MANY_OF_TWO)):
            runs = [range(nonce, nonce + length) for nonce in nonces]
            run = min(runs, key=lambda run: (-sum(nonces[nonce] for nonce in run), run[0]))
            single = [one.player for one in states if one.once and one.nonce in run]
            players = len({*single})
            if len(single) - players >= max(_FEWEST_ROTATIONS, share * (len(states) - players)):
                break
        else:
            return []
        text = (
            "Of {n} server seed[|s], {share:.0%} served a single bet each, with nonce {nonce}: "
            "whoever makes a fresh seed for every bet can choose it by the outcome."
        )
        said: dict[str, Any] = {"share": len(single) / len(states), "nonce": " or ".join(map(str, run))}
        said["figure"] = {"server_seeds": len(states), "single": len(single), "nonce": run[0]}
        said |= {"n": len(states), "count": verified.checked}
        return facts("rotated_every_bet", "evidence", text, (), "server_seed", "nonce", **said)


class Replaced(Check):
    """Seeds other than the constant ones of the game, which its rows may have: they verify with these."""

    state = ("_found",)

    def __init__(self, constant: tuple[str, str], game: str = "") -> None:
        self._constant = dict(zip(("server_seed", "client_seed"), constant, strict=True))
        self._game = game  # its name among several, whose empty cells stand for the constant seeds
        self._found = FirstRows()

    def update(self, records: Records) -> None:
        other = np.zeros(records.count, bool)
        for name, seed in self._constant.items():
            if records.has(name):
                sets, usual = records.sets(name), {seed, ""} if self._game else {seed}
                texts = records.texts(name, sets.firsts)
                other |= sets.spread(np.array([text not in usual for text in texts], bool))
        other &= records.of_games([self._game] if self._game else None)
        self._found.add(records.places[other])

    def unknown(self) -> list[str]:
        found = self._found
        if not found.count:
            return []
        of = f" of {self._game}" if self._game else ""
        rows = f"{counted(found.count, 'row')}{of} (first: row {found.rows[0]})"
        return [f"{rows} with other seeds than the game's constant ones: who chose them, and when"]


class Ignored(Check):
    """Outcomes that belong to an empty client seed, or to one of another row."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._fields = [
            field.name
            for field in context.system.fields
            if not field.name.endswith("commitment") and field.name != "terminating"
        ]
        self._wrong: list[tuple[int, dict[str, Any]]] = []
        """Positions of wrong outcomes, and the cells of their rows."""
        self._clients: dict[str, None] = {}

    def update(self, records: Records) -> None:
        if len(self._clients) < _CANDIDATES and records.has("client_seed"):
            for row in records.sets("client_seed").firsts.tolist():
                self._clients.setdefault(records.text("client_seed", row))
                if len(self._clients) == _CANDIDATES:
                    break
        if len(self._wrong) == KEPT_ROWS:
            return
        wrong = records.rows_with("mismatch", (FIELD,))
        names = [name for name in self._fields if records.has(name)]
        for row in wrong[: KEPT_ROWS - len(self._wrong)].tolist():
            cells = {name: cell(records.columns[name], row) for name in names}
            self._wrong.append((int(records.places[row]), cells))

    def merge(self, later: Any, rows: int) -> None:
        for text in later._clients:
            if len(self._clients) < _CANDIDATES:
                self._clients.setdefault(text)
        more = later._wrong[: KEPT_ROWS - len(self._wrong)]
        self._wrong += [(place + rows, cells) for place, cells in more]

    def findings(self, verified: VerificationReport) -> list[Finding]:
        if not self._wrong:
            return []
        controls = [self._follow(f"no player's seed, number {n}") for n in range(_CONTROLS)]
        count = len(self._wrong)
        # The rate at which seeds that nobody used fit by chance, rounded up a little.
        chance = (sum(int(follow.sum()) for follow in controls) + 5) / (_CONTROLS * count + 5)
        candidates = ["", *self._clients]
        follows = {candidate: self._follow(candidate) for candidate in candidates}
        candidate, follow = max(follows.items(), key=lambda item: int(item[1].sum()))
        fitting = int(follow.sum())
        if not fitting or len(candidates) * math.exp(log_bound(fitting / count, count, chance)) > 1e-9:
            return []
        said: dict[str, Any] = {"wrong": count, "seed": f"{candidate!r:.50}"}
        text, fields = _IGNORED[bool(candidate)], ("client_seed", FIELD)
        rows = [place for (place, _), fits in zip(self._wrong, follow.tolist(), strict=True) if fits]
        figure = {"wrong": count, "right_with_another": fitting, "client_seed": candidate}
        return facts("client_seed_ignored", "proof", text, rows, *fields, figure=figure, **said)

    def _follow(self, client_seed: str) -> np.ndarray:
        """Return which failed rows would be right with this client seed."""
        columns: dict[str, Any] = {
            name: [cells.get(name) for _, cells in self._wrong] for name in self._wrong[0][1]
        }
        columns["client_seed"] = client_seed
        found = self._context.system.verify(Rows(columns, len(self._wrong), 0))
        follow = np.ones(len(self._wrong), bool)
        follow[found.rows[found.kinds > 0]] = False
        return follow
