"""Reads an edition's folder into an `Edition`: `edition.toml` for its data, `rules.py` for what its rules do."""

from __future__ import annotations

import sys
import tomllib
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from server.editions.checks import check
from server.editions.files import EditionFile
from server.editions.rule_parts import RuleReader
from server.scoring.deal import Deal, Supply
from server.scoring.edition import RULE_CATEGORY, Edition, EditionError, Group, Kind, Ruling, Setting, Tie
from server.scoring.phases import OF_POINTS, Phase
from server.scoring.rulebook import Rulebook

if TYPE_CHECKING:
    from server.editions.files import CardPart, CategoryPart, SettingPart, TiePart
    from server.scoring.edition import Rule
    from server.scoring.journal import Points

_PHRASES = Path(__file__).parent / "phrases.toml"


def read_edition(folder: Path, language: str | None) -> Edition:
    """Return the edition in `folder`, its texts in `language`, or in its own language for None.

    EditionError says what is wrong with the files.
    """
    path = folder / "edition.toml"
    try:
        file = EditionFile.model_validate(_read_toml(path))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(step) for step in first["loc"])
        raise EditionError(f"{path}: {place}: {first['msg']}") from error
    if language is not None and language not in file.title:
        known = ", ".join(sorted(file.title))
        raise EditionError(f"{file.slug} has no texts in '{language}' (it has {known})")
    edition = _Reader(str(path), language or file.language, _read_rules(folder / "rules.py")).edition(file)
    check(edition, str(folder))
    return edition


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"), parse_float=Fraction)
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
        # An edition may speak a language that these words do not; English stands in.
        phrases = {name: texts.get(self._language, texts["en"]) for name, texts in _read_toml(_PHRASES).items()}
        rules = RuleReader(self._path, self._say, self._book, phrases).rules(file)
        for name in self._book.ties.keys() - {part.name for part in file.ties}:
            raise EditionError(f"{self._path}: ties.{name}: has a function, but is not listed")
        worth = {part.slug: part.worth for part in file.categories if part.worth is not None}
        return Edition(
            slug=file.slug,
            language=self._language,
            title=self._say(file.title, "title"),
            summary=self._say(file.summary, "summary"),
            players_min=file.players.min,
            players_max=file.players.max,
            kinds=self._kinds(file, rules),
            deal=tuple(self._deal(part) for part in file.categories),
            valued=frozenset(part.slug for part in file.categories if part.valued or part.worth is not None),
            settings=tuple(self._setting(part) for part in file.settings),
            rules=rules,
            rulings=tuple(Ruling(part.rule, self._say(part.text, "rulings.text")) for part in file.rulings),
            ties=tuple(self._tie(part) for part in file.ties),
            phrases=phrases,
            phases=_phases([Phase[name.upper()] for name in file.phases]),
            groups=self._groups(file),
            worths=_worths(file, worth),
            languages=(file.language, *sorted(file.title.keys() - {file.language})),
            alike=self._book.alikes,
        )

    def _say(self, texts: dict[str, str], place: str) -> str:
        """Return the text in the reader's language."""
        try:
            return texts[self._language]
        except KeyError:
            known = ", ".join(sorted(texts))
            raise EditionError(f"{self._path}: {place}: no text in '{self._language}' (there is {known})") from None

    def _kinds(self, file: EditionFile, rules: tuple[Rule, ...]) -> tuple[Kind, ...]:
        """Return all kinds, category by category; inside a category in the order of the file, rules in their order."""
        kinds = [self._card(part) for part in file.cards]
        kinds += [Kind(rule.card, RULE_CATEGORY, rule.name, rule.text, number=_number(rule.key)) for rule in rules]
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

    def _groups(self, file: EditionFile) -> tuple[Group, ...]:
        known = {part.slug for part in file.groups}
        for card in file.cards:
            for slug in card.groups:
                if slug not in known:
                    raise EditionError(f"{self._path}: cards.{card.slug}: there is no group '{slug}'")
        return tuple(
            Group(
                part.slug,
                self._say(part.name, f"groups.{part.slug}.name"),
                tuple(card.slug for card in file.cards if part.slug in card.groups),
            )
            for part in file.groups
        )

    def _deal(self, part: CategoryPart) -> Deal:
        supply = None
        if part.supply:
            sets = tuple((most, number) for most, number in part.supply.sets)
            supply = Supply(sets, part.supply.enough, frozenset(part.supply.single))
        name = self._say(part.name, f"categories.{part.slug}.name")
        return Deal(part.slug, name, part.each, part.different, part.each_kind, supply)

    def _setting(self, part: SettingPart) -> Setting:
        place = f"settings.{part.name}"
        label, text = self._say(part.label, f"{place}.label"), self._say(part.text, f"{place}.text")
        return Setting(part.name, label, text, part.minimum, part.maximum, part.default, part.confirm)

    def _tie(self, part: TiePart) -> Tie:
        place = f"ties.{part.name}"
        if part.name not in self._book.ties:
            raise EditionError(f"{self._path}: {place}: rules.py has no function for it")
        return Tie(
            part.name, self._say(part.label, f"{place}.label"), self._book.ties[part.name], part.rule, part.shares
        )


def _phases(stated: list[Phase]) -> tuple[Phase, ...]:
    """Return the order of a count: the phases about cards, then those about points as stated, then those left out."""
    cards = [phase for phase in Phase if phase not in OF_POINTS]
    return (*cards, *stated, *(phase for phase in OF_POINTS if phase not in stated))


def _worths(file: EditionFile, worth: dict[str, int | Fraction]) -> dict[str, Points]:
    """Return what each kind is worth by its card, or else by its category; other kinds are left out."""
    return {
        card.slug: card.worth if card.worth is not None else worth[card.category]
        for card in file.cards
        if card.worth is not None or card.category in worth
    }


def _number(key: str) -> int | None:
    """Return the number printed on a rule's card; None for a rule that has a name instead."""
    return int(key) if key.isdigit() else None
