"""What counts as read, as false and as named, on a picture whose truth is known."""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.scan.measure import IN_SIGHT, Tally, judge, middle, plain, settled, slow
from benchmarks.scan.pictures import Picture, TrueCard, TrueCode, known_picture
from benchmarks.scan.report import share
from scanner.result import Doubt, ScanResult
from tests.scanner.shots import TEXTS, shot

if TYPE_CHECKING:
    from scanner.result import Corners, Quad


def quad(left: float, top: float, side: float = 10.0) -> Quad:
    """Return an upright square."""
    return np.array([(left, top), (left + side, top), (left + side, top + side), (left, top + side)], dtype=np.float64)


def corners(left: float, top: float) -> Corners:
    """Return an upright square as a result holds it."""
    return ((left, top), (left + 10, top), (left + 10, top + 10), (left, top + 10))


def picture(*cards: TrueCard, codes: tuple[TrueCode, ...] = ()) -> Picture:
    """Return a picture with cards, or with codes alone."""
    return Picture(
        "a.jpg", b"", codes, frozenset([*(card.text for card in cards), *(code.text for code in codes)]), cards
    )


def test_a_code_counts_at_its_own_place_only() -> None:
    """Of two codes that say the same, one read is one, however often it is given."""
    shown = picture(codes=(TrueCode("A", quad(0, 0), 3.0), TrueCode("A", quad(50, 0), 2.0)))
    found = judge(shown, [("A", quad(1, 1)), ("A", quad(0, 1))], 2.0)
    assert (found.tally.codes, found.tally.codes_read, found.tally.false) == (2, 1, 0)
    assert found.modules == ((3.0, True), (2.0, False))


@pytest.mark.parametrize(("reads", "expected"), [(0, 0), (1, 1), (2, 2), (3, 2)])
def test_codes_without_places_count_by_their_number(reads: int, expected: int) -> None:
    """Where nobody knows the places, as many codes of a text were read as a reader gave, but no more than there are."""
    shown = picture(codes=(TrueCode("A"), TrueCode("A")))
    assert judge(shown, [("A", quad(0, 0))] * reads, 0).tally.codes_read == expected


def test_each_wrong_text_is_false_once() -> None:
    """A text that nothing in the picture says is one false read, at however many places."""
    shown = picture(codes=(TrueCode("A"),))
    assert (
        judge(shown, [("B", quad(0, 0)), ("B", quad(9, 9)), ("C", quad(0, 0)), ("A", quad(0, 0))], 0).tally.false == 2
    )


@pytest.mark.parametrize(("module", "counts"), [(1.99, 0), (2.0, 1), (2.01, 1), (None, 0)])
def test_cards_count_from_a_size_on(module: float | None, counts: int) -> None:
    """Below, at and above the least size; a card without a whole code never counts."""
    shown = picture(TrueCard("card", "A", quad(0, 0), 1.0, module))
    found = judge(shown, [], 2.0)
    assert (found.tally.cards, found.missed) == (counts, ("card",) * counts)


def test_a_made_up_photograph_is_judged_by_its_truth() -> None:
    """Codes count at their own place, cards anywhere, and only from a size on; what no card bears is false."""
    photo = shot("tilt50", 20)
    known = known_picture("photo.jpg", photo, TEXTS)
    reads = [(TEXTS[card.name], np.array(code.quad)) for card in photo.truth for code in card.codes]
    assert judge(known, reads, 0.0).tally == Tally(40, 40, 20, 20)
    assert judge(known, reads[1:], 0.0).tally == Tally(40, 39, 20, 20)
    assert judge(known, reads[2:], 0.0).tally == Tally(40, 38, 20, 19)
    moved = [(text, quad + 5000) for text, quad in reads[:2]]
    assert judge(known, moved, 0.0).tally == Tally(40, 0, 20, 1)
    assert judge(known, [("WRONG", reads[0][1])], 0.0).tally == Tally(40, 0, 20, 0, 1)
    largest = sorted(max(code.module for code in card.codes) for card in photo.truth)
    assert judge(known, [], largest[5]).tally == Tally(40, 0, 15, 0)
    assert Tally(40, 39, 20, 20) + Tally(10, 1, 5, 1, 2) == Tally(50, 40, 25, 21, 2)


