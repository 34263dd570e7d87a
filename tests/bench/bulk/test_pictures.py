"""Files that are all different and show the same few pictures."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pytest

from server.bench.bulk.pictures import copy_seconds, lay_out
from server.store.stripping import strip

if TYPE_CHECKING:
    from pathlib import Path


def _photographs(folder: Path) -> list[Path]:
    files = []
    for shade in (40, 200):
        file = folder / f"{shade}.jpg"
        file.write_bytes(cv2.imencode(".jpg", np.full((32, 48), shade, np.uint8))[1].tobytes())
        files.append(file)
    return files


def test_each_file_is_another_and_its_pixels_are_the_photographs(tmp_path: Path) -> None:
    """What tells them apart is taken out with the other metadata, so that each costs as much as the first."""
    photographs = _photographs(tmp_path)
    files = lay_out(photographs, 5, tmp_path / "in")
    assert [file.name for file in files] == [f"IMG_{n}.jpg" for n in range(1, 6)]
    assert len({hashlib.sha256(file.read_bytes()).digest() for file in files}) == 5
    for place, file in enumerate(files):
        assert strip(file.read_bytes()).data == strip(photographs[place % 2].read_bytes()).data


def test_only_jpegs_are_laid_out(tmp_path: Path) -> None:
    """Another format has no such comment."""
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    with pytest.raises(ValueError, match="no JPEG"):
        lay_out([tmp_path / "a.png"], 1, tmp_path / "in")


def test_the_plain_copy_is_a_copy(tmp_path: Path) -> None:
    """Byte by byte, in a folder of its own."""
    files = lay_out(_photographs(tmp_path), 3, tmp_path / "in")
    assert copy_seconds(files, tmp_path / "copy") > 0
    assert {file.name: file.read_bytes() for file in (tmp_path / "copy").iterdir()} == {
        file.name: file.read_bytes() for file in files
    }
