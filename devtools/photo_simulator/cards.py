"""Faces of printed cards and labels, and foreign codes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

import cv2
import numpy as np
import zxingcpp

from cardgen.cards import POKER, PrintedGame
from cardgen.documents.labels import Label, write_labels
from cardgen.pages.layout import PLAIN
from cardgen.pages.paper import CUT
from cardgen.pages.raster import face_images, page_images
from cardgen.payload import GAME_LENGTH, card_text, encode, join_link, label_text, short_code
from cardgen.qr import matrix
from devtools.photo_simulator.arrays import cloud, generator
from server.editions import load_edition
from server.printing.card_faces import edition_faces

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from cardgen.cards import CardId, Geometry

    Points = npt.NDArray[np.float64]
    Grey = npt.NDArray[np.uint8]
    Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class PrintedCode:
    """A code on a face: text, corners in millimetres, shape (4, 2), and modules per side."""

    text: str
    quad: Points
    modules: int


@dataclass(frozen=True, eq=False)
class PrintedFace:
    """The printed side of a card: `pixels` of shape (h, w, 3), BGR, from edge to edge of the cut card.

    `text` is the text of a card's two codes, whose positions are in the scene's geometry. Labels and other objects have
    their own `size` in millimetres and their own `codes`.
    """

    name: str
    pixels: npt.NDArray[np.uint8]
    text: str = ""
    size: tuple[float, float] | None = None
    codes: tuple[PrintedCode, ...] | None = None

    def size_in(self, geometry: Geometry) -> tuple[float, float]:
        """Return width and height in millimetres."""
        return self.size or (geometry.width, geometry.height)

    def codes_in(self, geometry: Geometry) -> tuple[PrintedCode, ...]:
        """Return the codes on the face; of a card's two, the upright one is the first."""
        if self.codes is not None:
            return self.codes
        near = geometry.inset + geometry.quiet * geometry.module
        far = near + geometry.code
        upright = np.array([(near, near), (far, near), (far, far), (near, far)])
        twin = np.array([geometry.width, geometry.height]) - upright
        return tuple(PrintedCode(self.text, quad, geometry.modules) for quad in (upright, twin))


FACE_DPI = 300
_ADDRESS = "https://haggle.example"

# The squares of a label's codes: side and lower left corners in millimetres, as `cardgen.documents.labels` draws them.
_LABEL_SIDE, _CODE_AT, _LINK_AT = 28.0, (59.0, 2.0), (3.0, 2.0)


def practice_game(edition: str, players: int, seed: str) -> PrintedGame:
    """Return a game with id and key derived from the seed, for practice and tests; it is not secret."""
    digest = hashlib.sha256(f"practice/{seed}".encode()).digest()
    return PrintedGame(
        game=encode(int.from_bytes(digest[:4], "big") % 32**GAME_LENGTH, GAME_LENGTH),
        edition=edition,
        key=digest,
        kinds=tuple(kind.slug for kind in load_edition(edition).kinds),
        players=players,
        seed=seed,
    )


def printed_faces(game: PrintedGame, cards: Sequence[CardId], dpi: float = FACE_DPI) -> list[PrintedFace]:
    """Return the cards as they are printed, named by `CardId.name`."""
    by_kind = edition_faces(load_edition(game.edition))
    wanted = ((by_kind[card.kind], card_text(game, card), short_code(game, card)) for card in cards)
    images = face_images(wanted, game.geometry, dpi)
    return [
        PrintedFace(card.name, np.ascontiguousarray(np.asarray(image)[..., ::-1]), card_text(game, card))
        for card, image in zip(cards, images, strict=True)
    ]


def printed_label(game: PrintedGame, envelope: int, link: str | None = None, dpi: float = FACE_DPI) -> PrintedFace:
    """Return the label of an envelope with its two codes; `link` replaces the join link."""
    payload, link = label_text(game, envelope), link or join_link(_ADDRESS, game.game, game.key, envelope)
    paper, pdf = PLAIN.paper, BytesIO()
    write_labels(pdf, [Label(envelope, payload, link)], PLAIN, load_edition(game.edition).title, game.game)
    (page,) = page_images(pdf.getvalue(), dpi)
    left, top = (paper.width - CUT.columns * CUT.width) / 2, (paper.height - CUT.rows * CUT.height) / 2
    box = [round(side / 25.4 * dpi) for side in (left, top, left + CUT.width, top + CUT.height)]
    pixels = np.ascontiguousarray(np.asarray(page.crop((box[0], box[1], box[2], box[3])))[..., ::-1])
    codes = (_label_code(payload, _CODE_AT, alphanumeric=True), _label_code(link, _LINK_AT, alphanumeric=False))
    return PrintedFace(f"label-{envelope:03d}", pixels, size=(CUT.width, CUT.height), codes=codes)


def _label_code(text: str, at: tuple[float, float], *, alphanumeric: bool) -> PrintedCode:
    """Return a code on a label; `at` is the lower left corner of its square in the label."""
    modules = len(matrix(text, alphanumeric=alphanumeric))
    module = _LABEL_SIDE / (modules + 4)
    near, far = 2 * module, _LABEL_SIDE - 2 * module
    quad = np.array([(near, near), (far, near), (far, far), (near, far)])
    quad += at[0], CUT.height - at[1] - _LABEL_SIDE
    return PrintedCode(text, quad, modules)


LARGEST = 20
"""The highest version that is generated."""

# Modules of the quiet zone.
_QUIET = 4

# Modules of a corner pattern with its frame: damage keeps clear of them.
_CORNER = 8

# Share of a code that each level of error correction repairs.
_LEVELS = {"L": 0.07, "M": 0.15, "Q": 0.25, "H": 0.3}

# Damage is spread: one part of a code's area spoils about three parts of what is repaired in one piece.
_SPREAD = 0.3

# Pixels a millimetre.
_FINE = 12.0

# More characters than the highest version holds.
_LENGTHS = 2200
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
) -> list[PrintedFace]:
    """Return a number of faces with one foreign QR code each, named `code-001` and so on.

    The codes cycle through `versions`. `damage` is the share of what error
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
) -> PrintedFace:
    """Return a card with the code at a random position, with half to nearly all of the card's width."""
    card = np.full((round(geometry.height * _FINE), round(geometry.width * _FINE), 3), 255, dtype=np.uint8)
    card[:] = _COLOURS[int(chance.integers(len(_COLOURS)))]
    # Modules have at least half a millimetre, as far as the card's size allows.
    least = min(0.5 * (len(modules) + 2 * _QUIET), geometry.width - 2)
    patch = max(geometry.width * float(chance.uniform(0.5, 0.96)), least)
    side = round(patch * _FINE)
    code = cv2.resize(pixels, (side, side), interpolation=cv2.INTER_AREA)
    left = int(chance.integers(card.shape[1] - side + 1))
    top = int(chance.integers(card.shape[0] - side + 1))
    quiet = _QUIET / (len(modules) + 2 * _QUIET) * side
    damaged = cv2.cvtColor(code, cv2.COLOR_GRAY2BGR)
    if damage:
        damaged = _damaged(np.asarray(damaged, dtype=np.uint8), quiet, len(modules), damage, chance)
    card[top : top + side, left : left + side] = damaged
    near, far = quiet, side - quiet
    corners = np.array([(near, near), (far, near), (far, far), (near, far)])
    corners += left, top
    return PrintedFace(name, card, codes=(PrintedCode(text, corners / _FINE, len(modules)),))


def _damaged(code: Picture, quiet: float, modules: int, damage: float, chance: np.random.Generator) -> Picture:
    """Return a code with scratches and stains over the share `damage` of its area."""
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
