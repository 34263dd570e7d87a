"""Pictures come in side by side, and nobody takes all the places."""

from __future__ import annotations

import io
import threading
from typing import TYPE_CHECKING

import pytest
from werkzeug.exceptions import ClientDisconnected
from werkzeug.test import create_environ

from server.api.house.uploads import Uploads
from server.play.refusals import Refusal

if TYPE_CHECKING:
    from flask import Flask


class Stalled(io.RawIOBase):
    """A body that comes in only when it is let."""

    def __init__(self, started: threading.Semaphore, let: threading.Event) -> None:
        self._started, self._let = started, let

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: object) -> int:  # noqa: ARG002 - there is nothing to put into it
        """Wait, and then end."""
        self._started.release()
        self._let.wait(60)
        return 0


def _upload(app: Flask, uploads: Uploads, whose: str, body: io.RawIOBase) -> str:
    """Send a picture; return how it ended."""
    environ = create_environ("/", method="POST", environ_base={"REMOTE_ADDR": whose})
    environ |= {"wsgi.input": body, "CONTENT_TYPE": "multipart/form-data; boundary=x", "CONTENT_LENGTH": "5000"}
    context = app.request_context(environ)
    try:
        with context, uploads.picture():
            return "in"
    except Refusal as refusal:
        return refusal.slug
    except ClientDisconnected:
        return "cut off"


@pytest.mark.parametrize(("places", "each"), [(4, 2), (3, 2)])
def test_who_stalls_leaves_room_for_others(app: Flask, places: int, each: int) -> None:
    """One who stalls in all own places waits; others get in while there are places, and all are given back."""
    uploads = Uploads(places=places, each=each)
    started, let = threading.Semaphore(0), threading.Event()
    ended: list[str] = []

    def stall(whose: str) -> None:
        ended.append(_upload(app, uploads, whose, Stalled(started, let)))

    threads = [threading.Thread(target=stall, args=(whose,)) for whose in ["slow"] * each + ["other"] * (places - each)]
    for thread in threads:
        thread.start()
    for _ in threads:
        assert started.acquire(timeout=60)
    assert _upload(app, uploads, "slow", io.BytesIO()) == "busy"
    assert _upload(app, uploads, "third", io.BytesIO()) == "busy"
    let.set()
    for thread in threads:
        thread.join()
    assert ended == ["cut off"] * places
    assert _upload(app, uploads, "slow", io.BytesIO()) == "cut off"
