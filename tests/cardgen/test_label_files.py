"""Labels, stickers and lists of a print run, looked at as they come out of the printer."""

from __future__ import annotations

import csv
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
import pypdfium2
import pytest

from cardgen import results
from cardgen.cards import CardId, Game
from cardgen.faces import Face
from cardgen.formats import FORMATS, Stock, format_of
from cardgen.handout import Handout, Section
from cardgen.paper import PAPERS, PaperError
from cardgen.payload import card_text, label_text
from cardgen.printing import CALIBRATION, CARDS, HANDOUT, LABELS, PACKING, SHEETS, STICKERS, PrintRun, write_part
from cardgen.raster import page_images
from cardgen.setup import Setup
from cardgen.symbols import matrix
from cardgen.texts import TextError
from tests.printed_pages import catalogue, codes_of

if TYPE_CHECKING:
    from cardgen.setup import Order
    from tests.printed_pages import SeenCode

DPI = 200
KINDS = ("ace", "coin", "rule-1")
GAME = Game("T3ST", "tea", b"k" * 32, KINDS, 3, "seed")
FACES = {
    "ace": Face("ace", "Ace of spades", "Ace of spades", "", "#20263a", "heart", "TEA"),
    "coin": Face("coin", "Blue token", "Blue token", "", "#163A86", "drop", "TEA"),
    "rule-1": Face("rule-1", "A rule", "Rule 1", "Tea is worth 3.", "#20263a", "seal", "TEA", 1),
}
HANDS = {
    1: [CardId("ace", 1), CardId("coin", 1), CardId("rule-1", 1)],
    2: [CardId("ace", 2), CardId("ace", 3), CardId("coin", 2)],
    3: [CardId("rule-1", 2)],
}
HELLO = Handout("Tea", "A game.", (Section("The aim", ("Drink tea.", "• one", "• two")),))
RUN = PrintRun(GAME, "Tea", FACES, HANDS, Setup(), [1, 2, 3], handout=HELLO)
STUCK = replace(RUN, stuck=frozenset({"ace", "coin"}), once=frozenset({"coin"}))


def written(run: PrintRun, name: str, only: int | None = None) -> tuple[bytes, int]:
    """Return a file of a run, and what it says its number of pages is."""
    out = BytesIO()
    pages = write_part(run, name, out, only=only)
    return out.getvalue(), pages


def seen(run: PrintRun, name: str) -> list[list[SeenCode]]:
    """Return the codes of each page."""
    return [codes_of(np.asarray(image), DPI) for image in page_images(written(run, name)[0], DPI)]


def count_of(text: str, *, alphanumeric: bool) -> int:
    """Return the modules along a code's side."""
    return len(matrix(text, alphanumeric=alphanumeric))


def words(run: PrintRun, name: str) -> list[str]:
    """Return the words of each page, in the order in which they were drawn."""
    with pypdfium2.PdfDocument(written(run, name)[0]) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


@pytest.mark.parametrize("name", ["cut", "l7160", "l7163", "l7165", "5163", "5164", "3664", "2x5/60x33"])
def test_both_codes_of_a_label_are_read_on_every_format_that_has_room(name: str) -> None:
    """The scanner's code and the link of each envelope lie on its own label, inside its edges."""
    form = format_of(name)
    paper = PAPERS[form.paper or "a4"]
    links = {number: f"https://haggle.example.org/j#T3ST.{number}.abcdefghijklmnopqrstuv" for number in (1, 2, 3)}
    (page,) = seen(replace(RUN, setup=Setup(paper), labels_on=Stock(form), links=links), LABELS)
    places = {code.text: (code.x, paper.height - code.y, code.side / 2) for code in page}
    assert set(places) == {*links.values(), *(label_text(GAME, number) for number in links)}
    for number, link in links.items():
        x, y = form.corner(number - 1, paper)
        for text in (link, label_text(GAME, number)):
            across, up, half = places[text]
            assert x + half < across < x + form.width - half, (name, text)
            assert y + half < up < y + form.height - half, (name, text)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("size", ["90x60", "90x59.9", "89.9x60", "85x56", "110x57", "60x33"])
