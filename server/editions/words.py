"""Finds the texts of an edition's document, which stand under language keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_FIELDS = frozenset({"title", "summary", "name", "label", "text"})
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
