"""Printed labels and stickers, on sheets that are sold and on other grids."""

from __future__ import annotations

import csv
from dataclasses import replace
from itertools import combinations

import numpy as np
import pypdfium2
import pytest

from cardgen.cards import CardId
from cardgen.fonts import TextError
from cardgen.pages.layout import PageSetup
from cardgen.pages.paper import CUT, FORMATS, PAPERS, LabelStock, PaperError, format_of
from cardgen.pages.raster import page_images
from cardgen.payload import card_text, join_code, join_link, label_text
from cardgen.print_run import CARDS, LABELS, SHEETS, STICKERS, PrintPlan
from cardgen.qr import matrix
from tests.cardgen.small_run import FACES, GAME, HANDS, KINDS, RUN, STUCK, words, written
from tests.printed_pages import SeenCode, codes_of

DPI = 200
LINKS = {number: join_link("https://haggle.example.org", "T3ST", GAME.key, number) for number in (1, 2, 3)}


def seen(run: PrintPlan, name: str) -> list[list[SeenCode]]:
    """Return the codes of each page."""
    return [codes_of(np.asarray(image), DPI) for image in page_images(written(run, name), DPI)]


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_every_format_fits_its_paper(name: str) -> None:
    """All labels are within the paper, and no two overlap."""
    one = FORMATS[name]
    paper = PAPERS[one.paper or "a4"]
    one.check(paper)
    corners = [one.corner(number, paper) for number in range(one.size)]
    assert all(-0.05 <= x <= paper.width - one.width + 0.05 for x, _ in corners)
    assert all(-0.05 <= y <= paper.height - one.height + 0.05 for _, y in corners)
    assert all(
        abs(x - u) >= one.width - 1e-6 or abs(y - v) >= one.height - 1e-6 for (x, y), (u, v) in combinations(corners, 2)
    )


@pytest.mark.parametrize(
    ("name", "first", "last"),
    [
        ("l7651", (4.75, 265.1), (167.15, 10.7)),
        ("l7160", (7.25, 243.75), (139.25, 15.15)),
        ("5160", (4.7625, 241.3), (144.4625, 12.7)),
        ("2x3/50x40+2.5x1@10,12", (10, 245), (62.5, 163)),
    ],
)
def test_label_positions_match_the_formats_of_makers(
    name: str, first: tuple[float, float], last: tuple[float, float]
) -> None:
    """The lower left corners of the first and the last label, by the makers' margins, or those of another grid."""
    one = format_of(name)
    paper = PAPERS[one.paper or "a4"]
    assert one.corner(0, paper) == pytest.approx(first, abs=0.06)
    assert one.corner(one.size - 1, paper) == pytest.approx(last, abs=0.06)


@pytest.mark.parametrize("text", ["", "avery", "4x12", "4x12/45x", "0x3/40x40", "2x2/0x40", "4x12/45.7x21.2+2"])
def test_an_unknown_format_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(PaperError, match=r"use one of cut, |at least 1"):
        format_of(text)


@pytest.mark.parametrize(
    ("name", "paper", "used", "message"),
    [
        ("3x3/70x90", "a4", 0, ""),
        ("3x3/70.1x90", "a4", 0, "do not fit a4 paper: choose fewer or smaller ones"),
        ("2x2/50x50@120,10", "a4", 0, "do not fit a4"),
        ("l7160", "letter", 0, "come on a4 paper"),
        ("cut", "a4", -1, "leave 0 to 7 out"),
        ("cut", "a4", 7, ""),
        ("cut", "a4", 8, "leave 0 to 7 out"),
    ],
)
def test_labels_fit_their_paper_and_one_is_left(name: str, paper: str, used: int, message: str) -> None:
    stock = LabelStock(format_of(name), used)
    if message:
        with pytest.raises(PaperError, match=message):
            stock.check(PAPERS[paper])
    else:
        stock.check(PAPERS[paper])


@pytest.mark.parametrize("name", ["cut", "l7160", "l7163", "l7165", "5163", "5164", "3664", "2x5/60x33"])
def test_both_codes_of_a_label_are_read_on_every_format_that_has_room(name: str) -> None:
    """The scanner's code and the link of each envelope are within its label."""
    form = format_of(name)
    paper = PAPERS[form.paper or "a4"]
    (page,) = seen(replace(RUN, setup=PageSetup(paper), labels_on=LabelStock(form), links=LINKS), LABELS)
    places = {code.text: (code.x, paper.height - code.y, code.side / 2) for code in page}
    assert set(places) == {*LINKS.values(), *(label_text(GAME, number) for number in LINKS)}
    for number, link in LINKS.items():
        x, y = form.corner(number - 1, paper)
        for text in (link, label_text(GAME, number)):
            across, up, half = places[text]
            assert x + half < across < x + form.width - half, (name, text)
            assert y + half < up < y + form.height - half, (name, text)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("size", ["90x60", "90x59.9", "89.9x60", "85x56", "110x57", "60x33"])
