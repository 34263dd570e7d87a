"""Whose an organiser's picture is: its label says it, or an organiser does. Nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from server.games.review.issues import IssueChoice, IssueKind, PhotoPlace, ReviewIssue, digest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from server.games.photos.readings import CardGroup, Reading
    from server.games.review.issues import Decision, IssueCollector, Suggestion

_KEY = 16

# Characters of a picture's digest in keys.
_SEVERAL = 2


@dataclass(frozen=True)
class ReviewedPhoto:
    """An organiser's photograph. `state`, `reason` and `scanned` are those of its row; `reading` is None until then.

    It remembers what was made of it: the same one is looked at again whenever another picture of its game is read.
    """

    id: str
    digest: str
    created: datetime
    batch: str | None = None
    place: int = 0
    name: str = ""
    state: str = "done"
    reason: str | None = None
    reading: Reading | None = None
    scanned: datetime | None = None

    @cached_property
    def order(self) -> tuple[datetime, str, int, str]:
        """Where it stands among all pictures."""
        return (self.created, self.batch or "", self.place, self.id)

    @cached_property
    def key(self) -> str | None:
        """The key under which it is decided whose the picture is; None while it is not scanned.

        It holds what lies together in the picture: read differently later, it is another question.
        """
        if self.reading is None:
            return None
        return f"picture:{self.digest[:_KEY]}:{digest(self.reading.together)[:8]}"

    @cached_property
    def found(self) -> dict[tuple[Decision | None, frozenset[int]], PhotoOwnership]:
        """Whose it was found to be, by what says so: what was decided, and which of its labels the game has.

        For one thread at a time (`server.games.review.evidence.reconciliation_of`).
        """
        return {}


class CardSighting(NamedTuple):
    """A card in a picture, and whose it is there; None: nobody's yet."""

    card: str
    envelope: int | None
    place: PhotoPlace


@dataclass(frozen=True)
class PhotoOwnership:
    """What is known of a picture's owners: of each card in it, the envelopes named, and the one owner if there is one.

    `used` is False for a picture that was set aside.
    """

    picture: ReviewedPhoto
    sights: tuple[CardSighting, ...]
    envelopes: tuple[int, ...] = ()
    owner: int | None = None
    used: bool = True
    open: bool = False
    """Whether somebody still has to say whose it is."""

    @cached_property
    def laid(self) -> Sequence[tuple[tuple[str, int], PhotoPlace]]:
        """The cards in it that are somebody's: each with its envelope, and where it lies."""
        return [((sight.card, sight.envelope), sight.place) for sight in self.sights if sight.envelope is not None]

    @cached_property
    def loose(self) -> frozenset[str]:
        """The cards in it that are nobody's yet."""
        return frozenset(sight.card for sight in self.sights if sight.envelope is None)

    @cached_property
    def cards(self) -> frozenset[str]:
        """The cards in it."""
        return frozenset(sight.card for sight in self.sights)

    @cached_property
    def twice(self) -> Mapping[str, Sequence[PhotoPlace]]:
        """The cards that lie in it more than once, and where."""
        places: dict[str, list[PhotoPlace]] = {}
        for sight in self.sights:
            places.setdefault(sight.card, []).append(sight.place)
        return {card: where for card, where in places.items() if len(where) >= _SEVERAL}


def distinct(pictures: Iterable[ReviewedPhoto]) -> list[ReviewedPhoto]:
    """Return each picture once: the same file sent twice is one picture. In the order of their coming."""
    found: dict[str, ReviewedPhoto] = {}
    ordered = sorted(pictures, key=attrgetter("order"))
    for picture in ordered:
        first = found.setdefault(picture.digest, picture)
        # One that is scanned says more than one that waits.
        if first.reading is None and picture.reading is not None:
            found[picture.digest] = picture
    return [picture for picture in ordered if found[picture.digest] is picture]


def picture_choices(picture: ReviewedPhoto, envelopes: Collection[int]) -> tuple[IssueChoice, ...]:
    """Return what may be decided about whose a picture is."""
    reading = picture.reading
    if reading is None:
        return ()
    piles, labels = len(reading.piles), [label for label in reading.labels if label in envelopes]
    choices = [
        IssueChoice("assign", "All cards in the picture belong to one envelope.", ("envelope",)),
        IssueChoice("ignore", "The picture is not used: other pictures show what is in it."),
    ]
    if piles >= _SEVERAL:
        choices.insert(
            1, IssueChoice("split", "Each pile, from the left, belongs to an envelope.", ("envelopes",), piles=piles)
        )
    if not reading.seen and not reading.doubts:
        choices[0] = IssueChoice("empty", "The envelope was empty.", ("envelope",), envelopes=tuple(sorted(labels)))
    return tuple(choices)


