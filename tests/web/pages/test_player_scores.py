"""Provisional scores on the player page in each mode of a game."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from playwright.sync_api import Route, expect
from sqlalchemy import func, select

from server.db.models import Deck, Envelope, ProvisionalScore
from server.games.audit import Actor
from server.games.lifecycle.repository import PlayerIdentity
from server.games.lifecycle.states import Act
from server.games.players.submission import hand_in
from tests.players import dealt, set_game, some_of
from tests.web.axe import axe_problems
from tests.web.pages.conftest import LiveServer, OpenPage
from tests.web.pages.player_steps import add_deck, change_state_of, overflowing_widths, press_and_hold
from tests.web.steps import file, open_path

PAUSE = 600


def spent_tries(live_server: LiveServer, game: str) -> int:
    with live_server.context.database.reading() as session:
        return (
            session.scalar(
                select(func.count())
                .select_from(ProvisionalScore)
                .where(ProvisionalScore.game == game, ProvisionalScore.spent)
            )
            or 0
        )


def test_mode_off_takes_no_pictures_and_hands_in_without_a_list(open_phone: OpenPage, live_server: LiveServer) -> None:
    """The hand-in dialog and the receipt say that there is no list."""
    page = open_phone(live_server.new_game(mode="off"))
    expect(page.get_by_role("button", name="Photograph my deck")).to_have_count(0)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("dialog")).to_contain_text("No list of cards")
    press_and_hold(page, page.get_by_role("button", name="Hold to hand in"))
    receipt = page.get_by_role("region", name="Handed in")
    expect(receipt).to_contain_text("No list")
    expect(receipt).to_contain_text("In time")


def test_mode_inventory_shows_only_the_cards(open_phone: OpenPage, live_server: LiveServer) -> None:
    """The list of decks shows the time of the confirmation or of the hand-in, not of the deck's creation."""
    game = live_server.new_game(mode="inventory", timezone="UTC")
    deck = add_deck(live_server, game, confirmed=True)
    page = open_phone(game, path=f"/p/deck/{deck}")
    expect(page.locator(".score-provisional")).to_contain_text("No score yet")
    expect(page.get_by_text("The score", exact=True)).to_be_visible()
    assert page.locator(".kind").count() > 0
    expect(page.locator(".line")).to_have_count(0)
    noon = datetime.now(UTC).replace(hour=12, minute=0)
    with live_server.context.database.writing() as session:
        row = session.get_one(Deck, deck)
        row.created, row.confirmed = noon - timedelta(minutes=75), noon - timedelta(minutes=30)
    open_path(page, "/")
    page.reload()
    expect(page.locator(".deck-row")).to_contain_text("11:30")
    with live_server.context.database.writing() as session:
        hand_in(session, PlayerIdentity(game, 1), deck, Actor("player", "1"), noon)
    page.reload()
    expect(page.get_by_role("region", name="Handed in")).to_contain_text("12:00")
    expect(page.locator(".deck-row")).to_contain_text("12:00")
    expect(page.locator(".deck-row")).not_to_contain_text("10:45")


def test_the_first_score_takes_four_taps_and_no_confirmation(live_server: LiveServer, open_page: OpenPage) -> None:
    """The join link, the camera button, and two taps in the camera app; no scrolling. The hand-in asks to confirm."""
    game = live_server.new_game(mode="full", settings={"blue_base": 1})
    cards = dealt(live_server.context, game, 1)
    page = open_page(live_server.link(game, 1), viewport={"width": 390, "height": 844})
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name="Photograph my deck", exact=True).click()
    page.get_by_label("Name or nickname").fill("Ada")
    dialog.value.set_files(file(live_server.picture(game, cards, 1)))
    expect(page.locator(".score-number")).to_be_in_viewport(ratio=1)
    with live_server.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).name == "Ada"
    assert page.evaluate("scrollY") == 0
    yes = page.get_by_role("button", name=f"Yes, {len(cards)} cards")
    expect(yes).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Hand in this deck").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text(f"All {len(cards)} found?")
    sheet.get_by_role("button", name=f"Yes, {len(cards)} cards").click()
    expect(sheet.get_by_role("listitem").first).to_have_text(f"{len(cards)} cards")
    expect(yes).to_have_count(0)
    press_and_hold(page, sheet.get_by_role("button", name="Hold to hand in"))
    expect(page.get_by_role("region", name="Handed in")).to_contain_text("In time")


def test_mode_known_scores_by_the_rules_in_the_deck(open_phone: OpenPage, live_server: LiveServer) -> None:
    """Other values are unknown; a rule's line expands to its wording. After the end no score is shown."""
    game = live_server.new_game(mode="known")
    cards = some_of(live_server.context, game, {"green": 2, "red": 1, "rule-7": 1})
    page = open_phone(game, path=f"/p/deck/{add_deck(live_server, game, cards=cards, confirmed=True)}")
    expect(page.get_by_text("You know 0 of your 2 colours")).to_be_visible()
    expect(page.locator(".score-number")).to_have_count(0)
    # The card of rule 7 is a puzzle that only hints at the value.
    expect(page.locator(".line-unknown")).to_contain_text(re.compile("Red, Green|Green, Red"))
    expect(page.get_by_text("The final score comes from your envelope.")).to_be_visible()
    wording = page.locator(".provisional details").first
    wording.locator("summary").click()
    expect(wording.locator("blockquote")).to_be_visible()
    change_state_of(live_server, game, Act.CLOSE)
    expect(page.get_by_role("heading", name="Provisional score")).to_have_count(0)
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_visible()


