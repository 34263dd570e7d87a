"""Photographs that come in: bounded, stripped, kept before their row, and each file once."""

from __future__ import annotations

import errno
import threading
from typing import TYPE_CHECKING

import pytest

from server.play import intake
from server.play.intake import AWAY, Where, accept, enter, keep
from server.play.refusals import Refusal
from server.play.states import State
from server.store.photos import PhotoStore
from server.store.tables import AuditEntry, Deck, Photo
from tests.engines.festival import on_postgresql
from tests.house import ORGANISER, Clock, new_game
from tests.jobs.scan_jobs import png

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House


def deck_of(house: House, game: str, envelope: int = 1, name: str = "d1") -> Where:
    """Make a deck of a player and return where its photographs go."""
    with house.database.writing() as session:
        session.add(Deck(id=name, game=game, envelope=envelope, state="open", created=house.clock()))
    return Where(game, envelope=envelope, deck=name)


def files(house: House) -> list[str]:
    """Return the ids of all files that are kept."""
    return sorted(photo for _, photo, _ in house.photos.names())


def test_the_same_file_is_one_photograph(house: House) -> None:
    """A file that comes twice into a batch or a deck is there once; another batch or deck has its own."""
    game = new_game(house)
    first = accept(house, Where(game, batch="a", name="1.jpg"), png(1), ORGANISER)
    assert accept(house, Where(game, batch="a", name="2.jpg"), png(1), ORGANISER).id == first.id
    other = accept(house, Where(game, batch="b"), png(1), ORGANISER)
    decks = [deck_of(house, game, name=name) for name in ("d1", "d2")]
    mine = [accept(house, decks[place], png(1), ORGANISER) for place in (0, 1, 0)]
    assert mine[0].id == mine[2].id
    assert len({first.id, other.id, mine[0].id, mine[1].id}) == 4
    assert files(house) == sorted({first.id, other.id, mine[0].id, mine[1].id})


@on_postgresql
def test_the_same_file_at_once_is_one_photograph(house: House) -> None:
    """Two taps at the same moment give one row."""
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


def test_places_follow_each_other(house: House) -> None:
    """Without a place of its own a photograph comes after those that are there."""
    where = Where(new_game(house), batch="a")
    assert [accept(house, where, png(number), ORGANISER).place for number in range(3)] == [1, 2, 3]


def test_a_name_tells_only_people(house: House) -> None:
    """A file's name is kept without folders and tricks, is no part of a path, and the audit says who sent it."""
    game = new_game(house)
    photo = accept(house, Where(game, name="../x/\u202egpj.1\x00.jpg" + "a" * 999), png(1), ORGANISER)
    assert photo.name.startswith("gpj.1.jpga")
    assert len(photo.name) == 200
    assert files(house) == [photo.id]
    with house.database.reading() as session:
        entry = session.query(AuditEntry).filter_by(game=game, action="receive").one()
    assert (entry.who, entry.subject) == ("Olga", f"photo {photo.id}")


@pytest.mark.parametrize("what", ["MOST_IN_DECK", "MOST_OF_PLAYER", "MOST_IN_GAME"])
def test_photographs_are_counted(house: House, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    """A deck, a player and a game have so many photographs and not one more; the refused leaves no file."""
    monkeypatch.setattr(intake, what, 2)
    game = new_game(house)
    deck = deck_of(house, game) if what != "MOST_IN_GAME" else Where(game)
    for number in range(2):
        accept(house, deck, png(number), ORGANISER)
    with pytest.raises(Refusal, match="2 pictures") as refused:
        accept(house, deck, png(2), ORGANISER)
    assert refused.value.slug == "too-many-photos"
    assert len(files(house)) == 2
    # The same file once more is no new one.
    accept(house, deck, png(1), ORGANISER)


def test_the_state_decides(house: House) -> None:
    """Before a game opens, and once it is counted, nothing is taken and nothing stays."""
    for state in (State.PRINTED, State.FROZEN):
        game = new_game(house, state)
        for where in (Where(game), deck_of(house, game, name=state)):
            with pytest.raises(Refusal) as refused:
                accept(house, where, png(1), ORGANISER)
            assert refused.value.slug == "wrong-state"
    assert files(house) == []


def test_a_row_that_is_not_written_leaves_no_file(house: House) -> None:
    """If the work around a row fails, the row is not there; its file goes at once or is swept."""
    game = new_game(house)
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


def test_a_bell_rings_when_the_row_is_there(house: House) -> None:
    """Who waits for photographs is woken after the commit, and not for one that was not committed."""
    game = new_game(house)
    before = house.bell.count
    with keep(house, game, png(1)) as kept, house.database.writing() as session:
        enter(house, session, kept, Where(game), ORGANISER, house.clock())
        assert house.bell.count == before
    assert house.bell.count == before + 1


def test_photographs_leave_room_for_the_database(tmp_path: Path, house: House, clock: Clock) -> None:
    """With less room on the disk than the reserve nothing more is kept, and the refusal says so."""
    game = new_game(house)
    full = type(house)(house.database, PhotoStore.in_folder(tmp_path / "data", reserve=10**18), clock)
    with pytest.raises(Refusal, match="disk is full") as refused:
        accept(full, Where(game), png(1), ORGANISER)
    assert refused.value.slug == "disk-full"
    assert files(house) == []
    accept(house, Where(game), png(1), ORGANISER)


def test_another_error_is_no_full_disk(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an error that says so is told as a full disk; any other as a place that does not answer just now."""

    def broken(*_: object) -> None:
        raise OSError(errno.EIO, "broken")

    game = new_game(house)
    monkeypatch.setattr(house.photos, "put", broken)
    with pytest.raises(Refusal) as refused:
        accept(house, Where(game), png(1), ORGANISER)
    assert (refused.value.slug, refused.value.retry) == ("busy", AWAY)
