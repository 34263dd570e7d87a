"""What is to be drawn for a print run, as plain data, from what is dealt and how somebody wants it on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardgen.paper import PaperError
from cardgen.printing import PrintRun
from server.editions import load_edition
from server.jobs.choices import OWNED, USUAL
from server.jobs.faces import edition_back, edition_faces, edition_inks
from server.jobs.handout import handout_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cardgen.cards import CardId, Game
    from server.editions import Edition
    from server.jobs.choices import Choices

_ONE_STICKER = frozenset({"token"})
"""Categories of round things, which take one sticker; a card takes one at each end, so that a fan shows one."""


def plan(
    game: Game,
    edition: Edition,
    hands: Mapping[int, Sequence[CardId]],
    *,
    choices: Choices = USUAL,
    faces: bool = True,
    labels: Sequence[int] = (),
    spare: Collection[int] = (),
    links: Mapping[int, str] | None = None,
    envelopes: int | None = None,
) -> PrintRun:
    """Return what is to be drawn, in the edition's language.

    Without `faces` it is for files on which no card is drawn; `envelopes` are those of the game's first run, else as
    many as there are players. PaperError, FaceError, DealError or EditionError if it cannot be.
    """
    second = choices.second if choices.second != edition.language else ""
    other = load_edition(edition.slug, second) if second else None
    return PrintRun(
        game,
        edition.title,
        edition_faces(edition, other) if faces else {},
        hands,
        choices.setup(),
        labels,
        links or {},
        edition.language,
        handout=handout_of(edition, envelopes or game.players),
        labels_on=choices.labels_on(),
        stickers_on=choices.stickers_on(),
        stuck=_stuck(choices, edition),
        once=frozenset(kind.slug for kind in edition.kinds if kind.category in _ONE_STICKER),
        back=edition_back(edition),
        inks=edition_inks(edition),
        spare=spare,
    )


def _stuck(choices: Choices, edition: Edition) -> frozenset[str]:
    """Return the kinds that come as stickers; PaperError for an unknown category or cards with words."""
    categories = dict.fromkeys(kind.category for kind in edition.kinds)
    worded = {kind.category for kind in edition.kinds if kind.text}
    wanted = set(choices.stick)
    if OWNED in wanted:
        wanted |= categories.keys() - worded
    for category in choices.stick:
        if category not in {OWNED, *categories}:
            known = ", ".join([OWNED, *(name for name in categories if name not in worded)])
            raise PaperError(f"{edition.slug} has no cards of {category!a:.40} for stickers: name some of {known}")
        if category in worded:
            raise PaperError(
                f"cards of '{category}' bear words, for which a sticker has no room: name others, or {OWNED} for all"
                " that bear none"
            )
    return frozenset(kind.slug for kind in edition.kinds if kind.category in wanted)
