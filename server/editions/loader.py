"""Reads an edition's folder into an `Edition`: `edition.toml` for its data, `rules.py` for what its rules do."""

from __future__ import annotations

import sys
import tomllib
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from server.editions.checks import check
from server.editions.files import EditionFile
from server.scoring.edition import Deal, Edition, EditionError, Kind, Rule, Ruling, Setting, Tie
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from server.editions.files import CardPart, CategoryPart, RulePart, SettingPart, TiePart

RULE_CATEGORY = "rule"
"""The category of the rule cards: the kind of rule 7 is `rule-7`."""

_PHRASES = Path(__file__).parent / "phrases.toml"


def read_edition(folder: Path, language: str) -> Edition:
    """Return the edition in `folder`, its texts in `language`; EditionError says what is wrong with the files."""
    path = folder / "edition.toml"
    try:
        file = EditionFile.model_validate(_read_toml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise EditionError(f"{path}: {place}: {first['msg']}") from error
    edition = _Reader(str(path), language, _read_rules(folder / "rules.py")).edition(file)
    check(edition, str(folder))
    return edition


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise EditionError(f"{path}: {error}") from error


def _read_rules(path: Path) -> Rulebook:
    """Run an edition's `rules.py` by its path, so that a folder anywhere can hold an edition."""
    spec = spec_from_file_location(f"haggle_edition_{path.parent.name}", path)
    if spec is None or spec.loader is None:
        raise EditionError(f"{path}: not a Python file")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses in the file look themselves up there
    try:
        spec.loader.exec_module(module)
    except EditionError as error:
        raise EditionError(f"{path}: {error}") from error
    except Exception as error:  # an author's file can fail in any way
        raise EditionError(f"{path}: cannot be run: {type(error).__name__}: {error}") from error
    book = getattr(module, "book", None)
    if not isinstance(book, Rulebook):
        raise EditionError(f"{path}: defines no 'book = Rulebook()'")
    return book


class _Reader:
    """Turns a checked file and a rulebook into an edition in one language."""

    def __init__(self, path: str, language: str, book: Rulebook) -> None:
        self._path = path
        self._language = language
        self._book = book

    def edition(self, file: EditionFile) -> Edition:
        rules = tuple(self._rule(place, part) for place, part in enumerate(file.rules))
        for key in self._book.rules.keys() - {rule.key for rule in rules}:
            raise EditionError(f"{self._path}: rules.{key}: has a function, but no wording")
        for name in self._book.ties.keys() - {part.name for part in file.ties}:
            raise EditionError(f"{self._path}: ties.{name}: has a function, but is not listed")
        return Edition(
            slug=file.slug,
            language=self._language,
            title=self._say(file.title, "title"),
            summary=self._say(file.summary, "summary"),
            players_min=file.players.min,
            players_max=file.players.max,
            kinds=self._kinds(file, rules),
            deal=tuple(self._deal(part) for part in file.categories),
            valued=frozenset(part.slug for part in file.categories if part.valued),
            settings=tuple(self._setting(part) for part in file.settings),
            rules=rules,
            rulings=tuple(Ruling(part.rule, self._say(part.text, "rulings.text")) for part in file.rulings),
            ties=tuple(self._tie(part) for part in file.ties),
            phrases={name: self._say(texts, f"phrases.{name}") for name, texts in _read_toml(_PHRASES).items()},
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
        order = {category.slug: place for place, category in enumerate(file.categories)}
        for kind in kinds:
            if kind.category not in order:
                raise EditionError(f"{self._path}: cards.{kind.slug}: unknown category '{kind.category}'")
        return tuple(sorted(kinds, key=lambda kind: order[kind.category]))

    def _card(self, part: CardPart) -> Kind:
        place = f"cards.{part.slug}"
        text = self._say(part.text, f"{place}.text") if part.text else ""
        name = self._say(part.name, f"{place}.name")
        return Kind(part.slug, part.category, name, text, part.ink or "", part.symbol or "")

    def _rule(self, place: int, part: RulePart) -> Rule:
        where = f"rules.{part.key}"
        wording = self._say(part.text, f"{where}.text")
        try:
            text = wording.format_map(part.numbers)
        except KeyError as error:
            raise EditionError(f"{self._path}: {where}.text: the rule has no number {error}") from None
        except (ValueError, IndexError, AttributeError) as error:
            raise EditionError(f"{self._path}: {where}.text: {error}") from None
        code = self._book.rules.get(part.key)
        return Rule(
            key=part.key,
            place=place,
            name=self._say(part.name, f"{where}.name"),
            text=text,
            numbers=part.numbers,
            settings=tuple(part.settings),
            says={key: self._say(texts, f"{where}.says.{key}") for key, texts in part.says.items()},
            phase=code.phase if code else None,
            touches=code.touches if code else frozenset(),
            act=code.act if code else None,
        )

    def _deal(self, part: CategoryPart) -> Deal:
        return Deal(part.slug, self._say(part.name, f"categories.{part.slug}.name"), part.each, part.different)

    def _setting(self, part: SettingPart) -> Setting:
        place = f"settings.{part.name}"
        label, text = self._say(part.label, f"{place}.label"), self._say(part.text, f"{place}.text")
        return Setting(part.name, label, text, part.minimum, part.maximum, part.default, part.confirm)

    def _tie(self, part: TiePart) -> Tie:
        place = f"ties.{part.name}"
        if part.name not in self._book.ties:
            raise EditionError(f"{self._path}: {place}: rules.py has no function for it")
        return Tie(part.name, self._say(part.label, f"{place}.label"), self._book.ties[part.name], part.rule)


def _number(key: str) -> int | None:
    """Return the number printed on a rule's card; None for a rule that has a name instead."""
    return int(key) if key.isdigit() else None
