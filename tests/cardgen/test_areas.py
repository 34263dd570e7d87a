"""The parts of a card of any size: what is drawn keeps away from the codes, which lie in opposite corners."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from reportlab.lib.units import mm

from cardgen.cards import POKER, SIZES, Geometry
from cardgen.faces.areas import Areas, Box
from cardgen.faces.worded import room_for_words

NAMES = list(SIZES)


def code_boxes(card: Geometry) -> list[Box]:
    """Return the two codes with their quiet zones, in points."""
    near, far = card.inset * mm, (card.inset + card.patch) * mm
    width, height = card.width * mm, card.height * mm
    return [Box(near, height - far, far, height - near), Box(width - far, near, width - near, far)]


def touch(one: Box, other: Box) -> bool:
    """Tell whether two boxes share more than an edge."""
    across = min(one.right, other.right) - max(one.left, other.left)
    return across > 1e-6 and min(one.top, other.top) - max(one.bottom, other.bottom) > 1e-6


def word_boxes(card: Geometry) -> list[Box]:
    """Return where a card's words may stand: the full lines, and those beside the lower code."""
    room = room_for_words(card)
    turn, last = room.top - room.turn, room.top - room.depth
    return [
        Box(room.left, turn, room.left + room.full, room.top),
        Box(room.left, last, room.left + room.narrow, turn),
    ]


def test_the_usual_sizes_are_those_that_shops_sell() -> None:
    """Width and height in millimetres; only business cards lie on their side."""
    assert {name: (size.width, size.height) for name, size in SIZES.items()} == {
        "poker": (63, 88),
        "bridge": (57, 88),
        "mini": (44, 67),
        "business": (85, 55),
        "business-us": (88.9, 50.8),
    }
    assert [name for name, size in SIZES.items() if Areas(size).lying] == ["business", "business-us"]
    assert SIZES["poker"] == POKER


@pytest.mark.parametrize("name", NAMES)
def test_codes_are_as_large_as_a_picture_of_a_deck_needs(name: str) -> None:
    """A patch of 22 mm or more; or, on a smaller card, modules that take the same share of the picture."""
    size = SIZES[name]
    smaller = min((size.width * size.height / (POKER.width * POKER.height)) ** 0.5, 1.0)
    assert size.patch >= 22 or size.module >= 0.98 * POKER.module * smaller
    assert size.module > 0.4


@given(width=st.floats(40, 120), height=st.floats(40, 120), inset=st.floats(1, 5), module=st.floats(0.5, 1.2))
def test_nothing_is_put_where_codes_are(width: float, height: float, inset: float, module: float) -> None:
    """On a card of any size that has room for two codes, no part lies on a code, and all lie within the card."""
    card = Geometry(width, height, inset, module)
    areas = Areas(card)
    assume(width > 2 * areas.across / mm + 2 or height > 2 * areas.down / mm + 2)
    assume(min(width, height) > (areas.down / mm) + 12)
    codes = code_boxes(card)
    assert not touch(*codes)
    words = word_boxes(card)
    for box in (areas.head, areas.foot, *words):
        assert not any(touch(box, code) for code in codes)
        assert box.left >= areas.whole.left - 1e-6
        assert box.right <= areas.whole.right + 1e-6
        assert box.bottom >= areas.whole.bottom - 1e-6
        assert box.top <= areas.whole.top + 1e-6
    assert not touch(areas.foot if areas.lying else areas.head, words[0])
    assert not touch(areas.foot if areas.lying else areas.head, words[1])


@pytest.mark.parametrize("name", NAMES)
def test_the_middle_has_room_for_a_symbol(name: str) -> None:
    """A disc of 18 mm or more lies free between the codes of every usual size."""
    assert 2 * Areas(SIZES[name]).reach / mm >= 18
