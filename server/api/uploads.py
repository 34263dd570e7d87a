"""Which bodies an endpoint takes: their content type, their size, and the picture in a form."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import wraps
from typing import IO, TYPE_CHECKING, ParamSpec, TypeVar

from flask import Request, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from server.api.auth import known
from server.api.context import current_context
from server.api.problems import Problem
from server.api.rate_limit import caller

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from flask import Flask


P = ParamSpec("P")
R = TypeVar("R")

FIELD = "photo"
FORM_OVERHEAD = 10_000
"""Bytes that a form may have besides the picture itself."""
MAX_PARTS = 8
"""A picture is one part; a form of many parts is something else."""


def takes(media_type: str, most: Callable[[], int] | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse requests of another content type; `most` returns how many bytes a request may have, if it is not JSON."""

    def decorator(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if request.mimetype != media_type:
                sent = request.mimetype or "none"
                raise Problem(
                    415,
                    "wrong-type",
                    "Wrong content type",
                    f"Send the request as {media_type}; its content type was {sent}.",
                    headers={"Accept-Post": media_type},
                )
            if most:
                request.max_content_length = most()
            return view(*args, **kwargs)

        # For the API's description and for `Admission`, which cannot see what a view reads by itself.
        checked.__dict__["takes"] = media_type
        checked.__dict__["most"] = most
        return checked

    return decorator


def read_picture(limit: int) -> bytes:
    """Return the picture in the current request's form; Problem."""
    # A picture that was sent as text is told from too many parts.
    request.max_form_parts, request.max_form_memory_size = MAX_PARTS, limit + FORM_OVERHEAD
    try:
        files, fields = request.files, request.form
    except RequestEntityTooLarge:
        if (request.content_length or 0) > limit:
            raise too_large(limit) from None
        raise Problem(
            422,
            "wrong-form",
            "The form is not as expected",
            f"The form has more than {MAX_PARTS} parts. Send the picture alone.",
        ) from None
    if FIELD in files:
        data: bytes = files[FIELD].read()
        if len(data) > limit:
            raise too_large(limit)
        return data
    if FIELD in fields:
        raise _no_picture(f"The field {FIELD} came as text. Send the picture as a file, with a file name.")
    if files or fields:
        raise _no_picture(f"Choose a picture, and send it as a file in the field {FIELD}.")
    raise _no_picture("The form is empty, broken or incomplete. Choose a picture and send it again.")


def too_large(limit: int) -> Problem:
    """Return the problem of a picture of more than `limit` bytes."""
    detail = f"A picture may have at most {limit / 1e6:.0f} MB. Send it as JPEG, or take it at a lower resolution."
    return Problem(413, "too-many-bytes", "The file is too large", detail, members={"limit": limit})


def _no_picture(detail: str) -> Problem:
    return Problem(422, "no-photo", "No picture was sent", detail)


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
    return current_context().max_photo_bytes + FORM_OVERHEAD


def picture() -> bytes:
    """Return the picture in the current request's form; Problem."""
    return read_picture(current_context().max_photo_bytes)
