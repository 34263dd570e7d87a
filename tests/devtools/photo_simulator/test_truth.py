"""What the truth says of hidden, cut and burnt-out codes is what lies there."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from cardgen.cards import POKER
from cardgen.payload import card_text, join_link, label_text
from devtools.photo_simulator import SCENES, Face, PrintedCode, Scene, photograph, printed_label
from devtools.photo_simulator.camera import Surface
from devtools.photo_simulator.photograph import placed_card
from devtools.photo_simulator.profiles import NOMINAL, SENSORS
from scanner import read_codes
from tests.scanner.shots import CARDS, GAME, bgr, deck, shot, taken

ABOVE = np.array([[10.0, 0, 0, 0], [0, 10, 0, 0], [0, 0, 0, 1]])
SURFACE = Surface(ABOVE, np.eye(3), (60.0, 80.0))
CODE = PrintedCode("TEXT", np.array([(10, 10), (31, 10), (31, 31), (10, 31)], dtype=np.float64), 21)
ROOM = (2000, 2000)


def rectangle(left: float, top: float, right: float, bottom: float) -> np.ndarray:
    """Return an outline in pixels."""
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], dtype=np.float64)


@pytest.mark.parametrize(
    ("above", "covered"),
    [
        ([], 0.0),
        ([rectangle(100, 100, 205, 310)], 0.5),
        ([rectangle(0, 0, 99, 800), rectangle(312, 0, 400, 800)], 0.0),
        ([rectangle(100, 100, 205, 310), rectangle(100, 100, 310, 205)], 0.75),
        ([rectangle(0, 0, 600, 800)], 1.0),
    ],
)
def test_what_lies_above_hides_its_share(above: list[np.ndarray], covered: float) -> None:
    """The share of a code that others cover is measured once, however many lie there."""
    (code,) = placed_card("a", SURFACE, [CODE], above, None, ROOM, 0).codes
    assert code.covered == pytest.approx(covered, abs=0.01)
    assert code.whole == (covered == 0)
    assert (code.text, code.module, code.narrow) == ("TEXT", pytest.approx(10), pytest.approx(10))


def test_the_edge_of_the_picture_hides_too() -> None:
    """A code that the edge cuts is not whole, and a card half in the picture is half visible."""
    card = placed_card("a", SURFACE, [CODE], [], None, (300, 2000), 0)
    assert card.visible == pytest.approx(0.5, abs=0.01)
    assert card.codes[0].covered == pytest.approx(10 / 210, abs=0.01)
    assert not card.readable


@pytest.mark.parametrize(("share", "whole"), [(0.0, True), (0.005, True), (0.02, False), (0.5, False)])
def test_reflections_hide_what_they_burn_out(share: float, whole: bool) -> None:  # noqa: FBT001 - a table of cases
    """A code of which more than one part in a hundred is burnt out is not whole."""
    shine = np.zeros((800, 600), dtype=np.uint8)
    shine[100 : 100 + round(210 * share), 100:310] = 255
    (code,) = placed_card("a", SURFACE, [CODE], [], shine, ROOM, 0).codes
    assert code.washed == pytest.approx(share, abs=0.006)
    assert (code.whole, code.glare) == (whole, 1.0 if share else 0.0)


@pytest.mark.parametrize(
    "name", ["fingers", "sleeves", "piles", "hand", "flatbed", "two_decks", "newspaper", "low_ink", "screenshot", "cut"]
)
def test_whole_codes_can_be_read_where_they_are(name: str) -> None:
    """Cut out by their true corners, nearly all codes that the truth calls whole say what it says, few others do."""
    photo = shot(name, 20)
    pixels = bgr(photo.jpeg)
    square = np.array([(60, 60), (270, 60), (270, 270), (60, 270)], dtype=np.float32)
    read = {True: [0, 0], False: [0, 0]}
    for card in photo.truth:
        for code in card.codes:
            matrix = cv2.getPerspectiveTransform(np.array(code.quad, dtype=np.float32), square)
            cutout = cv2.warpPerspective(pixels, matrix, (330, 330), flags=cv2.INTER_CUBIC)
            read[code.whole][0] += code.text in {one.text for one in read_codes(np.asarray(cutout, dtype=np.uint8))}
            read[code.whole][1] += 1
    assert read[True][1] >= 8
    assert read[True][0] >= 0.9 * read[True][1]
    assert read[False][0] <= 0.5 * read[False][1]


def test_fingers_and_coins_hide_codes() -> None:
    """Things that lie on cards make some codes unreadable, and the truth knows which."""
    photo = shot("fingers", 20)
    covered = [code.covered for card in photo.truth for code in card.codes]
    assert 3 <= sum(share > 0.05 for share in covered) <= 20
    assert all(card.visible > 0.2 for card in photo.truth)


def test_a_label_lies_beside_each_deck() -> None:
    """Two decks lie apart, each with its label, whose codes can be read; the truth keeps them apart."""
    labels = [printed_label(GAME, envelope, dpi=220) for envelope in (1, 2)]
    photo = photograph(deck(9), SCENES["two_decks"], "labels", labels)
    assert [card.deck for card in photo.truth] == [0] * 5 + [1] * 4
    assert [label.deck for label in photo.labels] == [0, 1]
    for envelope, label in enumerate(photo.labels, start=1):
        texts = [code.text for code in label.codes]
        assert texts == [label_text(GAME, envelope), join_link("https://haggle.example", GAME.game, GAME.key, envelope)]
    read = {code.text for code in read_codes(bgr(photo.jpeg))}
    assert read >= {code.text for label in photo.labels for code in label.codes}
    first, second = (
        np.array([np.mean(card.outline, axis=0) for card in photo.truth if card.deck == number]) for number in (0, 1)
    )
    assert first[:, 0].max() < second[:, 0].min()
    for label in photo.labels:
        place = np.mean(label.outline, axis=0)
        own, other = (first, second) if label.deck == 0 else (second, first)
        assert np.linalg.norm(own - place, axis=1).min() < np.linalg.norm(other - place, axis=1).min()


def test_a_deck_has_one_label_at_most() -> None:
    """More labels than decks are a mistake of the caller."""
    with pytest.raises(ValueError, match="one label"):
        photograph(deck(2), Scene(NOMINAL, 800, 600), "x", [printed_label(GAME, 1, dpi=100)] * 2)


def test_bent_cards_have_bent_codes_and_true_corners() -> None:
    """On a bent card the corners of the outline are where the corners are, not where a flat card would have them."""
    flat = taken(Scene(NOMINAL, 1600, 1200), 6, "bend").truth
    bent = taken(Scene(replace(NOMINAL, curl=(50, 60)), 1600, 1200), 6, "bend").truth
    moved = [np.abs(np.array(one.outline) - two.outline).max() for one, two in zip(flat, bent, strict=True)]
    assert min(moved) > 5


def test_modules_are_as_large_as_the_profile_asks() -> None:
    """A profile may set the pixels a module; a card alone cannot fill more than the picture."""
    photo = taken(Scene(replace(NOMINAL, module=(1.7, 1.7), tilt=(0, 5))), 12, "module")
    modules = [code.module for card in photo.truth for code in card.codes]
    assert np.median(modules) == pytest.approx(1.7, rel=0.03)
    near = taken(Scene(replace(NOMINAL, module=(90.0, 90.0)), 800, 600), 1, "module")
    assert all(0 <= x <= 800 and 0 <= y <= 600 for x, y in near.truth[0].outline)


def test_every_sensor_has_its_megapixels() -> None:
    """48, 12, 5 and 2 megapixels, each four to three."""
    for megapixels, (width, height) in SENSORS.items():
        assert width * height / 1e6 == pytest.approx(megapixels, rel=0.03)
        assert width / height == pytest.approx(4 / 3, rel=0.01)


def test_a_face_of_its_own_size_brings_its_own_codes() -> None:
    """Other things than cards say how large they are and where their codes are."""
    face = Face("sticker", np.full((100, 100, 3), 255, dtype=np.uint8), size=(50.0, 50.0), codes=(CODE,))
    assert face.size_in(POKER) == (50.0, 50.0)
    assert face.codes_in(POKER) == (CODE,)
    (card,) = taken(Scene(NOMINAL, 800, 600), 1).truth
    assert card.codes[0].text == card_text(GAME, CARDS[0])
