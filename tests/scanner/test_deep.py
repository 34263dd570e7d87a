"""The passes that know the game: both codes of a card together, and cards of other games."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

from cardgen.payload import card_text
from scanner import budget as budgets
from scanner import deep, own, scan_photo
from scanner.budget import Budget
from scanner.codebook import Codebook
from scanner.deep import MISSES, SURELY, own_cutouts, own_picture
from scanner.own import Reading
from scanner.quads import code_on_card, twin_on_card
from scanner.readers import Found
from scanner.search import Search
from server.studio import Scene, dealt_cards, photograph, printed_faces
from server.studio.profiles import NOMINAL
from tests.scanner.shots import CARDS, GAME, OTHER_GAME, page
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


UNIT = 84.0 * np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
"""A code of `page` with its corner at 0."""

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


def test_places_that_show_no_code_end_the_comparing() -> None:
    """Checkered cloth makes a hundred places; after some that show nothing the others are not looked at."""
    search = Search(np.full((600, 3000), 128, dtype=np.uint8), Budget(time.monotonic() + 60), game=GAME)
    search.unread = [Found(None, UNIT + np.array((50 + 20 * index, 50)), 1) for index in range(2 * MISSES)]
    own_cutouts(search)
    assert len(search.dismissed) == MISSES + 1


@pytest.mark.parametrize("defocus", [0.7, 1.0, 1.3])
def test_cards_of_another_game_are_no_cards_in_blur(defocus: float) -> None:
    """However blurred, cards of another game are not taken for any of this one."""
    faces = printed_faces(OTHER_GAME, dealt_cards(OTHER_GAME)[:9], dpi=220)
    photo = photograph(faces, Scene(replace(NOMINAL, defocus=defocus), 2016, 1512), "other")
    result = scan_photo(photo.jpeg, GAME)
    assert result.seen == ()
    assert {code.status for code in result.codes} <= {"other-game"}


@pytest.mark.parametrize(("paying", "told"), [(False, SURELY), (True, 9)])
def test_the_likeliest_places_are_compared_however_late_it_is(
    monkeypatch: pytest.MonkeyPatch,
    paying: bool,  # noqa: FBT001 - a table of cases
    told: int,
) -> None:
    """What led to them would be lost; and each card that is told takes from what is kept back for doubts."""
    texts = [card_text(GAME, card) for card in CARDS[:10]]
    placed = [(text, 150 * (index % 5), 150 * (index // 5)) for index, text in enumerate(texts)]
    grey = page(*placed, size=(320, 760))
    places = np.array([UNIT + np.array((x + 15.5, y + 15.5)) for _, x, y in placed])
    budget = Budget(time.monotonic() + 60, time.thread_time() + 60, kept=(0.0, 1e9 if paying else 0.0))
    search = Search(grey, budget, game=GAME, codes=[Found(texts[0], places[0], 1)])

    def symbols(small: np.ndarray, *_arguments: object) -> np.ndarray:
        budget.effort = time.thread_time()
        scale = np.array(small.shape[::-1]) / grey.shape[::-1]
        return np.asarray((places[1:] + 0.5) * scale - 0.5)

    monkeypatch.setattr(deep, "symbols", symbols)
    # A card pays for seconds, whatever else the machine does.
    monkeypatch.setattr(budgets, "_a_pixel", lambda: 1e-6)
    own_picture(search)
    assert [one.text for one in search.codes] == texts[: told + 1]
    # The others are kept: likelier ones were cards.
    assert len(search.glimpsed) == 9 - told


def test_without_a_game_nothing_is_compared() -> None:
    """Only the key tells what codes say, so without a game these passes leave a search as it is."""
    search = replace(readings(UPRIGHT, TWIN), game=None)
    own_cutouts(search)
    own_picture(search)
    assert search.codes == []


def test_places_are_put_together_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each look asks for it, but places that told nothing together will not the next time, unless others come."""
    search = readings(UPRIGHT, TWIN)
    compared = []
    monkeypatch.setattr(own, "told", lambda *_arguments: (compared.append(1), (None, 0.0))[1])
    for _ in range(3):
        own_cutouts(search)
    assert (len(compared), len(search.readings)) == (1, 2)
    search.readings.append(search.readings[1])
    own_cutouts(search)
    assert len(compared) > 1
