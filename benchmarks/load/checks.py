"""The invariants of a rush: responses of the server compared with its database."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from server.db.models import AuditEntry, Deck, Envelope, Photo, ProvisionalScore, ReviewDecision
from server.games.lifecycle.repository import load_game
from server.games.photos.scan_queue import PhotoState
from server.games.players.decks import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

    from benchmarks.load.plan import Promise, Record
    from server.games.context import AppContext

_SHOWN = 3


class Invariant(NamedTuple):
    """An invariant: its description, the number of checked things, and violations."""

    says: str
    over: int
    broken: list[str]


def invariants(context: AppContext, game: str, record: Record, players: int) -> list[Invariant]:
    """Check all invariants; return them with their violations."""
    with context.database.reading() as session:
        return [
            Invariant("no errors", len(record.calls), record.wrong),
            Invariant("every refusal names a time, and the next try is taken", *_retries(record)),
            Invariant("no stream broke", record.streams["opened"], _streams(record)),
            Invariant("every player has handed in", players, _missing(record.promises, players)),
            Invariant("every accepted picture is there once, and no other", *_pictures(session, game, record)),
            Invariant("every accepted picture was read", *_readings(session, game)),
            Invariant("every hand-in is there once, as its receipt says", *_hand_ins(session, game, record.promises)),
            Invariant("every deck is there once", *_decks(session, game, record.promises)),
            Invariant("every score was kept once", *_checks(session, game, record.promises)),
            Invariant("every decision of the organiser is there once", *_rulings(session, game, record)),
            Invariant("the game was closed at its deadline", 1, _deadline(session, game)),
        ]


def _retries(record: Record) -> tuple[int, list[str]]:
    over = sum(record.retried.values())
    return over, [f"{record.retried[what]} x {what}" for what in ("refused", "unnamed") if record.retried[what]]


def _streams(record: Record) -> list[str]:
    return [f"{record.streams[what]} x {what}" for what in ("broke", "cut") if record.streams[what]]


def _missing(promises: Iterable[Promise], players: int) -> list[str]:
    done = {one.envelope for one in promises if one.receipt}
    return [f"envelope {number}" for number in range(1, players + 1) if number not in done]


def _pictures(session: Session, game: str, record: Record) -> tuple[int, list[str]]:
    promised = Counter(photo for one in record.promises for photo in one.photos) + Counter(record.received)
    rows = session.execute(select(Photo.id, Photo.deck, Photo.batch, Photo.digest).where(Photo.game == game)).all()
    broken = [f"{number} x {photo}" for photo, number in promised.items() if number > 1]
    broken += _differences(set(promised), {row.id for row in rows})
    same = Counter((row.deck, row.batch, row.digest) for row in rows)
    return len(promised), broken + [f"one file {number} times" for number in same.values() if number > 1]


def _readings(session: Session, game: str) -> tuple[int, list[str]]:
    states = Counter(session.scalars(select(Photo.state).where(Photo.game == game)))
    return states.total(), [
        f"{number} are {state}" for state, number in sorted(states.items()) if state != PhotoState.DONE
    ]


def _hand_ins(session: Session, game: str, promises: Iterable[Promise]) -> tuple[int, list[str]]:
    row = load_game(session, game)
    seats = {
        seat.number: seat
        for seat in session.scalars(select(Envelope).where(Envelope.game == game, Envelope.submitted_at.is_not(None)))
    }
    noted = Counter(
        session.scalars(select(AuditEntry.subject).where(AuditEntry.game == game, AuditEntry.action == "hand-in"))
    )
    broken = _differences({str(one.envelope) for one in promises if one.receipt}, {str(number) for number in seats})
    broken += [f"{subject} handed in {number} times" for subject, number in noted.items() if number > 1]
    for one in promises:
        seat = seats.get(one.envelope)
        if seat is None or not one.receipt:
            continue
        at = datetime.fromisoformat(str(one.receipt["at"]))
        is_late = row.closed is not None and at >= row.closed
        stored = (seat.submitted_at, digest_of(seat.submitted_cards or ()), len(seat.submitted_cards or ()), is_late)
        if stored != (at, one.confirmed, one.cards, one.receipt["late"]) or one.receipt["digest"] != one.confirmed:
            broken.append(f"envelope {one.envelope}: the receipt says otherwise")
    return len(seats), broken


def _decks(session: Session, game: str, promises: Iterable[Promise]) -> tuple[int, list[str]]:
    promised = {one.deck for one in promises if one.deck}
    return len(promised), _differences(promised, set(session.scalars(select(Deck.id).where(Deck.game == game))))


def _checks(session: Session, game: str, promises: Iterable[Promise]) -> tuple[int, list[str]]:
    stored = Counter(session.scalars(select(ProvisionalScore.deck).where(ProvisionalScore.game == game)))
    promised = {one.deck for one in promises if one.checks}
    broken = _differences(promised, set(stored))
    return len(promised), broken + [f"deck {deck}: {number} times" for deck, number in stored.items() if number > 1]


def _rulings(session: Session, game: str, record: Record) -> tuple[int, list[str]]:
    promised = set(record.rulings)
    return len(promised), _differences(
        promised, set(session.scalars(select(ReviewDecision.item).where(ReviewDecision.game == game)))
    )


def _deadline(session: Session, game: str) -> list[str]:
    row = load_game(session, game)
    if row.state == "closed" and row.closed == row.deadline:
        return []
    return [f"it is {row.state}, closed {row.closed}, and its deadline was {row.deadline}"]


def _differences(promised: set[str], stored: set[str]) -> list[str]:
    """Return the first few ids that are only promised, and those that are only stored."""
    lost, strange = sorted(promised - stored), sorted(stored - promised)
    found = [f"lost: {', '.join(lost[:_SHOWN])} ({len(lost)})"] if lost else []
    return found + ([f"not promised: {', '.join(strange[:_SHOWN])} ({len(strange)})"] if strange else [])
