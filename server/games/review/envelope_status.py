"""Which envelopes count: who handed in, who is late, who is missing, and whose list is unlike what was seen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from server.games.review.issues import IssueChoice, IssueKind, PhotoPlace, ReviewIssue, digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from server.games.review.card_ownership import Seen
    from server.games.review.issues import IssueCollector

_ABSENT = IssueChoice("absent", "The player did not hand in: the hand does not count.")
_EXPECTED = {
    "counted": "{} were counted by hand",
    "player": "its player counted {}",
    "dealt": "{} were dealt",
}
LATE_CHOICES = (
    IssueChoice("accept", "The hand counts."),
    IssueChoice("refuse", "The hand came too late and does not count."),
)


@dataclass(frozen=True)
class EnvelopeRecord:
    """An envelope: whether it was opened, and the list that its player handed in by phone, if so.

    `pictured` says that the list was handed in after the end, and that all its pictures had come before it but were not
    all read by then.
    """

    number: int
    opened: bool = True
    claim: tuple[str, ...] | None = None
    claimed: datetime | None = None
    pictured: bool = False
    counted: int | None = None
    """How many cards an organiser counted in it by hand."""
    claim_counted: int | None = None
    """How many cards its player counted by hand when confirming the list that was handed in."""
    dealt: int | None = None
    """How many cards were dealt into it, where the game expects that number of every envelope."""

    @property
    def expected(self) -> tuple[int | None, str]:
        """How many cards it should hold, and who says so: counted (an organiser), player or dealt."""
        known = ((self.counted, "counted"), (self.claim_counted, "player"), (self.dealt, "dealt"))
        return next(((number, by) for number, by in known if number is not None), (None, ""))


@dataclass
class EnvelopeStatus:
    """Whether an envelope counts; `why` as in `server.games.review.reconcile.Hand`."""

    why: str = ""
    late: bool = False
    received: datetime | None = None
    handed_in: datetime | None = None
    trusted: bool = False
    """Whether the player's own list stands for the envelope."""


@dataclass
class Statuses:
    """Where each envelope stands, and those whose cards are alive."""

    docket: IssueCollector
    seats: Mapping[int, EnvelopeRecord]
    holdings: dict[int, EnvelopeStatus] = field(default_factory=dict)
    live: set[int] = field(default_factory=set)

    def compare(self, lists: Mapping[int, frozenset[str]], seen: Mapping[int, frozenset[str]]) -> None:
        """Add an item for each hand that counts and is unlike the player's own list, or has not the expected number.

        `seen` are all cards seen in each envelope, also those that do not count. A list that is the hand card by card
        supports it against any number, unless its player counted more or fewer cards than it has.
        """
        for number, holding in self.holdings.items():
            seat = self.seats[number]
            if holding.why or holding.trusted:
                continue
            cards, there = lists.get(number, frozenset()), seen.get(number, frozenset())
            own = cards if seat.claim is None else frozenset(seat.claim)
            missing, extra = tuple(sorted(own - cards)), tuple(sorted(cards - own))
            supported = seat.claim is not None and own == cards and seat.claim_counted in {None, len(there)}
            expected, by = (None, "") if supported or not there else seat.expected
            if expected == len(there) or ((missing or extra) and expected == len(own)):
                expected, by = None, ""
            if not missing and not extra and expected is None:
                continue
            # Another hand, or another number, is another question.
            what = [missing, extra] if expected is None else [missing, extra, sorted(there), expected]
            key = f"count:{number}:{digest(str(what))[:8]}"
            choices = (IssueChoice("accept", "What was seen is right, and counts."),)
            self.docket.ruled(key, choices)
            told = [f"the player's own list has {len(own)}"] if missing or extra else []
            told += [] if expected is None else [_EXPECTED[by].format(expected)]
            text = f"Envelope {number}: {len(there)} cards were seen, {' and '.join(told)}."
            self.docket.add(
                ReviewIssue(
                    key,
                    IssueKind.COUNT,
                    text,
                    choices,
                    envelopes=(number,),
                    cards=(*missing, *extra),
                    missing=missing,
                    extra=extra,
                    case=by,
                    seen=len(there),
                    expected=expected,
                    order=(number,),
                )
            )


