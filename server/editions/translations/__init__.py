"""Texts about editions in other languages. `de.toml` and `fr.toml` have each English text, and theirs."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Self

LANGUAGES = ("en", "de", "fr")


class Sentence(str):
    """A sentence in English that can be translated, made from a template and the values in it.

    A value may be a Sentence itself.
    """

    __slots__ = ("template", "values")
    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill in the values."""
        sentence = super().__new__(cls, template.format_map(values))
        sentence.template, sentence.values = template, values
        return sentence

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self.template, self.values)


def _again(template: str, values: dict[str, object]) -> Sentence:
    return Sentence(template, **values)


def translated(text: str, language: str) -> str:
    """Return a text in a language; a text that is no Sentence, or has no translation, stays in English."""
    if not isinstance(text, Sentence):
        return text
    values = {
        name: translated(value, language) if isinstance(value, str) else value for name, value in text.values.items()
    }
    return in_language(text.template, language).format_map(values)


def in_language(template: str, language: str) -> str:
    """Return the template of a text in a language, in English if it has none."""
    return _catalogue(language).get(template, template)


@cache
def _catalogue(language: str) -> dict[str, str]:
    if language not in LANGUAGES or language == "en":
        return {}
    return tomllib.loads(Path(__file__).with_name(f"{language}.toml").read_text(encoding="utf-8"))
