"""What is deleted when: pictures by the game's rule, files that belong to nothing. What was read stays."""

from __future__ import annotations

import io
import os
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from server.play.house import game_row
from server.play.intake import Where, accept, enter, keep
from server.play.retention import ANSWERS, ORPHANS, Sweeper, erase_due, erase_unread, forget_old, sweep
from server.play.states import State
from server.play.whole_game import export_game
from server.store.photos import FOLDER
from server.store.tables import Answer, AuditEntry, Change, Photo
from tests.house import ORGANISER, Clock, new_game
from tests.jobs.scan_jobs import png
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House

SECOND = timedelta(seconds=1)


def filed(house: House, game: str, **columns: object) -> str:
    """Add a photograph that was read, with its file."""
    photo = add_photo(house, game, reading(["red-001"]), **columns)
    house.photos.put(game, photo, png(1))
    return photo


def is_there(house: House, game: str, photo: str) -> bool:
    """Tell whether a picture is there; its row must say the same, and keep what was read."""
    with house.database.reading() as session:
        row = session.get_one(Photo, photo)
    there = house.photos.get(game, photo) is not None
    assert there == (row.erased is None)
    assert row.reading == reading(["red-001"]).as_json()
    return there


@pytest.mark.parametrize(("early", "there"), [(SECOND, True), (0 * SECOND, False), (-SECOND, False)])
def test_players_pictures_go_after_their_hours(house: House, clock: Clock, early: timedelta, *, there: bool) -> None:
    """A player's picture is kept for `keep_hours` and no second more, whatever the game does."""
    game = new_game(house, keep_hours=5)
    photo = filed(house, game, envelope=1)
    clock.time += timedelta(hours=5) - early
    assert erase_due(house) == (0 if there else 1)
    assert is_there(house, game, photo) == there
    assert erase_due(house) == 0


@pytest.mark.parametrize(("early", "there"), [(SECOND, True), (0 * SECOND, False), (-SECOND, False)])
def test_hand_ins_go_days_after_publication(house: House, clock: Clock, early: timedelta, *, there: bool) -> None:
    """Pictures of envelopes are kept for `keep_days` after the results were published, and the audit says it."""
    game = new_game(house, State.PUBLISHED, keep_days=3, keep_hours=1)
    photo = filed(house, game)
    with house.database.reading() as session:
        published = game_row(session, game).published
    assert published
    clock.time = published + timedelta(days=3) - early
    assert erase_due(house) == (0 if there else 1)
    assert is_there(house, game, photo) == there
    with house.database.reading() as session:
        told = [entry.subject for entry in session.query(AuditEntry).filter_by(game=game, action="erase")]
    assert told == ([] if there else ["1 photographs"])


def test_hand_ins_stay_until_publication(house: House, clock: Clock) -> None:
    """As long as nothing is published, what was handed in can be looked at, for years if need be."""
    game = new_game(house, State.FROZEN, keep_days=1)
    photo = filed(house, game)
    clock.forward(days=1000)
    assert erase_due(house) == 0
    assert is_there(house, game, photo)


def test_a_picture_is_read_before_it_goes(house: House, clock: Clock) -> None:
    """However short a picture is kept, it is kept until it was read."""
    game = new_game(house, keep_hours=0)
    photo = add_photo(house, game, envelope=1)
    house.photos.put(game, photo, png(1))
    clock.forward(hours=1)
    assert erase_due(house) == 0
    assert house.photos.get(game, photo)
    with house.database.writing() as session:
        row = session.get_one(Photo, photo)
        row.state, row.scanned, row.reading = "done", clock(), reading(["red-001"]).as_json()
    assert erase_due(house) == 1
    assert not is_there(house, game, photo)


def test_what_ended_in_between_is_done_again(house: House, clock: Clock) -> None:
    """If the server ends after a file was deleted and before its row says so, the next time does the rest."""
    game = new_game(house, keep_hours=1)
    photo = filed(house, game, envelope=1)
    house.photos.delete(game, photo)
    clock.forward(hours=2)
    assert erase_due(house) == 1
    assert not is_there(house, game, photo)


def test_files_of_nobody_are_swept(house: House, clock: Clock, tmp_path: Path) -> None:
    """A file without a row, and one that was never finished, goes after an hour; what has a row stays."""
    clock.time = datetime.now(UTC)
    game = new_game(house)
    kept = accept(house, Where(game), png(1), ORGANISER).id
    folder = tmp_path / "data" / FOLDER / game
    for name in ("orphan.jpg", "half.jpg#1"):
        (folder / name).write_bytes(b"x")
    house.photos.put("GONE", "orphan", b"x")
    assert sweep(house) == 0
    assert len(os.listdir(folder)) == 3  # noqa: PTH208 - only the number counts
    clock.time += ORPHANS + timedelta(minutes=1)
    assert sweep(house) == 2
    assert [file.name for file in folder.iterdir()] == [f"{kept}.jpg"]
    assert sweep(house) == 0


