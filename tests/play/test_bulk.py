"""A folder of pictures is taken in: in order, each file once, and whatever goes wrong with one."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from server.play import bulk
from server.play.bulk import take_in
from server.play.following import Following, findings
from server.play.house import game_row
from server.play.intake import Where, accept
from server.play.refusals import Refusal
from server.play.states import State
from server.store.folders import pictures_in
from server.store.tables import Photo
from tests.house import ORGANISER, new_game
from tests.killable import picture
from tests.players import dealt
from tests.readings import add_photo, reading

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.bulk import Outcome
    from server.play.house import House

MANY = 70
MOST = 100_000


@pytest.fixture
def game(house: House) -> str:
    """Return a closed game of six envelopes."""
    return new_game(house, State.CLOSED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder of more pictures than are in hand at once."""
    place = tmp_path / "in"
    place.mkdir()
    for number in range(1, MANY + 1):
        (place / f"IMG_{number}.png").write_bytes(picture({"cards": [], "labels": [number]}))
    return place


def taken(house: House, game: str, folder: Path) -> list[Outcome]:
    """Take a folder in to its end."""
    return list(take_in(house, game, pictures_in(folder), ORGANISER, MOST))


def kept(house: House, game: str) -> list[str]:
    """Return the names of a game's pictures in the order of their coming; each has its file, and no other is kept."""
    with house.database.reading() as session:
        rows = session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.created, Photo.place)).all()
    assert {photo for _, photo, _ in house.photos.names()} == {row.id for row in rows}
    assert all(len(house.photos.get(game, row.id) or b"") == row.size for row in rows)
    return [row.name for row in rows]


def test_all_come_in_once_and_in_order(house: House, game: str, folder: Path) -> None:
    """Files are read side by side; the rows are in the folder's order. A second go finds all of them there."""
    names = [f"IMG_{number}.png" for number in range(1, MANY + 1)]
    assert [(one.file, one.fresh) for one in taken(house, game, folder)] == [(name, True) for name in names]
    assert kept(house, game) == names
    assert not any(one.fresh for one in taken(house, game, folder))
    assert kept(house, game) == names


def test_what_the_desk_sends_meanwhile_is_not_taken_again(house: House, game: str, folder: Path) -> None:
    """A picture that came in from the desk after the command looked is known when its turn comes."""
    taking = take_in(house, game, pictures_in(folder), ORGANISER, MOST)
    next(taking)
    sent = accept(house, Where(game, batch="desk", name="x.png"), (folder / f"IMG_{MANY}.png").read_bytes(), ORGANISER)
    last = list(taking)[-1]
    assert (last.photo, last.fresh) == (sent.id, False)
    assert len(kept(house, game)) == MANY


@pytest.mark.parametrize("after", [1, 33, MANY - 1])
def test_left_in_the_middle_nothing_lies_about(house: House, game: str, folder: Path, after: int) -> None:
    """What was told is in, and of the rest there is no file; the next go takes what is missing."""
    taking = take_in(house, game, pictures_in(folder), ORGANISER, MOST)
    told = [next(taking).file for _ in range(after)]
    taking.close()
    there = kept(house, game)
    assert there[:after] == told
    assert len(there) < after + bulk.TOGETHER
    rest = [one for one in taken(house, game, folder) if one.fresh]
    assert len(rest) == MANY - len(there)
    assert sorted(kept(house, game)) == sorted(there + [one.file for one in rest])


def test_one_that_is_refused_holds_nobody_up(house: House, game: str, folder: Path) -> None:
    """It is told in its place; its neighbours come in."""
    (folder / "IMG_7.png").write_bytes(b"no picture")
    (folder / "IMG_8.png").write_bytes(bytes(MOST + 1))
    (folder / "IMG_9.png").unlink()
    (folder / "IMG_9.png").mkdir()
    outcomes = {one.file: one for one in taken(house, game, folder)}
    assert {name: one.reason for name, one in outcomes.items() if one.photo is None} == {
        "IMG_7.png": "not-a-picture",
        "IMG_8.png": "too-many-bytes",
    }
    assert len(kept(house, game)) == MANY - 3


