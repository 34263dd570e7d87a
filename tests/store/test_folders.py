"""A folder's pictures, in the order in which a person would list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from server.store.folders import SUFFIXES, natural, pictures_in

if TYPE_CHECKING:
    from pathlib import Path


def test_numbers_count_and_folders_stay_together() -> None:
    """9 comes before 10, also in folders' names, with or without leading zeros."""
    ordered = ["IMG_1.jpg", "IMG_2.jpg", "img_09.jpg", "IMG_10.jpg", "table 2/a.jpg", "table 2/b.jpg", "table 10/a.jpg"]
    backwards = ordered[::-1]
    assert sorted(backwards, key=natural) == ordered


@given(st.lists(st.text("ab1209/._ ", min_size=1, max_size=8), min_size=2))
def test_any_names_have_one_order(names: list[str]) -> None:
    """Whatever they are, and in whatever order they were found."""
    backwards = names[::-1]
    assert sorted(names, key=natural) == sorted(backwards, key=natural)


def test_only_pictures_are_found(tmp_path: Path) -> None:
    """By how their names end, small or capital, also in folders below; hidden files are others, hidden folders none."""
    (tmp_path / "below" / "deeper").mkdir(parents=True)
    (tmp_path / ".thumbnails").mkdir()
    for name in ("b.JPG", "below/deeper/a.heic", ".thumbnails/b.jpg", "._b.JPG", "list.txt", "none"):
        (tmp_path / name).touch()
    found = pictures_in(tmp_path)
    assert (found.pictures, found.others, found.shut) == (("b.JPG", "below/deeper/a.heic"), 3, ())
    for suffix in SUFFIXES:
        (tmp_path / f"one{suffix}").touch()
    assert len(pictures_in(tmp_path).pictures) == 2 + len(SUFFIXES)


def test_links_to_folders_lead_nowhere(tmp_path: Path) -> None:
    """A folder that holds a link to itself is looked into once."""
    (tmp_path / "a.jpg").touch()
    (tmp_path / "round").symlink_to(tmp_path)
    assert pictures_in(tmp_path).pictures == ("a.jpg",)
