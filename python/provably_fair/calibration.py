"""How well the tests of fairness keep their level; ``python -m`` hands over to the command `calibrate`."""

import sys

from provably_fair._cli_entry import main as _main
from provably_fair.statistics.calibration import DEFECTS, calibrate, defective, power

__all__ = ["DEFECTS", "calibrate", "defective", "power"]

if __name__ == "__main__":
    sys.exit(_main(["calibrate", *sys.argv[1:]]))
