"""Whole sheets, printed badly, laid on a table and photographed: a library that did not make them reads the cards."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import numpy as np
import pytest
import zxingcpp
from PIL import Image

from cardgen.layout import grid
from cardgen.setup import PLAIN
from devtools.photo_simulator import Face, PrintedCode, Profile, Scene, photograph
from tests.cardgen.proof.runs import FULL, badly_printed, grey_pages, listed, pdf_of, run_of

DPI = 150
TABLE = Profile(
    textures=("wood",),
    gap=0.0,
    turn=6.0,
    tilt=(12.0, 24.0),
    light=0.8,
    unevenness=0.45,
    shadows=1,
    iso=400.0,
    quality=75,
)
PHONE = Scene(TABLE, 2448, 3264)
"""Eight megapixels in the evening, aslant, with hard shadows across the sheet."""
DIM = Scene(replace(TABLE, light=0.55, iso=1600.0, lens=0.8, cast=0.2, shadows=0), 2448, 3264)
"""In a dim room without shadows: grainy, soft and yellow."""


def sheet(slug: str, page: int) -> Face:
    """Return a page of an edition's run as it came out of a poor printer, to be photographed as a thing by itself."""
    paper = grid(PLAIN, run_of(slug).game.geometry).paper
    pixels = dict(grey_pages(pdf_of(slug), DPI))[page]
    worn = badly_printed(pixels, DPI, page)
    middle = np.array([(paper.width, paper.height)]) / 2
    # The scene asks for the place of one code, to know how large modules are; the answer lies elsewhere.
    quad = middle + np.array([(-10.0, -10.0), (10.0, -10.0), (10.0, 10.0), (-10.0, 10.0)])
    return Face(
        f"{slug}-{page}",
        np.ascontiguousarray(np.repeat(worn[..., np.newaxis], 3, axis=2)),
        size=(paper.width, paper.height),
        codes=(PrintedCode("", quad, 21),),
    )


def cards_read(slug: str, page: int, scene: Scene) -> tuple[int, int]:
    """Photograph a page; return how many of its cards were read by one code or both, and how many it has."""
    cards = {one.payload for one in listed(run_of(slug)) if one.page == page}
    picture = Image.open(BytesIO(photograph([sheet(slug, page)], scene, f"{slug}/{page}").jpeg)).convert("L")
    codes = zxingcpp.read_barcodes(
        np.asarray(picture), formats=zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCodeModel2)
    )
    return len({code.text for code in codes} & cards), len(cards)


@pytest.mark.parametrize("scene", [PHONE, DIM] if FULL else [PHONE], ids=lambda scene: f"iso{scene.profile.iso:g}")
@pytest.mark.parametrize(("slug", "page"), [("eurocg-2026", 1), ("sackson-1969", 2), ("tarot-fr", 7)])
def test_every_card_is_read_from_photographs_of_sheets(slug: str, page: int, scene: Scene) -> None:
    """By one code or both: a page with dark faces, one with words, one with figures and trumps; else every eighth page.

    Of many pages, a shadow's edge or grain may spoil both codes of one card in twenty for so plain a reader.
    """
    pages = range(1, run_of(slug).pages() + 1, 8) if FULL else [page]
    counts = [cards_read(slug, number, scene) for number in pages]
    assert sum(read for read, _ in counts) >= 0.95 * sum(there for _, there in counts)
