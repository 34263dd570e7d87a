"""Organisers' decisions on items of the queue: taken, changed and taken back, each with a reason and a trace."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from cardgen.cards import CardId
from cardgen.payload import card_of_short_code, short_code
from server.db.locks import lock_game_row
from server.db.models import Card, Envelope, Game, Photo, ReviewDecision
from server.games.audit import audit, publish_event
from server.games.errors import DomainError, not_found
from server.games.lifecycle.repository import printed_game_of
from server.games.lifecycle.states import ALLOWED, Act, State, allow
from server.games.review.card_ownership import hand_choices, hand_key
from server.games.review.envelope_status import LATE_CHOICES
from server.games.review.evidence import ORGANISER, load_evidence, reconciliation_of
from server.games.review.issues import (
    Decision,
    IssueKind,
    IssueStatus,
    PhotoPlace,
    ReviewIssue,
    envelope_in,
    mistake_in,
)
from server.games.review.photo_ownership import picture_choices

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.games.audit import Actor
    from server.games.review.reconcile import Evidence, Reconciliation


LONGEST_REASON = 1000


def find_item(world: Evidence, whole: Reconciliation, key: str) -> ReviewIssue:
    """Return an item of the queue, or what may be decided without one; Refusal `not-found`.

    Without an item may be decided whose any picture is (`picture:…`), that a card lies in an envelope or does not
    (`hand:CARD:ENVELOPE`), and that a hand is late (`late:ENVELOPE`).
    """
    item = _found(world, whole, key)
    if item is None:
        raise not_found("item in the queue")
    return item


def _found(world: Evidence, whole: Reconciliation, key: str) -> ReviewIssue | None:
    for item in whole.items:
        if item.key == key:
            return item
    kind, _, rest = key.partition(":")
    return {"picture": _any_picture, "hand": _any_card, "late": _any_hand}.get(kind, _none)(world, whole, key, rest)


@dataclass(frozen=True)
class DecisionRequest:
    """What an organiser decides, why, and the revision of the item as the organiser saw it."""

    decision: Decision
    reason: str
    revision: str


@dataclass(frozen=True)
class DecisionOutcome:
    """An item as it is after a decision, None if it is no more, and how many items are still open."""

    item: ReviewIssue | None
    open: int


def decide(
    session: Session, game: Game, key: str, said: DecisionRequest, actor: Actor, at: datetime
) -> DecisionOutcome:
    """Decide an item.

    Refusal `changed` if it is another by now, `wrong-decision` for what cannot be decided, `no-reason`.
    """
    _may(session, game)
    world = load_evidence(session, game)
    before = reconciliation_of(world)
    item = find_item(world, before, key)
    _check_revision(item, said.revision)
    if mistake := mistake_in(said.decision, item.choices, world.seats, world.dealt):
        raise DomainError("wrong-decision", mistake, {"choices": [choice.do for choice in item.choices]})
    row = _row(session, game, key)
    old = _told(row)
    if row is None:
        row = ReviewDecision(game=game.id, item=key)
        session.add(row)
    row.decision, row.reason, row.who, row.at = said.decision.as_json(), _reason(said.reason), actor.name, at
    session.flush()
    return _done(session, game, before, key, actor, at, ("settle", said.reason, old, _told(row)))


def revoke(
    session: Session, game: Game, key: str, reason: str, revision: str | None, actor: Actor, at: datetime
) -> DecisionOutcome:
    """Take a decision back.

    `revision` is not looked at for decisions without effect: there is no item that could have changed.
    """
    _may(session, game)
    row = _row(session, game, key)
    if row is None:
        raise not_found("decision")
    world = load_evidence(session, game)
    before = reconciliation_of(world)
    if key not in before.without_effect:
        _check_revision(find_item(world, before, key), revision or "")
    old = _told(row)
    session.delete(row)
    session.flush()
    return _done(session, game, before, key, actor, at, ("take-back", reason, old, None))


def delete_photo(session: Session, game: Game, photo: str, reason: str, actor: Actor, at: datetime) -> None:
    """Delete an organiser's photograph with all that was read in it. Its file is deleted by the caller, afterwards."""
    lock_game_row(session, game)
    allow(game, Act.RECEIVE)
    row = session.get(Photo, photo)
    if row is None or row.game != game.id or row.source != ORGANISER:
        raise not_found("picture")
    before = reconciliation_of(load_evidence(session, game))
    told = {"name": row.name, "batch": row.batch, "place": row.place, "state": row.state, "digest": row.digest}
    session.delete(row)
    session.flush()
    after = reconciliation_of(load_evidence(session, game))
    moved = _moved(before, after)
    audit(
        session,
        game.id,
        actor,
        at,
        "delete-photo",
        f"photo {photo}",
        reason=_reason(reason),
        before={**told, "hands": moved["before"]},
        after={"hands": moved["after"]},
    )
    _note(session, game, after)
    publish_event(session, game.id, at, "photos")
    publish_event(session, game.id, at, "queue")


