"""Detects cards in noisy pictures by integrating edges along the rims of cards of one size and orientation.

A rim is about 200 mm long, so the mean along it is visible where single pixels are not. This needs several cards that
lie parallel, as in a deck that was laid out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.geometry.homography import Field, Matrix
    from scanner.result import Grey, Quad

    Values = npt.NDArray[np.float64]

SIZE = 408
"""Pixels of the longer side to which a picture is shrunk."""

FEWEST = 5
"""Number of clear cards that are required."""

# Pixels of a card's shorter side while its size is searched, and then.
_ROUGH, _FINE = 16, 24

# The shorter side of a card in longer sides of the picture, and steps between.
_SMALLEST, _LARGEST, _STEP = 1 / 17, 1 / 4, 1.1

# Number of orientations that are tried in a quarter turn, and pixels over which edges are integrated for that.
_TURNS, _ALONG = 12, 21

# Edge filters for brightness that increases to the right: for a coarse picture, and for a finer one.
_THIN = np.array([[-1, 1]], dtype=np.float32)
_EDGE = np.array([[-1, -1, 1, 1]], dtype=np.float32)

# Standard deviation of noise relative to its mean absolute deviation, allowing for some objects.
_SPREAD = 1.15

# Minimum score of a rim, and of its worst side, for estimating the size: in standard deviations of noise.
_STANDING, _WORST = 5.0, 0.8

# The same for cards of known size: for FEWEST of them, for all, and for the worst side. Noise gives a dozen of 4.2 to
# 5.5.
_CLEAR, _FAINT, _FAINTEST = 6.0, 4.2, 0.4

# Minimum score of a card relative to the median of the clear ones.
_LIKE = 0.5

# Number of sizes that are examined: four cards side by side have a card's shape, too.
_TRIED = 4

# Times that some cards are larger than most, and degrees by which they are turned.
_BESIDE = ((1.0, 0.0), (0.94, 0.0), (1.06, 0.0), (1.0, 2.5), (1.0, -2.5))

# Pixels in which only the clearest place counts.
_APART = 9

# Share of a card that may lie on another one.
_SHARED = 0.2


def cards_in_noise(grey: Grey, geometry: Geometry) -> list[Quad]:
    """Return the outlines of cards in a picture, the width first; none if fewer than `FEWEST` are clear."""
    factor = min(1.0, SIZE / max(grey.shape))
    if factor * min(grey.shape) < _FINE:
        # A strip, as no photograph is.
        return []
    plane = cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA).astype(np.float32)
    turn = _turn(plane)
    for size in _sizes(plane, turn, geometry)[:_TRIED]:
        cards = _of_size(plane, turn, size)
        if len(cards):
            lying = (size[0] > size[1]) != (geometry.width > geometry.height)
            outlines = (cards + 0.5) / factor - 0.5
            return list(np.roll(outlines, -1, axis=1) if lying else outlines)
    return []


def _of_size(plane: Field, turn: float, size: tuple[float, float, int]) -> Quad:
    """Return the cards of about a size, shape (n, 4, 2), in pixels of the plane: none if few are clear."""
    across, down, sign = size
    found = []
    for larger, askew in _BESIDE:
        edges = _Edges.of(plane, _FINE / (min(across, down) * larger), turn + askew, _EDGE)
        found.append(edges.places(larger * across * edges.factor, larger * down * edges.factor, sign))
    quads, worth = (np.concatenate(parts) for parts in zip(*found, strict=True))
    kept = np.array(_beside(quads.mean(axis=1), worth, turn, (across, down)), dtype=np.intp)
    clear = worth[kept][worth[kept] >= _CLEAR]
    if len(clear) < FEWEST:
        return np.empty((0, 4, 2))
    return np.asarray(quads[kept[worth[kept] >= _LIKE * np.median(clear)]])


def _turn(plane: Field) -> float:
    """Return the direction in which most edges go, from -45 to 45 degrees: turned further, cards leave the picture."""
    small = np.asarray(cv2.resize(plane, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.float32)
    height, width = small.shape
    middle = slice(height // 8, height - height // 8), slice(width // 8, width - width // 8)
    turns = np.arange(_TURNS) * 90 / _TURNS
    strengths = []
    for turn in turns.tolist():
        edges = _Edges.of(small, 1.0, turn, _EDGE)
        sums = cv2.boxFilter(edges.across, cv2.CV_32F, (1, _ALONG)), cv2.boxFilter(edges.down, cv2.CV_32F, (_ALONG, 1))
        strengths.append(sum(cv2.norm(np.ascontiguousarray(one[middle]), cv2.NORM_L2SQR) for one in sums))
    turn = float(turns[int(np.argmax(strengths))])
    return turn - 90 if turn > 90 / 2 else turn


def _sizes(plane: Field, turn: float, geometry: Geometry) -> list[tuple[float, float, int]]:
    """Return candidate card sizes, the most likely first: width and height in pixels, and the polarity.

    The polarity is 1 for cards brighter than the table and -1 for darker ones.
    """
    found: list[tuple[float, float, float, int]] = []
    shape = np.array([geometry.width, geometry.height]) / min(geometry.width, geometry.height)
    side = _SMALLEST * max(plane.shape)
    while side < _LARGEST * max(plane.shape):
        edges = _Edges.of(plane, _ROUGH / side, turn, _THIN)
        for across, down in (shape, shape[::-1]):
            for sign, (all_, worst) in edges.around(_ROUGH * across, _ROUGH * down).items():
                worth = float(np.maximum(all_ - _STANDING, 0)[worst > _WORST].sum())
                found.append((worth, side * across, side * down, sign))
        side *= _STEP
    return [one[1:] for one in sorted(found, reverse=True) if one[0] > 0]


def _beside(middles: Quad, worth: Values, turn: float, size: tuple[float, float]) -> list[int]:
    """Return which places, with these middles, lie beside each other, the clearest first."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    spots = middles @ np.array([(cos, sin), (-sin, cos)]) / size
    kept: list[int] = []
    for at in np.argsort(-worth).tolist():
        off = np.maximum(1 - np.abs(spots[kept] - spots[at]), 0)
        if not (off.prod(axis=1) > _SHARED).any():
            kept.append(at)
    return kept


