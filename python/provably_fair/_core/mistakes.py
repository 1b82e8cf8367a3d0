"""Mistakes in several values, told all at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from .errors import BadType, BadValue, argument_of, placed


class _Kept:
    """A context that keeps what is raised in it about a value."""

    def __init__(self, found: list[tuple[str, Exception]], name: str, place: str) -> None:
        self._found, self._name, self._place = found, name, place

    def __enter__(self) -> None:
        """Do nothing yet."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        """Keep the error, if it is of a value."""
        if not isinstance(error, (TypeError, ValueError)):
            return False
        self._found += [(self._name, placed(one, self._place)) for _, one in mistakes_in(error)]
        return True


class Mistakes:
    """What is wrong with several values, collected while they are checked; `place` precedes their names."""

    def __init__(self, place: str = "") -> None:
        self._place = place
        self.found: list[tuple[str, Exception]] = []

    def __contains__(self, name: str) -> bool:
        return any(name == known for known, _ in self.found)

    def of(self, name: str) -> _Kept:
        """Return what keeps whatever is wrong with the value of this name, and goes on."""
        return _Kept(self.found, name, self._place)

    def tell(self, examples: Mapping[str, str] | None = None) -> None:
        """Raise what was found, if anything was, each mistake with an example of what is right."""
        if self.found:
            raise as_one(self.found, examples)


def as_one(found: list[tuple[str, Exception]], examples: Mapping[str, str] | None = None) -> Exception:
    """Return an error that tells of these mistakes, each with an example of what is right."""
    texts, first = in_words(found, examples or {}), found[0][1]
    if texts != [str(first)]:
        return several(found, texts)
    vars(first)["mistakes"] = found
    return first


_EXAMPLE = ", as in: "


def in_words(found: Iterable[tuple[str, Exception]], examples: Mapping[str, str]) -> list[str]:
    """Return what mistakes say, each with an example of what is right where it has none of its own."""
    texts = []
    for name, error in found:
        text = str(error)
        given = name not in examples or _EXAMPLE in text
        texts.append(text if given else f"{text}{_EXAMPLE}{examples[name]}")
    return texts


def several(found: Sequence[tuple[str, Exception]], texts: Sequence[str]) -> Exception:
    """Return an error that tells of all these mistakes, in these words."""
    kind = BadType if all(isinstance(error, TypeError) for _, error in found) else BadValue
    whole = kind(argument_of(found[0][1]) or found[0][0], sentence="; ".join(texts))
    vars(whole)["mistakes"] = list(found)
    return whole


def mistakes_in(error: Exception) -> list[tuple[str, Exception]]:
    """Return the single mistakes, by name, that an error tells of."""
    found: list[tuple[str, Exception]] = getattr(error, "mistakes", [("", error)])
    return found
