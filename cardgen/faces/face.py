"""What all cards of one kind show, as plain data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from reportlab.lib.colors import Color, HexColor

Look = Literal["colour", "worded", "tarot", "token"]
"""How a face is laid out; `draw` has the drawing of each."""


@dataclass(frozen=True)
class SecondLanguage:
    """A face's words in a second language; each as in Face."""

    name: str
    label: str
    text: str


@dataclass(frozen=True)
class Face:
    """What all cards of one kind show. Plain data, in the words and colours of whoever asks for the cards.

    `name` is printed large, `label` says the kind in words ("Rule 7"), `text` is the rule or the fact; a card without
    a text shows its symbol large instead. `number` stands in the symbol where there is one. `ink` is "#RRGGBB",
    `symbol` a name from art.SYMBOLS, and `mark` the edition's name. `look` says how it is laid out. `second` repeats
    the words in another language, where two stand on a card. `motif` names the drawing of a tarot card or a token, one
    of cardgen.artwork.tarot.MOTIFS, which brings its own inks: `ink` and `symbol` may then be "".
    """

    kind: str
    name: str
    label: str
    text: str
    ink: str
    symbol: str
    mark: str
    number: int | None = None
    look: Look = "worded"
    second: SecondLanguage | None = None
    motif: str = ""


INK = HexColor("#20263a")
CREAM = HexColor("#fbf4e4")
GOLD = HexColor("#b98a2e")
WHITE = HexColor("#ffffff")


def mix(colour: Color, other: Color, share: float) -> Color:
    """Return `colour` with a share of `other` in it; flat colours print the same everywhere, transparency does not."""
    parts = ((a + (b - a) * share) for a, b in zip(colour.rgb(), other.rgb(), strict=True))
    return Color(*parts)


def lightness(colour: Color) -> float:
    """Return how light a colour looks, 0 to 1, by the usual weights of red, green and blue."""
    red, green, blue = colour.rgb()
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
