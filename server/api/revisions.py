"""Revisions: requests that decide something name in `If-Match` the revision that they are based on."""

from __future__ import annotations

from typing import TYPE_CHECKING, ParamSpec, TypeVar

from flask import request

from server.games.errors import DomainError

if TYPE_CHECKING:
    from collections.abc import Callable

P = ParamSpec("P")
R = TypeVar("R")


def describe_if_match(view: Callable[P, R]) -> Callable[P, R]:
    """Describe the If-Match header in a view's API description; the view calls `required_revision`."""
    view.__dict__["requires_if_match"] = True
    return view


def required_revision() -> str:
    """Return the revision in If-Match. DomainError `no-revision` without one."""
    revision = requested_revision()
    if not revision:
        raise DomainError(
            "no-revision",
            "Send the item's revision in a header If-Match, so that nobody overwrites what others decided.",
        )
    return revision


def requested_revision() -> str:
    """Return the revision in If-Match, "" without one."""
    return request.headers.get("If-Match", "").strip().removeprefix("W/").strip('"')