def test_words_and_codes_of_a_label_keep_apart(size: str, language: str) -> None:
    """Also where a label is just large enough for a band: no words meet others, nor the white round a code."""
    link = "https://haggle.example.org/j#T3ST.1.abcdefghijklmnopqrstuv"
    run = replace(RUN, labels=[1], links={1: link}, labels_on=Stock(format_of(f"1x1/{size}")), language=language)
    with pypdfium2.PdfDocument(written(run, LABELS)[0]) as document:
        text = document[0].get_textpage()
        told = [tuple(side / 72 * 25.4 for side in text.get_rect(number)) for number in range(text.count_rects())]
    quiet = [
        (code.x - half, 297 - code.y - half, code.x + half, 297 - code.y + half)
        for code in seen(run, LABELS)[0]
        for half in [code.side / 2 * (1 + 4 / count_of(code.text, alphanumeric=code.text != link))]
    ]
    assert len(quiet) == 2
    for number, words_box in enumerate(told):
        for other in (*told[:number], *quiet):
            apart = max(
                other[0] - words_box[2], words_box[0] - other[2], other[1] - words_box[3], words_box[1] - other[3]
            )
            assert apart > -0.1, (words_box, other)


def test_a_label_too_small_for_its_codes_is_refused() -> None:
    """At 60 x 33 mm it is printed; below, the message names formats that do."""
    with pytest.raises(PaperError, match="needs 60 x 33 mm, such as l7160"):
        written(replace(RUN, labels_on=Stock(format_of("2x5/59.9x33"))), LABELS)
    with pytest.raises(PaperError, match="needs 60 x 33 mm"):
        written(replace(RUN, labels_on=Stock(format_of("2x5/60x32.9"))), LABELS)


def test_a_used_sheet_begins_at_its_first_free_label() -> None:
    """Seven of eight used: the first label is the last one of its sheet, the others follow on the next."""
    first, second = seen(replace(RUN, labels_on=Stock(FORMATS["cut"], 7)), LABELS)
    assert [code.text for code in first] == [label_text(GAME, 1)]
    assert {code.text for code in second} == {label_text(GAME, 2), label_text(GAME, 3)}


def test_labels_follow_the_set_up_of_a_printer_that_drifts() -> None:
    """Three millimetres to the right and two up."""
    plain, moved = seen(RUN, LABELS)[0], seen(replace(RUN, setup=Setup(shift=(3.0, 2.0))), LABELS)[0]
    before = {code.text: code for code in plain}
    for code in moved:
        assert code.x - before[code.text].x == pytest.approx(3.0, abs=0.2)
        assert code.y - before[code.text].y == pytest.approx(-2.0, abs=0.2)


def test_labels_are_scaled_about_the_middle_of_the_page() -> None:
    """As sheets and the calibration page are, so that one setting serves all."""
    plain, scaled = seen(RUN, LABELS)[0], seen(replace(RUN, setup=Setup(scale=(1.02, 0.98))), LABELS)[0]
    after = {code.text: code for code in scaled}
    for code in plain:
        assert after[code.text].x == pytest.approx(105 + 1.02 * (code.x - 105), abs=0.2)
        assert after[code.text].y == pytest.approx(148.5 + 0.98 * (code.y - 148.5), abs=0.2)


@pytest.mark.parametrize(
    ("name", "fits", "leaves"),
    [
        ("l7165", Setup(shift=(5.44, 0.0)), Setup(shift=(5.46, 0.0))),
        ("l7165", Setup(shift=(0.0, -13.9)), Setup(shift=(0.0, -13.91))),
        ("l7165", Setup(scale=(105 / 99.55, 1.0)), Setup(scale=(105 / 99.54, 1.0))),
        ("3664", Setup(shift=(-0.8, 0.0)), Setup(shift=(-0.81, 0.0))),
        ("cut", Setup(shift=(15.0, 0.0)), Setup(shift=(15.01, 0.0))),
    ],
)
@pytest.mark.parametrize("part", [LABELS, STICKERS])
def test_labels_that_would_leave_the_paper_are_refused(part: str, name: str, fits: Setup, leaves: Setup) -> None:
    """Those that are sold lose at most the 0.8 mm of white at their edge, those that are cut not even their lines."""
    run = replace(STUCK, labels_on=Stock(FORMATS[name]), stickers_on=Stock(FORMATS[name]))
    written(replace(run, setup=fits), part)
    with pytest.raises(PaperError, match="shift and scale move labels off the paper: choose a smaller shift or scale"):
        written(replace(run, setup=leaves), part)


