"""Progress of long computations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Progress = bool | Callable[[int, int], object]
"""A progress bar (True), none (False), or a function of rounds done and total rounds."""


Report = Callable[[int], object]
"""A function of the rounds done."""


class ProgressBar:
    """The user's function, or tqdm's bar; as a context it gives a function of the rounds done, or None."""

    def __init__(self, total: int, progress: Progress) -> None:
        self._total = total
        self._progress = progress
        self._bar: Any = None

    def __enter__(self) -> Report | None:
        if callable(self._progress):
            report = self._progress
            return lambda done: report(done, self._total)
        if not self._progress:
            return None
        try:
            from tqdm.auto import tqdm
        except ImportError:
            import warnings

            warnings.warn("progress=True needs tqdm: pip install 'provably_fair[cli]'", stacklevel=4)
            return None
        self._bar = tqdm(total=self._total, unit="round", unit_scale=True)
        return lambda done: self._bar.update(done - self._bar.n)

    def __exit__(self, *exception: object) -> None:
        if self._bar is not None:
            self._bar.close()
