"""Cards for a print shop: a file for each front, one for the back, and a manifest.

Files are made one by one, so memory use does not grow with their number.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, BinaryIO, Literal

from reportlab.lib.units import mm

from cardgen.faces.back import draw_back
from cardgen.faces.draw import draw_codes, draw_face
from cardgen.pages.layout import MAX_BLEED
from cardgen.pages.paper import PaperError
from cardgen.pages.raster import back_image, card_canvas, face_images
from cardgen.payload import card_text, short_code
from cardgen.print_run import NO_TIME
from cardgen.strings import wordings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from PIL.Image import Image

    from cardgen.cards import CardId, Geometry
    from cardgen.pages.paper import Progress
    from cardgen.print_run import PrintPlan

Form = Literal["png", "pdf"]
MIN_DPI, MAX_DPI = 300, 600
MM_PER_INCH = 25.4
MANIFEST = "manifest"


@dataclass(frozen=True)
class Product:
    """A print shop's requirements: images or PDFs, their dots per inch, and the bleed in millimetres."""

    form: Form = "png"
    dpi: int = 300
    bleed: float = 3.0

    def check(self) -> None:
        """Raise PaperError for values out of range."""
        if not MIN_DPI <= self.dpi <= MAX_DPI:
            raise PaperError(f"{self.dpi} dots an inch: choose {MIN_DPI} to {MAX_DPI}")
        if not 0 <= self.bleed <= MAX_BLEED:
            raise PaperError(f"a bleed of {self.bleed:g} mm: choose 0 to {MAX_BLEED:g}")


@dataclass(frozen=True)
class ManifestRow:
    """A row of the manifest. The back has no kind, copy or envelope, but a count."""

    file: str
    kind: str
    copy: int | None
    count: int
    envelope: int | None


def write_archive(run: PrintPlan, product: Product, out: BinaryIO, *, progress: Progress | None = None) -> int:
    """Write a ZIP with the cards of a run; return the number of fronts. PaperError or TextError if that fails.

    `out` need not be seekable. `progress` counts fronts.
    """
    with zipfile.ZipFile(out, "w") as archive:

        def keep(name: str, data: bytes) -> None:
            packed = zipfile.ZIP_STORED if name.endswith(".png") else zipfile.ZIP_DEFLATED
            archive.writestr(zipfile.ZipInfo(name, NO_TIME), data, compress_type=packed)

        return _write(run, product, keep, progress)


def write_cards(run: PrintPlan, folder: Path, product: Product, *, progress: Progress | None = None) -> int:
    """Write the same files as `write_archive` into a folder, which is created if necessary."""

    def keep(name: str, data: bytes) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    return _write(run, product, keep, progress)


def _write(run: PrintPlan, product: Product, keep: Callable[[str, bytes], None], progress: Progress | None) -> int:
    product.check()
    dealt = run.dealt()
    if not dealt:
        raise PaperError("all cards come as stickers, so there are none for a print shop", why="no-sheets")
    back = ManifestRow(f"back.{product.form}", "", None, len(dealt), None)
    keep(back.file, _back(run, product))
    items = []
    for (card, envelope), data in zip(dealt, _fronts(run, product, [card for card, _ in dealt]), strict=True):
        items.append(ManifestRow(f"fronts/{card.name}.{product.form}", card.kind, card.copy, 1, envelope))
        keep(items[-1].file, data)
        if progress:
            progress(len(items), len(dealt))
    for name, text in _manifest(run, product, [back, *items]):
        keep(name, text.encode())
    return len(dealt)


def _fronts(run: PrintPlan, product: Product, cards: list[CardId]) -> Iterator[bytes]:
    """Yield the file of each card."""
    geometry = run.game.geometry
    coded = ((card, card_text(run.game, card), short_code(run.game, card)) for card in cards)
    if product.form == "png":
        drawn = ((run.faces[card.kind], payload, short) for card, payload, short in coded)
        for image in face_images(drawn, geometry, product.dpi, product.bleed):
            yield _png(image, geometry, product)
        return
    words = wordings(run.language)
    for card, payload, short in coded:
        out = io.BytesIO()
        canvas = card_canvas(
            out, geometry, product.bleed, words.card_title.format(title=run.title, card=card.name), run.language
        )
        canvas.translate(product.bleed * mm, product.bleed * mm)
        draw_face(canvas, run.faces[card.kind], geometry, product.bleed)
        draw_codes(canvas, payload, short, geometry)
        canvas.save()
        yield out.getvalue()


def _back(run: PrintPlan, product: Product) -> bytes:
    geometry = run.game.geometry
    if product.form == "png":
        return _png(back_image(run.back, geometry, product.dpi, product.bleed), geometry, product)
    words = wordings(run.language)
    out = io.BytesIO()
    canvas = card_canvas(out, geometry, product.bleed, words.back_title.format(title=run.title), run.language)
    canvas.translate(product.bleed * mm, product.bleed * mm)
    draw_back(canvas, run.back, geometry, product.bleed)
    canvas.save()
    return out.getvalue()


def _png(image: Image, card: Geometry, product: Product) -> bytes:
    """Return an image as a PNG file, without a last row or column of which the card fills less than half."""
    dots = product.dpi / MM_PER_INCH
    right, bottom = (round((side + 2 * product.bleed) * dots) for side in (card.width, card.height))
    out = io.BytesIO()
    image.crop((0, 0, right, bottom)).save(out, "PNG", dpi=(product.dpi, product.dpi), compress_level=4)
    return out.getvalue()


def _manifest(run: PrintPlan, product: Product, items: list[ManifestRow]) -> Iterator[tuple[str, str]]:
    """Yield the manifest as CSV and as JSON."""
    rows = [asdict(item) for item in items]
    table = io.StringIO(newline="")
    writer = csv.DictWriter(table, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    yield f"{MANIFEST}.csv", table.getvalue()
    size = {"width": run.game.geometry.width, "height": run.game.geometry.height}
    manifest = {"game": run.game.game, "title": run.title, "card": size, **asdict(product), "files": rows}
    yield f"{MANIFEST}.json", json.dumps(manifest, ensure_ascii=False, indent=1) + "\n"
