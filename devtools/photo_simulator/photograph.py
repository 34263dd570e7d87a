"""Renders a photograph of cards, with its ground truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import cv2
import numpy as np

from devtools.photo_simulator.arrays import generator
from devtools.photo_simulator.camera import Surface, camera, on_table, project, zoomed
from devtools.photo_simulator.clutter import clutter
from devtools.photo_simulator.layouts import PAGE, lay_decks
from devtools.photo_simulator.media import MEDIA
from devtools.photo_simulator.optics import light
from devtools.photo_simulator.scene import Canvas, bend_of, card_thing, sleeve
from devtools.photo_simulator.sensor import SHINE, jpeg
from devtools.photo_simulator.table import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from devtools.photo_simulator.cards import PrintedCode, PrintedFace
    from devtools.photo_simulator.profiles import Scene
    from devtools.photo_simulator.scene import Thing

    Points = npt.NDArray[np.float64]
    Matrix = npt.NDArray[np.float64]

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]

# Share of a code that may be covered or cut off before it counts as hidden.
_COVERED = 0.002

# Share of a code that reflections may burn out before it counts as hidden.
_WASHED = 0.01

# Brightness of a reflection that removes all contrast, as a multiple of white paper.
_BURNT = 0.85

# Areas are compared on a raster of this many cells a side.
_FINE = 200


@dataclass(frozen=True)
class PlacedCode:
    """The position of a code in the photograph, in pixels from its own top-left corner clockwise.

    `whole` is True when nothing covers it (at most 0.2 % of its area), be it the bend of its own card, the picture's
    edge does not cut it, and reflections burn out at most 1 % of it. `covered` and `washed` are these shares. `module`
    is the size of a module in pixels, the root of its area, and `narrow` its shorter side, which a slant makes smaller.
    `glare` is the brightest reflection on it, from 0 to 1, where 1 leaves nothing.
    """

    quad: Corners
    whole: bool
    module: float
    glare: float
    text: str
    narrow: float
    covered: float
    washed: float


@dataclass(frozen=True)
class PlacedCard:
    """A card in the photograph: its corners in pixels and its codes, of a card's two the upright one first.

    `visible` is the share of its face that is in the picture and under nothing, nor turned away by its own bend; `deck`
    counts the decks from 0.
    """

    name: str
    outline: Corners
    codes: tuple[PlacedCode, ...]
    visible: float
    deck: int

    @property
    def readable(self) -> bool:
        """True if at least one of its codes is whole."""
        return any(code.whole for code in self.codes)


def placed_card(
    name: str,
    surface: Surface,
    codes: Sequence[PrintedCode],
    above: Sequence[Points],
    shine: npt.NDArray[np.uint8] | None,
    size: tuple[int, int],
    deck: int,
) -> PlacedCard:
    """Return the ground truth of one card. `above` are outlines of later cards, `size` is that of the picture."""
    edge = surface.edge
    over = [shape for shape in above if _near(shape, edge)]
    placed = tuple(_placed_code(code, surface, over, shine, size) for code in codes)
    corners = _corners(surface.project(surface.corners))
    visible = (1 - _hidden(edge, over, size)) * surface.shown(surface.corners)
    return PlacedCard(name, corners, placed, visible, deck)


def _placed_code(
    code: PrintedCode,
    surface: Surface,
    above: Sequence[Points],
    shine: npt.NDArray[np.uint8] | None,
    size: tuple[int, int],
) -> PlacedCode:
    quad = surface.project(code.quad)
    covered = max(_hidden(quad, above, size), 1 - surface.shown(code.quad))
    bright, washed = _reflections(quad, shine)
    sides = np.linalg.norm((quad - np.roll(quad, 1, axis=0)), axis=1)
    area = float(cv2.contourArea(quad.astype(np.float32)))
    return PlacedCode(
        quad=_corners(quad),
        whole=covered <= _COVERED and washed <= _WASHED,
        module=float(np.sqrt(area)) / code.modules,
        glare=bright,
        text=code.text,
        narrow=area / float(max(sides)) / code.modules,
        covered=covered,
        washed=washed,
    )


def _near(shape: Points, other: Points) -> bool:
    """Return whether the boxes around two shapes touch."""
    return bool((shape.min(axis=0) <= other.max(axis=0)).all() and (other.min(axis=0) <= shape.max(axis=0)).all())


def _hidden(shape: Points, above: Sequence[Points], size: tuple[int, int]) -> float:
    """Return the share of a shape that is covered by others or outside of the picture."""
    low, span = shape.min(axis=0), np.ptp(shape, axis=0)
    fine = _FINE / float(span.max())
    cells = np.zeros(np.ceil(span[::-1] * fine).astype(int) + 1, dtype=np.uint8)
    _draw(cells, (shape - low) * fine, 1)
    whole = cv2.countNonZero(cells)
    for other in above:
        _draw(cells, (other - low) * fine, 0)
    frame = np.zeros_like(cells)
    width, height = size
    _draw(frame, (np.array([(0, 0), (width, 0), (width, height), (0, height)]) - low) * fine, 1)
    return 1 - int(np.count_nonzero(cells & frame)) / max(whole, 1)


def _draw(cells: npt.NDArray[np.uint8], shape: Points, value: int) -> None:
    # Clip far corners of large shapes, since OpenCV draws with 16-bit coordinates.
    near = np.clip(shape, -8000, 8000)
    cv2.fillPoly(cells, [np.round(near * 16).astype(np.int32)], value, shift=4)


def _reflections(quad: Points, shine: npt.NDArray[np.uint8] | None) -> tuple[float, float]:
    """Return the brightest reflection on a quad, 0 to 1, and the share of the quad without contrast."""
    if shine is None:
        return 0.0, 0.0
    left, top = np.maximum(np.floor(quad.min(axis=0)), 0).astype(int)
    right, bottom = np.maximum(np.ceil(quad.max(axis=0)), 0).astype(int)
    part = shine[top:bottom, left:right]
    inside = np.zeros_like(part)
    if not inside.size:
        return 0.0, 0.0
    cv2.fillConvexPoly(inside, np.round((quad - (left, top)) * 16).astype(np.int32), 1, shift=4)
    bright = part[inside > 0].astype(np.float32) * (SHINE / 255)
    if not bright.size:
        return 0.0, 0.0
    return float(min(bright.max() / _BURNT, 1)), float((bright > _BURNT).mean())


def _corners(quad: Points) -> Corners:
    return cast("Corners", tuple((float(x), float(y)) for x, y in quad))


@dataclass(frozen=True)
class Photograph:
    """A JPEG file and its ground truth: the cards and the envelopes' labels."""

    jpeg: bytes
    truth: tuple[PlacedCard, ...]
    labels: tuple[PlacedCard, ...] = ()


