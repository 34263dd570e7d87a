"""Worlds of four envelopes and sixteen cards, made by hand and by hypothesis: what decks are assembled from."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from server.games.photos.readings import CodeReading, DeckReading, DoubtReading, Reading, SeenReading
from server.games.review.envelope_status import EnvelopeRecord
from server.games.review.issues import Decision, DecisionRecord, ReviewIssue
from server.games.review.photo_ownership import ReviewedPhoto
from server.games.review.reconcile import Evidence, Reconciliation, reconcile
from tests.readings import quad_at, reading

END = datetime(2026, 3, 27, 12, 0, tzinfo=UTC)
ENVELOPES = (1, 2, 3, 4)
SEALED = 4
DEALT = {f"red-{copy:03d}": (copy - 1) // 4 + 1 for copy in range(1, 17)}
"""Sixteen cards: 1 to 4 in envelope 1, and so on; those of envelope 4 are dead."""
CARDS = tuple(DEALT)


def names(*copies: int) -> tuple[str, ...]:
    return tuple(f"red-{copy:03d}" for copy in copies)


def picture(name: str, found: Reading | None, *, at: int = 0, **fields: Any) -> ReviewedPhoto:  # noqa: ANN401 - any field
    """Return a picture that came a number of minutes after the end."""
    digest = hashlib.sha256(name.encode()).hexdigest()
    made: dict[str, Any] = {"id": name, "digest": digest, "created": END + timedelta(minutes=at), "batch": "b"}
    return ReviewedPhoto(**made | {"place": at, "name": name, "reading": found} | fields)


def shot(
    name: str,
    cards: Sequence[int] = (),
    labels: Sequence[int] = (),
    *,
    at: int = 0,
    **found: Any,  # noqa: ANN401 - as `reading` takes it
) -> ReviewedPhoto:
    """Return a picture of cards in one heap."""
    return picture(name, reading(names(*cards), labels, **found), at=at)


def shots(text: str) -> list[ReviewedPhoto]:
    """Return pictures a, b, c and so on: `1 2 @1 ?; 3` are cards 1 and 2 with label 1 and an unread place; card 3."""
    found = []
    for at, words in enumerate(one.split() for one in text.split(";")):
        cards = [int(word) for word in words if word.isdigit()]
        labels = [int(word[1:]) for word in words if word.startswith("@")]
        found.append(shot("abcdef"[at], cards, labels, at=at, doubts=["blur"] * words.count("?")))
    return found


def world(
    pictures: str | Sequence[ReviewedPhoto] = "",
    claims: Mapping[int, Sequence[int]] | None = None,
    **fields: Any,  # noqa: ANN401 - any field
) -> Evidence:
    """Return a world whose last envelope is sealed. `claims` are the lists that players handed in an hour early."""
    shown = shots(pictures) if pictures and isinstance(pictures, str) else pictures
    lists = {number: names(*copies) for number, copies in (claims or {}).items()}
    seats = {
        number: EnvelopeRecord(
            number, number != SEALED, lists.get(number), END - timedelta(hours=1) if number in lists else None
        )
        for number in ENVELOPES
    }
    return Evidence(**{"photos": tuple(shown), "envelopes": seats, "dealt": DEALT, "closed_at": END} | fields)


def reconciled(pictures: str | Sequence[ReviewedPhoto] = "", **fields: Any) -> Reconciliation:  # noqa: ANN401 - as `world` takes them
    """Return what a world's pictures, lists and rulings make."""
    return reconcile(world(pictures, **fields))


def knowing(world: Evidence, envelope: int = 1, **known: Any) -> Evidence:  # noqa: ANN401 - any field of a seat
    """Return a world in which more is known of an envelope, such as how many cards lie in it."""
    seat = dataclasses.replace(world.envelopes[envelope], **known)
    return dataclasses.replace(world, envelopes={**world.envelopes, envelope: seat})


def ruled(key: str, do: str, **fields: Any) -> dict[str, DecisionRecord]:  # noqa: ANN401 - any part of a decision
    """Return a ruling under its key."""
    return {key: DecisionRecord(Decision(do, **fields), "because", "Olga", END)}


def items_of(whole: Reconciliation, kind: str) -> list[ReviewIssue]:
    return [item for item in whole.issues if item.kind == kind]


