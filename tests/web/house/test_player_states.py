"""The sentence on a player's first screen, for every state of the game and of the envelope."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from server.play.envelopes import open_envelope, seal_envelope
from server.play.games import move
from server.play.handing_in import hand_in
from server.play.house import Actor, game_row
from server.play.settings import MODES
from server.play.states import Act, State
from server.play.tokens import Seat
from server.play.versions import publish
from tests.house import ORGANISER
from tests.played import counted_game
from tests.web.axe import problems
from tests.web.house.player_steps import laid, phone
from tests.web.steps import served

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

    from tests.web.house.conftest import Hall

STANDINGS = ("sealed", "opened", "sending", "handedIn")
PLAYED = [state for state in State if state is not State.DRAFT]
CLAIMS = {
    "the game has not begun": (
        {"en": "game has not begun", "de": "Spiel hat noch nicht begonnen", "fr": "partie n.a pas commencé"},
        {(State.PRINTED, standing) for standing in STANDINGS},
    ),
    "the game is on": (
        {"en": "game is on", "de": "Spiel läuft", "fr": "partie est en cours"},
        {(State.OPEN, "opened")},
    ),
    "the envelope is not in the game yet": (
        {"en": "not in (the game|it) yet", "de": "spielt noch nicht mit", "fr": "n.est pas encore en jeu"},
        {(State.PRINTED, "sealed"), (State.OPEN, "sealed")},
    ),
    "an organiser can help": (
        {"en": "[Aa]sk at the desk", "de": "Bitte die Spielleitung|frag dort nach", "fr": "Demande aux|va les voir"},
        {(State.PRINTED, "sealed"), (State.OPEN, "sealed"), (State.CLOSED, "sealed")},
    ),
    "the cards go to the desk in the envelope": (
        {
            "en": "[Pp]ut your cards in (the envelope|it) and bring it (to the desk|there)",
            "de": "[Ll]eg deine Karten (in den Umschlag|hinein) und bring ihn (zur Spielleitung|hin)",
            "fr": "[Mm](ets tes cartes dans l.enveloppe|ets-y tes cartes) et rapporte-la aux organisateurs",
        },
        {
            (State.OPEN, "sending"),
            (State.OPEN, "handedIn"),
            (State.CLOSED, "opened"),
            (State.CLOSED, "sending"),
            (State.CLOSED, "handedIn"),
        },
    ),
    "the time is up": (
        {"en": "Time.s up", "de": "Schluss!", "fr": "C.est fini"},
        {(State.CLOSED, "sealed"), (State.CLOSED, "opened"), (State.CLOSED, "sending")},
    ),
    "the hand-in has not been sent": (
        {"en": "still on this phone", "de": "noch auf diesem Handy", "fr": "attend encore sur ce téléphone"},
        {(State.OPEN, "sending"), (State.CLOSED, "sending")},
    ),
    "a hand-in by phone is late now": (
        {"en": "marked as late", "de": "als zu spät vermerkt", "fr": "noté en retard"},
        {(State.CLOSED, "opened")},
    ),
    "the envelopes are being counted": (
        {"en": "are being counted", "de": "werden ausgezählt", "fr": "On compte"},
        {(State.CLOSED, "handedIn")},
    ),
    "the big screen shows something": (
        {"en": "big screen", "de": "Leinwand", "fr": "grand écran"},
        {(State.FROZEN, standing) for standing in STANDINGS},
    ),
    "the results are out": (
        {"en": "^The results are out", "de": "^Die Ergebnisse sind da", "fr": "^Les résultats sont là"},
        {(State.PUBLISHED, standing) for standing in STANDINGS},
    ),
}
"""By what a sentence may say: how each language says so, and the states of game and envelope in which it is true."""
READ = """async (languages) => {
  const { SENTENCES } = await import("/assets/app/player/home/state.js");
  const words = {};
  for (const language of languages) {
    words[language] = (await import(`/assets/texts/${language}/player.js`)).default.state;
  }
  return [SENTENCES, words];
}"""


def test_every_combination_has_one_true_sentence(opened: Callable[..., Page]) -> None:
    """In three languages each sentence says what is true in its states of game and envelope, and nothing else of it."""
    table, languages = opened("/").evaluate(served(READ), ["en", "de", "fr"])
    assert set(table) == {state.value for state in PLAYED}
    for language, words in languages.items():
        assert set(words) == {name for row in table.values() for name in row.values()}
        assert set(words["open"]) == set(MODES)
        for state in PLAYED:
            assert tuple(table[state.value]) == STANDINGS
            for standing, name in table[state.value].items():
                for said in [words[name]] if "title" in words[name] else words[name].values():
                    sentence = f"{said['title']} {said['detail']}"
                    for claim, (patterns, true) in CLAIMS.items():
                        says = re.search(patterns[language], sentence) is not None
                        assert says == ((state, standing) in true), (language, state, standing, claim, sentence)


def test_a_phone_follows_its_game_from_the_door_to_the_desk(opened: Callable[..., Page], hall: Hall) -> None:
    """Before the game no time runs and no name can be chosen; then the page changes by itself with every state."""
    game = hall.game(State.PRINTED, deadline=hall.house.clock() + timedelta(hours=2))
    page = opened(hall.link(game, 1))
    expect(page.get_by_role("heading", name="The game has not begun")).to_be_visible()
    expect(page.get_by_role("textbox")).to_have_count(0)
    page.get_by_role("button", name="Join the game").click()
    page.locator(".view-home").wait_for()
    expect(page.get_by_role("heading", name="The game has not begun")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)
    expect(page.get_by_role("main")).not_to_contain_text("Choose a name")
    expect(page.get_by_role("button", name="Photograph my deck")).to_have_count(0)
    assert problems(page) == []
    page.get_by_role("button", name="No name").click()
    expect(page.get_by_role("dialog")).to_contain_text("cannot be changed here now")
    assert page.get_by_role("dialog").get_by_role("textbox").count() == 0
    page.keyboard.press("Escape")
    _move(hall, game, Act.OPEN)
    expect(page.get_by_role("heading", name="The game is on")).to_be_visible()
    expect(page.get_by_role("timer")).to_be_visible()
    expect(page.get_by_role("button", name="Choose a name")).to_be_visible()
    deck = laid(hall, game, yes=True)
    with hall.house.database.writing() as session:
        hand_in(session, Seat(game, 1), deck, Actor("player", "1"), hall.house.clock())
    expect(page.get_by_role("heading", name="You have handed in")).to_be_visible()
    other = phone(hall, opened, game, 2)
    _move(hall, game, Act.CLOSE)
    expect(page.get_by_role("heading", name="The envelopes are being counted")).to_be_visible()
    expect(other.get_by_role("heading", name="Time\u2019s up")).to_be_visible()
    expect(other.get_by_role("main")).to_contain_text("Put your cards in the envelope and bring it to the desk.")
    expect(other.get_by_role("main")).not_to_contain_text("Choose a name")
    expect(other.get_by_role("timer")).to_have_count(0)
    expect(other.get_by_role("button", name="Photograph my deck")).to_have_class(re.compile("secondary"))


def test_a_phone_follows_the_ceremony(opened: Callable[..., Page], hall: Hall) -> None:
    """Once all is counted players look at the big screen, and after the publication at their own result."""
    game = counted_game(hall.house)
    page = phone(hall, opened, game)
    expect(page.get_by_role("heading", name="Look at the big screen!")).to_be_visible()
    with hall.house.database.writing() as session:
        publish(session, game_row(session, game), None, ORGANISER, hall.house.clock())
    expect(page.get_by_role("heading", name="The results are out")).to_be_visible()
    expect(page.locator(".own-place")).to_be_visible()


def test_a_spare_envelope_is_opened_at_the_desk(opened: Callable[..., Page], hall: Hall) -> None:
    """Its player is sent to the desk, before the game and while it is played, until it is opened there."""
    game = hall.game(State.PRINTED)
    for number in (1, 2):
        with hall.house.database.writing() as session:
            seal_envelope(session, game_row(session, game), number, ORGANISER, hall.house.clock())
    first, second = phone(hall, opened, game, 1), phone(hall, opened, game, 2)
    for page in (first, second):
        expect(page.get_by_role("main")).to_contain_text("Ask at the desk to have it opened for you.")
        expect(page.get_by_role("heading", name="The game has not begun")).to_be_visible()
    _open(hall, game, 1)
    expect(first.get_by_role("main")).to_contain_text("This page changes as soon as the game begins.")
    _move(hall, game, Act.OPEN)
    expect(first.get_by_role("heading", name="The game is on")).to_be_visible()
    expect(second.get_by_role("heading", name="Your envelope is not in the game yet")).to_be_visible()
    expect(second.get_by_role("button", name="Photograph my deck")).to_have_count(0)
    _open(hall, game, 2)
    expect(second.get_by_role("button", name="Photograph my deck")).to_be_visible()


def _open(hall: Hall, game: str, envelope: int) -> None:
    with hall.house.database.writing() as session:
        open_envelope(session, game_row(session, game), envelope, ORGANISER, hall.house.clock())


def _move(hall: Hall, game: str, act: Act) -> None:
    with hall.house.database.writing() as session:
        move(session, game_row(session, game), act, ORGANISER, hall.house.clock())
