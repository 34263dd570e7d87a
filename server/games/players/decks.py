"""A player's decks: photographs whose cards make one list, which the player confirms."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import func, select, tuple_

from server.db.models import Card, Deck, Envelope, Game, Photo
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.events import publish_event
from server.games.lifecycle.envelopes import mark_joined
from server.games.lifecycle.repository import load_active_player, load_player
from server.games.lifecycle.settings import OFF
from server.games.lifecycle.states import Act
from server.games.photos.readings import FOREIGN_STATUSES, HintReading, card_named, reading_of
from server.games.photos.scan_queue import UNREAD, UNSCANNED, PhotoSource, PhotoState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.lifecycle.repository import PlayerIdentity
    from server.games.photos.readings import DoubtReading, Quad, Reading


MAX_DECKS = 40
"""Decks of an envelope. Another one drops the oldest."""

# Replaces the scanner's hints that say why a code does not count.
_FOREIGN_CODES_HINT = HintReading(slug="stranger", text="Codes in the picture are not cards of this game: not counted.")

# Cards in one query: databases limit the number of values.
_CARDS_PER_QUERY = 400


class DeckState(StrEnum):
    """The states of a deck."""

    OPEN = "open"
    """More photographs can be added."""
    CONFIRMED = "confirmed"
    HANDED_IN = "handed-in"
    DROPPED = "dropped"


@dataclass(frozen=True)
class CardInPhoto:
    """A card in a photograph: its outline, and its name if it is valid."""

    card: str | None
    outline: Quad


@dataclass(frozen=True)
class PhotoContents:
    """The contents of a photograph as its player sees them.

    `strangers` are the corners of codes that are not cards of this game. Neither they nor the `hints` reveal why.
    """

    width: int
    height: int
    cards: tuple[CardInPhoto, ...]
    strangers: tuple[Quad, ...]
    own_label: bool
    other_label: bool
    doubts: tuple[DoubtReading, ...]
    hints: tuple[HintReading, ...]


@dataclass(frozen=True)
class CardList:
    """A deck's cards, each once, sorted, and their `digest`.

    `pending` is the number of photographs that are not scanned yet; `dead` are cards in them that are not valid.
    """

    cards: tuple[str, ...]
    digest: str
    pending: int = 0
    own_label: bool = False
    other_label: bool = False
    dead: tuple[str, ...] = ()


@dataclass(frozen=True)
class DeckContents:
    """A deck's list of cards, and the contents of each scanned photograph by its id."""

    listing: CardList
    shown: dict[str, PhotoContents]

    @property
    def unread(self) -> int:
        """The number of places in the last scanned photograph that look like cards and were not read."""
        return len([*self.shown.values()][-1].doubts) if self.shown else 0


def new_deck(session: Session, player: PlayerIdentity, at: datetime) -> Deck:
    """Create a deck, to which the player can then add photographs."""
    game, envelope = load_active_player(session, player, Act.PHOTOGRAPH, change=True)
    check_not_handed_in(envelope)
    kept = decks_of(session, player)
    for old in kept[: max(0, len(kept) - MAX_DECKS + 1)]:
        old.state = DeckState.DROPPED
    deck = Deck(
        id=secrets.token_hex(16), game=game.id, envelope=envelope.number, state=DeckState.OPEN, created=at, cards=None
    )
    session.add(deck)
    mark_joined(envelope, at)
    publish_event(session, game.id, at, "photos", envelope.number)
    return deck


def decks_of(session: Session, player: PlayerIdentity) -> Sequence[Deck]:
    """Return a player's decks, the oldest first, without dropped ones."""
    return session.scalars(
        select(Deck)
        .where(Deck.game == player.game, Deck.envelope == player.envelope, Deck.state != DeckState.DROPPED)
        .order_by(Deck.created, Deck.id)
    ).all()


def deck_of(session: Session, player: PlayerIdentity, deck: str) -> Deck:
    """Return one of a player's decks. Raises DomainError `not-found`."""
    row = session.get(Deck, deck, populate_existing=True)
    if row is None or (row.game, row.envelope) != (player.game, player.envelope) or row.state == DeckState.DROPPED:
        raise not_found("deck")
    return row


def photos_of(session: Session, deck: Deck) -> Sequence[Photo]:
    """Return a deck's photographs in their order."""
    return session.scalars(
        select(Photo).where(Photo.game == deck.game, Photo.deck == deck.id).order_by(Photo.place, Photo.id)
    ).all()


