"""How much each caller may send, and the pictures in forms."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from flask import Request, current_app, request

from server.api.house.here import here
from server.api.house.limits import caller
from server.api.house.who import known
from server.api.uploads import FORM_OVERHEAD, read_picture

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from flask import Flask

ADMISSION = "haggle.admission"
"""Under this name the environment of a request that only asks how much may be sent has an `Admission`."""
ANONYMOUS = 1_000_000
"""Bytes that anybody may send at once."""


@dataclass
class Admission:
    """How many bytes a request's body may have, and whose they are: a verified player or organiser, or an address."""

    most: int = 0
    caller: str = ""

    def decide(self) -> None:
        """Decide on the current request: a caller who may not call its endpoint may not send anything large."""
        view = current_app.view_functions.get(request.endpoint or "")
        if view is None:
            return
        most = getattr(view, "most", None)
        self.most = most() if most else current_app.config["MAX_CONTENT_LENGTH"]
        self.caller = caller()
        role = (known() or "").partition(" ")[0]
        if role not in getattr(view, "who", ()):
            self.most = min(self.most, ANONYMOUS) if "anybody" in getattr(view, "who", ()) else 0


class FormRequest(Request):
    """A request whose files are kept in memory: few are worked on at a time, and a picture is needed whole."""

    def _get_file_stream(self, *_args: object, **_kwargs: object) -> IO[bytes]:
        return io.BytesIO()


def admits(app: Flask) -> WSGIApplication:
    """Return an application that fills in an `Admission` if there is one, and else answers as `app` does."""
    answer = app.wsgi_app

    def admit(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        admission: Admission | None = environ.get(ADMISSION)
        if admission is None:
            return answer(environ, start_response)
        with app.request_context(environ):
            admission.decide()
        return ()

    return admit


def most_of_picture() -> int:
    """Return how many bytes a form with a picture may have."""
    return here().max_photo_bytes + FORM_OVERHEAD


def picture() -> bytes:
    """Return the picture in the current request's form; Problem."""
    return read_picture(here().max_photo_bytes)
