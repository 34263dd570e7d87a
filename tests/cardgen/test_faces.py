"""Printed faces of cards: codes on white, and colours that can be distinguished by ink and by shape."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pytest
import zxingcpp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reportlab.lib.units import mm

from cardgen.artwork.symbols import SYMBOLS
from cardgen.cards import POKER, SIZES, Geometry
from cardgen.faces.areas import Areas, Box
from cardgen.faces.worded import text_box
from cardgen.pages.raster import face_images
from server.editions import load_edition
from server.printing.card_faces import edition_faces
from tests.printed_pages import MM_PER_INCH

if TYPE_CHECKING:
    from cardgen.faces.face import Face

Values = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]

DPI = 300
CODE, SHORT = "H7K3Q0001AAAAAAAAAAA", "00-01-2"
STEPS = {"eurocg-2026": (1, 14), "sackson-1969": (2, 10), "tarot-fr": (14, 50)}
"""Steps between the faces that are checked, on the usual size and on others; with `--all` every face is."""
COLOURED = ("eurocg-2026", "sackson-1969")
INK, PAPER = 0.55, 0.92
"""Ink of a poor print, and brightness of grey paper."""

SEEN_BY = {
    "everybody": np.eye(3),
    "protanopes": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopes": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopes": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""Maps of linear red, green and blue, by Machado, Oliveira and Fernandes (2009), for complete deficiency."""
FROM_RGB = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)
WHITE = np.array([0.95047, 1.0, 1.08883])


def pictures(faces: list[Face], card: Geometry, dpi: float = DPI) -> list[Pixels]:
    """Return faces with one code as RGB pixels."""
    return [np.asarray(image) for image in face_images([(face, CODE, SHORT) for face in faces], card, dpi)]


def box(image: Pixels, left: float, top: float, side: tuple[float, float]) -> Pixels:
    """Return an area of a face, given in millimetres from its top left corner, without the pixels at its edge."""
    pixel = DPI / MM_PER_INCH
    rows = slice(round(top * pixel) + 1, round((top + side[1]) * pixel) - 1)
    return image[rows, round(left * pixel) + 1 : round((left + side[0]) * pixel) - 1]


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("edition", STEPS)
def test_codes_of_every_face_are_read_from_good_and_poor_prints(
    edition: str, name: str, pytestconfig: pytest.Config
) -> None:
    """Codes are pure black with a white quiet zone; they are also read if printed with little ink on grey paper."""
    card = SIZES[name]
    every = list(edition_faces(load_edition(edition, "de")).values())
    step = 1 if pytestconfig.getoption("all") else STEPS[edition][name != "poker"]
    faces = [*every[::step], max(every, key=lambda face: len(face.text))]
    pixel, side = DPI / MM_PER_INCH, card.inset + card.patch
    quiet, inset = round(card.quiet * card.module * pixel), round(card.inset * pixel)
    first, length = inset + quiet, round(card.code * pixel)
    for face, image in zip(faces, pictures(faces, card), strict=True):
        for corner in (box(image, 0, 0, (side, side)), box(image[::-1, ::-1], 0, 0, (side, side))):
            ring = corner.copy()
            ring[first - 2 : first + length, first - 2 : first + length] = 255
            assert ring.min() == 255, face.kind
            inside = corner[first:-quiet, first:-quiet].astype(int)
            assert np.ptp(inside, axis=2).max() == 0, face.kind
            assert inside.min() == 0, face.kind
            assert (inside[..., 0] < 60).mean() > 0.3, face.kind
            good = corner[inset:, inset:].mean(axis=2)
            poor = 255 * PAPER * (1 - INK * (1 - good / 255))
            for seen in (good, poor):
                codes = zxingcpp.read_barcodes(seen.astype(np.uint8), formats=zxingcpp.BarcodeFormat.QRCode)
                assert [code.text for code in codes] == [CODE], face.kind


@pytest.mark.parametrize("name", SIZES)
def test_short_codes_are_legible_and_clear_of_the_face(name: str) -> None:
    """The strip below a code has only dark letters of at least 1.4 mm on white."""
    card = SIZES[name]
    faces = edition_faces(load_edition("sackson-1969"))
    down = Areas(card).down / mm - card.inset - card.patch
    # Except for its end, where the panel's inner corner is rounded.
    one, other = (
        box(image, card.inset, card.inset + card.patch, (card.patch - 2.4, down - 0.3))
        for image in pictures([faces["red"], faces["rule-11"]], card)
    )
    assert (one == other).all()
    dark = np.flatnonzero((one.max(axis=2) < 128).any(axis=1))
    assert (dark[-1] - dark[0] + 1) * MM_PER_INCH / DPI >= 1.4
    assert (one[:2] == 255).all()


def test_the_sizes_are_those_that_are_sold() -> None:
    """Width and height in millimetres; only business cards are in landscape format."""
    assert {name: (size.width, size.height) for name, size in SIZES.items()} == {
        "poker": (63, 88),
        "bridge": (57, 88),
        "mini": (44, 67),
        "business": (85, 55),
        "business-us": (88.9, 50.8),
    }
    assert [name for name, size in SIZES.items() if Areas(size).side_by_side] == ["business", "business-us"]
    assert SIZES["poker"] == POKER


