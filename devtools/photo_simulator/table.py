"""The table and its texture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from devtools.photo_simulator.arrays import cloud, tinted
from devtools.photo_simulator.camera import project

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from devtools.photo_simulator.profiles import Scene, Texture

    Field = npt.NDArray[np.float32]
    Picture = npt.NDArray[np.uint8]
    Colour = tuple[float, float, float]
    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]

_LETTERS = "eeeeeeaaaaiiiooonnnrrrttsslldduuccmmpfvghbqzxyjkABCDEFGHILMNOPRSTV0123456789"

# Newsprint is grey, and so is its ink.
_PAPER, _INK = 212.0, 48.0

# Width and height in millimetres of a column of print.
_COLUMN = (48.0, 190.0)

# Shares of a newspaper's lines that are headlines and pictures, and of its characters that are spaces.
_HEADLINES, _PICTURES, _GAPS = 0.08, 0.06, 0.17
_GAUDY = ((40, 40, 200), (190, 110, 20), (30, 160, 220), (70, 150, 40), (25, 25, 25), (240, 240, 240), (150, 60, 150))


def newspaper(width: int, height: int, chance: np.random.Generator, millimetre: float) -> Picture:
    """Draw a newspaper: columns of small print, headlines, some grey pictures."""
    step = (_COLUMN[0] + 4) * millimetre
    pages = [_column(chance, millimetre) for _ in range(3)]
    pixels = np.full((height, width), _PAPER, dtype=np.float32)
    for number in range(int(width / step) + 1):
        left, top = round(number * step), 0
        while top < height:
            column = pages[int(chance.integers(len(pages)))]
            part = column[: height - top, : width - left]
            pixels[top : top + part.shape[0], left : left + part.shape[1]] = part
            top += column.shape[0]
    pixels *= 1 + 0.01 * cloud(width, height, (7, 5), chance)
    return tinted(pixels, (0.93, 0.98, 1.0))


def leaflet(width: int, height: int, chance: np.random.Generator, millimetre: float) -> Picture:
    """Draw a leaflet: boxes of strong colours, large letters, tables of squares, stripes."""
    pixels = np.full((height, width, 3), 235, dtype=np.uint8)
    for _ in range(70):
        colour = _GAUDY[int(chance.integers(len(_GAUDY)))]
        x, y = int(chance.integers(width)), int(chance.integers(height))
        across, down = (int(side * millimetre) for side in chance.uniform(15, 90, 2))
        match int(chance.integers(5)):
            case 0:
                cv2.rectangle(pixels, (x, y), (x + across, y + down), colour, -1)
            case 1:
                cv2.circle(pixels, (x, y), across // 2, colour, max(int(chance.uniform(1, 12) * millimetre), 1))
            case 2:
                words = "".join(_LETTERS[int(chance.integers(len(_LETTERS)))] for _ in range(6)).upper()
                size = chance.uniform(4, 18) * millimetre / 22
                cv2.putText(
                    pixels, words, (x, y), cv2.FONT_HERSHEY_TRIPLEX, size, colour, max(int(size * 2), 1), cv2.LINE_AA
                )
            case 3:
                cell = max(int(chance.uniform(0.8, 4) * millimetre), 1)
                squares = chance.integers(0, 2, (max(down // cell, 2), max(across // cell, 2)))
                _paste(pixels, np.kron(squares, np.ones((cell, cell), dtype=np.int64)).astype(bool), x, y, colour)
            case _:
                bars = np.repeat(chance.integers(0, 2, 60), max(int(0.7 * millimetre), 1)).astype(bool)
                _paste(pixels, np.tile(bars, (max(down // 3, 1), 1)), x, y, (20, 20, 20))
    return pixels


def _paste(
    pixels: npt.NDArray[np.uint8], marks: npt.NDArray[np.bool_], x: int, y: int, colour: tuple[int, int, int]
) -> None:
    """Draw marks of one colour with their upper left corners at (x, y)."""
    part = pixels[y : y + marks.shape[0], x : x + marks.shape[1]]
    part[marks[: part.shape[0], : part.shape[1]]] = colour


def _column(chance: np.random.Generator, millimetre: float) -> Field:
    """Draw a column of print."""
    width, height = (round(side * millimetre) for side in _COLUMN)
    pixels = np.full((height, width), _PAPER, dtype=np.uint8)
    top = 0.0
    while top < _COLUMN[1]:
        if chance.random() < _HEADLINES:
            size = float(chance.uniform(4, 9))
            _line(pixels, top + size, size, chance, millimetre, 2)
            top += 1.5 * size
        elif chance.random() < _PICTURES:
            side = float(chance.uniform(20, 45))
            first, last = round(top * millimetre), min(round((top + side) * millimetre), height)
            if last > first:
                grey = 130 + 45 * cloud(width, last - first, (5, 5), chance)
                pixels[first:last] = np.clip(grey, _INK, _PAPER).astype(np.uint8)
            top += side + 2
        else:
            _line(pixels, top + 2.4, 2.4, chance, millimetre, 1)
            top += 3.3
    return pixels.astype(np.float32)


def _line(
    pixels: npt.NDArray[np.uint8], base: float, size: float, chance: np.random.Generator, millimetre: float, weight: int
) -> None:
    """Draw a line of words with letters `size` millimetres high."""
    picks = chance.integers(0, len(_LETTERS), 70)
    gaps = chance.random(70) < _GAPS
    words = "".join(" " if gap else _LETTERS[pick] for pick, gap in zip(picks, gaps, strict=True))
    # OpenCV's letters are 21 pixels high at size 1.
    scale = size * millimetre / 28
    thick = max(round(weight * scale * 2.2), 1)
    at = (round(0.5 * millimetre), round(base * millimetre))
    cv2.putText(pixels, words, at, cv2.FONT_HERSHEY_COMPLEX, scale, _INK, thick, cv2.LINE_AA)


def texture(name: Texture, width: int, height: int, chance: np.random.Generator, millimetre: float = 4.0) -> Picture:
    """Return a table top of shape (height, width, 3), BGR, seen from above, with a resolution in pixels per mm."""
    return TEXTURES[name](width, height, chance, millimetre)


def _colour(choices: tuple[Colour, ...], chance: np.random.Generator) -> Colour:
    return choices[int(chance.integers(len(choices)))]


def _wood(width: int, height: int, chance: np.random.Generator, _: float) -> Picture:
    """Draw wooden planks along the picture: wavy rings, fine grain, dark joints."""
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
    """Draw a table cloth with soft folds."""
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
    """Draw a light paper table cloth."""
    shade = 0.97 + 0.012 * cloud(width, height, (9, 7), chance)
    shade += 0.012 * cloud(width, height, (width // 2, height // 2), chance)
    return tinted(shade, (212, 222, 226))


def _dark(width: int, height: int, chance: np.random.Generator, _: float) -> Picture:
    """Draw a dark laminate with specks."""
    specks = cloud(width, height, (width // 2, height // 2), chance)
    shade = 1 + 0.12 * specks + 0.08 * cloud(width, height, (6, 4), chance)
    return tinted(shade, _colour(((46, 44, 42), (40, 46, 58)), chance))


def _checkered(width: int, height: int, chance: np.random.Generator, _: float) -> Picture:
    """Draw a checkered cloth; its dark crossings look like corners of codes."""
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


# The white lid of a flatbed, as bright as it is in a scan.
_LID = (236, 236, 232)


def table(camera: Matrix, scene: Scene, chance: np.random.Generator) -> Picture:
    """Return the table seen through a 3 x 3 matrix from its millimetres to pixels."""
    names = scene.profile.textures
    width, height = scene.width, scene.height
    if scene.profile.medium == "flatbed":
        return np.full((height, width, 3), _LID, dtype=np.uint8)
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    ground = project(np.linalg.inv(camera), frame)
    low, span = ground.min(axis=0), np.ptp(ground, axis=0)
    # Three quarters of the resolution are enough for a table; a far corner must not make it huge.
    scale = min(0.75 * max(width, height) / float(span.max()), 0.75 * side(frame) / side(ground) * 1.5)
    across, down = (max(int(np.ceil(scale * length)), 8) for length in span)
    top = texture(names[int(chance.integers(len(names)))], across, down, chance, scale)
    to_table = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(
        top, camera @ to_table, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen, dtype=np.uint8)


def side(quad: Points) -> float:
    """Return the side of the square of the quad's area."""
    return float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))
