"""The sheets as they come out of the printer: rendered to pixels, measured, and decoded by another library."""

from __future__ import annotations

import csv
import re
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
import pytest
from pypdfium2.raw import FPDF_PAGEOBJ_FORM, FPDF_PAGEOBJ_IMAGE

from cardgen.cards import POKER, Geometry
from cardgen.layout import grid
from cardgen.paper import PAPERS, Paper, PaperError
from cardgen.payload import join_link, label_text
from cardgen.setup import PLAIN, Setup
from tests.printed_pages import MM_PER_INCH, codes_of, pages

if TYPE_CHECKING:
    from tests.conftest import PrintedFolder

DPI = 150
A4_LEFT, A4_TOP = 10.5, 16.5


def test_every_code_of_every_card_is_read_where_the_list_says(printed: PrintedFolder) -> None:
    """Each card's code stands twice, in opposite corners of its place, one upright and one turned, within 0.2 mm."""
    with (printed.folder / "cards.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 24 * 13
    on_page: dict[int, list[dict[str, str]]] = {}
    for row in rows:
        on_page.setdefault(int(row["page"]), []).append(row)
    edge = POKER.inset + POKER.patch / 2
    for number, image in enumerate(pages(printed.folder / "sheets.pdf", DPI), start=1):
        seen = codes_of(image, DPI)
        assert len(seen) == 2 * len(on_page[number])
        for row in on_page[number]:
            left = A4_LEFT + (int(row["column"]) - 1) * POKER.width
            top = A4_TOP + (int(row["row"]) - 1) * POKER.height
            first, twin = sorted((code for code in seen if code.text == row["payload"]), key=lambda code: code.y)
            assert (first.x, first.y) == pytest.approx((left + edge, top + edge), abs=0.2)
            assert (twin.x, twin.y) == pytest.approx((left + 63 - edge, top + 88 - edge), abs=0.2)
            assert abs(first.orientation) < 3
            assert abs(abs(twin.orientation) - 180) < 3
            assert first.side == pytest.approx(POKER.code, abs=0.25)
    assert number == max(on_page) == 35


def test_codes_are_black_on_white_with_a_quiet_zone(printed: PrintedFolder) -> None:
    """Around every code two modules are white, its dark is black, and the patch is at least 22 mm wide."""
    assert POKER.patch >= 22
    assert POKER.quiet == 2
    dpi = 300
    image = next(pages(printed.folder / "sheets.pdf", dpi))
    pixel = dpi / MM_PER_INCH
    corners = [(A4_LEFT + column * 63, A4_TOP + row * 88) for row in range(3) for column in range(3)]
    for left, top in corners:
        for x, y in ((left + POKER.inset, top + POKER.inset), (left + 63, top + 88)):
            shift = POKER.inset + POKER.patch if x > left + POKER.inset else 0
            x0, y0 = round((x - shift) * pixel) + 1, round((y - shift) * pixel) + 1
            side, quiet = round(POKER.patch * pixel) - 2, round(POKER.quiet * POKER.module * pixel) - 3
            patch = image[y0 : y0 + side, x0 : x0 + side]
            ring = patch.copy()
            ring[quiet:-quiet, quiet:-quiet] = 255
            assert ring.min() == 255
            dark = patch[patch.max(axis=2) < 128]
            assert len(dark) > 0.2 * side * side
            # Only the edges of modules are grey, and nothing is coloured.
            assert np.median(dark) == 0
            assert (dark.max(axis=1) == dark.min(axis=1)).all()


def test_the_sheets_are_vectors_with_embedded_fonts(printed: PrintedFolder) -> None:
    """No page holds a picture, every font that is named is embedded, and viewers are asked not to scale the page."""
    data = (printed.folder / "sheets.pdf").read_bytes()
    document = pypdfium2.PdfDocument(data)
    kinds = {obj.type for page in document for obj in page.get_objects(max_depth=5)}
    document.close()
    assert FPDF_PAGEOBJ_FORM in kinds
    assert FPDF_PAGEOBJ_IMAGE not in kinds
    fonts = re.findall(rb"/BaseFont\s*/([\w+\-]+)", data)
    assert {font.split(b"+")[-1] for font in fonts} >= {b"SourceSerifPro-Black", b"SourceSansPro-Bold"}
    assert all(b"+SourceS" in font for font in fonts)
    assert data.count(b"/FontFile2") >= 3
    assert b"/PrintScaling /None" in data


@pytest.mark.parametrize(("name", "width", "height"), [("a4", 595.3, 841.9), ("letter", 612.0, 792.0)])
def test_nine_poker_cards_fit_each_paper(name: str, width: float, height: float) -> None:
    """Three by three, centred across, inside the white edge that printers leave."""
    paper = PAPERS[name]
    layout = grid(Setup(paper), POKER)
    assert (layout.columns, layout.rows) == (3, 3)
    assert layout.left == pytest.approx((paper.width - 189) / 2)
    assert layout.bottom >= 5
    assert paper.height - layout.bottom - 3 * 88 >= 5
    assert (paper.width / MM_PER_INCH * 72, paper.height / MM_PER_INCH * 72) == pytest.approx((width, height), abs=0.1)


def test_places_count_row_by_row_and_page_by_page() -> None:
    """The tenth card is the first of the second page."""
    layout = grid(PLAIN, POKER)
    assert [layout.place(n) for n in (0, 1, 3, 8, 9)] == [(1, 1, 1), (1, 1, 2), (1, 2, 1), (1, 3, 3), (2, 1, 1)]


def test_a_card_larger_than_the_paper_is_refused() -> None:
    """The message names both sizes, and what to choose."""
    fits = Geometry(width=283.8)
    assert (grid(PLAIN, fits).columns, grid(PLAIN, fits).paper.width) == (1, 297)
    with pytest.raises(PaperError, match=r"283\.9 x 88 mm do not fit a4 paper: choose smaller cards$"):
        grid(PLAIN, Geometry(width=283.9))
    with pytest.raises(PaperError, match="do not fit stamp"):
        grid(Setup(Paper("stamp", 30, 40)), POKER)


def test_crop_marks_stand_at_every_cut_and_not_on_the_cards(printed: PrintedFolder) -> None:
    """Ticks lie in the margin in line with each cut; between the block and the ticks the paper is white."""
    dpi = 300
    image = next(pages(printed.folder / "sheets.pdf", dpi))
    pixel = dpi / MM_PER_INCH
    row = image[round((A4_TOP - 3) * pixel)].max(axis=1)
    dark = np.flatnonzero(row < 200) / pixel
    expected = [A4_LEFT + n * 63 for n in range(4)]
    assert all(min(abs(x - cut) for cut in expected) < 0.2 for x in dark)
    assert all(np.abs(dark - cut).min() < 0.2 for cut in expected)


def test_the_ruler_in_the_foot_is_50_mm_long(printed: PrintedFolder) -> None:
    """So a printer that shrinks the page is found out with any ruler."""
    dpi = 300
    image = next(pages(printed.folder / "sheets.pdf", dpi))
    pixel = dpi / MM_PER_INCH
    foot = image[round((297 - 14) * pixel) :].max(axis=2) < 200
    longest = max(
        np.diff(np.flatnonzero(np.diff(np.concatenate(([0], line.astype(int), [0])))))[::2].max(initial=0)
        for line in foot
    )
    assert longest / pixel == pytest.approx(50, abs=0.3)


def test_the_margin_says_whose_envelope_the_cards_belong_to(printed: PrintedFolder) -> None:
    """Beside each row stand the envelopes of its cards, since the cards themselves do not tell."""
    document = pypdfium2.PdfDocument(printed.folder / "sheets.pdf")
    said = [page.get_textpage().get_text_range() for page in document]
    for number, text in enumerate(said, start=1):
        for row in (1, 2, 3):
            envelopes = [str(c.envelope) for c in printed.cards if (c.page, c.row) == (number, row)]
            if envelopes:
                same = len(set(envelopes)) == 1
                assert (f"envelope {envelopes[0]}" if same else f"envelopes {', '.join(envelopes)}") in text
    assert "envelopes 1, 2, 2" in said[1]
    document.close()


def test_labels_carry_the_scanners_code_and_the_link(printed: PrintedFolder) -> None:
    """Each of the 24 labels has its signed code and its join link; both are read."""
    expected = set(_label_texts(printed))
    found: set[str] = set()
    count = 0
    for image in pages(printed.folder / "labels.pdf", 200):
        found |= {code.text for code in codes_of(image, 200)}
        count += 1
    assert count == 3
    assert found == expected


def _label_texts(printed: PrintedFolder) -> list[str]:
    game, envelopes = printed.game, range(1, 25)
    links = [join_link("https://haggle.example", game.game, game.key, envelope) for envelope in envelopes]
    return [label_text(game, envelope) for envelope in envelopes] + links


def test_written_bytes_are_a_pdf_of_the_right_page_size(printed: PrintedFolder) -> None:
    """Every sheet has the size of the paper."""
    document = pypdfium2.PdfDocument(BytesIO((printed.folder / "sheets.pdf").read_bytes()))
    assert {tuple(round(side, 1) for side in page.get_size()) for page in document} == {(595.3, 841.9)}
    document.close()
