"""Conditions of simulated photos. Lengths are in millimetres on the table unless stated otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from cardgen.cards import POKER, Geometry

Layout = Literal["grid", "scatter", "overlap", "fan", "hand", "piles", "page"]
Texture = Literal["wood", "cloth", "paper", "dark", "checkered", "newspaper", "print"]
Medium = Literal["camera", "flatbed", "screen", "screenshot"]


@dataclass(frozen=True)
class Profile:
    """A profile: cards on the table, light, hand, lens and sensor.

    Blur is given in modules of the code, since that is what decides whether it can be read: `defocus` is the radius of
    a disc, `motion` the length of a stroke, which `shake` curves (0 is straight, 1 as bad as a hand does it).
    `lens` is the blur of a sharp picture, sigma in pixels of a 12 megapixel sensor.
    """

    layout: Layout = "grid"
    textures: tuple[Texture, ...] = ("wood", "cloth", "paper", "dark")
    gap: float = 7.0
    turn: float = 4.0
    """Largest turn of a card against its row, in degrees."""
    decks: int = 1
    """Number of separate groups of cards."""
    tilt: tuple[float, float] = (2.0, 12.0)
    """Range of the camera's angle away from straight above, in degrees."""
    fill: float = 0.86
    """Share of the picture's width or height that the cards take; beyond 1 some are cut off."""
    module: tuple[float, float] | None = None
    """Range of the pixels a module in the middle of the picture, as long as the cards then take no more than `fill`."""
    curl: tuple[float, float] | None = None
    """Range of the radius to which cards are bent, or None for flat ones."""
    fingers: int = 0
    pens: int = 0
    coins: int = 0
    sleeved: bool = False
    """Cards are in glossy sleeves, and most reflect something bright."""
    ink: float = 1.0
    """Contrast of the print: 1 is a good printer, 0 a blank card."""
    banding: float = 0.0
    """Share of the print that is missing in streaks, from 0 to 1."""
    light: float = 0.95
    """Brightness of the table's brightest part in the picture; 1 is the maximum."""
    unevenness: float = 0.3
    """Difference of light between the darkest and the brightest part of the table."""
    vignette: float = 0.3
    cast: float = 0.05
    """Largest gain or loss of red against blue."""
    shadows: int = 0
    """Number of hard shadows across the cards, such as of the phone."""
    glare: int = 0
    """Number of lamps reflected by cards."""
    lens: float = 0.55
    aperture: float = 2.0
    """Aperture of the lens in millimetres: parts nearer or further than the middle get out of focus."""
    defocus: float = 0.0
    motion: float = 0.0
    shake: float = 0.0
    iso: float = 100.0
    """The sensor's gain: pixels of 12 megapixel sensors hold 5000 electrons at ISO 100, and 50 at ISO 10,000."""
    denoise: float = 1.0
    """Noise reduction: 1 is that of phones, 0 is none."""
    sharpening: float = 0.6
    quality: int = 88
    medium: Medium = "camera"


@dataclass(frozen=True)
class Scene:
    """A profile, a sensor of `width` x `height` pixels, and the cards' measures."""

    profile: Profile = field(default_factory=Profile)
    width: int = 4032
    height: int = 3024
    geometry: Geometry = POKER


def a4(dpi: int) -> tuple[int, int]:
    """Return the pixels of a scanned A4 page, upright."""
    return round(210 / 25.4 * dpi), round(297 / 25.4 * dpi)


NOMINAL = Profile()
DIM = replace(NOMINAL, light=0.5, unevenness=0.6, iso=1600, lens=0.9, cast=0.15, quality=80)
FLATBED = replace(NOMINAL, layout="page", medium="flatbed", turn=2.0, gap=4.0, lens=0.5, sharpening=0.3, quality=90)
TWO_MEGAPIXELS = (1632, 1224)
SENSORS = {48: (8064, 6048), 12: (4032, 3024), 5: (2592, 1944), 2: TWO_MEGAPIXELS}
"""Width and height of pictures in pixels by their megapixels."""

ORDINARY: dict[str, Scene] = {
    "nominal": Scene(NOMINAL),
    "dim": Scene(DIM),
    "shadow": Scene(replace(NOMINAL, shadows=2, unevenness=0.5)),
    "overlap": Scene(replace(NOMINAL, layout="overlap")),
    "crowded": Scene(replace(NOMINAL, gap=2.0, tilt=(2.0, 18.0), lens=0.75, iso=200, quality=75)),
    "sleeves": Scene(replace(NOMINAL, sleeved=True, glare=1)),
    "jpeg60": Scene(replace(NOMINAL, quality=60, iso=400)),
    "flatbed": Scene(FLATBED, *a4(200)),
}
"""Everyday conditions. `crowded` is meant for decks of up to 60 cards."""

HARD: dict[str, Scene] = {
    "blur1": Scene(replace(NOMINAL, defocus=0.5)),
    "blur_radius1": Scene(replace(NOMINAL, defocus=1.0)),
    "motion1": Scene(replace(NOMINAL, motion=1.0, shake=0.5, iso=200)),
    "glare": Scene(replace(NOMINAL, glare=5, light=0.85)),
    "tilt50": Scene(replace(NOMINAL, tilt=(45.0, 55.0))),
    "curl": Scene(replace(NOMINAL, curl=(45.0, 110.0))),
    "two_mp": Scene(replace(NOMINAL, quality=80, iso=200), *TWO_MEGAPIXELS),
    "sharp15": Scene(replace(NOMINAL, module=(1.5, 2.0), quality=92)),
}
"""Difficult conditions. Simple readers fail in `blur_radius1` and `sharp15`."""

