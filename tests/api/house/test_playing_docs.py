"""The pages on playing with a phone name what there is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from server.api.house.here import STATUS
from server.play.provisional import LEAVES_OUT
from server.play.settings import MODES
from tests.api.house.endpoints import endpoints

if TYPE_CHECKING:
    from flask import Flask

ROOT = Path(__file__).parents[3]
MODULES = ("joining", "names", "decks", "checking", "handing_in")
API, PLAYING = ((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8") for name in ("api", "playing"))


def refusals() -> set[str]:
    """Return the slugs with which a player is refused something."""
    code = "".join((ROOT / "server" / "play" / f"{name}.py").read_text(encoding="utf-8") for name in MODULES)
    return set(re.findall(r'Refusal\(\s*"([a-z-]+)"', code)) - {"no-reason"}


def test_every_refusal_of_a_player_is_described_with_its_status() -> None:
    """A slug stands in the table, in a row of the status that it is answered with."""
    assert len(refusals()) > 10
    rows = [line for line in API.splitlines() if line.startswith("|")]
    for slug in refusals():
        assert any(f"| {STATUS.get(slug, 422)} |" in row and f"`{slug}`" in row for row in rows), slug


def test_every_address_of_a_player_is_described(app: Flask) -> None:
    """The table names each path below /me that is about decks."""
    for endpoint in endpoints(app):
        if endpoint.who == ("player",) and endpoint.name.startswith(("me.", "me_decks.")):
            path = re.sub(r"<string:(\w+)>", r"{\1}", endpoint.rule)
            assert any(f"`{endpoint.method}" in row and f"{path}`" in row for row in API.splitlines()), endpoint


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_described(mode: str) -> None:
    """The table of modes has a row for each."""
    assert f"\n| `{mode}` |" in PLAYING
    assert mode == "off" or mode in LEAVES_OUT
