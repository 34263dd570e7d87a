"""Each reason why a code was not read is measured at its place: below, at and above its threshold."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from cardgen.payload import card_text
from scanner.reasons import DIM, SMALL, SOFT, STREAKED, Surroundings, cause_of, stroke_of
from tests.scanner.shots import CARDS, GAME, code

MODULE = 8


def scene(white: int = 220, black: int = 20, module: int = MODULE) -> tuple[np.ndarray, np.ndarray]:
    """Return a grey picture of a code on white paper, and the code's corners."""
    drawn = code(card_text(GAME, CARDS[0]), module, 8)
    pixels = np.where(drawn > 0, white, black).astype(np.uint8)
    near, far = 8.0 * module, (8.0 + 21) * module
    return pixels, np.array([(near, near), (far, near), (far, far), (near, far)])


def reason(pixels: np.ndarray, quad: np.ndarray, *outlines: np.ndarray) -> str:
    """Return the reason of a single code."""
    return cause_of(Surroundings.of(pixels, outlines), [quad], 21).reason


def moved(pixels: np.ndarray, length: float, angle: float) -> np.ndarray:
    """Return a picture moved by some modules in a direction, in degrees."""
    size = int(length * MODULE) | 1
    kernel = np.zeros((size, size), dtype=np.float32)
    kernel[size // 2] = 1 / size
    turn = cv2.getRotationMatrix2D((size // 2, size // 2), -angle, 1)
    kernel = cv2.warpAffine(kernel, turn, (size, size))
    return np.asarray(cv2.filter2D(pixels, -1, kernel / kernel.sum()))


def test_a_clear_code_has_no_cause() -> None:
    """Nothing measured keeps a sharp, bright and large code from being read."""
    assert reason(*scene()) == "unread"


@pytest.mark.parametrize(("module", "told"), [(2.1, "small"), (2.3, "unread")])
def test_small_codes(module: float, told: str) -> None:
    """Below 2.2 pixels a module a code is too small."""
    pixels, quad = scene()
    factor = module / MODULE
    small = cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    assert (module < SMALL) == (told == "small")
    assert reason(small, quad * small.shape[0] / pixels.shape[0]) == told


@pytest.mark.parametrize(("white", "told"), [(DIM - 1, "dim"), (DIM, "unread")])
def test_dim_pictures(white: float, told: str) -> None:
    """Where paper is darker than a third of white, light is missing."""
    assert reason(*scene(int(white), 8)) == told


@pytest.mark.parametrize(("radius", "told"), [(0.6, "unread"), (1.0, "blur"), (1.6, "blur")])
def test_blurred_codes(radius: float, told: str) -> None:
    """A disc of a module's radius makes all edges wider than sharp ones ever are."""
    pixels, quad = scene()
    size = int(2 * radius * MODULE) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)).astype(np.float32)
    soft = cv2.filter2D(pixels, -1, disc / disc.sum())
    assert reason(np.asarray(soft), quad) == told


@pytest.mark.parametrize(("length", "told"), [(0.6, "unread"), (2.0, "motion"), (3.0, "motion")])
@pytest.mark.parametrize("angle", [0, 30, 90, 135])
def test_moved_codes_tell_the_direction(length: float, angle: int, told: str) -> None:
    """Motion of two modules leaves the edges along it: it is told from a bad focus, with its direction."""
    pixels, quad = scene()
    cause = cause_of(Surroundings.of(moved(pixels, length, angle), []), [quad], 21)
    assert cause.reason == told
    if told == "motion":
        assert cause.motion is not None
        assert abs((cause.motion - angle + 90) % 180 - 90) < 12


@pytest.mark.parametrize(("share", "told"), [(0.15, "unread"), (0.4, "glare")])
def test_glare_is_bright_and_empty(share: float, told: str) -> None:
    """A white spot larger than any white of a code is glare."""
    pixels, quad = scene()
    middle = tuple(int(x) for x in quad.mean(axis=0))
    cv2.circle(pixels, middle, int(share * 21 * MODULE / 2), 255, -1)
    assert reason(pixels, quad) == told


@pytest.mark.parametrize(("share", "told"), [(0.15, "unread"), (0.45, "hidden"), (1.6, "hidden")])
def test_what_lies_on_a_code_is_even_and_darker(share: float, told: str) -> None:
    """A finger, a coin: an even spot that is not white hides a part of the code, or all of it."""
    pixels, quad = scene()
    middle = tuple(int(x) for x in quad.mean(axis=0))
    cv2.circle(pixels, middle, int(share * 21 * MODULE / 2), 120, -1)
    assert reason(pixels, quad) == told


@pytest.mark.parametrize(("black", "told"), [(105, "unread"), (120, "pale")])
def test_pale_print(black: int, told: str) -> None:
    """Black that is brighter than half of white is pale."""
    assert reason(*scene(220, black)) == told


@pytest.mark.parametrize(("black", "white", "told"), [(195, 220, "pale"), (160, 220, "pale"), (235, 250, "glare")])
def test_next_to_no_print(black: int, white: int, told: str) -> None:
    """A code that is nearly as bright as paper is printed too pale, unless it is brighter than paper."""
    pixels, quad = scene(white, black)
    soft = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 1.2 * MODULE))
    around = Surroundings(soft, [], 220.0)
    assert cause_of(around, [quad], 21).reason == told


