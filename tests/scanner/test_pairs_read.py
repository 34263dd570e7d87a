"""Where no game is known, codes of our form in pairs say that a deck was read."""

from __future__ import annotations

import numpy as np
import pytest

from scanner.budget import Budget
from scanner.pairs_read import EXPECTED, all_in_pairs, all_seen
from scanner.readers import Found
from scanner.search import Search

QUAD = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def card(number: int) -> str:
    """Return a text of the form of a card's code."""
    return f"H{number:019d}"


def deck(pairs: int, singles: int) -> list[str]:
    """Return the codes of so many cards that show both, and so many that show one."""
    return [card(number) for number in range(pairs)] * 2 + [card(100 + number) for number in range(singles)]


def test_a_deck_in_pairs_is_whole() -> None:
    """Both codes of each card, with or without an envelope's label, leave nothing to look for."""
    assert all_in_pairs(deck(13, 0))
    assert all_in_pairs([*deck(13, 0), "E" + "0" * 19])


@pytest.mark.parametrize(("pairs", "whole"), [(2, False), (3, True)])
def test_few_pairs_tell_nothing(pairs: int, *, whole: bool) -> None:
    """Two cards may lie there by chance as they do; three are a deck."""
    assert all_in_pairs(deck(pairs, 0)) is whole


@pytest.mark.parametrize("singles", [1, 2, 3])
@pytest.mark.parametrize(("more", "whole"), [(-1, False), (0, False), (1, True)])
def test_single_codes_make_more_cards_likely(singles: int, more: int, *, whole: bool) -> None:
    """Below and at the number of pairs that lets a twentieth of a card be missed the search goes on; above it ends."""
    assert all_in_pairs(deck(round(singles**2 / (4 * EXPECTED)) + more, singles)) is whole


@pytest.mark.parametrize("other", ["https://haggle.example", "h" + "0" * 19, "H" + "0" * 18, "", None])
def test_any_other_text_may_have_company(other: str | None) -> None:
    """A code that is no card's says nothing of how many there are."""
    assert not all_in_pairs([*deck(13, 0), other])


def laid(texts: list[str], sides: list[float]) -> list[Found]:
    """Return codes of these sides in pixels, each at a place of its own; the sides come again and again."""
    return [
        Found(text, QUAD * sides[number % len(sides)] + 400 * np.array([number % 8, number // 8]))
        for number, text in enumerate(texts)
    ]


@pytest.mark.parametrize(
    ("sides", "seen"),
    [([62.9], False), ([63.0], True), ([63.0, 94.5], True), ([63.0, 94.6], False), ([100.0, 150.0, 62.9], False)],
)
def test_only_a_deck_in_plain_view_is_taken_for_whole(sides: list[float], *, seen: bool) -> None:
    """Below 3 pixels a module, or at a slant that makes some codes far larger than others, more is looked for."""
    assert all_seen(laid(deck(13, 0), sides)) is seen


def test_nothing_is_no_deck() -> None:
    """Without any code nothing is whole."""
    assert not all_seen([])


def test_a_search_without_a_game_ends_with_a_deck_in_pairs() -> None:
    """Of a deck in pairs no more looks are taken, of as many other codes all that can be afforded."""
    for texts, more in ((deck(6, 0), False), ([f"code {number}" for number in range(12)], True)):
        search = Search(np.zeros((3000, 4000), np.uint8), Budget.of(12_000_000), unit=0.001)
        search.add(laid(texts, [100.0]))
        assert search.takes(1.0) is more
