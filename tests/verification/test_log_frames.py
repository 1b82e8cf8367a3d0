"""Simulated rounds as data frames are logs for `verify`, even after a round trip through a file."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import provably_fair as pf
import pytest
from provably_fair.operators.crypto_games import Blackjack, VideoPoker

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

ROUNDS = 40
NONCES = pf.Scheme(pf.Hash("sha256", "{client_seed}:{nonce}:{cursor}", key="{server_seed}"), bits=32)


class Keno(pf.Game):
    picks: int = 5

    def outcome(self, draws):
        return draws.sample(40, self.picks)


class Spin(pf.Game):
    scheme = NONCES

    def outcome(self, draws):
        return draws.below(37)


class Point(pf.Game):
    scheme = pf.Scheme(
        pf.Hash("sha256", "{salt}", key="{game_hash:bytes}"), bits=52, defaults={"salt": "000"}
    )
    vectorized = False

    def outcome(self, draws):
        return draws.number()


SALTED = ["server_seed", "client_seed", "salt", "outcome"]
COUNTED = ["server_seed", "client_seed", "nonce", "outcome"]
PLAYED = [
    *((game(), SALTED) for game in pf.operators.salted.GAMES.values()),
    (pf.Plinko(balls=3), SALTED),
    (Keno(), SALTED),
    (Spin(), COUNTED),
    (Point(), ["salt", "game_hash", "outcome"]),
    (pf.Mines(mines=3).with_scheme(NONCES), COUNTED),
    (pf.Crash().with_scheme(NONCES), COUNTED),
    (VideoPoker(), COUNTED),
    (Blackjack(cards=7), COUNTED),
]
LOGS = [
    *((game, {}) for game, _ in PLAYED),
    (VideoPoker(), {"strategy": "optimal"}),
    (Blackjack(), {"strategy": "basic"}),
]
IDS = [f"{type(game).__name__}-{columns[2]}" for game, columns in PLAYED]


def frame_of(game, library, rounds=ROUNDS, **options):
    return game.simulate(rounds, seed="frames", start=3, as_frame=library, **options)


@pytest.mark.parametrize(("game", "columns"), PLAYED, ids=IDS)
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_frame_has_seeds_salts_and_outcomes(game, columns, library):
    frame = frame_of(game, library)
    assert list(frame.columns) == columns
    outcomes = game.simulate(ROUNDS, seed="frames", start=3)
    assert (np.array(frame["outcome"].to_list()) == outcomes).all()
    for name in columns[:-1]:
        kind = int if name == "nonce" else str
        assert all(type(value) is kind for value in frame[name].to_list())
    if columns == SALTED:
        assert frame["salt"].to_list() == [salt.decode() for salt in pf.salts(ROUNDS, "frames", start=3)]
        made = pf.games.rounds.simulated_rounds(game, 0, "frames").values()
        seeds = made["server_seed"], made["client_seed"]
        assert (frame["server_seed"][0], frame["client_seed"][7]) == seeds
    if "nonce" in columns:
        assert frame["nonce"].to_list() == list(range(3, 3 + ROUNDS))


@pytest.mark.parametrize(("game", "options"), LOGS, ids=lambda value: type(value).__name__)
def test_a_frame_is_a_log_that_verifies(game, options, tmp_path):
    frame = frame_of(game, "pandas", **options)
    assert pf.verify(frame, game).ok
    assert pf.verify(frame_of(game, "polars", **options), game).ok
    frame.to_csv(tmp_path / "log.csv", index=False)
    report = pf.verify(tmp_path / "log.csv", game)
    assert (report.ok, report.checked) == (True, ROUNDS)
    frame.to_parquet(tmp_path / "log.parquet")
    assert pf.verify(tmp_path / "log.parquet", game).ok
    # Outcomes of other rounds are detected.
    outcomes = frame["outcome"].tolist()
    assert not pf.verify(frame.assign(outcome=[*outcomes[1:], outcomes[0]]), game).ok


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize(("game", "options"), LOGS, ids=lambda value: type(value).__name__)
def test_no_rounds_are_a_frame_of_no_rows(game, options, library):
    frame = frame_of(game, library, 0, **options)
    assert len(frame) == 0
    assert "outcome" in frame.columns
    assert pf.verify(frame, game).checked == 0


def test_parameters_by_round_have_columns():
    log = pf.Jackpot().simulate(3, tickets=[10, 20, 30], as_frame="pandas")
    assert log["tickets"].tolist() == [10, 20, 30]
    assert pf.verify(log, pf.Jackpot()).ok
    same = pf.Plinko().simulate(3, pins=8, as_frame="polars")
    assert same["pins"].to_list() == [8, 8, 8]
    assert "pins" not in pf.Plinko().simulate(3, as_frame="polars").columns


def test_seeds_that_were_bytes_are_text():
    log = pf.Dice().simulate(2, server_seed=b"\xc3\xa9", client_seed=[b"x", "y"], as_frame="pandas")
    assert log["server_seed"].tolist() == ["é", "é"]
    assert log["client_seed"].tolist() == ["x", "y"]
    assert pf.verify(log, pf.Dice()).ok
    # Bytes that aren't text stay bytes.
    for library in ("pandas", "polars"):
        log = pf.Dice().simulate(2, server_seed=b"\xff", client_seed=[b"\xff", "y"], as_frame=library)
        assert log["server_seed"][0] == b"\xff"
        assert pf.verify(log, pf.Dice()).ok


def test_hands_of_video_poker():
    log = frame_of(VideoPoker(), "pandas", strategy="optimal")
    rounds = VideoPoker().simulate(ROUNDS, seed="frames", start=3, strategy="optimal")
    assert log["pays"].tolist() == rounds.pay.tolist()
    assert log["dealt"].tolist() == [str(one.hand) for one in rounds]


@pytest.mark.parametrize("strategy", ["basic", "optimal", lambda decision: decision.legal[-1]])
def test_rounds_of_blackjack(strategy):
    game = Blackjack()
    log = frame_of(game, "pandas", strategy=strategy)
    nets = game.simulate(ROUNDS, seed="frames", start=3, strategy=strategy).net
    assert log["outcome"].tolist() == nets.tolist()
    assert pf.verify(log, game).ok
    unseeded = frame_of(game, "polars", strategy=strategy, shoes="random")
    assert unseeded.columns == ["actions", "outcome"]


@pytest.mark.parametrize(
    ("game", "options"), [(pf.Dice(), {}), (Keno(), {}), *LOGS[-2:]], ids=lambda value: type(value).__name__
)
@pytest.mark.parametrize("wrong", ["arrow", "Pandas", True, 1])
def test_other_libraries_are_refused(game, options, wrong):
    kind, said = (ValueError, "one of 'pandas', 'polars'") if isinstance(wrong, str) else (TypeError, "str")
    with pytest.raises(kind, match=f"as_frame must be {said}, got") as refused:
        game.simulate(3, as_frame=wrong, **options)
    assert "one of 'pandas', 'polars'" in str(refused.value)


@pytest.mark.parametrize("written", ["{:.2f}", "${:.2f}", "{:.2f}x", "list"])
def test_categories_are_read_as_their_texts_and_those_of_no_row_not_at_all(written):
    stake = pf.operators.stake
    rounds = {"server_seed": "s", "client_seed": "c", "nonce": list(range(30))}
    game, unused = stake.Limbo(), ["5 EUR", "7 USD"]
    texts = [written.format(bust).replace(".", ",") for bust in game.play(**rounds)]
    if written == "list":  # with hyphens; there are as many others in JSON
        game = stake.Mines()
        texts = ["-".join(map(str, mines)) for mines in game.play(**rounds).tolist()]
        unused = [f"[{i}, 2, 3]" for i in range(30)]
    kinds = list(dict.fromkeys([*texts, *unused]))
    plain = pf.verify(pd.DataFrame(rounds | {"outcome": texts}), game)
    assert plain.ok
    coded = pa.array(texts).dictionary_encode()
    coded = pa.DictionaryArray.from_arrays(coded.indices, [*coded.dictionary.to_pylist(), *unused])
    for frame in (
        pd.DataFrame(rounds | {"outcome": pd.Categorical(texts, kinds)}),
        pl.DataFrame(rounds | {"outcome": pl.Series(texts, dtype=pl.Enum(kinds))}),
        rounds | {"outcome": coded},
        rounds | {"outcome": pa.array([text.encode() for text in texts])},
        pl.DataFrame(rounds | {"outcome": [text.encode() for text in texts]}),
    ):
        report = pf.verify(frame, game)
        assert (report.ok, report.notations) == (True, plain.notations)


def test_categories_of_decimals_are_numbers():
    game, rounds = pf.operators.stake.Plinko(), {"server_seed": "s", "client_seed": "c", "nonce": [*range(9)]}
    buckets = [Decimal(int(path.sum())) for path in game.play(**rounds)]
    assert pf.verify(rounds | {"outcome": pa.array(buckets).dictionary_encode()}, game).ok
