"""Envelopes: opened with the game or later, sealed again if nobody plays with them, and named by their players.

Only the cards of open envelopes are valid. Spare envelopes stay sealed when the game opens.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update

from cardgen.cards import CardId
from cardgen.payload import join_link
from server.db.models import AuditEntry, Card, Deck, Envelope, Photo, PrintRun
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.events import publish_event
from server.games.lifecycle.repository import check_allowed, load_game, load_player, sealed
from server.games.lifecycle.states import Act, State
from server.games.names import name_for
from server.printing.game_file import MAX_LABEL
from server.scoring.request_schema import MAX_ADJUSTMENTS
from server.scoring.request_validation import check_reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.db.models import Game
    from server.games.audit import Actor
    from server.games.lifecycle.repository import PlayerIdentity


# Actions in the audit log. `given_out` goes by these words and the number at the end of the subject, so both must stay.
_GIVE_OUT, _SEAL = "give-out", "seal-envelope"

MAX_COUNTED = 1000
"""The highest number of cards that can be entered as counted by hand."""


@dataclass(frozen=True)
class CardSeen:
    """Cards of an envelope that were seen in photographs of another one; `envelope` is None for the organisers'."""

    envelope: int | None
    cards: tuple[str, ...]


def record_change(
    session: Session,
    row: Envelope,
    actor: Actor,
    at: datetime,
    action: str,
    reason: str = "",
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Audit and announce a change of an envelope."""
    subject = f"envelope {row.number}"
    audit(session, actor, action, game=row.game, at=at, subject=subject, reason=reason, before=before, after=after)
    publish_event(session, row.game, at, "envelopes", row.number)


def envelope_row(session: Session, game: Game, number: int) -> Envelope:
    """Return an envelope of a game. Raises DomainError `not-found`."""
    row = session.get(Envelope, (game.id, number)) if number <= MAX_LABEL else None
    if row is None:
        raise not_found("envelope")
    return row


def envelope_rows(session: Session, game: Game) -> list[tuple[Envelope, int, int]]:
    """Return all envelopes, each with the number of its print run and of its cards that are not lost."""
    counted = session.execute(
        select(Card.envelope, func.count()).where(Card.game == game.id, Card.lost.is_(None)).group_by(Card.envelope)
    )
    cards = {envelope: count for envelope, count in counted}  # noqa: C416 - rows are not pairs to the checker
    numbered = session.execute(select(PrintRun.id, PrintRun.number).where(PrintRun.game == game.id))
    runs = {run: number for run, number in numbered}  # noqa: C416 - as above
    rows = session.scalars(select(Envelope).where(Envelope.game == game.id).order_by(Envelope.number))
    return [(row, runs[row.run], cards.get(row.number, 0)) for row in rows]


def open_all(session: Session, game: Game, at: datetime) -> None:
    """Open all envelopes but the spare ones."""
    session.execute(
        update(Envelope)
        .where(Envelope.game == game.id, Envelope.spare.is_(False), Envelope.opened.is_(None))
        .values(opened=at)
    )
    publish_event(session, game.id, at, "envelopes")


def open_envelope(session: Session, game: Game, number: int, actor: Actor, at: datetime, reason: str = "") -> Envelope:
    """Open an envelope for a player who comes late. Before the game opens, mark it as not spare."""
    check_allowed(game, Act.OPEN_ENVELOPE)
    row = envelope_row(session, game, number)
    before = _state_of(row)
    if game.state == State.OPEN:
        row.opened = row.opened or at
    else:
        row.spare = False
    if _state_of(row) != before:
        record_change(session, row, actor, at, "open-envelope", reason, before=before, after=_state_of(row))
    return row


def give_out(session: Session, game: Game, number: int, actor: Actor, at: datetime, reason: str = "") -> None:
    """Record that an envelope was given to somebody at the door, whether or not it is open."""
    check_allowed(game, Act.OPEN_ENVELOPE)
    record_change(session, envelope_row(session, game, number), actor, at, _GIVE_OUT, reason)


def given_out(session: Session, game: Game) -> dict[int, datetime]:
    """Return when each envelope was last given out at the door, without those that were sealed again."""
    acts = session.execute(
        select(AuditEntry.subject, AuditEntry.action, AuditEntry.at)
        .where(AuditEntry.game == game.id, AuditEntry.action.in_((_GIVE_OUT, _SEAL)))
        .order_by(AuditEntry.id)
    )
    last = {subject: (action, at) for subject, action, at in acts}
    return {int(subject.split()[-1]): at for subject, (action, at) in last.items() if action == _GIVE_OUT}


def seal_envelope(
    session: Session, game: Game, number: int, actor: Actor, at: datetime, reason: str = "", *, insist: bool = False
) -> Envelope:
    """Seal an envelope, so that its cards are not valid. Before the game opens, mark it as spare.

    Raises DomainError `handed-in` if it was handed in, and `cards-seen` if any of its cards was seen in a photograph.
    With `insist` it is sealed anyway; the cards that are seen become doubts in the review queue.
    """
    check_allowed(game, Act.SEAL_ENVELOPE)
    row = envelope_row(session, game, number)
    before = _state_of(row)
    if row.submitted_at is not None or row.received is not None:
        raise DomainError("handed-in", f"Envelope {number} has been handed in, so it cannot be sealed.")
    if game.state == State.PRINTED:
        row.spare = True
    elif row.opened is not None:
        seen = sightings(session, game, number)
        if seen and not insist:
            cards = len({card for sighting in seen for card in sighting.cards})
            raise DomainError(
                "cards-seen",
                f"Cards of envelope {number} have been seen in pictures ({cards} of them), so somebody is playing with "
                "them. Leave it open, or seal it anyway and settle these cards in the queue.",
                {"seen": [{"envelope": one.envelope, "cards": list(one.cards)} for one in seen]},
            )
        row.opened = None
    if _state_of(row) != before:
        record_change(session, row, actor, at, _SEAL, reason, before=before, after=_state_of(row))
    return row


def sightings(session: Session, game: Game, number: int) -> list[CardSeen]:
    """Return where cards of an envelope have been seen, in photographs and in lists that players confirmed."""
    rows = session.execute(select(Card.kind, Card.copy).where(Card.game == game.id, Card.envelope == number))
    mine = {CardId(kind, copy).name for kind, copy in rows}
    found: dict[int | None, set[str]] = {}
    photos = session.execute(
        select(Photo.envelope, Photo.scan_result).where(Photo.game == game.id, Photo.scan_result.is_not(None))
    )
    for envelope, reading in photos:
        _add_seen(found, envelope, mine, (seen.get("card") for seen in (reading or {}).get("seen", ())))
    for envelope, cards in session.execute(select(Deck.envelope, Deck.cards).where(Deck.game == game.id)):
        _add_seen(found, envelope, mine, cards or ())
    return [CardSeen(envelope, tuple(sorted(found[envelope]))) for envelope in sorted(found, key=lambda e: e or 0)]


def rename_envelope(
    session: Session, game: Game, number: int, name: str | None, actor: Actor, at: datetime, reason: str = ""
) -> Envelope:
    """Set or remove the name of an envelope's player. In a counted game that is a correction and needs a reason."""
    check_allowed(game, Act.EDIT_NAMES)
    if game.state in {State.FROZEN, State.PUBLISHED} and not reason.strip():
        raise DomainError("no-reason", "The game has been counted: say why the name is being corrected.")
    row = envelope_row(session, game, number)
    before = {"name": row.name}
    row.name = None if name is None else name_for(session, game.id, number, name)
    if row.name != before["name"]:
        record_change(session, row, actor, at, "rename", reason, before=before, after={"name": row.name})
    return row


def change_player(
    session: Session,
    player: PlayerIdentity,
    actor: Actor,
    at: datetime,
    *,
    name: str | None = None,
    hidden: bool | None = None,
) -> tuple[Game, Envelope]:
    """Let players choose a name, and whether the public ranking shows it; None leaves it as it is."""
    # Exclusively, since no two players of a game may have the same name.
    load_game(session, player.game)
    game, row = load_player(session, player, change=True)
    check_allowed(game, Act.JOIN)
    # Before the game opens, envelopes that open with it already have players.
    if name is not None and row.opened is None and (row.spare or game.state != State.PRINTED):
        raise sealed()
    before = {"name": row.name, "hidden": row.hidden}
    if name is not None and (name := name_for(session, game.id, row.number, name)) != row.name:
        # The final count names hands.
        if game.state not in {State.PRINTED, State.OPEN}:
            raise DomainError(
                "wrong-state", "The game is closed, so names stay as they are. Ask an organiser if yours is wrong."
            )
        row.name = name
    if hidden is not None:
        row.hidden = hidden
    after = {"name": row.name, "hidden": row.hidden}
    joins = mark_joined(row, at)
    if joins or before != after:
        record_change(session, row, actor, at, "join" if joins else "rename", before=before, after=after)
    return game, row


def mark_joined(row: Envelope, at: datetime) -> bool:
    """Record that a player has joined; return whether it is for the first time."""
    if row.joined is not None:
        return False
    row.joined = at
    return True


def count_cards(
    session: Session, game: Game, number: int, counted: int | None, actor: Actor, at: datetime, reason: str = ""
) -> Envelope:
    """Record how many cards an organiser counted in an envelope; None removes the number."""
    check_allowed(game, Act.RECEIVE)
    row = envelope_row(session, game, number)
    if row.counted != counted:
        before, row.counted = {"counted": row.counted}, counted
        record_change(session, row, actor, at, "count-cards", reason, before=before, after={"counted": counted})
        publish_event(session, game.id, at, "queue")
    return row


def give_points(
    session: Session, game: Game, number: int, points: int, reason: str, actor: Actor, at: datetime
) -> Envelope:
    """Give the hand of an envelope points in the next count, or take them if negative. The reason is shown to players.

    Raises DomainError `wrong-points` for 0 points, and for a reason that is empty or cannot be printed.
    """
    check_allowed(game, Act.ADJUST)
    row = envelope_row(session, game, number)
    reason = " ".join(reason.split())
    given = row.adjustments or []
    for mistake in check_reason("", reason):
        raise DomainError("wrong-points", f"The reason {mistake.message}.")
    if not points or len(given) >= MAX_ADJUSTMENTS:
        sentence = "Give or take at least one point." if not points else f"There are {MAX_ADJUSTMENTS} entries already."
        raise DomainError("wrong-points", sentence)
    entry = {"id": secrets.token_hex(4), "points": points, "reason": reason}
    return _adjusted(session, row, [*given, entry], actor, at, reason)


def withdraw_points(session: Session, game: Game, number: int, adjustment: str, actor: Actor, at: datetime) -> Envelope:
    """Withdraw points that organisers have given or taken. Raises DomainError `not-found`."""
    check_allowed(game, Act.ADJUST)
    row = envelope_row(session, game, number)
    left = [entry for entry in row.adjustments or () if entry["id"] != adjustment]
    if len(left) == len(row.adjustments or ()):
        raise not_found("entry with points")
    return _adjusted(session, row, left, actor, at)


def _adjusted(
    session: Session, row: Envelope, entries: list[dict[str, Any]], actor: Actor, at: datetime, reason: str = ""
) -> Envelope:
    def summary(adjustments: Iterable[Mapping[str, Any]]) -> dict[str, object]:
        return {"adjustments": [f"{entry['points']:+} {entry['reason']}" for entry in adjustments]}

    before, row.adjustments = summary(row.adjustments or ()), entries
    record_change(session, row, actor, at, "adjust", reason, before=before, after=summary(entries))
    return row


def revoke_link(session: Session, game: Game, number: int, actor: Actor, at: datetime, reason: str = "") -> Envelope:
    """Revoke the links on an envelope's labels printed so far. A label printed from now on has a new one."""
    check_allowed(game, Act.REVOKE)
    row = envelope_row(session, game, number)
    row.token_version += 1
    record_change(session, row, actor, at, "revoke-link", reason)
    return row


def link_of(session: Session, game: Game, row: Envelope) -> str | None:
    """Return the link for an envelope's label, None if its print run has no address."""
    server_url = session.scalar(select(PrintRun.join).where(PrintRun.id == row.run))
    return None if server_url is None else join_link(server_url, game.id, game.key, row.number, row.token_version)


def _add_seen(
    found: dict[int | None, set[str]], envelope: int | None, mine: set[str], cards: Iterable[str | None]
) -> None:
    seen = {card for card in cards if card in mine}
    if seen:
        found.setdefault(envelope, set()).update(card for card in seen if card)


def _state_of(row: Envelope) -> dict[str, object]:
    return {"spare": row.spare, "opened": None if row.opened is None else row.opened.isoformat()}
