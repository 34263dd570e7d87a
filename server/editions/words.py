"""Finds the texts of an edition's document, which stand under language keys, and what a wrong name may have meant."""

from __future__ import annotations

from difflib import get_close_matches
from string import Formatter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHOWN = 12
"""So many names are listed where none is like the one that is wrong."""

_FIELDS = frozenset({"title", "summary", "name", "label", "heading", "text"})
"""Fields that hold a text in several languages, besides the sentences of a rule."""


def texts_in(value: object, way: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the way to each text of a document, such as "rules.#3.name", and the text by language."""
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from texts_in(item, f"{way}.#{place}")
    elif isinstance(value, dict):
        is_text = way.rpartition(".")[2] in _FIELDS or ".says." in way
        if is_text and value and all(isinstance(text, str) for text in value.values()):
            yield way, value
        else:
            for name, inner in value.items():
                yield from texts_in(inner, f"{way}.{name}".removeprefix("."))


def placeholders(template: str) -> set[str] | None:
    """Return the names in braces in a text; None where a brace is missing or too many."""
    try:
        return {name.partition(".")[0] for _, name, _, _ in Formatter().parse(template) if name is not None}
    except ValueError:
        return None


def printed_names(title: dict[str, str], text: dict[str, str]) -> set[str]:
    """Return the names in braces that a card's title or wording has in every language."""
    names = [placeholders(title.get(language, "") + wording) or set() for language, wording in text.items()]
    return set.intersection(*names) if names else set()


def instead_of(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence about a wrong name: the name that is like it, or those that there are."""
    names = sorted(known)
    close = get_close_matches(name, names, 1)
    if close:
        return f"; did you mean '{close[0]}'?"
    more = ", …" if len(names) > _SHOWN else ""
    return f" (there is {', '.join(names[:_SHOWN]) or 'none'}{more})"
