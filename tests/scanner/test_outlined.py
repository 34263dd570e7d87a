"""Cards whose outline alone was found are read at the places that it gives their codes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scanner import doubts, own, scan_photo
from scanner.budget import Budget
from scanner.outlined import BLANK, HOPEFUL, HOPELESS, read_outlined
from scanner.photo import DEFAULT_LIMITS, load
from scanner.quads import centre, contains
from scanner.search import Search
from server.studio import Photograph, Scene
from server.studio.profiles import NOMINAL
from tests.scanner.shots import GAME, OTHER_GAME, taken

SMALL = Scene(replace(NOMINAL, textures=("paper",), module=(1.7, 1.8)), 2592, 1944)


@pytest.fixture(scope="module")
def photo() -> Photograph:
    """Take a photograph of eight sharp cards with modules too small for readers."""
    return taken(SMALL, 8)


def outlines_of(photo: Photograph, off: float = 0.0) -> list[np.ndarray]:
    """Return the outlines of its cards, off by so many pixels to the right."""
    return [np.array(card.outline) + np.array([off, 0.0]) for card in photo.truth]


def searching(photo: Photograph, seconds: float = 60.0) -> Search:
    """Return a search of a photograph that has found nothing yet."""
    return Search(load(photo.jpeg), Budget.of(1, seconds, 1e9), game=GAME)


@pytest.mark.parametrize("off", [0.0, 2.5, -2.5])
def test_an_outline_tells_the_card(photo: Photograph, off: float) -> None:
    """Each card is read as what it is, at its place, though its outline is off by a module and a half."""
    search = searching(photo)
    read_outlined(search, GAME, outlines_of(photo, off))
    texts = {card.codes[0].text: np.array(card.outline) for card in photo.truth}
    assert {one.text for one in search.codes} == set(texts)
    assert all(contains(texts[one.text or ""], centre(one.quad)) for one in search.codes)


def test_cards_of_another_game_are_not_read(photo: Photograph) -> None:
    """Whoever has not the key of the cards reads none of them."""
    search = searching(photo)
    read_outlined(search, OTHER_GAME, outlines_of(photo))
    assert search.codes == []


def test_nothing_is_read_without_time(photo: Photograph) -> None:
    """Where the time is up no place is looked at."""
    search = searching(photo)
    search.budget = Budget(0.0, 0.0)
    read_outlined(search, GAME, outlines_of(photo))
    assert search.codes == []


@pytest.mark.parametrize(("wrong", "read"), [(BLANK - 1, 1), (BLANK, 0)])
def test_it_ends_where_the_surest_cards_show_nothing(photo: Photograph, wrong: int, read: int) -> None:
    """After eight cards that show no code the others are not tried; after seven the eighth is."""
    beside = outlines_of(photo, 5000.0)[:wrong]
    search = searching(photo)
    read_outlined(search, GAME, [*beside, outlines_of(photo)[0]])
    assert len(search.codes) == read


@pytest.mark.parametrize(("clear", "looks"), [(HOPEFUL - 0.1, 2 * BLANK), (HOPEFUL, 2 * 10 + 16 * HOPELESS)])
def test_only_what_stands_out_is_looked_at_around_its_place(
    photo: Photograph, monkeypatch: pytest.MonkeyPatch, clear: float, looks: int
) -> None:
    """A card costs two looks; where its codes stand out some 16 more, of three cards if these tell nothing."""
    modules = np.zeros((29, 29), dtype=np.float32)
    places = []

    def read(_picture: object, quad: np.ndarray, _book: object) -> own.Reading:
        places.append(quad)
        return own.Reading(quad, modules, None, clear, 0.3)

    monkeypatch.setattr(own, "read", read)
    monkeypatch.setattr(own, "told", lambda *_arguments: (None, clear))
    read_outlined(searching(photo), GAME, [*outlines_of(photo), *outlines_of(photo, 9.0)[:2]])
    assert len(places) == looks


def test_those_that_stand_out_most_are_looked_at_first(photo: Photograph) -> None:
    """Cards whose outlines are right are read, though three that are off by many modules come first."""
    search = searching(photo)
    read_outlined(search, GAME, [*outlines_of(photo, 12.0)[:3], *outlines_of(photo, 2.5)[3:]])
    texts = {card.codes[0].text for card in photo.truth[3:]}
    assert texts <= {one.text for one in search.codes}


def test_two_unsure_codes_of_a_card_make_a_sure_one(photo: Photograph, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where neither code is sure alone, the sum of their modules is compared."""
    sure = own.read

    def unsure(*arguments: object) -> own.Reading | None:
        reading = sure(*arguments)  # type: ignore[arg-type]  # passed on as they come
        return replace(reading, text=None) if reading else None

    monkeypatch.setattr(own, "read", unsure)
    search = searching(photo)
    read_outlined(search, GAME, outlines_of(photo)[:1])
    assert [one.text for one in search.codes] == [photo.truth[0].codes[0].text] * 2


def test_a_photograph_is_read_by_its_outlines_alone(photo: Photograph, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture whose search ended without a card is read by the outlines that the doubts find; else all are doubts."""
    limits = replace(DEFAULT_LIMITS, decodes=48, seconds=60)
    monkeypatch.setattr("scanner.passes.PASSES", ())
    result = scan_photo(photo.jpeg, GAME, limits=limits)
    assert {card.card.name for card in result.seen} == {card.name for card in photo.truth}
    assert result.doubts == ()
    monkeypatch.setattr(doubts, "read_outlined", lambda *_arguments: None)
    result = scan_photo(photo.jpeg, GAME, limits=limits)
    assert result.seen == ()
    assert len(result.doubts) == len(photo.truth)
