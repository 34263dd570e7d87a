"""The deadline: a game is closed as of that moment, whenever that is noticed. What counts is `AppContext.time`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.orm.attributes import set_committed_value

from server.db.locks import lock_game, may_change
from server.db.models import Game
from server.games.audit import SERVER, audit, publish_event
from server.games.lifecycle.states import State

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.context import AppContext


def is_over(game: Game, at: datetime) -> bool:
    """Tell whether an open game's deadline has passed: exactly at the deadline it has."""
    return game.state == State.OPEN and game.deadline is not None and at >= game.deadline


def tick(session: Session, game: Game, at: datetime) -> bool:
    """Close a game whose deadline has passed, as of its deadline; tell whether it did.

    In a session that does not hold the game alone, the row tells what is true, and nothing is kept.
    """
    if not is_over(game, at):
        return False
    time = session.info.get("time")
    if time and not is_over(game, time(session)):
        # This machine's clock is fast.
        return False
    closed = game.deadline
    if not may_change(session, game.id):
        set_committed_value(game, "closed", closed)
        set_committed_value(game, "state", State.CLOSED.value)
        return True
    before = {"state": game.state}
    game.state, game.closed = State.CLOSED.value, closed
    audit(
        session,
        game.id,
        SERVER,
        closed or at,
        "close",
        reason="The deadline has passed.",
        before=before,
        after={"state": State.CLOSED.value},
    )
    publish_event(session, game.id, at, "game")
    return True


def is_late(game: Game, at: datetime) -> bool:
    """Tell whether something that comes in at this time comes after the game has closed."""
    return is_over(game, at) or (game.closed is not None and at >= game.closed)


def close_due(context: AppContext) -> list[str]:
    """Close every game whose deadline has passed; return their ids. To be called every second or so."""
    with context.database.reading() as session:
        over = Game.state == State.OPEN.value, Game.deadline <= context.time(session)
        due = session.scalars(select(Game.id).where(*over).order_by(Game.id)).all()
    closed = []
    for game in due:
        # Each by itself, so that nobody waits for all of them.
        with context.database.writing() as session:
            row = lock_game(session, game)
            if row is not None and tick(session, row, context.time(session)):
                closed.append(game)
    return closed
