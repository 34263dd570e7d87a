"""Loads games as they are now, and locks those that change.

A transaction that changes anything of a game locks the game from its first look until it ends, so that what was read is
still true when something is written. Organisers' changes lock it exclusively. Players' changes share the lock: they
leave the game's own row as it is, and each locks the row of its envelope. Scanning needs no lock, since it changes only
photographs.

A game closes at its deadline, whenever that is noticed: each loaded game is closed if its deadline has passed. The time
that counts is `Database.time`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select
from sqlalchemy.orm.attributes import set_committed_value

from cardgen.cards import Geometry, PrintedGame
from cardgen.payload import GAME_LENGTH
from server.db.models import Envelope, Game
from server.db.session import advisory_lock, lock_changes_of_game
from server.editions import load_edition
from server.editions.registry import is_uploaded
from server.editions.uploads import has_copy, install_copy
from server.games.audit import SERVER, audit
from server.games.errors import DomainError, not_found
from server.games.events import publish_event
from server.games.lifecycle.states import ALLOWED, Act, State
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.context import AppContext
    from server.scoring.edition import Edition

_GAME = select(Game).where(Game.id == bindparam("game"))

# Keys of `Session.info`: the locked games by id. The rows are kept, since a session forgets rows without a reference.
_EXCLUSIVE, _SHARED = "locked exclusively", "locked with others"


@dataclass(frozen=True)
class PlayerIdentity:
    """The game and the envelope that a player's token names."""

    game: str
    envelope: int


def load_game(session: Session, game: str, act: Act | None = None, *, shared: bool = False) -> Game:
    """Return a game by its id. Raises DomainError `not-found`, or `wrong-state` if its state does not allow the act.

    A writing session locks the game until its transaction ends: exclusively, or `shared` with others that leave the
    game's own row as it is.
    """
    valid = len(game) == GAME_LENGTH and game.isascii() and game.isalnum()
    row = _locked(session, game.upper(), shared=shared) if valid else None
    if row is None:
        raise not_found("game")
    install_edition(row)
    close_if_due(session, row, session.info["database"].clock())
    if act:
        check_allowed(row, act)
    return row


def check_allowed(game: Game, act: Act) -> None:
    """Raise DomainError `wrong-state` unless the game's state allows the act."""
    if State(game.state) not in ALLOWED[act]:
        states = [state.value for state in State if state in ALLOWED[act]]
        wanted = " or ".join(filter(None, (", ".join(states[:-1]), states[-1])))
        raise DomainError(
            "wrong-state",
            f"To {act.value}, the game must be {wanted}; it is {game.state}.",
            {"state": game.state, "allowed_in": states},
        )


def load_player(session: Session, player: PlayerIdentity, *, change: bool = False) -> tuple[Game, Envelope]:
    """Return a player's game and envelope. Raises DomainError `not-found`.

    To `change` something, a writing session also locks the envelope, which does not hold up players of other envelopes.
    """
    game = load_game(session, player.game, shared=True)
    # Others may still add rows that refer to the envelope.
    lock = {"key_share": True} if change and session.info["writes"] else None
    envelope = session.get(Envelope, (player.game, player.envelope), populate_existing=change, with_for_update=lock)
    if envelope is None:
        raise not_found("envelope")
    return game, envelope


def load_active_player(
    session: Session, player: PlayerIdentity, act: Act, *, change: bool = False
) -> tuple[Game, Envelope]:
    """Return a player's game and envelope if the game allows the act. Raises DomainError, also `sealed`."""
    game, envelope = load_player(session, player, change=change)
    check_allowed(game, act)
    if envelope.opened is None:
        raise sealed()
    return game, envelope


def sealed() -> DomainError:
    """Return the error for a player whose envelope is not open."""
    return DomainError("sealed", "Your envelope has not been given out yet. Ask an organiser to open it for you.")


def lock_game(session: Session, game: Game, act: Act | None = None) -> None:
    """Lock a game exclusively that was loaded without, and refresh it.

    Raises DomainError `wrong-state` if its state does not allow the act.
    """
    if game.id not in _locks(session, _EXCLUSIVE):
        if game.id in _locks(session, _SHARED):
            raise RuntimeError("a shared lock of a game cannot become exclusive")
        session.flush()
        lock_changes_of_game(session, game.id)
        session.refresh(game)
        _locks(session, _EXCLUSIVE)[game.id] = game
    if act:
        check_allowed(game, act)


