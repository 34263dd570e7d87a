"""What an organiser has to look at: the items of the queue, what may be decided on each, and what was decided.

`docs/organisers.md` explains every kind.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from server.games.photos.readings import Quad


ANY: tuple[int, ...] = ()
"""A choice that takes an envelope takes any of the game's, unless it names some."""

_LONGEST_NUMBER = 9


class IssueKind(StrEnum):
    """What an item is about, in the order in which organisers settle fastest."""

    FAILED = "failed"
    TWO_LABELS = "two-labels"
    NO_LABEL = "no-label"
    NOTHING = "nothing"
    SEALED = "sealed"
    DOUBT = "doubt"
    INCOMPLETE = "incomplete"
    TWO_DECKS = "two-decks"
    DEAD = "dead"
    COPY = "copy"
    FORGED = "forged"
    OTHER_GAME = "other-game"
    FOREIGN = "foreign"
    LATE = "late"
    UNSEEN = "unseen"
    COUNT = "count"
    MISSING = "missing"
    ASSIGNED = "assigned"
    """Not a doubt: an organiser said whose a picture is."""
    BY_HAND = "by-hand"
    """Not a doubt: an organiser added or removed a card."""


class IssueStatus(StrEnum):
    """Where an item stands."""

    OPEN = "open"
    RULED = "ruled"
    """An organiser has decided."""
    SETTLED = "settled"
    """Something else settled it, such as a later picture; `Item.settled` says what."""


@dataclass(frozen=True)
class PhotoPlace:
    """Where something was seen: a picture and a place in it; no picture for what was entered by hand or claimed."""

    photo: str | None
    quad: Quad | None
    how: str = "seen"
    """seen, label, code, doubt, by-hand or claim."""


@dataclass(frozen=True)
class Decision:
    """What was decided: `do` is one of the item's choices; the rest is what that choice takes."""

    do: str
    envelope: int | None = None
    envelopes: tuple[int | None, ...] | None = None
    card: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the decision as it is kept."""
        found = {"do": self.do, "envelope": self.envelope, "envelopes": self.envelopes, "card": self.card}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in found.items()
            if value is not None
        }


def decision_of(document: Mapping[str, Any]) -> Decision:
    """Return the decision that was kept."""
    several = document.get("envelopes")
    return Decision(
        document["do"],
        document.get("envelope"),
        None if several is None else tuple(several),
        document.get("card"),
    )


@dataclass(frozen=True)
class TakenDecision:
    """A decision with who took it, when and why."""

    decision: Decision
    reason: str
    who: str
    at: datetime


@dataclass(frozen=True)
class IssueChoice:
    """What may be decided.

    `needs` and `may` name what the decision has to and can say besides: envelope, envelopes, card. `envelopes` are
    those that it may name (ANY: all); `piles` is how many `envelopes` it has to name.
    """

    do: str
    text: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    envelopes: tuple[int, ...] = ANY
    piles: int = 0


@dataclass(frozen=True)
class Suggestion:
    """Whose a picture may be, and why. Nothing comes of it until an organiser says so."""

    envelope: int
    why: str
    how: str = ""
    """Which reason it is, for those who say it in other words: list, deck, between, before or after."""
    shared: int = 0
    """How many cards of the picture are on the player's own list."""


@dataclass(frozen=True)
class ReviewIssue:
    """One thing to look at. `key` is the same for the same finding, in whatever order pictures come."""

    key: str
    kind: IssueKind
    text: str
    choices: tuple[IssueChoice, ...]
    standing: IssueStatus = IssueStatus.OPEN
    envelopes: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    places: tuple[PhotoPlace, ...] = ()
    missing: tuple[str, ...] = ()
    """Cards of the player's own list that were not seen."""
    extra: tuple[str, ...] = ()
    """Cards that were seen and are not in the player's own list."""
    suggestions: tuple[Suggestion, ...] = ()
    settled: str = ""
    case: str = ""
    """The case of its kind, for programs that say it in words of their own."""
    says: str = ""
    """What a strange code says, or the number on a strange label."""
    seen: int | None = None
    """How many cards were seen in the envelope, where it should be another number."""
    expected: int | None = None
    """How many cards should lie in the envelope, where another number was seen."""
    settled_by: str = ""
    """A slug of what settled it."""
    ruling: TakenDecision | None = None
    order: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def revision(self) -> str:
        """A text that changes whenever the item, or what was decided on it, does."""
        ruling = self.ruling and [self.ruling.decision.as_json(), self.ruling.reason, self.ruling.who]
        what = [self.key, self.kind, self.standing, self.envelopes, self.cards, self.missing, self.extra, ruling]
        places = sorted([place.photo or "", place.how] for place in self.places)
        return digest(json.dumps([*what, places]))


