"""``python -m provably_fair`` is the command `provably-fair`; ``demo`` shows what the package does."""

import sys

from provably_fair._cli_entry import main

if __name__ == "__main__":
    sys.exit(main())
