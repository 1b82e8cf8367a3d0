"""CPU time of a fresh process for a first small log and for the command, beside the import of numpy.

    python benches/bench_start.py [folder of another version, where provably_fair is]

Processes of both versions alternate, and the minimum of many runs counts. Bytecode is cached, as for an
installed package. The last result is kept in start.json, with the other version as "before".
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import provably_fair as pf

RESULTS = Path(__file__).with_name("start.json")
TURNS = 15
SEEDS = {"server_seed": "server", "client_seed": "client"}
COMMAND = "from provably_fair._cli_entry import main; main({})"


def rows(count: int) -> dict[str, list[str] | list[float]]:
    """Return the columns of a log of dice."""
    salts = [f"salt {number}" for number in range(count)]
    return {
        **{name: [seed] * count for name, seed in SEEDS.items()},
        "salt": salts,
        "outcome": pf.Dice().play(**SEEDS, salt=salts).tolist(),
    }


def seconds(code: str, environment: dict[str, str]) -> float:
    """Return the CPU seconds of a new interpreter that runs some code."""
    run = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, env=environment)
    _, status, used = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise SystemExit(f"{code} ended with {run.returncode}")
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Print seconds for this version and the other one."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log.csv")
        columns = [[name, *column] for name, column in rows(200).items()]
        lines = [",".join(map(str, row)) for row in zip(*columns, strict=True)]
        log.write_text("\n".join(lines), encoding="utf-8")
        work = {
            "numpy": "import numpy",
            "verify of 3 rows": f"import provably_fair as pf; assert pf.verify({rows(3)}, 'dice').ok",
            "--help": COMMAND.format(["--help"]),
            "verify, of 200 rows": COMMAND.format(["verify", str(log), "--game", "dice"]),
        }
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        kept["PYTHONPYCACHEPREFIX"] = folder
        versions = {"now": kept}
        if len(sys.argv) > 1:
            versions["before"] = kept | {"PYTHONPATH": sys.argv[1]}
        least = {(what, version): float("inf") for what in work for version in versions}
        for turn in range(TURNS + 1):
            for what, version in least:
                took = seconds(work[what], versions[version])
                if turn:  # the first run writes the bytecode
                    least[what, version] = min(least[what, version], took)
    results = {what: {version: round(least[what, version], 3) for version in versions} for what in work}
    for what, took in results.items():
        print(f"{what:20}", *(f"{version} {value:.3f}" for version, value in took.items()))
    RESULTS.write_text(json.dumps({"turns": TURNS, "seconds": results}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
