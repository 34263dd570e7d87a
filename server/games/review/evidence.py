"""The evidence of a game: all input of its reconciliation, loaded from the database.

Pages ask for several views of a game, each many times a minute while photographs come in. So photographs are kept in
memory, and are used again as long as the rows that they were made from have not changed.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import and_, bindparam, func, or_, select, type_coerce
from sqlalchemy.types import NullType

from cardgen.cards import CardId
from server.db.models import Card, Deck, Envelope, Game, Photo, ReviewDecision, table_of
from server.games.lifecycle.states import State
from server.games.photos.readings import reading_of
from server.games.photos.scan_queue import PhotoSource, PhotoState
from server.games.players.decks import DeckState
from server.games.review.envelope_status import EnvelopeRecord
from server.games.review.issues import Decision, DecisionRecord
from server.games.review.photo_ownership import ReviewedPhoto

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

_BEFORE_CLOSE = {State.DRAFT, State.PRINTED, State.OPEN}

_MAX_PHOTOS = 3000
_PHOTOS_PER_QUERY = 500

_PHOTO, _GAME = table_of(Photo).c, table_of(Game).c
_BY_ORGANISERS = (_PHOTO.game == bindparam("game")) & (_PHOTO.source == PhotoSource.ORGANISER)
_VERSIONS = select(
    *(_PHOTO.id, _PHOTO.digest, _PHOTO.batch, _PHOTO.place, _PHOTO.name, _PHOTO.state, _PHOTO.reason),
    # Only compared, so the database's own form will do. It changes when a photograph is scanned again.
    type_coerce(_PHOTO.scanned, NullType()),
).where(_BY_ORGANISERS)
_STATE_COLUMN = 5
_PHOTOS = select(
    *(_PHOTO.id, _PHOTO.digest, _PHOTO.created, _PHOTO.batch, _PHOTO.place, _PHOTO.name, _PHOTO.state),
    *(_PHOTO.reason, _PHOTO.scan_result, _PHOTO.scanned, _PHOTO.game, _GAME.key),
).where(_PHOTO.id.in_(bindparam("photos", expanding=True)), _GAME.id == _PHOTO.game)
_DELETED = select(_PHOTO.id, _PHOTO.image_deleted_at).where(_BY_ORGANISERS, _PHOTO.image_deleted_at.is_not(None))
_STATES = select(_PHOTO.state, func.count()).where(_BY_ORGANISERS).group_by(_PHOTO.state)
_CARDS = (
    select(Card.kind, Card.copy, Card.envelope, Card.lost)
    .where(Card.game == bindparam("game"))
    .order_by(Card.kind, Card.copy)
)
_HAND_IN_COUNT = (
    select(func.max(Deck.counted))
    .where(Deck.game == Envelope.game, Deck.envelope == Envelope.number, Deck.state == DeckState.HANDED_IN)
    .scalar_subquery()
)
_ENVELOPES = (
    select(
        Envelope.number,
        Envelope.opened,
        Envelope.submitted_cards,
        Envelope.submitted_at,
        Envelope.counted,
        _HAND_IN_COUNT.label("hand_in_count"),
    )
    .where(Envelope.game == bindparam("game"))
    .order_by(Envelope.number)
)
_CONFIRMED = (
    select(Deck.envelope, Deck.cards)
    .join(Envelope, and_(Envelope.game == Deck.game, Envelope.number == Deck.envelope))
    .where(Deck.game == bindparam("game"), Deck.state == DeckState.CONFIRMED, Envelope.submitted_at.is_(None))
)
_DECISIONS = (
    select(ReviewDecision.item, ReviewDecision.decision, ReviewDecision.reason, ReviewDecision.who, ReviewDecision.at)
    .where(ReviewDecision.game == bindparam("game"))
    .order_by(ReviewDecision.id)
)


@dataclass(frozen=True)
class Evidence:
    """All input of the reconciliation of a game."""

    photos: tuple[ReviewedPhoto, ...] = ()
    envelopes: Mapping[int, EnvelopeRecord] = field(default_factory=dict)
    dealt: Mapping[str, int] = field(default_factory=dict)
    """The envelope that each printed card was dealt into."""
    lost: frozenset[str] = frozenset()
    """Cards that were reported lost: others were printed in their place."""
    decisions: Mapping[str, DecisionRecord] = field(default_factory=dict)
    """Organisers' decisions by the key of their issue."""
    is_over: bool = True
    """Whether the game has closed. Before that no envelope is missing."""
    closed_at: datetime | None = None


# The most recently used come last.
_photos: OrderedDict[str, tuple[tuple[Any, ...], ReviewedPhoto]] = OrderedDict()
_photos_lock = threading.Lock()


