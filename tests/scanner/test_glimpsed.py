"""Places that look like codes, but that there was no time to compare, tell the cards on which they lie."""

from __future__ import annotations

import numpy as np
import pytest

from cardgen.cards import POKER
from cardgen.payload import card_text
from scanner.budget import Budget
from scanner.doubts import doubts_of
from scanner.glimpsed import FEWEST, glimpsed_cards
from scanner.quads import card_corners, centre, code_on_card, twin_on_card
from scanner.readers import Found
from scanner.search import Search
from scanner.sort import Layout, laid_out, scanned
from tests.scanner.shots import CARDS, GAME, OTHER_GAME

SCALE = 4.0


def spot(at: int) -> np.ndarray:
    """Return where a card of a row lies, in millimetres."""
    return np.array([10 + (at % 4) * 70.0, 10 + at // 4 * 95.0])


def codes(at: int) -> list[np.ndarray]:
    """Return the two codes of a card, in pixels."""
    return [SCALE * (spot(at) + code(POKER)) for code in (code_on_card, twin_on_card)]


def read(number: int) -> Layout:
    """Return the layout of so many cards of which one code each was read."""
    found = [Found(card_text(GAME, CARDS[at]), codes(at)[0], 1) for at in range(number)]
    return laid_out(scanned(found, GAME), GAME)


def test_each_card_is_named_once_whichever_codes_were_glimpsed() -> None:
    """Both codes of a card, or one of them twice, make one outline: that of the card."""
    glimpsed = [*codes(5), codes(6)[1], codes(6)[1] + 1.0]
    found = glimpsed_cards(glimpsed, read(FEWEST), POKER)
    assert len(found) == 2
    for at, card in zip((5, 6), found, strict=True):
        true = SCALE * (spot(at) + card_corners(POKER))
        # The outline begins at either end of the card.
        assert min(np.abs(card - true).max(), np.abs(np.roll(card, 2, axis=0) - true).max()) < SCALE


@pytest.mark.parametrize("number", [FEWEST - 1, FEWEST])
def test_few_cards_tell_no_table(number: int) -> None:
    """Where hardly a card was read, such places tell nothing."""
    assert len(glimpsed_cards(codes(5), read(number), POKER)) == (number >= FEWEST)


def test_places_on_cards_that_were_read_and_of_another_size_are_none() -> None:
    """Twins of codes that were read, print on their cards, and larger or smaller squares are no cards."""
    one = codes(5)[0]
    others = [centre(one) + (one - centre(one)) * factor for factor in (0.7, 1.4)]
    on_card = codes(0)[0] + SCALE * np.array([30.0, 0.0])
    assert not glimpsed_cards([codes(0)[1], on_card, *others], read(FEWEST), POKER)
    assert not glimpsed_cards([], read(FEWEST), POKER)


@pytest.mark.parametrize("strange", [True, False])
def test_the_other_code_of_a_strangers_card_is_no_card_of_ours(strange: bool) -> None:  # noqa: FBT001 - with and without
    """A place on a card of which a code was read, whosever it is, is no card that was not read."""
    found = [Found(card_text(GAME, CARDS[at]), codes(at)[0], 1) for at in range(FEWEST)]
    found += [Found(card_text(OTHER_GAME, CARDS[5]), codes(5)[0], 1)] if strange else []
    search = Search(np.full((1200, 1300), 200, dtype=np.uint8), Budget(float("inf")), codes=found)
    search.glimpsed = [codes(5)[1]]
    _, doubts = doubts_of(search, laid_out(scanned(found, GAME), GAME), GAME)
    assert len(doubts) == (not strange)
