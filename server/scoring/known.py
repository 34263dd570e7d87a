"""What somebody knows of an edition who holds some of its cards, as an edition of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from server.scoring.edition import RULE_CATEGORY

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.scoring.edition import Edition


def known_part(edition: Edition, cards: Collection[str]) -> Edition:
    """Return the edition as if only what is printed on `cards` (slugs of kinds) existed.

    It has no rules but theirs, and of a puzzle the card alone: not what it does. Nothing else of other rules or of the
    game is left in it, so whatever is counted, said or refused by it cannot tell of them: no wording, numbers, settings
    or tie-breaks, and no worth that they tell.
    """
    held = tuple(rule for rule in edition.rules if rule.card in cards)
    stated = {rule.key for rule in held if not rule.puzzle}
    return replace(
        edition,
        kinds=tuple(kind for kind in edition.kinds if kind.slug in cards or kind.category != RULE_CATEGORY),
        rules=tuple(replace(rule, steps=(), settings=()) if rule.puzzle else rule for rule in held),
        rulings=(),
        ties=(),
        settings=(),
        worths={kind: worth for kind, worth in edition.worths.items() if stated >= set(edition.told_by.get(kind, ()))},
        told_by={},
        partial=True,
    )
