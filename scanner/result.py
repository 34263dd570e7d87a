"""What a scan found, as frozen values. Points are (x, y) in pixels of the upright picture, x to the right, y down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgen.cards import CardId

Grey = npt.NDArray[np.uint8]
"""A picture of shape (h, w): one byte a pixel, 0 is black."""

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
    """A code of a photograph and what it means for the game.

    `status` is `card` or `label` for a well signed code of this game, `forged` for one with this game's id but a
    wrong tag or a card that does not exist, `other-game` for our form with another id, `foreign` for any other
    text, and `unchecked` where no game was given. A join link is a label's code too. `envelope` is the number of a
    label, None for a join link of this game with a wrong signature. The text of an address is cut at the `#`, since a
    player's secret token may follow.
    """

    text: str
    quad: Corners
    card: CardId | None
    status: Status
    envelope: int | None = None


@dataclass(frozen=True)
class SeenCard:
    """A physical card in the picture: where it lies, and the positions of its one or two codes in `codes`.

    The outline goes round the card from its top-left corner; a card looks the same the other way up, so which
    of two opposite corners comes first means nothing.
    """

    card: CardId
    outline: Corners
    codes: tuple[int, ...]


@dataclass(frozen=True)
class Doubt:
    """A card, or else a place that looks like a code, of which nothing was read.

    `quad` is the card's outline, or the place of the code where nothing more is known. `reason` is `small` (too few
    pixels a module), `dim`, `blur` (out of focus), `motion`, `glare`, `pale` (weak print), `hidden` (something lies on
    its codes), `edge` (cut off by the picture's edge) or `unread` (none of these). `motion` is the direction in which
    the camera moved, where it did: in degrees from the right downwards, 0 to 180. `module` is the size of a module in
    pixels.
    """

    quad: Corners
    reason: str
    motion: float | None = None
    module: float = 0.0


@dataclass(frozen=True)
class CardPile:
    """Cards that lie together: their positions in `seen`, and the envelope whose label lies there, if one does."""

    label: int | None
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Hint:
    """A hint for people: a slug for programs, and an English sentence. Slugs are listed in `scanner.cards.hints`."""

    slug: str
    text: str


@dataclass(frozen=True)
class ScanResult:
    """All that a scan tells about one photograph of `width` x `height` pixels, upright.

    `seen` holds each physical card once and `cards` counts them by kind; a card that lies in the picture twice (a copy
    of the paper) is seen twice and counted once. `decks` says which cards lie together, from the left;
    `labels` holds the numbers of the envelopes whose label was read. `timings` gives the milliseconds of each step in
    the order they ran; `complete` is False when the time ran out before every step had its turn, and something
    that is suspected was not read, or was passed over, or when nothing at all was read of what is suspected.
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
        """How many different physical cards of each kind were seen, in order of kind."""
        counts: dict[str, int] = {}
        for card in sorted({seen.card for seen in self.seen}):
            counts[card.kind] = counts.get(card.kind, 0) + 1
        return counts

    @property
    def hints(self) -> tuple[str, ...]:
        """Sentences for people that help to make the next photograph better."""
        return tuple(advice.text for advice in self.advice)