OTHER: dict[str, Scene] = {
    "small": Scene(NOMINAL, *TWO_MEGAPIXELS),
    "five_mp": Scene(NOMINAL, *SENSORS[5]),
    "large": Scene(replace(NOMINAL, lens=0.9), *SENSORS[48]),
    "blur": Scene(replace(NOMINAL, defocus=0.6)),
    "motion": Scene(replace(NOMINAL, motion=1.0, iso=200)),
    "tilt": Scene(replace(NOMINAL, tilt=(30.0, 48.0))),
    "fan": Scene(replace(NOMINAL, layout="fan")),
    "hand": Scene(replace(NOMINAL, layout="hand", tilt=(0.0, 25.0), fingers=2, curl=(150.0, 400.0))),
    "piles": Scene(replace(NOMINAL, layout="piles", turn=180.0)),
    "scatter": Scene(replace(NOMINAL, layout="scatter", turn=180.0)),
    "checkered": Scene(replace(NOMINAL, textures=("checkered",))),
    "newspaper": Scene(replace(NOMINAL, textures=("newspaper", "print"))),
    "far": Scene(replace(NOMINAL, fill=0.3)),
    "cut": Scene(replace(NOMINAL, fill=1.12)),
    "wood": Scene(replace(NOMINAL, textures=("wood",))),
    "cloth": Scene(replace(NOMINAL, textures=("cloth",))),
    "coloured": Scene(replace(NOMINAL, cast=0.4, unevenness=0.6)),
    "smoothed": Scene(replace(NOMINAL, iso=3200, denoise=2.5, lens=0.9)),
    "sharpened": Scene(replace(NOMINAL, iso=400, sharpening=2.5)),
    "screen": Scene(replace(NOMINAL, medium="screen", tilt=(1.0, 8.0), lens=0.9, quality=85)),
    "screenshot": Scene(replace(NOMINAL, medium="screenshot", textures=("paper", "dark"), quality=92), 1440, 1080),
    "low_ink": Scene(replace(NOMINAL, ink=0.45, banding=0.5)),
    "fingers": Scene(replace(NOMINAL, fingers=4, pens=1, coins=4)),
    "covered": Scene(replace(NOMINAL, fingers=6, pens=12, coins=40)),
    "rolled": Scene(replace(NOMINAL, curl=(28.0, 40.0))),
    "two_decks": Scene(replace(NOMINAL, decks=2)),
    "flatbed150": Scene(FLATBED, *a4(150)),
    "flatbed300": Scene(FLATBED, *a4(300)),
    "dim_two_mp": Scene(DIM, *TWO_MEGAPIXELS),
}
"""Conditions that tests and the demo use by name."""

HOPELESS: dict[str, Scene] = {
    "defocus3": Scene(replace(NOMINAL, defocus=3.0)),
    "motion6": Scene(replace(NOMINAL, motion=6.0, iso=200)),
    "module1": Scene(replace(NOMINAL, module=(0.8, 1.1))),
    "night": Scene(replace(DIM, light=0.3, iso=25_600)),
    "soft_slant": Scene(replace(NOMINAL, tilt=(45.0, 55.0), defocus=2.0)),
    "soft_piles": Scene(replace(NOMINAL, layout="piles", turn=180.0, defocus=2.5)),
    "soft_print": Scene(replace(NOMINAL, ink=0.2, banding=0.6, defocus=2.0)),
    "blinded": Scene(replace(NOMINAL, sleeved=True, glare=16)),
}
"""Conditions in which few codes are readable: a scan should still report the cards and reasons."""

SCENES: dict[str, Scene] = ORDINARY | HARD | OTHER | HOPELESS
"""Every profile by its name."""

CURVES: dict[str, dict[float, Scene]] = {
    "defocus": {r: Scene(replace(NOMINAL, defocus=r)) for r in (0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 1.5)},
    "motion": {m: Scene(replace(NOMINAL, motion=m, iso=200)) for m in (0.5, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)},
    "module": {p: Scene(replace(NOMINAL, module=(p, p))) for p in (1.2, 1.35, 1.5, 1.65, 1.8, 2.0, 2.25, 2.5, 3.0)},
    "tilt": {t: Scene(replace(NOMINAL, tilt=(t, t))) for t in (20.0, 30.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0)},
    "iso": {i: Scene(replace(DIM, iso=i)) for i in (400.0, 800.0, 1600.0, 3200.0, 6400.0, 12800.0, 25600.0)},
    "curl": {r: Scene(replace(NOMINAL, curl=(r, r))) for r in (200.0, 120.0, 80.0, 60.0, 50.0, 40.0, 35.0)},
    "quality": {float(q): Scene(replace(NOMINAL, quality=q)) for q in (95, 80, 60, 40, 30, 20, 10)},
}
"""For each condition that can be made worse bit by bit, its scenes by the value: a radius or length in modules,
pixels a module, degrees, ISO, a radius in millimetres, JPEG quality."""
