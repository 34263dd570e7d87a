"""Results at the desk: from what is open over the count, its versions and files, to publication; and the record."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from playwright.sync_api import expect

from server.play.envelopes import rename_envelope
from server.play.house import game_row
from server.store.tables import Envelope
from tests.house import ORGANISER
from tests.played import counted_game
from tests.web.axe import problems
from tests.web.house.crowds import closed_game, frozen_game

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.web.house.conftest import Hall

    Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def seven(hall: Hall) -> str:
    """Make a counted game of seven hands, seen by nobody."""
    return frozen_game(hall, 7, name="Seven")


def _desk(opened: Opened, game: str, tab: str = "results", **options: object) -> Page:
    return opened(f"/desk/games/{game}/{tab}", organiser="Olga", **options)


def _state(hall: Hall, game: str) -> tuple[str, int | None]:
    with hall.house.database.reading() as session:
        row = game_row(session, game)
        return row.state, row.published_version


def _press(page: Page, name: str) -> None:
    """Go to a button by its name and press it, by keys alone."""
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def test_from_the_count_to_publication_by_keyboard(opened: Opened, hall: Hall) -> None:
    """What is open leads to where it is settled; counting all the same needs a reason; the count is then published."""
    game = closed_game(hall, 5, confirmed=False, name="By keys")
    page = _desk(opened, game)
    page.get_by_role("heading", name="Count the game").wait_for()
    page.get_by_role("link", name="1 value to confirm").wait_for()
    _press(page, "Count")
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Why?").focus()
    page.keyboard.press("Enter")
    dialog.get_by_text("Say why in a few words.").wait_for()
    page.keyboard.type("Blue is agreed on.")
    page.keyboard.press("Enter")
    dialog.wait_for(state="hidden")
    page.get_by_role("heading", name="Counted, and seen by nobody yet").wait_for()
    page.locator(".version", has_text="Version 1").wait_for()
    page.get_by_text("Blue is agreed on.").first.wait_for()
    assert _state(hall, game) == ("frozen", None)
    _press(page, "Publish version 1")
    page.get_by_role("dialog").get_by_text("Every player sees the ranking").wait_for()
    page.get_by_role("dialog").get_by_label("Why?").focus()
    page.keyboard.press("Enter")
    dialog.wait_for(state="hidden")
    page.get_by_role("heading", name="Published").wait_for()
    assert _state(hall, game) == ("published", 1)
    _press(page, "Take the publication back")
    page.get_by_role("dialog").get_by_label("Why?").focus()
    page.keyboard.type("A hand was mixed up.")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Counted, and seen by nobody yet").wait_for()
    assert _state(hall, game) == ("frozen", None)


def test_a_version_is_offered_once_it_is_known(opened: Opened, hall: Hall) -> None:
    """Where the page hears that the game is frozen before it hears of version 1, nothing stands there in its place."""
    game = closed_game(hall, 3, name="In between")
    page = _desk(opened, game)
    page.get_by_role("heading", name="Count the game").wait_for()
    held: list[Route] = []
    page.route("**/results", lambda route: held.append(route) if route.request.method == "GET" else route.continue_())
    _press(page, "Count")
    page.get_by_role("dialog").get_by_role("button", name="Count", exact=True).click()
    page.get_by_role("heading", name="Counted, and seen by nobody yet").wait_for()
    assert page.get_by_role("button", name="Publish").count() == 0
    page.unroute("**/results")  # which lets go what was held
    page.get_by_role("button", name="Publish version 1").wait_for()


def test_the_ranking_opens_to_every_line(opened: Opened, hall: Hall) -> None:
    """Each hand has its lines, void ones struck with the rule that did it; ties and hidden players are named."""
    game = counted_game(hall.house, name="Ranked")
    with hall.house.database.writing() as session:
        session.get_one(Envelope, (game, 1)).hidden = True
    page = _desk(opened, game)
    page.get_by_role("button", name="Greta").click()
    lines = page.locator(".hand-lines li")
    expect(lines).to_have_count(7)
    expect(lines.nth(1).locator("s")).to_have_count(2)
    page.get_by_text("Cancelled by rule 12").wait_for()
    expect(page.get_by_text("Tie decided by: ")).to_have_count(2)
    page.get_by_role("row", name="Ada").get_by_text("not named in public").wait_for()
    page.get_by_role("searchbox", name="Find a name or an envelope").fill("chlo")
    expect(page.locator(".ranking-name")).to_have_text(["Chloé"], use_inner_text=True)
    page.get_by_role("button", name="Open all").click()
    expect(page.locator(".hand-lines")).to_have_count(1)


def test_a_correction_is_a_new_version_that_says_what_moved(opened: Opened, hall: Hall) -> None:
    """A change after the count is told live; counting anew needs a reason; the old version stays."""
    game = counted_game(hall.house, published=True, name="Corrected")
    page = _desk(opened, game)
    page.locator(".version", has_text="Version 1").wait_for()
    expect(page.get_by_text("Something that counts has changed")).to_have_count(0)
    with hall.house.database.writing() as session:
        rename_envelope(session, game_row(session, game), 7, "Gretel", ORGANISER, datetime.now(UTC), "typing error")
    page.get_by_text("Something that counts has changed").wait_for()
    page.get_by_role("button", name="Count anew").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Why?").fill("A name was wrong.")
    dialog.get_by_role("button", name="Count anew").click()
    page.locator(".version", has_text="Version 2").wait_for()
    page.get_by_role("heading", name="Ranking of version 2").wait_for()
    page.get_by_text("was Greta").wait_for()
    assert _state(hall, game) == ("published", 1)
    page.locator(".version", has_text="Version 1").click()
    page.get_by_role("heading", name="Ranking of version 1").wait_for()
    page.get_by_role("button", name="Greta").wait_for()
    page.get_by_role("button", name="Publish version 2").click()
    page.get_by_role("dialog").get_by_role("button", name="Publish version 2").click()
    page.get_by_role("dialog").wait_for(state="hidden")
    assert _state(hall, game) == ("published", 2)
    page.get_by_role("button", name="Publish this one").click()
    page.get_by_role("dialog").get_by_text("This is not the newest version.").wait_for()


def test_what_another_organiser_counts_shows_by_itself(opened: Opened, hall: Hall) -> None:
    """Two desks: the second one sees the count of the first without a reload."""
    game = closed_game(hall, 3, name="Two desks")
    other = _desk(opened, game)
    other.get_by_role("heading", name="Count the game").wait_for()
    page = opened(f"/desk/games/{game}/results", organiser="Otto")
    page.get_by_role("button", name="Count", exact=True).click()
    dialog = page.get_by_role("dialog")
    if dialog.get_by_label("Why?").count():
        dialog.get_by_label("Why?").fill("Nothing is cancelled.")
    dialog.get_by_role("button", name="Count", exact=True).click()
    other.locator(".version", has_text="Version 1").wait_for()
    other.locator(".version", has_text="Otto").wait_for()


def test_every_file_comes_in_the_wanted_form(opened: Opened, seven: str) -> None:
    """Each link gives a file that opens; language and paper count; the whole game is a zip."""
    page = _desk(opened, seven)
    page.locator("main").get_by_role("combobox", name="Language").select_option("fr")
    page.get_by_role("combobox", name="Paper").select_option("letter")

    def got(name: str) -> tuple[str, bytes]:
        with page.expect_download() as coming:
            page.get_by_role("link", name=name, exact=True).click()
        return coming.value.suggested_filename, Path(coming.value.path()).read_bytes()

    name, data = got("Ranking (CSV)")
    assert name == f"{seven}-1-ranking.csv"
    assert len(list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))) == 7
    assert got("Points by rule (CSV)")[1].startswith(b"\xef\xbb\xbfrule,name,")
    assert len(json.loads(got("The counted game (JSON)")[1])["hands"]) == 7
    pages = pypdfium2.PdfDocument(got("Results to print (PDF)")[1])
    assert [round(side) for side in pages[0].get_size()] == [612, 792]
    assert "Résultats" in "".join(page.get_textpage().get_text_range() for page in pages)
    assert zipfile.ZipFile(io.BytesIO(got("The whole game without pictures")[1])).namelist()


def test_the_big_screens_link_is_there_to_open_copy_and_scan(opened: Opened, hall: Hall, seven: str) -> None:
    """With what everybody sees there just now; opened from here, the screen presents."""
    page = _desk(opened, seven, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("img", name="It shows now: Pencils down! 7 of 7 handed in").wait_for()
    page.get_by_role("button", name="Copy the link").click()
    page.get_by_text("The link is copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == hall.screen(seven)
    page.get_by_role("button", name="Link as a code").click()
    code = page.get_by_role("img", name="QR code with the link of the big screen")
    page.wait_for_function("image => image.naturalWidth > 0", arg=code.element_handle())
    link = page.get_by_role("link", name="Begin the ceremony")
    assert f"{hall.url}{link.get_attribute('href')}".endswith(hall.screen(seven))
    with page.expect_popup() as opening:
        link.click()
    opening.value.get_by_role("heading", name="The results").wait_for()


def test_the_record_tells_who_did_what_and_is_filtered(opened: Opened, hall: Hall) -> None:
    """The newest first, live, by what, by envelope and by person, with before and after in words."""
    game = counted_game(hall.house, published=True, name="Recorded")
    with hall.house.database.writing() as session:
        row = game_row(session, game)
        rename_envelope(session, row, 7, "Gretel", ORGANISER, datetime.now(UTC), "typing error")
    page = _desk(opened, game, "audit")
    first = page.locator(".entry").first
    first.get_by_text("Name changed").wait_for()
    first.get_by_text("typing error").wait_for()
    first.get_by_text("Name: Greta → Gretel").wait_for()
    page.get_by_role("combobox", name="What").select_option("count")
    expect(page.locator(".entry")).to_have_count(1)
    page.get_by_text("Version 1").wait_for()
    page.get_by_role("button", name="Show everything").click()
    page.get_by_role("textbox", name="Envelope").fill("7")
    expect(page.locator(".entry")).to_have_count(1)
    page.get_by_role("combobox", name="By whom").fill("Otto")
    page.get_by_text("Nothing fits.").wait_for()
    page.get_by_role("button", name="Show everything").click()
    page.locator(".entry", has_text="Game made").wait_for()
    with hall.house.database.writing() as session:
        rename_envelope(session, game_row(session, game), 6, "Newest", ORGANISER, datetime.now(UTC), "live")
    page.get_by_text("Newest").wait_for()


def test_the_record_is_read_page_by_page(opened: Opened, hall: Hall) -> None:
    """Older entries come by a button, and stay while new ones come."""
    game = counted_game(hall.house, name="Long record")
    with hall.house.database.writing() as session:
        for number in range(60):
            row = game_row(session, game)
            rename_envelope(session, row, 1, f"Name {number}", ORGANISER, datetime.now(UTC), "again")
    page = _desk(opened, game, "audit")
    page.get_by_text("Name 59").first.wait_for()
    expect(page.locator(".entry")).to_have_count(50)
    page.get_by_role("button", name="Older entries").click()
    page.locator(".entry", has_text="Game made").wait_for()
    expect(page.get_by_role("button", name="Older entries")).to_have_count(0)


def test_an_open_hand_suits_everybody(opened: Opened, seven: str) -> None:
    """Its lines on any size, by day and by night, in the longest language; test_screens looks at the rest."""
    page = _desk(opened, seven, locale="de-DE")
    page.locator(".ranking-name").first.click()
    page.locator(".hand-lines").wait_for()
    for scheme, width in (("light", 320), ("dark", 390), ("light", 1280)):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 800})
        assert problems(page) == [], width
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), width
