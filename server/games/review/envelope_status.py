"""Status of each envelope: whether its hand counts, was late or is missing, and differs from what was expected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from server.games.review.issue_keys import count_key, late_key, missing_key, sealed_key
from server.games.review.issues import IssueChoice, IssueKind, ReviewIssue

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from server.games.review.issues import IssueCollector

LATE_CHOICES = (
    IssueChoice("accept", "The deck counts."),
    IssueChoice("refuse", "The deck came too late and does not count."),
)
_SEALED_CHOICES = (
    IssueChoice("accept", "The envelope was given out: the deck and its cards count."),
    IssueChoice("refuse", "The envelope was not given out: the deck does not count."),
)
PLAYERS_LIST = IssueChoice("list", "The player's list counts: each card that differs is entered by hand.")
"""Choice that is carried out as entries by hand, and not stored itself: with them the issue is gone."""
_COUNT_CHOICES = (IssueChoice("accept", "The pictures count, not the player's list."),)
_TRUST = IssueChoice("trust", "The envelope is lost: the player's list counts.")
_ABSENT = IssueChoice("absent", "The player did not hand in: the deck does not count.")
_EXPECTED = {
    "counted": "{} were counted by hand",
    "player": "its player counted {}",
    "dealt": "{} were dealt",
}


@dataclass(frozen=True)
class EnvelopeRecord:
    """An envelope as the database has it."""

    number: int
    opened: bool = True
    hand_in: tuple[str, ...] | None = None
    """The cards that its player listed when handing in by phone."""
    handed_in: datetime | None = None
    """When its player handed in by phone."""
    late_due_to_scanning: bool = False
    """Whether the hand-in came after the end only because its photographs, all sent before, were not all read yet."""
    counted: int | None = None
    """Number of cards that an organiser counted by hand."""
    hand_in_count: int | None = None
    """Number of cards that its player counted by hand when confirming the hand-in."""
    dealt: int | None = None
    """Number of cards dealt into it, where the game expects that number of every envelope."""
    confirmed: tuple[frozenset[str], ...] = ()
    """The decks that its player confirmed, while none is handed in."""

    @property
    def expected(self) -> tuple[int | None, str]:
        """Number of cards it should hold, and by whom: counted (an organiser), player or dealt."""
        known = ((self.counted, "counted"), (self.hand_in_count, "player"), (self.dealt, "dealt"))
        return next(((number, by) for number, by in known if number is not None), (None, ""))


@dataclass
class EnvelopeStatus:
    """Status of an envelope; `exclusion` as in `server.games.review.reconcile.EnvelopeHand`."""

    opened: bool
    """Whether it was opened, or an organiser decided that it was: its cards are alive."""
    exclusion: str = ""
    late: bool = False
    received: datetime | None = None
    handed_in: datetime | None = None
    trusted: bool = False
    """Whether the player's hand-in counts without a photograph."""


def envelope_statuses(
    envelopes: Mapping[int, EnvelopeRecord],
    received: Mapping[int, Sequence[datetime]],
    issues: IssueCollector,
    *,
    is_over: bool,
    closed_at: datetime | None,
) -> dict[int, EnvelopeStatus]:
    """Return the status of each envelope. `received` has the envelopes that organisers had in hand, with the times."""
    statuses = {}
    for number, envelope in sorted(envelopes.items()):
        opened = envelope.opened or (number in received and _accepted_though_sealed(number, issues))
        status = EnvelopeStatus(opened, received=min(received.get(number, ()), default=None))
        if not opened:
            status.exclusion = "sealed"
        elif number not in received:
            _check_missing(envelope, status, issues, is_over=is_over)
        _check_late(envelope, status, issues, closed_at)
        status.handed_in = envelope.handed_in or _handed_in(status.received, closed_at)
        statuses[number] = status
    return statuses


def _handed_in(received: datetime | None, closed_at: datetime | None) -> datetime | None:
    """Return when an envelope counts as handed in on paper.

    Organisers photograph envelopes in any order after the close, so then no player is earlier than another.
    """
    return received if received is None or closed_at is None else min(received, closed_at)


def _accepted_though_sealed(number: int, issues: IssueCollector) -> bool:
    """Ask about an envelope that was seen and never opened; return whether it counts as opened."""
    key = sealed_key(number)
    decision = issues.apply_decision(key, _SEALED_CHOICES)
    text = f"Envelope {number} was photographed, but never opened: nobody should have it."
    issues.add(ReviewIssue(key, IssueKind.SEALED, text, _SEALED_CHOICES, envelopes=(number,), order=(number,)))
    return decision is not None and decision.do == "accept"


