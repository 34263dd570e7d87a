"""The numbers of a rule: as printed on its card, and as other rules have moved them for one hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from server.scoring.journal import Points


class Numbers:
    """A rule's numbers as attributes, at the values that count for one hand: `n.limit`. Halves are exact."""

    def __init__(self, printed: Mapping[str, Points], moved: Mapping[str, Points] | None = None) -> None:
        self.__dict__.update(printed)
        self._printed = printed
        for name, by in (moved or {}).items():
            self.__dict__[name] = printed[name] + by

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whole for a limit, maybe a fraction for points
        raise AttributeError(f"the rule has no number '{name}' (it has {', '.join(self._printed) or 'none'})")


def printed(numbers: Numbers) -> Mapping[str, Points]:
    """Return the numbers as the card says them. A function, so that a number may have any name."""
    return numbers._printed  # noqa: SLF001 - this module owns the class


def effective(numbers: Numbers) -> dict[str, Points]:
    """Return the numbers as they count."""
    return {name: getattr(numbers, name) for name in printed(numbers)}
