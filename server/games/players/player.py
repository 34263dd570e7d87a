"""A player's own place in a game: who the player is, and what the player may know of the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.db.models import Envelope, Game
from server.games.audit import audit, publish_event
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State, allow
from server.games.names import name_for

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.tokens import PlayerIdentity

# The final count names hands, so a player's name stands still once the game is closed.
_NAMES_UNTIL = (State.PRINTED, State.OPEN)


def load_player(session: Session, seat: PlayerIdentity, *, change: bool = False) -> tuple[Game, Envelope]:
    """Return a player's game and envelope, as they are now; to `change` something, in a session that writes.

    Then all others who would change the envelope wait until the transaction ends; players of other envelopes do not.
    """
    game = load_game(session, seat.game, beside=True)
    # Rows that only refer to the envelope can still be added.
    lock = {"key_share": True} if change and session.info.get("writes", True) else None
    envelope = session.get(Envelope, (seat.game, seat.envelope), populate_existing=change, with_for_update=lock)
    if envelope is None:
        raise not_found("envelope")
    return game, envelope


def load_active_player(
    session: Session, seat: PlayerIdentity, act: Act, *, change: bool = False
) -> tuple[Game, Envelope]:
    """Return a player's game and envelope if the game allows the act and the envelope was given out."""
    game, envelope = load_player(session, seat, change=change)
    allow(game, act)
    if envelope.opened is None:
        raise _sealed()
    return game, envelope


def change_me(
    session: Session,
    seat: PlayerIdentity,
    actor: Actor,
    at: datetime,
    *,
    name: str | None = None,
    hidden: bool | None = None,
) -> tuple[Game, Envelope]:
    """Let a player choose a name, and whether the public ranking shows it; None leaves what there is."""
    # Alone, since a name is one player's in the whole game.
    load_game(session, seat.game)
    game, envelope = load_player(session, seat, change=True)
    allow(game, Act.JOIN)
    if name is not None and envelope.opened is None:
        raise _sealed()
    before = {"name": envelope.name, "hidden": envelope.hidden}
    if name is not None and (name := name_for(session, game.id, envelope.number, name)) != envelope.name:
        if game.state not in _NAMES_UNTIL:
            raise DomainError(
                "wrong-state", "The game is closed, so names stay as they are. Ask an organiser if yours is wrong."
            )
        envelope.name = name
    if hidden is not None:
        envelope.hidden = hidden
    after = {"name": envelope.name, "hidden": envelope.hidden}
    joins = join(envelope, at)
    if joins or before != after:
        action = "join" if joins else "rename"
        audit(session, game.id, actor, at, action, f"envelope {envelope.number}", before=before, after=after)
        publish_event(session, game.id, at, "envelopes", envelope.number)
    return game, envelope


def join(envelope: Envelope, at: datetime) -> bool:
    """Mark that a player has come; tell whether this is the first time."""
    if envelope.joined is not None:
        return False
    envelope.joined = at
    return True


def _sealed() -> DomainError:
    return DomainError("sealed", "Your envelope has not been given out yet. Ask an organiser to open it for you.")
