"""Rendering of the demo's photos."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

from PIL import Image

from scanner import scan_photo
from server.demo.photo_simulator.demo_photos import preview, render
from server.demo.seed import ORGANISERS, PLAYING, SAMPLES, decks_of, game_of
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path


def test_rendered_photos_can_be_scanned(tmp_path: Path) -> None:
    """Cards and labels are found, foreign cards are recognized, previews are small, and photos rendered once."""
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


def test_photos_of_organisers_lead_to_issues() -> None:
    """Compared to the players' lists: a missing card, no label, and a card of another player."""
    decks = decks_of(game_of(PLAYING))
    cards = [set(picture.cards()) for picture in ORGANISERS]
    assert cards[0] == set(decks[0])
    assert set(decks[1]) - cards[1] == {decks[1][-1]}
    assert ORGANISERS[2].label is None
    assert cards[3] - set(decks[3]) <= set(decks[0])


def test_rendering_ends_with_its_parent_process(tmp_path: Path) -> None:
    """Even if the parent is killed, its end of the pipe is closed; there are no incomplete files."""
    folder = tmp_path / "photos"
    command = [sys.executable, "-m", "server.demo.photo_simulator.demo_photos", folder, "--with-parent"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as renderer:
        until(folder.exists)
        assert renderer.stdin
        renderer.stdin.close()
        assert renderer.wait(10) == 0
    assert not all(picture.file(folder).exists() for picture in (*SAMPLES, *ORGANISERS))
