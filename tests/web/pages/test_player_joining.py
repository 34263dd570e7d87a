"""Joining a game: join links and codes, the welcome, several games, and invalid links."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from cardgen.payload import join_code
from server.db.models import Envelope
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from tests.web.axe import axe_problems
from tests.web.pages.conftest import LiveServer, OpenPage, unique_name
from tests.web.pages.player_steps import join


@pytest.fixture(scope="module")
def game(live_server: LiveServer) -> str:
    return live_server.new_game(name="The first game", deadline=live_server.context.clock() + timedelta(hours=2))


def test_a_join_link_of_a_finished_game_opens_the_result(open_page: OpenPage, live_server: LiveServer) -> None:
    """Nobody can join a game that is over."""
    page = open_page(live_server.link(live_server.new_game(State.PUBLISHED), 1))
    page.get_by_role("button", name="Continue").click()
    page.locator(".view-home").wait_for()
    expect(page.get_by_role("button", name="Join")).to_have_count(0)


def test_a_join_link_opens_its_envelope(open_page: OpenPage, live_server: LiveServer, game: str) -> None:
    """The token is removed from the address, the name is optional, and the next visit needs no link."""
    join(live_server, game, 3, "Grace")
    page = open_page(live_server.link(game, 1))
    expect(page.get_by_role("heading", name="Welcome!")).to_be_visible()
    assert page.evaluate("location.pathname + location.hash") == "/"
    # Borders of fields have a contrast of 3:1, as WCAG 1.4.11 asks.
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        ground = _luminance(page.evaluate("getComputedStyle(document.documentElement).backgroundColor"))
        for role in ("textbox", "checkbox"):
            edge = _luminance(page.get_by_role(role).evaluate("(field) => getComputedStyle(field).borderTopColor"))
            assert (max(edge, ground) + 0.05) / (min(edge, ground) + 0.05) >= 3, (scheme, role)
    page.get_by_role("checkbox", name="Hide my name").check()
    page.get_by_role("button", name="Join").click()
    choose = page.get_by_role("button", name="Choose a name")
    expect(choose).to_be_visible()
    with live_server.context.database.reading() as session:
        row = session.get_one(Envelope, (game, 1))
        assert (row.name, row.hidden, row.joined is None) == (None, True, False)

    choose.click()
    field = page.get_by_label("Name or nickname")
    field.fill("grace")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("The name is taken")
    expect(field).to_have_value("grace")
    field.fill("Ada")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="Ada")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="The game is on")).to_be_visible()
    expect(page.get_by_role("timer")).to_contain_text("1 hr")
    with live_server.context.database.reading() as session:
        assert session.get_one(Envelope, (game, 1)).name == "Ada"


def test_without_a_link_the_join_code_can_be_typed(open_page: OpenPage, live_server: LiveServer, game: str) -> None:
    """The link can be pasted, too; wrong ones are reported. Unknown languages fall back to English."""
    page = open_page("/", locale="pt-BR")
    expect(page.get_by_text("Scan your envelope’s code")).to_be_visible()
    page.get_by_label("type the code").fill("ABCD-1-0000-0000")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("No envelope has this code")
    page.goto(live_server.link(game, 5)[:-40])
    expect(page.get_by_role("alert")).to_contain_text("This link is incomplete")
    page.get_by_label("type the code").fill(f"My link: {live_server.link(game, 5)}")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="Welcome!")).to_be_visible()
    with live_server.context.database.reading() as session:
        code = join_code(game, load_game(session, game).key, 4)
    other = open_page("/")
    other.get_by_label("type the code").fill(code.lower().replace("-", " "))
    other.get_by_role("button", name="Open", exact=True).click()
    expect(other.get_by_role("heading", name="Welcome!")).to_be_visible()


def test_a_phone_can_switch_between_two_games(open_phone: OpenPage, live_server: LiveServer, game: str) -> None:
    """The last opened link is shown; the menu switches and removes envelopes; a replaced link opens nothing."""
    name = unique_name("Second")
    second = live_server.new_game(name=name)
    join(live_server, second, 2)
    page = open_phone(game, 6)
    banner = page.get_by_role("banner")
    page.goto(live_server.link(second, 2))
    expect(banner).to_contain_text(name)
    page.get_by_role("button", name="Menu").click()
    assert axe_problems(page) == []
    page.get_by_role("dialog").get_by_role("button", name="The first game").click()
    expect(banner).to_contain_text("The first game")

    page.goto(live_server.link(second, 2))
    page.get_by_role("heading", name="The game is on").wait_for()
    with live_server.context.database.writing() as session:
        session.get_one(Envelope, (second, 2)).token_version += 1
    page.reload()
    expect(page.get_by_role("heading", name="Envelope 2")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("This link no longer works")
    assert axe_problems(page) == []
    page.get_by_role("button", name="The first game · Envelope 6").click()
    expect(page.get_by_role("heading", name="The game is on")).to_be_visible()

    page.goto(live_server.link(second, 2))
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Remove this envelope").click()
    page.get_by_role("button", name="Remove", exact=True).click()
    expect(banner).to_contain_text("The first game")


def test_each_tab_keeps_its_own_envelope(open_page: OpenPage, live_server: LiveServer, game: str) -> None:
    """Two people on one phone: each tab keeps its envelope and what was typed, also after a reload."""
    page = open_page(live_server.link(game, 2))
    page.get_by_role("textbox").fill("Blaise")
    other = page.context.new_page()
    other.goto(live_server.link(game, 4))
    other.get_by_role("textbox").wait_for()
    expect(other.get_by_role("banner")).to_contain_text("Envelope 4")
    # By now the first tab has got the storage event and was rendered again.
    page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))")
    expect(page.get_by_role("banner")).to_contain_text("Envelope 2")
    expect(page.get_by_role("textbox")).to_have_value("Blaise")
    page.get_by_role("button", name="Join").click()
    page.locator(".view-home").wait_for()
    page.reload()
    page.locator(".view-home").wait_for()
    expect(page.get_by_role("banner")).to_contain_text("Envelope 2")


def _luminance(colour: str) -> float:
    """Return the relative luminance of a colour as browsers write it."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
