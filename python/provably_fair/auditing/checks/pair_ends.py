"""First and last nonces of pairs of seeds, beyond which rounds may be missing."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from provably_fair._core.printable import counted
from provably_fair._core.tails import binomial_tail
from provably_fair.operators import stake
from provably_fair.verification import VerificationReport

from ..check import Check, Context
from ..finding import KEPT_ROWS, Finding, Severity
from ..records import Records, RowSets, whole
from ..sums import Groups, words
from .reveals import RevealTimes
from .times import lacking
from .wording import evidence, facts, hex_names, sentence, told

_MOST = 1 << 16
"""The largest number of pairs of seeds that are kept."""
_NONE = np.iinfo(np.int64).max
_PLACES = 36  # bits
_MAX_NONCE = 1 << (63 - _PLACES)
_FEWEST = 20
_PAIR = ("server_seed", "client_seed")


class _Nonces(NamedTuple):
    """The lowest and the highest nonce of each pair of seeds, and the rows that have these."""

    low: np.ndarray
    high: np.ndarray
    first: np.ndarray
    last: np.ndarray


class Ends(Check):
    """The first and the last nonce of each pair of seeds."""

    def __init__(self, context: Context) -> None:
        self._folded = hex_names(context)
        self._starts = stake.OPERATOR.first_nonces if context.scheme == stake.SCHEME else ()
        # Lowest and highest nonces with their positions, which sort by the nonce.
        how = {"low": "first", "high": "last", "time": "min", "open": "min"}
        how |= dict.fromkeys(("owner_0", "owner_1", "client_0", "client_1"), "min")
        # Nonces of rows with times, and what those times are compared with.
        how |= {"timed_low": "min", "timed_high": "max", "committed": "max", "revealed": "min"}
        self._pairs = Groups(how, _MOST)  # type: ignore[arg-type]
        self._read = self._owned = False
        self._late = self._changed = 0
        self._reveals = RevealTimes(context)
        self._earliest, self._latest = _NONE, -_NONE  # the first and the last time of a bet

    def update(self, records: Records) -> None:
        if not records.has_nonces() or not records.has("server_seed") or not records.has("client_seed"):
            return
        self._read = True
        nonces, there = records.whole("nonce")
        sets = records.sets(*_PAIR)
        server, client = (records.prints(sets, name, hexadecimal=name in self._folded) for name in _PAIR)
        kept = there & (nonces >= 0) & (nonces < _MAX_NONCE)
        if not server[:, 0].all():
            kept &= sets.spread(server[:, 0] != 0)
        if not kept.any():
            return
        owner = client
        if records.has("player"):
            self._owned, owner = True, records.prints(sets, "player")
        if records.has("time"):
            values, timed = records.times["time"]
            if (known := kept & timed).any():
                self._stretch(int(values[known].min()), int(values[known].max()))
        keys, columns = whole(records.joined(sets, _PAIR, self._folded)), self._of_sets(records, sets, kept)
        columns |= words("owner", owner) | words("client", client)
        if not kept.all():
            some = sets.reduced(np.logical_or, kept)
            keys, columns = keys[some], {name: column[some] for name, column in columns.items()}
        self._pairs.add(keys, **columns)

    def _of_sets(self, records: Records, sets: RowSets, kept: np.ndarray) -> dict[str, np.ndarray]:
        """Return the columns of sets of one pair of seeds each, from the rows that are kept."""
        nonces = records.whole("nonce")[0]
        at = (nonces << _PLACES) + records.places

        def extreme(how: np.ufunc, none: int, values: np.ndarray, known: np.ndarray = kept) -> np.ndarray:
            known = kept & known
            return sets.reduced(how, values if known.all() else np.where(known, values, none))

        least, most = partial(extreme, np.minimum, _NONE), partial(extreme, np.maximum, -_NONE)
        never, always = (np.broadcast_to(np.int64(value), len(sets.firsts)) for value in (_NONE, -_NONE))
        found = {"time": never, "open": never, "committed": always, "revealed": never}
        told = self._reveals.of(records)
        if told is not None:
            found["revealed"] = least(*told)
        if records.has("commitment_time"):
            found["committed"] = most(*records.times["commitment_time"])
        if records.has("time"):
            values, timed = records.times["time"]
            found["time"] = least(values, timed)
            if records.has("reveal_time"):
                revealed_at, told_at = records.times["reveal_time"]
                found["open"] = least(revealed_at - values, timed & told_at)
        found |= {"low": least(at), "high": most(at)}
        untimed = lacking(records)
        if not untimed.any():
            return found | {"timed_low": found["low"] >> _PLACES, "timed_high": found["high"] >> _PLACES}
        timed_high = np.maximum(most(nonces, ~untimed), -1)
        return found | {"timed_low": least(nonces, ~untimed), "timed_high": timed_high}

    def _stretch(self, *times: int) -> None:
        """Extend the range of times of bets."""
        self._earliest, self._latest = min(*times, self._earliest), max(*times, self._latest)

    def merge(self, later: Any, rows: int) -> None:
        self._pairs.merge(later._pairs, rows)
        self._stretch(later._earliest, later._latest)
        self._read |= later._read
        self._owned |= later._owned

    def findings(self, verified: VerificationReport) -> list[Finding]:
        made: list[Finding] = []
        pairs = self._pairs.columns
        if not len(self._pairs.keys):
            return made
        ends, place = (pairs["low"], pairs["high"]), (1 << _PLACES) - 1
        nonces = _Nonces(*(end >> _PLACES for end in ends), *(end & place for end in ends))
        if self._starts:
            made += self._beginnings(nonces)
        made += self._untimed(nonces)
        open_ = (pairs["open"] > 0) & (pairs["open"] != _NONE)
        if open_.any():
            count = int(open_.sum())
            longest = int(np.argmax(np.where(open_, pairs["open"], 0)))
            before = timedelta(seconds=int(pairs["open"][longest]) // 10**6)
            text = (
                "{n} pair[|s] of seeds [ends|end] before [its|their] server seed was revealed, by up to "
                "{before} (row {row}): rounds may have been played after the last ones in the log."
            )
            said: dict[str, Any] = {"before": before, "row": nonces.last[longest]}
            said["figure"] = {"pairs": count, "seconds": before.total_seconds()}
            rows, fields = nonces.last[open_].tolist(), ("nonce", "time", "reveal_time")
            made += facts("pair_open", "note", text, rows, *fields, **said)
        return made

    def _untimed(self, nonces: _Nonces) -> list[Finding]:
        """Test whether times are missing at one end of pairs of seeds, where they could prove bets too late.

        A time that is lost, by itself or with all others for a while, is as likely at either end of a pair.
        Where times aren't logged yet, or no longer, one end is more likely: so of the end that is tested only
        pairs count that were revealed before the last time of a bet, or committed to after the first.
        """
        pairs = self._pairs.columns
        some = pairs["timed_high"] >= 0
        begins = some & (nonces.low < pairs["timed_low"])
        ends = some & (nonces.high > pairs["timed_high"])
        begins, ends = begins & ~ends, ends & ~begins
        late = ends & (pairs["revealed"] < self._latest)
        early = begins & (pairs["committed"] > self._earliest)
        return [
            *_untimed_end("last", "reveal_time", nonces.last[late], int(begins.sum())),
            *_untimed_end("first", "commitment_time", nonces.first[early], int(ends.sum())),
        ]

    def _beginnings(self, nonces: _Nonces) -> list[Finding]:
        """Return the findings of pairs that begin above the game's first nonces."""
        pairs = self._pairs.columns
        low, high, first, last = nonces
        late = low > max(self._starts)
        self._late = int(late.sum())
        if not self._late:
            return []
        timed = bool((pairs["time"] != _NONE).all())
        # The log's order, reversed if the newest round is first; it also orders pairs with equal times.
        place = first if 2 * np.sum(first < last) >= np.sum(first != last) else -first
        when = pairs["time"] if timed else place
        order = np.lexsort((place, when, pairs["owner_1"], pairs["owner_0"]))
        one, next_ = order[:-1], order[1:]

        def alike(name: str) -> np.ndarray:
            both = [pairs[f"{name}_{word}"] for word in (0, 1)]
            found: np.ndarray = (both[0][one] == both[0][next_]) & (both[1][one] == both[1][next_])
            return found

        follows = alike("owner")
        # In a part of a longer log only the first pair of a player may begin late.
        unexplained = follows & late[next_] if timed and self._owned else np.zeros(len(follows), bool)
        count, begun = int(unexplained.sum()), int(follows.sum())
        text = (
            "{n} pair[|s] of seeds [begins|begin] above the game's first nonce, {starts} (first: row "
            "{first}): the rounds before aren't in the log."
        )
        starts = " or ".join(map(str, self._starts))
        figure = {"pairs": self._late, "not_first_of_player": count, "first_nonces": list(self._starts)}
        kind: Severity = "evidence" if count >= max(_FEWEST, begun / 2) else "note"
        rows = first[late].tolist()
        made = facts("nonces_begin_late", kind, text, rows, "nonce", figure=figure, starts=starts)
        same = follows & alike("client")
        changed = next_[same & late[next_] & (high[one] + 1 == low[next_])]
        self._changed = len(changed)
        text = (
            "The server seed changes in {n} row[|s] while the nonces go on (first: row {first}): a pair of "
            "seeds was replaced midway."
        )
        rows, figure = first[changed].tolist(), {"changes": self._changed}
        fields = ("server_seed", "nonce")
        return made + facts("server_seed_changed", "evidence", text, rows, *fields, figure=figure)

    def unknown(self) -> list[str]:
        if not self._read:
            return []
        late, unknown_starts = counted(self._late, "pair"), not self._starts
        lacking = {
            "the last nonce of a pair isn't known from a log: whether rounds after it were left out": True,
            "the game's first nonces aren't known: whether rounds before them were left out": unknown_starts,
            f"{late} of seeds without their first rounds: what these were": self._late,
            "server seeds that change in mid-pair: which rounds each of them was meant for": self._changed,
            f"more than {_MOST:,} pairs of seeds: where others begin and end": self._pairs.left_out,
        }
        return told(lacking)


def _untimed_end(which: str, field: str, rows: np.ndarray, others: int) -> list[Finding]:
    """Return the test of pairs that lack times at one end; `others` lack them at the other end."""
    count = len(rows)
    if not count + others:
        return []
    text = sentence(
        count,
        "{n} pair[|s] of seeds [lacks|lack] times of [its|their] {which} bets, which the {field} could prove "
        "wrong, and {others} those at the other end: a time that is lost is as likely at either.",
        which=which,
        field=field,
        others=f"{others:,}",
    )
    kept, figure = sorted(rows.tolist())[:KEPT_ROWS], {"pairs": count, "others": others}
    pvalue = binomial_tail(count, count + others, 0.5)
    return [evidence("untimed_at_ends", pvalue, text, figure, kept, count, ("nonce", "time", field))]
