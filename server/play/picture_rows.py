"""Reads organisers' pictures from the database, in full only those that are not as they were when last read.

The desk asks for all of a game's pictures many times a minute while they come in, and few change in between.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, select, type_coerce
from sqlalchemy.types import NullType

from server.jobs.readings import reading_of
from server.play.pictures import Picture
from server.store.tables import Game, Photo, table_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

ORGANISER = "organiser"
_ORDER = attrgetter("order")
_KEPT = 3000
# Pictures that are kept in memory, with what was read in them: some 50 kB each for a hand of 13 cards.
_AT_ONCE = 500
# Pictures that are asked for in one go.
_PHOTOS, _GAMES = table_of(Photo).c, table_of(Game).c
_OF_ORGANISERS = (_PHOTOS.game == bindparam("game")) & (_PHOTOS.source == ORGANISER)
_GLANCE = select(
    *(_PHOTOS.id, _PHOTOS.digest, _PHOTOS.batch, _PHOTOS.place, _PHOTOS.name, _PHOTOS.state, _PHOTOS.reason),
    # As the engine has it, since it is only compared: one that is scanned again says another time.
    type_coerce(_PHOTOS.scanned, NullType()),
).where(_OF_ORGANISERS)
_STATE = 5
# Where the state stands in a glance.
# When it came is left out: it never changes.
_WHOLE = select(
    *(_PHOTOS.id, _PHOTOS.digest, _PHOTOS.created, _PHOTOS.batch, _PHOTOS.place, _PHOTOS.name, _PHOTOS.state),
    *(_PHOTOS.reason, _PHOTOS.reading, _PHOTOS.scanned, _PHOTOS.game, _GAMES.key),
).where(_PHOTOS.id.in_(bindparam("photos", expanding=True)), _GAMES.id == _PHOTOS.game)
_ERASED = select(_PHOTOS.id, _PHOTOS.erased).where(_OF_ORGANISERS, _PHOTOS.erased.is_not(None))
_STATES = select(_PHOTOS.state, func.count()).where(_OF_ORGANISERS).group_by(_PHOTOS.state)

_kept: OrderedDict[str, tuple[tuple[Any, ...], Picture]] = OrderedDict()
"""Pictures by their ids, each with the glance at its row with which it was read. The last ones looked at come last."""
_turn = threading.Lock()


def pictures_of(session: Session, game: str) -> tuple[Picture, ...]:
    """Return a game's pictures of organisers in the order in which they came. The session has to be flushed."""
    # All at once: row by row they cost twice as much.
    rows = [tuple(row) for row in session.execute(_GLANCE, {"game": game}).all()]
    with _turn:
        found = {row[0]: known[1] for row in rows if (known := _kept.get(row[0])) and known[0] == row}
    fresh = {row[0]: row for row in rows if row[0] not in found}
    read = _read(session, list(fresh))
    with _turn:
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


def _read(session: Session, photos: Sequence[str]) -> dict[str, Picture]:
    """Return pictures with all that their rows say of them."""
    found = {}
    for start in range(0, len(photos), _AT_ONCE):
        for row in session.execute(_WHOLE, {"photos": photos[start : start + _AT_ONCE]}):
            is_read = row.state == "done" and row.reading is not None
            read = reading_of(row.reading, row.game, row.key) if is_read else None
            facts = row.digest, row.created, row.batch, row.place, row.name, row.state, row.reason
            found[row.id] = Picture(row.id, *facts, read, row.scanned)
    return found
