"""The scan service: photographs that came in are read, whatever happens meanwhile."""

from __future__ import annotations

import io
import threading
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image
from sqlalchemy.exc import OperationalError

from cardgen.cards import CardId
from devtools.photo_simulator.cards import printed_faces
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES
from server.jobs import queue
from server.jobs.queue import TRIES
from server.jobs.readings import reading_of
from server.jobs.scan_worker import read_and_develop
from server.jobs.scanning import ScanPool
from server.play import service as service_module
from server.play.house import House, printed_game
from server.play.intake import Where, accept
from server.play.service import ScanService
from server.store.database import Database
from server.store.photos import PhotoStore
from server.store.tables import Change, Deck, Game, Photo
from tests.house import ORGANISER, START, new_game
from tests.jobs.scan_jobs import CRASH, REFUSE, SLEEP, moody, obey, png, slow
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from server.jobs.scan_worker import Job
    from tests.house import Clock

LIMIT = 60.0


@pytest.fixture
def start(house: House) -> Iterator[Callable[..., ScanService]]:
    """Start services that are closed after the test."""
    running = []

    def begin(job: Job = obey, *, seconds: float = 25.0, poll: float = 0.2) -> ScanService:
        pool = ScanPool(None, workers=1, seconds=seconds, job=job)
        service = ScanService(house, pool, lease=1.0, poll=poll)
        running.append(service)
        service.start()
        return service

    yield begin
    for service in running:
        service.close()


def scanned(house: House, photo: str) -> Photo:
    """Wait until a photograph is done or failed, and return its row."""
    deadline = time.monotonic() + LIMIT
    while True:
        with house.database.reading() as session:
            row = session.get_one(Photo, photo)
        if row.state in {"done", "failed"}:
            return row
        assert time.monotonic() < deadline, row.state
        time.sleep(0.05)


def states(house: House, photos: Sequence[str]) -> list[str]:
    """Return where photographs stand."""
    with house.database.reading() as session:
        return [session.get_one(Photo, photo).state for photo in photos]


