"""A folder of pictures is taken in: in order, each file once, and whatever goes wrong with one."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from server.play import bulk
from server.play.bulk import Outcome, take_in
from server.play.following import Following, findings
from server.play.house import House, game_row
from server.play.intake import Where, accept
from server.play.refusals import Refusal
from server.play.states import State
from server.store.folders import pictures_in
from server.store.tables import Photo
from tests.house import ORGANISER, new_game
from tests.killable import picture
from tests.players import dealt, set_game
from tests.readings import add_photo, reading

MANY = 70
"""More than are in hand at once."""
MOST = 100_000


@pytest.fixture
def game(house: House) -> str:
    return new_game(house, State.CLOSED)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "in"
    place.mkdir()
    for number in range(1, MANY + 1):
        (place / f"IMG_{number}.png").write_bytes(picture({"cards": [], "labels": [number]}))
    return place


def taking(house: House, game: str, folder: Path) -> Generator[Outcome]:
    return take_in(house, game, pictures_in(folder), ORGANISER, MOST)


def kept(house: House, game: str) -> list[str]:
    """Return the names of a game's pictures in the order of their coming; each has its file, and no other is kept."""
    with house.database.reading() as session:
        rows = session.scalars(select(Photo).where(Photo.game == game).order_by(Photo.created, Photo.place)).all()
    assert {photo for _, photo, _ in house.photos.names()} == {row.id for row in rows}
    assert all(len(house.photos.get(game, row.id) or b"") == row.size for row in rows)
    return [row.name for row in rows]


def test_all_come_in_once_and_in_order(house: House, game: str, folder: Path) -> None:
    names = [f"IMG_{number}.png" for number in range(1, MANY + 1)]
    first = taking(house, game, folder)
    outcomes = [next(first)]
    # What the desk sends meanwhile is not taken again.
    sent = accept(house, Where(game, batch="desk", name="x.png"), (folder / names[-1]).read_bytes(), ORGANISER)
    outcomes += first
    assert [(one.file, one.fresh) for one in outcomes] == [(name, name != names[-1]) for name in names]
    assert outcomes[-1].photo == sent.id
    assert sorted(kept(house, game)) == sorted([*names[:-1], "x.png"])
    assert not any(one.fresh for one in taking(house, game, folder)), "a second go"


@pytest.mark.parametrize("after", [1, 33, MANY - 1])
def test_left_in_the_middle_the_next_go_takes_what_is_missing(
    house: House, game: str, folder: Path, after: int
) -> None:
    first = taking(house, game, folder)
    told = [next(first).file for _ in range(after)]
    first.close()
    there = kept(house, game)
    assert there[:after] == told
    assert len(there) < after + bulk.TOGETHER
    rest = [one.file for one in taking(house, game, folder) if one.fresh]
    assert len(rest) == MANY - len(there)
    assert sorted(kept(house, game)) == sorted(there + rest)


def test_files_that_are_refused_or_alike_hold_nobody_up(house: House, game: str, folder: Path) -> None:
    (folder / "IMG_7.png").write_bytes(b"no picture")
    (folder / "IMG_8.png").write_bytes(bytes(MOST + 1))
    (folder / "IMG_9.png").unlink()
    (folder / "IMG_9.png").mkdir()
    copies = [f"IMG_{number}.png" for number in (2, 3, MANY)]
    for copy in copies:
        (folder / copy).write_bytes((folder / "IMG_1.png").read_bytes())
    outcomes = {one.file: one for one in taking(house, game, folder)}
    refused = {name: one.reason for name, one in outcomes.items() if one.photo is None}
    assert refused == {"IMG_7.png": "not-a-picture", "IMG_8.png": "too-many-bytes"}
    first = outcomes["IMG_1.png"]
    assert first.fresh
    assert {(outcomes[copy].photo, outcomes[copy].fresh) for copy in copies} == {(first.photo, False)}
    assert len(kept(house, game)) == MANY - 6


@pytest.mark.parametrize("reason", ["wrong-state", "disk-full", "too-many-photos"])
def test_what_stops_all_others_ends_it_and_no_file_stays(
    house: House, game: str, folder: Path, monkeypatch: pytest.MonkeyPatch, reason: str
) -> None:
    """A game that is frozen, a database without room, a game of enough pictures."""
    write, rows = bulk.enter_all, list[int]()

    def full(*args: Any) -> Refusal | None:  # noqa: ANN401 - as they come
        refusal = write(*args)
        rows.append(len(args[3]))
        if len(rows) > 1:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise OperationalError("INSERT", {}, error)
        return refusal

    if reason == "disk-full":
        monkeypatch.setattr(bulk, "enter_all", full)
    elif reason == "too-many-photos":
        monkeypatch.setattr("server.play.intake.MOST_IN_GAME", 40)
    going = taking(house, game, folder)
    outcomes = [next(going)]
    if reason == "wrong-state":
        set_game(house, game, state=State.FROZEN)
    outcomes += going
    assert [one.reason for one in outcomes] == [""] * (len(outcomes) - 1) + [reason]
    assert len(kept(house, game)) == len(outcomes) - 1 < MANY
    assert reason != "too-many-photos" or len(outcomes) == 41


@pytest.mark.parametrize("state", [State.PRINTED, State.FROZEN])
def test_a_state_that_takes_none_is_refused_before_anything_is_read(house: House, folder: Path, state: State) -> None:
    with pytest.raises(Refusal, match="the game must be"):
        list(taking(house, new_game(house, state), folder))


def test_how_far_they_are_and_what_they_show(house: House, game: str) -> None:
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
