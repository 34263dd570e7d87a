"""Issues for organisers to look at, the choices that each offers, and the decisions taken.

`docs/organisers.md` explains every kind.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Self

from server.games.review.issue_keys import is_obsolete, short_digest

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from server.games.photos.readings import Quad

ANY_ENVELOPE: tuple[int, ...] = ()
"""Envelopes of a choice that takes any envelope of the game."""

PlaceEvidence = Literal["seen", "label", "code", "doubt", "by-hand", "claim"]
"""The evidence for a card at a place. `claim`: the player's hand-in lists it."""
SuggestionReason = Literal["list", "deck", "between", "before", "after"]


class IssueKind(StrEnum):
    """Subject of an issue. The order of the kinds is the order in which organisers work fastest."""

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
    """Nothing doubtful: an organiser assigned a photograph to an envelope."""
    BY_HAND = "by-hand"
    """Nothing doubtful: an organiser added or removed a card."""


class IssueStatus(StrEnum):
    """State of an issue."""

    OPEN = "open"
    DECIDED = "ruled"
    """An organiser has decided."""
    SETTLED = "settled"
    """Other evidence settled it, such as a later photograph; `ReviewIssue.settled` names it."""


@dataclass(frozen=True)
class PhotoPlace:
    """A place in a photograph where something was seen. Without a photograph, it was entered by hand or handed in."""

    photo: str | None
    quad: Quad | None
    how: PlaceEvidence = "seen"


@dataclass(frozen=True)
class Decision:
    """A decision on an issue: `do` names one of its choices, the rest is what that choice needs."""

    do: str
    envelope: int | None = None
    envelopes: tuple[int | None, ...] | None = None
    card: str | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the decision in its stored form."""
        return {name: value for name, value in vars(self).items() if value is not None}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> Self:
        """Return a decision from its stored form."""
        several = None if document.get("envelopes") is None else tuple(document["envelopes"])
        return cls(document["do"], document.get("envelope"), several, document.get("card"))


@dataclass(frozen=True)
class DecisionRecord:
    """A decision with its reason, the organiser who took it, and the time."""

    decision: Decision
    reason: str
    who: str
    at: datetime


@dataclass(frozen=True)
class IssueChoice:
    """A possible decision.

    `needs` and `may` name the fields that the decision must and can have besides `do`: envelope, envelopes, card.
    `envelopes` are the envelopes that it may name; `piles` is the number of `envelopes` that it must name, and `labels`
    are the envelopes on the labels of these piles.
    """

    do: str
    text: str
    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()
    envelopes: tuple[int, ...] = ANY_ENVELOPE
    piles: int = 0
    labels: tuple[int | None, ...] = ()


@dataclass(frozen=True)
class Suggestion:
    """An envelope that a photograph may belong to, and why. It has no effect until an organiser decides."""

    envelope: int
    why: str
    how: SuggestionReason
    shared: int = 0
    """Number of cards in the photograph that the player's hand-in lists."""
    photographed: bool = False
    """Whether another photograph belongs to the envelope."""


@dataclass(frozen=True)
class ReviewIssue:
    """One thing to look at. Its `key` is one of `issue_keys`."""

    key: str
    kind: IssueKind
    text: str
    choices: tuple[IssueChoice, ...]
    status: IssueStatus = IssueStatus.OPEN
    envelopes: tuple[int, ...] = ()
    cards: tuple[str, ...] = ()
    places: tuple[PhotoPlace, ...] = ()
    missing: tuple[str, ...] = ()
    """Cards that the player's hand-in lists and nobody has seen."""
    extra: tuple[str, ...] = ()
    """Cards that were seen and that the player's hand-in does not list."""
    suggestions: tuple[Suggestion, ...] = ()
    settled: str = ""
    case: str = ""
    """Slug of the case within its kind, for programs with their own wordings."""
    says: str = ""
    """Text of a foreign code, or the number on a label of no envelope of the game."""
    seen: int | None = None
    """Number of cards seen in the envelope, where another number was expected."""
    expected: int | None = None
    """Number of cards expected in the envelope, where another number was seen."""
    settled_by: str = ""
    """Slug of the evidence that settled it."""
    record: DecisionRecord | None = None
    """The decision that is in effect."""
    order: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def revision(self) -> str:
        """A text that changes whenever the issue or the decision on it changes."""
        record = self.record and [self.record.decision.as_json(), self.record.reason, self.record.who]
        content = [self.key, self.kind, self.status, self.envelopes, self.cards, self.missing, self.extra, record]
        places = sorted([place.photo or "", place.how] for place in self.places)
        return short_digest(json.dumps([*content, places]))


class IssueCollector:
    """The issues found so far, and the decisions that had an effect on them."""

    def __init__(
        self, records: Mapping[str, DecisionRecord], envelopes: Sequence[int], cards: Mapping[str, int]
    ) -> None:
        self.records = records
        self._envelopes = envelopes
        self._cards = cards
        self._effective: set[str] = set()
        self._issues: dict[str, ReviewIssue] = {}

    def apply_decision(self, key: str, choices: Sequence[IssueChoice]) -> Decision | None:
        """Return the decision on an issue and count it as effective; None unless it is still one of the choices."""
        record = self.records.get(key)
        if record is None or decision_error(record.decision, choices, self._envelopes, self._cards):
            return None
        self._effective.add(key)
        return record.decision

    def add(self, issue: ReviewIssue) -> None:
        """Add an issue, with its status."""
        if issue.key in self._effective:
            issue = replace(issue, status=IssueStatus.DECIDED, record=self.records[issue.key])
        elif issue.settled:
            issue = replace(issue, status=IssueStatus.SETTLED)
        self._issues[issue.key] = issue

    def issues(self) -> tuple[ReviewIssue, ...]:
        """Return all issues, those that settle others first, then in the order of the photographs."""
        kinds = {kind: index for index, kind in enumerate(IssueKind)}
        return tuple(sorted(self._issues.values(), key=lambda issue: (kinds[issue.kind], issue.order, issue.key)))

    def without_effect(self) -> tuple[str, ...]:
        """Return the keys of the decisions that had no effect: their issue no longer exists."""
        lost = self.records.keys() - self._effective
        return tuple(sorted(key for key in lost if not is_obsolete(key)))


def decision_error(
    decision: Decision, choices: Sequence[IssueChoice], envelopes: Iterable[int], cards: Mapping[str, int]
) -> str | None:
    """Return a sentence on why a decision is not possible, or None. The game has these envelopes and cards."""
    choice = next((choice for choice in choices if choice.do == decision.do), None)
    if choice is None:
        return f"Possible decisions here: {', '.join(choice.do for choice in choices) or 'none'}."
    return next(_decision_errors(decision, choice, set(choice.envelopes or envelopes), cards), None)


def _decision_errors(
    decision: Decision, choice: IssueChoice, envelopes: Collection[int], cards: Mapping[str, int]
) -> Iterator[str]:
    given = decision.as_json().keys() - {"do"}
    for name in choice.needs:
        if name not in given:
            yield f"Say which {name} with {choice.do}."
    for name in sorted(given - {*choice.needs, *choice.may}):
        yield f"{choice.do} takes no {name}."
    for number in (decision.envelope, *(decision.envelopes or ())):
        if number is not None and number not in envelopes:
            yield f"Envelope {number} cannot be named here."
    if decision.envelopes is not None and len(decision.envelopes) != choice.piles:
        yield f"There are {choice.piles} piles in the picture: name an envelope (or none) for each, from the left."
    if decision.card is not None and decision.card not in cards:
        yield f"Card {decision.card} was not printed for this game."
