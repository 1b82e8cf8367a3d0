"""Fuzz targets for everything in Python that reads bytes or text: logs, the command, tables, text arguments.

Every target takes any bytes. It may return, or raise a ValueError or TypeError (a command exits), within
seconds; invariants of the results are checked. `tests/test_fuzz.py` runs the corpus; `python
fuzz/python_fuzz.py SECONDS [TARGET...]` mutates it for that long in total, deterministically unless FUZZ_SEED
is set. A failing input is kept in `fuzz/found/`.
"""

from __future__ import annotations

import bz2
import contextlib
import faulthandler
import gzip
import hashlib
import io
import json
import math
import os
import random
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import provably_fair as pf
from provably_fair import cards
from provably_fair.names import parse_subject
from provably_fair.operators import fpclub
from provably_fair.statistics import dieharder

HERE = Path(__file__).resolve().parent
LOGS = HERE.parent / "examples" / "logs"
CORPUS = HERE / "corpus"
LONGEST = 20_000
TOO_LONG = 20
REFUSED = (ValueError, TypeError)

SUBJECTS = {
    "mines.jsonl": "mines",
    "dice.csv": "dice",
    "crash.csv": "crash",
    "video_poker.csv": "video-poker",
    "blackjack.jsonl": "blackjack",
    "hashed_dice.csv": "hashed-dice",
    "combined_dice.jsonl": "combined-dice",
}
"""The sample logs, with their games."""


