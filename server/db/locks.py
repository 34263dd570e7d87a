"""Locks of games. Readers and changes of other games do not wait.

A transaction that changes anything of a game locks it before its first query, so that the rows that it has read do not
change before it writes. Changes by organisers lock the game exclusively. Changes by players share the lock: they do not
change the game's own row, and each also locks the row of the player's envelope. Locks are granted in the order of
requests. Scanning takes no lock, since it changes only photographs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from server.db.models import Game
from server.db.session import advisory_lock, lock_changes_of_game

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_GAME = select(Game).where(Game.id == bindparam("game"))

# Keys in the `info` of a session: the rows that it has locked, by id. Without these references it would forget them.
_ALONE, _BESIDE = "locked exclusively", "locked beside others"


def lock_game(session: Session, game: str, *, beside: bool = False) -> Game | None:
    """Return a game's row, or None; a session that writes locks the game and reads the row again.

    The lock is exclusive, or with `beside` shared with others that do not change the game's own row. A session with a
    shared lock does not get an exclusive one: two of them would wait for each other.
    """
    if not session.info.get("writes", True):
        return session.get(Game, game)
    row = _locked(session, _ALONE).get(game) or _locked(session, _BESIDE).get(game)
    if row is not None and row in session:
        return row
    session.flush()
    # Advisory locks, unlike locks of rows, are granted in the order of requests and write nothing.
    lock_changes_of_game(session, game, beside=beside)
    row = session.scalar(_GAME, {"game": game}, execution_options={"populate_existing": True})
    if row is not None:
        _locked(session, _BESIDE if beside else _ALONE)[game] = row
    return row


def lock_game_row(session: Session, game: Game) -> None:
    """Lock a game exclusively whose row was read without a lock, and read the row again."""
    if game.id in _locked(session, _ALONE):
        return
    if game.id in _locked(session, _BESIDE):
        raise RuntimeError("a game that is locked beside others cannot be locked exclusively")
    session.flush()
    lock_changes_of_game(session, game.id)
    session.refresh(game)
    _locked(session, _ALONE)[game.id] = game


def may_change(session: Session, game: str) -> bool:
    """Return whether a session may change a game's own row: it writes and has locked the game exclusively."""
    return session.info.get("writes", True) and game in _locked(session, _ALONE)


def is_taken(session: Session, game: str) -> bool:
    """Return whether a game with this id exists. Others that check the same id wait until this transaction ends."""
    advisory_lock(session, "game", game)
    return session.get(Game, game) is not None


def _locked(session: Session, how: str) -> dict[str, Game]:
    locked: dict[str, Game] = session.info.setdefault(how, {})
    return locked
