"""Whose turn it is among the photographs that wait: one order, and a way to find the first without putting it in order.

While a game is played its players stand and wait, so theirs come first; after that, organisers and players take turns.
Then come those that were tried less often, then envelopes for which less was scanned just now, so that nobody waits for
another one's sixty pictures, then the oldest.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import (
    Integer,
    String,
    and_,
    bindparam,
    case,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
    union_all,
)

from server.store.tables import Game, Photo, table_of
from server.store.times import Instant

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, CompoundSelect, FromClause, ScalarSelect, Select

FAR = 1000
"""About so many of those that wait are looked at by `first_at_once`: to look at one in vain costs as much as to put one
in order by `first_of_all`."""

_GAMES, _PHOTOS = table_of(Game), table_of(Photo)
_PLAYED = ("printed", "open")
# States of a game in which players stand and wait.
_NEVER = literal(datetime(9999, 1, 1, tzinfo=UTC), Instant)
_SINCE = bindparam("since", type_=Instant)
# These stand in the statements as they are: SQLite takes an index of some rows only where it sees that they are meant.
# Of a value it cannot know that beforehand, and would prepare the whole statement anew each time.
_WAITING = literal_column("'waiting'", String)
_SCANNING = literal_column("'scanning'", String)
_DONE = literal_column("'done'", String)
_FAILED = literal_column("'failed'", String)
_PLAYER = literal_column("'player'", String)
_ORGANISER = literal_column("'organiser'", String)
_NONE = literal_column("0", Integer)


@cache
def first_at_once() -> CompoundSelect[str, str, int | None, int, int]:
    """Return what finds a photograph that stands before all others by each part of the order, if there is one.

    Nearly always there is: a player's, of a game that is played, never tried, of an envelope of which nothing was
    scanned after `since`; or where none of a player waits, an organiser's of the one game of which any do, never
    tried. The oldest of these. An index in their order lets it end with the first one found, however many wait. Where
    it finds none, `first_of_all` knows.
    """
    return union_all(*(select(one.subquery()) for one in (_first_of_players(), _first_of_organisers())))


def _first_of_players() -> Select[str, str, int | None, int, int]:
    here, other = _PHOTOS.c, _PHOTOS.alias()
    state = select(_GAMES.c.state).where(_GAMES.c.id == here.game).scalar_subquery()
    had = (
        other.c.game == here.game,
        other.c.envelope == here.envelope,
        other.c.source == _PLAYER,
        other.c.attempts > _NONE,
    )
    # A look for each state: by that and the order it is one place in an index, however many of the envelope's are done.
    looks = (
        select(_NONE).where(*had, which).order_by(other.c.scanned).limit(1).scalar_subquery()
        for which in (
            (other.c.state == _DONE) & (other.c.scanned > _SINCE),
            (other.c.state == _FAILED) & (other.c.scanned > _SINCE),
            other.c.state == _SCANNING,
            other.c.state == _WAITING,
        )
    )
    no_turn = (look.is_(None) for look in looks)
    # Not as a list of values, which is put into the statement anew each time.
    played = or_(*(state == literal_column(f"'{one}'", String) for one in _PLAYED))
    return (
        _untried(_PHOTOS, _PLAYER)
        .where(here.created <= func.coalesce(_far(), _NEVER), played, *no_turn)
        .order_by(here.created, here.place, here.id)
        .limit(1)
    )


def _first_of_organisers() -> Select[str, str, int | None, int, int]:
    one, other = _PHOTOS.alias(), _PHOTOS.alias()
    oldest = _untried(one, _ORGANISER).order_by(one.c.created, one.c.place, one.c.id).limit(1).subquery()
    # With this SQLite takes the index that has all games, and not that of waiting ones, which knows none. PostgreSQL
    # sees through it, as it has to: by what is common and what is rare it knows which index is quick.
    waits = other.c.state == _WAITING.concat(literal_column("''", String))
    untold = waits & other.c.scanned.is_(None)
    others = (
        (waits & other.c.scanned.is_not(None), other.c.scanned),
        (untold & (other.c.game < oldest.c.game), other.c.game),
        (untold & (other.c.game > oldest.c.game), other.c.game),
    )
    of_player = exists().where(other.c.state == _WAITING, other.c.source == _PLAYER)
    # Each is one place in an index in its order. Asked whether there are any, PostgreSQL would read the whole table.
    looks = (select(_NONE).where(which).order_by(first).limit(1).scalar_subquery() for which, first in others)
    alone = (look.is_(None) for look in looks)
    return select(oldest).where(oldest.c.envelope.is_(None), ~of_player, *alone)


@cache
def first_of_all(*, but: bool = False) -> Select[str, str, int | None, int, int]:
    """Return what finds the first one by the whole order. What was scanned after `since` was scanned lately.

    It looks at all that waits; with `but` at all whose ids are not among those.
    """
    # What is tried again has been scanned too.
    here = _PHOTOS.c
    settled = here.state.in_(("done", "failed")) & (here.scanned > _SINCE)
    lately = or_(settled, here.state.in_(("scanning", "waiting")) & (here.attempts > 0))
    scans = func.sum(here.attempts).label("scans")
    of_source = select(here.game, here.source, scans).where(lately).group_by(here.game, here.source).subquery()
    of_envelope = (
        select(here.game, here.envelope, scans)
        .where(lately, here.source == "player")
        .group_by(here.game, here.envelope)
        .subquery()
    )
    first = (here.source == "player") & _GAMES.c.state.in_(_PLAYED)
    return (
        _pictures(_PHOTOS)
        .join(_GAMES, _GAMES.c.id == here.game)
        .outerjoin(of_source, and_(of_source.c.game == here.game, of_source.c.source == here.source))
        .outerjoin(of_envelope, and_(of_envelope.c.game == here.game, of_envelope.c.envelope == here.envelope))
        .where(here.state == "waiting", *([here.id.not_in(bindparam("but", expanding=True))] if but else []))
        .order_by(
            case((first, 0), else_=1),
            here.attempts,
            case((first, 0), else_=func.coalesce(of_source.c.scans, 0)),
            func.coalesce(of_envelope.c.scans, 0),
            here.created,
            here.place,
            here.id,
        )
        .limit(1)
    )


def _pictures(of: FromClause) -> Select[str, str, int | None, int, int]:
    """Select a photograph's id, game, envelope, and how many claims and scans of it there were."""
    begun = func.coalesce(of.c.begun, of.c.attempts).label("begun")
    return select(of.c.id, of.c.game, of.c.envelope, of.c.attempts, begun)


def _untried(of: FromClause, source: ColumnElement[str]) -> Select[str, str, int | None, int, int]:
    """Select pictures of players, or of organisers, that wait and were never tried."""
    return _pictures(of).where(of.c.state == _WAITING, of.c.source == source, of.c.attempts == _NONE)


def _far() -> ScalarSelect[datetime]:
    """Return when the last of those came in that are looked at; none if there are fewer."""
    one = _PHOTOS.alias()
    far = _untried(one, _PLAYER).with_only_columns(one.c.created).order_by(one.c.created, one.c.place, one.c.id)
    return far.limit(1).offset(FAR).scalar_subquery()
