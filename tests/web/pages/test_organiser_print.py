"""Print runs at the desk: samples, dealing, downloads, and replaced cards."""

from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pypdfium2
import pytest
from playwright.sync_api import expect
from sqlalchemy import select

from server.db.models import Card, PrintRun
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.printing.runs import add_run
from tests.context import ORGANISER
from tests.web.conftest import PHONE
from tests.web.pages.organiser_steps import Keyboard, button, check_accessibility, close_dialog, download_link

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Locator

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage

URL = "https://haggle.example.org"


def runs(live_server: LiveServer, game: str) -> list[PrintRun]:
    """Return a game's print runs."""
    with live_server.context.database.reading() as session:
        rows = list(session.scalars(select(PrintRun).where(PrintRun.game == game).order_by(PrintRun.number)))
        session.expunge_all()
        return rows


def image_width(scope: Locator, name: str) -> int:
    """Wait until an image is loaded; return its natural width."""
    image = scope.locator(f"img[alt='{name}']")
    image.wait_for()
    return int(image.evaluate("image => image.decode().then(() => image.naturalWidth)"))


def test_a_game_can_be_dealt_and_printed_by_keyboard(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path
) -> None:
    """A sample is shown before and the pages afterwards; an address that no phone could open is not suggested."""
    game = live_server.new_game(State.DRAFT, name="To print", edition="sackson-1969", players=4)
    page = open_page(f"/desk/games/{game}", organiser="Olga")
    page.get_by_role("link", name="Deal and print").press("Enter")
    dialog = page.get_by_role("dialog", name="Deal and print")
    dialog.wait_for()
    close_dialog(page)
    page.wait_for_url("**/print")
    page.keyboard.press("n")
    expect(dialog.get_by_label("Envelopes for players")).to_be_focused()
    assert image_width(dialog, "Card sheets") == 700
    assert image_width(dialog, "Labels") in {699, 700, 701}
    expect(dialog.get_by_label("Envelopes for players")).to_have_value("4")
    address = dialog.get_by_label("Address on the labels")
    expect(address).to_have_value("")
    dialog.get_by_text("Without it, phones can’t join.").wait_for()
    expect(dialog.get_by_text("Phones can’t open")).to_have_count(0)
    address.fill("haggle.example.org")
    dialog.get_by_text("In full, such as https://").wait_for()
    dialog.get_by_label("Spare envelopes").fill("900")
    address.fill("http://localhost:8000")
    dialog.get_by_text("No phone can open this address").wait_for()
    page.keyboard.press("Enter")
    dialog.get_by_text("A whole number from 0 to 600.").wait_for()
    assert not runs(live_server, game)
    dialog.get_by_label("Spare envelopes").fill("2")
    dialog.get_by_label("Deal even starting decks").press("Space")
    dialog.get_by_label("At most this far apart").fill("60")
    address.fill(URL)
    expect(dialog.get_by_text("No phone can open this address")).to_have_count(0)
    page.keyboard.press("Enter")
    done = page.get_by_role("dialog", name="The cards are dealt")
    assert image_width(done, "Card sheets") == 900
    (run,) = runs(live_server, game)
    assert (run.envelopes, run.spare, run.even, run.join) == (6, 2, 60, URL)
    done.get_by_text("Starting decks are at most").wait_for()
    sheets = download_link(page, done.get_by_role("link", name="Card sheets"), tmp_path / "s.pdf")
    with pypdfium2.PdfDocument(sheets) as document:
        assert len(document) == -(-72 // 9)
    done.get_by_text("More files").click()
    expect(done.get_by_role("button", name="All files")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Envelopes 1 to 6").wait_for()
    page.get_by_role("link", name="Overview").press("Enter")
    page.get_by_role("button", name="Open the game").wait_for()


def test_print_settings_are_validated_and_remembered(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path
) -> None:
    """The dialog shows front and back and refuses what cannot be printed; the browser remembers the choice."""
    game = live_server.new_game(State.PRINTED, name="Chosen", players=2)
    page = open_page(f"/desk/games/{game}/print", organiser="Olga")
    button(page, "Change").press("Enter")
    dialog = page.get_by_role("dialog", name="Print settings")
    refused = dialog.locator("form .setup-choices").get_by_role("alert").get_by_text("This cannot be printed")
    dialog.get_by_text("US Letter").click()
    dialog.get_by_text("Long edge").click()
    dialog.get_by_text("Printer correction").click()
    dialog.get_by_label("Fronts to the right").fill("11")
    dialog.get_by_text("A number from -10 to 10.").wait_for()
    button(dialog, "Use this").click()
    expect(dialog.get_by_label("Fronts to the right")).to_be_focused()
    dialog.get_by_label("Fronts to the right").fill("0.5")
    dialog.get_by_label("Labels on").select_option("5163")
    assert image_width(dialog, "Card sheets") == 700
    assert image_width(dialog, "Backs") == 700
    drift = dialog.get_by_role("link", name="Calibration page").get_attribute("href")
    assert "shift_x=0.5" in str(drift)
    dialog.get_by_label("Used places").fill("40")
    button(dialog, "Use this").click()
    refused.wait_for()
    dialog.get_by_label("Used places").fill("5")
    dialog.get_by_label("Second language").select_option("fr")
    page.keyboard.press("Enter")
    summary = page.get_by_label("Print settings")
    chosen = "US Letter · Backs: Long edge · Second language: Français"
    summary.get_by_text(f"{chosen} · Used places: 5 · Labels on 5163 · Printer correction").wait_for()
    page.goto(f"/desk/games/{game}/print")
    summary.get_by_text(f"{chosen} · Labels on 5163 · Printer correction").wait_for()
    sheets = download_link(page, page.get_by_role("link", name="Card sheets"), tmp_path / "s.pdf")
    with pypdfium2.PdfDocument(sheets) as document:
        assert (len(document), round(document[0].get_width())) == (6, 612)


def test_single_cards_are_printed_in_the_background_with_progress(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path
) -> None:
    """The file is downloaded when it is ready, can be downloaded again, and can be cancelled."""
    game = live_server.new_game(State.PRINTED, name="Single cards", players=1)
    page = open_page(f"/desk/games/{game}/print", organiser="Olga")
    page.get_by_text("More files").click()
    with page.expect_download() as download:
        button(page, "Single cards (PDF)").click()
        page.get_by_role("progressbar", name="Single cards (PDF)").wait_for()
    download.value.save_as(tmp_path / "first.zip")
    ready = page.get_by_role("link", name="Single cards (PDF):")
    expect(ready).to_be_focused()
    again = download_link(page, ready, tmp_path / "c.zip")
    assert again == (tmp_path / "first.zip").read_bytes()
    with zipfile.ZipFile(io.BytesIO(again)) as archive:
        assert len([name for name in archive.namelist() if name.startswith("fronts/")]) == 13
    page.get_by_role("button", name="Single cards (PNG)").click()
    button(page, "Cancel").click()
    page.get_by_role("button", name="Single cards (PNG)").click()
    page.get_by_role("progressbar", name="Single cards (PNG)").wait_for()
    page.reload()
    jobs = page.get_by_role("region", name="Being made")
    jobs.get_by_text(f"{game.upper()}-1-cards.zip", exact=True).wait_for()
    button(jobs, "Cancel").click()
    expect(jobs).to_have_count(0)


@pytest.mark.thorough
def test_a_print_job_continues_after_its_dialog_is_closed(open_page: OpenPage, live_server: LiveServer) -> None:
    """The page shows whether the job waits or has begun, and downloads the file, also after the page was left."""
    game = live_server.new_game(State.DRAFT, name="Closed early", players=1)
    page = open_page(f"/desk/games/{game}/print", organiser="Olga")
    job = {"id": "ab", "name": "all.pdf", "state": "waiting", "done": 0, "of": 0, "bytes": None, "problem": None}
    page.route("**/runs/1/prints", lambda route: route.fulfill(status=202, json=job))
    page.route("**/prints/ab", lambda route: route.fulfill(json=job))
    headers = {"Content-Disposition": "attachment; filename=all.pdf"}
    page.route("**/prints/ab/file", lambda route: route.fulfill(body="PK", headers=headers))
    page.get_by_role("button", name="Deal and print").click()
    page.get_by_role("dialog").get_by_role("button", name="Deal 2 envelopes").click()
    done = page.get_by_role("dialog", name="The cards are dealt")
    page.wait_for_url("**/print")  # a reload does not deal again
    done.get_by_role("button", name="Print everything (PDF)").click()
    done.get_by_text("Print everything (PDF): Waiting").wait_for()
    job["state"] = "working"
    done.get_by_text("Print everything (PDF): Started").wait_for()
    job |= {"of": 9, "done": 1, "bytes": 4_000_000}
    done.get_by_text("Print everything (PDF): 1 of 9").wait_for()
    page.keyboard.press("Escape")
    jobs = page.get_by_role("region", name="Being made")

    def leave_and_return() -> None:
        page.get_by_role("link", name="Overview").click()
        page.get_by_role("button", name="Open the game").wait_for()
        page.get_by_role("link", name="Print", exact=True).click()

    jobs.get_by_text("1 of 9").wait_for()
    leave_and_return()
    jobs.get_by_text("1 of 9").wait_for()
    with page.expect_download() as download:
        job["state"] = "done"
    assert download.value.url.endswith("/prints/ab/file")
    jobs.get_by_role("link", name="all.pdf:").wait_for()
    leave_and_return()
    page.get_by_role("button", name="Print everything (PDF)").wait_for()
    expect(jobs).to_have_count(0)


def test_a_dialog_deals_nothing_if_someone_else_has_dealt(open_page: OpenPage, live_server: LiveServer) -> None:
    """A second dialog on the same draft shows which envelopes were dealt."""
    game = live_server.new_game(State.DRAFT, name="Two at once", players=8)
    page = open_page(f"/desk/games/{game}/print", organiser="Olga")
    page.get_by_role("button", name="Deal and print").click()
    dialog = page.get_by_role("dialog", name="Deal and print")
    send = dialog.get_by_role("button", name="Deal 9 envelopes")
    send.wait_for()
    with live_server.context.database.writing() as session:
        add_run(session, load_game(session, game), 9, ORGANISER, live_server.context.clock(), spare=1)
    send.click()
    dialog.get_by_text("Envelopes 1 to 9 are dealt").wait_for()
    assert [run.number for run in runs(live_server, game)] == [1]
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Envelopes 1 to 9").wait_for()


def test_files_of_two_print_runs_can_be_distinguished_and_downloaded(
    open_page: OpenPage, live_server: LiveServer, tmp_path: Path
) -> None:
    """A refused file says why, and can be downloaded later. Labels without a link ask for the address."""
    game = live_server.new_game(State.OPEN, name="Two runs", players=2)
    with live_server.context.database.writing() as session:
        add_run(session, load_game(session, game), 3, ORGANISER, live_server.context.clock(), spare=0).join = None
    page = open_page(f"/desk/games/{game}/print", organiser="Olga", viewport=PHONE)
    page.get_by_role("link", name="Labels Envelopes 3 to 5, Print run 2").wait_for()
    for more in page.get_by_text("More files").all():
        more.click()
    names = page.locator(".runs :is(a, button:enabled, summary)").all_inner_texts()
    assert len(names) > 10
    assert len(set(names)) == len(names), names

    page.get_by_text("The labels have no link.").wait_for()
    expect(page.get_by_role("button", name="Labels with this address")).to_be_disabled()
    page.get_by_label("Address on the labels").fill(URL)
    link = page.get_by_role("link", name="Labels with this address")
    with pypdfium2.PdfDocument(download_link(page, link, tmp_path / "joined.pdf")) as document:
        assert "To join" in document[0].get_textpage().get_text_bounded()
    page.get_by_label("Envelope", exact=True).fill("9")
    page.get_by_text("No such envelope.").wait_for()
    page.get_by_label("Envelope", exact=True).fill("3")
    with pypdfium2.PdfDocument(
        download_link(page, page.get_by_role("link", name="Label of envelope 3"), tmp_path / "l.pdf")
    ) as document:
        assert len(document) == 1

    refusal = {"type": "/problems/cannot-print", "title": "", "detail": "", "why": "paper"}
    page.route("**/labels.pdf", lambda route: route.fulfill(status=422, json=refusal))
    page.get_by_role("link", name="Labels").first.press("Enter")
    page.get_by_role("alert").get_by_text("This cannot be printed").wait_for()
    page.context.clear_cookies()
    listed = page.get_by_role("link", name="Card list (CSV)").first
    listed.press("Enter")
    page.get_by_role("dialog").get_by_role("textbox", name="password").wait_for()
    live_server.sign_in(page.context)
    page.reload()
    page.get_by_text("More files").first.click()
    with page.expect_download() as download:
        listed.press("Enter")
    assert download.value.suggested_filename == f"{game.upper()}-1-cards.csv"
    expect(listed).to_be_focused()
    page.get_by_label("Address on the labels").fill(URL)
    with page.expect_request("**/runs/2/prints") as asked:
        page.get_by_role("button", name="Print everything (PDF)").nth(1).click()
    assert asked.value.post_data_json == {"name": "all.pdf", "join": URL}


def test_printed_pages_can_be_viewed_one_by_one(open_page: OpenPage, live_server: LiveServer) -> None:
    """Keys and buttons lead from the first to the last, on a phone."""
    game = live_server.new_game(State.PRINTED, name="Pages", players=2)
    page = open_page(f"/desk/games/{game}/print", organiser="Olga", viewport=PHONE)
    page.get_by_role("button", name="Show sheets").click()
    dialog = page.get_by_role("dialog", name="Print run 1: Card sheets")
    assert image_width(dialog, "Page 1 of 3") == 1200
    expect(button(dialog, "Previous")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    image_width(dialog, "Page 2 of 3")
    button(dialog, "Next").click()
    image_width(dialog, "Page 3 of 3")
    expect(button(dialog, "Next")).to_be_disabled()


def test_lost_cards_can_be_replaced_by_keyboard(open_page: OpenPage, live_server: LiveServer) -> None:
    """They are found by envelope or short code; new ones are printed, and the lost ones are dead."""
    game = live_server.new_game(State.OPEN, name="Torn", players=4)
    page = open_page(f"/desk/games/{game}/print", organiser="Olga")
    keys = Keyboard(page)
    keys.press(button(page, "Replace lost cards"))
    dialog = page.get_by_role("dialog", name="Replace lost cards")
    look = dialog.get_by_label("Envelope, card or short code")
    expect(look).to_be_focused()
    page.keyboard.type("3")
    expect(dialog.get_by_role("checkbox")).to_have_count(13)
    keys.press(button(dialog, "Replace"))
    dialog.get_by_text("Choose at least one card.").wait_for()
    keys.press(dialog.get_by_role("checkbox").first, "Space")
    check_accessibility(page)
    code = str(dialog.get_by_text("Envelope 3 · ").nth(1).inner_text()).rpartition(" ")[2]
    keys.type(look, code.lower())
    expect(dialog.get_by_role("checkbox")).to_have_count(2)
    keys.press(dialog.get_by_role("checkbox").nth(1), "Space")
    keys.press(button(dialog, "Replace 2 cards"))
    dialog.get_by_text("Give a reason").wait_for()
    keys.type(dialog.get_by_label("Reason"), "coffee")
    keys.press(button(dialog, "Replace 2 cards"))
    page.get_by_role("heading", name="2 replaced cards").wait_for()
    keys.expect_focus()
    with live_server.context.database.reading() as session:
        lost = list(session.scalars(select(Card).where(Card.game == game, Card.lost.is_not(None))))
        assert [card.envelope for card in lost] == [3, 3]
