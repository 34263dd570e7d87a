"""Hints follow from their causes and give numbers and places in good English."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cardgen.cards import POKER
from cardgen.payload import label_text
from devtools.photo_simulator.layouts import place
from devtools.photo_simulator.profiles import NOMINAL, Scene
from scanner import Doubt, ScannedCode, scan_photo
from scanner.cards.hints import MOIRE, SMALL, advise, moire
from scanner.decode.identify import PhotoLayout, laid_out
from scanner.geometry import code_on_card, corners, project
from scanner.image.load import Limits, load
from tests.scanner.shots import CARDS, GAME, encoded, page, shot, spoiled, taken

SIZE = (900, 600)
EMPTY = laid_out((), GAME)


def doubt(x: float, y: float, reason: str = "unread", motion: float | None = None, module: float = 5.0) -> Doubt:
    """Return a doubt of 20 pixels a side around a point."""
    return Doubt(((x - 10, y - 10), (x + 10, y - 10), (x + 10, y + 10), (x - 10, y + 10)), reason, motion, module)


def said(*doubts: Doubt, module: float = 5.0, layout: PhotoLayout = EMPTY, **more: Any) -> list[tuple[str, str]]:  # noqa: ANN401 - as `advise` takes it
    """Return slugs and texts of the hints for a picture of 900 x 600 pixels with some doubts."""
    told = advise(SIZE, layout, doubts, (), module, **({"complete": True} | more))
    return [(one.slug, one.text) for one in told]


def slugs(*doubts: Doubt, **more: Any) -> set[str]:  # noqa: ANN401 - as `said` takes it
    """Return the slugs of the hints."""
    return {slug for slug, _ in said(*doubts, **more)}


def cards(number: int, squeezed: float = 1.0) -> PhotoLayout:
    """Return cards that were read in a slanted picture."""
    camera = np.diag((5.0, 5.0 * squeezed, 1.0))
    codes = tuple(
        ScannedCode(
            str(at),
            corners(project(camera @ place(80 * at, 0, 37 * at, POKER), code_on_card(POKER))),
            CARDS[at],
            "card",
        )
        for at in range(number)
    )
    return laid_out(codes, GAME)


def test_a_good_picture_has_no_hint() -> None:
    """Only organisers are reminded of the label."""
    photo = shot("nominal", 20)
    result = scan_photo(photo.jpeg, GAME, label_wanted=True)
    assert ([one.slug for one in result.advice], result.doubts, result.complete) == (["label"], (), True)
    labelled = page((label_text(GAME, 7), 20, 20))
    assert scan_photo(photo.jpeg, GAME).hints == ()
    assert "label" not in [one.slug for one in scan_photo(encoded(labelled), GAME, label_wanted=True).advice]


def test_hints_explain_what_is_wrong_with_a_picture() -> None:
    """An empty table, cards that are too far away, and other codes."""
    (hint,) = scan_photo(encoded(page()), GAME, limits=Limits(decodes=1000)).hints
    assert hint.startswith("No code was found")
    far = scan_photo(taken(Scene(replace(NOMINAL, module=(1.8, 1.8)), 2592, 1944), 20).jpeg, GAME)
    (hint,) = [one.text for one in far.advice if one.slug == "small"]
    assert "1.8 pixels per module" in hint or "1.9 pixels per module" in hint
    (hint,) = scan_photo(encoded(page(("https://a.example/1", 20, 20), ("https://a.example/2", 300, 20))), GAME).hints
    assert hint.startswith("2 codes not of this game")


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
def test_hints_give_the_places_of_unread_cards(x: float, y: float, where: str) -> None:
    for number, start in ((1, "1 card "), (2, "2 cards ")):
        assert any(text.startswith(start + where) for _, text in said(*(doubt(x, y),) * number))


@pytest.mark.parametrize(
    ("reason", "one", "two"),
    [
        ("glare", "1 card at the left: hidden by glare", "2 cards at the left: hidden by glare"),
        ("pale", "1 card at the left: printed too pale", "2 cards at the left: printed too pale"),
        ("hidden", "1 card at the left: covered", "2 cards at the left: covered"),
        ("edge", "1 card at the left: cut off", "2 cards at the left: cut off"),
        ("unread", "1 card at the left: not readable", "2 cards at the left: not readable"),
    ],
)
def test_each_cause_has_its_hint(reason: str, one: str, two: str) -> None:
    for number, start in ((1, one), (2, two)):
        ((slug, text),) = said(*(doubt(50, 300, reason),) * number)
        assert slug == reason
        assert text.startswith(start)


def test_unread_cards_in_many_places_are_only_counted() -> None:
    """Places in three or more parts of the picture do not help. Without a game codes are counted."""
    spots = [doubt(x, y, "hidden") for x, y in [(50, 300), (850, 300), (450, 50)]]
    assert len(said(*spots[:2])) == 2
    ((_, text),) = said(*spots)
    assert text.startswith("3 cards: covered")
    ((_, text),) = said(doubt(50, 300), noun="code")
    assert text.startswith("1 code at the left: not")


@pytest.mark.parametrize("reason", ["dim", "blur"])
def test_a_cause_of_most_cards_is_reported_for_the_picture(reason: str) -> None:
    """If more than half of the cards are dark or blurred, so is the picture."""
    for number, start in ((20, "20 cards in the middle: "), (21, "The picture is ")):
        ((slug, text),) = said(*(doubt(450, 300, reason),) * number, layout=cards(20))
        assert slug == reason
        assert text.startswith(start)


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
def test_motion_is_reported_with_its_direction(angles: tuple[float, ...], way: str) -> None:
    """The directions at the cards are averaged, where 0 and 180 degrees are the same, to one of four."""
    ((_, text),) = said(*(doubt(450, 300, "motion", angle) for angle in angles))
    assert way in text


@pytest.mark.parametrize(("module", "pictures"), [(3.0, ""), (1.5, "4 pictures"), (1.0, "9 pictures")])
def test_hints_for_small_codes_give_a_number_of_pictures(module: float, pictures: str) -> None:
    """Small cards that fill the picture need more pictures: the square of the missing factor to 3 pixels a module."""
    ((_, text),) = said(doubt(10, 10, "small", module=module), doubt(890, 590, "small", module=module), module=0)
    assert f"{module:.1f} pixels per module" in text
    assert ("pictures" in text) == bool(pictures)
    assert pictures in text
    # Cards that take a tenth of the picture can be ten times as large without being cut in parts.
    ((_, text),) = said(doubt(450, 300, "small", module=1.0), doubt(470, 310, "small", module=1.0), module=0)
    assert text.endswith("move closer.")


def test_causes_are_reported_from_their_thresholds_on() -> None:
    """Small modules, moire, a slant beyond 45 degrees, and a scan that ran out of time."""
    for module, told in ((SMALL - 0.01, True), (SMALL, False), (0.0, False)):
        assert ("small" in slugs(doubt(5, 5), module=module)) is told
    for value, told in ((MOIRE - 0.01, False), (MOIRE, True)):
        assert ("screen" in slugs(doubt(5, 5), moire=value)) is told
    for squeezed, told in ((0.86, False), (0.5, True)):
        assert ("tilt" in slugs(doubt(5, 5), layout=cards(6, squeezed))) is told
        assert "tilt" not in slugs(layout=cards(6, squeezed))
    for layout, doubts, told in ((EMPTY, (), True), (cards(3), (), False), (cards(3), (doubt(5, 5),), True)):
        assert ("time" in slugs(*doubts, layout=layout, complete=False)) is told
        assert "time" not in slugs(*doubts, layout=layout)


def test_a_screen_is_detected_by_its_moire_if_a_card_was_missed() -> None:
    """Print, noise and small pictures have none."""
    photo = shot("screen", 20)
    assert moire(load(photo.jpeg)) >= MOIRE + 0.5
    for profile in ("newspaper", "dim_two_mp"):
        assert moire(load(shot(profile, 20).jpeg)) < MOIRE - 0.5
    assert moire(np.zeros((100, 4000), dtype=np.uint8)) == 0
    # With enough time on a busy machine.
    result = scan_photo(spoiled(photo, *photo.truth[3].codes, share=1.0, grey=150), GAME, limits=Limits(decodes=60))
    assert len(result.doubts) == 1
    assert "screen" in [one.slug for one in result.advice]