def test_a_picture_that_a_worker_cannot_open_is_sent_to_it(
    house: House, start: Callable[..., ScanService], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As where a worker may not read what the server may; one that is gone altogether was deleted."""
    game = new_game(house)
    photo, gone = (accept(house, Where(game), png(number), ORGANISER).id for number in (1, 2))
    house.photos.delete(game, gone)
    monkeypatch.setattr(house.photos, "at_hand", lambda *_: tmp_path / "elsewhere.jpg")
    start(obey)
    assert scanned(house, photo).state == "done"
    failed = scanned(house, gone)
    assert (failed.state, failed.reason) == ("failed", "missing")


def deck_of(house: House, game: str, cards: tuple[CardId, ...]) -> bytes:
    """Photograph cards of a game; the JPEG's bytes."""
    with house.database.reading() as session:
        printed = printed_game(session.get_one(Game, game))
    faces = printed_faces(printed, cards, 150)
    return photograph(faces, SCENES["nominal"], "tests/service").jpeg


def test_a_photograph_becomes_a_reading(house: House, start: Callable[..., ScanService]) -> None:
    """What comes in is scanned with its own game's key, at once, and watchers are told."""
    start(read_and_develop)
    cards = (CardId("red", 1), CardId("blue", 2), CardId("rule-7", 1))
    games = [new_game(house), new_game(house, edition="sackson-1969", players=8)]
    photo = accept(house, Where(games[0], name="a.jpg"), deck_of(house, games[0], cards), ORGANISER)
    other = accept(house, Where(games[1], name="a.jpg"), deck_of(house, games[0], cards), ORGANISER)
    row = scanned(house, photo.id)
    assert row.state == "done"
    assert row.attempts == 1
    assert row.lease is None
    assert row.reading
    assert reading_of(row.reading, "", b"").cards == ("blue-002", "red-001", "rule-7-001")
    second = scanned(house, other.id)
    assert second.reading
    assert reading_of(second.reading, "", b"").cards == ()
    assert {code.status for code in reading_of(second.reading, "", b"").codes} == {"other-game"}
    with house.database.reading() as session:
        assert session.query(Change).filter_by(game=games[0], topic="photos").count() == 3


def test_other_formats_become_jpegs_as_they_are_scanned(house: House, start: Callable[..., ScanService]) -> None:
    """A HEIC or TIFF picture is kept as a JPEG of the same size, without what it told of its camera."""
    start(read_and_develop)
    game = new_game(house)
    for name in ("HEIF", "TIFF"):
        exif = Image.Exif()
        exif[0x010F] = "the maker's name"
        file = io.BytesIO()
        Image.new("RGB", (90, 60), "white").save(file, name, exif=exif)
        photo = accept(house, Where(game), file.getvalue(), ORGANISER)
        row = scanned(house, photo.id)
        kept = house.photos.get(game, photo.id)
        assert kept
        assert row.size == len(kept)
        assert b"maker" in file.getvalue()
        assert b"maker" not in kept
        with Image.open(io.BytesIO(kept)) as picture:
            assert picture.format == "JPEG"
            assert picture.size == (90, 60)


@pytest.mark.parametrize(
    ("number", "reason", "attempts", "seconds"),
    [(CRASH, "crashed", TRIES, 25), (SLEEP, "too-slow", 1, 2), (REFUSE, "truncated", 1, 25)],
)
def test_a_bad_picture_fails_visibly(
    house: House, start: Callable[..., ScanService], number: int, reason: str, attempts: int, seconds: float
) -> None:
    """What ends its scanner is tried three times, what takes too long or is no picture once; the next one is read."""
    start(moody, seconds=seconds)
    game = new_game(house)
    bad = accept(house, Where(game), png(number), ORGANISER)
    good = accept(house, Where(game), png(1), ORGANISER)
    row = scanned(house, bad.id)
    assert (row.state, row.reason, row.attempts, row.lease) == ("failed", reason, attempts, None)
    assert scanned(house, good.id).state == "done"


def test_a_players_picture_has_less_time_than_an_organisers(
    house: House, start: Callable[..., ScanService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It fails long before the time is over that any scan may take."""
    monkeypatch.setattr(service_module, "PLAYER_SECONDS", 0.5)
    start(moody)
    game = new_game(house)
    with house.database.writing() as session:
        session.add(Deck(id="d", game=game, envelope=1, state="open", cards=None, created=house.clock()))
    row = scanned(house, accept(house, Where(game, envelope=1, deck="d"), png(SLEEP), ORGANISER).id)
    assert (row.state, row.reason) == ("failed", "too-slow")
    assert row.seconds < 20


def test_a_picture_that_was_deleted_fails(house: House, start: Callable[..., ScanService]) -> None:
    """A row whose picture is gone does not wait for ever."""
    game = new_game(house)
    photo = accept(house, Where(game), png(1), ORGANISER)
    house.photos.delete(game, photo.id)
    start()
    row = scanned(house, photo.id)
    assert (row.state, row.reason) == ("failed", "missing")


def test_two_processes_share_the_work(house: House, start: Callable[..., ScanService], clock: Clock) -> None:
    """Two services on one database scan each picture once, whichever of them it came to."""
    game = new_game(house)
    start(obey)
    address = house.database.engine.url.render_as_string(hide_password=False)
    other = House(Database(address), house.photos, clock)
    service = ScanService(other, ScanPool(None, workers=1, job=obey), lease=1.0, poll=0.1)
    service.start()
    photos = [accept(one, Where(game), png(number), ORGANISER) for number, one in enumerate([house, other] * 10)]
    rows = [scanned(house, photo.id) for photo in photos]
    service.close()
    other.database.close()
    assert {(row.state, row.attempts) for row in rows} == {("done", 1)}


def test_a_picture_is_read_at_once(house: House, start: Callable[..., ScanService]) -> None:
    """Who waits for a picture does not wait for the next look at the queue: the bell wakes the scanner."""
    game = new_game(house)
    start(obey, poll=600.0)
    for number in range(3):
        assert scanned(house, accept(house, Where(game), png(number), ORGANISER).id).state == "done"


def test_a_scan_that_is_broken_off_by_the_end_of_the_server_is_put_back(
    house: House, start: Callable[..., ScanService]
) -> None:
    """It has lost no try, and whatever else waited still does."""
    game = new_game(house)
    photos = [accept(house, Where(game), png(number), ORGANISER).id for number in range(3)]
    service = start(slow)
    until(lambda: states(house, photos).count("scanning") == 1)
    service.close()
    assert states(house, photos) == ["waiting"] * 3
    with house.database.reading() as session:
        assert [session.get_one(Photo, photo).attempts for photo in photos] == [0] * 3


def test_a_machine_that_was_asleep_goes_on_with_its_scans(house: House, start: Callable[..., ScanService]) -> None:
    """Its leases are over by the clock of the database: its other threads renew them instead of scanning again."""
    photo = accept(house, Where(new_game(house)), png(SLEEP), ORGANISER).id
    service = start(moody)
    until(lambda: states(house, [photo]) == ["scanning"])
    for _ in range(3):
        with house.database.writing() as session:
            row = session.get_one(Photo, photo)
            row.lease = START - timedelta(days=9999)
        assert not service.scan_next()
    with house.database.reading() as session:
        again = session.get_one(Photo, photo)
    assert (again.token, again.attempts) == (row.token, 1)


def test_a_place_that_hangs_keeps_no_picture(
    house: House, start: Callable[..., ScanService], clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim is renewed for as long as a scan may take and no longer: then another process scans the picture."""
    monkeypatch.setattr(service_module, "LONGEST", 1.0)
    answers, hangs = threading.Event(), threading.Event()
    far = House(house.database, PhotoStore(house.photos.files), clock)

    def hang(*_: str) -> None:
        hangs.set()
        answers.wait(LIMIT)

    monkeypatch.setattr(far.photos, "at_hand", hang)
    hung = ScanService(far, ScanPool(None, workers=1, job=obey), lease=0.5, poll=0.1)
    hung.start()
    photo = accept(house, Where(new_game(house)), png(1), ORGANISER).id
    far.bell.ring()
    assert hangs.wait(LIMIT)
    start(obey)
    row = scanned(house, photo)
    answers.set()
    hung.close()
    assert (row.state, row.attempts) == ("done", 2)


def test_what_could_not_be_noted_is_noted_later(
    house: House, start: Callable[..., ScanService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database takes nothing (a full disk), a scan's outcome waits; it is not scanned again."""
    real, failures = queue.finish, [2]

    def full(*arguments: Any, **named: Any) -> bool:  # noqa: ANN401 - as the function takes them
        if failures[0]:
            failures[0] -= 1
            raise OperationalError("", {}, Exception("database or disk is full"))
        return real(*arguments, **named)

    monkeypatch.setattr(queue, "finish", full)
    monkeypatch.setattr(service_module, "_PAUSE", 0.05)
    start(obey)
    row = scanned(house, accept(house, Where(new_game(house)), png(1), ORGANISER).id)
    assert (row.state, row.attempts, failures) == ("done", 1, [0])


@pytest.mark.parametrize("place", ["festival"], indirect=True)
def test_a_picture_that_another_process_takes_in_is_read_at_once(
    house: House, start: Callable[..., ScanService]
) -> None:
    """Processes that share a PostgreSQL wake each other."""
    start(obey, poll=600.0)
    other = House(house.database, house.photos, house.clock)
    game = new_game(house)
    for number in range(3):
        assert scanned(house, accept(other, Where(game), png(number), ORGANISER).id).state == "done"
