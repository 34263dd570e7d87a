"""Lays card faces on a table and takes their photograph, with the truth about what is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np

from server.studio.camera import project, view
from server.studio.chance import generator
from server.studio.layouts import lay
from server.studio.light import light
from server.studio.sensor import blurred, expose, jpeg, sharpened
from server.studio.textures import texture

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import Geometry
    from server.studio.profiles import Scene

    Picture = npt.NDArray[np.uint8]
    Matrix = npt.NDArray[np.float64]
    Points = npt.NDArray[np.float64]

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

_CORNER = 3.0
# Radius of a card's rounded corners, in millimetres.
_SHADOW = 1.2
# Width of the soft shadow around a card, in millimetres.
_DARKEST = 0.55
# What the shadow leaves of the light at the card's edge.
_COVERED = 0.002
# Share of a code that may be covered or cut off before it counts as hidden.


@dataclass(frozen=True, eq=False)
class Face:
    """The printed side of a card: `pixels` of shape (h, w, 3), BGR, from edge to edge of the cut card."""

    name: str
    pixels: Picture


@dataclass(frozen=True)
class PlacedCode:
    """Where a code lies in the photograph, in pixels from its own top-left corner clockwise.

    `whole` is True when no other card covers it and the picture's edge does not cut it. `module` is the size of a
    module in pixels, and `glare` the brightest reflection on it, from 0 to 1.
    """

    quad: Corners
    whole: bool
    module: float
    glare: float


@dataclass(frozen=True)
class PlacedCard:
    """A card in the photograph: its corners in pixels and its two codes, the upright one first."""

    name: str
    outline: Corners
    codes: tuple[PlacedCode, PlacedCode]

    @property
    def readable(self) -> bool:
        """Whether at least one of its codes is whole."""
        return any(code.whole for code in self.codes)


@dataclass(frozen=True)
class Photograph:
    """A JPEG file and the truth about it."""

    jpeg: bytes
    truth: tuple[PlacedCard, ...]


def photograph(faces: Sequence[Face], scene: Scene, seed: str) -> Photograph:
    """Photograph one or more cards. The same faces, scene and seed give the same bytes."""
    if not faces:
        raise ValueError("a photograph needs at least one card")
    profile, geometry, size = scene.profile, scene.geometry, (scene.width, scene.height)
    chance = generator(seed)
    places = lay(len(faces), scene.width / scene.height, profile, geometry, chance)
    edges = _card(geometry)
    table = np.vstack([project(place, edges) for place in places])
    tilt, direction = chance.uniform(*profile.tilt), chance.uniform(0, 360)
    camera = view(table, *size, tilt, direction, profile.fill)
    cards = [camera @ place for place in places]

    picture = _table(camera, scene, chance)
    mask = np.zeros(size[::-1], dtype=np.uint8)
    for face, card in zip(faces, cards, strict=True):
        _put(picture, mask, face, card, geometry)
    module = float(np.median([_side(project(card, code)) for card in cards for code in _codes(geometry)]))
    picture = blurred(picture, profile, module / geometry.modules, chance)
    lamps = light(*size, profile, chance)
    expose(picture, lamps, mask, profile, chance)
    data = jpeg(sharpened(picture, profile.sharpening), profile.quality)
    return Photograph(data, _truth(faces, cards, scene, lamps.glare))


def _card(geometry: Geometry) -> Points:
    return np.array([(0, 0), (geometry.width, 0), (geometry.width, geometry.height), (0, geometry.height)])


def _codes(geometry: Geometry) -> tuple[Points, Points]:
    near = geometry.inset + geometry.quiet * geometry.module
    far = near + geometry.code
    upright = np.array([(near, near), (far, near), (far, far), (near, far)])
    return upright, np.array([geometry.width, geometry.height]) - upright


def _table(camera: Matrix, scene: Scene, chance: np.random.Generator) -> Picture:
    """Return the empty table as the camera sees it."""
    names = scene.profile.textures
    width, height = scene.width, scene.height
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], dtype=np.float64)
    ground = project(np.linalg.inv(camera), frame)
    low, span = ground.min(axis=0), np.ptp(ground, axis=0)
    # Three quarters of the picture's resolution are enough for a table, and a far corner must not make it huge.
    scale = min(0.75 * max(width, height) / float(span.max()), 0.75 * _side(frame) / _side(ground) * 1.5)
    across, down = (max(int(np.ceil(scale * length)), 8) for length in span)
    top = texture(names[int(chance.integers(len(names)))], across, down, chance)
    to_table = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    seen = cv2.warpPerspective(
        top, camera @ to_table, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(seen, dtype=np.uint8)


def _put(picture: Picture, mask: Picture, face: Face, card: Matrix, geometry: Geometry) -> None:
    """Lay one card into the picture with its shadow, touching only the pixels around it."""
    height, width = mask.shape
    outline = project(card, _card(geometry))
    pixels_a_mm = _side(outline) / float(np.sqrt(geometry.width * geometry.height))
    reach = 3 * _SHADOW * pixels_a_mm
    left, top = np.floor(np.maximum(outline.min(axis=0) - reach, 0)).astype(int)
    right, bottom = np.ceil(np.minimum(outline.max(axis=0) + reach, (width, height))).astype(int)
    if right <= left or bottom <= top:
        return
    box = (slice(top, bottom), slice(left, right))
    moved = np.array([[1, 0, -left], [0, 1, -top], [0, 0, 1]]) @ card
    size = (int(right - left), int(bottom - top))

    pixels = _shrunk(face.pixels, geometry, pixels_a_mm)
    to_card = np.diag([geometry.width / pixels.shape[1], geometry.height / pixels.shape[0], 1])
    warped = cv2.warpPerspective(pixels, moved @ to_card, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpPerspective(_shape(pixels.shape, geometry), moved @ to_card, size, flags=cv2.INTER_LINEAR)
    shadow = cv2.GaussianBlur(alpha, (0, 0), max(_SHADOW * pixels_a_mm, 0.5)).astype(np.float32)
    cover = (alpha.astype(np.float32) / 255)[..., np.newaxis]
    under = picture[box] * (1 - (1 - _DARKEST) * shadow / 255)[..., np.newaxis]
    picture[box] = (under * (1 - cover) + warped * cover).astype(np.uint8)
    mask[box] = np.maximum(mask[box], alpha)


def _shrunk(pixels: Picture, geometry: Geometry, pixels_a_mm: float) -> Picture:
    """Return the face at about the size at which it is seen, so that warping it does not skip pixels."""
    width, height = (max(round(1.2 * pixels_a_mm * length), 8) for length in (geometry.width, geometry.height))
    if width >= pixels.shape[1]:
        return pixels
    return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _shape(shape: tuple[int, ...], geometry: Geometry) -> Picture:
    """Return the card's area with its rounded corners: 255 inside."""
    height, width = shape[:2]
    radius = max(round(_CORNER / geometry.width * width), 1)
    area = np.zeros((height, width), dtype=np.uint8)
    cv2.rectangle(area, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(area, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(area, (x, y), radius, 255, -1, cv2.LINE_AA)
    return area


def _truth(
    faces: Sequence[Face], cards: list[Matrix], scene: Scene, glare: npt.NDArray[np.float32]
) -> tuple[PlacedCard, ...]:
    outlines = [project(card, _card(scene.geometry)) for card in cards]
    placed = []
    for index, (face, card) in enumerate(zip(faces, cards, strict=True)):
        codes = tuple(
            _placed_code(project(card, code), outlines[index + 1 :], scene, glare) for code in _codes(scene.geometry)
        )
        placed.append(PlacedCard(face.name, _corners(outlines[index]), cast("tuple[PlacedCode, PlacedCode]", codes)))
    return tuple(placed)


def _placed_code(quad: Points, above: list[Points], scene: Scene, glare: npt.NDArray[np.float32]) -> PlacedCode:
    frame = np.array([(0, 0), (scene.width, 0), (scene.width, scene.height), (0, scene.height)])
    area = _side(quad) ** 2
    inside = _common(quad, frame) / area > 1 - _COVERED
    free = all(_common(quad, card) / area < _COVERED for card in above)
    coarse = np.clip(quad * glare.shape[::-1] / (scene.width, scene.height), 0, np.array(glare.shape[::-1]) - 1)
    left, top = coarse.min(axis=0).astype(int)
    right, bottom = coarse.max(axis=0).astype(int) + 1
    return PlacedCode(
        quad=_corners(quad),
        whole=bool(inside and free),
        module=_side(quad) / scene.geometry.modules,
        glare=float(glare[top:bottom, left:right].max()),
    )


def _common(one: Points, other: Points) -> float:
    """Return the area that two convex quads share."""
    return float(cv2.intersectConvexConvex(one.astype(np.float32), other.astype(np.float32))[0])


def _side(quad: Points) -> float:
    """Return the side of the square of the quad's area."""
    return float(np.sqrt(cv2.contourArea(quad.astype(np.float32))))


def _corners(quad: Points) -> Corners:
    return cast("Corners", tuple((float(x), float(y)) for x, y in quad))
