"""Organisers' decisions on items of the queue: taken, changed and taken back, each with a reason and a trace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from server.play.closing import LATE_CHOICES
from server.play.holdings import hand_choices, hand_key
from server.play.items import Item, Kind, Place, Standing, envelope_in, mistake_in
from server.play.locking import hold
from server.play.picture_rows import ORGANISER
from server.play.pictures import picture_choices
from server.play.record import changed, record
from server.play.refusals import Refusal, not_found
from server.play.states import ALLOWED, Act, State, allow
from server.play.world import assembly_of, world_of
from server.store.tables import Envelope, Game, Photo, Ruling

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy.orm import Session

    from server.play.assembly import Assembly, World
    from server.play.house import Actor
    from server.play.items import Decision

LONGEST_REASON = 1000


def find_item(world: World, whole: Assembly, key: str) -> Item:
    """Return an item of the queue, or what may be decided without one; Refusal `not-found`.

    Without an item may be decided whose any picture is (`picture:…`), that a card lies in an envelope or does not
    (`hand:CARD:ENVELOPE`), and that a hand is late (`late:ENVELOPE`).
    """
    item = _found(world, whole, key)
    if item is None:
        raise not_found("item in the queue")
    return item


def _found(world: World, whole: Assembly, key: str) -> Item | None:
    for item in whole.items:
        if item.key == key:
            return item
    kind, _, rest = key.partition(":")
    return {"picture": _any_picture, "hand": _any_card, "late": _any_hand}.get(kind, _none)(world, whole, key, rest)


@dataclass(frozen=True)
class Said:
    """What an organiser decides, why, and the revision of the item as the organiser saw it."""

    decision: Decision
    reason: str
    revision: str


@dataclass(frozen=True)
class Outcome:
    """An item as it is after a decision, None if it is no more, and how many items are still open."""

    item: Item | None
    open: int


def settle(session: Session, game: Game, key: str, said: Said, actor: Actor, at: datetime) -> Outcome:
    """Decide an item.

    Refusal `changed` if it is another by now, `wrong-decision` for what cannot be decided, `no-reason`.
    """
    _may(session, game)
    world = world_of(session, game)
    before = assembly_of(world)
    item = find_item(world, before, key)
    _check_revision(item, said.revision)
    if mistake := mistake_in(said.decision, item.choices, world.seats, world.dealt):
        raise Refusal("wrong-decision", mistake, {"choices": [choice.do for choice in item.choices]})
    row = _row(session, game, key)
    old = _told(row)
    if row is None:
        row = Ruling(game=game.id, item=key)
        session.add(row)
    row.decision, row.reason, row.who, row.at = said.decision.as_json(), _reason(said.reason), actor.name, at
    session.flush()
    return _done(session, game, before, key, actor, at, ("settle", said.reason, old, _told(row)))


def take_back(
    session: Session, game: Game, key: str, reason: str, revision: str | None, actor: Actor, at: datetime
) -> Outcome:
    """Take a decision back.

    `revision` is not looked at for decisions without effect: there is no item that could have changed.
    """
    _may(session, game)
    row = _row(session, game, key)
    if row is None:
        raise not_found("decision")
    world = world_of(session, game)
    before = assembly_of(world)
    if key not in before.without_effect:
        _check_revision(find_item(world, before, key), revision or "")
    old = _told(row)
    session.delete(row)
    session.flush()
    return _done(session, game, before, key, actor, at, ("take-back", reason, old, None))


def delete_photo(session: Session, game: Game, photo: str, reason: str, actor: Actor, at: datetime) -> None:
    """Delete an organiser's photograph with all that was read in it. Its file is deleted by the caller, afterwards."""
    hold(session, game)
    allow(game, Act.RECEIVE)
    row = session.get(Photo, photo)
    if row is None or row.game != game.id or row.source != ORGANISER:
        raise not_found("picture")
    before = assembly_of(world_of(session, game))
    told = {"name": row.name, "batch": row.batch, "place": row.place, "state": row.state, "digest": row.digest}
    session.delete(row)
    session.flush()
    after = assembly_of(world_of(session, game))
    moved = _moved(before, after)
    record(
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
    changed(session, game.id, at, "photos")
    changed(session, game.id, at, "queue")


def _may(session: Session, game: Game) -> None:
    """Let one organiser decide after the other, while the game is closed or open, and in corrections."""
    hold(session, game)
    allow(game, Act.CORRECT if State(game.state) in ALLOWED[Act.CORRECT] else Act.SETTLE)


def _row(session: Session, game: Game, key: str) -> Ruling | None:
    return session.scalar(select(Ruling).where(Ruling.game == game.id, Ruling.item == key))


def _told(row: Ruling | None) -> dict[str, Any] | None:
    return None if row is None else {**row.decision, "reason": row.reason, "who": row.who}


def _reason(reason: str) -> str:
    text = " ".join(reason.split())[:LONGEST_REASON]
    if not text:
        raise Refusal("no-reason", "Say why: a few words are enough, and they stand in the record.")
    return text


def _check_revision(item: Item, revision: str) -> None:
    if revision != item.revision:
        raise Refusal(
            "changed",
            "This has changed since you looked: another organiser, or a new picture, was faster. Look again.",
            {"revision": item.revision},
        )


def _done(
    session: Session,
    game: Game,
    before: Assembly,
    key: str,
    actor: Actor,
    at: datetime,
    told: tuple[str, str, dict[str, Any] | None, dict[str, Any] | None],
) -> Outcome:
    """Write down what was decided and what it does to the hands."""
    action, reason, old, new = told
    world = world_of(session, game)
    after = assembly_of(world)
    moved = _moved(before, after)
    record(
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
    changed(session, game.id, at, "queue")
    return Outcome(_found(world, after, key), len(after.open))


def _moved(before: Assembly, after: Assembly) -> dict[str, dict[str, Any]]:
    """Return the hands that are no longer the same, as they were and as they are."""
    other = [number for number in after.hands if _hand(before, number) != _hand(after, number)]
    return {
        "before": {str(number): _hand(before, number) for number in other},
        "after": {str(number): _hand(after, number) for number in other},
    }


def _hand(whole: Assembly, number: int) -> dict[str, Any] | None:
    hand = whole.hands.get(number)
    return None if hand is None else {"cards": list(hand.cards), "left_out": hand.why or None}


def _note(session: Session, game: Game, whole: Assembly) -> None:
    """Keep what others read in the envelopes' rows."""
    late = {item.envelopes[0]: item for item in whole.items if item.kind is Kind.LATE}
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


def _any_picture(world: World, _whole: Assembly, key: str, _rest: str) -> Item | None:
    for picture in world.pictures:
        if picture.key == key and picture.reading is not None:
            labels = tuple(label for label in picture.reading.labels if label in world.seats)
            return Item(
                key,
                Kind.ASSIGNED,
                "Its label says whose this picture is.",
                picture_choices(picture, world.seats),
                Standing.SETTLED,
                envelopes=labels,
                places=(Place(picture.id, None),),
                settled="Its label says it.",
                settled_by="label",
            )
    return None


def _any_card(world: World, whole: Assembly, key: str, rest: str) -> Item | None:
    card, _, said = rest.rpartition(":")
    number = envelope_in(said)
    if card not in world.dealt or number is None or number not in world.seats or key != hand_key(card, number):
        return None
    hand = whole.hands[number]
    there = card in hand.cards or any(
        item.kind is Kind.TWO_DECKS and card in item.cards and number in item.envelopes for item in whole.items
    )
    return Item(
        key,
        Kind.BY_HAND,
        f"Envelope {number} {'has' if there else 'does not have'} {card}.",
        hand_choices(there=there),
        Standing.SETTLED,
        envelopes=(number,),
        cards=(card,),
        places=hand.places.get(card, ()),
        settled="Nobody has entered this card by hand.",
        case="there" if there else "not-there",
        settled_by="nobody",
    )


def _any_hand(world: World, whole: Assembly, key: str, rest: str) -> Item | None:
    number = envelope_in(rest)
    if number is None or number not in world.seats or key != f"late:{number}":
        return None
    if whole.hands[number].why:
        return None
    return Item(
        key,
        Kind.LATE,
        f"Envelope {number} was handed in in time.",
        LATE_CHOICES,
        Standing.SETTLED,
        envelopes=(number,),
        settled="It came before the end.",
        settled_by="in-time",
    )


def _none(_world: World, _whole: Assembly, _key: str, _rest: str) -> Item | None:
    return None
