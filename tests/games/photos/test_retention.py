"""Deletion of expired photos and orphaned files; scan results stay."""

from __future__ import annotations

import io
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from server.db.models import Photo
from server.games.context import AppContext
from server.games.lifecycle.states import State
from server.games.photos.retention import (
    ORPHAN_AGE,
    OrphanCleanup,
    delete_expired_images,
    delete_unreadable_images,
)
from server.games.photos.upload import PhotoTarget, accept, insert_row, store_file
from server.games.transfer.game_archive import export_game
from server.storage.photo_store import FOLDER
from tests.context import ORGANISER, Clock, delete_orphan_files, new_game
from tests.players import audited, set_game
from tests.readings import add_photo, reading
from tests.scan_jobs import png

SECOND = timedelta(seconds=1)
AROUND = pytest.mark.parametrize(("early", "there"), [(SECOND, True), (0 * SECOND, False), (-SECOND, False)])


def filed(context: AppContext, game: str, **columns: object) -> str:
    """Add a scanned photo with its file; return its id."""
    photo = add_photo(context, game, reading(["red-001"]), **columns)
    context.photos.put(game, photo, png(1))
    return photo


def set_photo(context: AppContext, photo: str, **columns: object) -> None:
    with context.database.writing() as session:
        row = session.get_one(Photo, photo)
        for name, value in columns.items():
            setattr(row, name, value)


def is_there(context: AppContext, game: str, photo: str) -> bool:
    """Return whether a photo exists, after checking its row, which keeps the scan result."""
    with context.database.reading() as session:
        row = session.get_one(Photo, photo)
    there = context.photos.get(game, photo) is not None
    assert there == (row.image_deleted_at is None)
    assert row.scan_result == reading(["red-001"]).as_json()
    return there


@AROUND
def test_photos_of_players_expire_after_hours(
    context: AppContext, clock: Clock, early: timedelta, *, there: bool
) -> None:
    game = new_game(context, keep_hours=5)
    photo = filed(context, game, envelope=1)
    clock.time += timedelta(hours=5) - early
    assert delete_expired_images(context) == (0 if there else 1)
    assert is_there(context, game, photo) == there
    assert delete_expired_images(context) == 0


@AROUND
def test_photos_of_hand_ins_expire_days_after_publication(
    context: AppContext, clock: Clock, early: timedelta, *, there: bool
) -> None:
    game = new_game(context, State.PUBLISHED, keep_days=3, keep_hours=1)
    photo = filed(context, game)
    clock.time += timedelta(days=3) - early
    assert delete_expired_images(context) == (0 if there else 1)
    assert is_there(context, game, photo) == there
    assert [entry.subject for entry in audited(context, game, "erase")] == ([] if there else ["1 photographs"])


def test_unscanned_photos_and_unpublished_hand_ins_do_not_expire(context: AppContext, clock: Clock) -> None:
    frozen, game = new_game(context, State.FROZEN, keep_days=1), new_game(context, keep_hours=0)
    handed_in, unread = filed(context, frozen), add_photo(context, game, envelope=1)
    context.photos.put(game, unread, png(1))
    clock.forward(days=1000)
    assert delete_expired_images(context) == 0
    assert is_there(context, frozen, handed_in)
    assert context.photos.get(game, unread)
    set_photo(context, unread, state="done", scanned=clock(), scan_result=reading(["red-001"]).as_json())
    # A server that was killed between deleting the file and updating its row.
    context.photos.delete(game, unread)
    assert delete_expired_images(context) == 1
    assert not is_there(context, game, unread)


def test_orphaned_files_are_deleted_after_an_hour(context: AppContext, clock: Clock, tmp_path: Path) -> None:
    clock.time = datetime.now(UTC)
    game = new_game(context)
    stored = accept(context, PhotoTarget(game), png(1), ORGANISER).id
    folder = tmp_path / "data" / FOLDER / game
    for name in ("orphan.jpg", "half.jpg#1"):
        (folder / name).write_bytes(b"x")
    context.photos.put("GONE", "orphan", b"x")
    assert delete_orphan_files(context) == 0
    assert len(list(folder.iterdir())) == 3
    clock.time += ORPHAN_AGE + timedelta(minutes=1)
    assert delete_orphan_files(context) == 2
    assert [file.name for file in folder.iterdir()] == [f"{stored}.jpg"]
    assert delete_orphan_files(context) == 0


def test_a_clock_change_does_not_delete_new_uploads(context: AppContext, clock: Clock) -> None:
    clock.time = datetime.now(UTC)
    game, cleanup = new_game(context), OrphanCleanup()
    context.photos.put(game, "orphan", b"x")
    with store_file(context, game, png(1)) as stored:
        clock.forward(hours=2)
        assert cleanup(context) == 0
        with context.database.writing() as session:
            insert_row(context, session, stored, PhotoTarget(game), ORGANISER, clock())
    assert cleanup(context) == 1
    assert [photo for _, photo, _ in context.photos.names()] == [stored.id]


def test_a_broken_game_does_not_stop_the_deletion_for_others(context: AppContext, clock: Clock) -> None:
    games = [new_game(context, State.PUBLISHED, keep_hours=5) for _ in range(3)]
    photos = [filed(context, game, envelope=1) for game in games]
    set_game(context, games[1], published=datetime(9999, 12, 31, tzinfo=UTC))
    clock.forward(hours=5)
    assert delete_expired_images(context) == 2
    assert [is_there(context, game, photo) for game, photo in zip(games, photos, strict=True)] == [False, True, False]


HEIC = b"\0\0\0\x18ftypheicthe place"
"""The start of a HEIC file, invalid, with personal data."""


@pytest.mark.parametrize("data", [HEIC, b"II*\0the place", b"%PDF-1.4 the place"])
def test_unreadable_photos_lose_their_metadata(context: AppContext, clock: Clock, data: bytes) -> None:
    game = new_game(context)
    photo = accept(context, PhotoTarget(game), data, ORGANISER).id
    assert delete_unreadable_images(context) == 0
    set_photo(context, photo, state="failed", reason="truncated", scanned=clock())
    out = io.BytesIO()
    export_game(context, game, out)
    assert b"the place" not in out.getvalue()
    assert context.photos.get(game, photo) == data
    assert [delete_unreadable_images(context) for _ in range(2)] == [1, 0]
    assert context.photos.get(game, photo) is None
    with context.database.reading() as session:
        row = session.get_one(Photo, photo)
    assert (row.state, row.reason, row.image_deleted_at) == ("failed", "truncated", clock())
    again = accept(context, PhotoTarget(game), data, ORGANISER)
    assert again.id != photo
    assert accept(context, PhotoTarget(game), data, ORGANISER).id == again.id


def test_metadata_is_removed_once_and_the_photo_stays(context: AppContext) -> None:
    game = new_game(context)
    photo = accept(context, PhotoTarget(game), png(1), ORGANISER).id
    set_photo(context, photo, state="failed")
    assert delete_unreadable_images(context) == 0
    assert context.photos.get(game, photo)
    context.photos.put(game, photo, HEIC)
    assert delete_unreadable_images(context) == 0
