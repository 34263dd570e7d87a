"""The hand-out of an edition: its rules of play, with what an envelope of this game holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.handout import Handout, Section
from server.jobs.portions import portions

if TYPE_CHECKING:
    from server.editions import Edition

_BULLET = "\u2022 "


def handout_of(edition: Edition, envelopes: int) -> Handout:
    """Return what the hand-out says, in the edition's language; `envelopes` are those of the first print run.

    DealError if so many cannot be served.
    """
    start = "\n".join(_BULLET + line for line in _start(edition, envelopes))
    # What a rule decides is as secret as the rule.
    known = [tie.label for tie in edition.ties if tie.rule is None]
    ties = edition.phrases["handout_ties"].format(ties=", ".join(known)) if known else ""
    sections = (
        Section(one.heading, _paragraphs(one.text.replace("{start}", start).replace("{ties}", ties)))
        for one in edition.handout
    )
    return Handout(edition.title, edition.summary, tuple(sections))


def _start(edition: Edition, envelopes: int) -> list[str]:
    """Return what lies in each envelope, a line for each category."""
    shares = portions(edition, envelopes)
    lines = []
    for deal in edition.deal:
        kinds = {kind.slug for kind in edition.kinds if kind.category == deal.category}
        number = sum(share.each for share in shares if kinds.issuperset(share.kinds))
        if number:
            phrase = "handout_different" if deal.different else "handout_number"
            lines.append(edition.phrases[phrase].format(name=deal.name, number=number))
    return lines


def _paragraphs(text: str) -> tuple[str, ...]:
    """Return the lines of a text as printers set them: with real apostrophes."""
    return tuple(line.strip().replace("'", "\u2019") for line in text.splitlines() if line.strip())