def test_text_and_codes_of_a_label_do_not_overlap(size: str, language: str) -> None:
    """Not even if a label is just large enough for a band, and including the quiet zones."""
    link = LINKS[1]
    run = replace(RUN, labels=[1], links={1: link}, labels_on=LabelStock(format_of(f"1x1/{size}")), language=language)
    pdf = written(run, LABELS)
    with pypdfium2.PdfDocument(pdf) as document:
        text = document[0].get_textpage()
        result = [tuple(side / 72 * 25.4 for side in text.get_rect(number)) for number in range(text.count_rects())]
    (image,) = page_images(pdf, DPI)
    quiet = [
        (code.x - half, 297 - code.y - half, code.x + half, 297 - code.y + half)
        for code in codes_of(np.asarray(image), DPI)
        for half in [code.side / 2 * (1 + 4 / len(matrix(code.text, alphanumeric=code.text != link)))]
    ]
    assert len(quiet) == 2
    for number, box in enumerate(result):
        for other in (*result[:number], *quiet):
            apart = max(other[0] - box[2], box[0] - other[2], other[1] - box[3], box[1] - other[3])
            assert apart > -0.1, (box, other)


@pytest.mark.parametrize(("size", "room"), [("90x60", True), ("99x38", True), ("63.5x38", False), ("60x33", False)])
def test_a_label_has_the_game_s_name_and_a_code_to_type_if_there_is_room(size: str, room: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Both are absent without a server and without a name; a name that cannot be printed is replaced by the edition."""
    run = replace(RUN, labels=[1], labels_on=LabelStock(format_of(f"1x1/{size}")))
    (bare,) = words(run, LABELS)
    (label,) = words(replace(run, links=LINKS, name="Party"), LABELS)
    code = join_code("T3ST", GAME.key, 1)
    assert ("Party" in label, "Party" in bare) == (True, False)
    assert (code in label, f"type at haggle.example.org: {code}" in label, code in bare) == (room, room, False)
    renewed = join_link("https://haggle.example.org", "T3ST", GAME.key, 1, 1)
    assert code not in words(replace(run, links={1: renewed}), LABELS)[0]
    assert "Tea" in words(replace(run, name="日本"), LABELS)[0]
    (long,) = words(replace(run, name="A very long name " * 9), LABELS)
    assert "…" in long


def test_a_used_sheet_begins_at_its_first_free_label() -> None:
    """If seven of eight are used, the first label is the last one of its sheet, and the others are on the next."""
    first, second = seen(replace(RUN, labels_on=LabelStock(CUT, 7)), LABELS)
    assert [code.text for code in first] == [label_text(GAME, 1)]
    assert {code.text for code in second} == {label_text(GAME, 2), label_text(GAME, 3)}


def test_labels_are_shifted_and_scaled_about_the_middle_of_the_page() -> None:
    """Like sheets and the calibration page, so they need the same setting."""
    setup = PageSetup(shift=(3.0, 2.0), scale=(1.02, 0.98))
    plain, moved = seen(RUN, LABELS)[0], seen(replace(RUN, setup=setup), LABELS)[0]
    after = {code.text: code for code in moved}
    assert len(plain) == len(after) == 3
    for code in plain:
        assert after[code.text].x == pytest.approx(3 + 105 + 1.02 * (code.x - 105), abs=0.2)
        assert after[code.text].y == pytest.approx(-2 + 148.5 + 0.98 * (code.y - 148.5), abs=0.2)


@pytest.mark.parametrize(
    ("name", "fits", "leaves"),
    [
        ("l7165", PageSetup(shift=(5.44, 0.0)), PageSetup(shift=(5.46, 0.0))),
        ("l7165", PageSetup(shift=(0.0, -13.9)), PageSetup(shift=(0.0, -13.91))),
        ("l7165", PageSetup(scale=(105 / 99.55, 1.0)), PageSetup(scale=(105 / 99.54, 1.0))),
        ("3664", PageSetup(shift=(-0.8, 0.0)), PageSetup(shift=(-0.81, 0.0))),
        ("cut", PageSetup(shift=(15.0, 0.0)), PageSetup(shift=(15.01, 0.0))),
    ],
)
@pytest.mark.parametrize("part", [LABELS, STICKERS])
def test_labels_that_would_leave_the_paper_are_refused(
    part: str, name: str, fits: PageSetup, leaves: PageSetup
) -> None:
    """Labels that are sold may lose the 0.8 mm of white at their edge; labels that are cut may lose nothing."""
    run = replace(STUCK, labels_on=LabelStock(FORMATS[name]), stickers_on=LabelStock(FORMATS[name]))
    written(replace(run, setup=fits), part)
    with pytest.raises(PaperError, match="shift and scale move labels off the paper: choose a smaller shift or scale"):
        written(replace(run, setup=leaves), part)


@pytest.mark.parametrize("name", ["l7651", "l7654", "l7120", "3666", "5160"])
def test_every_card_printed_as_stickers_has_them(name: str) -> None:
    """There are two for a card and one for a token, each within its label; other cards are on the sheets."""
    form = FORMATS[name]
    paper = PAPERS[form.paper or "a4"]
    run = replace(STUCK, setup=PageSetup(paper), stickers_on=LabelStock(form))
    (page,) = seen(run, STICKERS)
    aces = [CardId("ace", copy) for copy in (1, 2, 3)]
    coins = [CardId("coin", copy) for copy in (1, 2)]
    wanted = sorted([card_text(GAME, card) for card in aces] * 2 + [card_text(GAME, card) for card in coins])
    assert sorted(code.text for code in page) == wanted
    corners = [form.corner(number, paper) for number in range(len(wanted))]
    for code in page:
        x, y, half = code.x, paper.height - code.y, code.side / 2
        inside = [
            left + half < x < left + form.width - half and low + half < y < low + form.height - half
            for left, low in corners
        ]
        assert inside.count(True) == 1
    assert [card.card.kind for card in run.cards()] == ["rule-1", "rule-1"]
    assert words(run, STICKERS)[0].count("Ace of spades") == 6


@pytest.mark.parametrize(
    ("setup", "stickers"),
    [
        (PageSetup(order="envelope"), ["ace-001", "coin-001", "ace-002", "ace-003", "coin-002"]),
        (PageSetup(order="kind"), ["ace-001", "ace-002", "ace-003", "coin-001", "coin-002"]),
    ],
)
def test_the_card_list_has_stickers_after_the_sheets(setup: PageSetup, stickers: list[str]) -> None:
    """Every card is listed once; those without a place are in the order of their stickers."""
    rows = list(csv.DictReader(written(replace(STUCK, setup=setup), CARDS).decode().splitlines()))
    assert [(row["card"], row["envelope"], row["page"], row["row"], row["column"]) for row in rows[:2]] == [
        ("rule-1-001", "1", "1", "1", "1"),
        ("rule-1-002", "3", "1", "1", "2"),
    ]
    assert [row["card"] for row in rows[2:]] == stickers
    assert {(row["page"], row["row"], row["column"]) for row in rows[2:]} == {("", "", "")}
    dealt = {card.name: (str(number), card_text(GAME, card)) for number, hand in HANDS.items() for card in hand}
    assert {row["card"]: (row["envelope"], row["payload"]) for row in rows} == dealt
    assert len(rows) == len(dealt)


@pytest.mark.parametrize(
    ("run", "part", "error", "message"),
    [
        (
            replace(RUN, labels_on=LabelStock(format_of("2x5/59.9x33"))),
            LABELS,
            PaperError,
            "needs 60 x 33 mm, such as l7160",
        ),
        (replace(RUN, labels_on=LabelStock(format_of("2x5/60x32.9"))), LABELS, PaperError, "needs 60 x 33 mm"),
        (RUN, STICKERS, PaperError, "say which kinds of cards go on stickers"),
        (
            replace(STUCK, stickers_on=LabelStock(format_of("4x10/20x12"))),
            STICKERS,
            PaperError,
            "a code and its words need about 23 x 13 mm",
        ),
        (
            replace(STUCK, faces=FACES | {"ace": replace(FACES["ace"], name="Ace of \u2f00")}),
            STICKERS,
            TextError,
            "no character",
        ),
        (
            replace(STUCK, stuck=frozenset(KINDS)),
            SHEETS,
            PaperError,
            "all cards come as stickers, so there are no sheets",
        ),
    ],
)
def test_labels_and_stickers_that_cannot_be_printed_are_refused(
    run: PrintPlan, part: str, error: type[Exception], message: str
) -> None:
    """The message contains advice."""
    with pytest.raises(error, match=message):
        written(run, part)
