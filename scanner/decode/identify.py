"""Identifies the card or label that each code belongs to, and joins the two codes of a card."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from cardgen.payload import LABEL, JoinCode, card_of, is_signed, is_signed_join, parse, parse_join, without_token
from scanner.geometry import TablePlane, centre, contains, corners, rectangle, shared, side, turn_between
from scanner.result import ScannedCode, SeenCard

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cardgen.cards import CardId, Geometry, PrintedGame
    from scanner.decode.backends import DecodedCode
    from scanner.result import Corners, Quad, Status

COVERED = 0.02
"""Share of a code beyond the picture's edge or under another card that explains why it was not read."""

# Minimum angle between twins, in degrees: they are rotated by 180 degrees, which the same code on two cards seldom is.
# With 84 and 168 the same cards are read in 23 difficult photographs.
_OPPOSITE = 120.0

# Distance of the middles of the card given by two twins, at most, in sides of a code: half of that of two cards side by
# side, which is 2.5 for the narrowest ones.
_NEAR = 1.2

# Permutation that puts the corners of a mirrored code, as reported by a reader, into its own order.
SWAPPED = (0, 3, 2, 1)


@dataclass(frozen=True)
class PhotoLayout:
    """The codes in a picture, the cards they belong to, and the plane of the table."""

    codes: tuple[ScannedCode, ...]
    table: TablePlane
    seen: tuple[SeenCard, ...]
    _twins: dict[Geometry, tuple[Quad, Quad]] = field(default_factory=dict, repr=False, compare=False)

    def twins(self, geometry: Geometry) -> tuple[Quad, Quad]:
        """Return the middles, shape (n, 2), and sides of the second codes of cards of which one was read."""
        if geometry not in self._twins:
            single = [np.array(self.codes[card.codes[0]].quad) for card in self.seen if len(card.codes) == 1]
            places = [self.table.twin_place(geometry, quad) for quad in single]
            middles = np.array([centre(place) for place in places]).reshape(-1, 2)
            self._twins[geometry] = middles, np.array([side(place) for place in places])
        return self._twins[geometry]


class Meaning(NamedTuple):
    """The meaning of a code for a game, and the card or the envelope that a good code names."""

    status: Status
    card: CardId | None = None
    envelope: int | None = None


def meaning_of(text: str, game: PrintedGame | None) -> Meaning:
    """Return the meaning of a code's text for the game."""
    code = parse(text) or parse_join(text)
    if game is None or code is None:
        return Meaning("unchecked" if game is None else "foreign")
    if code.game != game.game:
        return Meaning("other-game")
    if isinstance(code, JoinCode):
        return Meaning("label", envelope=code.envelope if is_signed_join(code, game.key) else None)
    if not is_signed(text, game.key):
        return Meaning("forged")
    if code.letter == LABEL:
        return Meaning("label", envelope=code.number)
    card = card_of(game, code)
    return Meaning("card", card) if card else Meaning("forged")


def scanned(found: Sequence[DecodedCode], game: PrintedGame | None) -> tuple[ScannedCode, ...]:
    """Return the codes that were read with their meaning, in reading order: from the top, then from the left."""
    codes = []
    for one in sorted(found, key=lambda one: tuple(centre(one.quad)[::-1])):
        if one.text is not None:
            status, card, envelope = meaning_of(one.text, game)
            codes.append(ScannedCode(without_token(one.text), corners(one.quad), card, status, envelope))
    return tuple(codes)


def laid_out(codes: tuple[ScannedCode, ...], game: PrintedGame | None) -> PhotoLayout:
    """Group the codes of a game into cards, and detect whether the picture is mirrored.

    A reader reports a mirrored code with two corners swapped, which a single code does not reveal. But then the second
    code of a card is not at its expected place, and cards seem to be in the picture twice. The picture is mirrored if
    undoing the swap joins more codes.
    """
    table = TablePlane.under([np.array(code.quad) for code in codes if code.card is not None])
    if game is None:
        return PhotoLayout(codes, table, ())
    plain = PhotoLayout(codes, table, seen_cards(codes, table, game.geometry))
    if len({one.card for one in plain.seen}) == len(plain.seen):
        return plain
    swapped = tuple(
        replace(code, quad=cast("Corners", tuple(code.quad[corner] for corner in SWAPPED))) for code in codes
    )
    mirror = table.reflected()
    mirrored = PhotoLayout(swapped, mirror, seen_cards(swapped, mirror, game.geometry))
    return mirrored if len(mirrored.seen) < len(plain.seen) else plain


def seen_cards(codes: Sequence[ScannedCode], table: TablePlane, geometry: Geometry) -> tuple[SeenCard, ...]:
    """Join the two codes of each card: one SeenCard for each card at each place."""
    seen: list[SeenCard] = []
    left = [index for index, code in enumerate(codes) if code.card is not None]
    if not left:
        return ()
    places = np.array([code.quad for code in codes])
    middles = table.card_middles(geometry, places)
    while left:
        index = left.pop(0)
        # Both codes must give the same middle of the card.
        near = _NEAR * side(places[index])
        twin = next(
            (
                other
                for other in left
                if codes[other].text == codes[index].text
                and float(np.linalg.norm(middles[other] - middles[index])) < near
                and turn_between(places[index], places[other]) >= _OPPOSITE
            ),
            None,
        )
        group = (index,) if twin is None else (index, twin)
        if twin is not None:
            left.remove(twin)
        card = codes[index].card
        if card is not None:
            seen.append(SeenCard(card, corners(table.outline(geometry, *places[list(group)])), group))
    return tuple(seen)


def is_of_seen(quad: Quad, layout: PhotoLayout, geometry: Geometry) -> bool:
    """Return whether an unread place is the second code, or part of the face, of a card that was read."""
    middle = centre(quad)
    # On a rolled card the second code is up to a side from its place on a flat one: with half a side two of them are
    # reported as cards in 48 photographs.
    middles, reach = layout.twins(geometry)
    if (np.hypot(*(middles - middle).T) < reach).any():
        return True
    return any(contains(np.array(card.outline), middle) for card in layout.seen if len(card.codes) > 1)


def expected_missing_cards(layout: PhotoLayout, geometry: Geometry, width: int, height: int) -> float:
    """Estimate the number of cards of which neither code was read although both are visible.

    If each code is missed by chance with the same share q, then of n cards n q^2 are missed altogether, 2 n q (1 - q)
    show one code and n (1 - q)^2 both: single^2 / (4 both) cards are expected to have no code that was read.
    """
    frame = rectangle(width, height)
    outlines = [np.array(card.outline) for card in layout.seen]
    single = 0
    for at, card in enumerate(layout.seen):
        if len(card.codes) == 1:
            place = layout.table.twin_place(geometry, np.array(layout.codes[card.codes[0]].quad))
            hidden = any(shared(place, other) > COVERED for other in outlines[:at] + outlines[at + 1 :])
            single += not hidden and shared(place, frame) > 1 - COVERED
    both = sum(len(card.codes) > 1 for card in layout.seen)
    return single**2 / (4 * max(both, 1))
