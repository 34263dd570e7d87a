"""Tells of each request, outside of whatever answers it: an id for its log lines, its figures, its span, its line.

None of it holds the path, the query, an address or a header of the caller: tokens, names and envelopes are in those.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, Any, cast

from flask import request
from werkzeug.wsgi import ClosingIterator

from server.api.house.uploads import ADMISSION
from server.observe import requests
from server.observe.logs import ACCESS, fact
from server.observe.metrics import METHODS, Gauge, by, count_request
from server.observe.tracing import span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

    from flask import Flask

HEADER = "X-Request-Id"
"""Comes with each answer: the same id stands in the log."""
NOWHERE = "(none)"
"""The route of a request that fits none."""
_ROUTE = "haggle.route"
_log = logging.getLogger(ACCESS)


def observe(app: Flask) -> None:
    """Tell of each request of an application from now on. To be called last: what wraps it later is not seen."""

    def note() -> None:
        request.environ[_ROUTE] = route_in_hand()

    # First of all, since what comes before a view may refuse a request.
    app.before_request_funcs.setdefault(None, []).insert(0, note)
    app.wsgi_app = _Observed(app.wsgi_app)  # type: ignore[method-assign]  # as Flask says to do


class _Observed:
    """An application, seen from outside."""

    def __init__(self, application: WSGIApplication) -> None:
        self._application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        if ADMISSION in environ:
            return self._application(environ, start_response)
        began = time.monotonic()
        said: dict[str, Any] = {"status": 500, "bytes": None}
        method = environ.get("REQUEST_METHOD", "")
        method = method if method in METHODS else "other"

        def answer(status: str, headers: list[tuple[str, str]], *more: Any) -> Callable[[bytes], object]:  # noqa: ANN401 - what WSGI says
            length = next((value for name, value in headers if name.lower() == "content-length"), None)
            said.update(status=int(status[:3]), bytes=int(length) if length else None)
            return start_response(status, [*headers, (HEADER, which)], *more)

        with requests.request() as which, span("request", method=method) as work:
            body = self._application(environ, answer)
            route = environ.get(_ROUTE, NOWHERE)
            work.note(route=route, status=said["status"])
        count_request(route, method, said["status"], time.monotonic() - began)
        if not _log.isEnabledFor(logging.INFO):
            return body

        def ended() -> None:
            told = {"method": method, "route": route, **said, "seconds": round(time.monotonic() - began, 4)}
            _log.info("request", extra=fact(request=which, **told))

        return ClosingIterator(body, [ended])


def route_in_hand() -> str:
    """Return the route of the request in hand as it is written in the code, for a log line."""
    return request.url_rule.rule if request.url_rule else NOWHERE


def of_application(app: Flask) -> Iterator[Gauge]:
    """Yield what an application knows of itself: who watches live."""
    broker = app.extensions.get("haggle-events")
    watchers = cast("dict[str, int]", broker.audiences if broker else {})
    roles = {role: float(watchers.get(role, 0)) for role in ("organiser", "player", "projector")}
    yield Gauge("haggle_watchers", "Live streams that are open, by who watches.", **by("role", roles))