@pytest.mark.parametrize("name", SIZES)
def test_codes_are_large_enough_and_leave_room_for_a_symbol(name: str) -> None:
    """The patch has at least 22 mm, or the same share of a smaller card; a disc of 18 mm is free."""
    size = SIZES[name]
    smaller = min((size.width * size.height / (POKER.width * POKER.height)) ** 0.5, 1.0)
    assert size.patch >= 22 or size.module >= 0.98 * POKER.module * smaller
    assert size.module > 0.4
    assert 2 * Areas(size).reach / mm >= 18


def touch(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap."""
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > 1e-6 and min(one.top, other.top) - max(one.bottom, other.bottom) > 1e-6


@settings(max_examples=50)
@given(width=st.floats(40, 120), height=st.floats(40, 120), inset=st.floats(1, 5), module=st.floats(0.5, 1.2))
def test_no_area_overlaps_a_code(width: float, height: float, inset: float, module: float) -> None:
    """On a card of any size with room for two codes, all areas are within the card and clear of the codes."""
    card = Geometry(width, height, inset, module)
    areas, room = Areas(card), text_box(card)
    assume(width > 2 * areas.across / mm + 2 or height > 2 * areas.down / mm + 2)
    assume(min(width, height) > (areas.down / mm) + 12)
    near, far = inset * mm, (inset + card.patch) * mm
    codes = [
        Box(near, height * mm - far, far, height * mm - near),
        Box(width * mm - far, near, width * mm - near, far),
    ]
    # The full lines of text, and those beside the lower code.
    turn = room.top - room.turn
    words = [
        Box(room.left, turn, room.left + room.full, room.top),
        Box(room.left, room.top - room.depth, room.left + room.narrow, turn),
    ]
    assert not touch(*codes)
    for part in (areas.head, areas.foot, *words):
        assert not any(touch(part, code) for code in codes)
        assert min(part.left - areas.whole.left, part.bottom - areas.whole.bottom) >= -1e-6
        assert max(part.right - areas.whole.right, part.top - areas.whole.top) <= 1e-6
    assert not any(touch(areas.foot if areas.side_by_side else areas.head, part) for part in words)


def linear(ink: str) -> Values:
    """Return an ink "#RRGGBB" as linear light."""
    parts = np.array([int(ink[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(light: Values) -> Values:
    """Return linear light in CIELAB, where distances correspond to perception."""
    parts = FROM_RGB @ np.clip(light, 0, 1) / WHITE
    x, y, z = np.where(parts > (6 / 29) ** 3, np.cbrt(parts), parts / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def colours(edition: str) -> list[Face]:
    """Return the faces of an edition's colour cards."""
    faces = edition_faces(load_edition(edition))
    return [faces[kind.slug] for kind in load_edition(edition).kinds if kind.category == "colour"]


@pytest.mark.parametrize("edition", COLOURED)
def test_any_two_inks_can_be_distinguished(edition: str) -> None:
    """By eight times the just noticeable difference, also with each of three deficiencies, and in grey."""
    assert lab(linear("#FF0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)
    faces = colours(edition)
    assert len(faces) >= 5
    for who, matrix in SEEN_BY.items():
        for one, other in combinations(faces, 2):
            apart = lab(matrix @ linear(one.ink)) - lab(matrix @ linear(other.ink))
            assert np.linalg.norm(apart) > 8 * 2.3, (who, one.kind, other.kind)
    lightness = sorted(float(lab(linear(face.ink))[0]) for face in faces)
    assert min(np.diff(lightness)) > 8


@pytest.mark.parametrize("name", SIZES)
@pytest.mark.parametrize("edition", COLOURED)
def test_any_two_symbols_differ_in_grey(edition: str, name: str) -> None:
    """On every size of card an eighth of the medallion differs between two colours."""
    faces, card, dpi = colours(edition), SIZES[name], 120
    assert len({face.symbol for face in faces} & set(SYMBOLS)) == len({face.name for face in faces}) == len(faces)
    shapes = []
    for image in pictures(faces, card, dpi):
        grey = image.mean(axis=2)
        height, width = grey.shape
        r = round(0.7 * min(Areas(card).reach / mm, 15) / MM_PER_INCH * dpi)
        shapes.append(grey[height // 2 - r : height // 2 + r, width // 2 - r : width // 2 + r] < 245)
        rows = np.flatnonzero(shapes[-1].any(axis=1))
        assert rows[-1] - rows[0] > 1.4 * r
        if name == "poker":
            # The name is at both ends, so a card looks the same either way up.
            heading = (slice(0, int(height * 0.3)), slice(int(width * 0.48), width))
            assert np.abs(grey[heading] - grey[::-1, ::-1][heading]).mean() < 12
    for one, other in combinations(shapes, 2):
        assert (one != other).mean() > 1 / 8
