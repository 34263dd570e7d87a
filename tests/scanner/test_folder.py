"""Photographs in a folder, in the order in which a person lists them."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from scanner.image.load import SUFFIXES, natural, pictures_in


def test_numbers_in_names_count_and_folders_stay_together() -> None:
    ordered = ["IMG_1.jpg", "IMG_2.jpg", "img_09.jpg", "IMG_10.jpg", "table 2/a.jpg", "table 2/b.jpg", "table 10/a.jpg"]
    backwards = ordered[::-1]
    assert sorted(backwards, key=natural) == ordered


@given(st.lists(st.text("ab1209/._ ", min_size=1, max_size=8), min_size=2))
def test_the_order_of_names_is_unique(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(names, key=natural) == sorted(backwards, key=natural)


def test_only_pictures_are_found(tmp_path: Path) -> None:
    """Files with the suffixes of pictures, also in subfolders; hidden files and links to folders are skipped."""
    (tmp_path / "below" / "deeper").mkdir(parents=True)
    (tmp_path / ".thumbnails").mkdir()
    for name in ("b.JPG", "below/deeper/a.heic", ".thumbnails/b.jpg", "._b.JPG", "list.txt", "none"):
        (tmp_path / name).touch()
    (tmp_path / "below" / "round").symlink_to(tmp_path)
    found = pictures_in(tmp_path)
    assert (found.pictures, found.others, found.shut) == (("b.JPG", "below/deeper/a.heic"), 3, ())
    for suffix in SUFFIXES:
        (tmp_path / f"one{suffix}").touch()
    assert len(pictures_in(tmp_path).pictures) == 2 + len(SUFFIXES)
