"""The commands for test batteries: ``python -m provably_fair.battery``."""

from provably_fair.cli.battery import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
