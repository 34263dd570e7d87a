"""What a print service gets: one file a card with room beyond the cut, and lists that agree with it."""

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

from cardgen.cards import POKER, SIZES, CardId, Game, Geometry
from cardgen.ondemand import Product, write_archive, write_cards
from cardgen.paper import PaperError
from cardgen.payload import card_text
from cardgen.printing import PrintRun
from cardgen.setup import Setup
from server.editions import load_edition
from server.jobs.faces import edition_faces
from tests.printed_pages import MM_PER_INCH, catalogue, codes_of

if TYPE_CHECKING:
    from pathlib import Path

HANDS = {1: [CardId("red", 1), CardId("rule-7", 1)], 2: [CardId("red", 2)]}
NAMES = ["back", "fronts/red-001", "fronts/rule-7-001", "fronts/red-002"]
LISTS = ["manifest.csv", "manifest.json"]


def made(geometry: Geometry = POKER, hands: dict[int, list[CardId]] | None = None) -> PrintRun:
    """Return a run of three cards."""
    edition = load_edition("eurocg-2026")
    kinds = tuple(kind.slug for kind in edition.kinds)
    game = Game("7K3Q", edition.slug, bytes(32), kinds, 6, "x", geometry=geometry)
    return PrintRun(game, edition.title, edition_faces(edition), HANDS if hands is None else hands, Setup(), [])


@pytest.fixture(scope="module")
def archive() -> zipfile.ZipFile:
    """Return the archive of pictures at 300 dots an inch."""
    out = io.BytesIO()
    assert write_archive(made(), out, Product()) == 3
    return zipfile.ZipFile(out)


def test_pictures_have_the_cut_and_the_bleed(archive: zipfile.ZipFile) -> None:
    """63 by 88 mm and 3 mm on every side are 815 by 1110 dots; the picture says how large it is."""
    assert archive.namelist() == [*(f"{name}.png" for name in NAMES), *LISTS]
    for name in NAMES:
        image = Image.open(io.BytesIO(archive.read(f"{name}.png")))
        assert image.size == (815, 1110)
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.1)
        assert image.mode == "RGB"


def test_codes_lie_where_the_cut_wants_them(archive: zipfile.ZipFile) -> None:
    """Each front has its own two codes, in the corners of the card, not of the picture; the back has none."""
    edge = 3 + POKER.inset + POKER.patch / 2
    for name, card in zip(NAMES[1:], (CardId("red", 1), CardId("rule-7", 1), CardId("red", 2)), strict=True):
        image = np.asarray(Image.open(io.BytesIO(archive.read(f"{name}.png"))))
        first, twin = sorted(codes_of(image, 300), key=lambda code: code.y)
        assert {first.text, twin.text} == {card_text(made().game, card)}
        assert (first.x, first.y, twin.x, twin.y) == pytest.approx((edge, edge, 69 - edge, 94 - edge), abs=0.2)
    assert codes_of(np.asarray(Image.open(io.BytesIO(archive.read("back.png")))), 300) == []


def test_the_back_goes_on_to_the_rim_of_the_picture(archive: zipfile.ZipFile) -> None:
    """No side is left white, since nobody cuts exactly."""
    image = np.asarray(Image.open(io.BytesIO(archive.read("back.png"))))
    for rim in (image[:3], image[-3:], image[:, :3], image[:, -3:]):
        assert (rim.min(axis=2) < 250).mean() > 0.95


def test_the_lists_name_every_file_and_how_often_it_is_wanted(archive: zipfile.ZipFile) -> None:
    """Fronts once each, the back as often as there are cards; both lists say the same."""
    rows = list(csv.DictReader(io.StringIO(archive.read("manifest.csv").decode())))
    assert rows[0] == {"file": "back.png", "kind": "", "copy": "", "count": "3", "envelope": ""}
    assert rows[2] == {"file": "fronts/rule-7-001.png", "kind": "rule-7", "copy": "1", "count": "1", "envelope": "1"}
    assert [row["file"] for row in rows] == archive.namelist()[:-2]
    told = json.loads(archive.read("manifest.json"))
    assert told["card"] == {"width": 63.0, "height": 88.0}
    assert (told["form"], told["dpi"], told["bleed"]) == ("png", 300, 3.0)
    assert [{key: "" if value is None else str(value) for key, value in row.items()} for row in told["files"]] == rows


def test_pdfs_say_where_to_cut(tmp_path: Path) -> None:
    """A page a card, as large as its bleed, with the cut as its trim box; into a folder as into an archive."""
    heard = []
    product = Product("pdf", bleed=2.0)
    assert write_cards(made(SIZES["mini"]), tmp_path / "new", product, tell=lambda *done: heard.append(done)) == 3
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
        ("en", "Deal: back of all cards", "Deal: red-001"),
        ("de", "Deal: Rückseite aller Karten", "Deal: red-001"),
        ("fr", "Deal : dos de toutes les cartes", "Deal : red-001"),
        # An edition of one's own may speak any language; its cards are in it, their titles in English.
        ("it", "Deal: back of all cards", "Deal: red-001"),
    ],
)
def test_pdfs_say_what_they_are_in_the_language_of_the_game(
    tmp_path: Path, language: str, back: str, front: str
) -> None:
    """Each has a title and a language, and no newer version than print shops take."""
    write_cards(replace(made(), title="Deal", language=language), tmp_path, Product("pdf"))
    for name, title in ((NAMES[0], back), (NAMES[1], front)):
        pdf = (tmp_path / f"{name}.pdf").read_bytes()
        with pypdfium2.PdfDocument(pdf) as document:
            assert document.get_metadata_dict()["Title"] == title
            assert document.get_version() == 14
        assert f"/Lang ({language})" in catalogue(pdf)
        assert "/DisplayDocTitle true" in catalogue(pdf)


def test_the_same_cards_are_the_same_bytes() -> None:
    """Nothing in the archive tells the time."""
    once, again = io.BytesIO(), io.BytesIO()
    for out in (once, again):
        write_archive(made(hands={1: [CardId("red", 1)]}), out, Product("pdf"))
    assert once.getvalue() == again.getvalue()


@pytest.mark.parametrize(
    ("product", "said"),
    [
        (Product(dpi=299), "299 dots an inch: choose 300 to 600"),
        (Product(dpi=601), "choose 300 to 600"),
        (Product(bleed=-0.1), "a bleed of -0.1 mm: choose 0 to 5"),
        (Product(bleed=5.1), "choose 0 to 5"),
        (Product(bleed=float("nan")), "choose 0 to 5"),
    ],
)
def test_what_no_service_wants_is_refused(product: Product, said: str) -> None:
    """With what to choose, and before anything is drawn."""
    with pytest.raises(PaperError, match=said):
        write_archive(made(), io.BytesIO(), product)


def test_no_cards_are_no_order() -> None:
    """An archive of nothing helps nobody."""
    with pytest.raises(PaperError, match="none for a print service"):
        write_archive(made(hands={}), io.BytesIO(), Product())
