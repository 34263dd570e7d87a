"""What people open: the page, its files, and the links on the labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from cardgen.payload import LABEL, is_signed, parse
from server.api.problems import Problem
from server.api.service import service
from server.app.assets import WORKER
from server.app.headers import WORKER_POLICY, page_policy

if TYPE_CHECKING:
    from flask import Flask
    from werkzeug.wrappers import Response as AnyResponse

    from server.app.assets import Assets

FOR_EVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
"""Kept by the browser, but used only after asking whether it is still the same."""
INK, CREAM = "#20263a", "#fbf4e4"
_KEY = "haggle-assets"

pages = Blueprint("pages", __name__)


def open_pages(app: Flask, assets: Assets) -> None:
    """Give an application its pages and the front end's files."""
    app.extensions[_KEY] = assets
    app.register_blueprint(pages)


def _assets() -> Assets:
    return cast("Assets", current_app.extensions[_KEY])


@pages.app_context_processor
def _names() -> dict[str, object]:
    return {"assets": _assets(), "edition": service().edition, "ink": INK}


@pages.after_app_request
def _policy(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers["Content-Security-Policy"] = page_policy(_assets().import_map_hash)
    return response


@pages.get("/")
def home() -> AnyResponse:
    """Show the page."""
    response = make_response(render_template("index.html"))
    response.headers["Cache-Control"] = ASK_FIRST
    response.add_etag()
    return response.make_conditional(request)


@pages.get("/assets/<path:name>")
def asset(name: str) -> Response:  # noqa: ARG001 - the whole path is the key
    """Send a file of the front end."""
    found = _assets().at(request.path)
    if found is None:
        abort(404)
    packed = found.packed if request.accept_encodings["gzip"] else None
    response = Response(packed or found.data, mimetype=found.media_type)
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    if found.url == _assets().url(WORKER):
        response.headers["Content-Security-Policy"] = WORKER_POLICY
    response.headers["Cache-Control"] = FOR_EVER
    response.vary.add("Accept-Encoding")
    return response


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """Describe the page for phones that install it."""
    assets = _assets()
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
