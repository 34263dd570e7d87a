"""Files in a folder of this machine or of a shared disk."""

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

from server.operating_system import change_owner, owner_for_root, replace_file
from server.storage.base import PIECE, PROBE, OpenedFile, StorageError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

T = TypeVar("T")

_CODE = re.compile(r"\(os error (\d+)\)")

# Names with these lead to another folder or disk on Windows.
_ELSEWHERE = re.compile(r"[\\:]")

# The end of the names of partial files.
_PARTIAL = re.compile(r"#\d+$")

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class LocalFileStore:
    """Files in a folder, which leave `reserve` bytes of the disk free."""

    def __init__(self, root: Path, reserve: int) -> None:
        """Create the folder if it is missing, readable by its owner only."""
        root.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._root, self._reserve = root, reserve
        self._store = LocalStore(root)

    def put(self, path: str, data: bytes) -> None:
        """Store a file."""
        self.check_space(len(data))
        # Without obstore, which copies the bytes and hands them to other threads.
        file = self._file(path)
        with self._errors_converted():
            owner = owner_for_root(self._root)
            try:
                _write(file, data, owner)
            except FileNotFoundError:
                file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                change_owner(file.parent, owner)
                _write(file, data, owner)
            self._sync_folders(file)

    def get(self, path: str) -> bytes | None:
        """Return a file, or None if there is none."""
        return self._if_present(lambda: bytes(self._store.get(path).bytes()))

    def head(self, path: str, size: int) -> bytes | None:
        """Return the first bytes of a file, or None if there is none."""
        return self._if_present(lambda: bytes(self._store.get_range(path, start=0, length=size)))

    def local_path(self, path: str) -> Path | None:
        """Return the path of a file, or None if there is none or it cannot be read."""
        file = self._file(path)
        return file.absolute() if os.access(file, os.R_OK) else None

    def open(self, path: str) -> OpenedFile | None:
        """Open a file for reading in pieces; return None if there is none."""
        found = self._if_present((self._root / path).stat)
        return None if found is None else OpenedFile(found.st_size, self._pieces(self._root / path))

    def delete(self, paths: Sequence[str]) -> None:
        """Delete files."""
        for path in paths:
            self._if_present(partial(self._store.delete, path))

    def names(self, under: str | None = None) -> Iterator[tuple[str, datetime]]:
        """Yield the name and modification time of files."""
        with self._errors_converted():
            yield from listed(self._store, under)

    @contextlib.contextmanager
    def draft(self, path: str) -> Iterator[Path]:
        """Give a path in the folder of the file, so that `keep` only renames it."""
        partial_file = self._root / f"{path}#{secrets.randbits(60)}"
        with self._errors_converted():
            partial_file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.check_space()
        try:
            yield partial_file
        finally:
            partial_file.unlink(missing_ok=True)

    def put_draft(self, path: str, draft: Path) -> None:
        """Store a draft."""
        self.check_space()
        with self._errors_converted():
            draft.chmod(0o600)
            _sync(draft)
            replace_file(draft, self._root / path)
            self._sync_folders(self._root / path)

    def delete_partial(self, before: datetime) -> None:
        """Delete partial files that were last written before a time."""
        for file in self._root.glob("**/*#*"):
            # Another process may delete them at the same time.
            with contextlib.suppress(FileNotFoundError):
                if _PARTIAL.search(file.name) and file.stat().st_mtime < before.timestamp():
                    file.unlink()

    def check(self) -> None:
        """Check that the folder can be written to."""
        # Without obstore, whose threads do not survive the fork of a server process.
        probe = self._root / f"{PROBE}-{secrets.token_hex(8)}"
        with self._errors_converted():
            probe.touch(mode=0o600)
            probe.unlink()

    def check_space(self, size: int = 0) -> None:
        """Check that the disk has free space for a number of bytes."""
        with self._errors_converted():
            free = shutil.disk_usage(self._root).free
        if free < self._reserve + size:
            raise StorageError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _sync_folders(self, file: Path) -> None:
        """Sync the folder of a file and its parents, so that the new names are on the disk."""
        for folder in file.parents:
            _sync(folder)
            if folder == self._root:
                break

    def _file(self, path: str) -> Path:
        """Return the path of a file. Raises StorageError for a name that leads out of the folder."""
        if not all(part.strip(".") for part in path.split("/")) or _ELSEWHERE.search(path):
            raise StorageError(errno.EINVAL, f"{self._root}: not a file name")
        return self._root / path

    def _if_present(self, act: Callable[[], T]) -> T | None:
        """Call a function on a file; return None if the file is missing. Raises StorageError if the folder is."""
        try:
            with self._errors_converted():
                return act()
        except FileNotFoundError:
            if not self._root.is_dir():
                raise StorageError(errno.EIO, f"{self._root} is not there") from None
            return None

    @contextlib.contextmanager
    def _errors_converted(self) -> Iterator[None]:
        """Convert errors, except for a missing file, to StorageError."""
        try:
            yield
        except (FileNotFoundError, StorageError):
            raise
        except OSError as error:
            raise StorageError(
                error.errno or errno.EIO, f"{self._root}: {error.strerror or 'cannot be used'}"
            ) from error
        except BaseError as error:
            found = _CODE.search(str(error))
            code = int(found[1]) if found else errno.EIO
            raise StorageError(code, f"{self._root}: {os.strerror(code)}") from error

    def _pieces(self, path: Path) -> Iterator[bytes]:
        with self._errors_converted(), path.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece


def _write(file: Path, data: bytes, owner: tuple[int, int] | None) -> None:
    """Write a file. One of the same name is replaced once the new one is on the disk."""
    partial_file = file.with_name(f"{file.name}#{secrets.randbits(60)}")
    try:
        with os.fdopen(os.open(partial_file, _NEW, 0o600), "wb") as out:
            change_owner(out.fileno(), owner)
            out.write(data)
        _sync(partial_file)
        replace_file(partial_file, file)
    except BaseException:
        with contextlib.suppress(OSError):
            partial_file.unlink(missing_ok=True)
        raise


def _sync(path: Path) -> None:
    """Sync a file, or a folder except on Windows, which cannot."""
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
