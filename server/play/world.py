"""Reads from the database all that hands are made of, and puts them together."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import and_, bindparam, func, or_, select, update

from cardgen.cards import CardId
from server.play.assembly import Assembly, World, assemble
from server.play.closing import Seat
from server.play.decks import HANDED_IN
from server.play.items import Ruled, decision_of
from server.play.picture_rows import ORGANISER, pictures_of
from server.play.states import State
from server.store.tables import Card, Deck, Envelope, Photo, Ruling, table_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Row
    from sqlalchemy.orm import Session

    from server.store.tables import Game

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
    select(Ruling.item, Ruling.decision, Ruling.reason, Ruling.who, Ruling.at)
    .where(Ruling.game == bindparam("game"))
    .order_by(Ruling.id)
)


def world_of(session: Session, game: Game) -> World:
    """Return what a game's hands are made of, as it stands now."""
    # Some questions are about tables and not about objects: for these a session does not write what it still holds.
    session.flush()
    printed = _printed(session, game.id)
    envelopes = session.execute(_SEATS, {"game": game.id}).all()
    rulings = session.execute(_RULINGS, {"game": game.id}).all()
    pictured = _pictured(session, game)
    dealt = Counter(number for card, number in printed.dealt.items() if card not in printed.lost)
    return World(
        pictures=pictures_of(session, game.id),
        seats={
            row.number: Seat(
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
_assembled: list[tuple[World, Assembly]] = []
# The last ones looked at come first.
_assembling = threading.Lock()
