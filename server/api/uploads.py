"""Which bodies an endpoint takes: their content type, their size, and the picture in a form."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from server.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

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
