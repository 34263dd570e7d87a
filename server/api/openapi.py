"""Additions to the OpenAPI description: access, required headers, uploads, and problems that any request may meet."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from server.api.auth import COOKIE
from server.api.idempotency import HEADER
from server.api.problems import MEDIA_TYPE, PROGRAM_PATHS
from server.api.schemas.common import ProblemModel
from server.scoring.request_schema import ScoreInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from apiflask import APIFlask


def responses(problems: dict[int, str]) -> dict[int | str, Any]:
    """Return the description of an operation's problems, by status."""
    content = {MEDIA_TYPE: {"schema": {"$ref": _SCHEMAS.format(model="Problem")}}}
    return {status: {"description": text, "content": content} for status, text in problems.items()}


def file_response(*media_types: str, description: str = "The file") -> dict[int | str, Any]:
    """Return the description of a response that is a file of one of these media types."""
    content = {media_type: {"schema": _file_schema(media_type)} for media_type in media_types}
    return {200: {"description": description, "content": content}}


def _file_schema(media_type: str) -> dict[str, str]:
    if media_type.endswith("json"):
        return {"type": "object"}
    text = media_type.startswith("text/") or media_type.endswith("xml")
    return {"type": "string"} if text else {"type": "string", "format": "binary"}


_SCHEMAS = "#/components/schemas/{model}"
_DESCRIPTION = (
    "Haggle's server keeps games: organisers set them up, players photograph their decks and hand them in, and results "
    "are published. Errors are problem documents (application/problem+json, RFC 9457), whose `detail` says what to "
    f"do. Requests that create something need a header {HEADER} with a random value: a request that is repeated with "
    "the same value gets the first response and creates nothing more."
)
_TAGS = {
    "Games": "Editions, games and their states, archives of games",
    "Print runs": "Cards that are dealt and printed",
    "Envelopes": "Envelopes with cards, and the links on their labels",
    "Players": "A player's own name, decks, photos and hand-in; the game is that of the token",
    "Hand-ins": "Photos of envelopes, the review queue, answers before scoring, and the audit log",
    "Results": "Result versions, the published results, and the projector",
    "Live": "Event streams",
    "Organisers": "Signing in and out",
    "Server": "Health, web pages and their files",
}
"""The groups of operations, in the order in which they are listed."""
_ACCESS = {
    "organiser": "organisers who are signed in",
    "player": "the player whose token is sent",
    "projector": "clients with the game's projector token",
    "public": "anybody",
}
"""The callers that each access label admits, in words."""
_SECURITY_SCHEMES = {
    "organiser": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "The session of an organiser who has signed in. Requests that change something also need an "
        "Origin header with the server's address. Over HTTPS the prefix `__Host-` is added to the cookie's name.",
    },
    "player": {"type": "http", "scheme": "bearer", "description": "The token in the link on an envelope's label"},
    "projector": {"type": "http", "scheme": "bearer", "description": "The token in a game's projector link"},
}
_COMMON_PROBLEMS = {
    400: "The request is malformed",
    405: "The method is not allowed; see Allow",
    429: "Too many requests; see Retry-After",
    503: "The server is busy; see Retry-After",
}
_ACCESS_PROBLEMS = {
    "organiser": {401: "Not signed in", 403: "Not sent by the server's own page"},
    "player": {401: "The token is not valid"},
    "projector": {401: "The token is not valid"},
    "public": {},
}
_INPUT_PROBLEMS = {
    404: "Not found",
    409: "The game's state does not allow it, or another request was faster",
    413: "Too large",
    415: "Wrong content type",
    422: "A field is missing or wrong",
    507: "The server's disk is full",
}
_REDIRECT = {"308": {"description": "The path contains a double slash; see Location for the correct path"}}
_IDEMPOTENCY_KEY = {
    "name": HEADER,
    "in": "header",
    "required": True,
    "description": "A random value; the same one when the request is repeated",
    "schema": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
}
_IF_MATCH = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": "The `revision` that the decision is based on",
    "schema": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[0-9a-f]+$"},
}
_FILE = {"type": "string", "format": "binary"}
_BODIES: dict[str, dict[str, Any]] = {
    "multipart/form-data": {
        "type": "object",
        "required": ["photo"],
        "properties": {"photo": {**_FILE, "description": "The photo's file"}},
    },
    "application/json": {"$ref": _SCHEMAS.format(model="Hands")},
    "application/zip": _FILE,
    "application/octet-stream": _FILE,
}
"""Schemas of bodies that views read themselves, by content type."""


