"""Organisers' pictures in a few words, as JSON. One that says what it said the last time is not written anew.

The desk asks for all of a game's pictures many times a minute while they come in, and few change in between.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, NamedTuple

from server.api.house.hand_in_views import known_of, photo_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from server.api.house.hand_in_views import Known
    from server.api.house.photos_models import PhotosModel
    from server.play.assembly import Assembly
    from server.play.pictures import Picture

MOST = 3000
"""So many lines are kept, some 700 bytes each: as many as pictures are (`server.play.picture_rows`)."""


class _Line(NamedTuple):
    """A picture's JSON, and all that it was made of."""

    picture: Picture
    known: Known
    text: str


_lines: dict[str, _Line] = {}
# By the pictures' ids. Those that were written last come last.
_turn = threading.Lock()


def listed(without: PhotosModel, pictures: Iterable[Picture], erased: Mapping[str, datetime], whole: Assembly) -> str:
    """Return a model that comes without pictures as JSON with them. `erased`: when those that are were deleted."""
    with _turn:
        photos = ",".join(_line(picture, known_of(picture.id, erased.get(picture.id), whole)) for picture in pictures)
        for photo in list(_lines)[:-MOST] if len(_lines) > MOST else ():
            del _lines[photo]
    rest = without.model_dump_json(exclude={"photos"}).removeprefix("{")
    return f'{{"photos":[{photos}],{rest}'


def _line(picture: Picture, known: Known) -> str:
    line = _lines.get(picture.id)
    # A picture never changes: whatever is read anew is another one.
    if line is None or line.picture is not picture or line.known != known:
        line = _Line(picture, known, photo_model(picture, picture.reading, known).model_dump_json())
        _lines.pop(picture.id, None)
        _lines[picture.id] = line
    return line.text
