"""The message on a player's home screen in every state of the game and of the envelope."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.games.audit import Actor
from server.games.events import publish_event
from server.games.lifecycle.envelopes import open_envelope, seal_envelope
from server.games.lifecycle.repository import PlayerIdentity, load_game
from server.games.lifecycle.settings import MODES
from server.games.lifecycle.states import Act, State
from server.games.players.submission import hand_in
from tests.context import ORGANISER
from tests.web.pages.conftest import LiveServer, OpenPage
from tests.web.pages.player_steps import add_deck, change_state_of
from tests.web.steps import wait_until, with_page_modules

if TYPE_CHECKING:
    from playwright.sync_api import Route

STANDINGS = ("sealed", "opened", "sending", "handedIn")
CLAIMS = {
    "hasn.t started": {"printed": STANDINGS},
    "game is on": {"open": {"opened"}},
    "spare envelope|not in the game yet": {"printed": {"sealed"}, "open": {"sealed"}},
    "[Aa]sk at the desk": {"printed": {"sealed"}, "open": {"sealed"}, "closed": {"sealed"}},
    "^(Time.s up! )?Bring your envelope to the desk|[Bb]ring it to the desk": {
        "open": {"sending", "handedIn"},
        "closed": {"opened", "sending", "handedIn"},
    },
    "Time.s up": {"closed": {"sealed", "opened", "sending"}},
    "but late": {"closed": {"opened"}},
    "are being counted": {"closed": {"handedIn"}},
    "big screen": {"frozen": STANDINGS},
    "^The results are out": {"published": STANDINGS},
}
"""Patterns of messages, with the states of game and envelope in which they are true."""
READ = """async () => {
  const { STATE_MESSAGES, stateWords } = await import("/web/app/player/player-state");
  const { texts } = await import("/web/app/shared/i18n");
  Object.assign(texts, (await import("/web/texts/en/player")).default);
  return [STATE_MESSAGES, stateWords()];
}"""


def test_each_state_has_a_message_that_is_true(open_page: OpenPage) -> None:
    """Each message says what holds in its states of game and envelope, and nothing else."""
    table, words = open_page("/").evaluate(with_page_modules(READ))
    assert set(table) == {state.value for state in State if state is not State.DRAFT}
    messages = [message for row in table.values() for message in row.values()]
    assert set(words["titles"]) == {title for title, *_ in messages}
    assert set(words["details"]) == {detail for _, *details in messages for detail in details} | set(MODES)
    for state, row in table.items():
        assert tuple(row) == STANDINGS
        for standing, (title, *details) in row.items():
            for shown in [[mode] for mode in MODES] if title == "open" else [details]:
                sentence = " ".join([words["titles"][title], *(words["details"][detail] for detail in shown)])
                for claim, true in CLAIMS.items():
                    says = re.search(claim, sentence) is not None
                    assert says == (standing in true.get(state, ())), (state, standing, claim, sentence)


def test_the_page_follows_the_states_of_game_and_envelope(
    open_page: OpenPage, open_phone: OpenPage, live_server: LiveServer
) -> None:
    """It changes with every state of the game, and when a spare envelope is opened."""
    game = live_server.new_game(State.PRINTED, deadline=live_server.context.clock() + timedelta(hours=2))
    with live_server.context.database.writing() as session:
        seal_envelope(session, load_game(session, game), 2, ORGANISER, live_server.context.clock())
    page = open_page(live_server.link(game, 1))
    expect(page.get_by_role("heading", name="started yet")).to_be_visible()
    page.get_by_role("textbox").fill("Grete")
    page.get_by_role("button", name="Join").click()
    page.locator(".view-home").wait_for()
    expect(page.get_by_role("heading", name="started yet")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)
    expect(page.get_by_role("button", name="Grete")).to_be_visible()
    take = "Photograph my deck"
    expect(page.get_by_role("button", name=take)).to_have_count(0)
    spare = open_phone(game, 2)
    spare.get_by_role("button", name="No name").click()
    expect(spare.get_by_role("dialog")).to_contain_text("Only an organiser can change")
    assert spare.get_by_role("dialog").get_by_role("textbox").count() == 0
    spare.keyboard.press("Escape")
    expect(spare.get_by_role("main")).to_contain_text("Ask at the desk to have it opened.")
    expect(spare.get_by_role("heading", name="started yet")).to_be_visible()

    change_state_of(live_server, game, Act.OPEN)
    expect(page.get_by_role("heading", name="The game is on")).to_be_visible()
    expect(page.get_by_role("timer")).to_be_visible()
    expect(spare.get_by_role("heading", name="Your envelope is not in the game yet")).to_be_visible()
    expect(spare.get_by_role("button", name=take)).to_have_count(0)
    with live_server.context.database.writing() as session:
        open_envelope(session, load_game(session, game), 2, ORGANISER, live_server.context.clock())
    expect(spare.get_by_role("button", name=take)).to_be_visible()
    deck = add_deck(live_server, game, confirmed=True)
    with live_server.context.database.writing() as session:
        hand_in(session, PlayerIdentity(game, 1), deck, Actor("player", "1"), live_server.context.clock())
    expect(page.get_by_role("heading", name="Bring your envelope to the desk")).to_be_visible()

    change_state_of(live_server, game, Act.CLOSE)
    expect(page.get_by_role("heading", name="The envelopes are being counted")).to_be_visible()
    expect(spare.get_by_role("heading", name="Time\u2019s up")).to_be_visible()
    expect(spare.get_by_role("main")).to_contain_text("Put all your cards in it.")
    expect(spare.get_by_role("main")).not_to_contain_text("Choose a name")
    expect(spare.get_by_role("timer")).to_have_count(0)
    expect(spare.get_by_role("button", name=take)).to_have_class(re.compile("secondary"))


def test_the_first_response_is_shown_before_the_second_arrives(open_page: OpenPage, live_server: LiveServer) -> None:
    """On a slow network, live events begin before the first response and cause a second request."""
    page = open_page("about:blank")
    held: list[Route] = []
    page.route("**/api/v1/me", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtins
    page.goto(live_server.link(live_server.new_game(), 1))
    wait_until(page, lambda: len(held) == 2)
    held[0].continue_()
    page.get_by_role("button", name="Join").wait_for()
    held[1].continue_()


def test_the_page_changes_when_the_countdown_ends(open_phone: OpenPage, live_server: LiveServer) -> None:
    game = live_server.new_game(mode="known", deadline=live_server.context.clock() + timedelta(hours=1))
    page = open_phone(game)
    expect(page.get_by_role("timer")).to_be_visible()
    with live_server.context.database.writing() as session:
        load_game(session, game).deadline = live_server.context.clock() + timedelta(seconds=2)
        publish_event(session, game, live_server.context.clock(), "game")
    expect(page.get_by_role("timer")).to_contain_text("sec")
    expect(page.get_by_role("heading", name=re.compile("Time.s up"))).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)
