"""If the laptop dies: what its last backup holds goes on elsewhere, as `docs/operations.md` says."""

from __future__ import annotations

import secrets
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from server.play.house import game_row
from server.play.tokens import join_token
from server.store.tables import Deck, Photo
from tests.house import Clock, new_game, new_house
from tests.killable import Killable, Phone, picture
from tests.players import dealt

if TYPE_CHECKING:
    from pathlib import Path

    from server.play.house import House

DECKS = "/api/v1/me/decks"
LIMIT = 60.0


def haggle(*arguments: str | Path) -> None:
    """Run a command to its end."""
    subprocess.run([sys.executable, "-m", "server", *arguments], check=True, capture_output=True)


def phone(house: House, game: str, envelope: int, port: int) -> Phone:
    """Return a player's phone, with the token that is on the label."""
    with house.database.reading() as session:
        row = game_row(session, game)
        headers = {"Authorization": f"Bearer {join_token(row.id, row.key, envelope)}"}
    return Phone(port, headers, threading.Event())


def read(ada: Phone, deck: str) -> dict[str, Any]:
    """Wait until all pictures of a deck are read; return it."""
    until = time.monotonic() + LIMIT
    while (said := ada.send("GET", f"{DECKS}/{deck}")[1])["pending"]:
        assert time.monotonic() < until, said
        time.sleep(0.05)
    return said


def test_a_game_goes_on_elsewhere(tmp_path: Path) -> None:
    """A player's phone that sends again what the dead laptop took is answered as then, and what it missed comes in."""
    house = new_house(tmp_path / "laptop", Clock())
    game = new_game(house)
    hand = dealt(house, game, 1)
    pictures = [picture({"cards": hand[part::2], "labels": [1]}) for part in range(2)]
    keys = [secrets.token_hex(8) for _ in pictures]
    begin = secrets.token_hex(8)
    with Killable(tmp_path / "laptop") as laptop:
        laptop.start()
        ada = phone(house, game, 1, laptop.port)
        deck = ada.post(DECKS, key=begin)[1]["id"]
        first = ada.upload(f"{DECKS}/{deck}/photos", pictures[0], keys[0])[1]["id"]
        haggle("backup", "--data", tmp_path / "laptop", tmp_path / "stick.zip")
        # What comes after the backup is on the dead laptop alone; the phone still has it.
        status, _ = ada.upload(f"{DECKS}/{deck}/photos", pictures[1], keys[1])
        assert status == 201
        laptop.kill()
    house.database.close()
    haggle("restore", "--data", tmp_path / "spare", tmp_path / "stick.zip")
    other = new_house(tmp_path / "spare", Clock())
    with Killable(tmp_path / "spare") as spare:
        spare.start()
        ada = phone(other, game, 1, spare.port)
        assert ada.post(DECKS, key=begin)[1]["id"] == deck
        assert ada.upload(f"{DECKS}/{deck}/photos", pictures[0], keys[0])[1]["id"] == first
        assert ada.upload(f"{DECKS}/{deck}/photos", pictures[1], keys[1])[0] == 201
        seen = read(ada, deck)
        assert seen["cards"] == hand
        assert ada.post(f"{DECKS}/{deck}/confirm", {"digest": seen["digest"]})[0] == 200
        assert ada.post(f"{DECKS}/{deck}/hand-in")[0] == 200
        with other.database.reading() as session:
            assert session.scalar(select(func.count()).select_from(Photo)) == 2
            assert session.scalars(select(Deck.state)).all() == ["handed-in"]
    other.database.close()
