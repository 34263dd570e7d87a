"""What people see who open the server's address with a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import make_response

from server.api.house.limits import pages
from server.api.house.who import anybody

if TYPE_CHECKING:
    from flask import Response

home = APIBlueprint("home", __name__, tag="Server")

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
_ANSWER: dict[int | str, Any] = {
    200: {"description": "The page", "content": {"text/html": {"schema": {"type": "string"}}}}
}


@home.get("/")
@pages
@anybody
@home.doc(
    summary="A page for people",
    description="Says what runs here. Who may call it: anybody who reaches the server.",
    operation_id="home",
    responses=_ANSWER,
)
def show() -> Response:
    """Say what runs here."""
    response = make_response(_PAGE)
    response.mimetype = "text/html"
    return response


@home.get("/j")
@pages
@anybody
@home.doc(
    summary="Where the links on labels lead",
    description="The token stands behind the `#`, for the page alone. Who may call it: anybody who reaches the server.",
    operation_id="join",
    responses=_ANSWER,
)
def join() -> Response:
    """Say what runs here."""
    return show()
