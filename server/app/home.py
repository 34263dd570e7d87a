"""What people see who open the server's address with a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, make_response

from server.api.house.who import anybody

if TYPE_CHECKING:
    from flask import Response

home = Blueprint("home", __name__)

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Haggle</title>
<h1>Haggle</h1>
<p>This server keeps games of Haggle.</p>
<p>It has no pages yet. Programs find all that it does described at
<a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
</html>
"""


@home.get("/")
@anybody
def show() -> Response:
    """Say what runs here."""
    response = make_response(_PAGE)
    response.mimetype = "text/html"
    return response
