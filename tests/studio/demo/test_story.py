"""What happens in the demo's game by itself, and what happens where that cannot be."""

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING, cast

import pytest
from PIL import Image
from sqlalchemy import select

from server.jobs.queue import PhotoState
from server.play.games import move
from server.play.house import game_row
from server.play.states import Act
from server.store.tables import Envelope, Photo
from server.studio.demo.folder import DemoFolder, make_demo
from server.studio.demo.pictures import TOLD, jobs
from server.studio.demo.story import Story
from tests.house import ORGANISER, Clock, new_house
from tests.readings import reading

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from server.play.house import House
    from server.studio.demo.painter import Painter
    from server.studio.demo.pictures import Job

DESK = [picture.name for picture in TOLD if picture.name.startswith("desk")]
PHONES = [picture.name for picture in TOLD if picture.name.startswith("phone")]


class Idle:
    """A painter that has done all it can."""

    busy = False


@pytest.fixture
def folder(tmp_path: Path) -> DemoFolder:
    """Return a demo's folder."""
    return DemoFolder(tmp_path / "data", tmp_path / "studio")


@pytest.fixture
def house(folder: DemoFolder) -> Iterator[House]:
    """Return a house in which the demo's games have been made."""
    made = new_house(folder.data, Clock())
    make_demo(made, folder, "en", "http://localhost:8000")
    yield made
    made.database.close()


@pytest.fixture
def plan(house: House, folder: DemoFolder) -> list[Job]:  # noqa: ARG001 - the games must be there
    """Return the demo's pictures; each file is a picture in which nothing is to be seen."""
    games = folder.games
    plan = jobs(games.playing, games.played, folder.studio)
    plan[0].file.parent.mkdir()
    for number, job in enumerate(plan):
        picture = io.BytesIO()
        Image.new("RGB", (80, 60), (15 * number, 0, 0)).save(picture, "JPEG")
        job.file.write_bytes(picture.getvalue())
    return plan


def tell(house: House, plan: list[Job], before: list[str], folder: DemoFolder) -> None:
    """Let the story be told to its end, while nobody reads pictures but this function."""
    painter = cast("Painter", Idle())
    story = Story(house, plan, painter, before, folder.note)
    story.start()
    cards = {job.picture.name: [card.name for card in job.cards] for job in plan}
    end = time.monotonic() + 30
    while set(folder.told()) | set(before) < {picture.name for picture in TOLD}:
        assert time.monotonic() < end
        with house.database.writing() as session:
            for photo in session.scalars(select(Photo).where(Photo.state == PhotoState.WAITING)):
                if photo.envelope is not None:
                    found = reading(cards[f"phone-{photo.envelope}"], [photo.envelope])
                    photo.state, photo.reading = PhotoState.DONE, found.as_json()
        time.sleep(0.05)
    story.close()


def test_players_hand_in_and_organisers_photograph(house: House, plan: list[Job], folder: DemoFolder) -> None:
    """Players' lists are the cards of their pictures; organisers' pictures wait to be read like any others."""
    tell(house, plan, [], folder)
    with house.database.reading() as session:
        seats = session.scalars(
            select(Envelope).where(Envelope.game == plan[0].game.game, Envelope.claimed.is_not(None))
        )
        claims = {f"phone-{seat.number}": seat.claim for seat in seats}
        photos = session.scalars(select(Photo).where(Photo.source == "organiser")).all()
    assert claims == {
        job.picture.name: sorted(card.name for card in job.cards) for job in plan if job.picture.name in PHONES
    }
    assert len(photos) == len(DESK)


def test_what_was_told_is_not_told_again(house: House, plan: list[Job], folder: DemoFolder) -> None:
    """A demo that was kept goes on where it was."""
    tell(house, plan, [*DESK, *PHONES[1:]], folder)
    assert folder.told() == PHONES[:1]


def test_a_game_that_was_closed_meanwhile_is_left_alone(house: House, plan: list[Job], folder: DemoFolder) -> None:
    """Whoever tries the demo may count the game at once: no picture comes into it, and no error is told."""
    with house.database.writing() as session:
        row = game_row(session, plan[0].game.game)
        move(session, row, Act.CLOSE, ORGANISER, house.clock())
        row.state = "frozen"
    tell(house, plan, [], folder)
    with house.database.reading() as session:
        assert session.scalars(select(Photo)).all() == []


def test_a_picture_that_cannot_be_made_is_left_out(house: House, plan: list[Job], folder: DemoFolder) -> None:
    """As where the disk is full: the others come in."""
    for job in plan:
        if job.picture.name != "desk-3":
            job.file.unlink()
    story = Story(house, plan, cast("Painter", Idle()), [], folder.note)
    story.start()
    end = time.monotonic() + 20
    while not folder.told() and time.monotonic() < end:
        time.sleep(0.05)
    story.close()
    assert folder.told() == ["desk-3"]


def test_it_stops_while_it_waits(house: House, plan: list[Job], folder: DemoFolder) -> None:
    """The server's end does not wait for pictures that are still being made."""
    for job in plan:
        job.file.unlink()
    busy = Idle()
    busy.busy = True
    story = Story(house, plan, cast("Painter", busy), [], folder.note)
    story.start()
    began = time.monotonic()
    story.close()
    assert time.monotonic() - began < 2
    assert folder.told() == []
