"""Reads the JSON that requests bring, and takes no text that would lead its readers too deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask.json.provider import DefaultJSONProvider

if TYPE_CHECKING:
    from collections.abc import Iterable

DEEPEST = 50
"""Objects and lists within each other. No request needs more than a few."""


class BoundedJSON(DefaultJSONProvider):
    """JSON as Flask reads and writes it, but for what is nested deeper than `DEEPEST`."""

    def loads(self, s: str | bytes, **kwargs: Any) -> Any:  # noqa: ANN401 - as Flask has it
        """Return what a JSON text says; ValueError, which Flask answers with status 400, where it is too deep."""
        try:
            document = super().loads(s, **kwargs)
        except RecursionError:
            raise _too_deep() from None
        level: list[Any] = [document]
        for _ in range(DEEPEST + 1):
            level = [part for value in level for part in _parts(value)]
            if not level:
                return document
        raise _too_deep()


def _parts(value: object) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _too_deep() -> ValueError:
    return ValueError(f"nested deeper than {DEEPEST}")
