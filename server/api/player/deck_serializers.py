"""Models of a player's decks, and the functions that fill them."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, Field

from server.api.player.profile import AttemptsModel, DeckId  # noqa: TC001 - pydantic reads them
from server.api.schemas.common import Corners, Decimal, DeckState, DoubtModel, HintModel, LeftOut, PhotoState, ScoreMode
from server.games.photos.readings import card_named
from server.games.players.decks import CardList, count_kinds, digest_of
from server.games.players.provisional_score import LEAVES_OUT
from server.scoring import decimal

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from server.db.models import Deck, Photo
    from server.games.players.decks import CardInPhoto, DeckContents, PhotoContents
    from server.games.players.provisional_score import ProvisionalAnswer
    from server.scoring import Edition, Line


class KindCountModel(BaseModel):
    """The number of cards of a kind in the list."""

    kind: str
    name: str
    category: str
    ink: str
    symbol: str
    number: int | None
    count: int


class CardInPhotoModel(BaseModel):
    """A card in a photo; its name is given if it is valid."""

    card: str | None = Field(description="Such as red-007; null for a card that was not dealt and is not valid")
    kind: str | None
    name: str | None
    outline: Corners


class DeckPhotoModel(BaseModel):
    """A photo of a deck, with what was read in it once its state is `done`."""

    id: DeckId
    state: PhotoState
    reason: str | None = Field(description="The reason why it could not be read")
    created: datetime
    image: bool = Field(description="True until the image is deleted")
    width: int | None
    height: int | None
    cards: list[CardInPhotoModel]
    strangers: list[Corners] = Field(description="Codes that do not belong to cards of this game")
    own_label: bool
    other_label: bool = Field(
        description="True if another player's label is in the photo: take another photo without it"
    )
    doubts: list[DoubtModel]
    hints: list[HintModel]


class DeckModel(BaseModel):
    """A deck: its photos and its list of cards."""

    id: DeckId
    state: DeckState
    created: datetime
    confirmed: datetime | None
    photos: list[DeckPhotoModel]
    pending: int = Field(description="Number of photos that are not read yet")
    ahead: int = Field(description="Approximate number of photos of other players that are read before them")
    kinds: list[KindCountModel]
    cards: list[str]
    total: int
    digest: str | None = Field(description="Identifies the list; null if the game's mode does not show cards")
    own_label: bool
    other_label: bool
    dead: int = Field(description="Number of cards in the photos that were not dealt and are not valid")
    counted: int | None = Field(description="Number of cards that the player counted when confirming the list")


class RuleTextModel(BaseModel):
    """The name and text of a rule whose card is in the deck."""

    name: str
    text: str
    number: int | None


class ProvisionalLineModel(BaseModel):
    """A line of a breakdown. The points of lines that are not void add up to the score."""

    rule: str | None
    kind: str | None
    points: Decimal | None = Field(description="null if the player's rules do not determine them")
    text: str
    void: bool
    voided_by: str | None
    open: bool = Field(description="True if other hands may still change it")


class ProvisionalScoreModel(BaseModel):
    """A provisional score. It always has the same fields; the mode determines which of them are empty."""

    provisional: Literal[True] = True
    mode: ScoreMode
    deck: str
    digest: str | None
    total: int
    kinds: list[KindCountModel]
    score: Decimal | None
    eliminated: bool
    unknown: list[str] = Field(
        description="Kinds whose value the player's rules do not determine; the score does not include them"
    )
    lines: list[ProvisionalLineModel]
    rules: dict[str, RuleTextModel] = Field(description="The rules whose cards are in the deck, by key")
    leaves_out: list[LeftOut]
    spent: bool = Field(description="True if it used an attempt")
    tries: AttemptsModel


def deck_model(
    deck: Deck, photos: Sequence[Photo], found: DeckContents | None, edition: Edition, ahead: int = 0
) -> DeckModel:
    """Return a deck with its photos and its list; `found` is None if the game's mode does not show cards.

    `ahead` is the number of photos of other players that are read before these.
    """
    listing = found.listing if found else CardList((), "")
    return DeckModel.model_validate(
        {
            "id": deck.id,
            "state": deck.state,
            "created": deck.created,
            "confirmed": deck.confirmed,
            "photos": [photo_model(photo, found.shown.get(photo.id), edition) for photo in photos] if found else [],
            "pending": listing.pending,
            "ahead": ahead,
            "kinds": kinds_model(listing.cards, edition),
            "cards": list(listing.cards),
            "total": len(listing.cards),
            "digest": listing.digest or None,
            "own_label": listing.own_label,
            "other_label": listing.other_label,
            "dead": len(listing.dead),
            "counted": deck.counted,
        }
    )


def photo_model(photo: Photo, shown: PhotoContents | None, edition: Edition) -> DeckPhotoModel:
    """Return a photo and what was read in it."""
    return DeckPhotoModel.model_validate(
        {
            "id": photo.id,
            "state": photo.state,
            "reason": photo.reason,
            "created": photo.created,
            "image": photo.image_deleted_at is None,
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
    """Return the numbers of cards by kind, in the edition's order."""
    return counts_model(count_kinds(cards), edition)


def counts_model(counts: Mapping[str, int], edition: Edition) -> list[KindCountModel]:
    """Return models of numbers of cards by kind, in the edition's order."""
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


def provisional_score_model(answer: ProvisionalAnswer, edition: Edition, tries: AttemptsModel) -> ProvisionalScoreModel:
    """Return a provisional score."""
    result = answer.result
    cards = answer.deck.cards or []
    return ProvisionalScoreModel.model_validate(
        {
            "mode": answer.mode,
            "deck": answer.deck.id,
            "digest": digest_of(cards),
            "total": len(cards),
            "kinds": kinds_model(cards, edition),
            "score": result.score,
            "eliminated": result.eliminated,
            "unknown": list(result.unknown),
            "lines": [_line(line) for line in result.lines],
            "rules": {
                key: RuleTextModel(name=name, text=text, number=int(key) if key.isdigit() else None)
                for key, (name, text) in (result.rules or {}).items()
            },
            "leaves_out": list(LEAVES_OUT[answer.mode]),
            "spent": answer.spent,
            "tries": tries,
        }
    )


def _line(line: Line) -> ProvisionalLineModel:
    return ProvisionalLineModel(
        rule=line.rule,
        kind=line.kind,
        points=None if line.unknown else decimal(line.points),
        text=line.text,
        void=line.void,
        voided_by=line.voided_by,
        open=line.open,
    )


def _found(card: CardInPhoto, edition: Edition) -> CardInPhotoModel:
    if card.card is None:
        return CardInPhotoModel(card=None, kind=None, name=None, outline=list(card.outline))
    kind = edition.kind_of[card_named(card.card).kind]
    return CardInPhotoModel(card=card.card, kind=kind.slug, name=kind.name, outline=list(card.outline))
