from collections.abc import Callable
from typing import Any, final

import numpy as np

__all__ = [
    "SLOT_STOPS",
    "Game",
    "__version__",
    "catalog",
    "random_bytes",
    "random_numbers",
    "salts",
]

__version__: str
SLOT_STOPS: list[int]

@final
class Game:
    def __new__(cls, name: str, parameters: list[int]) -> Game: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def decimals(self) -> int: ...
    @property
    def bounds(self) -> tuple[int, int]: ...
    def one(self, server_seed: Any, client_seed: Any, salt: Any) -> Any: ...
    def fill(
        self,
        server_seed: Any,
        client_seed: Any,
        salt: Any,
        *,
        series: tuple[int, int] | None = None,
        varying: tuple[int, np.ndarray] | None = None,
        dtype: Any = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> np.ndarray: ...
    def tally(
        self,
        server_seed: Any,
        client_seed: Any,
        salt: Any,
        *,
        series: tuple[int, int],
        bins: list[int] | None = None,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def law(
        self,
        as_drawn: bool,
        *,
        part: int = 0,
        cell: int = 0,
        draw: int | None = None,
        among: int | None = None,
    ) -> tuple[np.ndarray, list[bytes]]: ...
    def up_to(self, as_drawn: bool, value: int) -> tuple[int, int]: ...
    def steps(self) -> tuple[np.ndarray, np.ndarray]: ...

def catalog() -> list[tuple[str, list[tuple[str, int, int, int, bool]], tuple[int, int] | None]]: ...
def random_bytes(
    server_seed: Any, client_seed: Any, salt: Any, cursor: int, threads: int | None = None
) -> Any: ...
def random_numbers(
    server_seed: Any, client_seed: Any, salt: Any, count: int, threads: int | None = None
) -> np.ndarray: ...
def salts(n: int, seed: str, start: int, threads: int | None = None) -> np.ndarray: ...
