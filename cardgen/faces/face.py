"""Faces as plain data, and colours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from reportlab.lib.colors import Color, HexColor

from cardgen.artwork.symbols import SYMBOLS, outlined

if TYPE_CHECKING:
    from cardgen.artwork.symbols import Path

Look = Literal["colour", "worded", "tarot", "token"]
"""The layout of a face; `cardgen.faces.draw.LOOKS` has the function for each."""


@dataclass(frozen=True)
class SecondLanguage:
    """The text of a face in a second language; fields as in Face."""

    name: str
    label: str
    text: str


@dataclass(frozen=True)
class Face:
    """The content of all cards of one kind.

    `name` is printed large, `label` is the kind in words ("Rule 7"), and `text` is the rule or the fact; a card without
    text has a large symbol instead. `number` is printed in the symbol. `ink` is "#RRGGBB", `symbol` a name from
    cardgen.artwork.symbols.SYMBOLS, and `mark` the edition's name. `second` is the text in a second language. `motif`
    is the drawing of a tarot card or a token, one of cardgen.artwork.tarot.MOTIFS. It has its own inks, so `ink` and
    `symbol` may be "". `outline` is the path data of a symbol that the edition brings.
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
    outline: str = ""

    def draw_symbol(self, path: Path, r: float) -> None:
        """Draw the symbol around (0, 0)."""
        if self.outline:
            outlined(path, self.outline, r)
        else:
            outlined(path, SYMBOLS[self.symbol], r, up=-1)


INK = HexColor("#20263a")
CREAM = HexColor("#fbf4e4")
GOLD = HexColor("#b98a2e")
WHITE = HexColor("#ffffff")


def mix(colour: Color, other: Color, share: float) -> Color:
    """Return a mix of two colours. Unlike transparency, it looks the same on all printers."""
    parts = ((a + (b - a) * share) for a, b in zip(colour.rgb(), other.rgb(), strict=True))
    return Color(*parts)


def lightness(colour: Color) -> float:
    """Return the luminance of a colour, 0 to 1."""
    red, green, blue = colour.rgb()
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)
