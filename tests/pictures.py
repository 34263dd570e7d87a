"""Photographs of a printed game's own cards, for the tests of everything above the scanner."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from devtools.photo_simulator.cards import printed_faces
from devtools.photo_simulator.photograph import photograph
from devtools.photo_simulator.profiles import SCENES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cardgen.cards import CardId
    from tests.conftest import PrintedFolder

WIDTH, HEIGHT = 2000, 1500
DPI = 200


def cards_of(printed: PrintedFolder, deck: Mapping[str, int]) -> list[CardId]:
    """Return cards that were printed, a number of each kind."""
    chosen = []
    for kind, count in deck.items():
        copies = [one.card for one in printed.cards if one.card.kind == kind]
        assert len(copies) >= count
        chosen += copies[:count]
    return chosen


def deck_photo(printed: PrintedFolder, deck: Mapping[str, int], *, scene: str = "nominal") -> bytes:
    """Photograph a deck of the game; the JPEG's bytes."""
    faces = printed_faces(printed.game, cards_of(printed, deck), DPI)
    return photograph(faces, replace(SCENES[scene], width=WIDTH, height=HEIGHT), f"tests/{scene}").jpeg


def form(content: bytes) -> dict[str, Any]:
    """Return a multipart form with a picture. The forms of Flask's test client leave temporary files open."""
    head = b'--x\r\nContent-Disposition: form-data; name="photo"; filename="deck.jpg"\r\n\r\n'
    return {"data": head + content + b"\r\n--x--\r\n", "content_type": "multipart/form-data; boundary=x"}