@pytest.mark.parametrize("name", ["l7651", "l7654", "l7120", "3666", "5160"])
def test_every_card_that_is_stuck_has_its_stickers(name: str) -> None:
    """Two for a card and one for a token, each inside its own label; none for the others, which stay on the sheets."""
    form = FORMATS[name]
    paper = PAPERS[form.paper or "a4"]
    run = replace(STUCK, setup=Setup(paper), stickers_on=Stock(form))
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


def test_stickers_come_by_envelope_or_by_kind() -> None:
    """By kind, all copies of a card follow each other."""
    by_kind = replace(STUCK, setup=Setup(order="kind"))
    assert [card.name for card in STUCK.stickers()] == ["ace-001", "coin-001", "ace-002", "ace-003", "coin-002"]
    assert [card.name for card in by_kind.stickers()] == ["ace-001", "ace-002", "ace-003", "coin-001", "coin-002"]


@pytest.mark.parametrize("order", ["envelope", "kind"])
def test_the_card_list_has_stickers_after_the_sheets(order: Order) -> None:
    """Every card that is dealt stands in it once; those without a place are in the order of their stickers."""
    run = replace(STUCK, setup=Setup(order=order))
    rows = list(csv.DictReader(written(run, CARDS)[0].decode().splitlines()))
    assert [(row["card"], row["envelope"], row["page"], row["row"], row["column"]) for row in rows[:2]] == [
        ("rule-1-001", "1", "1", "1", "1"),
        ("rule-1-002", "3", "1", "1", "2"),
    ]
    assert [row["card"] for row in rows[2:]] == [card.name for card in run.stickers()]
    assert {(row["page"], row["row"], row["column"]) for row in rows[2:]} == {("", "", "")}
    dealt = {card.name: (str(number), card_text(GAME, card)) for number, hand in HANDS.items() for card in hand}
    assert {row["card"]: (row["envelope"], row["payload"]) for row in rows} == dealt
    assert len(rows) == len(dealt)


def test_stickers_of_nothing_and_stickers_too_small_are_refused() -> None:
    """The message says what to choose."""
    with pytest.raises(PaperError, match="say which kinds of cards go on stickers"):
        written(RUN, STICKERS)
    small = Stock(format_of("4x10/20x12"))
    with pytest.raises(PaperError, match="a code and its words need about 23 x 13 mm"):
        written(replace(STUCK, stickers_on=small), STICKERS)


def test_a_name_with_a_sign_that_no_font_has_is_refused() -> None:
    """Before anything is on paper."""
    strange = {**FACES, "ace": replace(FACES["ace"], name="Ace of \u2f00")}
    with pytest.raises(TextError, match="no character"):
        written(replace(STUCK, faces=strange), STICKERS)


def test_sheets_without_a_card_that_is_not_stuck_are_refused() -> None:
    """Where all cards come as stickers there is nothing to cut."""
    with pytest.raises(PaperError, match="all cards come as stickers, so there are no sheets"):
        written(replace(STUCK, stuck=frozenset(KINDS)), SHEETS)


def test_the_packing_list_says_what_lies_in_each_envelope() -> None:
    """Envelope by envelope with the number of cards and the sum; then a list to tick at the door."""
    contents, ticks = words(RUN, PACKING)
    assert "1 3 Ace of spades, Blue token, Rule 1" in contents
    assert "2 3 2 \u00d7 Ace of spades, Blue token" in contents
    assert "3 1 Rule 1" in contents
    assert contents.index("Rule 1 7") > 0
    assert "Tick list" in ticks
    assert "Ace" not in ticks
    for page in (contents, ticks):
        assert page.count("Tea") == 1
        assert page.count(f"Game {GAME.game}") == 1


def test_spare_envelopes_are_marked_in_both_lists() -> None:
    """Whoever packs and whoever stands at the door sees which ones stay sealed; names are written beside the boxes."""
    contents, ticks = words(replace(RUN, spare=range(3, 4)), PACKING)
    assert contents.count("spare") == ticks.count("spare") == 1
    assert "3 spare 1 Rule 1" in contents
    assert ticks.rindex("3 spare") > ticks.rindex("2")
    assert "Envelope Given Back Name" in ticks
    assert not any("spare" in page for page in words(RUN, PACKING))


