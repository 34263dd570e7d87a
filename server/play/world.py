"""Reads from the database all that hands are made of, and puts them together."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, bindparam, func, or_, select, update

from cardgen.cards import CardId
from server.jobs.readings import reading_of
from server.play.assembly import Assembly, World, assemble
from server.play.closing import Seat
from server.play.decks import HANDED_IN
from server.play.items import Ruled, decision_of
from server.play.pictures import Picture
from server.play.states import State
from server.store.tables import Card, Deck, Envelope, Photo, Ruling, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.jobs.readings import Reading
    from server.store.tables import Game

ORGANISER = "organiser"
_ENVELOPES, _PHOTOS = table_of(Envelope), table_of(Photo)
_PLAYING = {State.DRAFT, State.PRINTED, State.OPEN}
_KEPT = 3000
# Pictures that are kept in memory, with what was read in them: some 50 kB each for a hand of 13 cards.
_AT_ONCE = 500
# Readings that are asked for in one go.
_WORLDS = 4
# Worlds whose hands are kept: those of the games that organisers look at just now.


def world_of(session: Session, game: Game) -> World:
    """Return what a game's hands are made of, as it stands now."""
    # In an order of ours: an engine's own changes whenever a row does.
    cards = session.execute(
        select(Card.kind, Card.copy, Card.envelope, Card.lost)
        .where(Card.game == game.id)
        .order_by(Card.kind, Card.copy)
    ).all()
    names = {CardId(kind, copy).name: (envelope, lost) for kind, copy, envelope, lost in cards}
    envelopes = session.scalars(select(Envelope).where(Envelope.game == game.id).order_by(Envelope.number)).all()
    rulings = session.scalars(select(Ruling).where(Ruling.game == game.id).order_by(Ruling.id)).all()
    pictured = _pictured(session, game)
    return World(
        pictures=_pictures(session, game.id),
        seats={
            row.number: Seat(
                row.number,
                row.opened is not None,
                None if row.claim is None else tuple(row.claim),
                row.claimed,
                row.number in pictured,
            )
            for row in envelopes
        },
        dealt={name: envelope for name, (envelope, _) in names.items()},
        lost=frozenset(name for name, (_, lost) in names.items() if lost is not None),
        rulings={row.item: Ruled(decision_of(row.decision), row.reason, row.who, row.at) for row in rulings},
        over=State(game.state) not in _PLAYING,
        ended=game.closed,
    )


def assembled(session: Session, game: Game) -> Assembly:
    """Return a game's hands and its queue, as everything stands now."""
    return assembly_of(world_of(session, game))


def assembly_of(world: World) -> Assembly:
    """Return the hands and the queue of a world. The same world once more costs a comparison.

    A page asks for several views of one game at a time, each many times a minute while pictures come in.
    """
    with _assembling:
        # One after the other: who waits here finds the answer of the one before.
        for place, (before, found) in enumerate(_assembled):
            if before == world:
                _assembled.insert(0, _assembled.pop(place))
                return found
        found = assemble(world)
        _assembled.insert(0, (world, found))
        del _assembled[_WORLDS:]
        return found


_CAME = select(_PHOTOS.c.created).where(_PHOTOS.c.id == bindparam("photo"), _PHOTOS.c.source == ORGANISER)
# In one step: pictures of the same envelope may be done at the same moment.
_RECEIVE = (
    update(_ENVELOPES)
    .where(
        _ENVELOPES.c.game == bindparam("of"),
        _ENVELOPES.c.number == bindparam("label"),
        or_(_ENVELOPES.c.received.is_(None), _ENVELOPES.c.received > _CAME.scalar_subquery()),
        _CAME.exists(),
    )
    .values(received=_CAME.scalar_subquery())
)


def note_seen(session: Session, game: str, photo: str, labels: Collection[int]) -> None:
    """Keep in an envelope's row when organisers had it in hand, once a picture with its one label has been scanned.

    `labels` are the envelopes whose labels were read in the picture of the game.
    """
    if len(set(labels)) == 1:
        session.execute(_RECEIVE, {"of": game, "photo": photo, "label": next(iter(labels))})


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


class _Row(NamedTuple):
    """What a picture's row says of it. One that is scanned again says another time."""

    id: str
    digest: str
    created: datetime
    batch: str | None
    place: int
    name: str
    state: str
    reason: str | None
    scanned: datetime | None


_OF_ORGANISERS = (
    select(*(getattr(Photo, column) for column in _Row._fields))
    .where(Photo.game == bindparam("game"), Photo.source == ORGANISER)
    .order_by(Photo.created, Photo.id)
)


def _pictures(session: Session, game: str) -> tuple[Picture, ...]:
    rows = [_Row(*row) for row in session.execute(_OF_ORGANISERS, {"game": game})]
    with _turn:
        found = {row: _pictures_kept[row] for row in rows if row in _pictures_kept}
    fresh = [row for row in rows if row not in found]
    read = _readings(session, [row.id for row in fresh if row.state == "done"])
    found |= {row: Picture(*row[:-1], read.get(row.id)) for row in fresh}
    with _turn:
        for row, picture in found.items():
            if picture.reading is not None:
                _pictures_kept[row] = picture
                _pictures_kept.move_to_end(row)
        while len(_pictures_kept) > _KEPT:
            _pictures_kept.popitem(last=False)
    return tuple(found[row] for row in rows)


# ------------------------------------------------------------------------ what is kept so as not to be made each time

_pictures_kept: OrderedDict[_Row, Picture] = OrderedDict()
_turn = threading.Lock()
_assembled: list[tuple[World, Assembly]] = []
# The last ones looked at come first.
_assembling = threading.Lock()


def _readings(session: Session, photos: Sequence[str]) -> dict[str, Reading]:
    """Return what was read in photographs."""
    found = {}
    for start in range(0, len(photos), _AT_ONCE):
        some = select(Photo.id, Photo.reading).where(Photo.id.in_(photos[start : start + _AT_ONCE]))
        for photo, column in session.execute(some):
            if column is not None:
                found[photo] = reading_of(column)
    return found
