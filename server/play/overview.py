"""A game in facts, for its organisers: its settings, how far it is, what its state allows. No secret is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.play.deadline import tick
from server.play.house import edition_of
from server.play.runs import reached
from server.play.settings import notes_on
from server.play.states import ALLOWED, Act, State
from server.store.tables import Card, Envelope, Game, PrintRun

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

IN_SHORT = ("id", "name", "edition", "state", "players", "deadline", "timezone", "created")
_IN_FULL = (
    "language",
    "settings",
    "active_rules",
    "confirmed",
    "mode",
    "tries",
    "pause",
    "keep_days",
    "keep_hours",
    "opened",
    "closed",
    "frozen",
    "published",
    "published_version",
)
_OF_RUN = ("number", "first", "envelopes", "spare", "even", "spread", "tries", "join", "created")


def games_in_short(session: Session, at: datetime) -> list[dict[str, Any]]:
    """Return all games in a few words, the newest first."""
    rows = session.scalars(select(Game).order_by(Game.created.desc(), Game.id)).all()
    for row in rows:
        tick(session, row, at)
    return [in_short(row) for row in rows]


def in_short(row: Game) -> dict[str, Any]:
    """Return a game in a few words."""
    return {name: getattr(row, name) for name in IN_SHORT}


def in_full(session: Session, row: Game, at: datetime) -> dict[str, Any]:
    """Return all that organisers know of a game, at this time."""
    edition = edition_of(row)
    counted = select(
        func.count(),
        func.count(Envelope.opened),
        func.count(Envelope.joined),
        func.count(Envelope.claimed),
        func.count(Envelope.received),
    ).where(Envelope.game == row.id)
    numbers = session.execute(counted).one()
    return {
        **in_short(row),
        **{name: getattr(row, name) for name in _IN_FULL},
        "now": at,
        "languages": list(edition.languages),
        "title": edition.title,
        "counts": dict(zip(("envelopes", "open", "joined", "claimed", "received"), numbers, strict=True)),
        "allowed": [act.name.lower() for act in Act if State(row.state) in ALLOWED[act]],
        "notes": notes_on(row),
    }


def runs_in_full(session: Session, game: Game) -> list[dict[str, Any]]:
    """Return a game's print runs, the first one first."""
    runs = session.scalars(select(PrintRun).where(PrintRun.game == game.id).order_by(PrintRun.number)).all()
    return [run_in_full(session, game, run) for run in runs]


def run_in_full(session: Session, game: Game, run: PrintRun) -> dict[str, Any]:
    """Return a print run, with how many cards it has and how even its hands are."""
    cards = session.scalar(select(func.count()).where(Card.game == game.id, Card.run == run.number)) or 0
    return {**{name: getattr(run, name) for name in _OF_RUN}, "cards": cards, "reached": reached(run)}
