"""Print runs: the files of cards that have been dealt, such as sheets, labels and the card list."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO

import pypdfium2

from cardgen.documents.calibration import write_calibration
from cardgen.documents.handout import write_handout
from cardgen.documents.labels import Label, write_labels
from cardgen.documents.packing_list import write_packing
from cardgen.documents.stickers import Sticker, write_stickers
from cardgen.faces.back import Back
from cardgen.faces.draw import check_faces
from cardgen.pages.layout import PrintedCard, by_kind, grid, places
from cardgen.pages.paper import LABELS as LABEL_STOCK
from cardgen.pages.paper import STICKERS as STICKER_STOCK
from cardgen.pages.paper import PaperError
from cardgen.pages.raster import face_images
from cardgen.pages.sheets import write_sheets
from cardgen.payload import card_text, join_code, label_text, parse_join, short_code
from cardgen.strings import wordings

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from pathlib import Path

    from cardgen.cards import CardId, PrintedGame
    from cardgen.documents.handout import Handout
    from cardgen.faces.face import Face
    from cardgen.pages.layout import PageSetup
    from cardgen.pages.paper import LabelStock, Progress


SHEETS, LABELS, CARDS, FACES = "sheets.pdf", "labels.pdf", "cards.csv", "faces"
HANDOUT, PACKING, STICKERS, CALIBRATION = "handout.pdf", "packing.pdf", "stickers.pdf", "calibration.pdf"
DOCUMENT = "all.pdf"
"""Everything that is printed on the paper of the cards."""
STANDARD = (SHEETS, LABELS, CARDS)
"""The files of a print run by default."""
COLUMNS = ("card", "kind", "copy", "payload", "code", "envelope", "page", "row", "column")
FACE_DPI = 300
_PDF_ID = re.compile(rb"/ID ?\[ ?<([0-9A-Fa-f]{32})> ?<[0-9A-Fa-f]{32}> ?\]")
NO_TIME = (1980, 1, 1, 0, 0, 0)
"""The time of files in archives, so that the same run gives the same bytes."""


@dataclass(frozen=True)
class PrintPlan:
    """Everything that the files of a print run show.

    `hands` are the cards of each envelope by its number, in the order of the sheets. `faces` has the face of every
    kind. `labels` are the envelopes that get a label, and `links` their join links if there is a server. `language` is
    that of the faces and the hand-out; labels and margins use it too if `cardgen.strings` has it. Kinds in `stuck` are
    printed as stickers instead of cards, two for each card, or one if they are in `once`. `inks` ("#RRGGBB") are those
    of the edition, for the calibration page. Envelopes in `spare` are for players who come late. `name` is the game's
    own name, if it has one.
    """

    game: PrintedGame
    title: str
    faces: Mapping[str, Face]
    hands: Mapping[int, Sequence[CardId]]
    setup: PageSetup
    labels: Sequence[int]
    links: Mapping[int, str] = field(default_factory=dict)
    language: str = "en"
    handout: Handout | None = None
    labels_on: LabelStock = LABEL_STOCK
    stickers_on: LabelStock = STICKER_STOCK
    stuck: frozenset[str] = frozenset()
    once: frozenset[str] = frozenset()
    back: Back = field(default_factory=Back)
    inks: tuple[str, ...] = ()
    spare: Collection[int] = ()
    name: str = ""

    def dealt(self) -> list[tuple[CardId, int]]:
        """Return the cards that are not stickers with their envelopes, envelope by envelope."""
        return [(card, n) for n, hand in self.hands.items() for card in hand if card.kind not in self.stuck]

    def cards(self) -> list[PrintedCard]:
        """Return all cards of the sheets with their places; PaperError if they do not fit the paper."""
        layout = grid(self.setup, self.game.geometry)
        hands = self.dealt()
        if self.setup.order == "kind":
            hands = by_kind(hands, self.game.kinds)
        printed = (
            PrintedCard(card, card_text(self.game, card), short_code(self.game, card), envelope, *place)
            for (card, envelope), place in zip(hands, places(self.setup, layout, len(hands)), strict=True)
        )
        return sorted(printed, key=lambda card: (card.page, card.row, card.column))

    def pages(self) -> int:
        """Return the number of pages of the sheets' PDF, with backs; PaperError if cards do not fit the paper."""
        layout = grid(self.setup, self.game.geometry)
        count = len(self.dealt())
        return -(-(count + self.setup.skip) // layout.size) * layout.sides if count else 0

    def dealt_as_stickers(self) -> list[tuple[CardId, int]]:
        """Return the cards that are stickers with their envelopes, in the order of printing."""
        stuck = [(card, n) for n, hand in self.hands.items() for card in hand if card.kind in self.stuck]
        return by_kind(stuck, self.game.kinds) if self.setup.order == "kind" else stuck


@dataclass(frozen=True)
class PrintPart:
    """A file of a print run: its media type, and the function that writes it and returns the number of pages."""

    media: str
    write: Callable[[PrintPlan, BinaryIO, int | None, Progress | None], int]


@dataclass(frozen=True)
class PrintOutcome:
    """The result of a print run. A sheet with backs on its other side counts once."""

    cards: tuple[PrintedCard, ...]
    sheets: int


def write_run(run: PrintPlan, folder: Path, *, names: Sequence[str] = STANDARD, faces: bool = False) -> PrintOutcome:
    """Write files of a print run into an existing folder, replacing those of the same names.

    Raises PaperError or TextError for a run that cannot be printed.
    """
    used = {card.kind for hand in run.hands.values() for card in hand} if run.faces else set()
    # Checked first, so that nothing is written if a face cannot be drawn.
    check_faces([run.faces[kind] for kind in sorted(used)], run.game.geometry)
    pages = {}
    for name in names:
        with (folder / name).open("wb") as out:
            pages[name] = write_part(run, name, out)
    cards = tuple(run.cards())
    if faces:
        _write_faces(run, folder / FACES, cards)
    sides = grid(run.setup, run.game.geometry).sides
    return PrintOutcome(cards, pages.get(SHEETS, 0) // sides)


def write_part(
    run: PrintPlan, name: str, out: BinaryIO, *, only: int | None = None, progress: Progress | None = None
) -> int:
    """Write one of PARTS, the same bytes each time; return its number of pages.

    `only` writes a single page, counted from 1, exactly as it is in the whole document.
    """
    return PARTS[name].write(run, out, only, progress)


def _sheets(run: PrintPlan, out: BinaryIO, only: int | None, progress: Progress | None) -> int:
    words = wordings(run.language)
    title = words.game_of.format(title=run.title, game=run.game.game)
    cards = run.cards()
    if not cards:
        raise _no_sheets()
    return write_sheets(
        out,
        cards,
        run.faces,
        run.game.geometry,
        run.setup,
        title,
        words,
        language=run.language,
        back=run.back,
        only=only,
        progress=progress,
    )


def _no_sheets() -> PaperError:
    return PaperError("all cards come as stickers, so there are no sheets", why="no-sheets")


def _labels(run: PrintPlan, out: BinaryIO, only: int | None, progress: Progress | None) -> int:
    labels = [_label(run.game, number, run.links.get(number)) for number in run.labels]
    words = wordings(run.language)
    game = run.game.game
    return write_labels(
        out,
        labels,
        run.setup,
        run.title,
        game,
        words,
        name=run.name,
        stock=run.labels_on,
        only=only,
        progress=progress,
    )


def _label(game: PrintedGame, number: int, link: str | None) -> Label:
    """Return an envelope's label, with the join code that belongs to its link."""
    join = parse_join(link) if link else None
    code = join_code(join.game, game.key, number, join.version) if join else None
    return Label(number, label_text(game, number), link, code)


def _stickers(run: PrintPlan, out: BinaryIO, only: int | None, progress: Progress | None) -> int:
    stickers = [
        Sticker(card_text(run.game, card), short_code(run.game, card), run.faces[card.kind].name)
        for card, _ in run.dealt_as_stickers()
        for _ in range(1 if card.kind in run.once else 2)
    ]
    if not stickers:
        raise PaperError("no card comes as a sticker: say which kinds of cards go on stickers", why="no-stickers")
    words = wordings(run.language)
    title = words.game_of.format(title=run.title, game=run.game.game)
    return write_stickers(
        out, stickers, run.stickers_on, run.setup, title, words, language=run.language, only=only, progress=progress
    )


def _packing(run: PrintPlan, out: BinaryIO, only: int | None, progress: Progress | None) -> int:
    words = wordings(run.language)
    names = (run.title, words.game.format(game=run.game.game))
    paper = run.setup.paper
    return write_packing(
        out, run.hands, run.faces, paper, names, words.packing, spare=run.spare, only=only, progress=progress
    )


def _handout(run: PrintPlan, out: BinaryIO, _only: int | None, progress: Progress | None) -> int:
    if run.handout is None:
        raise PaperError("this print run has no hand-out")
    words = wordings(run.language).handout
    return write_handout(out, run.handout, run.setup.paper, words, language=run.language, progress=progress)


def _calibration(run: PrintPlan, out: BinaryIO, only: int | None, progress: Progress | None) -> int:
    words = wordings(run.language).calibration
    return write_calibration(out, run.setup, run.game.geometry, run.inks, words, only=only, progress=progress)


def _list(run: PrintPlan, out: BinaryIO, _only: int | None, _progress: Progress | None) -> int:
    """Write the card list: cards on sheets by their place, then stickers, which have none."""
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for c in run.cards():
        where = (c.envelope, c.page, c.row, c.column)
        writer.writerow((c.card.name, c.card.kind, c.card.copy, c.payload, c.code, *where))
    for card, envelope in run.dealt_as_stickers():
        codes = card_text(run.game, card), short_code(run.game, card)
        writer.writerow((card.name, card.kind, card.copy, *codes, envelope, "", "", ""))
    out.write(text.getvalue().encode())
    return 1


PARTS: Mapping[str, PrintPart] = {
    SHEETS: PrintPart("application/pdf", _sheets),
    LABELS: PrintPart("application/pdf", _labels),
    CARDS: PrintPart("text/csv", _list),
    HANDOUT: PrintPart("application/pdf", _handout),
    PACKING: PrintPart("application/pdf", _packing),
    STICKERS: PrintPart("application/pdf", _stickers),
    CALIBRATION: PrintPart("application/pdf", _calibration),
}
"""All files of a print run."""


def _write_faces(run: PrintPlan, folder: Path, cards: Sequence[PrintedCard]) -> None:
    folder.mkdir(exist_ok=True)
    drawn = face_images(((run.faces[c.card.kind], c.payload, c.code) for c in cards), run.game.geometry, FACE_DPI)
    for printed, image in zip(cards, drawn, strict=True):
        image.save(folder / f"{printed.card.name}.png", dpi=(FACE_DPI, FACE_DPI), compress_level=4)


def parts_of(run: PrintPlan) -> list[str]:
    """Return the files that a run consists of. If all cards are stickers, there are no sheets, and so on."""
    wanted = {SHEETS: run.dealt(), STICKERS: run.stuck, LABELS: run.labels, PACKING: run.labels, HANDOUT: run.handout}
    return [*(name for name, has in wanted.items() if has), CARDS]


def write_bundle(run: PrintPlan, out: BinaryIO, *, progress: Progress | None = None) -> int:
    """Write all files of a run as a ZIP; return their number. `progress` counts the pages of all files.

    PaperError or TextError if one of them cannot be printed.
    """
    names = parts_of(run)
    with zipfile.ZipFile(out, "w") as archive:
        for name, file in _written(run, names, progress):
            archive.writestr(zipfile.ZipInfo(name, NO_TIME), file, compress_type=zipfile.ZIP_DEFLATED)
    return len(names)


def write_document(run: PrintPlan, out: BinaryIO, *, progress: Progress | None = None) -> int:
    """Write everything that is printed on the paper of the cards as one PDF; return its number of pages.

    These are sheets, labels unless they have paper of their own, packing list and hand-out. If the cards have backs,
    the other sides of the pages after them are empty. Errors as `write_bundle`, and PaperError if there is nothing.
    """
    on_paper = {SHEETS, PACKING, HANDOUT, *([LABELS] if run.labels_on.format.cut else [])}
    names = [name for name in parts_of(run) if name in on_paper]
    if not names:
        raise _no_sheets()
    single = grid(run.setup, run.game.geometry).sides == 1
    (_, first), *others = _written(run, names, progress)
    # Its settings for printers become those of all pages.
    with pypdfium2.PdfDocument(first) as document:
        for _, other in others:
            with pypdfium2.PdfDocument(other) as part:
                for number in range(len(part)):
                    document.import_pages(part, [number])
                    if not single:
                        document.new_page(*part.get_page_size(number))
        file = io.BytesIO()
        document.save(file)
        # The second half of the id is random.
        out.write(_PDF_ID.sub(rb"/ID[<\1><\1>]", file.getvalue()))
        return len(document)


def _written(run: PrintPlan, names: Sequence[str], progress: Progress | None) -> Iterator[tuple[str, bytes]]:
    """Write files one after the other; `progress` counts the pages of all of them."""
    pages = {name: run.pages() if name == SHEETS else write_part(run, name, io.BytesIO(), only=0) for name in names}
    before = 0
    for name in names:
        file = io.BytesIO()
        write_part(run, name, file, progress=_after(before, sum(pages.values()), progress))
        yield name, file.getvalue()
        before += pages[name]


def _after(before: int, all_pages: int, progress: Progress | None) -> Progress | None:
    """Return the progress callback of a file that adds the pages of the files before."""
    return None if progress is None else lambda done, _: progress(before + done, all_pages)
