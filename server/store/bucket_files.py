"""Keeps files in a bucket of a place that speaks S3."""

from __future__ import annotations

import contextlib
import errno
import secrets
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from obstore.exceptions import BaseError

from server.store.bucket import Bucket
from server.store.files import PIECE, PROBE, Opened, PlaceError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from obstore import GetResult

T = TypeVar("T")

_PARTS = 4
# Of a large file, sent at once.


class BucketFiles:
    """Files in a bucket, or under a prefix in it."""

    def __init__(self, url: str) -> None:
        """Take an address such as `s3://bucket/prefix`; credentials and endpoint are in the environment."""
        self._bucket = Bucket(url)

    def put(self, path: str, *data: bytes | memoryview) -> None:
        """Keep a file, as `Files`. It goes in one piece, so that nothing half lies in the bucket."""
        whole = b"".join(data)
        with self._told():
            self._bucket.writing(len(whole)).put(path, whole, use_multipart=False)

    def get(self, path: str) -> bytes | None:
        """Return a file, as `Files`."""
        return self._there(lambda: bytes(self._bucket.reading.get(path).bytes()))

    def head(self, path: str, size: int) -> bytes | None:
        """Return the first bytes of a file, as `Files`."""
        return self._there(lambda: bytes(self._bucket.reading.get_range(path, start=0, length=size)))

    def at_hand(self, path: str) -> Path | None:  # noqa: ARG002 - as `Files`
        """Return nothing: what lies in a bucket is on no machine."""
        return None

    def opened(self, path: str) -> Opened | None:
        """Return a file to be read piece by piece, as `Files`."""
        found = self._there(lambda: self._bucket.reading.get(path))
        return None if found is None else Opened(found.meta["size"], self._pieces(found))

    def delete(self, paths: Sequence[str]) -> None:
        """Forget files, as `Files`: a thousand in a request."""
        if paths:
            self._there(lambda: self._bucket.reading.delete(list(paths)))

    def names(self, under: str | None = None) -> Iterator[tuple[str, datetime]]:
        """Yield the names of files, as `Files`."""
        with self._told():
            yield from listed(self._bucket.reading, under)

    @contextlib.contextmanager
    def draft(self, path: str) -> Iterator[Path]:
        """Give a place in a temporary folder of this machine, for this user alone."""
        try:
            folder = Path(tempfile.mkdtemp(prefix="haggle-print-"))
        except OSError as error:
            raise PlaceError(error.errno or errno.EIO, f"{tempfile.gettempdir()}: {error.strerror}") from None
        try:
            yield folder / path.rpartition("/")[2]
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def room(self) -> None:
        """Say nothing, as `Files`: a bucket says that it is full when something is put into it."""

    def keep(self, path: str, draft: Path) -> None:
        """Keep what was written in a draft, as `Files`. A large one goes in parts, which become one in one step."""
        with self._told():
            size = draft.stat().st_size
            self._bucket.writing(size).put(path, draft, max_concurrency=_PARTS)

    def clear_halves(self, before: datetime) -> None:
        """Do nothing: there are no halves. What is left of parts the bucket's own rule deletes."""

    def check(self) -> None:
        """See that the bucket can be used, as `Files`."""
        probe = f"{PROBE}/{secrets.token_hex(8)}"
        self.put(probe, b"haggle")
        found = any(path == probe for path, _ in self.names(PROBE))
        read = self.get(probe)
        self.delete([probe])
        if read != b"haggle" or not found or self.get(probe) is not None:
            raise PlaceError(errno.EIO, f"{self._bucket.name}: what is written is not what is read and listed after it")

    def _there(self, act: Callable[[], T]) -> T | None:
        """Do something with a file; None if it is not there."""
        try:
            return act()
        except FileNotFoundError as error:
            if self._bucket.is_missing(error):
                return None
            raise self._bucket.error(error) from None
        except (BaseError, OSError) as error:
            raise self._said(error) from None

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (BaseError, OSError) as error:
            raise self._said(error) from None

    def _said(self, error: BaseError | OSError) -> PlaceError:
        return error if isinstance(error, PlaceError) else self._bucket.error(error)

    def _pieces(self, found: GetResult) -> Iterator[bytes]:
        with self._told():
            for piece in found.stream(min_chunk_size=PIECE):
                yield bytes(piece)
