"""The back of all cards: it tells nothing, has no right way up, goes beyond the cut, and spares the codes in front."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import numpy.typing as npt
import pypdfium2
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from cardgen.cards import POKER, SIZES, Geometry
from cardgen.faces import Back, draw_back
from cardgen.raster import back_image, card_canvas, face_images
from cardgen.texts import TextError
from server.editions import load_edition
from server.jobs.faces import edition_back, edition_faces
from tests.printed_pages import MM_PER_INCH

DPI = 200
EDITIONS = ("eurocg-2026", "sackson-1969", "tarot-fr")
BACK = Back("EuroCG 2026", "#7a1f2b")

Pixels = npt.NDArray[np.int64]


def pixels_of(back: Back, card: Geometry, bleed: float = 0.0) -> Pixels:
    """Return a back as RGB pixels."""
    return np.asarray(back_image(back, card, DPI, bleed)).astype(np.int64)


@pytest.mark.parametrize("name", SIZES)
def test_a_back_is_the_same_from_both_ends(name: str) -> None:
    """Half a turn changes nothing but the smoothing of edges, so no card is told by how it lies."""
    pixels = pixels_of(BACK, SIZES[name])
    off = np.abs(pixels - pixels[::-1, ::-1])
    assert off.mean() < 12
    # Seen a little from afar there is no difference at all.
    block = 8
    rows, columns = (side // block * block for side in pixels.shape[:2])
    start = (pixels.shape[0] - rows) // 2, (pixels.shape[1] - columns) // 2
    middle = pixels[start[0] : start[0] + rows, start[1] : start[1] + columns]
    coarse = middle.reshape(rows // block, block, columns // block, block, 3).mean(axis=(1, 3))
    assert np.abs(coarse - coarse[::-1, ::-1]).max() < 60


@pytest.mark.parametrize("bleed", [0.0, 3.0])
def test_a_back_goes_on_beyond_the_cut_on_every_side(bleed: float) -> None:
    """Its pattern reaches the far edge of the bleed, and within the cut it is what it is without."""
    pixels = pixels_of(BACK, POKER, bleed)
    for edge in (pixels[0], pixels[-1], pixels[:, 0], pixels[:, -1]):
        # Cream or the pattern's ink, never the paper's white.
        assert edge[2:-2].min(axis=1).max() < 245
        assert np.ptp(edge[2:-2, 1]) > 20
    inside = round(bleed / MM_PER_INCH * DPI)
    alone = pixels_of(BACK, POKER)
    cut = pixels[inside : inside + alone.shape[0], inside : inside + alone.shape[1]]
    assert np.abs(cut[: alone.shape[0]] - alone[: cut.shape[0], : cut.shape[1]]).mean() < 12


@pytest.mark.parametrize("name", SIZES)
def test_codes_are_read_with_the_back_shining_through(name: str) -> None:
    """On thin paper that lets through a quarter of what is behind, both codes are read; they lie behind light parts."""
    card, face = SIZES[name], edition_faces(load_edition("sackson-1969"))["red"]
    (image,) = face_images([(face, "H7K3Q0001AAAAAAAAAAA", "00-01-2")], card, DPI)
    front = np.asarray(image.convert("L")).astype(np.float64)
    behind = np.asarray(back_image(BACK, card, DPI).convert("L")).astype(np.float64)[:, ::-1]
    side = round((card.inset + card.patch) / MM_PER_INCH * DPI)
    assert behind[:side, :side].mean() > 195
    assert behind[-side:, -side:].mean() > 195
    seen = (front * (0.75 + 0.25 * behind / 255)).astype(np.uint8)
    read = zxingcpp.read_barcodes(seen, formats=zxingcpp.BarcodeFormat.QRCode)
    assert [code.text for code in read] == ["H7K3Q0001AAAAAAAAAAA"] * 2


def test_each_edition_has_a_back_of_its_own() -> None:
    """The title stands on it once for each end, and no two editions of the house share an ink."""
    backs = [edition_back(load_edition(edition)) for edition in EDITIONS]
    assert len({back.accent for back in backs}) == len(EDITIONS)
    for back in backs:
        out = BytesIO()
        canvas = card_canvas(out, POKER, 0.0, "back")
        draw_back(canvas, back, POKER)
        canvas.showPage()
        canvas.save()
        with pypdfium2.PdfDocument(out.getvalue()) as document:
            said = document[0].get_textpage().get_text_range()
        assert said.count(back.title) == 2


@settings(max_examples=5, deadline=None)
@given(title=st.text("abcdefgMWÄé 0123", max_size=40), name=st.sampled_from(list(SIZES)))
def test_any_title_stays_within_the_frame(title: str, name: str) -> None:
    """Outside of the frame a back with a title, however long, is as one without."""
    card = SIZES[name]
    titled, plain = pixels_of(Back(title), card), pixels_of(Back(), card)
    edge = round(4.0 / MM_PER_INCH * DPI)
    for strip in (np.s_[:edge], np.s_[-edge:], np.s_[:, :edge], np.s_[:, -edge:]):
        assert (titled[strip] == plain[strip]).all()


def test_a_title_that_the_font_cannot_write_is_refused() -> None:
    """The sign is named."""
    with pytest.raises(TextError, match="the font has no character 漢 for: 漢"):
        pixels_of(Back("漢"), POKER)
