"""The scan service: photographs are scanned in spite of crashes and failures."""

from __future__ import annotations

import errno
import io
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from sqlalchemy import select

from cardgen.cards import CardId
from devtools.photo_simulator.cards import printed_faces
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from server.db.models import Deck, Game, GameEvent, Photo
from server.games.context import AppContext
from server.games.errors import DomainError
from server.games.lifecycle.commands import delete_game
from server.games.lifecycle.repository import printed_game_of
from server.games.lifecycle.states import State
from server.games.photos import scan_service as service_module
from server.games.photos.readings import reading_of
from server.games.photos.retention import delete_expired_images
from server.games.photos.scan_pool import ScannedPage, ScanPool, read_and_convert
from server.games.photos.scan_service import ScanService
from server.games.photos.upload import PhotoTarget, accept
from server.storage.base import StorageError
from server.storage.photo_store import PhotoStore
from server.workers.lease_queue import MAX_ATTEMPTS
from tests.buckets import bucket_url, proxied_s3, shorten_timeouts
from tests.context import ORGANISER, START, Clock, delete_orphan_files, new_game
from tests.engines.cluster import Cluster
from tests.engines.flaky_proxy import FlakyProxy
from tests.forked import forkserver  # noqa: F401 - a fixture
from tests.players import set_game
from tests.scan_jobs import CRASH, REFUSE, SLEEP, moody, obey, png, slow
from tests.scanner import hostile_files as hostile
from tests.waiting import LIMIT, until

Job = Callable[..., ScannedPage]
Start = Callable[..., ScanService]

pytestmark = pytest.mark.usefixtures("forkserver")


@pytest.fixture
def start(context: AppContext) -> Iterator[Start]:
    """Start services, of this server or another, that are closed after the test."""
    running = []

    def begin(job: Job = obey, *, of: AppContext = context, seconds: float = 25.0, **options: Any) -> ScanService:  # noqa: ANN401 - a service's own
        pool = ScanPool(None, workers=1, seconds=seconds, job=job)
        service = ScanService(of, pool, **{"lease": 1.0, "poll": 0.2, **options})
        running.append(service)
        service.start()
        return service

    yield begin
    for service in running:
        service.close()


def rows(context: AppContext, *photos: str) -> list[Photo]:
    with context.database.reading() as session:
        return [session.get_one(Photo, photo) for photo in photos]


def scanned(context: AppContext, *photos: str) -> list[tuple[str, str | None, int]]:
    """Wait until photographs are done or failed; return state, reason and attempts of each."""
    until(lambda: all(row.state in {"done", "failed"} for row in rows(context, *photos)), 2 * LIMIT)
    return [(row.state, row.reason, row.attempts) for row in rows(context, *photos)]


def sent(context: AppContext, game: str, *numbers: int) -> list[str]:
    return [accept(context, PhotoTarget(game), png(number), ORGANISER).id for number in numbers]


def player_deck(context: AppContext, game: str, envelope: int = 1) -> PhotoTarget:
    with context.database.writing() as session:
        session.add(Deck(id=f"{envelope:032}", game=game, envelope=envelope, state="open", created=context.clock()))
    return PhotoTarget(game, envelope=envelope, deck=f"{envelope:032}")


def photo_of(context: AppContext, game: str, *cards: CardId) -> bytes:
    with context.database.reading() as session:
        printed = printed_game_of(session.get_one(Game, game))
    scene = replace(SCENES["nominal"], width=1600, height=1200)
    return photograph(printed_faces(printed, cards, 150), scene, "tests/service").jpeg


def test_photos_are_scanned_with_the_key_of_their_game(context: AppContext, start: Start) -> None:
    cards = (CardId("red", 1), CardId("blue", 2), CardId("rule-7", 1))
    game, other = new_game(context), new_game(context, edition="sackson-1969", players=8)
    good = photo_of(context, game, *cards)
    mine, foreign = (accept(context, PhotoTarget(one, name="a.jpg"), good, ORGANISER).id for one in (game, other))
    finders = accept(context, player_deck(context, game, 1), hostile.png_of_finders(), ORGANISER).id
    start(read_and_convert)
    result = scanned(context, mine, foreign, finders)
    assert result == [("done", None, 1), ("done", None, 1), ("failed", "too-many-codes", 1)]
    first, second = (reading_of(row.scan_result, "", b"") for row in rows(context, mine, foreign))
    assert first.cards == ("blue-002", "red-001", "rule-7-001")
    assert (second.cards, {code.status for code in second.codes}) == ((), {"other-game"})
    with context.database.reading() as session:
        assert session.query(GameEvent).filter_by(game=other, topic="photos").count() == 3, "subscribers are notified"


