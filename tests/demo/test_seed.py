"""The demo's games, data folder and uploads."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.db.models import Card, Envelope, Game, Photo, ResultVersion
from server.demo.seed import (
    HANDED_IN,
    MARK,
    NAMED,
    NAMES,
    ORGANISERS,
    PLAYED,
    PLAYERS,
    PLAYING,
    PODIUM,
    RECIPES,
    SPECIAL,
    TITLES,
    DemoError,
    begin_folder,
    check_folder,
    decks_of,
    game_of,
    make_demo,
)
from server.games.errors import DomainError
from server.games.lifecycle.commands import change_state
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import Act, State
from server.games.results.inputs import open_points
from server.games.results.versions import is_outdated, load_version
from server.games.results.winner import winner_photo
from server.games.server_config import sign_in
from server.printing.contents import dealt_cards
from tests.context import ORGANISER, Clock, new_context
from tests.readings import reading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.games.context import AppContext

JOIN = "http://localhost:8000"


@pytest.fixture
def context(tmp_path: Path) -> Iterator[AppContext]:
    """Provide an application context in a demo's data folder."""
    made = new_context(tmp_path / "data", Clock())
    yield made
    made.database.close()


def test_photos_of_the_best_decks_change_no_result(context: AppContext, tmp_path: Path) -> None:
    """They show whole decks of the first three places, and the count remains as it was published."""
    make_demo(context, tmp_path / "data", "en", JOIN)
    with context.database.writing() as session:
        for row, picture in zip(
            session.scalars(select(Photo).where(Photo.game == PLAYED).order_by(Photo.place)), PODIUM, strict=True
        ):
            names = [card.name for card in picture.cards()]
            row.state, row.scan_result = "done", reading(names, [picture.deck]).as_json()
    with context.database.reading() as session:
        game, version = load_game(session, PLAYED), load_version(session, PLAYED, 1)
        ranks = {hand["player"]: hand["rank"] for hand in version.document["hands"]}
        assert [ranks[NAMES[picture.deck - 1]] for picture in PODIUM] == [1, 2, 3]
        found = winner_photo(session, game, version)
        assert found
        assert (found.photo.name, len(found.outlines)) == (PODIUM[0].file.name, len(PODIUM[0].cards()))
        assert not is_outdated(session, game)
        assert open_points(session, game, dict(game.settings)) == []


@pytest.mark.parametrize("game", [PLAYING, PLAYED])
def test_decks_follow_their_recipes(game: str) -> None:
    """Each player has the cards of the recipe, and no card is in two decks."""
    decks = decks_of(game_of(game))
    kinds = [[SPECIAL if card.kind.startswith(SPECIAL) else card.kind for card in deck] for deck in decks]
    assert [Counter(deck) for deck in kinds] == [Counter(recipe) for recipe in RECIPES]
    cards = [card for deck in decks for card in deck]
    assert len(set(cards)) == len(cards)
    assert set(cards) <= set(dealt_cards(game_of(game)))
    assert len(NAMES) == len(RECIPES) == PLAYERS - 1


@pytest.mark.parametrize("language", TITLES)
def test_one_game_is_played_and_one_is_published(context: AppContext, tmp_path: Path, language: str) -> None:
    """Both have the requested language, some players have handed in, and after the close no decision is missing."""
    make_demo(context, tmp_path / "data", language, JOIN)
    decks = decks_of(game_of(PLAYING))
    with context.database.writing() as session:
        playing, played = (session.get_one(Game, game) for game in (PLAYING, PLAYED))
        assert (playing.name, played.name) == TITLES[language]
        assert (playing.state, played.state) == (State.OPEN, State.PUBLISHED)
        assert (playing.mode, {playing.language, played.language}) == ("full", {language})
        assert playing.deadline
        assert 1 < (playing.deadline - context.clock()).total_seconds() / 3600 <= 3
        result = session.scalars(select(ResultVersion)).one()
        assert sorted(hand["player"] for hand in result.document["hands"]) == sorted(NAMES)
        seats = session.scalars(select(Envelope).where(Envelope.game == PLAYING).order_by(Envelope.number)).all()
        assert [seat.name for seat in seats] == [*NAMES[:NAMED], *[None] * (PLAYERS - NAMED)]
        assert {seat.number: seat.submitted_cards for seat in seats if seat.submitted_at} == {
            number: sorted(card.name for card in decks[number - 1]) for number in HANDED_IN
        }
        cards = session.execute(select(Card.kind, Card.copy).where(Card.game == PLAYING)).all()
        assert sorted((card.kind, card.copy) for card in dealt_cards(game_of(PLAYING))) == sorted(map(tuple, cards))
        change_state(session, playing, Act.CLOSE, ORGANISER, context.clock())
        assert {point.slug for point in open_points(session, playing, dict(playing.settings))} <= {
            "missing",
            "pictures",
            "unseen",
        }


def test_an_interrupted_start_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is emptied first at any stage; a complete demo is never emptied."""
    data = tmp_path / "data"

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    begin_folder(data)
    context = new_context(data, Clock())
    with monkeypatch.context() as patch:
        patch.setattr("server.demo.seed.freeze", interrupted)
        with pytest.raises(KeyboardInterrupt):
            make_demo(context, data, "en", JOIN)
    context.database.close()
    for language in ("fr", "de"):
        check_folder(data)
        begin_folder(data)
        context = new_context(data, Clock())
        make_demo(context, data, language, JOIN)
        with context.database.reading() as session:
            assert session.get_one(Game, PLAYING).name == TITLES["fr"][0]
            assert session.get_one(Game, PLAYED).state == State.PUBLISHED
        context.database.close()


def test_a_second_start_changes_nothing(context: AppContext, tmp_path: Path) -> None:
    """The games keep their language, and no photo is uploaded again.

    There is a random password, so that nobody can choose one.
    """
    for language in ("en", "fr"):
        make_demo(context, tmp_path / "data", language, JOIN)
        check_folder(tmp_path / "data")
    with context.database.reading() as session:
        assert session.get_one(Game, PLAYING).name == TITLES["en"][0]
        rows = session.scalars(select(Photo).order_by(Photo.game, Photo.place)).all()
        assert [row.name for row in rows] == [picture.file.name for picture in (*ORGANISERS, *PODIUM)]
        assert {row.source for row in rows} == {"organiser"}
    for guess in ("", "demo", "haggle"):
        with pytest.raises(DomainError, match="wrong"):
            sign_in(context, guess)


@pytest.mark.parametrize("name", ["thesis.txt", "haggle.db"])
def test_only_new_and_empty_folders_are_used(tmp_path: Path, name: str) -> None:
    """Other folders are refused, in particular data folders of real servers."""
    check_folder(tmp_path / "new")
    check_folder(tmp_path)
    (tmp_path / name).touch()
    with pytest.raises(DemoError, match="holds other files"):
        check_folder(tmp_path)
    with pytest.raises(DemoError, match="holds other files"):
        check_folder(tmp_path / name)


@pytest.mark.parametrize("mark", ["", "{}", '{"format": 1, "told": []}', "[]"])
def test_a_folder_of_another_version_is_refused(tmp_path: Path, mark: str) -> None:
    """A one-line message says what to do."""
    (tmp_path / MARK).write_text(mark)
    with pytest.raises(DemoError, match=r"demo\.json is damaged or of another version: name a new"):
        check_folder(tmp_path)
