"""How well the tests of fairness keep their level, and what they catch; ``python -m`` measures it."""

import sys

from provably_fair._cli_entry import main as _main
from provably_fair.statistics.calibration import (
    DEFECTS,
    FAIR,
    SIZES,
    calibrate,
    defective,
    level_kept,
    measure,
    power,
    recorded_measurement,
)

__all__ = [
    "DEFECTS",
    "FAIR",
    "SIZES",
    "calibrate",
    "defective",
    "level_kept",
    "measure",
    "power",
    "recorded_measurement",
]

if __name__ == "__main__":
    sys.exit(_main(["calibrate", *sys.argv[1:]]))
