"""Lets those who change a game take turns. Others, and other games, go on meanwhile.

Whoever changes anything of a game has a turn from the first look until the end of the transaction, so that what was
read is still true when something is written. There are two kinds. An organiser's change has the game alone. Players
have it beside each other: what they read of the game stays as it is, and each holds the row of the own envelope, all
that they change. Whoever wants the game alone waits for those who have it, and those who come later wait behind.
Scanning has no turn: it changes photographs alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select

from server.db.models import Game
from server.db.session import advisory_lock, lock_changes_of_game

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_GAME = select(Game).where(Game.id == bindparam("game"))

# What a session holds: rows by id. They are kept here since a session forgets a row to which nobody refers.
_ALONE, _BESIDE = "held alone", "held beside others"


def lock_game(session: Session, game: str, *, beside: bool = False) -> Game | None:
    """Return a game's row, None if there is none. In a session that writes it is held, and as others have left it.

    Alone, or `beside` others who do not change the game's own row. Who has it beside others never gets it alone in the
    same session: two of them would wait for each other.
    """
    if not session.info.get("writes", True):
        return session.get(Game, game)
    row = _held(session, _ALONE).get(game) or _held(session, _BESIDE).get(game)
    if row is not None and row in session:
        return row
    session.flush()
    # An advisory lock, not the row's: it is given in the order in which it was asked for, and writes nothing.
    lock_changes_of_game(session, game, beside=beside)
    row = session.scalar(_GAME, {"game": game}, execution_options={"populate_existing": True})
    if row is not None:
        _held(session, _BESIDE if beside else _ALONE)[game] = row
    return row


def lock_game_row(session: Session, game: Game) -> None:
    """Hold a game alone whose row was read without: it is read anew, as others have left it."""
    if game.id in _held(session, _ALONE):
        return
    if game.id in _held(session, _BESIDE):
        raise RuntimeError("a game that is held beside others cannot be held alone")
    session.flush()
    lock_changes_of_game(session, game.id)
    session.refresh(game)
    _held(session, _ALONE)[game.id] = game


def may_change(session: Session, game: str) -> bool:
    """Tell whether a game's own row may be changed in this session: it writes, and holds the game alone."""
    return session.info.get("writes", True) and game in _held(session, _ALONE)


def is_taken(session: Session, game: str) -> bool:
    """Tell whether a game of this id is here. Whoever else would make one of this id waits for this transaction."""
    advisory_lock(session, "game", game)
    return session.get(Game, game) is not None


def _held(session: Session, how: str) -> dict[str, Game]:
    held: dict[str, Game] = session.info.setdefault(how, {})
    return held
