"""A list of pictures says what it would say if all of it were written anew."""

from __future__ import annotations

import dataclasses
from datetime import timedelta
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from server.api.house import photos_lines
from server.api.house.hand_in_views import known_of, photo_model
from server.api.house.photos_lines import listed
from server.api.house.photos_models import PhotosModel
from server.play.assembly import World, assemble
from tests.play.worlds import END, picture, shot, world, worlds

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    import pytest

    from server.play.pictures import Picture

_FACTS = {"states": {"done": 1, "waiting": 0}, "of_players": 3, "readers": 2}


def _answers(found: World, erased: Mapping[str, datetime]) -> tuple[str, str]:
    """Return the answer about all pictures of a world, as it is sent and as it is written from scratch."""
    whole, total = assemble(found), len(found.pictures)
    photos = [photo_model(one, one.reading, known_of(one.id, erased.get(one.id), whole)) for one in found.pictures]
    fresh = PhotosModel.model_validate({"photos": photos, "total": total, **_FACTS}).model_dump_json()
    without = PhotosModel.model_validate({"photos": [], "total": total, **_FACTS})
    return listed(without, found.pictures, erased, whole), fresh


@settings(max_examples=60, deadline=None)
@given(worlds(), worlds(), st.sets(st.integers(0, 4)), st.sets(st.integers(0, 4)))
def test_whatever_changes_is_told(before: World, after: World, same: set[int], gone: set[int]) -> None:
    """From one world to the next, of which some pictures are the same and were deleted meanwhile: byte for byte."""
    kept = {one.id: one for number, one in enumerate(before.pictures) if number in same}
    mixed = dataclasses.replace(after, pictures=tuple(kept.get(one.id, one) for one in after.pictures))
    erased = {f"p{number}": END for number in gone}
    for found, deleted in ((before, {}), (mixed, erased), (mixed, {}), (after, erased), (before, {})):
        sent, fresh = _answers(found, deleted)
        assert sent == fresh


def _written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list in which each picture's id stands once it is written."""
    seen: list[str] = []

    def write(one: Picture, *rest: object) -> object:
        seen.append(one.id)
        return photo_model(one, *rest)  # type: ignore[arg-type]  # as they came

    monkeypatch.setattr(photos_lines, "photo_model", write)
    return seen


def test_only_what_changes_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is read, one that is deleted and one of which a doubt arises; the others stay as they were written."""
    waiting = picture("lines-c", None, at=2, state="waiting")
    first = world(shot("lines-a", [1, 2], [1]), shot("lines-b", [5], [2], at=1), waiting)
    _answers(first, {})
    seen = _written(monkeypatch)
    assert len(set(_answers(first, {}))) == 1
    assert seen == []
    read = {"state": "done", "scanned": END + timedelta(minutes=3), "reading": first.pictures[0].reading}
    later = dataclasses.replace(first, pictures=(*first.pictures[:2], dataclasses.replace(waiting, **read)))
    assert len(set(_answers(later, {}))) == 1
    assert seen == ["lines-c"]
    assert len(set(_answers(later, {"lines-b": END}))) == 1
    assert seen == ["lines-c", "lines-b"]
    doubtful = dataclasses.replace(first, pictures=(*first.pictures[:2], shot("lines-c", [1], [2], at=2)))
    assert len(set(_answers(doubtful, {"lines-b": END}))) == 1
    assert seen[2:] == ["lines-a", "lines-c"]


def test_a_picture_keeps_one_line() -> None:
    """However often something else is told of it, so that what is kept goes when the picture goes."""
    one = world(shot("lines-a", [1, 2], [1]))
    for minutes in range(5):
        assert len(set(_answers(one, {"lines-a": END + timedelta(minutes=minutes)}))) == 1
    assert len(one.pictures[0].told) == 1
