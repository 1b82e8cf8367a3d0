# Written by hand: the stubs that pyo3 generates are experimental, and lack the types of what is passed as
# objects.
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Final, Literal, Protocol, final

import numpy as np

__all__ = [
    "AMOUNT_DECIMALS",
    "BITCOIN",
    "BLOCK_HASHES",
    "MOST_PLAYED",
    "SLOT_STOPS",
    "TIME_FORMATS",
    "Blackjack",
    "BlackjackAnalysis",
    "BlackjackCards",
    "BlackjackDecision",
    "BlsKey",
    "CatalogEntry",
    "CsvRows",
    "DrawnWord",
    "Fields",
    "FirstTwo",
    "Game",
    "GameNumbers",
    "Hash",
    "HashedRound",
    "Listings",
    "Pairs",
    "Parameter",
    "PokerPaytable",
    "Program",
    "Replays",
    "Runs",
    "Sample",
    "Scheme",
    "SettledHand",
    "SettledRound",
    "Streams",
    "Verdicts",
    "__version__",
    "align_chain",
    "amount_levels",
    "beta_fraction",
    "bls_sign",
    "canonical_deals",
    "card_name",
    "catalog",
    "chain_links",
    "changes_by_key",
    "check_chart_cell",
    "column_doubles",
    "column_fingerprints",
    "column_times",
    "column_wholes",
    "compare_amounts",
    "count_amounts",
    "count_numbers",
    "derived_seeds",
    "explore_chain",
    "fpclub_read_dice",
    "hashed_secrets",
    "is_folded",
    "joined_fingerprints",
    "parse_card",
    "paths",
    "places_among",
    "read_actions",
    "read_csv",
    "read_holds",
    "reduce_groups",
    "row_sets",
    "run_starts",
    "salts",
    "scan_text",
    "search_chain",
    "sum_by_hour",
    "to_precision",
    "verify_dice",
    "verify_rounds",
]

_Report = Callable[[int], object] | None
"""Called with the number of rounds done."""
__version__: str
AMOUNT_DECIMALS: int
BITCOIN: str
BLOCK_HASHES: tuple[str, str]
MOST_PLAYED: int
SLOT_STOPS: list[int]
TIME_FORMATS: list[str]

@final
class Parameter:
    name: Final[str]
    default: Final[int]
    least: Final[int]
    most: Final[int]
    per_round: Final[bool]

@final
class CatalogEntry:
    name: Final[str]
    parameters: Final[tuple[Parameter, ...]]
    blocks: Final[tuple[int, int] | None]

@final
class Game:
    def __new__(cls, name: str, parameters: list[int]) -> Game: ...
    shape: Final[tuple[int, ...]]
    decimals: Final[int]
    bounds: Final[tuple[int, int]]
    def one(
        self, server_seed: object, client_seed: object, salt: object
    ) -> np.ndarray | int | float | None: ...
    def fill(
        self,
        scheme: Scheme,
        fields: Fields,
        *,
        varying: tuple[int, np.ndarray] | None = None,
        into: np.ndarray | np.dtype | None = None,
        effort: tuple[int | None, _Report, str | None] = ...,
    ) -> np.ndarray: ...
    def tally(
        self,
        scheme: Scheme,
        fields: Fields,
        *,
        bins: list[int] | None = None,
        threads: int | None = None,
        progress: _Report = None,
    ) -> tuple[np.ndarray, np.ndarray]: ...
    def law(
        self,
        scheme: Scheme | None,
        *,
        part: int = 0,
        cell: int = 0,
        draw: int | None = None,
        among: int | None = None,
    ) -> tuple[np.ndarray, list[bytes]]: ...
    def up_to(self, scheme: Scheme | None, value: int) -> tuple[int, int]: ...
    def answer(self, draws: object) -> list[int]: ...
    def steps(self) -> tuple[np.ndarray, np.ndarray]: ...