def complete_openapi(app: APIFlask) -> None:
    """Add to an application's OpenAPI description what APIFlask cannot know."""

    @app.spec_processor
    def _complete(spec: dict[str, Any] | str) -> dict[str, Any] | str:
        # APIFlask's YAML form is a string; it is not served.
        if isinstance(spec, str):
            return spec
        spec["info"]["description"] = _DESCRIPTION
        # Several blueprints share a tag.
        spec["tags"] = [{"name": name, "description": text} for name, text in _TAGS.items()]
        components = spec.setdefault("components", {})
        hands = ScoreInput.model_json_schema(ref_template=_SCHEMAS)
        components.setdefault("schemas", {}).update(
            hands.pop("$defs", {}), Hands=hands, Problem=ProblemModel.model_json_schema()
        )
        components["securitySchemes"] = _SECURITY_SCHEMES
        for rule in app.url_map.iter_rules():
            path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
            for method in rule.methods or ():
                operation = spec["paths"].get(path, {}).get(method.lower())
                if operation is not None:
                    _complete_operation(operation, app.view_functions[rule.endpoint], method)
                    if not path.startswith(PROGRAM_PATHS):
                        _allow_error_pages(operation)
        return _with_short_names(spec)


def _with_short_names(spec: dict[str, Any]) -> dict[str, Any]:
    """Name schemas after their classes. APIFlask names nested ones `Outer.Inner`, and repeats them for each `Outer`."""
    schemas = spec["components"]["schemas"]
    spec["components"]["schemas"] = {name.rpartition(".")[2]: schema for name, schema in schemas.items()}
    text = re.sub(r'("#/components/schemas/)[^"]*\.', r"\1", json.dumps(spec))
    return cast("dict[str, Any]", json.loads(text))


def _complete_operation(operation: dict[str, Any], view: Callable[..., Any], method: str) -> None:
    access = getattr(view, "access", ["public"])[0]
    # Summaries and descriptions are the views' docstrings.
    operation["summary"] = operation["summary"].rstrip(".")
    description = " ".join(operation.get("description", "").split())
    operation["description"] = f"{description}\n\nWho may call it: {_ACCESS[access]}.".strip()
    if access in _SECURITY_SCHEMES:
        operation["security"] = [{access: []}]
    if content_type := getattr(view, "content_type", None):
        operation["requestBody"] = {"required": True, "content": {content_type: {"schema": _BODIES[content_type]}}}
    if getattr(view, "requires_idempotency_key", False):
        operation.setdefault("parameters", []).append(_IDEMPOTENCY_KEY)
    if getattr(view, "requires_if_match", False):
        operation.setdefault("parameters", []).append(_IF_MATCH)
    problems = {**_COMMON_PROBLEMS, **_ACCESS_PROBLEMS[access]}
    has_body = "requestBody" in operation or method not in {"GET", "DELETE"}
    if has_body or operation.get("parameters"):
        problems |= _INPUT_PROBLEMS
    common = {str(status): response for status, response in responses(problems).items()}
    operation["responses"] = {**_REDIRECT, **common, **operation.get("responses", {})}


def _allow_error_pages(operation: dict[str, Any]) -> None:
    for response in operation["responses"].values():
        if MEDIA_TYPE in response.get("content", {}):
            response["content"] = {**response["content"], "text/html": {"schema": _file_schema("text/html")}}
