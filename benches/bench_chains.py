"""Walking a chain back and computing its busts, against the bare chain and the HMACs alone.

Both sides keep all hashes, like `HashChain.previous`. In repetition 1 memory is fresh, and our side, which
touches it first, pays for the page faults. CPU times on one thread.
"""

import argparse
import statistics

import provably_fair as pf
from peers import own_time, rust_peer

LAST = "0" * 64
BUSTS = pf.operators.bustabit.V2()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000_000)
    parser.add_argument("--repetitions", type=int, default=5)
    options = parser.parse_args()
    games, peer, chain = options.games, rust_peer("schemes"), pf.HashChain()
    print(f"{'':<14}{'ours':>12}{'sha2 chain':>12}{'HMACs':>12}{'ratio':>8}   (ns a game)")
    ratios = []
    for repetition in range(1, options.repetitions + 1):
        ours = own_time(lambda: BUSTS.play(chain.previous(LAST, games), threads=1)) / games
        bare = peer.run("chain", games) / games
        hashes = chain.previous(LAST, games)
        bulk = own_time(lambda h=hashes: BUSTS.scheme.random_numbers(h, count=1, threads=1)) / games
        del hashes
        ratios.append(ours / (bare + bulk))
        figures = "".join(f"{1e9 * seconds:>12.1f}" for seconds in (ours, bare, bulk))
        print(f"repetition {repetition:<3}{figures}{ratios[-1]:>8.2f}")
    print(f"median ratio {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
