"""Hints come from what was measured, each from its own cause, and doubts have a place and a reason."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER
from cardgen.payload import label_text
from devtools.photo_simulator import Scene
from devtools.photo_simulator.profiles import NOMINAL
from scanner import Doubt, ScannedCode, scan_photo
from scanner.hints import SMALL, advise
from scanner.photo import Limits, load
from scanner.quads import code_on_card, corners
from scanner.screens import MOIRE, moire
from scanner.sort import laid_out
from tests.scanner.shots import CARDS, GAME, bgr, encoded, page, shot, taken
from tests.scanner.test_table import laid

SIZE = (900, 600)
EMPTY = laid_out((), GAME)


def doubt(x: float, y: float, reason: str = "unread", motion: float | None = None, module: float = 5.0) -> Doubt:
    """Return a doubt of 20 pixels a side around a point."""
    return Doubt(((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10)), reason, motion, module)


def said(*doubts: Doubt, module: float = 5.0) -> list[str]:
    """Return the hints for a picture of 900 x 600 pixels with some doubts and no codes."""
    return [advice.text for advice in advise(SIZE, EMPTY, doubts, (), module, complete=True)]


def slugs(*doubts: Doubt, module: float = 5.0, complete: bool = True) -> list[str]:
    """Return the slugs of the hints for a picture of 900 x 600 pixels with some doubts and no codes."""
    return [advice.slug for advice in advise(SIZE, EMPTY, doubts, (), module, complete=complete)]


def test_a_good_picture_needs_no_hint() -> None:
    """A sharp picture of a whole deck gives no hints and no doubts."""
    result = scan_photo(shot("nominal", 20).jpeg, GAME)
    assert (result.hints, result.doubts, result.complete) == ((), (), True)


def test_an_empty_table_says_that_nothing_was_found() -> None:
    """A picture without any code says so, and says how to take a better one."""
    result = scan_photo(encoded(page()), GAME, limits=Limits(decodes=1000))
    (hint,) = result.hints
    assert hint.startswith("No code was found")
    assert result.cards == {}


@pytest.mark.parametrize(("module", "told"), [(SMALL - 0.01, True), (SMALL, False), (0.0, False)])
def test_small_codes_say_come_closer(module: float, told: bool) -> None:  # noqa: FBT001 - a table of cases
    """Below two pixels a module people are told to come closer, with the number."""
    advice = advise(SIZE, EMPTY, (doubt(5, 5),), (), module, complete=True)
    assert ("small" in [one.slug for one in advice]) == told


def test_a_picture_from_afar_says_come_closer() -> None:
    """A deck that fills a quarter of the picture gets the hint, with the measured size."""
    result = scan_photo(taken(Scene(replace(NOMINAL, fill=0.3)), 40).jpeg, GAME)
    (hint,) = [one.text for one in result.advice if one.slug == "small"]
    assert "1.8 pixels a module" in hint or "1.9 pixels a module" in hint


def test_a_blurred_picture_says_hold_still() -> None:
    """A deck out of focus, of which codes are located but not read, gets the hint about blur."""
    result = scan_photo(taken(Scene(replace(NOMINAL, defocus=2.0)), 20).jpeg, GAME)
    blurred = sum(one.reason == "blur" for one in result.doubts)
    assert blurred > 0.5 * len(result.doubts) > 0
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
def test_unread_cards_are_placed(x: float, y: float, where: str) -> None:
    """A doubt says in which part of the picture it lies; two in one part are said together."""
    for number, start in ((1, "1 card "), (2, "2 cards ")):
        assert any(text.startswith(start + where) for text in said(*(doubt(x, y),) * number))


@pytest.mark.parametrize(
    ("reason", "one", "two"),
    [
        ("glare", "1 card at the left is hidden by glare", "2 cards at the left are hidden by glare"),
        ("pale", "1 card at the left is printed too pale", "2 cards at the left are printed too pale"),
        ("hidden", "1 card at the left is covered", "2 cards at the left are covered"),
        ("edge", "1 card at the left is cut off", "2 cards at the left are cut off"),
        ("unread", "1 card at the left could not be read", "2 cards at the left could not be read"),
    ],
)
def test_each_cause_has_its_hint(reason: str, one: str, two: str) -> None:
    """What keeps cards from being read is said with their number and place, in good grammar."""
    assert [text[: len(one)] for text in said(doubt(50, 300, reason))] == [one]
    assert [text[: len(two)] for text in said(*(doubt(50, 300, reason),) * 2)] == [two]


def test_cards_all_over_the_picture_are_only_counted() -> None:
    """From three parts of the picture on a list of places helps nobody."""
    spots = [(50, 300), (850, 300), (450, 50)]
    assert len(said(*(doubt(x, y, "hidden") for x, y in spots[:2]))) == 2
    (text,) = said(*(doubt(x, y, "hidden") for x, y in spots))
    assert text.startswith("3 cards are covered")


@pytest.mark.parametrize("reason", ["dim", "blur"])
def test_a_cause_of_most_cards_is_one_of_the_picture(reason: str) -> None:
    """If more than half of the cards are dark or blurred the picture is, else those cards are."""
    seen = scan_photo(shot("nominal", 20).jpeg, GAME)
    layout = laid_out(seen.codes, GAME)
    for number, start in ((20, "20 cards in the middle "), (21, "The picture is ")):
        doubts = (doubt(450, 300, reason),) * number
        (advice,) = advise(SIZE, layout, doubts, (), 5.0, complete=True)
        assert advice.slug == reason
        assert advice.text.startswith(start)


@pytest.mark.parametrize(
    ("angles", "way"),
    [
        ((0, 175, 10), "from left to right"),
        ((22, 21), "from left to right"),
        ((24, 23), "from top left to bottom right"),
        ((90, 100), "up and down"),
        ((135,), "from bottom left to top right"),
        ((158, 170), "from left to right"),
    ],
)
def test_motion_is_told_with_its_direction(angles: tuple[float, ...], way: str) -> None:
    """The directions found at the cards are averaged, 0 and 180 degrees being the same, to one of four."""
    (text,) = said(*(doubt(450, 300, "motion", angle) for angle in angles))
    assert way in text


@pytest.mark.parametrize(("module", "pictures"), [(3.0, ""), (1.5, "4 pictures"), (1.0, "9 pictures")])
def test_small_codes_say_how_many_pictures(module: float, pictures: str) -> None:
    """Cards that fill the picture and are still small need more pictures, by the square of what is missing to 3."""
    corners = doubt(10, 10, "small", module=module), doubt(890, 590, "small", module=module)
    (text,) = said(*corners, module=0)
    assert f"{module:.1f} pixels a module" in text
    assert ("pictures" in text) == bool(pictures)
    assert pictures in text


def test_small_codes_in_a_corner_say_come_closer_only() -> None:
    """Cards that take a tenth of the picture can be ten times as large without being cut in parts."""
    (text,) = said(doubt(450, 300, "small", module=1.0), doubt(470, 310, "small", module=1.0), module=0)
    assert text.endswith("come closer.")


@pytest.mark.parametrize(("tilt", "told"), [(30.0, False), (60.0, True)])
def test_a_slant_is_named_as_a_cause(tilt: float, told: bool) -> None:  # noqa: FBT001 - a table of cases
    """Where cards were not read and the table is seen at a slant beyond 45 degrees, that is said; else never."""
    cards = [cv2.perspectiveTransform(code_on_card(POKER)[np.newaxis], one)[0] for one in laid(tilt, 20)]
    codes = tuple(ScannedCode(str(at), corners(quad), CARDS[at], "card") for at, quad in enumerate(cards))
    layout = laid_out(codes, GAME)
    for doubts in ((), (doubt(5, 5),)):
        advice = advise(SIZE, layout, doubts, (), 5.0, complete=True)
        assert ("tilt" in [one.slug for one in advice]) == (told and bool(doubts))


def test_a_missing_label_is_said_only_where_one_is_wanted() -> None:
    """An organiser's picture should have the envelope's label in it; a player's need not."""
    photo = shot("nominal", 20)
    assert [one.slug for one in scan_photo(photo.jpeg, GAME, label_wanted=True).advice] == ["label"]
    labelled = page((label_text(GAME, 7), 20, 20))
    assert "label" not in [one.slug for one in scan_photo(encoded(labelled), GAME, label_wanted=True).advice]


