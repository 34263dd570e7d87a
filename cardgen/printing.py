"""One print run: writes the sheets, the labels, the card list and the faces of cards that have been dealt."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

from cardgen.labels import Label, write_labels
from cardgen.layout import PrintedCard, grid
from cardgen.payload import card_text, label_text, short_code
from cardgen.raster import face_images
from cardgen.sheets import write_sheets
from cardgen.wordings import wordings

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from cardgen.cards import CardId, Game
    from cardgen.faces import Face
    from cardgen.setup import Setup

SHEETS, LABELS, CARDS, FACES = "sheets.pdf", "labels.pdf", "cards.csv", "faces"
STANDARD = (SHEETS, LABELS, CARDS)
"""The files that a print run is written with."""
COLUMNS = ("card", "kind", "copy", "payload", "code", "envelope", "page", "row", "column")
FACE_DPI = 300


Progress = Callable[[int, int], None]
"""Told the pages done, and their number."""


@dataclass(frozen=True)
class PrintRun:
    """What to print. `hands` are the cards of each envelope by its number, in the order of the sheets.

    `faces` has the face of every kind; `labels` are the envelopes that get a label, `links` what leads a phone to each,
    where there is a server. `language` is that of labels and margins; the faces bring their own.
    """

    game: Game
    title: str
    faces: Mapping[str, Face]
    hands: Mapping[int, Sequence[CardId]]
    setup: Setup
    labels: Sequence[int]
    links: Mapping[int, str] = field(default_factory=dict)
    language: str = "en"

    def cards(self) -> list[PrintedCard]:
        """Return all cards, envelope by envelope, each with its place on the sheets; PaperError if it cannot be."""
        layout = grid(self.setup.paper, self.game.geometry)
        flat = [(card, envelope) for envelope, hand in self.hands.items() for card in hand]
        return [
            PrintedCard(card, card_text(self.game, card), short_code(self.game, card), envelope, *layout.place(number))
            for number, (card, envelope) in enumerate(flat)
        ]


@dataclass(frozen=True)
class Part:
    """A file of a print run: what it is for browsers, and what writes it (run, file, only page, progress) -> pages."""

    media: str
    write: Callable[[PrintRun, BinaryIO, int | None, Progress | None], int]


@dataclass(frozen=True)
class Printed:
    """What a print run wrote."""

    cards: tuple[PrintedCard, ...]
    sheets: int
    label_pages: int


def write_run(run: PrintRun, folder: Path, *, names: Sequence[str] = STANDARD, faces: bool = False) -> Printed:
    """Write files of a print run into an existing folder, overwriting what has their names.

    Raises PaperError or TextError for a run that cannot be printed.
    """
    pages = {}
    for name in names:
        with (folder / name).open("wb") as out:
            pages[name] = write_part(run, name, out)
    cards = tuple(run.cards())
    if faces:
        _write_faces(run, folder / FACES, cards)
    return Printed(cards, pages.get(SHEETS, 0), pages.get(LABELS, 0))


def write_part(
    run: PrintRun, name: str, out: BinaryIO, *, only: int | None = None, tell: Progress | None = None
) -> int:
    """Write one of PARTS, the same bytes each time; return its number of pages.

    `only` writes this page alone, from 1, as it is among all of them; `tell` is called with the pages done and their
    number after each page.
    """
    return PARTS[name].write(run, out, only, tell)


def _sheets(run: PrintRun, out: BinaryIO, only: int | None, tell: Progress | None) -> int:
    words = wordings(run.language)
    title = words.game_of.format(title=run.title, game=run.game.game)
    return write_sheets(out, run.cards(), run.faces, run.game.geometry, run.setup, title, words, only=only, tell=tell)


def _labels(run: PrintRun, out: BinaryIO, only: int | None, tell: Progress | None) -> int:
    labels = [Label(number, label_text(run.game, number), run.links.get(number)) for number in run.labels]
    words = wordings(run.language)
    return write_labels(out, labels, run.setup.paper, run.title, run.game.game, words, only=only, tell=tell)


def _list(run: PrintRun, out: BinaryIO, _only: int | None, _tell: Progress | None) -> int:
    return _write_list(out, run.cards())


PARTS: Mapping[str, Part] = {
    SHEETS: Part("application/pdf", _sheets),
    LABELS: Part("application/pdf", _labels),
    CARDS: Part("text/csv", _list),
}
"""Every file that a print run has."""


def _write_list(out: BinaryIO, cards: Iterable[PrintedCard]) -> int:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for c in cards:
        where = (c.envelope, c.page, c.row, c.column)
        writer.writerow((c.card.name, c.card.kind, c.card.copy, c.payload, c.code, *where))
    out.write(text.getvalue().encode())
    return 1


def _write_faces(run: PrintRun, folder: Path, cards: Sequence[PrintedCard]) -> None:
    folder.mkdir(exist_ok=True)
    drawn = face_images(((run.faces[c.card.kind], c.payload, c.code) for c in cards), run.game.geometry, FACE_DPI)
    for printed, image in zip(cards, drawn, strict=True):
        image.save(folder / f"{printed.card.name}.png", dpi=(FACE_DPI, FACE_DPI), compress_level=4)