def photograph(faces: Sequence[PrintedFace], scene: Scene, seed: str, labels: Sequence[PrintedFace] = ()) -> Photograph:
    """Photograph one or more cards. The same faces, scene, seed and labels give the same bytes.

    Each of the scene's decks gets one of `labels` beside it, as long as there are any; more than decks: ValueError.
    """
    if not faces:
        raise ValueError("a photograph needs at least one card")
    if len(labels) > scene.profile.decks:
        raise ValueError("a deck has one label")
    profile, geometry, size = scene.profile, scene.geometry, (scene.width, scene.height)
    chance = generator(seed)
    aspect = scene.width / scene.height
    places, decks, beside = lay_decks(len(faces), len(labels), aspect, profile, geometry, chance)
    flat = [
        Surface(np.eye(3, 4), at, face.size_in(geometry))
        for face, at in zip((*labels, *faces), (*beside, *places), strict=False)
    ]
    seen_by = _camera(flat, scene, chance)
    surfaces = [
        Surface(seen_by, one.place, one.size, None if number < len(labels) else bend_of(profile, chance))
        for number, one in enumerate(flat)
    ]
    all_faces = [*labels, *faces]

    lamps = light(*size, profile, chance)
    shine = np.zeros(size[::-1], dtype=np.uint8) if profile.glare or profile.sleeved else None
    canvas = Canvas(seen_by, table(on_table(seen_by), scene, chance), shine, lamps)
    things: list[Thing] = []
    towards = float(chance.uniform(0, 180))
    for number, (face, surface) in enumerate(zip(all_faces, surfaces, strict=True)):
        things.append(card_thing(face.pixels, surface, profile, chance))
        if profile.sleeved and number >= len(labels):
            things.append(sleeve(surface, towards, chance))
    things += clutter(profile, surfaces[len(labels) :], seen_by, chance)
    for thing in things:
        canvas.put(thing)

    module = float(
        np.median([_module(face, surface, scene) for face, surface in zip(all_faces, surfaces, strict=True)])
    )
    data = jpeg(MEDIA[profile.medium](canvas, profile, module, chance), profile.quality)
    outlines = [thing.outline for thing in things]
    placed = []
    for face, surface, deck in zip(all_faces, surfaces, (*range(len(labels)), *decks), strict=True):
        first = next(number for number, thing in enumerate(things) if thing.surface is surface) + 1
        above = [outline for outline, thing in zip(outlines[first:], things[first:], strict=True) if thing.hides]
        placed.append(placed_card(face.name, surface, face.codes_in(geometry), above, shine, size, deck))
    return Photograph(data, tuple(placed[len(labels) :]), tuple(placed[: len(labels)]))


def _camera(flat: Sequence[Surface], scene: Scene, chance: np.random.Generator) -> Matrix:
    """Return the matrix of a camera, or of a flatbed, that sees everything according to the profile."""
    profile, size = scene.profile, (scene.width, scene.height)
    tilt, direction = float(chance.uniform(*profile.tilt)), float(chance.uniform(0, 360))
    if profile.medium == "flatbed":
        scale = scene.width / PAGE[0]
        return np.array([[scale, 0, 0, 0], [0, scale, 0, 0], [0, 0, 0, 1.0]])
    points = np.vstack([project(one.place, one.corners) for one in flat])
    seen_by = camera(points, *size, tilt, direction, profile.fill)
    if profile.module is None:
        return seen_by
    wanted = float(chance.uniform(*profile.module))
    modules = [Surface(seen_by, one.place, one.size).scale() for one in flat]
    now = float(np.median([np.sqrt(across * down) for across, down in modules])) * scene.geometry.module
    return zoomed(seen_by, *size, min(wanted / now, 1.0))


def _module(face: PrintedFace, surface: Surface, scene: Scene) -> float:
    """Return the size of a module of a face's first code, in pixels."""
    code = face.codes_in(scene.geometry)[0]
    across, down = surface.scale()
    return float(np.linalg.norm(code.quad[1] - code.quad[0])) / code.modules * float(np.sqrt(across * down))