def test_without_a_game_codes_are_unread_and_not_cards() -> None:
    """Where nothing is known of cards the hints speak of codes."""
    (advice,) = advise(SIZE, EMPTY, (doubt(50, 300),), (), 5.0, complete=True, noun="code")
    assert advice.text.startswith("1 code at the left could")


def test_a_search_that_ran_out_of_time_says_so() -> None:
    """When the time was up before all passes ran a hint says so, unless cards were read and none is missed."""
    assert "time" in slugs(complete=False)
    assert "time" not in slugs()
    layout = laid_out(scan_photo(shot("nominal", 20).jpeg, GAME).codes, GAME)
    for doubts, told in (((), False), ((doubt(5, 5),), True)):
        advice = advise(SIZE, layout, doubts, (), 5.0, complete=False)
        assert ("time" in [one.slug for one in advice]) == told


def test_foreign_codes_are_said_but_not_the_link_of_a_label() -> None:
    """Codes of other things are counted in a hint; the link beside a label belongs there."""
    placed = [("https://example.org/1", 20, 20), ("https://example.org/2", 300, 20)]
    (advice,) = scan_photo(encoded(page(*placed)), GAME).advice
    assert advice.slug == "foreign"
    assert advice.text.startswith("2 codes not of this game")


@pytest.mark.parametrize(("value", "told"), [(MOIRE - 0.01, False), (MOIRE, True), (MOIRE + 1, True)])
def test_a_screen_is_told_by_its_moire(value: float, told: bool) -> None:  # noqa: FBT001 - a table of cases
    """From some strength of one fine frequency on, people are told to photograph the cards and not a screen."""
    advice = advise(SIZE, EMPTY, (doubt(5, 5),), (), 5.0, complete=True, moire=value)
    assert ("screen" in [one.slug for one in advice]) == told


def test_moire_is_measured() -> None:
    """A photograph of a screen has moire; those of cloths, print and noise have none, nor has a small picture."""
    assert moire(load(shot("screen", 20).jpeg)) >= MOIRE + 0.5
    for profile in ("checkered", "newspaper", "dim_two_mp"):
        assert moire(load(shot(profile, 20).jpeg)) < MOIRE - 0.5
    assert moire(np.zeros((100, 4000), dtype=np.uint8)) == 0


def test_who_photographs_a_screen_is_told_so_if_cards_are_missed() -> None:
    """The hint stands where a card was not read."""
    pixels = bgr(shot("screen", 20).jpeg)
    for code_ in shot("screen", 20).truth[3].codes:
        cv2.fillConvexPoly(pixels, np.array(code_.quad).astype(np.int32), (150, 150, 150))
    result = scan_photo(encoded(pixels, "PNG"), GAME)
    assert len(result.doubts) == 1
    assert "screen" in [one.slug for one in result.advice]
