"""JSON is bounded in what it may cost before anybody looks at what it says."""

from __future__ import annotations

import json

import pytest

from server.scoring.strict_json import MAX_NAMES, JsonError, read_json


def document(names: int) -> bytes:
    """Return an object that holds two objects, with so many names in all three."""
    half = (names - 2) // 2
    return json.dumps(
        {"a": {f"k{i}": 1 for i in range(half)}, "b": {f"k{i}": 1 for i in range(names - 2 - half)}}
    ).encode()


@pytest.mark.parametrize("names", [MAX_NAMES - 1, MAX_NAMES])
def test_as_many_names_as_allowed_are_read(names: int) -> None:
    """The bound counts the names of all objects together, and takes exactly so many."""
    read = read_json(document(names))
    assert isinstance(read, dict)
    assert len(read) + sum(len(inner) for inner in read.values()) == names


def test_more_names_are_refused_at_once() -> None:
    """Else each of hundreds of thousands of unknown fields would get a sentence of its own."""
    with pytest.raises(JsonError, match="more than 100000 names"):
        read_json(document(MAX_NAMES + 1))
