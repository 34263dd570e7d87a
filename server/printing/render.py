"""Draws a file of a print run: light enough to be called in a process of its own."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pypdfium2

from cardgen.faces.draw import check_faces
from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from cardgen.print_run import SHEETS, write_bundle, write_part
from cardgen.print_service import write_archive

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face
    from cardgen.pages.paper import Progress
    from cardgen.print_run import PrintPlan
    from cardgen.print_service import Product

Edges = tuple[float, float, float, float]
"""What is cut off at the left, the bottom, the right and the top of a page, in points."""


def draw(run: PrintPlan, name: str) -> bytes:
    """Return one file of a print run; PaperError or TextError if it cannot be drawn."""
    out = io.BytesIO()
    write_part(run, name, out)
    return out.getvalue()


def draw_into(run: PrintPlan, name: str, file: Path, *, progress: Progress) -> None:
    """Write one file of a print run, telling the pages that are done; errors as `draw`, and OSError."""
    with file.open("wb") as out:
        write_part(run, name, out, progress=progress)


def bundle_into(run: PrintPlan, file: Path, *, progress: Progress) -> None:
    """Write all that is printed of a run, telling the pages that are done; errors as `draw_into`."""
    with file.open("wb") as out:
        write_bundle(run, out, progress=progress)


def pack_into(run: PrintPlan, product: Product, file: Path, *, progress: Progress) -> None:
    """Write the cards of a run for a print service, telling the cards that are done; errors as `draw_into`."""
    with file.open("wb") as out:
        write_archive(run, out, product, progress=progress)


def cause_of(error: PaperError | TextError) -> dict[str, Any]:
    """Return why something cannot be printed, for programs."""
    return {"why": error.why, **error.numbers}


def measure(run: PrintPlan, names: Sequence[str]) -> dict[str, int | PaperError | TextError]:
    """Return how many pages each file has, or why it cannot be printed."""
    return {name: _measured(run, name) for name in names}


def draw_image(run: PrintPlan, name: str, page: int | None, width: int, cut: Edges = (0, 0, 0, 0)) -> bytes | None:
    """Return a page as a PNG of so many pixels' width, give or take one; None if there is no such page.

    Without a number it is the first one; `cut` takes edges off.
    """
    if page is not None and page > _pages(run, name):
        return None
    out = io.BytesIO()
    write_part(run, name, out, only=page or 1)
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        # A file that is quick to draw may hold its other pages too.
        sheet = document[(page or 1) - 1 if len(document) > 1 else 0]
        shown = sheet.get_width() - cut[0] - cut[2]
        # Half a pixel less, since the sides are rounded up.
        image = sheet.render(scale=(width - 0.5) / shown, crop=cut).to_pil().convert("RGB")
    png = io.BytesIO()
    image.save(png, "PNG", compress_level=4)
    return png.getvalue()


def _measured(run: PrintPlan, name: str) -> int | PaperError | TextError:
    try:
        pages = _pages(run, name)
    except (PaperError, TextError) as error:
        return error.with_traceback(None)
    kinds = sorted({card.kind for card, _ in run.dealt()}) if name == SHEETS else []
    return _misfit(tuple(run.faces[kind] for kind in kinds), run.game.geometry) or pages


@lru_cache(maxsize=16)
def _misfit(faces: tuple[Face, ...], card: Geometry) -> TextError | None:
    """Return which words do not fit their card. It takes tenths of a second, and is asked for at every choice."""
    try:
        check_faces(faces, card)
    except TextError as error:
        return error.with_traceback(None)
    return None


def _pages(run: PrintPlan, name: str) -> int:
    # Elsewhere no page has this number, so that none is drawn.
    return run.pages() if name == SHEETS else write_part(run, name, io.BytesIO(), only=0)
