"""Texts about editions in other languages. `de.toml` and `fr.toml` have each English text, and theirs."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Self

LANGUAGES = ("en", "de", "fr")


class Sentence(str):
    """A sentence in English that can be translated, made from a text and the values in it.

    A value may be a Sentence itself.
    """

    __slots__ = ("english", "values")
    english: str
    values: dict[str, object]

    def __new__(cls, english: str, /, **values: object) -> Self:
        """Fill in the values."""
        sentence = super().__new__(cls, english.format_map(values))
        sentence.english, sentence.values = english, values
        return sentence

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.english, self.values)


def _again(english: str, values: dict[str, object]) -> Sentence:
    return Sentence(english, **values)


def translated(text: str, language: str) -> str:
    """Return a text in a language; a text that is no Sentence, or has no translation, stays in English."""
    if not isinstance(text, Sentence):
        return text
    values = {
        name: translated(value, language) if isinstance(value, str) else value for name, value in text.values.items()
    }
    return in_language(text.english, language).format_map(values)


def in_language(english: str, language: str) -> str:
    """Return an English text in a language, with the names of values in braces; the same if there is no translation."""
    return catalogue(language).get(english, english)


@cache
def catalogue(language: str) -> dict[str, str]:
    """Return the texts of a language by the English ones; none for English and other languages."""
    if language not in LANGUAGES or language == "en":
        return {}
    return tomllib.loads(Path(__file__).with_name(f"{language}.toml").read_text(encoding="utf-8"))