def count_photos_ahead(session: Session, photos: Sequence[Photo]) -> int:
    """Return how many waiting photographs of other players are older than the last of these that waits."""
    waiting = [photo for photo in photos if photo.state == PhotoState.WAITING]
    if not waiting:
        return 0
    last = max(photo.created for photo in waiting)
    before = (
        UNREAD
        & Photo.deck.is_distinct_from(waiting[0].deck)
        & (Photo.source == PhotoSource.PLAYER)
        & (Photo.created < last)
    )
    counted = select(func.count()).select_from(Photo).where(Photo.state == PhotoState.WAITING, before)
    return session.scalar(counted) or 0


def photo_of(session: Session, deck: Deck, photo: str) -> Photo:
    """Return a photograph of a deck. Raises DomainError `not-found`."""
    row = session.get(Photo, photo)
    if row is None or row.deck != deck.id:
        raise not_found("picture")
    return row


def deck_for_photo(session: Session, player: PlayerIdentity, deck: str) -> Deck:
    """Return a deck to which a photograph may be added; its envelope is locked."""
    game, envelope = load_active_player(session, player, Act.PHOTOGRAPH, change=True)
    row = deck_of(session, player, deck)
    check_cards_visible(game)
    check_not_handed_in(envelope)
    _check_open(row)
    return row


def remove_photo(session: Session, player: PlayerIdentity, deck: str, photo: str, at: datetime) -> None:
    """Remove a photograph from a deck that is not confirmed yet. The caller deletes its file."""
    load_player(session, player, change=True)
    row = deck_of(session, player, deck)
    found = photo_of(session, row, photo)
    _check_open(row)
    _check_not_scanning([found])
    session.delete(found)
    publish_event(session, row.game, at, "photos", row.envelope)


def drop(session: Session, player: PlayerIdentity, deck: str, at: datetime) -> list[str]:
    """Drop a deck; return its photographs, whose files the caller deletes. Its attempts stay used."""
    load_player(session, player, change=True)
    row = deck_of(session, player, deck)
    if row.state == DeckState.HANDED_IN:
        raise _handed_in()
    photos = photos_of(session, row)
    _check_not_scanning(photos)
    for photo in photos:
        session.delete(photo)
    row.state = DeckState.DROPPED
    publish_event(session, row.game, at, "photos", row.envelope)
    return [photo.id for photo in photos]


def confirm(
    session: Session,
    player: PlayerIdentity,
    deck: str,
    digest: str,
    actor: Actor,
    at: datetime,
    *,
    counted: int | None = None,
) -> Deck:
    """Confirm a deck's list of cards, which the player has seen with this `digest`. Repeating it changes nothing.

    `counted` is the number of cards that the player counted. It may differ from the list, since some cards cannot be
    read. Raises DomainError `still-reading`, `list-changed`, `other-label` or `no-cards`.
    """
    game, envelope = load_active_player(session, player, Act.PHOTOGRAPH, change=True)
    row = deck_of(session, player, deck)
    check_cards_visible(game)
    found = contents_of(session, row, photos_of(session, row)).listing
    if row.state != DeckState.OPEN and digest == found.digest:
        return row
    check_not_handed_in(envelope)
    _check_open(row)
    if found.pending:
        raise DomainError(
            "still-reading", "A picture is still being read. Wait until all are done, then look again.", retry=2
        )
    if found.other_label:
        raise DomainError(
            "other-label",
            "Another player's label is in a picture. Delete it, and take it again with only your own cards.",
        )
    if digest != found.digest:
        raise DomainError("list-changed", "The list has changed since you saw it. Look at it again, then confirm.")
    if not found.cards:
        raise DomainError("no-cards", "None of your cards were found. Take a picture of your cards.")
    row.state, row.cards, row.counted, row.confirmed = DeckState.CONFIRMED, list(found.cards), counted, at
    if found.dead:
        # Organisers should know of cards from sealed envelopes.
        subject, after = f"envelope {player.envelope}", {"cards": found.dead}
        audit(session, actor, "dead-cards", game=game.id, at=at, subject=subject, after=after)
    publish_event(session, game.id, at, "photos", envelope.number)
    return row


