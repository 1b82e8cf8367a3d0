"""Run the ports of all games in node, and mutants of what ports share: `make ports`.

Every published round, every separating round (of which the ports of other readings get wrong those that
exclude them), 10,000 random rounds of each game, 2,000 schemes of random parts. Then each piece of runtime.js
is changed in one place, and a suite of rounds must find it. What was found is in measurements/ports.json.
`run_ports.py random runtime` runs some of these parts again.
"""

from __future__ import annotations

import json
import platform
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ports_in_node as node
import provably_fair as pf
from folders import MEASUREMENTS, VECTORS
from provably_fair.names import parse_game
from provably_fair.operators import published
from provably_fair.ports.modules import _pieces, javascript, refusal_of

RESULT = MEASUREMENTS / "ports.json"
RANDOM, SCHEMES = 10_000, 2_000
MUTATIONS = (
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" \* ", " + "),
    (r" / ", " * "),
    (r" % ", " * "),
    (r" === ", " !== "),
    (r" !== ", " === "),
    (r" && ", " || "),
    (r" \|\| ", " && "),
    (r"\b0\b(?!x)", "1"),
    (r"\b1\b", "2"),
    (r"\b2\b", "3"),
    (r"\b8\b", "7"),
    (r"\b52\b", "53"),
    (r"\b53\b", "52"),
    (r"\b100n\b", "99n"),
    (r"\b64n\b", "63n"),
    (r"\b1n\b", "0n"),
    (r"Math\.floor", "Math.round"),
    (r"Math\.min", "Math.max"),
    (r"Math\.max", "Math.min"),
    (r"Math\.ceil", "Math.floor"),
    (r"Math\.round", "Math.floor"),
    (r" >> ", " << "),
    (r" << ", " >> "),
    (r" \? (.+) : ", r" ? !\1 : "),
    (r"push", "unshift"),
    (r"unshift", "push"),
    (r"\+= 1", "+= 2"),
    (r"-= 1", "-= 2"),
    (r"some", "every"),
    (r"padStart", "padEnd"),
    (r"\.reverse\(\)", ""),
    (r"toLowerCase", "toUpperCase"),
    (r"if \(", "if (!"),
)


def wrong(games: list[pf.Game], rounds: list[list[Any]]) -> list[str]:
    """Return the games whose ports get rounds wrong, with the first such round."""
    found = []
    for game, own, played in zip(games, rounds, node.play(games, rounds), strict=True):
        if bad := node.differing(game, own, played):
            found.append(f"{game!r}: {bad[0]}")
    return found


def published_rounds() -> dict[str, Any]:
    of: dict[pf.Game, list[Any]] = {}
    for one in published.rounds():
        if refusal_of(one.game) is None:
            assert one.agrees()
            of.setdefault(one.game, []).append(dict(one.fields))
    return {"rounds": sum(map(len, of.values())), "wrong": wrong([*of], [*of.values()])}


