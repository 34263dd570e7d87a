"""Files in a folder: there whole, or not at all, and on the disk when `put` returns."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from server.store import folder_files
from server.store.files import PlaceError
from server.store.folder_files import FolderFiles

if TYPE_CHECKING:
    from pathlib import Path


def _all(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_a_file_is_kept_for_its_owner_alone(tmp_path: Path) -> None:
    """Its folder is made if need be, nobody else may read it, and nothing else lies there. Its pieces make one file."""
    files = FolderFiles(tmp_path / "photos", 0)
    files.put("7K3Q/1f.jpg", b"picture")
    files.put("owner", b"")
    files.put("7K3Q/1f.jpg", b"pic", memoryview(b"a picture")[5:], b"s")
    assert (files.get("7K3Q/1f.jpg"), files.get("owner")) == (b"pictures", b"")
    assert _all(tmp_path / "photos") == ["7K3Q/1f.jpg", "owner"]
    if os.name != "nt":
        assert (tmp_path / "photos" / "7K3Q" / "1f.jpg").stat().st_mode & 0o777 == 0o600


def test_what_is_replaced_stays_until_all_of_the_new_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that takes another's place waits for the disk before it does so, and is waited for under its name too."""
    files = FolderFiles(tmp_path, 0)
    sync, told = folder_files._sync, list[tuple[str, bytes]]()

    def noted(place: Path) -> None:
        if place.is_file():
            told.append((place.name.partition("#")[0] + "#" * ("#" in place.name), (tmp_path / "a").read_bytes()))
        sync(place)

    monkeypatch.setattr(folder_files, "_sync", noted)
    files.put("a", b"old")
    assert told == [("a", b"old")]
    files.put("a", b"new")
    assert told[1:] == [("a#", b"old"), ("a", b"new")]


def test_a_file_that_cannot_be_written_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was there before is there still, and no half of the new one."""
    files = FolderFiles(tmp_path, 0)
    files.put("a", b"old")

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(folder_files, "_sync", full)
    with pytest.raises(PlaceError) as refused:
        files.put("a", b"new")
    assert refused.value.errno == errno.ENOSPC
    assert (files.get("a"), _all(tmp_path)) == (b"old", ["a"])


def test_a_new_file_that_does_not_reach_the_disk_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sent it hears that nothing was kept, and a full disk is no fuller."""
    files = FolderFiles(tmp_path, 0)

    def broken(_: Path) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(folder_files, "_sync", broken)
    with pytest.raises(PlaceError):
        files.put("a", b"new")
    assert _all(tmp_path) == []


ELSEWHERE = ["../out.jpg", "7K3Q/../../out.jpg", "/out.jpg", "7K3Q/.", "", "C:/out.jpg", "7K3Q/..\\..\\out.jpg"]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_nothing_is_written_or_read_elsewhere(tmp_path: Path, name: str) -> None:
    """A name that leads out of the folder is none."""
    files = FolderFiles(tmp_path / "photos", 0)
    for act in (lambda: files.put(name, b"x"), lambda: files.at_hand(name)):
        with pytest.raises(PlaceError):
            act()
    assert _all(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_files_that_root_writes_belong_to_whose_the_folder_is(tmp_path: Path) -> None:
    """So that a server that runs as somebody else can read what `haggle bulk` took in."""
    os.chown(tmp_path, 12345, 12346)
    files = FolderFiles(tmp_path, 0)
    files.put("7K3Q/a", b"one")
    files.put("7K3Q/a", b"two")
    for place in (tmp_path / "7K3Q", tmp_path / "7K3Q" / "a"):
        assert (place.stat().st_uid, place.stat().st_gid) == (12345, 12346)
