"""Immutable results of a scan. Points are (x, y) in pixels of the upright picture, x to the right, y down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgen.cards import CardId

Grey = npt.NDArray[np.uint8]
"""A grey image of shape (h, w): one byte per pixel, 0 is black."""

Quad = npt.NDArray[np.float64]
"""Four corners, shape (4, 2): top-left, top-right, bottom-right, bottom-left in the code's own orientation."""

Point = tuple[float, float]
Corners = tuple[Point, Point, Point, Point]
Status = Literal["card", "label", "other-game", "forged", "foreign", "unchecked"]


@dataclass(frozen=True, eq=False)
class Code:
    """A QR code that was read: its text and its four corners in pixels."""

    text: str
    quad: Quad


@dataclass(frozen=True)
class ScannedCode:
    """A code in a photograph and its meaning for the game.

    `status` is `card` or `label` for a correctly signed code of this game, `forged` for one with this game's id but a
    wrong tag or a card that does not exist, `other-game` for a Haggle code with another id, `foreign` for any other
    text, and `unchecked` if no game was given. A join link counts as a label. `envelope` is the number of a label,
    None for a join link of this game with a wrong signature. URLs are cut at the `#`, since a player's secret token
    may follow.
    """

    text: str
    quad: Corners
    card: CardId | None
    status: Status
    envelope: int | None = None


@dataclass(frozen=True)
class SeenCard:
    """A physical card in the picture: its outline, and the positions of its one or two codes in `codes`.

    The outline starts at the card's top-left corner. A card looks the same upside down, so either of two opposite
    corners may come first.
    """

    card: CardId
    outline: Corners
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Doubt:
    """A card that was not read, or a place that looks like an unread code.

    `quad` is the outline of the card, or of the code if the card's outline is unknown. `reason` is `small` (too few
    pixels per module), `dim`, `blur` (out of focus), `motion`, `glare`, `pale` (weak print), `hidden` (something
    covers its codes), `edge` (cut off by the picture's edge) or `unread` (none of these). `motion` is the direction of
    camera motion, if any, in degrees clockwise from the right, 0 to 180. `module` is the module size in pixels.
    """

    quad: Corners
    reason: str
    motion: float | None = None
    module: float = 0.0


@dataclass(frozen=True)
class CardPile:
    """Cards that lie together: their positions in `seen`, and the envelope number of a label among them, if any."""

    label: int | None
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Hint:
    """A hint for people: a slug for programs, and an English sentence. Slugs are listed in `scanner.cards.hints`."""

    slug: str
    text: str


@dataclass(frozen=True)
class ScanResult:
    """Result of scanning one photograph of `width` x `height` pixels, upright.

    `seen` holds each physical card once and `cards` counts them by kind; a card that is in the picture twice (a
    photocopy) is seen twice and counted once. `decks` lists groups of cards that lie together, from the left; `labels`
    holds the numbers of the envelopes whose label was read. `timings` gives the milliseconds of each step in the order
    they ran. `complete` is False if time ran out while suspected codes or cards were still unread, or if cards are
    suspected and no code at all was read.
    """

    width: int
    height: int
    codes: tuple[ScannedCode, ...]
    seen: tuple[SeenCard, ...] = ()
    labels: tuple[int, ...] = ()
    decks: tuple[CardPile, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    advice: tuple[Hint, ...] = ()
    timings: Mapping[str, float] = field(default_factory=dict, compare=False)
    complete: bool = True

    @property
    def cards(self) -> dict[str, int]:
        """Number of different physical cards of each kind, in order of kind."""
        counts: dict[str, int] = {}
        for card in sorted({seen.card for seen in self.seen}):
            counts[card.kind] = counts.get(card.kind, 0) + 1
        return counts

    @property
    def hints(self) -> tuple[str, ...]:
        """Advice for a better next photograph, as sentences."""
        return tuple(advice.text for advice in self.advice)
