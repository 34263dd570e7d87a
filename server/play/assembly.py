"""Makes one list of cards of each envelope out of all pictures, and the queue of what is doubtful. Pure.

Nothing is merged or dropped in silence: each card that was seen lies in one hand, or an item tells of it. The order of
pictures does not matter, and the same picture twice is one. A decision that does not fit (any more) does nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from server.play.closing import Holding, close
from server.play.docket import Docket
from server.play.holdings import Decks, Printed, Seen, by_hand, decks_of
from server.play.items import Item, Place
from server.play.pictures import distinct, owned, picture_item
from server.play.strangers import strangers, unscanned
from server.play.suggestions import suggestions
from server.play.unread import Unread, read_places, settle_places

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from server.play.closing import Seat
    from server.play.items import Ruled
    from server.play.pictures import Owned, Picture


@dataclass(frozen=True)
class World:
    """All that hands are made of. `dealt` says for every printed card which envelope it came in.

    `lost` are those that were reported lost: others were printed in their place. `over` is False while the game is
    open: then nobody is missed yet. `ended` is when it closed, None while it is open.
    """

    pictures: tuple[Picture, ...] = ()
    seats: Mapping[int, Seat] = field(default_factory=dict)
    dealt: Mapping[str, int] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()
    rulings: Mapping[str, Ruled] = field(default_factory=dict)
    over: bool = True
    ended: datetime | None = None


@dataclass(frozen=True)
class Hand:
    """What an envelope comes to. `why` says why it does not count, and is "" where it does.

    not-seen: nobody has seen the envelope. absent: an organiser said that it was not handed in. late-refused: an
    organiser refused it. sealed: it was never opened. `late` is whether it came after the end.
    """

    envelope: int
    cards: tuple[str, ...]
    places: Mapping[str, tuple[Place, ...]]
    pictures: tuple[str, ...]
    why: str = ""
    late: bool = False
    received: datetime | None = None
    """When its first picture came, or it was entered by hand."""
    handed_in: datetime | None = None
    """By phone, or else when it was received, at the latest when the game closed."""

    @property
    def counts(self) -> bool:
        """Whether it is scored."""
        return not self.why


@dataclass(frozen=True)
class Assembly:
    """Hands by envelope, all items, keys of rulings without effect, and the pictures that still wait to be scanned.

    `same` names for each picture that is the same file as another the one that stands for both.
    """

    hands: Mapping[int, Hand]
    items: tuple[Item, ...]
    without_effect: tuple[str, ...]
    waiting: tuple[str, ...]
    same: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def open(self) -> tuple[Item, ...]:
        """The items that nobody and nothing has settled."""
        return tuple(item for item in self.items if item.standing == "open")

    @cached_property
    def owners(self) -> Mapping[str, tuple[int, ...]]:
        """The envelopes of each picture that has any, by its id."""
        found: dict[str, list[int]] = {}
        for number, hand in sorted(self.hands.items()):
            for picture in hand.pictures:
                found.setdefault(picture, []).append(number)
        return {picture: tuple(numbers) for picture, numbers in found.items()}

    @cached_property
    def decided(self) -> Mapping[str, str]:
        """What organisers decided of whose each picture is, or that it is not used, by its id."""
        return {
            place.photo: item.ruling.decision.do
            for item in self.items
            if item.ruling is not None and item.key.startswith("picture:")
            for place in item.places
            if place.photo
        }

    @cached_property
    def doubtful(self) -> Mapping[str, int]:
        """How many open items are about each picture, by its id."""
        return Counter(photo for item in self.open for photo in {place.photo for place in item.places} if photo)


def assemble(world: World) -> Assembly:
    """Return each envelope's hand, and all that there is to look at."""
    envelopes = sorted(world.seats)
    docket = Docket(world.rulings, envelopes, world.dealt)
    pictures = distinct(world.pictures)
    found = [owned(picture, docket, world.seats) for picture in pictures]
    used = [whole for whole in found if whole.used and whole.picture.reading is not None]
    unread = read_places(used, docket)
    seen = _seen(used, unread)
    shown = _shown(used, seen)
    for number, at in by_hand(seen, docket, world.dealt, envelopes):
        shown[number].append(at)
    closing = close(world.seats, shown, seen, docket, over=world.over, ended=world.ended)
    decks = decks_of(seen, used, docket, Printed(world.dealt, world.lost, closing.live))
    lists = {number: frozenset(cards) for number, cards in decks.items()}
    closing.compare(lists, _there(seen, decks))
    settle_places(unread, used, lists, world.seats, docket)
    strangers(used, docket)
    for picture in pictures:
        if picture.state == "failed":
            unscanned(picture, docket)
    _pictures(found, docket, seen, lists, world)
    shots = _shots(used)
    return Assembly(
        hands={number: _hand(number, decks, closing.holdings[number], shots[number]) for number in envelopes},
        items=docket.items(),
        without_effect=docket.without_effect(),
        waiting=tuple(picture.id for picture in pictures if picture.state in {"waiting", "scanning"}),
        same=_same(world, pictures),
    )


