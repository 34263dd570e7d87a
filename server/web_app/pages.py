"""The web pages, in the browser's language, their files, and the API reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from apiflask import APIBlueprint
from flask import Response, abort, current_app, make_response, redirect, render_template, request

from server.api.auth import public
from server.api.openapi import file_response
from server.api.rate_limit import limit_pages
from server.web_app.assets import CODINGS, Asset, media_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apiflask import APIFlask
    from werkzeug.wrappers import Response as BaseResponse

    from server.web_app.assets import Assets
    from server.web_app.releases import Releases


PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The policy of pages: only files from this server, and nothing inline.

Images may be blobs, for previews of photos, and data URLs, for small icons in style sheets.
"""
WORKER_POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The policy of the live scanner's worker script, the only place where WebAssembly may be compiled.

A worker runs under the policy of its own script, so the pages need no `wasm-unsafe-eval`.
"""
WORKER = "live-worker-"
"""Prefix of the file name of that script."""
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
INK, CREAM = "#20263a", "#fbf4e4"
LANGUAGES = ("en", "de", "fr")
"""The languages of the pages; the first is the default."""
_ASSETS = "haggle-assets"
_RELEASES = "haggle-releases"

_FILE: dict[int | str, Any] = {200: {"description": "The file"}, 404: {"description": "No such file"}}
_REDIRECT: dict[int | str, Any] = {303: {"description": "Redirects to the players' page"}}

blueprint = APIBlueprint("pages", __name__, tag="Server")


def init_pages(app: APIFlask, assets: Assets, releases: Releases | None = None) -> None:
    """Register the pages and their files, and those of other versions that a database has."""
    app.extensions[_ASSETS] = assets
    app.extensions[_RELEASES] = releases
    app.register_blueprint(blueprint)


def the_assets() -> Assets:
    """Return the pages' files."""
    return cast("Assets", current_app.extensions[_ASSETS])


def reader_language() -> str:
    """Return the language that the browser prefers."""
    # For "de-AT, en;q=0.5" Werkzeug's best_match returns English, since "de" is not listed literally.
    preferred = (tag.partition("-")[0].lower() for tag, quality in request.accept_languages if quality > 0)
    return next((language for language in preferred if language in LANGUAGES), LANGUAGES[0])


def page(name: str, *texts: str, modules: Sequence[str] = ()) -> Response:
    """Return a page in the browser's language, which preloads its texts, also those in `texts`, and lazy modules."""
    language = reader_language()
    preloaded = [f"texts/{language}/{part}.json" for part in ("shared", name, *texts)]
    response = page_response(the_assets().page(name, language, *preloaded, *modules))
    response.vary.add("Accept-Language")
    return response


def page_response(text: str) -> Response:
    """Return a page, which browsers revalidate before they use their copy."""
    response = make_response(text)
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    response.headers["Cache-Control"] = REVALIDATE
    response.add_etag()
    return cast("Response", response.make_conditional(request))


@blueprint.get("/assets/<path:name>")
@limit_pages
@public
@blueprint.doc(operation_id="asset", responses=_FILE)
def asset(name: str) -> Response:
    """Get a file of the web pages.

    Its address contains a hash of its content.
    """
    found = the_assets().at(request.path) or _asset_of_other_version(f"assets/{name}")
    if found is None:
        abort(404)
    coding = next((name for name in CODINGS if name in found.packed and request.accept_encodings[name]), None)
    response = Response(found.packed[coding] if coding else found.data, mimetype=found.media_type)
    if coding:
        response.headers["Content-Encoding"] = coding
    if name.startswith(WORKER):
        response.headers["Content-Security-Policy"] = WORKER_POLICY
    response.headers["Cache-Control"] = IMMUTABLE
    response.vary.add("Accept-Encoding")
    return response


def _asset_of_other_version(name: str) -> Asset | None:
    releases: Releases | None = current_app.extensions[_RELEASES]
    data = releases.find(name) if releases else None
    return None if data is None else Asset(data, media_type(name), {})


_SCREENS = {
    "deck": ("app/player/deck/deck.tsx", ("deck", "hints")),
    "result": ("app/player/result.tsx", ("deck", "result")),
}
"""The module and the texts to preload for screens with their own addresses, by the first part of the path."""


def _page_route(path: str, operation_id: str) -> Callable[[Callable[..., Response]], Callable[..., Response]]:
    """Register a view that returns a page."""
    described = {
        **file_response("text/html", description="The page"),
        304: {"description": "The browser's copy is up to date"},
    }

    def decorator(view: Callable[..., Response]) -> Callable[..., Response]:
        documented = blueprint.doc(operation_id=operation_id, responses=described)(view)
        return blueprint.get(path)(limit_pages(public(documented)))

    return decorator


@_page_route("/", "home")
def home() -> Response:
    """Get the players' page.

    Contains no secrets: the page requests its content with the player's token.
    """
    return page("player")


@_page_route("/j", "join")
def join() -> Response:
    """Get the page that labels link to.

    The token follows the `#` in the address, which browsers do not send.
    """
    # Most people who follow a label's link see the welcome screen.
    return page("player", modules=["app/player/welcome.tsx"])


@_page_route("/p/<path:rest>", "player_page")
def player(rest: str) -> Response:
    """Get the players' page at the address of a screen."""
    screen = _SCREENS.get(rest.partition("/")[0])
    if screen is None:
        return page("player")
    module, texts = screen
    return page("player", *texts, modules=[module])


@_page_route("/desk", "desk")
def desk() -> Response:
    """Get the organisers' page.

    Contains no secrets: the page asks for the password first.
    """
    return page("organiser")


@_page_route("/desk/<path:rest>", "desk_page")
def desk_at(rest: str) -> Response:  # noqa: ARG001 - used by the page's script
    """Get the organisers' page at the address of a screen."""
    return page("organiser")


@_page_route("/screen", "screen")
def screen() -> Response:
    """Get the projector's page.

    The token follows the `#` in the address, which browsers do not send.
    """
    return page("projector")


@blueprint.post("/share")
@limit_pages
@public
@blueprint.doc(operation_id="share", responses=_REDIRECT)
def share() -> BaseResponse:
    """Receive photos shared with the installed app.

    Normally the service worker handles these requests on the phone. Without it, the photos are not accepted, and
    this redirects to the players' page.
    """
    return redirect("/?shared=lost", 303)


_METHODS = ("get", "post", "put", "patch", "delete")
_REFERENCE = "haggle-api-reference"


@_page_route("/api/v1/docs", "api_reference")
def api_reference() -> Response:
    """Get the API reference as a web page."""
    # The description does not change while the application runs.
    if _REFERENCE not in current_app.extensions:
        current_app.extensions[_REFERENCE] = _render_reference(
            cast("dict[str, Any]", cast("APIFlask", current_app).spec)
        )
    return page_response(current_app.extensions[_REFERENCE])


def _render_reference(spec: dict[str, Any]) -> str:
    operations = [
        {"method": method, "path": path, **methods[method]}
        for path, methods in spec["paths"].items()
        for method in _METHODS
        if method in methods
    ]
    groups = {
        tag["name"]: [operation for operation in operations if tag["name"] in operation["tags"]] for tag in spec["tags"]
    }
    return render_template(
        "pages/api.html",
        assets=the_assets(),
        ink=INK,
        info=spec["info"],
        tags=spec["tags"],
        groups={name: found for name, found in groups.items() if found},
        schemas=spec["components"]["schemas"],
        schemes=spec["components"]["securitySchemes"],
    )