def test_mode_full_strikes_void_lines_and_names_the_cause(open_phone: OpenPage, live_server: LiveServer) -> None:
    """With more than 19 cards, rule 1 makes the most frequent colour worthless. Eliminated players have no score."""
    game = live_server.new_game(mode="full", settings={"blue_base": 1})
    cards = some_of(live_server.context, game, {"red": 12, "green": 8, "rule-1": 1})
    page = open_phone(game, path=f"/p/deck/{add_deck(live_server, game, cards=cards, confirmed=True)}")
    void = page.locator(".line-void").first
    expect(void).to_contain_text("Cancelled by rule 1")
    assert void.locator("s").count() > 0
    page.locator('.line[data-rule="1"] summary').click()
    expect(page.locator('.line[data-rule="1"] blockquote')).to_be_visible()

    def eliminate(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"score": None, "eliminated": True, "lines": []})

    page.route("**/check*", eliminate)
    page.reload()
    expect(page.locator(".score-out")).to_contain_text("Eliminated")
    expect(page.locator(".score-number")).to_have_count(0)


def test_mode_total_spends_a_try_only_when_the_player_asks(open_phone: OpenPage, live_server: LiveServer) -> None:
    """Confirming, a mode that changed unnoticed by the phone, and showing an answer again cost none."""
    game = live_server.new_game(mode="known", tries=2, pause=PAUSE)
    first = add_deck(live_server, game, cards=some_of(live_server.context, game, {"red": 2}), confirmed=True)
    page = open_phone(game)
    set_game(live_server.context, game, mode="total")
    page.get_by_role("link", name="confirmed").click()
    page.wait_for_url(f"**/p/deck/{first}")
    expect(page.get_by_text("Tries left: 2")).to_be_visible()
    assert spent_tries(live_server, game) == 0
    page.get_by_role("button", name="Spend one try").click()
    score = page.locator(".score-provisional strong")
    expect(score).to_be_visible()
    expect(page.get_by_text("Tries left: 1")).to_be_visible()
    expect(page.locator(".line")).to_have_count(0)
    text = score.inner_text()
    page.reload()
    expect(score).to_have_text(text)
    assert spent_tries(live_server, game) == 1

    second = add_deck(live_server, game, cards=some_of(live_server.context, game, {"red": 3}), confirmed=True)
    open_path(page, f"/p/deck/{second}")
    expect(page.get_by_role("timer")).to_contain_text("min")
    page.get_by_role("button", name="Show an earlier answer").click()
    expect(page.get_by_role("alert")).to_contain_text("Wait before the next try")
    assert axe_problems(page) == []
    set_game(live_server.context, game, tries=1)
    page.reload()
    expect(page.get_by_text("Tries left: 0")).to_be_visible()
    assert spent_tries(live_server, game) == 1


def test_cards_and_scores_are_in_the_players_language(open_phone: OpenPage, live_server: LiveServer) -> None:
    """On a French phone, in a game in German, cards have French names everywhere; all pages fit."""
    game = live_server.new_game(mode="full", language="de")
    deck = add_deck(live_server, game, cards=some_of(live_server.context, game, {"red": 2}))
    page = open_phone(game, path=f"/p/deck/{deck}", locale="fr-FR")
    names = page.locator(".kinds, .deck-list").first
    expect(names).to_contain_text("Rouge")
    page.get_by_role("button", name="Oui, ").click()
    expect(page.get_by_role("heading", name="Points provisoires")).to_be_visible()
    page.locator(".provisional .line").first.wait_for()
    expect(names).to_contain_text("Rouge")
    expect(page.locator("main")).not_to_contain_text("Rot")
    page.set_viewport_size({"width": 320, "height": 640})
    page.get_by_role("button", name="Rendre ce paquet").click()
    expect(page.get_by_role("dialog").get_by_role("button").nth(1)).to_be_visible()
    assert overflowing_widths(page) == []
    with live_server.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).submitted_at is None


def test_the_list_of_decks_shows_cards_and_scores_and_compares_two(
    open_phone: OpenPage, live_server: LiveServer
) -> None:
    """A deck that is not confirmed shows its unread cards; two confirmed ones are compared card by card."""
    game = live_server.new_game(mode="full")
    deck = add_deck(live_server, game, cards=some_of(live_server.context, game, {"red": 3}), confirmed=True)
    add_deck(live_server, game, cards=some_of(live_server.context, game, {"red": 2, "green": 1}), confirmed=True)
    add_deck(live_server, game, cards=some_of(live_server.context, game, {"red": 2}), doubts=["glare"])
    add_deck(live_server, game, cards=[])
    page = open_phone(game, path=f"/p/deck/{deck}")
    score = page.locator(".score-number strong").inner_text()
    open_path(page, "/")
    rows = page.locator(".deck-row strong")
    expect(rows).to_have_text(
        ["2 cards, 1 not read", "3 cards", re.compile(rf"^3 cards · {score} points?$"), "No card found"]
    )
    page.get_by_role("button", name="Compare two decks").click()
    lines = page.get_by_role("dialog").locator("tbody tr")
    expect(lines.filter(has_text="Red")).to_have_text("Red23")
    expect(lines.filter(has_text="Green")).to_have_text("Green10")
    assert axe_problems(page) == []
