"""Codes to cards: what each code means for the game, and which codes belong to one physical card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cardgen.payload import LABEL, card_of, is_signed, parse
from scanner.quads import centre, corners, outline, turn_between, twin_place
from scanner.result import ScannedCode, SeenCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import CardId, Game, Geometry
    from scanner.readers import Found
    from scanner.result import Quad, Status

_OPPOSITE = 120.0
# Twins are turned by 180 degrees against each other; the same code on two cards seldom is.
_NEAR = 0.4
# Twins give the same centre of the card up to the error of carrying the outline on: this share of its height.


def status_of(text: str, game: Game | None) -> tuple[Status, CardId | None]:
    """Tell what a code's text means for the game, and which card it names if it is a good code of one."""
    if game is None:
        return "unchecked", None
    payload = parse(text)
    if payload is None:
        return "foreign", None
    if payload.game != game.game:
        return "other-game", None
    if not is_signed(text, game.key):
        return "forged", None
    if payload.letter == LABEL:
        return "label", None
    card = card_of(game, payload)
    return ("card", card) if card else ("forged", None)


def scanned(found: Sequence[Found], game: Game | None) -> tuple[ScannedCode, ...]:
    """Return the codes that were read with their meaning, in reading order: from the top, then from the left."""
    codes = []
    for one in sorted(found, key=lambda one: tuple(centre(one.quad)[::-1])):
        if one.text is not None:
            status, card = status_of(one.text, game)
            codes.append(ScannedCode(one.text, corners(one.quad), card, status))
    return tuple(codes)


def label_numbers(codes: Sequence[ScannedCode]) -> tuple[int, ...]:
    """Return the envelope numbers of the labels among the codes, each once, in order."""
    payloads = [parse(code.text) for code in codes if code.status == "label"]
    return tuple(sorted({payload.number for payload in payloads if payload}))


def seen_cards(codes: Sequence[ScannedCode], geometry: Geometry) -> tuple[SeenCard, ...]:
    """Put twin codes together: one SeenCard for each card at each place."""
    seen: list[SeenCard] = []
    left = [index for index, code in enumerate(codes) if code.card is not None]
    while left:
        index = left.pop(0)
        twin = next((other for other in left if _are_twins(codes[index], codes[other], geometry)), None)
        group = (index,) if twin is None else (index, twin)
        if twin is not None:
            left.remove(twin)
        quads = [np.array(codes[one].quad) for one in group]
        card = codes[index].card
        if card is not None:
            seen.append(SeenCard(card, corners(outline(geometry, *quads)), group))
    return tuple(seen)


def is_twin_of_seen(quad: Quad, codes: Sequence[ScannedCode], seen: Sequence[SeenCard], geometry: Geometry) -> bool:
    """Tell whether a place that was not read is just the second code of a card that was."""
    for card in seen:
        if len(card.codes) == 1:
            place = twin_place(geometry, np.array(card.outline), np.array(codes[card.codes[0]].quad))
            size = float(np.linalg.norm(place[2] - place[0]))
            if float(np.linalg.norm(centre(place) - centre(quad))) < size / 2:
                return True
    return False


def _are_twins(one: ScannedCode, other: ScannedCode, geometry: Geometry) -> bool:
    if one.text != other.text:
        return False
    quads = np.array(one.quad), np.array(other.quad)
    if turn_between(*quads) < _OPPOSITE:
        return False
    outlines = [outline(geometry, quad) for quad in quads]
    height = float(np.linalg.norm(outlines[0][3] - outlines[0][0]))
    return float(np.linalg.norm(centre(outlines[0]) - centre(outlines[1]))) < _NEAR * height
