"""Organisers' decisions on issues: taken, changed and revoked, each with a reason and an entry in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from server.db.models import Envelope, Game, Photo, ReviewDecision
from server.games.audit import audit
from server.games.errors import DomainError, not_found
from server.games.events import publish_event
from server.games.lifecycle.repository import lock_game
from server.games.lifecycle.states import ALLOWED, Act, State
from server.games.photos.scan_queue import PhotoSource
from server.games.review.card_ownership import manual_entry_choices
from server.games.review.envelope_status import LATE_CHOICES, PLAYERS_LIST
from server.games.review.evidence import load_evidence
from server.games.review.issue_keys import is_owner_key, manual_entry_key, parse_late_key, parse_manual_entry_key
from server.games.review.issues import (
    Decision,
    IssueKind,
    IssueStatus,
    PhotoPlace,
    ReviewIssue,
    decision_error,
)
from server.games.review.photo_ownership import photo_choices
from server.games.review.reconcile import reconcile_cached, reconcile_game

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.review.evidence import Evidence
    from server.games.review.issues import DecisionRecord
    from server.games.review.reconcile import Reconciliation

MAX_REASON = 1000


@dataclass(frozen=True)
class DecisionRequest:
    """A decision, its reason, and the revision of the issue that the organiser saw."""

    decision: Decision
    reason: str
    revision: str


@dataclass(frozen=True)
class DecisionOutcome:
    """An issue after a decision, None if it no longer exists, and the number of issues still open."""

    issue: ReviewIssue | None
    open: int
    entered: tuple[ReviewIssue, ...] = ()
    """The issues about the cards that the decision entered by hand."""


def decide(
    session: Session, game: Game, key: str, request: DecisionRequest, actor: Actor, at: datetime
) -> DecisionOutcome:
    """Decide an issue. That a player's list is right is stored as an entry by hand for each card that differs.

    Raises DomainError `changed` for another revision, `wrong-decision` for an impossible decision, `no-reason`, and
    `conflict` if the opposite was entered for a card of the list before.
    """
    _lock(session, game)
    evidence = load_evidence(session, game)
    before = reconcile_cached(evidence)
    issue = find_issue(evidence, before, key)
    _check_revision(issue, request.revision)
    if error := decision_error(request.decision, issue.choices, evidence.envelopes, evidence.dealt):
        raise DomainError("wrong-decision", error, {"choices": [choice.do for choice in issue.choices]})
    row, reason = _row(session, game, key), _checked_reason(request.reason)
    old = {"decision": None if row is None else _audit_value(row)}
    entries = _list_entries(issue) if request.decision.do == PLAYERS_LIST.do else {}
    for entry, decision in entries.items():
        _check_not_opposite(evidence.decisions.get(entry), decision)
    for item, decision in (entries or {key: request.decision}).items():
        row = _row(session, game, item)
        if row is None:
            row = ReviewDecision(game=game.id, item=item)
            session.add(row)
        row.decision, row.reason = decision.as_json(), reason
        row.who, row.at = actor.name, at
    new = {"decision": {**request.decision.as_json(), "reason": reason, "who": actor.name}}
    evidence, after = _record(session, game, before, actor, at, "settle", key, reason=reason, old=old, new=new)
    entered = tuple(find_issue(evidence, after, entry) for entry in entries)
    return DecisionOutcome(_find_issue(evidence, after, key), len(after.open_issues), entered)


def _list_entries(issue: ReviewIssue) -> dict[str, Decision]:
    """Return the entries by hand, by key, that make a player's list count."""
    (envelope,) = issue.envelopes
    return {manual_entry_key(card, envelope): Decision("add") for card in issue.missing} | {
        manual_entry_key(card, envelope): Decision("remove") for card in issue.extra
    }


def _check_not_opposite(record: DecisionRecord | None, decision: Decision) -> None:
    """Raise DomainError `conflict` if the opposite of an entry by hand was entered before."""
    if record is not None and record.decision.do != decision.do:
        raise DomainError(
            "conflict", f"{record.who} entered the opposite before ({record.reason}). Take that back first."
        )


