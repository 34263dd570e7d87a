"""Makes games and changes their settings and states."""

from __future__ import annotations

import secrets
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from cardgen.cards import POKER
from cardgen.payload import new_game_id, new_key
from server.editions import EditionError, load_edition
from server.play.record import changed, record
from server.play.refusals import Refusal
from server.play.states import NEXT, Act, State, allow
from server.scoring import Scorer, ScoringError
from server.store.tables import Game

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.house import Actor

MODES = ("off", "inventory", "known", "total", "full")
"""What a provisional score may tell."""


@dataclass(frozen=True)
class Draft:
    """A game as an organiser wants it. `pause` is in seconds; what is None is the edition's own or not set."""

    name: str
    edition: str
    players: int
    language: str | None = None
    settings: Mapping[str, int] = field(default_factory=dict)
    active_rules: Sequence[str] | None = None
    deadline: datetime | None = None
    timezone: str = "UTC"
    mode: str = "known"
    tries: int = 3
    pause: int = 20 * 60
    keep_days: int = 30
    keep_hours: int = 24


def create_game(session: Session, draft: Draft, actor: Actor, at: datetime) -> Game:
    """Make a game with a fresh id, key and seed; Refusal for what its edition does not know."""
    try:
        edition = load_edition(draft.edition, draft.language)
        scorer = Scorer(edition, draft.settings, draft.active_rules)
    except (EditionError, ScoringError) as error:
        raise Refusal("wrong-setting", str(error)) from None
    if draft.mode not in MODES:
        raise Refusal("wrong-setting", f"The mode is one of {', '.join(MODES)}.")
    try:
        ZoneInfo(draft.timezone)
    except (KeyError, ValueError, OSError):
        raise Refusal("wrong-setting", "The time zone is named as in Europe/Berlin or UTC.") from None
    game = Game(
        id=_free_id(session),
        name=draft.name,
        state=State.DRAFT,
        edition=edition.slug,
        language=edition.language,
        settings=dict(scorer.settings),
        active_rules=None if draft.active_rules is None else [rule.key for rule in scorer.active],
        confirmed=[],
        players=draft.players,
        deadline=draft.deadline,
        timezone=draft.timezone,
        mode=draft.mode,
        tries=draft.tries,
        pause=draft.pause,
        keep_days=draft.keep_days,
        keep_hours=draft.keep_hours,
        key=new_key(),
        seed=secrets.token_hex(16),
        kinds=[kind.slug for kind in edition.kinds],
        geometry=asdict(POKER),
        created=at,
    )
    session.add(game)
    session.flush()
    record(session, game.id, actor, at, "create", after={"edition": game.edition, "players": game.players})
    changed(session, game.id, at, "game")
    return game


def move(session: Session, game: Game, act: Act, actor: Actor, at: datetime, reason: str = "") -> None:
    """Lead a game to its next state; Refusal `wrong-state`."""
    allow(game, act)
    before = game.state
    game.state = NEXT[act]
    if act in {Act.OPEN, Act.REOPEN}:
        game.opened, game.closed = game.opened or at, None
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
    record(
        session,
        game.id,
        actor,
        at,
        act.name.lower(),
        reason=reason,
        before={"state": before},
        after={"state": game.state},
    )
    changed(session, game.id, at, "game")


def _free_id(session: Session) -> str:
    """Return a game id that is not taken."""
    while session.get(Game, found := new_game_id()):
        pass
    return found
