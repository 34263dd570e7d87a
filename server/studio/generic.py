"""QR codes of other things: any version up to 20, any level of error correction, clean or damaged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np
import zxingcpp

from cardgen.cards import POKER
from server.studio.chance import cloud, generator
from server.studio.face import Face, PrintedCode

if TYPE_CHECKING:
    import numpy.typing as npt

    from cardgen.cards import Geometry

    Grey = npt.NDArray[np.uint8]
    Picture = npt.NDArray[np.uint8]

LARGEST = 20
"""The highest version that is made."""
_QUIET = 4
# Modules of the quiet zone.
_CORNER = 8
# Modules of a corner pattern with its frame: damage keeps clear of them.
_LEVELS = {"L": 0.07, "M": 0.15, "Q": 0.25, "H": 0.3}
# Share of a code that each level of error correction repairs.
_SPREAD = 0.3
# Damage is spread: one part of a code's area spoils about three parts of what is repaired in one piece.
_FINE = 12.0
# Pixels a millimetre.
_LENGTHS = 2200
# More characters than the highest version holds.
_SIGNS = {
    "address": "abcdefghijklmnopqrstuvwxyz0123456789-_/.?=&%",
    "digits": "0123456789",
    "capitals": "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 $%*+-./:",
    "words": "etaoin shrdlu cmfwyp, vbgkqj. xzETAOIN SHRDLU äöüß",
}
_COLOURS = ((255, 255, 255), (225, 240, 250), (200, 235, 205), (235, 225, 205))


def generic_faces(
    number: int,
    seed: str,
    *,
    versions: tuple[int, int] = (1, LARGEST),
    damage: float = 0.0,
    geometry: Geometry = POKER,
) -> list[Face]:
    """Return so many faces with one QR code each, which is none of ours, named `code-001` and so on.

    The first has the lowest of `versions`, the next the next, and so on around. `damage` is the share of what error
    correction can repair that scratches and stains cover, from 0 to 1; corner patterns stay clear.
    """
    lowest, highest = versions
    faces = []
    for index in range(number):
        chance = generator(f"{seed}/{index}")
        version = lowest + index % (highest - lowest + 1)
        level = list(_LEVELS)[int(chance.integers(len(_LEVELS)))]
        text, modules = _symbol(version, level, chance)
        sharp = np.kron(np.pad(modules, _QUIET, constant_values=255), np.ones((8, 8), dtype=np.uint8))
        pixels = np.asarray(sharp, dtype=np.uint8)
        faces.append(
            _face(f"code-{index + 1:03d}", text, modules, pixels, _SPREAD * damage * _LEVELS[level], geometry, chance)
        )
    return faces


def _symbol(version: int, level: str, chance: np.random.Generator) -> tuple[str, Grey]:
    """Return a text that needs this version, and its modules: 0 is black, 255 white."""
    kind = list(_SIGNS)[int(chance.integers(len(_SIGNS)))]
    signs = _SIGNS[kind]
    start = "https://example.org/" if kind == "address" and version > 1 else ""
    # The first character is a letter or digit, so that no reader takes it for a space to be cut off.
    text = start + signs[0] + "".join(signs[pick] for pick in chance.integers(0, len(signs), _LENGTHS))
    least, most = 1, len(text)
    while least < most:
        middle = (least + most + 1) // 2
        if len(_modules(text[:middle], level)) <= 17 + 4 * version:
            least = middle
        else:
            most = middle - 1
    said = text[:least].rstrip()
    return said, _modules(said, level)


def _modules(text: str, level: str) -> Grey:
    barcode = zxingcpp.create_barcode(text, zxingcpp.BarcodeFormat.QRCode, ec_level=level)
    return np.array(barcode.to_image(scale=1, add_quiet_zones=False), dtype=np.uint8)


def _face(
    name: str, text: str, modules: Grey, pixels: Grey, damage: float, geometry: Geometry, chance: np.random.Generator
) -> Face:
    """Return a card with the code somewhere on it, as large as half of the card's width to nearly all of it."""
    card = np.full((round(geometry.height * _FINE), round(geometry.width * _FINE), 3), 255, dtype=np.uint8)
    card[:] = _COLOURS[int(chance.integers(len(_COLOURS)))]
    # Large versions need room: no module is smaller than half a millimetre, as far as the card allows.
    least = min(0.5 * (len(modules) + 2 * _QUIET), geometry.width - 2)
    patch = max(geometry.width * float(chance.uniform(0.5, 0.96)), least)
    side = round(patch * _FINE)
    code = cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA)
    left = int(chance.integers(card.shape[1] - side + 1))
    top = int(chance.integers(card.shape[0] - side + 1))
    quiet = _QUIET / (len(modules) + 2 * _QUIET) * side
    spoilt = cv2.cvtColor(code, cv2.COLOR_GRAY2BGR)
    if damage:
        spoilt = _spoilt(np.asarray(spoilt, dtype=np.uint8), quiet, len(modules), damage, chance)
    card[top : top + side, left : left + side] = spoilt
    near, far = quiet, side - quiet
    corners = np.array([(near, near), (far, near), (far, far), (near, far)])
    corners += left, top
    return Face(name, card, codes=(PrintedCode(text, corners / _FINE, len(modules)),))


def _spoilt(code: Picture, quiet: float, modules: int, damage: float, chance: np.random.Generator) -> Picture:
    """Return a code with scratches down to the paper and stains, over the share `damage` of its area."""
    side = len(code)
    wear = np.zeros((side, side), dtype=np.uint8)
    corner = round(quiet + _CORNER * (side - 2 * quiet) / modules)
    while (wear > 0).mean() < damage:
        x, y = (int(place) for place in chance.uniform(quiet, side - quiet, 2))
        if chance.random() < 1 / 2:
            reach = chance.normal(0, 0.35 * side, 2)
            end = (int(x + reach[0]), int(y + reach[1]))
            cv2.line(wear, (x, y), end, 255, max(int(chance.uniform(0.002, 0.012) * side), 1))
        else:
            axes = [int(axis) + 1 for axis in chance.uniform(0.01, 0.06, 2) * side]
            cv2.ellipse(wear, (x, y), axes, float(chance.uniform(0, 180)), 0, 360, 128, -1)
        for rows, columns in ((slice(corner), slice(corner)), (slice(corner), slice(side - corner, side))):
            wear[rows, columns] = 0
        wear[side - corner :, :corner] = 0
    paper = 225 + 12 * cloud(side, side, (20, 20), chance)[..., np.newaxis]
    dirt = np.array([50, 70, 95]) + 0 * paper
    worn = np.where(wear[..., np.newaxis] == np.uint8(255), paper, np.where(wear[..., np.newaxis] > 0, dirt, code))
    return np.asarray(np.clip(worn, 0, 255), dtype=np.uint8)
