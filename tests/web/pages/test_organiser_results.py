"""Results at the desk: open points, counting, versions, files, publication, and the record."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypdfium2
from playwright.sync_api import expect

from server.db.models import Envelope
from server.games.audit import audit
from server.games.lifecycle.envelopes import rename_envelope
from server.games.lifecycle.repository import load_game
from server.games.results.versions import load_version
from tests.context import ORGANISER
from tests.played_game import counted_game
from tests.web.axe import axe_problems
from tests.web.pages.counted_games import closed_game, frozen_game
from tests.web.pages.organiser_steps import Keyboard, button, check_accessibility, stored_game, switch_to_german

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.web.pages.conftest import LiveServer
    from tests.web.pages.organiser_steps import OpenPage


def _desk(open_page: OpenPage, game: str, tab: str = "results", organiser: str = "Olga", **options: object) -> Page:
    return open_page(f"/desk/games/{game}/{tab}", organiser=organiser, **options)


def _rename(live_server: LiveServer, game: str, number: int, name: str, reason: str = "typing error") -> None:
    with live_server.context.database.writing() as session:
        rename_envelope(session, load_game(session, game), number, name, ORGANISER, datetime.now(UTC), reason)


def test_a_game_can_be_counted_published_and_unpublished_by_keyboard(  # noqa: PLR0915 - a long journey
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """Counting despite open points, counting again and unpublishing need a reason, which the record shows.

    Another organiser sees the count live. A version can be published once its result has been loaded.
    """
    game = closed_game(live_server, 5, confirmed=False, name="By keys")
    other = _desk(open_page, game, organiser="Otto")
    other.get_by_role("heading", name="Count", exact=True).wait_for()
    page = _desk(open_page, game)
    page.get_by_role("heading", name="Count", exact=True).wait_for()
    page.get_by_role("link", name="1 value to confirm").wait_for()
    keys, dialog = Keyboard(page), page.get_by_role("dialog")

    def state() -> tuple[str, int | None]:
        row = stored_game(live_server, game)
        return row.state, row.published_version

    def check_closed() -> None:
        expect(dialog).to_have_count(0)
        keys.expect_focus()

    held: list[Route] = []
    page.route("**/results", lambda route: held.append(route) if route.request.method == "GET" else route.continue_())
    keys.press(button(page, "Count"))
    keys.press(button(dialog, "Count"))
    dialog.get_by_text("Give a reason").wait_for()
    check_accessibility(page)
    keys.type(dialog.get_by_label("Reason"), "Blue is agreed on.")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Counted", exact=True).wait_for()
    assert page.get_by_role("button", name="Publish").count() == 0
    page.unroute("**/results")  # the held requests continue
    button(page, "Publish version 1").wait_for()
    check_closed()
    page.get_by_text("Blue is agreed on.").first.wait_for()
    other.locator(".version", has_text="Version 1").filter(has_text="Olga").wait_for()
    assert state() == ("frozen", None)

    keys.press(button(page, "Publish version 1"))
    dialog.get_by_text("Players see the ranking").wait_for()
    keys.press(button(dialog, "Publish version 1"))
    page.get_by_role("heading", name="Published").wait_for()
    check_closed()
    assert state() == ("published", 1)

    keys.press(button(page, "Count again"))
    page.route("**/results", lambda route: route.fulfill(status=503))
    keys.type(dialog.get_by_label("Reason"), "a typing error")
    page.keyboard.press("Enter")
    dialog.get_by_role("alert").wait_for()
    page.unroute("**/results")
    keys.press(button(dialog, "Count again"))
    check_closed()
    keys.press(button(page, "Publish version 2"))
    keys.press(button(dialog, "Publish version 2"))
    check_closed()
    assert state() == ("published", 2)

    keys.press(button(page, "Unpublish the results"))
    keys.type(dialog.get_by_label("Reason"), "mixed up")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Counted", exact=True).wait_for()
    check_closed()
    assert state() == ("frozen", None)
    keys.press(page.get_by_role("link", name="Record"))
    entries = page.locator(".entry")
    keys.choose(page.get_by_role("combobox", name="What"), "Results unpublished")
    expect(entries).to_have_count(1)
    expect(entries).to_contain_text("mixed up")
    for field, text in (("textbox", "9"), ("combobox", "Otto")):
        keys.press(button(page, "Show everything"))
        name = "Envelope" if field == "textbox" else "By whom"
        keys.type(page.get_by_role(field, name=name), text)
        page.get_by_text("No match.").wait_for()


def test_a_setting_can_be_confirmed_while_counting(open_page: OpenPage, live_server: LiveServer) -> None:
    """Then nothing is open any more, and no reason is needed. The ceremony is the next step."""
    game = closed_game(live_server, 2, confirmed=False, name="Blue")
    page = _desk(open_page, game)
    button(page, "Count").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").wait_for()
    dialog.get_by_role("checkbox", name="Base value of blue cards").check()
    expect(dialog.get_by_label("Reason")).to_have_count(0)
    button(dialog, "Count").click()
    page.get_by_role("link", name="Begin the ceremony").wait_for()
    assert stored_game(live_server, game).state == "frozen"
    assert len(stored_game(live_server, game).confirmed) == 1


def test_missing_names_of_winners_can_be_entered_before_the_ceremony(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """They are saved, and the game is counted again with them."""
    game = frozen_game(live_server, 3, name="Nameless")
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 2)).name = None
    page = _desk(open_page, game)
    asked = page.get_by_text("Some of the best have no name")
    asked.wait_for()
    assert axe_problems(page) == []
    page.get_by_label("Place 2: envelope").fill("Grete")
    page.get_by_role("button", name="Save and count again").click()
    page.get_by_role("heading", name="Ranking of version 2").wait_for()
    expect(asked).to_have_count(0)
    with live_server.context.database.reading() as session:
        names = {hand["player"] for hand in load_version(session, game, 2).document["hands"]}
    assert names == {"Player 1", "Grete", "Player 3"}


def test_the_ranking_shows_all_lines_and_the_changes_of_a_new_version(
    open_page: OpenPage, live_server: LiveServer
) -> None:
    """Void lines are struck through; a change is announced live, and the next version lists what changed."""
    game = counted_game(live_server.context, published=True, name="Corrected")
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (game, 1)).hidden = True
    page = _desk(open_page, game)
    page.get_by_role("button", name="Greta").click()
    lines = page.locator(".hand-lines li")
    expect(lines).to_have_count(7)
    expect(lines.nth(1).locator("s")).to_have_count(2)
    page.get_by_text("Cancelled by rule 12").wait_for()
    expect(page.get_by_text("Tie broken by: ")).to_have_count(2)
    page.get_by_role("row", name="Ada").get_by_text("name hidden").wait_for()
    check_accessibility(page)
    page.get_by_role("row", name="Greta").get_by_role("link").first.click()
    hand = page.get_by_role("dialog").locator(".envelope-hand")
    expect(hand.locator(".hand-lines li")).to_have_count(7)
    hand.get_by_text("Add or remove cards").click()
    expect(hand.get_by_role("button", name="Remove").first).to_be_visible()
    check_accessibility(page)
    page.go_back()
    search = page.get_by_role("searchbox", name="Name or envelope")
    search.fill("chlo")
    expect(page.locator(".ranking-name")).to_have_text(["Chloé"], use_inner_text=True)
    button(page, "Open all").click()
    expect(page.locator(".hand-lines")).to_have_count(1)
    search.fill("")

    expect(page.get_by_text("Something has changed")).to_have_count(0)
    _rename(live_server, game, 7, "Gretel")
    page.get_by_text("Something has changed").wait_for()
    button(page, "Count again").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Reason").fill("A name was wrong.")
    button(dialog, "Count again").click()
    page.get_by_role("heading", name="Ranking of version 2").wait_for()
    page.get_by_text("was Greta").wait_for()
    assert stored_game(live_server, game).published_version == 1
    page.locator(".version", has_text="Version 1").click()
    page.get_by_role("heading", name="Ranking of version 1").wait_for()
    page.get_by_role("button", name="Greta").wait_for()
    button(page, "Publish version 2").click()
    button(dialog, "Publish version 2").click()
    expect(dialog).to_have_count(0)
    assert stored_game(live_server, game).published_version == 2
    button(page, "Publish Version 1").click()
    dialog.get_by_text("There is a newer version.").wait_for()


def test_result_files_and_the_link_of_the_big_screen_can_be_used(open_page: OpenPage, live_server: LiveServer) -> None:
    """Files are in the chosen language and paper size; the link can be opened, copied and scanned."""
    game = frozen_game(live_server, 7, name="Seven")
    page = _desk(open_page, game, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("img", name=re.compile("Time.s up! 7 of 7 handed in")).wait_for()
    keys = Keyboard(page)
    keys.press(button(page, "Copy the link"))
    page.get_by_text("Link copied.").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == live_server.screen_link(game)
    keys.press(button(page, "QR code"), "Space")
    code = page.get_by_role("img", name="QR code")
    page.wait_for_function("image => image.naturalWidth > 0", arg=code.element_handle())
    check_accessibility(page)
    link = page.get_by_role("link", name="Begin the ceremony")
    assert f"{live_server.url}{link.get_attribute('href')}".endswith(live_server.screen_link(game))
    with page.expect_popup() as opening:
        keys.press(link)
    opening.value.get_by_role("heading", name="Results").wait_for()
    opening.value.close()

    page.locator("main").get_by_role("combobox", name="Language").select_option("fr")
    page.get_by_role("combobox", name="Paper").select_option("letter")

    def download(name: str) -> tuple[str, bytes]:
        with page.expect_download() as coming:
            page.get_by_role("link", name=name, exact=True).click()
        return coming.value.suggested_filename, Path(coming.value.path()).read_bytes()

    name, data = download("Ranking (CSV)")
    assert name == f"{game}-1-ranking.csv"
    assert len(list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))) == 7
    assert download("Points by rule (CSV)")[1].startswith(b"\xef\xbb\xbfrule,name,")
    assert len(json.loads(download("The counted game (JSON)")[1])["hands"]) == 7
    pages = pypdfium2.PdfDocument(download("Results to print (PDF)")[1])
    assert [round(side) for side in pages[0].get_size()] == [612, 792]
    assert "Résultats" in "".join(page.get_textpage().get_text_range() for page in pages)
    assert zipfile.ZipFile(io.BytesIO(download("Export without pictures")[1])).namelist()


def test_the_record_lists_changes_in_the_readers_language(open_page: OpenPage, live_server: LiveServer) -> None:
    """The newest entries come first and live, older ones by a button, filtered by envelope.

    Settings, cards, rules and decisions have the names that users know.
    """
    game = counted_game(live_server.context, name="Recorded")
    for number in range(48):
        _rename(live_server, game, 1, f"Name {number}", "again")
    page = _desk(open_page, game, "audit")
    entries = page.locator(".entry")
    expect(entries).to_have_count(50)
    _rename(live_server, game, 7, "Gretel")
    for text in ("Name changed", "typing error", "Name: Greta → Gretel"):
        expect(entries.first).to_contain_text(text)
    button(page, "Older entries").click()
    page.locator(".entry", has_text="Game created").wait_for()
    expect(button(page, "Older entries")).to_have_count(0)
    page.get_by_role("textbox", name="Envelope").fill("7")
    expect(entries).to_have_count(1)

    changes: list[tuple[str, str, dict[str, Any], dict[str, Any], str]] = [
        ("change", "", {"settings": {"blue_base": 1}}, {"settings": {"blue_base": 7}}, "Karten (Regel 6): 1 → 7"),
        ("change", "", {"mode": "known", "language": "en"}, {"mode": "total", "language": "fr"}, "Die eigenen Regeln"),
        ("change", "", {"size": "poker"}, {"size": "mini"}, "Poker → Mini"),
        ("change", "", {"pause": 1200}, {"pause": 60}, "Pause zwischen Versuchen: 20 Min. → 1 Min."),
        ("settle", "decks:red-007", {"decision": None}, {"decision": {"do": "void"}}, "Zählt nirgends"),
        ("dead-cards", "envelope 2", {}, {"cards": ["red-007"]}, "Rot 7"),
        ("scan-again", "photo 0a1b2c3d", {"state": "failed"}, {}, "nicht lesbar"),
    ]  # fmt: skip
    with live_server.context.database.writing() as session:
        for action, subject, before, after, _ in changes:
            audit(
                session,
                ORGANISER,
                action,
                game=game,
                at=live_server.context.clock(),
                subject=subject,
                before=before,
                after=after,
            )
    switch_to_german(page)
    entries.first.wait_for()
    for place, (*_, words) in enumerate(reversed(changes)):
        expect(entries.nth(place)).to_contain_text(words)
    expect(page.get_by_role("link", name="Zweifel: Karte in zwei Decks")).to_be_visible()
