"""Request bodies: content type, size limits, and photos in forms."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import wraps
from typing import IO, TYPE_CHECKING, ParamSpec, TypeVar

from flask import Request, current_app, request
from werkzeug.exceptions import RequestEntityTooLarge

from server.api.application import current_application
from server.api.auth import caller_id
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
"""Bytes of a form besides the photo."""
MAX_PARTS = 8
ADMISSION = "haggle.admission"
"""Key in the WSGI environment of the `Admission` of a request that only asks how much may be sent."""
ANONYMOUS_BYTES = 1_000_000
"""Size limit of bodies from callers who are not authenticated."""


def accepts(
    content_type: str, max_bytes: Callable[[], int] | None = None
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse requests of another content type; `max_bytes` returns the size limit where it is not that of JSON."""

    def decorator(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if request.mimetype != content_type:
                sent = request.mimetype or "none"
                raise Problem(
                    415,
                    "wrong-type",
                    "Wrong content type",
                    f"Send the request as {content_type}; its content type was {sent}.",
                    headers={"Accept-Post": content_type},
                )
            if max_bytes:
                request.max_content_length = max_bytes()
            return view(*args, **kwargs)

        # For the API description and for `Admission`.
        checked.__dict__["content_type"] = content_type
        checked.__dict__["max_bytes"] = max_bytes
        return checked

    return decorator


def max_form_bytes() -> int:
    """Return the size limit of a form with a photo."""
    return current_application().max_photo_bytes + FORM_OVERHEAD


def read_photo() -> bytes:
    """Return the photo in the current request's form; Problem."""
    limit = current_application().max_photo_bytes
    # This distinguishes a photo sent as a text field from too many parts.
    request.max_form_parts, request.max_form_memory_size = MAX_PARTS, limit + FORM_OVERHEAD
    try:
        files, fields = request.files, request.form
    except RequestEntityTooLarge:
        if (request.content_length or 0) > limit:
            raise _too_large(limit) from None
        raise Problem(
            422,
            "wrong-form",
            "The form is not as expected",
            f"The form has more than {MAX_PARTS} parts. Send the picture alone.",
        ) from None
    if FIELD in files:
        data: bytes = files[FIELD].read()
        if len(data) > limit:
            raise _too_large(limit)
        return data
    if FIELD in fields:
        raise _no_photo(f"The field {FIELD} came as text. Send the picture as a file, with a file name.")
    if files or fields:
        raise _no_photo(f"Choose a picture, and send it as a file in the field {FIELD}.")
    raise _no_photo("The form is empty, broken or incomplete. Choose a picture and send it again.")


def _too_large(limit: int) -> Problem:
    detail = f"A picture may have at most {limit / 1e6:.0f} MB. Send it as JPEG, or take it at a lower resolution."
    return Problem(413, "too-many-bytes", "The file is too large", detail, members={"limit": limit})


def _no_photo(detail: str) -> Problem:
    return Problem(422, "no-photo", "No picture was sent", detail)


@dataclass
class Admission:
    """The size limit of a request's body, and the caller that it counts for."""

    max_bytes: int = 0
    caller: str = ""

    def decide(self) -> None:
        """Set the limit for the current request; only callers who may call its endpoint may send large bodies."""
        view = current_app.view_functions.get(request.endpoint or "")
        if view is None:
            return
        max_bytes = getattr(view, "max_bytes", None)
        self.max_bytes = max_bytes() if max_bytes else current_app.config["MAX_CONTENT_LENGTH"]
        self.caller = caller()
        role = (caller_id() or "").partition(" ")[0]
        access = getattr(view, "access", ())
        if role not in access:
            self.max_bytes = min(self.max_bytes, ANONYMOUS_BYTES) if "public" in access else 0


class FormRequest(Request):
    """A request that keeps uploaded files in memory: few are handled at a time, and photos are needed whole."""

    def _get_file_stream(self, *_args: object, **_kwargs: object) -> IO[bytes]:
        return io.BytesIO()


def admission_middleware(app: Flask) -> WSGIApplication:
    """Return a WSGI application that fills in a request's `Admission` if it has one, and else calls `app`."""
    wsgi_app = app.wsgi_app

    def admit(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        admission: Admission | None = environ.get(ADMISSION)
        if admission is None:
            return wsgi_app(environ, start_response)
        with app.request_context(environ):
            admission.decide()
        return ()

    return admit
