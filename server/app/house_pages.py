"""What people open on a server that keeps games: the players' pages, the organisers' desk, the big screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apiflask import APIBlueprint
from flask import redirect

from server.api.house.limits import pages as limited
from server.api.house.who import anybody
from server.app.front import page

if TYPE_CHECKING:
    from collections.abc import Callable

    from flask import Response
    from werkzeug.wrappers import Response as BaseResponse

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
