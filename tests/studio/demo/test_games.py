"""The demo's two games, and the folder that they lie in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.play.games import move
from server.play.house import game_row
from server.play.inputs import open_points
from server.play.installation import sign_in
from server.play.refusals import Refusal
from server.play.states import Act, State
from server.store.games import GAME_FILE
from server.store.tables import Card, Envelope, Game, ResultVersion
from server.studio.decks import dealt_cards
from server.studio.demo.decks import NAMES, PLAYERS
from server.studio.demo.folder import MARK, DemoError, DemoFolder, check_folder, make_demo
from server.studio.demo.games import NAMED, TITLES
from tests.house import ORGANISER, Clock, new_house

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.play.house import House

JOIN = "http://localhost:8000"


@pytest.fixture
def folder(tmp_path: Path) -> DemoFolder:
    """Return a demo's folder in which there is nothing yet."""
    return DemoFolder(tmp_path / "data", tmp_path / "studio")


@pytest.fixture
def house(folder: DemoFolder) -> Iterator[House]:
    """Return the house of the demo's folder."""
    made = new_house(folder.data, Clock())
    yield made
    made.database.close()


@pytest.mark.parametrize("language", TITLES)
def test_one_game_is_played_and_one_is_published(house: House, folder: DemoFolder, language: str) -> None:
    """Both in the language that was asked for; the first ends in some hours, the second has a ranking."""
    make_demo(house, folder, language, JOIN)
    with house.database.reading() as session:
        playing, played = (session.get_one(Game, game.game) for game in (folder.games.playing, folder.games.played))
        assert (playing.name, played.name) == TITLES[language]
        assert (playing.state, played.state) == (State.OPEN, State.PUBLISHED)
        assert {playing.language, played.language} == {language}
        assert playing.deadline
        assert 1 < (playing.deadline - house.clock()).total_seconds() / 3600 <= 3
        result = session.scalars(select(ResultVersion)).one()
    assert sorted(hand["player"] for hand in result.document["hands"]) == sorted(NAMES)


def test_the_game_is_open_for_those_who_try_it(house: House, folder: DemoFolder) -> None:
    """Some players have joined, the other envelopes are free; nobody has handed in, and the cards are as dealt."""
    make_demo(house, folder, "en", JOIN)
    game = folder.games.playing
    with house.database.reading() as session:
        seats = session.scalars(select(Envelope).where(Envelope.game == game.game).order_by(Envelope.number)).all()
        cards = session.execute(select(Card.kind, Card.copy).where(Card.game == game.game)).all()
    assert [seat.name for seat in seats] == [*NAMES[:NAMED], *[None] * (PLAYERS - NAMED)]
    assert not any(seat.claimed for seat in seats)
    assert sorted((card.kind, card.copy) for card in dealt_cards(game)) == sorted(map(tuple, cards))


def test_once_closed_only_envelopes_hold_up_the_count(house: House, folder: DemoFolder) -> None:
    """The settings are confirmed, so what is left before the count is what the demo shows: doubts and envelopes."""
    make_demo(house, folder, "en", JOIN)
    with house.database.writing() as session:
        row = game_row(session, folder.games.playing.game)
        move(session, row, Act.CLOSE, ORGANISER, house.clock())
        assert {point.slug for point in open_points(session, row, dict(row.settings))} == {"missing"}


def test_what_is_made_stays(house: House, folder: DemoFolder) -> None:
    """A second start changes nothing: neither the games nor what was told."""
    make_demo(house, folder, "en", JOIN)
    folder.note("phone-1")
    before = folder.games
    make_demo(house, folder, "fr", JOIN)
    assert folder.games == before
    assert folder.told() == ["phone-1"]


def test_nobody_knows_the_password(house: House, folder: DemoFolder) -> None:
    """There is one, so nobody can choose another; and it is none that one would guess."""
    make_demo(house, folder, "en", JOIN)
    for guess in ("", "demo", "haggle"):
        with pytest.raises(Refusal, match="wrong"):
            sign_in(house, guess)


def test_a_damaged_game_file_is_made_anew(folder: DemoFolder) -> None:
    """The next demo has another game then, and photographs of its own."""
    before = folder.games.playing
    (folder.studio / "playing" / GAME_FILE).write_text("{")
    assert folder.games.playing.game != before.game
    assert folder.games.playing == folder.games.playing


def test_a_new_or_empty_folder_is_taken(tmp_path: Path) -> None:
    """It becomes the demo's."""
    check_folder(tmp_path / "new")
    check_folder(tmp_path)


@pytest.mark.parametrize("name", ["thesis.txt", "haggle.db"])
def test_other_folders_are_refused(tmp_path: Path, name: str) -> None:
    """Whatever lies there, above all a real server's games, is never opened as a demo."""
    (tmp_path / name).touch()
    with pytest.raises(DemoError, match="holds other files"):
        check_folder(tmp_path)
    with pytest.raises(DemoError, match="holds other files"):
        check_folder(tmp_path / name)


@pytest.mark.parametrize("mark", ["", "{}", '{"format": 2, "told": []}', '{"format": 1, "told": 7}', "[]"])
def test_a_damaged_mark_is_told(tmp_path: Path, mark: str) -> None:
    """One line that says what to do."""
    (tmp_path / MARK).write_text(mark)
    with pytest.raises(DemoError, match=r"demo\.json is damaged or of another version: name a new"):
        check_folder(tmp_path)
