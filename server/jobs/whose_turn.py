"""Whose turn it is among the photographs that wait: one order, and two ways to find who is the first in it.

While a game is played its players stand and wait, so theirs come first; after that, organisers and players take turns.
Then come those that were tried less often, then envelopes for which less was scanned just now, so that nobody waits for
another one's sixty pictures, then the oldest.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Integer, String, and_, bindparam, case, func, literal, literal_column, or_, select
from sqlalchemy.orm import aliased

from server.store.tables import Game, Photo
from server.store.times import Instant

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, ScalarSelect, Select

FAR = 1000
"""About so many of those that wait are looked at by `first_at_once`: to look at one in vain costs as much as to put one
in order by `first_of_all`."""

_PLAYED = ("printed", "open")
# States of a game in which players stand and wait.
_NEVER = literal(datetime(9999, 1, 1, tzinfo=UTC), Instant)
_SINCE = bindparam("since", type_=Instant)
# These stand in the statements as they are: SQLite takes an index of some rows only where it sees that they are meant.
_WAITING = literal_column("'waiting'", String)
_SCANNING = literal_column("'scanning'", String)
_DONE = literal_column("'done'", String)
_FAILED = literal_column("'failed'", String)
_PLAYER = literal_column("'player'", String)
_NONE = literal_column("0", Integer)


@cache
def first_at_once() -> Select[str, str, int | None, int, int]:
    """Return what finds a photograph that stands before all others by each part of the order, if there is one.

    Nearly always there is: a player's, of a game that is played, never tried, of an envelope of which nothing was
    scanned after `since`; the oldest of these. An index in their order lets it end with the first one found, however
    many wait. Where it finds none, `first_of_all` knows.
    """
    other = aliased(Photo)
    state = select(Game.state).where(Game.id == Photo.game).scalar_subquery()
    had = (other.game == Photo.game, other.envelope == Photo.envelope, other.source == _PLAYER, other.attempts > _NONE)
    # A look for each state: by that and the order it is one place in an index, however many of the envelope's are done.
    looks = (
        select(_NONE).where(*had, which).order_by(other.scanned).limit(1).scalar_subquery()
        for which in (
            (other.state == _DONE) & (other.scanned > _SINCE),
            (other.state == _FAILED) & (other.scanned > _SINCE),
            other.state == _SCANNING,
            other.state == _WAITING,
        )
    )
    no_turn = (look.is_(None) for look in looks)
    return (
        _untried(Photo)
        .where(Photo.created <= func.coalesce(_far(), _NEVER), state.in_(_PLAYED), *no_turn)
        .order_by(Photo.created, Photo.place, Photo.id)
        .limit(1)
    )


@cache
def first_of_all() -> Select[str, str, int | None, int, int]:
    """Return what finds the first one by the whole order. What was scanned after `since` was scanned lately.

    It looks at all that waits.
    """
    # What is tried again has been scanned too.
    lately = or_(_settled(Photo), Photo.state.in_(("scanning", "waiting")) & (Photo.attempts > 0))
    scans = func.sum(Photo.attempts).label("scans")
    of_source = select(Photo.game, Photo.source, scans).where(lately).group_by(Photo.game, Photo.source).subquery()
    of_envelope = (
        select(Photo.game, Photo.envelope, scans)
        .where(lately, Photo.source == "player")
        .group_by(Photo.game, Photo.envelope)
        .subquery()
    )
    first = (Photo.source == "player") & Game.state.in_(_PLAYED)
    return (
        _pictures(Photo)
        .join(Game, Game.id == Photo.game)
        .outerjoin(of_source, and_(of_source.c.game == Photo.game, of_source.c.source == Photo.source))
        .outerjoin(of_envelope, and_(of_envelope.c.game == Photo.game, of_envelope.c.envelope == Photo.envelope))
        .where(Photo.state == "waiting")
        .order_by(
            case((first, 0), else_=1),
            Photo.attempts,
            case((first, 0), else_=func.coalesce(of_source.c.scans, 0)),
            func.coalesce(of_envelope.c.scans, 0),
            Photo.created,
            Photo.place,
            Photo.id,
        )
        .limit(1)
    )


def _pictures(of: type[Photo]) -> Select[str, str, int | None, int, int]:
    """Select a photograph's id, game, envelope, and how many claims and scans of it there were."""
    return select(of.id, of.game, of.envelope, of.attempts, func.coalesce(of.begun, of.attempts))


def _untried(of: type[Photo]) -> Select[str, str, int | None, int, int]:
    """Select players' pictures that wait and were never tried."""
    return _pictures(of).where(of.state == _WAITING, of.source == _PLAYER, of.attempts == _NONE)


def _far() -> ScalarSelect[datetime]:
    """Return when the last of those came in that are looked at; none if there are fewer."""
    one = aliased(Photo)
    far = _untried(one).with_only_columns(one.created).order_by(one.created, one.place, one.id)
    return far.limit(1).offset(FAR).scalar_subquery()


def _settled(of: type[Photo]) -> ColumnElement[bool]:
    return of.state.in_(("done", "failed")) & (of.scanned > _SINCE)
