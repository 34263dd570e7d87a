"""The rendered picture: cards and other objects in front of the camera."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

from devtools.photo_simulator.arrays import cloud, in_three_channels
from devtools.photo_simulator.camera import Bend, Surface
from devtools.photo_simulator.sensor import SHINE

if TYPE_CHECKING:
    import numpy.typing as npt

    from devtools.photo_simulator.optics import Light
    from devtools.photo_simulator.profiles import Profile

    Matrix = npt.NDArray[np.float64]
    Picture = npt.NDArray[np.uint8]
    """Pixels of shape (h, w, 3), BGR."""
    Points = npt.NDArray[np.float64]
    Field = npt.NDArray[np.float32]
    Grey = npt.NDArray[np.uint8]
    Box = tuple[slice, slice]

# Width in millimetres of the soft shadow around objects on the table.
_SOFT = 1.2

# Share of the light that this shadow removes at an object's edge.
_DARKEST = 0.45

# Share of the light that the shadow of one lamp removes beside an object.
_CAST = 0.5

# Lines of sight are computed at every eighth pixel, with linear interpolation.
_STEP = 8

# Minimum alpha of a pixel that belongs to an object.
_INSIDE = 127

# Alpha of opaque pixels.
_WHOLE = 255

# Points of an outline.
_AROUND = 120

# Change of brightness for each unit of a bent card's slope towards the lamp.
_SHADE = 0.5


@dataclass(frozen=True, eq=False)
class Thing:
    """A flat object on the table.

    `pixels`, shape (h, w, 3), BGR, cover `surface`; `alpha`, shape (h, w), is their opacity, and `area` the area of the
    object, including transparent parts such as sleeves. `lift` is its height above the table in millimetres, for its
    shadow. `gloss` is the share of lamps that it reflects; `streaks`, shape (h, w), are additional reflections, 255
    being `SHINE`. `hides` is False if codes can be read through it.
    """

    surface: Surface
    pixels: npt.NDArray[np.uint8]
    alpha: npt.NDArray[np.uint8]
    area: npt.NDArray[np.uint8]
    lift: float = 0.5
    gloss: float = 1.0
    streaks: npt.NDArray[np.uint8] | None = None
    hides: bool = True

    @property
    def outline(self) -> Points:
        """The outline in the picture, shape (n, 2), including round and bent edges."""
        solid = (self.area > _INSIDE).astype(np.uint8)
        points = max(cv2.findContours(solid, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0], key=len)
        height, width = self.area.shape
        # A contour of OpenCV goes through the centres of the outermost pixels.
        inner = points[:: max(len(points) // _AROUND, 1), 0].astype(np.float64)
        share = inner / (width - 1, height - 1)
        return self.surface.project(share * self.surface.size)


@dataclass(frozen=True, eq=False)
class Canvas:
    """`picture`, shape (h, w, 3), BGR, and `shine`, shape (h, w), or None without any reflections.

    `camera` is the 3 x 4 matrix of the camera.
    """

    camera: Matrix
    picture: npt.NDArray[np.uint8]
    shine: npt.NDArray[np.uint8] | None
    light: Light

    def put(self, thing: Thing) -> None:
        """Add an object with its shadow, changing only the pixels around it."""
        scale = thing.surface.scale()
        pixels_a_mm = float(np.sqrt(scale[0] * scale[1]))
        box = self._box(thing, pixels_a_mm)
        if box is None:
            return
        view = _View(thing.surface, box, scale)
        shape = view.seen(thing.area, thing)
        picture = self.picture[box]
        if thing.lift:
            picture[:] = picture * in_three_channels(_shadow(shape, thing.lift, pixels_a_mm, self._fall(thing.surface)))
        alpha = shape if thing.alpha is thing.area else view.seen(thing.alpha, thing)
        colours = view.seen(thing.pixels, thing, border=cv2.BORDER_REPLICATE)
        shade = view.shade(self.light.sun)
        if shade is None:
            # Opaque pixels need no blending.
            cv2.copyTo(colours, cv2.inRange(alpha, _WHOLE, _WHOLE), picture)
            part = (alpha > 0) & (alpha < _WHOLE)
            top = colours[part].astype(np.float64)
            picture[part] = _mixed(picture[part], top, alpha[part].repeat(3).reshape(-1, 3))
        else:
            colours[view.back] = _PAPER
            picture[:] = _mixed(picture, colours * in_three_channels(shade), in_three_channels(alpha))
        if self.shine is not None:
            self._mirror(self.shine, thing, view, shape)

    def _mirror(self, shine: npt.NDArray[np.uint8], thing: Thing, view: _View, shape: npt.NDArray[np.uint8]) -> None:
        """Add the reflections of an object, and remove those below it."""
        rows, columns = view.box
        size = (columns.stop - columns.start, rows.stop - rows.start)
        bright = self.light.lamps_at(columns.start, rows.start, *size) * (thing.gloss * 255 / SHINE)
        if thing.streaks is not None:
            bright += view.seen(thing.streaks, thing)
        part = shine[view.box]
        cover = shape.astype(np.float32) / 255
        part[:] = np.clip(part * (1 - cover) + bright * cover, 0, 255).astype(np.uint8)

    def _fall(self, surface: Surface) -> tuple[float, float]:
        """Return the offset of a shadow in pixels for each millimetre of height."""
        middle = np.array(surface.size)[np.newaxis] / 2
        there = surface.place[:2, :2].T @ np.array(self.light.sun)
        one, other = surface.project(np.vstack((middle, middle + there)))
        return float(other[0] - one[0]), float(other[1] - one[1])

    def _box(self, thing: Thing, pixels_a_mm: float) -> Box | None:
        """Return the box of an object and its shadow, None if it is outside of the picture."""
        height, width = self.picture.shape[:2]
        edge = thing.surface.edge
        reach = (3 * _SOFT + 3 * thing.lift) * pixels_a_mm if thing.lift else 2
        left, top = np.floor(np.maximum(edge.min(axis=0) - reach, 0)).astype(int)
        right, bottom = np.ceil(np.minimum(edge.max(axis=0) + reach, (width, height))).astype(int)
        return None if right <= left or bottom <= top else (slice(int(top), int(bottom)), slice(int(left), int(right)))


class _View:
    """An object as seen in a box of the picture."""

    def __init__(self, surface: Surface, box: Box, scale: tuple[float, float]) -> None:
        self.box = box
        self._surface, self._scale = surface, scale
        rows, columns = box
        self._size = (columns.stop - columns.start, rows.stop - rows.start)
        self._points: tuple[Field, Field] | None = None
        self._rise: npt.NDArray[np.float32] | None = None
        self.back = np.zeros(self._size[::-1], dtype=np.bool_)
        if surface.bend is not None:
            self._look_through()

    def seen(
        self, pixels: npt.NDArray[np.uint8], thing: Thing, *, border: int = cv2.BORDER_CONSTANT
    ) -> npt.NDArray[np.uint8]:
        """Return the object's pixels warped into the box."""
        small = self._shrunk(pixels)
        across, down = (small.shape[1] / thing.surface.size[0], small.shape[0] / thing.surface.size[1])
        if self._points is not None:
            # The centre of pixel 0 is at half a pixel.
            x, y = self._points[0] * np.float32(across) - 0.5, self._points[1] * np.float32(down) - 0.5
            return np.asarray(cv2.remap(small, x, y, cv2.INTER_LINEAR, borderMode=border), dtype=np.uint8)
        rows, columns = self.box
        half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1]])
        moved = np.array([[1, 0, -columns.start - 0.5], [0, 1, -rows.start - 0.5], [0, 0, 1]])
        matrix = moved @ thing.surface.flat @ np.diag([1 / across, 1 / down, 1]) @ half
        warped = cv2.warpPerspective(small, matrix, self._size, flags=cv2.INTER_LINEAR, borderMode=border)
        return np.asarray(warped, dtype=np.uint8)

    def shade(self, sun: tuple[float, float]) -> Field | None:
        """Return the brightness factors of a bend, shape (h, w); None without a bend."""
        if self._rise is None or self._surface.bend is None:
            return None
        axis = np.radians(self._surface.bend.axis)
        towards = self._surface.place[:2, :2] @ np.array([-np.sin(axis), np.cos(axis)]) @ np.array(sun)
        return np.asarray(1 + _SHADE * float(towards) * self._rise, dtype=np.float32)

    def _look_through(self) -> None:
        """Find the point of the object at each pixel of the box."""
        rows, columns = self.box
        x, y = np.meshgrid(
            np.arange(columns.start, columns.stop + _STEP, _STEP) + _STEP / 2,
            np.arange(rows.start, rows.stop + _STEP, _STEP) + _STEP / 2,
        )
        width, height = self._size
        low, high = (
            cv2.resize(part.reshape(*x.shape, 2), None, fx=_STEP, fy=_STEP)[:height, :width].reshape(-1, 2)
            for part in self._surface.sight_lines(x.ravel(), y.ravel())
        )
        points, back = self._surface.met(low.astype(np.float64), high.astype(np.float64))
        self.back = back.reshape(height, width)
        self._rise = self._surface.slope(points).reshape(height, width).astype(np.float32)
        across, down = points.T.reshape(2, height, width).astype(np.float32)
        self._points = (across, down)

    def _shrunk(self, pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Return pixels scaled to about their size in the picture, so that warping does not skip any."""
        sides = zip(pixels.shape[1::-1], self._scale, self._surface.size, strict=True)
        width, height = (min(side, max(round(2 * scale * length), 8)) for side, scale, length in sides)
        if (width, height) == pixels.shape[1::-1]:
            return pixels
        return np.asarray(cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _mixed(
    below: npt.NDArray[np.uint8], top: npt.NDArray[np.float32 | np.float64], alpha: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """Blend pixels with others above them; all have the same shape."""
    cover = alpha.astype(np.float32) / _WHOLE
    return np.clip(below + (top - below) * cover, 0, 255).astype(np.uint8)


def _shadow(shape: npt.NDArray[np.uint8], lift: float, pixels_a_mm: float, fall: tuple[float, float]) -> Field:
    """Return the factors of an object's shadows: a soft one around it, and one to a side."""
    around = cv2.GaussianBlur(shape, (0, 0), max(_SOFT * pixels_a_mm, 0.5))
    move = np.array([[1, 0, lift * fall[0]], [0, 1, lift * fall[1]]])
    moved = cv2.warpAffine(shape, move, shape.shape[::-1], flags=cv2.INTER_LINEAR)
    aside = cv2.GaussianBlur(moved, (0, 0), max(0.25 * lift * pixels_a_mm, 0.6))
    return _LEFT[np.asarray(around, dtype=np.intp) * 256 + np.asarray(aside, dtype=np.intp)]


def _left() -> Field:
    """Return the factor for two shadow values, combined as 256 x the one + the other."""
    dark = np.arange(256, dtype=np.float32)
    left = (1 - dark[:, np.newaxis] * (_DARKEST / 255)) * (1 - dark * (_CAST / 255))
    return np.asarray(left.ravel() ** (1 / 2.2), dtype=np.float32)


_LEFT = _left()


# Radius of a card's rounded corners, in millimetres.
_CORNER = 3.0

# Reflectance of ink and paper.
_INK, _PAPER = 40.0, 244.0

# Width of a sleeve beyond its card, in millimetres.
_SLEEVE = 1.6

# Resolution of sleeves in pixels per millimetre.
_FINE = 3.0

# Opacity of a sleeve and of its edge, of 255.
_HAZE, _WELD = 14, 70

# Share of sleeves without reflections.
_REST = 0.35

_PRINTED = np.round(np.linspace(_INK, _PAPER, 256)).astype(np.uint8)


def card_thing(pixels: Picture, surface: Surface, profile: Profile, chance: np.random.Generator) -> Thing:
    """Return a card as printed according to the profile."""
    if profile.ink < 1 or profile.banding:
        pixels = worn(pixels, surface.size, profile.ink, profile.banding, chance)
    shape = rounded(pixels.shape[1], pixels.shape[0], _CORNER / surface.size[0] * pixels.shape[1])
    # The same as `_PRINTED[pixels]`, in a tenth of the time.
    inked = np.asarray(cv2.LUT(pixels, _PRINTED), dtype=np.uint8)
    return Thing(surface, inked, shape, shape, lift=0.4 if surface.bend is None else 2.5)


def bend_of(profile: Profile, chance: np.random.Generator) -> Bend | None:
    """Return a random bend, mostly along one of the sides, up or down."""
    if profile.curl is None:
        return None
    axis = 90 * int(chance.integers(2)) + float(chance.normal(0, 12))
    return Bend(float(chance.uniform(*profile.curl)), axis, bool(chance.integers(2)))


def worn(
    pixels: Picture, size: tuple[float, float], ink: float, banding: float, chance: np.random.Generator
) -> Picture:
    """Return a face printed with little ink: grey, and with blank streaks across."""
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
    """Return the sleeve of a card. Reflections of lamps are streaks in about the direction `towards`, in degrees."""
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
    """Return the reflections of a wavy film: a band of a window or ceiling, and bright spots of lamps."""
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
    """Return a mask of a rectangle with rounded corners, 255 inside."""
    radius = max(round(corner), 1)
    area = np.zeros((height, width), dtype=np.uint8)
    cv2.rectangle(area, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
    cv2.rectangle(area, (0, radius), (width - 1, height - 1 - radius), 255, -1)
    for x in (radius, width - 1 - radius):
        for y in (radius, height - 1 - radius):
            cv2.circle(area, (x, y), radius, 255, -1, cv2.LINE_AA)
    return area
