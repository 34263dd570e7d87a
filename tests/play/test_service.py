"""The scan service: photographs that came in are read, whatever happens meanwhile."""

from __future__ import annotations

import io
import os
import signal
import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from PIL import Image
from sqlalchemy.exc import OperationalError

from cardgen.cards import CardId
from server.jobs import queue
from server.jobs.queue import TRIES
from server.jobs.readings import reading_of
from server.jobs.scan_worker import read_and_develop
from server.jobs.scanning import ScanError, ScanPool
from server.play import service as service_module
from server.play.house import House, printed_game
from server.play.intake import Where, accept
from server.play.service import ScanService
from server.store.database import Database
from server.store.tables import Change, Game, Photo
from server.studio.decks import printed_faces
from server.studio.photograph import photograph
from server.studio.profiles import SCENES
from tests.house import ORGANISER, new_game
from tests.jobs.scan_jobs import CRASH, REFUSE, SLEEP, moody, obey, png, slow
from tests.killable import MadeUpPool, picture
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from sqlalchemy.orm import Session

    from cardgen.cards import Game as PrintedGame
    from server.jobs.keeping import Kept
    from server.jobs.scan_worker import Job
    from tests.house import Clock

LIMIT = 60.0


@pytest.fixture
def start(house: House) -> Iterator[Callable[..., ScanService]]:
    """Start services that are closed after the test."""
    running = []

    def begin(job: Job = obey, *, seconds: float = 25.0, poll: float = 0.2) -> ScanService:
        pool = ScanPool(None, workers=1, seconds=seconds, job=job)
        service = ScanService(house, pool, lease=timedelta(seconds=1), poll=poll)
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
    assert reading_of(row.reading).cards == ("blue-002", "red-001", "rule-7-001")
    second = scanned(house, other.id)
    assert second.reading
    assert reading_of(second.reading).cards == ()
    assert {code.status for code in reading_of(second.reading).codes} == {"other-game"}
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
    [(CRASH, "crashed", TRIES, 25), (SLEEP, "too-slow", TRIES, 2), (REFUSE, "truncated", 1, 25)],
)
def test_a_bad_picture_fails_visibly(
    house: House, start: Callable[..., ScanService], number: int, reason: str, attempts: int, seconds: float
) -> None:
    """What ends or stalls its scanner is tried three times, what is no picture once; the next one is read."""
    start(moody, seconds=seconds)
    game = new_game(house)
    bad = accept(house, Where(game), png(number), ORGANISER)
    good = accept(house, Where(game), png(1), ORGANISER)
    row = scanned(house, bad.id)
    assert (row.state, row.reason, row.attempts, row.lease) == ("failed", reason, attempts, None)
    assert scanned(house, good.id).state == "done"


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
    service = ScanService(other, ScanPool(None, workers=1, job=obey), lease=timedelta(seconds=1), poll=0.1)
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


def test_the_next_pictures_are_in_hand_while_one_is_read(house: House, start: Callable[..., ScanService]) -> None:
    """One more than can be read side by side, so that nobody waits for the database; at the end both are given back."""
    game = new_game(house)
    photos = [accept(house, Where(game), png(number), ORGANISER).id for number in range(4)]
    service = start(slow)
    until(lambda: states(house, photos) == ["scanning", "scanning", "waiting", "waiting"])
    service.close()
    assert states(house, photos) == ["waiting"] * 4
    with house.database.reading() as session:
        assert [session.get_one(Photo, photo).attempts for photo in photos] == [0] * 4


def test_a_scan_counts_when_a_process_has_the_picture(house: House, start: Callable[..., ScanService]) -> None:
    """What is in hand beside it was claimed, and is not scanned: where this server is killed, that costs no try."""
    game = new_game(house)
    service = start(slow)
    photos = list[str]()
    for number in range(2):
        photos.append(accept(house, Where(game), png(number), ORGANISER).id)
        until(lambda: states(house, photos) == ["scanning"] * len(photos))
    with house.database.reading() as session:
        rows = [session.get_one(Photo, photo) for photo in photos]
    assert [(row.attempts, row.begun) for row in rows] == [(1, 1), (1, 0)]
    # The first one's process dies, so the second has its turn.
    os.kill(service._pool.pids[0], signal.SIGKILL)

    def noted() -> bool:
        with house.database.reading() as session:
            return session.get_one(Photo, photos[1]).begun == 1

    until(noted)


def test_of_what_waits_at_a_start_only_what_a_process_has_loses_a_try(
    house: House, start: Callable[..., ScanService]
) -> None:
    """All threads see an empty hand then: a picture that ends the server each time costs its neighbour nothing."""
    game = new_game(house)
    photos = [accept(house, Where(game), png(number), ORGANISER).id for number in range(2)]
    service = start(slow)
    until(lambda: states(house, photos) == ["scanning"] * 2)
    until(lambda: bool(service._in_hand._since))
    assert len(service._in_hand._since) == 1
    with house.database.reading() as session:
        begun = {photo: session.get_one(Photo, photo).begun for photo in photos}
    read = {mine.photo for mine in service._in_hand._since}
    assert begun == {photo: int(photo in read) for photo in photos}


