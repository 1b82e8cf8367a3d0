"""Names of sources as reports and errors show them: without passwords, tokens and keys."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import quote, unquote

HIDDEN = "***"

_PASSWORD = re.compile(r"([^:/?#]+://)([^:/]*):(.+)@([^@]*)$", re.DOTALL)
_PORT = re.compile(r"\d+(/|$)")

_SHORT = 4
"""The length from which secrets are also hidden within words."""


@dataclass(frozen=True)
class Name:
    """The shown name of a source, and its secrets."""

    shown: str
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.shown

    def without_secrets(self, text: str) -> str:
        """Return a library's message without secrets."""
        for secret in self.secrets:
            pattern = re.escape(secret)
            # Short secrets occur in many words.
            whole = pattern if len(secret) >= _SHORT else rf"(?<!\w){pattern}(?!\w)"
            text = re.sub(whole, HIDDEN, text)
        return text


NAMELESS = Name("log")
"""The name of sources without one: a frame, a cursor."""


def name_of(url: str, database: bool = False) -> Name:
    """Return the shown name of a URL, without password and values of the query, which may be keys."""
    secrets: set[str] = set()
    shown = "::".join(_link(link, secrets, database) for link in url.split("::"))
    secrets |= {written(secret) for secret in secrets for written in (unquote, quote)}
    return Name(shown, tuple(sorted(secrets, key=len, reverse=True)))


def _link(url: str, secrets: set[str], database: bool) -> str:
    """Return one link of a chained URL as shown."""
    # A password may contain characters that end a host name. Leading digits alone are a port, except in the
    # URL of a database, whose path never has an "@".
    loose = _PASSWORD.match(url)
    if loose is not None and (database or not _PORT.match(loose[3])):
        # A driver that takes a part of it for a host or a port shows that part alone in its errors.
        secrets |= {loose[3], *filter(None, re.split("[@/:?#]", loose[3]))}
        url = f"{loose[1]}{loose[2]}:{HIDDEN}@{loose[4]}"
    place, mark, query = url.partition("?")
    if query:
        secrets.add(query)
        secrets |= {value for value in re.split(r"[&;=]", query)[1::2] if value}
    # Text behind a separator that has no name may belong to the value before it.
    parts = re.split(r"([&;])", query)
    shown = "".join(
        part if part in ("&", ";", "") else f"{part.partition('=')[0]}={HIDDEN}" if "=" in part else HIDDEN
        for part in parts
    )
    return place + mark + shown
