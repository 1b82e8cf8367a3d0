"""Walk-throughs of rounds whose cards come from one SHA-512."""

from __future__ import annotations

import hashlib
import html
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from provably_fair import cards
from provably_fair._core.arguments import Text, unboxed
from provably_fair._core.printable import html as shown_in_html
from provably_fair._core.printable import plain
from provably_fair._engine import walk_through_deal
from provably_fair.seeds.commitments import check_commitment

from .deal import check_beside_hash

__all__ = ["ByteStep", "Explanation"]


@dataclass(frozen=True)
class ByteStep:
    """One byte of the hash, on the way to the cards.

    Attributes
    ----------
    characters : str
        The two hexadecimal characters.
    decimal : int
        The byte, 0 to 255.
    number : int
        What it is judged by: video poker takes the last two decimal digits, blackjack the byte.
    card : int or None
        The card, where the byte gave one.
    outcome : str
        "card", "out of range" (the number is no card's) or "repeat" (the card is already there).
    role : str
        What the card became: "hand", "draw", "player" ...; "" where there is none.
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


@dataclass(frozen=True)
class Explanation:
    """How a round came about: prints as text, and as tables in a notebook.

    Attributes
    ----------
    title : str
        What is explained.
    facts : tuple of (str, str)
        Seeds, hash and commitment, by label.
    steps : tuple of ByteStep
        The bytes that were read.
    results : tuple of (str, str)
        What came of the cards, by label.
    committed : bool or None
        Whether the server seed is the one that was committed to; None where no commitment was given.
    number_heading : str
        What the column of `ByteStep.number` is called when the steps are shown as a table.
    """

    title: str
    facts: tuple[tuple[str, str], ...]
    steps: tuple[ByteStep, ...]
    results: tuple[tuple[str, str], ...]
    committed: bool | None
    number_heading: str

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values, for JSON.

        Returns
        -------
        dict
            Keys "title", "facts", "steps", "results", "committed".

        Examples
        --------
        >>> import provably_fair as pf
        >>> explanation = pf.crypto_games.VideoPoker().explain("server", "client")
        >>> explanation.to_dict()["steps"][2]["outcome"]
        'card'
        """
        return {
            "title": self.title,
            "facts": dict(self.facts),
            "steps": [{**asdict(step), "name": step.name} for step in self.steps],
            "results": dict(self.results),
            "committed": self.committed,
        }

    def _table(self) -> list[tuple[str, str, str, str, str]]:
        return [
            (step.characters, str(step.decimal), str(step.number), step.name, step.role)
            for step in self.steps
        ]

    def _headings(self) -> tuple[str, str, str, str, str]:
        return ("characters", "decimal", self.number_heading, "card", "dealt to")

    def __str__(self) -> str:
        lines = [self.title, ""]
        lines += _aligned(self.facts)
        table = [self._headings(), *self._table()]
        widths = [max(len(row[column]) for row in table) for column in range(5)]
        lines.append("")
        for row in table:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            lines.append("  ".join(cells).rstrip())
        lines += ["", *_aligned(self.results)]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        def pairs(items: Iterable[tuple[str, str]]) -> str:
            rows = (
                f'<tr><th style="text-align:left">{html.escape(label)}</th>'
                f'<td style="text-align:left"><code>{shown_in_html(value)}</code></td></tr>'
                for label, value in items
            )
            return f"<table>{''.join(rows)}</table>"

        head = "".join(f"<th>{html.escape(heading)}</th>" for heading in self._headings())
        body = []
        for step, row in zip(self.steps, self._table(), strict=True):
            cells = [f"<td>{html.escape(cell)}</td>" for cell in row]
            if step.card is not None:
                cells[3] = f"<td>{cards.card_html(step.card)}</td>"
            style = ' style="opacity:.5"' if step.card is None else ""
            body.append(f"<tr{style}>{''.join(cells)}</tr>")
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
        return f"<h4>{html.escape(self.title)}</h4>{pairs(self.facts)}{table}{pairs(self.results)}"


@dataclass(frozen=True)
class Walk:
    """The bytes of one round's hash up to the last card that is wanted."""

    facts: tuple[tuple[str, str], ...]
    steps: tuple[ByteStep, ...]
    committed: bool | None

    @property
    def dealt(self) -> list[int]:
        """The cards."""
        return [step.card for step in self.steps if step.card is not None]


def walk(
    deck: str,
    wanted: int,
    server_seed: Text | None,
    client_seed: Text | None,
    *,
    nonce: Text,
    hash: Text | None,
    commitment: Text | None,
    roles: Sequence[str],
) -> Walk:
    """Follow one round's hash to its cards; ``roles[i]`` says what card i is, "" where unnamed."""
    walked = walk_through_deal(deck, wanted, server_seed, client_seed, nonce, hash=hash)
    if hash is not None:
        check_beside_hash(None, server_seed, client_seed, nonce)
    server_seed, client_seed, nonce, commitment = map(unboxed, (server_seed, client_seed, nonce, commitment))
    facts: list[tuple[str, str]] = []
    committed = None
    if hash is None:
        facts += [("server seed", shown(server_seed)), ("client seed", shown(client_seed))]
        combined = shown(server_seed) + shown(client_seed)
        if len(nonce):
            facts.append(("nonce", shown(nonce)))
            combined += shown(nonce)
        facts.append(("combined seeds", combined))
    facts.append(("SHA-512", walked.hash))
    if commitment is not None:
        if server_seed is None:
            raise TypeError("server_seed must be given for its commitment to be checked")
        committed = check_commitment(server_seed, commitment)
        facts += commitment_facts(server_seed, commitment, committed)
    steps = []
    found = 0
    for read in walked.read:
        is_card = read.outcome == "card"
        role = roles[found] if is_card and found < len(roles) else ""
        card = read.number if is_card else None
        steps.append(ByteStep(f"{read.byte:02x}", read.byte, read.number, card, read.outcome, role))
        found += is_card
    return Walk(tuple(facts), tuple(steps), committed)


def commitment_facts(server_seed: Text, commitment: Text, committed: bool) -> list[tuple[str, str]]:
    """Say that the commitment holds, or show both hashes."""
    if committed:
        return [("commitment", "matches: the server seed is the one that was committed to")]
    seed = server_seed if isinstance(server_seed, bytes) else server_seed.encode()
    return [
        ("commitment", "DOES NOT MATCH: the server seed is not the one that was committed to"),
        ("published hash", shown(commitment)),
        ("hash of the server seed", hashlib.sha256(seed).hexdigest()),
    ]


def shown(text: object) -> str:
    """Return a seed as text."""
    return text.decode(errors="backslashreplace") if isinstance(text, bytes) else str(text)


def _aligned(pairs: Sequence[tuple[str, str]]) -> list[str]:
    width = max((len(label) for label, _ in pairs), default=0)
    return [f"{label.ljust(width)}  {plain(value)}" for label, value in pairs]
