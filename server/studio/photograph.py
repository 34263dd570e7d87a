"""Lays card faces on a table and takes their photograph, with the truth about what is in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from server.studio.camera import camera, on_table, project, zoomed
from server.studio.canvas import Canvas
from server.studio.chance import generator
from server.studio.clutter import clutter
from server.studio.develop import jpeg
from server.studio.layouts import PAGE, lay_decks
from server.studio.light import light
from server.studio.media import MEDIA
from server.studio.surface import Surface
from server.studio.table import table
from server.studio.things import bend_of, card_thing, sleeve
from server.studio.truth import PlacedCard, placed_card

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from server.studio.canvas import Thing
    from server.studio.face import Face
    from server.studio.profiles import Scene

    Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Photograph:
    """A JPEG file and the truth about it: the cards and the envelopes' labels."""

    jpeg: bytes
    truth: tuple[PlacedCard, ...]
    labels: tuple[PlacedCard, ...] = ()


def photograph(faces: Sequence[Face], scene: Scene, seed: str, labels: Sequence[Face] = ()) -> Photograph:
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
    """Return the matrix of a camera, or of a flatbed, that has everything in view as the profile asks."""
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


def _module(face: Face, surface: Surface, scene: Scene) -> float:
    """Return the size of a module of a face's first code, in pixels."""
    code = face.codes_in(scene.geometry)[0]
    across, down = surface.scale()
    return float(np.linalg.norm(code.quad[1] - code.quad[0])) / code.modules * float(np.sqrt(across * down))