def game_exists(session: Session, game: str) -> bool:
    """Return whether an id is in use. Others that would create a game of this id wait until the transaction ends."""
    advisory_lock(session, "game", game)
    return session.get(Game, game) is not None


def close_if_due(session: Session, game: Game, at: datetime) -> bool:
    """Close a game whose deadline has passed, as of its deadline; return whether it did.

    Without an exclusive lock only the loaded object is closed, and nothing is written.
    """
    if not _is_due(game, at):
        return False
    if not _is_due(game, session.info["database"].time(session)):
        # This machine's clock is fast.
        return False
    closed = game.deadline
    if not session.info["writes"] or game.id not in _locks(session, _EXCLUSIVE):
        set_committed_value(game, "closed", closed)
        set_committed_value(game, "state", State.CLOSED.value)
        return True
    before, after = {"state": game.state}, {"state": State.CLOSED.value}
    game.state, game.closed = State.CLOSED.value, closed
    reason = "The deadline has passed."
    audit(session, SERVER, "close", game=game.id, at=closed or at, reason=reason, before=before, after=after)
    publish_event(session, game.id, at, "game")
    return True


def close_due_games(context: AppContext) -> list[str]:
    """Close every game whose deadline has passed; return their ids. A periodic task."""
    with context.database.reading() as session:
        over = Game.state == State.OPEN.value, Game.deadline <= context.time(session)
        due = session.scalars(select(Game.id).where(*over).order_by(Game.id)).all()
    closed = []
    for game in due:
        # One transaction for each, so that none waits for all of them.
        with context.database.writing() as session:
            row = _locked(session, game)
            if row is not None and close_if_due(session, row, context.time(session)):
                closed.append(game)
    return closed


def is_late(game: Game, at: datetime) -> bool:
    """Return whether something sent at this time is too late."""
    return _is_due(game, at) or (game.closed is not None and at >= game.closed)


def install_edition(game: Game) -> None:
    """Make a game's own copy of its edition ready for `load_edition`, if it has one."""
    # Reading the files takes time.
    if is_uploaded(game.edition) and not has_copy(game.edition) and game.edition_files:
        install_copy(game.edition, game.edition_files)


def edition_of_game(game: Game, language: str | None = None) -> Edition:
    """Return a game's edition, in the game's language or another."""
    install_edition(game)
    return load_edition(game.edition, language or game.language)


def unusable_editions(context: AppContext) -> list[tuple[str, str]]:
    """Return the ids of games whose edition is missing or invalid, each with the reason."""
    found = []
    with context.database.reading() as session:
        for game in session.scalars(select(Game).order_by(Game.id)):
            try:
                edition_of_game(game)
            except EditionError as error:
                found.append((game.id, str(error)))
    return found


def printed_game_of(game: Game) -> PrintedGame:
    """Return a game as the printer and the scanner need it. It contains the key."""
    return PrintedGame(
        game=game.id,
        edition=game.edition,
        key=game.key,
        kinds=tuple(game.kinds),
        players=game.players,
        seed=game.seed,
        settings=dict(game.settings),
        geometry=Geometry(**game.geometry),
    )


def _locked(session: Session, game: str, *, shared: bool = False) -> Game | None:
    """Return a game's row, locked and refreshed in a writing session; None if it does not exist."""
    if not session.info["writes"]:
        return session.get(Game, game)
    row = _locks(session, _EXCLUSIVE).get(game) or _locks(session, _SHARED).get(game)
    if row is not None and row in session:
        return row
    session.flush()
    # An advisory lock, since a row lock writes to the row and is not granted in order.
    lock_changes_of_game(session, game, shared=shared)
    row = session.scalar(_GAME, {"game": game}, execution_options={"populate_existing": True})
    if row is not None:
        _locks(session, _SHARED if shared else _EXCLUSIVE)[game] = row
    return row


def _locks(session: Session, kind: str) -> dict[str, Game]:
    locks: dict[str, Game] = session.info.setdefault(kind, {})
    return locks


def _is_due(game: Game, at: datetime) -> bool:
    return game.state == State.OPEN and game.deadline is not None and at >= game.deadline
