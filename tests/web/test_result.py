"""From a photograph to outlines, cards, score and reasons, in a real browser."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from playwright.sync_api import expect

from scanner import scan_photo
from server.editions import load_edition
from server.scoring import Hand, decimal, score
from tests.pictures import HEIGHT, SAMPLES, WIDTH, deck_photo
from tests.web.steps import await_result, choose, file, focused

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from server.scoring import HandResult
    from tests.conftest import PrintedFolder

DECK = {"blue": 4, "green": 6, "orange": 7, "rule-3": 1, "rule-20": 1, "special-4": 1}
"""Twenty cards: orange is most frequent, so rule 1 voids its worth."""

TIMES, MINUS = "\N{MULTIPLICATION SIGN}", "\N{MINUS SIGN}"


@pytest.fixture(scope="session")
def photo(printed: PrintedFolder) -> bytes:
    """Photograph the deck DECK."""
    return deck_photo(printed, DECK)


@pytest.fixture(scope="session")
def hand() -> HandResult:
    """Score the deck DECK by the engine itself."""
    return score(load_edition("eurocg-2026"), [Hand("deck", DECK)]).hands[0]


@pytest.fixture
def result(page: Page, photo: bytes) -> Page:
    """Choose the photograph and wait for its result."""
    choose(page, file(photo))
    await_result(page)
    return page


def test_every_card_is_outlined_where_it_lies(result: Page, photo: bytes, printed: PrintedFolder) -> None:
    """The picture has one polygon a card, in the picture's own pixels, and one short name or symbol on each."""
    truth = scan_photo(photo, printed.game).seen
    drawn = result.locator(".outlines .seen .outline")
    assert len(truth) == sum(DECK.values())
    expect(drawn).to_have_count(len(truth))
    expect(result.locator(".outlines .tag")).to_have_count(len(truth))
    expect(result.locator(".outlines")).to_have_attribute("viewBox", f"0 0 {WIDTH} {HEIGHT}")
    for place, seen in enumerate(truth):
        numbers = (drawn.nth(place).get_attribute("points") or "").replace(",", " ").split()
        assert [float(number) for number in numbers] == pytest.approx(
            [c for point in seen.outline for c in point], abs=0.06
        )


def test_the_outlines_lie_on_the_picture(result: Page) -> None:
    """The drawing covers the picture exactly, at whatever size it is shown."""
    picture, drawing = result.locator(".photo img").bounding_box(), result.locator(".outlines").bounding_box()
    assert picture
    assert drawing
    assert drawing == pytest.approx(picture, abs=1)
    assert picture["width"] / picture["height"] == pytest.approx(WIDTH / HEIGHT, rel=0.01)


def test_the_cards_are_listed_by_kind(result: Page) -> None:
    """The list has a line for each kind with its count, its symbol and its name, in the edition's order."""
    expect(result.locator("h1")).to_have_text("20 cards found", use_inner_text=True)
    kinds = result.locator(".kind")
    shown = {
        kinds.nth(place).get_attribute("data-kind"): kinds.nth(place).locator(".kind-count").inner_text()
        for place in range(kinds.count())
    }
    assert shown == {slug: f"{count} {TIMES}" for slug, count in DECK.items()}
    assert list(shown) == list(DECK)
    expect(result.locator('.kind[data-kind="green"] svg path')).to_have_count(1)
    assert "Rule 3" in result.locator('.kind[data-kind="rule-3"]').inner_text()


def test_the_score_is_the_engines(result: Page, hand: HandResult) -> None:
    """The large number is the score that the engine gives to these cards, and so is the total of the lines."""
    expect(result.locator(".score-number strong")).to_have_text(decimal(hand.score), use_inner_text=True)
    expect(result.locator(".sum strong")).to_have_text(decimal(hand.score), use_inner_text=True)


def test_every_rule_has_its_line(result: Page, hand: HandResult) -> None:
    """Each line of the breakdown is shown in order with its rule, its points and its sentence."""
    lines = result.locator(".line")
    expect(lines).to_have_count(len(hand.lines))
    for place, line in enumerate(hand.lines):
        shown = lines.nth(place)
        expect(shown).to_have_attribute("data-rule", line.rule or "")
        expect(shown.locator(".line-text")).to_have_text(line.text, use_inner_text=True)
        points = decimal(line.points)
        told = f"+{points}" if line.points > 0 else points.replace("-", MINUS)
        expect(shown.locator(".line-points")).to_have_text(told, use_inner_text=True)


def test_void_lines_are_struck_and_say_by_what(result: Page, hand: HandResult) -> None:
    """A line that another rule has cancelled stays, struck through, and names that rule; no other line does."""
    void = [line for line in hand.lines if line.void]
    assert void
    struck = result.locator(".line-void")
    expect(struck).to_have_count(len(void))
    expect(result.locator(".line:has(s)")).to_have_count(len(void))
    for place, line in enumerate(void):
        expect(struck.nth(place)).to_contain_text(f"Cancelled by rule {line.voided_by}", use_inner_text=True)
        style = struck.nth(place).locator(".line-points s").evaluate("e => getComputedStyle(e).textDecorationLine")
        assert style == "line-through"


def test_the_organisers_value_is_marked(result: Page) -> None:
    """The line that rests on the organiser's value says so, and the value stands below the lines."""
    marked = result.locator(".line", has=result.locator(".tag-organiser"))
    assert [marked.nth(n).get_attribute("data-kind") for n in range(marked.count())] == ["blue"]
    expect(result.locator(".settings")).to_contain_text("Base value of blue cards (rule 6)", use_inner_text=True)