def test_a_white_thing_on_a_code_is_no_glare() -> None:
    """Where most of a code is even and not bright something lies on it, though a part of that is white."""
    pixels, quad = scene()
    low, high = quad.min(axis=0).astype(int), quad.max(axis=0).astype(int)
    pixels[low[1] : high[1], low[0] : low[0] + int(0.75 * (high[0] - low[0]))] = 120
    pixels[low[1] : low[1] + int(0.2 * (high[1] - low[1])), low[0] : high[0]] = 225
    assert reason(pixels, quad) == "hidden"


@pytest.mark.parametrize(("light", "told"), [(0.3, "dim"), (0.45, "unread")])
def test_paper_is_measured_beneath_noise(light: float, told: str) -> None:
    """In the dark the brightest pixels are noise: paper is as bright as the mean of several."""
    pixels, quad = scene()
    noise = np.random.default_rng(1).normal(0, 25, pixels.shape)
    noisy = np.clip(pixels * light + noise, 0, 255).astype(np.uint8)
    card = quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 1.1
    around = Surroundings.of(noisy, [], [card])
    assert (cause_of(around, [quad], 21).reason == "dim") is (told == "dim")


@pytest.mark.parametrize(("by", "told"), [(0.0, "unread"), (0.01, "unread"), (0.05, "edge")])
def test_a_code_cut_by_the_edge(by: float, told: str) -> None:
    """A code of which more than a fiftieth lies beyond the picture is cut off."""
    pixels, quad = scene()
    left = round(quad[0, 0] + by * 21 * MODULE)
    assert reason(np.ascontiguousarray(pixels[:, left:]), quad - (left, 0.0)) == told


def test_a_code_under_a_card_that_was_read_is_hidden() -> None:
    """A card that covers a corner of a code hides it; one in which the code lies as a whole bears it."""
    pixels, quad = scene()
    half = quad + 10 * MODULE
    assert reason(pixels, quad, half) == "hidden"
    middle = quad.mean(axis=0)
    assert reason(pixels, quad, middle + (quad - middle) * 1.5) == "unread"


def test_the_better_code_of_a_card_gives_its_reason() -> None:
    """Of a card with one code cut off and one blurred, the blurred one could have been read."""
    pixels, quad = scene()
    soft = cv2.GaussianBlur(pixels, (0, 0), 1.2 * MODULE)
    assert cause_of(Surroundings.of(soft, []), [quad - 1000, quad], 21).reason == "blur"


def test_strokes_are_measured_in_modules() -> None:
    """A sharp code is even in all directions and its edges are narrow; both thresholds lie well beyond."""
    pixels, quad = scene()
    cut = pixels[int(quad[0, 1]) : int(quad[2, 1]), int(quad[0, 0]) : int(quad[2, 0])]
    stroke = stroke_of(np.asarray(cv2.resize(cut, (84, 84), interpolation=cv2.INTER_AREA)))
    assert stroke.evenness > STREAKED + 0.3
    assert stroke.width < SOFT - 0.3
