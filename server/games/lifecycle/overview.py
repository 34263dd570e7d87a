"""A game for organisers: its settings, its progress, and what its state allows. Contains no secrets."""

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

_SUMMARY = ("id", "name", "edition", "state", "players", "deadline", "closed", "timezone", "created")
_DETAILS = (
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
    "frozen",
    "published",
    "published_version",
)
_COUNTS = ("envelopes", "open", "joined", "claimed", "received")
_NOTHING = [0] * len(_COUNTS)
_OF_RUN = ("number", "first", "envelopes", "spare", "even", "spread", "tries", "join", "created")


def games_overview(session: Session, at: datetime) -> list[dict[str, Any]]:
    """Return the summaries of all games, the newest first."""
    rows = session.scalars(select(Game).order_by(Game.created.desc(), Game.id)).all()
    for row in rows:
        close_if_due(session, row, at)
    counts = {game: numbers for game, *numbers in session.execute(_counted(Envelope.game).group_by(Envelope.game))}
    return [game_summary(row) | {"counts": _named(counts.get(row.id, _NOTHING))} for row in rows]


def game_summary(row: Game) -> dict[str, Any]:
    """Return the summary of a game."""
    return {name: getattr(row, name) for name in _SUMMARY}


def game_overview(session: Session, row: Game, at: datetime) -> dict[str, Any]:
    """Return everything that organisers see of a game."""
    edition = edition_of_game(row)
    numbers = session.execute(_counted().where(Envelope.game == row.id)).one()
    return {
        **game_summary(row),
        **{name: getattr(row, name) for name in _DETAILS},
        "now": at,
        "languages": list(edition.languages),
        "title": edition.title,
        "counts": _named(numbers),
        "revision": revision_of(row),
        "allowed": [act.name.lower() for act in Act if State(row.state) in ALLOWED[act]],
        "notes": notes_on(row),
    }


def print_runs_overview(session: Session, game: Game) -> list[dict[str, Any]]:
    """Return a game's print runs, the first one first."""
    runs = session.scalars(select(PrintRun).where(PrintRun.game == game.id).order_by(PrintRun.number)).all()
    return [print_run_overview(session, game, run) for run in runs]


def print_run_overview(session: Session, game: Game, run: PrintRun) -> dict[str, Any]:
    """Return a print run with its number of cards, and whether its hands are as even as wanted."""
    cards = session.scalar(select(func.count()).where(Card.game == game.id, Card.run == run.number)) or 0
    return {**{name: getattr(run, name) for name in _OF_RUN}, "cards": cards, "reached": is_spread_reached(run)}


def revision_of(row: Game) -> str:
    """Return a digest of a game's settings, for detecting concurrent changes."""
    values = repr([getattr(row, name) for name in sorted(ACTS)])
    return hashlib.sha256(values.encode()).hexdigest()[:16]


def _counted(*also: ColumnElement[Any] | InstrumentedAttribute[Any]) -> Select[Any]:
    """Return the query that counts envelopes by their progress."""
    stages = (Envelope.opened, Envelope.joined, Envelope.submitted_at, Envelope.received)
    return select(*also, func.count(), *(func.count(stage) for stage in stages)).select_from(Envelope)


def _named(numbers: Iterable[int]) -> dict[str, int]:
    return dict(zip(_COUNTS, numbers, strict=True))


def is_spread_reached(run: PrintRun) -> bool | None:
    """Return whether a run's starting hands are as even as wanted; None if that was not asked for."""
    return None if run.even is None or run.spread is None else Fraction(run.spread) <= run.even