@final
class PokerPaytable:
    def __new__(cls, pays: dict[str, Any]) -> PokerPaytable: ...
    total: Final[int]
    orders: Final[int]
    suits: Final[bytes]
    draws: Final[list[int]]
    rows: Final[list[tuple[str, int]]]
    def hold_values(
        self,
        hands: np.ndarray,
        many: bool,
        unit: int,
        threads: int | None = None,
        anywhere: bool = False,
    ) -> np.ndarray: ...
    def hold_sums(self, hand: object) -> list[tuple[int, int]]: ...
    def best_holds(
        self,
        hands: np.ndarray,
        many: bool,
        threads: int | None = None,
        anywhere: bool = False,
    ) -> np.ndarray: ...
    def settle(
        self, cards: np.ndarray, many: bool, holds: np.ndarray | None = None, threads: int | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
    def tally(
        self, cards: np.ndarray, *, hold: int | None = None, threads: int | None = None
    ) -> np.ndarray: ...
    def counts(self, holds: np.ndarray | None = None) -> list[int]: ...
    def squares(self, holds: np.ndarray | None = None) -> int: ...
    def totals(self, holds: np.ndarray | None, hands: int) -> tuple[list[int], list[bytes]]: ...
    def losses(self, holds: np.ndarray) -> np.ndarray: ...
    def rule_holds(self, rules: list[str]) -> np.ndarray: ...

@final
class BlackjackCards:
    cards: Final[tuple[int, ...]]
    total: Final[int]
    soft: Final[bool]

@final
class SettledHand:
    cards: Final[BlackjackCards]
    split: Final[bool]
    bets: Final[int]
    outcome: Final[str]
    net: Final[int]

@final
class SettledRound:
    hands: Final[tuple[SettledHand, ...]]
    dealer: Final[BlackjackCards]
    actions: Final[list[str]]
    dealt: Final[list[tuple[int, int | None]]]
    insurance: Final[int | None]

@final
class BlackjackDecision:
    hands: Final[tuple[BlackjackCards, ...]]
    turn: Final[int]
    split_from: Final[int | None]
    pair: Final[int | None]
    upcard: Final[int]
    upcard_value: Final[int]
    legal: Final[tuple[str, ...]]

@final
class Blackjack:
    def __new__(cls, rules: dict[str, Any] | None = None) -> Blackjack: ...
    def __eq__(self, other: object, /) -> bool: ...
    actions: ClassVar[list[str]]
    units: Final[int]
    most_hands: Final[int]
    def replay(self, argument: str, cards: list[int], actions: list[str]) -> SettledRound: ...
    def play(
        self,
        argument: str,
        cards: list[int],
        decide: BlackjackAnalysis | Callable[[BlackjackDecision], object],
    ) -> SettledRound: ...
    def analyze(
        self, strategy: str, chart: list[list[str]] | None = None, shoe: Sequence[int] | None = None
    ) -> BlackjackAnalysis: ...
    def tally(
        self, analysis: BlackjackAnalysis, seed: str, start: int, rounds: int, *, threads: int | None = None
    ) -> list[tuple[int, int]]: ...
    def random_cards(self, seed: str, start: int, rounds: np.ndarray, each: int) -> np.ndarray: ...
    def play_dealt(
        self,
        player: BlackjackAnalysis | tuple[np.ndarray, np.ndarray] | Callable[[BlackjackDecision], object],
        cards: np.ndarray,
        *,
        threads: int | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]: ...
    def play_shoes(
        self,
        analysis: BlackjackAnalysis,
        shoes: tuple[str, Sequence[int], int],
        *,
        series: tuple[int, int],
        threads: int | None = None,
        progress: _Report = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]: ...

@final
class FirstTwo:
    cards: Final[tuple[int, ...]]
    unlike: Final[bool]
    chance: Final[float]
    values: Final[dict[str, float]]
    action: Final[str | None]
    value: Final[float]

@final
class BlackjackAnalysis:
    value: Final[float]
    law: Final[tuple[list[int], list[float]]]
    upcards: Final[list[tuple[float, float, list[tuple[str, float]]]]]
    def hands(self, upcard: int) -> tuple[FirstTwo, ...]: ...
    chart: Final[list[list[str]] | None]
    def action(
        self, cards: list[int], split: int | None, upcard: int, hands: int, legal: list[str]
    ) -> str: ...

@final
class GameNumbers:
    def __new__(cls, hash: Hash, limit: int, budget: int) -> GameNumbers: ...
    def of(
        self,
        hashes: object,
        ends: object,
        said: np.ndarray,
        rows: int,
        *,
        progress: _Report = None,
    ) -> tuple[np.ndarray, np.ndarray, list[str]]: ...

def to_precision(numbers: np.ndarray, digits: int) -> np.ndarray: ...
def search_chain(
    chain: np.ndarray,
    start: int,
    windows: Sequence[np.ndarray],
    ratios: np.ndarray,
    kept: int,
    *,
    threads: int | None = None,
) -> list[list[tuple[float, int, int]]]: ...
def explore_chain(
    record: tuple[np.ndarray, np.ndarray, np.ndarray],
    row: int,
    place: int,
    holes: tuple[float, float],
    *,
    reversed: bool = False,
    most: int | None = None,
) -> tuple[int, int, float]: ...
def align_chain(
    record: tuple[np.ndarray, np.ndarray, np.ndarray],
    holes: Sequence[tuple[float, float, float]],
    entries: Sequence[tuple[tuple[int, int], tuple[int, int]]],
    anywhere: float,
    *,
    threads: int | None = None,
) -> tuple[float, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]: ...
def chain_links(hash: Hash, before: str, hashes: object, rows: int) -> np.ndarray: ...
def bls_sign(secret_key: bytes, message: bytes, tag: bytes) -> bytes: ...

@final
class BlsKey:
    def __new__(cls, public_key: bytes, tag: bytes) -> BlsKey: ...
    signature_size: Final[int]
    def verify(
        self,
        messages: object,
        signatures: object,
        *,
        threads: int | None = None,
        progress: _Report = None,
    ) -> np.ndarray: ...
    def verify_rounds(
        self,
        rounds: np.ndarray,
        signatures: object,
        previous: object = None,
        *,
        threads: int | None = None,
        progress: _Report = None,
    ) -> np.ndarray: ...

@final
class Hash:
    def __new__(cls, name: object, message: object, key: object, raw: object) -> Hash: ...
    fields: Final[tuple[str, ...]]
    hex_fields: Final[list[str]]
    size: Final[int | None]
    has_cursor: Final[bool]
    def digests(
        self,
        positional: tuple[object, ...],
        named: Mapping[str, object],
        cursor: object,
        label: object,
        *,
        threads: int | None = None,
        path: str | None = None,
    ) -> bytes | np.ndarray: ...
    def previous(self, game_hash: str, count: int, *, progress: _Report = None) -> np.ndarray: ...
    def before(self, game_hash: str, steps: int, *, progress: _Report = None) -> str: ...
    def steps(self, game_hash: str, other: str, limit: int, *, progress: _Report = None) -> int | None: ...

@final
class HashedRound:
    key: Final[bytes | None]
    message: Final[bytes]
    digest: Final[bytes]
    words: Final[list[str]]

@final
class Scheme:
    def __new__(cls, given: object) -> Scheme: ...
    parts: Final[dict[str, Any]]
    words: Final[int]
    number_bits: Final[int | None]
    def kind_of(self, name: str) -> Literal["number", "text", "any"]: ...
    words_of_round: Final[int | None]
    passes_over: Final[bool]
    size: Final[int | None]
    widths: Final[list[tuple[str, int]]]
    spelled: Final[list[tuple[str, str]]]
    def in_any_spelling(self) -> Scheme: ...
    def bind(self, positional: tuple[object, ...], named: Mapping[str, object]) -> Fields: ...
    def fields(self, values: Sequence[tuple[str, object]], rounds: int | None = None) -> Fields: ...
    def digests(
        self,
        positional: tuple[object, ...],
        named: Mapping[str, object],
        cursor: object,
        label: object,
        *,
        threads: int | None = None,
        path: str | None = None,
    ) -> bytes | np.ndarray: ...
    def number(self, word: int, chosen: bool) -> float: ...
    def numbers_of(self, words: np.ndarray) -> np.ndarray: ...
    def weights_below(self, n: int, answers: Iterable[int]) -> tuple[list[int], int]: ...
    def distance_bound(self, n: int | None = None) -> float: ...
    def numbers(
        self, fields: Fields, count: int, *, threads: int | None = None, path: str | None = None
    ) -> np.ndarray: ...

@final
class Fields:
    def __len__(self) -> int: ...
    def take(self, rounds: np.ndarray) -> Fields: ...
    many: Final[bool]

@final
class Streams:
    def __new__(
        cls,
        scheme: Scheme,
        fields: Fields,
        first: int = 0,
        rounds: int | None = None,
        *,
        ahead: int = 0,
        threads: int | None = 1,
        path: str | None = None,
    ) -> Streams: ...
    def __len__(self) -> int: ...
    place: Final[int]
    label: Final[str | None]
    has_label: Final[bool]
    def labeled(self, label: str) -> Streams: ...
    def digest(self, round: int, cursor: int, again: int) -> HashedRound: ...
    def skip(self, count: int) -> None: ...
    def words(self) -> np.ndarray: ...
    def numbers(self) -> np.ndarray: ...
    def below(self, n: int | np.ndarray) -> np.ndarray: ...
    def sample(self, n: int, k: int) -> np.ndarray: ...
    def distinct(self, n: int, k: int, into: np.ndarray | None = None) -> np.ndarray: ...
    def swaps(self, n: int) -> np.ndarray: ...
    def drawn(self, round: int) -> DrawnWord | None: ...

@final
class Program:
    def __new__(
        cls, instructions: Sequence[tuple[str, Sequence[int], Sequence[int]]], results: Sequence[int]
    ) -> Program: ...
    def one(
        self,
        scheme: Scheme,
        positional: tuple[object, ...],
        named: Mapping[str, object],
        doubles: bool,
        shape: tuple[int, ...],
    ) -> float | int | np.ndarray | None: ...
    def play(
        self,
        scheme: Scheme,
        fields: Fields,
        out: np.ndarray,
        *,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
        path: str | None = None,
    ) -> None: ...

@final
class DrawnWord:
    cursor: Final[int]
    again: Final[int]
    taken: Final[int]
    bits: Final[int]
    word: Final[int]
    passed: Final[list[int]]

def canonical_deals(paytable: PokerPaytable | None = None) -> tuple[np.ndarray, np.ndarray]: ...
def card_name(card: int, ascii: bool) -> str: ...
def parse_card(name: str) -> int: ...
def check_chart_cell(argument: str, letters: str, total: bool) -> None: ...
def catalog() -> list[CatalogEntry]: ...
def paths() -> list[str]: ...
def salts(n: int, seed: str, start: int, threads: int | None = None) -> np.ndarray: ...
def column_fingerprints(name: str, column: object, rows: int, *, hexadecimal: bool = False) -> np.ndarray: ...
def column_doubles(name: str, column: object, rows: int, width: int = 1) -> np.ndarray: ...
def column_wholes(name: str, column: object, rows: int) -> tuple[np.ndarray, np.ndarray]: ...
def column_times(
    name: str, column: object, rows: int, fits: int
) -> tuple[tuple[np.ndarray, np.ndarray], int, int | None, int | None]: ...
def derived_seeds(
    seeds: object, keys: list[np.ndarray], some: np.ndarray, threads: int | None
) -> np.ndarray: ...
def hashed_secrets(secrets: list[bytes]) -> list[tuple[int, str, int | None]]: ...
def count_amounts(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
def count_numbers(numbers: np.ndarray, most: int) -> np.ndarray: ...
def amount_levels(off: np.ndarray, parts: int) -> np.ndarray: ...
def compare_amounts(rows: object) -> dict[str, Any]: ...
def is_folded(name: str, column: object, rows: int) -> bool: ...
def joined_fingerprints(fingerprints: list[np.ndarray], rows: int) -> np.ndarray: ...
def row_sets(
    columns: list[tuple[str, Any]], rows: int
) -> tuple[
    np.ndarray,
    np.ndarray,
    np.ndarray | None,
    np.ndarray | None,
    list[tuple[np.ndarray, np.ndarray]],
]: ...
def run_starts(fingerprints: list[np.ndarray]) -> np.ndarray: ...
def sum_by_hour(times: np.ndarray, there: np.ndarray, values: np.ndarray) -> list[np.ndarray]: ...
def changes_by_key(keys: np.ndarray, values: np.ndarray) -> list[np.ndarray]: ...
def beta_fraction(a: float, b: float, x: float) -> float: ...
def places_among(
    values: np.ndarray, sorted: np.ndarray, steps: tuple[int, int, np.ndarray] | None = None
) -> np.ndarray: ...
def reduce_groups(
    keys: np.ndarray, columns: list[tuple[np.ndarray, str]]
) -> tuple[np.ndarray, list[np.ndarray]]: ...

@final
class Sample:
    def __new__(cls, most: int, seed: int) -> Sample: ...
    def extend(
        self,
        keys: np.ndarray,
        places: np.ndarray,
        others: np.ndarray | None = None,
        counts: np.ndarray | None = None,
    ) -> np.ndarray: ...
    def append(self, later: Sample, rows: int) -> None: ...
    def states(self) -> list[tuple[int, int, int, int, int | None]]: ...
    different: Final[float]

@final
class Runs:
    def __new__(cls, may_stay: bool, most_in_memory: int | None = None) -> Runs: ...
    def extend(self, rows: object) -> None: ...
    lost: Final[int]
    def append(self, other: Runs, rows: int) -> None: ...
    def numbers(self, most: int, threads: int | None, apart: int = 1) -> dict[str, Any]: ...

@final
class Pairs:
    def __new__(cls, most_in_memory: int | None = None) -> Pairs: ...
    def extend(
        self,
        keys: list[np.ndarray],
        values: list[np.ndarray],
        places: np.ndarray,
        there: np.ndarray,
        sets: object = None,
    ) -> None: ...
    lost: Final[int]
    def append(self, other: Pairs, rows: int) -> None: ...
    def turned(self) -> Pairs: ...
    def several(self, most: int, threads: int | None) -> tuple[int, int, list[tuple[int, int]]]: ...

@final
class Listings:
    def __new__(cls) -> Listings: ...
    lost: Final[int]
    def extend(
        self,
        steady: list[np.ndarray],
        often: list[np.ndarray],
        words: list[np.ndarray],
        places: np.ndarray,
        times: np.ndarray,
    ) -> None: ...
    def append(self, other: Listings, rows: int) -> None: ...
    def twice(self, threads: int | None) -> tuple[list[tuple[int, int]], int, int]: ...

@final
class Replays:
    def __new__(cls, most_in_memory: int | None = None) -> Replays: ...
    compared: Final[int]
    lost: Final[int]
    def keep(self, verdicts: Verdicts) -> None: ...
    def append(self, other: Replays, rows: int) -> None: ...
    def find(
        self, first: int, every: bool, threads: int | None
    ) -> tuple[int, int, list[tuple[int, int]], list[tuple[int, int]]]: ...

@final
class Verdicts:
    rows: Final[np.ndarray]
    kinds: Final[np.ndarray]
    numbers: Final[np.ndarray]
    fields: Final[tuple[str, ...]]
    committed: Final[list[int]]
    assumed: Final[int]
    narrow: Final[int | None]
    hands: Final[tuple[np.ndarray, np.ndarray, np.ndarray]]
    shown: Final[np.ndarray]
    compared: Final[list[int]]
    unplayed: Final[int]
    singles: Final[int]
    reordered: Final[np.ndarray]
    drawn: Final[np.ndarray]
    def expected(self, index: int) -> Any: ...

class _LogRows(Protocol):
    @property
    def columns(self) -> dict[str, Any]: ...
    @property
    def count(self) -> int: ...
    @property
    def places(self) -> int | np.ndarray: ...
    @property
    def every(self) -> bool: ...
    @property
    def threads(self) -> int | None: ...

class _Recipe(Protocol):
    @property
    def scheme(self) -> Scheme: ...
    @property
    def fields(self) -> list[tuple[str, str, int, int]]: ...
    @property
    def player(self) -> Any: ...
    @property
    def commitments(self) -> list[tuple[str, Hash]]: ...
    @property
    def published(self) -> list[str]: ...
    @property
    def table(self) -> tuple[Blackjack | PokerPaytable, int, str, bytes, bytes, int] | None: ...
    @property
    def unordered(self) -> bool: ...

def verify_rounds(recipe: _Recipe, rows: _LogRows, *, path: str | None = None) -> Verdicts: ...
def verify_dice(system: str, digits: str, rows: _LogRows) -> Verdicts: ...
def fpclub_read_dice(name: str, value: object) -> str: ...
def read_actions(column: Sequence[object], rows: int, many: bool) -> list[list[str]]: ...
def read_holds(
    column: Sequence[object], rows: int, many: bool, hands: np.ndarray | None = ...
) -> np.ndarray: ...
def scan_text(text: bytes) -> tuple[int, bool]: ...

@final
class CsvRows:
    columns: Final[list[tuple[np.ndarray, np.ndarray]]]
    rows: Final[int]
    unreadable: Final[list[tuple[int, int, int]]]
    end: Final[int]
    open: Final[bool]

def read_csv(block: bytes, delimiter: int, cells: int, wanted: list[int]) -> CsvRows: ...