def separating_rounds() -> dict[str, Any]:
    """Play the kept rounds of each game by its port and by those of other readings."""
    counts: dict[str, Any] = {"games": 0, "rounds": 0, "readings": 0, "verdicts": 0, "wrong": []}
    for file in sorted((VECTORS / "rounds").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        game = parse_game(data["game"])
        if refusal_of(game) is not None:
            continue
        rounds = data["rounds"]
        fields = [one.get("fields", {"digests": one["digests"]}) for one in rounds]
        outcomes = [node.bits(one["outcome"]) for one in rounds]
        readings = pf.readings.readings(game)
        assert [one.text for one in readings] == data["readings"], data["game"]
        tried = [(number, one) for number, one in enumerate(readings) if is_compared(one.game, game)]
        seeds = [place for place, one in enumerate(rounds) if "fields" in one]
        own, *others = node.play(
            [game, *(one.game for _, one in tried)],
            [fields, *[[fields[place] for place in seeds]] * len(tried)],
        )
        counts["games"] += 1
        counts["rounds"] += len(rounds)
        counts["readings"] += len(tried)
        if [one.get("result") for one in own] != outcomes:
            counts["wrong"].append(data["game"])
        for (number, one), found in zip(tried, others, strict=True):
            excluded = [got.get("result") != outcomes[place] for place, got in zip(seeds, found, strict=True)]
            counts["verdicts"] += len(excluded)
            if excluded != [number in rounds[place]["excludes"] for place in seeds]:
                counts["wrong"].append(f"{data['game']}: {one.text}")
    return counts


def is_compared(reading: pf.Game, game: pf.Game) -> bool:
    """Return whether a reading is a rule of the same fields, which aren't edited before they are hashed."""
    same = reading.scheme.fields == game.scheme.fields
    return same and not getattr(reading, "edits", ()) and refusal_of(reading) is None


def random_rounds() -> dict[str, Any]:
    games, found = node.all_games(), []
    for start in range(0, len(games), 4):
        some = games[start : start + 4]
        found += wrong(some, [node.fields_like(game, RANDOM, "many") for game in some])
        print(f"random rounds of {start + len(some)} of {len(games)} games", flush=True)
    return {"games": len(games), "rounds": RANDOM * len(games), "wrong": found}


def random_schemes() -> dict[str, Any]:
    rng, games = random.Random(3), []
    while len(games) < SCHEMES:
        if (game := node.random_game(rng)) is not None:
            games.append(game)
    found = []
    for start in range(0, SCHEMES, 100):
        some = games[start : start + 100]
        found += wrong(some, [node.fields_like(game, 5) for game in some])
    return {"schemes": SCHEMES, "rounds": 5 * SCHEMES, "wrong": found}


# ---- mutants ----


def suite() -> tuple[list[str], list[list[Any]], list[Any]]:
    """Return the ports, the rounds and the outcomes by which mutants are found."""
    rng, games = random.Random(4), [*map(node.operation, node.OPERATIONS), *node.games_of_schemes()]
    for _ in range(40):
        if (game := node.random_game(rng)) is not None:
            games.append(game)
    texts = [javascript(game) for game in games]
    rounds = [node.fields_like(game, 8) for game in games]
    outcomes = [node.expected(game, own) for game, own in zip(games, rounds, strict=True)]
    for file in sorted((VECTORS / "rounds").glob("*.json")):
        data = json.loads(file.read_text(encoding="utf-8"))
        game = parse_game(data["game"])
        if refusal_of(game) is None and game.name != "liqd.blackjack":  # it has 415 digests a round
            texts.append(javascript(game))
            rounds.append([one.get("fields", {"digests": one["digests"]}) for one in data["rounds"]])
            outcomes.append([node.bits(one["outcome"]) for one in data["rounds"]])
    # The largest words of 64 bits, whose bytes add up to 1 in doubles.
    texts.append(javascript(node.Numbers()))
    rounds.append([{"digests": ["f" * 128]}, *node.fields_like(node.Numbers(), 40)])
    outcomes.append([node.bits([1 - 2.0**-53] * 4), *node.expected(node.Numbers(), rounds[-1][1:])])
    for game, wrong in WRONG.items():
        texts.append(javascript(parse_game(game)))
        rounds.append(wrong)
        outcomes.append([None] * len(wrong))
    return texts, rounds, outcomes


SEEDS = {"server_seed": "ab", "client_seed": "c", "nonce": 1}
WRONG: dict[str, list[Any]] = {
    "bustabit.v1": [
        *({"game_hash": text} for text in ("a" * 63, "a" * 62 + "g1", "A" * 64, 5, None, "a" * 66)),
        {"game_hash": "a" * 64, "salt": "\ud800"},
    ],
    "duel.dice": [
        *(SEEDS | {"nonce": nonce} for nonce in (-1, 1.5, "01", str(2**64), "", True, None)),
        *(SEEDS | {"server_seed": text} for text in ("abc", "xy", 7)),
    ],
}
"""Rounds that no port plays."""


def mutants() -> Iterator[tuple[str, str, str]]:
    """Yield the piece of the runtime, the line that is changed, and the mutant of the piece."""
    text = (node.PORTS / "runtime.js").read_text(encoding="utf-8")
    for piece in text.split("\n\n"):
        name = re.search(r"^(?:function|class|const) (\w+)", piece, re.MULTILINE)
        if name is None or name[1] in NOT_OUTCOMES:
            continue
        own = piece.strip()
        for pattern, other in MUTATIONS:
            for place in re.finditer(pattern, own):
                line = own[own.rfind("\n", 0, place.start()) + 1 :].partition("\n")[0].strip()
                if line.startswith("//") or any(part in line for part in NOT_LINES):
                    continue
                yield name[1], line, own[: place.start()] + place.expand(other) + own[place.end() :]


NOT_OUTCOMES = ("entry", "parameterOf", "parametersOf", "problemsOf", "shown", "STRICT", "FORMULAS", "worked")
NOT_OUTCOMES += ("FieldError", "played", "walked", "commitmentsOf")
"""What shows rounds, or belongs to pages: other tests hold these."""
NOT_LINES = (
    "Error(",
    "usedUp(",
    "65536",
    "this.steps",
    "this.drawn",
    "draws.drawn",
    "passed",
    "draws.note(",
    "const count",
    "throw ",
    "this.record(",
    "if (whole)",
    "this.reader.place = (start",
)
"""Lines of messages, of what is shown, and of draws without end or after the last word."""


PLAYER = """
import { readFileSync, writeFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
const { bundle, ports, mutants } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const context = createContext({ TextEncoder, TextDecoder });
runInContext(bundle, context);
const isFound = (port, text) => {
  try {
    return runInContext(text, context, { timeout: 5000 }) !== port.outcomes;
  } catch {
    return true;
  }
};
const alive = [];
const wrong = ports.filter((port) => isFound(port, port.text));
if (wrong.length) throw Error(`the suite fails without a mutant: ${wrong[0].text}`);
mutants.forEach(({ name, line, piece, mutant }, number) => {
  const some = ports.filter((port) => port.text.includes(piece));
  if (some.some((port) => isFound(port, port.text.split(piece).join(mutant)))) return;
  alive.push(number);
  console.log(`alive: ${number} of ${mutants.length}, ${name}: ${line}`);
});
writeFileSync(process.argv[3], JSON.stringify(alive));
"""
PLAYED = """(() => {
@PORT@
const bits = (value) => {
  if (Array.isArray(value)) return value.map(bits);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16).padStart(16, "0");
};
return JSON.stringify(@ROUNDS@.map((fields) => {
  try {
    return bits(outcome(fields));
  } catch {
    return null;
  }
}));
})()"""


def killed() -> dict[str, Any]:
    """Play the suite with each mutant in one process."""
    ports = []
    for text, rounds, outcomes in zip(*suite(), strict=True):
        port = re.sub(r"^import .*$|^export (?=function|const)", "", text, flags=re.MULTILINE)
        fields = json.dumps([{key: node.exact(value) for key, value in one.items()} for one in rounds])
        played = PLAYED.replace("@PORT@", port).replace("@ROUNDS@", fields)
        ports.append({"text": played, "outcomes": json.dumps(outcomes, separators=(",", ":"))})
    made, pieces = [*mutants()], _pieces()
    tried = [
        {"name": name, "line": line, "piece": pieces[name], "mutant": mutant} for name, line, mutant in made
    ]
    bundle = node.hashes()
    with tempfile.TemporaryDirectory() as folder:
        job, found, player = (Path(folder, name) for name in ("job.json", "found.json", "player.mjs"))
        job.write_text(json.dumps({"bundle": bundle, "ports": ports, "mutants": tried}), encoding="utf-8")
        player.write_text(PLAYER, encoding="utf-8")
        subprocess.run(["node", player, job, found], check=True)
        alive = [f"{made[number][0]}: {made[number][1]}" for number in json.loads(found.read_text())]
    return {"mutants": len(made), "killed": len(made) - len(alive), "alive": alive}


TIMER = """
const isPlayed = (one) => {
  try {
    return outcome(one) !== null;
  } catch {
    return false;
  }
};
const rounds = @ROUNDS@.filter(isPlayed);
const begin = process.cpuUsage().user;
rounds.forEach((one) => steps(one));
const [end, hash] = [process.cpuUsage().user, "5".repeat(64)];
const taken = typeof walk === "undefined" ? 0 : walk(hash, "", 100000).steps;
const seconds = (process.cpuUsage().user - end) / 1e6;
console.log(JSON.stringify([(end - begin) / 1000 / rounds.length, taken && Math.round(taken / seconds)]));
"""


def speed() -> dict[str, Any]:
    """Return how long the steps of a round take a processor, and how many steps of a chain a second has."""
    slow, steps, sizes = {}, [], {}
    for game in node.all_games():
        text = javascript(game)
        port = re.sub(r"^import .*$|^export (?=function|const)", "", text, flags=re.MULTILINE)
        timed = TIMER.replace("@ROUNDS@", json.dumps([*map(exactly, node.fields_like(game, 200))]))
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "timed.mjs")
            file.write_text(f"{node.hashes()}\n{port}\n{timed}", encoding="utf-8")
            done = subprocess.run(["node", file], capture_output=True, text=True, check=True)
        slow[game.name], walked = json.loads(done.stdout)
        steps += [walked] if walked else []
        sizes[game.name] = len(text)
    slowest = max(slow, key=lambda name: slow[name])
    return {
        "slowest": slowest,
        "milliseconds": round(slow[slowest], 2),
        "median_milliseconds": round(sorted(slow.values())[len(slow) // 2], 3),
        "chain_steps_a_second": min(steps),
        "largest_port_bytes": max(sizes.values()),
    }


def exactly(one: dict[str, Any]) -> dict[str, Any]:
    return {key: node.exact(value) for key, value in one.items()}


PARTS = {
    "speed": speed,
    "published": published_rounds,
    "separating": separating_rounds,
    "random": random_rounds,
    "schemes": random_schemes,
    "runtime": killed,
}


def main(parts: list[str]) -> None:
    version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    refused = {one.name: refusal_of(parse_game(one.name)) for one in pf.names.list_games()}
    about = {
        "command": "make ports",
        "refused": {name: why for name, why in refused.items() if why is not None},
    }
    for name in parts or PARTS:
        begin = time.perf_counter()
        found = PARTS[name]()
        print(json.dumps(found, indent=1))
        if found.get("wrong"):
            sys.exit("some ports play otherwise than the package")
        now = {"date": time.strftime("%Y-%m-%d"), "node": version, "python": platform.python_version()}
        kept = json.loads(RESULT.read_text(encoding="utf-8")) if RESULT.exists() else {}
        kept |= about
        kept[name] = {**now, "seconds": round(time.perf_counter() - begin), **found}
        RESULT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
