"""Photographs of a printed game's own cards, for the tests of everything above the scanner."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from server.studio.decks import printed_faces
from server.studio.photograph import photograph
from server.studio.profiles import SCENES

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from cardgen.cards import CardId
    from tests.conftest import PrintedFolder

WIDTH, HEIGHT = 2000, 1500
DPI = 200

SAMPLES = (
    ("small.jpg", "Small deck", "Two cards", {"red": 2}),
    ("large.jpg", "Large deck", "Five cards", {"red": 4, "rule-7": 1}),
)
"""The photographs that a demo of the tests offers: file, title, note, deck."""


def cards_of(printed: PrintedFolder, deck: Mapping[str, int]) -> list[CardId]:
    """Return cards that were really printed: so many of each kind."""
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


def lay_out_demo(printed: PrintedFolder, folder: Path) -> None:
    """Copy the printed game and put photographs beside it. One, `hidden.jpg`, is not in their list."""
    shutil.copytree(printed.folder, folder)
    photos = folder / "photos"
    photos.mkdir()
    (photos / "hidden.jpg").write_bytes(deck_photo(printed, {"blue": 1}))
    for name, _, _, deck in SAMPLES:
        (photos / name).write_bytes(deck_photo(printed, deck))
    listed = [{"file": name, "title": title, "note": note} for name, title, note, _ in SAMPLES]
    (photos / "photos.json").write_text(json.dumps(listed), encoding="utf-8")
