"""A provisional score on a player's phone, in each of a game's modes."""

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
from tests.web.axe import problems
from tests.web.pages.conftest import Hall, Open
from tests.web.pages.player_steps import act, hold, laid, wider_than
from tests.web.steps import file

PAUSE = 600


def spent(hall: Hall, game: str) -> int:
    with hall.context.database.reading() as session:
        return (
            session.scalar(
                select(func.count())
                .select_from(ProvisionalScore)
                .where(ProvisionalScore.game == game, ProvisionalScore.spent)
            )
            or 0
        )


def test_off_takes_no_picture_and_hands_in_without_a_list(phone: Open, hall: Hall) -> None:
    """No button for pictures; the hand-in says that it has no list, and so does the receipt."""
    page = phone(hall.game(mode="off"))
    expect(page.get_by_role("button", name="Photograph my deck")).to_have_count(0)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("dialog")).to_contain_text("without a list of cards")
    hold(page, page.get_by_role("button", name="Hold to hand in"))
    receipt = page.get_by_role("region", name="Handed in")
    expect(receipt).to_contain_text("no list")
    expect(receipt).to_contain_text("In time")


def test_inventory_tells_the_cards_alone(phone: Open, hall: Hall) -> None:
    """The cards by kind, and no score; the list of decks gives the time of the hand-in, not that of the beginning."""
    game = hall.game(mode="inventory", timezone="UTC")
    deck = laid(hall, game, yes=True)
    page = phone(game, path=f"/p/deck/{deck}")
    expect(page.locator(".score-provisional")).to_contain_text("No score in this game yet")
    expect(page.get_by_text("which this game shows at the end")).to_be_visible()
    assert page.locator(".kind").count() > 0
    expect(page.locator(".line")).to_have_count(0)
    noon = datetime.now(UTC).replace(hour=12, minute=0)
    with hall.context.database.writing() as session:
        hand_in(session, PlayerIdentity(game, 1), deck, Actor("player", "1"), noon)
        session.get_one(Deck, deck).created = noon - timedelta(minutes=75)
    page.goto("/")
    expect(page.get_by_role("region", name="Handed in")).to_contain_text("12:00")
    expect(page.locator(".deck-row")).to_contain_text("12:00")
    expect(page.locator(".deck-row")).not_to_contain_text("10:45")


def test_a_free_score_takes_four_taps_and_no_yes(hall: Hall, opened: Open) -> None:
    """The link, the button for the camera, and two in its app; no scrolling. The hand-in begins with the yes."""
    game = hall.game(mode="full", settings={"blue_base": 1})
    cards = dealt(hall.context, game, 1)
    page = opened(hall.link(game, 1), viewport={"width": 390, "height": 844})
    with page.expect_file_chooser() as dialog:
        page.get_by_role("button", name="Photograph my deck", exact=True).click()
    page.get_by_label("Name or nickname").fill("Ada")
    dialog.value.set_files(file(hall.picture(game, cards, 1)))
    expect(page.locator(".score-number")).to_be_in_viewport(ratio=1)
    with hall.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).name == "Ada"
    assert page.evaluate("scrollY") == 0
    yes = page.get_by_role("button", name=f"Yes, {len(cards)} cards")
    expect(yes).to_be_in_viewport(ratio=1)
    assert problems(page) == []
    page.get_by_role("button", name="Hand in this deck").click()
    sheet = page.get_by_role("dialog")
    expect(sheet).to_contain_text(f"All {len(cards)} found?")
    sheet.get_by_role("button", name=f"Yes, {len(cards)} cards").click()
    expect(sheet).to_contain_text(f"You hand in these {len(cards)} cards")
    expect(yes).to_have_count(0)
    hold(page, sheet.get_by_role("button", name="Hold to hand in"))
    expect(page.get_by_role("region", name="Handed in")).to_contain_text("In time")


