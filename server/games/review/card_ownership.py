"""Which card lies in whose deck. A card is one thing: seen in two decks, it counts in none until somebody decides."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple

from server.games.review.issues import IssueChoice, IssueKind, PhotoPlace, ReviewIssue, digest, envelope_in

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from datetime import datetime

    from server.games.review.issues import IssueCollector
    from server.games.review.photo_ownership import PhotoOwnership, ReviewedPhoto


Seen = dict[str, dict[int, list[PhotoPlace]]]
"""Where each card was seen, by card and by the envelope whose deck it was in."""

Decks = dict[int, dict[str, list[PhotoPlace]]]
"""The cards of each envelope, and where each was seen."""

_ADD = IssueChoice("add", "The card lies in this envelope; nobody photographed it, or it cannot be read.")
_REMOVE = IssueChoice("remove", "The card does not lie in this envelope.")
_VOID = IssueChoice("void", "The card counts nowhere.")
_TWICE = 2


def hand_key(card: str, envelope: int) -> str:
    """Return the key under which a card is added to an envelope, or removed, by hand."""
    return f"hand:{card}:{envelope}"


def hand_choices(*, there: bool) -> tuple[IssueChoice, ...]:
    """Return what may be entered by hand of a card: only one that is there can be removed."""
    return (_ADD, _REMOVE) if there else (_ADD,)


def by_hand(
    seen: Seen, docket: IssueCollector, dealt: Mapping[str, int], envelopes: Collection[int]
) -> Iterator[tuple[int, datetime]]:
    """Add and remove the cards that organisers entered by hand; yield each envelope that got one, and when."""
    for key in sorted(docket.rulings):
        parts = key.split(":")
        if parts[0] != "hand" or len(parts) != 3 or parts[1] not in dealt:  # noqa: PLR2004 - hand, card, envelope
            continue
        card, envelope = parts[1], envelope_in(parts[2])
        if envelope is None:
            continue
        places = seen.get(card, {}).get(envelope)
        choices = hand_choices(there=bool(places))
        if envelope not in envelopes or (decision := docket.ruled(key, choices)) is None:
            continue
        if decision.do == "remove":
            del seen[card][envelope]
            text = f"An organiser removed {card} from envelope {envelope}."
        else:
            seen.setdefault(card, {}).setdefault(envelope, []).append(PhotoPlace(None, None, "by-hand"))
            yield envelope, docket.rulings[key].at
            text = f"An organiser added {card} to envelope {envelope}."
        docket.add(
            ReviewIssue(
                key,
                IssueKind.BY_HAND,
                text,
                choices,
                envelopes=(envelope,),
                cards=(card,),
                places=tuple(places or ()),
            )
        )


class PrintedCards(NamedTuple):
    """The printed cards: the envelope that each came in, those reported lost, and the envelopes whose cards live."""

    dealt: Mapping[str, int]
    lost: Collection[str]
    live: Collection[int]

    def death_of(self, card: str) -> tuple[str, str]:
        """Say why a card is dead, as a slug and in a sentence; both are "" for one that is alive."""
        if card not in self.dealt:
            return "not-printed", f"{card} was never printed for this game."
        if card in self.lost:
            return "lost", f"{card} was reported lost, and another card was printed in its place."
        if self.dealt[card] not in self.live:
            envelope = self.dealt[card]
            return "sealed", f"{card} was dealt into envelope {envelope}, which was never opened: its cards are dead."
        return "", ""


def decks_of(seen: Seen, found: Iterable[PhotoOwnership], docket: IssueCollector, printed: PrintedCards) -> Decks:
    """Return where each card that counts was seen: each in one envelope at most."""
    pictures = [owned for owned in found if owned.used]
    order = {owned.picture.id: owned.picture for owned in pictures}
    copies = _copies(pictures)
    # Asked of few cards, and it costs as much for one as for all.
    everywhere = cache(partial(_everywhere, pictures, seen))
    # A card that was removed by hand from all envelopes may still lie in a picture.
    cards = {card for card, places in seen.items() if places or card in everywhere()}
    decks: Decks = defaultdict(dict)
    for card in sorted(cards.union(*(owned.loose for owned in pictures))):
        places = seen.get(card, {})
        alive = _alive(card, everywhere, docket, printed, order)
        if not (alive and _once(card, copies, docket, order)):
            continue
        envelope = _whose(card, places, docket, order)
        if envelope is not None:
            decks[envelope][card] = places[envelope]
    return dict(decks)


def _alive(
    card: str,
    everywhere: Callable[[], Mapping[str, list[PhotoPlace]]],
    docket: IssueCollector,
    printed: PrintedCards,
    order: Mapping[str, ReviewedPhoto],
) -> bool:
    """Tell whether a card counts at all: it was printed, and its envelope was given out."""
    case, text = printed.death_of(card)
    if not text:
        return True
    key, choices, places = f"dead:{card}", list[IssueChoice](), everywhere()[card]
    envelopes: tuple[int, ...] = ()
    if card in printed.dealt:
        envelopes = (printed.dealt[card],)
        choices = [IssueChoice("accept", "The card counts all the same."), _VOID]
    decision = docket.ruled(key, choices)
    docket.add(
        ReviewIssue(
            key,
            IssueKind.DEAD,
            text,
            tuple(choices),
            envelopes=envelopes,
            cards=(card,),
            places=tuple(places),
            settled="" if choices else "It counts nowhere.",
            case=case,
            settled_by="" if choices else "uncounted",
            order=_first(places, order),
        )
    )
    return decision is not None and decision.do == "accept"


def _once(
    card: str, copies: Mapping[str, list[PhotoPlace]], docket: IssueCollector, order: Mapping[str, ReviewedPhoto]
) -> bool:
    """Tell whether a card that lies in a picture twice counts once; it does until somebody says otherwise."""
    if card not in copies:
        return True
    key = f"copy:{card}"
    choices = (IssueChoice("once", "One of them is a copy; the card itself is there and counts once."), _VOID)
    decision = docket.ruled(key, choices)
    places = copies[card]
    text = f"{card} lies in one picture {len(places)} times. There is one such card: the others are copies."
    docket.add(
        ReviewIssue(
            key, IssueKind.COPY, text, choices, cards=(card,), places=tuple(places), order=_first(places, order)
        )
    )
    return decision is None or decision.do == "once"


def _whose(
    card: str, places: Mapping[int, list[PhotoPlace]], docket: IssueCollector, order: Mapping[str, ReviewedPhoto]
) -> int | None:
    """Return whose a card is; None for nobody's and while two envelopes have it."""
    if len(places) < _TWICE:
        return next(iter(places), None)
    envelopes = tuple(sorted(places))
    key = f"decks:{card}:{'+'.join(map(str, envelopes))}"
    choices = (IssueChoice("belongs", "The card belongs to this envelope.", ("envelope",), envelopes=envelopes), _VOID)
    decision = docket.ruled(key, choices)
    where = tuple(place for envelope in envelopes for place in places[envelope])
    docket.add(
        ReviewIssue(
            key,
            IssueKind.TWO_DECKS,
            f"{card} was seen in the decks of envelopes {' and '.join(map(str, envelopes))}.",
            choices,
            envelopes=envelopes,
            cards=(card,),
            places=where,
            order=_first(where, order),
        )
    )
    return decision.envelope if decision else None


