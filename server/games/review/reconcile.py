"""Makes one list of cards of each envelope out of all pictures, and the queue of what is doubtful. Pure.

Nothing is merged or dropped in silence: each card that was seen lies in one hand, or an item tells of it. The order of
pictures does not matter, and the same picture twice is one. A decision that does not fit (any more) does nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

from server.games.review.card_ownership import Decks, PrintedCards, Seen, by_hand, decks_of, strangers, unscanned
from server.games.review.envelope_status import EnvelopeStatus, close
from server.games.review.issues import IssueCollector, PhotoPlace, ReviewIssue, Suggestion
from server.games.review.photo_ownership import distinct, owned, picture_item
from server.games.review.unread_regions import UnreadPlace, read_places, settle_places

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from datetime import datetime

    from server.games.review.envelope_status import EnvelopeRecord
    from server.games.review.issues import TakenDecision
    from server.games.review.photo_ownership import PhotoOwnership, ReviewedPhoto


_MOST = 4
_SEVERAL = 2


def suggestions(
    found: Sequence[PhotoOwnership], lists: Mapping[int, frozenset[str]], seats: Mapping[int, EnvelopeRecord]
) -> dict[str, tuple[Suggestion, ...]]:
    """Return for each picture that is still nobody's the envelopes that it may belong to, the likeliest first."""
    asked = {whole.picture.id for whole in found if whole.open and whole.sights}
    if not asked:
        return {}
    batches = _batches(found)
    near = _neighbours(batches, asked)
    seen = {number for whole in found for number in whole.envelopes}
    between = _in_between(batches, seats.keys() - seen)
    result = {}
    for whole in found:
        if whole.picture.id in asked:
            ideas = {
                idea.envelope: idea
                for idea in reversed(
                    [
                        *_in_common(whole, lists, seats),
                        *between.get(whole.picture.id, ()),
                        *near.get(whole.picture.id, ()),
                    ]
                )
            }
            labels = set(whole.picture.reading.labels) if whole.picture.reading else set()
            result[whole.picture.id] = tuple(
                # Two labels leave open which of them it is, and nobody else.
                idea
                for idea in reversed(ideas.values())
                if len(labels) < _SEVERAL or idea.envelope in labels
            )[:_MOST]
    return result


def _in_common(
    whole: PhotoOwnership, lists: Mapping[int, frozenset[str]], seats: Mapping[int, EnvelopeRecord]
) -> Iterator[Suggestion]:
    """Yield the envelopes whose list or deck has cards of the picture, most in common first."""
    counts = []
    for number, seat in seats.items():
        claimed = len(whole.cards & frozenset(seat.claim or ()))
        laid = len(whole.cards & lists.get(number, frozenset()))
        if claimed or laid:
            counts.append((max(claimed, laid), claimed, number))
    for _, claimed, number in sorted(counts, key=lambda count: (-count[0], count[2])):
        if claimed:
            why = f"{claimed} of the {len(whole.cards)} cards are on its player's own list."
            yield Suggestion(number, why, "list", claimed)
        else:
            yield Suggestion(number, "Other pictures of its deck show some of these cards.", "deck")


def _batches(found: Sequence[PhotoOwnership]) -> list[list[PhotoOwnership]]:
    """Return the pictures of each batch in the order in which they were taken."""
    batches: dict[str, list[PhotoOwnership]] = {}
    for whole in found:
        if whole.picture.batch is not None:
            batches.setdefault(whole.picture.batch, []).append(whole)
    for batch in batches.values():
        batch.sort(key=lambda whole: (whole.picture.place, whole.picture.id))
    return list(batches.values())


def _in_between(batches: Sequence[Sequence[PhotoOwnership]], unseen: AbstractSet[int]) -> dict[str, list[Suggestion]]:
    """Return for pictures between those of 9 and 11 the envelope 10, as long as no picture is known to show it."""
    between: dict[str, list[Suggestion]] = {}
    for batch in batches:
        for before, whole, after in zip(batch, batch[1:], batch[2:], strict=False):
            for first in before.envelopes:
                for last in after.envelopes:
                    number = (first + last) // 2
                    if abs(last - first) == _SEVERAL and number in unseen:
                        why = f"The pictures around it in the batch belong to envelopes {first} and {last}."
                        between.setdefault(whole.picture.id, []).append(Suggestion(number, why, "between"))
    return between


def _neighbours(batches: Sequence[Sequence[PhotoOwnership]], asked: Collection[str]) -> dict[str, list[Suggestion]]:
    """Return the owners of the pictures before and after each that is asked for, where they came in one batch."""
    near: dict[str, list[Suggestion]] = {}
    for batch in batches:
        for before, after in pairwise(batch):
            for whole, other, where in ((after, before, "before"), (before, after, "after")):
                if whole.picture.id in asked:
                    near.setdefault(whole.picture.id, []).extend(
                        Suggestion(number, f"The picture {where} it in the batch belongs to envelope {number}.", where)
                        for number in other.envelopes
                    )
    return near


