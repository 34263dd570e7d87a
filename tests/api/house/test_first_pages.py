"""What pages tell browsers to load at once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def test_a_labels_link_brings_the_welcome_at_once(app: Flask) -> None:
    """Behind it most people see the welcome, so its modules need not be waited for; elsewhere they do not come."""
    client = app.test_client()
    linked, home = (
        re.findall(r'rel="modulepreload" href="([^"]+)"', client.get(path).get_data(as_text=True))
        for path in ("/j", "/")
    )
    assert set(home) < set(linked)
    assert [url for url in linked if "/welcome." in url]
