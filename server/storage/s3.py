"""Files in an S3 bucket.

Errors of obstore contain addresses, names of keys and whole responses, so they are replaced by our own words.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from obstore.exceptions import BaseError
from obstore.store import S3Store

from server.storage.base import PIECE, PROBE, OpenedFile, StorageError, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from datetime import datetime

    from obstore import GetResult
    from obstore.store import ClientConfig, RetryConfig


LARGE_UPLOAD = 8_000_000
"""Files from this number of bytes on are sent with the timeout LARGE_UPLOAD_TIMEOUT."""
UPLOAD_TIMEOUT, LARGE_UPLOAD_TIMEOUT = 15, 30
"""Timeouts of an upload in seconds."""
READ_TIMEOUT = 10
"""Seconds without data after which reading a file fails."""
RETRIES: RetryConfig = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=READ_TIMEOUT),
    "backoff": {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=2), "base": 3},
}
"""Failed requests are repeated for READ_TIMEOUT seconds at most."""
ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
"""Variables with the address of the S3 service; the default is AWS."""
ALLOW_HTTP, CA_BUNDLE = "AWS_ALLOW_HTTP", "AWS_CA_BUNDLE"

_CODE = re.compile(r"<Code>\s*([A-Za-z0-9.]{1,60})\s*</Code>")
_STATUS = re.compile(r"status code: (\d{3})")
_NO_KEY = "NoSuchKey"
_FULL = {"QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientCapacity"}
_METADATA = ("169.254.169.254", "169.254.170.", "/api/token", "security-credentials")
_CREDENTIALS = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
_WORDS = {
    "NoSuchBucket": "there is no such bucket",
    "InvalidBucketName": "no bucket can have this name",
    "AccessDenied": "its credentials do not allow this (reading, writing, deleting and listing are needed)",
    "AllAccessDisabled": "it is closed",
    "InvalidAccessKeyId": f"it does not know the key's name: {_CREDENTIALS}",
    "SignatureDoesNotMatch": f"it refuses the secret key: {_CREDENTIALS}",
    "ExpiredToken": f"its credentials have expired: {_CREDENTIALS}, or renew AWS_SESSION_TOKEN",
    "AuthorizationHeaderMalformed": "it is in another region: set AWS_REGION",
    "PermanentRedirect": "it is in another region: set AWS_REGION",
    "RequestTimeTooSkewed": "the clocks of it and of this machine differ by too much",
    "SlowDown": "it is overloaded",
}


def _parsed(url: str) -> Any:  # noqa: ANN401 - the library's result
    try:
        found = urlsplit(url)
        wrong = found.scheme != "s3" or not found.hostname or found.port is not None
    except ValueError:
        wrong = True
    if wrong:
        raise StorageError(errno.EINVAL, "HAGGLE_PHOTOS_URL is not the address of a bucket: s3://bucket/prefix")
    if "@" in found.netloc:
        raise StorageError(errno.EINVAL, f"HAGGLE_PHOTOS_URL names no credentials: {_CREDENTIALS} instead")
    if found.query or found.fragment:
        raise StorageError(errno.EINVAL, "HAGGLE_PHOTOS_URL takes no options: set AWS_REGION, AWS_ENDPOINT and so on")
    return found


def _store(name: str, patience: ClientConfig) -> S3Store:
    endpoint = next((os.environ[one] for one in ENDPOINTS if os.environ.get(one)), "")
    if endpoint and not re.fullmatch(r"https?://[^/?#@\s]+(/[^?#@\s]*)?", endpoint):
        raise StorageError(errno.EINVAL, f"{name}: its endpoint is not an address such as https://s3.example.org")
    if bool(os.environ.get("AWS_ACCESS_KEY_ID")) != bool(os.environ.get("AWS_SECRET_ACCESS_KEY")):
        raise StorageError(errno.EINVAL, f"{name}: incomplete credentials: {_CREDENTIALS}")
    plain = os.environ.get(ALLOW_HTTP, "").lower() in {"true", "1", "yes"}
    if endpoint.startswith("http:") and not plain:
        raise StorageError(
            errno.EINVAL,
            f"{name}: its endpoint is plain http, which others can read: set {ALLOW_HTTP}=true if that is meant",
        )
    options: ClientConfig = {"connect_timeout": "5s", "allow_http": plain, **patience}
    if bundle := os.environ.get(CA_BUNDLE):
        try:
            options["root_certificate"] = Path(bundle).read_bytes()
        except OSError as error:
            raise StorageError(errno.EINVAL, f"{CA_BUNDLE} names {bundle}: {error.strerror}") from None
    try:
        return S3Store.from_url(name, client_options=options, retry_config=RETRIES)
    except (BaseError, ValueError):
        raise StorageError(errno.EINVAL, f"{name}: one of the variables AWS_… has an impossible value") from None


def _code(text: str) -> str:
    found = _CODE.search(text)
    return found[1] if found else ""


def _why(text: str, code: str) -> str:
    """Return the cause of an error of obstore."""
    if code in _FULL:
        return "it is full"
    if code in _WORDS:
        return _WORDS[code]
    if any(sign in text for sign in _METADATA):
        return f"no credentials: {_CREDENTIALS}"
    if "redirect" in text:
        return _WORDS["PermanentRedirect"]
    status = _STATUS.search(text)
    if status:
        return f"it answers with status {status[1]}" + (f" ({code})" if code else "")
    return "it cannot be reached, or does not answer in time"


T = TypeVar("T")

# Parts of a large file that are sent at the same time.
_PARTS = 4


class S3FileStore:
    """Files in a bucket or under a prefix in it."""

    def __init__(self, url: str) -> None:
        """Open an address such as `s3://bucket/prefix`. Credentials and endpoint come from the environment."""
        found = _parsed(url)
        self._name = f"s3://{found.netloc}{found.path.rstrip('/')}"
        read_timeout: ClientConfig = {"timeout": f"{LARGE_UPLOAD_TIMEOUT}s", "read_timeout": f"{READ_TIMEOUT}s"}
        self._reading = _store(self._name, read_timeout)
        self._quick = _store(self._name, {"timeout": f"{UPLOAD_TIMEOUT}s"})
        self._patient = _store(self._name, {"timeout": f"{LARGE_UPLOAD_TIMEOUT}s"})

    def put(self, path: str, data: bytes) -> None:
        """Store a file in one request, so that it is never partial."""
        with self._errors_converted():
            self._writing(len(data)).put(path, data, use_multipart=False)

    def get(self, path: str) -> bytes | None:
        """Return a file, or None if there is none."""
        return self._if_present(lambda: bytes(self._reading.get(path).bytes()))

    def head(self, path: str, size: int) -> bytes | None:
        """Return the first bytes of a file, or None if there is none."""
        return self._if_present(lambda: bytes(self._reading.get_range(path, start=0, length=size)))

    def local_path(self, path: str) -> Path | None:  # noqa: ARG002 - the protocol's signature
        """Return None: files of a bucket have no path."""
        return None

    def open(self, path: str) -> OpenedFile | None:
        """Open a file for reading in pieces; return None if there is none."""
        found = self._if_present(lambda: self._reading.get(path))
        return None if found is None else OpenedFile(found.meta["size"], self._pieces(found))

    def delete(self, paths: Sequence[str]) -> None:
        """Delete files, a thousand in a request."""
        if paths:
            self._if_present(lambda: self._reading.delete(list(paths)))

    def names(self, under: str | None = None) -> Iterator[tuple[str, datetime]]:
        """Yield the name and modification time of files."""
        with self._errors_converted():
            yield from listed(self._reading, under)

    @contextlib.contextmanager
    def draft(self, path: str) -> Iterator[Path]:
        """Give a path in a temporary folder that only this user can read."""
        try:
            folder = Path(tempfile.mkdtemp(prefix="haggle-print-"))
        except OSError as error:
            raise StorageError(error.errno or errno.EIO, f"{tempfile.gettempdir()}: {error.strerror}") from None
        try:
            yield folder / path.rpartition("/")[2]
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def check_space(self) -> None:
        """Do nothing: a full bucket refuses the upload."""

    def put_draft(self, path: str, draft: Path) -> None:
        """Store a draft. A large one is sent in parts, which S3 joins in one step."""
        with self._errors_converted():
            size = draft.stat().st_size
            self._writing(size).put(path, draft, max_concurrency=_PARTS)

    def delete_partial(self, before: datetime) -> None:
        """Do nothing: a lifecycle rule of the bucket deletes parts of uploads that were not completed."""

    def check(self) -> None:
        """Write, list, read and delete a file."""
        probe = f"{PROBE}/{secrets.token_hex(8)}"
        self.put(probe, b"haggle")
        found = any(path == probe for path, _ in self.names(PROBE))
        read = self.get(probe)
        self.delete([probe])
        if read != b"haggle" or not found or self.get(probe) is not None:
            raise StorageError(errno.EIO, f"{self._name}: what is written is not what is read and listed after it")

    def _if_present(self, act: Callable[[], T]) -> T | None:
        """Call a function on a file; return None if the file is missing."""
        try:
            return act()
        except FileNotFoundError as error:
            # Not for a missing bucket, or the error page of a proxy.
            if _code(str(error)) == _NO_KEY:
                return None
            raise self._converted(error) from None
        except (BaseError, OSError) as error:
            raise self._converted(error) from None

    @contextlib.contextmanager
    def _errors_converted(self) -> Iterator[None]:
        try:
            yield
        except (BaseError, OSError) as error:
            raise self._converted(error) from None

    def _converted(self, error: BaseError | OSError) -> StorageError:
        """Return an error with a message for people."""
        if isinstance(error, StorageError):
            return error
        code = _code(str(error))
        return StorageError(errno.ENOSPC if code in _FULL else errno.EIO, f"{self._name}: {_why(str(error), code)}")

    def _writing(self, size: int) -> S3Store:
        """Return the client that writes a file of a number of bytes."""
        return self._patient if size >= LARGE_UPLOAD else self._quick

    def _pieces(self, found: GetResult) -> Iterator[bytes]:
        with self._errors_converted():
            for piece in found.stream(min_chunk_size=PIECE):
                yield bytes(piece)
