"""Showing how far long work has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Progress = bool | Callable[[int, int], object]
"""Whether to show a progress bar, or a function of the rounds done and the rounds in all."""


Report = Callable[[int], object]
"""A function of the rounds done."""


class ProgressBar:
    """Shows how far long work has come; calls the user's function, or tqdm's bar.

    As a context manager it gives a function of the rounds done, or None where nothing is to be shown.
    """

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
