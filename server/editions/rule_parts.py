"""Reads the rules of an edition: joins their wording and numbers with the functions in its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import EditionError, Rule, Scope
from server.scoring.rulebook import RuleCode
from server.scoring.wording import number_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from server.editions.files import EditionFile, FamilyPart, RulePart
    from server.scoring.rulebook import Rulebook

_NO_CODE = RuleCode((), frozenset())


class RuleReader:
    """Turns the rules of a checked file into rules in one language; `say` picks a text in that language."""

    def __init__(
        self, path: str, say: Callable[[dict[str, str], str], str], book: Rulebook, phrases: Mapping[str, str]
    ) -> None:
        self._path = path
        self._say = say
        self._book = book
        self._phrases = phrases

    def rules(self, file: EditionFile) -> tuple[Rule, ...]:
        """Return all rules: by number where all have one, else in the order of the file."""
        families = {part.name: part for part in file.families}
        cards = [(key, part) for part in file.rules for key in part.cards]
        if all(key.isdigit() for key, _ in cards):
            cards.sort(key=lambda card: int(card[0]))
        for key in self._book.rules.keys() - {key for key, _ in cards}:
            raise EditionError(f"{self._path}: rules.{key}: has a function, but no wording")
        for name in self._book.families.keys() ^ families.keys():
            lacking = "is not listed" if name in self._book.families else "rules.py has no function for it"
            raise EditionError(f"{self._path}: families.{name}: {lacking}")
        for key, part in cards:
            if part.family is not None and part.family not in families:
                raise EditionError(f"{self._path}: rules.{key}: there is no family '{part.family}'")
        return tuple(
            self._rule(place, key, part, families.get(part.family or "")) for place, (key, part) in enumerate(cards)
        )

    def _rule(self, place: int, key: str, part: RulePart, family: FamilyPart | None) -> Rule:
        where = f"rules.{key}"
        title, text = part.name or (family and family.title), part.text or (family and family.text)
        if not title or not text:
            raise EditionError(f"{self._path}: {where}: has no {'text' if title else 'name'}, and no family with one")
        says = {**family.says, **part.says} if family else part.says
        code = self._book.rules.get(key) or self._book.families.get(part.family or "", _NO_CODE)
        return Rule(
            key=key,
            place=place,
            name=self._filled(title, part, f"{where}.name"),
            text=self._filled(text, part, f"{where}.text"),
            numbers=part.numbers,
            settings=tuple(part.settings),
            says={name: self._say(texts, f"{where}.says.{name}") for name, texts in says.items()},
            touches=code.touches,
            steps=code.steps,
            scope=Scope(part.acts or (family.acts if family else "always")),
            effect=part.effect or key,
            lists={name: tuple(slugs) for name, slugs in part.lists.items()},
            informs=part.informs,
        )

    def _filled(self, texts: dict[str, str], part: RulePart, where: str) -> str:
        """Fill the rule's printed numbers into its title or wording."""
        wording = self._say(texts, where)
        try:
            return wording.format_map({name: number_text(n, self._phrases) for name, n in part.numbers.items()})
        except KeyError as error:
            raise EditionError(f"{self._path}: {where}: the rule has no number {error}") from None
        except (ValueError, IndexError, AttributeError) as error:
            raise EditionError(f"{self._path}: {where}: {error}") from None
