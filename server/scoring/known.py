"""What somebody knows of an edition who holds some of its cards, as an edition of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from server.scoring.edition import RULE_CATEGORY

if TYPE_CHECKING:
    from collections.abc import Collection

    from server.scoring.edition import Edition


def known_part(edition: Edition, cards: Collection[str]) -> Edition:
    """Return the edition as if only those rules existed whose cards are among `cards` (slugs of kinds).

    Nothing of other rules is left in it, so whatever is counted, said or refused by it cannot tell of them: not their
    wording, numbers, settings or tie-breaks, and no worth that they tell.
    """
    held = tuple(rule for rule in edition.rules if rule.card in cards)
    keys = {rule.key for rule in held}
    settings = {name for rule in held for name in rule.settings}
    return replace(
        edition,
        kinds=tuple(kind for kind in edition.kinds if kind.slug in cards or kind.category != RULE_CATEGORY),
        rules=held,
        rulings=(),
        ties=(),
        settings=tuple(setting for setting in edition.settings if setting.name in settings),
        worths={kind: worth for kind, worth in edition.worths.items() if keys >= set(edition.told_by.get(kind, ()))},
        told_by={},
        partial=True,
    )
