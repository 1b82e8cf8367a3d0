"""The schemes of Stake's games."""

from __future__ import annotations

from dataclasses import replace

from provably_fair.games import Game
from provably_fair.seeds import Hash, Scheme

SCHEME = Scheme(
    Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"),
    bits=32,
    commitment=Hash("sha256", "{server_seed}"),
)
"""The scheme of all games with a nonce: the commitment is the SHA-256 of the server seed's text."""


CHAIN = Scheme(
    Hash("sha256", "{salt}", key="{game_hash}"),
    bits=32,
    words=1,
    fields=("game_hash", "salt"),
    defaults={"salt": "0000000000000000001b34dc6a1e86083f95500b096231436e9b25cbdd0075c4"},
)
"""The scheme of games on a chain; the salt is the block hash of the chain of 2019 of `Crash`, or given."""


CRASH_TERMINATING = "78a9757d3be42b74a3f70239078ad9317125fe9ee630d5bdada46de963e56752"
"""The terminating hash of Crash's chain of 2019: that of the game before game 1, published first."""


ZOO_SCHEME = replace(CHAIN, words=None, below="modulo", defaults={})
"""The scheme of zoo: several words of a digest, modulo 20. Its chain's salt must be given."""


class StakeGame(Game):
    """Base of Stake's games: their scheme."""

    scheme = SCHEME
