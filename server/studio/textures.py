"""Tables to lay cards on, each made by a few lines of arithmetic. Colours are blue, green, red."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.chance import cloud
from server.studio.channels import tinted
from server.studio.prints import leaflet, newspaper

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from server.studio.profiles import Texture

    Picture = npt.NDArray[np.uint8]
    Colour = tuple[float, float, float]


def texture(name: Texture, width: int, height: int, chance: np.random.Generator, millimetre: float = 4.0) -> Picture:
    """Return a table top of shape (height, width, 3), BGR, seen from above; a millimetre has so many pixels."""
    return TEXTURES[name](width, height, chance, millimetre)


def _colour(choices: tuple[Colour, ...], chance: np.random.Generator) -> Colour:
    return choices[int(chance.integers(len(choices)))]


def _wood(width: int, height: int, chance: np.random.Generator, _: float) -> Picture:
    """Lay planks along the picture: wavy rings, fine grain, a dark joint between planks."""
    across = np.linspace(0, 1, height, dtype=np.float32)[:, np.newaxis]
    bend = 0.03 * cloud(width, height, (3, 6), chance)
    rings = np.sin(2 * np.pi * (9 * (across + bend) + 1.5 * cloud(width, height, (1, 9), chance)))
    grain = cloud(width, height, (max(width // 90, 1), max(height // 2, 1)), chance)
    shade = 0.82 + 0.07 * rings + 0.05 * grain
    planks = 4
    joint = np.abs((across * planks) % 1 - 0.5) > 0.5 - 2.0 * planks / height
    tone = np.repeat(1 + 0.06 * chance.standard_normal(planks, dtype=np.float32), -(-height // planks))[:height]
    shade = shade * tone[:, np.newaxis] * np.where(joint, np.float32(0.55), np.float32(1))
    return tinted(shade, _colour(((70, 112, 158), (95, 150, 200), (45, 70, 105)), chance))


def _cloth(width: int, height: int, chance: np.random.Generator, millimetre: float) -> Picture:
    """Weave a table cloth with soft folds."""
    x = np.arange(width, dtype=np.float32)
    y = np.arange(height, dtype=np.float32)[:, np.newaxis]
    thread = max(1.7 * millimetre, 3.0)
    weave = np.sin(2 * np.pi * x / thread) * np.sin(2 * np.pi * y / thread)
    folds = cloud(width, height, (5, 3), chance)
    shade = 0.85 + 0.06 * weave + 0.06 * folds + 0.04 * cloud(width, height, (width // 3, height // 3), chance)
    return tinted(
        shade.astype(np.float32), _colour(((120, 70, 40), (60, 105, 45), (50, 45, 140), (175, 185, 190)), chance)
    )


def _paper(width: int, height: int, chance: np.random.Generator, _: float) -> Picture:
    """Spread a light paper table cloth."""
    shade = 0.97 + 0.012 * cloud(width, height, (9, 7), chance)
    shade += 0.012 * cloud(width, height, (width // 2, height // 2), chance)
    return tinted(shade, (212, 222, 226))


def _dark(width: int, height: int, chance: np.random.Generator, _: float) -> Picture:
    """Make a dark laminate with specks."""
    specks = cloud(width, height, (width // 2, height // 2), chance)
    shade = 1 + 0.12 * specks + 0.08 * cloud(width, height, (6, 4), chance)
    return tinted(shade, _colour(((46, 44, 42), (40, 46, 58)), chance))


def _checkered(width: int, height: int, chance: np.random.Generator, _: float) -> Picture:
    """Spread a checkered cloth: dark where its stripes cross, which looks like corners of codes."""
    period = max(width // 60, 6)
    x = (np.arange(width) // period) % 2
    y = (np.arange(height)[:, np.newaxis] // period) % 2
    shade = 1 - 0.38 * x - 0.38 * y + 0.02 * cloud(width, height, (width // 2, height // 2), chance)
    base = _colour(((70, 60, 190), (160, 90, 50)), chance)
    light = shade.astype(np.float32)
    channels = [np.float32(part) * (1 - light) + 228 * light for part in base]
    return np.asarray(cv2.merge([np.clip(part, 0, 255).astype(np.uint8) for part in channels]), dtype=np.uint8)


TEXTURES: dict[Texture, Callable[[int, int, np.random.Generator, float], Picture]] = {
    "wood": _wood,
    "cloth": _cloth,
    "paper": _paper,
    "dark": _dark,
    "checkered": _checkered,
    "newspaper": newspaper,
    "print": leaflet,
}
"""Every table top by its name."""
