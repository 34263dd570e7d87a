"""Organisers' pictures in a few words, as JSON. One that says what it said the last time is not written anew.

The desk asks for all of a game's pictures many times a minute while they come in, and few change in between.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from server.api.house.hand_in_views import known_of, photo_model

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from server.api.house.hand_in_views import Known
    from server.api.house.photos_models import PhotosModel
    from server.play.assembly import Assembly
    from server.play.pictures import Picture


def listed(without: PhotosModel, pictures: Iterable[Picture], erased: Mapping[str, datetime], whole: Assembly) -> str:
    """Return a model that comes without pictures as JSON with them. `erased`: when those that are were deleted."""
    photos = ",".join(_line(picture, known_of(picture.id, erased.get(picture.id), whole)) for picture in pictures)
    rest = without.model_dump_json(exclude={"photos"}).removeprefix("{")
    return f'{{"photos":[{photos}],{rest}'


def _line(picture: Picture, known: Known) -> str:
    # A picture never changes: whatever is read anew is another one. Two threads at once write the same.
    line = picture.told.get(known)
    if line is None:
        line = photo_model(picture, picture.reading, known).model_dump_json()
        picture.told.clear()
        picture.told[known] = line
    return line