def test_doubts_name_one_card_each() -> None:
    """Two doubts on one card name one, and the other is false; so is a doubt on a card that was read, or on none."""
    cards = [TrueCard(f"card {n}", f"{n}", quad(20.0 * n, 0), 1.0, 3.0) for n in range(3)]
    places = [corners(0, 0), corners(1, 1), corners(40, 0), corners(300, 0)]
    result = ScanResult(400, 100, (), doubts=tuple(Doubt(place, "unread") for place in places))
    tally = judge(picture(*cards), [("2", quad(40, 0))], 0, result).tally
    assert (tally.unread, tally.named, tally.false_doubts) == (2, 1, 3)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_doubts_on_cards_that_overlap_are_shared_out(order: tuple[int, ...]) -> None:
    """Where outlines overlap each card gets its own doubt, whichever comes first; those in sight before others."""
    shares = (1.0, 0.5, 0.1)
    cards = [TrueCard(f"card {n}", f"{n}", quad(4.0 * n, 0), shares[n], None) for n in order]
    # One doubt lies on the first two, one on the last two, one on the last alone.
    places = [corners(1.5, 0), corners(5.5, 0), corners(11, 0)]
    for some, expected in ((places, (2, 2, 0)), (places[:2], (2, 2, 0)), (places[1:], (2, 1, 0))):
        result = ScanResult(400, 100, (), doubts=tuple(Doubt(place, "hidden") for place in some))
        tally = judge(picture(*cards), [], 0, result).tally
        assert (tally.unread, tally.named, tally.false_doubts) == expected


@pytest.mark.parametrize(
    ("visible", "module", "wanted"),
    [(IN_SIGHT - 0.01, None, 0), (IN_SIGHT - 0.01, 2.0, 1), (IN_SIGHT, None, 1), (1.0, None, 1)],
)
def test_cards_are_to_be_named_that_can_be_seen(visible: float, module: float | None, wanted: int) -> None:
    """A quarter in sight or a whole code is enough; of less a doubt is neither wanted nor false."""
    shown = picture(TrueCard("card", "A", quad(0, 0), visible, module))
    tally = judge(shown, [], 0, ScanResult(100, 100, (), doubts=(Doubt(corners(0, 0), "hidden"),))).tally
    assert (tally.unread, tally.named, tally.false_doubts) == (wanted, wanted, 0)


def test_lines_are_texts_of_their_own_once_a_reader_says_so() -> None:
    """A text of two lines is one code, until some reader reads a line alone."""
    shown = Picture("a.png", b"", (TrueCode("A\nB"),), frozenset({"A\nB"}), lines=("A", "B"))
    assert settled(shown, [[("A B", quad(0, 0))], []]) is shown
    assert [code.text for code in settled(shown, [[], [("B", quad(0, 0))]]).codes] == ["A", "B"]


def test_texts_are_compared_by_what_all_readers_agree_on() -> None:
    """White space, control characters and guesses at the character set make no difference; letters do."""
    assert plain("a\r\n b\x00") == plain("a b")
    assert plain("http://example.org/é") == plain("http://example.org/Ã©")
    assert plain("é") != plain("è")
    assert plain("H0F1D000BN4B3S9F8PBX") != plain("H0F1D000BN4B3S9F8PBY")


@pytest.mark.parametrize(
    ("part", "whole", "words"), [(999, 1000, "99.9 %"), (9999, 10000, "99.9 %"), (5, 5, "100 %"), (0, 0, "")]
)
def test_a_share_is_never_rounded_up_to_all(part: int, whole: int, words: str) -> None:
    """One code in ten thousand that is missing shows."""
    assert share(part, whole) == words


@pytest.mark.parametrize(("number", "expected"), [(0, 0.0), (1, 0.0), (19, 18.0), (20, 19.0), (40, 38.0)])
def test_the_slowest_of_few_and_nearly_the_slowest_of_many(number: int, expected: float) -> None:
    """The value below which 95 in 100 lie; of up to twenty the largest."""
    values = [float(value) for value in range(number)]
    assert slow(values) == expected
    assert middle(values) == (0.0 if not values else (number - 1) / 2)
