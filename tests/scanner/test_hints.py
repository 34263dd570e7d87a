"""Hints come from what was measured, each from its own cause, and doubts have a place and a reason."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from cardgen.payload import card_text
from scanner import Doubt, scan_photo
from scanner.hints import SMALL, advise
from scanner.sort import laid_out
from server.studio import SCENES, PlacedCode, Scene
from server.studio.profiles import NOMINAL
from tests.scanner.shots import CARDS, GAME, bgr, encoded, page, shot, taken

SIZE = (900, 600)
EMPTY = laid_out((), GAME)


def doubt(x: float, y: float, reason: str = "unread") -> Doubt:
    """Return a doubt of 20 pixels a side around a point."""
    return Doubt(((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10)), reason)


def slugs(*doubts: Doubt, module: float = 5.0, complete: bool = True) -> list[str]:
    """Return the slugs of the hints for a picture of 900 x 600 pixels with some doubts and no codes."""
    return [advice.slug for advice in advise(SIZE, EMPTY, doubts, module, complete=complete)]


def test_a_good_picture_needs_no_hint() -> None:
    """A sharp picture of a whole deck gives no hints and no doubts."""
    result = scan_photo(shot("nominal", 20).jpeg, GAME)
    assert (result.hints, result.doubts, result.complete) == ((), (), True)


def test_an_empty_table_says_that_nothing_was_found() -> None:
    """A picture without any code says so, and says how to take a better one."""
    result = scan_photo(encoded(page()), GAME)
    (hint,) = result.hints
    assert hint.startswith("No code was found")
    assert result.cards == {}


@pytest.mark.parametrize(("module", "said"), [(SMALL - 0.01, True), (SMALL, False), (0.0, False)])
def test_small_codes_say_come_closer(module: float, said: bool) -> None:  # noqa: FBT001 - a table of cases
    """Below two pixels a module people are told to come closer, with the number."""
    advice = advise(SIZE, EMPTY, (doubt(5, 5),), module, complete=True)
    assert ("small" in [one.slug for one in advice]) == said


def test_a_picture_from_afar_says_come_closer() -> None:
    """A deck that fills a quarter of the picture gets the hint, with the measured size."""
    result = scan_photo(taken(Scene(replace(NOMINAL, fill=0.3)), 40).jpeg, GAME)
    (hint,) = [one.text for one in result.advice if one.slug == "small"]
    assert "1.8 pixels a module" in hint or "1.9 pixels a module" in hint


def test_a_blurred_picture_says_hold_still() -> None:
    """A deck out of focus, of which codes are located but not read, gets the hint about blur."""
    result = scan_photo(taken(Scene(replace(NOMINAL, defocus=1.0)), 40).jpeg, GAME)
    blurred = sum(one.reason == "blur" for one in result.doubts)
    assert blurred > 0.8 * len(result.doubts) > 0
    assert "blur" in [one.slug for one in result.advice]


@pytest.mark.parametrize(
    ("x", "y", "where"),
    [
        (50, 300, "at the left"),
        (850, 300, "at the right"),
        (450, 50, "at the top"),
        (450, 550, "at the bottom"),
        (450, 300, "in the middle"),
    ],
)
def test_unread_codes_are_placed(x: float, y: float, where: str) -> None:
    """A doubt says in which part of the picture it lies; two in one part are said together."""
    for number, said in ((1, "1 code "), (2, "2 codes ")):
        texts = [one.text for one in advise(SIZE, EMPTY, (doubt(x, y),) * number, 5.0, complete=True)]
        assert any(text.startswith(said + where) for text in texts)


def test_a_search_that_ran_out_of_time_says_so() -> None:
    """When the time was up before all passes ran, that is a hint of its own."""
    assert "time" in slugs(complete=False)
    assert "time" not in slugs()


def test_foreign_codes_are_said_but_not_the_link_of_a_label() -> None:
    """Codes of other things are counted in a hint; the link beside a label belongs there."""
    placed = [("https://example.org/1", 20, 20), ("https://example.org/2", 300, 20)]
    (advice,) = scan_photo(encoded(page(*placed)), GAME).advice
    assert advice.slug == "foreign"
    assert advice.text.startswith("2 codes not of this game")


def spoil(pixels: np.ndarray, *codes: PlacedCode) -> None:
    """Cover the lower right part of codes, so that they can be located but not read."""
    for code in codes:
        quad = np.array(code.quad)
        part = quad[2] + (quad - quad[2]) * 0.62
        cv2.fillConvexPoly(pixels, part.astype(np.int32), (235, 235, 235))


def test_a_card_with_both_codes_spoiled_is_a_doubt_and_a_twin_is_not() -> None:
    """A card of which nothing was read is a doubt in its place; the spoiled twin of a card that was read is none."""
    photo = shot("nominal", 20)
    pixels = bgr(photo.jpeg)
    spoil(pixels, *photo.truth[3].codes, photo.truth[8].codes[0])
    result = scan_photo(encoded(pixels, "PNG"), GAME)
    names = {card.card.name for card in result.seen}
    assert names == {card.name for card in CARDS[:20]} - {photo.truth[3].name}
    lost = np.array(photo.truth[3].outline, dtype=np.float32)
    assert 1 <= len(result.doubts) <= 2
    for one in result.doubts:
        x, y = np.mean(one.quad, axis=0)
        assert cv2.pointPolygonTest(lost, (float(x), float(y)), measureDist=False) > 0
    assert {one.slug for one in result.advice} == {"unread"}


def test_codes_of_a_checkered_cloth_are_no_doubts() -> None:
    """A cloth full of squares gives no false doubts."""
    photo = shot("checkered", 20)
    assert scan_photo(photo.jpeg, GAME).doubts == ()
    assert card_text(GAME, CARDS[0]) in {code.text for code in scan_photo(photo.jpeg, GAME).codes}


def test_every_profile_has_few_false_doubts() -> None:
    """Pictures of which every card was read give at most one false doubt in ten."""
    shots = [shot(profile, 20) for profile in sorted(SCENES)]
    scans = [(photo, scan_photo(photo.jpeg, GAME)) for photo in shots]
    results = [result for photo, result in scans if len(result.seen) >= sum(card.readable for card in photo.truth)]
    assert len(results) > len(shots) / 2
    assert sum(len(result.doubts) for result in results) <= len(results) / 10
