"""The sentence on a player's first screen, for every state of the game and of the envelope."""

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
from tests.web.axe import problems
from tests.web.pages.conftest import Hall, Open
from tests.web.pages.player_steps import act, laid
from tests.web.steps import comes_to, served

if TYPE_CHECKING:
    from playwright.sync_api import Route

STANDINGS = ("sealed", "opened", "sending", "handedIn")
CLAIMS = {
    "hasn.t started": {"printed": STANDINGS},
    "game is on": {"open": {"opened"}},
    "spare envelope|not in the game yet": {"printed": {"sealed"}, "open": {"sealed"}},
    "[Aa]sk at the desk": {"printed": {"sealed"}, "open": {"sealed"}, "closed": {"sealed"}},
    "[Pp]ut your cards in (the envelope|it) and bring it (to the desk|there)": {
        "open": {"sending", "handedIn"},
        "closed": {"opened", "sending", "handedIn"},
    },
    "Time.s up": {"closed": {"sealed", "opened", "sending"}},
    "still on this phone": {"open": {"sending"}, "closed": {"sending"}},
    "but late": {"closed": {"opened"}},
    "are being counted": {"closed": {"handedIn"}},
    "big screen": {"frozen": STANDINGS},
    "^The results are out": {"published": STANDINGS},
}
"""By what a sentence may say: the states of game and envelope in which it is true."""
READ = """async () => {
  const { STATE_MESSAGES } = await import("/web/app/player/player-state");
  return [STATE_MESSAGES, (await import("/web/texts/en/player")).default.state];
}"""


def test_every_combination_has_one_true_sentence(opened: Open) -> None:
    """Each sentence says what is true in its states of game and envelope, and nothing else of it."""
    table, words = opened("/").evaluate(served(READ))
    assert set(table) == {state.value for state in State if state is not State.DRAFT}
    assert set(words) == {name for row in table.values() for name in row.values()}
    assert set(words["open"]) == set(MODES)
    for state, row in table.items():
        assert tuple(row) == STANDINGS
        for standing, name in row.items():
            for said in [words[name]] if "title" in words[name] else words[name].values():
                sentence = f"{said['title']} {said['detail']}"
                for claim, true in CLAIMS.items():
                    says = re.search(claim, sentence) is not None
                    assert says == (standing in true.get(state, ())), (state, standing, claim, sentence)


def test_a_phone_follows_its_game_from_the_door_to_the_desk(opened: Open, phone: Open, hall: Hall) -> None:
    """The page changes by itself with every state of the game, and as spare envelopes are opened at the desk."""
    game = hall.game(State.PRINTED, deadline=hall.context.clock() + timedelta(hours=2))
    with hall.context.database.writing() as session:
        seal_envelope(session, load_game(session, game), 2, ORGANISER, hall.context.clock())
    page = opened(hall.link(game, 1))
    expect(page.get_by_role("heading", name="started yet")).to_be_visible()
    page.get_by_role("textbox").fill("Grete")
    page.get_by_role("button", name="Join").click()
    page.locator(".view-home").wait_for()
    expect(page.get_by_role("heading", name="started yet")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)
    expect(page.get_by_role("button", name="Grete")).to_be_visible()
    take = "Photograph my deck"
    expect(page.get_by_role("button", name=take)).to_have_count(0)
    assert problems(page) == []
    spare = phone(game, 2)
    spare.get_by_role("button", name="No name").click()
    expect(spare.get_by_role("dialog")).to_contain_text("be changed here now")
    assert spare.get_by_role("dialog").get_by_role("textbox").count() == 0
    spare.keyboard.press("Escape")
    expect(spare.get_by_role("main")).to_contain_text("Ask at the desk to have it opened.")
    expect(spare.get_by_role("heading", name="started yet")).to_be_visible()

    act(hall, game, Act.OPEN)
    expect(page.get_by_role("heading", name="The game is on")).to_be_visible()
    expect(page.get_by_role("timer")).to_be_visible()
    expect(spare.get_by_role("heading", name="Your envelope is not in the game yet")).to_be_visible()
    expect(spare.get_by_role("button", name=take)).to_have_count(0)
    with hall.context.database.writing() as session:
        open_envelope(session, load_game(session, game), 2, ORGANISER, hall.context.clock())
    expect(spare.get_by_role("button", name=take)).to_be_visible()
    deck = laid(hall, game, yes=True)
    with hall.context.database.writing() as session:
        hand_in(session, PlayerIdentity(game, 1), deck, Actor("player", "1"), hall.context.clock())
    expect(page.get_by_role("heading", name="You have handed in")).to_be_visible()

    act(hall, game, Act.CLOSE)
    expect(page.get_by_role("heading", name="The envelopes are being counted")).to_be_visible()
    expect(spare.get_by_role("heading", name="Time\u2019s up")).to_be_visible()
    expect(spare.get_by_role("main")).to_contain_text("Put your cards in the envelope and bring it to the desk.")
    expect(spare.get_by_role("main")).not_to_contain_text("Choose a name")
    expect(spare.get_by_role("timer")).to_have_count(0)
    expect(spare.get_by_role("button", name=take)).to_have_class(re.compile("secondary"))


def test_the_first_answer_is_shown_before_that_to_the_next_request(opened: Open, hall: Hall) -> None:
    """A slow network answers after the live events begin, which ask for the data again."""
    page = opened("about:blank")
    held: list[Route] = []
    page.route("**/api/v1/me", lambda route: held.append(route))  # noqa: PLW0108 - Playwright takes no builtins
    page.goto(hall.link(hall.game(), 1))
    comes_to(page, lambda: len(held) == 2)
    held[0].continue_()
    page.get_by_role("button", name="Join").wait_for()
    held[1].continue_()


def test_the_end_comes_by_itself(phone: Open, hall: Hall) -> None:
    """When the countdown is over the screen changes, without a touch."""
    game = hall.game(mode="known", deadline=hall.context.clock() + timedelta(hours=1))
    page = phone(game)
    expect(page.get_by_role("timer")).to_be_visible()
    with hall.context.database.writing() as session:
        load_game(session, game).deadline = hall.context.clock() + timedelta(seconds=2)
        publish_event(session, game, hall.context.clock(), "game")
    expect(page.get_by_role("timer")).to_contain_text("sec")
    expect(page.get_by_role("heading", name=re.compile("Time.s up"))).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)
