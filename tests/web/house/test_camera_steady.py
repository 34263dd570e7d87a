"""What the viewfinder draws and says over a video of a hand that shakes: no code is read in every frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.web.steps import served

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Page

# Frames, each { at, codes }, through the function that the viewfinder hands them to; what is told after each of them.
TICKS = served("""async (frames) => {
  const { NOTHING, tick } = await import("/assets/app/camera/ticked.js");
  let told = NOTHING;
  return frames.map(({ at, codes }) => {
    told = tick(told, codes, { game: "BWJ4", kinds: ["red", "blue"], now: at });
    const seen = told.seen.map(({ text, quad }) => [text, quad[0]]);
    return { seen, labels: [...told.labels.keys()], strangers: [...told.strangers.keys()] };
  });
}""")
RED, BLUE, LABEL = "HBWJ40001AAAAAAAAAAA", "HBWJ40101AAAAAAAAAAA", "EBWJ40002AAAAAAAAAAA"
OTHER = "H00000001AAAAAAAAAAA"


def code(text: str, x: int, y: int, *, turned: bool = False) -> dict[str, Any]:
    """Return a code as the decoder gives it, 40 pixels wide, with its own upper left corner at a place."""
    side = -40 if turned else 40
    return {"text": text, "quad": [[x, y], [x + side, y], [x + side, y + side], [x, y + side]]}


def ticked(page: Page, *frames: tuple[int, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Return what is told after each frame, given as its time and the codes read in it."""
    told: list[dict[str, Any]] = page.evaluate(TICKS, [{"at": at, "codes": codes} for at, codes in frames])
    return told


@pytest.fixture
def page(opened: Callable[..., Page]) -> Page:
    """Open a page whose modules can be tried."""
    return opened("/")


def test_a_code_that_one_frame_misses_stays_outlined(page: Page) -> None:
    """It moves along with what is read again, whether few frames come or many, and is gone when it is long missing."""
    both = [code(RED, 100, 100), code(BLUE, 300, 100)]
    slow = ticked(page, (0, both), (1000, [code(RED, 130, 90)]), (2000, []), (3000, []), (4000, []))
    assert sorted(slow[1]["seen"]) == [[RED, [130, 90]], [BLUE, [330, 90]]]
    assert [len(told["seen"]) for told in slow] == [2, 2, 2, 1, 0]
    quick = ticked(page, (0, both), *((at, [both[0]]) for at in range(100, 1000, 100)))
    assert [len(told["seen"]) for told in quick] == [2] * 9 + [1]
    again = ticked(page, (0, both), (100, []), (200, both))
    assert sorted(again[2]["seen"]) == [[RED, [100, 100]], [BLUE, [300, 100]]]


def test_the_two_codes_of_a_card_are_told_apart(page: Page) -> None:
    """They say the same, but one is turned: where only the other is read, the first has not moved over to it."""
    upper, lower = code(RED, 100, 100), code(RED, 300, 400, turned=True)
    first, second = ticked(page, (0, [upper]), (100, [lower]))
    assert first["seen"] == [[RED, [100, 100]]]
    assert sorted(second["seen"]) == [[RED, [100, 100]], [RED, [300, 400]]]


def test_a_warning_stays_long_enough_to_be_read(page: Page) -> None:
    """A label or a stranger that every other frame reads is told of without a break, and for three seconds after."""
    found = [code(LABEL, 0, 0), code(OTHER, 200, 0)]
    told = ticked(page, (0, found), (500, []), (1000, found), (3900, []), (4100, []))
    assert [(one["labels"], one["strangers"]) for one in told] == [([2], [OTHER])] * 4 + [([], [])]
