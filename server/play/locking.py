"""Lets those who change a game take turns. Others, and other games, go on meanwhile.

Whoever changes anything of a game holds its row from the first look until the end of the transaction, so that what was
read is still true when something is written. Scanning does not hold it: it changes photographs alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.store.database import take_turn
from server.store.tables import Game

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_HELD = "held"
_MODE = {"key_share": True}
# Rows that only refer to the game can still be added: by who scans, and by who writes the audit.


def held_game(session: Session, game: str) -> Game | None:
    """Return a game's row, None if there is none. In a session that writes it is held, and as others have left it."""
    if not session.info.get("writes", True) or game in _held(session):
        return session.get(Game, game)
    session.flush()
    row = session.get(Game, game, with_for_update=_MODE, populate_existing=True)
    if row is not None:
        _held(session).add(game)
    return row


def hold(session: Session, game: Game) -> None:
    """Hold a game whose row was read without: it is read anew, as others have left it."""
    if game.id in _held(session):
        return
    session.flush()
    session.refresh(game, with_for_update=_MODE)
    _held(session).add(game.id)


def is_taken(session: Session, game: str) -> bool:
    """Tell whether a game of this id is here. Whoever else would make one of this id waits for this transaction."""
    take_turn(session, "game", game)
    return session.get(Game, game) is not None


def _held(session: Session) -> set[str]:
    held: set[str] = session.info.setdefault(_HELD, set())
    return held
