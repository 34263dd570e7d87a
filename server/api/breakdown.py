"""The score of one deck by itself, with all that a page needs in order to explain it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api.game import game_settings, settings_of
from server.api.models import DeckLineModel, DeckResultModel, RuleModel
from server.scoring import Hand, decimal, score
from server.scoring.document import line_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from server.api.service import Service
    from server.scoring import HandResult

PLAYER = "deck"
"""Whose deck it is, which the photograph does not tell."""


def deck_result(here: Service, cards: Mapping[str, int]) -> DeckResultModel:
    """Score a deck, counted by kind, with the game's settings."""
    result = score(here.edition, [Hand(PLAYER, cards)], game_settings(here))
    hand = result.hands[0]
    lines = list(_lines(hand))
    named = {key for line in lines for key in (line.rule, line.voided_by, line.worth_rule) if key is not None}
    return DeckResultModel(
        score=decimal(hand.score),
        lines=lines,
        rules={
            rule.key: RuleModel(name=rule.name, text=rule.text, number=int(rule.key) if rule.key.isdigit() else None)
            for rule in here.edition.rules
            if rule.key in named
        },
        settings=settings_of(here),
    )


def _lines(hand: HandResult) -> Iterator[DeckLineModel]:
    """Return the lines of a breakdown, those of plain worth with their kind: they come in the edition's order."""
    valued = (
        kind.slug
        for kind in hand.edition.kinds
        if kind.category in hand.edition.valued and hand.hand.cards.get(kind.slug)
    )
    for line in hand.lines:
        kind = next(valued) if line.rule is None else None
        worth = hand.count.worths.get(kind) if kind else None
        rule = hand.edition.rule_of[line.rule] if line.rule else worth.rule if worth else None
        yield DeckLineModel(
            **line_document(line),
            kind=kind,
            worth_rule=worth.rule.key if worth else None,
            organiser=bool(rule and rule.settings),
        )