def envelope_in(text: str) -> int | None:
    """Return the number of an envelope that is part of a key, None for what is none."""
    # A number of thousands of digits is more than Python reads.
    return int(text) if text.isdecimal() and len(text) <= _LONGEST_NUMBER else None


def digest(text: str) -> str:
    """Return a short digest for keys."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def mistake_in(
    decision: Decision, choices: Sequence[IssueChoice], envelopes: Iterable[int], cards: Mapping[str, int]
) -> str | None:
    """Say in a sentence why this cannot be decided; None if it can. The game has these envelopes and cards."""
    choice = next((choice for choice in choices if choice.do == decision.do), None)
    if choice is None:
        return f"Here one of these is decided: {', '.join(choice.do for choice in choices) or 'nothing'}."
    return next(_mistakes(decision, choice, set(choice.envelopes or envelopes), cards), None)


def _mistakes(
    decision: Decision, choice: IssueChoice, envelopes: Collection[int], cards: Mapping[str, int]
) -> Iterator[str]:
    said = decision.as_json().keys() - {"do"}
    for name in choice.needs:
        if name not in said:
            yield f"Say which {name} with {choice.do}."
    for name in sorted(said - {*choice.needs, *choice.may}):
        yield f"With {choice.do} no {name} is said."
    for number in (decision.envelope, *(decision.envelopes or ())):
        if number is not None and number not in envelopes:
            yield f"Envelope {number} cannot be named here."
    if decision.envelopes is not None and len(decision.envelopes) != choice.piles:
        yield f"There are {choice.piles} piles in the picture: name an envelope (or none) for each, from the left."
    if decision.card is not None and decision.card not in cards:
        yield f"Card {decision.card} was not printed for this game."


# Earlier versions asked about strange codes and unreadable pictures. Nothing followed from the decisions.
_NOT_ASKED = ("code:", "failed:")


class IssueCollector:
    """The items found so far, and the rulings that had an effect."""

    def __init__(
        self, rulings: Mapping[str, TakenDecision], envelopes: Sequence[int], cards: Mapping[str, int]
    ) -> None:
        self.rulings = rulings
        self._envelopes = envelopes
        self._cards = cards
        self._effective: set[str] = set()
        self._items: dict[str, ReviewIssue] = {}

    def ruled(self, key: str, choices: Sequence[IssueChoice]) -> Decision | None:
        """Return what was decided on an item, if that is (still) one of the choices. It counts as effective then."""
        ruling = self.rulings.get(key)
        if ruling is None or mistake_in(ruling.decision, choices, self._envelopes, self._cards):
            return None
        self._effective.add(key)
        return ruling.decision

    def add(self, item: ReviewIssue) -> None:
        """Keep an item; an effective ruling shows in it, and else what settled it."""
        if item.key in self._effective:
            item = replace(item, standing=IssueStatus.RULED, ruling=self.rulings[item.key])
        elif item.settled:
            item = replace(item, standing=IssueStatus.SETTLED)
        self._items[item.key] = item

    def items(self) -> tuple[ReviewIssue, ...]:
        """Return all items, those that settle others first, then as the pictures came."""
        kinds = {kind: place for place, kind in enumerate(IssueKind)}
        return tuple(sorted(self._items.values(), key=lambda item: (kinds[item.kind], item.order, item.key)))

    def without_effect(self) -> tuple[str, ...]:
        """Return the keys of the rulings that had no effect: what they were about is no more."""
        lost = self.rulings.keys() - self._effective
        return tuple(sorted(key for key in lost if not key.startswith(_NOT_ASKED)))
