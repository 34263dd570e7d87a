"""Parts of the OpenAPI description that several endpoints have."""

from __future__ import annotations

from typing import Any

from server.api.problems import MEDIA_TYPE

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