def _check_missing(envelope: EnvelopeRecord, status: EnvelopeStatus, issues: IssueCollector, *, is_over: bool) -> None:
    """Exclude an opened envelope that organisers have not seen, and ask about it once the game is over."""
    number, listed = envelope.number, envelope.hand_in is not None
    kind, choices = (IssueKind.UNSEEN, (_TRUST, _ABSENT)) if listed else (IssueKind.MISSING, (_ABSENT,))
    key = missing_key(number, listed=listed)
    decision = issues.apply_decision(key, choices)
    status.trusted = decision is not None and decision.do == "trust"
    if not status.trusted:
        status.exclusion = "not-seen" if decision is None else "absent"
    if not is_over and decision is None:
        return
    by_phone, case = ", and its player did not hand in by phone.", ""
    if envelope.handed_in is not None:
        case = "" if listed else "no-list"
        by_phone = f", but its player handed in by phone{'' if listed else ', without a list'}."
    text = f"Nobody has photographed envelope {number}{by_phone}"
    cards = envelope.hand_in or ()
    issues.add(ReviewIssue(key, kind, text, choices, envelopes=(number,), cards=cards, case=case, order=(number,)))


def _check_late(
    envelope: EnvelopeRecord, status: EnvelopeStatus, issues: IssueCollector, closed_at: datetime | None
) -> None:
    """Ask about a hand-in by phone after the end. Organisers may decide that any other hand is late, too."""
    number = envelope.number
    key = late_key(number)
    after = closed_at is not None and envelope.handed_in is not None and envelope.handed_in >= closed_at
    if not after and (status.exclusion or key not in issues.records):
        return
    decision = issues.apply_decision(key, LATE_CHOICES)
    if not after and decision is None:
        return
    status.late = True
    if decision is not None and decision.do == "refuse":
        status.exclusion = status.exclusion or "late-refused"
    text, case = f"Envelope {number} was handed in after the end.", ""
    if after and envelope.late_due_to_scanning:
        text, case = f"{text[:-1]}. All its pictures had arrived before then, but not all had been read.", "pictured"
    issues.add(ReviewIssue(key, IssueKind.LATE, text, LATE_CHOICES, envelopes=(number,), case=case, order=(number,)))


def compare_with_expected(
    envelopes: Mapping[int, EnvelopeRecord],
    statuses: Mapping[int, EnvelopeStatus],
    cards: Mapping[int, frozenset[str]],
    contents: Mapping[int, frozenset[str]],
    issues: IssueCollector,
) -> None:
    """Add an issue for each hand that counts and differs from its player's hand-in, or from the expected number.

    `cards` are those of each deck, `contents` all that were seen in each envelope, counting or not. A hand-in that
    lists exactly the deck outweighs any number, unless its player counted more or fewer cards than it lists.
    """
    for number, status in statuses.items():
        if status.exclusion or status.trusted:
            continue
        envelope = envelopes[number]
        deck, seen = cards.get(number, frozenset()), contents.get(number, frozenset())
        listed = deck if envelope.hand_in is None else frozenset(envelope.hand_in)
        missing, extra = tuple(sorted(listed - deck)), tuple(sorted(deck - listed))
        confirmed = envelope.hand_in is not None and listed == deck and envelope.hand_in_count in {None, len(seen)}
        expected, by = (None, "") if confirmed or not seen else envelope.expected
        if expected == len(seen) or ((missing or extra) and expected == len(listed)):
            expected, by = None, ""
        if not missing and not extra and expected is None:
            continue
        # The key covers the cards and the number: if they change, it is another question.
        content = [missing, extra] if expected is None else [missing, extra, sorted(seen), expected]
        key = count_key(number, str(content))
        issues.apply_decision(key, _COUNT_CHOICES)
        other = [f"the player's own list has {len(listed)}"] if missing or extra else []
        other += [] if expected is None else [_EXPECTED[by].format(expected)]
        issues.add(
            ReviewIssue(
                key,
                IssueKind.COUNT,
                f"Envelope {number}: {len(seen)} cards were seen, {' and '.join(other)}.",
                (PLAYERS_LIST, *_COUNT_CHOICES) if missing or extra else _COUNT_CHOICES,
                envelopes=(number,),
                cards=(*missing, *extra),
                missing=missing,
                extra=extra,
                case=by,
                seen=len(seen),
                expected=expected,
                order=(number,),
            )
        )
