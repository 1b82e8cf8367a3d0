"""Duplicate batches of a watch: refused whatever they won or lost."""

from __future__ import annotations

from provably_fair._core.errors import BadValue

from .parts import Part
from .state import State


class DuplicateBatch(BadValue):
    """A batch that a watch was given before.

    Attributes
    ----------
    batch : int
        The number, from 1, of the batch that came before.
    rows : int
        Number of rows refused.
    differs : bool
        Whether the name came before, but with other rows.

    Examples
    --------
    >>> watch = pf.monitoring.Watch(pf.Double().bet({0: 14}), windows=["all"])
    >>> for payouts in ([0, 14], [0, 0], [0]):
    ...     try:
    ...         _ = watch.update({"bet_id": range(len(payouts)), "payout": payouts}, name="Monday")
    ...     except pf.monitoring.DuplicateBatch as error:
    ...         print(error.batch, error.rows, error.differs)
    1 2 True
    1 1 True
    """

    def __init__(self, message: str, batch: int = 0, rows: int = 0, differs: bool = False) -> None:
        super().__init__("batch", sentence=message)
        self.batch: int = batch
        self.rows: int = rows
        self.differs: bool = differs


def refuse_duplicate(state: State, part: Part) -> None:
    """Raise `DuplicateBatch` for a batch that was added before; require a name if that can't be told."""
    for one in state.batches_named(part.name):
        sentence = f"batch must be new: the name {part.name!r} came before, as batch {one['batch']}"
        differs = one["digest"] != part.digest and (not part.files or one["files"] != part.files)
        if differs:
            rows = f"({one['rows']:,} there, {part.rows:,} here)"
            sentence += f", but with other rows {rows}: if these are other bets, give another name"
        raise DuplicateBatch(sentence, one["batch"], part.rows, differs)
    for one in state.batches_alike(part) if part.apart else ():
        sentence = f"batch must be new: it came before, as batch {one['batch']}"
        raise DuplicateBatch(sentence, one["batch"], part.rows)
    if part.name is None and not part.apart:
        cure = "columns={'id': ...} says what tells its rows from those of other batches"
        raise BadValue("name", f"must be given, such as '2026-01-02', or {cure}")