def test_other_formats_are_converted_to_jpeg_without_metadata(context: AppContext, start: Start) -> None:
    game = new_game(context)
    photos = []
    for name in ("HEIF", "TIFF"):
        exif = Image.Exif()
        exif[0x010F] = "the maker's name"
        file = io.BytesIO()
        Image.new("RGB", (90, 60), "white").save(file, name, exif=exif)
        assert b"maker" in file.getvalue()
        photos.append(accept(context, PhotoTarget(game), file.getvalue(), ORGANISER).id)
    start(read_and_convert)
    scanned(context, *photos)
    for row in rows(context, *photos):
        stored = context.photos.get(game, row.id)
        assert stored
        assert row.size == len(stored)
        assert b"maker" not in stored
        with Image.open(io.BytesIO(stored)) as picture:
            assert (picture.format, picture.size) == ("JPEG", (90, 60))


def test_a_bad_photo_fails_and_the_next_is_scanned(
    context: AppContext, start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = new_game(context)
    # A worker without access to the file gets its contents.
    monkeypatch.setattr(context.photos, "local_path", lambda *_: tmp_path / "elsewhere.jpg")
    photos = sent(context, game, CRASH, REFUSE, 2, 1)
    context.photos.delete(game, photos[2])
    # A player's photo has a shorter limit than 25 seconds.
    monkeypatch.setattr(service_module, "PLAYER_SECONDS", 0.5)
    photos.append(accept(context, player_deck(context, game), png(SLEEP), ORGANISER).id)
    start(moody)
    assert scanned(context, *photos) == [
        ("failed", "crashed", MAX_ATTEMPTS),
        ("failed", "truncated", 1),
        ("failed", "missing", 1),
        ("done", None, 1),
        ("failed", "too-slow", 1),
    ]
    assert rows(context, photos[-1])[0].seconds < 20


@pytest.mark.parametrize("backend", ["single", "cluster"], indirect=True)
def test_photos_uploaded_to_any_process_are_scanned_at_once(context: AppContext, start: Start) -> None:
    """A notification wakes the scanner, which otherwise polls the queue every ten minutes."""
    game = new_game(context)
    start(poll=600.0)
    taking = AppContext(context.database, context.photos, context.clock) if context.database.is_shared else context
    for number in range(2):
        assert scanned(context, *sent(taking, game, number)) == [("done", None, 1)]


def test_a_scan_interrupted_by_a_shutdown_returns_to_the_queue(context: AppContext, start: Start) -> None:
    photos = sent(context, new_game(context), 0, 1, 2)
    service = start(slow)
    until(lambda: [row.state for row in rows(context, *photos)].count("scanning") == 2)
    service.close()
    assert [(row.state, row.attempts) for row in rows(context, *photos)] == [("waiting", 0)] * 3


def test_scans_continue_after_the_machine_was_suspended(context: AppContext, start: Start) -> None:
    (photo,) = sent(context, new_game(context), SLEEP)
    service = start(moody)
    until(lambda: rows(context, photo)[0].state == "scanning")
    for _ in range(3):
        with context.database.writing() as session:
            row = session.get_one(Photo, photo)
            row.lease = START - timedelta(days=9999)
        assert not service.scan_next()
    (again,) = rows(context, photo)
    assert (again.token, again.attempts) == (row.token, 1)


def test_a_claim_is_renewed_only_for_the_time_limit_of_a_scan(
    context: AppContext, start: Start, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service_module, "MAX_SECONDS", 1.0)
    answers, hangs = threading.Event(), threading.Event()
    remote = AppContext(context.database, PhotoStore(context.photos.files), clock)

    def hang(*_: str) -> None:
        hangs.set()
        answers.wait(LIMIT)

    monkeypatch.setattr(remote.photos, "local_path", hang)
    (photo,) = sent(context, new_game(context), 1)
    start(of=remote, lease=0.5, poll=0.1)
    assert hangs.wait(LIMIT)
    start()
    [(state, lease, attempts)] = scanned(context, photo)
    assert (state, lease) == ("done", None)
    # The hanging service may also have claimed it again.
    assert attempts in {2, 3}
    answers.set()


def test_a_photo_that_cannot_be_fetched_does_not_delay_others(
    context: AppContext, start: Start, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(service_module, "_STORAGE_PAUSE", 0.2)
    game = new_game(context)
    bad, *good = sent(context, game, *range(1, 6))
    get, broken = context.photos.get, threading.Event()
    broken.set()

    def unread(game: str, photo: str) -> bytes | None:
        if photo == bad and broken.is_set():
            raise StorageError(errno.EIO, os.strerror(errno.EIO))
        return get(game, photo)

    monkeypatch.setattr(context.photos, "get", unread)
    monkeypatch.setattr(context.photos, "local_path", lambda *_: None)
    with caplog.at_level(logging.ERROR, logger="server.games.photos.scan_service"):
        start(poll=0.05)
        assert set(scanned(context, *good)) == {("done", None, 1)}
        until(lambda: caplog.text.count(f"photograph {bad} of game {game} has to wait") >= 2)
        broken.clear()
        assert scanned(context, bad) == [("done", None, 1)]


@pytest.fixture
def proxy(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> Iterator[FlakyProxy]:
    """Provide a proxy to S3 that can be made to fail."""
    bucket_url(cluster)
    yield from proxied_s3(cluster, monkeypatch)


@pytest.fixture
def remote(
    context: AppContext, cluster: Cluster, clock: Clock, proxy: FlakyProxy, monkeypatch: pytest.MonkeyPatch
) -> AppContext:
    """Return an application context with photos in S3."""
    proxy.forward()
    shorten_timeouts(monkeypatch)
    return AppContext(context.database, PhotoStore.at(bucket_url(cluster)), clock)


def test_uploads_are_refused_while_s3_is_unavailable(remote: AppContext, proxy: FlakyProxy, clock: Clock) -> None:
    game, gone = new_game(remote, keep_hours=1), new_game(remote)
    (photo,), (left,) = sent(remote, game, 1), sent(remote, gone, 1)
    with remote.database.writing() as session:
        found = session.get_one(Photo, photo)
        found.source, found.envelope, found.state, found.scanned = "player", 1, "done", clock()
    set_game(remote, gone, state=State.PUBLISHED)
    clock.forward(hours=2)
    proxy.hang()
    with pytest.raises(DomainError, match="does not answer") as refused:
        sent(remote, game, 2)
    assert (refused.value.slug, refused.value.retry) == ("busy", 10)
    with remote.database.reading() as session:
        assert set(session.scalars(select(Photo.id))) == {photo, left}
    proxy.reset()
    for task in (delete_expired_images, delete_orphan_files):
        with pytest.raises(StorageError):
            task(remote)
    assert rows(remote, photo)[0].image_deleted_at is None
    delete_game(remote, gone, ORGANISER)
    proxy.forward()
    assert remote.photos.get(game, photo)
    assert sent(remote, game, 2)
    assert delete_expired_images(remote) == 1
    assert remote.photos.get(game, photo) is None
    assert rows(remote, photo)[0].image_deleted_at
    clock.forward(days=20_000)
    assert remote.photos.get(gone, left)
    assert delete_orphan_files(remote) == 1
    assert remote.photos.get(gone, left) is None


def test_scans_wait_while_s3_is_unavailable(
    remote: AppContext,
    start: Start,
    proxy: FlakyProxy,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Each failure pauses all requests for a while, and no photo loses an attempt."""
    monkeypatch.setattr(service_module, "_STORAGE_PAUSE", 0.4)
    photos = sent(remote, new_game(remote), 1, 2, 3, 4)
    proxy.reset()
    with caplog.at_level(logging.ERROR, logger="server.games.photos.scan_service"):
        began = time.monotonic()
        start(of=remote, poll=0.05)
        until(lambda: caplog.text.count("has to wait") >= 3)
        assert time.monotonic() - began >= 2 * 0.4
        for row in rows(remote, *photos):
            assert row.state in {"waiting", "scanning"}
            assert (row.attempts <= 1, row.reason) == (True, None)
        proxy.forward()
        assert set(scanned(remote, *photos)) == {("done", None, 1)}
