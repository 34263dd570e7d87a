"""The names that formulas can use: cards, numbers, facts, parts of decks and rules."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from server.editions.formulas.functions import Cards
from server.editions.formulas.translator import Names
from server.scoring.rules import RULE_CATEGORY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from server.editions.schema import EditionFile

_NO_CARDS = Cards((), (), ())


def formula_names(file: EditionFile, absent: frozenset[str]) -> Names:
    """Return the names that all formulas of an edition can use."""
    keys = [key for part in file.rules for key in part.cards]
    category = {card.slug: card.category for card in file.cards} | {
        f"{RULE_CATEGORY}-{key}": RULE_CATEGORY for key in keys
    }
    cards = {_identifier(slug): Cards((slug,), (), ()) for slug in absent}
    for part in file.categories:
        kinds = tuple(kind for kind, its in category.items() if its == part.slug)
        cards[_identifier(part.slug)] = Cards((part.slug,), kinds, kinds, part.slug)
    for group in file.groups:
        kinds = tuple(card.slug for card in file.cards if group.slug in card.groups)
        cards[_identifier(group.slug)] = Cards((group.slug,), kinds, kinds)
    cards |= {_identifier(kind): Cards((kind,), (kind,), (kind,)) for kind in category}
    return Names(
        cards=cards,
        facts={fact.name: fact.type == "yes-no" for fact in file.facts if fact.type != "player"},
        players={fact.name: fact.name for fact in file.facts if fact.type == "player"},
        parts={_identifier(part.slug): part.slug for part in file.parts},
        rules={_identifier(key): key for key in keys},
        numbers_of={key: frozenset({*part.numbers, *part.settings}) for part in file.rules for key in part.cards},
    )


def rule_names(names: Names, numbers: frozenset[str], lists: Mapping[str, Iterable[str]]) -> Names:
    """Return the names that the formulas of one rule can use: those of the edition, its numbers and its lists."""
    cards = dict(names.cards)
    for name, slugs in lists.items():
        kinds = dict.fromkeys(kind for slug in slugs for kind in names.cards.get(_identifier(slug), _NO_CARDS).kinds)
        cards[name] = Cards(tuple(slugs), tuple(slugs), tuple(kinds), is_list=True)
    return replace(names, numbers=numbers, cards=cards)


def _identifier(slug: str) -> str:
    """Return a slug as formulas write it."""
    return slug.replace("-", "_")
