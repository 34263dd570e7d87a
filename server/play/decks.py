"""Decks as players lay them out: photographs become one list of cards, and the player says whether it is right."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from server.jobs.queue import UNREAD, PhotoState
from server.play.findings import findings_of
from server.play.joining import join, living_place_of, place_of
from server.play.record import changed, record
from server.play.refusals import Refusal, not_found
from server.play.states import Act
from server.store.tables import Deck, Photo

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor
    from server.play.tokens import Seat
    from server.store.tables import Envelope, Game

OPEN, CONFIRMED, HANDED_IN, DROPPED = "open", "confirmed", "handed-in", "dropped"
MOST = 40
"""Decks that are kept of an envelope. A new one beyond it drops the oldest."""
OFF = "off"


def new_deck(session: Session, seat: Seat, at: datetime) -> Deck:
    """Begin a deck; the player may then send photographs of it."""
    game, envelope = living_place_of(session, seat, Act.PHOTOGRAPH, change=True)
    still_playing(envelope)
    kept = decks_of(session, seat)
    for old in kept[: max(0, len(kept) - MOST + 1)]:
        old.state = DROPPED
    deck = Deck(id=secrets.token_hex(16), game=game.id, envelope=envelope.number, state=OPEN, created=at, cards=None)
    session.add(deck)
    join(envelope, at)
    changed(session, game.id, at, "photos", envelope.number)
    return deck


def decks_of(session: Session, seat: Seat) -> Sequence[Deck]:
    """Return a player's decks, the oldest first; those that were dropped are left out."""
    return session.scalars(
        select(Deck)
        .where(Deck.game == seat.game, Deck.envelope == seat.envelope, Deck.state != DROPPED)
        .order_by(Deck.created, Deck.id)
    ).all()


def deck_of(session: Session, seat: Seat, deck: str) -> Deck:
    """Return one of a player's own decks; Refusal `not-found` for any other."""
    row = session.get(Deck, deck, populate_existing=True)
    if row is None or (row.game, row.envelope) != (seat.game, seat.envelope) or row.state == DROPPED:
        raise not_found("deck")
    return row


def photos_of(session: Session, deck: Deck) -> Sequence[Photo]:
    """Return a deck's photographs in their order."""
    return session.scalars(
        select(Photo).where(Photo.game == deck.game, Photo.deck == deck.id).order_by(Photo.place, Photo.id)
    ).all()


def ahead_of(session: Session, photos: Sequence[Photo]) -> int:
    """Return how many photographs of other players came before the last of these that waits, and wait too.

    About so many are read before it: those of whom less was read lately have their turn first.
    """
    waiting = [photo for photo in photos if photo.state == PhotoState.WAITING]
    if not waiting:
        return 0
    last = max(photo.created for photo in waiting)
    before = UNREAD & Photo.deck.is_distinct_from(waiting[0].deck) & (Photo.source == "player") & (Photo.created < last)
    counted = select(func.count()).select_from(Photo).where(Photo.state == PhotoState.WAITING, before)
    return session.scalar(counted) or 0


def photo_of(session: Session, deck: Deck, photo: str) -> Photo:
    """Return a photograph of a deck; Refusal `not-found` for any other."""
    row = session.get(Photo, photo)
    if row is None or row.deck != deck.id:
        raise not_found("picture")
    return row


def deck_for_photo(session: Session, seat: Seat, deck: str) -> Deck:
    """Return a deck that takes a photograph now. Others wait until this is done."""
    game, envelope = living_place_of(session, seat, Act.PHOTOGRAPH, change=True)
    row = deck_of(session, seat, deck)
    shows_cards(game)
    still_playing(envelope)
    _still_open(row)
    return row


def remove_photo(session: Session, seat: Seat, deck: str, photo: str, at: datetime) -> None:
    """Take a photograph out of a deck whose list is not confirmed yet. Its file is deleted by the caller."""
    place_of(session, seat, change=True)
    row = deck_of(session, seat, deck)
    found = photo_of(session, row, photo)
    _still_open(row)
    _not_being_read([found])
    session.delete(found)
    changed(session, row.game, at, "photos", row.envelope)


def drop(session: Session, seat: Seat, deck: str, at: datetime) -> list[str]:
    """Drop a deck; return its photographs, whose files the caller deletes. Tries that it has cost stay spent."""
    place_of(session, seat, change=True)
    row = deck_of(session, seat, deck)
    if row.state == HANDED_IN:
        raise _handed_in()
    photos = photos_of(session, row)
    _not_being_read(photos)
    for photo in photos:
        session.delete(photo)
    row.state = DROPPED
    changed(session, row.game, at, "photos", row.envelope)
    return [photo.id for photo in photos]


def confirm(
    session: Session, seat: Seat, deck: str, digest: str, actor: Actor, at: datetime, *, counted: int | None = None
) -> Deck:
    """Freeze a deck's list of cards as the player has seen it; `digest` names that list.

    `counted` is how many cards the player counted by hand. It may differ from the list: some cards cannot be read.
    Refusal `still-reading`, `list-changed`, `other-label` and `no-cards`. The same again changes nothing.
    """
    game, envelope = living_place_of(session, seat, Act.PHOTOGRAPH, change=True)
    row = deck_of(session, seat, deck)
    shows_cards(game)
    found = findings_of(session, row, photos_of(session, row)).listing
    if row.state != OPEN and digest == found.digest:
        return row
    still_playing(envelope)
    _still_open(row)
    if found.pending:
        raise Refusal(
            "still-reading", "A picture is still being read. Wait until all are done, then look again.", retry=2
        )
    if found.other_label:
        raise Refusal(
            "other-label",
            "Another player's label lies in a picture. Delete it, and take it again with your own cards only.",
        )
    if digest != found.digest:
        raise Refusal("list-changed", "The list has changed since you saw it. Look at it again, then confirm.")
    if not found.cards:
        raise Refusal("no-cards", "No card of yours was found. Take a picture of your cards.")
    row.state, row.cards, row.counted, row.confirmed = CONFIRMED, list(found.cards), counted, at
    if found.dead:
        # Cards from sealed envelopes in a player's hand: for the organisers to know.
        record(session, game.id, actor, at, "dead-cards", f"envelope {seat.envelope}", after={"cards": found.dead})
    changed(session, game.id, at, "photos", envelope.number)
    return row


def tells_cards(game: Game) -> bool:
    """Tell whether players are told anything of their cards."""
    return game.mode != OFF


def shows_cards(game: Game) -> None:
    """Raise Refusal `off` where players are told nothing of their cards."""
    if not tells_cards(game):
        raise Refusal("off", "The organiser has switched off what phones tell of cards. Just hand in at the end.")


def still_playing(envelope: Envelope) -> None:
    """Raise Refusal `handed-in` for a player who has handed in: that cannot be undone."""
    if envelope.claimed is not None:
        raise _handed_in()


def _still_open(deck: Deck) -> None:
    if deck.state != OPEN:
        raise Refusal("list-confirmed", "The list of this deck is confirmed and stays as it is. Begin a new deck.")


def _not_being_read(photos: Sequence[Photo]) -> None:
    """Refuse to delete photographs in mid-scan: the time of their scans would count for nobody."""
    if any(photo.state == PhotoState.SCANNING for photo in photos):
        raise Refusal("still-reading", "This picture is being read. Wait a few seconds and try again.", retry=2)


def _handed_in() -> Refusal:
    return Refusal("handed-in", "You have handed in, so nothing can change any more. Ask an organiser for help.")
