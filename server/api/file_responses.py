"""Responses that are files: downloads, and stored photos in full, cropped or scaled down."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from typing import TYPE_CHECKING

from flask import Response, request

from server.api.context import current_context
from server.api.openapi import file_response
from server.api.rate_limit import caller
from server.games.errors import DomainError, not_found
from server.games.photos.image import MAX_WIDTH, CropError, crop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.db.models import Photo
    from server.games.photos.image import ImageFormat

MAX_PER_CALLER = 2
"""Photos that are cropped or scaled at the same time for one caller."""
MAX_REQUESTS = 20
"""Such requests in progress or waiting, each in a thread; half of the server's threads remain for others."""
MAX_WAIT = 10.0
"""Seconds that such a request waits."""


class KeyedLimit:
    """A thread-safe limit of `most` holders for each key, such as each caller, with at most `waiting` waiting."""

    def __init__(self, most: int, waiting: int = 8) -> None:
        self._most = most
        self._most_waiting = waiting
        self._held: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._changed = threading.Condition()

    @property
    def waiting(self) -> int:
        """The number of waiting threads, for all keys together."""
        with self._changed:
            return self._waiting.total()

    @contextlib.contextmanager
    def hold(self, key: str, patience: float = 0.0) -> Iterator[None]:
        """Hold a place for the key during the block.

        Raises TimeoutError if none is free within `patience` seconds, or if too many are waiting.
        """
        with self._changed:
            if self._waiting[key] >= self._most_waiting:
                raise TimeoutError
            self._waiting[key] += 1
            try:
                if not self._changed.wait_for(lambda: self._held[key] < self._most, patience):
                    raise TimeoutError
                self._held[key] += 1
            finally:
                self._waiting[key] -= 1
                if not self._waiting[key]:
                    del self._waiting[key]
        try:
            yield
        finally:
            with self._changed:
                self._held[key] -= 1
                if not self._held[key]:
                    del self._held[key]
                self._changed.notify_all()


_per_caller = KeyedLimit(MAX_PER_CALLER)
_requests = threading.BoundedSemaphore(MAX_REQUESTS)
# By photo, so that its copy is made once.
_copying = KeyedLimit(1)

_TYPES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"RIFF": "image/webp"}
PHOTO_RESPONSE = file_response(*_TYPES.values(), description="The image")


def attachment(data: bytes, media_type: str, name: str) -> Response:
    """Return a response that browsers save as a file."""
    response = Response(data, mimetype=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def photo_response(
    photo: Photo, width: int | None, box: Sequence[float] | None = None, *, webp: bool = False
) -> Response:
    """Return a photo as it is stored, or an upright copy or part of it (`box`), at most `width` pixels wide.

    Copies and parts are JPEGs; with `webp`, copies are WebPs for clients whose Accept header names it. DomainError.
    """
    if photo.image_deleted_at:
        raise not_found("picture")
    if photo.state == "done" and box is not None:
        with _limited():
            return Response(_cut(_original(photo), box, width or MAX_WIDTH), mimetype="image/jpeg")
    if photo.state == "done" and width is not None:
        return _small_copy(photo, width, webp=webp)
    data = _original(photo)
    kind = next((kind for start, kind in _TYPES.items() if data.startswith(start)), None)
    if kind is None or width is not None or box is not None:
        # This process opens only what a scan worker could open; there, other formats become JPEGs.
        raise DomainError(
            "still-reading", "This picture can be shown once it has been read. Wait a few seconds.", retry=2
        )
    return Response(data, mimetype=kind)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Limit the photos that are processed at the same time; DomainError `busy`."""
    busy = DomainError("busy", "Too many pictures at once. Try again in a few seconds.", retry=5)
    if not _requests.acquire(blocking=False):
        raise busy
    try:
        with _per_caller.hold(caller(), MAX_WAIT):
            yield
    except TimeoutError:
        raise busy from None
    finally:
        _requests.release()


def _small_copy(photo: Photo, width: int, *, webp: bool) -> Response:
    """Return a copy, scaled from one of MAX_WIDTH pixels, which is made once and stored beside the photo."""
    store = current_context().photos
    with _limited(), _copying.hold(photo.id, MAX_WAIT):
        copy = store.get_copy(photo.game, photo.id)
        if copy is None:
            copy = _cut(_original(photo), None, MAX_WIDTH)
            # On a full disk, it is made again each time.
            with contextlib.suppress(OSError):
                store.put_copy(photo.game, photo.id, copy)
    named = webp and any(kind == "image/webp" and quality > 0 for kind, quality in request.accept_mimetypes)
    form: ImageFormat = "WEBP" if named else "JPEG"
    response = Response(_cut(copy, None, width, form), mimetype=f"image/{form.lower()}")
    if webp:
        response.vary.add("Accept")
    return response


def _original(photo: Photo) -> bytes:
    data = current_context().photos.get(photo.game, photo.id)
    if data is None:
        raise not_found("picture")
    return data


def _cut(data: bytes, box: Sequence[float] | None, width: int, form: ImageFormat = "JPEG") -> bytes:
    try:
        return crop(data, box, width, form)
    except CropError as error:
        slug = "busy" if error.reason == "busy" else f"piece-{error.reason}"
        raise DomainError(slug, str(error), retry=5 if error.reason == "busy" else None) from None
