"""The place for photographs does not answer: nothing is half done, nothing is lost, and later all of it goes on."""

from __future__ import annotations

import errno
import logging
import os
import threading
import time
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from server.jobs.scanning import ScanPool
from server.play import service as service_module
from server.play.games import delete_game
from server.play.house import House
from server.play.intake import Where, accept
from server.play.refusals import Refusal
from server.play.retention import erase_due, sweep
from server.play.service import ScanService
from server.play.states import State
from server.store.files import PlaceError
from server.store.photos import PhotoStore
from server.store.tables import Game, Photo
from tests.buckets import a_bucket, detour, impatient
from tests.house import ORGANISER, new_game
from tests.jobs.scan_jobs import obey, png
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.engines.detour import Detour
    from tests.engines.festival import Festival
    from tests.house import Clock


@pytest.fixture
def way(festival: Festival, monkeypatch: pytest.MonkeyPatch) -> Iterator[Detour]:
    """Give a way to the S3 that can be made to fail."""
    a_bucket(festival)
    yield from detour(festival, monkeypatch)


@pytest.fixture
def far(house: House, festival: Festival, clock: Clock, way: Detour, monkeypatch: pytest.MonkeyPatch) -> House:
    """Return the house with its photographs in the S3."""
    way.through()
    impatient(monkeypatch)
    return House(house.database, PhotoStore.at(a_bucket(festival)), clock)


def row(house: House, photo: str) -> Photo:
    """Return a photograph's row."""
    with house.database.reading() as session:
        return session.get_one(Photo, photo)


def test_a_picture_is_refused_for_now(far: House, way: Detour) -> None:
    """Nothing of it is kept; the same one sent again is taken."""
    game = new_game(far)
    way.hang()
    with pytest.raises(Refusal, match="does not answer") as refused:
        accept(far, Where(game), png(1), ORGANISER)
    assert (refused.value.slug, refused.value.retry) == ("busy", 10)
    with far.database.reading() as session:
        assert session.scalars(select(Photo)).all() == []
    way.tear()
    way.through()
    photo = accept(far, Where(game), png(1), ORGANISER)
    assert far.photos.get(game, photo.id)


def test_a_scan_waits_and_costs_no_try(
    far: House, way: Detour, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A place that does not answer is never taken for a picture that was deleted."""
    monkeypatch.setattr(service_module, "_AWAY_PAUSE", 0.02)
    game = new_game(far)
    photo = accept(far, Where(game), png(1), ORGANISER).id
    way.tear()
    service = ScanService(far, ScanPool(None, workers=1, job=obey), lease=1.0, poll=0.1)
    with caplog.at_level(logging.ERROR, logger="server.play.service"):
        service.start()
        try:
            until(lambda: caplog.text.count("has to wait") >= 5)
            found = row(far, photo)
            assert found.state in {"waiting", "scanning"}
            assert found.attempts <= 1
            assert found.reason is None
            way.through()
            until(lambda: row(far, photo).state == "done")
        finally:
            service.close()
    assert row(far, photo).attempts == 1


def test_one_that_cannot_be_fetched_keeps_no_other_waiting(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """However many come after it, and however often it fails: it waits for a while, and is tried again."""
    monkeypatch.setattr(service_module, "_AWAY_PAUSE", 0.2)
    game = new_game(house)
    bad, *good = [accept(house, Where(game, place=number), png(number), ORGANISER).id for number in range(1, 9)]
    get, broken = house.photos.get, threading.Event()
    broken.set()

    def unread(game: str, photo: str) -> bytes | None:
        if photo == bad and broken.is_set():
            raise PlaceError(errno.EIO, os.strerror(errno.EIO))
        return get(game, photo)

    monkeypatch.setattr(house.photos, "get", unread)
    monkeypatch.setattr(house.photos, "at_hand", lambda *_: None)
    service = ScanService(house, ScanPool(None, workers=1, job=obey), lease=1.0, poll=0.05)
    with caplog.at_level(logging.ERROR, logger="server.play.service"):
        service.start()
        try:
            until(lambda: all(row(house, photo).state == "done" for photo in good))
            until(lambda: caplog.text.count(f"photograph {bad} of game {game} has to wait") >= 2)
            broken.clear()
            until(lambda: row(house, bad).state == "done")
        finally:
            service.close()
    assert row(house, bad).attempts == 1


def test_a_place_that_does_not_answer_is_left_alone_for_a_while(
    far: House, way: Detour, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After one that failed each thread waits: nothing is gained by asking on and on."""
    monkeypatch.setattr(service_module, "_AWAY_PAUSE", 600.0)
    game = new_game(far)
    photos = [accept(far, Where(game), png(number), ORGANISER).id for number in range(1, 5)]
    way.tear()
    service = ScanService(far, ScanPool(None, workers=1, job=obey), lease=1.0, poll=0.05)
    with caplog.at_level(logging.ERROR, logger="server.play.service"):
        service.start()
        try:
            until(lambda: caplog.text.count("has to wait") == 1)
            until(lambda: all(row(far, photo).state == "waiting" for photo in photos))
            # Long enough for many more, if they were tried.
            time.sleep(2.0)
        finally:
            service.close()
    assert caplog.text.count("has to wait") == 1


def test_what_is_due_waits(far: House, way: Detour, clock: Clock) -> None:
    """No row says that a picture was deleted which is still there; a sweep deletes nothing either."""
    game = new_game(far, keep_hours=1)
    photo = accept(far, Where(game), png(1), ORGANISER).id
    with far.database.writing() as session:
        found = session.get_one(Photo, photo)
        found.source, found.envelope, found.state, found.scanned = "player", 1, "done", clock()
    clock.forward(hours=2)
    way.tear()
    for chore in (erase_due, sweep):
        with pytest.raises(PlaceError):
            chore(far)
    assert row(far, photo).erased is None
    way.through()
    assert far.photos.get(game, photo)
    assert erase_due(far) == 1
    assert far.photos.get(game, photo) is None
    assert row(far, photo).erased


def test_a_game_is_deleted_all_the_same(far: House, way: Detour, clock: Clock) -> None:
    """Its rows go; its pictures go with the next sweep."""
    game = new_game(far)
    photo = accept(far, Where(game), png(1), ORGANISER).id
    with far.database.writing() as session:
        session.get_one(Game, game).state = State.PUBLISHED
    way.tear()
    delete_game(far, game, ORGANISER)
    way.through()
    assert far.photos.get(game, photo)
    clock.forward(days=20_000)
    assert sweep(far) == 1
    assert far.photos.get(game, photo) is None