def text(data: bytes) -> str:
    """Return text for any bytes; invalid UTF-8 becomes lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


# ---- logs ----


def check_report(report: pf.verification.VerificationReport) -> None:
    data = json.loads(report.to_json())
    assert report.failed >= len({(failure.file, failure.row) for failure in report.failures})
    assert report.ok == (report.failed == 0 and report.checked > 0 and report.complete)
    assert 0 <= report.failed <= report.checked
    assert data["checked"] == report.checked
    shown = str(report)
    # Text from the log is escaped, so that it can't steer a terminal or act as markup.
    assert all(character == "\n" or character.isprintable() for character in shown), ascii(shown)
    assert "<script" not in report._repr_html_().lower()
    shown.encode()
    if report.failures:
        with contextlib.suppress(*REFUSED):
            str(report.explain())


def log_file(name: str, subject: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data)
        try:
            report = pf.verify(path, parse_subject(subject))
        except REFUSED:
            return
        check_report(report)
        assert path.read_bytes() == data
        assert [file.sha256 for file in report.files] == [hashlib.sha256(data).hexdigest()]


def log(data: bytes) -> None:
    """First line: the name of a sample log, whose format and game apply."""
    head, _, rest = data.partition(b"\n")
    name = text(head).strip()
    name = name if name in SUBJECTS else list(SUBJECTS)[len(data) % len(SUBJECTS)]
    log_file(name, SUBJECTS[name], rest)


def compressed(data: bytes) -> None:
    """Damage a log after compressing it."""
    ending = ".gz" if data[:1] == b"\x1f" else ".bz2"
    log_file(f"dice.csv{ending}", "dice", data)


def arrow_file(data: bytes) -> None:
    log_file("dice.arrow", "dice", data)


def rows(data: bytes) -> None:
    """Rows in memory as JSON lines; the first line is the game."""
    head, *lines = text(data).split("\n")
    try:
        subject = parse_subject(head)
        log = [json.loads(line) for line in lines if line.strip()]
    except (*REFUSED, RecursionError):
        return
    try:
        report = pf.verify(log, subject)
    except REFUSED:
        return
    check_report(report)


# ---- text ----


def report_of_dieharder(data: bytes) -> None:
    try:
        report = dieharder.parse_report(text(data))
    except ValueError:
        return
    assert report.results
    assert sum(report.counts.values()) == len(report.results)
    assert report.assessment in ("PASSED", "WEAK", "FAILED")
    str(report)
    json.loads(report.to_json())


def dice(data: bytes) -> None:
    """Parse the same text as logs of hashed dice, and as dice."""
    given = text(data)
    for read in (fpclub.parse_log, fpclub.HashedDice):
        for argument in (given, data):
            with contextlib.suppress(*REFUSED):
                answer = read(argument)
                str(answer)
                if read is fpclub.parse_log:
                    for record in answer:
                        check = record.check()
                        str(check)
                        assert check.ok == (check.expected == check.computed)
                    again = fpclub.parse_log("".join(record.text for record in answer))
                    assert again == answer
                else:
                    assert read(answer.digits) == answer


def card_text(data: bytes) -> None:
    """First line: cards; second line: actions; whole text: a hand, a card, a commitment."""
    given = text(data)
    head, _, rest = given.partition("\n")
    for read in (
        cards.parse,
        cards.Hand,
        cards.VideoPoker,
        lambda text: pf.check_commitment("", text),
    ):
        with contextlib.suppress(*REFUSED):
            str(read(given))
    with contextlib.suppress(*REFUSED):
        hand = cards.Hand(head)
        assert cards.Hand(str(hand)) == cards.Hand(hand.ascii) == hand
        cards.VideoPoker().best_hold(head)
    with contextlib.suppress(*REFUSED):
        played = cards.Blackjack().settle(head, rest.split())
        assert -8 <= played.net <= 8
        str(played)


def seeds(data: bytes) -> None:
    """Lines as seeds, in every form that seeds may have, compared with hashlib."""
    import hmac

    import numpy as np

    lines = data.split(b"\n")[:20]
    server, client = lines[0], lines[-1]
    forms = [lines, np.array(lines, object), tuple(lines)]
    with contextlib.suppress(UnicodeDecodeError):
        forms += [[line.decode() for line in lines], np.array([line.decode() for line in lines], object)]
    if not any(line.endswith(b"\0") for line in lines):
        forms.append(np.array(lines, "S"))
    expected = []
    for salt in lines:
        key = hashlib.sha256(server + b":" + salt).hexdigest().encode()
        expected.append(list(hmac.digest(key, client + b":3", "sha512")))
    for form in forms:
        assert pf.seeds.random_bytes(server, client, form, cursor=3).tolist() == expected
    with contextlib.suppress(*REFUSED):
        pf.seeds.random_bytes(text(data), [text(line) for line in lines], "")


def paytable(data: bytes) -> None:
    """JSON: the arguments of a paytable."""
    try:
        arguments = json.loads(text(data))
        assert isinstance(arguments, dict)
    except (ValueError, RecursionError, AssertionError):
        return
    with contextlib.suppress(*REFUSED):
        table = cards.Paytable(**arguments)
        assert table == eval(repr(table), {"Paytable": cards.Paytable, **vars(__import__("fractions"))})
        assert hash(table) == hash(cards.Paytable(**arguments))


def values(data: bytes) -> None:
    """JSON: the name of a game or "Rules", its parameters, then three seeds."""
    try:
        name, parameters, *seeds = json.loads(text(data))
        assert isinstance(parameters, dict)
        kind = {**pf.operators.salted.GAMES, "Rules": cards.Rules}[name]
    except (ValueError, TypeError, KeyError, RecursionError, AssertionError):
        return
    with contextlib.suppress(*REFUSED):
        kind = kind(**parameters)
        known = {type(kind).__name__: type(kind), "math": math, **vars(__import__("fractions"))}
        assert eval(repr(kind), known) == kind
        if name != "Rules" and len(seeds) == 3:
            kind.play(*seeds)
            str(kind.explain(*seeds))


def command(data: bytes) -> None:
    """Lines: arguments of the command, run in an empty folder with the sample logs."""
    from provably_fair.cli import run

    arguments = [line for line in text(data).split("\n") if line]
    # No commands that run forever or start programs, no files elsewhere, and no huge requests: a user's own
    # request may take as long as it needs.
    if arguments[:1] in (["battery"], ["stream"]) or any(
        "/" in argument or ".." in argument or "\0" in argument for argument in arguments
    ):
        return
    if any(sum(c.isdigit() for c in argument) > 4 and len(argument) < 30 for argument in arguments):
        return
    before, stdin = Path.cwd(), sys.stdin
    out, err = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        for log in ("combined_dice.jsonl", "hashed_dice.csv"):
            Path(folder, log).write_bytes((LOGS / log).read_bytes())
        Path(folder, "log.txt").write_bytes((CORPUS / "fpclub_log" / "two").read_bytes())
        try:
            os.chdir(folder)
            sys.stdin = io.StringIO("seed\n")
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                code = run(arguments)
        finally:
            os.chdir(before)
            sys.stdin = stdin
    assert code in (0, 1, 2), code
    assert code < 2 or err.getvalue().strip() or "not all was read" in out.getvalue()
    assert "Traceback" not in err.getvalue()


# ---- corpus ----


def sample(name: str, lines: int | None) -> bytes:
    packed = LOGS / f"{name}.gz"
    whole = gzip.decompress(packed.read_bytes()) if packed.exists() else (LOGS / name).read_bytes()
    return b"".join(whole.splitlines(keepends=True)[:lines])


def samples(lines: int | None) -> Iterator[bytes]:
    for name in SUBJECTS:
        yield name.encode() + b"\n" + sample(name, lines)


def packed_samples() -> Iterator[bytes]:
    yield gzip.compress(sample("dice.csv", 9), mtime=0)
    yield bz2.compress(sample("dice.csv", 9))


def arrow_samples() -> Iterator[bytes]:
    import pyarrow as pa

    fields = {"server_seed": "s", "client_seed": "c", "salt": "x", "outcome": pf.Dice().play("s", "c", "x")}
    table = pa.table({name: [value] * 5 for name, value in fields.items()})
    for make in pa.ipc.new_file, pa.ipc.new_stream:
        out = io.BytesIO()
        with make(out, table.schema) as writer:
            writer.write_table(table)
        yield out.getvalue()


def memory_samples() -> Iterator[bytes]:
    for name, subject in SUBJECTS.items():
        if name.endswith("jsonl"):
            yield subject.encode() + b"\n" + sample(name, 5)


def dieharder_samples() -> Iterator[bytes]:
    yield (HERE.parent / "tests" / "vectors" / "dieharder_smoke.txt").read_bytes()[:3000]


def own_game_samples() -> Iterator[bytes]:
    yield from (b"%d" % number for number in range(16))


def folders(*names: str) -> Callable[[], Iterator[bytes]]:
    def read() -> Iterator[bytes]:
        for name in names:
            for file in sorted((CORPUS / name).iterdir()):
                yield file.read_bytes()

    return read


Target = Callable[[bytes], None]


def scheme(data: bytes) -> None:
    """Read a definition in TOML, and draw a round under it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scheme.toml"
        path.write_bytes(data)
        try:
            parsed = pf.Scheme.load(path)
        except REFUSED:
            return
        assert eval(repr(parsed), {"Scheme": pf.Scheme, "Hash": pf.Hash}) == parsed
        assert pf.Scheme.from_dict(json.loads(json.dumps(parsed.to_dict()))) == parsed
        values = [5 if name in ("nonce", "round") else "ab" for name in parsed.fields]
        first = parsed.random_bytes(*values, cursor=0)
        assert len(first) == hashlib.new(parsed.hash.name).digest_size
        assert parsed.random_bytes(*([value] for value in values)).tobytes() == first
        with contextlib.suppress(ValueError):
            numbers = parsed.random_numbers(*values, count=3)
            assert (numbers >= 0).all()
            assert (numbers < 1).all()


