"""Completes the OpenAPI description of the house: who may call, uploads, and the problems that any call may meet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from server.api.auth import COOKIE
from server.api.idempotency import HEADER, PARAMETER
from server.api.problems import MEDIA_TYPE
from server.api.schemas.common import ProblemModel
from server.scoring.request_schema import ScoreInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from apiflask import APIFlask


PHOTO_BODY: dict[str, Any] = {
    "type": "object",
    "required": ["photo"],
    "properties": {"photo": {"type": "string", "format": "binary", "description": "The picture file"}},
}
"""The form that a photograph comes in."""


def responses(problems: dict[int, str]) -> dict[int | str, Any]:
    """Return the description of an operation's problems, by status."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": text, "content": content} for status, text in problems.items()}


_ABOUT = (
    "Keeps games of Haggle: organisers set them up, players have their decks read and hand in, and results are "
    "published. Every problem comes as application/problem+json (RFC 9457); its detail says in words what to do. "
    f"Requests that create something carry a header {HEADER} with a fresh random text: sent again with the same one, "
    "they give the first answer and create nothing more."
)
_SCHEMAS = "#/components/schemas/{model}"
_SCHEMES = {
    "organiser": {
        "type": "apiKey",
        "in": "cookie",
        "name": COOKIE,
        "description": "Session of an organiser who signed in. Changes also need the header Origin with the server's "
        "own address. Over https the cookie's name begins with __Host-.",
    },
    "player": {"type": "http", "scheme": "bearer", "description": "The token in the link on an envelope's label"},
    "projector": {"type": "http", "scheme": "bearer", "description": "The token in a game's link for the big screen"},
}
_ANY = {
    400: "The request cannot be understood",
    405: "The address does not take this method; see Allow",
    429: "Too many requests; see Retry-After",
    503: "Busy; see Retry-After",
}
_BY_WHO = {
    "organiser": {401: "Not signed in", 403: "Not from the server's own page"},
    "player": {401: "The token is not valid"},
    "projector": {401: "The token is not valid"},
    "anybody": {},
}
_BODY = {
    404: "There is nothing of this name",
    409: "The game's state does not allow it, or somebody else was faster",
    413: "Too large",
    415: "Wrong content type",
    422: "A field is missing or wrong",
    507: "The server's disk is full",
}
_REDIRECT = {"308": {"description": "The path has two slashes in a row; see Location for the same path with one"}}
_KEY = {
    "name": HEADER,
    "in": "header",
    "required": True,
    "description": "A fresh random text, the same when the request is sent again",
    "schema": {"type": "string", "minLength": 1, "maxLength": 100, "pattern": "^[!-~]+$"},
}


def describe(app: APIFlask) -> None:
    """Add what the framework cannot know."""

    @app.spec_processor
    def _complete(spec: dict[str, Any] | str) -> dict[str, Any] | str:
        if isinstance(spec, str):  # the framework's YAML form, which is not served
            return spec
        spec["info"]["description"] = _ABOUT
        parts = spec.setdefault("components", {})
        hands = ScoreInput.model_json_schema(ref_template=_SCHEMAS)
        parts.setdefault("schemas", {}).update(
            hands.pop("$defs", {}), Hands=hands, Problem=ProblemModel.model_json_schema()
        )
        parts["securitySchemes"] = _SCHEMES
        for rule in app.url_map.iter_rules():
            path = re.sub(r"<(?:[^:<>]+:)?([^<>]+)>", r"{\1}", rule.rule)
            for method in rule.methods or ():
                operation = spec["paths"].get(path, {}).get(method.lower())
                if operation is not None:
                    _complete_operation(operation, app.view_functions[rule.endpoint], method)
        return spec


def _complete_operation(operation: dict[str, Any], view: Callable[..., Any], method: str) -> None:
    who = getattr(view, "who", ["anybody"])[0]
    if who in _SCHEMES:
        operation["security"] = [{who: []}]
    if getattr(view, "takes", None) == "multipart/form-data":
        operation["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": PHOTO_BODY}}}
    if getattr(view, "takes", None) == "application/json":
        hands = {"$ref": _SCHEMAS.format(model="Hands")}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": hands}}}
    if getattr(view, "takes", None) == "application/zip":
        file = {"type": "string", "format": "binary"}
        operation["requestBody"] = {"required": True, "content": {"application/zip": {"schema": file}}}
    if getattr(view, "creates", False):
        operation.setdefault("parameters", []).append(_KEY)
    problems = {**_ANY, **_BY_WHO[who]}
    if getattr(view, "revised", False):
        operation.setdefault("parameters", []).append(PARAMETER)
    has_body = "requestBody" in operation or method not in {"GET", "DELETE"}
    if has_body or operation.get("parameters"):
        problems |= _BODY
    described = {str(status): told for status, told in responses(problems).items()}
    operation["responses"] = {**_REDIRECT, **described, **operation.get("responses", {})}
