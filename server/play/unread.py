"""Places in pictures where a card seems to lie that was not read, and what settles them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.play.items import Choice, Item, Kind, Place
from server.play.layouts import shown_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from server.jobs.readings import Quad
    from server.play.closing import Seat
    from server.play.docket import Docket
    from server.play.pictures import Owned, Picture

_GRID = 8
# Pixels to which a place is rounded in its key.
_WHOLE = (Choice("complete", "All cards in the picture were read."),)
_SETTLED = {
    "": "",
    "list": "The hand is the player's own list, card by card.",
    "retaken": "Another picture shows the same cards and more, without a doubt.",
}


@dataclass
class Unread:
    """A place of which nothing was read; `card` and `envelope` once somebody has said what lies there."""

    key: str
    picture: Picture
    quad: Quad
    reason: str
    choices: tuple[Choice, ...]
    decided: bool = False
    settled: str = ""
    settled_by: str = ""
    card: str | None = None
    envelope: int | None = None


def read_places(used: Sequence[Owned], docket: Docket) -> list[Unread]:
    """Return all unread places, with what a picture of the same layout or an organiser says of them."""
    # Only what was not read asks for it.
    sharing = _sharing(used) if any(whole.picture.reading and whole.picture.reading.doubts for whole in used) else {}
    found = []
    for whole in used:
        reading = whole.picture.reading
        for doubt in reading.doubts if reading else ():
            x, y = (round(sum(corner[axis] for corner in doubt.quad) / (4 * _GRID)) for axis in (0, 1))
            owner = whole.owner
            choices = (
                Choice(
                    "card",
                    "This card lies there.",
                    ("card",) if owner is not None else ("card", "envelope"),
                    ("envelope",) if owner is not None else (),
                    envelopes=() if owner is None else (owner,),
                ),
                Choice("nothing", "No card lies there."),
            )
            place = Unread(
                f"doubt:{whole.picture.digest[:16]}:{x},{y}", whole.picture, doubt.quad, doubt.reason, choices
            )
            found.append(place)
            if card := _shown(whole, doubt.quad, sharing):
                place.settled_by, place.settled = "shown", f"Another picture of the same cards shows {card} there."
                continue
            decision = docket.ruled(place.key, choices)
            if decision is not None:
                place.decided = True
                place.card, place.envelope = decision.card, decision.envelope or owner
    return found


def settle_places(
    unread: Iterable[Unread],
    used: Sequence[Owned],
    lists: Mapping[int, frozenset[str]],
    seats: Mapping[int, Seat],
    docket: Docket,
) -> None:
    """Add the items of unread places, and of pictures that were not read to the end."""
    by_id = {whole.picture.id: whole for whole in used}
    for place in unread:
        whole = by_id[place.picture.id]
        if not place.settled and not place.decided:
            place.settled_by = _settled(whole, used, lists, seats)
            place.settled = _SETTLED[place.settled_by]
        docket.add(
            Item(
                place.key,
                Kind.DOUBT,
                f"Something that looks like a card was not read ({place.reason}).",
                place.choices,
                envelopes=whole.envelopes,
                cards=(place.card,) if place.card else (),
                places=(Place(place.picture.id, place.quad, "doubt"),),
                settled=place.settled,
                case=place.reason,
                settled_by=place.settled_by,
                order=place.picture.order,
            )
        )
    for whole in used:
        reading = whole.picture.reading
        if reading is not None and not reading.complete:
            key = f"incomplete:{whole.picture.digest[:16]}"
            docket.ruled(key, _WHOLE)
            settled = _settled(whole, used, lists, seats)
            docket.add(
                Item(
                    key,
                    Kind.INCOMPLETE,
                    "Time ran out before the picture was read to the end: a card without an outline may lie in it.",
                    _WHOLE,
                    envelopes=whole.envelopes,
                    places=(Place(whole.picture.id, None),),
                    settled=_SETTLED[settled],
                    settled_by=settled,
                    order=whole.picture.order,
                )
            )


def _settled(
    whole: Owned, used: Sequence[Owned], lists: Mapping[int, frozenset[str]], seats: Mapping[int, Seat]
) -> str:
    """Say by its slug what settles all unread places of a picture; "" if nothing does."""
    reading, owner = whole.picture.reading, whole.owner
    if reading is None or owner is None:
        return ""
    doubts, deck, claim = len(reading.doubts), lists.get(owner, frozenset()), seats[owner].claim
    # As many cards as there are places must have been seen elsewhere.
    if claim is not None and deck == frozenset(claim) and len(deck - whole.cards) >= doubts:
        return "list"
    for other in used:
        better = other.picture.reading
        if (
            better is not None
            and other is not whole
            and other.owner == owner
            and better.complete
            and not better.doubts
            and whole.cards
            and other.cards >= whole.cards
            and len(other.cards) >= len(whole.cards) + doubts
        ):
            return "retaken"
    return ""


def _sharing(used: Iterable[Owned]) -> dict[str, list[Owned]]:
    """Return the pictures that show each card."""
    found: dict[str, list[Owned]] = {}
    for whole in used:
        for card in whole.cards:
            found.setdefault(card, []).append(whole)
    return found


def _shown(whole: Owned, place: Quad, sharing: Mapping[str, Sequence[Owned]]) -> str | None:
    """Return the card that other pictures of the same layout show at a place; None if none does or they disagree."""
    reading = whole.picture.reading
    others = {id(other): other for card in whole.cards for other in sharing[card] if other is not whole}
    cards = set()
    for other in others.values():
        if reading is not None and other.picture.reading is not None:
            cards.add(shown_at(reading, place, other.picture.reading))
    cards.discard(None)
    return cards.pop() if len(cards) == 1 else None