def test_what_was_read_is_kept_and_the_next_claimed_in_one_step(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each picture costs one way to the disk; what comes out is the claim of the next one, or none at the end."""
    game = new_game(house)
    photos = [
        accept(house, Where(game), picture({"cards": [], "labels": [number + 1]}), ORGANISER).id for number in range(3)
    ]
    service = ScanService(house, MadeUpPool(None))  # type: ignore[arg-type]  # in place of a pool
    writing = Database.writing
    writes: list[Database] = []

    def counted(database: Database) -> AbstractContextManager[Session]:
        writes.append(database)
        return writing(database)

    monkeypatch.setattr(Database, "writing", counted)
    ways, mine = [], None
    for _ in photos:
        mine = service._scan_next(mine)
        ways.append(len(writes))
    assert mine is None
    assert ways == [2, 3, 4]
    assert states(house, photos) == ["done"] * 3


def test_the_game_of_a_picture_comes_with_its_claim(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each picture is scanned for its own game, of which only that of the first one is asked by itself."""
    games = [new_game(house), new_game(house, players=9)]
    for number, game in enumerate([games[0], games[1], games[1], games[0]]):
        accept(house, Where(game), picture({"cards": [], "labels": [number + 1]}), ORGANISER)
    service = ScanService(house, MadeUpPool(None))  # type: ignore[arg-type]  # in place of a pool
    scans: list[str] = []
    asked: list[str] = []
    scan_for, look = MadeUpPool.scan_for, Database.look

    def scanned_for(pool: MadeUpPool, game: PrintedGame, *rest: Any) -> Kept:  # noqa: ANN401 - as it comes
        scans.append(game.game)
        row = look(house.database, service_module._GAME, {"game": game.game})
        assert row is not None
        assert game == service_module._whole_game(row)
        return scan_for(pool, game, *rest)

    def by_itself(database: Database, question: Any, values: Any = None) -> Any:  # noqa: ANN401 - as it comes
        if question is service_module._GAME:
            asked.append(values["game"])
        return look(database, question, values)

    monkeypatch.setattr(MadeUpPool, "scan_for", scanned_for)
    monkeypatch.setattr(Database, "look", by_itself)
    mine, claimed = service._claim(), []
    while mine:
        claimed.append(mine.game)
        mine = service._scan_next(mine)
    assert scans == claimed
    assert sorted(scans) == sorted(games * 2)
    assert asked == claimed[:1]
    assert not service._games


def test_a_picture_that_another_has_claimed_meanwhile_is_left_to_it(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was read is kept all the same, and the next one is looked for anew."""
    game = new_game(house)
    photos = [
        accept(house, Where(game), picture({"cards": [], "labels": [number + 1]}), ORGANISER).id for number in range(3)
    ]
    service = ScanService(house, MadeUpPool(None))  # type: ignore[arg-type]  # in place of a pool
    look = queue.candidate

    def faster(*asked: Any) -> queue.Candidate | None:  # noqa: ANN401 - as asked
        one = look(*asked)
        monkeypatch.setattr(queue, "candidate", look)
        assert queue.claim(*asked[:2])
        return one

    first = service._claim()
    monkeypatch.setattr(queue, "candidate", faster)
    assert service._scan_next(first) is None
    assert states(house, photos) == ["done", "scanning", "waiting"]
    assert service._scan_next(None) is None
    assert states(house, photos) == ["done", "scanning", "done"]


def test_its_threads_outlive_any_mistake(
    house: House, start: Callable[..., ScanService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody thought of goes wrong once, in each of them: pictures are read, and leases renewed, all the same."""
    tries = dict.fromkeys(("claim", "renew"), 0)

    def broken_once(name: str) -> Callable[..., Any]:
        whole = getattr(queue, name)

        def step(*arguments: object, **named: object) -> object:
            tries[name] += 1
            if tries[name] == 1:
                raise RuntimeError("a mistake")
            return whole(*arguments, **named)

        return step

    for name in tries:
        monkeypatch.setattr(queue, name, broken_once(name))
    game = new_game(house)
    photo = accept(house, Where(game), png(1), ORGANISER)
    start()
    assert scanned(house, photo.id).state == "done"
    deadline = time.monotonic() + LIMIT
    while tries["renew"] < 3:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_what_could_not_be_noted_is_noted_later(
    house: House, start: Callable[..., ScanService], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the database takes nothing (a full disk), a scan's outcome waits; it is not scanned again."""
    real, failures = queue.finish, [2]

    def full(*arguments: Any) -> bool:  # noqa: ANN401 - as the function takes them
        if failures[0]:
            failures[0] -= 1
            raise OperationalError("", {}, Exception("database or disk is full"))
        return real(*arguments)

    monkeypatch.setattr(queue, "finish", full)
    monkeypatch.setattr(service_module, "_PAUSE", 0.05)
    start(obey)
    row = scanned(house, accept(house, Where(new_game(house)), png(1), ORGANISER).id)
    assert (row.state, row.attempts, failures) == ("done", 1, [0])


def test_only_what_was_fetched_is_no_longer_left_alone(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database without time says nothing of a picture's place; one that is damaged was fetched all the same."""
    game = new_game(house)
    photo = accept(house, Where(game), png(1), ORGANISER).id
    service = ScanService(house, _NeverRead(None))

    def scan() -> frozenset[str]:
        service._scan_next(queue.claim(house.database, house.clock()))
        return service._left_alone.now()

    service._left_alone.failed(photo)
    with monkeypatch.context() as patch:
        patch.setattr(service_module, "_whole_game", _no_time)
        assert scan() == {photo}
    assert scan() == frozenset()


class _NeverRead(MadeUpPool):
    def scan_for(self, *_: object, **__: object) -> NoReturn:
        raise ScanError("truncated", "The file ends too early.")


def _no_time(*_: object) -> NoReturn:
    raise OperationalError("", {}, Exception("database is locked"))
