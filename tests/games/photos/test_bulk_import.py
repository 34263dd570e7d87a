"""Import of a folder of photographs: in order, each file once, despite errors."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from scanner.image.load import pictures_in
from server.db.models import Photo
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.repository import load_game
from server.games.lifecycle.states import State
from server.games.photos import bulk_import
from server.games.photos.bulk_import import FileOutcome, import_folder
from server.games.photos.upload import PhotoTarget, accept
from server.games.review.progress import FollowedPhotos, summarise_batch
from tests.context import ORGANISER, new_game
from tests.fake_scan_pool import picture
from tests.players import dealt, set_game
from tests.readings import add_photo, reading

MANY = 70
"""More than are imported concurrently."""
MOST = 100_000


@pytest.fixture
def game(context: AppContext) -> str:
    return new_game(context, State.CLOSED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    photos = tmp_path / "in"
    photos.mkdir()
    for number in range(1, MANY + 1):
        (photos / f"IMG_{number}.png").write_bytes(picture({"cards": [], "labels": [number]}))
    return photos


def taking(context: AppContext, game: str, folder: Path) -> Generator[FileOutcome]:
    return import_folder(context, game, pictures_in(folder), ORGANISER, MOST)


def imported(context: AppContext, game: str) -> list[str]:
    """Return the names of a game's photos in order of import, after checking that exactly their files exist."""
    with context.database.reading() as session:
        rows = session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.created, Photo.place)).all()
    assert {photo for _, photo, _ in context.photos.names()} == {row.id for row in rows}
    assert all(len(context.photos.get(game, row.id) or b"") == row.size for row in rows)
    return [row.name for row in rows]


def test_photos_are_imported_once_and_in_order(context: AppContext, game: str, folder: Path) -> None:
    names = [f"IMG_{number}.png" for number in range(1, MANY + 1)]
    first = taking(context, game, folder)
    outcomes = [next(first)]
    # A photo that an organiser has uploaded in the meantime is skipped.
    sent = accept(context, PhotoTarget(game, batch="desk", name="x.png"), (folder / names[-1]).read_bytes(), ORGANISER)
    outcomes += first
    assert [(one.file, one.fresh) for one in outcomes] == [(name, name != names[-1]) for name in names]
    assert outcomes[-1].photo == sent.id
    assert sorted(imported(context, game)) == sorted([*names[:-1], "x.png"])
    assert not any(one.fresh for one in taking(context, game, folder)), "a second go"


@pytest.mark.parametrize("after", [1, 33, MANY - 1])
def test_an_interrupted_import_continues(context: AppContext, game: str, folder: Path, after: int) -> None:
    first = taking(context, game, folder)
    result = [next(first).file for _ in range(after)]
    first.close()
    there = imported(context, game)
    assert there[:after] == result
    assert len(there) < after + bulk_import.ROWS_PER_TRANSACTION
    rest = [one.file for one in taking(context, game, folder) if one.fresh]
    assert len(rest) == MANY - len(there)
    assert sorted(imported(context, game)) == sorted(there + rest)


def test_invalid_and_duplicate_files_do_not_stop_the_import(context: AppContext, game: str, folder: Path) -> None:
    (folder / "IMG_7.png").write_bytes(b"no picture")
    (folder / "IMG_8.png").write_bytes(bytes(MOST + 1))
    (folder / "IMG_9.png").unlink()
    (folder / "IMG_9.png").mkdir()
    copies = [f"IMG_{number}.png" for number in (2, 3, MANY)]
    for copy in copies:
        (folder / copy).write_bytes((folder / "IMG_1.png").read_bytes())
    outcomes = {one.file: one for one in taking(context, game, folder)}
    refused = {name: one.reason for name, one in outcomes.items() if one.photo is None}
    assert refused == {"IMG_7.png": "not-a-picture", "IMG_8.png": "too-many-bytes"}
    first = outcomes["IMG_1.png"]
    assert first.fresh
    assert {(outcomes[copy].photo, outcomes[copy].fresh) for copy in copies} == {(first.photo, False)}
    assert len(imported(context, game)) == MANY - 6


@pytest.mark.parametrize("reason", ["wrong-state", "disk-full", "too-many-photos"])
def test_a_fatal_error_ends_the_import_without_leftover_files(
    context: AppContext, game: str, folder: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    """The game is frozen, the database full, or the game has too many photos."""
    insert, rows = bulk_import.insert_row, list[str]()

    def full(*args: Any) -> Photo:  # noqa: ANN401 - as they come
        photo = insert(*args)
        rows.append(photo.id)
        if len(rows) > bulk_import.ROWS_PER_TRANSACTION:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise OperationalError("INSERT", {}, error)
        return photo

    if reason == "disk-full":
        monkeypatch.setattr(bulk_import, "insert_row", full)
    elif reason == "too-many-photos":
        monkeypatch.setattr("server.games.photos.upload.MAX_PER_GAME", 40)
    going = taking(context, game, folder)
    outcomes = [next(going)]
    if reason == "wrong-state":
        set_game(context, game, state=State.FROZEN)
    outcomes += going
    assert [one.reason for one in outcomes] == [""] * (len(outcomes) - 1) + [reason]
    assert len(imported(context, game)) == len(outcomes) - 1 < MANY
    assert reason != "too-many-photos" or len(outcomes) == 41


@pytest.mark.parametrize("state", [State.PRINTED, State.FROZEN])
def test_a_state_without_uploads_is_refused_at_the_start(context: AppContext, folder: Path, state: State) -> None:
    with pytest.raises(DomainError, match="the game must be"):
        list(taking(context, new_game(context, state), folder))


def test_progress_and_results_are_reported(context: AppContext, game: str) -> None:
    hand = dealt(context, game, 3)
    files = {
        add_photo(context, game, reading(hand[:4], [3], doubts=["glare"]), batch="b"): "a.jpg",
        add_photo(context, game, reading(dealt(context, game, 1), [1]), batch="b"): "b.jpg",
        add_photo(context, game, reading(dealt(context, game, 2)[:2]), batch="b"): "c.jpg",
    }
    waiting = add_photo(context, game)
    failed = add_photo(context, game, state="failed", reason="truncated")
    add_photo(context, game)
    following = FollowedPhotos(context, game, {**files, waiting: "d.jpg", failed: "e.jpg"})
    first = following.progress()
    assert (first.waiting, first.done, first.failed, first.doubts, first.read) == (1, 3, 1, 1, 0)
    assert following.failed == {failed: "truncated"}
    with context.database.writing() as session:
        row = session.get_one(Photo, waiting)
        row.state, row.scanned, row.scan_result = "done", context.clock(), reading([], [3]).as_json()
    last = following.progress()
    assert (last.waiting, last.done, last.read) == (0, 4, 1)
    with context.database.reading() as session:
        found = summarise_batch(session, load_game(session, game), files)
    assert [(one.envelope, one.pictures, one.cards) for one in found.envelopes] == [(1, 1, 13), (3, 1, 4)]
    assert found.envelopes[1].doubts > 0
    assert found.unassigned == ("c.jpg",)
