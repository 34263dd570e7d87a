"""Kept photographs as answers: as they are, or smaller and in parts, for whoever may see them."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

from flask import Response, request

from server.api.context import current_context
from server.api.rate_limit import caller
from server.games.errors import DomainError, not_found
from server.games.photos.image import MAX_WIDTH, CutError, cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.db.models import Photo
    from server.games.photos.image import Form

EACH = 2
"""Pictures that are cut or made smaller at once for one caller."""
MOST = 20
"""Requests for such pictures that are worked on or wait, each in a thread; half of the threads stay free of them."""
PATIENCE = 10.0
"""Seconds that they wait."""


class KeyedLimit:
    """At most `most` at once for each key, such as each caller, while so many others wait. Safe between threads."""

    def __init__(self, most: int, waiting: int = 8) -> None:
        self._most = most
        self._most_waiting = waiting
        self._held: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        self._changed = threading.Condition()

    @property
    def waiting(self) -> int:
        """How many wait for all keys together."""
        with self._changed:
            return self._waiting.total()

    @contextlib.contextmanager
    def hold(self, key: str, patience: float = 0.0) -> Iterator[None]:
        """Be one of those for a key during the block.

        Raises TimeoutError if others are for longer than `patience` seconds, or if too many wait already.
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


_each = KeyedLimit(EACH)
_all = threading.BoundedSemaphore(MOST)

# One at a time for each photograph, so that its copy is made once.
_copying = KeyedLimit(1)

_TYPES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"RIFF": "image/webp"}
CONTENT: dict[int | str, Any] = {
    200: {
        "description": "The picture",
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _TYPES.values()},
    }
}
"""How such an answer is described."""


def shown(photo: Photo, width: int | None, box: Sequence[float] | None = None, *, webp: bool = False) -> Response:
    """Answer with a picture as it is kept, or with a copy or a part of it (`box`), upright and `width` pixels at most.

    Copies and parts are JPEGs; with `webp` a copy is a WebP for whoever accepts that by its name. Refusal.
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
        # Only what the scanning process could open is opened here, and other formats become JPEGs there.
        raise DomainError(
            "still-reading", "This picture can be shown once it has been read. Wait a few seconds.", retry=2
        )
    return Response(data, mimetype=kind)


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Work on few pictures of one caller at once: whoever asks for many waits, and nobody else. Refusal `busy`."""
    busy = DomainError("busy", "Too many pictures at once. Try again in a few seconds.", retry=5)
    if not _all.acquire(blocking=False):
        raise busy
    try:
        with _each.hold(caller(), PATIENCE):
            yield
    except TimeoutError:
        raise busy from None
    finally:
        _all.release()


def _small_copy(photo: Photo, width: int, *, webp: bool) -> Response:
    """Answer with a copy, made from one of MAX_WIDTH pixels, which is made once and kept beside the picture."""
    store = current_context().context.photos
    with _limited(), _copying.hold(photo.id, PATIENCE):
        copy = store.get_copy(photo.game, photo.id)
        if copy is None:
            copy = _cut(_original(photo), None, MAX_WIDTH)
            # Where there is no room for it, it is made again.
            with contextlib.suppress(OSError):
                store.put_copy(photo.game, photo.id, copy)
    named = webp and any(kind == "image/webp" and quality > 0 for kind, quality in request.accept_mimetypes)
    form: Form = "WEBP" if named else "JPEG"
    response = Response(_cut(copy, None, width, form), mimetype=f"image/{form.lower()}")
    if webp:
        response.vary.add("Accept")
    return response


def _original(photo: Photo) -> bytes:
    data = current_context().context.photos.get(photo.game, photo.id)
    if data is None:
        raise not_found("picture")
    return data


def _cut(data: bytes, box: Sequence[float] | None, width: int, form: Form = "JPEG") -> bytes:
    try:
        return cut(data, box, width, form)
    except CutError as error:
        slug = "busy" if error.reason == "busy" else f"piece-{error.reason}"
        raise DomainError(slug, str(error), retry=5 if error.reason == "busy" else None) from None
