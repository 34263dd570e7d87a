"""Reads an edition's folder into an `Edition`."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

from pydantic import ValidationError

from server.editions.files import EditionFile
from server.scoring.edition import Deal, Edition, EditionError, Kind, Rule, Setting

if TYPE_CHECKING:
    from pathlib import Path

    from server.editions.files import CardPart, CategoryPart, RulePart, SettingPart

RULE_CATEGORY = "rule"
"""The category of the rule cards: the kind of rule 7 is `rule-7`."""


def read_edition(folder: Path, language: str) -> Edition:
    """Return the edition in `folder`, its texts in `language`; EditionError says what is wrong with the files."""
    path = folder / "edition.toml"
    try:
        file = EditionFile.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EditionError(f"{path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise EditionError(f"{path}: {place}: {first['msg']}") from error
    return _Reader(str(path), language).edition(file)


class _Reader:
    """Turns a checked file into an edition in one language."""

    def __init__(self, path: str, language: str) -> None:
        self._path = path
        self._language = language

    def edition(self, file: EditionFile) -> Edition:
        rules = tuple(self._rule(part) for part in file.rules)
        return Edition(
            slug=file.slug,
            language=self._language,
            title=self._say(file.title, "title"),
            summary=self._say(file.summary, "summary"),
            players_min=file.players.min,
            players_max=file.players.max,
            kinds=self._kinds(file, rules),
            deal=tuple(self._deal(part) for part in file.categories),
            settings=tuple(self._setting(part) for part in file.settings),
            rules=rules,
        )

    def _say(self, texts: dict[str, str], place: str) -> str:
        """Return the text in the reader's language."""
        try:
            return texts[self._language]
        except KeyError:
            known = ", ".join(sorted(texts))
            raise EditionError(f"{self._path}: {place}: no text in '{self._language}' (there is {known})") from None

    def _kinds(self, file: EditionFile, rules: tuple[Rule, ...]) -> tuple[Kind, ...]:
        """Return all kinds, category by category; inside a category in the order of the file."""
        kinds = [self._card(part) for part in file.cards]
        kinds += [
            Kind(f"{RULE_CATEGORY}-{rule.key}", RULE_CATEGORY, rule.name, rule.text, number=_number(rule.key))
            for rule in rules
        ]
        order = [category.slug for category in file.categories]
        for kind in kinds:
            if kind.category not in order:
                raise EditionError(f"{self._path}: cards.{kind.slug}: unknown category '{kind.category}'")
        if len({kind.slug for kind in kinds}) < len(kinds):
            twice = next(kind.slug for i, kind in enumerate(kinds) if kind.slug in {k.slug for k in kinds[:i]})
            raise EditionError(f"{self._path}: cards.{twice}: stands twice in the file")
        return tuple(sorted(kinds, key=lambda kind: order.index(kind.category)))

    def _card(self, part: CardPart) -> Kind:
        place = f"cards.{part.slug}"
        text = self._say(part.text, f"{place}.text") if part.text else ""
        name = self._say(part.name, f"{place}.name")
        return Kind(part.slug, part.category, name, text, part.ink or "", part.symbol or "")

    def _rule(self, part: RulePart) -> Rule:
        place = f"rules.{part.key}"
        wording = self._say(part.text, f"{place}.text")
        try:
            text = wording.format_map(part.numbers)
        except (KeyError, ValueError, IndexError) as error:
            raise EditionError(f"{self._path}: {place}.text: the rule has no number {error}") from None
        return Rule(part.key, self._say(part.name, f"{place}.name"), text, part.numbers)

    def _deal(self, part: CategoryPart) -> Deal:
        return Deal(part.slug, self._say(part.name, f"categories.{part.slug}.name"), part.each, part.different)

    def _setting(self, part: SettingPart) -> Setting:
        place = f"settings.{part.name}"
        label, text = self._say(part.label, f"{place}.label"), self._say(part.text, f"{place}.text")
        return Setting(part.name, label, text, part.minimum, part.maximum, part.default, part.confirm)


def _number(key: str) -> int | None:
    """Return the number printed on a rule's card; None for a rule that has a name instead."""
    return int(key) if key.isdigit() else None