def close(
    seats: Mapping[int, EnvelopeRecord],
    shown: Mapping[int, Sequence[datetime]],
    seen: Seen,
    docket: IssueCollector,
    *,
    over: bool,
    ended: datetime | None,
) -> Statuses:
    """Return where each envelope stands. `shown` are those that organisers had in hand, with the times of pictures.

    A list that an organiser trusts joins `seen`.
    """
    closing = Statuses(docket, seats)
    for number, seat in sorted(seats.items()):
        holding = EnvelopeStatus(received=min(shown.get(number, ()), default=None))
        closing.holdings[number] = holding
        opened = seat.opened
        if number in shown and not opened:
            opened = _sealed(number, docket)
        if opened:
            closing.live.add(number)
        if number in shown:
            holding.why = "" if opened else "sealed"
        elif not opened:
            holding.why = "sealed"
        else:
            _not_seen(seat, holding, seen, docket, over=over)
        _late(seat, holding, docket, ended)
        holding.handed_in = seat.claimed or _by_envelope(holding.received, ended)
    return closing


def _by_envelope(received: datetime | None, ended: datetime | None) -> datetime | None:
    """Return when an envelope was given in, by its first picture.

    After the close pictures come in whatever order organisers take them: no player is earlier than another then.
    """
    return received if received is None or ended is None else min(received, ended)


def _sealed(number: int, docket: IssueCollector) -> bool:
    """Ask about an envelope that was seen and never opened; return whether it counts as opened."""
    key = f"sealed:{number}"
    choices = (
        IssueChoice("accept", "The envelope was given out: its hand counts, and its cards are alive."),
        IssueChoice("refuse", "The envelope was not given out: its hand does not count."),
    )
    decision = docket.ruled(key, choices)
    text = f"Envelope {number} was photographed, but never opened: nobody should have it."
    docket.add(ReviewIssue(key, IssueKind.SEALED, text, choices, envelopes=(number,), order=(number,)))
    return decision is not None and decision.do == "accept"


def _not_seen(seat: EnvelopeRecord, holding: EnvelopeStatus, seen: Seen, docket: IssueCollector, *, over: bool) -> None:
    """Ask about an open envelope that nobody has photographed, once the game is over."""
    number, holding.why = seat.number, "not-seen"
    claimed = seat.claim is not None
    key = f"unseen:{number}" if claimed else f"missing:{number}"
    trust = IssueChoice("trust", "The envelope is not to be had: the player's own list counts.")
    choices = (trust, _ABSENT) if claimed else (_ABSENT,)
    decision = docket.ruled(key, choices)
    if decision is not None and decision.do == "trust":
        holding.why, holding.trusted = "", True
        for card in seat.claim or ():
            seen.setdefault(card, {}).setdefault(number, []).append(PhotoPlace(None, None, "claim"))
    elif decision is not None:
        holding.why = "absent"
    if over or decision is not None:
        by_phone, case = ", and its player did not hand in by phone.", ""
        if seat.claimed is not None:
            case = "" if claimed else "no-list"
            by_phone = f", but its player handed in by phone{'' if claimed else ', without a list'}."
        text = f"Nobody has photographed envelope {number}{by_phone}"
        kind = IssueKind.UNSEEN if claimed else IssueKind.MISSING
        cards = seat.claim or ()
        docket.add(ReviewIssue(key, kind, text, choices, envelopes=(number,), cards=cards, case=case, order=(number,)))


def _late(seat: EnvelopeRecord, holding: EnvelopeStatus, docket: IssueCollector, ended: datetime | None) -> None:
    """Ask about a hand that came after the end, by phone. Organisers may call any other late, too."""
    number = seat.number
    key = f"late:{number}"
    after = ended is not None and seat.claimed is not None and seat.claimed >= ended
    if not after and (holding.why or key not in docket.rulings):
        return
    decision = docket.ruled(key, LATE_CHOICES)
    if not after and decision is None:
        return
    holding.late = True
    if decision is not None and decision.do == "refuse":
        holding.why = holding.why or "late-refused"
    text, case = f"Envelope {number} was handed in after the end.", ""
    if after and seat.pictured:
        # The player was in time, and could not hand in until the server had read them.
        text, case = f"{text[:-1]}. All its pictures had come before it, but were not all read by then.", "pictured"
    docket.add(ReviewIssue(key, IssueKind.LATE, text, LATE_CHOICES, envelopes=(number,), case=case, order=(number,)))