def revoke(
    session: Session, game: Game, key: str, reason: str, revision: str | None, actor: Actor, at: datetime
) -> DecisionOutcome:
    """Revoke a decision.

    `revision` is ignored for decisions without effect: they have no issue that could have changed.
    """
    _lock(session, game)
    row = _row(session, game, key)
    if row is None:
        raise not_found("decision")
    evidence = load_evidence(session, game)
    before = reconcile_cached(evidence)
    if key not in before.without_effect:
        _check_revision(find_issue(evidence, before, key), revision or "")
    old = {"decision": _audit_value(row)}
    session.delete(row)
    new = {"decision": None}
    evidence, after = _record(session, game, before, actor, at, "take-back", key, reason=reason, old=old, new=new)
    return DecisionOutcome(_find_issue(evidence, after, key), len(after.open_issues))


def delete_photo(session: Session, game: Game, photo: str, reason: str, actor: Actor, at: datetime) -> None:
    """Delete an organiser's photograph and its reading. The caller deletes the file afterwards."""
    lock_game(session, game, Act.RECEIVE)
    row = session.get(Photo, photo)
    if row is None or row.game != game.id or row.source != PhotoSource.ORGANISER:
        raise not_found("picture")
    before = reconcile_game(session, game)
    deleted = {"name": row.name, "batch": row.batch, "place": row.place, "state": row.state, "digest": row.digest}
    session.delete(row)
    _record(session, game, before, actor, at, "delete-photo", f"photo {photo}", reason=reason, old=deleted, new={})
    publish_event(session, game.id, at, "photos")


def _lock(session: Session, game: Game) -> None:
    """Lock the game, so that decisions are taken one after the other, and check that its state allows decisions."""
    lock_game(session, game, Act.CORRECT if State(game.state) in ALLOWED[Act.CORRECT] else Act.SETTLE)


def _row(session: Session, game: Game, key: str) -> ReviewDecision | None:
    return session.scalar(select(ReviewDecision).where(ReviewDecision.game == game.id, ReviewDecision.item == key))


def _audit_value(row: ReviewDecision) -> dict[str, Any]:
    return {**row.decision, "reason": row.reason, "who": row.who}


def _checked_reason(reason: str) -> str:
    text = " ".join(reason.split())[:MAX_REASON]
    if not text:
        raise DomainError("no-reason", "Say why: a few words are enough, and they are kept in the record.")
    return text


def _check_revision(issue: ReviewIssue, revision: str) -> None:
    if revision != issue.revision:
        raise DomainError(
            "changed",
            "This has changed since you looked: another organiser or a new picture was faster. Look again.",
            {"revision": issue.revision},
        )


def _record(
    session: Session,
    game: Game,
    before: Reconciliation,
    actor: Actor,
    at: datetime,
    action: str,
    subject: str,
    *,
    reason: str,
    old: dict[str, Any],
    new: dict[str, Any],
) -> tuple[Evidence, Reconciliation]:
    """Audit a change with its effect on the hands, and announce it; return the evidence and reconciliation after it."""
    evidence = load_evidence(session, game)
    after = reconcile_cached(evidence)
    changed = [number for number in after.hands if _hand(before, number) != _hand(after, number)]
    old, new = (
        {**values, "hands": {str(number): _hand(whole, number) for number in changed}}
        for values, whole in ((old, before), (new, after))
    )
    reason = _checked_reason(reason)
    audit(session, actor, action, game=game.id, at=at, subject=subject, reason=reason, before=old, after=new)
    _update_envelopes(session, game, after)
    publish_event(session, game.id, at, "queue")
    return evidence, after


def _hand(reconciliation: Reconciliation, number: int) -> dict[str, Any] | None:
    hand = reconciliation.hands.get(number)
    return None if hand is None else {"cards": list(hand.cards), "left_out": hand.exclusion or None}


def _update_envelopes(session: Session, game: Game, reconciliation: Reconciliation) -> None:
    """Copy what other parts of the program need into the rows of the envelopes."""
    late = {issue.envelopes[0]: issue for issue in reconciliation.issues if issue.kind is IssueKind.LATE}
    for row in session.scalars(select(Envelope).where(Envelope.game == game.id).order_by(Envelope.number)):
        hand = reconciliation.hands.get(row.number)
        if hand is None:
            continue
        issue = late.get(row.number)
        decision = issue.record.decision.do if issue is not None and issue.record is not None else ""
        lateness = {"accept": "accepted", "refuse": "refused"}.get(decision)
        if row.lateness != lateness:
            row.lateness = lateness
        if row.received != hand.received:
            row.received = hand.received


