"""Files for a print shop: one for each card, with a bleed, and manifests."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from cardgen.cards import POKER, SIZES, CardId, Geometry, PrintedGame
from cardgen.pages.layout import PageSetup
from cardgen.pages.paper import PaperError
from cardgen.payload import card_text
from cardgen.print_run import PrintPlan
from cardgen.print_service import Product, write_archive, write_cards
from server.editions import load_edition
from server.printing.card_faces import edition_faces
from tests.printed_pages import MM_PER_INCH, catalogue, codes_of

if TYPE_CHECKING:
    from pathlib import Path

HANDS = {1: [CardId("red", 1), CardId("rule-7", 1)], 2: [CardId("red", 2)]}
NAMES = ["back", "fronts/red-001", "fronts/rule-7-001", "fronts/red-002"]


def made(geometry: Geometry = POKER, hands: dict[int, list[CardId]] | None = None) -> PrintPlan:
    """Return a print run, of three cards by default."""
    edition = load_edition("eurocg-2026")
    kinds = tuple(kind.slug for kind in edition.kinds)
    game = PrintedGame("7K3Q", edition.slug, bytes(32), kinds, 6, "x", geometry=geometry)
    return PrintPlan(game, edition.title, edition_faces(edition), HANDS if hands is None else hands, PageSetup(), [])


def test_images_have_a_bleed_and_the_codes_of_their_cards() -> None:
    """Each front has its codes in the corners of the card; the back is inked up to the edge of the image."""
    out = io.BytesIO()
    assert write_archive(made(), Product(), out) == 3
    archive = zipfile.ZipFile(out)
    assert archive.namelist() == [*(f"{name}.png" for name in NAMES), "manifest.csv", "manifest.json"]
    pictures = [Image.open(io.BytesIO(archive.read(f"{name}.png"))) for name in NAMES]
    for image in pictures:
        assert (image.size, image.mode) == ((815, 1110), "RGB")
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
    back, *fronts = map(np.asarray, pictures)
    edge = 3 + POKER.inset + POKER.patch / 2
    for front, card in zip(fronts, (CardId("red", 1), CardId("rule-7", 1), CardId("red", 2)), strict=True):
        first, twin = sorted(codes_of(front, 300), key=lambda code: code.y)
        assert {first.text, twin.text} == {card_text(made().game, card)}
        assert (first.x, first.y, twin.x, twin.y) == pytest.approx((edge, edge, 69 - edge, 94 - edge), abs=0.2)
    assert codes_of(back, 300) == []
    for rim in (back[:3], back[-3:], back[:, :3], back[:, -3:]):
        assert (rim.min(axis=2) < 250).mean() > 0.95

    rows = list(csv.DictReader(io.StringIO(archive.read("manifest.csv").decode())))
    assert rows[0] == {"file": "back.png", "kind": "", "copy": "", "count": "3", "envelope": ""}
    assert rows[2] == {"file": "fronts/rule-7-001.png", "kind": "rule-7", "copy": "1", "count": "1", "envelope": "1"}
    assert [row["file"] for row in rows] == archive.namelist()[:-2]
    body = json.loads(archive.read("manifest.json"))
    assert body["card"] == {"width": 63.0, "height": 88.0}
    assert (body["form"], body["dpi"], body["bleed"]) == ("png", 300, 3.0)
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in body["files"]] == rows


def test_pdfs_have_a_trim_box(tmp_path: Path) -> None:
    """Each card has a page that includes its bleed. Folders and archives contain the same files."""
    heard = []
    product = Product("pdf", bleed=2.0)
    assert write_cards(made(SIZES["mini"]), tmp_path / "new", product, progress=lambda *done: heard.append(done)) == 3
    assert heard == [(1, 3), (2, 3), (3, 3)]
    point = 72 / MM_PER_INCH
    for name in NAMES:
        with pypdfium2.PdfDocument(tmp_path / "new" / f"{name}.pdf") as document:
            (page,) = document
            assert page.get_size() == pytest.approx((48 * point, 71 * point), abs=0.01)
            assert page.get_trimbox() == pytest.approx((2 * point, 2 * point, 46 * point, 69 * point), abs=0.01)
            assert page.get_bleedbox() == pytest.approx((0, 0, 48 * point, 71 * point), abs=0.01)


@pytest.mark.parametrize(
    ("language", "back", "front"),
    [
        ("de", "Deal: Rückseite aller Karten", "Deal: red-001"),
        ("fr", "Deal : dos de toutes les cartes", "Deal : red-001"),
        # Other editions may be in any language; the titles of their PDFs are then in English.
        ("eo", "Deal: back of all cards", "Deal: red-001"),
    ],
)
def test_pdfs_have_a_title_and_a_language(tmp_path: Path, language: str, back: str, front: str) -> None:
    """They have a version of PDF that print shops accept, and the same bytes each time."""
    run = replace(made(hands={1: [CardId("red", 1)]}), title="Deal", language=language)
    for folder in ("one", "two"):
        write_cards(run, tmp_path / folder, Product("pdf"))
    for name, title in (("back", back), ("fronts/red-001", front)):
        pdf = (tmp_path / "one" / f"{name}.pdf").read_bytes()
        assert pdf == (tmp_path / "two" / f"{name}.pdf").read_bytes()
        with pypdfium2.PdfDocument(pdf) as document:
            assert (document.get_metadata_dict()["Title"], document.get_version()) == (title, 14)
        assert f"/Lang ({language})" in catalogue(pdf)
        assert "/DisplayDocTitle true" in catalogue(pdf)


@pytest.mark.parametrize(
    ("product", "message"),
    [
        (Product(dpi=299), "299 dots an inch: choose 300 to 600"),
        (Product(dpi=601), "choose 300 to 600"),
        (Product(bleed=-0.1), "a bleed of -0.1 mm: choose 0 to 5"),
        (Product(bleed=5.1), "choose 0 to 5"),
        (Product(bleed=float("nan")), "choose 0 to 5"),
        (None, "none for a print shop"),
    ],
)
def test_invalid_products_and_runs_without_cards_are_refused(product: Product | None, message: str) -> None:
    """The message contains advice, and nothing is drawn before."""
    with pytest.raises(PaperError, match=message):
        write_archive(made() if product else made(hands={}), product or Product(), io.BytesIO())
