"""The demo's photographs: what they show, and how they are rendered."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from PIL import Image

from devtools.photo_simulator.demo_photos import preview, render
from scanner import scan_photo
from server.demo.seed import ORGANISERS, PLAYING, SAMPLES, decks_of, game_of
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path


def test_a_photograph_reads_as_what_it_shows_and_is_rendered_once(tmp_path: Path) -> None:
    """Its cards and its label are found; a card of the other game is seen as such. The preview is small."""
    picture = ORGANISERS[4]
    render(picture, tmp_path)
    file = picture.file(tmp_path)
    found = scan_photo(file.read_bytes(), game_of(PLAYING))
    assert {seen.card for seen in found.seen} == set(picture.cards())
    assert found.labels == (5,)
    assert "other-game" in {code.status for code in found.codes}
    with Image.open(preview(picture, tmp_path)) as image:
        assert max(image.size) == 360
    file.write_bytes(b"kept")
    render(picture, tmp_path)
    assert file.read_bytes() == b"kept"


def test_organisers_find_what_is_to_be_decided() -> None:
    """Compared with what players claim: a card less, no label, and a card of another player's deck."""
    decks = decks_of(game_of(PLAYING))
    cards = [set(picture.cards()) for picture in ORGANISERS]
    assert cards[0] == set(decks[0])
    assert set(decks[1]) - cards[1] == {decks[1][-1]}
    assert ORGANISERS[2].label is None
    assert cards[3] - set(decks[3]) <= set(decks[0])


def test_rendering_ends_with_the_process_that_began_it(tmp_path: Path) -> None:
    """However that one ends, its end of the pipe is closed; no photograph is there in part."""
    folder = tmp_path / "photos"
    command = [sys.executable, "-m", "devtools.photo_simulator.demo_photos", folder, "--with-parent"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as renderer:
        until(folder.exists)
        assert renderer.stdin
        renderer.stdin.close()
        assert renderer.wait(10) == 0
    assert not all(picture.file(folder).exists() for picture in (*SAMPLES, *ORGANISERS))