def _may(session: Session, game: Game) -> None:
    """Let one organiser decide after the other, while the game is closed or open, and in corrections."""
    lock_game_row(session, game)
    allow(game, Act.CORRECT if State(game.state) in ALLOWED[Act.CORRECT] else Act.SETTLE)


def _row(session: Session, game: Game, key: str) -> ReviewDecision | None:
    return session.scalar(select(ReviewDecision).where(ReviewDecision.game == game.id, ReviewDecision.item == key))


def _told(row: ReviewDecision | None) -> dict[str, Any] | None:
    return None if row is None else {**row.decision, "reason": row.reason, "who": row.who}


def _reason(reason: str) -> str:
    text = " ".join(reason.split())[:LONGEST_REASON]
    if not text:
        raise DomainError("no-reason", "Say why: a few words are enough, and they stand in the record.")
    return text


def _check_revision(item: ReviewIssue, revision: str) -> None:
    if revision != item.revision:
        raise DomainError(
            "changed",
            "This has changed since you looked: another organiser, or a new picture, was faster. Look again.",
            {"revision": item.revision},
        )


def _done(
    session: Session,
    game: Game,
    before: Reconciliation,
    key: str,
    actor: Actor,
    at: datetime,
    told: tuple[str, str, dict[str, Any] | None, dict[str, Any] | None],
) -> DecisionOutcome:
    """Write down what was decided and what it does to the hands."""
    action, reason, old, new = told
    world = load_evidence(session, game)
    after = reconciliation_of(world)
    moved = _moved(before, after)
    audit(
        session,
        game.id,
        actor,
        at,
        action,
        key,
        reason=_reason(reason),
        before={"decision": old, "hands": moved["before"]},
        after={"decision": new, "hands": moved["after"]},
    )
    _note(session, game, after)
    publish_event(session, game.id, at, "queue")
    return DecisionOutcome(_found(world, after, key), len(after.open))


def _moved(before: Reconciliation, after: Reconciliation) -> dict[str, dict[str, Any]]:
    """Return the hands that are no longer the same, as they were and as they are."""
    other = [number for number in after.hands if _hand(before, number) != _hand(after, number)]
    return {
        "before": {str(number): _hand(before, number) for number in other},
        "after": {str(number): _hand(after, number) for number in other},
    }


def _hand(whole: Reconciliation, number: int) -> dict[str, Any] | None:
    hand = whole.hands.get(number)
    return None if hand is None else {"cards": list(hand.cards), "left_out": hand.why or None}


def _note(session: Session, game: Game, whole: Reconciliation) -> None:
    """Keep what others read in the envelopes' rows."""
    late = {item.envelopes[0]: item for item in whole.items if item.kind is IssueKind.LATE}
    for row in session.scalars(select(Envelope).where(Envelope.game == game.id).order_by(Envelope.number)):
        hand = whole.hands.get(row.number)
        if hand is None:
            continue
        item = late.get(row.number)
        decision = item.ruling.decision.do if item is not None and item.ruling is not None else None
        lateness = {"accept": "accepted", "refuse": "refused"}.get(decision or "")
        if row.lateness != lateness:
            row.lateness = lateness
        if row.received != hand.received:
            row.received = hand.received


def _any_picture(world: Evidence, _whole: Reconciliation, key: str, _rest: str) -> ReviewIssue | None:
    for picture in world.pictures:
        if picture.key == key and picture.reading is not None:
            labels = tuple(label for label in picture.reading.labels if label in world.seats)
            return ReviewIssue(
                key,
                IssueKind.ASSIGNED,
                "Its label says whose this picture is.",
                picture_choices(picture, world.seats),
                IssueStatus.SETTLED,
                envelopes=labels,
                places=(PhotoPlace(picture.id, None),),
                settled="Its label says it.",
                settled_by="label",
            )
    return None


