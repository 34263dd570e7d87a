"""What a provisional score tells on a player's phone, in each of a game's modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect
from sqlalchemy import func, select

from server.play.house import game_row
from server.play.record import changed
from server.play.states import State
from server.store.tables import Check
from tests.players import set_game, some_of
from tests.web.axe import problems
from tests.web.house.player_steps import hold, laid, phone

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page, Route

    from tests.web.house.conftest import Hall

PAUSE = 600


def spent(hall: Hall, game: str) -> int:
    """Return how many tries were spent in a game."""
    with hall.house.database.reading() as session:
        count = session.scalar(select(func.count()).select_from(Check).where(Check.game == game, Check.spent))
        return int(count or 0)


def test_off_takes_no_picture_and_hands_in_without_a_list(opened: Callable[..., Page], hall: Hall) -> None:
    """No button for pictures; the hand-in says that it has no list, and so does the receipt."""
    game = hall.game(mode="off")
    page = phone(hall, opened, game)
    expect(page.get_by_role("button", name="Photograph my deck")).to_have_count(0)
    page.get_by_role("button", name="Hand in").click()
    expect(page.get_by_role("dialog")).to_contain_text("without a list of cards")
    hold(page, page.get_by_role("button", name="Hold to hand in"))
    receipt = page.get_by_role("region", name="Handed in")
    expect(receipt).to_contain_text("no list")
    expect(receipt).to_contain_text("In time")


def test_inventory_tells_the_cards_alone(opened: Callable[..., Page], hall: Hall) -> None:
    """The cards by kind, and that the score comes at the end."""
    game = hall.game(mode="inventory")
    deck = laid(hall, game, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    expect(page.locator(".score-provisional")).to_contain_text("No score in this game yet")
    expect(page.get_by_text("in this game it comes at the end")).to_be_visible()
    assert page.locator(".kind").count() > 0
    expect(page.locator(".line")).to_have_count(0)


def test_known_tells_what_the_held_rules_tell(opened: Callable[..., Page], hall: Hall) -> None:
    """Worths that no held rule tells stay unknown, in words; each line of a held rule opens to its wording."""
    game = hall.game(mode="known")
    cards = some_of(hall.house, game, {"green": 2, "red": 1, "rule-7": 1})
    deck = laid(hall, game, cards=cards, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    expect(page.locator(".told-unknown")).to_contain_text("Red")
    expect(page.locator('.line[data-kind="red"]')).to_contain_text("?")
    # Rule 7 only hints at the value on its card.
    expect(page.locator('.line[data-kind="green"]')).to_contain_text("?")
    expect(page.get_by_text("Provisional:")).to_be_visible()
    wording = page.locator(".provisional details").first
    wording.locator("summary").click()
    expect(wording.locator("blockquote")).to_be_visible()
    assert problems(page) == []


def test_full_strikes_void_lines_and_names_who_voided_them(opened: Callable[..., Page], hall: Hall) -> None:
    """More than 19 cards: the most frequent colour is worthless by rule 1, and its line stands struck."""
    game = hall.game(mode="full", settings={"blue_base": 1})
    cards = some_of(hall.house, game, {"red": 12, "green": 8, "rule-1": 1})
    deck = laid(hall, game, cards=cards, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    void = page.locator(".line-void").first
    expect(void).to_contain_text("Cancelled by rule 1")
    assert void.locator("s").count() > 0
    page.locator('.line[data-rule="1"] summary').click()
    expect(page.locator('.line[data-rule="1"] blockquote')).to_be_visible()


def test_an_eliminated_deck_is_told_in_words(opened: Callable[..., Page], hall: Hall) -> None:
    """The page says so in place of a number."""

    def eliminate(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"score": None, "eliminated": True, "lines": []})

    game = hall.game(mode="full")
    page = phone(hall, opened, game)
    page.route("**/check*", eliminate)
    page.goto(f"/p/deck/{laid(hall, game, yes=True)}")
    expect(page.locator(".score-out")).to_contain_text("Eliminated")
    expect(page.locator(".score-number")).to_have_count(0)


def test_total_spends_a_try_only_after_a_clear_yes(opened: Callable[..., Page], hall: Hall) -> None:
    """Confirming costs nothing; the answer survives a restart for nothing; the pause counts down for another deck."""
    game = hall.game(mode="total", tries=2, pause=PAUSE)
    first = laid(hall, game, cards=some_of(hall.house, game, {"red": 2}), yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{first}")
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

    second = laid(hall, game, cards=some_of(hall.house, game, {"red": 3}), yes=True)
    page.goto(f"/p/deck/{second}")
    expect(page.get_by_role("timer")).to_contain_text("min")
    page.get_by_role("button", name="Show an earlier answer").click()
    expect(page.get_by_role("alert")).to_contain_text("The pause is not over")
    assert problems(page) == []
    set_game(hall.house, game, tries=1)
    page.reload()
    expect(page.get_by_text("No tries left.")).to_be_visible()
    assert spent(hall, game) == 1


def test_a_mode_that_changes_behind_the_phone_spends_no_try(opened: Callable[..., Page], hall: Hall) -> None:
    """The phone asks by itself where that is free; where the mode is another by then, nothing is spent."""
    game = hall.game(mode="known", tries=2)
    deck = laid(hall, game, yes=True)
    page = phone(hall, opened, game)
    set_game(hall.house, game, mode="total")
    page.get_by_role("link", name="confirmed").click()
    page.wait_for_url(f"**/p/deck/{deck}")
    expect(page.get_by_role("button", name="Spend one try")).to_be_visible()
    assert spent(hall, game) == 0


def test_after_the_end_there_are_no_more_scores(opened: Callable[..., Page], hall: Hall) -> None:
    """The screen changes by itself when the game closes: the score goes, the late hand-in stays."""
    game = hall.game(mode="known")
    deck = laid(hall, game, yes=True)
    page = phone(hall, opened, game, path=f"/p/deck/{deck}")
    page.get_by_role("heading", name="Provisional score").wait_for()
    with hall.house.database.writing() as session:
        row = game_row(session, game)
        row.state, row.closed = State.CLOSED, hall.house.clock()
        changed(session, game, hall.house.clock(), "game")
    expect(page.get_by_role("heading", name="Provisional score")).to_have_count(0)
    expect(page.get_by_role("button", name="Hand in this deck")).to_be_visible()
