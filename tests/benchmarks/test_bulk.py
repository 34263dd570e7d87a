"""`haggle bench bulk`: what a real server does with many pictures at once, beside what does a part of it alone."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from benchmarks.photos import write_copies
from server.cli.main import main
from server.store.stripping import strip

if TYPE_CHECKING:
    from pathlib import Path

PICTURES = 6


def test_every_picture_is_read_in_each_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A JSON object a go has all figures that are compared; only the photographs are kept."""
    options = ["--photos", str(PICTURES), "--workers", "1,2", "--hands", "2", "--megapixels", "2", "--json"]
    main(["bench", "bulk", *options, "--pictures", str(tmp_path / "kept"), "--in", str(tmp_path)])
    said = capsys.readouterr()
    assert "Ratios mean little" in said.err
    goes = [json.loads(line) for line in said.out.splitlines()]
    assert [go["workers"] for go in goes] == [1, 2]
    for go in goes:
        assert (go["photos"], go["there"], go["failed"], go["bare_of"]) == (PICTURES, PICTURES, 0, PICTURES)
        assert go["codes"] > 0
        for name in ("size", "accepted", "rate", "bare_rate"):
            assert go[name] > 0, name
        assert set(go["intake"]) == {"copied", "commanded", "sent", "plain"}
        assert all(seconds > 0 for seconds in go["intake"].values())
        assert {row["what"] for row in go["looks"]} >= {"game", "queue", "a player", "all"}
        assert go["uploads"]["calls"] == PICTURES
    assert [entry.name for entry in tmp_path.iterdir()] == ["kept"]


@pytest.mark.parametrize("wanted", ["none", "0", "1,65"])
def test_a_wrong_number_of_workers_is_said(wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is made."""
    with pytest.raises(SystemExit) as stop:
        main(["bench", "bulk", "--workers", wanted])
    assert stop.value.code == 2
    assert f"--workers {wanted}" in capsys.readouterr().err


def test_each_copy_is_another_file_with_the_pixels_of_its_photograph(tmp_path: Path) -> None:
    """What tells them apart is taken out with the other metadata, so that each costs as much as the first."""
    photos = []
    for shade in (40, 200):
        photos.append(tmp_path / f"{shade}.jpg")
        photos[-1].write_bytes(cv2.imencode(".jpg", np.full((32, 48), shade, np.uint8))[1].tobytes())
    files = write_copies(photos, 5, tmp_path / "in")
    assert len({hashlib.sha256(file.read_bytes()).digest() for file in files}) == 5
    for place, file in enumerate(files):
        assert strip(file.read_bytes()).data == strip(photos[place % 2].read_bytes()).data
