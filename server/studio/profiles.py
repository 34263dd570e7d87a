"""The conditions under which a made-up photograph is taken. Lengths in millimetres on the table unless said."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from cardgen.cards import POKER, Geometry

Layout = Literal["grid", "scatter", "overlap", "fan"]
Texture = Literal["wood", "cloth", "paper", "dark", "checkered"]


@dataclass(frozen=True)
class Profile:
    """What the light, the hand, the lens and the sensor do.

    Blur is given in modules of the code, since that is what decides whether it can be read: `defocus` is the radius of
    a disc, `motion` the length of a stroke. `lens` is the blur of a sharp picture, sigma in pixels. Light is a
    factor: 1 leaves white paper nearly white. `noise` is the spread of a middle grey in steps of 255.
    """

    layout: Layout = "grid"
    textures: tuple[Texture, ...] = ("wood", "cloth", "paper", "dark")
    gap: float = 7.0
    turn: float = 4.0
    """Largest turn of a card against its row, in degrees."""
    tilt: tuple[float, float] = (2.0, 12.0)
    """Range of the camera's angle away from straight above, in degrees."""
    fill: float = 0.86
    """Share of the picture's width or height that the cards take."""
    light: float = 0.95
    unevenness: float = 0.15
    """How much darker the darkest part of the table is than the brightest."""
    vignette: float = 0.15
    cast: float = 0.05
    """Largest gain or loss of red against blue."""
    shadows: int = 0
    """Number of hard shadows across the cards, such as of the phone."""
    glare: int = 0
    """Number of bright reflections on the cards."""
    lens: float = 0.7
    defocus: float = 0.0
    motion: float = 0.0
    noise: float = 2.5
    sharpening: float = 0.4
    quality: int = 88


@dataclass(frozen=True)
class Scene:
    """A profile, a sensor of `width` x `height` pixels, and the cards' measures."""

    profile: Profile = field(default_factory=Profile)
    width: int = 4032
    height: int = 3024
    geometry: Geometry = POKER


NOMINAL = Profile()
TWO_MEGAPIXELS = (1632, 1224)

SCENES: dict[str, Scene] = {
    name: Scene(profile)
    for name, profile in {
        "nominal": NOMINAL,
        "dim": replace(NOMINAL, light=0.42, unevenness=0.5, noise=11.0, lens=1.4, cast=0.15, quality=80),
        "blur": replace(NOMINAL, defocus=0.6),
        "motion": replace(NOMINAL, motion=1.0, noise=4.0),
        "glare": replace(NOMINAL, glare=4),
        "shadow": replace(NOMINAL, shadows=2, unevenness=0.35),
        "tilt": replace(NOMINAL, tilt=(30.0, 48.0)),
        "overlap": replace(NOMINAL, layout="overlap"),
        "fan": replace(NOMINAL, layout="fan"),
        "scatter": replace(NOMINAL, layout="scatter", turn=180.0),
        "crowded": replace(NOMINAL, gap=2.0, tilt=(2.0, 18.0), lens=0.9, noise=4.0, quality=75),
        "checkered": replace(NOMINAL, textures=("checkered",)),
        "far": replace(NOMINAL, fill=0.3),
        "jpeg": replace(NOMINAL, quality=60, noise=4.0),
    }.items()
}
"""Every profile by its name, on a 12 megapixel sensor; `small` is the nominal one on 2 megapixels."""
SCENES["small"] = Scene(NOMINAL, *TWO_MEGAPIXELS)
