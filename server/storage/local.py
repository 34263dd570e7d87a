"""Keeps files in a folder of this machine, or of a disk that machines share."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from obstore.exceptions import BaseError
from obstore.store import LocalStore

from server.storage.base import PIECE, PROBE, Opened, StorageError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

T = TypeVar("T")

_CODE = re.compile(r"\(os error (\d+)\)")
_ELSEWHERE = re.compile(r"[\\:]")

# What leads to another folder or disk on Windows.
_HALF = re.compile(r"#\d+$")

# How files end that are still being written, or whose writer was killed.
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class LocalFileStore:
    """Files in a folder. `reserve` is how many bytes of the disk they leave free."""

    def __init__(self, place: Path, reserve: int) -> None:
        """Take a folder, made if it is not there. Only its owner may look into it."""
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._place, self._reserve = place, reserve
        self._settled: dict[Path, int] = {}
        self._store = LocalStore(place)

    def put(self, path: str, *data: bytes | memoryview) -> None:
        """Keep a file, as `Files`."""
        self.room(sum(map(len, data)))
        # By the system's own means: a photograph that comes in is not copied once more, nor handed to other threads.
        file = self._file(path)
        with self._told():
            owner = _owner(self._place)
            try:
                _write(file, data, owner)
            except FileNotFoundError:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if owner:
                    os.chown(file.parent, *owner)
                _write(file, data, owner)
            self._settle_folders(file)

    def get(self, path: str) -> bytes | None:
        """Return a file, as `Files`."""
        return self._there(lambda: bytes(self._store.get(path).bytes()))

    def head(self, path: str, size: int) -> bytes | None:
        """Return the first bytes of a file, as `Files`."""
        return self._there(lambda: bytes(self._store.get_range(path, start=0, length=size)))

    def at_hand(self, path: str) -> Path | None:
        """Return where a file can be read, as `Files`; the system begins to fetch it meanwhile."""
        file = self._file(path)
        try:
            descriptor = os.open(file, os.O_RDONLY)
        except OSError:
            # Whoever asks for the file itself hears why.
            return None
        try:
            if hasattr(os, "posix_fadvise"):
                # From a disk that machines share it takes its time. Some file systems take no hints.
                with contextlib.suppress(OSError):
                    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)
        finally:
            os.close(descriptor)
        return file.absolute()

    def opened(self, path: str) -> Opened | None:
        """Return a file to be read piece by piece, as `Files`."""
        found = self._there((self._place / path).stat)
        return None if found is None else Opened(found.st_size, self._pieces(self._place / path))

    def delete(self, paths: Sequence[str]) -> None:
        """Forget files, as `Files`."""
        for path in paths:
            self._there(partial(self._store.delete, path))

    def names(self, under: str | None = None) -> Iterator[tuple[str, datetime]]:
        """Yield the names of files, as `Files`."""
        with self._told():
            yield from listed(self._store, under)

    @contextlib.contextmanager
    def draft(self, path: str) -> Iterator[Path]:
        """Give a place beside the file's own, so that keeping it costs nothing."""
        half = self._place / f"{path}#{secrets.randbits(60)}"
        with self._told():
            half.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.room()
        try:
            yield half
        finally:
            half.unlink(missing_ok=True)

    def keep(self, path: str, draft: Path) -> None:
        """Keep what was written in a draft, as `Files`."""
        self.room()
        with self._told():
            draft.chmod(0o600)
            _sync(draft)
            draft.replace(self._place / path)
            self._settle_folders(self._place / path)

    def clear_halves(self, before: datetime) -> None:
        """Delete what was written in part, as `Files`."""
        for file in self._place.glob("**/*#*"):
            # Another process may sweep at the same time.
            with contextlib.suppress(FileNotFoundError):
                if _HALF.search(file.name) and file.stat().st_mtime < before.timestamp():
                    file.unlink()

    def check(self) -> None:
        """See that the folder can be written to, as `Files`."""
        # By the system's own means: the store works in threads, of which a server that is forked after this has none.
        probe = self._place / f"{PROBE}-{secrets.token_hex(8)}"
        with self._told():
            probe.touch(mode=0o600)
            probe.unlink()

    def room(self, size: int = 0) -> None:
        """Look whether there is room for so many bytes, as `Files`."""
        with self._told():
            free = shutil.disk_usage(self._place).free
        if free < self._reserve + size:
            raise StorageError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _settle_folders(self, file: Path) -> None:
        """Wait until the list of files that names a file is on the disk, and each folder's own name."""
        seen: dict[Path, int] = {}
        for folder in file.parents:
            _sync(folder)
            seen[folder] = folder.stat().st_ino
            if folder == self._place or self._settled.get(folder) == seen[folder]:
                break
        # What names these is on the disk now, and stays there: only a folder made anew is another one.
        self._settled.update(seen)

    def _file(self, path: str) -> Path:
        """Return where a file lies; PlaceError for a name that leads elsewhere, as a backup may be made to have one."""
        if not all(part.strip(".") for part in path.split("/")) or _ELSEWHERE.search(path):
            raise StorageError(errno.EINVAL, f"{self._place}: no name of a file")
        return self._place / path

    def _there(self, act: Callable[[], T]) -> T | None:
        """Do something with a file; None if it is not there. Where the whole folder is not, that says nothing of it."""
        try:
            with self._told():
                return act()
        except FileNotFoundError:
            if not self._place.is_dir():
                raise StorageError(errno.EIO, f"{self._place} is not there") from None
            return None

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Say what went wrong as a system's error."""
        try:
            yield
        except (FileNotFoundError, StorageError):
            raise
        except OSError as error:
            raise StorageError(
                error.errno or errno.EIO, f"{self._place}: {error.strerror or 'cannot be used'}"
            ) from error
        except BaseError as error:
            found = _CODE.search(str(error))
            code = int(found[1]) if found else errno.EIO
            raise StorageError(code, f"{self._place}: {os.strerror(code)}") from error

    def _pieces(self, path: Path) -> Iterator[bytes]:
        with self._told(), path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


def _owner(place: Path) -> tuple[int, int] | None:
    """Return whose new files are to be: its own, where the system's administrator writes into a server's folder."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    known = place.stat()
    return (known.st_uid, known.st_gid) if known.st_uid else None


def _write(file: Path, data: Sequence[bytes | memoryview], owner: tuple[int, int] | None = None) -> None:
    """Write a file, and wait until it is on the disk. What had its name before has it until all of this is there."""
    half = file.with_name(f"{file.name}#{secrets.randbits(60)}")
    try:
        with os.fdopen(os.open(half, _NEW, 0o600), "wb", buffering=0) as out:
            if owner:
                os.fchown(out.fileno(), *owner)
            for piece in data:
                left = memoryview(piece)
                while left:
                    left = left[out.write(left) :]
        fresh = not file.exists()
        if not fresh:
            # A new file nobody knows yet: for that one wait is enough, under the name that it keeps.
            _sync(half)
        half.replace(file)
        if fresh:
            half = file
        _sync(file)
    except BaseException:
        with contextlib.suppress(OSError):
            half.unlink(missing_ok=True)
        raise


def _sync(place: Path) -> None:
    """Wait until a file, or a folder's list of files, is on the disk. Windows does that for files alone."""
    if os.name == "nt" and place.is_dir():
        return
    descriptor = os.open(place, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