def test_a_line_opens_to_the_rules_wording(result: Page) -> None:
    """A tap on a line shows what the rule says, and another hides it."""
    rule = load_edition("eurocg-2026").rule_of["1"]
    line = result.locator('.line[data-rule="1"]')
    expect(line.locator("blockquote")).to_be_hidden()
    line.locator("summary").click()
    expect(line.locator("blockquote")).to_have_text(rule.text, use_inner_text=True)
    line.locator("summary").click()
    expect(line.locator("blockquote")).to_be_hidden()


def test_the_result_is_announced_and_has_the_focus(result: Page, hand: HandResult) -> None:
    """A screen reader is told cards and score, and goes on reading at the result."""
    expect(result.get_by_role("status")).to_have_text(
        f"20 cards found. Score: {decimal(hand.score)} points.", use_inner_text=True
    )
    assert focused(result) == "20 cards found"
    assert "4 Blue" in (result.locator(".photo img").get_attribute("alt") or "")


def test_another_picture_starts_over(result: Page) -> None:
    """The button leads back to the start, with the focus on its heading."""
    result.get_by_role("button", name="Another picture").click()
    assert focused(result) == "What is your deck worth?"
    expect(result.locator(".outlines")).to_have_count(0)


def test_a_sample_is_read_by_a_tap(page: Page) -> None:
    """A tap on a ready picture has it read like one's own."""
    for _, title, note, deck in SAMPLES:
        button = page.get_by_role("button", name=f"Read the sample picture: {title}")
        expect(button).to_contain_text(note, use_inner_text=True)
        button.click()
        await_result(page)
        expect(page.locator(".outlines .seen")).to_have_count(sum(deck.values()))
        page.get_by_role("button", name="Another picture").click()


def test_the_sheets_can_be_downloaded(page: Page) -> None:
    """The demo's sheets come as a PDF file."""
    with page.expect_download() as download:
        page.get_by_role("link", name="Card sheets").click()
    assert download.value.suggested_filename == "sheets.pdf"
    assert download.value.path().read_bytes().startswith(b"%PDF")


def test_a_picture_that_the_browser_cannot_show_is_read(page: Page, photo: bytes, printed: PrintedFolder) -> None:
    """In place of the picture there is a blank sheet of its shape, with all the outlines."""
    tiff = io.BytesIO()
    with Image.open(io.BytesIO(photo)) as image:
        image.save(tiff, "TIFF", compression="tiff_deflate")
    choose(page, file(tiff.getvalue(), "deck.tiff", "image/tiff"))
    await_result(page)
    sheet = page.locator(".photo-blank")
    box = sheet.bounding_box()
    assert box
    assert box["width"] / box["height"] == pytest.approx(WIDTH / HEIGHT, rel=0.02)
    expect(page.locator(".photo-note")).to_contain_text("cannot show", use_inner_text=True)
    expect(page.locator(".outlines .seen")).to_have_count(len(scan_photo(tiff.getvalue(), printed.game).seen))


def test_a_picture_taken_sideways_is_shown_as_it_is_read(page: Page, photo: bytes) -> None:
    """A picture that the camera stored sideways stands upright on the page, and so do its outlines."""
    turned = io.BytesIO()
    with Image.open(io.BytesIO(photo)) as image:
        exif = image.getexif()
        exif[0x0112] = 6
        image.save(turned, "JPEG", exif=exif, quality=92)
    choose(page, file(turned.getvalue()))
    await_result(page)
    expect(page.locator(".outlines")).to_have_attribute("viewBox", f"0 0 {HEIGHT} {WIDTH}")
    assert page.locator(".photo img").evaluate("e => [e.naturalWidth, e.naturalHeight]") == [HEIGHT, WIDTH]


def test_doubts_are_dashed_and_questioned(page: Page, photo: bytes) -> None:
    """A place that was not read is drawn dashed with a question mark, and a hint says so in words."""

    def doubtful(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]  # Playwright's route
        body = answer.json()
        body["doubts"] = [{"quad": [[10, 10], [90, 10], [90, 90], [10, 90]], "reason": "blur"}]
        body["hints"] = [{"slug": "blur", "text": "Hold the phone still."}]
        route.fulfill(response=answer, json=body)  # type: ignore[attr-defined]  # as above

    page.route("**/api/v1/scans", doubtful)
    choose(page, file(photo))
    await_result(page)
    doubt = page.locator(".outlines .doubt")
    expect(doubt.locator("text")).to_have_text("?")
    assert doubt.locator(".outline").evaluate("e => getComputedStyle(e).strokeDasharray") != "none"
    hints = page.locator(".hints").inner_text()
    assert "1 place looks like a card" in hints
    assert "Hold the phone still." in hints


def test_a_label_in_the_picture_is_named(page: Page, photo: bytes) -> None:
    """An envelope's label that lies in the picture is told by its number."""

    def labelled(route: object) -> None:
        answer = route.fetch()  # type: ignore[attr-defined]  # Playwright's route
        route.fulfill(response=answer, json=answer.json() | {"labels": [7]})  # type: ignore[attr-defined]  # as above

    page.route("**/api/v1/scans", labelled)
    choose(page, file(photo))
    await_result(page)
    expect(page.locator(".label-note")).to_have_text("Label of envelope 7", use_inner_text=True)
