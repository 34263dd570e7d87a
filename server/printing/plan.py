"""Print plans: all data of a print run, from the deal, the edition and the options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.documents.handout import Handout, HandoutSection
from cardgen.pages.paper import PaperError
from cardgen.print_run import PrintPlan
from server.editions import load_edition
from server.printing.card_faces import edition_back, edition_faces, edition_inks
from server.printing.contents import category_deals
from server.printing.options import DEFAULT_OPTIONS, OWNED

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from cardgen.cards import CardId, PrintedGame
    from server.printing.options import PrintOptions
    from server.scoring.edition import Edition


_BULLET = "\u2022 "
_ONE_STICKER = frozenset({"token"})
"""Categories with one sticker each. Cards need one at each end, so that one is visible in a fan."""


def plan(
    game: PrintedGame,
    edition: Edition,
    hands: Mapping[int, Sequence[CardId]],
    *,
    options: PrintOptions = DEFAULT_OPTIONS,
    faces: bool = True,
    labels: Sequence[int] = (),
    spare: Collection[int] = (),
    links: Mapping[int, str] | None = None,
    envelopes: int | None = None,
    deadline: datetime | None = None,
    name: str = "",
) -> PrintPlan:
    """Return the plan of a print run in the edition's language.

    Leave `faces` out for files without drawn cards. `envelopes` is the number in the game's first run, by default that
    of the players. `deadline` is local time, `name` the game's. PaperError, FaceError, DealError or EditionError if it
    cannot be printed.
    """
    second = options.second if options.second != edition.language else ""
    other = load_edition(edition.slug, second) if second else None
    return PrintPlan(
        game,
        edition.title,
        edition_faces(edition, other) if faces else {},
        hands,
        options.setup(),
        labels,
        links or {},
        edition.language,
        handout=handout_of(edition, envelopes or game.players, deadline),
        labels_on=options.labels_on(),
        stickers_on=options.stickers_on(),
        stuck=_stuck(options, edition),
        once=frozenset(kind.slug for kind in edition.kinds if kind.category in _ONE_STICKER),
        back=edition_back(edition),
        inks=edition_inks(edition),
        spare=spare,
        # The organiser's form suggests the edition's title.
        name="" if name == edition.title else name,
    )


def handout_of(edition: Edition, envelopes: int, deadline: datetime | None = None) -> Handout:
    """Return the hand-out in the edition's language; `envelopes` is the number in the first print run.

    DealError if there are not enough cards for that number.
    """
    start = "\n".join(_BULLET + line for line in _start(edition, envelopes))
    # Tie-breaks that a rule decides are as secret as the rule.
    known = [tie.label for tie in edition.ties if tie.rule is None]
    ties = edition.phrases["handout_ties"].format(ties=", ".join(known)) if known else ""
    sections = (
        HandoutSection(one.heading, _paragraphs(one.text.replace("{start}", start).replace("{ties}", ties)))
        for one in edition.handout
    )
    until = f"{deadline:{edition.phrases['date_time']}}" if deadline else ""
    return Handout(edition.title, edition.summary, tuple(sections), until)


def _start(edition: Edition, envelopes: int) -> list[str]:
    """Return the contents of each envelope, a line for each category."""
    deals = category_deals(edition, envelopes)
    lines = []
    for deal in edition.deal:
        kinds = {kind.slug for kind in edition.kinds if kind.category == deal.category}
        number = sum(dealt.each for dealt in deals if kinds.issuperset(dealt.kinds))
        if number:
            phrase = "handout_different" if deal.different else "handout_number"
            lines.append(edition.phrases[phrase].format(name=deal.name, number=number))
    return lines


def _paragraphs(text: str) -> tuple[str, ...]:
    """Return the lines of a text, with typographic apostrophes."""
    return tuple(line.strip().replace("'", "\u2019") for line in text.splitlines() if line.strip())


def _stuck(options: PrintOptions, edition: Edition) -> frozenset[str]:
    """Return the kinds that are stickers; PaperError for an unknown category or cards with text."""
    categories = dict.fromkeys(kind.category for kind in edition.kinds)
    worded = {kind.category for kind in edition.kinds if kind.text}
    wanted = set(options.stick)
    if OWNED in wanted:
        wanted |= categories.keys() - worded
    for category in options.stick:
        if category not in {OWNED, *categories}:
            known = ", ".join([OWNED, *(name for name in categories if name not in worded)])
            raise PaperError(f"{edition.slug} has no cards of {category!a:.40} for stickers: name some of {known}")
        if category in worded:
            raise PaperError(
                f"cards of '{category}' have words, for which a sticker has no room: choose others, or {OWNED} for all"
                " without words"
            )
    return frozenset(kind.slug for kind in edition.kinds if kind.category in wanted)
