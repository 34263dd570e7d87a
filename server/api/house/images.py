"""Kept photographs as answers: as they are, or smaller and in parts, for whoever may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Response, request

from server.jobs.cutting import MAX_WIDTH, CutError, cut
from server.play.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from server.jobs.cutting import Form

_TYPES = {b"\xff\xd8\xff": "image/jpeg", b"\x89PNG": "image/png", b"RIFF": "image/webp"}
CONTENT: dict[int | str, Any] = {
    200: {
        "description": "The picture",
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in _TYPES.values()},
    }
}
"""How such an answer is described."""


def type_of(data: bytes) -> str | None:
    """Return the media type of a kept picture; None for a file that browsers cannot show before it has been read."""
    return next((kind for start, kind in _TYPES.items() if data.startswith(start)), None)


def piece(data: bytes, box: Sequence[float] | None, width: int | None, form: Form = "JPEG") -> Response:
    """Answer with a part of a picture that has been read, as `cut` takes it; Refusal where that cannot be."""
    try:
        return Response(cut(data, box, width or MAX_WIDTH, form), mimetype=f"image/{form.lower()}")
    except CutError as error:
        slug = "busy" if error.reason == "busy" else f"piece-{error.reason}"
        raise Refusal(slug, str(error), retry=5 if error.reason == "busy" else None) from None


def small_copy(data: bytes, width: int) -> Response:
    """Answer with a small copy of a picture that has been read: a WebP for whoever names that, else a JPEG."""
    named = any(kind == "image/webp" and quality > 0 for kind, quality in request.accept_mimetypes)
    response = piece(data, None, width, "WEBP" if named else "JPEG")
    response.vary.add("Accept")
    return response
