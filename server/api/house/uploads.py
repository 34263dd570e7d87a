"""Takes the picture out of an upload: bounded in bytes while it comes in, and in how many come in at once."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, cast

from flask import current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from server.api.bodies import counted_elsewhere
from server.api.forms import read_file
from server.api.house.here import here
from server.api.house.limits import caller
from server.jobs.budget import Budget, KeyedLimit
from server.play.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

_KEY = "haggle-uploads"
FIELD = "photo"
FORM_OVERHEAD = 10_000
"""Bytes that a form may have besides the photograph itself."""
PLACES = 120
"""Uploads that may come in at once, in this process."""
EACH = 8
"""Of those, how many from one player or organiser: whoever sends slowly, or stalls, leaves room for others."""
MEMORY = 800_000_000
"""Bytes that they may take together."""
PATIENCE = 20.0
"""Seconds that an upload waits for memory."""


class Uploads:
    """The places and the memory for pictures that come in."""

    def __init__(
        self, places: int = PLACES, memory: int = MEMORY, patience: float = PATIENCE, each: int = EACH
    ) -> None:
        self._places = threading.BoundedSemaphore(places)
        self._each = KeyedLimit(each)
        self._memory = Budget(memory)
        self._patience = patience

    @property
    def coming(self) -> int:
        """How many uploads are coming in."""
        return self._each.held

    @contextlib.contextmanager
    def picture(self) -> Iterator[bytes]:
        """Give the bytes of the picture in the current request's form, and hold their memory until the block ends.

        Refusal `busy` and `too-many-bytes`; Problem for a form without a picture.
        """
        limit = here().max_photo_bytes
        request.max_content_length = limit + FORM_OVERHEAD
        if request.content_length is not None and request.content_length > request.max_content_length:
            raise _too_large(limit)
        counted_elsewhere()
        with self._place(caller()), self._memory.loan(self._patience) as take:
            try:
                data = read_file(FIELD, limit, take)
            except TimeoutError:
                raise _busy() from None
            except RequestEntityTooLarge:
                raise _too_large(limit) from None
            yield data

    @contextlib.contextmanager
    def _place(self, whose: str) -> Iterator[None]:
        """Hold one of the places, and one of the caller's own; Refusal `busy`."""
        if not self._places.acquire(blocking=False):
            raise _busy()
        try:
            with contextlib.ExitStack() as held:
                try:
                    held.enter_context(self._each.hold(whose))
                except TimeoutError:
                    raise _busy() from None
                yield
        finally:
            self._places.release()


def picture() -> AbstractContextManager[bytes]:
    """Give the picture in the current request's form, as `Uploads.picture` of the current application."""
    return cast("Uploads", current_app.extensions.setdefault(_KEY, Uploads())).picture()


def _too_large(limit: int) -> Refusal:
    said = f"A picture may have at most {limit / 1e6:.0f} MB. Send it as JPEG, or take it at a lower resolution."
    return Refusal("too-many-bytes", said, {"limit": limit})


def _busy() -> Refusal:
    return Refusal("busy", "Many pictures are coming in right now. Wait a few seconds and try again.", retry=5)
