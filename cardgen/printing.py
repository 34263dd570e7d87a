"""One print run: deals a game's cards and writes the sheets, the labels, the card list and the faces."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardgen.deal import deal
from cardgen.labels import Label, write_labels
from cardgen.payload import card_text, label_text, short_code
from cardgen.raster import face_images
from cardgen.sheets import PrintedCard, grid, write_sheets

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from cardgen.cards import Game
    from cardgen.deal import Portion
    from cardgen.faces import Face
    from cardgen.sheets import Paper

SHEETS, LABELS, CARDS, FACES = "sheets.pdf", "labels.pdf", "cards.csv", "faces"
COLUMNS = ("card", "kind", "copy", "payload", "code", "envelope", "page", "row", "column")
FACE_DPI = 300


@dataclass(frozen=True)
class PrintRun:
    """What to print. `faces` has the face of every kind; `join` is the address that labels lead phones to, or None."""

    game: Game
    title: str
    faces: Mapping[str, Face]
    portions: Sequence[Portion]
    paper: Paper
    join: str | None = None

    def cards(self) -> list[PrintedCard]:
        """Return all cards, envelope by envelope, each with its place on the sheets; DealError if it cannot be."""
        layout = grid(self.paper, self.game.geometry)
        dealt = deal(self.portions, self.game.players, self.game.seed)
        flat = [(card, envelope) for envelope, hand in enumerate(dealt, start=1) for card in hand]
        return [
            PrintedCard(card, card_text(self.game, card), short_code(self.game, card), envelope, *layout.place(number))
            for number, (card, envelope) in enumerate(flat)
        ]


@dataclass(frozen=True)
class Printed:
    """What a print run wrote."""

    cards: tuple[PrintedCard, ...]
    sheets: int
    label_pages: int


def write_run(run: PrintRun, folder: Path, *, faces: bool = False) -> Printed:
    """Write a print run's files into an existing folder, overwriting what has their names.

    Raises DealError, PaperError or TextError for a run that cannot be printed.
    """
    cards = tuple(run.cards())
    with (folder / SHEETS).open("wb") as out:
        sheets = write_sheets(out, cards, run.faces, run.game.geometry, run.paper, f"{run.title}, game {run.game.game}")
    labels = [_label(run, envelope) for envelope in range(1, run.game.players + 1)]
    with (folder / LABELS).open("wb") as out:
        label_pages = write_labels(out, labels, run.paper, run.title, run.game.game)
    _write_list(folder / CARDS, cards)
    if faces:
        _write_faces(run, folder / FACES, cards)
    return Printed(cards, sheets, label_pages)


def _label(run: PrintRun, envelope: int) -> Label:
    payload = label_text(run.game, envelope)
    return Label(envelope, payload, f"{run.join}/j/{payload}" if run.join else None)


def _write_list(file: Path, cards: Iterable[PrintedCard]) -> None:
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        for c in cards:
            where = (c.envelope, c.page, c.row, c.column)
            writer.writerow((c.card.name, c.card.kind, c.card.copy, c.payload, c.code, *where))


def _write_faces(run: PrintRun, folder: Path, cards: Sequence[PrintedCard]) -> None:
    folder.mkdir(exist_ok=True)
    drawn = face_images(((run.faces[c.card.kind], c.payload, c.code) for c in cards), run.game.geometry, FACE_DPI)
    for printed, image in zip(cards, drawn, strict=True):
        image.save(folder / f"{printed.card.name}.png", dpi=(FACE_DPI, FACE_DPI), compress_level=4)
