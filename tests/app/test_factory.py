"""Games that this version cannot serve are refused before anybody photographs a deck."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from server.app import AppConfig, create_app
from server.editions import EditionError

if TYPE_CHECKING:
    from tests.conftest import PrintedFolder


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"edition": "nothing-1999"}, "unknown edition"),
        ({"kinds": ("red", "purple")}, "'purple'"),
        ({"settings": {"blue_base": -1}}, "blue_base"),
        ({"settings": {"blue_base": 10**9 + 1}}, "blue_base"),
        ({"settings": {"blue_base": 10**27}}, "blue_base"),
        ({"settings": {"blue_base": "many"}}, "whole number"),
        ({"settings": {"green_base": 1}}, "green_base"),
    ],
)
def test_a_game_that_does_not_fit_is_refused(printed: PrintedFolder, change: dict[str, object], words: str) -> None:
    """An unknown edition, card or setting is an error of one line that names it."""
    with pytest.raises(EditionError, match=words) as caught:
        create_app(AppConfig(replace(printed.game, **change), printed.folder))
    assert "\n" not in str(caught.value)