def test_known_tells_what_the_held_rules_tell(phone: Open, hall: Hall) -> None:
    """Other worths stay unknown, in words; a rule's line opens to its wording. After the end the score is gone."""
    game = hall.game(mode="known")
    cards = some_of(hall.context, game, {"green": 2, "red": 1, "rule-7": 1})
    page = phone(game, path=f"/p/deck/{laid(hall, game, cards=cards, yes=True)}")
    expect(page.get_by_text("You know 0 of your 2 colours")).to_be_visible()
    expect(page.locator(".score-number")).to_have_count(0)
    # Rule 7 only hints at the value on its card.
    expect(page.locator(".line-unknown")).to_contain_text(re.compile("Red, Green|Green, Red"))
    expect(page.get_by_text("The final score comes from your envelope.")).to_be_visible()
    wording = page.locator(".provisional details").first
    wording.locator("summary").click()
    expect(wording.locator("blockquote")).to_be_visible()
    assert problems(page) == []
    act(hall, game, Act.CLOSE)
    expect(page.get_by_role("heading", name="Provisional score")).to_have_count(0)
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_visible()


def test_full_strikes_void_lines_and_names_who_voided_them(phone: Open, hall: Hall) -> None:
    """More than 19 cards: the most frequent colour is worthless by rule 1. Without a score words say why."""
    game = hall.game(mode="full", settings={"blue_base": 1})
    cards = some_of(hall.context, game, {"red": 12, "green": 8, "rule-1": 1})
    page = phone(game, path=f"/p/deck/{laid(hall, game, cards=cards, yes=True)}")
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


def test_total_spends_a_try_only_after_a_clear_yes(phone: Open, hall: Hall) -> None:
    """Neither confirming nor a mode that changes behind the phone costs one, nor an answer that is shown again."""
    game = hall.game(mode="known", tries=2, pause=PAUSE)
    first = laid(hall, game, cards=some_of(hall.context, game, {"red": 2}), yes=True)
    page = phone(game)
    set_game(hall.context, game, mode="total")
    page.get_by_role("link", name="confirmed").click()
    page.wait_for_url(f"**/p/deck/{first}")
    expect(page.get_by_text("2 tries left.")).to_be_visible()
    assert spent(hall, game) == 0
    page.get_by_role("button", name="Spend one try").click()
    score = page.locator(".score-provisional strong")
    expect(score).to_be_visible()
    expect(page.get_by_text("1 try left.")).to_be_visible()
    expect(page.locator(".line")).to_have_count(0)
    told = score.inner_text()
    page.reload()
    expect(score).to_have_text(told)
    assert spent(hall, game) == 1

    second = laid(hall, game, cards=some_of(hall.context, game, {"red": 3}), yes=True)
    page.goto(f"/p/deck/{second}")
    expect(page.get_by_role("timer")).to_contain_text("min")
    page.get_by_role("button", name="Show an earlier answer").click()
    expect(page.get_by_role("alert")).to_contain_text("Wait before the next try")
    assert problems(page) == []
    set_game(hall.context, game, tries=1)
    page.reload()
    expect(page.get_by_text("No tries left.")).to_be_visible()
    assert spent(hall, game) == 1


def test_the_whole_way_speaks_the_players_language(phone: Open, hall: Hall) -> None:
    """On a French phone, in a game in German, cards have one name in the list and in the score; and all fits."""
    game = hall.game(mode="full", language="de")
    deck = laid(hall, game, cards=some_of(hall.context, game, {"red": 2}))
    page = phone(game, path=f"/p/deck/{deck}", locale="fr-FR")
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
    assert wider_than(page) == []
    with hall.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).submitted_at is None


def test_the_list_of_decks_names_cards_and_scores_and_compares_two(phone: Open, hall: Hall) -> None:
    """A deck that is not confirmed names what was not read; two confirmed ones show where they differ."""
    game = hall.game(mode="full")
    deck = laid(hall, game, cards=some_of(hall.context, game, {"red": 3}), yes=True)
    laid(hall, game, cards=some_of(hall.context, game, {"red": 2, "green": 1}), yes=True)
    laid(hall, game, cards=some_of(hall.context, game, {"red": 2}), doubts=["glare"])
    laid(hall, game, cards=[])
    page = phone(game, path=f"/p/deck/{deck}")
    score = page.locator(".score-number strong").inner_text()
    page.goto("/")
    rows = page.locator(".deck-row strong")
    expect(rows).to_have_text(
        ["2 cards, 1 not read", "3 cards", re.compile(rf"^3 cards · {score} points?$"), "Draft: no card found"]
    )
    page.get_by_role("button", name="Compare two decks").click()
    lines = page.get_by_role("dialog").locator("tbody tr")
    expect(lines.filter(has_text="Red")).to_have_text("Red23")
    expect(lines.filter(has_text="Green")).to_have_text("Green10")
    assert problems(page) == []
