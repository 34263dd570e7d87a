"""Video frames of a deck, for tests and measurements of the live viewfinder's decoder."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from devtools.photo_simulator.cards import practice_game, printed_faces
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from server.printing.contents import dealt_cards

if TYPE_CHECKING:
    from collections.abc import Sequence

    from devtools.photo_simulator.cards import PrintedFace
    from devtools.photo_simulator.photograph import Photograph

SIZES = ((1280, 720), (1920, 1080))
"""Video resolutions of phones in pixels."""
COUNTS = (1, 2, 4, 6, 9, 12)
"""Numbers of cards in a frame; with more, modules are too small for a video camera."""

_NOMINAL = SCENES["nominal"].profile
PROFILES = {
    "nominal": _NOMINAL,
    "tilt": SCENES["tilt"].profile,
    "soft": replace(_NOMINAL, defocus=0.6),
    "motion": replace(_NOMINAL, motion=1.6),
    "dim": SCENES["dim"].profile,
}
"""The conditions by name; in all but the first a reader may miss codes."""


_PLAYERS = 4
_DPI = 200


@dataclass(frozen=True)
class Frame:
    """A frame: condition, size, number of cards, and number of the deck."""

    condition: str
    width: int
    height: int
    cards: int
    deck: int = 0

    @property
    def name(self) -> str:
        """A readable name, which is also the seed."""
        return f"{self.condition}, {self.cards} cards, {self.width} x {self.height}, deck {self.deck}"

    def take(self, faces: Sequence[PrintedFace]) -> Photograph:
        """Render the frame with the first of the faces, of which the frame's number of cards is needed."""
        scene = replace(SCENES["nominal"], profile=PROFILES[self.condition], width=self.width, height=self.height)
        return photograph(faces[: self.cards], scene, f"frame/{self.name}")


def deck_faces(deck: int = 0) -> list[PrintedFace]:
    """Return the faces of the largest number of cards in a frame, of all kinds and always the same."""
    game = practice_game("eurocg-2026", _PLAYERS, f"frames/{deck}")
    cards = dealt_cards(game)
    return printed_faces(game, cards[:: len(cards) // max(COUNTS)][: max(COUNTS)], _DPI)


def frames(
    conditions: Sequence[str] = tuple(PROFILES), counts: Sequence[int] = COUNTS, decks: Sequence[int] = (0,)
) -> list[Frame]:
    """Return the frames of some conditions, numbers of cards and decks, in every size."""
    return [
        Frame(condition, width, height, count, deck)
        for condition in conditions
        for width, height in SIZES
        for count in counts
        for deck in decks
    ]
