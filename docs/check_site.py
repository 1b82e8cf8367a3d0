"""Checks the built site: `python docs/check_site.py FOLDER`. Needs no network.

Every link within the site must lead to a file, and to an anchor in it. Pages must load nothing from other
sites, so that the site opens from disk. Every image needs an alternative text. Links to other sites are
listed in `external_links.txt`; Sphinx's linkcheck follows only those.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Attributes that browsers load, by tag.
LOADED = {"img": "src", "script": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src"}
# The same in style sheets.
OF_A_STYLE = re.compile(r"""(?:url\(|@import)\s*["']?(https?://[^"')\s]+|//[^"')\s]+)""")


class Links(HTMLParser):
    """The links, loaded addresses, anchors, and images without alternative text of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.loaded: list[tuple[int, str]] = []
        self.mute: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the addresses of a tag."""
        values = {name: value for name, value in attrs if value}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        line = self.getpos()[0]
        # Sphinx substitutes the file's name for a missing text.
        if tag == "img" and values.get("alt", "").rpartition(".")[2] in ("", "png", "svg"):
            self.mute.append((line, values.get("src", "")))
        if tag == "a" and "href" in values:
            self.links.append((line, values["href"]))
        elif tag == "link" and "href" in values and values.get("rel") != "canonical":
            kind = self.loaded if values.get("rel") in ("stylesheet", "icon", "preload") else self.links
            kind.append((line, values["href"]))
        elif tag in LOADED and LOADED[tag] in values:
            self.loaded.append((line, values[LOADED[tag]]))


def read(path: Path) -> Links:
    """Read one page."""
    links, text = Links(), path.read_text(encoding="utf-8")
    links.feed(text)
    if "const GAMES = [" in text:  # rounds are verified there: a link has the name of a game behind #
        links.anchors.update(re.findall(r'^  name: "(.+)",$', text, re.MULTILINE))
    return links


def pages_of(folder: Path) -> list[Path]:
    """Return the site's pages; a theme's static files may be templates."""
    return [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]


def check(folder: Path) -> tuple[list[str], set[str]]:
    """Return the problems found, and the addresses of other sites."""
    pages = {path.resolve(): read(path) for path in pages_of(folder)}
    wrong, external = [], set()
    if not pages:
        wrong.append(f"{folder}: no pages")
    for path in sorted(folder.rglob("*.css")):
        addresses = OF_A_STYLE.findall(path.read_text(encoding="utf-8"))
        wrong += [f"{path.relative_to(folder)}: loads {address} from another site" for address in addresses]
    for path, page in pages.items():
        where = path.relative_to(folder.resolve())
        for line, address in page.mute:
            wrong.append(f"{where}:{line}: no alternative text for {address}")
        for line, address in page.loaded:
            if urlsplit(address).netloc:
                wrong.append(f"{where}:{line}: loads {address} from another site")
        for line, address in page.links + page.loaded:
            parts = urlsplit(address)
            if parts.scheme in ("http", "https", "mailto") or parts.netloc:
                external.add(address)
                continue
            if parts.scheme:  # data: and the like
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                wrong.append(f"{where}:{line}: no file {address}")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                wrong.append(f"{where}:{line}: no anchor {address}")
    return wrong, external


def main(folder: Path) -> int:
    """Print the problems; return the exit code."""
    wrong, external = check(folder)
    listed = "".join(f"{link}\n" for link in sorted(external))
    (folder / "external_links.txt").write_text(listed, encoding="utf-8")
    for line in wrong:
        print(line)
    count = len(pages_of(folder))
    print(f"{count} pages, {len(external)} links to other sites (not followed), {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
