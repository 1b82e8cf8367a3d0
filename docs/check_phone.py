"""Checks the built site in Chromium: `python docs/check_phone.py FOLDER AXE`. Needs no network.

On pages of every kind, on a phone and, in the dark, on a screen: no page is wider than the window, no code
wider than its column; and axe-core (AXE is its `axe.min.js`, which `make ports` installs) finds nothing
serious, such as a table that scrolls but by no key. The search knows the words by which readers look.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from browser import Browser

PAGES = {
    "": ["index", "errata", "glossary", "changelog", "genindex", "search"],
    "start/": ["index", "install", "from_a_file_to_a_verdict"],
    "howto/": ["index", "audit", "bets", "data_science", "verify_a_log"],
    "explanation/": ["laws", "record", "statistics"],
    "notebooks/": ["index", "02_ten_games", "07_an_export_of_two_tables", "09_my_own_csv"],
    "reference/": ["index", "generated/games", "generated/operators.stake"],
    "project/": ["decisions/index"],
}
WORDS = [
    "losing streak",
    "gambler's fallacy",
    "convergence",
    "law of large numbers",
    "Monte Carlo",
    "D'Alembert",
]
WORDS += [
    "Paroli",
    "raffle",
    "giveaway",
    "lottery",
    "chi-squared",
    "expected value",
    "variance",
    "volatility",
]
WORDS += ["bonus", "wagering", "citation", "Docker", "Kafka"]
OF_AXE = """axe.run().then(found => found.violations
    .filter(one => ["serious", "critical"].includes(one.impact))
    .map(one => `${one.id}: ${one.nodes.length}, the first ${one.nodes[0].target.join(" ")}`))"""
WIDE = """[document.scrollingElement, ...document.querySelectorAll(".bd-article pre")]
    .filter(one => one.scrollWidth > one.clientWidth + 1)
    .map(one => `wide: <${one.localName}> ${one.textContent.trim().slice(0, 60)}`)"""
FOUND = "document.querySelectorAll('#search-results li').length"


def main(site: Path, axe: Path) -> int:
    """Print what is wrong; return the exit code."""
    wrong = []
    pages = [folder + name for folder, names in PAGES.items() for name in names]
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(Path(folder))
        for name in pages:
            for width, dark in ((360, False), (1200, True)):
                browser.open((site / f"{name}.html").as_uri(), width=width, dark=dark)
                browser.run(axe.read_text("utf-8") + "; 0")
                wrong += [f"{name}, {width} px: {one}" for one in browser.run(WIDE) + browser.run(OF_AXE)]
        for word in WORDS:
            browser.open(f"{(site / 'search.html').as_uri()}?q={word.replace(' ', '+')}")
            try:
                browser.until(FOUND, seconds=5)
            except TimeoutError:
                wrong.append(f"the search doesn't know {word}")
        browser.close()
    print(*wrong, f"{len(pages)} pages and {len(WORDS)} words in Chromium, {len(wrong)} wrong", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
