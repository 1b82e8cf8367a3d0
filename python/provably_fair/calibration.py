"""How well the tests of fairness keep their level: ``python -m provably_fair.calibration``."""

from provably_fair.statistics.calibration import DEFECTS, calibrate, defective, main, power

__all__ = ["DEFECTS", "calibrate", "defective", "power"]

if __name__ == "__main__":
    main()
