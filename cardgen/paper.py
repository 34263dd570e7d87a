"""Paper, and the PDF that is printed on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO, Literal

from reportlab import rl_config
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from cardgen import texts

MARGIN = 5.0
"""Printers leave about this much of each edge white, in millimetres."""
Duplex = Literal["Simplex", "DuplexFlipLongEdge", "DuplexFlipShortEdge"]
# Compressed streams stay bytes: as letters they would be a quarter longer, and take time.
rl_config.useA85 = 0


class PaperError(ValueError):
    """What is to be printed does not fit the paper.

    For programs, `why` names the cause in a word, and `numbers` are those that belong to it.
    """

    def __init__(self, message: str, why: str = "paper", **numbers: float) -> None:
        super().__init__(message)
        self.why, self.numbers = why, numbers


@dataclass(frozen=True)
class Paper:
    """A size of paper in millimetres."""

    name: str
    width: float
    height: float

    @property
    def turned(self) -> Paper:
        """The same paper lying on its other side: landscape, where this is portrait."""
        return Paper(self.name, self.height, self.width)


PAPERS = {paper.name: paper for paper in (Paper("a4", 210.0, 297.0), Paper("letter", 215.9, 279.4))}


def new_canvas(out: BinaryIO, paper: Paper, title: str, language: str, duplex: Duplex | None = None) -> Canvas:
    """Return a canvas for a PDF that says its title and language, and asks viewers not to scale it when printing.

    `duplex` is what it asks of a printer that can print on both sides, None if nothing.
    The PDF bears no time and no chance, so that the same pages are the same bytes.
    """
    texts.use_fonts()
    # Without a first font of ours, the PDF would name Helvetica, which is not embedded.
    canvas = Canvas(
        out,
        pagesize=(paper.width * mm, paper.height * mm),
        pageCompression=1,
        initialFontName=texts.TEXT,
        invariant=1,
        # Older ones know neither wish that follows.
        pdfVersion=(1, 7) if duplex else (1, 6),
        lang=language,
    )
    name_pdf(canvas, title)
    canvas.setViewerPreference("PrintScaling", "None")
    if duplex:
        canvas.setViewerPreference("Duplex", duplex)
    return canvas


def name_pdf(canvas: Canvas, title: str) -> None:
    """Say in a PDF's properties what it is and who made it; the library beneath says "anonymous" and "unspecified"."""
    canvas.setTitle(title)
    canvas.setAuthor("Haggle")
    canvas.setCreator("Haggle")
    canvas.setSubject(title)
    # Readers name the window, and read aloud, by the title, not by the file's name.
    canvas.setViewerPreference("DisplayDocTitle", "true")
