"""Reads from the database all that hands are made of, and puts them together."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, bindparam, func, or_, select, type_coerce
from sqlalchemy.types import NullType

from cardgen.cards import CardId
from server.db.models import Card, Deck, Envelope, Game, Photo, ReviewDecision, table_of
from server.games.lifecycle.states import State
from server.games.photos.readings import reading_of
from server.games.players.decks import HANDED_IN
from server.games.review.envelope_status import EnvelopeRecord
from server.games.review.issues import TakenDecision, decision_of
from server.games.review.photo_ownership import ReviewedPhoto
from server.games.review.reconcile import Evidence, Reconciliation, reconcile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Row
    from sqlalchemy.orm import Session


ORGANISER = "organiser"
_ORDER = attrgetter("order")
_KEPT = 3000

# Pictures that are kept in memory, with what was read in them: some 50 kB each for a hand of 13 cards.
_AT_ONCE = 500

# Pictures that are asked for in one go.
_PHOTO, _GAMES = table_of(Photo).c, table_of(Game).c
_OF_ORGANISERS = (_PHOTO.game == bindparam("game")) & (_PHOTO.source == ORGANISER)
_GLANCE = select(
    *(_PHOTO.id, _PHOTO.digest, _PHOTO.batch, _PHOTO.place, _PHOTO.name, _PHOTO.state, _PHOTO.reason),
    # As the engine has it, since it is only compared: one that is scanned again says another time.
    type_coerce(_PHOTO.scanned, NullType()),
).where(_OF_ORGANISERS)
_STATE = 5

# Where the state stands in a glance.
# When it came is left out: it never changes.
_WHOLE = select(
    *(_PHOTO.id, _PHOTO.digest, _PHOTO.created, _PHOTO.batch, _PHOTO.place, _PHOTO.name, _PHOTO.state),
    *(_PHOTO.reason, _PHOTO.reading, _PHOTO.scanned, _PHOTO.game, _GAMES.key),
).where(_PHOTO.id.in_(bindparam("photos", expanding=True)), _GAMES.id == _PHOTO.game)
_ERASED = select(_PHOTO.id, _PHOTO.erased).where(_OF_ORGANISERS, _PHOTO.erased.is_not(None))
_STATES = select(_PHOTO.state, func.count()).where(_OF_ORGANISERS).group_by(_PHOTO.state)

_kept: OrderedDict[str, tuple[tuple[Any, ...], ReviewedPhoto]] = OrderedDict()
"""Pictures by their ids, each with the glance at its row with which it was read. The last ones looked at come last."""
_statement_lock = threading.Lock()


def pictures_of(session: Session, game: str) -> tuple[ReviewedPhoto, ...]:
    """Return a game's pictures of organisers in the order in which they came. The session has to be flushed."""
    # All at once: row by row they cost twice as much.
    rows = [tuple(row) for row in session.execute(_GLANCE, {"game": game}).all()]
    with _statement_lock:
        found = {row[0]: known[1] for row in rows if (known := _kept.get(row[0])) and known[0] == row}
    fresh = {row[0]: row for row in rows if row[0] not in found}
    read = _read(session, list(fresh))
    with _statement_lock:
        for photo in found:
            if photo in _kept:
                _kept.move_to_end(photo)
        for photo, picture in read.items():
            # A writer on PostgreSQL may meet it in another state than at the glance.
            if picture.state == fresh[photo][_STATE]:
                _kept[photo] = fresh[photo], picture
        while len(_kept) > _KEPT:
            _kept.popitem(last=False)
    found |= read
    return tuple(sorted(found.values(), key=_ORDER))


def erased(session: Session, game: str) -> dict[str, datetime]:
    """Return when each picture itself was deleted, by its id; not those that are still there."""
    return {photo: at for photo, at in session.execute(_ERASED, {"game": game})}  # noqa: C416 - rows are no pairs to the checker


def states_of(session: Session, game: str) -> dict[str, int]:
    """Return how many of a game's pictures of organisers are in each state."""
    return {state: count for state, count in session.execute(_STATES, {"game": game})}  # noqa: C416 - as above


def _read(session: Session, photos: Sequence[str]) -> dict[str, ReviewedPhoto]:
    """Return pictures with all that their rows say of them."""
    found = {}
    for start in range(0, len(photos), _AT_ONCE):
        for row in session.execute(_WHOLE, {"photos": photos[start : start + _AT_ONCE]}):
            is_read = row.state == "done" and row.reading is not None
            read = reading_of(row.reading, row.game, row.key) if is_read else None
            facts = row.digest, row.created, row.batch, row.place, row.name, row.state, row.reason
            found[row.id] = ReviewedPhoto(row.id, *facts, read, row.scanned)
    return found


_ENVELOPES, _PHOTOS = table_of(Envelope), table_of(Photo)
_PLAYING = {State.DRAFT, State.PRINTED, State.OPEN}
_WORLDS = 4

# Worlds whose hands are kept: those of the games that organisers look at just now.
_PRINTS = 4

