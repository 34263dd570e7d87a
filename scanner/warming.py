"""Makes what a process needs once before its first photograph comes: templates, and the book of a game's codes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from cardgen.cards import Game
from scanner.codebook import Codebook
from scanner.quads import card_corners, code_on_card, twin_on_card
from scanner.scan import scan_photo

if TYPE_CHECKING:
    from cardgen.cards import Geometry
    from scanner.result import Grey

_CARDS, _MILLIMETRE, _GAP = (4, 3), 2.4, 7.0
# Cards across and down, pixels a millimetre, and millimetres between cards.
_TABLE, _PAPER, _CODE = 40, 220, 130
# Brightness.


def warm_up(game: Game | None) -> None:
    """Scan a made-up photograph of a blurred deck, of which nothing can be read: that takes the steps of all others.

    Where it is not known yet whose cards will come, of a made-up game.
    """
    game = game or Game(game="0000", edition="", key=bytes(32), kinds=("any",), players=1, seed="")
    Codebook.of(game)
    scan_photo(cv2.imencode(".jpg", _blurred_deck(game.geometry))[1].tobytes(), game)


def _blurred_deck(geometry: Geometry) -> Grey:
    """Return cards that bear grey squares."""
    size = np.array([geometry.width, geometry.height]) + _GAP
    width, height = np.ceil(_MILLIMETRE * (size * _CARDS + _GAP)).astype(int).tolist()
    picture = np.full((height, width), _TABLE, dtype=np.uint8)
    for at in np.ndindex(*_CARDS):
        shapes = (card_corners(geometry), _PAPER), (code_on_card(geometry), _CODE), (twin_on_card(geometry), _CODE)
        for corners, brightness in shapes:
            spots = _MILLIMETRE * (corners + _GAP + np.array(at) * size)
            cv2.fillConvexPoly(picture, np.round(spots).astype(np.int32), brightness)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _MILLIMETRE), dtype=np.uint8)
