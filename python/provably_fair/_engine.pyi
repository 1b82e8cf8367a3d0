from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, final

import numpy as np

__all__ = [
    "AMOUNT_DECIMALS",
    "SLOT_STOPS",
    "Blackjack",
    "BlackjackAnalysis",
    "BlackjackCards",
    "BlackjackDecision",
    "BlsKey",
    "CatalogEntry",
    "CsvRows",
    "DealWalk",
    "DealtCard",
    "DrawnWord",
    "Fields",
    "FirstTwo",
    "FpclubHash",
    "FpclubProperty",
    "FpclubRepair",
    "Game",
    "GameNumbers",
    "Hash",
    "HashByte",
    "HashedRound",
    "HoldSum",
    "NetCounts",
    "Pairs",
    "Parameter",
    "PaytableRow",
    "PokerPaytable",
    "Replays",
    "Runs",
    "Sample",
    "Scheme",
    "SettledHand",
    "SettledRound",
    "Streams",
    "Turn",
    "UpcardResult",
    "Verdicts",
    "__version__",
    "amount_levels",
    "blackjack_rules",
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
    "deal_cards",
    "derived_clients",
    "fpclub_check_faces",
    "fpclub_check_record",
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
    "fpclub_read_dice",
    "fpclub_write_log",
    "hashed_secrets",
    "joined_fingerprints",
    "parse_card",
    "paths",
    "places_among",
    "read_csv",
    "reduce_groups",
    "run_starts",
    "salts",
    "scan_text",
    "sum_by_hour",
    "verify_blackjack",
    "verify_dice",
    "verify_rounds",
    "verify_video_poker",
    "walk_through_deal",
]

__version__: str
AMOUNT_DECIMALS: int
SLOT_STOPS: list[int]

@final
class Parameter:
    @property
    def name(self) -> str: ...
    @property
    def default(self) -> int: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    @property
    def per_round(self) -> bool: ...

@final
class CatalogEntry:
    @property
    def name(self) -> str: ...
    @property
    def parameters(self) -> tuple[Parameter, ...]: ...
    @property
    def blocks(self) -> tuple[int, int] | None: ...