# Games whose printed cards are kept.
_CARDS = (
    select(Card.kind, Card.copy, Card.envelope, Card.lost)
    .where(Card.game == bindparam("game"))
    # In an order of ours: an engine's own changes whenever a row does.
    .order_by(Card.kind, Card.copy)
)
_CLAIM_COUNTED = (
    select(func.max(Deck.counted))
    .where(Deck.game == Envelope.game, Deck.envelope == Envelope.number, Deck.state == HANDED_IN)
    .scalar_subquery()
)
_SEATS = (
    select(
        Envelope.number,
        Envelope.opened,
        Envelope.claim,
        Envelope.claimed,
        Envelope.counted,
        _CLAIM_COUNTED.label("claim_counted"),
    )
    .where(Envelope.game == bindparam("game"))
    .order_by(Envelope.number)
)
_RULINGS = (
    select(ReviewDecision.item, ReviewDecision.decision, ReviewDecision.reason, ReviewDecision.who, ReviewDecision.at)
    .where(ReviewDecision.game == bindparam("game"))
    .order_by(ReviewDecision.id)
)


def load_evidence(session: Session, game: Game) -> Evidence:
    """Return what a game's hands are made of, as it stands now."""
    # Some questions are about tables and not about objects: for these a session does not write what it still holds.
    session.flush()
    printed = _printed(session, game.id)
    envelopes = session.execute(_SEATS, {"game": game.id}).all()
    rulings = session.execute(_RULINGS, {"game": game.id}).all()
    pictured = _pictured(session, game)
    dealt = Counter(number for card, number in printed.dealt.items() if card not in printed.lost)
    return Evidence(
        pictures=pictures_of(session, game.id),
        seats={
            row.number: EnvelopeRecord(
                row.number,
                row.opened is not None,
                None if row.claim is None else tuple(row.claim),
                row.claimed,
                row.number in pictured,
                row.counted,
                row.claim_counted,
                dealt[row.number] if game.expect_dealt else None,
            )
            for row in envelopes
        },
        dealt=printed.dealt,
        lost=printed.lost,
        rulings={row.item: TakenDecision(decision_of(row.decision), row.reason, row.who, row.at) for row in rulings},
        over=State(game.state) not in _PLAYING,
        ended=game.closed,
    )


def assembled(session: Session, game: Game) -> Reconciliation:
    """Return a game's hands and its queue, as everything stands now."""
    return reconciliation_of(load_evidence(session, game))


def reconciliation_of(world: Evidence) -> Reconciliation:
    """Return the hands and the queue of a world. The same world once more costs a comparison.

    A page asks for several views of one game at a time, each many times a minute while pictures come in.
    """
    with _assembling:
        # One after the other: who waits here finds the answer of the one before.
        for place, (before, found) in enumerate(_assembled):
            if before == world:
                _assembled.insert(0, _assembled.pop(place))
                return found
        found = reconcile(world)
        _assembled.insert(0, (world, found))
        del _assembled[_WORLDS:]
        return found


def _pictured(session: Session, game: Game) -> set[int]:
    """Return the envelopes handed in by phone after the end whose pictures had all come, but were not all read by then.

    Where all had been read the list could have been handed in by then.
    """
    if game.closed is None:
        return set()
    unread = or_(func.max(Photo.scanned) >= game.closed, func.count(Photo.scanned) < func.count())
    found = (
        select(Deck.envelope)
        .join(Photo, and_(Photo.game == Deck.game, Photo.deck == Deck.id))
        .join(Envelope, and_(Envelope.game == Deck.game, Envelope.number == Deck.envelope))
        .where(Deck.game == game.id, Deck.state == HANDED_IN, Envelope.claimed >= game.closed)
        .group_by(Deck.envelope)
        .having(and_(func.max(Photo.created) < game.closed, unread))
    )
    return set(session.scalars(found))


class _Printed(NamedTuple):
    """A game's printed cards: their rows, the envelope that each was dealt into, and those that were lost."""

    rows: Sequence[Row[str, int, int, datetime | None]]
    dealt: Mapping[str, int]
    lost: frozenset[str]


def _printed(session: Session, game: str) -> _Printed:
    """Return a game's printed cards; made anew only where their rows are not as they were."""
    rows = session.execute(_CARDS, {"game": game}).all()
    with _turn:
        kept = _prints.pop(game, None)
        if kept is None or kept.rows != rows:
            names = [(CardId(kind, copy).name, envelope, lost) for kind, copy, envelope, lost in rows]
            dealt = {name: envelope for name, envelope, _ in names}
            kept = _Printed(rows, dealt, frozenset(name for name, _, lost in names if lost is not None))
        _prints[game] = kept
        while len(_prints) > _PRINTS:
            _prints.popitem(last=False)
    return kept


# ------------------------------------------------------------------------ what is kept so as not to be made each time

_prints: OrderedDict[str, _Printed] = OrderedDict()
_turn = threading.Lock()
_assembled: list[tuple[Evidence, Reconciliation]] = []

# The last ones looked at come first.
_assembling = threading.Lock()
