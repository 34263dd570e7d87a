"""What a player is shown of the own photographs: the own cards, and what does not count."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import select, tuple_

from server.jobs.queue import PhotoState
from server.jobs.readings import STRANGE, HintReading, card_named, reading_of
from server.store.tables import Card, Envelope, Game

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy.orm import Session

    from server.jobs.readings import DoubtReading, Quad, Reading
    from server.store.tables import Deck, Photo

_PENDING = (PhotoState.WAITING, PhotoState.SCANNING)
_STRANGER = HintReading(slug="stranger", text="Codes in the picture are no cards of this game: not counted.")
# What is told in place of the scanner's hints that say why.
_AT_ONCE = 400
# Cards that one query asks about: databases bound how many values a query has.


@dataclass(frozen=True)
class Finding:
    """A card in a photograph: its name and outline, and whether it counts. A dead one is not named."""

    card: str | None
    outline: Quad


@dataclass(frozen=True)
class Shown:
    """What a photograph shows to its player.

    `strangers` are the places of codes that are no cards of this game; why they are not is nobody's business, and
    `hints` do not tell it either.
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

    `pending` photographs are still being read; `dead` are cards that lie in a picture and do not count.
    """

    cards: tuple[str, ...]
    digest: str
    pending: int = 0
    own_label: bool = False
    other_label: bool = False
    dead: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """A deck's list, and what each of its photographs shows, by its id; those without a reading show nothing."""

    listing: Listing
    shown: dict[str, Shown]


def findings_of(session: Session, deck: Deck, photos: Sequence[Photo]) -> Findings:
    """Return a deck's list of cards, as confirmed or else as its photographs show it together, and what each shows."""
    game = session.get_one(Game, deck.game)
    readings = {photo.id: reading_of(photo.reading, game.id, game.key) for photo in photos if photo.reading is not None}
    seen = {card for reading in readings.values() for card in reading.cards}
    alive = live_cards(session, deck.game, seen)
    labels = {label for reading in readings.values() for label in reading.labels}
    cards = tuple(sorted(alive)) if deck.cards is None else tuple(deck.cards)
    listing = Listing(
        cards=cards,
        digest=digest_of(cards),
        pending=sum(photo.state in _PENDING for photo in photos),
        own_label=deck.envelope in labels,
        other_label=bool(labels - {deck.envelope}),
        dead=tuple(sorted(seen - alive)),
    )
    return Findings(listing, {photo: _shown(deck, reading, alive) for photo, reading in readings.items()})


def _shown(deck: Deck, reading: Reading, alive: Collection[str]) -> Shown:
    return Shown(
        width=reading.width,
        height=reading.height,
        cards=tuple(Finding(seen.card if seen.card in alive else None, seen.outline) for seen in reading.seen),
        strangers=tuple(code.quad for code in reading.codes if code.status not in ("card", "label")),
        own_label=deck.envelope in reading.labels,
        other_label=any(label != deck.envelope for label in reading.labels),
        doubts=reading.doubts,
        hints=_neutral(reading.hints),
    )


def _neutral(hints: Sequence[HintReading]) -> tuple[HintReading, ...]:
    """Return hints with one for all that say why a code does not count."""
    others = tuple(hint for hint in hints if hint.slug not in STRANGE)
    return others if len(others) == len(hints) else (*others, _STRANGER)


def live_cards(session: Session, game: str, names: Collection[str]) -> set[str]:
    """Return those of some cards that count: dealt into an envelope that was given out, and not lost."""
    wanted = {(card.kind, card.copy): name for name, card in ((name, card_named(name)) for name in sorted(names))}
    places, found = list(wanted), set()
    for start in range(0, len(places), _AT_ONCE):
        dealt = session.execute(
            select(Card.kind, Card.copy)
            .join(Envelope, (Envelope.game == Card.game) & (Envelope.number == Card.envelope))
            .where(Card.game == game, tuple_(Card.kind, Card.copy).in_(places[start : start + _AT_ONCE]))
            .where(Card.lost.is_(None), Envelope.opened.is_not(None))
        )
        found |= {wanted[kind, copy] for kind, copy in dealt}
    return found


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
