"""The demo's photographs: what they show, and how they are rendered."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import TYPE_CHECKING

from PIL import Image

from devtools.photo_simulator.demo_photos import preview, render
from scanner import scan_photo
from server.demo.seed import ORGANISERS, PLAYING, SAMPLES, decks_of, game_of

if TYPE_CHECKING:
    from pathlib import Path


def test_organisers_find_what_is_to_be_decided() -> None:
    """Compared with what players claim: a card less, no label, and a card of another player's deck."""
    decks = decks_of(game_of(PLAYING))
    cards = [set(picture.cards()) for picture in ORGANISERS]
    assert cards[0] == set(decks[0])
    assert set(decks[1]) - cards[1] == {decks[1][-1]}
    assert ORGANISERS[2].label is None
    assert cards[3] - set(decks[3]) <= set(decks[0])


def test_a_photograph_reads_as_what_it_shows(tmp_path: Path) -> None:
    """Its cards and its label are found; a card of the other game is seen as such. The preview is small."""
    picture = ORGANISERS[4]
    render(picture, tmp_path)
    found = scan_photo(picture.file(tmp_path).read_bytes(), game_of(PLAYING))
    assert {seen.card for seen in found.seen} == set(picture.cards())
    assert found.labels == (5,)
    assert "other-game" in {code.status for code in found.codes}
    with Image.open(preview(picture, tmp_path)) as image:
        assert max(image.size) == 360


def test_what_is_there_is_not_rendered_again(tmp_path: Path) -> None:
    """An existing photograph stays as it is."""
    SAMPLES[0].file(tmp_path).write_bytes(b"kept")
    render(SAMPLES[0], tmp_path)
    assert SAMPLES[0].file(tmp_path).read_bytes() == b"kept"


def test_rendering_ends_with_the_process_that_began_it(tmp_path: Path) -> None:
    """However that one ends, its end of the pipe is closed; no photograph is there in part."""
    command = [sys.executable, "-m", "devtools.photo_simulator.demo_photos", tmp_path / "photos", "--with-parent"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as renderer:
        end = time.monotonic() + 60
        while not (tmp_path / "photos").exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        assert renderer.stdin
        renderer.stdin.close()
        assert renderer.wait(10) == 0
    assert not all(picture.file(tmp_path / "photos").exists() for picture in (*SAMPLES, *ORGANISERS))
