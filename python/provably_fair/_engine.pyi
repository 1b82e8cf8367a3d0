from collections.abc import Callable
from typing import Any, Literal, final

import numpy as np

__all__ = [
    "SLOT_STOPS",
    "Blackjack",
    "BlackjackAnalysis",
    "Game",
    "PokerPaytable",
    "__version__",
    "canonical_deals",
    "card_name",
    "catalog",
    "deal_cards",
    "fpclub_check_faces",
    "fpclub_combine",
    "fpclub_complete",
    "fpclub_digits_from_bytes",
    "fpclub_find_repair",
    "fpclub_format_typed",
    "fpclub_hash",
    "fpclub_md5_digits",
    "fpclub_parse_digits",
    "fpclub_parse_hash",
    "fpclub_parse_log",
    "fpclub_write_log",
    "parse_card",
    "paths",
    "random_bytes",
    "random_numbers",
    "salts",
    "walk_through_deal",
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
    def explain(
        self, server_seed: Any, client_seed: Any, salt: Any
    ) -> tuple[str, list[tuple[int, bytes]], list[tuple[Any, ...]], list[int]]: ...
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
        path: str | None = None,
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

@final
class PokerPaytable:
    def __new__(
        cls,
        royal_flush: int,
        straight_flush: int,
        four_of_a_kind: list[tuple[str | None, int]],
        full_house: int,
        flush: int,
        straight: int,
        three_of_a_kind: int,
        two_pair: int,
        high_pair: int,
        minimum_pair: str,
    ) -> PokerPaytable: ...
    @property
    def rows(self) -> list[tuple[str, int]]: ...
    def hold_values(
        self, hands: np.ndarray, many: bool, unit: int, threads: int | None = None
    ) -> np.ndarray: ...
    def hold_sums(self, hand: Any) -> list[tuple[int, int]]: ...
    def best_holds(
        self,
        hands: np.ndarray,
        many: bool,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> np.ndarray: ...
    def finish(self, cards: np.ndarray, holds: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...
    def tally(
        self,
        server_seed: Any,
        client_seed: Any,
        *,
        series: tuple[int, int],
        hold: int | None = None,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> np.ndarray: ...
    def counts(self, holds: np.ndarray | None = None) -> list[int]: ...
    def losses(self, holds: np.ndarray) -> np.ndarray: ...
    def rule_holds(self, rule: str) -> np.ndarray: ...

@final
class Blackjack:
    def __new__(
        cls,
        decks: int | None,
        soft_17: str,
        hole_card: str,
        blackjack_pays: tuple[int, int],
        double: str,
        double_after_split: bool,
        split_hands: int,
        split_aces: str,
        resplit_aces: bool,
        ten_ace_after_split: str,
        surrender: str,
    ) -> Blackjack: ...
    @property
    def bet(self) -> int: ...
    def check_hashed(self) -> None: ...
    def replay(self, argument: str, cards: list[int], actions: list[str]) -> Any: ...
    def play(self, argument: str, cards: list[int], decide: Callable[..., object]) -> Any: ...
    def analyze(self, strategy: str, chart: list[list[str]] | None = None) -> BlackjackAnalysis: ...
    def simulate(
        self,
        analysis: BlackjackAnalysis,
        server_seed: Any,
        client_seed: Any,
        seed: str,
        *,
        series: tuple[int, int],
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> tuple[list[tuple[int, int]], int]: ...

@final
class BlackjackAnalysis:
    @property
    def moments(self) -> tuple[float, float]: ...
    @property
    def upcards(self) -> list[tuple[float, float, list[float]]]: ...
    def hands(
        self, upcard: int
    ) -> list[tuple[list[int], float, list[tuple[str, float]], str | None, float]]: ...
    @property
    def chart(self) -> list[list[str]] | None: ...
    def action(
        self, cards: list[int], split: int | None, upcard: int, hands: int, legal: list[str]
    ) -> str: ...

def canonical_deals() -> tuple[np.ndarray, np.ndarray]: ...
def card_name(card: int, ascii: bool) -> str: ...
def parse_card(name: str) -> int: ...
def deal_cards(
    deck: str,
    cards: int,
    server_seed: Any,
    client_seed: Any,
    nonce: Any,
    *,
    hash: Any = None,
    series: tuple[int, int] | None = None,
    dtype: str = "int64",
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> np.ndarray: ...
def walk_through_deal(
    deck: str, cards: int, server_seed: Any, client_seed: Any, nonce: Any, *, hash: Any = None
) -> tuple[str, list[tuple[int, int, int, str]]]: ...
def catalog() -> list[tuple[str, list[tuple[str, int, int, int, bool]], tuple[int, int] | None]]: ...
def paths() -> list[str]: ...
def fpclub_check_faces(argument: str, array: np.ndarray) -> None: ...
def fpclub_combine(first: np.ndarray, second: np.ndarray) -> np.ndarray: ...
def fpclub_complete(known: np.ndarray, throws: np.ndarray) -> np.ndarray: ...
def fpclub_digits_from_bytes(bytes: bytes, dice: int) -> str: ...
def fpclub_find_repair(
    digits: str, expected: str
) -> tuple[Literal["insert", "delete", "substitute", "swap"], int, int | None, str] | None: ...
def fpclub_format_typed(argument: str, typed: str) -> str: ...
def fpclub_hash(text: bytes, algorithm: str) -> str: ...
def fpclub_md5_digits(seed: bytes, dice: int) -> str: ...
def fpclub_parse_digits(argument: str, text: bytes, dice: int | None = None) -> str: ...
def fpclub_parse_hash(argument: str, text: str) -> tuple[str, Literal["md5", "sha256"]]: ...
def fpclub_parse_log(argument: str, text: bytes) -> list[list[tuple[str, list[str]]]]: ...
def fpclub_write_log(records: list[list[tuple[str, list[str]]]]) -> str: ...
def random_bytes(
    server_seed: Any, client_seed: Any, salt: Any, cursor: int, threads: int | None = None
) -> Any: ...
def random_numbers(
    server_seed: Any, client_seed: Any, salt: Any, count: int, threads: int | None = None
) -> np.ndarray: ...
def salts(n: int, seed: str, start: int, threads: int | None = None) -> np.ndarray: ...