def contents_of(session: Session, deck: Deck, photos: Sequence[Photo]) -> DeckContents:
    """Return a deck's contents: the confirmed list of cards, or that of these photographs."""
    game = session.get_one(Game, deck.game)
    readings = {
        photo.id: reading_of(photo.scan_result, game.id, game.key) for photo in photos if photo.scan_result is not None
    }
    seen = {card for reading in readings.values() for card in reading.cards}
    valid = valid_cards(session, deck.game, seen)
    labels = {label for reading in readings.values() for label in reading.labels}
    cards = tuple(sorted(valid)) if deck.cards is None else tuple(deck.cards)
    listing = CardList(
        cards=cards,
        digest=digest_of(cards),
        pending=sum(photo.state in UNSCANNED for photo in photos),
        own_label=deck.envelope in labels,
        other_label=bool(labels - {deck.envelope}),
        dead=tuple(sorted(seen - valid)),
    )
    return DeckContents(listing, {photo: _photo_contents(deck, reading, valid) for photo, reading in readings.items()})


def _photo_contents(deck: Deck, reading: Reading, valid: Collection[str]) -> PhotoContents:
    return PhotoContents(
        width=reading.width,
        height=reading.height,
        cards=tuple(CardInPhoto(seen.card if seen.card in valid else None, seen.outline) for seen in reading.seen),
        strangers=tuple(code.quad for code in reading.codes if code.status not in ("card", "label")),
        own_label=deck.envelope in reading.labels,
        other_label=any(label != deck.envelope for label in reading.labels),
        doubts=reading.doubts,
        hints=_neutral(reading.hints),
    )


def _neutral(hints: Sequence[HintReading]) -> tuple[HintReading, ...]:
    """Return hints with a neutral one in place of those that say why a code does not count."""
    others = tuple(hint for hint in hints if hint.slug not in FOREIGN_STATUSES)
    return others if len(others) == len(hints) else (*others, _FOREIGN_CODES_HINT)


def valid_cards(session: Session, game: str, names: Collection[str]) -> set[str]:
    """Return those cards that are valid: dealt into an open envelope, and not lost."""
    wanted = {(card.kind, card.copy): name for name, card in ((name, card_named(name)) for name in sorted(names))}
    keys, found = list(wanted), set()
    for start in range(0, len(keys), _CARDS_PER_QUERY):
        dealt = session.execute(
            select(Card.kind, Card.copy)
            .join(Envelope, (Envelope.game == Card.game) & (Envelope.number == Card.envelope))
            .where(Card.game == game, tuple_(Card.kind, Card.copy).in_(keys[start : start + _CARDS_PER_QUERY]))
            .where(Card.lost.is_(None), Envelope.opened.is_not(None))
        )
        found |= {wanted[kind, copy] for kind, copy in dealt}
    return found


def digest_of(cards: Collection[str]) -> str:
    """Return the digest of a list of cards: SHA-256 of their sorted names, one per line, in hexadecimal."""
    return hashlib.sha256("\n".join(sorted(cards)).encode()).hexdigest()


def count_kinds(cards: Iterable[str]) -> dict[str, int]:
    """Return the number of cards of each kind, in the order of their names."""
    counts: dict[str, int] = {}
    for card in sorted(cards):
        kind = card.rpartition("-")[0]
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def cards_visible(game: Game) -> bool:
    """Return whether players see anything of their cards."""
    return game.mode != OFF


def check_cards_visible(game: Game) -> None:
    """Raise DomainError `off` if players see nothing of their cards."""
    if not cards_visible(game):
        raise DomainError("off", "The organiser has switched off lists of cards on phones. Just hand in at the end.")


def check_not_handed_in(envelope: Envelope) -> None:
    """Raise DomainError `handed-in` for a player who has handed in."""
    if envelope.submitted_at is not None:
        raise _handed_in()


def _check_open(deck: Deck) -> None:
    if deck.state != DeckState.OPEN:
        raise DomainError("list-confirmed", "This deck's list has been confirmed and cannot change. Start a new deck.")


def _check_not_scanning(photos: Sequence[Photo]) -> None:
    """Refuse to delete photographs that are being scanned: the time of their scans would not be counted."""
    if any(photo.state == PhotoState.SCANNING for photo in photos):
        raise DomainError("still-reading", "This picture is being read. Wait a few seconds and try again.", retry=2)


def _handed_in() -> DomainError:
    return DomainError("handed-in", "You have handed in, so nothing can change any more. Ask an organiser for help.")
