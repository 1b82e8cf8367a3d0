"""Dieharder on the numbers of salted rounds; see `provably_fair.statistics.dieharder`."""

from provably_fair.statistics.dieharder import (
    BatteryReport,
    BatteryResult,
    battery,
    parse_report,
    random_stream,
    recorded_run,
)

__all__ = ["BatteryReport", "BatteryResult", "battery", "parse_report", "random_stream", "recorded_run"]
