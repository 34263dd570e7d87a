"""What people open on the practice server: the page, and the links on the labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, jsonify, redirect, url_for

from cardgen.payload import LABEL, is_signed, parse
from server.api.problems import Problem
from server.api.service import service
from server.app.front import ASK_FIRST, CREAM, INK, page, the_assets

if TYPE_CHECKING:
    from flask import Response
    from werkzeug.wrappers import Response as AnyResponse

pages = Blueprint("pages", __name__)


@pages.get("/")
def home() -> Response:
    """Show the page."""
    return page("practice", edition=service().edition, home=service().home)


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe the page for phones that install it."""
    assets = the_assets()
    response = jsonify(
        name=f"Haggle · {service().edition.title}",
        short_name="Haggle",
        start_url="/",
        display="standalone",
        background_color=CREAM,
        theme_color=INK,
        icons=[
            {"src": assets.url("icons/haggle.svg"), "sizes": "any", "type": "image/svg+xml"},
            {"src": assets.url("icons/haggle-512.png"), "sizes": "512x512", "type": "image/png"},
        ],
    )
    response.mimetype = "application/manifest+json"
    response.headers["Cache-Control"] = ASK_FIRST
    return response


@pages.get("/j")
def join() -> AnyResponse:
    """Greet whoever opens the link of a label. Whose it is stands behind the `#`, for the page alone."""
    return redirect(url_for(".home"), 303)


@pages.get("/j/<text>")
def join_by_label(text: str) -> AnyResponse:
    """Greet whoever opens the link of a label of older prints."""
    return redirect(url_for(".home", envelope=_envelope(text)), 303)


def _envelope(text: str) -> int:
    """Return the number of the envelope whose label's link was opened. Raises Problem for any other text."""
    game = service().game
    label = parse(text.upper())
    if label is None or label.letter != LABEL:
        raise Problem(
            404,
            "no-label",
            "This is no label's link",
            "The link is incomplete or mistyped. Scan the code on your envelope's label again.",
        )
    if label.game != game.game:
        raise Problem(
            404,
            "other-game",
            "A label of another game",
            "This label belongs to a game that is not played here. Ask the organiser for the right address.",
        )
    if not is_signed(label.text, game.key) or not 1 <= label.number <= game.players:
        raise Problem(
            404,
            "forged-label",
            "This label is not valid",
            "The label's signature is wrong. Scan the code on your envelope's label again, or ask the organiser.",
        )
    return label.number
