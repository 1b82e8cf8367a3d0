"""``python -m provably_fair.battery`` hands over to the commands `stream` and `battery`."""

import sys

from provably_fair._cli_entry import main as _main
from provably_fair.cli.battery import words_of

__all__: list[str] = []

if __name__ == "__main__":
    sys.exit(_main(words_of(sys.argv[1:])))
