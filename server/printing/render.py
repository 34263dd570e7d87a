"""Rendering of print runs, with few imports, for calls in separate processes."""

from __future__ import annotations

import io
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pypdfium2

from cardgen.faces.draw import check_faces
from cardgen.fonts import TextError
from cardgen.pages.paper import PaperError
from cardgen.print_run import SHEETS, write_part

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from cardgen.cards import Geometry
    from cardgen.faces.face import Face
    from cardgen.pages.paper import Progress
    from cardgen.print_run import PrintPlan

Edges = tuple[float, float, float, float]
"""Widths to crop at the left, bottom, right and top of a page, in points."""


def draw(run: PrintPlan, name: str) -> bytes:
    """Return one file of a print run; PaperError or TextError if it cannot be drawn."""
    out = io.BytesIO()
    write_part(run, name, out)
    return out.getvalue()


def write_file(write: Callable[..., object], arguments: tuple[Any, ...], file: Path, *, progress: Progress) -> None:
    """Call a function that writes a print run to an open file; errors as `draw`, and OSError."""
    with file.open("wb") as out:
        write(*arguments, out, progress=progress)


def cause_of(error: PaperError | TextError) -> dict[str, Any]:
    """Return the cause of an error for programs."""
    return {"why": error.why, **error.numbers}


def measure(run: PrintPlan, names: Sequence[str]) -> dict[str, int | PaperError | TextError]:
    """Return the number of pages of each file, or its error."""
    return {name: _measured(run, name) for name in names}


def draw_image(run: PrintPlan, name: str, page: int | None, width: int, cut: Edges = (0, 0, 0, 0)) -> bytes | None:
    """Return a page, the first by default, as a PNG of about `width` pixels; None if there is no such page.

    `cut` crops its edges.
    """
    if page is not None and page > _pages(run, name):
        return None
    out = io.BytesIO()
    write_part(run, name, out, only=page or 1)
    with pypdfium2.PdfDocument(out.getvalue()) as document:
        # Files that are quick to draw contain all pages in any case.
        sheet = document[(page or 1) - 1 if len(document) > 1 else 0]
        shown = sheet.get_width() - cut[0] - cut[2]
        # Half a pixel less, since the renderer rounds up.
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
    """Return the error of a face that does not fit. Cached, since previews ask for it at every change of options."""
    try:
        check_faces(faces, card)
    except TextError as error:
        return error.with_traceback(None)
    return None


def _pages(run: PrintPlan, name: str) -> int:
    # No page has the number 0, so that nothing is drawn.
    return run.pages() if name == SHEETS else write_part(run, name, io.BytesIO(), only=0)
