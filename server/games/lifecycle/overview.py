"""A game in facts, for its organisers: its settings, how far it is, what its state allows. No secret is in it."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.db.models import Card, Envelope, Game, PrintRun
from server.games.lifecycle.repository import close_if_due, edition_of_game
from server.games.lifecycle.settings import ACTS, notes_on
from server.games.lifecycle.states import ALLOWED, Act, State

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session

IN_SHORT = ("id", "name", "edition", "state", "players", "deadline", "timezone", "created")
_IN_FULL = (
    "language",
    "size",
    "settings",
    "active_rules",
    "confirmed",
    "mode",
    "tries",
    "pause",
    "keep_days",
    "keep_hours",
    "expect_dealt",
    "opened",
    "closed",
    "frozen",
    "published",
    "published_version",
)
_COUNTS = ("envelopes", "open", "joined", "claimed", "received")
_NOTHING = [0] * len(_COUNTS)
_OF_RUN = ("number", "first", "envelopes", "spare", "even", "spread", "tries", "join", "created")


def games_in_short(session: Session, at: datetime) -> list[dict[str, Any]]:
    """Return all games in a few words, the newest first."""
    rows = session.scalars(select(Game).order_by(Game.created.desc(), Game.id)).all()
    for row in rows:
        close_if_due(session, row, at)
    counts = {game: numbers for game, *numbers in session.execute(_counted(Envelope.game).group_by(Envelope.game))}
    return [in_short(row) | {"counts": _named(counts.get(row.id, _NOTHING))} for row in rows]


def in_short(row: Game) -> dict[str, Any]:
    """Return a game in a few words."""
    return {name: getattr(row, name) for name in IN_SHORT}


def in_full(session: Session, row: Game, at: datetime) -> dict[str, Any]:
    """Return all that organisers know of a game, at this time."""
    edition = edition_of_game(row)
    numbers = session.execute(_counted().where(Envelope.game == row.id)).one()
    return {
        **in_short(row),
        **{name: getattr(row, name) for name in _IN_FULL},
        "now": at,
        "languages": list(edition.languages),
        "title": edition.title,
        "counts": _named(numbers),
        "revision": revision_of(row),
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


def revision_of(row: Game) -> str:
    """Name a game's settings in a few letters: other ones as soon as any of them changes."""
    told = repr([getattr(row, name) for name in sorted(ACTS)])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _counted(*also: ColumnElement[Any] | InstrumentedAttribute[Any]) -> Select[Any]:
    """Return the query for how far envelopes are."""
    stages = (Envelope.opened, Envelope.joined, Envelope.submitted_at, Envelope.received)
    return select(*also, func.count(), *(func.count(stage) for stage in stages)).select_from(Envelope)


def _named(numbers: Iterable[int]) -> dict[str, int]:
    return dict(zip(_COUNTS, numbers, strict=True))


def reached(run: PrintRun) -> bool | None:
    """Tell whether a run's starting hands are as even as was wanted; None where nobody asked."""
    return None if run.even is None or run.spread is None else Fraction(run.spread) <= run.even