def the_item(whole: Reconciliation, kind: str) -> ReviewIssue:
    """Return the one item of a kind."""
    (item,) = items_of(whole, kind)
    return item


def decks(whole: Reconciliation) -> str:
    """Return the copies of the cards in each envelope that has any, such as `1: 3 4; 2: 7`."""
    held = {number: " ".join(str(int(card[-3:])) for card in hand.cards) for number, hand in whole.hands.items()}
    return "; ".join(f"{number}: {cards}" for number, cards in held.items() if cards)


_quads = st.tuples(st.integers(0, 30), st.integers(0, 20)).map(lambda at: quad_at(*at))
_strangers = st.tuples(st.sampled_from(["forged", "foreign", "other-game"]), st.sampled_from("XY"))


@st.composite
def _readings(draw: st.DrawFn) -> Reading:
    piles = draw(st.lists(st.lists(st.sampled_from([*CARDS, "red-999"]), max_size=4), max_size=3))
    labels = draw(st.lists(st.sampled_from([*ENVELOPES, 9]), max_size=2, unique=True))
    starts = [sum(map(len, piles[:at])) for at in range(len(piles))]
    return Reading(
        width=4000,
        height=3000,
        codes=tuple(
            CodeReading.model_validate({"text": text, "quad": quad_at(0), "status": status})
            for status, text in draw(st.lists(_strangers, max_size=2))
        ),
        seen=tuple(SeenReading(card=name, outline=draw(_quads)) for pile in piles for name in pile),
        labels=tuple(labels),
        decks=tuple(
            DeckReading(label=draw(st.sampled_from([None, *labels])), cards=tuple(range(start, start + len(pile))))
            for start, pile in zip(starts, piles, strict=True)
        ),
        doubts=tuple(
            DoubtReading(quad=quad, reason="blur") for quad in draw(st.lists(_quads, max_size=2, unique=True))
        ),
        complete=draw(st.booleans()),
    )


@st.composite
def worlds(draw: st.DrawFn) -> Evidence:
    """Draw a world, with decisions on some of its items and on some that are no more."""
    pictures = []
    for number in range(draw(st.integers(0, 5))):
        state = draw(st.sampled_from(["done", "done", "done", "failed", "waiting"]))
        found = draw(_readings()) if state == "done" else None
        pictures.append(picture(f"p{number}", found, at=number, state=state))
    lists = st.lists(st.integers(1, 16), max_size=5, unique=True)
    claims = draw(st.dictionaries(st.sampled_from(ENVELOPES[:3]), lists, max_size=3))
    base = world(pictures, claims, is_over=draw(st.booleans()))
    numbers = st.none() | st.integers(0, 6)
    base = knowing(base, 1, counted=draw(numbers), hand_in_count=draw(numbers) if 1 in claims else None)
    base = knowing(base, 2, hand_in_count=draw(numbers) if 2 in claims else None, dealt=draw(numbers))
    rulings: dict[str, DecisionRecord] = {}
    for _ in range(draw(st.integers(0, 3))):
        items = [item for item in reconcile(dataclasses.replace(base, decisions=rulings)).issues if item.choices]
        if items:
            item = draw(st.sampled_from(items))
            rulings |= {item.key: DecisionRecord(draw(decisions(item)), "because", "Olga", END)}
    if draw(st.booleans()):
        entered = f"hand:{draw(st.sampled_from(CARDS))}:{draw(st.sampled_from(ENVELOPES))}"
        rulings |= ruled(entered, draw(st.sampled_from(["add", "remove"])))
    if draw(st.booleans()):
        rulings |= ruled("doubt:0123:1,1", "nothing")
    return dataclasses.replace(base, decisions=rulings)


@st.composite
def decisions(draw: st.DrawFn, item: ReviewIssue) -> Decision:
    """Draw something that may be decided on an item."""
    choice = draw(st.sampled_from(item.choices))
    envelopes = choice.envelopes or ENVELOPES
    fields: dict[str, Any] = {}
    if "envelope" in choice.needs:
        fields["envelope"] = draw(st.sampled_from(envelopes))
    if "envelopes" in choice.needs:
        piles = st.lists(st.sampled_from([None, *envelopes]), min_size=choice.piles, max_size=choice.piles)
        fields["envelopes"] = tuple(draw(piles))
    if "card" in choice.needs:
        fields["card"] = draw(st.sampled_from(CARDS))
    return Decision(choice.do, **fields)
