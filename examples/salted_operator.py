"""An operator of salted rounds: it commits to each salt before the bet, and reveals it afterward.

The scheme's document commits to no salt, so that its operator could try several. Here the player sees the
SHA-256 of the salt first. `python examples/salted_operator.py` plays ten rounds of dice twice: honestly, and
with salts that are swapped once the bet is known.
"""

from __future__ import annotations

from typing import Any

import provably_fair as pf


class Operator:
    """The rounds of one player. A secret salt belongs to each of them."""

    def __init__(self, game: pf.Game, client_seed: str) -> None:
        self.game = game
        self.seeds = {"server_seed": pf.new_seed(), "client_seed": client_seed}  # both are public
        self.rows: list[dict[str, Any]] = []
        self._salt = pf.new_seed()

    @property
    def commitment(self) -> str:
        """The hash that is published before the next round."""
        return pf.commitment(self._salt)

    def play(self) -> dict[str, Any]:
        """Play a round, and return its row with the salt revealed: a salt is used once."""
        return self._play(self.commitment)

    def play_for_the_house(self, is_won: Any) -> dict[str, Any]:
        """Cheat: look for a salt that makes the player lose, although another one was committed to."""
        published = self.commitment
        while is_won(self.game.play(**self.seeds, salt=self._salt)):
            self._salt = pf.new_seed()
        return self._play(published)

    def _play(self, published: str) -> dict[str, Any]:
        outcome = self.game.play(**self.seeds, salt=self._salt)
        row = {**self.seeds, "salt": self._salt, "salt_commitment": published, "outcome": outcome}
        self.rows.append(row)
        self._salt = pf.new_seed()
        return row

    def log(self) -> dict[str, list[Any]]:
        """Return all rounds as columns, for `pf.verify`."""
        return {name: [row[name] for row in self.rows] for name in self.rows[0]}


if __name__ == "__main__":
    dice = pf.Dice()
    honest, cheating = (Operator(dice, "the player's own words") for _ in range(2))
    for _ in range(10):
        honest.play()
        cheating.play_for_the_house(lambda number: number < 49.5)
    print("An honest operator:", pf.verify(honest.log(), dice), sep="\n", end="\n\n")
    print("One that tries salts until the player loses:", pf.verify(cheating.log(), dice), sep="\n")
