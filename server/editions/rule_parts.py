"""Reads the rules of an edition: joins their wording and numbers with the functions in its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.scoring.edition import Rule, Scope
from server.scoring.rulebook import RuleCode
from server.scoring.wording import number_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from server.editions.files import EditionFile, FamilyPart, RulePart
    from server.editions.loader import Report
    from server.scoring.rulebook import Rulebook

_NO_CODE = RuleCode((), frozenset())


class RuleReader:
    """Turns the rules of a checked file into rules in one language; `say` picks a text in that language."""

    def __init__(
        self, report: Report, say: Callable[[dict[str, str], str], str], book: Rulebook, phrases: Mapping[str, str]
    ) -> None:
        self._report = report
        self._say = say
        self._book = book
        self._phrases = phrases

    def rules(self, file: EditionFile) -> tuple[Rule, ...]:
        """Return all rules: by number where all have one, else in the order of the file."""
        families = {part.name: part for part in file.families}
        cards = [(key, part) for part in file.rules for key in part.cards]
        if all(key.isdigit() for key, _ in cards):
            cards.sort(key=lambda card: int(card[0]))
        for key in sorted(self._book.rules.keys() - {key for key, _ in cards}):
            self._report(f"rules.{key}", "has a function, but no wording", self._book.rules[key].steps[0].act)
        for name in sorted(self._book.families.keys() - families.keys()):
            self._report(f"families.{name}", "is not listed", self._book.families[name].steps[0].act)
        for name in sorted(families.keys() - self._book.families.keys()):
            self._report(f"families.{name}", "rules.py has no function for it")
        for key, part in cards:
            if part.family is not None and part.family not in families:
                self._report(f"rules.{key}", f"there is no family '{part.family}'")
        return tuple(
            self._rule(place, key, part, families.get(part.family or "")) for place, (key, part) in enumerate(cards)
        )

    def _rule(self, place: int, key: str, part: RulePart, family: FamilyPart | None) -> Rule:
        where = f"rules.{key}"
        title, text = part.name or (family and family.title), part.text or (family and family.text)
        for name, texts in (("name", title), ("text", text)):
            if not texts:
                self._report(where, f"has no {name}, and no family with one")
        says = {**family.says, **part.says} if family else part.says
        code = self._book.rules.get(key) or self._book.families.get(part.family or "", _NO_CODE)
        return Rule(
            key=key,
            place=place,
            name=self._filled(title or {}, part, f"{where}.name"),
            text=self._filled(text or {}, part, f"{where}.text"),
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
        wording = self._say(texts, where) if texts else ""
        try:
            return wording.format_map({name: number_text(n, self._phrases) for name, n in part.numbers.items()})
        except KeyError as error:
            self._report(where, f"the rule has no number {error}")
        except (ValueError, IndexError, AttributeError) as error:
            self._report(where, str(error))
        return wording