def _same(world: World, pictures: list[Picture]) -> dict[str, str]:
    stands = {picture.digest: picture.id for picture in pictures}
    return {one.id: stands[one.digest] for one in world.pictures if stands[one.digest] != one.id}


def _seen(used: list[Owned], unread: list[Unread]) -> Seen:
    """Return where each card was seen in pictures with an owner."""
    places: dict[tuple[str, int], list[Place]] = defaultdict(list)
    for whole in used:
        for laid, place in whole.laid:
            places[laid].append(place)
    for doubt in unread:
        if doubt.envelope is not None and doubt.card is not None:
            places[doubt.card, doubt.envelope].append(Place(doubt.picture.id, doubt.quad, "doubt"))
    seen: Seen = {}
    for (card, envelope), where in places.items():
        seen.setdefault(card, {})[envelope] = where
    return seen


def _there(seen: Seen, decks: Decks) -> dict[int, frozenset[str]]:
    """Return the cards seen in each envelope, whether they count or not, without those that lie in another's deck."""
    owners = {card: number for number, cards in decks.items() for card in cards}
    found: dict[int, set[str]] = defaultdict(set)
    for card, by_envelope in seen.items():
        for number in by_envelope:
            if owners.get(card, number) == number:
                found[number].add(card)
    return {number: frozenset(cards) for number, cards in found.items()}


def _shown(used: list[Owned], seen: Seen) -> dict[int, list[datetime]]:
    """Return the envelopes that organisers had in hand, and when each picture of them came."""
    shown: dict[int, list[datetime]] = defaultdict(list)
    for whole in used:
        for number in whole.envelopes:
            shown[number].append(whole.picture.created)
    for by_envelope in seen.values():
        for number in by_envelope:
            shown.setdefault(number, [])
    return shown


def _pictures(
    found: list[Owned],
    docket: Docket,
    seen: Seen,
    lists: Mapping[int, frozenset[str]],
    world: World,
) -> None:
    """Add what there is to say of whole pictures. One whose cards all have an owner elsewhere adds nothing: settled."""
    hints = suggestions(found, lists, world.seats)
    for whole in found:
        loose = whole.loose if whole.open else frozenset()
        settled = ("", "")
        if whole.open and loose and all(seen.get(card) for card in loose):
            settled = ("elsewhere", "Other pictures show whose all these cards are.")
        elif whole.open and not whole.sights and whole.envelopes and all(lists.get(n) for n in whole.envelopes):
            settled = ("envelope", "Other pictures show the cards of this envelope.")
        item = picture_item(whole, docket, world.seats, settled, hints.get(whole.picture.id, ()))
        if item is not None:
            docket.add(item)


def _shots(used: list[Owned]) -> dict[int, list[str]]:
    """Return the pictures of each envelope."""
    shots: dict[int, list[str]] = defaultdict(list)
    for whole in used:
        for number in whole.envelopes:
            shots[number].append(whole.picture.id)
    return shots


def _hand(number: int, decks: Decks, holding: Holding, pictures: list[str]) -> Hand:
    cards = decks.get(number, {})
    return Hand(
        envelope=number,
        cards=tuple(sorted(cards)),
        places={card: tuple(places) for card, places in sorted(cards.items())},
        pictures=tuple(pictures),
        why=holding.why,
        late=holding.late,
        received=holding.received,
        handed_in=holding.handed_in,
    )
