"""What is deleted when: pictures by the game's rule, files that belong to nothing. What was read stays."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server.play.house import House
from server.play.intake import Where, accept, enter, keep
from server.play.retention import ANSWERS, ORPHANS, Sweeper, erase_due, erase_unread, forget_old, sweep
from server.play.states import State
from server.play.whole_game import export_game
from server.store.photos import FOLDER
from server.store.tables import Answer, Change, Photo
from tests.house import ORGANISER, Clock, new_game
from tests.jobs.scan_jobs import png
from tests.players import audited, set_game
from tests.readings import add_photo, reading

SECOND = timedelta(seconds=1)
AROUND = pytest.mark.parametrize(("early", "there"), [(SECOND, True), (0 * SECOND, False), (-SECOND, False)])


def filed(house: House, game: str, **columns: object) -> str:
    """Add a photograph that was read, with its file."""
    photo = add_photo(house, game, reading(["red-001"]), **columns)
    house.photos.put(game, photo, png(1))
    return photo


def set_photo(house: House, photo: str, **columns: object) -> None:
    with house.database.writing() as session:
        row = session.get_one(Photo, photo)
        for name, value in columns.items():
            setattr(row, name, value)


def is_there(house: House, game: str, photo: str) -> bool:
    """Tell whether a picture is there; its row must say the same, and keep what was read."""
    with house.database.reading() as session:
        row = session.get_one(Photo, photo)
    there = house.photos.get(game, photo) is not None
    assert there == (row.erased is None)
    assert row.reading == reading(["red-001"]).as_json()
    return there


@AROUND
def test_players_pictures_go_after_their_hours(house: House, clock: Clock, early: timedelta, *, there: bool) -> None:
    game = new_game(house, keep_hours=5)
    photo = filed(house, game, envelope=1)
    clock.time += timedelta(hours=5) - early
    assert erase_due(house) == (0 if there else 1)
    assert is_there(house, game, photo) == there
    assert erase_due(house) == 0


@AROUND
def test_hand_ins_go_days_after_publication(house: House, clock: Clock, early: timedelta, *, there: bool) -> None:
    game = new_game(house, State.PUBLISHED, keep_days=3, keep_hours=1)
    photo = filed(house, game)
    clock.time += timedelta(days=3) - early
    assert erase_due(house) == (0 if there else 1)
    assert is_there(house, game, photo) == there
    assert [entry.subject for entry in audited(house, game, "erase")] == ([] if there else ["1 photographs"])


def test_pictures_stay_until_they_were_read_and_hand_ins_until_publication(house: House, clock: Clock) -> None:
    frozen, game = new_game(house, State.FROZEN, keep_days=1), new_game(house, keep_hours=0)
    handed_in, unread = filed(house, frozen), add_photo(house, game, envelope=1)
    house.photos.put(game, unread, png(1))
    clock.forward(days=1000)
    assert erase_due(house) == 0
    assert is_there(house, frozen, handed_in)
    assert house.photos.get(game, unread)
    set_photo(house, unread, state="done", scanned=clock(), reading=reading(["red-001"]).as_json())
    # A server that ended after it had deleted the file and before its row said so.
    house.photos.delete(game, unread)
    assert erase_due(house) == 1
    assert not is_there(house, game, unread)


def test_files_of_nobody_are_swept_after_an_hour(house: House, clock: Clock, tmp_path: Path) -> None:
    clock.time = datetime.now(UTC)
    game = new_game(house)
    kept = accept(house, Where(game), png(1), ORGANISER).id
    folder = tmp_path / "data" / FOLDER / game
    for name in ("orphan.jpg", "half.jpg#1"):
        (folder / name).write_bytes(b"x")
    house.photos.put("GONE", "orphan", b"x")
    assert sweep(house) == 0
    assert len(list(folder.iterdir())) == 3
    clock.time += ORPHANS + timedelta(minutes=1)
    assert sweep(house) == 2
    assert [file.name for file in folder.iterdir()] == [f"{kept}.jpg"]
    assert sweep(house) == 0


def test_a_clock_that_jumps_sweeps_nothing_that_just_comes_in(house: House, clock: Clock) -> None:
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


def test_old_answers_and_changes_are_forgotten(house: House, clock: Clock) -> None:
    game = new_game(house)
    for key in ("old", "new"):
        with house.database.writing() as session:
            session.add(Answer(caller="x", key=key, request="", status=201, body={}, at=clock()))
        clock.time += SECOND
    clock.time += ANSWERS - SECOND
    forget_old(house)
    with house.database.reading() as session:
        assert [row.key for row in session.query(Answer)] == ["new"]
        assert session.query(Change).filter_by(game=game).count() == 0


def test_a_broken_game_keeps_no_pictures_of_other_games(house: House, clock: Clock) -> None:
    games = [new_game(house, State.PUBLISHED, keep_hours=5) for _ in range(3)]
    photos = [filed(house, game, envelope=1) for game in games]
    set_game(house, games[1], published=datetime(9999, 12, 31, tzinfo=UTC))
    clock.forward(hours=5)
    assert erase_due(house) == 2
    assert [is_there(house, game, photo) for game, photo in zip(games, photos, strict=True)] == [False, True, False]


HEIC = b"\0\0\0\x18ftypheicthe place"
"""Begins like a HEIC, is none, and tells something."""


@pytest.mark.parametrize("data", [HEIC, b"II*\0the place", b"%PDF-1.4 the place"])
def test_what_cannot_be_read_keeps_no_metadata(house: House, clock: Clock, data: bytes) -> None:
    game = new_game(house)
    photo = accept(house, Where(game), data, ORGANISER).id
    assert erase_unread(house) == 0
    set_photo(house, photo, state="failed", reason="truncated", scanned=clock())
    out = io.BytesIO()
    export_game(house, game, out)
    assert b"the place" not in out.getvalue()
    assert house.photos.get(game, photo) == data
    assert [erase_unread(house) for _ in range(2)] == [1, 0]
    assert house.photos.get(game, photo) is None
    with house.database.reading() as session:
        row = session.get_one(Photo, photo)
    assert (row.state, row.reason, row.erased) == ("failed", "truncated", clock())
    again = accept(house, Where(game), data, ORGANISER)
    assert again.id != photo
    assert accept(house, Where(game), data, ORGANISER).id == again.id


def test_what_was_stripped_is_looked_at_once_and_stays_for_another_try(house: House) -> None:
    game = new_game(house)
    photo = accept(house, Where(game), png(1), ORGANISER).id
    set_photo(house, photo, state="failed")
    assert erase_unread(house) == 0
    assert house.photos.get(game, photo)
    house.photos.put(game, photo, HEIC)
    assert erase_unread(house) == 0
