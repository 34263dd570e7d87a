"""Printed matter under the cards: a newspaper and a gaudy leaflet. Both have what looks like parts of codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from server.studio.chance import cloud
from server.studio.channels import tinted

if TYPE_CHECKING:
    import numpy.typing as npt

    Field = npt.NDArray[np.float32]
    Picture = npt.NDArray[np.uint8]

_LETTERS = "eeeeeeaaaaiiiooonnnrrrttsslldduuccmmpfvghbqzxyjkABCDEFGHILMNOPRSTV0123456789"
_PAPER, _INK = 212.0, 48.0
# Newsprint is grey, and so is its ink.
_COLUMN = (48.0, 190.0)
# Width and height in millimetres of a column of print.
_HEADLINES, _PICTURES, _GAPS = 0.08, 0.06, 0.17
# Shares of a newspaper's lines that are headlines and pictures, and of its characters that are spaces.
_GAUDY = ((40, 40, 200), (190, 110, 20), (30, 160, 220), (70, 150, 40), (25, 25, 25), (240, 240, 240), (150, 60, 150))


def newspaper(width: int, height: int, chance: np.random.Generator, millimetre: float) -> Picture:
    """Lay out a newspaper: columns of small print, headlines, a grey picture here and there."""
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
    """Print a leaflet: boxes of strong colours, large letters, tables of squares, stripes."""
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
    """Print marks of one colour with their upper left corner at (x, y)."""
    part = pixels[y : y + marks.shape[0], x : x + marks.shape[1]]
    part[marks[: part.shape[0], : part.shape[1]]] = colour


def _column(chance: np.random.Generator, millimetre: float) -> Field:
    """Return a column of print."""
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
    """Print a line of words whose letters are `size` millimetres high."""
    picks = chance.integers(0, len(_LETTERS), 70)
    gaps = chance.random(70) < _GAPS
    words = "".join(" " if gap else _LETTERS[pick] for pick, gap in zip(picks, gaps, strict=True))
    # OpenCV's letters are 21 pixels high at size 1.
    scale = size * millimetre / 28
    thick = max(round(weight * scale * 2.2), 1)
    at = (round(0.5 * millimetre), round(base * millimetre))
    cv2.putText(pixels, words, at, cv2.FONT_HERSHEY_COMPLEX, scale, _INK, thick, cv2.LINE_AA)
