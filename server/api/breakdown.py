"""The score of one deck by itself, with all that a page needs in order to explain it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api.game import game_settings, settings_of
from server.api.models import DeckLineModel, DeckResultModel, RuleModel
from server.scoring import Hand, decimal, score
from server.scoring.document import line_document

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from server.api.service import Service
    from server.scoring import HandResult

PLAYER = "deck"
"""Whose deck it is, which the photograph does not tell."""


def deck_result(here: Service, cards: Mapping[str, int], may_see: Collection[str] | None = None) -> DeckResultModel:
    """Score a deck, counted by kind, with the game's settings.

    `may_see` are the keys of the rules whose title and wording the reader may see; None: all, as in practice.
    """
    edition = here.edition
    result = score(edition, [Hand(PLAYER, cards)], game_settings(here))
    hand = result.hands[0]
    lines = list(_lines(hand))
    named = {key for line in lines for key in (line.rule, line.voided_by, line.worth_rule) if key is not None}
    return DeckResultModel(
        score=None if hand.eliminated else decimal(hand.score),
        eliminated=hand.eliminated,
        verdict=edition.phrases["eliminated_verdict"] if hand.eliminated else None,
        lines=lines,
        rules={
            rule.key: RuleModel(name=rule.name, text=rule.text, number=int(rule.key) if rule.key.isdigit() else None)
            for rule in edition.rules
            if rule.key in named and (may_see is None or rule.key in may_see)
        },
        settings=settings_of(here),
    )


def _lines(hand: HandResult) -> Iterator[DeckLineModel]:
    """Return the lines of a breakdown, each with the rule that set the worth of its kind."""
    for line in hand.lines:
        worth = hand.count.worths.get(line.kind) if line.kind else None
        rule = hand.edition.rule_of[line.rule] if line.rule else worth.rule if worth else None
        yield DeckLineModel(
            **line_document(line),
            kind=line.kind,
            worth_rule=worth.rule.key if worth else None,
            organiser=bool(rule and rule.settings),
        )
