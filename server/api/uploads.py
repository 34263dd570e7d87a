"""A check of the content type."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from flask import request

from server.api.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def takes(media_type: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Refuse requests of another content type before their body is read."""

    def decorator(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            if request.mimetype != media_type:
                sent = request.mimetype or "none"
                raise Problem(
                    415,
                    "wrong-type",
                    "Wrong content type",
                    f"Send the request as {media_type}; its content type was {sent}.",
                    headers={"Accept-Post": media_type},
                )
            return view(*args, **kwargs)

        # For the API's description, which cannot see what a view reads by itself.
        checked.__dict__["takes"] = media_type
        return checked

    return decorator
