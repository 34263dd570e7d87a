"""What a player is shown of the own photographs: the own cards, and what does not count."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select

from server.jobs.queue import PhotoState
from server.jobs.readings import card_named, reading_of
from server.store.tables import Card, Envelope

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.orm import Session

    from server.jobs.readings import DoubtReading, HintReading, Quad
    from server.store.tables import Deck, Photo

_PENDING = (PhotoState.WAITING, PhotoState.SCANNING)


@dataclass(frozen=True)
class Finding:
    """A card in a photograph: its name and outline, and whether it counts. A dead one is not named."""

    card: str | None
    outline: Quad


@dataclass(frozen=True)
class Shown:
    """What a photograph shows to its player.

    `strangers` are the places of codes that are no cards of this game; why they are not is nobody's business.
    `own_label` and `other_label` tell whose labels lie in the picture.
    """

    width: int
    height: int
    cards: tuple[Finding, ...]
    strangers: tuple[Quad, ...]
    own_label: bool
    other_label: bool
    doubts: tuple[DoubtReading, ...]
    hints: tuple[HintReading, ...]


@dataclass(frozen=True)
class Listing:
    """A deck's list of cards, each once, sorted. `digest` names it.

    `pending` and `failed` count photographs; `dead` are cards that lie in a picture and do not count.
    """

    cards: tuple[str, ...]
    digest: str
    pending: int = 0
    failed: int = 0
    own_label: bool = False
    other_label: bool = False
    dead: tuple[str, ...] = ()


def shown_of(session: Session, deck: Deck, photos: Sequence[Photo]) -> dict[str, Shown]:
    """Return what each of a deck's photographs shows, by its id; those without a reading are left out."""
    readings = {photo.id: reading_of(photo.reading) for photo in photos if photo.reading is not None}
    alive = live_cards(session, deck.game, {card for reading in readings.values() for card in reading.cards})
    return {
        photo: Shown(
            width=reading.width,
            height=reading.height,
            cards=tuple(Finding(seen.card if seen.card in alive else None, seen.outline) for seen in reading.seen),
            strangers=tuple(code.quad for code in reading.codes if code.status not in ("card", "label")),
            own_label=deck.envelope in reading.labels,
            other_label=any(label != deck.envelope for label in reading.labels),
            doubts=reading.doubts,
            hints=reading.hints,
        )
        for photo, reading in readings.items()
    }


def listing_of(session: Session, deck: Deck, photos: Sequence[Photo]) -> Listing:
    """Return a deck's list of cards: as confirmed, or else as its photographs show it together."""
    readings = [reading_of(photo.reading) for photo in photos if photo.reading is not None]
    seen = {card for reading in readings for card in reading.cards}
    alive = live_cards(session, deck.game, seen)
    labels = {label for reading in readings for label in reading.labels}
    cards = tuple(sorted(alive)) if deck.cards is None else tuple(deck.cards)
    return Listing(
        cards=cards,
        digest=digest_of(cards),
        pending=sum(photo.state in _PENDING for photo in photos),
        failed=sum(photo.state == PhotoState.FAILED for photo in photos),
        own_label=deck.envelope in labels,
        other_label=bool(labels - {deck.envelope}),
        dead=tuple(sorted(seen - alive)),
    )


def live_cards(session: Session, game: str, names: Collection[str]) -> set[str]:
    """Return those of some cards that count: dealt into an envelope that was given out, and not lost."""
    wanted = {(card.kind, card.copy): name for name, card in ((name, card_named(name)) for name in names)}
    dealt = session.execute(
        select(Card.kind, Card.copy)
        .join(Envelope, (Envelope.game == Card.game) & (Envelope.number == Card.envelope))
        .where(Card.game == game, Card.kind.in_({kind for kind, _ in wanted}))
        .where(Card.lost.is_(None), Envelope.opened.is_not(None))
    )
    return {wanted[kind, copy] for kind, copy in dealt if (kind, copy) in wanted}


def digest_of(cards: Collection[str]) -> str:
    """Return what names a list of cards: SHA-256 of their names in order, one a line, in hexadecimal."""
    return hashlib.sha256("\n".join(sorted(cards)).encode()).hexdigest()


def counted(cards: Collection[str]) -> dict[str, int]:
    """Count names of cards by kind."""
    counts: dict[str, int] = {}
    for card in sorted(cards):
        kind = card_named(card).kind
        counts[kind] = counts.get(kind, 0) + 1
    return counts
