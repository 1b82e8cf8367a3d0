"""How well the tests of fairness keep their level, and what they catch; ``python -m`` measures it."""

import sys

from provably_fair._cli_entry import main as _main
from provably_fair.statistics import calibration
from provably_fair.statistics.calibration import *  # noqa: F403

__all__: list[str] = []
__all__ += calibration.__all__

if __name__ == "__main__":
    sys.exit(_main(["calibrate", *sys.argv[1:]]))