@dataclass(frozen=True)
class Evidence:
    """All that hands are made of. `dealt` says for every printed card which envelope it came in.

    `lost` are those that were reported lost: others were printed in their place. `over` is False while the game is
    open: then nobody is missed yet. `ended` is when it closed, None while it is open.
    """

    pictures: tuple[ReviewedPhoto, ...] = ()
    seats: Mapping[int, EnvelopeRecord] = field(default_factory=dict)
    dealt: Mapping[str, int] = field(default_factory=dict)
    lost: frozenset[str] = frozenset()
    rulings: Mapping[str, TakenDecision] = field(default_factory=dict)
    over: bool = True
    ended: datetime | None = None


@dataclass(frozen=True)
class EnvelopeHand:
    """What an envelope comes to. `why` says why it does not count, and is "" where it does.

    not-seen: nobody has seen the envelope. absent: an organiser said that it was not handed in. late-refused: an
    organiser refused it. sealed: it was never opened. `late` is whether it came after the end.
    """

    envelope: int
    cards: tuple[str, ...]
    places: Mapping[str, tuple[PhotoPlace, ...]]
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
class Reconciliation:
    """Hands by envelope, all items, keys of rulings without effect, and the pictures that still wait to be scanned.

    `same` names for each picture that is the same file as another the one that stands for both.
    """

    hands: Mapping[int, EnvelopeHand]
    items: tuple[ReviewIssue, ...]
    without_effect: tuple[str, ...]
    waiting: tuple[str, ...]
    same: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def open(self) -> tuple[ReviewIssue, ...]:
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


def reconcile(world: Evidence) -> Reconciliation:
    """Return each envelope's hand, and all that there is to look at."""
    envelopes = sorted(world.seats)
    docket = IssueCollector(world.rulings, envelopes, world.dealt)
    pictures = distinct(world.pictures)
    found = [owned(picture, docket, world.seats) for picture in pictures]
    used = [whole for whole in found if whole.used and whole.picture.reading is not None]
    unread = read_places(used, docket)
    seen = _seen(used, unread)
    shown = _shown(used, seen)
    for number, at in by_hand(seen, docket, world.dealt, envelopes):
        shown[number].append(at)
    closing = close(world.seats, shown, seen, docket, over=world.over, ended=world.ended)
    decks = decks_of(seen, used, docket, PrintedCards(world.dealt, world.lost, closing.live))
    lists = {number: frozenset(cards) for number, cards in decks.items()}
    closing.compare(lists, _there(seen, decks))
    settle_places(unread, used, lists, world.seats, docket)
    strangers(used, docket)
    for picture in pictures:
        if picture.state == "failed":
            unscanned(picture, docket)
    _pictures(found, docket, seen, lists, world)
    shots = _shots(used)
    return Reconciliation(
        hands={number: _hand(number, decks, closing.holdings[number], shots[number]) for number in envelopes},
        items=docket.items(),
        without_effect=docket.without_effect(),
        waiting=tuple(picture.id for picture in pictures if picture.state in {"waiting", "scanning"}),
        same=_same(world, pictures),
    )


def _same(world: Evidence, pictures: list[ReviewedPhoto]) -> dict[str, str]:
    stands = {picture.digest: picture.id for picture in pictures}
    return {one.id: stands[one.digest] for one in world.pictures if stands[one.digest] != one.id}


def _seen(used: list[PhotoOwnership], unread: list[UnreadPlace]) -> Seen:
    """Return where each card was seen in pictures with an owner."""
    places: dict[tuple[str, int], list[PhotoPlace]] = defaultdict(list)
    for whole in used:
        for laid, place in whole.laid:
            places[laid].append(place)
    for doubt in unread:
        if doubt.envelope is not None and doubt.card is not None:
            places[doubt.card, doubt.envelope].append(PhotoPlace(doubt.picture.id, doubt.quad, "doubt"))
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


def _shown(used: list[PhotoOwnership], seen: Seen) -> dict[int, list[datetime]]:
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
    found: list[PhotoOwnership],
    docket: IssueCollector,
    seen: Seen,
    lists: Mapping[int, frozenset[str]],
    world: Evidence,
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


def _shots(used: list[PhotoOwnership]) -> dict[int, list[str]]:
    """Return the pictures of each envelope."""
    shots: dict[int, list[str]] = defaultdict(list)
    for whole in used:
        for number in whole.envelopes:
            shots[number].append(whole.picture.id)
    return shots


def _hand(number: int, decks: Decks, holding: EnvelopeStatus, pictures: list[str]) -> EnvelopeHand:
    cards = decks.get(number, {})
    return EnvelopeHand(
        envelope=number,
        cards=tuple(sorted(cards)),
        places={card: tuple(places) for card, places in sorted(cards.items())},
        pictures=tuple(pictures),
        why=holding.why,
        late=holding.late,
        received=holding.received,
        handed_in=holding.handed_in,
    )
