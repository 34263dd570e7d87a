"""The photo store in a folder: atomic writes, owners and errors."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from server.storage import local
from server.storage.base import StorageError
from server.storage.local import LocalFileStore
from server.storage.photo_store import PhotoStore


def _all(folder: Path) -> list[str]:
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_files_are_readable_only_by_their_owner(tmp_path: Path) -> None:
    files = LocalFileStore(tmp_path / "photos", 0)
    files.put("7K3Q/1f.jpg", b"picture")
    files.put("owner", b"")
    files.put("7K3Q/1f.jpg", b"pictures")
    assert (files.get("7K3Q/1f.jpg"), files.get("owner")) == (b"pictures", b"")
    assert _all(tmp_path / "photos") == ["7K3Q/1f.jpg", "owner"]
    if os.name != "nt":
        assert (tmp_path / "photos" / "7K3Q" / "1f.jpg").stat().st_mode & 0o777 == 0o600


def test_a_file_is_replaced_after_the_new_one_is_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = LocalFileStore(tmp_path, 0)
    files.put("a", b"old")
    result = []
    monkeypatch.setattr(local, "_sync", lambda place: result.append((place, (tmp_path / "a").read_bytes())))
    files.put("a", b"new")
    assert [(place.is_dir(), data) for place, data in result] == [(False, b"old"), (True, b"new")]


@pytest.mark.parametrize("before", [b"old", None])
def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: bytes | None
) -> None:
    files = LocalFileStore(tmp_path, 0)
    if before:
        files.put("a", before)

    def full(_: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(local, "_sync", full)
    with pytest.raises(StorageError) as refused:
        files.put("a", b"new")
    assert refused.value.errno == errno.ENOSPC
    assert (files.get("a"), _all(tmp_path)) == (before, ["a"] if before else [])


def test_paths_outside_of_the_folder_are_refused(tmp_path: Path) -> None:
    files = LocalFileStore(tmp_path / "photos", 0)
    out = ("../out.jpg", "7K3Q/../../out.jpg", "/out.jpg", "7K3Q/.", "", "C:/out.jpg", "7K3Q/..\\..\\out.jpg")
    for name in out:
        with pytest.raises(StorageError):
            files.put(name, b"x")
        with pytest.raises(StorageError):
            files.local_path(name)
    assert _all(tmp_path) == []


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away")
def test_files_that_root_writes_belong_to_the_owner_of_the_folder(tmp_path: Path) -> None:
    """So that a server of another user can read what `haggle bulk` has imported."""
    os.chown(tmp_path, 12345, 12346)
    files = LocalFileStore(tmp_path, 0)
    for data in (b"one", b"two"):
        files.put("7K3Q/a", data)
    for place in (tmp_path / "7K3Q", tmp_path / "7K3Q" / "a"):
        assert (place.stat().st_uid, place.stat().st_gid) == (12345, 12346)


def test_a_missing_folder_and_a_missing_photo_are_different_errors(tmp_path: Path) -> None:
    """If a disk is not mounted, photos must not count as deleted."""
    photos = PhotoStore.in_folder(tmp_path, reserve=0)
    assert photos.get("7K3Q", "a") is None
    (tmp_path / "photos").rename(tmp_path / "elsewhere")
    for act in (
        lambda: photos.get("7K3Q", "a"),
        lambda: photos.head("7K3Q", "a", 2),
        lambda: photos.files.open("7K3Q/a.jpg"),
        lambda: photos.delete("7K3Q", "a"),
    ):
        with pytest.raises(StorageError, match="photos is not there"):
            act()


def test_scan_processes_can_open_files_by_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    photos = PhotoStore.in_folder(Path("games"), reserve=0)
    photos.put("7K3Q", "a", b"first")
    file = photos.local_path("7K3Q", "a")
    assert file is not None
    assert photos.local_path("7K3Q", "b") is None
    monkeypatch.chdir("/")
    assert file.read_bytes() == b"first"
