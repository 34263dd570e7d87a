"""What pages tell browsers to load at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def _early(app: Flask, path: str) -> set[str]:
    """Return the names of the files that a page has the browser load at once."""
    text = app.test_client().get(path).get_data(as_text=True)
    return {name.split("/")[-1] for name in re.findall(r'rel="modulepreload" href="([^"]+)\.js"', text)}


def test_a_labels_link_brings_the_welcome_at_once(app: Flask) -> None:
    """Behind it most people see the welcome, so its modules need not be waited for; elsewhere they do not come."""
    assert _early(app, "/j") - _early(app, "/") >= {"welcome"}


def test_a_screen_at_an_address_of_its_own_comes_at_once(app: Flask) -> None:
    """A deck and a result, with their words, each where it is; any other address has what the start has."""
    start = _early(app, "/")
    assert "deck" in _early(app, "/p/deck/1") - start
    assert _early(app, "/p/result") - start >= {"deck", "result"}
    assert _early(app, "/p/elsewhere") == start
