"""Pictures as answers: large ones are opened once for all their copies, and one caller's many keep nobody waiting."""

from __future__ import annotations

import io
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from server.api.house import images
from server.play.intake import Where, accept
from server.store.tables import Deck, Photo
from tests.house import ORGANISER, as_organiser, as_player, new_game
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask import Flask

    from server.jobs.cutting import Form
    from server.play.house import House


def jpeg(colour: str) -> bytes:
    """Return a picture of one colour."""
    out = io.BytesIO()
    Image.new("RGB", (3000, 1500), colour).save(out, "JPEG")
    return out.getvalue()


@pytest.fixture
def game(house: House) -> str:
    """Make a game."""
    return new_game(house)


@pytest.fixture
def photo(house: House, game: str) -> str:
    """Make a player's photograph that has been read; return its id."""
    with house.database.writing() as session:
        deck = Deck(id="d", game=game, envelope=1, state="open", cards=None, created=house.clock(), confirmed=None)
        session.add(deck)
    return done(house, Where(game, envelope=1, deck="d"))


def done(house: House, where: Where, colour: str = "red") -> str:
    """Take in a picture as if it had been read; return its id."""
    photo = accept(house, where, jpeg(colour), ORGANISER).id
    with house.database.writing() as session:
        session.get_one(Photo, photo).state = "done"
    return photo


def colour_of(data: bytes) -> tuple[tuple[int, int], bool]:
    """Return a picture's size, and whether it is red."""
    with Image.open(io.BytesIO(data)) as image:
        red, green, _ = image.convert("RGB").getpixel((5, 5))  # type: ignore[misc]  # three colours
        return image.size, red > 200 and green < 60


def test_all_copies_come_from_one_that_is_kept(app: Flask, house: House, game: str, photo: str) -> None:
    """The picture itself is opened for the first of them alone."""
    client = as_player(app, house, game, 1)
    address = f"/api/v1/me/decks/d/photos/{photo}/image"
    assert colour_of(client.get(address, query_string={"width": 300}).data) == ((300, 150), True)
    house.photos.put(game, photo, jpeg("blue"))
    for width in (300, 800, 2000):
        assert colour_of(client.get(address, query_string={"width": width}).data) == ((width, width // 2), True)
    assert colour_of(client.get(address).data) == ((3000, 1500), False)


def test_copies_asked_for_at_once_are_made_once(
    app: Flask, house: House, game: str, photo: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many ask at the same moment."""
    opened: list[str] = []
    get = house.photos.get

    def counted(game: str, photo: str) -> bytes | None:
        opened.append(photo)
        return get(game, photo)

    monkeypatch.setattr(house.photos, "get", counted)

    def ask(width: int) -> int:
        client = as_player(app, house, game, 1)
        return client.get(f"/api/v1/me/decks/d/photos/{photo}/image?width={width}").status_code

    with ThreadPoolExecutor(8) as many:
        assert set(many.map(ask, range(100, 500, 50))) == {200}
    assert opened == [photo]


def test_a_copy_goes_with_its_picture(app: Flask, house: House, game: str) -> None:
    """Nothing of a deleted picture stays."""
    client = as_organiser(app)
    photo = done(house, Where(game))
    address = f"/api/v1/games/{game}/photos/{photo}"
    assert client.get(f"{address}/image?width=300").status_code == 200
    assert house.photos.get_copy(game, photo)
    assert {name for _, name, _ in house.photos.names()} == {photo}
    assert client.delete(address, query_string={"reason": "blurred"}).status_code == 204
    assert house.photos.get_copy(game, photo) is None
    assert not list(house.photos.names())


def test_who_asks_for_many_pictures_at_once_keeps_nobody_else_waiting(
    app: Flask, house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A player's third picture at once is refused after a while; an organiser's is cut meanwhile."""
    with house.database.writing() as session:
        session.add(Deck(id="d", game=game, envelope=1, state="open", cards=None, created=house.clock()))
    photos = [done(house, Where(game, envelope=1, deck="d"), colour) for colour in ("red", "green", "blue")]
    other = done(house, Where(game))
    held, go = [], threading.Event()

    def cut(data: bytes, box: Sequence[float] | None, width: int, _form: Form) -> bytes:
        if box is None:
            held.append(width)
            assert go.wait(60)
        return data

    monkeypatch.setattr(images, "cut", cut)
    monkeypatch.setattr(images, "PATIENCE", 0.2)

    def ask(photo: str) -> int:
        return as_player(app, house, game, 1).get(f"/api/v1/me/decks/d/photos/{photo}/image?width=300").status_code

    with ThreadPoolExecutor(images.EACH) as many:
        first = [many.submit(ask, photo) for photo in photos[:-1]]
        try:
            until(lambda: len(held) == images.EACH)
            assert ask(photos[-1]) == 503
            address = f"/api/v1/games/{game}/photos/{other}/image?crop=0,0,100,100"
            assert as_organiser(app).get(address).status_code == 200
        finally:
            go.set()
        assert [one.result() for one in first] == [200] * images.EACH


def test_pictures_that_are_made_smaller_leave_threads_to_others(
    app: Flask, house: House, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond a number of requests that wait for their turn, all callers are asked to come back."""
    photo = done(house, Where(game))
    monkeypatch.setattr(images, "_all", threading.BoundedSemaphore(1))
    assert images._all.acquire()
    answer = as_organiser(app).get(f"/api/v1/games/{game}/photos/{photo}/image?width=300")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    images._all.release()
    assert as_organiser(app).get(f"/api/v1/games/{game}/photos/{photo}/image?width=300").status_code == 200


def test_a_limit_for_each_caller_keeps_no_other_caller_waiting() -> None:
    """At most so many of one at once; the others of that caller wait, or give up."""
    limit = images.KeyedLimit(2)
    with limit.hold("a"), limit.hold("a"), limit.hold("b"), pytest.raises(TimeoutError), limit.hold("a", 0.05):
        pass
    few = images.KeyedLimit(1, waiting=1)
    with few.hold("a"):
        waiting = threading.Thread(target=lambda: few.hold("a", 30.0).__enter__())
        waiting.start()
        until(lambda: few.waiting == 1)
        with pytest.raises(TimeoutError), few.hold("a", 30.0):
            pass
    waiting.join()
    held = limit.hold("a"), limit.hold("a")
    for one in held:
        one.__enter__()
    threading.Timer(0.1, held[0].__exit__, [None, None, None]).start()
    with limit.hold("a", 30.0), pytest.raises(TimeoutError), limit.hold("a"):
        pass
