"""Responses that are files: downloads, and stored photos in full, cropped or scaled down."""

from __future__ import annotations

import contextlib
import io
import threading
from typing import TYPE_CHECKING, Literal

from flask import Response, request
from PIL import Image, ImageDraw, ImageFilter, ImageOps

from scanner.image.load import DEFAULT_LIMITS, PhotoError, check_pixels
from server.api.application import current_context
from server.api.openapi import file_response
from server.games.errors import DomainError, not_found

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from server.db.models import Photo
    from server.games.photos.readings import Quad

ImageFormat = Literal["JPEG", "WEBP"]

MAX_WIDTH = 2000
"""Maximum number of pixels along the longer side of a cropped or scaled photo."""
MAX_REQUESTS = 20
"""Requests for cropped or scaled photos, each in a thread; half of the server's threads remain for others."""
MAX_WAIT = 10.0
"""Seconds that such a request waits for other photos to be decoded."""

_MARGIN = 0.03
"""Margin around outlined cards, as a share of the longer side of the area that they cover."""

_STORED_FORMATS = ("JPEG", "PNG", "WEBP")
_SAVE_OPTIONS: dict[ImageFormat, dict[str, int]] = {"JPEG": {"quality": 85}, "WEBP": {"quality": 75, "method": 2}}
_requests = threading.BoundedSemaphore(MAX_REQUESTS)

# A decoded photo takes up to 200 MB.
_decoding = threading.BoundedSemaphore(2)

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
            return Response(crop(_original(photo), box, width or MAX_WIDTH), mimetype="image/jpeg")
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


def cards_response(photo: Photo, outlines: Sequence[Quad]) -> Response:
    """Return the part of a photo with these outlined cards. Everything else in it is unrecognisable, such as labels."""
    if photo.image_deleted_at:
        raise not_found("picture")
    with _limited():
        return Response(_cards(_original(photo), outlines), mimetype="image/jpeg")


@contextlib.contextmanager
def _limited() -> Iterator[None]:
    """Limit the photos that are processed at the same time; DomainError `busy`."""
    if not _requests.acquire(blocking=False):
        raise DomainError("busy", "Too many pictures at once. Try again in a few seconds.", retry=5)
    try:
        yield
    finally:
        _requests.release()


def _small_copy(photo: Photo, width: int, *, webp: bool) -> Response:
    """Return a copy, scaled from one of MAX_WIDTH pixels, which is stored beside the photo."""
    store = current_context().photos
    with _limited():
        copy = store.get_copy(photo.game, photo.id)
        if copy is None:
            copy = crop(_original(photo), None, MAX_WIDTH)
            # On a full disk, it is made again each time.
            with contextlib.suppress(OSError):
                store.put_copy(photo.game, photo.id, copy)
    named = webp and any(kind == "image/webp" and quality > 0 for kind, quality in request.accept_mimetypes)
    form: ImageFormat = "WEBP" if named else "JPEG"
    response = Response(crop(copy, None, width, form), mimetype=f"image/{form.lower()}")
    if webp:
        response.vary.add("Accept")
    return response


def _original(photo: Photo) -> bytes:
    data = current_context().photos.get(photo.game, photo.id)
    if data is None:
        raise not_found("picture")
    return data


def crop(data: bytes, box: Sequence[float] | None, width: int, form: ImageFormat = "JPEG") -> bytes:
    """Return the part of an image inside a box (x0, y0, x1, y1 in pixels of the upright image; None: all).

    Its longer side is reduced to `width` pixels. DomainError `busy`, `piece-outside` or `piece-not-a-picture`.
    """
    # A JPEG decodes to a smaller size much faster.
    upright = _upright(data, width if box is None else None)
    if box is not None:
        upright = _part(upright, box)
    upright.thumbnail((min(width, MAX_WIDTH), min(width, MAX_WIDTH)))
    return _saved(upright, form)


def _cards(data: bytes, outlines: Sequence[Quad]) -> bytes:
    """Return the part of an image with outlined cards; everything else is blurred and dark."""
    points = [point for outline in outlines for point in outline]
    (left, right), (upper, lower) = ((min(axis), max(axis)) for axis in zip(*points, strict=True))
    margin = _MARGIN * max(right - left, lower - upper)
    image = _part(_upright(data), (left - margin, upper - margin, right + margin, lower + margin))
    corner = max(0, int(left - margin)), max(0, int(upper - margin))
    mask = Image.new("L", image.size)
    draw = ImageDraw.Draw(mask)
    for outline in outlines:
        draw.polygon([(x - corner[0], y - corner[1]) for x, y in outline], fill=255)
    for one in (image, mask):
        one.thumbnail((MAX_WIDTH, MAX_WIDTH))
    # Far coarser than the modules of a code.
    around = image.filter(ImageFilter.GaussianBlur(max(image.size) / 20)).point(lambda value: value * 0.6)
    return _saved(Image.composite(image, around, mask), "JPEG")


def _saved(image: Image.Image, form: ImageFormat) -> bytes:
    out = io.BytesIO()
    image.save(out, form, **_SAVE_OPTIONS[form])
    return out.getvalue()


def _upright(data: bytes, width: int | None = None) -> Image.Image:
    """Decode an image; with `width`, at a size that is not much larger. DomainError as `crop`."""
    if not _decoding.acquire(timeout=MAX_WAIT):
        raise DomainError("busy", "Many pictures are being shown right now. Try again in a few seconds.", retry=5)
    try:
        with Image.open(io.BytesIO(data), formats=_STORED_FORMATS) as image:
            check_pixels(image.width, image.height, DEFAULT_LIMITS.max_pixels)
            if width is not None:
                image.draft("RGB", (width, width))
            return ImageOps.exif_transpose(image).convert("RGB")
    except (OSError, ValueError, SyntaxError, PhotoError, Image.DecompressionBombError) as error:
        raise DomainError("piece-not-a-picture", "This picture cannot be shown.") from error
    finally:
        _decoding.release()


def _part(image: Image.Image, box: Sequence[float]) -> Image.Image:
    left, upper = max(0, int(box[0])), max(0, int(box[1]))
    right, lower = min(image.width, round(box[2] + 0.5)), min(image.height, round(box[3] + 0.5))
    if left >= right or upper >= lower:
        raise DomainError("piece-outside", "This crop is outside the picture.")
    return image.crop((left, upper, right, lower))
