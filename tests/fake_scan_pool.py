"""Fake scans: the pixels of a picture are the JSON of its scan result. Also the beginning of a game over HTTP."""

from __future__ import annotations

import io
import json
import secrets
import time
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from PIL import Image

from cardgen.cards import CardId
from scanner.result import CardPile, ScannedCode, ScanResult, SeenCard
from server.games.photos.readings import card_named, stored_reading

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardgen.cards import PrintedGame
    from server.games.photos.readings import StoredReading

SCAN_SECONDS = 0.03
_SQUARE = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
_WIDTH = 64


class FakeScanPool:
    """A replacement of `ScanPool`: the pixels of a picture contain its reading."""

    size = 2

    def __init__(self, game: PrintedGame | None, **options: object) -> None:
        """Accept the arguments of a pool."""

    def start(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""

    def scan_for(self, game: PrintedGame, photo: bytes | Path, seconds: float | None = None) -> StoredReading:  # noqa: ARG002 - as a pool
        """Decode the pixels."""
        time.sleep(SCAN_SECONDS)
        return stored_reading(scan_result_of(photo if isinstance(photo, bytes) else photo.read_bytes()))


def picture(content: Mapping[str, Any]) -> bytes:
    """Return a picture file with this scan result: names of `cards` and numbers of `labels`."""
    text = json.dumps(content).encode()
    pixels = np.frombuffer(text.ljust(-(-len(text) // _WIDTH) * _WIDTH), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels.reshape(-1, _WIDTH)).save(out, "PNG")
    return out.getvalue()


def scan_result_of(photo: bytes) -> ScanResult:
    """Return the scan result in the pixels of a picture."""
    with Image.open(io.BytesIO(photo)) as image:
        content = json.loads(np.asarray(image).tobytes())
    cards = [card_named(name) for name in content["cards"]]
    codes = [ScannedCode(card.name, _SQUARE, card, "card") for card in cards]
    codes += [ScannedCode(str(label), _SQUARE, None, "label", label) for label in content["labels"]]
    seen = tuple(SeenCard(CardId(card.kind, card.copy), _SQUARE, (index,)) for index, card in enumerate(cards))
    label = content["labels"][0] if content["labels"] else None
    decks = (CardPile(label, tuple(range(len(cards)))),)
    return ScanResult(90, 90, tuple(codes), seen, tuple(content["labels"]), decks)


class OrganiserClient(Protocol):
    """A client of an organiser that retries until there is a response."""

    def post(self, path: str, document: Any = None, key: str = "") -> tuple[int, dict[str, Any]]:  # noqa: ANN401 - any JSON
        """Post JSON; with a key it creates something."""


def create_open_game(desk: OrganiserClient, players: int) -> str:
    """Create a game, print it and open it; return its id."""
    document = {"name": "A game", "edition": "eurocg-2026", "players": players}
    status, answer = desk.post("/api/v1/games", document, secrets.token_hex(8))
    assert status == 201, answer
    game = str(answer["id"])
    status, answer = desk.post(f"/api/v1/games/{game}/runs", {}, secrets.token_hex(8))
    assert status == 201, answer
    change_game_state(desk, game, "open")
    return game


def change_game_state(desk: OrganiserClient, game: str, act: str) -> None:
    """Move a game to its next state."""
    status, answer = desk.post(f"/api/v1/games/{game}/acts", {"act": act})
    # 409: an earlier try succeeded, but the server was killed before it answered.
    assert status in {200, 409}, answer