# ---- own games ----


class Raised(BaseException):
    """Raised by a user's game; not an Exception."""


def raises(error: BaseException) -> object:
    raise error


def again(draws: object, n: int) -> int:
    """Draw again until two draws differ, which may never happen."""
    first, second = draws.below(n), draws.below(n)
    while second == first:
        second = draws.below(n)
    return second


def forever(draws: object) -> object:
    while True:
        draws.number()


def nested(depth: int) -> list:
    return [nested(depth - 1)] if depth else [1]


def recursive(draws: object) -> object:
    return recursive(draws)


def numbers(draws: object, shape: tuple, value: object = 1) -> object:
    """Return a value for each round from any draws."""
    import numpy as np

    return np.full((draws.rounds, *shape) if draws.rounds > 1 else shape, value)


SIZES = (-1, 0, 1, 2, 3, 7, 64, 1000, 1 << 12, 1 << 20, 1 << 53, 1 << 63, 2.0, "2", None)
RESULTS: tuple[Callable[..., object], ...] = (
    lambda draws, n, k: draws.below(n),
    lambda draws, n, k: draws.sample(n, k),
    lambda draws, n, k: draws.shuffle(n, k),
    lambda draws, n, k: draws.shuffle(n),
    lambda draws, n, k: draws.swaps(n),
    lambda draws, n, k: draws.number(),
    lambda draws, n, k: -draws.below(n),
    lambda draws, n, k: draws.weighted([n, k]),
    lambda draws, n, k: again(draws, n),
    lambda draws, n, k: forever(draws),
    lambda draws, n, k: [draws.coin()] * k,
    lambda draws, n, k: [1] * draws.below(n),
    lambda draws, n, k: [draws.skip(n), draws.coin()][1],
    lambda draws, n, k: [draws.label(str(n)), draws.coin()][1],
    lambda draws, n, k: [draws.note(n, nested(3)), draws.part(n, k), draws.coin()][2],
    lambda draws, n, k: numbers(draws, (n,)),
    lambda draws, n, k: numbers(draws, (n, k)),
    lambda draws, n, k: numbers(draws, (0, k)),
    lambda draws, n, k: numbers(draws, (k,), "text"),
    lambda draws, n, k: numbers(draws, (), None),
    lambda draws, n, k: numbers(draws, (), float("nan")),
    lambda draws, n, k: numbers(draws, (), float("-inf")),
    lambda draws, n, k: numbers(draws, (), 2**64 - 1),
    lambda draws, n, k: numbers(draws, (), 10**30),
    lambda draws, n, k: numbers(draws, (), 1j),
    lambda draws, n, k: [],
    lambda draws, n, k: [[]] * draws.rounds,
    lambda draws, n, k: {},
    lambda draws, n, k: None,
    lambda draws, n, k: "heads",
    lambda draws, n, k: b"1",
    lambda draws, n, k: nested(70),
    lambda draws, n, k: [[1], [2, 3]],
    lambda draws, n, k: (draws.coin() for _ in range(3)),
    lambda draws, n, k: draws,
    lambda draws, n, k: recursive(draws),
    lambda draws, n, k: 1 // (draws.below(2) - 1) if draws.rounds == 1 else 1,
    lambda draws, n, k: raises(KeyError(n)),
    lambda draws, n, k: raises(StopIteration()),
    lambda draws, n, k: raises(UnicodeDecodeError("utf-8", b"", 0, 1, "no")),
    lambda draws, n, k: raises(MemoryError()),
    lambda draws, n, k: raises(KeyboardInterrupt()),
    lambda draws, n, k: raises(SystemExit(3)),
    lambda draws, n, k: raises(GeneratorExit()),
    lambda draws, n, k: raises(Raised()),
    lambda draws, n, k: raises(ValueError("\ud800")),
)
"""Rules that a user's game may apply to its draws."""


