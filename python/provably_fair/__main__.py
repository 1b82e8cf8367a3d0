"""``python -m provably_fair`` is the command `provably-fair`."""

import sys

from provably_fair._cli_entry import main

if __name__ == "__main__":
    sys.exit(main())