def test_each_envelope_has_its_boxes_to_tick_and_the_sum_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """One for packing; two at the door."""
    boxes = []
    monkeypatch.setattr(results, "_draw_box", lambda *place: boxes.append(place))
    written(RUN, PACKING)
    assert len(boxes) == 3 * len(HANDS)


def test_one_page_of_a_list_is_that_page_of_all() -> None:
    """Asked for alone, a page looks as among all others."""
    whole = list(page_images(written(RUN, PACKING)[0], 40))
    (alone,) = page_images(written(RUN, PACKING, only=2)[0], 40)
    assert np.array_equal(np.asarray(alone), np.asarray(whole[1]))


def test_the_hand_out_is_one_page_with_lines_to_fill_in() -> None:
    """Heading, paragraphs, items, and where and until when to hand in."""
    (page,) = words(RUN, HANDOUT)
    for part in ("Tea", "A game.", "The aim", "Drink tea.", "one", "two", "Hand in by", "Where", "Your hosts"):
        assert part in page


def test_a_hand_out_too_long_for_a_page_is_refused() -> None:
    """The text shrinks as far as it can be read, and no further."""
    long = Section("Much", ("word " * 300,))
    written(replace(RUN, handout=replace(HELLO, sections=(long,) * 4)), HANDOUT)
    with pytest.raises(TextError, match="does not fit one page: shorten its sections"):
        written(replace(RUN, handout=replace(HELLO, sections=(long,) * 9)), HANDOUT)
    with pytest.raises(PaperError, match="no hand-out"):
        written(replace(RUN, handout=None), HANDOUT)


@pytest.mark.parametrize(
    ("part", "title"),
    [
        (SHEETS, "Tea, game T3ST: cards"),
        (LABELS, "Tea, game T3ST: envelope labels"),
        (STICKERS, "Tea, game T3ST: stickers"),
        (HANDOUT, "Tea: how to play"),
        (PACKING, "Tea: packing list"),
        (CALIBRATION, "Calibration page"),
    ],
)
def test_a_file_says_what_it_is_and_who_made_it(part: str, title: str) -> None:
    """Its properties, which viewers and printers show, are words of ours, and the same bytes each time."""
    pdf, _ = written(STUCK, part)
    with pypdfium2.PdfDocument(pdf) as document:
        told = document.get_metadata_dict()
    assert (told["Title"], told["Subject"]) == (title, title)
    assert (told["Author"], told["Creator"]) == ("Haggle", "Haggle")
    assert not {"anonymous", "unspecified"} & set(told.values())
    assert written(STUCK, part)[0] == pdf


@pytest.mark.parametrize("language", ["en", "de", "fr"])
@pytest.mark.parametrize("part", [SHEETS, LABELS, STICKERS, HANDOUT, PACKING, CALIBRATION])
def test_a_file_says_in_which_language_it_is(part: str, language: str) -> None:
    """Who reads it aloud pronounces it so, by its title; and it claims no older version than it needs for that."""
    pdf, _ = written(replace(STUCK, language=language), part)
    said = catalogue(pdf)
    assert f"/Lang ({language})" in said
    assert "/DisplayDocTitle true" in said
    with pypdfium2.PdfDocument(pdf) as document:
        version = document.get_version()
    assert version == (17 if "/Duplex" in said else 16)


@pytest.mark.parametrize("part", [SHEETS, STICKERS, HANDOUT])
def test_what_an_edition_says_is_in_its_language(part: str) -> None:
    """An edition of one's own may speak any language, also one in which we have no words for the margins."""
    assert "/Lang (it)" in catalogue(written(replace(STUCK, language="it"), part)[0])


@pytest.mark.parametrize("part", [LABELS, PACKING, CALIBRATION])
def test_what_we_say_ourselves_is_in_a_language_of_ours(part: str) -> None:
    """Papers in words of ours are in English beside an edition in a language that we do not speak, and say so."""
    assert "/Lang (en)" in catalogue(written(replace(STUCK, language="it"), part)[0])


def test_a_file_for_both_sides_says_so_in_a_version_that_can() -> None:
    """What is asked of a printer with two sides came with the version after that of the other wishes."""
    pdf, _ = written(replace(RUN, setup=Setup(backs="long")), SHEETS)
    assert "/Duplex" in catalogue(pdf)
    with pypdfium2.PdfDocument(pdf) as document:
        assert document.get_version() == 17