def own_game(data: bytes) -> None:
    """Bytes choose a game's rule, class attributes and scheme; then everything is called on it."""
    import numpy as np

    chance = random.Random(data)
    rules = chance.choices(RESULTS, k=chance.choice((1, 1, 2)))
    n, k = chance.choice(SIZES), chance.choice(SIZES)

    def outcome(self: object, draws: object) -> object:
        # Draw which of two rules a round has, so that shapes and types vary.
        which = draws.below(2) if len(rules) > 1 else 0
        return rules[which if isinstance(which, int) else int(np.max(which))](draws, n, k)

    members = {"outcome": outcome, "vectorized": chance.random() < 0.4, "monotone": chance.random() < 0.1}
    if chance.random() < 0.4:
        members["shape"] = chance.choice(
            ((), (0,), (1,), (2,), (3, 2), (1 << 40,), (-1,), 2, [2], "x", nested)
        )
    if chance.random() < 0.3:
        members["dtype"] = chance.choice((int, float, np.uint8, complex, object, "x", 3))
    seeds: dict[str, object] = {"server_seed": "a", "client_seed": "b", "salt": "c"}
    try:
        game = type("Own", (pf.Game,), members)()
        kind = chance.randrange(3)
        if kind == 1:
            game = game.with_scheme(pf.Scheme.of(lambda nonce: iter(int, 1), bits=32, fields=["nonce"]))
            seeds = {"nonce": 1}
        elif kind == 2:
            game = game.with_scheme(pf.Scheme(pf.Hash("sha256", "{client_seed}"), bits=32))
            seeds = {"client_seed": "b"}
    except REFUSED:
        return
    first = next(iter(seeds))
    log = {**seeds, first: [seeds[first]] * 4, "outcome": [1, [1, 2], [], "1"]}
    for ask in (
        lambda: game.shape,
        lambda: game.play(**seeds),
        lambda: game.simulate(20),
        lambda: game.tally(20),
        lambda: str(game.explain(**seeds)),
        lambda: game.distribution(),
        lambda: game.distribution("as_drawn", of=pf.hits({1})),
        lambda: game.bet(lambda outcomes: np.ones(len(outcomes))),
        lambda: check_report(pf.verify(log, game)),
        lambda: str(pf.audit(log, game)),
        lambda: pf.identify(log, [game]),
        lambda: pf.fairness_report(game.simulate(20), game),
        lambda: game._repr_html_(),
    ):
        started = time.monotonic()
        faulthandler.dump_traceback_later(2 * TOO_LONG, exit=True)
        try:
            ask()
        except BaseException as error:
            # Errors of the user's rule pass; the engine must never panic.
            if isinstance(error, AssertionError) or type(error).__name__ in ("PanicException", "SystemError"):
                raise
        assert time.monotonic() - started < 2 * TOO_LONG
    check_memory()


