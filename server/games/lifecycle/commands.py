"""Creates and deletes games, and changes their state."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final

from sqlalchemy import select

from cardgen.cards import SIZES
from cardgen.payload import new_game_id, new_key
from server.db.models import Game, Photo
from server.editions import load_edition
from server.games.audit import audit
from server.games.errors import DomainError
from server.games.events import publish_event
from server.games.lifecycle.envelopes import open_all
from server.games.lifecycle.repository import game_exists, load_game, lock_game
from server.games.lifecycle.settings import KNOWN, check_settings, check_size
from server.games.lifecycle.states import NEXT, Act, State
from server.games.uploaded_editions import resolved_edition
from server.scoring.errors import EditionError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.context import AppContext
    from server.scoring.edition import Edition


DEFAULT_SIZE: Final = "poker"


@dataclass(frozen=True)
class GameDraft:
    """The settings of a new game, with defaults. `pause` is in seconds; None means the edition's own value, or none."""

    name: str
    edition: str
    players: int
    language: str | None = None
    settings: Mapping[str, int] = field(default_factory=dict)
    active_rules: Sequence[str] | None = None
    confirmed: Sequence[str] = ()
    deadline: datetime | None = None
    timezone: str = "UTC"
    mode: str = KNOWN
    tries: int = 3
    pause: int = 20 * 60
    keep_days: int = 30
    keep_hours: int = 24
    expect_dealt: bool = False
    size: str = DEFAULT_SIZE


def create_game(session: Session, draft: GameDraft, actor: Actor, at: datetime) -> Game:
    """Create a game with a new id, key and seed. Raises DomainError `wrong-setting`."""
    name, files = resolved_edition(session, draft.edition)
    try:
        edition = load_edition(name, draft.language)
    except EditionError as error:
        raise DomainError("wrong-setting", f"{error}.", {"why": "edition"}) from None
    game = game_row(draft, edition, at)
    game.edition_files = files
    game.id, game.key, game.seed = _free_id(session), new_key(), secrets.token_hex(16)
    check_settings(game, at)
    session.add(game)
    session.flush()
    audit(session, actor, "create", game=game.id, at=at, after={"edition": game.edition, "players": game.players})
    publish_event(session, game.id, at, "game")
    return game


def game_row(draft: GameDraft, edition: Edition, at: datetime) -> Game:
    """Return the row of a new game, which still needs an id, a key and a seed."""
    defaults = {setting.name: setting.default for setting in edition.settings}
    return Game(
        name=draft.name,
        state=State.DRAFT.value,
        edition=edition.slug,
        language=edition.language,
        settings=defaults | dict(draft.settings),
        active_rules=None if draft.active_rules is None else list(draft.active_rules),
        confirmed=list(draft.confirmed),
        players=draft.players,
        deadline=draft.deadline,
        timezone=draft.timezone,
        mode=draft.mode,
        tries=draft.tries,
        pause=draft.pause,
        keep_days=draft.keep_days,
        keep_hours=draft.keep_hours,
        expect_dealt=draft.expect_dealt,
        kinds=[kind.slug for kind in edition.kinds],
        geometry=asdict(SIZES[check_size(draft.size)]),
        created=at,
    )


def change_state(session: Session, game: Game, act: Act, actor: Actor, at: datetime, reason: str = "") -> None:
    """Change a game's state. Raises DomainError `wrong-state`, or `deadline-passed` if it would close at once.

    Opening a game opens all its envelopes but the spare ones.
    """
    lock_game(session, game, act)
    before = {"state": game.state}
    if act in {Act.OPEN, Act.REOPEN}:
        if game.deadline is not None and at >= game.deadline:
            raise DomainError("deadline-passed", "The deadline has passed: set a later one, or none, before opening.")
        game.opened, game.closed = game.opened or at, None
        if act is Act.OPEN:
            open_all(session, game, at)
    elif act is Act.CLOSE:
        game.closed = at
    elif act is Act.FREEZE:
        game.frozen = at
    elif act is Act.THAW:
        game.frozen = None
    elif act is Act.PUBLISH:
        game.published = at
    elif act is Act.UNPUBLISH:
        game.published = None
    game.state = NEXT[act].value
    action, after = act.name.lower(), {"state": game.state}
    audit(session, actor, action, game=game.id, at=at, reason=reason, before=before, after=after)
    publish_event(session, game.id, at, "game")


def delete_game(context: AppContext, game: str, actor: Actor, reason: str = "") -> None:
    """Delete a game with its photographs. Raises DomainError `not-found` or `wrong-state`."""
    with context.database.writing() as session:
        row = load_game(session, game, Act.DELETE)
        # In the same order as those who write scan results: first the photographs, then the game.
        photos = session.scalars(
            select(Photo.id).where(Photo.game == row.id).order_by(Photo.id).with_for_update()
        ).all()
        at, subject, before = context.clock(), f"game {row.id}", {"name": row.name}
        audit(session, actor, "delete", game=None, at=at, subject=subject, reason=reason, before=before)
        session.delete(row)
    context.print_runner.delete_of_game(row.id)
    # Files that cannot be deleted now are swept later.
    with contextlib.suppress(OSError):
        context.photos.delete(row.id, *photos)


def _free_id(session: Session) -> str:
    """Return a new game id that is not in use."""
    while game_exists(session, found := new_game_id()):
        pass
    return found