@dataclass(frozen=True, eq=False)
class _Edges:
    """Gradients of a picture to the right (`across`) and downwards (`down`), after rotation and scaling.

    `factor` is the scale; `matrix` maps scaled pixels to rotated ones.
    """

    across: Field
    down: Field
    factor: float
    matrix: Matrix

    @classmethod
    def of(cls, plane: Field, factor: float, turn: float, edge: Field) -> _Edges:
        """Scale a picture, rotate it by `turn` degrees, and compute its gradients."""
        height, width = (max(round(length * factor), 1) for length in plane.shape)
        if factor != 1:
            kind = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
            plane = np.asarray(cv2.resize(plane, (width, height), interpolation=kind), dtype=np.float32)
        matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), turn, 1.0)
        if turn:
            turned = cv2.warpAffine(plane, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
            plane = np.asarray(turned, dtype=np.float32)
        across, down = (cv2.filter2D(plane, cv2.CV_32F, one) for one in (edge, np.ascontiguousarray(edge.T)))
        return cls(np.asarray(across), np.asarray(down), factor, np.asarray(matrix, dtype=np.float64))

    def around(self, across: float, down: float) -> dict[int, tuple[Field, Field]]:
        """Return by how much the rims of things of a size stand out: for 1 brighter ones, for -1 darker ones.

        That is all of a rim, and its worst side, in deviations of chance, for each place of the upper left corner.
        Nothing if the things are larger than the plane.
        """
        width, height = round(across), round(down)
        rows, columns = self.across.shape[0] - height, self.across.shape[1] - width
        if min(rows, columns) <= 0:
            return {}
        beside = _in_deviations(cv2.boxFilter(self.across, cv2.CV_32F, (1, (height - 2) | 1)))
        above = _in_deviations(cv2.boxFilter(self.down, cv2.CV_32F, ((width - 2) | 1, 1)))
        middle = slice(height // 2, height // 2 + rows)
        left, right = beside[middle, :columns], -beside[middle, width:]
        middle = slice(width // 2, width // 2 + columns)
        top, bottom = above[:rows, middle], -above[height:, middle]
        all_ = np.asarray((left + right + top + bottom) / 2, dtype=np.float32)
        least = np.asarray(np.minimum(np.minimum(left, right), np.minimum(top, bottom)), dtype=np.float32)
        most = np.asarray(np.maximum(np.maximum(left, right), np.maximum(top, bottom)), dtype=np.float32)
        return {1: (all_, least), -1: (-all_, -most)}

    def places(self, across: float, down: float, sign: int) -> tuple[Quad, Values]:
        """Return where things of a size lie, shape (n, 4, 2), and by how much they stand out."""
        seen = self.around(across, down)
        if not seen:
            return np.empty((0, 4, 2)), np.empty(0)
        all_, worst = seen[sign]
        worth = np.where(worst > _FAINTEST, all_, 0).astype(np.float32)
        best = (worth >= _FAINT) & (worth == cv2.dilate(worth, np.ones((_APART, _APART), dtype=np.uint8)))
        y, x = np.nonzero(best)
        middles = np.column_stack((x + round(across) // 2, y + round(down) // 2)) - 0.5
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (across / 2, down / 2)
        back = cv2.invertAffineTransform(self.matrix)
        quads = (middles[:, np.newaxis] + corners) @ back[:, :2].T + back[:, 2]
        return (quads + 0.5) / self.factor - 0.5, worth[y, x].astype(np.float64)


def _in_deviations(sums: npt.NDArray[Any]) -> Field:
    """Return sums along edges in deviations of those that chance makes."""
    usual = _SPREAD * cv2.norm(sums, cv2.NORM_L1) / sums.size
    return np.asarray(sums / max(usual, 1e-3), dtype=np.float32)
