"""Serves the front end: its pages, in the reader's language, and its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from apiflask import APIBlueprint
from flask import Response, abort, current_app, make_response, redirect, render_template, request

from server.api.auth import anybody
from server.api.rate_limit import pages as limited
from server.web_app.headers import CODINGS, PAGE_POLICY, WORKER_POLICY
from server.web_app.static import WORKER, Asset, media_type

if TYPE_CHECKING:
    from collections.abc import Callable

    from apiflask import APIFlask
    from werkzeug.wrappers import Response as BaseResponse

    from server.web_app.releases import Releases
    from server.web_app.static import Assets


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


house_pages = APIBlueprint("house_pages", __name__, tag="Server")

_WELCOME = {"later": ("app/player/welcome.js",)}
"""What most people see who follow a label's link, beside what the page begins with everywhere."""
_SCREENS = {
    "deck": {"later": ("app/player/deck/deck.js",), "texts": ["deck", "hints"]},
    "result": {"later": ("app/player/result/result.js",), "texts": ["deck", "result"]},
}
"""The modules and texts of the screens that have addresses of their own, by the first part of the address."""
_SEE_HOME: dict[int | str, Any] = {303: {"description": "Go on to the players' page"}}
_PAGE: dict[int | str, Any] = {
    200: {"description": "The page", "content": {"text/html": {"schema": {"type": "string"}}}},
    304: {"description": "The page that the browser has is the same"},
}


def _page(summary: str, what: str, name: str) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
    """Describe an address of a page; `name` is its operation's."""

    def described(view: Callable[..., Response]) -> Callable[..., Response]:
        said = f"{what} Who may call it: anybody who reaches the server."
        told = house_pages.doc(summary=summary, description=said, operation_id=name, responses=_PAGE)(view)
        return limited(anybody(told))

    return described


@house_pages.get("/")
@_page("The players' page", "Holds no secret: what it shows it asks for with the player's token.", "home")
def home() -> Response:
    """Show the players' page."""
    return page("player")


@house_pages.get("/j")
@_page("Where the links on labels lead", "The token stands behind the `#`, for the page alone.", "join")
def join() -> Response:
    """Show the players' page, which then opens the envelope."""
    return page("player", **_WELCOME)


@house_pages.get("/p/<path:rest>")
@_page("The players' page at an address of its own", "The page itself knows what it shows there.", "player_page")
def player(rest: str) -> Response:
    """Show the players' page."""
    return page("player", **_SCREENS.get(rest.partition("/")[0], {}))


@house_pages.get("/desk")
@_page("The organisers' desk", "Holds no secret: it asks for a password first.", "desk")
def desk() -> Response:
    """Show the organisers' desk."""
    return page("desk")


@house_pages.get("/desk/<path:rest>")
@_page("The organisers' desk at an address of its own", "The page itself knows what it shows there.", "desk_page")
def desk_at(rest: str) -> Response:  # noqa: ARG001 - for the page alone
    """Show the organisers' desk."""
    return page("desk")


@house_pages.get("/screen")
@_page("The big screen", "The game's token for it stands behind the `#`, for the page alone.", "screen")
def screen() -> Response:
    """Show the big screen."""
    return page("screen")


@house_pages.post("/share")
@limited
@anybody
@house_pages.doc(
    summary="Where phones send pictures that are shared with the installed page",
    description="The page's service worker takes them before they leave the phone. Where there is none yet, this leads "
    "to the page, and nothing is taken. Who may call it: anybody who reaches the server.",
    operation_id="share",
    responses=_SEE_HOME,
)
def share() -> BaseResponse:
    """Lead to the players' page."""
    return redirect("/?shared=lost", 303)
