"""Reads the JSON that requests bring, and takes no text that would lead its readers too deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask.json.provider import DefaultJSONProvider

from server.app.troubles import zero_in_it

if TYPE_CHECKING:
    from collections.abc import Iterable

DEEPEST = 50
"""Objects and lists within each other. No request needs more than a few."""


class BoundedJSON(DefaultJSONProvider):
    """JSON as Flask reads and writes it, but for what is nested deeper than `DEEPEST`, and texts with a U+0000."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:  # noqa: ANN401 - as Flask has it
        """Return what a JSON text says; ValueError, which Flask answers with status 400, where it is too deep.

        Problem for a text in it that the database may not keep.
        """
        try:
            document = super().loads(s, **kwargs)
        except RecursionError:
            raise _too_deep() from None
        level: list[Any] = [document]
        for _ in range(DEEPEST + 1):
            if any(isinstance(value, str) and "\0" in value for value in level):
                raise zero_in_it()
            level = [part for value in level for part in _parts(value)]
            if not level:
                return document
        raise _too_deep()


def _parts(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()


def _too_deep() -> ValueError:
    return ValueError(f"nested deeper than {DEEPEST}")