def _any_card(world: Evidence, whole: Reconciliation, key: str, rest: str) -> ReviewIssue | None:
    card, _, said = rest.rpartition(":")
    number = envelope_in(said)
    if card not in world.dealt or number is None or number not in world.seats or key != hand_key(card, number):
        return None
    hand = whole.hands[number]
    there = card in hand.cards or any(
        item.kind is IssueKind.TWO_DECKS and card in item.cards and number in item.envelopes for item in whole.items
    )
    return ReviewIssue(
        key,
        IssueKind.BY_HAND,
        f"Envelope {number} {'has' if there else 'does not have'} {card}.",
        hand_choices(there=there),
        IssueStatus.SETTLED,
        envelopes=(number,),
        cards=(card,),
        places=hand.places.get(card, ()),
        settled="Nobody has entered this card by hand.",
        case="there" if there else "not-there",
        settled_by="nobody",
    )


def _any_hand(world: Evidence, whole: Reconciliation, key: str, rest: str) -> ReviewIssue | None:
    number = envelope_in(rest)
    if number is None or number not in world.seats or key != f"late:{number}":
        return None
    if whole.hands[number].why:
        return None
    return ReviewIssue(
        key,
        IssueKind.LATE,
        f"Envelope {number} was handed in in time.",
        LATE_CHOICES,
        IssueStatus.SETTLED,
        envelopes=(number,),
        settled="It came before the end.",
        settled_by="in-time",
    )


def _none(_world: Evidence, _whole: Reconciliation, _key: str, _rest: str) -> ReviewIssue | None:
    return None


_DIGITS = 5
_LONGEST = 40


def card_typed(session: Session, game: Game, typed: str) -> str:
    """Return the name of the card whose short code was typed, such as `red-007`; Refusal `wrong-code` says what is off.

    Its name is taken as well: no code looks like one.
    """
    named = _named(session, game, typed)
    if named is not None:
        return named
    bare = re.sub(r"[\s\-\u2013.]", "", typed[:_LONGEST])
    if len(bare) != _DIGITS:
        raise DomainError(
            "wrong-code",
            f"A short code has {_DIGITS} characters, as in 0A-1F-X; this one has {len(bare)}. Type it again.",
            {"why": "length"},
        )
    card = card_of_short_code(printed_game_of(game), typed)
    if card is None:
        raise DomainError(
            "wrong-code",
            "The last character does not fit the others, so one of them is wrong. Look at the card and type it again; "
            "the letters I, L, O and U are never used.",
            {"why": "check"},
        )
    if session.get(Card, (game.id, card.kind, card.copy)) is None:
        said = "No card with this code was printed for this game. Type it again."
        raise DomainError("wrong-code", said, {"why": "unknown"})
    return card.name


def code_of(game: Game, name: str) -> str | None:
    """Return the short code printed on a card; None for a name that is no card of the game."""
    kind, _, copy = name.rpartition("-")
    try:
        return short_code(printed_game_of(game), CardId(kind, int(copy)))
    except ValueError:
        return None


def _named(session: Session, game: Game, name: str) -> str | None:
    kind, _, copy = name.strip().lower().rpartition("-")
    if kind not in game.kinds or not copy.isdecimal() or len(copy) > _DIGITS:
        return None
    card = CardId(kind, int(copy))
    return None if session.get(Card, (game.id, card.kind, card.copy)) is None else card.name


def enter_card(
    session: Session, game: Game, what: tuple[str, int, str], reason: str, actor: Actor, at: datetime
) -> DecisionOutcome:
    """Add a card to an envelope or remove it: `what` is the card's name, the envelope, and `add` or `remove`.

    The same again changes nothing; Refusal `conflict` if the opposite was entered before.
    """
    card, envelope, do = what
    key = hand_key(card, envelope)
    world = load_evidence(session, game)
    whole = reconciliation_of(world)
    item = find_item(world, whole, key)
    if item.ruling is not None and item.ruling.decision.do == do:
        return DecisionOutcome(item, len(whole.open))
    if item.ruling is not None:
        raise DomainError(
            "conflict",
            f"{item.ruling.who} entered the opposite before ({item.ruling.reason}). Take that back first.",
        )
    return decide(session, game, key, DecisionRequest(Decision(do), reason, item.revision), actor, at)
