"""How well the tests of fairness keep their level: ``python -m provably_fair.calibration``."""

from provably_fair.statistics.calibration import calibrate, defective, main, power

__all__ = ["calibrate", "defective", "power"]

if __name__ == "__main__":
    main()
