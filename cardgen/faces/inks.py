"""The house's inks, and how colours are mixed."""

from __future__ import annotations

from reportlab.lib.colors import Color, HexColor

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
