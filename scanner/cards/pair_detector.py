"""Detects cards as pairs of code patches: their distance and rotation give a card's size and position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from scanner.cards.code_patches import FINE, PatchLevel, code_quads, matching_patches, patches_in
from scanner.geometry.quads import card_corners, code_on_card, contains
from scanner.image.filters import values_on

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from scanner.cards.code_patches import Patches
    from scanner.geometry.homography import Field, TableView
    from scanner.result import Quad

    Values = npt.NDArray[np.float64]

# Largest difference, as a logarithm, of the sizes of a card's two patches, and of their distance from the one expected
# for these sizes: patches are measured in steps of 0.17.
_LIKE_SIZE = 0.2

# Degrees by which a patch may be rotated against its card. Half of all chance pairs are within.
_ASKEW = 18.0

# Modules between the sampling points on a card.
_STEP = 1.9 / 0.96

# Modules around the card that are sampled.
_MARGIN = 2.5 / 0.96

# Share of a card that another may cover if both codes are visible.
_SHARED = 0.25

# Parts of a card: its codes, the white around these, the white rim, the table beside it, and the rest.
_CODE, _RING, _RIM, _OUT, _FACE = range(5)

MOST_CARDS = 100
"""Maximum number of unread cards that are reported."""

# Correlation from which on a place on a table of known scale may be a patch.
_FAINT = 0.25

# Number of certain cards from which on others of their size need only these log odds.
_MANY, _LIKELY = 3, -1.0

# How far the middles of a code and its patch are apart at most, in sides of the code.
_SAME_PLACE = 0.2

# Minimum log odds of a card if both patches look like known codes.
_POOR = -6.0

# Spread in pixels of the blur before a view is shrunk.
_SOFT = 0.6

# Width of the window, as a logarithm, in which sizes count as one.
_VOTES = 0.05

# How much, as a logarithm, a card's size differs as a rule from the usual one, by perspective; and seen from above.
_UNLIKE, _LEVEL = 0.12, 0.08


@dataclass(frozen=True, eq=False)
class Pairs:
    """Candidate cards formed by pairs of patches, n of them.

    `quads` are their corners, shape (n, 4, 2), in pixels of the picture, `scales` the pixels per millimetre, `first`
    and `second` the indices of their patches, and `worth` the log odds that it is a card.
    """

    quads: Quad
    scales: Values
    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    worth: Values

    def __len__(self) -> int:
        return len(self.scales)

    def only(self, kept: npt.NDArray[np.bool_]) -> Pairs:
        """Return some of the pairs."""
        return Pairs(self.quads[kept], self.scales[kept], self.first[kept], self.second[kept], self.worth[kept])


def pairs_of(patches: Patches, levels: Sequence[PatchLevel], geometry: Geometry) -> Pairs:
    """Return the candidate cards for all pairs of patches."""
    sides = patches.sides.astype(np.float32)
    logs = np.log(sides)
    code = code_on_card(geometry).mean(axis=0)
    true = np.array([geometry.width, geometry.height]) - 2 * code
    x, y = patches.middles.T.astype(np.float32)
    # Squares, since logarithms of all distances take five times as long.
    length = np.subtract.outer(x, x) ** 2
    length += np.subtract.outer(y, y) ** 2
    length /= np.multiply.outer(sides, sides)
    usual, off = float(true @ true) / geometry.code**2, float(np.exp(2 * _LIKE_SIZE))
    near = np.abs(np.subtract.outer(logs, logs)) < _LIKE_SIZE
    near &= (length > usual / off) & (length < usual * off)
    first, second = np.nonzero(np.triu(near, 1))
    way = patches.middles[second] - patches.middles[first]
    # As complex numbers: what turns and stretches the way on the card to the one seen.
    turn = (way @ (1, 1j)) / (true @ (1, 1j))
    askew = np.abs((patches.turns[[first, second]] - np.degrees(np.angle(turn)) + 45) % 90 - 45).max(axis=0)
    likely = askew < _ASKEW
    first, second, turn, askew = first[likely], second[likely], turn[likely], askew[likely]
    middle = (patches.middles[first] + patches.middles[second]) / 2 @ (1, 1j)
    spots = middle[:, np.newaxis] + turn[:, np.newaxis] * (
        (card_corners(geometry) - (geometry.width / 2, geometry.height / 2)) @ (1, 1j)
    )
    quads = np.stack((spots.real, spots.imag), axis=-1)
    scales = np.abs(turn)
    like = patches.like[first] + patches.like[second]
    return Pairs(quads, scales, first, second, _worth(quads, scales, like, askew, levels, geometry))


def usual_scale(pairs: Pairs) -> float:
    """Return the size of cards on which most pairs agree, in pixels a millimetre; 0 without any."""
    if not len(pairs):
        return 0.0
    logs, sure = np.log(pairs.scales), 1 / (1 + np.exp(-pairs.worth))
    tried = np.arange(logs.min(), logs.max() + _VOTES, _VOTES / 2)
    votes = np.exp(-0.5 * ((logs - tried[:, np.newaxis]) / _VOTES) ** 2) @ sure
    return float(np.exp(tried[votes.argmax()]))


def probable_cards(pairs: Pairs, scale: float, unlike: float = _UNLIKE) -> list[int]:
    """Return the indices of pairs that are probably cards; if there are several, also less likely ones of their size.

    `unlike` is the usual difference in size between cards, as a logarithm.
    """
    least = _LIKELY if len(select_cards(pairs, scale, 0.0, _MANY, unlike)) >= _MANY else 0.0
    return select_cards(pairs, scale, least, MOST_CARDS, unlike)


def select_cards(pairs: Pairs, scale: float, least: float, most: int, unlike: float = _UNLIKE) -> list[int]:
    """Return the indices of pairs with log odds of `least` or more that do not overlap, the most certain first."""
    worth = pairs.worth - (np.log(pairs.scales / max(scale, 1e-9)) / unlike) ** 2
    taken: list[int] = []
    used: set[int] = set()
    middles = pairs.quads.mean(axis=1)
    quads = pairs.quads.astype(np.float32)
    for at in np.argsort(-worth)[: np.count_nonzero(worth >= least)].tolist():
        codes = {int(pairs.first[at]), int(pairs.second[at])}
        if used & codes or len(taken) >= most:
            continue
        area = cv2.contourArea(quads[at])
        near = np.flatnonzero(np.linalg.norm(middles[taken] - middles[at], axis=1) < 2 * np.sqrt(area))
        if any(cv2.intersectConvexConvex(quads[at], quads[taken[one]])[0] > _SHARED * area for one in near):
            continue
        taken.append(at)
        used |= codes
    return taken


def cards_by_patches(view: TableView, geometry: Geometry, read: Sequence[Quad] = ()) -> tuple[list[Quad], list[Quad]]:
    """Return the outlines of cards with two patches in a view from above, and the quads of single codes beside them.

    All are in pixels of the view: also the codes that were `read`, which serve as samples.
    """
    levels = [_level(view, FINE / (geometry.module * view.scale))]
    all_ = patches_in(levels, geometry, _FAINT)
    patches = all_.only(view.seen(all_.middles))
    pairs = pairs_of(patches, levels, geometry)
    scale = view.scale
    found = probable_cards(pairs, scale, _LEVEL)
    known = np.concatenate((pairs.first[found], pairs.second[found]))
    samples = all_.only(_on(all_, read))
    alike = set(matching_patches(patches, known, samples, scale, levels[0], geometry))
    cards = [pairs.quads[at] for at in found]
    # Two that look like codes are a card, though the rest of it does not look like one.
    rest = pairs.only(np.isin(pairs.first, list(alike)) & np.isin(pairs.second, list(alike)))
    poor = (rest.quads[at] for at in select_cards(rest, scale, _POOR, MOST_CARDS))
    cards += [card for card in poor if not any(contains(other, card.mean(axis=0)) for other in cards)]
    alone = [at for at in sorted(alike) if not any(contains(card, patches.middles[at]) for card in cards)]
    if len(cards) + len(alone) > MOST_CARDS:
        return [], []
    # Two codes of a card give its size more exactly than single ones.
    scale = float(np.median(pairs.scales[found])) if found else scale
    return cards, list(code_quads(patches.only(np.array(alone, dtype=np.intp)), scale, geometry))


def _on(patches: Patches, codes: Sequence[Quad]) -> npt.NDArray[np.bool_]:
    """Return a mask of the patches that show one of some codes."""
    if not codes:
        return np.zeros(len(patches), dtype=np.bool_)
    middles = np.array([code.mean(axis=0) for code in codes])
    apart = np.linalg.norm(patches.middles[:, np.newaxis] - middles, axis=2).min(axis=1)
    return np.asarray(apart < _SAME_PLACE * patches.sides)


def _level(view: TableView, factor: float) -> PatchLevel:
    size = [max(round(length * factor), 1) for length in view.grey.shape[::-1]]
    # Half the size: a bit of blur and four pixels a place take a third of the time of the mean.
    soft = cv2.GaussianBlur(view.grey, (3, 3), _SOFT)
    small = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)
    return PatchLevel(np.asarray(small, dtype=np.float32), factor)


def _worth(
    quads: Quad, scales: Values, like: Values, askew: Values, levels: Sequence[PatchLevel], geometry: Geometry
) -> Values:
    """Return the log odds of candidate cards, by a logistic regression fitted to 50 simulated photographs.

    Codes must be darker than their surroundings, and the rim brighter than the table. The likeness of the patches has
    a negative weight: given the other features, chance pairs have clearer patches.
    """
    points, parts = _points(geometry)
    along = np.vstack((np.ones(len(points)), points.T)).astype(np.float32)
    values = np.empty((len(quads), len(points)), dtype=np.float32)
    fine = np.log([level.scale for level in levels])
    at = np.abs(np.log(FINE / geometry.module / scales)[:, np.newaxis] - fine).argmin(axis=1)
    for number, level in enumerate(levels):
        some = (quads[at == number] + 0.5) * level.scale - 0.5
        # A corner and the two sides from it, times where a point lies along them.
        frames = np.stack((some[:, 0], some[:, 1] - some[:, 0], some[:, 3] - some[:, 0]), axis=1).astype(np.float32)
        values[at == number] = values_on(level.pixels, frames[..., 0] @ along, frames[..., 1] @ along)
    values -= values.mean(axis=1, keepdims=True)
    squares_ = values**2
    codes = _alike(values, squares_, parts, {_CODE: 0, _RING: 1})
    cards = _alike(values, squares_, parts, {_CODE: 0, _RING: 1, _RIM: 1, _OUT: 0})
    return np.asarray(25 * codes + 14.5 * cards - 8.6 * like - 0.16 * askew - 10.6, dtype=np.float64)


def _alike(values: Field, squares_: Field, parts: npt.NDArray[np.intp], bright: dict[int, int]) -> Field:
    """Return the correlation of rows of brightness, each of mean 0, with a template: `bright` gives the value of parts.

    `squares_` are the squares of the values.
    """
    some = np.isin(parts, list(bright)).astype(np.float32)
    number = float(some.sum())
    true = np.array([bright.get(part, 0) for part in parts.tolist()], dtype=np.float32)
    true = some * (true - true.sum() / number)
    spread = squares_ @ some - (values @ some) ** 2 / number
    return np.asarray((values @ true) / np.sqrt(np.maximum(spread * (true @ true), 1e-3)))


@cache
def _points(geometry: Geometry) -> tuple[Quad, npt.NDArray[np.intp]]:
    """Return points on a card and around it, in parts of its width and height, and which part of it each shows."""
    size = np.array([geometry.width, geometry.height])
    step, margin = _STEP * geometry.module, _MARGIN * geometry.module
    across, down = (np.linspace(-margin, length + margin, int((length + 2 * margin) / step) + 1) for length in size)
    points = np.stack(np.meshgrid(across, down), axis=-1)
    # Every second one, as on a chessboard.
    points = points[np.indices(points.shape[:2]).sum(axis=0) % 2 == 0]
    (low, _), (high, _) = code_on_card(geometry)[:2]
    quiet = geometry.quiet * geometry.module
    codes, patches = np.zeros(len(points), np.bool_), np.zeros(len(points), np.bool_)
    for one in (points, size - points):
        codes |= ((one > low + quiet / 2) & (one < high - quiet / 2)).all(axis=1)
        patches |= ((one > low - 1.15 * quiet) & (one < high + 1.15 * quiet)).all(axis=1) & ~(
            (one > low - 0.3 * quiet) & (one < high + 0.3 * quiet)
        ).all(axis=1)
    edge = np.minimum(points, size - points).min(axis=1)
    rim = (edge >= quiet / 6) & (edge < geometry.inset)
    parts = np.select([codes, edge < -quiet / 4, patches, rim], [_CODE, _OUT, _RING, _RIM], _FACE)
    kept = parts != _FACE
    return points[kept] / size, parts[kept].astype(np.intp)
