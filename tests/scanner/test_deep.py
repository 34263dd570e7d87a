"""The passes that know the game: both codes of a card together, and cards of other games."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cardgen.payload import card_text
from scanner import own, scan_photo
from scanner.budget import Budget
from scanner.codebook import Codebook
from scanner.deep import own_cutouts, own_picture
from scanner.own import Reading
from scanner.quads import code_on_card, twin_on_card
from scanner.search import Search
from server.studio import Scene, dealt_cards, photograph, printed_faces
from server.studio.profiles import NOMINAL
from tests.scanner.shots import CARDS, GAME, OTHER_GAME
from tests.scanner.test_own import noisy, shown

TEXT = card_text(GAME, CARDS[0])
NOISE = 1.5
"""So much that one code is told too seldom, and two together nearly always."""


def readings(*quads: np.ndarray) -> Search:
    """Return a search that saw the card's code in noise at each of some places."""
    search = Search(np.zeros((600, 600), dtype=np.uint8), Budget.of(1), game=GAME)
    for seed, quad in enumerate(quads):
        modules = noisy(shown(TEXT), NOISE, seed)
        assert own.told(modules, Codebook.of(GAME))[0] is None
        search.readings.append(Reading(quad, modules, None, 0.0, 0.2))
    return search


UPRIGHT, TWIN = (5.0 * quad + 20 for quad in (code_on_card(GAME.geometry), twin_on_card(GAME.geometry)))


def test_two_codes_of_a_card_are_sure_together() -> None:
    """Neither code tells the card alone; at the places of twins they tell it together, each where it lies."""
    search = readings(UPRIGHT, TWIN)
    own_cutouts(search)
    assert [one.text for one in search.codes] == [TEXT, TEXT]
    assert [one.middle for one in search.codes] == [tuple(quad.mean(axis=0)) for quad in (UPRIGHT, TWIN)]
    assert search.readings == []


@pytest.mark.parametrize("other", [TWIN + 60, np.roll(TWIN, 2, axis=0)])
def test_codes_that_no_card_has_so_are_not_put_together(other: np.ndarray) -> None:
    """Places too far off, or not turned against each other, are not those of one card."""
    search = readings(UPRIGHT, other)
    own_cutouts(search)
    assert search.codes == []


@pytest.mark.parametrize("defocus", [0.7, 1.0, 1.3])
def test_cards_of_another_game_are_no_cards_in_blur(defocus: float) -> None:
    """However blurred, cards of another game are not taken for any of this one."""
    faces = printed_faces(OTHER_GAME, dealt_cards(OTHER_GAME)[:9], dpi=220)
    photo = photograph(faces, Scene(replace(NOMINAL, defocus=defocus), 2016, 1512), "other")
    result = scan_photo(photo.jpeg, GAME)
    assert result.seen == ()
    assert {code.status for code in result.codes} <= {"other-game"}


def test_without_a_game_nothing_is_compared() -> None:
    """Only the key tells what codes say, so without a game these passes leave a search as it is."""
    search = replace(readings(UPRIGHT, TWIN), game=None)
    own_cutouts(search)
    own_picture(search)
    assert search.codes == []