def _copies(pictures: Iterable[PhotoOwnership]) -> dict[str, list[PhotoPlace]]:
    """Return the cards that lie twice in a picture, and where."""
    found: dict[str, list[PhotoPlace]] = defaultdict(list)
    for owned in pictures:
        for card, where in owned.twice.items():
            found[card] += where
    return found


def _everywhere(pictures: Iterable[PhotoOwnership], seen: Seen) -> dict[str, list[PhotoPlace]]:
    """Return all places where a card was seen or entered, in pictures that nobody owns too."""
    found: dict[str, list[PhotoPlace]] = defaultdict(list)
    for owned in pictures:
        for sight in owned.sights:
            found[sight.card].append(sight.place)
    for card, by_envelope in seen.items():
        # Nearly all of them are those of the pictures: the very same, which is told without a look into them.
        same = {id(place) for place in found[card]}
        if others := [place for places in by_envelope.values() for place in places if id(place) not in same]:
            there = set(found[card])
            found[card] += [place for place in others if place not in there]
    return {card: places for card, places in found.items() if places}


def _first(places: Iterable[PhotoPlace], order: Mapping[str, ReviewedPhoto]) -> tuple[object, ...]:
    """Return where the first picture of a list stands among all."""
    found = [order[place.photo].order for place in places if place.photo and place.photo in order]
    return min(found) if found else ()


_SENTENCES = {
    "forged": "A code of this game with a wrong signature. A real card is entered by hand.",
    "other-game": "A code of another game.",
    "foreign": "A code that is not Haggle's.",
}
_UNCOUNTED = "It counts nowhere."


def strangers(used: Iterable[PhotoOwnership], docket: IssueCollector) -> None:
    """Add an item for each code that is no card of the game. The same code in many pictures is one item."""
    places: dict[tuple[str, str], list[PhotoPlace]] = defaultdict(list)
    first: dict[tuple[str, str], PhotoOwnership] = {}
    for whole in used:
        reading = whole.picture.reading
        for code in reading.strange if reading else ():
            places[code.status, code.text].append(PhotoPlace(whole.picture.id, code.quad, "code"))
            first.setdefault((code.status, code.text), whole)
    for (status, text), where in places.items():
        whole = first[status, text]
        docket.add(
            ReviewIssue(
                f"code:{status}:{digest(text)}",
                IssueKind(status),
                f"{_SENTENCES[status]} It says: {text}",
                (),
                envelopes=whole.envelopes,
                places=tuple(where),
                settled=_UNCOUNTED,
                settled_by="uncounted",
                says=text,
                order=whole.picture.order,
            )
        )


def unscanned(picture: ReviewedPhoto, docket: IssueCollector) -> None:
    """Add an item for a picture whose scan failed."""
    text = f"The picture could not be read ({picture.reason or 'unknown'}). Take it again, or enter its cards by hand."
    docket.add(
        ReviewIssue(
            f"failed:{picture.digest[:16]}",
            IssueKind.FAILED,
            text,
            (),
            places=(PhotoPlace(picture.id, None),),
            settled="It is not used.",
            settled_by="unused",
            case=picture.reason or "",
            order=picture.order,
        )
    )
