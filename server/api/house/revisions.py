"""Changes that say on what they are based, so that two organisers do not decide the same thing unawares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from flask import request

from server.play.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")

PARAMETER: dict[str, Any] = {
    "name": "If-Match",
    "in": "header",
    "required": True,
    "description": "The revision of what is decided, as the organiser saw it",
    "schema": {"type": "string", "minLength": 1, "maxLength": 40, "pattern": "^[0-9a-f]+$"},
}


def revised(view: Callable[P, R]) -> Callable[P, R]:
    """Say in the API's description that a view needs a revision in If-Match."""
    view.__dict__["revised"] = True
    return view


def if_match() -> str:
    """Return the revision that a change is based on; Refusal `no-revision` if the request names none."""
    said = named_revision()
    if not said:
        raise Refusal(
            "no-revision",
            "Send the item's revision in a header If-Match, so that nobody overwrites what others decided.",
        )
    return said


def named_revision() -> str:
    """Return the revision that a request names; "" for none."""
    return request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