def load_evidence(session: Session, game: Game) -> Evidence:
    """Load the evidence of a game in its current state."""
    # Queries of tables, as opposed to objects, do not flush the session by themselves.
    session.flush()
    cards = [
        (CardId(kind, copy).name, envelope, lost)
        for kind, copy, envelope, lost in session.execute(_CARDS, {"game": game.id})
    ]
    dealt = Counter(envelope for _, envelope, lost in cards if lost is None)
    in_time = _late_due_to_scanning(session, game)
    confirmed: dict[int, tuple[frozenset[str], ...]] = defaultdict(tuple)
    for envelope, listed in session.execute(_CONFIRMED, {"game": game.id}):
        confirmed[envelope] += (frozenset(listed or ()),)
    return Evidence(
        photos=load_photos(session, game.id),
        envelopes={
            row.number: EnvelopeRecord(
                row.number,
                opened=row.opened is not None,
                hand_in=None if row.submitted_cards is None else tuple(row.submitted_cards),
                handed_in=row.submitted_at,
                late_due_to_scanning=row.number in in_time,
                counted=row.counted,
                hand_in_count=row.hand_in_count,
                dealt=dealt[row.number] if game.expect_dealt else None,
                confirmed=confirmed[row.number],
            )
            for row in session.execute(_ENVELOPES, {"game": game.id})
        },
        dealt={name: envelope for name, envelope, _ in cards},
        lost=frozenset(name for name, _, lost in cards if lost is not None),
        decisions={
            row.item: DecisionRecord(Decision.from_json(row.decision), row.reason, row.who, row.at)
            for row in session.execute(_DECISIONS, {"game": game.id})
        },
        is_over=State(game.state) not in _BEFORE_CLOSE,
        closed_at=game.closed,
    )


def load_photos(session: Session, game: str) -> tuple[ReviewedPhoto, ...]:
    """Return a game's photographs by organisers in the order of arrival. The session has to be flushed."""
    versions = {row[0]: tuple(row) for row in session.execute(_VERSIONS, {"game": game}).all()}
    with _photos_lock:
        known = {photo: _photos.get(photo) for photo in versions}
    photos = {photo: kept[1] for photo, kept in known.items() if kept is not None and kept[0] == versions[photo]}
    fresh = _read_photos(session, [photo for photo in versions if photo not in photos])
    with _photos_lock:
        for photo in photos:
            if photo in _photos:
                _photos.move_to_end(photo)
        for photo, read in fresh.items():
            # On PostgreSQL its state may have changed between the two queries.
            if read.state == versions[photo][_STATE_COLUMN]:
                _photos[photo] = versions[photo], read
        while len(_photos) > _MAX_PHOTOS:
            _photos.popitem(last=False)
    return tuple(sorted((photos | fresh).values(), key=attrgetter("order")))


def deletion_times(session: Session, game: str) -> dict[str, datetime]:
    """Return when the image of each photograph was deleted, by its id, without those that still have theirs."""
    return {photo: at for photo, at in session.execute(_DELETED, {"game": game})}  # noqa: C416 - mypy takes no row for a pair


def count_photos_by_state(session: Session, game: str) -> dict[str, int]:
    """Return the number of a game's photographs by organisers in each state."""
    return {state: count for state, count in session.execute(_STATES, {"game": game})}  # noqa: C416 - as above


def _read_photos(session: Session, photos: Sequence[str]) -> dict[str, ReviewedPhoto]:
    found = {}
    for start in range(0, len(photos), _PHOTOS_PER_QUERY):
        for row in session.execute(_PHOTOS, {"photos": photos[start : start + _PHOTOS_PER_QUERY]}):
            is_read = row.state == PhotoState.DONE and row.scan_result is not None
            found[row.id] = ReviewedPhoto(
                id=row.id,
                digest=row.digest,
                created=row.created,
                batch=row.batch,
                place=row.place,
                name=row.name,
                state=row.state,
                reason=row.reason,
                reading=reading_of(row.scan_result, row.game, row.key) if is_read else None,
                scanned=row.scanned,
            )
    return found


def _late_due_to_scanning(session: Session, game: Game) -> set[int]:
    """Return the envelopes handed in by phone after the end only because their photographs were not all read by then.

    If all had been read, their players could have handed in before the end.
    """
    if game.closed is None:
        return set()
    unread = or_(func.max(Photo.scanned) >= game.closed, func.count(Photo.scanned) < func.count())
    found = (
        select(Deck.envelope)
        .join(Photo, and_(Photo.game == Deck.game, Photo.deck == Deck.id))
        .join(Envelope, and_(Envelope.game == Deck.game, Envelope.number == Deck.envelope))
        .where(Deck.game == game.id, Deck.state == DeckState.HANDED_IN, Envelope.submitted_at >= game.closed)
        .group_by(Deck.envelope)
        .having(and_(func.max(Photo.created) < game.closed, unread))
    )
    return set(session.scalars(found))
