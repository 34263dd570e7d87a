"""Faces as they come out of the printer, at 300 dots an inch: codes are black on white, and read from poor prints too.

Decoded by zxing-cpp, which did not make them.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import numpy as np
import pytest
import zxingcpp
from reportlab.lib.units import mm

from cardgen.cards import SIZES
from cardgen.faces.areas import Areas
from cardgen.raster import face_images
from server.editions import load_edition
from server.jobs.faces import edition_faces
from tests.printed_pages import MM_PER_INCH

if TYPE_CHECKING:
    from cardgen.cards import Geometry
    from cardgen.faces import Face

DPI = 300
QR = zxingcpp.BarcodeFormat.QRCode
CODE, SHORT = "H7K3Q0001AAAAAAAAAAA", "00-01-2"
EDITIONS = ("eurocg-2026", "sackson-1969", "tarot-fr")
STEPS = {"eurocg-2026": (1, 7), "sackson-1969": (1, 5), "tarot-fr": (7, 31)}
"""Every how manyth face of an edition is looked at, on the usual size and on others: each with HAGGLE_ALL_FACES set."""
INK, PAPER = 0.55, 0.92
"""How black a poor print is, and how bright grey paper."""


def faces_of(edition: str, name: str) -> list[Face]:
    """Return the faces of an edition that are looked at on cards of a size; the longest words are among them."""
    faces = list(edition_faces(load_edition(edition, "de")).values())
    step = 1 if "HAGGLE_ALL_FACES" in os.environ else STEPS[edition][name != "poker"]
    longest = max(faces, key=lambda face: len(face.text))
    return [*faces[::step], longest]


def box(image: np.ndarray, left: float, top: float, side: tuple[float, float]) -> np.ndarray:
    """Return a part of a face, given in millimetres from its top left corner, without the pixels at its edge."""
    pixel = DPI / MM_PER_INCH
    rows = slice(round(top * pixel) + 1, round((top + side[1]) * pixel) - 1)
    return image[rows, round(left * pixel) + 1 : round((left + side[0]) * pixel) - 1]


def corners(image: np.ndarray, card: Geometry) -> list[np.ndarray]:
    """Return what a face shows from each of two corners of the card to the far end of the code there, upright."""
    side = card.inset + card.patch
    return [box(image, 0, 0, (side, side)), box(image[::-1, ::-1], 0, 0, (side, side))]


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("edition", EDITIONS)
def test_codes_of_every_face_are_read_from_good_and_poor_prints(edition: str, name: str) -> None:
    """Around each code there is nothing but white, in it pure black; on grey paper with little ink it is read too."""
    card = SIZES[name]
    faces = faces_of(edition, name)
    pixel = DPI / MM_PER_INCH
    quiet, side = round(card.quiet * card.module * pixel), round(card.code * pixel)
    inset = round(card.inset * pixel)
    for face, picture in zip(faces, face_images([(face, CODE, SHORT) for face in faces], card, DPI), strict=True):
        image = np.asarray(picture)
        for corner in corners(image, card):
            ring = corner.copy()
            first = inset + quiet
            ring[first - 2 : first + side, first - 2 : first + side] = 255
            assert ring.min() == 255, face.kind
            inside = corner[first:-quiet, first:-quiet].astype(int)
            assert (inside.max(axis=2) - inside.min(axis=2)).max() == 0, face.kind
            assert inside.min() == 0, face.kind
            assert (inside[..., 0] < 60).mean() > 0.3, face.kind
            poor = 255 * PAPER * (1 - INK * (1 - inside_and_around(corner, inset) / 255))
            for seen in (inside_and_around(corner, inset), poor.astype(np.uint8)):
                assert [code.text for code in zxingcpp.read_barcodes(seen, formats=QR)] == [CODE], face.kind


def inside_and_around(corner: np.ndarray, inset: int) -> np.ndarray:
    """Return a code with its quiet zone in grey."""
    return np.asarray(corner[inset:, inset:].mean(axis=2), dtype=np.uint8)


@pytest.mark.parametrize("name", SIZES)
def test_short_codes_are_legible_and_clear_of_the_face(name: str) -> None:
    """The strip under a code bears dark letters of 1.4 mm or more on white, and nothing else."""
    card = SIZES[name]
    faces = edition_faces(load_edition("sackson-1969"))
    shown = [faces["red"], faces["rule-11"]]
    strips = []
    for picture in face_images([(face, CODE, SHORT) for face in shown], card, DPI):
        image = np.asarray(picture)
        down = Areas(card).down / mm - card.inset - card.patch
        # But for its end, where the panel's inner corner is rounded.
        strips.append(box(image, card.inset, card.inset + card.patch, (card.patch - 2.4, down - 0.3)))
    # Another face below does not change it.
    assert (strips[0] == strips[1]).all()
    dark = np.flatnonzero((strips[0].max(axis=2) < 128).any(axis=1))
    assert (dark[-1] - dark[0] + 1) * MM_PER_INCH / DPI >= 1.4
    assert (strips[0][:2] == 255).all()
