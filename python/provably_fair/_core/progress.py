"""Progress of long computations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Progress = bool | Callable[[int, int], object]
"""A progress bar (True), none (False), or a function of rounds done and total rounds."""


Report = Callable[[int], object]
"""A function of the rounds done."""


@contextmanager
def progress_bar(total: int, progress: Progress) -> Iterator[Report | None]:
    """Give a function of the rounds done, which calls the user's function or moves tqdm's bar, or None."""
    if callable(progress):
        yield lambda done: progress(done, total)
        return
    if not progress:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        import warnings

        warnings.warn("progress=True needs tqdm: pip install 'provably_fair[cli]'", stacklevel=5)
        yield None
        return
    with tqdm(total=total, unit="round", unit_scale=True) as bar:
        yield lambda done: bar.update(done - bar.n)
