"""How a player's deck, its pictures and a provisional answer look when they go out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api.house.me_models import (
    CheckLineModel,
    CheckModel,
    DeckModel,
    DeckPhotoModel,
    FoundModel,
    KindCountModel,
    RuleTextModel,
    TriesModel,
)
from server.api.models import DoubtModel, HintModel
from server.jobs.readings import card_named
from server.play.findings import Listing, counted, digest_of
from server.play.provisional import LEAVES_OUT
from server.scoring import decimal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from server.play.checking import Answer
    from server.play.findings import Finding, Findings, Shown
    from server.scoring import Edition, Line
    from server.store.tables import Deck, Photo


def deck_model(
    deck: Deck, photos: Sequence[Photo], found: Findings | None, edition: Edition, ahead: int = 0
) -> DeckModel:
    """Return a deck with its pictures and its list; `found` is None where nothing is told of cards.

    `ahead` is how many pictures of others are read before these.
    """
    told = found.listing if found else Listing((), "")
    return DeckModel.model_validate(
        {
            "id": deck.id,
            "state": deck.state,
            "created": deck.created,
            "confirmed": deck.confirmed,
            "photos": [photo_model(photo, found.shown.get(photo.id), edition) for photo in photos] if found else [],
            "pending": told.pending,
            "ahead": ahead,
            "kinds": kinds_model(told.cards, edition),
            "cards": list(told.cards),
            "total": len(told.cards),
            "digest": told.digest or None,
            "own_label": told.own_label,
            "other_label": told.other_label,
            "dead": len(told.dead),
            "counted": deck.counted,
        }
    )


def photo_model(photo: Photo, shown: Shown | None, edition: Edition) -> DeckPhotoModel:
    """Return a picture and what was found in it."""
    return DeckPhotoModel.model_validate(
        {
            "id": photo.id,
            "state": photo.state,
            "reason": photo.reason,
            "created": photo.created,
            "image": photo.erased is None,
            "width": shown and shown.width,
            "height": shown and shown.height,
            "cards": [_found(card, edition) for card in shown.cards] if shown else [],
            "strangers": [list(quad) for quad in shown.strangers] if shown else [],
            "own_label": bool(shown and shown.own_label),
            "other_label": bool(shown and shown.other_label),
            "doubts": [DoubtModel(quad=list(d.quad), reason=d.reason) for d in shown.doubts] if shown else [],
            "hints": [HintModel(slug=hint.slug, text=hint.text) for hint in shown.hints] if shown else [],
        }
    )


def kinds_model(cards: Collection[str], edition: Edition) -> list[KindCountModel]:
    """Return how many cards of each kind there are, in the edition's order, without any wording."""
    return counts_model(counted(cards), edition)


def counts_model(counts: Mapping[str, int], edition: Edition) -> list[KindCountModel]:
    """Return numbers of cards by kind, in the edition's order."""
    return [
        KindCountModel(
            kind=kind.slug,
            name=kind.name,
            category=kind.category,
            ink=kind.ink,
            symbol=kind.symbol,
            number=kind.number,
            count=counts[kind.slug],
        )
        for kind in edition.kinds
        if counts.get(kind.slug)
    ]


def check_model(answer: Answer, edition: Edition, tries: TriesModel) -> CheckModel:
    """Return a provisional answer; its parts are the same in every mode."""
    told = answer.told
    cards = answer.deck.cards or []
    return CheckModel.model_validate(
        {
            "mode": answer.mode,
            "deck": answer.deck.id,
            "digest": digest_of(cards),
            "total": len(cards),
            "kinds": kinds_model(cards, edition),
            "score": told.score,
            "eliminated": told.eliminated,
            "unknown": list(told.unknown),
            "lines": [_line(line) for line in told.lines],
            "rules": {
                key: RuleTextModel(name=name, text=text, number=int(key) if key.isdigit() else None)
                for key, (name, text) in (told.rules or {}).items()
            },
            "leaves_out": list(LEAVES_OUT[answer.mode]),
            "spent": answer.spent,
            "tries": tries,
        }
    )


def _line(line: Line) -> CheckLineModel:
    return CheckLineModel(
        rule=line.rule,
        kind=line.kind,
        points=None if line.unknown else decimal(line.points),
        text=line.text,
        void=line.void,
        voided_by=line.voided_by,
        open=line.open,
    )


def _found(card: Finding, edition: Edition) -> FoundModel:
    if card.card is None:
        return FoundModel(card=None, kind=None, name=None, outline=list(card.outline))
    kind = edition.kind_of[card_named(card.card).kind]
    return FoundModel(card=card.card, kind=kind.slug, name=kind.name, outline=list(card.outline))
