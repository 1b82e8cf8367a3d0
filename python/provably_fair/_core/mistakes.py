"""Several errors collected and raised as one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from .errors import BadType, BadValue, argument_of, placed


class Mistakes:
    """Errors about several values, collected while these are checked."""

    def __init__(self) -> None:
        self.found: list[tuple[str, Exception]] = []

    def __contains__(self, name: str) -> bool:
        return any(name == known for known, _ in self.found)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Collect errors that are raised inside about the value `name`."""
        try:
            yield
        except (TypeError, ValueError) as error:
            self.found += [(name, placed(one)) for _, one in mistakes_in(error)]

    def tell(self, examples: Mapping[str, str] | None = None) -> None:
        """Raise the collected errors as one, if there are any, with an example of a valid value for each."""
        if self.found:
            raise as_one(self.found, examples)


def as_one(mistakes: list[tuple[str, Exception]], examples: Mapping[str, str] | None = None) -> Exception:
    """Return one error for several mistakes, with an example of a valid value for each."""
    texts, first = in_words(mistakes, examples or {}), mistakes[0][1]
    if texts != [str(first)]:
        return several(mistakes, texts)
    vars(first)["mistakes"] = mistakes
    return first


_EXAMPLE = ", as in: "


def in_words(mistakes: Iterable[tuple[str, Exception]], examples: Mapping[str, str]) -> list[str]:
    """Return the sentences of mistakes, each with an example unless it has one."""
    texts = []
    for name, error in mistakes:
        text = str(error)
        given = name not in examples or _EXAMPLE in text
        texts.append(text if given else f"{text}{_EXAMPLE}{examples[name]}")
    return texts


def several(mistakes: Sequence[tuple[str, Exception]], texts: Sequence[str]) -> Exception:
    """Return one error with all of these mistakes and sentences."""
    kind = BadType if all(isinstance(error, TypeError) for _, error in mistakes) else BadValue
    whole = kind(argument_of(mistakes[0][1]) or mistakes[0][0], sentence="; ".join(texts))
    vars(whole)["mistakes"] = list(mistakes)
    return whole


def mistakes_in(error: Exception) -> list[tuple[str, Exception]]:
    """Return the single mistakes, by name, that an error combines."""
    single: list[tuple[str, Exception]] = getattr(error, "mistakes", [("", error)])
    return single
