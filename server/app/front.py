"""Serves the front end: its pages, in the reader's language, and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from apiflask import APIBlueprint
from flask import Response, abort, current_app, make_response, render_template, request

from server.api.house.limits import pages as limited
from server.api.house.who import anybody
from server.app.assets import WORKER, Asset, media_type
from server.app.compression import CODINGS
from server.app.headers import PAGE_POLICY, WORKER_POLICY

if TYPE_CHECKING:
    from apiflask import APIFlask

    from server.app.assets import Assets
    from server.app.releases import Releases

FOR_EVER = "public, max-age=31536000, immutable"
ASK_FIRST = "no-cache"
"""Kept by the browser, but used only after asking whether it is still the same."""
INK, CREAM = "#20263a", "#fbf4e4"
LANGUAGES = ("en", "de", "fr")
"""The page's languages; the first is for readers of all others."""
_KEY = "haggle-assets"
_RELEASES = "haggle-releases"

front = APIBlueprint("front", __name__, tag="Server")


def open_front(app: APIFlask, assets: Assets, releases: Releases | None = None) -> None:
    """Give an application the front end's files, and those of other versions where a database has them."""
    app.extensions[_KEY] = assets
    app.extensions[_RELEASES] = releases
    app.register_blueprint(front)


def the_assets() -> Assets:
    """Return the front end's files."""
    return cast("Assets", current_app.extensions[_KEY])


def reader_language() -> str:
    """Return the page's language that the reader's browser likes best."""
    # Of "de-AT, en;q=0.5" the library's own choice would be English, since it is named as such.
    wished = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((language for language in wished if language in LANGUAGES), LANGUAGES[0])


def page(name: str, **more: object) -> Response:
    """Return the page `pages/<name>.html` in the reader's language; the browser asks whether it has changed."""
    language = reader_language()
    made = render_template(f"pages/{name}.html", assets=the_assets(), language=language, ink=INK, cream=CREAM, **more)
    response = make_response(made)
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Cache-Control"] = ASK_FIRST
    response.vary.add("Accept-Language")
    response.add_etag()
    return cast("Response", response.make_conditional(request))


_FILE: dict[int | str, Any] = {200: {"description": "The file"}, 404: {"description": "No such file"}}


@front.get("/assets/<path:name>")
@limited
@anybody
@front.doc(
    summary="A file of the pages",
    description="Its address holds a hash of all the pages' files. Who may call it: anybody who reaches the server.",
    operation_id="asset",
    responses=_FILE,
)
def asset(name: str) -> Response:
    """Send a file of the front end, of this version or of another that runs beside it."""
    found = the_assets().at(request.path) or _of_another_version(name)
    if found is None:
        abort(404)
    coding = next((name for name in CODINGS if name in found.packed and request.accept_encodings[name]), None)
    response = Response(found.packed[coding] if coding else found.data, mimetype=found.media_type)
    if coding:
        response.headers["Content-Encoding"] = coding
    if name.endswith(f"/{WORKER}"):
        response.headers["Content-Security-Policy"] = WORKER_POLICY
    response.headers["Cache-Control"] = FOR_EVER
    response.vary.add("Accept-Encoding")
    return response


def _of_another_version(path: str) -> Asset | None:
    release, _, name = path.partition("/")
    releases: Releases | None = current_app.extensions[_RELEASES]
    data = releases.find(release, name) if releases else None
    return None if data is None else Asset(request.path, data, media_type(name), {})