def test_files_with_the_same_bytes_are_one_picture(house: House, game: str, folder: Path) -> None:
    """Whether they come in together or far from each other, the first of them is in, and the others are known."""
    for copy, of in ((2, 1), (3, 1), (MANY, 1)):
        (folder / f"IMG_{copy}.png").write_bytes((folder / f"IMG_{of}.png").read_bytes())
    outcomes = {one.file: one for one in taken(house, game, folder)}
    first = outcomes["IMG_1.png"]
    assert first.fresh
    for copy in (2, 3, MANY):
        assert (outcomes[f"IMG_{copy}.png"].photo, outcomes[f"IMG_{copy}.png"].fresh) == (first.photo, False)
    assert len(kept(house, game)) == MANY - 3


def test_a_game_that_is_frozen_meanwhile_takes_no_more(house: House, game: str, folder: Path) -> None:
    """What came before is in; the next is refused, and no file of the rest is kept."""
    taking = take_in(house, game, pictures_in(folder), ORGANISER, MOST)
    outcomes = [next(taking)]
    with house.database.writing() as session:
        game_row(session, game).state = State.FROZEN
    outcomes += taking
    assert [one.reason for one in outcomes] == [""] * (len(outcomes) - 1) + ["wrong-state"]
    assert len(kept(house, game)) == len(outcomes) - 1 < MANY


def test_a_database_without_room_ends_it_and_no_file_stays(
    house: House, game: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What had been written is in; the next is refused, and nothing lies about of which there is no row."""
    write, rows = bulk.enter_all, list[int]()

    def full(*args: Any) -> Refusal | None:  # noqa: ANN401 - as they come
        refusal = write(*args)
        rows.append(len(args[3]))
        if len(rows) > 1:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise OperationalError("INSERT", {}, error)
        return refusal

    monkeypatch.setattr(bulk, "enter_all", full)
    outcomes = taken(house, game, folder)
    assert [one.reason for one in outcomes] == [""] * rows[0] + ["disk-full"]
    assert len(kept(house, game)) == rows[0]


def test_a_game_of_enough_pictures_takes_no_more(
    house: House, game: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends at the bound, with one word for all that follow."""
    monkeypatch.setattr("server.play.intake.MOST_IN_GAME", 40)
    outcomes = taken(house, game, folder)
    assert [one.reason for one in outcomes] == [""] * 40 + ["too-many-photos"]
    assert len(kept(house, game)) == 40


@pytest.mark.parametrize("state", [State.PRINTED, State.FROZEN])
def test_a_state_that_takes_none_is_refused_before_anything_is_read(house: House, folder: Path, state: State) -> None:
    """As at the desk."""
    with pytest.raises(Refusal, match="the game must be"):
        taken(house, new_game(house, state), folder)


def test_how_far_they_are_and_what_they_show(house: House, game: str) -> None:
    """Waiting, done and failed ones are counted, with doubts; envelopes come in order, pictures of nobody by name."""
    hand = dealt(house, game, 3)
    files = {
        add_photo(house, game, reading(hand[:4], [3], doubts=["glare"]), batch="b"): "a.jpg",
        add_photo(house, game, reading(dealt(house, game, 1), [1]), batch="b"): "b.jpg",
        add_photo(house, game, reading(dealt(house, game, 2)[:2]), batch="b"): "c.jpg",
    }
    waiting = add_photo(house, game)
    failed = add_photo(house, game, state="failed", reason="truncated")
    add_photo(house, game)
    following = Following(house, game, {**files, waiting: "d.jpg", failed: "e.jpg"})
    first = following.look()
    assert (first.waiting, first.done, first.failed, first.doubts, first.read) == (1, 3, 1, 1, 0)
    assert following.failed == {failed: "truncated"}
    before = following.sign()
    with house.database.writing() as session:
        row = session.get_one(Photo, waiting)
        row.state, row.scanned, row.reading = "done", house.clock(), reading([], [3]).as_json()
    last = following.look()
    assert (last.waiting, last.done, last.read) == (0, 4, 1)
    assert following.sign() != before
    with house.database.reading() as session:
        found = findings(session, game_row(session, game), files)
    assert [(one.envelope, one.pictures, one.cards) for one in found.envelopes] == [(1, 1, 13), (3, 1, 4)]
    assert found.envelopes[1].doubts > 0
    assert found.nobody == ("c.jpg",)
