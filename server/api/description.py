"""Completes the OpenAPI description: request bodies, and problems with their media type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from server.api.models import ProblemModel
from server.api.problems import MEDIA_TYPE
from server.scoring.wire import RequestPart

if TYPE_CHECKING:
    from apiflask import APIFlask

PHOTO_PROBLEMS = {
    413: "Too large, in bytes or in pixels",
    415: "Not sent as a form",
    422: "Not a picture, damaged, without any card of the game, or cards of another game",
    503: "Too many pictures at once, or the reader stopped or took too long; see Retry-After",
}
SCORE_PROBLEMS = {413: "Too large", 415: "Not sent as JSON", 422: "A mistake in the hands; the detail names the place"}

_SCHEMAS = "#/components/schemas/{model}"
PHOTO_BODY: dict[str, Any] = {
    "type": "object",
    "required": ["photo"],
    "properties": {"photo": {"type": "string", "format": "binary", "description": "The picture file"}},
}
"""The form that a photograph comes in."""


def responses(problems: dict[int, str]) -> dict[int | str, Any]:
    """Return the description of an operation's problems, by status."""
    content = {MEDIA_TYPE: {"schema": {"$ref": _SCHEMAS.format(model="Problem")}}}
    return {status: {"description": text, "content": content} for status, text in problems.items()}


def describe(app: APIFlask) -> None:
    """Add what the framework cannot know: the bodies that the endpoints read themselves."""

    @app.spec_processor
    def _complete(spec: dict[str, Any] | str) -> dict[str, Any] | str:
        if isinstance(spec, str):  # the framework's YAML form, which is not served
            return spec
        schemas = spec.setdefault("components", {}).setdefault("schemas", {})
        schemas["Problem"] = ProblemModel.model_json_schema()
        hands = RequestPart.model_json_schema(ref_template=_SCHEMAS)
        schemas |= hands.pop("$defs", {})
        schemas["Hands"] = hands
        _body(spec, "/api/v1/scans", "multipart/form-data", PHOTO_BODY)
        _body(spec, "/api/v1/scores", "application/json", {"$ref": _SCHEMAS.format(model="Hands")})
        spec["info"]["description"] = (
            "Reads the cards of a printed Haggle game in photographs, and scores decks. Every problem comes as "
            f"{MEDIA_TYPE} (RFC 9457); its detail says in words what to do."
        )
        return spec


def _body(spec: dict[str, Any], path: str, media_type: str, schema: dict[str, Any]) -> None:
    spec["paths"][path]["post"]["requestBody"] = {"required": True, "content": {media_type: {"schema": schema}}}
