"""A server takes pictures, wherever they are kept and however its serving process was begun."""

from __future__ import annotations

import secrets
import threading
from typing import TYPE_CHECKING

import pytest

from server.app.house import HouseConfig, open_house
from server.play.backup import back_up, restore
from server.play.house import game_row, now
from server.play.kept import Kept
from server.play.tokens import join_token
from tests.demo_process import DemoProcess
from tests.engines.festival import place_or_skip
from tests.house import new_game
from tests.house_process import HouseProcess
from tests.jobs.scan_jobs import png
from tests.killable import Phone

if TYPE_CHECKING:
    from pathlib import Path

DECKS = "/api/v1/me/decks"


@pytest.mark.parametrize("where", ["a folder", "S3"])
def test_a_server_takes_pictures(tmp_path: Path, request: pytest.FixtureRequest, where: str) -> None:
    """What the server did with its place for pictures before it began to serve does not keep it from taking them."""
    photos = place_or_skip(request.getfixturevalue("festival")).photos if where == "S3" else ""
    house = open_house(HouseConfig(tmp_path / "data", photos=photos))
    game = new_game(house)
    with house.database.reading() as session:
        token = join_token(game, game_row(session, game).key, 1)
    house.database.close()
    over = threading.Event()
    # The first request without an answer ends the test.
    over.set()
    with HouseProcess(tmp_path / "data", job="obey", photos=photos) as server:
        phone = Phone(server.port, {"Authorization": f"Bearer {token}"}, over)
        status, deck = phone.post(DECKS, key="first")
        assert status == 201
        for number in range(3):
            status, said = phone.upload(f"{DECKS}/{deck['id']}/photos", png(number), secrets.token_hex(8))
            assert status == 201, said


def test_a_folder_that_was_served_is_restored_in_place(tmp_path: Path) -> None:
    """What a server leaves in its folder is no reason to refuse it."""
    folder, file = tmp_path / "data", tmp_path / "backup.zip"
    house = open_house(HouseConfig(folder))
    game = new_game(house)
    house.close()
    with DemoProcess(tmp_path / "log", "--data", folder, command="serve") as server:
        server.wait()
    back_up(Kept(folder), file, now())
    restore(file, Kept(folder), overwrite=True)
    house = open_house(HouseConfig(folder))
    with house.database.reading() as session:
        assert game_row(session, game).id == game
    house.close()
