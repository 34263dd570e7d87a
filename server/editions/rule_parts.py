"""Reads the rules of an edition: joins their wording and numbers with the functions in its rulebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.editions.words import instead_of, printed_names
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
        self,
        report: Report,
        say: Callable[[dict[str, str], str], str],
        book: Rulebook,
        phrases: Mapping[str, str],
        language: str,
    ) -> None:
        self._report = report
        self._say = say
        self._book = book
        self._phrases = phrases
        self._language = language

    def rules(self, file: EditionFile) -> tuple[Rule, ...]:
        """Return all rules: by number where all have one, else in the order of the file."""
        families = {part.name: part for part in file.families}
        cards = [(key, part) for part in file.rules for key in part.cards]
        if all(key.isdigit() for key, _ in cards):
            cards.sort(key=lambda card: int(card[0]))
        for key in sorted(self._book.rules.keys() - {key for key, _ in cards}):
            self._report(
                f"rules.{key}",
                f'has a function, but no wording; add [[rules]] with key = "{key}"',
                self._book.rules[key].steps[0].act,
            )
        for name in sorted(self._book.families.keys() - families.keys()):
            self._report(
                f"families.{name}",
                "has a function, but no [[families]] of that name; add it",
                self._book.families[name].steps[0].act,
            )
        for name in sorted(families.keys() - self._book.families.keys()):
            self._report(f"families.{name}", f'has no function; write @book.family("{name}", Phase.…) in rules.py')
        for key, part in cards:
            if part.family is not None and part.family not in families:
                what = f"there is no family '{part.family}'{instead_of(part.family, families)}"
                self._report(f"rules.{key}.family", what)
        return tuple(
            self._rule(place, key, part, families.get(part.family or "")) for place, (key, part) in enumerate(cards)
        )

    def _rule(self, place: int, key: str, part: RulePart, family: FamilyPart | None) -> Rule:
        where = f"rules.{key}"
        title, text = part.name or (family and family.title), part.text or (family and family.text)
        for name, texts in (("name", title), ("text", text)):
            if not texts:
                self._report(where, f"has no {name}, and no family with one; add {name}.{self._language}")
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
            puzzle=_is_puzzle(part, title or {}, text or {}),
        )

    def _filled(self, texts: dict[str, str], part: RulePart, where: str) -> str:
        """Fill the rule's printed numbers into its title or wording."""
        wording = self._say(texts, where) if texts else ""
        if self._language not in texts:
            return wording  # told already; it is another language's
        where = f"{where}.{self._language}"
        try:
            return wording.format_map({name: number_text(n, self._phrases) for name, n in part.numbers.items()})
        except KeyError as error:
            there = ", ".join(part.numbers) or "none"
            self._report(where, f"the rule has no number {error} (there is {there})")
        except (ValueError, IndexError, AttributeError):
            self._report(where, "a brace is missing or too many; write numbers as {name}, and a brace itself as {{")
        return wording


def _is_puzzle(part: RulePart, title: dict[str, str], text: dict[str, str]) -> bool:
    """Tell whether a rule needs something that its card does not state: what it hints at, a setting, a number."""
    return part.puzzle or bool(part.settings) or bool(part.numbers.keys() - printed_names(title, text))
