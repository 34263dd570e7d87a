"""The Flask application of a server: the context of its games, and its treatment of all requests and responses.

Requests are logged, counted and traced, without paths, queries, addresses and headers, which may contain tokens, names
and envelopes.
"""

from __future__ import annotations

import logging
import secrets
import time
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote_to_bytes

from apiflask import APIFlask
from flask import current_app, request
from flask.json.provider import DefaultJSONProvider
from opentelemetry import trace
from sqlalchemy.exc import DBAPIError
from werkzeug.wsgi import ClosingIterator

from server.api.problems import Problem, problem_of_status
from server.db.errors import is_collision
from server.db.session import MAX_ATTEMPTS
from server.observability.logs import ACCESS, REQUEST_ID, log_fields
from server.observability.metrics import METHODS, REQUEST_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment

    from flask import Response
    from flask.typing import ResponseReturnValue

    from server.games.context import AppContext

VERSION = "1"
"""Version of the HTTP interface."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}
"""Headers of all responses that do not set their own."""
REQUEST_ID_HEADER = "X-Request-Id"
"""Response header with the request ID, which log lines contain as well."""
PROBLEM = "haggle.problem"
"""Key in the WSGI environment of the Problem because of which the request's body was not received."""
NO_ROUTE = "(none)"
MAX_JSON_DEPTH = 50
"""Nesting depth of objects and lists in a request; real requests need only a few levels."""

# Bodies of these types can be read again when a request is retried.
_REPEATABLE = frozenset({"", "application/json"})

_ROUTE = "haggle.route"
_log = logging.getLogger(ACCESS)
_tracer = trace.get_tracer("haggle")


class BoundedJSON(DefaultJSONProvider):
    """Flask's JSON provider, which refuses deep nesting and texts with null characters."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:  # noqa: ANN401 - as Flask has it
        """Parse JSON; ValueError (status 400) if it is nested too deeply, Problem for texts that cannot be stored."""
        too_deep = ValueError(f"nested deeper than {MAX_JSON_DEPTH}")
        try:
            document = super().loads(s, **kwargs)
        except RecursionError:
            raise too_deep from None
        level: list[Any] = [document]
        for _ in range(MAX_JSON_DEPTH + 1):
            if any(isinstance(value, str) and "\0" in value for value in level):
                raise _null_character()
            level = [child for value in level for child in _children(value)]
            if not level:
                return document
        raise too_deep


def _children(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()


def _null_character() -> Problem:
    """Return the problem for text with a null character, which PostgreSQL cannot store."""
    detail = "A text in it has a character that no text may have (U+0000). Take it out and send it again."
    return Problem(422, "invalid-field", "A field is missing or wrong", detail)


class Application(APIFlask):
    """An application with the context of its games, the secret that signs cookies, and the largest photo in bytes."""

    json_provider_class = BoundedJSON

    def __init__(
        self,
        context: AppContext,
        secret: bytes,
        max_photo_bytes: int,
        **options: Any,  # noqa: ANN401 - of Flask
    ) -> None:
        super().__init__(
            __name__,
            title="Haggle",
            version=VERSION,
            spec_path="/api/v1/openapi.json",
            docs_path=None,
            json_errors=False,
            static_folder=None,  # type: ignore[arg-type]  # Flask accepts None; files are served by pages.asset
            **options,
        )
        self.context = context
        self.secret = secret
        self.max_photo_bytes = max_photo_bytes

    def wsgi_app(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Handle a request; log, count and trace it."""
        began = time.monotonic()
        request_id = secrets.token_hex(8)
        response: dict[str, Any] = {"status": 500, "bytes": None}
        method = environ.get("REQUEST_METHOD", "")
        method = method if method in METHODS else "other"

        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Callable[[bytes], object]:  # noqa: ANN401 - as in WSGI
            length = next((value for name, value in headers if name.lower() == "content-length"), None)
            response.update(status=int(status[:3]), bytes=int(length) if length else None)
            return start_response(status, [*headers, (REQUEST_ID_HEADER, request_id)], *more)

        token = REQUEST_ID.set(request_id)
        try:
            with _tracer.start_as_current_span("request", attributes={"haggle.method": method}) as span:
                body = super().wsgi_app(environ, start)
                route = environ.get(_ROUTE, NO_ROUTE)
                span.set_attributes({"haggle.route": route, "haggle.status": response["status"]})
        finally:
            REQUEST_ID.reset(token)
        REQUEST_SECONDS.labels(route, method, f"{response['status'] // 100}xx").observe(time.monotonic() - began)
        if not _log.isEnabledFor(logging.INFO):
            return body

        def log_request() -> None:
            facts = {"method": method, "route": route, **response, "seconds": round(time.monotonic() - began, 4)}
            _log.info("request", extra=log_fields(request=request_id, **facts))

        return ClosingIterator(body, [log_request])

    def preprocess_request(self) -> ResponseReturnValue | None:
        """Refuse a request whose body was not received, or whose address has a null character."""
        request.environ[_ROUTE] = current_route()
        if problem := request.environ.get(PROBLEM):
            raise problem
        if "\0" in request.path:
            raise problem_of_status(404)
        if b"\0" in unquote_to_bytes(request.query_string):
            raise _null_character()
        return super().preprocess_request()

    def dispatch_request(self) -> ResponseReturnValue:
        """Call the view, and again if its transaction collided with others."""
        for retries_left in reversed(range(MAX_ATTEMPTS)):
            try:
                return super().dispatch_request()
            except DBAPIError as error:
                if not retries_left or not is_collision(error) or request.mimetype not in _REPEATABLE:
                    raise
            time.sleep(0.05)
        raise AssertionError("unreachable")

    def process_response(self, response: Response) -> Response:
        """Add the default headers."""
        response = super().process_response(response)
        for name, value in HEADERS.items():
            response.headers.setdefault(name, value)
        return response


def current_application() -> Application:
    """Return the current application."""
    return cast("Application", current_app)


def current_context() -> AppContext:
    """Return the context of the games that the current application serves."""
    return current_application().context


def current_route() -> str:
    """Return the route pattern of the current request."""
    return request.url_rule.rule if request.url_rule else NO_ROUTE