def check_memory() -> None:
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert used < 3 << 20, f"{used >> 10} MB of memory"


TARGETS: dict[str, tuple[Target, list[Callable[[], Iterator[bytes]]]]] = {
    "log": (log, [lambda: samples(8)]),
    "compressed": (compressed, [packed_samples]),
    "arrow": (arrow_file, [arrow_samples]),
    "rows": (rows, [memory_samples]),
    "dieharder": (report_of_dieharder, [dieharder_samples]),
    "dice": (dice, [folders("fpclub_log", "fpclub_text")]),
    "card_text": (card_text, [folders("cards")]),
    "seed_forms": (seeds, [folders("seeds")]),
    "pays": (paytable, []),
    "values": (values, []),
    "command": (command, []),
    "scheme": (scheme, []),
    "own_game": (own_game, [own_game_samples]),
}
"""Every target: its function, and inputs beside the files of its corpus folder."""


def corpus(name: str) -> list[bytes]:
    inputs = [data for source in TARGETS[name][1] for data in source()]
    folder = CORPUS / name
    return inputs + [file.read_bytes() for file in sorted(folder.iterdir())] if folder.exists() else inputs


# ---- mutations ----

TELLING = [bytes([b]) for b in b"\0\n\r\t []{}\"'\\,:;+-=.019AaZ<\x1b\x7f\x80\xbf\xc3\xef\xff"] + [
    b"null",
    b"true",
    b"NaN",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"9" * 400,
    b"\\ud800",
    b"[[1]]",
    "\u202e".encode(),
    "\u2028".encode(),
    b"<script>",
    b'""',
    b"--",
]


def mutate(chance: random.Random, data: bytes, other: bytes) -> bytes:
    def piece(of: bytes, most: int) -> tuple[int, int]:
        start = chance.randrange(len(of) + 1)
        return start, min(len(of), start + chance.randrange(most))

    for _ in range(chance.randrange(1, 6)):
        at = chance.randrange(len(data) + 1)
        kind = chance.randrange(6)
        if kind == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + chance.choice(TELLING) + data[at:]
        elif kind == 2:
            start, stop = piece(data, 8)
            data = data[:start] + chance.choice(TELLING) + data[stop:]
        elif kind == 3:
            start, stop = piece(data, 60)
            data = data[:start] + data[stop:]
        elif kind == 4:
            start, stop = piece(data, 200)
            data = data[:at] + data[start:stop] * chance.choice((1, 1, 2, 50)) + data[at:]
        else:
            start, stop = piece(other, 200)
            data = data[:at] + other[start:stop] + data[at + (stop - start) * chance.randrange(2) :]
    return data[:LONGEST]


def fuzz(name: str, seconds: float, seed: int) -> int:
    """Run one target for some seconds; return the number of inputs."""
    target, inputs = TARGETS[name][0], corpus(name)
    chance = random.Random(f"{name} {seed}")
    folder = HERE / "found"
    folder.mkdir(exist_ok=True)
    count, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutate(chance, chance.choice(inputs), chance.choice(inputs))
        kept = folder / f"{name}-{hashlib.sha256(data).hexdigest()[:16]}"
        kept.write_bytes(data)
        # A hanging call can't be interrupted: the process ends, and the input is kept.
        faulthandler.dump_traceback_later(TOO_LONG, exit=True)
        try:
            target(data)
        except BaseException:
            traceback.print_exc()
            print(f"{name} failed on {kept}")
            raise SystemExit(1) from None
        faulthandler.cancel_dump_traceback_later()
        kept.unlink()
        count += 1
    return count


def main() -> None:
    seconds, names = float(sys.argv[1]), sys.argv[2:] or list(TARGETS)
    warnings.simplefilter("ignore")
    for name in names:
        count = fuzz(name, seconds / len(names), int(os.environ.get("FUZZ_SEED", "1")))
        print(f"{name:14} {count:>9} inputs", flush=True)


if __name__ == "__main__":
    main()