def find_issue(evidence: Evidence, reconciliation: Reconciliation, key: str) -> ReviewIssue:
    """Return an issue by its key; raises DomainError `not-found`.

    Organisers may also decide where nothing is doubtful: on the owner of any photograph (`picture:…`), on a card in an
    envelope (`hand:CARD:ENVELOPE`), and on a late hand (`late:ENVELOPE`).
    """
    issue = _find_issue(evidence, reconciliation, key)
    if issue is None:
        raise not_found("item in the queue")
    return issue


def _find_issue(evidence: Evidence, reconciliation: Reconciliation, key: str) -> ReviewIssue | None:
    for issue in reconciliation.issues:
        if issue.key == key:
            return issue
    if is_owner_key(key):
        return _photo_issue(evidence, key)
    if entry := parse_manual_entry_key(key):
        return _card_issue(evidence, reconciliation, key, *entry)
    number = parse_late_key(key)
    return None if number is None else _late_issue(evidence, reconciliation, key, number)


def _photo_issue(evidence: Evidence, key: str) -> ReviewIssue | None:
    """Return the issue about the owner of a photograph that its label names."""
    for photo in evidence.photos:
        if photo.key == key and photo.reading is not None:
            labels = tuple(label for label in photo.reading.labels if label in evidence.envelopes)
            return ReviewIssue(
                key,
                IssueKind.ASSIGNED,
                "Its label says whose this picture is.",
                photo_choices(photo, evidence.envelopes),
                IssueStatus.SETTLED,
                envelopes=labels,
                places=(PhotoPlace(photo.id, None),),
                settled="Its label says it.",
                settled_by="label",
            )
    return None


def _card_issue(
    evidence: Evidence, reconciliation: Reconciliation, key: str, card: str, number: int
) -> ReviewIssue | None:
    """Return the issue about adding a card to an envelope, or removing it."""
    if card not in evidence.dealt or number not in evidence.envelopes:
        return None
    hand = reconciliation.hands[number]
    is_present = card in hand.cards or any(
        issue.kind is IssueKind.TWO_DECKS and card in issue.cards and number in issue.envelopes
        for issue in reconciliation.issues
    )
    return ReviewIssue(
        key,
        IssueKind.BY_HAND,
        f"Envelope {number} {'has' if is_present else 'does not have'} {card}.",
        manual_entry_choices(is_present=is_present),
        IssueStatus.SETTLED,
        envelopes=(number,),
        cards=(card,),
        places=hand.places.get(card, ()),
        settled="Nobody has entered this card by hand.",
        case="there" if is_present else "not-there",
        settled_by="nobody",
    )


def _late_issue(evidence: Evidence, reconciliation: Reconciliation, key: str, number: int) -> ReviewIssue | None:
    """Return the issue about a hand that counts as in time."""
    if number not in evidence.envelopes or not reconciliation.hands[number].counts:
        return None
    return ReviewIssue(
        key,
        IssueKind.LATE,
        f"Envelope {number} was handed in on time.",
        LATE_CHOICES,
        IssueStatus.SETTLED,
        envelopes=(number,),
        settled="It came before the end.",
        settled_by="in-time",
    )


def enter_card(
    session: Session, game: Game, card: str, envelope: int, *, do: str, reason: str, actor: Actor, at: datetime
) -> DecisionOutcome:
    """Add a card to an envelope or remove it: `do` is `add` or `remove`.

    Repeating an entry changes nothing. Raises DomainError `conflict` if the opposite was entered before.
    """
    key = manual_entry_key(card, envelope)
    evidence = load_evidence(session, game)
    reconciliation = reconcile_cached(evidence)
    issue = find_issue(evidence, reconciliation, key)
    if issue.record is not None and issue.record.decision.do == do:
        return DecisionOutcome(issue, len(reconciliation.open_issues))
    _check_not_opposite(issue.record, Decision(do))
    return decide(session, game, key, DecisionRequest(Decision(do), reason, issue.revision), actor, at)
