"""Objects between cards and camera: fingers, pens and coins, each placed like a card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from devtools.photo_simulator.arrays import cloud
from devtools.photo_simulator.camera import Surface
from devtools.photo_simulator.layouts import turned_place
from devtools.photo_simulator.scene import Thing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from devtools.photo_simulator.profiles import Profile

    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]
    Grey = npt.NDArray[np.uint8]
    Field = npt.NDArray[np.float32]
    Colour = tuple[float, float, float]

# Pixels a millimetre.
_FINE = 4.0

_SKINS: tuple[Colour, ...] = ((150, 175, 222), (122, 155, 205), (88, 122, 172), (50, 72, 112))
_CLOTHS: tuple[Colour, ...] = ((60, 50, 45), (130, 80, 50), (190, 190, 195), (50, 50, 140))
_PLASTICS: tuple[Colour, ...] = ((40, 36, 34), (150, 60, 30), (40, 40, 190), (225, 225, 220))
_METALS: tuple[Colour, ...] = ((95, 160, 190), (70, 100, 160), (165, 170, 172))

# Length of a finger with its hand and forearm, in millimetres.
_ARM = 320.0

# Half the width of a finger, hand and forearm by the distance from the tip in millimetres.
_HAND = (
    (0, 0.1),
    (2, 4.5),
    (6, 7.0),
    (10, 8.0),
    (45, 8.6),
    (80, 10),
    (95, 24),
    (110, 38),
    (150, 42),
    (190, 31),
    (320, 42),
)

# Distances of the finger's folds and of the cuff from the tip, in millimetres.
_JOINTS = (26.0, 29.0, 52.0, 56.0)
_CUFF = 215.0

# Width and length in millimetres.
_PEN = (9.5, 140.0)

# A pen's ring, and half the width and the ends of its clip, as shares of the pen.
_RING, _CLIP = (0.30, 0.315), (0.22, 0.03, 0.28)

# Diameters in millimetres.
_COINS = (18.8, 21.2, 23.2, 25.8)

# Radius of the picture on a coin, as a share of the coin's.
_FIELD = 0.72

# Share of the cards, those furthest from the middle, that fingers may cover.
_OUTER = 0.5


def clutter(profile: Profile, cards: Sequence[Surface], camera: Matrix, chance: np.random.Generator) -> Iterator[Thing]:
    """Yield the objects on the cards of a profile: pens and coins anywhere, fingers from outside."""
    for kind, number in ((_coin, profile.coins), (_pen, profile.pens)):
        for _ in range(number):
            card = cards[int(chance.integers(len(cards)))]
            yield kind(_on(card, chance.uniform(0.1, 0.9, 2)), camera, chance)
    middles = np.array([_on(card, np.array([0.5, 0.5])) for card in cards])
    far = np.linalg.norm(middles - middles.mean(axis=0), axis=1)
    outer = np.argsort(-far, kind="stable")[: max(int(len(cards) * _OUTER), 1)]
    skin = np.array(_SKINS[int(chance.integers(len(_SKINS)))], dtype=np.float32)
    for _ in range(profile.fingers):
        number = int(outer[int(chance.integers(len(outer)))])
        out = middles[number] - middles.mean(axis=0)
        card, spot = cards[number], chance.uniform(0.15, 0.85, 2)
        if profile.layout == "hand":
            # Cards are held at their lower ends.
            card, spot = cards[int(chance.integers(len(cards)))], np.array([chance.uniform(0.3, 0.7), 0.9])
            out = np.array([0.0, 1.0])
        turn = float(np.degrees(np.arctan2(out[1], out[0]))) - 90 + float(chance.normal(0, 15))
        yield _finger(_on(card, spot), turn, skin, camera, chance)


def _on(card: Surface, share: Points) -> Points:
    """Return the point on the table under a point of a card, given as shares of its width and height."""
    return np.asarray(card.place[:2, :2] @ (share * card.size) + card.place[:2, 2], dtype=np.float64)


def _finger(tip: Points, turn: float, skin: Field, camera: Matrix, chance: np.random.Generator) -> Thing:
    """Return a hand that points at a spot, with its arm downwards, turned by `turn` degrees to the right."""
    at, half_widths = zip(*_HAND, strict=True)
    size = (2 * max(half_widths) + 2, _ARM)
    across, down = round(size[0] * _FINE), round(size[1] * _FINE)
    y = (np.arange(down, dtype=np.float32)[:, np.newaxis] + 0.5) / _FINE
    x = ((np.arange(across, dtype=np.float32) + 0.5) / _FINE - size[0] / 2).astype(np.float32)
    half = np.interp(y, at, half_widths).astype(np.float32)
    area = (255 * np.clip((half - np.abs(x)) * _FINE + 0.5, 0, 1)).astype(np.uint8)
    side = np.clip(x / half, -1, 1)
    shade = 0.55 + 0.45 * np.sqrt(1 - side**2) + 0.025 * cloud(across, down, (40, 160), chance)
    for joint in _JOINTS:
        shade = shade - 0.08 * np.exp(-(((y - joint - 0.5 * np.sin(9 * side)) / 0.5) ** 2))
    colour = shade[..., np.newaxis] * skin
    nail = np.clip(1.15 - np.hypot(x / 5.2, (y - 8) / 6.3) ** 4, 0, 1)[..., np.newaxis]
    gleam = np.exp(-(((x + 2) / 1.0) ** 2))[..., np.newaxis] * 35
    colour = colour * (1 - nail) + (0.75 * colour + np.array([48, 50, 62], dtype=np.float32) + gleam) * nail
    cloth = np.array(_CLOTHS[int(chance.integers(len(_CLOTHS)))], dtype=np.float32)
    colour = np.where((y > _CUFF)[..., np.newaxis], shade[..., np.newaxis] * cloth, colour)
    place = turned_place(0, 0, turn, size)
    place[:2, 2] += tip - (place[:2, :2] @ np.array([size[0] / 2, 8]) + place[:2, 2])
    return _laid(colour, area, size, place, camera, lift=5.0)


def _pen(spot: Points, camera: Matrix, chance: np.random.Generator) -> Thing:
    """Return a pen across a spot."""
    across, down = (round(side * _FINE) for side in _PEN)
    half = across / 2
    x = np.linspace(-1, 1, across, dtype=np.float32)[np.newaxis]
    y = np.arange(down, dtype=np.float32)[:, np.newaxis]
    end = np.maximum(np.maximum(half - y, y - (down - half)), 0)
    area = (255 * np.clip(half - np.hypot(x * half, end), 0, 1)).astype(np.uint8)
    along = y / down
    body = np.array(_PLASTICS[int(chance.integers(len(_PLASTICS)))], dtype=np.float32)
    shade = 0.35 + 0.65 * np.sqrt(np.clip(1 - x**2, 0, 1)) + 0 * along
    colour = shade[..., np.newaxis] * body + 110 * np.exp(-(((x + 0.35) / 0.1) ** 2))[..., np.newaxis]
    colour = np.where(((along > _RING[0]) & (along < _RING[1]))[..., np.newaxis], colour * 0.5, colour)
    clip = (np.abs(x) < _CLIP[0]) & (along > _CLIP[1]) & (along < _CLIP[2])
    colour = np.where(clip[..., np.newaxis], np.float32(190), colour)
    place = turned_place(float(spot[0]), float(spot[1]), float(chance.uniform(0, 360)), _PEN)
    return _laid(colour, area, _PEN, place, camera, lift=3.0, gloss=0.6)


def _coin(spot: Points, camera: Matrix, chance: np.random.Generator) -> Thing:
    """Return a coin on a spot."""
    side = _COINS[int(chance.integers(len(_COINS)))]
    cells = round(side * _FINE)
    x, y = np.meshgrid(*(np.linspace(-1, 1, cells, dtype=np.float32),) * 2)
    far = np.hypot(x, y)
    relief = cloud(cells, cells, (9, 9), chance) * (far < _FIELD)
    rim = np.exp(-(((far - 0.93) / 0.04) ** 2)) - np.exp(-(((far - 0.86) / 0.03) ** 2))
    light = cv2.Sobel(relief + 2 * rim, cv2.CV_32F, 1, 1, ksize=3)
    metal = np.array(_METALS[int(chance.integers(len(_METALS)))], dtype=np.float32)
    shade = 0.8 + 0.25 * np.clip(light, -1, 1) + 0.2 * x * y + 0.12 * rim
    area = (255 * np.clip((1 - far) * cells / 2, 0, 1)).astype(np.uint8)
    place = turned_place(float(spot[0]), float(spot[1]), float(chance.uniform(0, 360)), (side, side))
    return _laid(shade[..., np.newaxis] * metal, area, (side, side), place, camera, lift=1.8, gloss=0.8)


def _laid(
    colour: npt.NDArray[np.floating],
    area: Grey,
    size: tuple[float, float],
    place: Matrix,
    camera: Matrix,
    *,
    lift: float,
    gloss: float = 0.05,
) -> Thing:
    pixels = np.clip(colour, 0, 255).astype(np.uint8)
    return Thing(Surface(camera, place, size), pixels, area, area, lift=lift, gloss=gloss)
