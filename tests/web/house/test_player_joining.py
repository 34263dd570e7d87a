"""A phone opens an envelope: the label's link, the welcome, several games, links that open nothing."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from server.store.tables import Envelope
from tests.web.axe import problems
from tests.web.house.conftest import fresh
from tests.web.house.player_steps import joined, phone, wider_than

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.conftest import Hall


@pytest.fixture(scope="module")
def game(hall: Hall) -> str:
    """Make a game that is played."""
    return hall.game(name="Haggle in the hall", deadline=hall.house.clock() + timedelta(hours=2))


def test_the_labels_link_opens_the_envelope_and_leaves_the_address(
    opened: Callable[..., Page], hall: Hall, game: str
) -> None:
    """The player chooses a name and is in; the token leaves the address, and the next visit needs no link."""
    page = opened(hall.link(game, 1))
    expect(page.get_by_role("heading", name="You are in")).to_be_visible()
    assert page.evaluate("location.pathname + location.hash") == "/"
    assert problems(page) == []
    page.get_by_label("Name or nickname").fill("Ada")
    page.get_by_role("button", name="Join the game").click()
    expect(page.get_by_role("button", name="Ada")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="The game is on")).to_be_visible()
    expect(page.get_by_role("timer")).to_contain_text("1 hr")
    with hall.house.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).name == "Ada"


def test_who_wants_no_name_joins_without(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """The name is optional, and the public ranking can leave it out."""
    page = opened(hall.link(game, 2))
    page.get_by_role("checkbox", name="Leave my name out").check()
    page.get_by_role("button", name="Join the game").click()
    expect(page.get_by_role("button", name="Choose a name")).to_be_visible()
    with hall.house.database.reading() as session:
        seat = session.get_one(Envelope, (game, 2))
        assert (seat.name, seat.hidden, seat.joined is None) == (None, True, False)


def test_a_name_that_is_taken_is_told_beside_the_field(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """The words stand at the field, what was typed stays, and another name goes through."""
    joined(hall, game, 3, "Grace")
    page = phone(hall, opened, game, 4)
    page.get_by_role("button", name="Choose a name").click()
    field = page.get_by_label("Name or nickname")
    field.fill("grace")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("The name is taken")
    expect(field).to_have_value("grace")
    field.fill("Grace H.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Grace H.")).to_be_visible()


def test_without_a_link_the_page_says_how_to_get_in(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """A link can be pasted; what is none is told so."""
    page = opened("/")
    expect(page.get_by_text("at the code on your envelope")).to_be_visible()
    assert problems(page) == []
    page.get_by_label("Or paste the link").fill("https://example.org/")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("no link of an envelope")
    page.get_by_label("Or paste the link").fill(f"My link: {hall.link(game, 5)}")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="You are in")).to_be_visible()


def test_a_link_that_was_cut_off_says_so(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """Nothing opens, and the page says what to do."""
    page = opened(hall.link(game, 5)[:-40])
    expect(page.get_by_role("alert")).to_contain_text("This link is not complete")


def test_a_replaced_link_says_so_and_the_other_game_stays(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """The old link opens nothing any more; the phone's other game is one press away."""
    other = hall.game(name=fresh("Other"))
    joined(hall, other, 1)
    page = phone(hall, opened, game, 6)
    page.goto(hall.link(other, 1))
    page.get_by_role("heading", name="The game is on").wait_for()
    with hall.house.database.writing() as session:
        session.get_one(Envelope, (other, 1)).token += 1
    page.reload()
    expect(page.get_by_role("heading", name="Envelope 1 does not open")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("This link is not valid any more")
    assert problems(page) == []
    page.get_by_role("button", name="Go to Haggle in the hall, envelope 6").click()
    expect(page.get_by_role("heading", name="The game is on")).to_be_visible()


def test_a_phone_with_two_games_switches_between_them(opened: Callable[..., Page], hall: Hall, game: str) -> None:
    """The link that was opened last is shown; the menu goes back to the other, and takes one off the phone."""
    name = fresh("Second")
    second = hall.game(name=name)
    joined(hall, second, 2)
    page = phone(hall, opened, game, 1)
    page.goto(hall.link(second, 2))
    expect(page.get_by_role("banner")).to_contain_text(name)
    page.get_by_role("button", name="Open the menu").click()
    assert problems(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Haggle in the hall").click()
    expect(page.get_by_role("banner")).to_contain_text("Haggle in the hall")
    page.get_by_role("button", name="Open the menu").click()
    page.get_by_role("button", name="Take this envelope off").click()
    page.get_by_role("button", name="Take it off").click()
    expect(page.get_by_role("banner")).to_contain_text(name)


def test_another_tab_does_not_change_whose_envelope_this_one_shows(opened: Callable[..., Page], hall: Hall) -> None:
    """Two people on one phone: each tab stays with its envelope, with what was typed there, also after a reload."""
    game = hall.game()
    page = opened(hall.link(game, 1))
    page.get_by_role("textbox").fill("Ada")
    other = page.context.new_page()
    other.goto(hall.link(game, 2))
    other.get_by_role("textbox").wait_for()
    expect(other.get_by_role("banner")).to_contain_text("Envelope 2")
    # The first tab has heard of it by now, and was drawn anew.
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    expect(page.get_by_role("banner")).to_contain_text("Envelope 1")
    expect(page.get_by_role("textbox")).to_have_value("Ada")
    page.get_by_role("button", name="Join the game").click()
    page.locator(".view-home").wait_for()
    page.reload()
    page.locator(".view-home").wait_for()
    expect(page.get_by_role("banner")).to_contain_text("Envelope 1")
    other.get_by_role("button", name="Join the game").click()
    other.locator(".view-home").wait_for()
    expect(other.get_by_role("banner")).to_contain_text("Envelope 2")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.thorough)])
def test_fields_and_boxes_stand_out(opened: Callable[..., Page], hall: Hall, scheme: str) -> None:
    """The edges of what is filled in and ticked differ three to one from the page, as WCAG 1.4.11 asks."""
    page = opened(hall.link(hall.game(), 1), color_scheme=scheme)
    page.get_by_role("textbox").wait_for()
    ground = _light(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
    for role in ("textbox", "checkbox"):
        edge = _light(page.get_by_role(role).evaluate("(field) => getComputedStyle(field).borderTopColor"))
        assert (max(edge, ground) + 0.05) / (min(edge, ground) + 0.05) >= 3, role


def _light(colour: str) -> float:
    """Return the relative luminance of a colour as browsers write it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(
    "language", ["de-DE", *(pytest.param(other, marks=pytest.mark.thorough) for other in ("en-GB", "fr-FR"))]
)
def test_the_first_screens_fit_every_width(opened: Callable[..., Page], hall: Hall, game: str, language: str) -> None:
    """Nothing scrolls sideways, in any language, from a small phone to a wall."""
    joined(hall, game, 1)
    page = opened("/", locale=language)
    page.locator(".view-no-envelope").wait_for()
    assert wider_than(page) == []
    page.goto(hall.link(game, 1))
    page.locator(".view-home").wait_for()
    assert wider_than(page) == []
