"""Walk-throughs of rounds whose cards are read from the bytes of one SHA-512."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from provably_fair import cards
from provably_fair._core.arguments import BadType, unbox
from provably_fair._core.printable import decoded
from provably_fair._core.table import text_of
from provably_fair._core.types import JsonDict, Text
from provably_fair._engine import walk_through_deal
from provably_fair.seeds.commitments import check_commitment
from provably_fair.walkthrough import Step, Walkthrough
from provably_fair.walkthrough.lines import Line, Piece
from provably_fair.walkthrough.sections import Entries, Rows, Section, View

from .deal import check_beside_hash

__all__ = ["ByteStep"]


@dataclass(frozen=True)
class ByteStep(Step):
    """One byte of the hash, on the way to the cards.

    Attributes
    ----------
    characters : str
        The two hexadecimal characters.
    decimal : int
        The byte, 0 to 255.
    number : int
        The number that decides the card: for video poker the last two decimal digits, for blackjack the byte.
    card : int or None
        The card, where the byte gave one.
    outcome : str
        "card", "out of range" (the number is no card's) or "repeat" (the card is already there).
    role : str
        The card's role: "hand", "draw", "player" ...; "" without a card.
    """

    characters: str
    decimal: int
    number: int
    card: int | None
    outcome: str
    role: str = ""

    @property
    def name(self) -> str:
        """The card's name, or why the byte was skipped."""
        return self.outcome if self.card is None else cards.name(self.card)

    def to_dict(self) -> JsonDict:
        """Return the byte as plain values, for JSON.

        Examples
        --------
        >>> from provably_fair.operators.crypto_games import ByteStep
        >>> ByteStep("95", 149, 49, 49, "card", "hand, card 1").to_dict()["name"]
        'J♣'
        """
        return {**asdict(self), "name": self.name}


class CardName(Piece):
    """The name of a card, on a page in the color of its suit."""

    def as_html(self) -> str:
        """Return the name on a white background, red for hearts and diamonds."""
        color = "#c00" if self[-1] in "♥♦" else "#000"
        return f'<span style="background:#fff;color:{color}">{super().as_html()}</span>'


@dataclass(frozen=True)
class Bytes(Section):
    """The bytes of the hash, one in a row, with the cards that they gave.

    Attributes
    ----------
    number : str
        What the column of `ByteStep.number` is called.
    """

    number: str

    def lines(self, view: View) -> Iterator[Line]:
        """Return the table."""
        steps = [step for step in view.steps if isinstance(step, ByteStep)]
        head = ("characters", "decimal", self.number, "card", "dealt to")
        table = [
            (step.characters, str(step.decimal), str(step.number), step.name, step.role) for step in steps
        ]
        widths = [max(len(row[column]) for row in (head, *table)) for column in range(5)]
        yield ["  ".join(cell.ljust(width) for cell, width in zip(head, widths, strict=True))]
        for step, (*before, name, role) in zip(steps, table, strict=True):
            left = "".join(f"{cell.ljust(width)}  " for cell, width in zip(before, widths, strict=False))
            gap = " " * (widths[3] - len(name))
            yield [left, name if step.card is None else CardName(name), f"{gap}  {role}"]

    def to_dict(self, view: View) -> JsonDict:
        """Return every byte that was read."""
        return {"steps": [step.to_dict() for step in view.every_step]}


@dataclass(frozen=True)
class Reading:
    """The bytes of one round's hash up to the last card that is wanted.

    Attributes
    ----------
    seeds : tuple of (str, str or bytes)
        What was hashed, and the hash, by argument.
    facts : tuple of (str, str)
        The same and the commitment, by label.
    steps : tuple of ByteStep
        The bytes that were read.
    committed : bool or None
        Whether the server seed is the one that was committed to; None where no commitment was given.
    """

    seeds: tuple[tuple[str, Text], ...]
    facts: tuple[tuple[str, str], ...]
    steps: tuple[ByteStep, ...]
    committed: bool | None

    @property
    def dealt(self) -> list[int]:
        """The cards."""
        return [step.card for step in self.steps if step.card is not None]


def read_hash(
    deck: str,
    wanted: int,
    server_seed: Text | None,
    client_seed: Text | None,
    *,
    nonce: Text,
    hash: Text | None,
    commitment: Text | None,
    roles: Sequence[str],
) -> Reading:
    """Read one round's hash up to its cards; ``roles[i]`` says what card i is, "" where unnamed."""
    walked = walk_through_deal(deck, wanted, server_seed, client_seed, nonce, hash=hash)
    if hash is not None:
        check_beside_hash(None, server_seed, client_seed, nonce)
    server_seed, client_seed, nonce, commitment = map(unbox, (server_seed, client_seed, nonce, commitment))
    seeds: list[tuple[str, Text]] = []
    facts: list[tuple[str, str]] = []
    committed = None
    if hash is None:
        assert server_seed is not None
        assert client_seed is not None
        given = (("server_seed", server_seed), ("client_seed", client_seed), ("nonce", nonce))
        seeds += [(name, _as_text(seed)) for name, seed in given]
        facts += [("server seed", _show(server_seed)), ("client seed", _show(client_seed))]
        combined = _show(server_seed) + _show(client_seed)
        if len(nonce):
            facts.append(("nonce", _show(nonce)))
            combined += _show(nonce)
        facts.append(("combined seeds", combined))
    seeds.append(("hash", walked.hash))
    facts.append(("SHA-512", walked.hash))
    if commitment is not None:
        if server_seed is None:
            raise BadType("server_seed", "must be given for its commitment to be checked")
        committed = check_commitment(server_seed, commitment)
        facts += _commitment_facts(server_seed, commitment, committed)
    steps = []
    found = 0
    for byte in walked.read:
        is_card = byte.outcome == "card"
        role = roles[found] if is_card and found < len(roles) else ""
        card = byte.number if is_card else None
        steps.append(ByteStep(f"{byte.byte:02x}", byte.byte, byte.number, card, byte.outcome, role))
        found += is_card
    return Reading(tuple(seeds), tuple(facts), tuple(steps), committed)


def walkthrough_of(
    game: object,
    title: str,
    rule: str,
    number: str,
    read: Reading,
    results: Sequence[tuple[str, str]],
    outcome: object,
    headline: str,
) -> Walkthrough:
    """Return the walk-through of a round of cards.

    `rule` says which bytes are cards, `number` what decides the card; `results` is what came of the cards,
    by label.
    """
    found = tuple(results)
    return Walkthrough(
        game,
        title,
        (*read.seeds, ("facts", read.facts), ("results", found)),
        read.steps,
        outcome,
        (
            Entries(entries=(("title", title),)),
            Rows("Seeds, written one after the other, and their SHA-512", "facts", read.facts),
            Bytes(rule, number),
            Rows("From the cards to the outcome", "results", found),
            Entries(entries=(("committed", read.committed),)),
        ),
        headline,
        read.committed,
    )


def _commitment_facts(server_seed: Text, commitment: Text, committed: bool) -> list[tuple[str, str]]:
    """Say that the commitment holds, or show both hashes."""
    if committed:
        return [("commitment", "matches: the server seed is the one that was committed to")]
    seed = server_seed if isinstance(server_seed, bytes) else server_seed.encode()
    return [
        ("commitment", "DOES NOT MATCH: the server seed is not the one that was committed to"),
        ("published hash", _show(commitment)),
        ("hash of the server seed", hashlib.sha256(seed).hexdigest()),
    ]


def _as_text(seed: Text) -> Text:
    """Return a seed as text, as which it prints; bytes that are none as they are."""
    found = text_of(seed)
    return found if isinstance(found, bytes) else str(found)


def _show(text: object) -> str:
    return str(decoded(text))
