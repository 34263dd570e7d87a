"""The demo's photos."""

from __future__ import annotations

import pytest
from PIL import Image

from scanner import scan_photo
from server.demo.seed import ORGANISERS, PHOTOS, PLAYING, SAMPLES, DemoPhoto, decks_of, game_of


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.name)
def test_photos_show_the_cards_of_the_demo(photo: DemoPhoto) -> None:
    """If not, the decks or the edition have changed: run `python -m devtools.demo_photos`."""
    found = scan_photo(photo.file.read_bytes(), game_of(photo.game))
    assert {seen.card for seen in found.seen} == set(photo.cards())
    assert found.labels == (() if photo.label is None else (photo.label,))
    assert ("other-game" in {code.status for code in found.codes}) == photo.stray


def test_samples_have_small_previews() -> None:
    for photo in SAMPLES:
        with Image.open(photo.preview) as image:
            assert max(image.size) == 360


def test_photos_of_organisers_lead_to_issues() -> None:
    """Compared to the players' lists: a missing card, no label, and a card of another player."""
    decks = decks_of(game_of(PLAYING))
    cards = [set(photo.cards()) for photo in ORGANISERS]
    assert cards[0] == set(decks[0])
    assert set(decks[1]) - cards[1] == {decks[1][-1]}
    assert ORGANISERS[2].label is None
    assert cards[3] - set(decks[3]) <= set(decks[0])
