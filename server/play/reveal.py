"""What the big screen shows: the clock, how many have handed in, and after publication who won and why."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, or_, select

from server.scoring.wording import decimal
from server.store.tables import Envelope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from server.play.standings import Standing

_MOST = 3
"""Lines that are named for each place."""


def hand_ins(session: Session, game: str) -> int:
    """Return how many envelopes have been handed in, by phone or on the table."""
    handed = or_(Envelope.claimed.is_not(None), Envelope.received.is_not(None))
    return session.scalar(select(func.count()).where(Envelope.game == game, handed)) or 0


def open_envelopes(session: Session, game: str) -> int:
    """Return how many envelopes are in play."""
    return session.scalar(select(func.count()).where(Envelope.game == game, Envelope.opened.is_not(None))) or 0


def steps(standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """Return the reveal, from the last place up: each place with the lines that put it above the one before.

    Somebody without a name has no lines either: they could tell who it is.
    """
    shown = []
    below: Standing | None = None
    for standing in reversed(standings):
        shown.append(
            {
                "rank": standing.rank,
                "player": standing.player,
                "score": standing.score,
                "eliminated": standing.eliminated,
                "decided_by": standing.decided_by,
                "lines": [] if standing.player is None else _difference(standing, below),
            }
        )
        below = standing
    return shown


def _difference(standing: Standing, below: Standing | None) -> list[dict[str, Any]]:
    """Return the rules that brought most more than to the place below, each with points, difference and sentences."""
    mine, theirs = _sums(standing), _sums(below) if below else {}
    gains = {key: points - theirs.get(key, Fraction(0)) for key, points in mine.items()}
    best = sorted((key for key in gains if gains[key] > 0), key=lambda key: (-gains[key], key or ""))[:_MOST]
    return [
        {
            "rule": key,
            "points": decimal(mine[key]),
            "more": decimal(gains[key]),
            "text": " ".join(line["text"] for line in standing.lines if line["rule"] == key and not line["void"]),
        }
        for key in best
    ]


def _sums(standing: Standing) -> dict[str | None, Fraction]:
    sums: dict[str | None, Fraction] = {}
    for line in standing.lines:
        if not line["void"]:
            sums[line["rule"]] = sums.get(line["rule"], Fraction(0)) + Fraction(line["points"])
    return sums
