"""Photographs that come in: bounded, kept before their row, and each file once."""

from __future__ import annotations

import errno
import threading
from pathlib import Path

import pytest

from server.play import intake
from server.play.house import House
from server.play.intake import AWAY, Where, accept, enter, keep
from server.play.refusals import Refusal
from server.play.states import State
from server.store.photos import PhotoStore
from server.store.tables import Deck, Photo
from tests.engines.festival import on_postgresql
from tests.house import ORGANISER, Clock, new_game
from tests.jobs.scan_jobs import png
from tests.players import audited


def deck_of(house: House, game: str, name: str = "d1") -> Where:
    """Make a deck of a player and return where its photographs go."""
    with house.database.writing() as session:
        session.add(Deck(id=name, game=game, envelope=1, state="open", created=house.clock()))
    return Where(game, envelope=1, deck=name)


def files(house: House) -> list[str]:
    return sorted(photo for _, photo, _ in house.photos.names())


def test_a_file_is_one_photograph_of_its_batch_or_deck(house: House) -> None:
    game = new_game(house)
    places = [Where(game, batch="a"), Where(game, batch="b"), *(deck_of(house, game, name) for name in ("d1", "d2"))]
    first, again = ([accept(house, where, png(1), ORGANISER).id for where in places] for _ in range(2))
    assert first == again
    assert files(house) == sorted(set(first))
    assert len(files(house)) == 4
    assert [accept(house, places[0], png(number), ORGANISER).place for number in range(1, 4)] == [1, 2, 3]


@on_postgresql
def test_the_same_file_at_once_is_one_photograph(house: House) -> None:
    where = Where(new_game(house), batch="a")
    found: list[str] = []
    threads = [
        threading.Thread(target=lambda: found.append(accept(house, where, png(1), ORGANISER).id)) for _ in range(6)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert files(house) == sorted(set(found)) == [found[0]]


def test_the_name_of_a_file_is_no_part_of_a_path_and_its_sender_is_audited(house: House) -> None:
    game = new_game(house)
    photo = accept(house, Where(game, name="../x/\u202egpj.1\x00.jpg" + "a" * 999), png(1), ORGANISER)
    assert photo.name.startswith("gpj.1.jpga")
    assert len(photo.name) == 200
    assert files(house) == [photo.id]
    (entry,) = audited(house, game, "receive")
    assert (entry.who, entry.subject) == ("Olga", f"photo {photo.id}")


@pytest.mark.parametrize("what", ["MOST_IN_DECK", "MOST_OF_PLAYER", "MOST_IN_GAME"])
def test_photographs_are_counted(house: House, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(intake, what, 2)
    game = new_game(house)
    where = deck_of(house, game) if what != "MOST_IN_GAME" else Where(game)
    for number in range(2):
        accept(house, where, png(number), ORGANISER)
    with pytest.raises(Refusal, match="2 pictures") as refused:
        accept(house, where, png(2), ORGANISER)
    assert refused.value.slug == "too-many-photos"
    accept(house, where, png(1), ORGANISER)
    assert len(files(house)) == 2


def test_nothing_is_taken_before_a_game_opens_or_once_it_is_counted(house: House) -> None:
    for state in (State.PRINTED, State.FROZEN):
        game = new_game(house, state)
        for where in (Where(game), deck_of(house, game, name=state)):
            with pytest.raises(Refusal) as refused:
                accept(house, where, png(1), ORGANISER)
            assert refused.value.slug == "wrong-state"
    assert files(house) == []


def test_a_row_that_is_not_written_leaves_no_file_and_wakes_nobody(house: House) -> None:
    game, before = new_game(house), house.bell.count
    with pytest.raises(RuntimeError), keep(house, game, png(1)):
        raise RuntimeError
    assert files(house) == []

    def enter_and_fail() -> None:
        with keep(house, game, png(1)) as kept, house.database.writing() as session:
            enter(house, session, kept, Where(game), ORGANISER, house.clock())
            raise RuntimeError

    with pytest.raises(RuntimeError):
        enter_and_fail()
    with house.database.reading() as session:
        assert session.query(Photo).count() == 0
    assert house.bell.count == before
    with keep(house, game, png(1)) as kept, house.database.writing() as session:
        enter(house, session, kept, Where(game), ORGANISER, house.clock())
        assert house.bell.count == before
    assert house.bell.count == before + 1


def test_a_full_disk_is_told_from_a_place_that_does_not_answer(
    tmp_path: Path, house: House, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = new_game(house)
    full = type(house)(house.database, PhotoStore.in_folder(tmp_path / "data", reserve=10**18), clock)
    with pytest.raises(Refusal, match="disk is full") as refused:
        accept(full, Where(game), png(1), ORGANISER)
    assert refused.value.slug == "disk-full"
    assert files(house) == []

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(house.photos, "put", broken)
        with pytest.raises(Refusal) as refused:
            accept(house, Where(game), png(1), ORGANISER)
    assert (refused.value.slug, refused.value.retry) == ("busy", AWAY)
    accept(house, Where(game), png(1), ORGANISER)