@final
class Game:
    def __new__(cls, name: str, parameters: list[int]) -> Game: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def decimals(self) -> int: ...
    @property
    def bounds(self) -> tuple[int, int]: ...
    def one(
        self, server_seed: object, client_seed: object, salt: object
    ) -> np.ndarray | int | float | None: ...
    def fill(
        self,
        scheme: Scheme,
        fields: Fields,
        *,
        varying: tuple[int, np.ndarray] | None = None,
        dtype: np.dtype | None = None,
        out: np.ndarray | None = None,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
        path: str | None = None,
    ) -> np.ndarray: ...
    def tally(
        self,
        scheme: Scheme,
        fields: Fields,
        *,
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
    def law_under(
        self,
        scheme: Scheme,
        *,
        part: int = 0,
        cell: int = 0,
        draw: int | None = None,
        among: int | None = None,
    ) -> tuple[np.ndarray, list[bytes]]: ...
    def up_to(self, as_drawn: bool, value: int) -> tuple[int, int]: ...
    def up_to_under(self, scheme: Scheme, value: int) -> tuple[int, int]: ...
    def answer(self, draws: object) -> list[int]: ...
    def steps(self) -> tuple[np.ndarray, np.ndarray]: ...

@final
class PaytableRow:
    @property
    def name(self) -> str: ...
    @property
    def pays(self) -> int: ...

@final
class HoldSum:
    @property
    def pays(self) -> int: ...
    @property
    def draws(self) -> int: ...

@final
class PokerPaytable:
    def __new__(
        cls,
        *,
        royal_flush: list[tuple[str | None, int]],
        straight_flush: int,
        four_of_a_kind: list[tuple[str | None, int]],
        full_house: list[tuple[str | None, int]],
        flush: int,
        straight: int,
        three_of_a_kind: int,
        two_pair: int | None,
        high_pair: int | None,
        minimum_pair: str,
        wild: str | None,
        jokers: int,
        four_wild: list[tuple[str | None, int]],
        wild_royal_flush: int | None,
        five_of_a_kind: list[tuple[str | None, int]],
        sequential_royal_flush: int | None,
        reversible: bool,
    ) -> PokerPaytable: ...
    @property
    def total(self) -> int: ...
    @property
    def orders(self) -> int: ...
    @property
    def suits(self) -> bytes: ...
    @property
    def draws(self) -> list[int]: ...
    @property
    def rows(self) -> tuple[PaytableRow, ...]: ...
    def hold_values(
        self,
        hands: np.ndarray,
        many: bool,
        unit: int,
        threads: int | None = None,
        anywhere: bool = False,
    ) -> np.ndarray: ...
    def hold_sums(self, hand: object) -> tuple[HoldSum, ...]: ...
    def best_holds(
        self,
        hands: np.ndarray,
        many: bool,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
        anywhere: bool = False,
    ) -> np.ndarray: ...
    def finish(self, cards: np.ndarray, holds: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...
    def tally(
        self,
        server_seed: object,
        client_seed: object,
        *,
        series: tuple[int, int],
        hold: int | None = None,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> np.ndarray: ...
    def counts(self, holds: np.ndarray | None = None) -> list[int]: ...
    def squares(self, holds: np.ndarray | None = None) -> int: ...
    def totals(self, holds: np.ndarray | None, hands: int) -> tuple[list[int], list[bytes]]: ...
    def losses(self, holds: np.ndarray) -> np.ndarray: ...
    def rule_holds(self, rules: list[str]) -> np.ndarray: ...

@final
class BlackjackCards:
    @property
    def cards(self) -> tuple[int, ...]: ...
    @property
    def total(self) -> int: ...
    @property
    def soft(self) -> bool: ...

@final
class SettledHand:
    @property
    def cards(self) -> BlackjackCards: ...
    @property
    def split(self) -> bool: ...
    @property
    def bets(self) -> int: ...
    @property
    def outcome(self) -> str: ...
    @property
    def net(self) -> int: ...

@final
class Turn:
    @property
    def hand(self) -> int: ...
    @property
    def action(self) -> str: ...

@final
class DealtCard:
    @property
    def card(self) -> int: ...
    @property
    def hand(self) -> int | None: ...

@final
class SettledRound:
    @property
    def hands(self) -> tuple[SettledHand, ...]: ...
    @property
    def dealer(self) -> BlackjackCards: ...
    @property
    def turns(self) -> tuple[Turn, ...]: ...
    @property
    def dealt(self) -> tuple[DealtCard, ...]: ...
    @property
    def insurance(self) -> int | None: ...

@final
class BlackjackDecision:
    @property
    def hands(self) -> tuple[BlackjackCards, ...]: ...
    @property
    def turn(self) -> int: ...
    @property
    def split_from(self) -> int | None: ...
    @property
    def pair(self) -> int | None: ...
    @property
    def upcard(self) -> int: ...
    @property
    def upcard_value(self) -> int: ...
    @property
    def legal(self) -> tuple[str, ...]: ...

@final
class NetCounts:
    @property
    def nets(self) -> list[int]: ...
    @property
    def counts(self) -> list[int]: ...
    @property
    def exhausted(self) -> int: ...

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
        split_hands: int | str,
        split_aces: str,
        resplit_aces: bool,
        ten_ace_after_split: str,
        surrender: str,
        double_cards: str,
        charlie: int | None,
        dealer_22: str,
        split_unlike_tens: bool,
        surrender_after_split: bool,
        insurance: bool,
        even_money: bool,
    ) -> Blackjack: ...
    @property
    def units(self) -> int: ...
    @property
    def most_hands(self) -> int: ...
    def check_hashed(self) -> None: ...
    def replay(self, argument: str, cards: list[int], actions: list[str]) -> SettledRound: ...
    def play(
        self, argument: str, cards: list[int], decide: Callable[[BlackjackDecision], object]
    ) -> SettledRound: ...
    def analyze(
        self, strategy: str, chart: list[list[str]] | None = None, shoe: Sequence[int] | None = None
    ) -> BlackjackAnalysis: ...
    def tally(
        self,
        analysis: BlackjackAnalysis,
        server_seed: object,
        client_seed: object,
        seed: str,
        *,
        series: tuple[int, int],
        dealt: np.ndarray | None = None,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> NetCounts: ...
    def nets(
        self,
        analysis: BlackjackAnalysis,
        server_seed: object,
        client_seed: object,
        seed: str,
        *,
        series: tuple[int, int],
        dealt: np.ndarray | None = None,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> np.ndarray: ...
    def play_shoes(
        self,
        analysis: BlackjackAnalysis,
        seed: str,
        cards: Sequence[int],
        cut: int,
        *,
        series: tuple[int, int],
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]: ...
    def nets_by(
        self,
        decide: Callable[..., object],
        server_seed: object,
        client_seed: object,
        seed: str,
        *,
        series: tuple[int, int],
        dealt: np.ndarray | None = None,
    ) -> list[float]: ...

@final
class UpcardResult:
    @property
    def chance(self) -> float: ...
    @property
    def value(self) -> float: ...
    @property
    def dealer(self) -> list[float]: ...

@final
class FirstTwo:
    @property
    def cards(self) -> tuple[int, ...]: ...
    @property
    def unlike(self) -> bool: ...
    @property
    def chance(self) -> float: ...
    @property
    def values(self) -> dict[str, float]: ...
    @property
    def action(self) -> str | None: ...
    @property
    def value(self) -> float: ...

@final
class BlackjackAnalysis:
    @property
    def value(self) -> float: ...
    @property
    def law(self) -> tuple[list[int], list[float]]: ...
    @property
    def upcards(self) -> tuple[UpcardResult, ...]: ...
    def hands(self, upcard: int) -> tuple[FirstTwo, ...]: ...
    @property
    def chart(self) -> list[list[str]] | None: ...
    def action(
        self, cards: list[int], split: int | None, upcard: int, hands: int, legal: list[str]
    ) -> str: ...

@final
class GameNumbers:
    def __new__(cls, hash: Hash, limit: int) -> GameNumbers: ...
    def of(
        self,
        hashes: object,
        ends: object,
        said: np.ndarray,
        rows: int,
        *,
        progress: Callable[[int], object] | None = None,
    ) -> tuple[np.ndarray, np.ndarray, list[str]]: ...

def chain_links(before: str, hashes: object, rows: int) -> np.ndarray: ...
def bls_sign(secret_key: bytes, message: bytes, tag: bytes) -> bytes: ...

@final
class BlsKey:
    def __new__(cls, public_key: bytes, tag: bytes) -> BlsKey: ...
    @property
    def signature_size(self) -> int: ...
    def verify(
        self,
        messages: object,
        signatures: object,
        *,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> np.ndarray: ...
    def verify_rounds(
        self,
        rounds: np.ndarray,
        signatures: object,
        previous: object = None,
        *,
        threads: int | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> np.ndarray: ...

@final
class Hash:
    def __new__(
        cls,
        algorithm: str,
        message: Sequence[tuple[str, object]],
        key: Sequence[tuple[str, object]] | None,
        names: list[str],
        *,
        label: str | None = None,
        also: Hash | None = None,
    ) -> Hash: ...
    @property
    def size(self) -> int | None: ...
    @property
    def last_cursor(self) -> int | None: ...
    @property
    def has_label(self) -> bool: ...
    @property
    def most(self) -> list[int | None]: ...
    def digests(
        self,
        fields: Fields,
        cursor: int,
        *,
        label: str | None = None,
        threads: int | None = None,
        path: str | None = None,
    ) -> bytes | np.ndarray: ...
    def previous(
        self, game_hash: str, count: int, *, progress: Callable[[int], object] | None = None
    ) -> np.ndarray: ...
    def before(
        self, game_hash: str, steps: int, *, progress: Callable[[int], object] | None = None
    ) -> str: ...
    def steps(
        self, game_hash: str, other: str, limit: int, *, progress: Callable[[int], object] | None = None
    ) -> int | None: ...

@final
class HashedRound:
    @property
    def key(self) -> bytes | None: ...
    @property
    def message(self) -> bytes: ...
    @property
    def digest(self) -> bytes: ...
    @property
    def words(self) -> list[str]: ...

@final
class Scheme:
    def __new__(
        cls,
        hash: Hash,
        bits: int | None,
        words: int | None,
        below: str,
        first_cursor: int,
        read_on: int | Hash | None = None,
        function: tuple[Callable[..., object], bool] | None = None,
    ) -> Scheme: ...
    @property
    def words(self) -> int: ...
    @property
    def available(self) -> int: ...
    @property
    def number_bits(self) -> int | None: ...
    def number(self, word: int) -> float: ...
    def numbers_of(self, words: np.ndarray) -> np.ndarray: ...
    def weights_below(self, n: int, answers: Iterable[int]) -> tuple[list[int], int]: ...
    def numbers(
        self, fields: Fields, count: int, *, threads: int | None = None, path: str | None = None
    ) -> np.ndarray: ...

@final
class Fields:
    def __new__(
        cls, hash: Hash, values: Sequence[tuple[str, object]], rounds: int | None = None
    ) -> Fields: ...
    def __len__(self) -> int: ...
    def take(self, rounds: np.ndarray) -> Fields: ...
    @property
    def many(self) -> bool: ...

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
    @property
    def place(self) -> int: ...
    @property
    def label(self) -> str | None: ...
    @property
    def has_label(self) -> bool: ...
    def labeled(self, label: str) -> Streams: ...
    def digest(self, round: int, cursor: int, again: int) -> HashedRound: ...
    def skip(self, count: int) -> None: ...
    def words(self) -> np.ndarray: ...
    def numbers(self) -> np.ndarray: ...
    def below(self, n: int | np.ndarray) -> np.ndarray: ...
    def sample(self, n: int, k: int) -> np.ndarray: ...
    def swaps(self, n: int) -> np.ndarray: ...
    def drawn(self, round: int) -> DrawnWord | None: ...

@final
class DrawnWord:
    @property
    def cursor(self) -> int: ...
    @property
    def again(self) -> int: ...
    @property
    def taken(self) -> int: ...
    @property
    def bits(self) -> int: ...
    @property
    def word(self) -> int: ...
    @property
    def passed(self) -> list[int]: ...

def canonical_deals(paytable: PokerPaytable | None = None) -> tuple[np.ndarray, np.ndarray]: ...
def card_name(card: int, ascii: bool) -> str: ...
def parse_card(name: str) -> int: ...
def deal_cards(
    deck: str,
    cards: int,
    server_seed: object,
    client_seed: object,
    nonce: object,
    *,
    hash: object = None,
    series: tuple[int, int] | None = None,
    dtype: np.dtype,
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> np.ndarray: ...

@final
class HashByte:
    @property
    def index(self) -> int: ...
    @property
    def byte(self) -> int: ...
    @property
    def number(self) -> int: ...
    @property
    def outcome(self) -> Literal["card", "out of range", "repeat"]: ...

@final
class DealWalk:
    @property
    def hash(self) -> str: ...
    @property
    def read(self) -> tuple[HashByte, ...]: ...

def walk_through_deal(
    deck: str, cards: int, server_seed: object, client_seed: object, nonce: object, *, hash: object = None
) -> DealWalk: ...
def blackjack_rules() -> dict[str, object]: ...
def check_chart_cell(argument: str, letters: str, total: bool) -> None: ...
def catalog() -> list[CatalogEntry]: ...
def paths() -> list[str]: ...

@final
class FpclubHash:
    @property
    def text(self) -> str: ...
    @property
    def algorithm(self) -> Literal["md5", "sha256"]: ...

@final
class FpclubProperty:
    @property
    def name(self) -> str: ...
    @property
    def values(self) -> tuple[str, ...]: ...

@final
class FpclubRepair:
    @property
    def kind(self) -> Literal["insert", "delete", "substitute", "swap"]: ...
    @property
    def index(self) -> int: ...
    @property
    def die(self) -> int | None: ...
    @property
    def digits(self) -> str: ...

def fpclub_check_faces(argument: str, array: np.ndarray) -> None: ...
def fpclub_check_record(
    argument: str, properties: list[tuple[str, list[str]]]
) -> tuple[FpclubProperty, ...]: ...
def fpclub_combine(first: np.ndarray, second: np.ndarray) -> np.ndarray: ...
def fpclub_complete(known: np.ndarray, throws: np.ndarray) -> np.ndarray: ...
def fpclub_digits_from_bytes(bytes: bytes, dice: int) -> str: ...
def fpclub_find_repair(digits: str, expected: str) -> FpclubRepair | None: ...
def fpclub_format_typed(argument: str, typed: str) -> str: ...
def fpclub_hash(text: bytes, algorithm: str) -> str: ...
def fpclub_md5_digits(seed: bytes, dice: int) -> str: ...
def fpclub_parse_digits(argument: str, text: bytes, dice: int | None = None) -> str: ...
def fpclub_parse_hash(argument: str, text: str) -> FpclubHash: ...
def fpclub_parse_log(argument: str, text: bytes) -> list[tuple[FpclubProperty, ...]]: ...
def fpclub_write_log(records: list[list[tuple[str, list[str]]]]) -> str: ...
def salts(n: int, seed: str, start: int, threads: int | None = None) -> np.ndarray: ...
def column_fingerprints(name: str, column: object, rows: int, *, hexadecimal: bool = False) -> np.ndarray: ...
def column_doubles(name: str, column: object, rows: int, width: int = 1) -> np.ndarray: ...
def column_wholes(name: str, column: object, rows: int) -> tuple[np.ndarray, np.ndarray]: ...
def column_times(name: str, column: object, rows: int) -> tuple[np.ndarray, np.ndarray]: ...
def derived_clients(
    clients: object,
    servers: object,
    commitments: object,
    keys: list[np.ndarray],
    some: np.ndarray,
    rows: int,
    threads: int | None,
) -> np.ndarray: ...
def hashed_secrets(secrets: list[bytes]) -> list[tuple[int, str, int | None]]: ...
def count_amounts(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]: ...
def amount_levels(off: np.ndarray, parts: int) -> np.ndarray: ...
def compare_amounts(
    places: np.ndarray,
    stakes: np.ndarray,
    paid: np.ndarray,
    possible: np.ndarray,
    parts: np.ndarray,
    unit: int,
    exact: tuple[np.ndarray, float] | None,
    lines: tuple[np.ndarray, int] | None,
) -> dict[str, Any]: ...
def joined_fingerprints(fingerprints: list[np.ndarray], rows: int) -> np.ndarray: ...
def run_starts(fingerprints: list[np.ndarray]) -> np.ndarray: ...
def sum_by_hour(times: np.ndarray, there: np.ndarray, values: np.ndarray) -> list[np.ndarray]: ...
def changes_by_key(keys: np.ndarray, values: np.ndarray) -> list[np.ndarray]: ...
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
        self, keys: np.ndarray, places: np.ndarray, others: np.ndarray | None = None
    ) -> np.ndarray: ...
    def append(self, later: Sample, rows: int) -> None: ...
    def states(self) -> list[tuple[int, int, int, int, int | None]]: ...
    @property
    def different(self) -> float: ...

@final
class Runs:
    def __new__(cls, may_stay: bool, most_in_memory: int | None = None) -> Runs: ...
    def extend(
        self,
        keys: list[np.ndarray],
        spelled: list[np.ndarray] | None,
        numbers: np.ndarray,
        places: np.ndarray,
        there: np.ndarray,
        times: np.ndarray | None = None,
    ) -> None: ...
    @property
    def lost(self) -> int: ...
    def append(self, other: Runs, rows: int) -> None: ...
    def numbers(self, most: int, threads: int | None) -> dict[str, Any]: ...

@final
class Pairs:
    def __new__(cls, most_in_memory: int | None = None) -> Pairs: ...
    def extend(
        self,
        keys: list[np.ndarray],
        values: list[np.ndarray],
        places: np.ndarray,
        there: np.ndarray,
    ) -> None: ...
    @property
    def lost(self) -> int: ...
    def append(self, other: Pairs, rows: int) -> None: ...
    def turned(self) -> Pairs: ...
    def several(self, most: int, threads: int | None) -> tuple[int, int, list[tuple[int, int]]]: ...

@final
class Replays:
    def __new__(cls, most_in_memory: int | None = None) -> Replays: ...
    @property
    def compared(self) -> int: ...
    @property
    def lost(self) -> int: ...
    def extend(self, fingerprints: list[np.ndarray], places: np.ndarray, there: np.ndarray) -> None: ...
    def append(self, other: Replays, rows: int) -> None: ...
    def find(
        self, first: int, every: bool, threads: int | None
    ) -> tuple[int, int, list[tuple[int, int]], list[tuple[int, int]]]: ...

@final
class Verdicts:
    @property
    def rows(self) -> np.ndarray: ...
    @property
    def kinds(self) -> np.ndarray: ...
    @property
    def numbers(self) -> np.ndarray: ...
    @property
    def fields(self) -> tuple[str, ...]: ...
    @property
    def committed(self) -> list[int]: ...
    @property
    def assumed(self) -> int: ...
    @property
    def narrow(self) -> int | None: ...
    @property
    def reordered(self) -> np.ndarray: ...
    @property
    def drawn(self) -> np.ndarray: ...
    def expected(self, index: int) -> Any: ...

class _LogRows(Protocol):
    @property
    def columns(self) -> dict[str, Any]: ...
    @property
    def count(self) -> int: ...
    @property
    def places(self) -> int | np.ndarray: ...
    @property
    def replays(self) -> Replays | None: ...
    @property
    def every(self) -> bool: ...
    @property
    def threads(self) -> int | None: ...

def verify_rounds(
    scheme: Scheme,
    fields: list[tuple[str, str, int, int]],
    player: Game | Callable[[Fields, np.ndarray], tuple[object, ...]],
    commitments: list[tuple[str, Hash]],
    published: list[str],
    rows: _LogRows,
    *,
    unordered: bool = False,
    path: str | None = None,
) -> Verdicts: ...
def verify_video_poker(paytable: PokerPaytable, unit: int, rows: _LogRows) -> Verdicts: ...
def verify_blackjack(game: Blackjack, rows: _LogRows) -> Verdicts: ...
def verify_dice(system: str, digits: str, rows: _LogRows) -> Verdicts: ...
def fpclub_read_dice(name: str, value: object) -> str: ...
def scan_text(text: bytes) -> tuple[int, bool]: ...

@final
class CsvRows:
    @property
    def columns(self) -> list[tuple[np.ndarray, np.ndarray]]: ...
    @property
    def rows(self) -> int: ...
    @property
    def unreadable(self) -> list[tuple[int, int, int]]: ...
    @property
    def end(self) -> int: ...
    @property
    def open(self) -> bool: ...

def read_csv(block: bytes, delimiter: int, cells: int, wanted: list[int]) -> CsvRows: ...