def test_a_clock_that_jumps_sweeps_nothing_that_just_comes_in(house: House, clock: Clock) -> None:
    """A picture whose row is written later stays, however old it looks; what belongs to nothing goes later."""
    clock.time = datetime.now(UTC)
    game, sweeper = new_game(house), Sweeper()
    house.photos.put(game, "orphan", b"x")
    with keep(house, game, png(1)) as kept:
        clock.forward(hours=2)
        assert sweeper(house) == 0
        with house.database.writing() as session:
            enter(house, session, kept, Where(game), ORGANISER, clock())
    assert sweeper(house) == 1
    assert [photo for _, photo, _ in house.photos.names()] == [kept.id]


def test_answers_and_changes_of_old_go(house: House, clock: Clock) -> None:
    """Answers are kept for two days for who sends a request again; changes until nobody waits for them."""
    game = new_game(house)

    def answer(key: str) -> Answer:
        return Answer(caller="x", key=key, request="", status=201, body={}, at=clock())

    with house.database.writing() as session:
        session.add(answer("old"))
    clock.time += SECOND
    with house.database.writing() as session:
        session.add(answer("new"))
    clock.time += ANSWERS
    forget_old(house)
    with house.database.reading() as session:
        assert [row.key for row in session.query(Answer)] == ["new"]
        assert session.query(Change).filter_by(game=game).count() == 0


def test_a_broken_game_keeps_no_other_games_pictures(house: House, clock: Clock) -> None:
    """What cannot be reckoned with in one game is told in the log; all others lose their pictures in time."""
    games = [new_game(house, State.PUBLISHED, keep_hours=5) for _ in range(3)]
    photos = [filed(house, game, envelope=1) for game in games]
    with house.database.writing() as session:
        game_row(session, games[1]).published = datetime(9999, 12, 31, tzinfo=UTC)
    clock.forward(hours=5)
    assert erase_due(house) == 2
    assert [is_there(house, game, photo) for game, photo in zip(games, photos, strict=True)] == [False, True, False]


def heic(secret: bytes = b"the place") -> bytes:
    """Return what begins like a HEIC, is none, and tells something."""
    return b"\0\0\0\x18ftypheic" + secret


@pytest.mark.parametrize("data", [heic(), b"II*\0the place", b"%PDF-1.4 the place"])
def test_what_cannot_be_read_keeps_no_metadata(house: House, clock: Clock, data: bytes) -> None:
    """Its file goes at once, from exports too; its row says that it failed, and the same file may be sent again."""
    game = new_game(house)
    photo = accept(house, Where(game), data, ORGANISER).id
    assert erase_unread(house) == 0
    with house.database.writing() as session:
        row = session.get_one(Photo, photo)
        row.state, row.reason, row.scanned = "failed", "truncated", clock()
    out = io.BytesIO()
    export_game(house, game, out)
    assert b"the place" not in out.getvalue()
    assert house.photos.get(game, photo) == data
    assert erase_unread(house) == 1
    assert erase_unread(house) == 0
    assert house.photos.get(game, photo) is None
    with house.database.reading() as session:
        row = session.get_one(Photo, photo)
    assert (row.state, row.reason, row.erased) == ("failed", "truncated", clock())
    again = accept(house, Where(game), data, ORGANISER)
    assert again.id != photo
    assert accept(house, Where(game), data, ORGANISER).id == again.id


def test_what_was_stripped_stays_for_another_try(house: House) -> None:
    """A JPEG or PNG that failed holds no metadata: organisers may look at it, and have it read again."""
    game = new_game(house)
    photo = accept(house, Where(game), png(1), ORGANISER).id
    with house.database.writing() as session:
        session.get_one(Photo, photo).state = "failed"
    assert erase_unread(house) == 0
    assert house.photos.get(game, photo)


def test_what_failed_is_looked_at_once(house: House) -> None:
    """Not every minute, for as long as its row is there: what another file in its place would show is not noticed."""
    game = new_game(house)
    photo = accept(house, Where(game), png(1), ORGANISER).id
    with house.database.writing() as session:
        session.get_one(Photo, photo).state = "failed"
    assert erase_unread(house) == 0
    house.photos.put(game, photo, heic())
    assert erase_unread(house) == 0