def owned(picture: ReviewedPhoto, docket: IssueCollector, envelopes: Collection[int]) -> PhotoOwnership:
    """Return whose the cards of a scanned picture are, by its label or by an organiser's decision."""
    reading, key = picture.reading, picture.key
    if reading is None or key is None:
        return PhotoOwnership(picture, ())
    decision = docket.ruled(key, picture_choices(picture, envelopes)) if key in docket.rulings else None
    says = decision, frozenset(label for label in reading.labels if label in envelopes)
    if says not in picture.found:
        decided = None if decision is None else _decided(picture, reading, reading.piles, decision)
        picture.found[says] = decided or _labelled(picture, reading, reading.piles, says[1])
    return picture.found[says]


def _labelled(
    picture: ReviewedPhoto, reading: Reading, piles: Sequence[CardGroup], known: frozenset[int]
) -> PhotoOwnership:
    """Return whose the cards are by the picture's label; `known` are those of its labels that the game has."""
    if len(set(reading.labels)) > 1:
        return PhotoOwnership(picture, _sights(picture, reading, piles, [None] * len(piles)), open=True)
    label = next(iter(known), None)
    owners = [label if pile.label == label else None for pile in piles]
    parted = None in owners or label is None
    named = () if label is None else (label,)
    nothing = not reading.seen and not reading.doubts
    return PhotoOwnership(
        picture,
        _sights(picture, reading, piles, owners),
        named,
        None if parted else label,
        open=parted or nothing,
    )


def _decided(
    picture: ReviewedPhoto, reading: Reading, piles: Sequence[CardGroup], decision: Decision
) -> PhotoOwnership:
    if decision.do == "ignore":
        return PhotoOwnership(picture, _sights(picture, reading, piles, [None] * len(piles)), used=False)
    owners = list(decision.envelopes or [decision.envelope] * len(piles))
    named = sorted({owner for owner in (*owners, decision.envelope) if owner is not None})
    only = named[0] if len(named) == 1 and None not in owners else None
    return PhotoOwnership(picture, _sights(picture, reading, piles, owners), tuple(named), only)


def _sights(
    picture: ReviewedPhoto, reading: Reading, piles: Sequence[CardGroup], owners: Sequence[int | None]
) -> tuple[CardSighting, ...]:
    return tuple(
        CardSighting(reading.seen[at].card, owner, PhotoPlace(picture.id, reading.seen[at].outline))
        for pile, owner in zip(piles, owners, strict=True)
        for at in pile.cards
    )


def picture_item(
    found: PhotoOwnership,
    docket: IssueCollector,
    envelopes: Collection[int],
    settled: tuple[str, str],
    suggestions: Sequence[Suggestion],
) -> ReviewIssue | None:
    """Return the item about whose a picture is; None where its one label says it and nobody says otherwise.

    `settled` says what settled it, as a slug and in a sentence; both empty if nothing did.
    """
    picture, reading, key = found.picture, found.picture.reading, found.picture.key
    if reading is None or key is None:
        return None
    if found.owner is not None and not found.open and key not in docket.rulings:
        # As nearly all of them are.
        return None
    choices = picture_choices(picture, envelopes)
    labels = sorted(set(reading.labels))
    strange = [label for label in labels if label not in envelopes]
    nobody = tuple(sorted({sight.card for sight in found.sights if sight.envelope is None}))
    case = says = ""
    if not reading.seen and not reading.doubts:
        kind, case = IssueKind.NOTHING, "label" if labels else "no-label"
        whose = " and ".join(map(str, labels))
        text = (
            f"The picture shows the label of envelope {whose} and no card." if labels else "No card is in the picture."
        )
    elif len(labels) > 1:
        kind, text = IssueKind.TWO_LABELS, f"The picture shows the labels {', '.join(map(str, labels))}."
    elif not labels or strange or None in {pile.label for pile in reading.piles}:
        kind, case = IssueKind.NO_LABEL, "apart" if labels else "none"
        text = "The picture shows no label." if not labels else "Some cards lie apart from the label."
        if strange:
            case, says = "strange", str(strange[0])
            text = f"Its label names envelope {strange[0]}, which this game does not have."
    elif docket.ruled(key, choices) is not None:
        kind, text = IssueKind.ASSIGNED, "An organiser said whose this picture is."
    else:
        return None
    return ReviewIssue(
        key=key,
        kind=kind,
        text=text,
        choices=choices,
        envelopes=tuple(label for label in labels if label in envelopes),
        cards=nobody,
        places=tuple(sight.place for sight in found.sights if sight.envelope is None)
        or (PhotoPlace(picture.id, None),),
        settled=settled[1],
        case=case,
        says=says,
        settled_by=settled[0],
        suggestions=tuple(suggestions),
        order=picture.order,
    )
