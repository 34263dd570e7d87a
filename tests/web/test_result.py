"""From a photograph to outlines, cards, score and reasons, in a real browser."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image

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
    assert drawn.count() == len(truth) == sum(DECK.values())
    assert result.locator(".outlines .tag").count() == len(truth)
    assert result.locator(".outlines").get_attribute("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
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
    assert result.locator("h1").inner_text() == "20 cards found"
    kinds = result.locator(".kind")
    shown = {
        kinds.nth(place).get_attribute("data-kind"): kinds.nth(place).locator(".kind-count").inner_text()
        for place in range(kinds.count())
    }
    assert shown == {slug: f"{count} {TIMES}" for slug, count in DECK.items()}
    assert list(shown) == list(DECK)
    assert result.locator('.kind[data-kind="green"] svg path').count() == 1
    assert "Rule 3" in result.locator('.kind[data-kind="rule-3"]').inner_text()


def test_the_score_is_the_engines(result: Page, hand: HandResult) -> None:
    """The large number is the score that the engine gives to these cards, and so is the total of the lines."""
    assert result.locator(".score-number strong").inner_text() == decimal(hand.score)
    assert result.locator(".sum strong").inner_text() == decimal(hand.score)


def test_every_rule_has_its_line(result: Page, hand: HandResult) -> None:
    """Each line of the breakdown is shown in order with its rule, its points and its sentence."""
    lines = result.locator(".line")
    assert lines.count() == len(hand.lines)
    for place, line in enumerate(hand.lines):
        shown = lines.nth(place)
        assert shown.get_attribute("data-rule") == (line.rule or "")
        assert shown.locator(".line-text").inner_text() == line.text
        points = decimal(line.points)
        assert shown.locator(".line-points").inner_text() == (
            f"+{points}" if line.points > 0 else points.replace("-", MINUS)
        )


def test_void_lines_are_struck_and_say_by_what(result: Page, hand: HandResult) -> None:
    """A line that another rule has cancelled stays, struck through, and names that rule; no other line does."""
    void = [line for line in hand.lines if line.void]
    assert void
    struck = result.locator(".line-void")
    assert struck.count() == len(void) == result.locator(".line:has(s)").count()
    for place, line in enumerate(void):
        assert f"Cancelled by rule {line.voided_by}" in struck.nth(place).inner_text()
        style = struck.nth(place).locator(".line-points s").evaluate("e => getComputedStyle(e).textDecorationLine")
        assert style == "line-through"


def test_the_organisers_value_is_marked(result: Page) -> None:
    """The line that rests on the organiser's value says so, and the value stands below the lines."""
    marked = result.locator(".line", has=result.locator(".tag-organiser"))
    assert [marked.nth(n).get_attribute("data-kind") for n in range(marked.count())] == ["blue"]
    assert "Base value of blue cards (rule 6)" in result.locator(".settings").inner_text()


def test_a_line_opens_to_the_rules_wording(result: Page) -> None:
    """A tap on a line shows what the rule says, and another hides it."""
    rule = load_edition("eurocg-2026").rule_of["1"]
    line = result.locator('.line[data-rule="1"]')
    assert not line.locator("blockquote").is_visible()
    line.locator("summary").click()
    assert line.locator("blockquote").inner_text() == rule.text
    line.locator("summary").click()
    assert not line.locator("blockquote").is_visible()


def test_the_result_is_announced_and_has_the_focus(result: Page, hand: HandResult) -> None:
    """A screen reader is told cards and score, and goes on reading at the result."""
    assert result.get_by_role("status").inner_text() == f"20 cards found. Score: {decimal(hand.score)} points."
    assert focused(result) == "20 cards found"
    assert "4 Blue" in (result.locator(".photo img").get_attribute("alt") or "")


def test_another_picture_starts_over(result: Page) -> None:
    """The button leads back to the start, with the focus on its heading."""
    result.get_by_role("button", name="Another picture").click()
    assert focused(result) == "What is your deck worth?"
    assert result.locator(".outlines").count() == 0


def test_a_sample_is_read_by_a_tap(page: Page) -> None:
    """A tap on a ready picture has it read like one's own."""
    for _, title, note, deck in SAMPLES:
        button = page.get_by_role("button", name=f"Read the sample picture: {title}")
        assert note in button.inner_text()
        button.click()
        await_result(page)
        assert page.locator(".outlines .seen").count() == sum(deck.values())
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
    assert "cannot show" in page.locator(".photo-note").inner_text()
    assert page.locator(".outlines .seen").count() == len(scan_photo(tiff.getvalue(), printed.game).seen)


def test_a_picture_taken_sideways_is_shown_as_it_is_read(page: Page, photo: bytes) -> None:
    """A picture that the camera stored sideways stands upright on the page, and so do its outlines."""
    turned = io.BytesIO()
    with Image.open(io.BytesIO(photo)) as image:
        exif = image.getexif()
        exif[0x0112] = 6
        image.save(turned, "JPEG", exif=exif, quality=92)
    choose(page, file(turned.getvalue()))
    await_result(page)
    assert page.locator(".outlines").get_attribute("viewBox") == f"0 0 {HEIGHT} {WIDTH}"
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
    assert doubt.locator("text").text_content() == "?"
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
    assert page.locator(".label-note").inner_text() == "Label of envelope 7"
