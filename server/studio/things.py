"""Cards as they lie there: cut with round corners, printed well or badly, bent, in sleeves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.canvas import Thing
from server.studio.chance import cloud
from server.studio.sensor import SHINE
from server.studio.surface import Bend, Surface

if TYPE_CHECKING:
    import numpy.typing as npt

    from server.studio.profiles import Profile

    Grey = npt.NDArray[np.uint8]
    Picture = npt.NDArray[np.uint8]

_CORNER = 3.0
# Radius of a card's rounded corners, in millimetres.
_INK, _PAPER = 40.0, 244.0
# Black and white as print has them: ink reflects two in a hundred parts of the light, paper ninety.
_SLEEVE = 1.6
# How far a sleeve stands out beyond its card, in millimetres.
_FINE = 3.0
# Pixels a millimetre of what is drawn for sleeves.
_HAZE, _WELD = 14, 70
# How far a sleeve hides the card, and its edge what is below, of 255.
_REST = 0.35
# Share of sleeves that lie so that they mirror nothing.

_PRINTED = np.round(np.linspace(_INK, _PAPER, 256)).astype(np.uint8)


def card_thing(pixels: Picture, surface: Surface, profile: Profile, chance: np.random.Generator) -> Thing:
    """Return a card as a printer of this profile made it."""
    if profile.ink < 1 or profile.banding:
        pixels = worn(pixels, surface.size, profile.ink, profile.banding, chance)
    shape = rounded(pixels.shape[1], pixels.shape[0], _CORNER / surface.size[0] * pixels.shape[1])
    # The same as `_PRINTED[pixels]`, in a tenth of the time.
    inked = np.asarray(cv2.LUT(pixels, _PRINTED), dtype=np.uint8)
    return Thing(surface, inked, shape, shape, lift=0.4 if surface.bend is None else 2.5)


def bend_of(profile: Profile, chance: np.random.Generator) -> Bend | None:
    """Return how a card is bent: along one of its sides more often than across, up or down."""
    if profile.curl is None:
        return None
    axis = 90 * int(chance.integers(2)) + float(chance.normal(0, 12))
    return Bend(float(chance.uniform(*profile.curl)), axis, bool(chance.integers(2)))


def worn(
    pixels: Picture, size: tuple[float, float], ink: float, banding: float, chance: np.random.Generator
) -> Picture:
    """Return a face printed with little ink: grey, and with streaks across where the nozzles gave none."""
    height, width = pixels.shape[:2]
    lines = max(int(size[1] / 0.35), 2)
    passes = np.clip(chance.normal(0.25, 0.5, lines), 0, 1).astype(np.float32)
    period = int(chance.integers(5, 16))
    passes = passes * (0.35 + 0.65 * ((np.arange(lines) + int(chance.integers(period))) % period < period / 3))
    rows = cv2.resize((1 - banding * passes).astype(np.float32)[:, np.newaxis], (1, height))
    spots = np.clip(1 + 0.08 * cloud(width, height, (max(width // 9, 1), max(height // 9, 1)), chance), 0.7, 1.1)
    left = (ink * rows * spots)[..., np.newaxis]
    return np.asarray(np.clip(255 - (255 - pixels.astype(np.float32)) * left, 0, 255), dtype=np.uint8)


def sleeve(card: Surface, towards: float, chance: np.random.Generator) -> Thing:
    """Return the sleeve of a card. Lamps are mirrored in streaks that lie about in the direction `towards`, degrees."""
    width, height = (side + 2 * _SLEEVE for side in card.size)
    moved = np.eye(3)
    moved[:2, 2] = -_SLEEVE
    surface = Surface(card.camera, card.place @ moved, (width, height), card.bend)
    across, down = round(width * _FINE), round(height * _FINE)
    shape = rounded(across, down, 1.5 * _FINE)
    alpha = (shape > 0).astype(np.uint8) * np.uint8(_HAZE)
    cv2.rectangle(alpha, (0, 0), (across - 1, down - 1), _WELD, round(0.5 * _FINE))
    film = np.full((down, across, 3), 235, dtype=np.uint8)
    own = np.degrees(np.arctan2(card.place[1, 0], card.place[0, 0]))
    streaks = None
    if chance.random() > _REST:
        streaks = _streak(across, down, towards - float(own) + float(chance.normal(0, 10)), chance)
    return Thing(surface, film, alpha, shape, lift=0, streaks=streaks, hides=False)


def _streak(width: int, height: int, turn: float, chance: np.random.Generator) -> Grey:
    """Return what a wavy film mirrors: a band of window or ceiling, faint to blinding, and hot spots of lamps."""
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    cos, sin = np.float32(np.cos(np.radians(turn))), np.float32(np.sin(np.radians(turn)))
    place = x * cos + y * sin + 2.0 * _FINE * cloud(width, height, (2, 3), chance)
    middle = chance.uniform(0, width * abs(float(cos)) + height * abs(float(sin)))
    half = chance.uniform(4, 14) * _FINE
    soft = chance.uniform(1, 5) * _FINE
    strength = chance.choice([0.08, 0.2, 0.4, 1.2], p=[0.35, 0.3, 0.2, 0.15])
    band = strength * np.clip((half - np.abs(place - place.min() - middle)) / soft + 0.5, 0, 1)
    for _ in range(int(chance.integers(0, 3))):
        spot = np.zeros((height, width), dtype=np.float32)
        centre = (int(chance.integers(width)), int(chance.integers(height)))
        axes = (int(chance.uniform(1.5, 4) * _FINE), int(chance.uniform(1, 2) * _FINE))
        cv2.ellipse(spot, centre, axes, turn, 0, 360, SHINE, -1)
        band = np.maximum(band, cv2.GaussianBlur(spot, (0, 0), 0.6 * _FINE))
    return np.asarray(np.clip(band * (255 / SHINE), 0, 255), dtype=np.uint8)


def rounded(width: int, height: int, corner: float) -> Grey:
    """Return a rectangle with rounded corners: 255 inside."""
    radius = max(round(corner), 1)
    area = np.zeros((height, width), dtype=np.uint8)
    cv2.rectangle(area, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(area, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(area, (x, y), radius, 255, -1, cv2.LINE_AA)
    return area
