"""The pages' types of the API."""

from __future__ import annotations

from pathlib import Path

from devtools.api_types import TYPES, write_types


def test_the_types_of_the_pages_are_those_of_the_api(tmp_path: Path) -> None:
    """After a change of the API, `python -m devtools.api_types` writes them again."""
    write_types(tmp_path / "api.d.ts")
    assert (tmp_path / "api.d.ts").read_text("utf-8") == TYPES.read_text("utf-8")
